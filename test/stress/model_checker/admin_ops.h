// The operations that change no key: flushes, compactions, options, pauses,
// lists of files, families, copies.

#pragma once

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

void Flush(ThreadContext* t);
void CompactRange(ThreadContext* t);
void CompactFiles(ThreadContext* t);
// Lets compactions drop all but the newest entries of the family that has
// timestamps.
void ForgetHistory(ThreadContext* t);
void SwitchManualCompaction(ThreadContext* t);
void AbortCompactions(ThreadContext* t);
void PauseWork(ThreadContext* t);
void ChangeFamilyOptions(ThreadContext* t);
void ChangeDbOptions(ThreadContext* t);
void FlushLog(ThreadContext* t);
void CreateOrDrop(ThreadContext* t);
void Inspect(ThreadContext* t);
void Resume(ThreadContext* t);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
