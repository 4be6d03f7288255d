// The texts of Status. Bindings turn the part before the first colon into
// their own error kinds, so these are interface.

#include "rocksdb/status.h"

#include <cassert>
#include <cstring>

namespace ROCKSDB_NAMESPACE {

namespace {

const char* CodeText(Status::Code code) {
  switch (code) {
    case Status::kOk:
      return "OK";
    case Status::kNotFound:
      return "NotFound: ";
    case Status::kCorruption:
      return "Corruption: ";
    case Status::kNotSupported:
      return "Not implemented: ";
    case Status::kInvalidArgument:
      return "Invalid argument: ";
    case Status::kIOError:
      return "IO error: ";
    case Status::kMergeInProgress:
      return "Merge in progress: ";
    case Status::kIncomplete:
      return "Result incomplete: ";
    case Status::kShutdownInProgress:
      return "Shutdown in progress: ";
    case Status::kTimedOut:
      return "Operation timed out: ";
    case Status::kAborted:
      return "Operation aborted: ";
    case Status::kBusy:
      return "Resource busy: ";
    case Status::kExpired:
      return "Operation expired: ";
    case Status::kTryAgain:
      return "Operation failed. Try again.: ";
    case Status::kCompactionTooLarge:
      return "Compaction too large: ";
    case Status::kColumnFamilyDropped:
      return "Column family dropped: ";
    case Status::kMaxCode:
      break;
  }
  return "Unknown code: ";
}

const char* SubCodeText(Status::SubCode subcode) {
  switch (subcode) {
    case Status::kNone:
      return "";
    case Status::kMutexTimeout:
      return "Timeout Acquiring Mutex";
    case Status::kLockTimeout:
      return "Timeout waiting to lock key";
    case Status::kLockLimit:
      return "Failed to acquire lock due to max_num_locks limit";
    case Status::kNoSpace:
      return "No space left on device";
    case Status::kDeadlock:
      return "Deadlock";
    case Status::kStaleFile:
      return "Stale file handle";
    case Status::kMemoryLimit:
      return "Memory limit reached";
    case Status::kSpaceLimit:
      return "Space limit reached";
    case Status::kPathNotFound:
      return "No such file or directory";
    case Status::KMergeOperandsInsufficientCapacity:
      return "Insufficient capacity for merge operands";
    case Status::kManualCompactionPaused:
      return "Manual compaction paused";
    case Status::kOverwritten:
      return "Overwritten";
    case Status::kTxnNotPrepared:
      return "Txn not prepared";
    case Status::kIOFenced:
      return "IO fenced off";
    case Status::kMergeOperatorFailed:
      return "Merge operator failed";
    case Status::kMergeOperandThresholdExceeded:
      return "Number of operands merged exceeded threshold";
    case Status::kPrefetchLimitReached:
      return "Prefetch limit reached";
    case Status::kNotExpectedCodePath:
      return "Not expected code path";
    case Status::kCompactionAborted:
      return "Compaction aborted";
    case Status::kMaxSubCode:
      break;
  }
  return "Unknown subcode";
}

}  // namespace

Status::Status(Code code, SubCode subcode, const Slice& msg, const Slice& msg2,
               Severity sev)
    : code_(code), subcode_(subcode), sev_(sev) {
  assert(subcode != kMaxSubCode);
  const size_t size = msg.size() + (msg2.empty() ? 0 : 2 + msg2.size());
  char* const text = new char[size + 1];
  char* p = text;
  if (!msg.empty()) memcpy(p, msg.data(), msg.size());
  p += msg.size();
  if (!msg2.empty()) {
    memcpy(p, ": ", 2);
    memcpy(p + 2, msg2.data(), msg2.size());
    p += 2 + msg2.size();
  }
  *p = '\0';
  state_.reset(text);
}

std::unique_ptr<const char[]> Status::CopyState(const char* s) {
  if (s == nullptr) return nullptr;
  const size_t size = strlen(s) + 1;
  char* const text = new char[size];
  memcpy(text, s, size);
  return std::unique_ptr<const char[]>(text);
}

std::string Status::ToString() const {
  std::string text = CodeText(code_);
  if (code_ == kOk) return text;
  if (subcode_ != kNone) {
    text += SubCodeText(subcode_);
    if (state_ != nullptr) text += ": ";
  }
  if (state_ != nullptr) text += state_.get();
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
