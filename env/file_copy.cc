#include "env/file_copy.h"

#include <algorithm>
#include <thread>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "env/io_gate.h"
#include "rocksdb/rate_limiter.h"
#include "util/crc32c.h"
#include "util/mutex.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The threads of one call of RunFileCopies.
class Copies {
 public:
  Copies(const FileCopyRun& run, std::vector<FileCopyTask>* tasks)
      : run_(run), tasks_(*tasks) {}

  Status Run() {
    const size_t wanted = static_cast<size_t>(std::max(run_.threads, 1));
    const size_t threads = std::min(wanted, tasks_.size());
    std::vector<std::thread> others;
    others.reserve(threads);
    for (size_t i = 1; i < threads; ++i) {
      std::thread other;
      // If the system has no more threads, those there are do it.
      if (!StartThread(&other, [this] { Work(); }).ok()) break;
      others.push_back(std::move(other));
    }
    Work();
    for (std::thread& other : others) other.join();
    MutexLock lock(&mu_);
    return status_;
  }

 private:
  void Work() {
    for (size_t i = next_++; i < tasks_.size() && !ended_; i = next_++) {
      FileCopyTask& task = tasks_[i];
      const Status status = One(&task);
      if (status.ok()) continue;
      if (task.may_fail && !status.IsIncomplete()) {
        task.status = status;
      } else {
        Fail(status);
      }
    }
  }
  void Fail(const Status& status) {
    MutexLock lock(&mu_);
    if (status_.ok()) status_ = status;
    ended_ = true;
  }

  Status One(FileCopyTask* task) {
    if (task->target.empty()) return Move(task, nullptr);
    const std::string& first =
        task->staging.empty() ? task->target : task->staging;
    RETURN_IF_ERROR(Write(task, first));
    if (task->staging.empty()) return Status::OK();
    const Status renamed = run_.target_fs->RenameFile(
        task->staging, task->target, IOOptions(), nullptr);
    if (!renamed.ok()) Delete(task->staging);
    return renamed;
  }
  void Delete(const std::string& name) {
    (void)run_.target_fs->DeleteFile(name, IOOptions(), nullptr);
  }

  Status Write(FileCopyTask* task, const std::string& name) {
    WriterPtr target;
    Status status = Move(task, &target, name);
    if (target == nullptr) return status;
    if (status.ok() && run_.sync) status = target->Sync(run_.use_fsync);
    const Status closed = target->Close();
    if (status.ok()) status = closed;
    if (!status.ok()) Delete(name);
    return status;
  }

  using WriterPtr = std::unique_ptr<WritableFileWriter>;

  // Reads everything and, if there is a `target`, opens and fills it.
  Status Move(FileCopyTask* task, WriterPtr* target,
              const std::string& name = "") {
    if (task->source.empty()) {
      if (target != nullptr) RETURN_IF_ERROR(Create(*task, name, target));
      RETURN_IF_ERROR(Piece(task->contents, task, target));
      return Check(*task, "contents");
    }
    std::unique_ptr<FSSequentialFile> file;
    RETURN_IF_ERROR(task->source_fs->NewSequentialFile(
        task->source, FileOptions(), &file, nullptr));
    const Temperature found = file->GetTemperature();
    SequentialFileReader source(std::move(file), task->source);
    if (found != Temperature::kUnknown &&
        (task->prefer_source_temperature ||
         task->temperature == Temperature::kUnknown)) {
      task->temperature = found;
    }
    if (target != nullptr) RETURN_IF_ERROR(Create(*task, name, target));
    RETURN_IF_ERROR(MoveFile(&source, task, target));
    return Check(*task, task->source);
  }

  Status MoveFile(SequentialFileReader* source, FileCopyTask* task,
                  WriterPtr* target) {
    std::string scratch(std::min<uint64_t>(run_.buffer_bytes,
                                           std::max<uint64_t>(task->size, 1)),
                        '\0');
    while (task->bytes < task->size) {
      if (run_.stop != nullptr && *run_.stop) {
        return Status::Incomplete("Backup stopped");
      }
      const auto wanted = static_cast<size_t>(
          std::min<uint64_t>(task->size - task->bytes, scratch.size()));
      const size_t n =
          Granted(IoGate::CutToChunk(run_.io_pass, IoKind::kRead, wanted, 1));
      Slice piece;
      {
        const IoGate::Turn turn(run_.io_pass, IoKind::kRead, n,
                                /*direct=*/false);
        RETURN_IF_ERROR(source->Read(n, &piece, scratch.data()));
      }
      if (piece.empty()) break;
      RETURN_IF_ERROR(Piece(piece, task, target));
    }
    if (task->bytes == task->size || task->size == UINT64_MAX) {
      return Status::OK();
    }
    return Status::Corruption(task->source + ": expected " +
                              std::to_string(task->size) + " bytes, found " +
                              std::to_string(task->bytes));
  }

  size_t Granted(size_t n) const {
    if (run_.rate_limiter == nullptr) return n;
    return run_.rate_limiter->RequestToken(n, 0, Env::IO_LOW, nullptr,
                                           RateLimiter::OpType::kRead);
  }

  Status Create(const FileCopyTask& task, const std::string& name,
                WriterPtr* target) const {
    FileOptions options;
    options.temperature = task.temperature;
    options.rate_limiter = run_.rate_limiter;
    auto created = WritableFileWriter::Create(run_.target_fs, name, options);
    if (!created.ok()) return created.status();
    if (run_.rate_limiter != nullptr) (*created)->SetIOPriority(Env::IO_LOW);
    (*created)->SetIoPass(run_.io_pass);
    *target = std::move(*created);
    return Status::OK();
  }

  Status Piece(const Slice& piece, FileCopyTask* task, WriterPtr* target) {
    task->crc32c = crc32c::Extend(task->crc32c, piece.data(), piece.size());
    task->bytes += piece.size();
    if (target != nullptr) RETURN_IF_ERROR((*target)->Append(piece));
    if (run_.on_progress) Progress(piece.size());
    return Status::OK();
  }

  void Progress(uint64_t bytes) {
    MutexLock lock(&mu_);
    for (done_ += bytes; done_ >= run_.progress_bytes;
         done_ -= std::max<uint64_t>(run_.progress_bytes, 1)) {
      try {
        run_.on_progress();
      } catch (...) {  // NOLINT(bugprone-empty-catch): the copy goes on.
      }
      if (run_.progress_bytes == 0) break;
    }
  }

  static Status Check(const FileCopyTask& task, const std::string& what) {
    if (!task.expected_crc32c || *task.expected_crc32c == task.crc32c) {
      return Status::OK();
    }
    return Status::Corruption(what + ": expected checksum " +
                              std::to_string(*task.expected_crc32c) +
                              ", found " + std::to_string(task.crc32c));
  }

  const FileCopyRun& run_;
  std::vector<FileCopyTask>& tasks_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> ended_{false};  // By an error.
  Mutex mu_{LockRank::kFileCopy};
  Status status_ GUARDED_BY(mu_);
  uint64_t done_ GUARDED_BY(mu_) = 0;
};

}  // namespace

Status RunFileCopies(const FileCopyRun& run, std::vector<FileCopyTask>* tasks) {
  return Copies(run, tasks).Run();
}

Status CopyFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, uint64_t size,
                      const FileCopyOptions& options) {
  std::vector<FileCopyTask> tasks(1);
  tasks[0].source_fs = fs;
  tasks[0].source = from;
  tasks[0].size = size;
  tasks[0].target = to;
  tasks[0].temperature = options.temperature;
  FileCopyRun run;
  run.target_fs = fs;
  run.use_fsync = options.use_fsync;
  run.rate_limiter = options.rate_limiter;
  run.io_pass = options.io_pass;
  return RunFileCopies(run, &tasks);
}

Status SyncFile(FileSystem* fs, const std::string& path, bool use_fsync) {
  std::unique_ptr<FSWritableFile> file;
  RETURN_IF_ERROR(fs->ReopenWritableFile(path, FileOptions(), &file, nullptr));
  RETURN_IF_ERROR(use_fsync ? file->Fsync(IOOptions(), nullptr)
                            : file->Sync(IOOptions(), nullptr));
  return file->Close(IOOptions(), nullptr);
}

Status LinkFileSynced(FileSystem* fs, const std::string& from,
                      const std::string& to, bool use_fsync) {
  RETURN_IF_ERROR(fs->LinkFile(from, to, IOOptions(), nullptr));
  const Status status = SyncFile(fs, to, use_fsync);
  if (!status.ok()) (void)fs->DeleteFile(to, IOOptions(), nullptr);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
