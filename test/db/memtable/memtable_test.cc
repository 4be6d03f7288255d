#include "db/memtable/memtable.h"

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

const InternalKeyComparator& Bytewise() {
  static const InternalKeyComparator icmp(BytewiseComparator());
  return icmp;
}

std::string Get(const MemTable& memtable, const std::string& key,
                SequenceNumber sequence) {
  PinnableSlice value;
  GetContext context(key, sequence, &value);
  memtable.Get(LookupKey(key, sequence), &context);
  using State = GetContext::State;
  std::string operands;
  for (const std::string& operand : context.operands())
    operands += "+" + operand;
  switch (context.state()) {
    case State::kNotFound:
      return "none";
    case State::kFound:
      return value.ToString();
    case State::kDeleted:
      return "deleted";
    case State::kMerge:
      return "merge" + operands;
    case State::kMergeFound:
      return "merge" + operands + " on " + value.ToString();
    case State::kMergeDeleted:
      return "merge" + operands + " on nothing";
    default:
      return "unexpected";
  }
}

TEST(MemTable, ShowsEachReaderTheNewestEntryItMaySee) {
  MemTable memtable(&Bytewise(), {}, 0);
  EXPECT_TRUE(memtable.Add(1, ValueType::kValue, "k", "one"));
  EXPECT_TRUE(memtable.Add(3, ValueType::kDeletion, "k", ""));
  EXPECT_TRUE(memtable.Add(5, ValueType::kValue, "k", "five"));
  EXPECT_TRUE(memtable.Add(6, ValueType::kValue, "k2", "other"));
  EXPECT_EQ(Get(memtable, "k", 0), "none");
  EXPECT_EQ(Get(memtable, "k", 1), "one");
  EXPECT_EQ(Get(memtable, "k", 2), "one");
  EXPECT_EQ(Get(memtable, "k", 4), "deleted");
  EXPECT_EQ(Get(memtable, "k", 9), "five");
  EXPECT_EQ(Get(memtable, "j", 9), "none");
  EXPECT_EQ(Get(memtable, "k1", 9), "none");
}

TEST(MemTable, HandsOverMergeOperandsNewestFirstDownToTheBase) {
  MemTable memtable(&Bytewise(), {}, 0);
  memtable.Add(1, ValueType::kValue, "v", "base");
  memtable.Add(2, ValueType::kMerge, "v", "a");
  memtable.Add(3, ValueType::kMerge, "v", "b");
  memtable.Add(4, ValueType::kSingleDeletion, "d", "");
  memtable.Add(5, ValueType::kMerge, "d", "c");
  memtable.Add(6, ValueType::kMerge, "m", "d");
  EXPECT_EQ(Get(memtable, "v", 9), "merge+b+a on base");
  EXPECT_EQ(Get(memtable, "v", 2), "merge+a on base");
  EXPECT_EQ(Get(memtable, "d", 9), "merge+c on nothing");
  EXPECT_EQ(Get(memtable, "m", 9), "merge+d");
}

TEST(MemTable, RefusesASecondEntryWithTheSameSequence) {
  MemTable memtable(&Bytewise(), {}, 0);
  EXPECT_TRUE(memtable.Add(7, ValueType::kValue, "k", "first"));
  EXPECT_FALSE(memtable.Add(7, ValueType::kValue, "k", "second"));
  EXPECT_EQ(Get(memtable, "k", 9), "first");
  EXPECT_EQ(memtable.num_entries(), 1u);
}

TEST(MemTable, CountsWhatWasAdded) {
  MemTable memtable(&Bytewise(), {}, 41);
  EXPECT_TRUE(memtable.empty());
  EXPECT_EQ(memtable.first_sequence(), 0u);
  EXPECT_EQ(memtable.earliest_sequence(), 41u);
  MemTable::AddCursor cursor;
  memtable.Add(ParsedInternalKey("abc", 44, ValueType::kValue), "12345",
               &cursor);
  memtable.Add(ParsedInternalKey("abd", 43, ValueType::kSingleDeletion), "",
               &cursor);
  EXPECT_TRUE(memtable.empty());  // Counted when the batch is done.
  EXPECT_FALSE(memtable.FinishAdds(&cursor));
  EXPECT_EQ(memtable.num_entries(), 2u);
  EXPECT_EQ(memtable.num_deletes(), 1u);
  EXPECT_EQ(memtable.data_size(), 3u + 8 + 5 + 3 + 8);
  EXPECT_EQ(memtable.first_sequence(), 43u);
}

TEST(MemTable, IteratesLikeAModelInBothDirections) {
  for (const Comparator* comparator :
       {BytewiseComparator(), ReverseBytewiseComparator()}) {
    const InternalKeyComparator icmp(comparator);
    MemTable memtable(&icmp, {}, 0);
    const auto less = [&icmp](const std::string& a, const std::string& b) {
      return icmp.Compare(Slice(a), Slice(b)) < 0;
    };
    std::map<std::string, std::string, decltype(less)> model(less);
    Random64 random(7);
    for (SequenceNumber sequence = 1; sequence <= 2000; ++sequence) {
      const std::string key = "key" + std::to_string(random.Uniform(500));
      const std::string value(random.Uniform(300), 'v');
      memtable.Add(sequence, ValueType::kValue, key, value);
      std::string internal_key;
      AppendInternalKey(&internal_key, key, sequence, ValueType::kValue);
      model[internal_key] = value;
    }

    std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
    iter->SeekToFirst();
    for (const auto& [key, value] : model) {
      ASSERT_TRUE(iter->Valid());
      ASSERT_EQ(iter->key().ToString(), key);
      ASSERT_EQ(iter->value().ToString(), value);
      iter->Next();
    }
    EXPECT_FALSE(iter->Valid());
    iter->SeekToLast();
    for (auto it = model.rbegin(); it != model.rend(); ++it) {
      ASSERT_TRUE(iter->Valid());
      ASSERT_EQ(iter->key().ToString(), it->first);
      iter->Prev();
    }
    EXPECT_FALSE(iter->Valid());

    for (int i = 0; i < 1000; ++i) {
      std::string target;
      AppendInternalKey(&target, "key" + std::to_string(random.Uniform(600)),
                        random.Uniform(2100), ValueType::kValue);
      const auto at = model.lower_bound(target);
      iter->Seek(target);
      ASSERT_EQ(iter->Valid(), at != model.end());
      if (iter->Valid()) {
        ASSERT_EQ(iter->key().ToString(), at->first);
      }
      auto upper = model.upper_bound(target);
      iter->SeekForPrev(target);
      ASSERT_EQ(iter->Valid(), upper != model.begin());
      if (iter->Valid()) {
        ASSERT_EQ(iter->key().ToString(), std::prev(upper)->first);
      }
    }
  }
}

TEST(MemTable, IsFullAtItsSizeAndSaysSoOnce) {
  MemTableOptions options;
  options.write_buffer_size = 1 << 20;
  options.arena_block_size = 64 << 10;
  MemTable memtable(&Bytewise(), options, 0);
  const std::string value(1000, 'v');
  MemTable::AddCursor cursor;
  int reports = 0;
  SequenceNumber sequence = 0;
  while (!memtable.ShouldFlush()) {
    ++sequence;
    memtable.Add(ParsedInternalKey("k" + std::to_string(sequence), sequence,
                                   ValueType::kValue),
                 value, &cursor);
    if (memtable.FinishAdds(&cursor)) ++reports;
    ASSERT_LT(sequence, 2000u);
  }
  EXPECT_EQ(reports, 1);
  // Filled to within a block of the size, and never much beyond it.
  EXPECT_GT(memtable.data_size(), (1u << 20) * 85 / 100);
  EXPECT_LE(memtable.AllocatedBytes(), (1u << 20) + (64u << 10));
  memtable.Add(ParsedInternalKey("more", 5000, ValueType::kValue), value,
               &cursor);
  EXPECT_FALSE(memtable.FinishAdds(&cursor));
}

TEST(MemTable, ReportsARequestedFlushAtTheNextBatch) {
  MemTable memtable(&Bytewise(), {}, 0);
  memtable.RequestFlush();
  MemTable::AddCursor cursor;
  memtable.Add(ParsedInternalKey("k", 1, ValueType::kValue), "v", &cursor);
  EXPECT_TRUE(memtable.FinishAdds(&cursor));
}

TEST(MemTable, ChargesItsBlocksUntilItIsGone) {
  WriteBufferManager manager(64 << 20);
  MemTableOptions options;
  options.arena_block_size = 64 << 10;
  options.write_buffer_manager = &manager;
  {
    MemTable memtable(&Bytewise(), options, 0);
    for (SequenceNumber i = 1; i <= 500; ++i)
      memtable.Add(i, ValueType::kValue, std::to_string(i),
                   std::string(1000, 'v'));
    EXPECT_EQ(manager.memory_usage(), memtable.AllocatedBytes());
    EXPECT_EQ(manager.mutable_memtable_memory_usage(), manager.memory_usage());
    memtable.MarkImmutable();
    EXPECT_EQ(manager.mutable_memtable_memory_usage(), 0u);
    EXPECT_EQ(manager.memory_usage(), memtable.AllocatedBytes());
  }
  EXPECT_EQ(manager.memory_usage(), 0u);
  EXPECT_EQ(manager.mutable_memtable_memory_usage(), 0u);
}

TEST(MemTable, HoldsWhatConcurrentCursorsAdded) {
  MemTable memtable(&Bytewise(), {}, 0);
  constexpr uint64_t kThreads = 4;
  constexpr uint64_t kBatches = 200;
  constexpr uint64_t kPerBatch = 10;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&memtable, t] {
      MemTable::AddCursor cursor(/*concurrent=*/true);
      for (uint64_t i = 0; i < kBatches * kPerBatch; ++i) {
        const SequenceNumber sequence = i * kThreads + t + 1;
        memtable.Add(ParsedInternalKey("key" + std::to_string(sequence % 997),
                                       sequence, ValueType::kValue),
                     std::to_string(sequence), &cursor);
        if (i % kPerBatch == kPerBatch - 1) memtable.FinishAdds(&cursor);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr uint64_t kEntries = kThreads * kBatches * kPerBatch;
  EXPECT_EQ(memtable.num_entries(), kEntries);
  EXPECT_EQ(memtable.first_sequence(), 1u);
  for (SequenceNumber sequence = 1; sequence <= kEntries; ++sequence) {
    ASSERT_EQ(Get(memtable, "key" + std::to_string(sequence % 997), sequence),
              std::to_string(sequence));
  }
}

TEST(MemTable, EstimatesRanges) {
  MemTable memtable(&Bytewise(), {}, 0);
  const auto key = [](unsigned i) {
    char text[16];
    std::snprintf(text, sizeof(text), "%08u", i);
    return std::string(text);
  };
  for (unsigned i = 0; i < 10000; ++i)
    memtable.Add(i + 1, ValueType::kValue, key(i), std::string(100, 'v'));
  const auto stats = [&](unsigned from, unsigned to) {
    std::string start;
    std::string end;
    AppendInternalKey(&start, key(from), kSequenceMax, kTypeForSeek);
    AppendInternalKey(&end, key(to), kSequenceMax, kTypeForSeek);
    return memtable.ApproximateRangeStats(start, end);
  };
  EXPECT_NEAR(static_cast<double>(stats(2000, 8000).entries), 6000, 600);
  EXPECT_EQ(stats(2000, 8000).bytes, stats(2000, 8000).entries * 116);
  EXPECT_EQ(stats(8000, 2000).entries, 0u);
}

#ifdef __linux__
// Of the mappings that ask for huge pages; "hg" stands in their flags.
uint64_t BytesThatAskForHugePages() {
  std::ifstream smaps("/proc/self/smaps");
  uint64_t size_kb = 0;
  uint64_t total_kb = 0;
  for (std::string line; std::getline(smaps, line);) {
    if (line.starts_with("Size:")) size_kb = std::stoull(line.substr(5));
    if (line.starts_with("VmFlags:") && line.find(" hg") != std::string::npos)
      total_kb += size_kb;
  }
  return total_kb << 10;
}

// What a memtable of `count` values of `value_bytes` adds to these bytes.
uint64_t AskedByMemTable(int count, size_t value_bytes) {
  const uint64_t before = BytesThatAskForHugePages();
  MemTable memtable(&Bytewise(), {}, 0);
  const std::string value(value_bytes, 'v');
  for (int i = 1; i <= count; i++)
    memtable.Add(i, ValueType::kValue, "key" + std::to_string(i), value);
  return BytesThatAskForHugePages() - before;
}

TEST(MemTable, AsksForHugePagesIfItsEntriesAreSmall) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good())
    GTEST_SKIP() << "the kernel has no huge pages";
  constexpr uint64_t kMiB = 1 << 20;
  EXPECT_GE(AskedByMemTable(10000, 1000), 8 * kMiB);
  EXPECT_EQ(AskedByMemTable(10000, 1300), 0u);
  EXPECT_EQ(AskedByMemTable(1500, 1000), 0u) << "less than a huge page";
}
#endif

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
