// Which sequences the files of one ingestion get: those of RocksDB 7.8.3 and
// 11.8.1, which were asked.

#include <algorithm>
#include <string>
#include <vector>

#include "test/db/files/files_fixture.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;
using test::MakeTable;
using Levels = std::vector<std::string>;

class IngestSequence : public test::FilesTest {
 protected:
  void Ingest(const std::vector<std::string>& files) {
    const Status status =
        db_->IngestExternalFile(files, IngestExternalFileOptions());
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
};

// Level 0 is ordered by sequences in releases without epochs: they refuse two
// files with the same one.
TEST_F(IngestSequence, EachFileThatNeedsASequenceTakesTheNext) {
  Open();
  for (const char* key : {"b", "c", "e", "f"}) Put(key, "old");
  Flush();
  MakeTable(options_, "/1.sst", {{"e", "1"}, {"f", "1"}});
  MakeTable(options_, "/2.sst", {{"m", "2"}});
  MakeTable(options_, "/3.sst", {{"b", "3"}, {"c", "3"}});
  Ingest({"/1.sst", "/2.sst", "/3.sst"});
  EXPECT_EQ(Placed(), (Levels{"0:4", "0:5", "6:0", "0:6"}));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 6u);
  const Snapshot* const snapshot = db_->GetSnapshot();
  MakeTable(options_, "/4.sst", {{"x", "4"}});
  MakeTable(options_, "/5.sst", {{"z", "5"}});
  Ingest({"/4.sst", "/5.sst"});
  EXPECT_EQ(Placed(), (Levels{"0:4", "0:5", "6:0", "0:6", "6:7", "6:8"}));
  db_->ReleaseSnapshot(snapshot);
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"b", "3"},
                              {"c", "3"},
                              {"e", "1"},
                              {"f", "1"},
                              {"m", "2"},
                              {"x", "4"},
                              {"z", "5"}}));
}

// Each family of a call counts from the same sequence, as in RocksDB.
TEST_F(IngestSequence, FamiliesCountFromTheSameSequence) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  Put("a", "old");
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "a", "old").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "b", "old").ok());
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  MakeTable(options_, "/2.sst", {{"a", "2"}});
  MakeTable(options_, "/3.sst", {{"b", "2"}});
  std::vector<IngestExternalFileArg> args(2);
  args[0].column_family = db_->DefaultColumnFamily();
  args[0].external_files = {"/1.sst"};
  args[1].column_family = other;
  args[1].external_files = {"/2.sst", "/3.sst"};
  ASSERT_TRUE(db_->IngestExternalFiles(args).ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 5u);
  std::vector<std::string> placed = Placed();
  std::sort(placed.begin(), placed.end());
  EXPECT_EQ(placed, (Levels{"0:1", "0:3", "0:4", "0:4", "0:5"}));
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
  EXPECT_EQ(test::RowsOf(db_.get(), other), (FileRows{{"a", "2"}, {"b", "2"}}));
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

// 7.8.3 orders level 0 by sequences and checks that order when it opens.
TEST(IngestSequencePeer, OthersOpenDisjointFilesOfOneCallInLevel0) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  test::TempDir dir;
  Options options;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.disable_auto_compactions = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
  for (const char* key : {"b", "c", "e", "f"}) {
    ASSERT_TRUE(db->Put(WriteOptions(), key, "old").ok());
  }
  MakeTable(options, dir.File("1.sst"), {{"e", "new"}, {"f", "-"}});
  MakeTable(options, dir.File("2.sst"), {{"b", "new"}, {"c", "-"}});
  const Status status = db->IngestExternalFile(
      {dir.File("1.sst"), dir.File("2.sst")}, IngestExternalFileOptions());
  ASSERT_TRUE(status.ok()) << status.ToString();
  db.reset();
  const std::string ldb = test::Peer("ldb") + " --db=" + dir.File("db");
  const test::Ran scan = test::RunCommand(ldb + " scan");
  EXPECT_EQ(scan.output, "b : new\ne : new\n");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
