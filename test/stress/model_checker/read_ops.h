// The operations that read and end: each compares what it finds with the
// expected state before and after.

#pragma once

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// Get, KeyMayExist, GetEntity or GetMergeOperands of one key.
void ReadOne(ThreadContext* t);
void ReadMany(ThreadContext* t);
// All ten copies at one moment, some way: they must be equal.
void ReadMirrored(ThreadContext* t);
// A new iterator that walks here and there.
void Walk(ThreadContext* t);

// Reads one key with `given` options in some way; nullopt: it is not there.
// False: an injected error, or a failure.
bool ReadKey(ThreadContext* t, const ReadOptions& given, int slot,
             const std::string& name, std::optional<std::string>* found);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
