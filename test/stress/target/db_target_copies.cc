// DbTarget: checkpoints, backups and other instances, answered by what they
// hold.

#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/replayer.h"
#include "test/stress/target/db_target.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// Another instance of the target's database, or one of a copy.
class Instance {
 public:
  ~Instance() {
    for (const auto& [name, handle] : families_) {
      db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
  }

  std::vector<ColumnFamilyHandle*>* raw() { return &raw_; }
  std::unique_ptr<DB>* db() { return &db_; }
  Status Replay(Env* env, const std::string& trace) {
    constexpr double kAtOnce = 1e9;
    std::unique_ptr<TraceReader> reader;
    RETURN_IF_ERROR(NewFileTraceReader(env, EnvOptions(), trace, &reader));
    std::unique_ptr<Replayer> replayer;
    RETURN_IF_ERROR(
        db_->NewDefaultReplayer(raw_, std::move(reader), &replayer));
    RETURN_IF_ERROR(replayer->Prepare());
    return replayer->Replay(ReplayOptions(1, kAtOnce), nullptr);
  }
  std::string Dump(const std::vector<ColumnFamilyDescriptor>& descriptors) {
    for (size_t i = 0; i < raw_.size(); ++i) {
      families_[descriptors[i].name] = raw_[i];
    }
    return DumpDb(db_.get(), families_, ReadOptions());
  }

 private:
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> raw_;
  std::map<std::string, ColumnFamilyHandle*> families_;
};

std::vector<ColumnFamilyDescriptor> Descriptors(
    const std::map<std::string, ColumnFamilyOptions>& families) {
  std::vector<ColumnFamilyDescriptor> descriptors;
  for (const auto& [name, options] : families) {
    descriptors.emplace_back(name, options);
  }
  return descriptors;
}

}  // namespace

Status DbTarget::WriteOut(bool sync) {
  if (!writes_.disableWAL) return db_->FlushWAL(sync);
  // What is prepared is in the log only.
  if (locking_ != nullptr) RETURN_IF_ERROR(db_->FlushWAL(sync));
  std::vector<ColumnFamilyHandle*> all;
  for (const auto& [name, handle] : handles_) all.push_back(handle);
  return db_->Flush(FlushOptions(), all);
}

// Opens a copy with options that say only what its families' names say.
std::string DbTarget::DumpCopy(const std::string& path,
                               const std::string& trace) {
  std::map<std::string, ColumnFamilyOptions> families;
  for (const auto& [name, handle] : handles_) {
    families[name] = SmallFamilyOptions(name);
  }
  const std::vector<ColumnFamilyDescriptor> descriptors = Descriptors(families);
  std::string answer;
  {
    Instance copy;
    DBOptions options = SmallDbOptions(deps_.env);
    options.allow_2pc = locking_ != nullptr;
    Status status = DB::Open(options, path, descriptors, copy.raw(), copy.db());
    if (status.ok() && !trace.empty()) status = copy.Replay(deps_.env, trace);
    answer = status.ok() ? copy.Dump(descriptors) : TextOf(status);
  }
  const Status destroyed = DestroyDB(
      path, Options(SmallDbOptions(deps_.env), ColumnFamilyOptions()));
  return destroyed.ok() ? answer : TextOf(destroyed);
}

Status DbTarget::MakeCheckpoint(const std::string& path,
                                uint64_t log_size_for_flush) {
  // Copies with logs have what is in them, so everything must be.
  RETURN_IF_ERROR(WriteOut(/*sync=*/false));
  ROCKSDB_NAMESPACE::Checkpoint* raw = nullptr;
  RETURN_IF_ERROR(ROCKSDB_NAMESPACE::Checkpoint::Create(db_.get(), &raw));
  const std::unique_ptr<ROCKSDB_NAMESPACE::Checkpoint> maker(raw);
  return maker->CreateCheckpoint(path, log_size_for_flush);
}

std::string DbTarget::Checkpoint(const Operation& operation) {
  const std::string path =
      deps_.path + "_checkpoint" + std::to_string(++files_made_);
  const Status status =
      MakeCheckpoint(path, operation.number % 2 == 0 ? 0 : uint64_t{1} << 40);
  return status.ok() ? DumpCopy(path) : TextOf(status);
}

std::string DbTarget::Traced(const Operation& operation) {
  const std::string path =
      deps_.path + "_traced" + std::to_string(++files_made_);
  const std::string trace = path + ".trace";
  Status status = MakeCheckpoint(path, 0);
  std::unique_ptr<TraceWriter> writer;
  if (status.ok()) {
    status = NewFileTraceWriter(deps_.env, EnvOptions(), trace, &writer);
  }
  if (status.ok()) {
    status = db_->StartTrace(TraceOptions(), std::move(writer));
  }
  if (!status.ok()) return TextOf(status);
  std::string error;
  for (const Operation& one : operation.inner) {
    const std::string answer = Execute(one);
    if (answer.starts_with("ERROR")) error += answer + " ; ";
  }
  status = db_->EndTrace();
  if (!status.ok()) return error + TextOf(status);
  const std::string answer = error + DumpCopy(path, trace);
  deps_.env->DeleteFile(trace).PermitUncheckedError();
  return answer;
}

// Blob files, a family without tables, and more levels than the new family has
// cannot be imported: then the family is made by writing its rows.
std::string DbTarget::Import(const Operation& operation) {
  const std::string from = operation.Setting("from");
  if (family(from) == nullptr || family(operation.family) != nullptr) {
    return kAny;
  }
  const std::string path =
      deps_.path + "_export" + std::to_string(++files_made_);
  ROCKSDB_NAMESPACE::Checkpoint* raw = nullptr;
  Status status = ROCKSDB_NAMESPACE::Checkpoint::Create(db_.get(), &raw);
  if (!status.ok()) return TextOf(status);
  const std::unique_ptr<ROCKSDB_NAMESPACE::Checkpoint> maker(raw);
  ExportImportFilesMetaData* exported = nullptr;
  status = maker->ExportColumnFamily(family(from), path, &exported);
  const std::unique_ptr<ExportImportFilesMetaData> metadata(exported);
  const bool empty = metadata != nullptr && metadata->files.empty();
  if (status.ok() && !empty) status = ImportFiles(operation, *metadata);
  if (metadata != nullptr) {
    for (const LiveFileMetaData& file : metadata->files) {  // Unless moved.
      deps_.env->DeleteFile(path + file.name).PermitUncheckedError();
    }
    deps_.env->DeleteDir(path).PermitUncheckedError();
  }
  if (!empty && !status.IsNotSupported()) return TextOf(status);
  const std::string created = CreateFamily(operation);
  return created == kOk ? CopyRows(from, operation.family) : created;
}

Status DbTarget::ImportFiles(const Operation& operation,
                             const ExportImportFilesMetaData& metadata) {
  FamilySettings settings;
  if (opening_.family) settings = opening_.family(operation.family);
  ColumnFamilyOptions options;
  Status status = MakeFamilyOptions(operation.family, settings, &options);
  if (!status.ok()) return status;
  for (const LiveFileMetaData& file : metadata.files) {
    if (file.level >= options.num_levels) return Status::NotSupported("level");
  }
  ImportColumnFamilyOptions how;
  how.move_files = operation.Setting("move") == "true";
  ColumnFamilyHandle* handle = nullptr;
  status = db_->CreateColumnFamilyWithImport(options, operation.family, how,
                                             metadata, &handle);
  if (!status.ok()) return status;
  handles_[operation.family] = handle;
  family_options_[operation.family] = options;
  return status;
}

std::string DbTarget::CopyRows(const std::string& from, const std::string& to) {
  ReadOptions reads;
  reads.total_order_seek = true;
  const std::unique_ptr<Iterator> rows(db_->NewIterator(reads, family(from)));
  Status status;
  for (rows->SeekToFirst(); rows->Valid() && status.ok(); rows->Next()) {
    const WideColumns& columns = rows->columns();
    const bool plain = columns.size() == 1 && columns[0].name().empty();
    status = plain ? db_->Put(writes_, family(to), rows->key(), rows->value())
                   : db_->PutEntity(writes_, family(to), rows->key(), columns);
  }
  return TextOf(status.ok() ? rows->status() : status);
}

std::string DbTarget::Backup() {
  const std::string folder = deps_.path + "_backup";
  Status status = WriteOut(/*sync=*/false);
  if (!status.ok()) return TextOf(status);
  BackupEngineOptions options(folder);
  BackupEngine* raw = nullptr;
  status = BackupEngine::Open(options, deps_.env, &raw);
  if (!status.ok()) return TextOf(status);
  const std::unique_ptr<BackupEngine> engine(raw);
  status = engine->CreateNewBackup(db_.get());
  if (!status.ok()) return TextOf(status);
  status = engine->PurgeOldBackups(2);
  const std::string restored = deps_.path + "_restored";
  if (status.ok()) {
    status = engine->RestoreDBFromLatestBackup(restored, restored);
  }
  return status.ok() ? DumpCopy(restored) : TextOf(status);
}

std::string DbTarget::OtherInstance(Kind kind) {
  // Without deletions the other instance finds every file it knows.
  Status status = db_->DisableFileDeletions();
  if (status.ok()) status = WriteOut(/*sync=*/false);
  if (!status.ok()) return TextOf(status);
  std::map<std::string, ColumnFamilyOptions> families;
  for (const auto& [name, handle] : handles_) {
    families[name] = family_options_[name];
  }
  const std::vector<ColumnFamilyDescriptor> descriptors = Descriptors(families);
  DBOptions options(db_options_);
  options.write_buffer_manager = nullptr;
  options.max_open_files = -1;
  options.allow_2pc = locking_ != nullptr;
  std::string answer;
  {
    Instance other;
    if (kind == Kind::kReadOnly) {
      status = DB::OpenForReadOnly(options, deps_.path, descriptors,
                                   other.raw(), other.db());
    } else {
      status =
          DB::OpenAsSecondary(options, deps_.path, deps_.path + "_secondary",
                              descriptors, other.raw(), other.db());
    }
    answer = status.ok() ? other.Dump(descriptors) : TextOf(status);
  }
  status = db_->EnableFileDeletions();
  return status.ok() ? answer : TextOf(status);
}

}  // namespace ROCKSDB_NAMESPACE::stress
