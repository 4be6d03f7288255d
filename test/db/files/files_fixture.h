// A database in memory and what the tests about its files ask of it.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_writer.h"
#include "test/db/store_fixture.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::test {

using FileRows = std::vector<std::pair<std::string, std::string>>;

// Makes /name (in `env`) with these entries; a value "-" is a deletion.
inline void MakeTable(const Options& options, const std::string& path,
                      const FileRows& rows) {
  SstFileWriter writer(EnvOptions(), options);
  Status status = writer.Open(path);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (const auto& [key, value] : rows) {
    status = value == "-" ? writer.Delete(key) : writer.Put(key, value);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  status = writer.Finish();
  ASSERT_TRUE(status.ok()) << status.ToString();
}

inline FileRows RowsOf(DB* db, ColumnFamilyHandle* family,
                       const ReadOptions& read = ReadOptions()) {
  FileRows rows;
  std::unique_ptr<Iterator> iter(db->NewIterator(read, family));
  for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    rows.emplace_back(iter->key().ToString(), iter->value().ToString());
  }
  EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
  // Point lookups see the same.
  for (const auto& [key, value] : rows) {
    std::string got;
    EXPECT_TRUE(db->Get(read, family, key, &got).ok()) << key;
    EXPECT_EQ(got, value) << key;
  }
  return rows;
}

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
  }
  ~FilesTest() override { db_.reset(); }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, kName, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }
  // Also waits for what the job does after its table is there: telling, and
  // deleting logs.
  void Flush() {
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  }
  FileRows Rows(const ReadOptions& read = ReadOptions()) {
    return RowsOf(db_.get(), db_->DefaultColumnFamily(), read);
  }
  // Numbers of files by level, "2,0,1": trailing zeros cut.
  std::string Shape() {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(&meta);
    std::string shape;
    size_t keep = 0;
    for (const LevelMetaData& level : meta.levels) {
      if (!shape.empty()) shape += ",";
      shape += std::to_string(level.files.size());
      if (!level.files.empty()) keep = shape.size();
    }
    return shape.substr(0, keep);
  }
  // "level:sequence", oldest number first.
  std::vector<std::string> Placed() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
      return a.file_number < b.file_number;
    });
    std::vector<std::string> placed;
    for (const LiveFileMetaData& file : files) {
      placed.push_back(std::to_string(file.level) + ":" +
                       std::to_string(file.largest_seqno));
    }
    return placed;
  }
  // Names in the database's directory that end in `suffix`.
  std::vector<std::string> Files(const std::string& suffix) {
    std::vector<std::string> names;
    EXPECT_TRUE(env_->GetChildren(kName, &names).ok());
    std::erase_if(names, [&](const std::string& name) {
      return !name.ends_with(suffix);
    });
    return names;
  }

  static constexpr const char* kName = "/db";
  std::shared_ptr<ErrorFileSystem> fs_ = std::make_shared<ErrorFileSystem>(
      std::make_shared<engine::MemFileSystem>());
  std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
  Options options_;
  std::unique_ptr<DB> db_;
};

}  // namespace ROCKSDB_NAMESPACE::test
