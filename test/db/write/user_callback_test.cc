// DB::WriteWithCallback: what has happened to a write when its callback is
// called.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "rocksdb/user_write_callback.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/write_batch.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Steps final : public UserWriteCallback {
 public:
  void OnWriteEnqueued() override {
    text += "enqueued ";
    if (look) look();
  }
  void OnWalWriteFinish() override {
    text += "logged ";
    if (look) look();
  }
  std::string text;
  std::function<void()> look;
};

class UserCallbackTest : public test::FilesTest {
 protected:
  Status Write(const std::string& key, UserWriteCallback* callback,
               const WriteOptions& options = WriteOptions()) {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, "value of " + key).ok());
    return db_->WriteWithCallback(options, &batch, callback);
  }
  // "in the log", "readable", both or none.
  std::string StateOf(const std::string& key) {
    std::string state;
    for (const std::string& name : Files(".log")) {
      const std::string bytes =
          test::ReadFile(fs_.get(), std::string(kName) + "/" + name);
      if (bytes.find("value of " + key) != std::string::npos) {
        state += "in the log ";
      }
    }
    std::string value;
    if (db_->Get(ReadOptions(), key, &value).ok()) state += "readable ";
    return state;
  }
};

TEST_F(UserCallbackTest, IsCalledInTheQueueAndBehindTheLog) {
  Open();
  Steps steps;
  steps.look = [&] { steps.text += StateOf("k") + "/ "; };
  ASSERT_TRUE(Write("k", &steps).ok());
  EXPECT_EQ("enqueued / logged in the log / ", steps.text);
  EXPECT_EQ("in the log readable ", StateOf("k"));
}

TEST_F(UserCallbackTest, IsNotCalledForALogThatHasNothing) {
  options_.max_bgerror_resume_count = 0;
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  Steps steps;
  ASSERT_TRUE(Write("a", &steps, unlogged).ok());
  EXPECT_EQ("enqueued ", steps.text);
  // Refused before it is queued.
  unlogged.sync = true;
  Steps refused;
  EXPECT_TRUE(Write("b", &refused, unlogged).IsInvalidArgument());
  EXPECT_EQ("", refused.text);
  ASSERT_TRUE(
      fs_->SetRule(R"((ErrInjected (And append (PathMatch "*.log"))))").ok());
  Steps failed;
  EXPECT_FALSE(Write("c", &failed).ok());
  EXPECT_EQ("enqueued ", failed.text);
  fs_->ClearRule();
}

TEST_F(UserCallbackTest, MayThrow) {
  Open();
  Steps steps;
  steps.look = [] { throw std::runtime_error("by the program"); };
  ASSERT_TRUE(Write("a", &steps).ok());
  EXPECT_EQ("enqueued logged ", steps.text);
  EXPECT_EQ("in the log readable ", StateOf("a"));
  ASSERT_TRUE(Write("b", nullptr).ok());
  EXPECT_EQ(2u, Rows().size());
  const std::string log = test::ReadFile(fs_.get(), "/db/LOG");
  EXPECT_NE(std::string::npos, log.find("UserWriteCallback threw"));
}

// Such a database may change what is written, or take locks.
TEST_F(UserCallbackTest, DatabasesOnTopOfAnotherDoNotSupportIt) {
  Open();
  StackableDB stacked{std::shared_ptr<DB>(std::move(db_))};
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("k", "v").ok());
  Steps steps;
  EXPECT_TRUE(stacked.WriteWithCallback(WriteOptions(), &batch, &steps)
                  .IsNotSupported());
  EXPECT_EQ("", steps.text);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
