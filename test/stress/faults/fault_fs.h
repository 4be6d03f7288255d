// FaultFileSystem: fails calls the way disks and kernels do.
//
// Place. Around the in-memory file system, in `tools/dev faults`.
//
// Model. Calls are counted in the order in which they start; LOG files and
// unlocking are not counted, so that a history makes nearly the same calls each
// time. A plan says from which call on what fails, once or until Heal():
//
//   kAny        whatever fits the call: EIO, also marked retryable, ENOSPC,
//               EMFILE, EACCES; of tables and blob files, a short read or a
//               wrong last byte
//   kSame       every call of the kind that failed first
//   kReads      every read         kWrites    every call that changes the disk
//   kFull       ENOSPC from every call that needs room
//   kNoFiles    EMFILE from every call that opens
//   kReadOnly   EROFS from every call that changes the disk
//
// A sync that fails may lose what it should have made durable, or leave it
// readable until the next crash; either way the next sync says OK.
//
// Threads. Thread-safe.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "test/support/hooked_fs.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

struct FaultPlan {
  enum class Scope : uint8_t {
    kAny,
    kSame,
    kReads,
    kWrites,
    kFull,
    kNoFiles,
    kReadOnly
  };
  uint64_t at = 0;  // The call, from 0.
  Scope scope = Scope::kAny;
  bool forever = false;
  uint64_t seed = 0;  // Chooses among the kinds of errors.

  std::string ToString() const;
};

class FaultFileSystem final : public test::HookedFileSystem {
 public:
  explicit FaultFileSystem(std::shared_ptr<engine::MemFileSystem> disk);

  const char* Name() const override { return "FaultFileSystem"; }

  void Arm(const FaultPlan& plan, bool trace);
  // From now on everything works.
  void Heal();

  uint64_t calls() const;
  uint64_t injected() const;
  // The first call that failed, and how; "" if none did.
  std::string first() const;
  // A sync of a log has failed.
  bool log_sync_failed() const;
  // A log has lost what a failed sync should have made durable.
  bool log_lost_data() const;
  // The failed call was one whose failure must be reported.
  bool must_be_heard() const;

 private:
  IOStatus Decide(const test::FileOp& op);
  bool Concerns(const test::FileOp& op) const REQUIRES_LOCK(mu_);
  IOStatus Inject(const test::FileOp& op) REQUIRES_LOCK(mu_);
  IOStatus ErrorFor(const test::FileOp& op) REQUIRES_LOCK(mu_);
  void AfterRead(const std::string& path, Slice* result,
                 char* scratch) override;

  const std::shared_ptr<engine::MemFileSystem> disk_;
  mutable engine::Mutex mu_{engine::LockRank::kNone};
  bool armed_ GUARDED_BY(mu_) = false;
  FaultPlan plan_ GUARDED_BY(mu_);
  bool trace_ GUARDED_BY(mu_) = false;
  engine::Random64 random_ GUARDED_BY(mu_){0};
  uint64_t calls_ GUARDED_BY(mu_) = 0;
  uint64_t injected_ GUARDED_BY(mu_) = 0;
  test::OpKind first_kind_ GUARDED_BY(mu_) = test::OpKind::kRead;
  std::string first_ GUARDED_BY(mu_);
  bool must_be_heard_ GUARDED_BY(mu_) = false;
  bool log_sync_failed_ GUARDED_BY(mu_) = false;
  bool log_lost_data_ GUARDED_BY(mu_) = false;
  // The read that runs gets wrong bytes.
  enum class BadRead : uint8_t { kNone, kShort, kWrong };
  BadRead bad_read_ GUARDED_BY(mu_) = BadRead::kNone;
  std::string bad_read_path_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::stress
