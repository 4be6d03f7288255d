// BatchReplay: what a logged batch does to memtables, when transactions are
// among what was logged.
//
// Place. Between log replay and memtables; for opens and for followers.
//
// Model. Three policies of RocksDB's transactions share the log:
//
//   write-committed    a prepared section is held aside under its name and
//                      inserted at its commit, with the sequences that the
//                      commit finds; preparing takes none
//   write-prepared     the section took its sequence when it was prepared. Its
//   write-unprepared   writer put it into memtables at once, here it waits for
//                      its commit; memtables know no order of insertion, so
//                      the outcome is the same. All records of a batch share a
//                      sequence, which goes on at each mark
//
// Which of the two ways of counting a log has shows at the first prepared
// section, or where a batch begins before the end of the one before it, which
// it never does when records are counted. If the records so far were counted
// the other way, replay must begin anew.
//
// A commit without a prepare is one whose records were flushed long ago: the
// log that held them is gone. Where it stands amid the record of a group, what
// is behind it in the record gets smaller sequences than it had, yet larger
// ones than all that was written before the group.
//
// Invariants:
//   (1) What is not committed reaches no memtable.
//   (2) What is left undecided is known with the oldest log that holds some
//       of it, so that this log can be kept.
//
// Threads. One.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "db/memtable/memtable_apply.h"
#include "db/wal/log_holds.h"
#include "db/write_batch/prepared_section.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

// Families as replay finds them: those that have flushed a log skip it.
class ReplayTarget : public FamilyResolver {
 public:
  // The answers of Find() are about records of this log.
  virtual void AtLog(uint64_t log_number) = 0;
};

class BatchReplay {
 public:
  // Memtables hold the logs of prepared sections that were committed.
  BatchReplay(ReplayTarget* target, std::shared_ptr<LogHolds> holds)
      : target_(target), holds_(std::move(holds)) {}

  // Write-prepared and write-unprepared logs, from their first batch on.
  void NumberByBatch() { by_batch_ = true; }
  bool numbered_by_batch() const { return by_batch_; }

  // `batch`: header included. `*next`: what a batch behind it begins with.
  // Errors: Corruption; NotSupported: sections of two write policies; Aborted:
  // NumberByBatch() and begin anew.
  Status Take(const Slice& batch, uint64_t log_number, SequenceNumber sequence,
              SequenceNumber* next);

  // Neither committed nor rolled back.
  const UndecidedTransactions& undecided() const { return undecided_; }
  UndecidedTransactions TakeUndecided() {
    return std::exchange(undecided_, {});
  }
  // Of all of them; 0: there are none.
  uint64_t oldest_undecided_log() const;
  // The newest log with a commit whose prepared section was not met; 0: none.
  uint64_t last_missed_log() const { return last_missed_log_; }
  // False behind such a commit: how many records it had is not known.
  bool next_is_exact() const { return next_is_exact_; }

 private:
  class Walk;
  Status Insert(const UndecidedTransaction& transaction, const Slice& timestamp,
                uint64_t commit_log, SequenceNumber* sequence);

  ReplayTarget* target_;
  std::shared_ptr<LogHolds> holds_;
  bool by_batch_ = false;
  bool by_record_ = false;          // A section has shown it.
  SequenceNumber behind_last_ = 0;  // The last batch.
  bool inserted_any_ = false;
  uint64_t last_missed_log_ = 0;
  bool next_is_exact_ = true;
  UndecidedTransactions undecided_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
