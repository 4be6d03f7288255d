#include "rocksdb/status.h"

#include <cassert>
#include <cstring>

namespace ROCKSDB_NAMESPACE {

namespace {

// Parsed by programs up to the colon: part of the interface.
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
  static const char* const kTexts[] = {
      "",
      "Timeout Acquiring Mutex",
      "Timeout waiting to lock key",
      "Failed to acquire lock due to max_num_locks limit",
      "No space left on device",
      "Deadlock",
      "Stale file handle",
      "Memory limit reached",
      "Space limit reached",
      "No such file or directory",
      "Insufficient capacity for merge operands",
      "Manual compaction paused",
      " (overwritten)",
      "Txn not prepared",
      "IO fenced off",
      "Merge operator failed",
      "Number of operands merged exceeded threshold",
      "MultiScan reached file prefetch limit",
      "Not expected code path",
      "Compaction aborted",
  };
  static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == Status::kMaxSubCode);
  return subcode < Status::kMaxSubCode ? kTexts[subcode] : "";
}

}  // namespace

Status::Status(Code _code, SubCode _subcode, const Slice& msg,
               const Slice& msg2, Severity sev)
    : code_(_code), subcode_(_subcode), sev_(sev) {
  assert(subcode_ != kMaxSubCode);
  const size_t joined = msg2.empty() ? 0 : 2 + msg2.size();
  auto* const text = new char[msg.size() + joined + 1];
  char* end = text;
  if (!msg.empty()) memcpy(end, msg.data(), msg.size());
  end += msg.size();
  if (!msg2.empty()) {
    *end++ = ':';
    *end++ = ' ';
    memcpy(end, msg2.data(), msg2.size());
    end += msg2.size();
  }
  *end = '\0';
  state_.reset(text);
}

std::unique_ptr<const char[]> Status::CopyState(const char* s) {
  if (s == nullptr) return nullptr;
  const size_t size = strlen(s) + 1;  // With the terminator.
  auto* const copy = new char[size];
  memcpy(copy, s, size);
  return std::unique_ptr<const char[]>(copy);
}

std::string Status::ToString() const {
  if (code_ == kOk) return "OK";
  std::string text = CodeText(code_);
  if (subcode_ != kNone) text += SubCodeText(subcode_);
  if (state_ != nullptr) {
    if (subcode_ != kNone) text += ": ";
    text += state_.get();
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
