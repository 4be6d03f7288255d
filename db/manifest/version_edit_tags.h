// The tags of a MANIFEST record and of a file entry in it.
//
// Place. Shared by the encoder and the decoder of VersionEdit.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class EditTag : uint32_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kCompactCursor = 5,
  kDeletedFile = 6,
  kNewFile = 7,
  kPrevLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kNewFile2 = 100,
  kNewFile3 = 102,
  kNewFile4 = 103,
  kColumnFamily = 200,
  kColumnFamilyAdd = 201,
  kColumnFamilyDrop = 202,
  kMaxColumnFamily = 203,
  kInAtomicGroup = 300,
  kBlobAddition = 400,
  kBlobGarbage = 401,
  kDbId = 8193,
  kOldBlobAddition = 8194,  // Read only, as the next three.
  kOldBlobGarbage = 8195,
  kOldWalAddition = 8196,
  kOldWalDeletion = 8197,
  kFullHistoryTsLow = 8198,
  kWalAddition = 8199,
  kWalDeletion = 8200,
  kPersistTimestamps = 8201,
  kSubcompactionProgress = 8202,  // Only in files we do not read.
  kRewrittenBytes = 8203,
  kBatchOffset = 12289,  // Ours alone: peers skip it.
};

// An unknown edit tag with this bit is a length prefixed string to skip.
inline constexpr uint32_t kIgnorableEditTag = 1u << 13;

enum class FileTag : uint32_t {
  kTerminate = 1,
  kNeedCompaction = 2,
  kMinLogNumberToKeep = 3,
  kOldestBlobFile = 4,
  kOldestAncestorTime = 5,
  kFileCreationTime = 6,
  kChecksum = 7,
  kChecksumFunction = 8,
  kTemperature = 9,
  kMinTimestamp = 10,
  kMaxTimestamp = 11,
  kUniqueId = 12,
  kEpochNumber = 13,
  kRangeDeletionBytes = 14,
  kTailBytes = 15,
  kTimestampsPersisted = 16,
  kOpenMetadata = 17,
  kPathId = 65,
};

// An unknown custom tag (of a table or blob file) with this bit must not be
// skipped.
inline constexpr uint32_t kMandatoryFileTag = 1u << 6;

inline constexpr uint32_t kWalTerminate = 1;
inline constexpr uint32_t kWalSyncedSize = 2;

}  // namespace ROCKSDB_NAMESPACE::engine
