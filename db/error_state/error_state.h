// ErrorState: the sticky background error and how it may be left again.
//
// Place. Written by the write path, flush, compaction and MANIFEST writes;
// asked by every write and by the scheduler. Knows neither jobs nor files.
//
// Model. An error is classified once by where it happened, what it is and
// whether the file system calls it retryable (RocksDB's severities):
//
//   none         nothing is remembered
//   soft         writes go on, compaction waits, flush goes on
//   hard         writes stop until Resume() or automatic resume succeeds
//   fatal        writes stop until the database is closed and reopened
//   unrecoverable as fatal; the data on disk is damaged
//
// Invariants:
//   (1) Severity never falls except through Clear().
//   (2) The first error of the highest severity is the one reported.
//
// Threads. Everything under the DB mutex, except stopped() and Classified(),
// which any thread may ask.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// The disk is full, or the limit of an SstFileManager is reached.
bool IsOutOfSpace(const Status& error);

// The severity RocksDB gives to `error` at `reason`.
Status::Severity ClassifyError(const Status& error,
                               BackgroundErrorReason reason,
                               bool paranoid_checks);

class ErrorState {
 public:
  explicit ErrorState(bool paranoid_checks)
      : paranoid_checks_(paranoid_checks) {}

  // `error` with its severity.
  Status Classified(const Status& error, BackgroundErrorReason reason) const {
    return {error, ClassifyError(error, reason, paranoid_checks_)};
  }
  // Remembers `error` if it is severer than what is remembered. Returns the
  // error with its severity; OK severity means that work simply goes on.
  Status Set(const Status& error, BackgroundErrorReason reason)
      REQUIRES_LOCK(kStateLock);

  // Forgets the error: a resume begins.
  void Clear() REQUIRES_LOCK(kStateLock);
  // How often Clear() was called.
  uint64_t clear_count() const REQUIRES_LOCK(kStateLock) {
    return clear_count_;
  }
  // The resume has failed: an error that Set() classified is back, unless a
  // severer one has come. It is not counted again.
  void Restore(const Status& classified, BackgroundErrorReason reason)
      REQUIRES_LOCK(kStateLock);

  const Status& error() const REQUIRES_LOCK(kStateLock) { return error_; }
  BackgroundErrorReason reason() const REQUIRES_LOCK(kStateLock) {
    return reason_;
  }
  uint64_t error_count() const REQUIRES_LOCK(kStateLock) {
    return error_count_;
  }

  // Writes must fail.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool CompactionsAllowed() const REQUIRES_LOCK(kStateLock) {
    return error_.severity() == Status::Severity::kNoError;
  }
  bool FlushesAllowed() const REQUIRES_LOCK(kStateLock) {
    return error_.severity() < Status::Severity::kHardError;
  }
  // An automatic resume may be tried: soft or hard, and not damage.
  bool AutoResumable() const REQUIRES_LOCK(kStateLock);

 private:
  const bool paranoid_checks_;
  Status error_;
  BackgroundErrorReason reason_ = BackgroundErrorReason::kFlush;
  uint64_t error_count_ = 0;
  uint64_t clear_count_ = 0;
  std::atomic<bool> stopped_{false};
};

}  // namespace ROCKSDB_NAMESPACE::engine
