#include "db/indexed_batch/family_index.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

// `is_before` is true for a first part of all entries; the result is the place
// behind that part.
template <typename IsBefore>
FamilyIndex::Place FamilyIndex::Partition(const IsBefore& is_before) const {
  const auto chunk = std::partition_point(
      chunks_.begin(), chunks_.end(),
      [&](const auto& entries) { return is_before(entries.back()); });
  if (chunk == chunks_.end()) return {chunks_.size(), 0};
  const auto slot = std::partition_point(
      chunk->begin(), chunk->end(),
      [&](const Entry& entry) { return is_before(entry); });
  return {static_cast<size_t>(chunk - chunks_.begin()),
          static_cast<size_t>(slot - chunk->begin())};
}

FamilyIndex::Place FamilyIndex::Find(const Slice& key, bool after) const {
  return Partition([&](const Entry& entry) {
    const int order = Compare(KeyOf(entry), key);
    return order < 0 || (after && order == 0);
  });
}

FamilyIndex::Place FamilyIndex::FindEntry(const Entry& target) const {
  const Slice key = KeyOf(target);
  return Partition([&](const Entry& entry) {
    const int order = Compare(KeyOf(entry), key);
    return order < 0 || (order == 0 && entry.record < target.record);
  });
}

bool FamilyIndex::StepBack(Place* place) const {
  if (place->slot > 0) {
    --place->slot;
    return true;
  }
  if (place->chunk == 0) return false;
  --place->chunk;
  place->slot = chunks_[place->chunk].size() - 1;
  return true;
}

void FamilyIndex::InsertAt(Place place, const Entry& entry) {
  ++changes_;
  if (chunks_.empty()) chunks_.emplace_back();
  if (IsEnd(place)) place = {chunks_.size() - 1, chunks_.back().size()};
  std::vector<Entry>& chunk = chunks_[place.chunk];
  if (chunk.size() < kChunkMax) {
    chunk.insert(chunk.begin() + static_cast<ptrdiff_t>(place.slot), entry);
    return;
  }
  // Keys that come in ascending order fill their chunks.
  const bool at_end =
      place.chunk + 1 == chunks_.size() && place.slot == chunk.size();
  const size_t keep = at_end ? chunk.size() : chunk.size() / 2;
  std::vector<Entry> second(chunk.begin() + static_cast<ptrdiff_t>(keep),
                            chunk.end());
  chunk.resize(keep);
  std::vector<Entry>& target = place.slot <= keep && !at_end ? chunk : second;
  const size_t slot = &target == &chunk ? place.slot : place.slot - keep;
  target.insert(target.begin() + static_cast<ptrdiff_t>(slot), entry);
  chunks_.insert(chunks_.begin() + static_cast<ptrdiff_t>(place.chunk) + 1,
                 std::move(second));
}

void FamilyIndex::Add(const Entry& entry) {
  // The newest record is the last one of its key.
  InsertAt(Find(KeyOf(entry), /*after=*/true), entry);
}

void FamilyIndex::AddOrReplace(const Entry& entry) {
  const Place place = Find(KeyOf(entry), /*after=*/true);
  Place before = place;
  if (StepBack(&before) && Compare(KeyOf(At(before)), KeyOf(entry)) == 0) {
    chunks_[before.chunk][before.slot] = entry;
    ++changes_;
    return;
  }
  InsertAt(place, entry);
}

void FamilyIndex::AddRangeDeletion(const RangeDeletion& deletion) {
  assert(range_deletions_.empty() ||
         range_deletions_.back().record < deletion.record);
  range_deletions_.push_back(deletion);
}

void FamilyIndex::Clear() {
  chunks_.clear();
  range_deletions_.clear();
  ++changes_;
}

size_t FamilyIndex::NewestDeletionOver(const Slice& key) const {
  const auto over = std::find_if(
      range_deletions_.rbegin(), range_deletions_.rend(),
      [&](const RangeDeletion& d) {
        return Compare({batch_->data() + d.begin, d.begin_size}, key) <= 0 &&
               Compare(key, {batch_->data() + d.end, d.end_size}) < 0;
      });
  return over == range_deletions_.rend() ? 0 : over->record;
}

bool FamilyIndex::EndOfDeletion(const Slice& key, bool backward,
                                Slice* end) const {
  bool found = false;
  for (const RangeDeletion& d : range_deletions_) {
    const Slice from(batch_->data() + d.begin, d.begin_size);
    const Slice to(batch_->data() + d.end, d.end_size);
    if (Compare(from, key) > 0 || Compare(key, to) >= 0) continue;
    const bool farther =
        !found || (backward ? Compare(from, *end) < 0 : Compare(to, *end) > 0);
    if (farther) *end = backward ? from : to;
    found = true;
  }
  return found;
}

// -------------------------------------------------------------------- cursor

void FamilyIndex::Cursor::StandAt(const Place& place) {
  changes_ = index_->changes_;
  place_ = place;
  valid_ = !index_->IsEnd(place);
  if (valid_) entry_ = index_->At(place);
}

void FamilyIndex::Cursor::StandBefore(Place place) {
  if (index_->StepBack(&place)) {
    StandAt(place);
  } else {
    valid_ = false;
  }
}

void FamilyIndex::Cursor::SeekToLast() {
  StandBefore({index_->chunks_.size(), 0});
}

void FamilyIndex::Cursor::SeekForPrev(const Slice& key) {
  StandBefore(index_->Find(key, /*after=*/true));
}

// The entry may have been replaced by one behind it.
void FamilyIndex::Cursor::FindAgain() {
  assert(valid_);
  if (changes_ != index_->changes_) StandAt(index_->FindEntry(entry_));
}

void FamilyIndex::Cursor::Next() {
  FindAgain();
  if (!valid_) return;
  Place next = place_;
  if (++next.slot == index_->chunks_[next.chunk].size()) {
    next = {next.chunk + 1, 0};
  }
  StandAt(next);
}

void FamilyIndex::Cursor::Prev() {
  FindAgain();
  StandBefore(valid_ ? place_ : Place{index_->chunks_.size(), 0});
}

void FamilyIndex::Cursor::NextKey() {
  StandAt(index_->Find(key(), /*after=*/true));
}

void FamilyIndex::Cursor::PrevKey() {
  StandBefore(index_->Find(key(), /*after=*/false));
}

}  // namespace ROCKSDB_NAMESPACE::engine
