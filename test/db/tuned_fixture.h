// TunedDb: a database under the adaptive tuner, in a state a test chooses.
//
// Model. A listener holds compactions where they begin, by the level they
// start from, so that level 0 and the debt grow as far as a test wants. The
// timer ticks ten times a second; Tick() does it now.
//
// Threads. Any.

#pragma once

#include <gtest/gtest.h>

#include <climits>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "env/io_gate.h"
#include "rocksdb/listener.h"
#include "test/db/pause_fixture.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE::test {

class LevelHold final : public EventListener {
 public:
  // One compaction from this level (-1: any below 0) waits where it begins.
  // Others pass: how many more the tuner starts depends on its ticks.
  void Hold(int level) { Set(level, true); }
  void Release(int level) { Set(level, false); }
  void ReleaseAll() {
    Release(0);
    Release(-1);
  }
  void OnlyOf(const std::string& family) { family_ = family; }
  int held() const {
    std::lock_guard lock(mu_);
    return runs_.held + debt_.held;
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    std::unique_lock lock(mu_);
    if (!family_.empty() && info.cf_name != family_) return;
    Kind& kind = info.base_input_level == 0 ? runs_ : debt_;
    // A move has nothing to be paused.
    const bool moves =
        info.base_input_level > 0 && info.input_files.size() == 1;
    if (!kind.on || kind.held || moves) return;
    kind.held = true;
    changed_.wait(lock, [&] { return !kind.on; });
    kind.held = false;
  }

 private:
  struct Kind {
    bool on = false;
    bool held = false;
  };

  void Set(int level, bool on) {
    std::lock_guard lock(mu_);
    (level == 0 ? runs_ : debt_).on = on;
    changed_.notify_all();
  }
  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::string family_;  // Empty: of all.
  Kind runs_;
  Kind debt_;
};

class TunedDb : public PausableDb {
 public:
  static constexpr int kKeys = 1000;

  TunedDb() {
    Options& o = options();
    o.auto_tuned_compaction = true;
    o.compression = kNoCompression;
    o.write_buffer_size = 1 << 20;
    o.max_background_jobs = 4;
    o.level0_file_num_compaction_trigger = 2;
    o.level0_slowdown_writes_trigger = 4;
    o.level0_stop_writes_trigger = 12;
    o.level_compaction_dynamic_level_bytes = false;
    o.max_bytes_for_level_base = 50 << 10;
    o.target_file_size_base = 64 << 10;
    o.listeners = {hold_};
  }
  ~TunedDb() {
    hold_->ReleaseAll();
    Close();
  }

  LevelHold& hold() { return *hold_; }
  void Tick() { impl()->tuning()->Tick(); }
  void TickTimes(int n) {
    for (int i = 0; i < n; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      Tick();
    }
  }
  engine::DbState& state() { return *impl()->state(); }
  // What writers are held to, beyond what they ask for.
  uint64_t pacing() {
    engine::MutexLock lock(&state().mu);
    return state().tuning.pacing_bytes_per_second;
  }
  bool stopped() { return state().controller.IsStopped(); }
  int debt_jobs_max() {
    engine::MutexLock lock(&state().mu);
    return impl()->scheduler()->allowance().Of(JobClass::kDebt);
  }
  int level0_files(ColumnFamilyHandle* family = nullptr) {
    if (family == nullptr) family = (*this)->DefaultColumnFamily();
    std::string files;
    EXPECT_TRUE(
        (*this)->GetProperty(family, "rocksdb.num-files-at-level0", &files));
    return files.empty() ? INT_MAX : std::stoi(files);
  }

  // Level 0 is nearly full, its merge stands still, and a compaction of deeper
  // levels is paused. Writers are now paced or stopped.
  void Press(ColumnFamilyHandle* family = nullptr) {
    if (family == nullptr) family = (*this)->DefaultColumnFamily();
    // Something below level 1, or files would be moved without a job.
    for (int i = 0; i < 2; ++i) AddFile(i, kKeys, 2, 100, family);
    CompactRangeOptions to_level2;
    to_level2.change_level = true;
    to_level2.target_level = 2;
    Ok((*this)->CompactRange(to_level2, family, nullptr, nullptr));
    hold_->Hold(-1);
    AddFile(0, kKeys, 2, 100, family);
    AddFile(1, kKeys, 2, 100, family);
    ASSERT_TRUE(Await([&] { return hold_->held() == 1; }));  // L1 to L2.
    hold_->Hold(0);
    // Merges that are not held may take files away meanwhile.
    ASSERT_TRUE(Await([&] {
      for (int i = 0; level0_files(family) < 10; ++i) {
        AddFile(i, kKeys, 2, 100, family);
      }
      Tick();
      return debt_jobs_max() == 0;
    }));
    hold_->Release(-1);
    ASSERT_TRUE(Await([&] { return paused() == 1; }));
  }

  // Is everything the tuner can move where static behaviour has it?
  std::string NotStatic() {
    engine::MutexLock lock(&state().mu);
    std::string found;
    const auto check = [&](bool good, const char* what) {
      if (!good) found += std::string(what) + " ";
    };
    check(!state().tuning.adaptive, "adaptive");
    check(state().tuning.pacing_bytes_per_second == 0, "pacing");
    check(state().pacer.rate() == 0, "pacer");
    check(state().store.io_gate->budget() == engine::IoBudget{}, "budget");
    check(impl()->scheduler()->allowance() == JobAllowance{}, "allowance");
    for (const auto& family : state().families->all()) {
      check(family->shape() == engine::FamilyDecision{}, "shape");
      const engine::StallVerdict own =
          engine::JudgeWriteStall(engine::StallMonitor::LevelsOf(*family),
                                  engine::StallMonitor::LimitsOf(*family));
      check(own.condition == family->stall().verdict.condition, "stall");
    }
    return found;
  }

 private:
  const std::shared_ptr<LevelHold> hold_ = std::make_shared<LevelHold>();
};

}  // namespace ROCKSDB_NAMESPACE::test
