// What recovery knows of transactions that are prepared and undecided.
//
// Place. Read from logs by BatchReplay; a TransactionDB makes transactions of
// them.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/types.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// A record of a prepared section.
struct HeldRecord {
  ValueType type = ValueType::kNoop;
  uint32_t family = 0;
  SequenceNumber sequence = 0;  // Numbered by batch: what it was given.
  uint64_t log_number = 0;
  std::string key;
  std::string value;
};

struct UndecidedTransaction {
  uint64_t oldest_log = 0;
  std::vector<HeldRecord> records;
};

using UndecidedTransactions = std::map<std::string, UndecidedTransaction>;

}  // namespace ROCKSDB_NAMESPACE::engine
