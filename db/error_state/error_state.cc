#include "db/error_state/error_state.h"

#include <algorithm>
#include <cassert>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Severity = Status::Severity;
using Reason = BackgroundErrorReason;

bool FromCompaction(Reason reason) { return reason == Reason::kCompaction; }

bool FromFlush(Reason reason) {
  return reason == Reason::kFlush || reason == Reason::kFlushNoWAL;
}

// No room on the device: space may come back, so nothing is fatal.
Severity OutOfSpace(const Status& error, Reason reason, bool paranoid) {
  if (FromCompaction(reason)) {
    if (error.subcode() == Status::kSpaceLimit) return Severity::kHardError;
    return paranoid ? Severity::kSoftError : Severity::kNoError;
  }
  if (FromFlush(reason) && !paranoid) return Severity::kNoError;
  return Severity::kHardError;
}

Severity Retryable(Reason reason) {
  if (FromCompaction(reason)) return Severity::kSoftError;
  if (FromFlush(reason)) return Severity::kSoftError;
  return Severity::kHardError;
}

}  // namespace

bool IsOutOfSpace(const Status& error) {
  return error.IsIOError() && (error.subcode() == Status::kNoSpace ||
                               error.subcode() == Status::kSpaceLimit);
}

Severity ClassifyError(const Status& error, Reason reason,
                       bool paranoid_checks) {
  const bool background = FromCompaction(reason) || FromFlush(reason);
  if (error.IsIOError()) {
    if (IsOutOfSpace(error)) return OutOfSpace(error, reason, paranoid_checks);
    if (error.subcode() == Status::kIOFenced) return Severity::kFatalError;
    if (status_to_io_status(Status(error)).GetRetryable()) {
      return Retryable(reason);
    }
  }
  if (background && !paranoid_checks) return Severity::kNoError;
  // Memory may become available again, unless the reporter set a higher
  // severity.
  if (error.IsMemoryLimit()) {
    return std::max(Retryable(reason), error.severity());
  }
  if (error.IsCorruption()) return Severity::kUnrecoverableError;
  return Severity::kFatalError;
}

Status ErrorState::Set(const Status& error, Reason reason) {
  ++error_count_;
  const Status classified = Classified(error, reason);
  Restore(classified, reason);
  return classified;
}

void ErrorState::Restore(const Status& classified, Reason reason) {
  assert(stopped() == (error_.severity() >= Severity::kHardError));
  const Severity severity = classified.severity();
  if (severity <= error_.severity()) return;  // (1), (2)
  error_ = classified;
  reason_ = reason;
  stopped_.store(severity >= Severity::kHardError, std::memory_order_relaxed);
}

void ErrorState::Clear() {
  ++clear_count_;
  error_ = Status::OK();
  stopped_.store(false, std::memory_order_relaxed);
}

bool ErrorState::AutoResumable() const {
  assert(stopped() == (error_.severity() >= Severity::kHardError));
  if (error_.severity() != Severity::kSoftError &&
      error_.severity() != Severity::kHardError) {
    return false;
  }
  // The limit is the program's, which calls Resume() after it has raised it.
  if (error_.subcode() == Status::kSpaceLimit) return false;
  return error_.IsIOError() || error_.IsMemoryLimit();
}

}  // namespace ROCKSDB_NAMESPACE::engine
