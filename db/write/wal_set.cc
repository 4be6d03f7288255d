#include "db/write/wal_set.h"

#include <utility>

#include "db/format/file_names.h"
#include "rocksdb/system_clock.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Status WalSet::Start(uint64_t number) {
  const std::string name = LogFileName(options_.wal_dir, number);
  auto file =
      WritableFileWriter::Create(options_.fs, name, options_.file_options);
  if (!file.ok()) return file.status();
  if (options_.preallocation_bytes > 0) {
    (*file)->file()->SetPreallocationBlockSize(options_.preallocation_bytes);
  }
  auto writer = std::make_shared<wal::Writer>(
      std::move(*file), number, /*recycle=*/false, options_.manual_flush);
  MutexLock lock(&mu_);
  // A log that has failed is given up; what it held is in memtables.
  if (current_ != nullptr && current_->file()->status().ok()) {
    RETURN_IF_ERROR(current_->Flush());
  }
  current_ = writer;
  logs_.push_back({number, std::move(writer), 0});
  current_number_.store(number, std::memory_order_release);
  directory_synced_.store(false, std::memory_order_release);
  return Status::OK();
}

Status WalSet::Append(std::span<const Slice> parts, bool sync,
                      Env::IOPriority priority) {
  wal::Writer& log = *current_;
  const uint64_t before = log.FileSize();
  log.file()->SetIOPriority(priority);
  RETURN_IF_ERROR(log.AddRecord(parts));
  total_bytes_.fetch_add(log.FileSize() - before, std::memory_order_relaxed);
  return sync ? SyncLogs(SyncScope::kAllByLeader) : Status::OK();
}

Status WalSet::Flush() { return current_->Flush(); }

Status WalSet::Sync() { return SyncLogs(SyncScope::kAll); }

Status WalSet::SyncClosed() { return SyncLogs(SyncScope::kClosed); }

Status WalSet::SyncDirectoryIfNew() {
  if (directory_synced_.exchange(true, std::memory_order_acq_rel)) {
    return Status::OK();
  }
  const Status status = SyncDirectory(options_.fs, options_.wal_dir);
  if (!status.ok()) directory_synced_.store(false, std::memory_order_release);
  return status;
}

// Oldest first. The leader may sync the current log through its writer;
// anybody else syncs beside it what has been handed to the kernel.
Status WalSet::SyncLogs(SyncScope scope) {
  const bool beside_appends = scope != SyncScope::kAllByLeader;
  MutexLock one_at_a_time(&sync_mu_);
  std::vector<Log> logs;
  {
    MutexLock lock(&mu_);
    for (const Log& log : logs_) {
      if (scope == SyncScope::kClosed && log.number == logs_.back().number) {
        break;
      }
      // An older log that has failed holds nothing anybody may count on:
      // Resume() writes its entries to tables.
      const bool given_up =
          log.writer != current_ && !log.writer->file()->status().ok();
      if (!given_up && log.synced_bytes < log.writer->FileSize()) {
        logs.push_back(log);
      }
    }
  }
  for (Log& log : logs) {
    const uint64_t size = beside_appends ? log.writer->file()->GetFlushedSize()
                                         : log.writer->FileSize();
    StopWatch watch(options_.clock, options_.statistics, WAL_FILE_SYNC_MICROS);
    RETURN_IF_ERROR(beside_appends ? log.writer->file()->SyncWithoutFlush(
                                         options_.use_fsync)
                                   : log.writer->Sync(options_.use_fsync));
    RecordTick(options_.statistics, WAL_FILE_SYNCED);
    log.synced_bytes = size;
  }
  RETURN_IF_ERROR(SyncDirectoryIfNew());
  MutexLock lock(&mu_);
  for (Log& log : logs_) {
    for (const Log& synced : logs) {
      if (synced.number == log.number) log.synced_bytes = synced.synced_bytes;
    }
  }
  return Status::OK();
}

bool WalSet::current_is_empty() const {
  MutexLock lock(&mu_);
  return logs_.empty() || logs_.back().writer->FileSize() == 0;
}

uint64_t WalSet::oldest_number() const {
  MutexLock lock(&mu_);
  return logs_.empty() ? 0 : logs_.front().number;
}

std::vector<WalSet::Released> WalSet::ReleaseBelow(uint64_t number) {
  std::vector<Released> released;
  std::vector<std::shared_ptr<wal::Writer>> writers;
  {
    MutexLock lock(&mu_);
    while (logs_.size() > 1 && logs_.front().number < number) {
      Log& log = logs_.front();
      released.push_back({log.number, log.writer->FileSize()});
      writers.push_back(std::move(log.writer));
      logs_.pop_front();
    }
  }
  for (const Released& log : released) {
    total_bytes_.fetch_sub(log.size_bytes, std::memory_order_relaxed);
  }
  // The last holder closes a log: a sync may be at work on it.
  return released;
}

Status WalSet::Close() {
  std::deque<Log> logs;
  {
    MutexLock lock(&mu_);
    logs.swap(logs_);
  }
  current_.reset();
  Status first;
  for (Log& log : logs) {
    const Status status = log.writer->Close();
    if (first.ok()) first = status;
  }
  return first;
}

std::vector<WalSet::Live> WalSet::live() const {
  MutexLock lock(&mu_);
  std::vector<Live> list;
  list.reserve(logs_.size());
  for (const Log& log : logs_) {
    list.push_back({log.number, log.writer->FileSize()});
  }
  return list;
}

}  // namespace ROCKSDB_NAMESPACE::engine
