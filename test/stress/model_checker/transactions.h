// The operations that change keys by transactions, of locking and optimistic
// databases.
//
// Model. A transaction changes keys that its thread has locked (key_locks.h),
// so it meets no other one: a conflict, or a wait for a lock, is a failure.
// What it has written is seen by its own reads only, and by all after a commit.
// accounts.h has transactions that do meet.
//
// Some prepared transactions are kept by their thread for a while, and some are
// left undecided when the database closes, or when the process is killed. The
// next opening must find them (prepared_table.h), with their locks, and decides
// them.
//
// Threads. As the thread's context says.

#pragma once

#include <memory>

#include "rocksdb/utilities/transaction.h"
#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// A write of plain keys of several slots; like a batch, if this opening has no
// transactions.
void WriteTransaction(ThreadContext* t);
// All ten copies of a mirrored key.
void WriteMirroredTransaction(ThreadContext* t);

// One that is prepared, and its keys in doubt.
struct Prepared {
  std::unique_ptr<Transaction> transaction;
  PreparedEntry* entry = nullptr;
};
// No entry: there is none, for any reason.
Prepared PrepareTransaction(ThreadContext* t);
// Commits it or rolls it back. REQUIRES: no family is created or dropped.
void DecidePrepared(ThreadContext* t, Prepared prepared);

// Decides all that an opening has found, after it was checked. REQUIRES: no
// other thread, no faults.
void DecideFound(ThreadContext* t);
// Is there one that a failed call left neither prepared nor decided? The
// database must be closed then. REQUIRES: no other thread.
bool HasUnsettled(ExpectedState* expected);
// Is the key in doubt because of a prepared transaction?
bool IsOfPrepared(ExpectedState* expected, int slot, uint32_t key);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
