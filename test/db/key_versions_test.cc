// GetAllKeyVersions: what is stored, in order.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/debug.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class KeyVersions : public ::testing::Test {
 protected:
  KeyVersions() : env_(NewMemEnv(Env::Default())) {
    Options options;
    options.env = env_.get();
    options.create_if_missing = true;
    options.disable_auto_compactions = true;
    EXPECT_TRUE(DB::Open(options, "/db", &db_).ok());
  }

  // "a@2/1=x", sequence and type, of each.
  std::string Versions(const Slice& begin, const Slice& end,
                       size_t most = 100) {
    std::vector<KeyVersion> versions;
    const Status status =
        GetAllKeyVersions(db_.get(), begin, end, most, &versions);
    if (!status.ok()) return status.ToString();
    std::string text;
    for (const KeyVersion& v : versions) {
      text += (text.empty() ? "" : " ") + v.user_key + "@" +
              std::to_string(v.sequence) + "/" + std::to_string(v.type) + "=" +
              v.value;
    }
    return text;
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }

  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

TEST_F(KeyVersions, AllVersionsInMemoryAndTablesAreListed) {
  Put("a", "1");
  Put("b", "2");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Put("a", "3");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "b").ok());
  EXPECT_EQ(Versions("", ""), "a@3/1=3 a@1/1=1 b@4/0= b@2/1=2");
}

TEST_F(KeyVersions, BothBoundsAreIncludedAndTheNumberIsLimited) {
  for (const char* key : {"a", "b", "c", "d"}) Put(key, "v");
  EXPECT_EQ(Versions("b", "c"), "b@2/1=v c@3/1=v");
  EXPECT_EQ(Versions("bb", ""), "c@3/1=v d@4/1=v");
  EXPECT_EQ(Versions("", "", 1), "a@1/1=v");
  EXPECT_EQ(Versions("", "", 0), "");
}

TEST_F(KeyVersions, WhatARangeDeletionCoversIsLeftOut) {
  for (const char* key : {"a", "b", "c"}) Put(key, "v");
  ASSERT_TRUE(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "b", "c")
          .ok());
  Put("b", "w");
  EXPECT_EQ(Versions("", ""), "a@1/1=v b@5/1=w c@3/1=v");
}

TEST_F(KeyVersions, MistakesAreAnswered) {
  std::vector<KeyVersion> versions;
  EXPECT_TRUE(
      GetAllKeyVersions(nullptr, "", "", 1, &versions).IsInvalidArgument());
  EXPECT_TRUE(
      GetAllKeyVersions(db_.get(), "", "", 1, nullptr).IsInvalidArgument());
  EXPECT_TRUE(GetAllKeyVersions(db_.get(), nullptr, "", "", 1, &versions)
                  .IsInvalidArgument());
}

TEST_F(KeyVersions, TypesHaveNames) {
  EXPECT_EQ(KeyVersion("", "", 0, 1).GetTypeName(), "TypeValue");
  EXPECT_EQ(KeyVersion("", "", 0, 15).GetTypeName(), "TypeRangeDeletion");
  EXPECT_EQ(KeyVersion("", "", 0, 200).GetTypeName(), "Invalid");
  EXPECT_EQ(KeyVersion("", "", 0, -1).GetTypeName(), "Invalid");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
