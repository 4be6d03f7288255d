#include "test/stress/faults/fault_fs.h"

#include <cerrno>
#include <cstdio>
#include <utility>

#include "env/posix/posix_error.h"
#include "test/stress/crash/setup.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using test::FileOp;
using test::OpKind;
using Scope = FaultPlan::Scope;

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool IsTable(const std::string& path) {
  return path.ends_with(".sst") || path.ends_with(".blob");
}

bool Opens(OpKind kind) {
  return kind == OpKind::kCreate || kind == OpKind::kReopen ||
         kind == OpKind::kReuse || kind == OpKind::kOpenRead ||
         kind == OpKind::kOpenDir || kind == OpKind::kLock;
}

bool NeedsRoom(OpKind kind) {
  return kind == OpKind::kCreate || kind == OpKind::kAppend ||
         kind == OpKind::kSync || kind == OpKind::kMakeDir ||
         kind == OpKind::kLink || kind == OpKind::kReuse;
}

}  // namespace

std::string FaultPlan::ToString() const {
  constexpr const char* kScopes[] = {"any",  "same",     "reads",    "writes",
                                     "full", "no files", "read-only"};
  return std::string("fault at call ") + std::to_string(at) + ", " +
         kScopes[static_cast<size_t>(scope)] + (forever ? ", forever" : "");
}

FaultFileSystem::FaultFileSystem(std::shared_ptr<engine::MemFileSystem> disk)
    : HookedFileSystem(disk, [this](const FileOp& op) { return Decide(op); }),
      disk_(std::move(disk)) {}

void FaultFileSystem::Arm(const FaultPlan& plan, bool trace) {
  engine::MutexLock lock(&mu_);
  trace_ = trace;
  plan_ = plan;
  random_ = engine::Random64(plan.seed);
  armed_ = true;
}

void FaultFileSystem::Heal() {
  engine::MutexLock lock(&mu_);
  armed_ = false;
  bad_read_ = BadRead::kNone;
}

uint64_t FaultFileSystem::calls() const {
  engine::MutexLock lock(&mu_);
  return calls_;
}

uint64_t FaultFileSystem::injected() const {
  engine::MutexLock lock(&mu_);
  return injected_;
}

std::string FaultFileSystem::first() const {
  engine::MutexLock lock(&mu_);
  return first_;
}

bool FaultFileSystem::log_sync_failed() const {
  engine::MutexLock lock(&mu_);
  return log_sync_failed_;
}

bool FaultFileSystem::log_lost_data() const {
  engine::MutexLock lock(&mu_);
  return log_lost_data_;
}

bool FaultFileSystem::must_be_heard() const {
  engine::MutexLock lock(&mu_);
  return must_be_heard_;
}

IOStatus FaultFileSystem::Decide(const FileOp& op) {
  engine::MutexLock lock(&mu_);
  if (op.kind == OpKind::kUnlock ||
      test::GlobMatches("LOG*", BaseName(op.path))) {
    return IOStatus::OK();
  }
  const uint64_t call = calls_++;
  if (!armed_ || call < plan_.at || (injected_ > 0 && !plan_.forever)) {
    return IOStatus::OK();
  }
  return Concerns(op) ? Inject(op) : IOStatus::OK();
}

bool FaultFileSystem::Concerns(const FileOp& op) const {
  switch (plan_.scope) {
    case Scope::kAny:
      return true;
    case Scope::kSame:
      return injected_ == 0 || op.kind == first_kind_;
    case Scope::kReads:
      return op.kind == OpKind::kRead || op.kind == OpKind::kOpenRead;
    case Scope::kWrites:
    case Scope::kReadOnly:
      return op.IsWrite() && op.kind != OpKind::kClose;
    case Scope::kFull:
      return NeedsRoom(op.kind);
    case Scope::kNoFiles:
      return Opens(op.kind);
  }
  return false;
}

IOStatus FaultFileSystem::Inject(const FileOp& op) {
  IOStatus error = ErrorFor(op);
  if (trace_) {
    std::fprintf(stderr, "    %s: %s\n", op.ToString().c_str(),
                 error.ToString().c_str());
  }
  if (injected_++ == 0) {
    first_kind_ = op.kind;
    first_ =
        op.ToString() + ": " + (error.ok() ? "bad bytes" : error.ToString());
    const std::string name = BaseName(op.path);
    // Of MANIFESTs not: that a synced log could not be named there is only
    // logged, and the next edit goes to a new MANIFEST. Nor of a worker's
    // tables: the compaction is tried again.
    must_be_heard_ = !error.ok() && !op.path.starts_with(kServiceFolder) &&
                     (op.kind == OpKind::kAppend || op.kind == OpKind::kSync) &&
                     (name.ends_with(".log") || IsTable(name));
  }
  return error;
}

// An error that this call can have.
IOStatus FaultFileSystem::ErrorFor(const FileOp& op) {
  int code = EIO;
  const uint64_t drawn = random_.Uniform(4);
  if (plan_.scope == Scope::kFull) {
    code = ENOSPC;
  } else if (plan_.scope == Scope::kNoFiles) {
    code = EMFILE;
  } else if (plan_.scope == Scope::kReadOnly) {
    code = EROFS;
  } else if (op.kind == OpKind::kRead && IsTable(op.path) && drawn < 2) {
    bad_read_ = drawn == 0 ? BadRead::kShort : BadRead::kWrong;
    bad_read_path_ = op.path;
    return IOStatus::OK();
  } else if (Opens(op.kind) && drawn < 3) {
    constexpr int kCodes[] = {EMFILE, EACCES, ENFILE};
    code = kCodes[drawn];
  } else if (NeedsRoom(op.kind) && drawn == 0) {
    code = ENOSPC;
  }
  if (op.kind == OpKind::kSync) {
    const bool stays_visible = random_.OneIn(2);
    disk_->FailSync(op.path, stays_visible);
    const bool is_log = op.path.ends_with(".log");
    log_sync_failed_ |= is_log;
    log_lost_data_ |= is_log && !stays_visible;
  }
  IOStatus error =
      engine::PosixError("injected: " + op.ToString(), op.path, code);
  if (code == EIO && op.IsWrite() && drawn == 1) error.SetRetryable(true);
  return error;
}

void FaultFileSystem::AfterRead(const std::string& path, Slice* result,
                                char* scratch) {
  engine::MutexLock lock(&mu_);
  if (bad_read_ == BadRead::kNone || path != bad_read_path_) return;
  const BadRead bad = std::exchange(bad_read_, BadRead::kNone);
  if (result->empty() || result->data() != scratch) return;
  if (bad == BadRead::kShort) {
    *result = Slice(scratch, result->size() / 2);
  } else {
    scratch[result->size() - 1] ^= 0x40;
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
