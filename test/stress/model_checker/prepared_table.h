// PreparedTable: which prepared transactions there may be, outside of the
// database.
//
// Place. Part of the expected state, in its file.
//
// Model. An entry says which call is made next, before it is made:
//
//   kFree -> kFilling -> kPreparing -> kPrepared -> kCommitting --> kFree
//                             '------------'------> kRollingBack -> kFree
//
// The keys of the entry are in doubt meanwhile: committed as before, pending
// as the transaction leaves them. After a kill, or a call that failed, it also
// says what the next opening may find prepared:
//
//   kFilling      nothing
//   kPreparing    it or not; if not, all of its keys are as before
//   kPrepared     it
//   kCommitting   it, or all of its keys are new
//   kRollingBack  it or not; if not, all of its keys are as before
//
// So these calls must be in a file when they return: WriteOptions::sync, if the
// log stays in memory (Plan::buffered_log).
//
// Threads. An entry belongs to the thread that has claimed it.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

enum class PreparedStage : uint32_t {
  kFree,
  kFilling,
  kPreparing,
  kPrepared,
  kCommitting,
  kRollingBack,
};

struct PreparedEntry {
  static constexpr size_t kKeysMax = 12;
  struct Key {
    int32_t slot;
    uint32_t key;
    uint64_t before;
    uint64_t after;
  };

  std::string Name() const { return "t" + std::to_string(serial); }

  std::atomic<PreparedStage> stage;
  uint32_t count;
  uint64_t serial;
  Key keys[kKeysMax];
};

// All zeros to begin with.
class PreparedTable {
 public:
  static constexpr size_t kEntries = 24;

  // kFilling, with a serial number that none had; null: all are taken.
  PreparedEntry* Claim() {
    for (PreparedEntry& entry : entries) {
      PreparedStage expected = PreparedStage::kFree;
      if (entry.stage.compare_exchange_strong(expected,
                                              PreparedStage::kFilling)) {
        entry.serial = NewSerial();
        entry.count = 0;
        return &entry;
      }
    }
    return nullptr;
  }
  uint64_t NewSerial() { return ++last_serial_; }

  PreparedEntry entries[kEntries];

 private:
  std::atomic<uint64_t> last_serial_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
