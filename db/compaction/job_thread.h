// JobThread: marks a thread that works for a compaction.
//
// Place. On the stack of every thread that runs a job or a slice of one. The
// compactor asks for it when a caller wants to wait for jobs: a callback that a
// job makes must not wait for this job.
//
// Model. A stack for each thread, because a callback of one database's job may
// call another database.
//
// Threads. Each thread sees its own marks.

#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class JobThread {
 public:
  // `owner` tells databases apart; null: of none.
  explicit JobThread(const void* owner) : owner_(owner), outer_(innermost) {
    innermost = this;
  }
  ~JobThread() { innermost = outer_; }
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // Does this thread work for a job of `owner`?
  static bool WorksFor(const void* owner) {
    const JobThread* mark = innermost;
    while (mark != nullptr && mark->owner_ != owner) mark = mark->outer_;
    return mark != nullptr;
  }
  // Of the last mark; null without one.
  static const void* CurrentOwner() {
    return innermost == nullptr ? nullptr : innermost->owner_;
  }

 private:
  static inline thread_local constinit const JobThread* innermost = nullptr;

  const void* const owner_;
  const JobThread* const outer_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
