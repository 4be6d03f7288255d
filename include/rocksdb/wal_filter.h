// WalFilter: lets a program inspect, skip or change records of the write-ahead
// log when a database is opened.
//
// Place. DBOptions::wal_filter, owned by the program, alive until the open has
// returned. Opens for reading and writing and read-only ones ask it;
// secondaries do not.
//
// Threads. Calls come one after the other from the thread that opens.
// Exceptions must not leave a filter.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class WriteBatch;

class WalFilter : public Customizable {
 public:
  static const char* Type() { return "WalFilter"; }

  enum class WalProcessingOption {
    kContinueProcessing = 0,   // Take the record.
    kIgnoreCurrentRecord = 1,  // Skip this record.
    kStopReplay = 2,           // Skip this record and all later ones.
    kCorruptedRecord = 3,      // Damaged: see DBOptions::wal_recovery_mode.
    kWalProcessingOptionMax = 4
  };

  // Called before the first record, with the oldest log that each column
  // family, by id, may need, and the families' ids by name. Records of older
  // logs are in the family's tables already.
  virtual void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& /*cf_lognumber_map*/,
      const std::map<std::string, uint32_t>& /*cf_name_id_map*/) {}

  // Called for each record, which is one batch, of the log `log_number` in the
  // file `log_file_name`. To replace the record, fill `new_batch`, which is
  // empty, set `*batch_changed` and return kContinueProcessing. If the new
  // batch has more counted entries than `batch`, the open fails with
  // NotSupported.
  virtual WalProcessingOption LogRecordFound(
      unsigned long long /*log_number*/, const std::string& /*log_file_name*/,
      const WriteBatch& batch, WriteBatch* new_batch, bool* batch_changed) {
    return LogRecord(batch, new_batch, batch_changed);
  }

  // The older form, called by the default of LogRecordFound.
  virtual WalProcessingOption LogRecord(const WriteBatch& /*batch*/,
                                        WriteBatch* /*new_batch*/,
                                        bool* /*batch_changed*/) const {
    return WalProcessingOption::kContinueProcessing;
  }

  // Named in LOG and in errors.
  const char* Name() const override = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
