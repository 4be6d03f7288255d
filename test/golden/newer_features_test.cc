// What only newer releases write: columns in blob files, blob records inside
// tables, a family of another kind of table. Other tests of this folder read
// them; these compact them and damage them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "test/support/golden.h"
#include "test/support/golden_case.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using test::GoldenCopy;
using test::GoldenOpening;
using test::OpenedFamilies;

class NewerFeatures : public ::testing::Test {
 protected:
  void SetUp() override {
    RIVERSTONE_SKIP_WITHOUT(test::GoldenFiles(
        [](const fs::path& path) { return path.filename() == "CURRENT"; }));
  }
  std::unique_ptr<GoldenCopy> Copy(const std::string& golden) {
    return std::make_unique<GoldenCopy>(test::GoldenFolder() / golden,
                                        dir_.File(std::to_string(++copies_)));
  }
  static void Compact(const OpenedFamilies& opened) {
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    for (const auto& [name, handle] : opened.handles) {
      const Status status =
          opened.db->CompactRange(all, handle, nullptr, nullptr);
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
  }
  static void ExpectRows(const GoldenCopy& copy, const OpenedFamilies& opened) {
    std::string difference;
    const Status status = copy.Compare(opened, &difference);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ("", difference);
  }
  static uint64_t BlobFiles(const OpenedFamilies& opened) {
    uint64_t sum = 0;
    for (const auto& [name, handle] : opened.handles) {
      uint64_t files = 0;
      EXPECT_TRUE(
          opened.db->GetIntProperty(handle, "rocksdb.num-blob-files", &files));
      sum += files;
    }
    return sum;
  }

  static void OpenAll(const GoldenCopy& copy, const Options& options,
                      OpenedFamilies* opened) {
    std::vector<std::string> names;
    ASSERT_TRUE(DB::ListColumnFamilies(options, copy.db(), &names).ok());
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    std::vector<ColumnFamilyHandle*> handles;
    const Status status =
        DB::Open(options, copy.db(), families, &handles, &opened->db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (ColumnFamilyHandle* const handle : handles) {
      opened->handles[handle->GetName()] = handle;
    }
  }
  // Leaves the entities.
  static void DeletePlainRows(const GoldenCopy& copy,
                              const OpenedFamilies& opened) {
    for (const test::GoldenFamily& family : copy.expected()) {
      for (const test::GoldenRow& row : family.rows) {
        if (row.text.find(" e=") != std::string::npos) continue;
        ASSERT_TRUE(opened.db
                        ->Delete(WriteOptions(), opened.handles.at(family.name),
                                 row.key)
                        .ok());
      }
    }
  }

  const test::TempDir dir_;
  int copies_ = 0;
};

// Columns that stay where they are keep their file alive; collected, they come
// into the table and the file goes.
TEST_F(NewerFeatures, ColumnsInBlobFilesAreKeptOrCollected) {
  for (const char* const golden :
       {"v11.9/v11_entity_blobs", "v11.9/v11_blob_direct_write"}) {
    SCOPED_TRACE(golden);
    const auto copy = Copy(golden);
    OpenedFamilies opened;
    ASSERT_TRUE(copy->Open(GoldenOpening::kAsReader, &opened).ok());
    Compact(opened);
    ExpectRows(*copy, opened);
    EXPECT_GT(BlobFiles(opened), 0u);
    for (const auto& [name, handle] : opened.handles) {
      ASSERT_TRUE(opened.db
                      ->SetOptions(
                          handle, {{"enable_blob_garbage_collection", "true"},
                                   {"blob_garbage_collection_age_cutoff", "1"}})
                      .ok());
    }
    Compact(opened);
    ExpectRows(*copy, opened);
    EXPECT_EQ(0u, BlobFiles(opened));
  }
}

// A memtable's merge operands over columns in blob files, read in every way
// and compacted.
TEST_F(NewerFeatures, MergesOntoColumnsInBlobFiles) {
  const auto copy = Copy("v11.9/v11_entity_blobs");
  OpenedFamilies opened;
  ASSERT_TRUE(copy->Open(GoldenOpening::kAsReader, &opened).ok());
  int merged = 0;
  for (const test::GoldenFamily& family : copy->expected()) {
    ColumnFamilyHandle* const handle = opened.handles.at(family.name);
    ColumnFamilyDescriptor descriptor;
    ASSERT_TRUE(handle->GetDescriptor(&descriptor).ok());
    if (descriptor.options.merge_operator == nullptr) continue;
    for (const test::GoldenRow& row : family.rows) {
      if (row.text.find(" e=") == std::string::npos) continue;
      const auto read = [&] {
        PinnableWideColumns columns;
        EXPECT_TRUE(
            opened.db->GetEntity(ReadOptions(), handle, row.key, &columns)
                .ok());
        std::string text;
        for (const WideColumn& column : columns.columns()) {
          text += column.name().ToString() + "=" + column.value().ToString();
        }
        std::unique_ptr<Iterator> it(
            opened.db->NewIterator(ReadOptions(), handle));
        it->Seek(row.key);
        EXPECT_TRUE(it->Valid()) << it->status().ToString();
        EXPECT_EQ(columns.columns(), it->columns());
        it->SeekForPrev(row.key);
        EXPECT_TRUE(it->Valid()) << it->status().ToString();
        EXPECT_EQ(columns.columns(), it->columns());
        std::string value;
        EXPECT_TRUE(
            opened.db->Get(ReadOptions(), handle, row.key, &value).ok());
        EXPECT_EQ(it->value(), value);
        return text;
      };
      const std::string before = read();
      ASSERT_TRUE(
          opened.db->Merge(WriteOptions(), handle, row.key, "more").ok());
      const std::string after = read();
      EXPECT_NE(before, after);
      EXPECT_NE(std::string::npos, after.find("more"));
      if (++merged % 10 != 1) continue;
      Compact(opened);
      EXPECT_EQ(after, read());
    }
  }
  EXPECT_GT(merged, 5);
}

// Tables of the case that hold blob records.
std::vector<fs::path> TablesWithBlobs(const GoldenCopy& copy) {
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(copy.db())) {
    if (entry.path().extension() == ".sst" &&
        test::ReadWholeFile(entry.path()).find("embedded.blob.stats") !=
            std::string::npos) {
      tables.push_back(entry.path());
    }
  }
  return tables;
}

TEST_F(NewerFeatures, ADamagedBlobRecordInATableIsCorruption) {
  const auto copy = Copy("v11.9/v11_embedded_blobs");
  const std::vector<fs::path> tables = TablesWithBlobs(*copy);
  ASSERT_EQ(2u, tables.size());
  for (const fs::path& table : tables) {
    std::string bytes = test::ReadWholeFile(table);
    const size_t at = bytes.find(std::string(60, 'b'));
    ASSERT_NE(std::string::npos, at);
    bytes[at + 20] = 'c';
    std::ofstream(table, std::ios::binary) << bytes;
  }
  OpenedFamilies opened;
  ASSERT_TRUE(copy->Open(GoldenOpening::kReadOnly, &opened).ok());
  std::string difference;
  const Status read = copy->Compare(opened, &difference);
  EXPECT_TRUE(read.IsCorruption()) << read.ToString();
  EXPECT_NE(std::string::npos,
            read.ToString().find(tables[0].parent_path().string()))
      << read.ToString();
  EXPECT_TRUE(opened.db->VerifyChecksum().IsCorruption());
}

// Rewritten, the values are in data blocks like any other.
TEST_F(NewerFeatures, BlobRecordsInTablesAreGoneAfterCompaction) {
  const auto copy = Copy("v11.9/v11_embedded_blobs");
  ASSERT_FALSE(TablesWithBlobs(*copy).empty());
  OpenedFamilies opened;
  ASSERT_TRUE(copy->Open(GoldenOpening::kAsReader, &opened).ok());
  EXPECT_TRUE(opened.db->VerifyChecksum().ok());
  Compact(opened);
  ExpectRows(*copy, opened);
  EXPECT_TRUE(TablesWithBlobs(*copy).empty());
}

TEST_F(NewerFeatures, ATableWithBlobRecordsIsIngested) {
  const auto copy = Copy("v11.9/v11_embedded_blobs");
  OpenedFamilies golden;
  ASSERT_TRUE(copy->Open(GoldenOpening::kReadOnly, &golden).ok());
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir_.File("ingesting"), &db).ok());
  int ingested = 0;
  for (const fs::path& table : TablesWithBlobs(*copy)) {
    IngestExternalFileOptions ingest;
    ingest.verify_checksums_before_ingest = true;
    const Status status = db->IngestExternalFile({table.string()}, ingest);
    // That of the other family says so.
    EXPECT_TRUE(status.ok() || status.IsInvalidArgument()) << status.ToString();
    ingested += status.ok() ? 1 : 0;
  }
  ASSERT_EQ(1, ingested);
  for (const bool compacted : {false, true}) {
    if (compacted) {
      CompactRangeOptions all;
      all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      ASSERT_TRUE(db->CompactRange(all, nullptr, nullptr).ok());
    }
    int rows = 0;
    std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++rows) {
      PinnableWideColumns columns;
      ASSERT_TRUE(golden.db
                      ->GetEntity(ReadOptions(), golden.handles.at("default"),
                                  it->key(), &columns)
                      .ok());
      EXPECT_EQ(columns.columns(), it->columns());
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    EXPECT_EQ(60, rows);
  }
}

// MultiGet goes another way through a table than Get.
TEST_F(NewerFeatures, BlobsAreReadManyAtATime) {
  for (const char* const golden :
       {"v11.9/v11_embedded_blobs", "v11.9/v11_entity_blobs"}) {
    const auto copy = Copy(golden);
    OpenedFamilies opened;
    ASSERT_TRUE(copy->Open(GoldenOpening::kReadOnly, &opened).ok());
    for (const test::GoldenFamily& family : copy->expected()) {
      ColumnFamilyHandle* const handle = opened.handles.at(family.name);
      std::vector<Slice> keys;
      for (const test::GoldenRow& row : family.rows) keys.emplace_back(row.key);
      std::vector<PinnableSlice> values(keys.size());
      std::vector<Status> statuses(keys.size());
      opened.db->MultiGet(ReadOptions(), handle, keys.size(), keys.data(),
                          values.data(), statuses.data());
      std::vector<PinnableWideColumns> entities(keys.size());
      std::vector<Status> entity_statuses(keys.size());
      opened.db->MultiGetEntity(ReadOptions(), handle, keys.size(), keys.data(),
                                entities.data(), entity_statuses.data());
      for (size_t i = 0; i < keys.size(); ++i) {
        std::string value;
        PinnableWideColumns entity;
        EXPECT_TRUE(
            opened.db->Get(ReadOptions(), handle, keys[i], &value).ok());
        EXPECT_TRUE(
            opened.db->GetEntity(ReadOptions(), handle, keys[i], &entity).ok());
        EXPECT_TRUE(statuses[i].ok()) << statuses[i].ToString();
        EXPECT_EQ(value, values[i]);
        EXPECT_TRUE(entity_statuses[i].ok()) << entity_statuses[i].ToString();
        EXPECT_EQ(entity.columns(), entities[i].columns());
      }
    }
  }
}

// The family in the plain format cannot be read; the others can, and it says
// why.
TEST_F(NewerFeatures, AFamilyOfPlainTablesAnswersNotSupportedForItself) {
  const auto copy = Copy("v7.8.3/prefix_hash_cuckoo_plain");
  for (const GoldenOpening opening :
       {GoldenOpening::kReadOnly, GoldenOpening::kAsReader}) {
    OpenedFamilies opened;
    const Status status = copy->Open(opening, &opened);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectRows(*copy, opened);
    ColumnFamilyHandle* const plain = opened.handles.at("plain");
    std::unique_ptr<Iterator> it(opened.db->NewIterator(ReadOptions(), plain));
    it->SeekToFirst();
    EXPECT_FALSE(it->Valid());
    EXPECT_TRUE(it->status().IsNotSupported()) << it->status().ToString();
    EXPECT_NE(std::string::npos,
              it->status().ToString().find("plain table format"));
    if (opening == GoldenOpening::kReadOnly) continue;
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    const Status compacted =
        opened.db->CompactRange(all, plain, nullptr, nullptr);
    EXPECT_TRUE(compacted.IsNotSupported()) << compacted.ToString();
  }
}

// So many flushes that a compaction of it would be due, and writers would be
// stopped for want of one.
TEST_F(NewerFeatures, AFamilyOfPlainTablesDoesNotStopTheOthers) {
  // Found by the open, and by the first compaction.
  for (const int max_open_files : {-1, 100}) {
    SCOPED_TRACE(max_open_files);
    const auto copy = Copy("v7.8.3/prefix_hash_cuckoo_plain");
    Options options;
    options.max_open_files = max_open_files;
    options.level0_slowdown_writes_trigger = 8;
    options.level0_stop_writes_trigger = 8;
    OpenedFamilies opened;
    OpenAll(*copy, options, &opened);
    ASSERT_NE(nullptr, opened.db);
    ColumnFamilyHandle* const plain = opened.handles.at("plain");
    for (int i = 0; i < 12; ++i) {
      for (const char* const key : {"\x01", "\xf0"}) {
        WriteOptions no_wait;
        no_wait.no_slowdown = true;
        const Status put = opened.db->Put(no_wait, plain, key, "v");
        ASSERT_TRUE(put.ok()) << i << ": " << put.ToString();
      }
      const Status flushed = opened.db->Flush(FlushOptions(), plain);
      ASSERT_TRUE(flushed.ok()) << flushed.ToString();
      const Status waited = opened.db->WaitForCompact(WaitForCompactOptions());
      ASSERT_TRUE(waited.ok()) << waited.ToString();
    }
    ColumnFamilyHandle* const other = opened.handles.at("default");
    const Status put = opened.db->Put(WriteOptions(), other, "x", "y");
    EXPECT_TRUE(put.ok()) << put.ToString();
    EXPECT_TRUE(opened.db->Flush(FlushOptions(), other).ok());
  }
}

// Entities point into blob files without the MANIFEST's linking their tables.
TEST_F(NewerFeatures, RepairRefusesColumnsInBlobFilesAndDeletesNone) {
  const auto copy = Copy("v11.9/v11_entity_blobs");
  {
    OpenedFamilies opened;
    ASSERT_TRUE(copy->Open(GoldenOpening::kAsReader, &opened).ok());
    DeletePlainRows(*copy, opened);
    Compact(opened);
    ASSERT_GT(BlobFiles(opened), 0u);
  }
  const auto files = [&](const std::string& part) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(copy->db())) {
      if (entry.path().filename().string().find(part) != std::string::npos) {
        paths.push_back(entry.path());
      }
    }
    return paths;
  };
  const std::vector<fs::path> blobs = files(".blob");
  for (const fs::path& path : files("MANIFEST")) fs::remove(path);
  fs::remove(fs::path(copy->db()) / "CURRENT");
  Options options;
  ASSERT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options.merge_operator)
                  .ok());
  const Status repaired = RepairDB(copy->db(), options);
  EXPECT_TRUE(repaired.IsNotSupported()) << repaired.ToString();
  EXPECT_EQ(blobs, files(".blob"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
