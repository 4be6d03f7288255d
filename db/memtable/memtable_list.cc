#include "db/memtable/memtable_list.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

MemTableList::MemTableList(const MemTableListOptions& options)
    : options_(options),
      snapshot_(std::make_shared<const ImmutableMemTables>()) {}

void MemTableList::Add(MemTablePtr memtable, uint64_t cut) {
  memtable->set_id(next_id_++);
  memtable->MarkImmutable();
  std::erase_if(added_, [](const auto& held) { return held.expired(); });
  added_.push_back(memtable);
  Entry& entry = entries_.emplace_back();
  entry.memtable = std::move(memtable);
  entry.cut = cut;
  ++num_not_started_;
  Changed();
}

// Readers get a new snapshot; the lock-free hint follows the state.
void MemTableList::Changed() {
  auto newest_first = std::make_shared<ImmutableMemTables>();
  newest_first->reserve(entries_.size());
  for (auto it = entries_.rbegin(); it != entries_.rend(); ++it)
    newest_first->push_back(it->memtable);
  snapshot_ = std::move(newest_first);
  flush_pending_.store(IsFlushPending(), std::memory_order_release);
  CheckInvariants();
}

void MemTableList::CheckInvariants() const {
#ifndef NDEBUG
  size_t waiting = 0;
  bool installing = false;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    assert(entry.memtable != nullptr);
    assert(entry.memtable->id() < next_id_);
    assert(entry.pick <= picks_);
    waiting += entry.stage == Stage::kWaiting ? 1 : 0;
    installing |= entry.stage == Stage::kInstalling;
    if (i == 0) continue;
    const Entry& older = entries_[i - 1];
    assert(older.memtable->id() < entry.memtable->id());  // (1)
    assert(older.cut <= entry.cut);
    // (2)
    assert(older.stage == Stage::kWaiting || entry.stage == Stage::kWaiting ||
           older.pick != entry.pick || older.edit == entry.edit);
  }
  assert(waiting == num_not_started_);
  assert(!installing || installing_);
  assert(snapshot_ != nullptr && snapshot_->size() == entries_.size());
  for (size_t i = 1; i < history_.size(); ++i) {
    assert(history_[i - 1]->id() < history_[i]->id());  // (4)
  }
#endif
}

bool MemTableList::IsFlushPending() const {
  if (num_not_started_ == 0) return false;
  if (flush_requested_) return true;
  const int needed = std::max(
      1, tuned_merge_min_ > 0 ? tuned_merge_min_
                              : options_.min_write_buffer_number_to_merge);
  const auto sealed =
      std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
        return entry.stage == Stage::kWaiting && !entry.survivors;
      });
  return sealed >= needed;
}

void MemTableList::SetOptions(const MemTableListOptions& options) {
  options_ = options;
  flush_pending_.store(IsFlushPending(), std::memory_order_release);
}

void MemTableList::SetMergeMin(int memtables) {
  tuned_merge_min_ = memtables;
  flush_pending_.store(IsFlushPending(), std::memory_order_release);
}

void MemTableList::RequestFlush() {
  flush_requested_ = true;
  flush_pending_.store(IsFlushPending(), std::memory_order_release);
}

std::vector<MemTablePtr> MemTableList::PickToFlush(uint64_t id_max) {
  std::vector<MemTablePtr> picked;
  ++picks_;
  for (Entry& entry : entries_) {
    if (entry.memtable->id() > id_max) break;
    if (entry.stage != Stage::kWaiting) {
      // A rollback may leave a gap of waiting ones between jobs: one job's
      // memtables have to be neighbours.
      if (!picked.empty()) break;
      continue;
    }
    entry.stage = Stage::kPicked;
    entry.pick = picks_;
    picked.push_back(entry.memtable);
  }
  assert(picked.size() <= num_not_started_);
  num_not_started_ -= picked.size();
  if (num_not_started_ == 0) flush_requested_ = false;
  flush_pending_.store(IsFlushPending(), std::memory_order_release);
  return picked;
}

MemTableList::Entry* MemTableList::Find(const MemTable* memtable) {
  for (Entry& entry : entries_)
    if (entry.memtable.get() == memtable) return &entry;
  return nullptr;
}

void MemTableList::RollbackFlush(const std::vector<MemTablePtr>& picked) {
  for (const MemTablePtr& memtable : picked) {
    Entry* const entry = Find(memtable.get());
    if (entry == nullptr) continue;  // The family was dropped meanwhile.
    assert(entry->stage == Stage::kPicked);
    entry->stage = Stage::kWaiting;
    ++num_not_started_;
  }
  RequestFlush();
  CheckInvariants();
}

// Those that survivors have replaced may come before older ones that a flush
// still writes.
void MemTableList::Keep(const MemTablePtr& memtable) {
  if (options_.maintain_bytes == 0 || memtable->survivors()) return;
  const auto newer = std::find_if(history_.begin(), history_.end(),
                                  [&memtable](const MemTablePtr& kept) {
                                    return kept->id() > memtable->id();
                                  });
  history_.insert(newer, memtable);  // (4)
}

void MemTableList::ReplacePicked(const std::vector<MemTablePtr>& picked,
                                 MemTablePtr survivors) {
  assert(!picked.empty() && survivors != nullptr);
  Entry* const newest = Find(picked.back().get());
  if (newest == nullptr) return;
  assert(newest->stage == Stage::kPicked);
  survivors->set_id(newest->memtable->id());
  survivors->set_next_log_number(newest->memtable->next_log_number());
  survivors->MarkImmutable();
  survivors->MarkSurvivors();
  added_.push_back(survivors);
  for (const MemTablePtr& memtable : picked) {
    const LogHold held = memtable->TakeHeldLog();
    if (held.log() != 0) survivors->Hold(held);
    memtable->MarkFlushed();
    Keep(memtable);
  }
  newest->memtable = std::move(survivors);
  newest->stage = Stage::kWaiting;
  newest->survivors = true;
  ++num_not_started_;
  // A newer flush that has begun is installed only behind that of the
  // survivors, and a caller may wait for it.
  flush_requested_ |= std::any_of(
      entries_.begin(), entries_.end(), [newest](const Entry& entry) {
        return entry.stage != Stage::kWaiting &&
               entry.memtable->id() > newest->memtable->id();
      });
  const uint64_t pick = newest->pick;
  std::erase_if(entries_, [pick](const Entry& entry) {
    return entry.stage == Stage::kPicked && entry.pick == pick;
  });
  Changed();
}

size_t MemTableList::num_sealed() const {
  return static_cast<size_t>(
      std::count_if(entries_.begin(), entries_.end(),
                    [](const Entry& entry) { return !entry.survivors; }));
}

int MemTableList::files_to_come() const {
  int files = 0;
  uint64_t last = UINT64_MAX;
  for (const Entry& entry : entries_) {
    const uint64_t pick = entry.stage == Stage::kWaiting ? 0 : entry.pick;
    files += pick != last;
    last = pick;
  }
  return files;
}

bool MemTableList::HasBuilt() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.stage == Stage::kBuilt || entry.stage == Stage::kInstalling;
  });
}

bool MemTableList::AllBuilt() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.stage == Stage::kBuilt;
  });
}

void MemTableList::MarkBuilt(const std::vector<MemTablePtr>& picked,
                             const std::shared_ptr<VersionEdit>& edit) {
  for (const MemTablePtr& memtable : picked) {
    Entry* const entry = Find(memtable.get());
    if (entry == nullptr) continue;
    assert(entry->stage == Stage::kPicked);
    assert(edit != nullptr && entry->edit == nullptr);  // (2)
    entry->stage = Stage::kBuilt;
    entry->edit = edit;
  }
}

std::vector<std::shared_ptr<VersionEdit>> MemTableList::TakeBuilt() {
  std::vector<std::shared_ptr<VersionEdit>> edits;
  std::erase_if(entries_, [&edits](const Entry& entry) {
    if (entry.stage != Stage::kBuilt) return false;
    if (edits.empty() || edits.back() != entry.edit) {
      edits.push_back(entry.edit);
    }
    return true;
  });
  Changed();
  CheckInvariants();
  return edits;
}

uint64_t MemTableList::InstallableCut(uint64_t at_most) const {
  uint64_t cut = at_most;
  for (const Entry& entry : entries_) {
    if (entry.cut > cut) break;
    if (entry.stage != Stage::kBuilt) cut = entry.cut - 1;
  }
  // A table with memtables on both sides waits as a whole.
  for (size_t i = entries_.size(); i-- > 1;) {
    const Entry& older = entries_[i - 1];
    const Entry& newer = entries_[i];
    const bool one_table = newer.edit != nullptr && newer.edit == older.edit;
    if (one_table && older.cut <= cut && newer.cut > cut) cut = older.cut - 1;
  }
  return cut;
}

MemTableList::Installable MemTableList::TakeInstallable(uint64_t cut_max) {
  Installable result;
  if (installing_) return result;
  for (Entry& entry : entries_) {
    if (entry.stage != Stage::kBuilt || entry.cut > cut_max) break;
    entry.stage = Stage::kInstalling;
    if (result.edits.empty() || result.edits.back() != entry.edit)
      result.edits.push_back(entry.edit);
    result.memtables.push_back(entry.memtable);
    result.log_number =
        std::max(result.log_number, entry.memtable->next_log_number());
  }
  installing_ = !result.memtables.empty();
  assert(result.edits.size() <= result.memtables.size());
  CheckInvariants();
  return result;
}

void MemTableList::FinishInstall(const Installable& installed, bool success) {
  if (installed.memtables.empty()) return;
  // The family may have been dropped, and the list cleared, meanwhile.
  assert(installing_ || entries_.empty() ||
         entries_.front().stage != Stage::kInstalling);
  installing_ = false;
  if (success) {
    for (const MemTablePtr& memtable : installed.memtables) {
      memtable->MarkFlushed();
      Keep(memtable);
    }
    std::erase_if(entries_, [](const Entry& entry) {
      return entry.stage == Stage::kInstalling;
    });
    Changed();
    return;
  }
  FlushAgain(Stage::kInstalling);
}

// What has a table waits for another one.
void MemTableList::FlushAgain(Stage stage) {
  assert(stage == Stage::kBuilt || stage == Stage::kInstalling);
  bool any = false;
  for (Entry& entry : entries_) {
    if (entry.stage != stage) continue;
    entry.stage = Stage::kWaiting;
    entry.edit.reset();
    ++num_not_started_;
    any = true;
  }
  if (any) RequestFlush();
  CheckInvariants();
}

void MemTableList::FlushBuiltAgain() { FlushAgain(Stage::kBuilt); }

uint64_t MemTableList::oldest_id() const {
  return entries_.empty() ? 0 : entries_.front().memtable->id();
}

namespace {

template <typename Entries, typename Field>
uint64_t Sum(const Entries& entries, const Field& field) {
  uint64_t sum = 0;
  for (const auto& entry : entries) sum += field(*entry.memtable);
  return sum;
}

}  // namespace

size_t MemTableList::pinned_bytes() const {
  size_t bytes = 0;
  for (const std::weak_ptr<const MemTable>& held : added_) {
    const std::shared_ptr<const MemTable> memtable = held.lock();
    if (memtable == nullptr) continue;
    const bool listed =
        std::any_of(entries_.begin(), entries_.end(),
                    [&](const Entry& e) { return e.memtable == memtable; });
    if (!listed) bytes += memtable->ApproximateMemoryUsage();
  }
  return bytes;
}

std::vector<MemTablePtr> MemTableList::TrimHistory(size_t active_bytes) {
  size_t bytes = active_bytes + memory_bytes();
  for (const MemTablePtr& memtable : history_) {
    bytes += memtable->AllocatedBytes();
  }
  std::vector<MemTablePtr> dropped;
  while (!history_.empty()) {
    const size_t oldest = history_.front()->AllocatedBytes();
    assert(oldest <= bytes);
    if (bytes - oldest < options_.maintain_bytes) break;
    bytes -= oldest;
    dropped.push_back(std::move(history_.front()));
    history_.pop_front();
  }
  return dropped;
}

size_t MemTableList::memory_bytes() const {
  return Sum(entries_, [](const MemTable& m) { return m.AllocatedBytes(); });
}

uint64_t MemTableList::num_entries() const {
  return Sum(entries_, [](const MemTable& m) { return m.num_entries(); });
}

uint64_t MemTableList::num_deletes() const {
  return Sum(entries_, [](const MemTable& m) { return m.num_deletes(); });
}

uint64_t MemTableList::data_size() const {
  return Sum(entries_, [](const MemTable& m) { return m.data_size(); });
}

SequenceNumber MemTableList::first_sequence() const {
  for (const Entry& entry : entries_)
    if (!entry.memtable->empty()) return entry.memtable->first_sequence();
  return 0;
}

void MemTableList::RemoveBelow(uint64_t log_number) {
  const auto keep = std::find_if(
      entries_.begin(), entries_.end(), [log_number](const Entry& entry) {
        return entry.memtable->next_log_number() > log_number;
      });
  assert(std::all_of(entries_.begin(), keep, [](const Entry& entry) {
    return entry.stage == Stage::kWaiting;
  }));
  num_not_started_ -= static_cast<size_t>(keep - entries_.begin());
  entries_.erase(entries_.begin(), keep);
  Changed();
}

void MemTableList::Clear() {
  entries_.clear();
  history_.clear();
  num_not_started_ = 0;
  flush_requested_ = false;
  installing_ = false;
  Changed();
}

}  // namespace ROCKSDB_NAMESPACE::engine
