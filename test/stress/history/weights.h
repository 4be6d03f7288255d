// How often histories have each kind of operation.
//
// Place. MakeHistory() draws from this table (generator.cc).
//
// Threads. Constants.

#pragma once

#include "rocksdb/rocksdb_namespace.h"
#include "test/stress/history/operation.h"

namespace ROCKSDB_NAMESPACE::stress {

struct Weight {
  Kind kind;
  unsigned weight;   // Of ten thousand, about.
  bool in_c = true;  // The C interface has it.
};

inline constexpr Weight kWeights[] = {
    {Kind::kPut, 2200},
    {Kind::kEntity, 350, false},
    {Kind::kDelete, 500},
    {Kind::kSingleDelete, 500},  // Or the put before it.
    {Kind::kDeleteRange, 200},
    {Kind::kMerge, 500},
    {Kind::kBatch, 400},
    {Kind::kEntityGroups, 80, false},
    {Kind::kClip, 12, false},
    {Kind::kIngest, 120},
    {Kind::kTransaction, 400},
    {Kind::kDecide, 100},
    {Kind::kGet, 900},
    {Kind::kGetEntity, 150, false},
    {Kind::kMultiGet, 300},
    {Kind::kMultiGetEntity, 80, false},
    {Kind::kGetMergeOperands, 80, false},
    {Kind::kKeyMayExist, 150},
    {Kind::kSnapshot, 120},
    {Kind::kReleaseSnapshot, 110},
    {Kind::kNewIterator, 300},
    {Kind::kIterate, 1200},
    {Kind::kCloseIterator, 280},
    {Kind::kDump, 40},
    {Kind::kFlush, 250},
    {Kind::kCompactRange, 70},
    {Kind::kCompactFiles, 50, false},
    {Kind::kSuggestCompactRange, 30, false},
    {Kind::kWait, 20, false},
    {Kind::kSetOptions, 120},
    {Kind::kSetDbOptions, 30, false},
    {Kind::kPauseBackground, 20, false},
    {Kind::kContinueBackground, 40, false},
    {Kind::kDisableManual, 15, false},
    {Kind::kEnableManual, 60, false},
    {Kind::kDisableFileDeletions, 20, false},
    {Kind::kEnableFileDeletions, 30, false},
    {Kind::kLockWal, 20, false},
    {Kind::kUnlockWal, 40, false},
    {Kind::kSyncWal, 20, false},
    {Kind::kFlushWal, 20},
    {Kind::kVerifyChecksums, 15, false},
    {Kind::kProperties, 60},
    {Kind::kUpdatesSince, 30, false},
    {Kind::kApproximateSizes, 60, false},
    {Kind::kCheckpoint, 10},
    {Kind::kTraced, 15, false},
    {Kind::kReadOnly, 8, false},
    {Kind::kSecondary, 6, false},
    {Kind::kCreateFamily, 25},
    {Kind::kImport, 20, false},
    {Kind::kDropFamily, 20},
    {Kind::kReopen, 25},
    {Kind::kCrash, 20, false},
};

}  // namespace ROCKSDB_NAMESPACE::stress
