#include "test/stress/target/db_target.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "test/stress/history/history.h"
#include "test/stress/history/model.h"
#include "test/stress/options/working_service.h"
#include "test/stress/target/entity_columns.h"
#include "test/stress/target/indexed_write.h"
#include "test/stress/target/over_families.h"
#include "test/support/timed_put.h"
#include "util/coding.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string ShowWide(const WideColumns& columns) {
  std::map<std::string, std::string> named;
  for (const WideColumn& column : columns) {
    named[column.name().ToString()] = column.value().ToString();
  }
  return ShowColumns(named);
}

// Nothing if a group of one family was read as `answer`.
std::string DifferenceOfGroup(const PinnableAttributeGroup& group,
                              const std::string& answer) {
  const std::string shown =
      group.status().ok() ? ShowWide(group.columns()) : TextOf(group.status());
  return shown == answer ? "" : " BUT GROUP " + shown;
}

// Upper and lower case are the same.
class FoldedComparator final : public Comparator {
 public:
  const char* Name() const override { return "stress.Folded"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return Folded(a.ToString()).compare(Folded(b.ToString()));
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

const Comparator* FoldedOrder() {
  static const FoldedComparator kOrder;
  return &kOrder;
}

// Equal keys of different bytes have different hashes.
void UseNoHashes(ColumnFamilyOptions* options) {
  options->prefix_extractor.reset();
  options->memtable_factory = std::make_shared<SkipListFactory>();
  options->memtable_prefix_bloom_size_ratio = 0;
  options->memtable_whole_key_filtering = false;
  auto* const table =
      options->table_factory->GetOptions<BlockBasedTableOptions>();
  if (table == nullptr) return;
  table->filter_policy.reset();
  if (table->index_type == BlockBasedTableOptions::kHashSearch) {
    table->index_type = BlockBasedTableOptions::kBinarySearch;
  }
}

class DbCursor final : public Cursor {
 public:
  // Bounds: "" is none.
  DbCursor(DB* db, ColumnFamilyHandle* family, ReadOptions options,
           std::string lower, std::string upper,
           stress::Shown shown = stress::Shown::kColumns)
      : shown_(shown),
        lower_(std::move(lower)),
        upper_(std::move(upper)),
        lower_slice_(lower_),
        upper_slice_(upper_),
        prepares_(options.allow_unprepared_value),
        folded_(IsFolded(family->GetName())) {
    if (!lower_.empty()) options.iterate_lower_bound = &lower_slice_;
    if (!upper_.empty()) options.iterate_upper_bound = &upper_slice_;
    it_.reset(db->NewIterator(options, family));
  }
  DbCursor(std::unique_ptr<Iterator> it, bool folded)
      : shown_(stress::Shown::kColumns),
        prepares_(false),
        folded_(folded),
        it_(std::move(it)) {}

  void SeekToFirst() override { it_->SeekToFirst(); }
  void SeekToLast() override { it_->SeekToLast(); }
  void Seek(const std::string& key) override { it_->Seek(key); }
  void SeekForPrev(const std::string& key) override { it_->SeekForPrev(key); }
  void Next() override { it_->Next(); }
  void Prev() override { it_->Prev(); }
  void Refresh() override { error_ = TextOf(it_->Refresh()); }
  bool Valid() override { return it_->Valid(); }
  std::string Key() override {
    const std::string key = it_->key().ToString();
    return folded_ ? Folded(key) : key;
  }
  std::string Shown() override {
    if (prepares_ && !it_->PrepareValue()) return "ERROR " + Error();
    return shown_ == stress::Shown::kColumns ? ShowRow(it_.get())
                                             : Show(it_->value().ToString());
  }
  std::string Error() override {
    if (!error_.empty() && error_ != kOk) return error_;
    return it_->status().ok() ? "" : it_->status().ToString();
  }

 private:
  const stress::Shown shown_;
  std::string lower_;
  std::string upper_;
  Slice lower_slice_;
  Slice upper_slice_;
  bool prepares_;
  bool folded_;
  std::string error_;
  std::unique_ptr<Iterator> it_;
};

Status AddStamped(SstFileWriter* writer, const Operation& entry) {
  std::string space;
  const Slice time = EncodeU64Ts(entry.number, &space);
  switch (entry.kind) {
    case Kind::kPut:
      return writer->Put(entry.key, time, ExpandValue(entry.value));
    case Kind::kDeleteRange:
      return writer->DeleteRange(entry.key, entry.end, time);
    default:
      return writer->Delete(entry.key, time);
  }
}

Status AddTo(SstFileWriter* writer, const Operation& entry) {
  if (HasTimestamps(entry.family)) return AddStamped(writer, entry);
  switch (entry.kind) {
    case Kind::kPut:
      return writer->Put(entry.key, ExpandValue(entry.value));
    case Kind::kEntity:
      return writer->PutEntity(entry.key, EntityColumns(entry).wide());
    case Kind::kMerge:
      return writer->Merge(entry.key, ExpandValue(entry.value));
    case Kind::kDeleteRange:
      return writer->DeleteRange(entry.key, entry.end);
    default:
      return writer->Delete(entry.key);
  }
}

// `time`: of a family with timestamps.
Status AddTo(WriteBatchBase* batch, ColumnFamilyHandle* family,
             const Slice& time, const Operation& write) {
  switch (write.kind) {
    case Kind::kPut:
      return batch->Put(family, write.key, time, ExpandValue(write.value));
    case Kind::kMerge:
      return batch->Merge(family, write.key, time, ExpandValue(write.value));
    case Kind::kDeleteRange:
      return batch->DeleteRange(family, write.key, write.end, time);
    case Kind::kSingleDelete:
      return batch->SingleDelete(family, write.key, time);
    default:
      return batch->Delete(family, write.key, time);
  }
}

const Slice* NewestTime() {
  static const Slice kNewest = MaxU64Ts();
  return &kNewest;
}

Status AddTo(WriteBatchBase* batch, ColumnFamilyHandle* family,
             const Operation& write) {
  switch (write.kind) {
    case Kind::kTimedPut:
      return test::AddTimedPut(batch->GetWriteBatch(), family, write.key,
                               ExpandValue(write.value), write.number);
    case Kind::kPut:
      return batch->Put(family, write.key, ExpandValue(write.value));
    case Kind::kEntity:
      return batch->PutEntity(family, write.key, EntityColumns(write).wide());
    case Kind::kMerge:
      return batch->Merge(family, write.key, ExpandValue(write.value));
    case Kind::kDeleteRange:
      return batch->DeleteRange(family, write.key, write.end);
    case Kind::kSingleDelete:
      return batch->SingleDelete(family, write.key);
    default:
      return batch->Delete(family, write.key);
  }
}

}  // namespace

std::string TextOf(const Status& status) {
  if (status.ok()) return kOk;
  if (status.IsNotFound()) return kNotFound;
  if (status.IsIncomplete()) return "Incomplete";
  return "ERROR " + status.ToString();
}

std::string ShowRow(Iterator* it) {
  const std::string shown = ShowWide(it->columns());
  std::string value;  // What value() must be: the default column.
  for (const WideColumn& column : it->columns()) {
    if (column.name().empty()) value = column.value().ToString();
  }
  return it->value() == Slice(value)
             ? shown
             : shown + " BUT VALUE " + Show(it->value().ToString());
}

std::unique_ptr<Cursor> CursorOver(std::unique_ptr<Iterator> it,
                                   ColumnFamilyHandle* family) {
  return std::make_unique<DbCursor>(std::move(it), IsFolded(family->GetName()));
}

DBOptions SmallDbOptions(Env* env) {
  DBOptions options;
  options.env = env;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.info_log_level = ERROR_LEVEL;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

ColumnFamilyOptions SmallFamilyOptions(const std::string& family) {
  ColumnFamilyOptions options;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 16 << 10;
  options.max_bytes_for_level_base = 64 << 10;
  options.level0_file_num_compaction_trigger = 3;
  options.compression = kNoCompression;
  BlockBasedTableOptions table;
  table.block_size = 512;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  if (IsReversed(family)) options.comparator = ReverseBytewiseComparator();
  if (HasTimestamps(family)) options.comparator = BytewiseComparatorWithU64Ts();
  if (IsFolded(family)) options.comparator = FoldedOrder();
  const Status status = MergeOperator::CreateFromString(
      ConfigOptions(), AddsNumbers(family) ? "uint64add" : "stringappend",
      &options.merge_operator);
  return status.ok() ? options : ColumnFamilyOptions();
}

std::string DumpDb(DB* db,
                   const std::map<std::string, ColumnFamilyHandle*>& families,
                   const ReadOptions& options, Shown shown) {
  ReadOptions reads(options);
  reads.total_order_seek = true;
  DumpAnswer answer;
  for (const auto& [name, handle] : families) {
    reads.timestamp = HasTimestamps(name) ? NewestTime() : nullptr;
    DbCursor cursor(db, handle, reads, "", "", shown);
    DumpFamily(name, &cursor, &answer);
  }
  return answer.Finish();
}

ColumnFamilyHandle* DbTarget::family(const std::string& name) {
  const auto it = handles_.find(name);
  return it == handles_.end() ? nullptr : it->second;
}

Status DbTarget::MakeFamilyOptions(const std::string& name,
                                   const FamilySettings& settings,
                                   ColumnFamilyOptions* options) {
  *options = SmallFamilyOptions(name);
  const Status status =
      Apply(settings, deps_.path + "_" + name, &caches_, options);
  if (HasTimestamps(name)) options->enable_blob_files = false;  // Not both.
  if (IsFolded(name)) UseNoHashes(options);
  ServeFamily(db_options_, name, *options);
  return status;
}

std::string DbTarget::Open(const Opening& opening) {
  opening_ = opening;
  db_options_ = SmallDbOptions(deps_.env);
  Status status = Apply(opening.options.db, deps_.path, &caches_, &db_options_);
  if (!status.ok()) return "options: " + TextOf(status);
  reads_ = ReadOptions();
  writes_ = WriteOptions();
  status = Apply(opening.options.reads, &reads_);
  if (status.ok()) status = Apply(opening.options.writes, &writes_);
  if (!status.ok()) return "options: " + TextOf(status);
  std::vector<ColumnFamilyDescriptor> descriptors;
  family_options_.clear();
  for (const auto& [name, settings] : opening.options.families) {
    ColumnFamilyOptions& options = family_options_[name];
    status = MakeFamilyOptions(name, settings, &options);
    if (!status.ok()) return "options: " + TextOf(status);
    descriptors.emplace_back(name, options);
  }
  std::vector<ColumnFamilyHandle*> handles;
  status = OpenDb(descriptors, &handles);
  if (!status.ok()) return TextOf(status);
  for (size_t i = 0; i < handles.size(); ++i) {
    handles_[descriptors[i].name] = handles[i];
  }
  return kOk;
}

std::string DbTarget::Close() {
  if (db_ == nullptr) return kOk;
  held_.ReleaseAll();
  Status status;
  ForgetTransactions();
  if (writes_.disableWAL) status = WriteOut(/*sync=*/false);
  for (const auto& [name, handle] : handles_) {
    const Status destroyed = db_->DestroyColumnFamilyHandle(handle);
    if (status.ok()) status = destroyed;
  }
  handles_.clear();
  if (status.ok()) status = db_->Close();
  db_.reset();
  return TextOf(status);
}

std::string DbTarget::Crash() {
  if (db_ == nullptr || !deps_.crash) return Close();
  const Status status = WriteOut(/*sync=*/true);
  deps_.env = deps_.crash();
  Close();  // What it writes now is lost.
  return TextOf(status);
}

std::string DbTarget::Execute(const Operation& operation) {
  if (db_ == nullptr) return "no database";
  if (!operation.family.empty() && operation.kind != Kind::kCreateFamily &&
      operation.kind != Kind::kImport && family(operation.family) == nullptr) {
    return kAny;
  }
  if (operation.kind <= Kind::kIngest) return Write(operation);
  if (operation.kind == Kind::kTransaction) return Transact(operation);
  if (operation.kind == Kind::kDecide) return Decide(operation);
  if (operation.kind <= Kind::kKeyMayExist) return Read(operation);
  if (operation.kind <= Kind::kDump) return held_.Execute(operation);
  return Work(operation);
}

std::string DbTarget::Write(const Operation& operation) {
  ColumnFamilyHandle* const handle = family(operation.family);
  if (HasTimestamps(operation.family)) {
    Operation batch;
    batch.inner.push_back(operation);
    return WriteBatchOf(batch);
  }
  switch (operation.kind) {
    case Kind::kBatch:
      return WriteBatchOf(operation);
    case Kind::kEntityGroups:
      return WriteGroups(operation);
    case Kind::kClip:
      return TextOf(
          db_->ClipColumnFamily(handle, operation.key, operation.end));
    case Kind::kIngest:
      return Ingest(operation);
    case Kind::kPut:
      return TextOf(db_->Put(writes_, handle, operation.key,
                             ExpandValue(operation.value)));
    case Kind::kTimedPut: {
      WriteBatch batch;
      const Status status = AddTo(&batch, handle, operation);
      return TextOf(status.ok() ? db_->Write(writes_, &batch) : status);
    }
    case Kind::kEntity:
      return TextOf(db_->PutEntity(writes_, handle, operation.key,
                                   EntityColumns(operation).wide()));
    case Kind::kMerge:
      return TextOf(db_->Merge(writes_, handle, operation.key,
                               ExpandValue(operation.value)));
    case Kind::kDeleteRange:
      return DeleteRange(operation);
    case Kind::kSingleDelete:
      return TextOf(db_->SingleDelete(writes_, handle, operation.key));
    case Kind::kDelete:
      return TextOf(db_->Delete(writes_, handle, operation.key));
    default:
      return kAny;
  }
}

std::string DbTarget::WriteGroups(const Operation& operation) {
  std::vector<EntityColumns> columns;
  columns.reserve(operation.inner.size());
  AttributeGroups groups;
  for (const Operation& entity : operation.inner) {
    ColumnFamilyHandle* const handle = family(entity.family);
    if (handle == nullptr) continue;
    groups.emplace_back(handle, columns.emplace_back(entity).wide());
  }
  if (groups.empty()) return kAny;
  return TextOf(db_->PutEntity(writes_, operation.key, groups));
}

Status DbTarget::AddRecords(const Operation& operation, WriteBatchBase* batch,
                            Times times) {
  for (const Operation& write : operation.inner) {
    Status status;
    if (write.kind == Kind::kSavePoint) {
      batch->SetSavePoint();
    } else if (write.kind == Kind::kRollback) {
      status = batch->RollbackToSavePoint();
    } else if (write.kind == Kind::kPopSavePoint) {
      status = batch->PopSavePoint();
    } else if (ColumnFamilyHandle* const handle = family(write.family)) {
      std::string time;
      status =
          HasTimestamps(write.family) && times == Times::kGiven
              ? AddTo(batch, handle, EncodeU64Ts(write.number, &time), write)
              : AddTo(batch, handle, write);
    }
    // Without a save point there is nothing to go back to.
    if (!status.ok() && !status.IsNotFound()) return status;
  }
  return Status::OK();
}

// Where one key has a timestamp, it is set at the end: such a call sets all.
Status DbTarget::FillBatch(const Operation& operation, WriteBatchBase* batch) {
  const Operation* stamped = nullptr;
  for (const Operation& write : operation.inner) {
    if (!HasTimestamps(write.family) || family(write.family) == nullptr)
      continue;
    if (stamped != nullptr) return AddRecords(operation, batch, Times::kGiven);
    stamped = &write;
  }
  if (stamped == nullptr) return AddRecords(operation, batch, Times::kGiven);
  RETURN_IF_ERROR(AddRecords(operation, batch, Times::kSetLater));
  std::string time;
  const uint32_t id = family(stamped->family)->GetID();
  return batch->GetWriteBatch()->UpdateTimestamps(
      EncodeU64Ts(stamped->number, &time),
      [id](uint32_t of) { return of == id ? sizeof(uint64_t) : 0; });
}

// Two of three batches have an index, which shows the database as it will be.
std::string DbTarget::WriteBatchOf(const Operation& operation) {
  const uint64_t way = Fingerprint(ToText(operation)) % 3;
  const bool timed = std::any_of(
      operation.inner.begin(), operation.inner.end(),
      [](const Operation& write) { return write.kind == Kind::kTimedPut; });
  if (way == 0 || timed) {
    WriteBatch batch(0, 0, writes_.protection_bytes_per_key, 0);
    const Status filled = FillBatch(operation, &batch);
    return TextOf(filled.ok() ? WriterOf(operation)->Write(writes_, &batch)
                              : filled);
  }
  IndexedWrite indexed(WriterOf(operation), /*overwrite_key=*/way == 2);
  const Status filled = FillBatch(operation, indexed.batch());
  if (!filled.ok()) return TextOf(filled);
  for (const Operation& write : operation.inner) {
    ColumnFamilyHandle* const handle = family(write.family);
    if (handle == nullptr) continue;
    indexed.Watch(handle, write.key);
    if (!write.end.empty()) indexed.Watch(handle, write.end);
  }
  return indexed.Write(writes_);
}

Status DbTarget::WriteFile(const std::string& path, const Operation& ingest,
                           uint64_t file) {
  std::unique_ptr<SstFileWriter> writer;
  for (const Operation& entry : ingest.inner) {
    ColumnFamilyHandle* const handle = family(entry.family);
    if (entry.id != file || handle == nullptr) continue;
    if (writer == nullptr) {
      writer = std::make_unique<SstFileWriter>(EnvOptions(db_options_),
                                               db_->GetOptions(handle), handle);
      RETURN_IF_ERROR(writer->Open(path));
    }
    RETURN_IF_ERROR(AddTo(writer.get(), entry));
  }
  return writer == nullptr ? Status::OK() : writer->Finish();
}

std::string DbTarget::Ingest(const Operation& operation) {
  IngestExternalFileOptions options;
  options.move_files = operation.Setting("move_files") == "true";
  options.write_global_seqno =
      operation.Setting("write_global_seqno") == "true";
  options.verify_checksums_before_ingest =
      operation.Setting("verify_checksums_before_ingest") == "true";
  std::map<uint64_t, std::string> owners;  // Files and their families.
  for (const Operation& entry : operation.inner) {
    if (family(entry.family) != nullptr) owners[entry.id] = entry.family;
  }
  if (owners.empty()) return kAny;
  std::map<std::string, IngestExternalFileArg> args;
  std::vector<std::string> paths;
  for (const auto& [file, owner] : owners) {
    paths.push_back(deps_.path + "_external" + std::to_string(++files_made_));
    const Status status = WriteFile(paths.back(), operation, file);
    if (!status.ok()) return TextOf(status);
    IngestExternalFileArg& arg = args[owner];
    arg.column_family = family(owner);
    arg.external_files.push_back(paths.back());
    arg.options = options;
  }
  Status status;
  if (args.size() == 1) {
    const IngestExternalFileArg& arg = args.begin()->second;
    status = db_->IngestExternalFile(arg.column_family, arg.external_files,
                                     arg.options);
  } else {
    std::vector<IngestExternalFileArg> all;
    for (const auto& [name, arg] : args) all.push_back(arg);
    status = db_->IngestExternalFiles(all);
  }
  for (const std::string& path : paths) {
    deps_.env->DeleteFile(path).PermitUncheckedError();  // Unless moved.
  }
  return TextOf(status);
}

ReadOptions DbTarget::ReadOptionsFor(uint64_t snapshot,
                                     const std::string& family) const {
  ReadOptions options(reads_);
  if (HasTimestamps(family)) options.timestamp = NewestTime();
  options.snapshot = held_.Find(snapshot);
  return options;
}

std::string DbTarget::Read(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kGet: {
      PinnableSlice value;
      const Status status =
          db_->Get(ReadOptionsFor(operation.id, operation.family),
                   family(operation.family), operation.key, &value);
      return status.ok() ? Show(value.ToString()) : TextOf(status);
    }
    case Kind::kGetEntity:
      return GetEntity(operation);
    case Kind::kGetMergeOperands:
      return GetOperands(operation);
    case Kind::kMultiGet:
      return MultiGet(operation);
    case Kind::kMultiGetEntity:
      return MultiGetEntity(operation);
    default:
      return KeyMayExist(operation);
  }
}

std::string DbTarget::GetEntity(const Operation& operation) {
  PinnableWideColumns columns;
  const ReadOptions options = ReadOptionsFor(operation.id, operation.family);
  const Status status = db_->GetEntity(options, family(operation.family),
                                       operation.key, &columns);
  const std::string answer =
      status.ok() ? ShowWide(columns.columns()) : TextOf(status);
  PinnableAttributeGroups groups;
  groups.emplace_back(family(operation.family));
  const Status grouped = db_->GetEntity(options, operation.key, &groups);
  if (!grouped.ok()) return answer + " BUT GROUPS " + TextOf(grouped);
  return answer + DifferenceOfGroup(groups.front(), answer);
}

std::string DbTarget::GetOperands(const Operation& operation) {
  GetMergeOperandsOptions options;
  options.expected_max_number_of_operands = 4096;
  std::vector<PinnableSlice> operands(4096);
  int count = 0;
  const Status status = db_->GetMergeOperands(
      ReadOptionsFor(operation.id, operation.family), family(operation.family),
      operation.key, operands.data(), &options, &count);
  if (!status.ok()) return TextOf(status);
  std::string text;
  uint64_t sum = 0;
  const bool adds = AddsNumbers(operation.family);
  for (int i = 0; i < count; ++i) {
    if (adds) {
      sum += engine::DecodeFixed64(operands[i].data());
    } else {
      text += (i == 0 ? "" : ",") + operands[i].ToString();
    }
  }
  if (adds) engine::PutFixed64(&text, sum);
  return Show(text);
}

std::string DbTarget::KeyMayExist(const Operation& operation) {
  std::string value;
  bool found = false;
  ColumnFamilyHandle* const handle = family(operation.family);
  const bool may = db_->KeyMayExist(ReadOptionsFor(0, operation.family), handle,
                                    operation.key, &value, nullptr, &found);
  if (may && found) {
    std::string real;
    const Status status = db_->Get(ReadOptionsFor(0, operation.family), handle,
                                   operation.key, &real);
    if (!status.ok() || real != value) {
      return "true with the wrong value " + Show(value);
    }
  }
  return may ? "true" : "false";
}

bool DbTarget::KeysOf(const Operation& operation,
                      std::vector<ColumnFamilyHandle*>* families,
                      std::vector<Slice>* keys) {
  for (const Operation& one : operation.inner) {
    ColumnFamilyHandle* const handle = family(one.family);
    if (handle == nullptr) return false;
    families->push_back(handle);
    keys->emplace_back(one.key);
  }
  return true;
}

std::string DbTarget::MultiGet(const Operation& operation) {
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> keys;
  if (!KeysOf(operation, &families, &keys)) return kAny;
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  const std::set<ColumnFamilyHandle*> different(families.begin(),
                                                families.end());
  if (different.size() == 1) {
    db_->MultiGet(ReadOptionsFor(operation.id, operation.inner[0].family),
                  families[0], keys.size(), keys.data(), values.data(),
                  statuses.data());
  } else {
    db_->MultiGet(ReadOptionsFor(operation.id, operation.inner[0].family),
                  keys.size(), families.data(), keys.data(), values.data(),
                  statuses.data());
  }
  std::string answer;
  for (size_t i = 0; i < keys.size(); ++i) {
    answer +=
        (i == 0 ? "" : " ") +
        (statuses[i].ok() ? Show(values[i].ToString()) : TextOf(statuses[i]));
  }
  return answer;
}

std::string DbTarget::MultiGetEntity(const Operation& operation) {
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> keys;
  if (!KeysOf(operation, &families, &keys)) return kAny;
  std::vector<PinnableWideColumns> results(keys.size());
  std::vector<Status> statuses(keys.size());
  db_->MultiGetEntity(ReadOptionsFor(operation.id, operation.inner[0].family),
                      keys.size(), families.data(), keys.data(), results.data(),
                      statuses.data());
  std::vector<PinnableAttributeGroups> groups(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) groups[i].emplace_back(families[i]);
  db_->MultiGetEntity(ReadOptionsFor(operation.id, operation.inner[0].family),
                      keys.size(), keys.data(), groups.data());
  std::string answer;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string one =
        statuses[i].ok() ? ShowWide(results[i].columns()) : TextOf(statuses[i]);
    answer +=
        (i == 0 ? "" : " ") + one + DifferenceOfGroup(groups[i].front(), one);
  }
  return answer;
}

std::unique_ptr<Cursor> DbTarget::NewCursor(const Operation& operation) {
  ReadOptions options = ReadOptionsFor(operation.number, operation.family);
  const std::string mode = operation.Setting("mode");
  options.total_order_seek = mode == "total";
  options.auto_prefix_mode = mode == "auto";
  options.tailing = mode == "tailing";
  if (options.tailing) options.total_order_seek = true;
  if (!MayRenew(operation.id)) {
    options.auto_refresh_iterator_with_snapshot = false;
  }
  return std::make_unique<DbCursor>(db_.get(), family(operation.family),
                                    options, operation.key, operation.end);
}

std::string DbTarget::DumpValues() {
  return db_ == nullptr
             ? "no database"
             : DumpDb(db_.get(), handles_, reads_, stress::Shown::kValue);
}

std::string DbTarget::Dump() {
  return DumpDb(db_.get(), handles_, reads_) +
         DifferenceOverFamilies(db_.get(), handles_, reads_);
}

}  // namespace ROCKSDB_NAMESPACE::stress
