// What a column family and a byte gate look like to the tuner.
//
// Threads. Families under the DB mutex.

#pragma once

#include "db/column_family/column_family.h"
#include "db/tune/signals.h"
#include "env/io_gate.h"

namespace ROCKSDB_NAMESPACE::engine {

FamilySignals SignalsOf(const ColumnFamily& family) REQUIRES_LOCK(kStateLock);

// Bytes and device time of each class; busy time is left to the caller.
void ReadGate(const IoGate& gate, std::array<WorkTotals, kWorkClasses>* work);

IoClass IoClassOf(WorkClass work);

}  // namespace ROCKSDB_NAMESPACE::engine
