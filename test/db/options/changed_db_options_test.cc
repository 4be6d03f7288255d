// SetDBOptions: what the database does with the changed values.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ChangedDbOptions : public ::testing::Test {
 protected:
  ChangedDbOptions() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Set(const std::string& name, const std::string& value) {
    test::Ok(db_->SetDBOptions({{name, value}}));
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(ChangedDbOptions, ClosingFlushesAsTheySayThen) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (const bool flushes : {true, false}) {
    SCOPED_TRACE(flushes);
    const std::string key = flushes ? "kept" : "lost";
    options_.avoid_flush_during_shutdown = flushes;
    Open();
    Set("avoid_flush_during_shutdown", flushes ? "false" : "true");
    test::Ok(db_->Put(unlogged, key, "value"));
    test::Ok(db_->Close());
    Open();
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    EXPECT_EQ(flushes, status.ok()) << status.ToString();
    EXPECT_EQ(!flushes, status.IsNotFound()) << status.ToString();
    db_.reset();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
