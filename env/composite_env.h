// CompositeEnv: an Env whose files come from a FileSystem and whose time comes
// from a SystemClock.
//
// Place. Base of Env::Default() and of the Envs of NewCompositeEnv and
// NewMemEnv. The engine itself never uses the file methods here: it asks the
// Env for its FileSystem once.
// Model. Every file method calls the FileSystem with default IOOptions and
// wraps the FS file in the Env class of the same name. CompositeEnvWrapper
// takes the threads (and everything else) from another Env.
// Threads. As the parts.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

class CompositeEnv : public Env {
 public:
  CompositeEnv(const std::shared_ptr<FileSystem>& fs,
               const std::shared_ptr<SystemClock>& clock)
      : Env(fs, clock) {}

  Status RegisterDbPaths(const std::vector<std::string>& paths) override;
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override;
  Status NewSequentialFile(const std::string& f,
                           std::unique_ptr<SequentialFile>* r,
                           const EnvOptions& options) override;
  Status NewRandomAccessFile(const std::string& f,
                             std::unique_ptr<RandomAccessFile>* r,
                             const EnvOptions& options) override;
  Status NewWritableFile(const std::string& f, std::unique_ptr<WritableFile>* r,
                         const EnvOptions& options) override;
  Status ReopenWritableFile(const std::string& f,
                            std::unique_ptr<WritableFile>* r,
                            const EnvOptions& options) override;
  Status ReuseWritableFile(const std::string& f, const std::string& old_f,
                           std::unique_ptr<WritableFile>* r,
                           const EnvOptions& options) override;
  Status NewRandomRWFile(const std::string& f, std::unique_ptr<RandomRWFile>* r,
                         const EnvOptions& options) override;
  Status NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override;
  Status NewDirectory(const std::string& name,
                      std::unique_ptr<Directory>* r) override;
  Status FileExists(const std::string& f) override;
  Status GetChildren(const std::string& dir,
                     std::vector<std::string>* r) override;
  Status GetChildrenFileAttributes(const std::string& dir,
                                   std::vector<FileAttributes>* r) override;
  Status DeleteFile(const std::string& f) override;
  Status Truncate(const std::string& f, size_t size) override;
  Status CreateDir(const std::string& d) override;
  Status CreateDirIfMissing(const std::string& d) override;
  Status DeleteDir(const std::string& d) override;
  Status GetFileSize(const std::string& f, uint64_t* size) override;
  Status GetFileModificationTime(const std::string& f,
                                 uint64_t* mtime) override;
  Status RenameFile(const std::string& from, const std::string& to) override;
  Status LinkFile(const std::string& from, const std::string& to) override;
  Status NumFileLinks(const std::string& f, uint64_t* count) override;
  Status AreFilesSame(const std::string& first, const std::string& second,
                      bool* res) override;
  Status LockFile(const std::string& f, FileLock** l) override;
  Status UnlockFile(FileLock* l) override;
  Status GetTestDirectory(std::string* path) override;
  Status NewLogger(const std::string& f,
                   std::shared_ptr<Logger>* result) override;
  Status GetAbsolutePath(const std::string& path, std::string* output) override;
  Status GetFreeSpace(const std::string& path, uint64_t* bytes) override;
  Status IsDirectory(const std::string& path, bool* is_dir) override;
  void SanitizeEnvOptions(EnvOptions* options) const override;

  uint64_t NowMicros() override { return system_clock_->NowMicros(); }
  uint64_t NowNanos() override { return system_clock_->NowNanos(); }
  uint64_t NowCPUNanos() override { return system_clock_->CPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    system_clock_->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return system_clock_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return system_clock_->TimeToString(time);
  }
};

class CompositeEnvWrapper final : public CompositeEnv {
 public:
  // `threads` must live longer than this.
  CompositeEnvWrapper(Env* threads, const std::shared_ptr<FileSystem>& fs,
                      const std::shared_ptr<SystemClock>& clock,
                      const char* name)
      : CompositeEnv(fs, clock), threads_(threads), name_(name) {}

  const char* Name() const override { return name_; }

  void Schedule(void (*f)(void* arg), void* a, Priority pri,
                void* tag = nullptr, void (*u)(void* arg) = nullptr) override {
    threads_->Schedule(f, a, pri, tag, u);
  }
  int UnSchedule(void* tag, Priority pri) override {
    return threads_->UnSchedule(tag, pri);
  }
  void StartThread(void (*f)(void*), void* a) override {
    threads_->StartThread(f, a);
  }
  void WaitForJoin() override { threads_->WaitForJoin(); }
  int ReserveThreads(int n, Priority pri) override {
    return threads_->ReserveThreads(n, pri);
  }
  int ReleaseThreads(int n, Priority pri) override {
    return threads_->ReleaseThreads(n, pri);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri = LOW) const override {
    return threads_->GetThreadPoolQueueLen(pri);
  }
  void SetBackgroundThreads(int n, Priority pri) override {
    threads_->SetBackgroundThreads(n, pri);
  }
  int GetBackgroundThreads(Priority pri) override {
    return threads_->GetBackgroundThreads(pri);
  }
  void IncBackgroundThreadsIfNeeded(int n, Priority pri) override {
    threads_->IncBackgroundThreadsIfNeeded(n, pri);
  }
  void LowerThreadPoolIOPriority(Priority pool) override {
    threads_->LowerThreadPoolIOPriority(pool);
  }
  void LowerThreadPoolCPUPriority(Priority pool) override {
    threads_->LowerThreadPoolCPUPriority(pool);
  }
  Status LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) override {
    return threads_->LowerThreadPoolCPUPriority(pool, pri);
  }
  Status GetThreadList(std::vector<ThreadStatus>* list) override {
    return threads_->GetThreadList(list);
  }
  uint64_t GetThreadID() const override { return threads_->GetThreadID(); }
  Status GetHostName(char* name, uint64_t length) override {
    return threads_->GetHostName(name, length);
  }
  CompactionSwitch* compaction_switch() override {
    return threads_->compaction_switch();
  }

 protected:
  const Customizable* Inner() const override { return threads_; }

 private:
  Env* const threads_;
  const char* const name_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
