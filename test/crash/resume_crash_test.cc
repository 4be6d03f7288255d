// Power failures while Resume() is at work on what a failed log held.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "test/support/crash_fs.h"
#include "test/support/error_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct TwoFamilies {
  explicit TwoFamilies(Env* env) {
    Options options;
    options.env = env;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.max_bgerror_resume_count = 0;
    const std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, options}, {"other", options}};
    test::Ok(DB::Open(options, "/db", families, &handles, &db));
  }
  ~TwoFamilies() {
    for (ColumnFamilyHandle* const handle : handles) {
      test::Ok(db->DestroyColumnFamilyHandle(handle));
    }
    if (db != nullptr) test::Ok(db->Close());
  }
  bool Has(size_t family, const std::string& key) const {
    std::string value;
    const Status status = db->Get(ReadOptions(), handles[family], key, &value);
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    return status.ok();
  }

  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
};

// The tables of one family would be ahead of a log that ends early, and of the
// other half of each batch in it.
TEST(ResumeCrash, WhatAFailedLogHeldComesBackAtOnceOrNotAtAll) {
  test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        const auto fs =
            std::make_shared<test::ErrorFileSystem>(env->GetFileSystem());
        const std::unique_ptr<Env> failing = NewCompositeEnv(fs);
        const TwoFamilies session(failing.get());
        WriteBatch batch;
        test::Ok(batch.Put(session.handles[0], "a", "1"));
        test::Ok(batch.Put(session.handles[1], "b", "2"));
        test::Ok(session.db->Write(WriteOptions(), &batch));
        test::Ok(fs->SetRule(
            "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
        EXPECT_TRUE(session.db->SyncWAL().IsIOError());
        test::Ok(session.db->Resume());
        script->Reached(1);
      },
      [](const test::CrashPoint& point, Env* env) {
        const TwoFamilies session(env);
        ASSERT_NE(nullptr, session.db);
        const bool a = session.Has(0, "a");
        EXPECT_EQ(a, session.Has(1, "b")) << point.ToString();
        if (point.reached > 0) {
          EXPECT_TRUE(a) << point.ToString();
        }
      });
}

// The error did not stop writes, but since Resume() gave the closed log up,
// no sync reaches what it held.
TEST(ResumeCrash, SyncedWritesAfterAResumeThatFailedAreNotLost) {
  test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        const auto fs =
            std::make_shared<test::ErrorFileSystem>(env->GetFileSystem());
        const std::unique_ptr<Env> failing = NewCompositeEnv(fs);
        const TwoFamilies session(failing.get());
        DB* const db = session.db.get();
        test::Ok(db->Put(WriteOptions(), session.handles[0], "a", "1"));
        test::Ok(db->Put(WriteOptions(), session.handles[1], "b", "2"));
        test::Ok(fs->SetRule(
            "(ErrRetryable (And sync (PathMatch \"*.log\") (OnIndex 0)))"));
        EXPECT_TRUE(db->Flush(FlushOptions(), session.handles[0]).IsIOError());
        test::Ok(
            fs->SetRule("(ErrRetryable (And create (PathMatch \"*.sst\")))"));
        EXPECT_TRUE(db->Resume().IsIOError());
        fs->ClearRule();
        WriteOptions synced;
        synced.sync = true;
        if (db->Put(synced, session.handles[1], "c", "3").ok() ||
            db->SyncWAL().ok()) {
          script->Reached(1);
        }
        test::Ok(db->Resume());
        script->Reached(2);
      },
      [](const test::CrashPoint& point, Env* env) {
        const TwoFamilies session(env);
        ASSERT_NE(nullptr, session.db);
        if (point.reached > 0) {
          EXPECT_TRUE(session.Has(0, "a")) << point.ToString();
          EXPECT_TRUE(session.Has(1, "b")) << point.ToString();
        }
      });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
