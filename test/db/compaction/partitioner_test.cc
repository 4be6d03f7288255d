// Where a program's partitioner makes output files end.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/sst_partitioner.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// Partitions by the first byte, and writes down what it was made for.
class Partitions final : public SstPartitionerFactory {
 public:
  const char* Name() const override { return "Partitions"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override {
    made.push_back(std::to_string(context.output_level) + " " +
                   context.smallest_user_key.ToString() + ".." +
                   context.largest_user_key.ToString() +
                   (context.is_full_compaction ? " full" : "") +
                   (context.is_manual_compaction ? " manual" : ""));
    return std::make_unique<SstPartitionerFixedPrefix>(1);
  }
  mutable std::vector<std::string> made;
};

class PartitionerTest : public FilesTest {
 protected:
  PartitionerTest() { options_.sst_partitioner_factory = factory_; }
  ~PartitionerTest() override { db_.reset(); }

  // "a1-a2 b1-b1": the ranges of the files of a level.
  std::string RangesAt(int level) {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(&meta);
    std::string ranges;
    for (const SstFileMetaData& file :
         meta.levels[static_cast<size_t>(level)].files) {
      if (!ranges.empty()) ranges += " ";
      ranges += file.smallestkey + "-" + file.largestkey;
    }
    return ranges;
  }
  void Compact() {
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  }

  const std::shared_ptr<Partitions> factory_ = std::make_shared<Partitions>();
};

TEST_F(PartitionerTest, FilesEndWhereItSays) {
  Open();
  for (const char* key : {"a1", "a2", "b1", "c1", "c2", "c3"}) Put(key, key);
  Flush();
  EXPECT_EQ("a1-c3", RangesAt(0));  // It is asked by compactions only.
  EXPECT_TRUE(factory_->made.empty());
  Compact();
  EXPECT_EQ("", RangesAt(0));
  EXPECT_EQ("a1-a2 b1-b1 c1-c3", RangesAt(1));
  EXPECT_EQ("1 a1..c3 full manual", factory_->made.back());
  EXPECT_EQ(6u, Rows().size());
}

// All versions of a key stay in one file, whatever it answers.
TEST_F(PartitionerTest, VersionsOfAKeyStayTogether) {
  Open();
  std::vector<const Snapshot*> snapshots;
  for (int i = 0; i < 3; ++i) {
    Put("a1", std::to_string(i));
    snapshots.push_back(db_->GetSnapshot());
    Put("b1", std::to_string(i));
  }
  Flush();
  Compact();
  EXPECT_EQ("a1-a1 b1-b1", RangesAt(1));
  for (size_t i = 0; i < snapshots.size(); ++i) {
    ReadOptions read;
    read.snapshot = snapshots[i];
    std::string value;
    ASSERT_TRUE(db_->Get(read, "a1", &value).ok());
    EXPECT_EQ(std::to_string(i), value);
    db_->ReleaseSnapshot(snapshots[i]);
  }
}

TEST_F(PartitionerTest, AFileThatCrossesABoundaryIsNotMoved) {
  Open();
  Put("a1", "v");
  Put("a2", "v");
  Flush();
  CompactionOptions how;
  how.allow_trivial_move = true;
  const auto compact_all = [&](int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    ASSERT_TRUE(db_->CompactFiles(how, {files[0].name}, level).ok());
  };
  std::vector<LiveFileMetaData> before;
  db_->GetLiveFilesMetaData(&before);
  compact_all(1);
  std::vector<LiveFileMetaData> after;
  db_->GetLiveFilesMetaData(&after);
  EXPECT_EQ(before[0].name, after[0].name);  // Moved.

  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  Open();
  Put("a1", "v");
  Put("b1", "v");
  Flush();
  compact_all(1);
  EXPECT_EQ("a1-a1 b1-b1", RangesAt(1));
}

// A range deletion over a boundary belongs to both files.
TEST_F(PartitionerTest, RangeDeletionsAreCutThere) {
  Open();
  for (const char* key : {"a1", "a5", "b1", "b5"}) Put(key, "old");
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "a3", "b3").ok());
  Flush();
  Compact();
  EXPECT_EQ(2u, Rows().size());
  EXPECT_EQ("a1-b1 b1-b5", RangesAt(1));  // The first ends with its deletion.
  TablePropertiesCollection properties;
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&properties).ok());
  for (const auto& [path, table] : properties) {
    EXPECT_EQ(1u, table->num_range_deletions) << path;
  }
  ReadOptions read;
  read.snapshot = snapshot;
  EXPECT_EQ(4u, Rows(read).size());
  db_->ReleaseSnapshot(snapshot);
  Open();
  EXPECT_EQ((FileRows{{"a1", "old"}, {"b5", "old"}}), Rows());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
