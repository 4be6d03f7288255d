// Range deletions cut into fragments, and what a merged read makes of them:
// both against the definition, tombstone by tombstone.

#include "table/range_del/tombstone_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/range_del/range_cover.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string Key(uint64_t n) {
  std::string key = std::to_string(1000 + n);
  return n % 3 == 0 ? key : key + "x";
}

// Owns the bytes that tombstones point to.
class Given {
 public:
  void Add(const std::string& begin, const std::string& end,
           SequenceNumber sequence) {
    keys_.push_back(begin);
    keys_.push_back(end);
    list_.push_back({keys_[keys_.size() - 2], keys_.back(), sequence});
  }
  const std::vector<RangeTombstone>& list() const { return list_; }

  // By definition.
  SequenceNumber NewestOver(const InternalKeyComparator& icmp,
                            const std::string& key,
                            SequenceNumber at_most) const {
    SequenceNumber newest = 0;
    for (const RangeTombstone& t : list_) {
      if (t.sequence <= at_most && icmp.CompareUserKey(t.begin, key) <= 0 &&
          icmp.CompareUserKey(key, t.end) < 0) {
        newest = std::max(newest, t.sequence);
      }
    }
    return newest;
  }

 private:
  std::deque<std::string> keys_;
  std::vector<RangeTombstone> list_;
};

class Order : public ::testing::TestWithParam<const Comparator*> {
 protected:
  const InternalKeyComparator icmp_{GetParam()};

  Given Random(Random64* random, uint64_t count, uint64_t keys,
               bool narrow) const {
    Given given;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t a = random->Uniform(keys);
      const uint64_t b =
          narrow ? a + random->Uniform(4) : random->Uniform(keys);
      std::string begin = Key(a);
      std::string end = Key(b);
      // Some stay the wrong way round: they delete nothing.
      const bool turn = icmp_.CompareUserKey(begin, end) > 0;
      if (turn && random->Uniform(10) != 0) std::swap(begin, end);
      given.Add(begin, end, 1 + random->Uniform(50));
    }
    return given;
  }
};

TEST_P(Order, EachQuestionIsAnsweredAsByLookingAtEveryTombstone) {
  Random64 random(7);
  for (const uint64_t count : {0, 1, 2, 5, 40, 200}) {
    for (const bool narrow : {false, true}) {
      const Given given = Random(&random, count, 120, narrow);
      const TombstoneSet set(&icmp_, given.list());
      for (uint64_t n = 0; n < 124; ++n) {
        for (const SequenceNumber at_most : {0, 3, 17, 49, 50, 99}) {
          ASSERT_EQ(given.NewestOver(icmp_, Key(n), at_most),
                    set.NewestOver(Key(n), at_most))
              << count << " key " << Key(n) << " at most " << at_most;
        }
      }
    }
  }
}

TEST_P(Order, PointsAscendAndTombstonesComeBackAsTheyWere) {
  Random64 random(9);
  const Given given = Random(&random, 60, 90, false);
  const TombstoneSet set(&icmp_, given.list());
  for (size_t i = 1; i < set.num_points(); ++i) {
    EXPECT_LT(icmp_.CompareUserKey(set.point(i - 1), set.point(i)), 0);
  }
  Given again;
  for (size_t i = 0; i < set.num_tombstones(); ++i) {
    const RangeTombstone t = set.tombstone(i);
    again.Add(t.begin.ToString(), t.end.ToString(), t.sequence);
    if (i == 0) continue;
    EXPECT_GE(set.tombstone(i - 1).sequence, t.sequence);
  }
  for (uint64_t n = 0; n < 94; ++n) {
    EXPECT_EQ(given.NewestOver(icmp_, Key(n), 99),
              again.NewestOver(icmp_, Key(n), 99));
  }
}

// Two memtables, a file, and a level of files that are found one after the
// other.
TEST_P(Order, ACoverAnswersForAllSourcesWithinTheirFiles) {
  Random64 random(11);
  for (int round = 0; round < 30; ++round) {
    const SequenceNumber at_most = 10 + random.Uniform(45);
    RangeCover cover(&icmp_, at_most);
    EXPECT_FALSE(cover.active());
    std::deque<Given> everywhere;  // They do not like to be moved.
    for (size_t child = 0; child < 2; ++child) {
      everywhere.push_back(Random(&random, 1 + random.Uniform(8), 120, false));
      cover.Add(child, std::make_shared<const TombstoneSet>(
                           &icmp_, everywhere.back().list()));
    }
    struct File {
      Given given;
      InternalKey smallest;
      InternalKey largest;
      bool exclusive;
    };
    std::deque<File> files;
    std::vector<std::string> cuts;
    for (int i = 0; i < 8; ++i) cuts.push_back(Key(random.Uniform(120)));
    std::sort(cuts.begin(), cuts.end(), [&](const auto& a, const auto& b) {
      return icmp_.CompareUserKey(a, b) < 0;
    });
    const auto expected = [&](const std::string& key) {
      SequenceNumber newest = 0;
      for (const Given& given : everywhere) {
        newest = std::max(newest, given.NewestOver(icmp_, key, at_most));
      }
      for (const File& file : files) {
        const int low = icmp_.CompareUserKey(file.smallest.user_key(), key);
        const int high = icmp_.CompareUserKey(key, file.largest.user_key());
        if (low > 0 || high > 0 || (high == 0 && file.exclusive)) continue;
        newest = std::max(newest, file.given.NewestOver(icmp_, key, at_most));
      }
      return newest;
    };
    for (int i = 0; i + 1 < 8; i += 2) {
      if (icmp_.CompareUserKey(cuts[i], cuts[i + 1]) >= 0) continue;
      if (i > 0 && icmp_.CompareUserKey(cuts[i - 1], cuts[i]) == 0) continue;
      File& file = files.emplace_back();
      file.given = Random(&random, 5, 120, false);
      file.exclusive = random.Uniform(2) == 0;
      file.smallest = InternalKey(cuts[i], 5, ValueType::kValue);
      file.largest = file.exclusive
                         ? InternalKey(cuts[i + 1], kSequenceMax,
                                       ValueType::kRangeDeletion)
                         : InternalKey(cuts[i + 1], 5, ValueType::kValue);
      const auto set =
          std::make_shared<const TombstoneSet>(&icmp_, file.given.list());
      for (int twice = 0; twice < 2; ++twice) {
        cover.AddFile(3, set, file.smallest.Encode(), file.largest.Encode());
      }
      EXPECT_TRUE(cover.active());
      for (uint64_t n = 0; n < 60; ++n) {
        const std::string key = Key(random.Uniform(124));
        ASSERT_EQ(expected(key), cover.At(key).sequence) << key;
      }
    }
    for (uint64_t n = 0; n < 124; ++n) {
      ASSERT_EQ(expected(Key(n)), cover.At(Key(n)).sequence) << Key(n);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Comparators, Order,
                         ::testing::Values(BytewiseComparator(),
                                           ReverseBytewiseComparator()),
                         [](const auto& tested) {
                           return tested.param == BytewiseComparator()
                                      ? "Bytewise"
                                      : "Reverse";
                         });

// As in an ingested file, whose entries all have its sequence. Against the
// definition.
TEST(TombstoneSet, TellsTimestampsOfOneSequenceApart) {
  const Comparator* const order = BytewiseComparatorWithU64Ts();
  const InternalKeyComparator icmp(order);
  const auto ends = [&](const std::string& key) {
    return key + order->GetMaxTimestamp().ToString();
  };
  const auto time_of = [](uint64_t time) {
    std::string bytes;
    EncodeU64Ts(time, &bytes);
    return bytes;
  };
  Random64 random(5);
  for (int round = 0; round < 50; ++round) {
    std::deque<std::string> bytes;
    std::vector<RangeTombstone> list;
    for (uint64_t left = random.Uniform(12); left > 0; --left) {
      const uint64_t begin = random.Uniform(20);
      bytes.push_back(ends(Key(begin)));
      bytes.push_back(ends(Key(begin + random.Uniform(6))));
      bytes.push_back(time_of(random.Uniform(8)));
      list.push_back({bytes[bytes.size() - 3], bytes[bytes.size() - 2],
                      1 + random.Uniform(3), bytes.back()});
    }
    const TombstoneSet set(&icmp, list);
    for (uint64_t n = 0; n < 26; ++n) {
      for (uint64_t time = 0; time < 8; ++time) {
        const std::string key = Key(n) + time_of(time);
        for (SequenceNumber at_most = 0; at_most < 5; ++at_most) {
          SequenceNumber newest = 0;
          for (const RangeTombstone& t : list) {
            const bool covers = icmp.CompareUserKey(t.begin, key) <= 0 &&
                                icmp.CompareUserKey(key, t.end) < 0;
            const bool seen =
                order->CompareTimestamp(t.timestamp, time_of(time)) <= 0;
            if (covers && seen && t.sequence <= at_most) {
              newest = std::max(newest, t.sequence);
            }
          }
          ASSERT_EQ(newest, set.NewestOver(key, at_most))
              << "round " << round << " key " << Key(n) << " at " << time;
        }
      }
    }
  }
}

// n nested ranges have n * n / 2 pairs of fragment and tombstone.
TEST(TombstoneSet, NestedTombstonesTakeLittleMoreThanSeparateOnes) {
  const InternalKeyComparator icmp(BytewiseComparator());
  constexpr uint64_t kCount = 50000;
  Given nested;
  for (uint64_t i = 0; i < kCount; ++i) {
    nested.Add(Key(100000 + i), Key(300000 - i), i + 1);
  }
  const TombstoneSet set(&icmp, nested.list());
  EXPECT_EQ(kCount, set.num_tombstones());
  EXPECT_LT(set.memory_bytes(), kCount * 600);
  EXPECT_EQ(kCount, set.NewestOver(Key(200000), kSequenceMax));
  EXPECT_EQ(7u, set.NewestOver(Key(200000), 7));
  EXPECT_EQ(1u, set.NewestOver(Key(299999), kSequenceMax));
}

TEST(RangeCover, SaysHowFarTheTombstoneReaches) {
  const InternalKeyComparator icmp(BytewiseComparator());
  Given wide;
  wide.Add("b", "y", 9);
  Given inner;
  inner.Add("d", "f", 4);
  RangeCover cover(&icmp, 100);
  cover.Add(0, std::make_shared<const TombstoneSet>(&icmp, wide.list()));
  cover.Add(1, std::make_shared<const TombstoneSet>(&icmp, inner.list()));
  const RangeCover::Answer& answer = cover.At("e");
  EXPECT_EQ(9u, answer.sequence);
  EXPECT_EQ(0u, answer.child);
  EXPECT_EQ("b", answer.stretch->low.key.ToString());
  EXPECT_EQ("y", answer.stretch->high.key.ToString());
  EXPECT_EQ(0u, cover.At("y").sequence);
  EXPECT_EQ(0u, cover.At("a").sequence);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
