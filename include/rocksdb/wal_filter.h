// WalFilter: lets a program look at the records of the write-ahead log when a
// database is opened, and leave out or change some.
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
    kIgnoreCurrentRecord = 1,  // Leave this record out.
    kStopReplay = 2,           // Leave out this record and all behind it.
    kCorruptedRecord = 3,      // Damaged: see DBOptions::wal_recovery_mode.
    kWalProcessingOptionMax = 4
  };

  // Before the first record: the oldest log that each column family, by id,
  // may need, and the families' ids by name. Records of older logs are in its
  // tables already.
  virtual void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& /*cf_lognumber_map*/,
      const std::map<std::string, uint32_t>& /*cf_name_id_map*/) {}

  // A record, which is one batch, of the log `log_number`, the file
  // `log_file_name`. To replace it: fill `new_batch` (it comes empty), with no
  // more counted entries than `batch`, or the open fails with NotSupported,
  // set `*batch_changed` and return kContinueProcessing.
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
