// The mutexes and condition variables of the lock table, where a program brings
// none of its own.
//
// Threads. Thread-safe.

#pragma once

#include <memory>

#include "rocksdb/utilities/transaction_db_mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

std::shared_ptr<TransactionDBMutexFactory> DefaultLockMutexFactory();

}  // namespace ROCKSDB_NAMESPACE::engine
