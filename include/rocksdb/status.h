// Status: the result of an operation.
//
// Place. Returned by nearly every public call. A success is 16 bytes without
// allocation; a failure adds one message.
//
// Model. A code says what kind of failure it is, a subcode refines it, the
// severity (set for background errors) says whether the database continues.
// ToString() is part of the interface: programs and bindings parse the text
// before the first colon.
//
// Threads. A value.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/slice.h"

// Ignoring a Status is an error inside the library; programs written for
// RocksDB do it freely, so they do not see the attribute.
#ifdef RIVERSTONE_LIBRARY
#define ROCKSDB_NODISCARD [[nodiscard]]
#else
#define ROCKSDB_NODISCARD
#endif

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ROCKSDB_NODISCARD Status {
 public:
  enum Code : unsigned char {
    kOk = 0,
    kNotFound = 1,
    kCorruption = 2,
    kNotSupported = 3,
    kInvalidArgument = 4,
    kIOError = 5,
    kMergeInProgress = 6,
    kIncomplete = 7,
    kShutdownInProgress = 8,
    kTimedOut = 9,
    kAborted = 10,
    kBusy = 11,
    kExpired = 12,
    kTryAgain = 13,
    kCompactionTooLarge = 14,
    kColumnFamilyDropped = 15,
    kMaxCode
  };

  enum SubCode : unsigned char {
    kNone = 0,
    kMutexTimeout = 1,
    kLockTimeout = 2,
    kLockLimit = 3,
    kNoSpace = 4,
    kDeadlock = 5,
    kStaleFile = 6,
    kMemoryLimit = 7,
    kSpaceLimit = 8,
    kPathNotFound = 9,
    KMergeOperandsInsufficientCapacity = 10,
    kManualCompactionPaused = 11,
    kOverwritten = 12,
    kTxnNotPrepared = 13,
    kIOFenced = 14,
    kMergeOperatorFailed = 15,
    kMergeOperandThresholdExceeded = 16,
    kPrefetchLimitReached = 17,
    kNotExpectedCodePath = 18,
    kCompactionAborted = 19,
    kMaxSubCode
  };

  // What a background error does to the database: soft errors stop
  // background work that would repeat them, hard ones stop writes, fatal and
  // unrecoverable ones need a reopen.
  enum Severity : unsigned char {
    kNoError = 0,
    kSoftError = 1,
    kHardError = 2,
    kFatalError = 3,
    kUnrecoverableError = 4,
    kMaxSeverity
  };

  Status() = default;
  ~Status() = default;
  Status(const Status& s) { CopyFrom(s); }
  Status(const Status& s, Severity sev) {
    CopyFrom(s);
    sev_ = sev;
  }
  Status(Code _code, SubCode _subcode, Severity _sev, const Slice& msg)
      : Status(_code, _subcode, msg, Slice(), _sev) {}
  Status& operator=(const Status& s) {
    if (this != &s) CopyFrom(s);
    return *this;
  }
  Status(Status&& s) noexcept { MoveFrom(s); }
  Status& operator=(Status&& s) noexcept {
    if (this != &s) MoveFrom(s);
    return *this;
  }

  // Two statuses are equal when their codes are.
  bool operator==(const Status& rhs) const { return code_ == rhs.code_; }
  bool operator!=(const Status& rhs) const { return !(*this == rhs); }

  // Kept for programs that mark statuses as checked.
  void PermitUncheckedError() const {}
  void MustCheck() const {}

  Code code() const { return code_; }
  SubCode subcode() const { return subcode_; }
  Severity severity() const { return sev_; }
  // The message, or null.
  const char* getState() const { return state_.get(); }

  // -- Makers. `msg2`, if not empty, follows `msg` after ": ".

  static Status OK() { return Status(); }
  // Success that replaced an existing value (write-batch-with-index).
  static Status OkOverwritten() { return Status(kOk, kOverwritten); }
  // Success of a point lookup that merged more operands than
  // ReadOptions::merge_operand_count_threshold.
  static Status OkMergeOperandThresholdExceeded() {
    return Status(kOk, kMergeOperandThresholdExceeded);
  }
  // NotFound: the key, file or column family does not exist.
  static Status NotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kNotFound, msg, msg2);
  }
  static Status NotFound(SubCode sub = kNone) { return Status(kNotFound, sub); }
  // Corruption: stored bytes are not what they must be.
  static Status Corruption(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kCorruption, msg, msg2);
  }
  static Status Corruption(SubCode sub = kNone) {
    return Status(kCorruption, sub);
  }
  // NotSupported: this build or this object does not support the call.
  static Status NotSupported(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kNotSupported, msg, msg2);
  }
  static Status NotSupported(SubCode sub = kNone) {
    return Status(kNotSupported, sub);
  }
  // InvalidArgument: the call was wrong; nothing changed.
  static Status InvalidArgument(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kInvalidArgument, msg, msg2);
  }
  static Status InvalidArgument(SubCode sub = kNone) {
    return Status(kInvalidArgument, sub);
  }
  // IOError: the operating system or file system failed.
  static Status IOError(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, msg, msg2);
  }
  static Status IOError(SubCode sub = kNone) { return Status(kIOError, sub); }
  // MergeInProgress: (internal) merge operands need more data.
  static Status MergeInProgress(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kMergeInProgress, msg, msg2);
  }
  static Status MergeInProgress(SubCode sub = kNone) {
    return Status(kMergeInProgress, sub);
  }
  // Incomplete: the call could not be completed without waiting or reading.
  static Status Incomplete(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIncomplete, msg, msg2);
  }
  static Status Incomplete(SubCode sub = kNone) {
    return Status(kIncomplete, sub);
  }
  // ShutdownInProgress: the database is closing.
  static Status ShutdownInProgress(const Slice& msg,
                                   const Slice& msg2 = Slice()) {
    return Status(kShutdownInProgress, msg, msg2);
  }
  static Status ShutdownInProgress(SubCode sub = kNone) {
    return Status(kShutdownInProgress, sub);
  }
  // TimedOut: a deadline or lock timeout passed.
  static Status TimedOut(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kTimedOut, msg, msg2);
  }
  static Status TimedOut(SubCode sub = kNone) { return Status(kTimedOut, sub); }
  // Aborted: stopped on purpose or by a limit.
  static Status Aborted(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kAborted, msg, msg2);
  }
  static Status Aborted(SubCode sub = kNone) { return Status(kAborted, sub); }
  // Busy: another thread or process holds it; a retry may work.
  static Status Busy(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kBusy, msg, msg2);
  }
  static Status Busy(SubCode sub = kNone) { return Status(kBusy, sub); }
  // Expired: the transaction outlived its expiration.
  static Status Expired(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kExpired, msg, msg2);
  }
  static Status Expired(SubCode sub = kNone) { return Status(kExpired, sub); }
  // TryAgain: needed history is gone; start over.
  static Status TryAgain(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kTryAgain, msg, msg2);
  }
  static Status TryAgain(SubCode sub = kNone) { return Status(kTryAgain, sub); }
  // CompactionTooLarge: the compaction exceeds its limit.
  static Status CompactionTooLarge(const Slice& msg,
                                   const Slice& msg2 = Slice()) {
    return Status(kCompactionTooLarge, msg, msg2);
  }
  static Status CompactionTooLarge(SubCode sub = kNone) {
    return Status(kCompactionTooLarge, sub);
  }
  // ColumnFamilyDropped: the column family was dropped.
  static Status ColumnFamilyDropped(const Slice& msg,
                                    const Slice& msg2 = Slice()) {
    return Status(kColumnFamilyDropped, msg, msg2);
  }
  static Status ColumnFamilyDropped(SubCode sub = kNone) {
    return Status(kColumnFamilyDropped, sub);
  }
  static Status NotFound(SubCode sub, const Slice& msg,
                         const Slice& msg2 = Slice()) {
    return Status(kNotFound, sub, msg, msg2);
  }
  static Status Corruption(SubCode sub, const Slice& msg,
                           const Slice& msg2 = Slice()) {
    return Status(kCorruption, sub, msg, msg2);
  }
  static Status Incomplete(SubCode sub, const Slice& msg,
                           const Slice& msg2 = Slice()) {
    return Status(kIncomplete, sub, msg, msg2);
  }

  // A code and a subcode at once.
  static Status NoSpace() { return Status(kIOError, kNoSpace); }
  static Status NoSpace(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kNoSpace, msg, msg2);
  }
  static Status MemoryLimit() { return Status(kAborted, kMemoryLimit); }
  static Status MemoryLimit(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kAborted, kMemoryLimit, msg, msg2);
  }
  static Status SpaceLimit() { return Status(kIOError, kSpaceLimit); }
  static Status SpaceLimit(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kSpaceLimit, msg, msg2);
  }
  static Status PathNotFound() { return Status(kIOError, kPathNotFound); }
  static Status PathNotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kPathNotFound, msg, msg2);
  }
  static Status TxnNotPrepared() {
    return Status(kInvalidArgument, kTxnNotPrepared);
  }
  static Status TxnNotPrepared(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kInvalidArgument, kTxnNotPrepared, msg, msg2);
  }

  // -- Queries.

  bool ok() const { return code_ == kOk; }
  bool IsOkOverwritten() const {
    return code_ == kOk && subcode_ == kOverwritten;
  }
  bool IsNotFound() const { return code_ == kNotFound; }
  bool IsCorruption() const { return code_ == kCorruption; }
  bool IsNotSupported() const { return code_ == kNotSupported; }
  bool IsInvalidArgument() const { return code_ == kInvalidArgument; }
  bool IsIOError() const { return code_ == kIOError; }
  bool IsMergeInProgress() const { return code_ == kMergeInProgress; }
  bool IsIncomplete() const { return code_ == kIncomplete; }
  bool IsShutdownInProgress() const { return code_ == kShutdownInProgress; }
  bool IsTimedOut() const { return code_ == kTimedOut; }
  bool IsAborted() const { return code_ == kAborted; }
  bool IsBusy() const { return code_ == kBusy; }
  bool IsExpired() const { return code_ == kExpired; }
  bool IsTryAgain() const { return code_ == kTryAgain; }
  bool IsCompactionTooLarge() const { return code_ == kCompactionTooLarge; }
  bool IsColumnFamilyDropped() const { return code_ == kColumnFamilyDropped; }
  bool IsLockLimit() const {
    return code_ == kAborted && subcode_ == kLockLimit;
  }
  bool IsDeadlock() const { return code_ == kBusy && subcode_ == kDeadlock; }
  bool IsNoSpace() const { return code_ == kIOError && subcode_ == kNoSpace; }
  bool IsMemoryLimit() const {
    return code_ == kAborted && subcode_ == kMemoryLimit;
  }
  bool IsPathNotFound() const {
    return (code_ == kIOError || code_ == kNotFound) &&
           subcode_ == kPathNotFound;
  }
  bool IsManualCompactionPaused() const {
    return code_ == kIncomplete && subcode_ == kManualCompactionPaused;
  }
  bool IsCompactionAborted() const {
    return code_ == kIncomplete && subcode_ == kCompactionAborted;
  }
  bool IsTxnNotPrepared() const {
    return code_ == kInvalidArgument && subcode_ == kTxnNotPrepared;
  }
  bool IsIOFenced() const { return code_ == kIOError && subcode_ == kIOFenced; }

  // "OK", or "<code text>: [<subcode text>[: ]]<message>".
  std::string ToString() const;

 protected:
  explicit Status(Code _code, SubCode _subcode = kNone)
      : code_(_code), subcode_(_subcode) {}
  Status(Code _code, SubCode _subcode, bool retryable, bool data_loss,
         unsigned char scope)
      : code_(_code),
        subcode_(_subcode),
        retryable_(retryable),
        data_loss_(data_loss),
        scope_(scope) {}
  Status(Code _code, SubCode _subcode, const Slice& msg, const Slice& msg2,
         Severity sev = kNoError);
  Status(Code _code, const Slice& msg, const Slice& msg2)
      : Status(_code, kNone, msg, msg2) {}

  // A terminated copy of `s`; null gives null.
  static std::unique_ptr<const char[]> CopyState(const char* s);

  void CopyFrom(const Status& s) {
    code_ = s.code_;
    subcode_ = s.subcode_;
    sev_ = s.sev_;
    retryable_ = s.retryable_;
    data_loss_ = s.data_loss_;
    scope_ = s.scope_;
    state_ = s.state_ == nullptr ? nullptr : CopyState(s.state_.get());
  }
  // Leaves `s` as OK, as programs that reuse it expect.
  void MoveFrom(Status& s) noexcept {
    code_ = std::exchange(s.code_, kOk);
    subcode_ = std::exchange(s.subcode_, kNone);
    sev_ = std::exchange(s.sev_, kNoError);
    retryable_ = std::exchange(s.retryable_, false);
    data_loss_ = std::exchange(s.data_loss_, false);
    scope_ = std::exchange(s.scope_, static_cast<unsigned char>(0));
    state_ = std::move(s.state_);
  }

  Code code_ = kOk;
  SubCode subcode_ = kNone;
  Severity sev_ = kNoError;
  bool retryable_ = false;
  bool data_loss_ = false;
  unsigned char scope_ = 0;
  std::unique_ptr<const char[]> state_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
