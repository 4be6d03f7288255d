// Small types shared by many public headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

using ColumnFamilyId = uint32_t;

// The position of a write in the total order of the database's writes. 56 bits
// are used.
using SequenceNumber = uint64_t;

// 0 means "no sequence"; the first write has this one.
const SequenceNumber kMinUnCommittedSeq = 1;

struct TableProperties;
// File path -> properties.
using TablePropertiesCollection =
    std::unordered_map<std::string, std::shared_ptr<const TableProperties>>;

enum class TableFileCreationReason { kFlush, kCompaction, kRecovery, kMisc };

enum class BlobFileCreationReason {
  kFlush,
  kCompaction,
  kRecovery,
  kDirectWrite
};

// The kinds of files in a database directory.
enum FileType {
  kWalFile,
  kDBLockFile,
  kTableFile,
  kDescriptorFile,  // MANIFEST
  kCurrentFile,
  kTempFile,
  kInfoLogFile,  // LOG and its predecessors
  kMetaDatabase,
  kIdentityFile,
  kOptionsFile,
  kBlobFile,
  kCompactionProgressFile
};

// Kinds of entries, as shown to collectors and readers of raw tables.
enum EntryType {
  kEntryPut,
  kEntryDelete,
  kEntrySingleDelete,
  kEntryMerge,
  kEntryRangeDeletion,
  kEntryBlobIndex,
  kEntryDeleteWithTimestamp,
  kEntryWideColumnEntity,
  kEntryTimedPut,
  kEntryOther,
};

// The parts of an internal key: see utilities/types_util.h.
struct ParsedEntryInfo {
  Slice user_key;   // Without its timestamp.
  Slice timestamp;  // Empty if keys have none.
  SequenceNumber sequence = 0;
  EntryType type = kEntryOther;
};

enum class WriteStallCause {
  // Of one column family.
  kMemtableLimit,
  kL0FileCountLimit,
  kPendingCompactionBytes,
  kCFScopeWriteStallCauseEnumMax,
  // Of the whole database.
  kWriteBufferManagerLimit,
  kDBScopeWriteStallCauseEnumMax,
  kNone,
};

enum class WriteStallCondition { kDelayed, kStopped, kNormal };

// How often a file is expected to be read; handed to the file system.
enum class Temperature : uint8_t {
  kUnknown = 0,
  kHot = 0x04,
  kWarm = 0x08,
  kCool = 0x0A,
  kCold = 0x0C,
  kIce = 0x10,
  kLastTemperature,
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
