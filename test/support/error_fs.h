// ErrorFileSystem: fails chosen calls, and writes down all of them.
//
// Place. Wrapped around the in-memory file system by error tests; also used
// alone to record the order of file operations (event goldens).
// Model. A rule says which calls fail and how:
//
//   (ErrInjected (And Writes (PathMatch "*.sst") (OnIndex 5)))
//
//   errors       ErrInjected     an I/O error
//                ErrRetryable    the same, marked retryable
//                ErrNoSpace      the disk is full (retryable)
//                ErrFenced       another process has taken the files over
//   predicates   Always  Reads  Writes
//                create reopen reuse append flush range_sync sync truncate
//                close delete rename link mkdir rmdir sync_dir lock open
//                open_dir read list stat unlock      one kind of call
//                (PathMatch "glob")  base name of the file, or of the target
//                (OnIndex n)         true the n-th time it is asked, from 0
//                (FromIndex n)       from then on
//                (And p ...)  (Or p ...)  (Not p)    left to right, as in C
//
// Every injected error says "injected" and the call.
// Threads. Thread-safe.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "test/support/hooked_fs.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::test {

class ErrorFileSystem final : public HookedFileSystem {
 public:
  using Predicate = std::function<bool(const FileOp&)>;
  using MakeError = std::function<IOStatus(const std::string& what)>;

  explicit ErrorFileSystem(const std::shared_ptr<FileSystem>& target)
      : HookedFileSystem(target,
                         [this](const FileOp& op) { return Decide(op); }) {}

  const char* Name() const override { return "ErrorFileSystem"; }

  // Replaces the rule. InvalidArgument, naming the place, if it is not one.
  Status SetRule(const std::string& rule);
  void ClearRule();

  // The disk-changing calls (FileOp::IsWrite) so far, from which
  // ForEachFailingCall counts; files matching "LOG*" are left out.
  uint64_t writes() const;
  // Errors given since the rule was set.
  uint64_t injected() const;

  // Starts or stops writing calls down; reads only if asked.
  void Record(bool on, bool with_reads = false);
  // The calls written down since, one FileOp::ToString() per line.
  std::string TakeRecord();

 private:
  IOStatus Decide(const FileOp& op) EXCLUDES_LOCK(mu_);

  mutable engine::Mutex mu_;
  Predicate predicate_ GUARDED_BY(mu_);
  MakeError make_error_ GUARDED_BY(mu_);
  uint64_t writes_ GUARDED_BY(mu_) = 0;
  uint64_t injected_ GUARDED_BY(mu_) = 0;
  bool record_ GUARDED_BY(mu_) = false;
  bool record_reads_ GUARDED_BY(mu_) = false;
  std::string recorded_ GUARDED_BY(mu_);
};

// The parts of ForEachFailingCall.
struct FailurePlan {
  std::string error = "ErrInjected";
  // Also every later call fails, until the script clears the rule.
  bool forever = false;
  bool reads_too = false;
  uint64_t calls_max = 10000;
};

// Runs `script` again and again on a new in-memory file system, with call 0
// failing, then call 1, ... until it runs through without meeting the error.
// Files matching "LOG*" never fail. Returns the number of runs with an error.
uint64_t ForEachFailingCall(
    const FailurePlan& plan,
    const std::function<void(Env* env, ErrorFileSystem* fs, uint64_t call)>&
        script);

// True if `name` fits the pattern, in which "*" stands for any characters.
bool GlobMatches(const std::string& pattern, const std::string& name);

}  // namespace ROCKSDB_NAMESPACE::test
