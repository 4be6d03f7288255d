#include "test/stress/model_checker/run.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "test/stress/model_checker/accounts.h"
#include "test/stress/model_checker/compare.h"
#include "test/stress/model_checker/copy_ops.h"
#include "test/stress/model_checker/fault_thread.h"
#include "test/stress/model_checker/neighbour.h"
#include "test/stress/model_checker/transactions.h"
#include "test/stress/model_checker/worker.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// Seeds of different parts must not be the same.
uint64_t Mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t state = a * 1000003 + b * 10007 + c;
  return engine::SplitMix64(&state);
}

class Process {
 public:
  Process(const Flags& flags, const Plan& plan, ExpectedState* expected,
          const std::string& dir)
      : flags_(flags),
        plan_(plan),
        expected_(*expected),
        locks_(plan.shape),
        database_(plan, expected, dir),
        shared_{plan_, expected_, locks_, database_, failures_, {}, {}},
        main_(&shared_, "main thread", Mix(plan.seed, flags.round, 0)) {
    for (int i = 0; i < plan.threads; ++i) {
      workers_.push_back(std::make_unique<Worker>(
          &shared_, "thread " + std::to_string(i),
          Mix(plan.seed, flags.round, static_cast<uint64_t>(i) + 1)));
    }
  }

  int Run() {
    std::vector<Watchdog::Watched> watched{{"main thread", &main_.activity}};
    for (const auto& worker : workers_) {
      watched.push_back(
          {worker->context().name(), &worker->context().activity});
    }
    const Watchdog watchdog(flags_.stall_seconds, watched,
                            [this] { return Describe(); });
    if (flags_.round > 0) expected_.ForgetVolatile();
    if (Open()) {
      uint64_t phase = 0;
      while (Phase(phase) && (flags_.endless || ++phase < plan_.phases)) {
      }
    }
    for (const auto& worker : workers_) worker->ReleaseAll();
    const Doing doing(&main_.activity, "Close");
    main_.Ok(database_.Close(true), "Close");
    if (!failures_.any()) return 0;
    std::fprintf(stderr, "%s\n", database_.options().text.c_str());
    return 1;
  }

 private:
  // Opens with new options, perhaps with faults at first, and compares.
  bool Open() {
    const Doing doing(&main_.activity, "Open");
    if (!main_.Ok(database_.SettleSlots(), "families on disk")) return false;
    if (plan_.faults && main_.Chance(300)) {
      main_.Ok(database_.faults()->SetRule(DrawFault(&main_.random)), "rule");
      const Status status = database_.Open(NextOpening());
      database_.faults()->ClearRule();
      expected_.totals().faults += database_.faults()->injected();
      if (main_.Ok(status, "Open")) return Opened();
      if (failures_.any()) return false;
      if (!main_.Ok(database_.Close(false), "Close")) return false;
    }
    if (!main_.Ok(database_.Open(NextOpening()), "Open")) return false;
    return Opened();
  }
  // Options differ each time, also after a kill.
  uint64_t NextOpening() { return 100 * flags_.round + openings_++; }
  bool Opened() {
    ++expected_.totals().reopenings;
    shared_.unordered = database_.options().db.unordered_write;
    if (!Heal()) return false;
    DecideFound(&main_);
    FillAccounts(&main_);
    Compare("after opening");
    SettleDoubts(&main_);
    expected_.RaiseAll();  // What an opening has found is in files.
    return !failures_.any();
  }
  void Compare(const char* what) {
    const AllSlotsUse use(&main_);
    Words pending = PendingWords(&main_, use.slots());
    LeaveOutPrepared(&main_, &pending);
    CompareAll(&main_, database_, CommittedWords(&main_, use.slots()), pending,
               what);
  }

  // All threads work, stop, and everything is compared.
  bool Phase(uint64_t phase) {
    {
      std::unique_ptr<FaultThread> faults;
      if (plan_.faults) {
        faults = std::make_unique<FaultThread>(
            &shared_, Mix(plan_.seed, flags_.round, 1000 + phase));
      }
      std::unique_ptr<Neighbour> neighbour;
      if (plan_.neighbour) {
        neighbour = std::make_unique<Neighbour>(
            &shared_, Mix(plan_.seed, flags_.round, 2000 + phase));
      }
      std::vector<std::thread> threads;
      for (const auto& worker : workers_) {
        threads.emplace_back([&] { worker->Run(plan_.operations); });
      }
      for (std::thread& thread : threads) thread.join();
    }
    if (failures_.any()) return false;
    ++expected_.totals().phases;
    if (!Heal()) return Reopen(/*healed=*/false);
    Compare("after a phase");
    if (failures_.any()) return false;
    SettleDoubts(&main_);
    if (HasUnsettled(&expected_)) return Reopen(/*healed=*/true);
    if (plan_.shape.filtered && !plan_.faults && FiltersNow(phase)) {
      CompareFiltered(&main_);
    }
    if (main_.Chance(300)) CompareReadOnly(&main_);
    if (main_.Chance(600) || Unsettled()) return Reopen(/*healed=*/true);
    return !failures_.any();
  }

  // Drawn apart, so that the main thread draws the same without filters.
  bool FiltersNow(uint64_t phase) {
    return engine::Random64(Mix(plan_.seed, flags_.round, 3000 + phase))
        .OneIn(3);
  }

  // A family that may be there or not.
  bool Unsettled() {
    for (int slot = 0; slot < plan_.shape.slots; ++slot) {
      const SlotState state = expected_.slot_state(slot);
      if (state == SlotState::kCreating || state == SlotState::kDropping) {
        return true;
      }
    }
    return false;
  }

  // After faults: true if the database works again without being reopened.
  bool Heal() {
    if (!plan_.faults) return true;
    const Doing doing(&main_.activity, "Resume after faults");
    for (int i = 0; i < 200; ++i) {
      const Status status = database_.db()->Resume();
      if (status.ok()) return true;
      if (!status.IsBusy()) {
        main_.Ok(status, "Resume");
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    main_.Fail("Resume is busy for four seconds after the last fault");
    return false;
  }

  // A flush that ends after its family was dropped must leave no table behind.
  bool DropBesideAFlush() {
    const Doing doing(&main_.activity, "Drop a family beside its flush");
    DB* const db = database_.db();
    ColumnFamilyOptions options;
    options.enable_blob_files = main_.Chance(500);
    ColumnFamilyHandle* family = nullptr;
    if (!main_.Ok(db->CreateColumnFamily(options, "passing", &family),
                  "CreateColumnFamily")) {
      return false;
    }
    FlushOptions at_once;
    at_once.wait = false;
    at_once.allow_write_stall = true;
    const bool dropped =
        FillUnpaced(family) && main_.Ok(db->Flush(at_once, family), "Flush") &&
        main_.Ok(db->DropColumnFamily(family), "DropColumnFamily");
    return main_.Ok(db->DestroyColumnFamilyHandle(family),
                    "DestroyColumnFamilyHandle") &&
           dropped;
  }

  // Two megabytes, or fewer where writers are slowed for two seconds.
  bool FillUnpaced(ColumnFamilyHandle* family) {
    const std::string value(1000, 'v');
    WriteOptions unpaced;
    unpaced.no_slowdown = true;
    int slowed = 0;
    for (int i = 0; i < 2000 && slowed < 100;) {
      const Status put =
          database_.db()->Put(unpaced, family, std::to_string(i), value);
      if (put.IsIncomplete()) {
        ++slowed;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
      if (!main_.Ok(put, "Put")) return false;
      ++i;
    }
    return true;
  }

  // No reader is left, so every file belongs to a family. Those of a job that
  // runs belong to none yet; a file that every pass finds is of no such job.
  bool CheckFiles() {
    const Doing doing(&main_.activity, "Compare files with families");
    WaitForCompactOptions wait;
    wait.wait_for_purge = true;
    std::set<std::string> always;
    for (int i = 0; i < 50; ++i) {
      if (!main_.Ok(database_.db()->WaitForCompact(wait), "WaitForCompact")) {
        return false;
      }
      std::set<std::string> orphans;
      if (!main_.Ok(database_.Orphans(&orphans), "list files")) return false;
      if (i == 0) always = orphans;
      std::erase_if(always, [&](const std::string& name) {
        return !orphans.contains(name);
      });
      if (always.empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    main_.Fail(*always.begin() + " belongs to no family and is not deleted (" +
               std::to_string(always.size()) + " such files)");
    return false;
  }

  bool Reopen(bool healed) {
    if (failures_.any()) return false;
    for (const auto& worker : workers_) worker->ReleaseAll();
    // Where calls fail, deletions do, too; a kill would leave the family.
    if (healed && !plan_.faults && !plan_.kills && main_.Chance(500) &&
        !DropBesideAFlush()) {
      return false;
    }
    if (healed && !plan_.faults && !CheckFiles()) return false;
    {
      const Doing doing(&main_.activity, "Close");
      const bool closed = main_.Ok(database_.Close(main_.Chance(500)), "Close");
      // A database that an error has stopped flushes nothing when it closes.
      if (healed && closed) {
        expected_.RaiseAll();
      } else {
        expected_.ForgetVolatile();
      }
    }
    return !failures_.any() && Open();
  }

  // For the watchdog.
  std::string Describe() {
    DB* const db = database_.db();
    if (db == nullptr) return "the database is not open\n";
    std::string text;
    for (const char* name :
         {"rocksdb.is-write-stopped", "rocksdb.actual-delayed-write-rate",
          "rocksdb.num-running-flushes", "rocksdb.num-running-compactions",
          "rocksdb.background-errors", "rocksdb.write-limit",
          "rocksdb.stats"}) {
      std::string value;
      if (db->GetProperty(name, &value)) {
        text += std::string(name) + ": " + value + "\n";
      }
    }
    return text;
  }

  const Flags& flags_;
  const Plan plan_;
  ExpectedState& expected_;
  KeyLocks locks_;
  Database database_;
  Failures failures_;
  Shared shared_;
  ThreadContext main_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t openings_ = 0;
};

}  // namespace

int RunProcess(const Flags& flags, const std::string& dir) {
  const Plan plan = DrawPlan(flags);
  std::unique_ptr<ExpectedState> expected;
  const Status status =
      ExpectedState::Open(dir + "/expected", plan.shape, &expected);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 2;
  }
  return Process(flags, plan, expected.get(), dir).Run();
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
