// IOStatus: the Status of a file operation, with flags that say whether a retry
// may succeed.
//
// Place. Returned by every call of FileSystem and its files. It converts to
// Status by slicing; `retryable` decides whether the database resumes by
// itself after a background error.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ROCKSDB_NODISCARD IOStatus : public Status {
 public:
  using Code = Status::Code;
  using SubCode = Status::SubCode;

  // How much the failure concerns.
  enum IOErrorScope : unsigned char {
    kIOErrorScopeFileSystem,
    kIOErrorScopeFile,
    kIOErrorScopeRange,
    kIOErrorScopeMax,
  };

  IOStatus() = default;
  IOStatus(const IOStatus&) = default;
  IOStatus& operator=(const IOStatus&) = default;
  IOStatus(IOStatus&&) noexcept = default;
  IOStatus& operator=(IOStatus&&) noexcept = default;
  ~IOStatus() = default;

  void SetRetryable(bool retryable) { retryable_ = retryable; }
  void SetDataLoss(bool data_loss) { data_loss_ = data_loss; }
  void SetScope(IOErrorScope scope) { scope_ = scope; }
  bool GetRetryable() const { return retryable_; }
  bool GetDataLoss() const { return data_loss_; }
  IOErrorScope GetScope() const { return static_cast<IOErrorScope>(scope_); }

  static IOStatus OK() { return IOStatus(); }
  static IOStatus NotSupported(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kNotSupported, kNone, msg, msg2);
  }
  static IOStatus NotSupported(SubCode sub = kNone) {
    return IOStatus(kNotSupported, sub);
  }
  static IOStatus NotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kNotFound, kNone, msg, msg2);
  }
  static IOStatus NotFound(SubCode sub = kNone) {
    return IOStatus(kNotFound, sub);
  }
  static IOStatus Corruption(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kCorruption, kNone, msg, msg2);
  }
  static IOStatus Corruption(SubCode sub = kNone) {
    return IOStatus(kCorruption, sub);
  }
  static IOStatus InvalidArgument(const Slice& msg,
                                  const Slice& msg2 = Slice()) {
    return IOStatus(kInvalidArgument, kNone, msg, msg2);
  }
  static IOStatus InvalidArgument(SubCode sub = kNone) {
    return IOStatus(kInvalidArgument, sub);
  }
  static IOStatus IOError(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kNone, msg, msg2);
  }
  static IOStatus IOError(SubCode sub = kNone) {
    return IOStatus(kIOError, sub);
  }
  static IOStatus Busy(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kBusy, kNone, msg, msg2);
  }
  static IOStatus Busy(SubCode sub = kNone) { return IOStatus(kBusy, sub); }
  static IOStatus TimedOut(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kTimedOut, kNone, msg, msg2);
  }
  static IOStatus TimedOut(SubCode sub = kNone) {
    return IOStatus(kTimedOut, sub);
  }
  static IOStatus Aborted(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kAborted, kNone, msg, msg2);
  }
  static IOStatus Aborted(SubCode sub = kNone) {
    return IOStatus(kAborted, sub);
  }
  static IOStatus Incomplete(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIncomplete, kNone, msg, msg2);
  }
  static IOStatus Incomplete(SubCode sub = kNone) {
    return IOStatus(kIncomplete, sub);
  }
  static IOStatus ShutdownInProgress(const Slice& msg,
                                     const Slice& msg2 = Slice()) {
    return IOStatus(kShutdownInProgress, kNone, msg, msg2);
  }
  static IOStatus ShutdownInProgress(SubCode sub = kNone) {
    return IOStatus(kShutdownInProgress, sub);
  }
  static IOStatus NoSpace() { return IOStatus(kIOError, kNoSpace); }
  static IOStatus NoSpace(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kNoSpace, msg, msg2);
  }
  static IOStatus PathNotFound() { return IOStatus(kIOError, kPathNotFound); }
  static IOStatus PathNotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kPathNotFound, msg, msg2);
  }
  static IOStatus IOFenced() { return IOStatus(kIOError, kIOFenced); }
  static IOStatus IOFenced(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kIOFenced, msg, msg2);
  }

 private:
  friend IOStatus status_to_io_status(Status&&);

  explicit IOStatus(Code _code, SubCode _subcode = kNone)
      : Status(_code, _subcode, false, false, kIOErrorScopeFileSystem) {}
  IOStatus(Code _code, SubCode _subcode, const Slice& msg, const Slice& msg2)
      : Status(_code, _subcode, msg, msg2) {}
};

// Keeps code, subcode, message and flags.
inline IOStatus status_to_io_status(Status&& status) {
  IOStatus io_status;
  static_cast<Status&>(io_status) = std::move(status);
  return io_status;
}

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
