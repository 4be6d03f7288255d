// What should the background do next? Pure.
//
// Place. Asked by the scheduler, under the DB mutex, whenever something may
// have changed (a memtable was sealed, a job ended or paused, an option or an
// allowance was set), again and again until the answer is kNothing; asked by
// the simulator in the same way.
//
// Model. Flushes and compactions have separate slots. A slot is a thread of a
// pool; a paused job has none. On top of the slots each class of compactions
// has an allowance: how many of its jobs may run now. In order:
//
//   1. flush                    a full memtable stops writers soonest
//   2. pause                    a class has more running jobs than allowed
//   3. per class, urgent first: go on with a paused job, else start a new
//      one, if a slot is free; if none is and `preempt` is set, pause a job
//      of a less urgent class instead
//
// JobAllowance{} with no preemption is the static behaviour: no pause ever,
// and any class may be picked, so that scores alone decide.
//
// Manual compactions run in their caller's thread: they count for the
// allowance of maintenance, but hold no slot.

#pragma once

#include <array>
#include <climits>
#include <cstdint>

#include "db/compaction/job_class.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class JobKind : uint8_t { kFlush, kCompaction };

// How many jobs of each class may run now.
struct JobAllowance {
  int runs = INT_MAX;
  int debt = INT_MAX;
  int maintenance = INT_MAX;

  int Of(JobClass job_class) const {
    switch (job_class) {
      case JobClass::kRuns:
        return runs;
      case JobClass::kDebt:
        return debt;
      default:
        return maintenance;
    }
  }
  bool operator==(const JobAllowance&) const = default;
};

struct JobLimits {
  int flushes = 1;
  int compactions = 1;  // Slots.
  JobAllowance allowance;
  // A job of a more urgent class takes the slot of a less urgent one.
  bool preempt = false;
};

// The compactions of one class.
struct JobClassDemand {
  int waiting = 0;    // Families that ask for one.
  int running = 0;    // With a slot, and could be paused.
  int pausing = 0;    // Told to pause, slot not given back yet.
  int finishing = 0;  // With a slot, too late to pause.
  int paused = 0;     // Without a slot.
};

struct ManualDemand {
  int running = 0;
  int pausing = 0;
  int paused = 0;
};

struct JobDemand {
  int flushes_waiting = 0;
  int flushes_running = 0;  // Started or handed to the pool.
  bool flushes_allowed = true;

  // Families that ask for a compaction of any class.
  int compactions_waiting = 0;
  // Slots taken: jobs in the pool, and tasks that have not begun.
  int compactions_running = 0;
  // Of these not begun. Such a task asks again once it has its thread, so it
  // serves whatever is most urgent then.
  int compactions_handed = 0;
  bool compactions_allowed = true;  // To start; else only to go on.
  bool resume_allowed = true;
  // A caller waits for all jobs, so ignore the allowances.
  bool drain = false;
  std::array<JobClassDemand, kJobClassCount> classes;
  ManualDemand manual;

  JobClassDemand& Of(JobClass c) { return classes[static_cast<size_t>(c)]; }
  const JobClassDemand& Of(JobClass c) const {
    return classes[static_cast<size_t>(c)];
  }
};

struct JobAction {
  enum class Kind : uint8_t {
    kNothing,
    kStartFlush,
    kStart,    // One compaction of any of `classes`.
    kResume,   // A paused job of `job_class`, in a new slot.
    kPause,    // A running job of `job_class`.
    kUnpause,  // Of `job_class`: take a pause back that frees no slot.
  };

  // Which jobs of a class: a manual one frees no slot.
  enum class Which : uint8_t { kAny, kAutomatic, kManual };

  Kind kind = Kind::kNothing;
  JobClass job_class = JobClass::kRuns;
  JobClassSet classes;
  // kPause: the slot is for starting a job of this set, if one can be found.
  JobClassSet for_start;
  Which which = Which::kAny;  // kPause, kUnpause.

  bool operator==(const JobAction&) const = default;
};

JobAction NextJob(const JobDemand& demand, const JobLimits& limits);

}  // namespace ROCKSDB_NAMESPACE::engine
