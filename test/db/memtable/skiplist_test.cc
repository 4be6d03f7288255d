#include "db/memtable/skiplist.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "db/memtable/skiplist_walk.h"
#include "gtest/gtest.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// The order the list has to have, stated another way.
struct ModelLess {
  const Comparator* comparator;
  bool operator()(const std::pair<std::string, uint64_t>& a,
                  const std::pair<std::string, uint64_t>& b) const {
    const int order = comparator->Compare(a.first, b.first);
    return order != 0 ? order < 0 : a.second > b.second;
  }
};
using Model = std::map<std::pair<std::string, uint64_t>, bool, ModelLess>;

template <bool kBytewise>
class Fixture {
 public:
  using List = SkipList<kBytewise>;
  using Node = typename List::Node;

  explicit Fixture(const Comparator* comparator)
      : icmp(comparator), list(&icmp, &arena) {}

  bool Insert(const std::string& key, uint64_t trailer, bool concurrent,
              typename List::Splice* splice) {
    uint64_t bits = trailer;
    const int height = List::HeightFromBits(SplitMix64(&bits));
    const size_t size = key.size() + kTrailerSize;
    Node* node = list.AllocateNode(
        static_cast<size_t>(VarintLength(size)) + size, height);
    char* p = EncodeVarint32(node->entry(), static_cast<uint32_t>(size));
    std::memcpy(p, key.data(), key.size());
    EncodeFixed64(p + key.size(), trailer);
    const SkipListTarget target(key, trailer);
    return concurrent ? list.InsertConcurrently(node, height, target, splice)
                      : list.Insert(node, height, target);
  }

  static std::string Text(const Node* node) {
    if (node == nullptr) return "end";
    return ExtractUserKey(node->key()).ToString() + "@" +
           std::to_string(ExtractTrailer(node->key()));
  }

  // Everything, level 0 against each upper level, and the bounds at rest.
  std::vector<std::string> Contents() const {
    std::vector<std::string> result;
    for (const Node* n = list.First(); n != nullptr; n = n->Next(0))
      result.push_back(Text(n));
    return result;
  }

  InternalKeyComparator icmp;
  ConcurrentArena arena;
  List list;
};

std::vector<std::string> Contents(const Model& model) {
  std::vector<std::string> result;
  for (const auto& [key, unused] : model)
    result.push_back(key.first + "@" + std::to_string(key.second));
  return result;
}

// Keys that collide in their first eight bytes, are shorter than eight, are
// prefixes of each other and hold zero and 0xff bytes.
std::string RandomKey(Random64* random) {
  static const std::vector<std::string> kHeads = {
      "",
      "a",
      std::string("\0", 1),
      "\xff\xff\xff\xff\xff\xff\xff\xff",
      "shared-prefix-",
      "12345678"};
  std::string key = kHeads[random->Uniform(kHeads.size())];
  for (uint64_t n = random->Uniform(4); n > 0; --n) {
    static const char kBytes[] = {'\0', 'a', 'b', '\xff'};
    key.push_back(kBytes[random->Uniform(sizeof(kBytes))]);
  }
  return key;
}

template <bool kBytewise>
void CheckAgainstModel(const Comparator* comparator, uint64_t seed) {
  Fixture<kBytewise> fixture(comparator);
  Model model(ModelLess{comparator});
  Random64 random(seed);
  for (uint64_t i = 1; i <= 3000; ++i) {
    const std::string key = RandomKey(&random);
    // Few trailers, so that some entries are there already.
    const uint64_t trailer = random.Uniform(40);
    ASSERT_EQ(model.emplace(std::pair(key, trailer), true).second,
              fixture.Insert(key, trailer, false, nullptr));
  }
  ASSERT_EQ(Contents(model), fixture.Contents());
  EXPECT_EQ(Fixture<kBytewise>::Text(fixture.list.Last()),
            Contents(model).back());

  for (int i = 0; i < 3000; ++i) {
    const std::string key = RandomKey(&random);
    const uint64_t trailer = random.Uniform(41);
    const auto at = model.lower_bound(std::pair(key, trailer));
    const std::string expected =
        at == model.end()
            ? "end"
            : at->first.first + "@" + std::to_string(at->first.second);
    ASSERT_EQ(expected,
              Fixture<kBytewise>::Text(fixture.list.SeekGreaterOrEqual(
                  SkipListTarget(key, trailer))));
    const std::string before =
        at == model.begin() ? "end"
                            : std::prev(at)->first.first + "@" +
                                  std::to_string(std::prev(at)->first.second);
    ASSERT_EQ(before, Fixture<kBytewise>::Text(
                          fixture.list.SeekLess(SkipListTarget(key, trailer))));
  }
}

TEST(SkipList, AgreesWithAnOrderedMap) {
  for (uint64_t seed = 1; seed <= 8; ++seed)
    CheckAgainstModel<true>(BytewiseComparator(), seed);
}

TEST(SkipList, AgreesWithAnOrderedMapUnderAnotherComparator) {
  for (uint64_t seed = 1; seed <= 8; ++seed)
    CheckAgainstModel<false>(ReverseBytewiseComparator(), seed);
}

TEST(SkipList, IsEmptyAtFirst) {
  Fixture<true> fixture(BytewiseComparator());
  EXPECT_EQ(fixture.list.First(), nullptr);
  EXPECT_EQ(fixture.list.Last(), nullptr);
  EXPECT_EQ(fixture.list.SeekGreaterOrEqual(SkipListTarget("a", 1)), nullptr);
  EXPECT_EQ(fixture.list.SeekLess(SkipListTarget("a", 1)), nullptr);
  EXPECT_EQ(fixture.list.EstimateCountBefore(SkipListTarget("a", 1), 0), 0u);
}

TEST(SkipList, EstimatesCountsWithinAFewPerCent) {
  Fixture<true> fixture(BytewiseComparator());
  constexpr uint64_t kCount = 20000;
  for (uint64_t i = 0; i < kCount; ++i) {
    char key[16];
    std::snprintf(key, sizeof(key), "%08u", static_cast<unsigned>(i));
    fixture.Insert(key, i + 1, false, nullptr);
  }
  const auto before = [&fixture](const std::string& key) {
    return static_cast<double>(
        fixture.list.EstimateCountBefore(SkipListTarget(key, 1), kCount));
  };
  EXPECT_NEAR(before("00000010"), 11, kCount / 20);
  EXPECT_NEAR(before("00010000"), kCount / 2, kCount / 20);
  EXPECT_NEAR(before("00020000"), kCount, kCount / 20);
}

// Threads insert interleaved keys, ascending or shuffled, while a reader walks
// and seeks: it must never see disorder, nor miss what was inserted before.
template <bool kBytewise>
void InsertFromManyThreads(const Comparator* comparator, bool shuffled) {
  constexpr int kThreads = 4;
  constexpr int kPerThread = 2500;
  Fixture<kBytewise> fixture(comparator);
  std::atomic<int> done{0};
  // Highest key index that thread t has finished inserting.
  std::atomic<int> finished[kThreads] = {};

  const auto key_of = [](int thread, int i) {
    char key[32];
    std::snprintf(key, sizeof(key), "common--%06d", i * kThreads + thread);
    return std::string(key);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<int> order(kPerThread);
      for (int i = 0; i < kPerThread; ++i) order[static_cast<size_t>(i)] = i;
      if (shuffled)
        std::shuffle(order.begin(), order.end(),
                     Random64(static_cast<uint64_t>(t) + 1));
      typename Fixture<kBytewise>::List::Splice splice;
      for (int n = 0; n < kPerThread; ++n) {
        const int i = order[static_cast<size_t>(n)];
        const auto trailer = static_cast<uint64_t>(i * kThreads + t + 1);
        ASSERT_TRUE(fixture.Insert(key_of(t, i), trailer, true, &splice));
        if (!shuffled) finished[t].store(n + 1, std::memory_order_release);
      }
      done.fetch_add(1);
    });
  }

  Random64 random(99);
  while (done.load() < kThreads) {
    const int t = static_cast<int>(random.Uniform(kThreads));
    const int upto = finished[t].load(std::memory_order_acquire);
    if (upto > 0) {
      const int i =
          static_cast<int>(random.Uniform(static_cast<uint64_t>(upto)));
      const auto trailer = static_cast<uint64_t>(i * kThreads + t + 1);
      const auto* node = fixture.list.SeekGreaterOrEqual(
          SkipListTarget(key_of(t, i), trailer));
      ASSERT_EQ(Fixture<kBytewise>::Text(node),
                key_of(t, i) + "@" + std::to_string(trailer));
    }
    const auto* node = fixture.list.First();
    for (int steps = 0; node != nullptr && steps < 100; ++steps) {
      const auto* next = node->Next(0);
      if (next != nullptr) {
        ASSERT_LT(fixture.icmp.Compare(node->key(), next->key()), 0);
      }
      node = next;
    }
  }
  for (std::thread& thread : threads) thread.join();

  const std::vector<std::string> contents = fixture.Contents();
  ASSERT_EQ(contents.size(), size_t{kThreads} * kPerThread);
  for (int i = 0; i < kThreads * kPerThread; ++i) {
    char key[32];
    std::snprintf(key, sizeof(key), "common--%06d@%d", i, i + 1);
    const size_t at = comparator == BytewiseComparator()
                          ? static_cast<size_t>(i)
                          : contents.size() - 1 - static_cast<size_t>(i);
    ASSERT_EQ(contents[at], key);
  }
  // At rest again, the exclusive insertion finds its places.
  ASSERT_TRUE(fixture.Insert("common--000000", 5000000, false, nullptr));
  ASSERT_FALSE(fixture.Insert("common--000000", 5000000, false, nullptr));
}

TEST(SkipList, TakesInsertionsFromManyThreadsInAscendingOrder) {
  InsertFromManyThreads<true>(BytewiseComparator(), /*shuffled=*/false);
}

TEST(SkipList, TakesInsertionsFromManyThreadsInRandomOrder) {
  InsertFromManyThreads<true>(BytewiseComparator(), /*shuffled=*/true);
}

TEST(SkipList, TakesInsertionsFromManyThreadsUnderAnotherComparator) {
  InsertFromManyThreads<false>(ReverseBytewiseComparator(),
                               /*shuffled=*/true);
}

TEST(SkipList, GivesOneOfTwoEqualConcurrentInsertionsTheWin) {
  constexpr int kThreads = 4;
  constexpr uint64_t kKeys = 1500;
  Fixture<true> fixture(BytewiseComparator());
  std::atomic<uint64_t> wins{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      SkipList<true>::Splice splice;
      for (uint64_t i = 0; i < kKeys; ++i) {
        if (fixture.Insert("key" + std::to_string(i), i, true, &splice))
          wins.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wins.load(), kKeys);
  EXPECT_EQ(fixture.Contents().size(), kKeys);
}

TEST(SkipList, HalvesTheNodesFromLevelToLevel) {
  int above = 0;
  constexpr int kSamples = 100000;
  for (uint64_t i = 0; i < kSamples; ++i) {
    uint64_t bits = i;
    const int height = SkipList<true>::HeightFromBits(SplitMix64(&bits));
    ASSERT_GE(height, 1);
    ASSERT_LE(height, SkipList<true>::kHeightMax);
    if (height > 3) ++above;
  }
  EXPECT_NEAR(above, kSamples / 8, kSamples / 80);
  EXPECT_EQ(SkipList<true>::HeightFromBits(0), SkipList<true>::kHeightMax);
}

TEST(SkipListWalk, EndsWhereADescentEnds) {
  Fixture<true> fixture(BytewiseComparator());
  Random64 random(7);
  SkipList<true>::Splice splice;
  for (uint64_t i = 1; i <= 3000; ++i) {
    ASSERT_TRUE(fixture.Insert(RandomKey(&random), i << 8, false, &splice));
  }
  const SkipList<true>& list = fixture.list;
  for (int round = 0; round < 3000; ++round) {
    const std::string key = RandomKey(&random);
    const SkipListTarget target(key, random.Uniform(3000) << 8);
    SkipListWalk walk(list, target);
    int steps = 0;
    while (walk.Step()) ASSERT_LT(++steps, 3000);
    const auto* const before = list.SeekLess(target);
    ASSERT_EQ(before == nullptr ? list.head() : before, walk.node()) << key;
  }
  SkipListWalk ended;
  EXPECT_FALSE(ended.Step());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
