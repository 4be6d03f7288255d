// Accounts: keys that transactions of all threads change at the same time,
// without the locks of this program.
//
// Model. The family "accounts" holds decimal numbers. A transfer moves an
// amount from one account to another, so their sum never changes: a write that
// got lost, or half of a transaction, changes it. Transfers may conflict, wait
// in vain, be in a deadlock or expire, and then leave no trace.
//
// Threads. As the thread's context says.

#pragma once

#include <string>

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// The first amounts, once in a run. REQUIRES: no other thread, no faults.
void FillAccounts(ThreadContext* t);

void Transfer(ThreadContext* t);
// The sum, read by a snapshot or by a transaction.
void Audit(ThreadContext* t);
// The sum in a database that is a moment of this one.
void CompareAccounts(ThreadContext* t, const Database& database,
                     const char* what);

// Is this the name of a prepared transfer?
bool IsOfAccounts(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
