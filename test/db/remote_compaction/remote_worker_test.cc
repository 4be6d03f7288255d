// DB::OpenAndCompact(): what it refuses, and that it leaves nothing behind.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "db/remote_compaction/compaction_input.h"
#include "db/remote_compaction/compaction_result.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/io_scheduler.h"
#include "test/db/remote_compaction/service_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::RemoteInput;
using engine::RemoteResult;

// Has an input whose files are still there: its job has failed.
class RemoteWorkerTest : public RemoteFixture {
 protected:
  void OpenWithInput() {
    Open();
    FillLevel0();
    service_->answer = [](const std::string&, std::string*) {
      return JobStatus::kFailure;
    };
    EXPECT_TRUE(Compact().IsIOError());
    input_ = service_->last_input();
  }
  Status Work(const std::string& input, const std::string& directory = kOutput,
              const OpenAndCompactOptions& options = {}) {
    return DB::OpenAndCompact(options, kPath, directory, input, &output_,
                              overrides_);
  }
  // The input, changed.
  template <typename Change>
  std::string Changed(const Change& change) const {
    RemoteInput read;
    Ok(read.DecodeFrom(input_));
    change(&read);
    return read.Encode();
  }
  // The status in `output_`.
  Status Told() const {
    RemoteResult read;
    Ok(read.DecodeFrom(output_));
    return read.status;
  }

  std::string input_;
  std::string output_;
};

// The database's disk is not the worker's, nor is its profile there.
TEST_F(RemoteWorkerTest, HasNoSchedulerOfTheDatabase) {
  const std::string profile = "/disk.yaml";
  Ok(WriteStringToFile(env_.get(),
                       "disks:\n  - mountpoint: /\n    read_iops: 50000\n"
                       "    read_bandwidth: 500MB\n    write_iops: 50000\n"
                       "    write_bandwidth: 500MB\n",
                       profile));
  IOSchedulerOptions scheduler;
  scheduler.profile_path = profile;
  options_.io_scheduler = NewIOScheduler(scheduler);
  OpenWithInput();
  Ok(env_->DeleteFile(profile));
  Ok(Work(input_));
}

TEST_F(RemoteWorkerTest, LeavesTheDatabaseAlone) {
  OpenWithInput();
  const std::vector<std::string> before = FilesIn(kPath);
  Ok(Work(input_));
  Ok(Told());
  EXPECT_EQ(before, FilesIn(kPath));
  EXPECT_EQ(1u, FilesIn(kOutput).size());
  EXPECT_EQ("a=new b=1 c=1 ", Rows());
  EXPECT_EQ("2", Property("rocksdb.num-files-at-level0"));
  // Again, into the same directory.
  Ok(Work(input_));
  Ok(Told());
}

TEST_F(RemoteWorkerTest, RefusesStringsThatAreNoInput) {
  OpenWithInput();
  for (const std::string& bytes :
       {std::string(), std::string("none"), std::string(1000, 'x'),
        input_.substr(0, input_.size() - 1), input_ + "x"}) {
    EXPECT_TRUE(Work(bytes).IsCorruption());
    EXPECT_TRUE(output_.empty());
  }
  EXPECT_TRUE(FilesIn(kOutput).empty());
}

TEST_F(RemoteWorkerTest, NeedsTheInputFiles) {
  OpenWithInput();
  service_->to_schedule = JobStatus::kUseLocal;
  Ok(Compact());
  const Status status = Work(input_);
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("in level 0"))
      << status.ToString();
  EXPECT_EQ(status.ToString(), Told().ToString());
  EXPECT_TRUE(FilesIn(kOutput).empty());
}

TEST_F(RemoteWorkerTest, NeedsTheFamily) {
  OpenWithInput();
  Status status = Work(Changed([](RemoteInput* in) { in->family_id = 9; }));
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  status = Work(Changed([](RemoteInput* in) { in->family_name = "other"; }));
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  status = Work(Changed([](RemoteInput* in) { in->output_level = 200; }));
  EXPECT_TRUE(status.IsAborted()) << status.ToString();
  status = Work(Changed([](RemoteInput* in) { in->db_id = "other"; }));
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

TEST_F(RemoteWorkerTest, NeedsAManifestThatIsNewEnough) {
  OpenWithInput();
  Status status = Work(Changed([](RemoteInput* in) { ++in->manifest_number; }));
  EXPECT_TRUE(status.IsTryAgain()) << status.ToString();
  status =
      Work(Changed([](RemoteInput* in) { in->manifest_bytes += 1000000; }));
  EXPECT_TRUE(status.IsTryAgain()) << status.ToString();
  EXPECT_TRUE(Told().IsTryAgain());
  // A newer one does.
  Put("zz", "1");
  Flush();
  Ok(Work(input_));
}

TEST_F(RemoteWorkerTest, NeedsADirectoryOfItsOwn) {
  OpenWithInput();
  for (const char* directory :
       {"/db", "/db/", "/db/.", "/other/../db", "//db", ""}) {
    EXPECT_TRUE(Work(input_, directory).IsInvalidArgument()) << directory;
  }
}

// The job was made before the family had blob files: no numbers are reserved.
TEST_F(RemoteWorkerTest, WritesNoBlobFilesWithoutNumbers) {
  OpenWithInput();
  Ok(db_->SetOptions({{"enable_blob_files", "true"}, {"min_blob_size", "0"}}));
  Ok(Work(input_));
  EXPECT_EQ(1u, FilesIn(kOutput).size());
}

TEST_F(RemoteWorkerTest, StopsWhenItIsCancelled) {
  OpenWithInput();
  std::atomic<bool> canceled{true};
  OpenAndCompactOptions options;
  options.canceled = &canceled;
  options.allow_resumption = true;
  const Status status = Work(input_, kOutput, options);
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_TRUE(Told().IsManualCompactionPaused());
  EXPECT_TRUE(FilesIn(kOutput).empty());
  canceled = false;
  Ok(Work(input_, kOutput, options));
}

// Cancels from within, after the first table.
class CancellingFilter final : public CompactionFilter {
 public:
  explicit CancellingFilter(std::atomic<bool>* canceled)
      : canceled_(canceled) {}
  const char* Name() const override { return "CancellingFilter"; }
  bool Filter(int, const Slice& key, const Slice&, std::string*,
              bool*) const override {
    if (key == "k1500") *canceled_ = true;
    return false;
  }

 private:
  std::atomic<bool>* const canceled_;
};

TEST_F(RemoteWorkerTest, DeletesTheTablesItHasMade) {
  options_.target_file_size_base = 2000;
  Open();
  for (int round = 0; round < 2; ++round) {
    for (int i = 1000; i < 2000; ++i) Put("k" + std::to_string(i), "value");
    Flush();
  }
  service_->answer = [](const std::string&, std::string*) {
    return JobStatus::kFailure;
  };
  EXPECT_TRUE(Compact().IsIOError());
  std::atomic<bool> canceled{false};
  const CancellingFilter filter(&canceled);
  overrides_.compaction_filter = &filter;
  OpenAndCompactOptions options;
  options.canceled = &canceled;
  const Status status = Work(service_->last_input(), kOutput, options);
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_TRUE(FilesIn(kOutput).empty());
  // Without the filter there are several.
  overrides_.compaction_filter = nullptr;
  Ok(Work(service_->last_input()));
  EXPECT_GT(FilesIn(kOutput).size(), 2u);
}

TEST_F(RemoteWorkerTest, TakesOptionsByName) {
  OpenWithInput();
  overrides_.options_map = {{"no_such_option", "1"},
                            {"max_open_files", "20"},
                            {"compression", "kNoCompression"}};
  Ok(Work(input_));
  overrides_.options_map = {{"max_open_files", "many"}};
  EXPECT_FALSE(Work(input_).ok());
}

TEST_F(RemoteWorkerTest, WorksWithoutTheWriter) {
  OpenWithInput();
  Close();
  Ok(Work(input_));
  EXPECT_EQ(1u, FilesIn(kOutput).size());
}

TEST_F(RemoteWorkerTest, NeedsADatabase) {
  OpenWithInput();
  const Status status =
      DB::OpenAndCompact("/none", kOutput, input_, &output_, overrides_);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.ToString(), Told().ToString());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
