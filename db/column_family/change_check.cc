#include "db/column_family/change_check.h"

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

Status ChangeCheck::NoneNewerThan(const Slice& key, const Slice& timestamp) {
  assert(!HoldsLock(LockRank::kState));
  const Comparator& order = *family_->icmp().user_comparator();
  assert(timestamp.size() == order.timestamp_size());
  RETURN_IF_ERROR(CheckHistory(timestamp));
  const std::string newest_version = key.ToString() + MaxTimestampOf(order);
  std::string found;
  NewestChange newest;
  RETURN_IF_ERROR(
      NewestAt(LookupKey(newest_version, kSequenceMax), &found, &newest));
  if (!found.empty() && order.CompareTimestamp(found, timestamp) > 0) {
    return Status::Busy();
  }
  if (!newest.is_range_deletion) return Status::OK();
  // Of a range deletion only its sequence is known: is it seen at `timestamp`?
  const std::string version = key.ToString() + timestamp.ToString();
  NewestChange seen;
  RETURN_IF_ERROR(NewestAt(LookupKey(version, kSequenceMax), &found, &seen));
  return seen.sequence == newest.sequence ? Status::OK() : Status::Busy();
}

// After the view was pinned: what a later rise of the limit drops is in it.
Status ChangeCheck::CheckHistory(const Slice& timestamp) const {
  const Comparator& order = *family_->icmp().user_comparator();
  MutexLock lock(&db_->mu);
  const std::string& low = family_->versions()->full_history_ts_low();
  if (low.empty() || order.CompareTimestamp(timestamp, low) >= 0) {
    return Status::OK();
  }
  return Status::TryAgain(
      "column family '" + family_->name() +
          "' may have forgotten changes after " +
          order.TimestampToString(timestamp),
      "full_history_ts_low is " + order.TimestampToString(low));
}

Status ChangeCheck::NewestAt(const LookupKey& version, std::string* found,
                             NewestChange* change) const {
  LookupDeps deps = family_->lookup_deps();
  if (family_->icmp().timestamp_size() > 0) deps.timestamp = found;
  return LookUpNewestChange(deps, *view_, version, change);
}

Status ChangeCheck::BeforeHistory(const LookupKey& newest,
                                  SequenceNumber since) const {
  if (asks_ == Asks::kTablesToo) {
    std::string timestamp;
    NewestChange change;
    RETURN_IF_ERROR(NewestAt(newest, &timestamp, &change));
    return change.sequence > since ? Status::Busy() : Status::OK();
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
