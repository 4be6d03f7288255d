// The operations that change keys: every kind of record, alone, in batches
// and in ingested files.

#pragma once

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

void WriteOne(ThreadContext* t);
void WriteBatchOfMany(ThreadContext* t);
// All ten copies of a mirrored key, in two families.
void WriteMirrored(ThreadContext* t);
void WriteRangeDeletion(ThreadContext* t);
void IngestFiles(ThreadContext* t);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
