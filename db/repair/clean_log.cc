#include "db/repair/clean_log.h"

#include <cassert>
#include <functional>
#include <memory>
#include <string>

#include "db/format/file_names.h"
#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "env/file_reader.h"
#include "env/file_writer.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kReadAheadBytes = size_t{1} << 20;

// Calls `use` for each batch.
Status ReadBatches(const StoreContext& store, uint64_t number, LogTally* tally,
                   LogSummary* summary,
                   const std::function<Status(const Slice&)>& use) {
  auto file =
      SequentialFileReader::Open(store.fs, LogFileName(store.wal_dir, number),
                                 FileOptions(store.options), kReadAheadBytes);
  if (!file.ok()) return file.status();
  wal::Reader reader(std::move(*file), number);
  Slice record;
  for (;;) {
    const wal::ReadResult result = reader.ReadRecord(&record);
    if (result == wal::ReadResult::kEnd) break;
    if (result == wal::ReadResult::kRecord && tally->Take(record, summary)) {
      RETURN_IF_ERROR(use(record));
      continue;
    }
    ++summary->damaged;
  }
  summary->timestamp_sizes = reader.timestamp_sizes();
  // A file that cannot be read is an error, not damage that repair may skip.
  return reader.problem().io_status;
}

// A name in lost/ that is still free.
Result<std::string> LostName(FileSystem* fs, const std::string& dir,
                             const std::string& base_name) {
  const std::string lost = dir + "/lost";
  RETURN_IF_ERROR(fs->CreateDirIfMissing(lost, IOOptions(), nullptr));
  const std::string path = lost + "/" + base_name;
  std::string name = path;
  for (int i = 1; fs->FileExists(name, IOOptions(), nullptr).ok(); ++i) {
    name = path;
    name.append(".").append(std::to_string(i));
  }
  return name;
}

// `clean` takes the place of the log, which is kept in lost/.
Status Replace(const StoreContext& store, uint64_t number,
               const std::string& clean) {
  const std::string log = LogFileName(store.wal_dir, number);
  const auto lost = LostName(store.fs, store.wal_dir, LogBaseName(number));
  if (!lost.ok()) return lost.status();
  // With a link there is a log at every moment.
  if (store.fs->LinkFile(log, *lost, IOOptions(), nullptr).ok()) {
    RETURN_IF_ERROR(SyncDirectory(store.fs, store.wal_dir + "/lost"));
  } else {
    RETURN_IF_ERROR(MoveToLost(store.fs, store.wal_dir, LogBaseName(number)));
  }
  RETURN_IF_ERROR(store.fs->RenameFile(clean, log, IOOptions(), nullptr));
  return SyncDirectory(store.fs, store.wal_dir);
}

}  // namespace

Status MoveToLost(FileSystem* fs, const std::string& dir,
                  const std::string& base_name) {
  const auto lost = LostName(fs, dir, base_name);
  if (!lost.ok()) return lost.status();
  RETURN_IF_ERROR(
      fs->RenameFile(dir + "/" + base_name, *lost, IOOptions(), nullptr));
  RETURN_IF_ERROR(SyncDirectory(fs, dir + "/lost"));
  return SyncDirectory(fs, dir);
}

Result<LogSummary> CleanLog(const StoreContext& store, uint64_t number,
                            LogTally* tally) {
  LogSummary summary;
  summary.number = number;
  RETURN_IF_ERROR(ReadBatches(store, number, tally, &summary,
                              [](const Slice&) { return Status::OK(); }));
  if (summary.damaged == 0) return summary;

  const std::string clean = TempFileName(store.wal_dir, number);
  FileOptions options(store.options);
  options.use_direct_writes = false;
  auto file = WritableFileWriter::Create(store.fs, clean, options);
  if (!file.ok()) return file.status();
  wal::Writer writer(std::move(*file), number, /*recycle=*/false,
                     /*manual_flush=*/true);
  LogTally another;  // What was counted is not counted again.
  LogSummary again;
  Status status = Status::OK();
  if (!summary.timestamp_sizes.empty()) {
    status = writer.AddTimestampSizes(summary.timestamp_sizes);
  }
  if (status.ok()) {
    status = ReadBatches(store, number, &another, &again,
                         [&writer](const Slice& record) -> Status {
                           return writer.AddRecord(record);
                         });
  }
  if (status.ok()) status = writer.Sync(store.options.use_fsync);
  const Status closed = writer.Close();
  if (status.ok()) status = closed;
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(Replace(store, number, clean));
  return summary;
}

}  // namespace ROCKSDB_NAMESPACE::engine
