#include "db/db_impl/live_files.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "db/format/file_names.h"
#include "db/options/options_file.h"
#include "db/wal/log_reader.h"
#include "db/write_batch/batch_format.h"
#include "env/file_reader.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class WalFileImpl final : public WalFile {
 public:
  WalFileImpl(uint64_t number, SequenceNumber start, uint64_t size)
      : number_(number), start_(start), size_(size) {}
  std::string PathName() const override { return "/" + LogBaseName(number_); }
  uint64_t LogNumber() const override { return number_; }
  WalFileType Type() const override { return kAliveLogFile; }
  SequenceNumber StartSequence() const override { return start_; }
  uint64_t SizeFileBytes() const override { return size_; }

 private:
  const uint64_t number_;
  const SequenceNumber start_;
  const uint64_t size_;
};

void SetNames(const std::string& directory, const std::string& name,
              FileType type, uint64_t number, LiveFileStorageInfo* info) {
  info->directory = directory;
  info->relative_filename = name;
  info->file_type = type;
  info->file_number = number;
}

void AddBlobFiles(const Version& version,
                  std::vector<LiveFileStorageInfo>* files) {
  for (const LiveBlobFile& blob : version.blobs().files) {
    const BlobFile& file = *blob.file;
    LiveFileStorageInfo info;
    SetNames(file.home->Dir(0), BlobBaseName(file.number()), kBlobFile,
             file.number(), &info);
    info.size = file.size();
    info.file_checksum = file.facts.checksum_value;
    info.file_checksum_func_name = file.facts.checksum_method;
    files->push_back(std::move(info));
  }
}

// Tables and blob files.
void AddTables(const DbState& db, std::vector<LiveFileStorageInfo>* files)
    REQUIRES_LOCK(kStateLock) {
  for (const FamilyPtr& family : db.families->all()) {
    const VersionPtr version = family->versions()->current();
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        LiveFileStorageInfo info;
        SetNames(file->home->Dir(file->path_id), TableBaseName(file->number),
                 kTableFile, file->number, &info);
        info.size = file->size;
        info.temperature = file->temperature;
        info.file_checksum = file->checksum;
        info.file_checksum_func_name = file->checksum_function;
        files->push_back(std::move(info));
      }
    }
    AddBlobFiles(*version, files);
  }
}

// REQUIRES: the mutex.
void AddManifest(const DbState& db, std::vector<LiveFileStorageInfo>* files) {
  const uint64_t number = db.versions->manifest_number();
  const std::string name = DescriptorBaseName(number);
  LiveFileStorageInfo manifest;
  SetNames(db.store.dbname, name, kDescriptorFile, number, &manifest);
  manifest.size = db.versions->manifest_bytes();
  manifest.trim_to_size = true;
  files->push_back(std::move(manifest));
  LiveFileStorageInfo current;
  SetNames(db.store.dbname, "CURRENT", kCurrentFile, 0, &current);
  current.replacement_contents = name + "\n";
  current.size = current.replacement_contents.size();
  files->push_back(std::move(current));
}

Status AddOptions(const DbState& db, std::vector<LiveFileStorageInfo>* files) {
  std::string name;
  const Status found = NewestOptionsFile(db.store.fs, db.store.dbname, &name);
  if (found.IsNotFound()) return Status::OK();
  RETURN_IF_ERROR(found);
  ParsedFileName parsed;
  if (!ParseFileName(name, &parsed)) return Status::OK();
  LiveFileStorageInfo info;
  SetNames(db.store.dbname, name, kOptionsFile, parsed.number, &info);
  RETURN_IF_ERROR(db.store.fs->GetFileSize(db.store.dbname + "/" + name,
                                           IOOptions(), &info.size, nullptr));
  files->push_back(std::move(info));
  return Status::OK();
}

// The logs on disk that recovery needs.
Status LogsOnDisk(const DbState& db, std::vector<WalSet::Live>* logs) {
  const uint64_t needed = db.versions->MinLogNumberToKeep();
  std::vector<std::string> names;
  FileSystem* const fs = db.store.fs;
  RETURN_IF_ERROR(
      fs->GetChildren(db.store.wal_dir, IOOptions(), &names, nullptr));
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, &parsed) || parsed.type != kWalFile ||
        parsed.number < needed) {
      continue;
    }
    uint64_t size = 0;
    RETURN_IF_ERROR(
        fs->GetFileSize(LogFileName(db.store.wal_dir, parsed.number),
                        IOOptions(), &size, nullptr));
    logs->push_back({parsed.number, size});
  }
  std::sort(logs->begin(), logs->end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return Status::OK();
}

// Logs that recovery kept are on disk only; of those that are open the writers
// know how much of a file counts.
// REQUIRES: the mutex, and no writers.
Status LiveLogs(const DbState& db, std::vector<WalSet::Live>* logs) {
  RETURN_IF_ERROR(LogsOnDisk(db, logs));
  if (db.wals == nullptr) return Status::OK();
  const std::vector<WalSet::Live> open = db.wals->live();
  if (open.empty()) return Status::OK();
  std::erase_if(*logs, [&](const WalSet::Live& log) {
    return log.number >= open.front().number;
  });
  assert(logs->empty() || logs->back().number < open.front().number);
  const uint64_t needed = db.versions->MinLogNumberToKeep();
  std::copy_if(open.begin(), open.end(), std::back_inserter(*logs),
               [&](const WalSet::Live& log) { return log.number >= needed; });
  return Status::OK();
}

// Runs `look` with the mutex, without writers, and with all log records in
// their files.
template <typename Look>
Status LookExclusively(DbState* db, const LogWriters& writers, Look&& look) {
  std::optional<CommitPipeline::ExclusiveGuard> guard;
  if (writers.pipeline != nullptr) {
    guard.emplace(writers.pipeline);
    if (db->store.options.manual_wal_flush) {
      RETURN_IF_ERROR(writers.flush_log());
    }
  }
  MutexLock lock(&db->mu);
  return look();
}

// Of the first batch; 0: there is none.
SequenceNumber FirstSequence(const DbState& db, uint64_t number) {
  auto file = SequentialFileReader::Open(
      db.store.fs, LogFileName(db.store.wal_dir, number), FileOptions());
  if (!file.ok()) return 0;
  wal::Reader reader(std::move(*file), number);
  Slice record;
  if (reader.ReadRecord(&record) != wal::ReadResult::kRecord ||
      record.size() < kBatchHeaderSize) {
    return 0;
  }
  return DecodeFixed64(record.data());
}

}  // namespace

Status ListLiveFiles(DbState* db, const LogWriters& writers,
                     bool include_checksums,
                     std::vector<LiveFileStorageInfo>* files) {
  files->clear();
  std::vector<WalSet::Live> logs;
  RETURN_IF_ERROR(LookExclusively(db, writers, [&] {
    db->mu.AssertHeld();
    AddTables(*db, files);
    AddManifest(*db, files);
    return LiveLogs(*db, &logs);
  }));
  RETURN_IF_ERROR(AddOptions(*db, files));
  for (const WalSet::Live& log : logs) {
    LiveFileStorageInfo info;
    SetNames(db->store.wal_dir, LogBaseName(log.number), kWalFile, log.number,
             &info);
    info.size = log.size_bytes;
    // The last one grows; others may be written over once they are obsolete.
    info.trim_to_size = log.number == logs.back().number ||
                        db->store.options.recycle_log_file_num > 0;
    files->push_back(std::move(info));
  }
  for (LiveFileStorageInfo& info : *files) {
    if (!include_checksums) {
      info.file_checksum.clear();
      info.file_checksum_func_name.clear();
    } else if (info.file_checksum.empty()) {
      info.file_checksum_func_name = kUnknownFileChecksumFuncName;
    }
  }
  return Status::OK();
}

Status ListWalFiles(DbState* db, const LogWriters& writers,
                    VectorWalPtr* files) {
  files->clear();
  std::vector<WalSet::Live> logs;
  RETURN_IF_ERROR(
      LookExclusively(db, writers, [&] { return LiveLogs(*db, &logs); }));
  for (const WalSet::Live& log : logs) {
    const SequenceNumber start = FirstSequence(*db, log.number);
    if (start == 0) continue;
    files->push_back(
        std::make_unique<WalFileImpl>(log.number, start, log.size_bytes));
  }
  return Status::OK();
}

Status CurrentWalFile(const DbState& db, std::unique_ptr<WalFile>* file) {
  if (db.wals == nullptr) return Status::NotFound("No log is being written");
  const std::vector<WalSet::Live> logs = db.wals->live();
  if (logs.empty()) return Status::NotFound("No log is being written");
  const WalSet::Live& log = logs.back();
  *file = std::make_unique<WalFileImpl>(
      log.number, FirstSequence(db, log.number), log.size_bytes);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
