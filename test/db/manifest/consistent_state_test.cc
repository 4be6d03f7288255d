// MANIFESTs whose checksums are right, and that say what no writer says. Bytes
// on the disk must not break what CheckState() asserts.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "db/manifest/manifest_state.h"
#include "db/wal/log_writer.h"
#include "env/file_writer.h"
#include "env/mem/mem_file_system.h"
#include "test/db/files/files_fixture.h"
#include "test/db/manifest/manifest_store.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

void WriteManifest(FileSystem* fs, const std::string& path,
                   const std::vector<VersionEdit>& edits) {
  auto file = WritableFileWriter::Create(fs, path, FileOptions());
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  wal::Writer log(std::move(*file), 1, /*recycle=*/false,
                  /*manual_flush=*/true);
  for (const VersionEdit& edit : edits) {
    std::string record;
    edit.EncodeTo(&record);
    ASSERT_TRUE(log.AddRecord(record).ok());
  }
  ASSERT_TRUE(log.Sync(/*use_fsync=*/false).ok());
  ASSERT_TRUE(log.Close().ok());
}

class ConsistentState : public ::testing::Test {
 protected:
  ConsistentState() : store_(&fs_) {
    EXPECT_TRUE(store_.Create().ok());
    edit_.log_number = 0;
    edit_.next_file_number = 20;
    edit_.last_sequence = 9;
  }
  Status Read(const VersionEdit& edit) {
    WriteManifest(&fs_, DescriptorFileName(kDb, 1), {edit});
    return store_.Recover({"default"}, /*read_only=*/true);
  }
  void ExpectCorruption(const VersionEdit& edit, const std::string& word) {
    const Status status = Read(edit);
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_NE(status.ToString().find(word), std::string::npos)
        << status.ToString();
  }

  MemFileSystem fs_;
  Store store_;
  VersionEdit edit_;
};

// blob_files.h (2).
TEST_F(ConsistentState, ABlobFileHasNoMoreGarbageThanBlobs) {
  edit_.blob_additions.push_back({7, 2, 100, "", ""});
  edit_.blob_garbage.push_back({7, 1, 50});
  for (const BlobFileGarbage& more :
       {BlobFileGarbage{7, 2, 10}, BlobFileGarbage{7, 1, 51},
        BlobFileGarbage{7, UINT64_MAX, 1}, BlobFileGarbage{7, 1, UINT64_MAX}}) {
    VersionEdit edit = edit_;
    edit.blob_garbage.push_back(more);
    ExpectCorruption(edit, "blob file 7");
  }
  edit_.blob_garbage.push_back({7, 1, 50});
  const Status status = Read(edit_);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TEST_F(ConsistentState, EveryNumberHasASuccessor) {
  const uint64_t beyond = kFileNumberMax + 1;
  VersionEdit edit = edit_;
  edit.log_number = beyond;
  ExpectCorruption(edit, "log number");
  edit = edit_;
  edit.next_file_number = beyond;
  ExpectCorruption(edit, "next file number");
  edit = edit_;
  edit.min_log_number_to_keep = beyond;
  ExpectCorruption(edit, "least log number to keep");
  edit = edit_;
  edit.AddFile(1, MakeFile(beyond, "a", "b", 3));
  ExpectCorruption(edit, "table file");
  edit = edit_;
  edit.blob_additions.push_back({beyond, 2, 100, "", ""});
  ExpectCorruption(edit, "blob file");
  edit = edit_;
  const FilePtr file = MakeFile(7, "a", "b", 3);
  file->epoch = UINT64_MAX;
  edit.AddFile(0, file);
  ExpectCorruption(edit, "epoch");
}

TEST_F(ConsistentState, ATableIsInOneFamily) {
  edit_.AddFile(1, MakeFile(7, "a", "b", 3));
  VersionEdit other;
  other.column_family = 1;
  other.added_family = "other";
  VersionEdit file;
  file.column_family = 1;
  file.AddFile(2, MakeFile(7, "c", "d", 3));
  const std::string path = DescriptorFileName(kDb, 1);
  WriteManifest(&fs_, path, {edit_, other, file});
  const Status status = ReadManifestFile(&fs_, path, nullptr).status();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find("table file 7"), std::string::npos);
  EXPECT_NE(status.ToString().find("default and other"), std::string::npos)
      << status.ToString();
}

// orphan_files.h: no name is ever used twice.
TEST_F(ConsistentState, TheNextNumberIsAboveAllThatAreUsed) {
  const FilePtr file = MakeFile(50, "a", "b", 3);
  file->oldest_blob_file = 60;
  edit_.AddFile(1, file);
  edit_.blob_additions.push_back({60, 2, 100, "", ""});
  const Status status = Read(edit_);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(61u, store_.set.next_file_number());
  EXPECT_FALSE(store_.set.family(0)->misses_blob_files());
}

TEST_F(ConsistentState, ATableMayBeLinkedToABlobFileThatIsMissing) {
  const FilePtr file = MakeFile(50, "a", "b", 3);
  file->oldest_blob_file = 60;
  edit_.AddFile(1, file);
  const Status status = Read(edit_);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(51u, store_.set.next_file_number());
  EXPECT_TRUE(store_.set.family(0)->misses_blob_files());
}

class MissingBlobFile : public test::FilesTest {
 protected:
  static std::string Name() { return kName; }

  // Two values: one in the table, one in a blob file that the MANIFEST does
  // not name any more.
  void Make() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    Open();
    Put("large", std::string(200, 'v'));
    Put("small", "1");
    Flush();
    db_.reset();
    FileSystem* const fs = env_->GetFileSystem().get();
    const auto number = ReadCurrentFile(fs, Name());
    ASSERT_TRUE(number.ok()) << number.status().ToString();
    const std::string path = DescriptorFileName(Name(), *number);
    size_t forgotten = 0;
    std::vector<VersionEdit> edits;
    const auto forget = [&](const VersionEdit& edit, const Slice& /*record*/) {
      edits.push_back(edit);
      forgotten += edit.blob_additions.size();
      edits.back().blob_additions.clear();
    };
    ASSERT_TRUE(ReadManifestFile(fs, path, forget).ok());
    ASSERT_EQ(1u, forgotten);
    WriteManifest(fs, path, edits);
  }
  void ExpectSmallOnly(DB* db) {
    std::string value;
    EXPECT_TRUE(db->Get(ReadOptions(), "small", &value).ok());
    const Status status = db->Get(ReadOptions(), "large", &value);
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  }
};

// check_state.h (5).
TEST_F(MissingBlobFile, FailsTheReadsThatNeedItAndNoOpening) {
  ASSERT_NO_FATAL_FAILURE(Make());
  {
    std::unique_ptr<DB> db;
    const Status status = DB::OpenForReadOnly(options_, Name(), &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectSmallOnly(db.get());
  }
  Open();
  ExpectSmallOnly(db_.get());
  Put("other", std::string(200, 'w'));
  Flush();
  ExpectSmallOnly(db_.get());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "other", &value).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
