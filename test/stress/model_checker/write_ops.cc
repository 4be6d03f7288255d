#include "test/stress/model_checker/write_ops.h"

#include <algorithm>
#include <utility>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/stress/model_checker/records.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// Range deletions lock nothing; the locks of this program cover them.
Status Write(ThreadContext* t, const WriteOptions& options, WriteBatch* batch) {
  TransactionDB* const locking = t->shared.database.locking_db();
  if (locking == nullptr || !batch->HasDeleteRange()) {
    return t->db()->Write(options, batch);
  }
  TransactionDBWriteOptimizations unlocked;
  unlocked.skip_concurrency_control = true;
  return locking->Write(options, unlocked, batch);
}

// One time for all keys of the family with timestamps, later than those that
// they have; where a key has none, or now and then.
Status GiveTime(ThreadContext* t, const Change& change, WriteBatch* batch) {
  const auto& keys = change.keys();
  const auto key = std::find_if(
      keys.begin(), keys.end(),
      [t](const Change::Key& each) { return t->IsStamped(each.slot); });
  if (key == keys.end()) return Status::OK();
  if (!engine::WriteBatchInternal::LacksTimestamp(batch) && t->Chance(700)) {
    return Status::OK();
  }
  std::string time;
  const uint32_t id = t->handle(key->slot)->GetID();
  return batch->UpdateTimestamps(
      EncodeU64Ts(++t->expected().time(), &time),
      [id](uint32_t of) { return of == id ? sizeof(uint64_t) : 0; });
}

// Calls the database, between what the expected state has to be told.
void Apply(ThreadContext* t, Change* change, const WriteOptions& options,
           WriteBatch* batch) {
  t->Ok(GiveTime(t, std::as_const(*change), batch), "UpdateTimestamps");
  change->Begin();
  const Status status = Write(t, options, batch);
  if (status.ok()) return change->Commit(IsDurable(t, options));
  if (options.no_slowdown && status.IsIncomplete()) return change->Cancel();
  if (t->IsLockLimit(status)) return change->Cancel();
  t->Ok(status, "Write");  // Injected: the keys are in doubt.
}

// Records that a rollback to the save point takes back.
void AddAndRollBack(ThreadContext* t, const Change& change, WriteBatch* batch) {
  batch->SetSavePoint();
  for (uint64_t i = t->random.Uniform(4); i > 0; --i) {
    const int slot = change.keys()[0].slot;
    const std::string name = t->expected().KeyOf(t->AnyKey());
    Recorder recorder(t, slot, batch);
    t->Ok(recorder.Put(name, "rolled back"), "Put");
    t->Ok(recorder.DeleteRange("k", "z"), "DeleteRange");
  }
  t->Ok(batch->RollbackToSavePoint(), "RollbackToSavePoint");
}

void FillBatch(ThreadContext* t, Change* change, uint64_t records,
               WriteBatch* batch) {
  auto& keys = change->keys();
  for (uint64_t i = 0; i < records; ++i) {
    Change::Key* const key =
        &keys[i < keys.size() ? i : t->random.Uniform(keys.size())];
    if (i >= keys.size() && ExpectedState::IsSingle(key->key)) continue;
    if (t->Chance(100)) AddAndRollBack(t, *change, batch);
    const bool point = t->Chance(100);
    if (point) batch->SetSavePoint();
    Recorder recorder(t, key->slot, batch);
    t->Ok(AddRecord(t, change, key, AnyRecord(t, *key), &recorder), "a record");
    if (point) t->Ok(batch->PopSavePoint(), "PopSavePoint");
  }
  if (t->Chance(30)) t->Ok(batch->PutLogData("log data"), "PutLogData");
}

// The first slot is the default column family's.
WriteBatch NewBatch(ThreadContext* t) {
  return WriteBatch(0, 0, 0, t->IsStamped(0) ? sizeof(uint64_t) : 0);
}

}  // namespace

void WriteOne(ThreadContext* t) {
  const SlotUse use(t);
  Change change(&t->expected(), &t->shared.locks);
  change.Add(use.slot(), t->AnyPlain());
  if (!change.Lock()) return;
  WriteBatch batch = NewBatch(t);
  FillBatch(t, &change, 1, &batch);
  Apply(t, &change, AnyWriteOptions(t, change.keys()[0].key), &batch);
}

void WriteBatchOfMany(ThreadContext* t) {
  const AllSlotsUse use(t);
  Change change(&t->expected(), &t->shared.locks);
  AddPlainKeys(t, use, /*except=*/-1, &change);
  if (!change.Lock()) return;
  WriteBatch batch = NewBatch(t);
  FillBatch(t, &change, change.keys().size() + t->random.Uniform(4), &batch);
  Apply(t, &change, AnyWriteOptions(t, change.keys()[0].key), &batch);
}

void WriteMirrored(ThreadContext* t) {
  Change change(&t->expected(), &t->shared.locks);
  AddMirroredKeys(t, &change);
  if (!change.Lock()) return;
  WriteBatch batch = NewBatch(t);
  const uint32_t any = change.keys()[0].key;
  const Record record = AnyRecord(t, change.keys()[0]);
  const bool by_range =
      record == Record::kDelete && t->Chance(500) && !t->shared.unordered;
  for (Change::Key& key : change.keys()) {
    if (t->Chance(50)) AddAndRollBack(t, change, &batch);
    Recorder recorder(t, key.slot, &batch);
    if (!by_range) {
      t->Ok(AddRecord(t, &change, &key, record, &recorder), "a record");
      continue;
    }
    change.SetBase(&key, KeyState::Base::kNone);
    const std::string begin = t->expected().KeyOf(key.key);
    t->Ok(recorder.DeleteRange(begin, begin + '\0'), "DeleteRange");
  }
  Apply(t, &change, AnyWriteOptions(t, any), &batch);
}

void WriteRangeDeletion(ThreadContext* t) {
  const SlotUse use(t);
  const uint32_t begin = t->AnyPlain();
  const auto keys = static_cast<uint32_t>(t->Chance(30) ? t->random.Uniform(400)
                                                        : t->random.Skewed(5));
  const uint32_t end = std::min(begin + keys, t->shape().plain);
  Change change(&t->expected(), &t->shared.locks);
  for (uint32_t k = begin; k < end; ++k) change.Add(use.slot(), k);
  if (!change.Lock()) return;
  for (Change::Key& key : change.keys()) {
    change.SetBase(&key, KeyState::Base::kNone);
  }
  WriteBatch batch = NewBatch(t);
  Recorder recorder(t, use.slot(), &batch);
  t->Ok(recorder.DeleteRange(t->expected().KeyOf(begin),
                             t->expected().KeyOf(end)),
        "DeleteRange");
  // With a log, also for keys whose other records have none: no record
  // depends on what a deletion hides.
  WriteOptions options = AnyWriteOptions(t, begin);
  if (t->shared.plan.unlogged_keys) options.disableWAL = false;
  Apply(t, &change, options, &batch);
}

namespace {

// SstFileWriter of a slot's family; with a time for all entries, if it has
// timestamps.
class FileRecorder {
 public:
  FileRecorder(ThreadContext* t, int slot)
      : writer_(EnvOptions(),
                Options(t->shared.database.options().db,
                        t->db()->GetOptions(t->handle(slot))),
                t->handle(slot)) {
    if (t->IsStamped(slot)) {
      time_ = EncodeU64Ts(++t->expected().time(), &text_);
    }
  }
  bool has_time() const { return !time_.empty(); }
  Status Open(const std::string& path) { return writer_.Open(path); }
  Status Put(const Slice& key, const Slice& value) {
    return has_time() ? writer_.Put(key, time_, value)
                      : writer_.Put(key, value);
  }
  // REQUIRES: !has_time().
  Status Merge(const Slice& key, const Slice& operand) {
    return writer_.Merge(key, operand);
  }
  Status Delete(const Slice& key) {
    return has_time() ? writer_.Delete(key, time_) : writer_.Delete(key);
  }
  Status DeleteRange(const Slice& begin, const Slice& end) {
    return has_time() ? writer_.DeleteRange(begin, end, time_)
                      : writer_.DeleteRange(begin, end);
  }
  Status Finish() { return writer_.Finish(); }

 private:
  SstFileWriter writer_;
  std::string text_;
  Slice time_;
};

// One file with the keys [from, to) of the change.
bool WriteFile(ThreadContext* t, Change* change, size_t from, size_t to,
               const std::string& path) {
  const int slot = change->keys()[from].slot;
  FileRecorder writer(t, slot);
  if (!t->Ok(writer.Open(path), "SstFileWriter::Open")) return false;
  const auto& keys = std::as_const(*change).keys();
  // The range must have no key that is not locked.
  const bool deletes_all =
      keys[to - 1].key - keys[from].key == to - 1 - from && t->Chance(200);
  if (deletes_all) {
    const Status status = writer.DeleteRange(
        t->expected().KeyOf(change->keys()[from].key),
        t->expected().KeyOf(change->keys()[to - 1].key) + '\0');
    if (!t->Ok(status, "SstFileWriter::DeleteRange")) return false;
  }
  for (size_t i = from; i < to; ++i) {
    Change::Key* const key = &change->keys()[i];
    if (deletes_all) {
      change->SetBase(key, KeyState::Base::kNone);
      continue;
    }
    const std::string name = t->expected().KeyOf(key->key);
    const uint64_t id = t->expected().IdOf(slot, key->key);
    Status status;
    if (ExpectedState::IsSingle(key->key) && key->state.exists()) continue;
    if (t->Chance(700) || ExpectedState::IsSingle(key->key)) {
      change->SetBase(key, KeyState::Base::kPut);
      status = writer.Put(name, BaseValue(id, key->state.generation));
    } else if (!writer.has_time() && t->Chance(500) &&
               key->state.merges < kMergesMax && TakesMerges(id, key->state)) {
      change->AddMerge(key);
      status = writer.Merge(
          name, Operand(id, key->state.generation, key->state.merges));
    } else {
      change->SetBase(key, KeyState::Base::kNone);
      status = writer.Delete(name);
    }
    if (!t->Ok(status, "SstFileWriter")) return false;
  }
  const Status status = writer.Finish();
  // A file of nothing but skipped keys cannot be made.
  return t->OkOr(status, "SstFileWriter::Finish", {Status::kInvalidArgument});
}

IngestExternalFileOptions AnyIngestOptions(ThreadContext* t) {
  IngestExternalFileOptions options;
  options.move_files = t->Chance(500);
  options.write_global_seqno = t->Chance(200);
  options.verify_checksums_before_ingest = t->Chance(500);
  return options;
}

}  // namespace

void IngestFiles(ThreadContext* t) {
  const SlotUse use(t);
  Change change(&t->expected(), &t->shared.locks);
  const uint32_t begin = t->AnyPlain();
  const uint32_t stride = 1 + static_cast<uint32_t>(t->random.Uniform(4));
  // With timestamps the database must hold none of the keys.
  const bool stamped = t->IsStamped(use.slot());
  const uint32_t count = stamped ? 2 : 40;
  for (uint32_t k = begin; k < t->shape().plain && k < begin + count;
       k += stride) {
    change.Add(use.slot(), k);
  }
  if (!change.Lock()) return;
  const size_t files = 1 + t->random.Uniform(3);
  const size_t per_file = (change.keys().size() + files - 1) / files;
  std::vector<std::string> paths;
  bool whole = true;
  for (size_t from = 0; from < change.keys().size() && whole;
       from += per_file) {
    paths.push_back(t->shared.database.NewPath("ingest") + ".sst");
    whole = WriteFile(t, &change, from,
                      std::min(from + per_file, change.keys().size()),
                      paths.back());
  }
  if (whole) {
    if (t->Chance(300)) std::reverse(paths.begin(), paths.end());
    const IngestExternalFileOptions options = AnyIngestOptions(t);
    change.Begin();
    const Status status =
        t->db()->IngestExternalFile(use.handle(), paths, options);
    const bool refused = stamped && status.IsInvalidArgument();
    if (refused) {
      change.Cancel();
    } else if (t->Ok(status, "IngestExternalFile")) {
      change.Commit(/*durable=*/true);
    }
  }
  for (const std::string& path : paths) {
    t->shared.database.env()->DeleteFile(path).PermitUncheckedError();
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
