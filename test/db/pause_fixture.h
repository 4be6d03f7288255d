// PausableDb: a database whose compactions a test can pause and resume.
//
// Model. A compaction filter sees the newest value of every key in every
// compaction and calls `on_entry` with its number, so that a test can act at a
// place it chooses, from the thread of the job. Allowances are set as the tuner
// sets them.
//
// Threads. Any; on_entry is called by the jobs' threads.

#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::test {

using engine::JobAllowance;
using engine::JobClass;
using engine::JobProgressInfo;

class EntryWatch final : public CompactionFilter {
 public:
  const char* Name() const override { return "EntryWatch"; }
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    const uint64_t n = seen_.fetch_add(1) + 1;
    if (n >= at_.load() && at_.exchange(UINT64_MAX) != UINT64_MAX) act_();
    if (every_ != 0 && n % every_ == 0) act_();
    return false;
  }
  // From the n-th entry from now on, once; `act` runs in the job's thread.
  void At(uint64_t n, std::function<void()> act) {
    act_ = std::move(act);
    at_.store(seen_.load() + n);
  }
  // Each n-th entry of all. Before the database is opened.
  void Every(uint64_t n, std::function<void()> act) {
    act_ = std::move(act);
    every_ = n;
  }
  bool acted() const { return at_.load() == UINT64_MAX; }
  uint64_t seen() const { return seen_.load(); }

 private:
  mutable std::atomic<uint64_t> seen_{0};
  mutable std::atomic<uint64_t> at_{UINT64_MAX};
  uint64_t every_ = 0;
  std::function<void()> act_;
};

class PausableDb {
 public:
  ~PausableDb() { Close(); }

  Options& options() { return options_; }
  EntryWatch& watch() { return watch_; }

  void Open(Env* env, const std::string& path) {
    options_.env = env;
    options_.create_if_missing = true;
    options_.compaction_filter = &watch_;
    const Status status = DB::Open(options_, path, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    impl_ = dynamic_cast<engine::DBImpl*>(db_.get());
    ASSERT_NE(nullptr, impl());
  }
  void Close() {
    db_.reset();
    impl_ = nullptr;
  }
  DB* operator->() const { return db_.get(); }
  DB* get() const { return db_.get(); }

  // Nothing while the database is being opened: its first jobs may be there
  // before their watch knows it.
  void Allow(const JobAllowance& allowance, bool preempt = false) {
    engine::DBImpl* const impl = impl_;
    if (impl == nullptr) return;
    engine::MutexLock lock(&impl->state()->mu);
    impl->scheduler()->SetAllowance(allowance);
    impl->scheduler()->SetPreempt(preempt);
    impl->scheduler()->ScheduleIfDue();
  }
  // 0: as many as the options say.
  void SetSlots(int slots) {
    engine::MutexLock lock(&impl()->state()->mu);
    impl()->scheduler()->SetCompactionSlots(slots, /*helpers=*/2);
    impl()->scheduler()->ScheduleIfDue();
  }
  void PauseAll() { Allow({0, 0, 0}); }
  void ResumeAll() { Allow({}); }

  std::vector<JobProgressInfo> Jobs() {
    std::array<JobProgressInfo, engine::Compactor::kJobsShownMax> jobs;
    engine::MutexLock lock(&impl()->state()->mu);
    const size_t count = impl()->compactor()->Jobs(jobs);
    return {jobs.begin(), jobs.begin() + static_cast<ptrdiff_t>(count)};
  }
  int slots_taken() {
    engine::MutexLock lock(&impl()->state()->mu);
    return impl()->scheduler()->compactions_running();
  }
  int Count(JobProgressInfo::State state) {
    int count = 0;
    for (const JobProgressInfo& job : Jobs()) count += job.state == state;
    return count;
  }
  int paused() { return Count(JobProgressInfo::State::kPaused); }

  // Polls, so that nothing of what it waits for needs to signal. The bound is
  // for what never comes: a loaded machine may need many seconds.
  static bool Await(const std::function<bool()>& done) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }
  bool AwaitPaused(int jobs = 1) {
    return Await([&] { return paused() == jobs && slots_taken() == 0; });
  }

  // One file of level 0 with `keys` keys from `first`, `step` apart.
  void AddFile(int first, int keys, int step, size_t value_bytes,
               ColumnFamilyHandle* family = nullptr) {
    if (family == nullptr) family = db_->DefaultColumnFamily();
    for (int i = 0; i < keys; ++i) {
      const std::string key = Key(first + i * step);
      ASSERT_TRUE(db_->Put(WriteOptions(), family, key,
                           Value(first + i * step, value_bytes))
                      .ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
  }
  static std::string Key(int n) { return "key" + std::to_string(10000000 + n); }
  static std::string Value(int n, size_t bytes) {
    std::string value(bytes, static_cast<char>('a' + n % 26));
    return value.replace(0, std::min(bytes, size_t{8}),
                         std::to_string(10000000 + n).substr(0, bytes));
  }

  std::map<std::string, std::string> Rows(
      ColumnFamilyHandle* family = nullptr) {
    if (family == nullptr) family = db_->DefaultColumnFamily();
    std::map<std::string, std::string> rows;
    std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), family));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows[it->key().ToString()] = it->value().ToString();
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    return rows;
  }
  std::string Property(const std::string& name) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(name, &value)) << name;
    return value;
  }

  engine::DBImpl* impl() const { return impl_; }

 private:
  EntryWatch watch_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::atomic<engine::DBImpl*> impl_{nullptr};
};

// Names of the table files in a directory.
inline std::vector<std::string> TableFiles(Env* env, const std::string& dir) {
  std::vector<std::string> names;
  EXPECT_TRUE(env->GetChildren(dir, &names).ok());
  std::erase_if(
      names, [](const std::string& name) { return !name.ends_with(".sst"); });
  return names;
}

// Files are deleted with the last Version that holds them, which another thread
// than the job's may release a moment later.
inline bool AwaitTableFiles(Env* env, const std::string& dir, size_t count) {
  return PausableDb::Await(
      [&] { return TableFiles(env, dir).size() == count; });
}

}  // namespace ROCKSDB_NAMESPACE::test
