// The bytes of block cache traces, and what they say of a database.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/trace/trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "table/internal_key.h"
#include "test/db/trace/trace_fixture.h"
#include "test/support/ok.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

BlockCacheTraceRecord SampleAccess(TraceType type, TableReaderCaller caller) {
  return BlockCacheTraceRecord(0x0102030405060708, "", type, 0x10, 3, "", 2,
                               0x20, caller, true, false, 7, true, "", 5, 1,
                               true);
}

std::string AccessRecord(TraceType type, TableReaderCaller caller) {
  std::string record;
  EXPECT_TRUE(engine::EncodeBlockAccess(SampleAccess(type, caller),
                                        {"block", "family", "key"}, &record)
                  .ok());
  return record;
}

Status ParseAccess(const Slice& record, BlockCacheTraceRecord* access) {
  engine::TraceEntry entry;
  const Status status = engine::ParseTraceRecord(record, 0, &entry);
  return status.ok() ? engine::ParseBlockAccess(entry, access) : status;
}

std::string Hexadecimal(const std::string& bytes) {
  return Slice(bytes).ToString(/*hex=*/true);
}

TEST(BlockTraceFormat, EachRecordIsPinned) {
  std::string header;
  ASSERT_TRUE(engine::EncodeBlockTraceHeader(0x0102030405060708, &header).ok());
  EXPECT_EQ(Hexadecimal(header),
            "0807060504030201"
            "01"
            "19000000"
            "10" +
                Hexadecimal("feedcafedeadbeef") +
                "0B000000"    // major
                "08000000");  // minor
  const std::string common =
      "05626C6F636B"       // key of the block
      "1000000000000000"   // bytes of the block
      "0300000000000000"   // family
      "0666616D696C79"     // name of the family
      "02000000"           // level
      "2000000000000000";  // table
  const std::string lookup =
      "0700000000000000"  // call
      "01"                // has a snapshot
      "036B6579";         // user key
  EXPECT_EQ(Hexadecimal(AccessRecord(kBlockTraceIndexBlock, kCompaction)),
            "0807060504030201"
            "07"
            "2C000000" +
                common + "0A0100");  // caller, hit, inserted
  EXPECT_EQ(Hexadecimal(AccessRecord(kBlockTraceFilterBlock, kUserMultiGet)),
            "0807060504030201"
            "08"
            "39000000" +
                common + "020100" + lookup);
  EXPECT_EQ(Hexadecimal(AccessRecord(kBlockTraceDataBlock, kUserGet)),
            "0807060504030201"
            "09"
            "4A000000" +
                common + "010100" + lookup +
                "0500000000000000"  // bytes of the entry
                "0100000000000000"  // keys
                "01");              // is there
}

TEST(BlockTraceFormat, EachRecordComesBack) {
  BlockCacheTraceRecord access;
  test::Ok(ParseAccess(AccessRecord(kBlockTraceDataBlock, kUserGet), &access));
  EXPECT_EQ(access.access_timestamp, 0x0102030405060708u);
  EXPECT_EQ(access.block_key, "block");
  EXPECT_EQ(access.block_type, kBlockTraceDataBlock);
  EXPECT_EQ(access.block_size, 0x10u);
  EXPECT_EQ(access.cf_id, 3u);
  EXPECT_EQ(access.cf_name, "family");
  EXPECT_EQ(access.level, 2u);
  EXPECT_EQ(access.sst_fd_number, 0x20u);
  EXPECT_EQ(access.caller, kUserGet);
  EXPECT_TRUE(access.is_cache_hit);
  EXPECT_FALSE(access.no_insert);
  EXPECT_EQ(access.get_id, 7u);
  EXPECT_TRUE(access.get_from_user_specified_snapshot);
  EXPECT_EQ(access.referenced_key, "key");
  EXPECT_EQ(access.referenced_data_size, 5u);
  EXPECT_EQ(access.num_keys_in_block, 1u);
  EXPECT_TRUE(access.referenced_key_exist_in_block);
}

TEST(BlockTraceFormat, DamagedRecordsHaveAStatus) {
  for (const std::string& record :
       {AccessRecord(kBlockTraceDataBlock, kUserGet),
        AccessRecord(kBlockTraceIndexBlock, kUserIterator)}) {
    for (size_t size = engine::kTraceRecordHeaderSize; size < record.size();
         ++size) {
      std::string part = record.substr(0, size);
      engine::EncodeFixed32(
          part.data() + 9,
          static_cast<uint32_t>(size - engine::kTraceRecordHeaderSize));
      BlockCacheTraceRecord access;
      EXPECT_TRUE(ParseAccess(part, &access).IsCorruption()) << size;
    }
    for (size_t i = 0; i < record.size(); ++i) {
      for (const int change : {1, 2, 64, 128, 255}) {
        std::string changed = record;
        changed[i] = static_cast<char>(changed[i] ^ change);
        BlockCacheTraceRecord access;
        const Status status = ParseAccess(changed, &access);
        EXPECT_TRUE(status.ok() || status.IsCorruption() ||
                    status.IsNotSupported());
      }
    }
  }
}

TEST(BlockTraceFormat, ForeignHeadersAreRefused) {
  std::string query;
  std::string block;
  test::Ok(engine::EncodeTraceHeader(1, &query));
  test::Ok(engine::EncodeBlockTraceHeader(1, &block));
  engine::TraceEntry entry;
  test::Ok(engine::ParseTraceRecord(block, 0, &entry));
  test::Ok(engine::ParseBlockTraceHeader(entry));
  EXPECT_TRUE(engine::ParseTraceHeader(entry).IsCorruption());
  test::Ok(engine::ParseTraceRecord(query, 0, &entry));
  EXPECT_TRUE(engine::ParseBlockTraceHeader(entry).IsCorruption());
}

// ---- A database.

class BlockTrace : public ::testing::Test {
 protected:
  BlockTrace() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    BlockBasedTableOptions table;
    table.block_cache = NewLRUCache(8 << 20);
    table.block_size = 256;
    table.cache_index_and_filter_blocks = true;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    test::Ok(DB::Open(options_, "/db", &db_));
    for (int i = 0; i < 200; ++i) {
      test::Ok(db_->Put(WriteOptions(), Key(i), std::string(50, 'v')));
    }
    test::Ok(db_->Flush(FlushOptions()));
  }

  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }

  std::unique_ptr<TraceWriter> NewWriter() {
    trace_ = std::make_shared<test::MemoryTrace>();
    return std::make_unique<test::MemoryTraceWriter>(trace_);
  }
  void Start(const TraceOptions& options = TraceOptions()) {
    test::Ok(db_->StartBlockCacheTrace(options, NewWriter()));
  }
  // All accesses behind the header.
  std::vector<BlockCacheTraceRecord> End() {
    test::Ok(db_->EndBlockCacheTrace());
    EXPECT_EQ(trace_->closed, 1);
    std::vector<BlockCacheTraceRecord> accesses;
    for (size_t i = 0; i < trace_->records.size(); ++i) {
      engine::TraceEntry entry;
      test::Ok(engine::ParseTraceRecord(trace_->records[i], 0, &entry));
      if (i == 0) {
        test::Ok(engine::ParseBlockTraceHeader(entry));
        continue;
      }
      accesses.emplace_back();
      test::Ok(engine::ParseBlockAccess(entry, &accesses.back()));
    }
    return accesses;
  }
  void Get(const std::string& key, const Snapshot* snapshot = nullptr) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    (void)db_->Get(options, key, &value);
  }

  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::shared_ptr<test::MemoryTrace> trace_;
};

TEST_F(BlockTrace, AGetLooksForFilterIndexAndData) {
  Get(Key(5));  // Opens the table.
  Start();
  Get(Key(5));
  Get(Key(199));
  const Snapshot* const snapshot = db_->GetSnapshot();
  Get(Key(5), snapshot);
  db_->ReleaseSnapshot(snapshot);
  const std::vector<BlockCacheTraceRecord> accesses = End();
  ASSERT_EQ(accesses.size(), 9u);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const BlockCacheTraceRecord& access = accesses[i];
    const TraceType types[] = {kBlockTraceFilterBlock, kBlockTraceIndexBlock,
                               kBlockTraceDataBlock};
    EXPECT_EQ(access.block_type, types[i % 3]);
    EXPECT_EQ(access.caller, kUserGet);
    EXPECT_EQ(access.cf_id, 0u);
    EXPECT_EQ(access.cf_name, kDefaultColumnFamilyName);
    EXPECT_EQ(access.level, 0u);
    EXPECT_GT(access.sst_fd_number, 0u);
    EXPECT_EQ(access.block_key.size(), 16u);
    EXPECT_GT(access.block_size, 0u);
    EXPECT_FALSE(access.no_insert);
    const std::string key = Key(i / 3 == 1 ? 199 : 5);
    EXPECT_EQ(access.referenced_key.size(), key.size() + 8);
    EXPECT_EQ(engine::ExtractUserKey(access.referenced_key).ToString(), key);
    EXPECT_EQ(access.get_from_user_specified_snapshot, i / 3 == 2);
    EXPECT_EQ(access.get_id, accesses[0].get_id + i / 3);
    const bool is_data = access.block_type == kBlockTraceDataBlock;
    EXPECT_EQ(access.referenced_key_exist_in_block, is_data);
    // A data block was searched, so the key is that of the entry.
    EXPECT_EQ(engine::ExtractType(access.referenced_key),
              is_data ? engine::ValueType::kValue : engine::kTypeForSeek);
    EXPECT_EQ(access.num_keys_in_block % 16, 0u);
    EXPECT_EQ(access.num_keys_in_block > 0, is_data);
    // The key, its sequence and type, the value.
    EXPECT_EQ(access.referenced_data_size, is_data ? 7u + 8u + 50u : 0u);
    // Only the last data block is new.
    EXPECT_EQ(access.is_cache_hit, i != 5);
  }
  EXPECT_NE(accesses[0].get_id, BlockCacheTraceRecord::kReservedGetId);
  EXPECT_EQ(accesses[2].block_key, accesses[8].block_key);
  EXPECT_NE(accesses[2].block_key, accesses[5].block_key);
}

TEST_F(BlockTrace, ABlockThatMayNotBeReadIsAMissWithoutASize) {
  Start();
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  std::string value;
  EXPECT_TRUE(db_->Get(cached, Key(7), &value).IsIncomplete());
  const std::vector<BlockCacheTraceRecord> accesses = End();
  ASSERT_FALSE(accesses.empty());
  const BlockCacheTraceRecord& last = accesses.back();
  EXPECT_FALSE(last.is_cache_hit);
  EXPECT_EQ(last.block_size, 0u);
  EXPECT_FALSE(last.referenced_key_exist_in_block);
  EXPECT_EQ(last.referenced_data_size, 0u);
}

TEST_F(BlockTrace, IteratorsAndMultiGetsAreToldApart) {
  Get(Key(5));
  Start();
  ReadOptions scan;
  scan.fill_cache = false;
  std::unique_ptr<Iterator> it(db_->NewIterator(scan));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
  }
  test::Ok(it->status());
  it.reset();
  const std::vector<BlockCacheTraceRecord> scanned = End();
  std::set<std::string> blocks;
  for (const BlockCacheTraceRecord& access : scanned) {
    EXPECT_EQ(access.caller, kUserIterator);
    EXPECT_TRUE(access.no_insert);
    if (access.block_type == kBlockTraceDataBlock) {
      blocks.insert(access.block_key);
    }
  }
  EXPECT_GT(blocks.size(), 10u);

  Start();
  std::vector<std::string> values;
  (void)db_->MultiGet(ReadOptions(), {Key(5), Key(100), Key(150)}, &values);
  const std::vector<BlockCacheTraceRecord> looked_up = End();
  size_t data = 0;
  for (const BlockCacheTraceRecord& access : looked_up) {
    EXPECT_EQ(access.caller, kUserMultiGet);
    if (access.block_type == kBlockTraceDataBlock) ++data;
  }
  EXPECT_EQ(data, 3u);
}

// What a blob has is no row: each lookup in a table is made twice.
TEST_F(BlockTrace, ARowCacheChangesNoCaller) {
  db_.reset();
  options_.row_cache = NewLRUCache(1 << 20);
  options_.enable_blob_files = true;
  test::Ok(DB::Open(options_, "/db", &db_));
  for (int i = 0; i < 200; i += 2) {
    test::Ok(db_->Put(WriteOptions(), Key(i), std::string(60, 'w')));
  }
  test::Ok(db_->Flush(FlushOptions()));
  Start();
  Get(Key(10));
  Get(Key(11));
  std::set<uint64_t> numbers;
  for (const BlockCacheTraceRecord& access : End()) {
    if (access.caller == kUserGet) numbers.insert(access.get_id);
  }
  EXPECT_EQ(numbers.size(), 2u);

  Start();
  std::vector<std::string> values;
  (void)db_->MultiGet(ReadOptions(), {Key(20), Key(21), Key(22)}, &values);
  const std::vector<BlockCacheTraceRecord> looked_up = End();
  EXPECT_FALSE(looked_up.empty());
  for (const BlockCacheTraceRecord& access : looked_up) {
    EXPECT_EQ(access.caller, kUserMultiGet);
  }
}

TEST_F(BlockTrace, SamplingTakesAllAccessesToSomeBlocks) {
  const auto keys_of = [](const std::vector<BlockCacheTraceRecord>& accesses) {
    std::multiset<std::string> keys;
    for (const BlockCacheTraceRecord& access : accesses) {
      keys.insert(access.block_key);
    }
    return keys;
  };
  const auto read_all = [this] {
    for (int i = 0; i < 200; ++i) Get(Key(i));
  };
  read_all();
  Start();
  read_all();
  const std::multiset<std::string> all = keys_of(End());
  TraceOptions options;
  options.sampling_frequency = 4;
  Start(options);
  read_all();
  const std::multiset<std::string> some = keys_of(End());
  EXPECT_GT(some.size(), 0u);
  EXPECT_LT(some.size(), all.size());
  for (const std::string& key : some) {
    EXPECT_EQ(some.count(key), all.count(key));
  }
}

TEST_F(BlockTrace, TheSizeIsLimited) {
  TraceOptions options;
  options.max_trace_file_size = 1;
  Start(options);
  for (int i = 0; i < 10; ++i) Get(Key(i));
  EXPECT_TRUE(End().empty());
}

TEST_F(BlockTrace, AFullTraceIsNotAskedAgain) {
  TraceOptions options;
  options.max_trace_file_size = 1;
  Start(options);
  for (int i = 0; i < 10; ++i) Get(Key(i));
  EXPECT_EQ(trace_->size_asked, 1);
  // It has not ended.
  const std::shared_ptr<test::MemoryTrace> first = trace_;
  EXPECT_TRUE(db_->StartBlockCacheTrace(TraceOptions(), NewWriter()).IsBusy());
  trace_ = first;
  EXPECT_TRUE(End().empty());
  Start();
  Get(Key(5));
  EXPECT_FALSE(End().empty());
}

TEST_F(BlockTrace, TheEndSaysThatClosingFailed) {
  Start();
  Get(Key(5));
  trace_->close_fails = true;
  EXPECT_TRUE(db_->EndBlockCacheTrace().IsIOError());
  EXPECT_EQ(trace_->closed, 1);
  test::Ok(db_->EndBlockCacheTrace());
}

TEST_F(BlockTrace, AWriterThatFailsEndsTheTraceAndNotTheRead) {
  for (const bool throws : {false, true}) {
    Start();
    (throws ? trace_->throws_at : trace_->fails_at) = 2;
    std::string value;
    for (int i = 0; i < 10; ++i) {
      test::Ok(db_->Get(ReadOptions(), Key(i), &value));
    }
    const Status ended = db_->EndBlockCacheTrace();
    EXPECT_TRUE(throws ? ended.IsAborted() : ended.IsIOError());
    EXPECT_EQ(trace_->records.size(), 2u);
    EXPECT_EQ(trace_->closed, 1);
  }
}

TEST_F(BlockTrace, ThereIsOneTraceAtATime) {
  test::Ok(db_->EndBlockCacheTrace());  // As in RocksDB.
  EXPECT_TRUE(
      db_->StartBlockCacheTrace(TraceOptions(), nullptr).IsInvalidArgument());
  EXPECT_TRUE(db_->StartBlockCacheTrace(BlockCacheTraceOptions(), nullptr)
                  .IsInvalidArgument());
  Start();
  const std::shared_ptr<test::MemoryTrace> first = trace_;
  EXPECT_TRUE(db_->StartBlockCacheTrace(TraceOptions(), NewWriter()).IsBusy());
  trace_ = first;
  (void)End();
  Start();
  test::Ok(db_->Close());
  EXPECT_EQ(trace_->closed, 1);
  db_.reset();
}

TEST_F(BlockTrace, ItMayEndNextToReads) {
  std::atomic<bool> done{false};
  std::thread reader([&] {
    for (int i = 0; !done; ++i) Get(Key(i % 200));
  });
  for (int round = 0; round < 40; ++round) {
    Start();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    (void)End();
  }
  done = true;
  reader.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
