// Files whose properties collector asks for it are compacted without any other
// cause, and range deletions that have done their work are counted.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table_properties.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// Wants files with deletions compacted.
class Collector final : public TablePropertiesCollector {
 public:
  Status AddUserKey(const Slice&, const Slice&, EntryType type, SequenceNumber,
                    uint64_t) override {
    if (type == kEntryDelete) deletions_ = true;
    return Status::OK();
  }
  Status Finish(UserCollectedProperties*) override { return Status::OK(); }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "Deletions"; }
  bool NeedCompact() const override { return deletions_; }

 private:
  bool deletions_ = false;
};

class CollectorFactory final : public TablePropertiesCollectorFactory {
 public:
  TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new Collector();
  }
  const char* Name() const override { return "Deletions"; }
};

class Reasons final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    if (info.compaction_reason == CompactionReason::kFilesMarkedForCompaction) {
      ++marked;
      output_level = info.output_level;
    } else {
      ++others;
    }
  }
  std::atomic<int> marked{0};
  std::atomic<int> others{0};
  std::atomic<int> output_level{-1};
};

class MarkedTest : public FilesTest {
 protected:
  MarkedTest() {
    options_.disable_auto_compactions = false;
    options_.auto_tuned_compaction = false;
    options_.level0_file_num_compaction_trigger = 100;
    options_.statistics = CreateDBStatistics();
    options_.listeners.push_back(reasons_);
    options_.table_properties_collector_factories.push_back(
        std::make_shared<CollectorFactory>());
  }
  // k1 in level 2, k2 and k3 above.
  void Prepare() {
    Open();
    Put("k1", "1");
    Put("k2", "2");
    Flush();
    CompactRangeOptions down;
    down.change_level = true;
    down.target_level = 2;
    ASSERT_TRUE(db_->CompactRange(down, nullptr, nullptr).ok());
    reasons_->others = 0;
  }
  void Wait() {
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  }

  const std::shared_ptr<Reasons> reasons_ = std::make_shared<Reasons>();
};

TEST_F(MarkedTest, AFileThatAsksForItIsCompactedDownToTheLast) {
  Prepare();
  Put("k3", "3");
  Flush();
  Wait();
  EXPECT_EQ(0, reasons_->marked);
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k1").ok());
  Flush();
  Wait();
  // Level 0 to 1, where the deletion still is, and on to 2, where it goes.
  EXPECT_EQ(2, reasons_->marked);
  EXPECT_EQ(0, reasons_->others);
  EXPECT_EQ(2, reasons_->output_level);
  EXPECT_EQ((FileRows{{"k2", "2"}, {"k3", "3"}}), Rows());
}

TEST_F(MarkedTest, TheMarkSurvivesAReopen) {
  options_.disable_auto_compactions = true;
  Prepare();
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k1").ok());
  Flush();
  EXPECT_EQ(0, reasons_->marked);
  options_.disable_auto_compactions = false;
  Open();
  Wait();
  EXPECT_GT(reasons_->marked, 0);
  EXPECT_EQ((FileRows{{"k2", "2"}}), Rows());
}

TEST_F(MarkedTest, RangeDeletionsThatHaveDoneTheirWorkAreCounted) {
  Prepare();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "k1", "k2").ok());
  Flush();
  const auto dropped = [&] {
    return options_.statistics->getTickerCount(
        COMPACTION_RANGE_DEL_DROP_OBSOLETE);
  };
  EXPECT_EQ(0u, dropped());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(1u, dropped());
  EXPECT_EQ((FileRows{{"k2", "2"}}), Rows());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
