#include "db/column_family/change_check.h"

#include "db/read/point_lookup.h"
#include "table/internal_key.h"
#include "table/timestamps.h"
#include "util/held_locks.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

Status ChangeCheck::Unchanged(const Slice& key, SequenceNumber since) {
  assert(!HoldsLock(LockRank::kState));
  const MemTable& mutable_one = *view_->mem;
  if (mutable_one.updates_in_place()) {
    return Status::NotSupported(
        "transactions in column family '" + family_->name() + "'",
        "inplace_update_support changes values without a trace");
  }
  const std::string newest_version =
      key.ToString() + MaxTimestampOf(*family_->icmp().user_comparator());
  const LookupKey lookup(newest_version, kSequenceMax);
  if (since < family_->ingested_sequence()) return BeforeHistory(lookup, since);
  if (mutable_one.NewestChange(lookup) > since) return Status::Busy();
  if (mutable_one.earliest_sequence() <= since) return Status::OK();
  for (uint64_t id = NewestSealed(); id > 0; --id) {
    const MemTable* const sealed = Sealed(id);
    if (sealed == nullptr) break;
    if (sealed->NewestChange(lookup) > since) return Status::Busy();
    if (sealed->earliest_sequence() <= since) return Status::OK();
  }
  return BeforeHistory(lookup, since);
}

Status ChangeCheck::BeforeHistory(const LookupKey& newest,
                                  SequenceNumber since) const {
  if (asks_ == Asks::kTablesToo) {
    std::string timestamp;
    LookupDeps deps = family_->lookup_deps();
    if (family_->icmp().timestamp_size() > 0) deps.timestamp = &timestamp;
    SequenceNumber changed = 0;
    RETURN_IF_ERROR(LookUpNewestChange(deps, *view_, newest, &changed));
    return changed > since ? Status::Busy() : Status::OK();
  }
  return Status::TryAgain(
      "column family '" + family_->name() +
          "' no longer has in memory all that was written after sequence " +
          std::to_string(since),
      "Run the transaction again; if this happens often, raise "
      "max_write_buffer_size_to_maintain.");
}

// Survivors of other memtables lack changes, so the originals are looked for,
// which only the history has.
const MemTable* ChangeCheck::Sealed(uint64_t id) {
  for (const MemTablePtr& memtable : *view_->imm) {
    if (memtable->id() == id && !memtable->survivors()) return memtable.get();
  }
  TakeHistory();
  for (const MemTablePtr& memtable : history_) {
    if (memtable->id() == id) return memtable.get();
  }
  return nullptr;
}

uint64_t ChangeCheck::NewestSealed() {
  if (!view_->imm->empty()) return view_->imm->front()->id();
  TakeHistory();
  return history_.empty() ? 0 : history_.back()->id();
}

void ChangeCheck::TakeHistory() {
  if (history_taken_) return;
  MutexLock lock(&db_->mu);
  const auto& kept = family_->imm().history();
  history_.assign(kept.begin(), kept.end());
  history_taken_ = true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
