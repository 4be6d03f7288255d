// max_write_buffer_size_to_maintain: flushed memtables stay in memory.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

uint64_t KeptBytes(DB* db) {
  uint64_t all = 0;
  uint64_t unflushed = 0;
  EXPECT_TRUE(
      db->GetIntProperty("rocksdb.cur-size-all-mem-tables", &unflushed));
  EXPECT_TRUE(db->GetIntProperty("rocksdb.size-all-mem-tables", &all));
  return all - unflushed;
}

TEST(MemtableHistory, StaysUpToTheLimit) {
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<engine::MemFileSystem>());
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.write_buffer_size = 64 << 10;
  for (const int64_t limit : {int64_t{0}, int64_t{-1}, int64_t{1} << 20}) {
    options.max_write_buffer_size_to_maintain = limit;
    std::unique_ptr<DB> db;
    test::Ok(DB::Open(options, "/db", &db));
    for (int i = 0; i < 40; ++i) {
      test::Ok(db->Put(WriteOptions(), "k", std::string(50'000, 'v')));
      test::Ok(db->Flush(FlushOptions()));
    }
    const uint64_t wanted =  // Two buffers for -1.
        limit < 0 ? 2 * options.write_buffer_size
                  : static_cast<uint64_t>(limit);
    const uint64_t most = wanted + wanted / 2;
    // A flush frees memory after it has woken those who wait for it.
    for (int i = 0; i < 6000 && KeptBytes(db.get()) > most; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_GE(most, KeptBytes(db.get())) << limit;
    EXPECT_LE(wanted * 8 / 10, KeptBytes(db.get())) << limit;
    std::string value;
    test::Ok(db->Get(ReadOptions(), "k", &value));
    db.reset();
    test::Ok(DestroyDB("/db", options));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
