// Which memtable factories the engine knows.

#pragma once

#include "rocksdb/memtablerep.h"

namespace ROCKSDB_NAMESPACE::engine {

// Made by this library, not by the program?
bool IsBuiltinMemTableFactory(const MemTableRepFactory* factory);

}  // namespace ROCKSDB_NAMESPACE::engine
