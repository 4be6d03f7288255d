#include "db/write/wal_set.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/format/file_names.h"
#include "rocksdb/system_clock.h"
#include "util/coding.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

FileOptions LogFileOptions(const DBOptions& options) {
  FileOptions file_options(options);
  file_options.bytes_per_sync = options.wal_bytes_per_sync;
  // Logs are appended and flushed group by group: never direct.
  file_options.use_direct_writes = false;
  file_options.writable_file_max_buffer_size =
      options.manual_wal_flush ? options.writable_file_max_buffer_size : 0;
  return file_options;
}

void WalSet::SetFileOptions(const FileOptions& options) {
  MutexLock lock(&mu_);
  file_options_ = options;
}

// A kept log under its new name, or a new file. A reuse that fails leaves the
// old file to the scan for leftovers.
Result<std::unique_ptr<WritableFileWriter>> WalSet::OpenFile(uint64_t number) {
  const std::string name = LogFileName(options_.wal_dir, number);
  uint64_t old_number = 0;
  FileOptions file_options;
  {
    MutexLock lock(&mu_);
    file_options = file_options_;
    if (!recyclable_.empty()) old_number = recyclable_.front().number;
  }
  if (old_number != 0) {
    assert(old_number < number);
    auto reused = WritableFileWriter::Reuse(
        options_.fs, name, LogFileName(options_.wal_dir, old_number),
        file_options);
    // Remove it from the list only now: while the old name exists, the file
    // must not be deleted.
    MutexLock lock(&mu_);
    if (!recyclable_.empty()) recyclable_.pop_front();
    if (reused.ok()) return reused;
  }
  return WritableFileWriter::Create(options_.fs, name, file_options);
}

Status WalSet::WriteSpecial(wal::Writer* writer) const {
  if (options_.compress) RETURN_IF_ERROR(writer->StartCompression());
  if (!options_.chain || current_ == nullptr || current_->empty() ||
      !current_->file()->status().ok()) {
    return Status::OK();
  }
  return writer->AddPredecessor(
      {current_->log_number(), current_->FileSize(), last_sequence_});
}

// A log that has failed is given up; what it held is in memtables.
Status WalSet::FinishCurrent() {
  if (current_ == nullptr || !current_->file()->status().ok()) {
    return Status::OK();
  }
  if (options_.recycle_files == 0) return CutCurrent();
  // A sync that runs during the cut could count as one that came after it.
  MutexLock no_sync(&sync_mu_);
  return CutCurrent();
}

Status WalSet::CutCurrent() {
  bool cut = false;
  RETURN_IF_ERROR(current_->file()->CutRest(&cut));
  MutexLock lock(&mu_);
  if (cut && !logs_.empty()) logs_.back().cut_unsynced = true;
  return Status::OK();
}

Status WalSet::Start(uint64_t number) {
  assert(number != 0);
  auto file = OpenFile(number);
  if (!file.ok()) return file.status();
  (*file)->SetIoPass(options_.io_pass);
  if (options_.preallocation_bytes > 0) {
    (*file)->file()->SetPreallocationBlockSize(options_.preallocation_bytes);
  }
  auto writer = std::make_shared<wal::Writer>(
      std::move(*file), number, /*recycle=*/options_.recycle_files > 0,
      options_.manual_flush);
  auto sizes = timestamp_sizes_;
  Status status = WriteSpecial(writer.get());
  if (status.ok()) status = FinishCurrent();  // (3)
  if (!status.ok()) {
    // Nothing counts on it yet.
    (void)options_.fs->DeleteFile(LogFileName(options_.wal_dir, number),
                                  IOOptions(), nullptr);
    return status;
  }
  total_bytes_.fetch_add(writer->FileSize(), std::memory_order_relaxed);
  unsaid_sizes_ = std::move(sizes);
  MutexLock lock(&mu_);
  assert(logs_.empty() || logs_.back().number < number);  // (1)
  current_ = writer;
  if (options_.track && !logs_.empty()) has_untracked_.store(true);
  logs_.push_back({.number = number, .writer = std::move(writer)});
  current_number_.store(number, std::memory_order_release);
  directory_synced_.store(false, std::memory_order_release);
  return Status::OK();
}

void WalSet::AddReplayed(uint64_t number, uint64_t size_bytes) {
  MutexLock lock(&mu_);
  assert(logs_.empty() || number < logs_.front().number);
  assert(replayed_.empty() || replayed_.back().log.number < number);
  replayed_.push_back({{number, size_bytes}});
  total_bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
}

void WalSet::RecordTimestampSize(uint32_t family, size_t size) {
  if (size == 0) return;
  assert(size <= UINT16_MAX);
  timestamp_sizes_[family] = static_cast<uint16_t>(size);
  unsaid_sizes_[family] = static_cast<uint16_t>(size);
}

Status WalSet::Append(std::span<const Slice> parts, bool sync,
                      Env::IOPriority priority) {
  assert(current_ != nullptr);
  assert(!parts.empty());
  const uint64_t begin = current_->FileSize();
  if (spare_.empty()) spare_.emplace_back();
  const Status status =
      OrNoMemory([&] { return AppendRecord(parts, sync, priority); });
  // Also of a failed record: ReleaseBelow() takes away what the log has.
  total_bytes_.fetch_add(current_->FileSize() - begin,
                         std::memory_order_relaxed);
  if (!status.ok()) NoteFailed(begin);
  return status;
}

Status WalSet::AppendRecord(std::span<const Slice> parts, bool sync,
                            Env::IOPriority priority) {
  wal::Writer& log = *current_;
  log.file()->SetIOPriority(priority);
  if (!unsaid_sizes_.empty()) {
    RETURN_IF_ERROR(log.AddTimestampSizes(unsaid_sizes_));
    unsaid_sizes_.clear();
  }
  RETURN_IF_ERROR(log.AddRecord(parts));
  if (options_.chain && parts.front().size() >= sizeof(uint64_t)) {
    last_sequence_ = DecodeFixed64(parts.front().data());
  }
  return sync ? SyncLogs(SyncScope::kAllWithoutAppends) : Status::OK();
}

void WalSet::NoteFailed(uint64_t begin) {
  const uint64_t number = current_->log_number();
  // Nothing is written behind it.
  const bool last = !current_->file()->status().ok();
  const uint64_t end = last ? UINT64_MAX : current_->FileSize();
  MutexLock lock(&mu_);
  const bool noted = !failed_records_.empty() &&
                     failed_records_.back().log_number == number &&
                     failed_records_.back().end == UINT64_MAX;
  if (noted || begin >= end) return;
  assert(!spare_.empty());
  spare_.front() = {number, begin, end};
  failed_records_.splice(failed_records_.end(), spare_);
}

bool WalSet::HasFailed(uint64_t number, uint64_t offset) const {
  MutexLock lock(&mu_);
  return std::any_of(failed_records_.begin(), failed_records_.end(),
                     [&](const FailedRecord& record) {
                       return record.log_number == number &&
                              record.begin <= offset && offset < record.end;
                     });
}

Status WalSet::Flush(Env::IOPriority priority) {
  assert(current_ != nullptr);
  current_->file()->SetIOPriority(priority);
  return current_->Flush();
}

bool WalSet::CanSyncBesideAppends() const {
  MutexLock lock(&mu_);
  return logs_.empty() || logs_.back().writer->file()->IsSyncThreadSafe();
}

Status WalSet::Sync() { return SyncLogs(SyncScope::kAll); }

Status WalSet::SyncWithoutAppends() {
  return SyncLogs(SyncScope::kAllWithoutAppends);
}

Status WalSet::SyncClosed() { return SyncLogs(SyncScope::kClosed); }

void WalSet::GiveUpFailed() {
  MutexLock lock(&mu_);
  for (Log& log : logs_) {
    if (log.number == logs_.back().number) break;
    log.given_up |= !log.writer->file()->status().ok();
  }
}

bool WalSet::needs_failed() const {
  MutexLock lock(&mu_);
  return std::any_of(logs_.begin(), logs_.end(), [](const Log& log) {
    return log.given_up && !log.flushed;
  });
}

bool WalSet::has_failed() const {
  MutexLock lock(&mu_);
  return std::any_of(logs_.begin(), logs_.end(), [](const Log& log) {
    return !log.given_up && !log.writer->file()->status().ok();
  });
}

Status WalSet::SyncDirectoryIfNew() {
  if (directory_synced_.exchange(true, std::memory_order_acq_rel)) {
    return Status::OK();
  }
  const Status status = SyncDirectory(options_.fs, options_.wal_dir);
  if (!status.ok()) directory_synced_.store(false, std::memory_order_release);
  return status;
}

// Oldest first. Where a thread may append meanwhile, sync what has been handed
// to the kernel. No thread appends to closed logs, so they need no file that
// can be synced beside appends.
Status WalSet::SyncLogs(SyncScope scope) {
  MutexLock one_at_a_time(&sync_mu_);
  std::vector<Log> logs;
  uint64_t appended_to = 0;
  {
    MutexLock lock(&mu_);
    if (scope == SyncScope::kAll && !logs_.empty()) {
      appended_to = logs_.back().number;
    }
    for (const Log& log : logs_) {
      if (scope == SyncScope::kClosed && log.number == logs_.back().number) {
        break;
      }
      assert(log.synced_bytes <= log.writer->FileSize());
      // (3)
      const bool behind =
          log.cut_unsynced || log.synced_bytes < log.writer->FileSize();
      if (!log.given_up && behind) {
        assert(logs.empty() || logs.back().number < log.number);  // (2)
        logs.push_back(log);
      }
    }
  }
  for (Log& log : logs) {
    const bool beside_appends = log.number == appended_to;
    const uint64_t size = beside_appends ? log.writer->file()->GetFlushedSize()
                                         : log.writer->FileSize();
    StopWatch watch(options_.clock, options_.statistics, WAL_FILE_SYNC_MICROS);
    RETURN_IF_ERROR(beside_appends ? log.writer->file()->SyncWithoutFlush(
                                         options_.use_fsync)
                                   : log.writer->Sync(options_.use_fsync));
    RecordTick(options_.statistics, WAL_FILE_SYNCED);
    assert(log.synced_bytes <= size);
    const uint64_t more = size - log.synced_bytes;
    synced_bytes_.fetch_add(more, std::memory_order_relaxed);
    if (scope == SyncScope::kClosed) {
      closed_synced_bytes_.fetch_add(more, std::memory_order_relaxed);
    }
    log.synced_bytes = size;
  }
  RETURN_IF_ERROR(SyncDirectoryIfNew());
  MutexLock lock(&mu_);
  for (Log& log : logs_) {
    for (const Log& synced : logs) {
      if (synced.number != log.number) continue;
      assert(synced.synced_bytes <= log.writer->FileSize());
      log.synced_bytes = synced.synced_bytes;
      if (synced.cut_unsynced) log.cut_unsynced = false;
    }
  }
  return Status::OK();
}

std::vector<WalSet::Live> WalSet::TakeUntracked() {
  std::vector<Live> synced;
  MutexLock lock(&mu_);
  bool more = false;
  for (Log& log : logs_) {
    if (log.number == logs_.back().number || log.tracked) continue;
    const uint64_t size = log.writer->FileSize();
    if (!log.writer->file()->status().ok()) continue;
    if (log.cut_unsynced || log.synced_bytes < size) {  // (3)
      more = true;
      continue;
    }
    log.tracked = true;
    if (size > 0) synced.push_back({log.number, size});
  }
  has_untracked_.store(more);
  return synced;
}

bool WalSet::current_is_empty() const {
  MutexLock lock(&mu_);
  return logs_.empty() || logs_.back().writer->empty();
}

uint64_t WalSet::oldest_number() const {
  MutexLock lock(&mu_);
  for (const Replayed& replayed : replayed_) {
    if (!replayed.flushed) return replayed.log.number;
  }
  for (const Log& log : logs_) {
    if (!log.flushed) return log.number;
  }
  return 0;
}

size_t WalSet::buffer_bytes() const {
  MutexLock lock(&mu_);
  size_t bytes = 0;
  for (const Log& log : logs_) bytes += log.writer->buffer_bytes();
  return bytes;
}

void WalSet::MarkFlushed(uint64_t below) {
  const auto uncount = [this](uint64_t size_bytes) {
    assert(size_bytes <= total_bytes_.load(std::memory_order_relaxed));
    total_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  };
  for (Replayed& replayed : replayed_) {
    if (replayed.log.number >= below) return;
    if (!std::exchange(replayed.flushed, true)) {
      uncount(replayed.log.size_bytes);
    }
  }
  for (Log& log : logs_) {
    if (log.number >= below || log.number == logs_.back().number) return;
    if (!std::exchange(log.flushed, true)) uncount(log.writer->FileSize());
  }
}

void WalSet::ReleaseReplayed(const ReleaseBounds& bounds,
                             std::vector<Live>* released) {
  while (!replayed_.empty() &&
         replayed_.front().log.number < bounds.deletable_below) {
    assert(replayed_.front().flushed);
    released->push_back(replayed_.front().log);
    replayed_.pop_front();
  }
}

std::vector<WalSet::Live> WalSet::ReleaseBelow(const ReleaseBounds& bounds,
                                               bool may_recycle) {
  assert(bounds.deletable_below <= bounds.flushed_below);
  std::vector<Live> released;
  std::vector<std::shared_ptr<wal::Writer>> writers;
  MutexLock lock(&mu_);
  MarkFlushed(bounds.flushed_below);
  ReleaseReplayed(bounds, &released);
  while (logs_.size() > 1 && logs_.front().number < bounds.deletable_below) {
    Log& log = logs_.front();
    assert(log.flushed);
    const Live gone{log.number, log.writer->FileSize()};
    // A file that is still being synced, or that failed, is not written again.
    const bool keep = may_recycle &&
                      recyclable_.size() < options_.recycle_files &&
                      log.writer.use_count() == 1 && log.writer->Close().ok();
    if (keep) {
      assert(recyclable_.empty() || recyclable_.back().number < gone.number);
      recyclable_.push_back(gone);
    } else {
      released.push_back(gone);
      writers.push_back(std::move(log.writer));
    }
    logs_.pop_front();
  }
  // The last holder closes a log: a sync may be at work on it.
  return released;
}

void WalSet::AddRecyclable(std::set<uint64_t>* numbers) const {
  MutexLock lock(&mu_);
  for (const Live& log : recyclable_) numbers->insert(log.number);
}

std::vector<WalSet::Live> WalSet::TakeRecyclable() {
  MutexLock lock(&mu_);
  std::vector<Live> logs(recyclable_.begin(), recyclable_.end());
  recyclable_.clear();
  return logs;
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
    list.push_back({log.number, log.writer->file()->GetFlushedSize()});
  }
  return list;
}

}  // namespace ROCKSDB_NAMESPACE::engine
