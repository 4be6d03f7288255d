// ThrottledFileSystem: files that take as long as a device of a given speed.
//
// Place. Wraps any file system for benchmarks and tests. env/device_model says
// how long a call takes; the call sleeps for the rest of that time.
//
// Model. A call does its real work first and then sleeps until the time at
// which the model is done. Sleeps shorter than kSleepMinNs are skipped but stay
// in the model's queue, so many small requests still add up to the right speed.
//
// Threads. Thread-safe; the model is used under one lock, which is not held
// during sleeps.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "env/device_model.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class ThrottledFileSystem final : public FileSystemWrapper {
 public:
  // The timer of an operating system is not finer.
  static constexpr uint64_t kSleepMinNs = uint64_t{100} * 1000;

  // `is_wal` tells by its path whether a file is a write-ahead log.
  ThrottledFileSystem(const std::shared_ptr<FileSystem>& target,
                      std::shared_ptr<SystemClock> clock,
                      const DeviceModel::Options& options,
                      std::function<bool(const std::string& path)> is_wal);

  static const char* kClassName() { return "ThrottledFileSystem"; }
  const char* Name() const override { return kClassName(); }

  IOStatus NewSequentialFile(const std::string& f, const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& f,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& f, const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& f,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& f, const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& f, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override;

  // Bytes charged to the device so far.
  uint64_t written_bytes() const;
  uint64_t read_bytes() const;

  // ---- For the files of this file system.

  void ChargeAppend(DeviceModel::FileId file, uint64_t bytes);
  void ChargeSync(DeviceModel::FileId file);
  // `file` 0: not written through this file system.
  void ChargeRead(DeviceModel::FileId file, uint64_t offset, uint64_t bytes,
                  bool direct);
  void ForgetWriter(DeviceModel::FileId file);

 private:
  void SleepUntil(uint64_t done_ns);
  // Gives `*r` a number of its own and wraps it.
  void WrapWritable(const std::string& f, std::unique_ptr<FSWritableFile>* r)
      EXCLUDES_LOCK(mu_);
  DeviceModel::FileId IdOf(const std::string& f) const EXCLUDES_LOCK(mu_);
  void DropName(const std::string& f) REQUIRES_LOCK(mu_);

  const std::shared_ptr<SystemClock> clock_;
  const std::function<bool(const std::string&)> is_wal_;

  mutable Mutex mu_;
  DeviceModel model_ GUARDED_BY(mu_);
  std::unordered_map<std::string, DeviceModel::FileId> ids_ GUARDED_BY(mu_);
  // Files open for writing; one that loses its name stays known until closed.
  std::unordered_set<DeviceModel::FileId> writers_ GUARDED_BY(mu_);
  std::unordered_set<DeviceModel::FileId> nameless_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
