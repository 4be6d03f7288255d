#include "test/stress/model_checker/compare.h"

#include <algorithm>
#include <map>

#include "test/stress/model_checker/accounts.h"
#include "test/stress/model_checker/transactions.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Found = std::optional<std::string>;

// Of one MultiGet: some batches of the engine, and soon done.
constexpr uint32_t kKeysAtOnce = 200;

class Comparison {
 public:
  Comparison(ThreadContext* t, const Database& database, const char* what)
      : t_(t), database_(database), what_(what) {}

  // What iterators and Get show of a family, by key; empty after a failure or
  // an injected error.
  std::vector<Found> Read(int slot) {
    slot_ = slot;
    std::vector<Found> forward;
    std::vector<Found> backward;
    std::vector<Found> single;
    if (!ReadForward(&forward) || !ReadBackward(&backward) ||
        !ReadSingly(&single)) {
      return {};
    }
    Demand("both directions differ", forward, backward);
    Demand("iterator and MultiGet differ", backward, single);
    return forward;
  }

 private:
  ReadOptions Options() {
    ReadOptions options = t_->ReadsOf(slot_);
    options.total_order_seek = true;
    return options;
  }
  std::unique_ptr<Iterator> NewIterator() {
    return std::unique_ptr<Iterator>(
        database_.db()->NewIterator(Options(), database_.handle(slot_)));
  }
  // A comparison may take long, with hundreds of files in level 0 and direct
  // reads: each key of an iterator is progress, and each MultiGet.
  void Step() { t_->activity.Begin(what_); }
  bool Note(Iterator* it, std::vector<Found>* found) {
    Step();
    const std::optional<uint32_t> key = t_->expected().IndexOf(it->key());
    if (!key || (*found)[*key]) {
      t_->Fail(std::string(what_) + ": an iterator shows " +
               (key ? "twice" : "a key that was never written: ") +
               it->key().ToString(/*hex=*/true));
      return false;
    }
    (*found)[*key] = it->value().ToString();
    return true;
  }
  bool ReadForward(std::vector<Found>* found) {
    found->resize(t_->shape().keys());
    const std::unique_ptr<Iterator> it = NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (!Note(it.get(), found)) return false;
    }
    return t_->Ok(it->status(), std::string(what_) + ": iterator");
  }
  bool ReadBackward(std::vector<Found>* found) {
    found->resize(t_->shape().keys());
    const std::unique_ptr<Iterator> it = NewIterator();
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      if (!Note(it.get(), found)) return false;
    }
    return t_->Ok(it->status(), std::string(what_) + ": iterator");
  }
  bool ReadSingly(std::vector<Found>* found) {
    found->resize(t_->shape().keys());
    for (uint32_t first = 0; first < found->size(); first += kKeysAtOnce) {
      if (!ReadSome(first, found)) return false;
    }
    return true;
  }
  bool ReadSome(uint32_t first, std::vector<Found>* found) {
    Step();
    const uint32_t keys =
        std::min(kKeysAtOnce, static_cast<uint32_t>(found->size()) - first);
    std::vector<std::string> names(keys);
    std::vector<Slice> slices(keys);
    std::vector<PinnableSlice> values(keys);
    std::vector<Status> statuses(keys);
    for (uint32_t k = 0; k < keys; ++k) {
      names[k] = t_->expected().KeyOf(first + k);
      slices[k] = names[k];
    }
    database_.db()->MultiGet(Options(), database_.handle(slot_), keys,
                             slices.data(), values.data(), statuses.data());
    for (uint32_t k = 0; k < keys; ++k) {
      if (statuses[k].IsNotFound()) continue;
      if (!t_->Ok(statuses[k], std::string(what_) + ": MultiGet")) return false;
      (*found)[first + k] = values[k].ToString();
    }
    return true;
  }
  // What was read later is the same, or what a filter has made of it meanwhile.
  void Demand(const char* wrong, const std::vector<Found>& one,
              const std::vector<Found>& two) {
    uint32_t key = 0;
    const auto at = std::mismatch(
        one.begin(), one.end(), two.begin(),
        [&](const Found& earlier, const Found& later) {
          return MayBecome(t_->expected().IdOf(slot_, key++), earlier, later);
        });
    if (at.first == one.end()) return;
    t_->Fail(std::string(what_) + ", family " + SlotName(slot_) + ", key " +
             std::to_string(at.first - one.begin()) + ": " + wrong + ": '" +
             at.first->value_or("(absent)").substr(0, 80) + "' and '" +
             at.second->value_or("(absent)").substr(0, 80) + "'");
  }

  ThreadContext* const t_;
  const Database& database_;
  const char* const what_;
  int slot_ = 0;
};

// The copies of each mirrored key are equal, within and between slots.
void CompareMirrors(ThreadContext* t, const std::vector<Found>* found,
                    const char* what) {
  for (uint32_t group = 0; group < t->shape().groups; ++group) {
    const Found& first = found[0][t->expected().MirrorKey(group, 0)];
    for (uint32_t i = 1; i < kMirrorSlots * kCopies; ++i) {
      const uint32_t key = t->expected().MirrorKey(group, i % kCopies);
      if (found[i / kCopies][key] == first) continue;
      t->Fail(std::string(what) + ": copy " + std::to_string(i) + " of group " +
              std::to_string(group) + " differs from copy 0");
    }
  }
}

}  // namespace

Words CommittedWords(ThreadContext* t, const std::vector<int>& slots) {
  Words words(t->shape().slots);
  for (const int slot : slots) {
    words[slot] = t->expected().Committed(slot, 0, t->shape().keys());
  }
  return words;
}

Words PendingWords(ThreadContext* t, const std::vector<int>& slots) {
  Words words(t->shape().slots);
  for (const int slot : slots) {
    words[slot] = t->expected().Pending(slot, 0, t->shape().keys());
  }
  return words;
}

void LeaveOutPrepared(ThreadContext* t, Words* pending) {
  for (const PreparedEntry& entry : t->expected().prepared().entries) {
    if (entry.stage != PreparedStage::kPrepared) continue;
    for (uint32_t i = 0; i < entry.count; ++i) {
      const PreparedEntry::Key& key = entry.keys[i];
      std::vector<uint64_t>& words = (*pending)[static_cast<size_t>(key.slot)];
      if (words.empty() || words[key.key] != key.after) continue;
      words[key.key] = key.before;
    }
  }
}

void CompareAll(ThreadContext* t, const Database& database, const Words& low,
                const Words& high, const char* what) {
  const Doing doing(&t->activity, what);
  Comparison comparison(t, database, what);
  std::vector<std::vector<Found>> found(low.size());
  for (size_t slot = 0; slot < low.size(); ++slot) {
    if (low[slot].empty()) continue;
    found[slot] = comparison.Read(static_cast<int>(slot));
    for (uint32_t k = 0; k < found[slot].size(); ++k) {
      t->CheckRead(static_cast<int>(slot), k, low[slot][k], high[slot][k],
                   found[slot][k], what);
    }
  }
  CompareAccounts(t, database, what);
  if (found[0].empty() || found[1].empty()) return;
  CompareMirrors(t, found.data(), what);
}

namespace {

// Exclusively, so that no automatic compaction moves what is not yet filtered
// to where this one has been.
bool FilterAll(ThreadContext* t, int slot) {
  const Doing doing(&t->activity, "CompactRange of all that is filtered");
  CompactRangeOptions options;
  options.exclusive_manual_compaction = true;
  options.allow_write_stall = true;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  return t->Ok(
      t->db()->CompactRange(options, t->handle(slot), nullptr, nullptr),
      "CompactRange of all that is filtered");
}

// The words of keys that the filter has removed become those of deletions.
void RemoveFiltered(ThreadContext* t, int slot, std::vector<uint64_t>* words) {
  for (uint32_t k = 0; k < words->size(); ++k) {
    KeyState state = KeyState::Unpack((*words)[k]);
    if (FateOf(t->expected().IdOf(slot, k), state) != Fate::kIsRemoved) {
      continue;
    }
    state.base = KeyState::Base::kNone;
    (*words)[k] = state.Pack();
  }
}

}  // namespace

void CompareFiltered(ThreadContext* t) {
  const std::vector<FilterPlace>& filters =
      t->shared.database.options().filters;
  const AllSlotsUse use(t);
  Words words = CommittedWords(t, use.slots());
  for (const int slot : use.slots()) {
    if (!FiltersCompactions(filters[static_cast<size_t>(slot)])) continue;
    if (!FilterAll(t, slot)) return;
    RemoveFiltered(t, slot, &words[static_cast<size_t>(slot)]);
  }
  CompareAll(t, t->shared.database, words, words, "after all is filtered");
}

namespace {

// The word of a state between those of a key in doubt: a kill may take back
// more than one write.
uint64_t WordBetween(ThreadContext* t, int slot, uint32_t key, uint64_t low,
                     const Found& found) {
  // Any generation will do for a deletion, but a new one.
  KeyState state{.generation = KeyState::Unpack(low).generation + 1};
  if (!found) return state.Pack();
  const uint64_t id = t->expected().IdOf(slot, key);
  state = StateOf(id, *found).value_or(state);
  PinnableWideColumns columns;
  const Status status = t->db()->GetEntity(t->ReadsOf(slot), t->handle(slot),
                                           t->expected().KeyOf(key), &columns);
  if (t->Ok(status, "GetEntity of a key in doubt") &&
      columns.columns().size() > 1) {
    state.base = KeyState::Base::kEntity;
  }
  return state.Pack();
}

void SettleKey(ThreadContext* t, int slot, uint32_t key) {
  Cell& cell = t->expected().cell(slot, key);
  const uint64_t low = cell.committed.load();
  const uint64_t high = cell.pending.load();
  if (low == high || IsOfPrepared(&t->expected(), slot, key)) return;
  std::string value;
  const Status status = t->db()->Get(t->ReadsOf(slot), t->handle(slot),
                                     t->expected().KeyOf(key), &value);
  if (!status.IsNotFound() && !t->Ok(status, "Get of a key in doubt")) return;
  const Found found = status.ok() ? Found(value) : Found();
  const uint64_t id = t->expected().IdOf(slot, key);
  const bool is_low = Judge(id, low, low, found).empty();
  const bool is_high = Judge(id, high, high, found).empty();
  if (!is_low && !is_high) t->CheckRead(slot, key, low, high, found, "doubt");
  uint64_t word = is_low ? low : high;
  if (!is_low && !is_high) word = WordBetween(t, slot, key, low, found);
  cell.committed.store(word);
  cell.pending.store(word);
}

// A process that was killed while it changed the words of a group left some of
// them behind.
void AlignGroup(ThreadContext* t, uint32_t group) {
  const uint32_t any = t->expected().MirrorKey(group, 0);
  if (IsOfPrepared(&t->expected(), /*slot=*/0, any)) return;
  uint64_t word = 0;
  uint32_t generation = 0;
  const auto for_each = [&](const auto& visit) {
    for (uint32_t i = 0; i < kMirrorSlots * kCopies; ++i) {
      visit(t->expected().cell(static_cast<int>(i / kCopies),
                               t->expected().MirrorKey(group, i % kCopies)));
    }
  };
  for_each([&](Cell& cell) {
    word = std::max(word, cell.committed.load());
    generation = std::max(generation, cell.last_generation.load());
  });
  for_each([&](Cell& cell) {
    cell.committed.store(word);
    cell.pending.store(word);
    cell.last_generation.store(generation);
  });
}

}  // namespace

void SettleDoubts(ThreadContext* t) {
  const AllSlotsUse use(t);
  for (const int slot : use.slots()) {
    for (uint32_t k = 0; k < t->shape().keys(); ++k) SettleKey(t, slot, k);
  }
  for (uint32_t g = 0; g < t->shape().groups; ++g) AlignGroup(t, g);
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
