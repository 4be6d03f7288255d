// Statistics: tickers, histograms and samples of reads are counted where the
// event happens.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/metadata.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CountingTest : public testing::Test {
 protected:
  CountingTest() {
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    options_.compression = kNoCompression;
  }

  // Without a block cache every read reaches the file.
  void Open(bool cached = false) {
    BlockBasedTableOptions table;
    table.no_block_cache = !cached;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    db_.reset();
    const Status status = DB::Open(options_, dir_.File("db"), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  static std::string Key(int i) { return "key" + std::to_string(10000 + i); }
  void Fill(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), Key(i), std::string(100, 'v')).ok());
    }
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Compact() {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  void Walk(const ReadOptions& read) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (it->SeekToFirst(); it->Valid();) it->Next();
    EXPECT_TRUE(it->status().ok());
  }
  uint64_t Ticker(uint32_t ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }
  uint64_t Times(uint32_t histogram) const {
    HistogramData data;
    options_.statistics->histogramData(histogram, &data);
    return data.count;
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(CountingTest, EverySeekIsCountedAndThoseForAKeyAreTimed) {
  Open();
  Fill(0, 10);
  Fill(0, 5);
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid();) it->Next();
    it->SeekToLast();
    it->Seek(Key(3));
    it->SeekForPrev(Key(3));
    it->Seek("z");
    EXPECT_FALSE(it->Valid());
  }
  EXPECT_EQ(5u, Ticker(NUMBER_DB_SEEK));
  EXPECT_EQ(4u, Ticker(NUMBER_DB_SEEK_FOUND));
  EXPECT_EQ(3u, Times(DB_SEEK));
  // Five old versions on the way there, one before Key(3) on the way back.
  EXPECT_EQ(6u, Ticker(NUMBER_ITER_SKIP));
}

TEST_F(CountingTest, ReadsOfFilesAreCountedByLevelAndByPurpose) {
  Open();
  EXPECT_EQ(0u, Ticker(NON_LAST_LEVEL_READ_COUNT));
  Fill(0, 500);
  Flush();
  EXPECT_GT(Times(FILE_READ_FLUSH_MICROS), 0u);
  EXPECT_EQ(1u, Times(TABLE_OPEN_IO_MICROS));
  EXPECT_EQ(1u, Times(TABLE_SYNC_MICROS));
  const uint64_t opened = Ticker(NON_LAST_LEVEL_READ_COUNT);
  EXPECT_GT(opened, 0u);
  EXPECT_EQ(100u, Get(Key(3)).size());
  EXPECT_EQ(1u, Times(FILE_READ_GET_MICROS));
  EXPECT_EQ(opened + 1, Ticker(NON_LAST_LEVEL_READ_COUNT));
  EXPECT_GT(Ticker(NON_LAST_LEVEL_READ_BYTES), 4000u);
  EXPECT_EQ(0u, Ticker(LAST_LEVEL_READ_COUNT));
  std::vector<std::string> values;
  db_->MultiGet(ReadOptions(), {Key(1), Key(400)}, &values);
  EXPECT_GT(Times(FILE_READ_MULTIGET_MICROS), 0u);
  Walk(ReadOptions());
  EXPECT_GT(Times(FILE_READ_DB_ITERATOR_MICROS), 0u);
  EXPECT_GT(Times(READ_BLOCK_GET_MICROS), 1u);
  Fill(0, 500);
  Flush();
  Compact();
  EXPECT_GT(Times(FILE_READ_COMPACTION_MICROS), 0u);
  EXPECT_GT(Times(COMPACTION_OUTFILE_SYNC_MICROS), 0u);
  EXPECT_EQ(100u, Get(Key(3)).size());
  EXPECT_GT(Ticker(LAST_LEVEL_READ_COUNT), 0u);
  EXPECT_GT(Ticker(LAST_LEVEL_READ_BYTES), 4000u);
  EXPECT_EQ(0u, Times(FILE_READ_DB_OPEN_MICROS));
  Open();
  EXPECT_GT(Times(FILE_READ_DB_OPEN_MICROS), 0u);
  EXPECT_GT(Times(MANIFEST_FILE_SYNC_MICROS), 0u);
  EXPECT_GT(Times(SST_READ_MICROS), 0u);
}

TEST_F(CountingTest, ChecksumsAndDecompressedBlocksAreCounted) {
  options_.compression = kSnappyCompression;
  Open();
  Fill(0, 500);
  Flush();
  options_.statistics->Reset();
  EXPECT_EQ(100u, Get(Key(3)).size());
  EXPECT_EQ(1u, Ticker(BLOCK_CHECKSUM_COMPUTE_COUNT));
  EXPECT_EQ(1u, Ticker(NUMBER_BLOCK_DECOMPRESSED));
  EXPECT_GT(Ticker(BYTES_DECOMPRESSED_FROM), 0u);
  EXPECT_GT(Ticker(BYTES_DECOMPRESSED_TO), Ticker(BYTES_DECOMPRESSED_FROM));
  EXPECT_EQ(0u, Times(DECOMPRESSION_TIMES_NANOS));  // Not at this level.
  options_.statistics->set_stats_level(kAll);
  EXPECT_EQ(100u, Get(Key(3)).size());
  EXPECT_EQ(1u, Times(DECOMPRESSION_TIMES_NANOS));
  EXPECT_EQ(0u, Ticker(BLOCK_CHECKSUM_MISMATCH_COUNT));
  EXPECT_EQ(0u, Ticker(VERIFY_CHECKSUM_READ_BYTES));
  ASSERT_TRUE(db_->VerifyChecksum().ok());
  EXPECT_GT(Ticker(VERIFY_CHECKSUM_READ_BYTES), 1000u);
  EXPECT_GT(Times(FILE_READ_VERIFY_DB_CHECKSUM_MICROS), 0u);
}

TEST_F(CountingTest, AFlushCountsWhatTheMemtableHeldAndWhatWasInVain) {
  Open();
  Fill(0, 100);
  Fill(0, 40);
  Flush();
  constexpr uint64_t kEntryBytes = 8 + 8 + 100;  // Key, trailer, value.
  EXPECT_EQ(140 * kEntryBytes, Ticker(MEMTABLE_PAYLOAD_BYTES_AT_FLUSH));
  EXPECT_EQ(40 * kEntryBytes, Ticker(MEMTABLE_GARBAGE_BYTES_AT_FLUSH));
}

TEST_F(CountingTest, ReadaheadOfIteratorsIsCounted) {
  Open();
  Fill(0, 2000);
  Flush();
  ReadOptions read;
  read.readahead_size = 64 << 10;
  Walk(read);
  EXPECT_GT(Ticker(PREFETCH_BYTES), 100u * 2000);
  EXPECT_GT(Ticker(PREFETCH_HITS), 40u);
  EXPECT_GT(Ticker(PREFETCH_BYTES_USEFUL), 100u * 2000);
  EXPECT_LE(Ticker(PREFETCH_BYTES_USEFUL), Ticker(PREFETCH_BYTES));
}

TEST_F(CountingTest, FilesKnowAboutHowManyReadsAskedThem) {
  Open(/*cached=*/true);
  Fill(0, 100);
  Flush();
  Fill(0, 100);
  Flush();
  constexpr uint64_t kReads = 100000;
  std::string value;
  for (uint64_t i = 0; i < kReads; ++i) {
    ASSERT_TRUE(db_->Get(ReadOptions(), "key10050x", &value).IsNotFound());
  }
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(2u, files.size());
  for (const LiveFileMetaData& file : files) {
    EXPECT_GT(file.num_reads_sampled, kReads / 2);
    EXPECT_LT(file.num_reads_sampled, kReads * 2);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
