#include "test/stress/model_checker/held.h"

#include "test/stress/model_checker/read_ops.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

constexpr size_t kSnapshotsMax = 6;
constexpr size_t kIteratorsMax = 4;
constexpr size_t kPreparedMax = 3;

}  // namespace

void Held::Release(size_t i) {
  t_->db()->ReleaseSnapshot(snaps_[i].snapshot);
  snaps_.erase(snaps_.begin() + static_cast<std::ptrdiff_t>(i));
}

void Held::ReleaseAll() {
  walkers_.clear();
  while (!snaps_.empty()) Release(0);
  while (!prepared_.empty()) {
    if (t_->Chance(500)) {
      prepared_.pop_back();
    } else {
      Decide();
    }
  }
}

void Held::TakeSnapshot() {
  if (snaps_.size() == kSnapshotsMax)
    Release(t_->random.Uniform(kSnapshotsMax));
  const SlotUse use(t_);
  Snap snap;
  snap.slot = use.slot();
  snap.incarnation = t_->shared.incarnation[use.slot()];
  snap.low = t_->expected().Committed(use.slot(), 0, t_->shape().keys());
  snap.snapshot = t_->db()->GetSnapshot();
  snap.high = t_->expected().Pending(use.slot(), 0, t_->shape().keys());
  if (snap.snapshot != nullptr) snaps_.push_back(std::move(snap));
}

void Held::ReadKeys(Snap* snap, const SlotUse& use) {
  ReadOptions options;
  options.snapshot = snap->snapshot;
  for (uint64_t i = 1 + t_->random.Uniform(20); i > 0; --i) {
    const uint32_t key = t_->AnyKey();
    std::optional<std::string> found;
    if (!ReadKey(t_, options, use.slot(), t_->expected().KeyOf(key), &found)) {
      return;
    }
    uint64_t& low = snap->low[key];
    uint64_t& high = snap->high[key];
    t_->CheckRead(snap->slot, key, low, high, found, "read with a snapshot");
    if (t_->shared.unordered) continue;
    const uint64_t id = t_->expected().IdOf(snap->slot, key);
    // What a filter has removed stays so.
    const FilterKind kind = FilterKindOf(id);
    if (kind == FilterKind::kSkips) continue;
    if (kind == FilterKind::kNone && low == high) continue;
    low = high = found ? StateOf(id, *found).value_or(KeyState()).Pack()
                       : KeyState().Pack();
  }
}

void Held::CheckSnapshot() {
  if (snaps_.empty()) return TakeSnapshot();
  const size_t i = t_->random.Uniform(snaps_.size());
  Snap& snap = snaps_[i];
  const SlotUse use(t_, snap.slot);
  if (!use.ok() || snap.incarnation != t_->shared.incarnation[snap.slot]) {
    return Release(i);
  }
  if (t_->Chance(700)) return ReadKeys(&snap, use);
  Walker walker(t_, use, snap.snapshot, snap.low, snap.high);
  if (t_->Chance(300)) {
    walker.WalkAll(t_);
  } else {
    walker.Move(t_, 30);
  }
}

void Held::MakeIterator() {
  if (walkers_.size() == kIteratorsMax) {
    walkers_.erase(walkers_.begin() + static_cast<std::ptrdiff_t>(
                                          t_->random.Uniform(kIteratorsMax)));
  }
  const SlotUse use(t_);
  walkers_.push_back(
      {std::make_unique<Walker>(t_, use), t_->shared.incarnation[use.slot()]});
}

void Held::MoveIterator() {
  if (walkers_.empty()) return MakeIterator();
  const size_t i = t_->random.Uniform(walkers_.size());
  Walker& walker = *walkers_[i].walker;
  const SlotUse use(t_, walker.slot());
  const bool dropped = !use.ok() || walkers_[i].incarnation !=
                                        t_->shared.incarnation[walker.slot()];
  // Other iterators show a dropped family as it was.
  const bool useless = dropped && walker.is_tailing();
  if (useless || !walker.Move(t_, 20)) {
    walkers_.erase(walkers_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Held::Prepare() {
  if (prepared_.size() == kPreparedMax) return Decide();
  Prepared prepared = PrepareTransaction(t_);
  if (prepared.entry != nullptr) prepared_.push_back(std::move(prepared));
}

void Held::Decide() {
  if (prepared_.empty()) return;
  const size_t i = t_->random.Uniform(prepared_.size());
  Prepared prepared = std::move(prepared_[i]);
  prepared_.erase(prepared_.begin() + static_cast<std::ptrdiff_t>(i));
  const AllSlotsUse use(t_);
  DecidePrepared(t_, std::move(prepared));
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
