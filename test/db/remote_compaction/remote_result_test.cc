// A compaction by another process leaves what one of this process would have
// left.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "test/db/remote_compaction/service_fixture.h"
#include "test/support/hooked_fs.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class RemoteCompaction : public RemoteFixture {
 protected:
  struct Left {
    std::string rows;
    std::string at_snapshot;
    TableTotals totals;
  };

  // The same history once with the service and once without.
  void ExpectAlike(const std::function<Left()>& history) {
    Open({"second"});
    const Left remote = history();
    EXPECT_GT(service_->installed, 0);
    EXPECT_EQ(service_->installed, service_->scheduled);
    EXPECT_TRUE(worker_status_.ok()) << worker_status_.ToString();
    EXPECT_TRUE(FilesIn(kOutput).empty());
    Close();
    Reopen({"second"});  // What is on disk is right, too.
    if (!remote.rows.empty()) {
      EXPECT_EQ(remote.rows, TextOfRows(db_.get(), handles_[1]));
    }
    Close();
    Ok(DestroyDB(kPath, options_));
    options_.compaction_service = nullptr;
    Reopen({"second"});
    const Left local = history();
    EXPECT_EQ(local.rows, remote.rows);
    EXPECT_EQ(local.at_snapshot, remote.at_snapshot);
    EXPECT_EQ(local.totals, remote.totals) << local.totals.ToString() << "\n"
                                           << remote.totals.ToString();
  }
  Left LeftOf(ColumnFamilyHandle* family, const Snapshot* snapshot) {
    Left left;
    ReadOptions read;
    left.rows = TextOfRows(db_.get(), family, read);
    read.snapshot = snapshot;
    left.at_snapshot = TextOfRows(db_.get(), family, read);
    left.totals = TotalsOfTables(db_.get(), family);
    return left;
  }
};

TEST_F(RemoteCompaction, IsThatOfALocalCompaction) {
  ExpectAlike([this] {
    ColumnFamilyHandle* const family = handles_[1];
    const WriteOptions write;
    for (int i = 0; i < 200; ++i) {
      Put("k" + std::to_string(1000 + i), "first", family);
    }
    Ok(db_->Merge(write, family, "merged", "a"));
    Put("singly", "1", family);
    Flush(family);
    const Snapshot* const snapshot = db_->GetSnapshot();
    for (int i = 0; i < 200; i += 3) {
      Put("k" + std::to_string(1000 + i), "second", family);
    }
    Ok(db_->Delete(write, family, "k1001"));
    Ok(db_->SingleDelete(write, family, "singly"));
    Ok(db_->DeleteRange(write, family, "k1100", "k1150"));
    Ok(db_->Merge(write, family, "merged", "b"));
    Flush(family);
    Put("k1120", "above the range", family);
    Ok(db_->Merge(write, family, "merged", "c"));
    Flush(family);
    Ok(Compact(family));
    const Left left = LeftOf(family, snapshot);
    db_->ReleaseSnapshot(snapshot);
    return left;
  });
}

TEST_F(RemoteCompaction, MayBeManyTables) {
  options_.target_file_size_base = 2000;
  options_.max_subcompactions = 3;
  ExpectAlike([this] {
    ColumnFamilyHandle* const family = handles_[1];
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 300; ++i) {
        Put("k" + std::to_string(1000 + i), std::string(20, 'a'), family);
      }
      Flush(family);
    }
    Ok(Compact(family));
    const Left left = LeftOf(family, nullptr);
    EXPECT_GT(left.totals.tables, 3u);
    return left;
  });
}

TEST_F(RemoteCompaction, MayBeNothing) {
  ExpectAlike([this] {
    ColumnFamilyHandle* const family = handles_[1];
    Put("a", "1", family);
    Flush(family);
    Ok(db_->Delete(WriteOptions(), family, "a"));
    Flush(family);
    Ok(Compact(family));
    const Left left = LeftOf(family, nullptr);
    EXPECT_EQ(0u, left.totals.tables);
    return left;
  });
}

TEST_F(RemoteCompaction, KeepsValuesInBlobFiles) {
  ColumnFamilyOptions blobs(options_);
  blobs.enable_blob_files = true;
  blobs.min_blob_size = 10;
  blobs.blob_file_size = 2000;
  blobs.enable_blob_garbage_collection = true;
  blobs.blob_garbage_collection_age_cutoff = 1.0;
  family_options_["second"] = blobs;
  ExpectAlike([this] {
    ColumnFamilyHandle* const family = handles_[1];
    for (int round = 0; round < 2; ++round) {
      for (int i = round; i < 100; i += 1 + round) {
        Put("k" + std::to_string(1000 + i),
            std::string(50, static_cast<char>('a' + round)), family);
      }
      Flush(family);
    }
    Ok(Compact(family));
    Left left = LeftOf(family, nullptr);
    left.at_snapshot = Property("rocksdb.num-blob-files", family) + " files, " +
                       Property("rocksdb.live-blob-file-size", family);
    EXPECT_NE("0 files", left.at_snapshot.substr(0, 7));
    return left;
  });
}

TEST_F(RemoteCompaction, KeepsTimes) {
  ColumnFamilyOptions timed(options_);
  timed.comparator = BytewiseComparatorWithU64Ts();
  timed.merge_operator = nullptr;
  family_options_["second"] = timed;
  overrides_.comparator = BytewiseComparatorWithU64Ts();
  overrides_.merge_operator = nullptr;
  ExpectAlike([this] {
    ColumnFamilyHandle* const family = handles_[1];
    for (uint64_t time = 1; time <= 6; ++time) {
      Ok(db_->Put(WriteOptions(), family, "a", Ts(time),
                  "at " + std::to_string(time)));
      if (time == 2) Ok(db_->Delete(WriteOptions(), family, "b", Ts(time)));
      Flush(family);
    }
    Ok(db_->IncreaseFullHistoryTsLow(family, Ts(4)));
    Ok(Compact(family));
    Left left;
    for (uint64_t time = 4; time <= 7; ++time) {
      const std::string bytes = Ts(time);
      const Slice timestamp(bytes);
      ReadOptions read;
      read.timestamp = &timestamp;
      left.at_snapshot += TextOfRows(db_.get(), family, read);
    }
    left.totals = TotalsOfTables(db_.get(), family);
    EXPECT_LT(left.totals.entries, 7u);
    return left;
  });
}

TEST_F(RemoteCompaction, HasTheOrderOfItsFamily) {
  ColumnFamilyOptions reverse(options_);
  reverse.comparator = ReverseBytewiseComparator();
  family_options_["second"] = reverse;
  overrides_.comparator = ReverseBytewiseComparator();
  ExpectAlike([this] {
    FillLevel0(handles_[1]);
    FillLevel0();  // Of the default family, in the other order.
    Ok(Compact(handles_[1]));
    return LeftOf(handles_[1], nullptr);
  });
}

TEST_F(RemoteCompaction, IsTakenForEachFamily) {
  Open({"second"});
  FillLevel0();
  FillLevel0(handles_[1]);
  Ok(Compact());
  const CompactionServiceJobInfo first = service_->last_info();
  Ok(Compact(handles_[1]));
  const CompactionServiceJobInfo second = service_->last_info();
  EXPECT_EQ("default", first.cf_name);
  EXPECT_EQ("second", second.cf_name);
  EXPECT_EQ(handles_[1]->GetID(), second.cf_id);
  EXPECT_EQ(first.db_session_id, second.db_session_id);
  EXPECT_LT(first.job_id, second.job_id);
  EXPECT_TRUE(second.is_manual_compaction);
  EXPECT_TRUE(second.is_full_compaction);
  EXPECT_TRUE(second.bottommost_level);
  EXPECT_EQ(Env::Priority::USER, second.priority);
  EXPECT_EQ(0, second.base_input_level);
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
  EXPECT_EQ("a=new b=1 c=1 ", TextOfRows(db_.get(), handles_[1]));
}

// A trivial move rewrites nothing, so the service is not asked.
TEST_F(RemoteCompaction, IsNotAskedForByAMove) {
  Open();
  Put("a", "1");
  Flush();
  Ok(Compact());
  EXPECT_EQ(0, service_->scheduled);
  EXPECT_EQ("0", Property("rocksdb.num-files-at-level0"));
}

TEST_F(RemoteCompaction, IsMadeHereWhenTheServiceDeclines) {
  Open();
  service_->to_schedule = JobStatus::kUseLocal;
  FillLevel0();
  Ok(Compact());
  EXPECT_EQ(1, service_->scheduled);
  service_->to_schedule = JobStatus::kSuccess;
  service_->answer = [](const std::string&, std::string*) {
    return JobStatus::kUseLocal;
  };
  FillLevel0();
  Ok(Compact());
  EXPECT_EQ(2, service_->scheduled);
  EXPECT_EQ(0, service_->installed + service_->dropped);
  EXPECT_EQ("0", Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
}

TEST_F(RemoteCompaction, IsCountedAsTheWorkOfAnotherProcess) {
  options_.statistics = CreateDBStatistics();
  overrides_.statistics = CreateDBStatistics();
  Open();
  FillLevel0();
  Ok(options_.statistics->Reset());
  Ok(Compact());
  const auto count = [](const Options& options, Tickers ticker) {
    return options.statistics->getTickerCount(ticker);
  };
  EXPECT_GT(count(options_, REMOTE_COMPACT_READ_BYTES), 0u);
  EXPECT_GT(count(options_, REMOTE_COMPACT_WRITE_BYTES), 0u);
  EXPECT_EQ(0u, count(options_, COMPACT_READ_BYTES));
  EXPECT_EQ(0u, count(options_, COMPACT_WRITE_BYTES));
  EXPECT_EQ(1u, count(options_, COMPACTION_KEY_DROP_NEWER_ENTRY));
  EXPECT_GT(overrides_.statistics->getTickerCount(COMPACT_WRITE_BYTES), 0u);
}

class FilesListener final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    const std::lock_guard<std::mutex> lock(mu_);
    ++compactions;
    outputs = info.output_files;
    output_records = info.stats.num_output_records;
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    const std::lock_guard<std::mutex> lock(mu_);
    if (info.reason != TableFileCreationReason::kCompaction) return;
    created.push_back(info.file_path);
    EXPECT_GT(info.table_properties.num_entries, 0u);
  }
  void OnSubcompactionCompleted(const SubcompactionJobInfo& info) override {
    const std::lock_guard<std::mutex> lock(mu_);
    EXPECT_TRUE(info.status.ok()) << info.status.ToString();
    ++slices;
  }

  int compactions = 0;
  int slices = 0;
  uint64_t output_records = 0;
  std::vector<std::string> outputs;
  std::vector<std::string> created;

 private:
  std::mutex mu_;
};

TEST_F(RemoteCompaction, IsReportedOnBothSides) {
  const auto here = std::make_shared<FilesListener>();
  const auto there = std::make_shared<FilesListener>();
  options_.listeners = {here};
  overrides_.listeners = {there};
  Open();
  FillLevel0();
  Ok(Compact());
  EXPECT_EQ(1, here->compactions);
  EXPECT_EQ(1, here->slices);
  EXPECT_EQ(3u, here->output_records);
  ASSERT_EQ(1u, here->outputs.size());
  EXPECT_EQ(here->outputs, here->created);
  EXPECT_EQ(0u, here->outputs[0].find("/db/"));
  EXPECT_EQ(0, there->compactions);
  EXPECT_EQ(1, there->slices);
  ASSERT_EQ(1u, there->created.size());
  EXPECT_EQ(0u, there->created[0].find("/output/"));
}

// As between two file systems.
TEST_F(RemoteCompaction, IsCopiedWhereItCannotBeRenamed) {
  const auto hook = [](const FileOp& op) {
    const bool output =
        op.kind == OpKind::kRename && op.path.rfind("/output/", 0) == 0;
    return output ? IOStatus::IOError("another device") : IOStatus::OK();
  };
  UseFileSystem(std::make_shared<HookedFileSystem>(fs_, hook));
  Open();
  FillLevel0();
  Ok(Compact());
  EXPECT_EQ(1, service_->installed);
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
  EXPECT_TRUE(FilesIn(kOutput).empty());
  Close();
  Reopen();
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
}

TEST_F(RemoteCompaction, OfAnAutomaticCompactionIsInstalled) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  FillLevel0();
  Ok(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(1, service_->installed);
  EXPECT_FALSE(service_->last_info().is_manual_compaction);
  EXPECT_EQ("0", Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
}

// The input says where the tables are.
TEST_F(RemoteCompaction, GoesIntoTheFamilysDirectories) {
  options_.db_paths = {{"/db_first", 1}, {"/db_second", 1ull << 40}};
  Open();
  FillLevel0();
  Ok(Compact());
  EXPECT_EQ(1, service_->installed) << worker_status_.ToString();
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(1u, live.size());
  EXPECT_EQ(0u, live[0].db_path.find("/db_")) << live[0].db_path;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
