// Keys, values and batches of unusual size: they work, or one sentence says why
// not, before the memory for them is needed.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/write_batch.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class InputSizeTest : public ::testing::Test {
 protected:
  InputSizeTest() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }
  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, dir_.path(), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  // Each of the places in which an entry can be.
  void CheckEverywhere(const std::string& key, const std::string& value) {
    EXPECT_EQ(Get(key), value);
    Open();
    EXPECT_EQ(Get(key), value);
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    EXPECT_EQ(Get(key), value);
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    EXPECT_EQ(Get(key), value);
    Open();
    EXPECT_EQ(Get(key), value);
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(key);
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    EXPECT_EQ(it->key(), key);
    EXPECT_EQ(it->value(), value);
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

// `size` bytes that are not mapped: reading any of them crashes.
Slice Absent(uint64_t size) {
  return {reinterpret_cast<const char*>(uintptr_t{4096}), size};
}

TEST_F(InputSizeTest, TheEmptyKeyIsAKey) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "after").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "", "empty").ok());
  CheckEverywhere("", "empty");
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_TRUE(it->key().empty());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "a");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "").ok());
  EXPECT_EQ(Get(""), "NotFound: ");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(Get(""), "NotFound: ");
  EXPECT_EQ(Get("a"), "after");
}

TEST_F(InputSizeTest, AKeyOfEightMebibytesIsAKey) {
  Open();
  std::string key(8 << 20, 'k');
  ASSERT_TRUE(db_->Put(WriteOptions(), key, "first").ok());
  key.back() = 'l';
  ASSERT_TRUE(db_->Put(WriteOptions(), key, "second").ok());
  CheckEverywhere(key, "second");
  key.back() = 'k';
  EXPECT_EQ(Get(key), "first");
}

TEST_F(InputSizeTest, WhatIsTooLargeIsRefusedUnread) {
  Open();
  const uint64_t most = UINT32_MAX;
  const auto expect = [](const Status& status, const std::string& text) {
    EXPECT_EQ(status.ToString(), "Invalid argument: " + text);
  };
  for (const uint64_t size : {most + 1, uint64_t{1} << 62}) {
    const std::string bytes = std::to_string(size);
    const std::string tail =
        " is too large: " + bytes + " bytes, at most 4294967295";
    expect(db_->Put(WriteOptions(), Absent(size), "v"), "key" + tail);
    expect(db_->Put(WriteOptions(), "k", Absent(size)), "value" + tail);
    expect(db_->Delete(WriteOptions(), Absent(size)), "key" + tail);
    expect(db_->SingleDelete(WriteOptions(), Absent(size)), "key" + tail);
    expect(db_->DeleteRange(WriteOptions(), "a", Absent(size)), "value" + tail);
  }
}

// Its records are small enough one by one.
TEST_F(InputSizeTest, ABatchOfFourGibibytesIsRefusedUnread) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("key", "value").ok());
  const size_t before = batch.GetDataSize();
  const std::string wanted = "Invalid argument: batch is too large: " +
                             std::to_string(before + 1 + uint64_t{UINT32_MAX}) +
                             " bytes, at most 4294967295";
  EXPECT_EQ(batch.Put("k", Absent(UINT32_MAX)).ToString(), wanted);
  EXPECT_EQ(batch.Put(Absent(UINT32_MAX), "v").ToString(), wanted);
  EXPECT_EQ(batch.Merge("k", Absent(UINT32_MAX)).ToString(), wanted);
  EXPECT_EQ(batch.DeleteRange("k", Absent(UINT32_MAX)).ToString(), wanted);
  EXPECT_FALSE(batch.Delete(Absent(UINT32_MAX)).ok());
  EXPECT_FALSE(batch.PutLogData(Absent(UINT32_MAX)).ok());
  const Slice part = Absent(UINT32_MAX);
  const Slice key("k");
  EXPECT_EQ(batch.Put(SliceParts(&key, 1), SliceParts(&part, 1)).ToString(),
            wanted);
  // It is as it was, and can be written.
  EXPECT_EQ(batch.GetDataSize(), before);
  EXPECT_EQ(batch.Count(), 1u);
  Open();
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  EXPECT_EQ(Get("key"), "value");
}

TEST_F(InputSizeTest, ABatchJustBelowFourGibibytesIsWritten) {
  if (std::getenv("RIVERSTONE_LARGE") == nullptr) {
    GTEST_SKIP() << "takes two minutes, 8.4 GB of memory and as much of the "
                    "disk: runs with RIVERSTONE_LARGE=1";
  }
  constexpr size_t kValues = 2047;
  std::string value(2 << 20, 'v');
  const auto value_of = [&](size_t i) -> const std::string& {
    value.replace(0, 8, std::to_string(10'000'000 + i));
    return value;
  };
  {
    WriteBatch batch;
    for (size_t i = 0; i < kValues; ++i) {
      ASSERT_TRUE(batch.Put("k" + std::to_string(i), value_of(i)).ok());
    }
    EXPECT_GT(batch.GetDataSize() + value.size(), uint64_t{UINT32_MAX});
    EXPECT_FALSE(batch.Put("k", value).ok());
    Open();
    ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  }
  for (const bool recovered : {false, true}) {
    if (recovered) Open();
    for (size_t i = 0; i < kValues; ++i) {
      ASSERT_EQ(Get("k" + std::to_string(i)), value_of(i)) << recovered;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
