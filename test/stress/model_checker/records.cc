#include "test/stress/model_checker/records.h"

#include <optional>

#include "rocksdb/comparator.h"
#include "test/support/timed_put.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// Entities have no timestamps. Both slots of a mirrored key get one record.
bool TakesEntities(ThreadContext* t, const Change::Key& key) {
  const int stamped = t->shared.plan.stamped;
  return t->expected().IsMirror(key.key)
             ? stamped < 0 || stamped >= kMirrorSlots
             : stamped != key.slot;
}

}  // namespace

Record AnyRecord(ThreadContext* t, const Change::Key& of) {
  const uint32_t key = of.key;
  const KeyState& state = of.state;
  if (!t->expected().IsMirror(key) && ExpectedState::IsSingle(key)) {
    // Single deletions are legal on keys that were put once since the last.
    return state.exists() ? Record::kSingleDelete : Record::kPut;
  }
  const uint64_t what = t->random.Uniform(100);
  if (what < 50) return Record::kPut;
  if (what < 60) return TakesEntities(t, of) ? Record::kEntity : Record::kPut;
  if (what < 82 && state.merges < kMergesMax &&
      TakesMerges(t->expected().IdOf(of.slot, key), state)) {
    return Record::kMerge;
  }
  return Record::kDelete;
}

Recorder::Recorder(ThreadContext* t, int slot, WriteBatch* batch)
    : family_(t->handle(slot)), batch_(batch) {
  stamped_ = t->IsStamped(slot);
  if (!stamped_ || t->Chance(300)) return;
  time_ = EncodeU64Ts(++t->expected().time(), &text_);
}

Recorder::Recorder(ThreadContext* t, int slot, Transaction* transaction)
    : family_(t->handle(slot)), transaction_(transaction) {}

Status Recorder::Put(const Slice& key, const Slice& value) {
  if (transaction_ != nullptr) return transaction_->Put(family_, key, value);
  return time_.empty() ? batch_->Put(family_, key, value)
                       : batch_->Put(family_, key, time_, value);
}

Status Recorder::TimedPut(const Slice& key, const Slice& value) {
  return !stamped_ && transaction_ == nullptr
             ? test::AddTimedPut(batch_, family_, key, value, 1)
             : Put(key, value);
}

Status Recorder::PutEntity(const Slice& key, const WideColumns& columns) {
  return transaction_ != nullptr
             ? transaction_->PutEntity(family_, key, columns)
             : batch_->PutEntity(family_, key, columns);
}

Status Recorder::Merge(const Slice& key, const Slice& value) {
  if (transaction_ != nullptr) return transaction_->Merge(family_, key, value);
  return time_.empty() ? batch_->Merge(family_, key, value)
                       : batch_->Merge(family_, key, time_, value);
}

Status Recorder::Delete(const Slice& key) {
  if (transaction_ != nullptr) return transaction_->Delete(family_, key);
  return time_.empty() ? batch_->Delete(family_, key)
                       : batch_->Delete(family_, key, time_);
}

Status Recorder::SingleDelete(const Slice& key) {
  if (transaction_ != nullptr) return transaction_->SingleDelete(family_, key);
  return time_.empty() ? batch_->SingleDelete(family_, key)
                       : batch_->SingleDelete(family_, key, time_);
}

Status Recorder::DeleteRange(const Slice& begin, const Slice& end) {
  return time_.empty() ? batch_->DeleteRange(family_, begin, end)
                       : batch_->DeleteRange(family_, begin, end, time_);
}

Status AddRecord(ThreadContext* t, Change* change, Change::Key* key,
                 Record record, Recorder* recorder) {
  const uint64_t id = t->expected().IdOf(key->slot, key->key);
  const std::string name = t->expected().KeyOf(key->key);
  KeyState& state = key->state;
  switch (record) {
    case Record::kPut:
      change->SetBase(key, KeyState::Base::kPut);
      if (state.generation % 8 == 0) {
        return recorder->TimedPut(name, BaseValue(id, state.generation));
      }
      return recorder->Put(name, BaseValue(id, state.generation));
    case Record::kEntity: {
      change->SetBase(key, KeyState::Base::kEntity);
      const std::string value = BaseValue(id, state.generation);
      const std::string column = ColumnValue(id, state.generation);
      return recorder->PutEntity(name, {{"", value}, {kColumnName, column}});
    }
    case Record::kMerge:
      change->AddMerge(key);
      return recorder->Merge(name, Operand(id, state.generation, state.merges));
    case Record::kDelete:
      change->SetBase(key, KeyState::Base::kNone);
      return recorder->Delete(name);
    case Record::kSingleDelete:
      change->SetBase(key, KeyState::Base::kNone);
      return recorder->SingleDelete(name);
  }
  return Status::OK();
}

WriteOptions AnyWriteOptions(ThreadContext* t, uint32_t key) {
  WriteOptions options;
  options.sync = t->Chance(30);
  options.no_slowdown = t->Chance(30);
  options.low_pri = t->Chance(30);
  options.memtable_insert_hint_per_batch = t->Chance(100);
  if (t->shared.plan.unlogged && t->Chance(300)) {
    options.disableWAL = true;
    options.sync = false;
  }
  if (t->shared.plan.unlogged_keys && t->expected().IsUnlogged(key)) {
    options.disableWAL = true;
    options.sync = false;
  }
  if (t->Chance(200)) options.protection_bytes_per_key = 8;
  return options;
}

bool IsDurable(ThreadContext* t, const WriteOptions& options) {
  const bool in_file =
      options.sync || !t->shared.database.options().db.manual_wal_flush;
  return !options.disableWAL && in_file;
}

void AddPlainKeys(ThreadContext* t, const AllSlotsUse& use, int except,
                  Change* change) {
  const uint64_t keys = 1 + t->random.Skewed(5);
  std::optional<bool> unlogged;
  for (uint64_t i = 0; i < keys; ++i) {
    const int slot = use.slots()[t->random.Uniform(use.slots().size())];
    const uint32_t key = t->AnyPlain();
    if (slot == except) continue;
    const bool like = t->expected().IsUnlogged(key);
    if (t->shared.plan.unlogged_keys && like != unlogged.value_or(like)) {
      continue;
    }
    unlogged = like;
    change->Add(slot, key);
  }
}

void AddMirroredKeys(ThreadContext* t, Change* change) {
  const auto group =
      static_cast<uint32_t>(t->random.Uniform(t->shape().groups));
  for (int slot = 0; slot < kMirrorSlots; ++slot) {
    for (uint32_t copy = 0; copy < kCopies; ++copy) {
      change->Add(slot, t->expected().MirrorKey(group, copy));
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
