// A database with a compaction service whose worker is the same process, and
// what a test needs to see of both.
//
// Model. WorkerService keeps what Schedule() was given. Wait() calls `answer`,
// which a test may replace; by default it runs the worker at once.
//
// Threads. The service: any. The fixture: the test's.

#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE::test {

using JobStatus = CompactionServiceJobStatus;

class WorkerService final : public CompactionService {
 public:
  using Answer =
      std::function<JobStatus(const std::string& input, std::string* result)>;

  const char* Name() const override { return "WorkerService"; }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    if (in_schedule) in_schedule();
    const std::lock_guard<std::mutex> lock(mu_);
    const std::string id = "job " + std::to_string(++scheduled);
    infos_.push_back(info);
    inputs_[id] = input;
    return {id, to_schedule};
  }

  JobStatus Wait(const std::string& id, std::string* result) override {
    ++waiting;
    std::string input;
    {
      const std::lock_guard<std::mutex> lock(mu_);
      input = inputs_[id];
    }
    const JobStatus status = answer(input, result);
    --waiting;
    return status;
  }

  void CancelAwaitingJobs() override { ++cancels; }

  void OnInstallation(const std::string&, JobStatus status) override {
    ++(status == JobStatus::kSuccess ? installed : dropped);
    if (in_installation) in_installation();
  }

  CompactionServiceJobInfo last_info() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return infos_.back();
  }
  std::string last_input() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return inputs_.at("job " + std::to_string(scheduled.load()));
  }

  // Before compactions begin.
  Answer answer;
  // These two may throw.
  std::function<void()> in_schedule;
  std::function<void()> in_installation;
  JobStatus to_schedule = JobStatus::kSuccess;

  std::atomic<int> scheduled{0};
  std::atomic<int> waiting{0};
  std::atomic<int> cancels{0};
  std::atomic<int> installed{0};
  std::atomic<int> dropped{0};

 private:
  mutable std::mutex mu_;
  std::vector<CompactionServiceJobInfo> infos_;
  std::map<std::string, std::string> inputs_;
};

// The entries of all tables of a family, by kind.
struct TableTotals {
  size_t tables = 0;
  uint64_t entries = 0;
  uint64_t deletions = 0;
  uint64_t merge_operands = 0;
  uint64_t range_deletions = 0;
  uint64_t key_bytes = 0;
  uint64_t value_bytes = 0;
  bool operator==(const TableTotals&) const = default;

  std::string ToString() const {
    return std::to_string(tables) + " tables, " + std::to_string(entries) +
           " entries, " + std::to_string(deletions) + " deletions, " +
           std::to_string(merge_operands) + " operands, " +
           std::to_string(range_deletions) + " ranges, " +
           std::to_string(key_bytes) + " + " + std::to_string(value_bytes) +
           " bytes";
  }
};

inline TableTotals TotalsOfTables(DB* db, ColumnFamilyHandle* family) {
  TablePropertiesCollection all;
  Ok(db->GetPropertiesOfAllTables(family, &all));
  TableTotals totals;
  totals.tables = all.size();
  for (const auto& [path, table] : all) {
    totals.entries += table->num_entries;
    totals.deletions += table->num_deletions;
    totals.merge_operands += table->num_merge_operands;
    totals.range_deletions += table->num_range_deletions;
    totals.key_bytes += table->raw_key_size;
    totals.value_bytes += table->raw_value_size;
  }
  return totals;
}

// "a=1 b=2 ".
inline std::string TextOfRows(DB* db, ColumnFamilyHandle* family,
                              const ReadOptions& options = {}) {
  std::string rows;
  const std::unique_ptr<Iterator> it(db->NewIterator(options, family));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  Ok(it->status());
  return rows;
}

class RemoteFixture : public ::testing::Test {
 protected:
  RemoteFixture() {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.compression = kNoCompression;
    Ok(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                       &options_.merge_operator));
    UseFileSystem(fs_);
  }
  ~RemoteFixture() override { Close(); }

  void UseFileSystem(const std::shared_ptr<FileSystem>& fs) {
    env_ = NewCompositeEnv(fs);
    options_.env = env_.get();
    overrides_.env = env_.get();
    overrides_.merge_operator = options_.merge_operator;
  }

  // Families with the options of the default one, unless Change() has been
  // called for them.
  void Open(const std::vector<std::string>& families = {}) {
    service_ = std::make_shared<WorkerService>();
    service_->answer = [this](const std::string& input, std::string* result) {
      return RunWorker(input, result);
    };
    options_.compaction_service = service_;
    Reopen(families);
  }
  void Reopen(const std::vector<std::string>& families = {}) {
    std::vector<ColumnFamilyDescriptor> all{
        {kDefaultColumnFamilyName, options_}};
    for (const std::string& name : families) {
      const auto changed = family_options_.find(name);
      all.emplace_back(name, changed != family_options_.end()
                                 ? changed->second
                                 : ColumnFamilyOptions(options_));
    }
    Ok(DB::Open(options_, kPath, all, &handles_, &db_));
  }
  void Close() {
    if (db_ == nullptr) return;
    for (ColumnFamilyHandle* handle : handles_) {
      Ok(db_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
    db_.reset();
  }

  JobStatus RunWorker(const std::string& input, std::string* result) {
    worker_status_ =
        DB::OpenAndCompact(kPath, kOutput, input, result, overrides_);
    return worker_status_.ok() ? JobStatus::kSuccess : JobStatus::kFailure;
  }

  void Put(const std::string& key, const std::string& value,
           ColumnFamilyHandle* family = nullptr) {
    Ok(db_->Put(WriteOptions(), Or(family), key, value));
  }
  void Flush(ColumnFamilyHandle* family = nullptr) {
    Ok(db_->Flush(FlushOptions(), Or(family)));
  }
  Status Compact(ColumnFamilyHandle* family = nullptr) {
    return db_->CompactRange(CompactRangeOptions(), Or(family), nullptr,
                             nullptr);
  }
  // Two tables of level 0 with a key in common.
  void FillLevel0(ColumnFamilyHandle* family = nullptr) {
    Put("a", "old", family);
    Put("b", "1", family);
    Flush(family);
    Put("a", "new", family);
    Put("c", "1", family);
    Flush(family);
  }
  std::string Rows() { return TextOfRows(db_.get(), Or(nullptr)); }
  std::string Property(const std::string& name,
                       ColumnFamilyHandle* family = nullptr) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(Or(family), name, &value)) << name;
    return value;
  }
  // Names of tables and blob files.
  std::vector<std::string> FilesIn(const std::string& directory) const {
    std::vector<std::string> names;
    (void)env_->GetChildren(directory, &names);
    std::erase_if(names, [](const std::string& name) {
      return !name.ends_with(".sst") && !name.ends_with(".blob");
    });
    return names;
  }

  ColumnFamilyHandle* Or(ColumnFamilyHandle* family) const {
    return family != nullptr ? family : db_->DefaultColumnFamily();
  }

  static constexpr const char* kPath = "/db";
  static constexpr const char* kOutput = "/output";
  std::shared_ptr<engine::MemFileSystem> fs_ =
      std::make_shared<engine::MemFileSystem>();
  std::unique_ptr<Env> env_;
  Options options_;
  std::map<std::string, ColumnFamilyOptions> family_options_;
  CompactionServiceOptionsOverride overrides_;
  std::shared_ptr<WorkerService> service_;
  Status worker_status_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<DB> db_;
};

}  // namespace ROCKSDB_NAMESPACE::test
