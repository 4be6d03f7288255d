// Compares everything that a database holds with the expected state.

#pragma once

#include <vector>

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

// The words of all keys, by slot; empty for slots that are not there.
using Words = std::vector<std::vector<uint64_t>>;
Words CommittedWords(ThreadContext* t, const std::vector<int>& slots);
Words PendingWords(ThreadContext* t, const std::vector<int>& slots);
// The committed words instead, of keys of transactions that are prepared and no
// more. REQUIRES: no other thread.
void LeaveOutPrepared(ThreadContext* t, Words* pending);

// Reads all keys of `database` by iterators in both directions and by Get:
// each lies between the words, copies of mirrored keys are equal, and the sum
// of accounts is right. `what` names the database in failures.
void CompareAll(ThreadContext* t, const Database& database, const Words& low,
                const Words& high, const char* what);

// Compacts all files of the families that filter compactions, and then reads
// all keys: the filter has removed all that it removes. REQUIRES: no other
// thread, no faults.
void CompareFiltered(ThreadContext* t);

// Decides what keys in doubt are, by reading them; not those of prepared
// transactions. REQUIRES: no other thread,
// no faults.
void SettleDoubts(ThreadContext* t);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
