// DeleteRange through the whole database: what it hides, what it costs, and
// what becomes of it in flushes and compactions. The model test does it at
// random; here is what must hold in particular.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/memtable/range_deletion_list.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "table/range_del/range_cover.h"
#include "test/db/files/files_fixture.h"
#include "test/support/model_db.h"
#include "test/support/numbered_key.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RangeDeletion : public test::FilesTest {
 protected:
  RangeDeletion() {
    options_.statistics = CreateDBStatistics();
    const Status status = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(status.ok());
  }

  void DeleteRange(const std::string& begin, const std::string& end) {
    const Status status = db_->DeleteRange(WriteOptions(), begin, end);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  // `force`: also rewrites what could be moved or is at the bottom already.
  void Compact(bool force = false) {
    CompactRangeOptions options;
    if (force) {
      options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    }
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key, ReadOptions read = ReadOptions()) {
    std::string value;
    const Status status = db_->Get(read, key, &value);
    return status.ok() ? value : status.IsNotFound() ? "-" : status.ToString();
  }
  // "a=1 b=2", both ways; a difference becomes part of the answer.
  std::string Rows(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    return test::RowsBothWays(it.get(), Row);
  }
  static std::string Row(const Iterator& it) {
    return it.key().ToString() + "=" + it.value().ToString();
  }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }
  uint64_t Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    return files.size();
  }
  uint64_t Tick(Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  }
};

TEST_F(RangeDeletion, TakesTheBeginAndLeavesTheEnd) {
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) Put(key, key);
  DeleteRange("b", "d");
  const auto check = [&] {
    EXPECT_EQ("a=a d=d e=e", Rows());
    EXPECT_EQ("-", Get("b"));
    EXPECT_EQ("-", Get("c"));
    EXPECT_EQ("d", Get("d"));
    const std::vector<Slice> keys = {"a", "b", "c", "d"};
    std::vector<PinnableSlice> values(4);
    std::vector<Status> statuses(4);
    db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), 4, keys.data(),
                  values.data(), statuses.data());
    EXPECT_TRUE(statuses[0].ok() && statuses[3].ok());
    EXPECT_TRUE(statuses[1].IsNotFound() && statuses[2].IsNotFound());
    std::string value;
    EXPECT_FALSE(db_->KeyMayExist(ReadOptions(), "c", &value));
    EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), "d", &value));
  };
  check();
  Open();
  check();
  Flush();
  check();
  Compact();
  check();
  Open();
  check();
}

TEST_F(RangeDeletion, AnEmptyRangeIsFineAndAReversedOneIsRefusedUnlogged) {
  Open();
  Put("b", "1");
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  DeleteRange("b", "b");
  EXPECT_EQ("1", Get("b"));
  const Status status = db_->DeleteRange(WriteOptions(), "c", "a");
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("x", "1").ok());
  ASSERT_TRUE(batch.DeleteRange("c", "a").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsInvalidArgument());
  EXPECT_EQ(before + 1, db_->GetLatestSequenceNumber());
  EXPECT_TRUE(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a",
                               "b", "ts")
                  .IsInvalidArgument());
  Open();
  EXPECT_EQ("b=1", Rows());
}

TEST_F(RangeDeletion, FollowsTheOrderOfTheComparator) {
  options_.comparator = ReverseBytewiseComparator();
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) Put(key, key);
  EXPECT_TRUE(db_->DeleteRange(WriteOptions(), "b", "d").IsInvalidArgument());
  DeleteRange("d", "b");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ("e=e b=b a=a", Rows());
    EXPECT_EQ("-", Get("d"));
    EXPECT_EQ("b", Get("b"));
    if (i == 0) Flush();
    if (i == 1) Compact();
  }
}

TEST_F(RangeDeletion, StaysInItsFamily) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(options_), "other", &other)
          .ok());
  for (ColumnFamilyHandle* family : {db_->DefaultColumnFamily(), other}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), family, "k", "v").ok());
  }
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange(other, "a", "z").ok());
  ASSERT_TRUE(batch.Put(other, "l", "new").ok());
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  EXPECT_EQ("k=v", Rows());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), other, "k", &value).IsNotFound());
  EXPECT_TRUE(db_->Get(ReadOptions(), other, "l", &value).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(RangeDeletion, CanBeIgnoredByAReader) {
  Open();
  ReadOptions ignore;
  ignore.ignore_range_deletions = true;
  Put("a", "1");
  Put("b", "2");
  DeleteRange("a", "c");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ("", Rows());
    EXPECT_EQ("a=1 b=2", Rows(ignore));
    EXPECT_EQ("2", Get("b", ignore));
    // Covered entries in one memtable do not reach the disk.
    if (i == 0) {
      Flush();
      EXPECT_EQ("", Rows(ignore));
      Put("a", "1");
      Put("b", "2");
      Flush();
      DeleteRange("a", "c");
      Flush();
    }
  }
}

TEST_F(RangeDeletion, EndsTheBaseOfMerges) {
  Open();
  Put("k", "base");
  ASSERT_TRUE(db_->Merge(WriteOptions(), "k", "old").ok());
  Flush();
  DeleteRange("a", "z");
  ASSERT_TRUE(db_->Merge(WriteOptions(), "k", "new").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), "k", "er").ok());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ("new,er", Get("k"));
    EXPECT_EQ("k=new,er", Rows());
    if (i == 0) Flush();
    if (i == 1) Compact();
    if (i == 2) Open();
  }
}

TEST_F(RangeDeletion, SnapshotsSeeWhatTheySaw) {
  Open();
  std::vector<const Snapshot*> snapshots;
  std::vector<std::string> expected;
  const auto take = [&] {
    snapshots.push_back(db_->GetSnapshot());
    expected.push_back(Rows());
  };
  for (int round = 0; round < 3; ++round) {
    for (const char* key : {"a", "b", "c", "d"}) {
      Put(key, std::to_string(round));
    }
    take();
    DeleteRange(round == 0 ? "a" : "b", round == 1 ? "c" : "d");
    take();
    if (round == 1) Flush();
  }
  for (int i = 0; i < 3; ++i) {
    for (size_t s = 0; s < snapshots.size(); ++s) {
      ReadOptions read;
      read.snapshot = snapshots[s];
      EXPECT_EQ(expected[s], Rows(read)) << "snapshot " << s << " step " << i;
    }
    if (i == 0) Flush();
    if (i == 1) Compact();
  }
  for (const Snapshot* snapshot : snapshots) db_->ReleaseSnapshot(snapshot);
  EXPECT_EQ(expected.back(), Rows());
}

TEST_F(RangeDeletion, AloneMakesAFileAndIsGoneAtTheBottom) {
  Open();
  DeleteRange("a", "m");
  EXPECT_EQ(1u, Number("rocksdb.num-entries-active-mem-table"));
  Flush();
  EXPECT_EQ(1u, Files());
  Open();
  EXPECT_EQ("", Rows());
  Compact();
  EXPECT_EQ(0u, Files());
}

TEST_F(RangeDeletion, EverythingLeavesNothingBehind) {
  Open();
  for (int i = 0; i < 1000; ++i)
    Put(test::NumberedKey(i), std::string(100, 'v'));
  Flush();
  Compact();
  EXPECT_EQ(1u, Files());
  DeleteRange(test::NumberedKey(0), test::NumberedKey(1000));
  Flush();
  Tick(COMPACTION_KEY_DROP_RANGE_DEL);
  Compact();
  EXPECT_EQ(0u, Files());
  EXPECT_EQ(1000u, Tick(COMPACTION_KEY_DROP_RANGE_DEL));
}

// A wide one is cut where output files end, and each part acts alone: what is
// written later between them must not be hidden when the parts are apart.
// compaction_job.h (4).
TEST_F(RangeDeletion, IsCutAtFileBounds) {
  options_.target_file_size_base = 4 << 10;
  Open();
  for (int i = 0; i < 300; ++i)
    Put(test::NumberedKey(i), std::string(100, 'v'));
  Flush();
  Compact(/*force=*/true);
  const uint64_t bottom_files = Files();
  ASSERT_GT(bottom_files, 4u);
  const Snapshot* const before = db_->GetSnapshot();
  DeleteRange(test::NumberedKey(10), test::NumberedKey(290));
  for (int i = 0; i < 300; i += 20) Put(test::NumberedKey(i), "new");
  Flush();
  Compact();  // The snapshot keeps all.
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_GT(files.size(), bottom_files / 2);
  const std::string now = Rows();
  ReadOptions old;
  old.snapshot = before;
  EXPECT_EQ(std::string(100, 'v'), Get(test::NumberedKey(55), old));
  EXPECT_EQ("-", Get(test::NumberedKey(55)));
  EXPECT_EQ("new", Get(test::NumberedKey(60)));
  db_->ReleaseSnapshot(before);
  EXPECT_EQ(now, Rows());
  Compact(/*force=*/true);
  EXPECT_EQ(now, Rows());
  ReadOptions ignore;
  ignore.ignore_range_deletions = true;
  EXPECT_EQ(now, Rows(ignore));  // Nothing is left to be hidden.
}

// Two keys in the last level keep the range deletion alive; nothing older of
// the key between them exists, so its sequence could become 0, and the range
// deletion would then cover it.
// compaction_iterator.h (5).
TEST_F(RangeDeletion, StaysOlderThanWhatWasWrittenAfterIt) {
  Open();
  for (const std::string key : {"b", "y"}) {
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_TRUE(writer.Open("/" + key).ok());
    ASSERT_TRUE(writer.Put(key, "old").ok());
    ASSERT_TRUE(writer.Finish().ok());
    const Status status =
        db_->IngestExternalFile({"/" + key}, IngestExternalFileOptions());
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  EXPECT_EQ("b=old y=old", Rows());
  DeleteRange("a", "z");
  Put("m", "new");
  Flush();
  Put("n", "new");
  DeleteRange("c", "d");
  Flush();
  Compact();
  EXPECT_EQ("m=new n=new", Rows());
  EXPECT_EQ("new", Get("m"));
  Compact(/*force=*/true);
  EXPECT_EQ("m=new n=new", Rows());
}

// One range deletion over much data below: its file is cut so that none will
// have to be merged with all of it at once.
TEST_F(RangeDeletion, IsCutWhereItLiesOverTooMuch) {
  options_.target_file_size_base = 4 << 10;
  options_.max_compaction_bytes = 16 << 10;
  options_.num_levels = 4;
  options_.max_bytes_for_level_base = 1;  // Everything wants to go down.
  options_.max_bytes_for_level_multiplier = 1;
  Open();
  for (int i = 0; i < 600; ++i)
    Put(test::NumberedKey(i), std::string(100, 'v'));
  Flush();
  Compact(/*force=*/true);
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  const Snapshot* const keep = db_->GetSnapshot();
  DeleteRange(test::NumberedKey(0), test::NumberedKey(600));
  Flush();
  EXPECT_EQ("", Rows());
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("", Rows());
  ReadOptions old;
  old.snapshot = keep;
  EXPECT_EQ(std::string(100, 'v'), Get(test::NumberedKey(55), old));
  db_->ReleaseSnapshot(keep);
  Compact();
  EXPECT_EQ("", Rows());
}

// An iterator over a deleted part of an older level seeks over it.
TEST_F(RangeDeletion, IsNotSteppedThroughInOlderLevels) {
  BlockBasedTableOptions table;
  table.block_size = 256;
  table.block_cache = NewLRUCache(8 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.target_file_size_base = 32 << 10;
  Open();
  constexpr int kPastKeys = 5000;
  for (int i = 0; i < kPastKeys; ++i)
    Put(test::NumberedKey(i), std::string(50, 'v'));
  Flush();
  Compact();
  DeleteRange(test::NumberedKey(10), test::NumberedKey(kPastKeys - 10));
  for (int i = 0; i < 2; ++i) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    Tick(BLOCK_CACHE_DATA_HIT);
    Tick(BLOCK_CACHE_DATA_MISS);
    it->Seek(test::NumberedKey(10));
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(test::NumberedKey(kPastKeys - 10), it->key().ToString());
    it->Prev();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(test::NumberedKey(9), it->key().ToString());
    it->SeekForPrev(test::NumberedKey(kPastKeys - 11));
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(test::NumberedKey(9), it->key().ToString());
    // Of more than a thousand blocks.
    EXPECT_LT(Tick(BLOCK_CACHE_DATA_HIT) + Tick(BLOCK_CACHE_DATA_MISS), 40u);
    if (i == 0) Flush();
  }
}

TEST_F(RangeDeletion, ManyInAMemtableMakeItFull) {
  options_.memtable_max_range_deletions = 10;
  Open();
  for (int i = 0; i < 35; ++i)
    DeleteRange(test::NumberedKey(i), test::NumberedKey(i + 5));
  Put("a", "1");
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_GE(Files(), 2u);
  EXPECT_LE(Number("rocksdb.num-entries-active-mem-table"), 11u);
}

// Each writer has keys of its own and knows what they hold.
TEST_F(RangeDeletion, IsSeenByItsWriterAmongOtherWriters) {
  options_.write_buffer_size = 64 << 10;
  options_.disable_auto_compactions = false;
  Open();
  std::atomic<int> failures{0};
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([&, w] {
      const auto mine = [w](int n) {
        return std::to_string(w) + test::NumberedKey(n);
      };
      for (int i = 0; i < 150; ++i) {
        const int n = i % 20;
        for (int k = 0; k < 4; ++k) {
          if (!db_->Put(WriteOptions(), mine(n + k), "v").ok()) ++failures;
        }
        if (!db_->DeleteRange(WriteOptions(), mine(n + 1), mine(n + 3)).ok()) {
          ++failures;
        }
        if (Get(mine(n)) != "v" || Get(mine(n + 1)) != "-" ||
            Get(mine(n + 2)) != "-" || Get(mine(n + 3)) != "v") {
          ++failures;
        }
        const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
        it->Seek(mine(n + 1));
        if (!it->Valid() || it->key() != mine(n + 3)) ++failures;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(0, failures);
}

}  // namespace

namespace engine {
namespace {

TEST(RangeDeletionList, AnswersWhileItGrows) {
  const InternalKeyComparator icmp(BytewiseComparator());
  ConcurrentArena arena;
  RangeDeletionList list(&icmp, &arena);
  EXPECT_TRUE(list.empty());
  Random64 random(5);
  struct Given {
    std::string begin;
    std::string end;
  };
  std::vector<Given> given;
  const auto key = [&] { return std::to_string(1000 + random.Uniform(300)); };
  for (SequenceNumber sequence = 1; sequence <= 500; ++sequence) {
    const std::string begin = key();
    const std::string end = std::to_string(std::stoi(begin) + 1 +
                                           static_cast<int>(random.Skewed(8)));
    given.push_back({begin, end});
    list.Add({begin, end, sequence});
    ASSERT_EQ(sequence, list.size());
    RangeCover cover(&icmp, sequence - sequence / 4);
    list.AddTo(&cover, 0);
    for (int i = 0; i < 5; ++i) {
      const std::string asked = key();
      const SequenceNumber at_most = 1 + random.Uniform(sequence);
      SequenceNumber expected = 0;
      SequenceNumber expected_cover = 0;
      for (size_t t = 0; t < given.size(); ++t) {
        if (asked < given[t].begin || asked >= given[t].end) continue;
        if (t + 1 <= at_most) expected = t + 1;
        if (t + 1 <= cover.read_sequence()) expected_cover = t + 1;
      }
      ASSERT_EQ(expected, list.NewestOver(asked, at_most)) << asked;
      ASSERT_EQ(expected_cover, cover.At(asked).sequence) << asked;
    }
  }
  std::vector<RangeTombstone> all;
  list.AppendTo(&all);
  ASSERT_EQ(500u, all.size());
  EXPECT_EQ(500u, all.front().sequence);
  EXPECT_EQ(1u, all.back().sequence);
}

TEST(RangeDeletionList, KnowsWhatItTouches) {
  const InternalKeyComparator icmp(BytewiseComparator());
  ConcurrentArena arena;
  RangeDeletionList list(&icmp, &arena);
  EXPECT_FALSE(list.Touches("a", "z"));
  list.Add({"d", "g", 1});
  list.Add({"k", "m", 2});
  EXPECT_TRUE(list.Touches("a", "d"));
  EXPECT_TRUE(list.Touches("f", "j"));
  EXPECT_TRUE(list.Touches("l", "l"));
  EXPECT_FALSE(list.Touches("a", "c"));
  EXPECT_FALSE(list.Touches("g", "j"));
  EXPECT_FALSE(list.Touches("m", "z"));
}

TEST(RangeDeletionList, WritersBesideEachOtherAllCount) {
  const InternalKeyComparator icmp(BytewiseComparator());
  ConcurrentArena arena;
  RangeDeletionList list(&icmp, &arena);
  constexpr int kWriters = 4;
  constexpr int kEach = 500;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kEach; ++i) {
        const int n = i * kWriters + w;
        const std::string begin = std::to_string(10000 + n);
        const auto sequence = static_cast<SequenceNumber>(n + 1);
        list.Add({begin, begin + "~", sequence});
        if (list.NewestOver(begin, kSequenceMax) != sequence) std::abort();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(static_cast<uint64_t>(kWriters * kEach), list.size());
  for (int n = 0; n < kWriters * kEach; ++n) {
    EXPECT_EQ(static_cast<SequenceNumber>(n + 1),
              list.NewestOver(std::to_string(10000 + n), kSequenceMax));
  }
}

}  // namespace
}  // namespace engine
}  // namespace ROCKSDB_NAMESPACE
