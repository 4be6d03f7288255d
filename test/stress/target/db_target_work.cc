// DbTarget: operations that must not change any answer, and families.

#include <algorithm>
#include <unordered_map>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/transaction_log.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// What a program may be told when it asks for more than the database's shape,
// or its options, allow.
bool IsRefusal(const Status& status) {
  return status.IsInvalidArgument() || status.IsNotSupported() ||
         status.IsAborted();
}

std::string Tolerant(const Status& status) {
  return IsRefusal(status) ? kOk : TextOf(status);
}

// No row has a time that is above the newest of its family. "": so it is.
std::string NewerThanNewest(DB* db, ColumnFamilyHandle* family) {
  std::string newest;
  const Status status = db->GetNewestUserDefinedTimestamp(family, &newest);
  if (!status.ok()) return TextOf(status);
  const Slice last = MaxU64Ts();
  ReadOptions all;
  all.timestamp = &last;
  const std::unique_ptr<Iterator> it(db->NewIterator(all, family));
  const Comparator* const order = family->GetComparator();
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (newest.empty() || order->CompareTimestamp(it->timestamp(), newest) > 0)
      return "newer than the newest time: " + Show(it->key().ToString());
  }
  return it->status().ok() ? "" : TextOf(it->status());
}

using Changes = std::unordered_map<std::string, std::string>;

}  // namespace

std::string DbTarget::Work(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kFlush:
      return Flush(operation);
    case Kind::kCompactRange:
      return CompactRange(operation);
    case Kind::kCompactFiles:
      return CompactFiles(operation);
    case Kind::kSuggestCompactRange: {
      const Slice begin(operation.key);
      const Slice end(operation.end);
      return Tolerant(
          db_->SuggestCompactRange(family(operation.family), &begin, &end));
    }
    case Kind::kSetOptions:
    case Kind::kSetDbOptions:
      return SetOptions(operation);
    case Kind::kProperties:
      return Properties(operation);
    case Kind::kUpdatesSince:
      return UpdatesSince(operation);
    case Kind::kApproximateSizes:
      return ApproximateSizes(operation);
    case Kind::kTraced:
      return Traced(operation);
    case Kind::kCheckpoint:
      return Checkpoint(operation);
    case Kind::kBackup:
      return Backup();
    case Kind::kReadOnly:
    case Kind::kSecondary:
      return OtherInstance(operation.kind);
    case Kind::kCreateFamily:
      return CreateFamily(operation);
    case Kind::kImport:
      return Import(operation);
    case Kind::kDropFamily:
      return DropFamily(operation);
    default:
      return Switch(operation);
  }
}

std::string DbTarget::Switch(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kWait:
      return TextOf(db_->WaitForCompact(WaitForCompactOptions()));
    case Kind::kPauseBackground:
      return TextOf(db_->PauseBackgroundWork());
    case Kind::kContinueBackground:
      return TextOf(db_->ContinueBackgroundWork());
    case Kind::kDisableManual:
      db_->DisableManualCompaction();
      return kOk;
    case Kind::kEnableManual:
      db_->EnableManualCompaction();
      return kOk;
    case Kind::kDisableFileDeletions:
      return TextOf(db_->DisableFileDeletions());
    case Kind::kEnableFileDeletions:
      return TextOf(db_->EnableFileDeletions());
    case Kind::kLockWal:
      return TextOf(db_->LockWAL());
    case Kind::kUnlockWal:
      return TextOf(db_->UnlockWAL());
    case Kind::kSyncWal:
      return Tolerant(db_->SyncWAL());
    case Kind::kFlushWal:
      return TextOf(db_->FlushWAL(operation.number % 2 == 0));
    case Kind::kVerifyChecksums:
      return TextOf(db_->VerifyChecksum());
    default:
      return std::string("not an operation here: ") + NameOf(operation.kind);
  }
}

std::string DbTarget::Flush(const Operation& operation) {
  if (!operation.family.empty()) {
    return TextOf(db_->Flush(FlushOptions(), family(operation.family)));
  }
  std::vector<ColumnFamilyHandle*> all;
  for (const auto& [name, handle] : handles_) all.push_back(handle);
  return TextOf(db_->Flush(FlushOptions(), all));
}

std::string DbTarget::CompactRange(const Operation& operation) {
  CompactRangeOptions options;
  options.change_level = operation.Setting("change_level") == "true";
  options.target_level =
      static_cast<int>(NumberOf(operation.Setting("target_level"), -1));
  options.bottommost_level_compaction = static_cast<BottommostLevelCompaction>(
      NumberOf(operation.Setting("bottommost"), 1));
  options.exclusive_manual_compaction =
      operation.Setting("exclusive") == "true";
  options.max_subcompactions = static_cast<uint32_t>(
      NumberOf(operation.Setting("max_subcompactions"), 0));
  options.blob_garbage_collection_policy =
      static_cast<BlobGarbageCollectionPolicy>(
          NumberOf(operation.Setting("blobs"), 2));
  std::string time;
  const Slice newest = EncodeU64Ts(operation.number, &time);
  if (operation.Setting("forget") == "true") {
    options.full_history_ts_low = &newest;
  }
  const Slice begin(operation.key);
  const Slice end(operation.end);
  const Status status =
      db_->CompactRange(options, family(operation.family),
                        operation.key.empty() ? nullptr : &begin,
                        operation.end.empty() ? nullptr : &end);
  return options.change_level ? Tolerant(status) : TextOf(status);
}

// Tables that are deleted are lost to snapshots.
std::string DbTarget::DeleteRange(const Operation& operation) {
  ColumnFamilyHandle* const handle = family(operation.family);
  const Status status = WriterOf(operation)->DeleteRange(
      writes_, handle, operation.key, operation.end);
  uint64_t snapshots = 0;
  if (!status.ok() || operation.Setting("files") != "true" ||
      !db_->GetIntProperty(DB::Properties::kNumSnapshots, &snapshots) ||
      snapshots > 0) {
    return TextOf(status);
  }
  const Slice begin(operation.key);
  const Slice end(operation.end);
  return TextOf(DeleteFilesInRange(db_.get(), handle, &begin, &end,
                                   /*include_end=*/false));
}

// The number chooses a level that has files, one of them and where to.
std::string DbTarget::CompactFiles(const Operation& operation) {
  ColumnFamilyMetaData metadata;
  ColumnFamilyHandle* const handle = family(operation.family);
  db_->GetColumnFamilyMetaData(handle, &metadata);
  std::vector<const LevelMetaData*> levels;
  for (const LevelMetaData& level : metadata.levels) {
    if (!level.files.empty()) levels.push_back(&level);
  }
  if (levels.empty()) return kOk;
  const LevelMetaData& level = *levels[operation.number % levels.size()];
  std::vector<std::string> inputs;
  const size_t first = operation.number % level.files.size();
  const size_t count = 1 + operation.number / 7 % 3;
  for (size_t i = first; i < level.files.size() && inputs.size() < count; ++i) {
    inputs.push_back(level.files[i].name);
  }
  const int last = db_->NumberLevels(handle) - 1;
  const auto below = static_cast<uint64_t>(last - level.level + 1);
  const int output =
      level.level + static_cast<int>(operation.number / 3 % below);
  const Status status =
      db_->CompactFiles(CompactionOptions(), handle, inputs, output);
  return status.IsIncomplete() ? kOk : Tolerant(status);
}

std::string DbTarget::SetOptions(const Operation& operation) {
  const Changes changes(operation.settings.begin(), operation.settings.end());
  return Tolerant(operation.kind == Kind::kSetDbOptions
                      ? db_->SetDBOptions(changes)
                      : db_->SetOptions(family(operation.family), changes));
}

std::string DbTarget::Properties(const Operation& operation) {
  static const std::string* const kNumbers[] = {
      &DB::Properties::kNumImmutableMemTable,
      &DB::Properties::kMemTableFlushPending,
      &DB::Properties::kCompactionPending,
      &DB::Properties::kBackgroundErrors,
      &DB::Properties::kCurSizeAllMemTables,
      &DB::Properties::kEstimateNumKeys,
      &DB::Properties::kEstimateTableReadersMem,
      &DB::Properties::kNumLiveVersions,
      &DB::Properties::kEstimateLiveDataSize,
      &DB::Properties::kTotalSstFilesSize,
      &DB::Properties::kEstimatePendingCompactionBytes,
      &DB::Properties::kNumRunningCompactions,
      &DB::Properties::kBaseLevel,
      &DB::Properties::kLiveBlobFileSize};
  static const std::string* const kTexts[] = {
      &DB::Properties::kStats,
      &DB::Properties::kSSTables,
      &DB::Properties::kLevelStats,
      &DB::Properties::kBlobStats,
      &DB::Properties::kAggregatedTableProperties,
      &DB::Properties::kMemoryByRole};
  ColumnFamilyHandle* const handle = family(operation.family);
  for (const std::string* name : kNumbers) {
    uint64_t value = 0;
    if (!db_->GetIntProperty(handle, *name, &value)) return "no " + *name;
    if (name == &DB::Properties::kBackgroundErrors && value != 0) {
      return *name + " " + std::to_string(value);
    }
    // A small database: what is below zero shows as a huge number.
    if (value > uint64_t{1} << 50) return *name + " " + std::to_string(value);
  }
  std::string text;
  const std::string& name = *kTexts[operation.number % std::size(kTexts)];
  if (!db_->GetProperty(handle, name, &text)) return "no " + name;
  uint64_t snapshots = 0;
  if (!db_->GetIntProperty(DB::Properties::kNumSnapshots, &snapshots)) {
    return "no " + DB::Properties::kNumSnapshots;
  }
  if (HasTimestamps(operation.family)) {
    const std::string error = NewerThanNewest(db_.get(), handle);
    if (!error.empty()) return error;
  }
  return "OK " + std::to_string(snapshots) + " snapshots";
}

std::string DbTarget::UpdatesSince(const Operation& operation) {
  const SequenceNumber latest = db_->GetLatestSequenceNumber();
  const SequenceNumber from = latest * operation.number / 1000;
  std::unique_ptr<TransactionLogIterator> updates;
  const Status status = db_->GetUpdatesSince(from, &updates);
  if (!status.ok()) return status.IsNotFound() ? kOk : TextOf(status);
  SequenceNumber next = 0;
  for (; updates->Valid(); updates->Next()) {
    const BatchResult result = updates->GetBatch();
    const WriteBatch& batch = *result.writeBatchPtr;
    // The first may be a later one than asked for: older logs are gone.
    if (next != 0 && result.sequence != next) {
      return "batch at " + std::to_string(result.sequence) + ", not at " +
             std::to_string(next);
    }
    // What is prepared takes its numbers when the record of its commit is
    // written, which does not hold it.
    const bool has_marks = batch.HasBeginPrepare() || batch.HasCommit();
    next = has_marks ? 0 : result.sequence + batch.Count();
  }
  if (next > latest + 1) return "batches after the last sequence";
  return updates->status().IsNotFound() ? kOk : TextOf(updates->status());
}

std::string DbTarget::ApproximateSizes(const Operation& operation) {
  const Range range(operation.key, operation.end);
  SizeApproximationOptions options;
  options.include_memtables = true;
  uint64_t bytes = 0;
  ColumnFamilyHandle* const handle = family(operation.family);
  const Status status =
      db_->GetApproximateSizes(options, handle, &range, 1, &bytes);
  uint64_t count = 0;
  uint64_t size = 0;
  db_->GetApproximateMemTableStats(handle, range, &count, &size);
  if (std::max(bytes, size) > uint64_t{1} << 40) return "size below zero";
  return TextOf(status);
}

std::string DbTarget::CreateFamily(const Operation& operation) {
  const std::string& name = operation.family;
  if (family(name) != nullptr) return kAny;
  FamilySettings settings;
  if (opening_.family) settings = opening_.family(name);
  ColumnFamilyOptions& options = family_options_[name];
  Status status = MakeFamilyOptions(name, settings, &options);
  if (!status.ok()) return "options: " + TextOf(status);
  ColumnFamilyHandle* handle = nullptr;
  status = db_->CreateColumnFamily(options, name, &handle);
  if (status.ok()) handles_[name] = handle;
  return TextOf(status);
}

std::string DbTarget::DropFamily(const Operation& operation) {
  const auto it = handles_.find(operation.family);
  Status status = db_->DropColumnFamily(it->second);
  if (!status.ok()) return TextOf(status);
  status = db_->DestroyColumnFamilyHandle(it->second);
  handles_.erase(it);
  family_options_.erase(operation.family);
  return TextOf(status);
}

}  // namespace ROCKSDB_NAMESPACE::stress
