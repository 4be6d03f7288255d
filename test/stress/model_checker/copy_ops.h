// The operations that list or copy files while the database is written:
// checkpoints and backups are opened and compared.

#pragma once

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// What must work between LockWAL and UnlockWAL of the same thread, too.
void ListFiles(ThreadContext* t);
void ReadLog(ThreadContext* t);
void MakeCheckpoint(ThreadContext* t);
void MakeBackup(ThreadContext* t);
// LockWAL, some of these, a flush of the log or a compaction, UnlockWAL.
void LockLog(ThreadContext* t);

// Compares with a second instance that only reads. REQUIRES: no writer.
void CompareReadOnly(ThreadContext* t);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
