// MemFileSystem: a file system in memory that can lose unsynced changes.
//
// Place. The file system of tests, and of NewMemEnv.
// Model. A tree of directories; names point to files, several names may point
// to one (hard links), and an open or linked file outlives its name. In
// addition to the state that programs see, each file and directory keeps what
// would be left after a power cut:
//
//   file       durable content + the writes and truncations since its Sync
//   directory  durable names   + the name changes since its Fsync
//
// A rename, also one between directories, is one name change: after a crash
// both halves are there or neither. Making or removing a directory is durable
// at once, because losing a whole database before its first use would test
// nothing.
//
// CrashClone() makes the file system that a machine would find after the cut. A
// seed decides which unsynced changes survive: the same seed and history give
// the same clone.
//
// Direct I/O is accepted, and misaligned direct requests are refused as the
// kernel would.
// Threads. Thread-safe: one lock over all.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

// Which unsynced changes survive a crash.
struct CrashOptions {
  enum class Data {
    kAll,      // Everything written: a killed process.
    kNone,     // Only what was synced.
    kPrefix,   // A prefix of each file's unsynced bytes, cut anywhere.
    kBlocks,   // Any subset of the blocks; the others read as zeros.
    kGarbage,  // As kBlocks, but (not in MANIFESTs) others hold random bytes
               // or half of the block.
  };
  enum class Names {
    kAll,
    kNone,
    kRandom,  // Any subset of the changes.
    kPrefix,  // The oldest changes: a file system that logs its metadata.
    kSplit,   // As kRandom, but a rename may leave the old name, too.
  };

  uint64_t seed = 0;
  Data data = Data::kNone;
  Names names = Names::kNone;
  // The last write of all, if unsynced, is there in part (whatever `data`).
  bool tear_last_write = false;
  // kGarbage: or bytes of an unlinked file. Only file systems that do not order
  // data before metadata show these, and a log cannot tell them from its own.
  bool stale_bytes = false;
  uint64_t block_bytes = 4096;  // Of kBlocks and kGarbage.
  uint64_t keep_percent = 50;   // How likely a block or a name is kept.
  // Only the process died: what was unsynced is there, and still unsynced, so
  // that the next crash can take it. `data` and `names` count as kAll.
  bool stays_unsynced = false;
};

class MemFileSystem final : public FileSystem {
 public:
  struct Options {
    // Off: no crash clones other than Data::kAll, half the memory.
    bool remember_unsynced = true;
    size_t direct_alignment = 4096;
    uint64_t free_bytes = uint64_t{1} << 40;  // What GetFreeSpace says.
    std::shared_ptr<SystemClock> clock;       // Null: the default clock.
  };

  MemFileSystem() : MemFileSystem(Options()) {}
  explicit MemFileSystem(Options options);
  ~MemFileSystem() override;

  // What is left after a crash at this moment. Locks are free in it.
  std::shared_ptr<MemFileSystem> CrashClone(const CrashOptions& options) const;

  // What a failed sync may do: the unsynced changes of `path` count as clean,
  // so that the next sync says OK, and will not survive a crash. They stay
  // visible until then, or are gone now.
  void FailSync(const std::string& path, bool stays_visible);

  // Every path with its size, sorted, one per line: for goldens.
  std::string Describe() const;
  // Calls `visit` for every path in order, with what programs would read.
  void ForEachFile(
      const std::function<void(const std::string& path,
                               const std::string& content)>& visit) const;

  const char* Name() const override { return "MemFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& path,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& path,
                             const std::string& old_path,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override;
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override;
  IOStatus FileExists(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& path, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus CreateDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* dbg) override;
  IOStatus DeleteDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& path, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override;
  IOStatus GetFileModificationTime(const std::string& path,
                                   const IOOptions& options, uint64_t* mtime,
                                   IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus NumFileLinks(const std::string& path, const IOOptions& options,
                        uint64_t* count, IODebugContext* dbg) override;
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& options, bool* same,
                        IODebugContext* dbg) override;
  IOStatus LockFile(const std::string& path, const IOOptions& options,
                    FileLock** lock, IODebugContext* dbg) override;
  IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* dbg) override;
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions& options,
                           std::string* absolute, IODebugContext* dbg) override;
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options,
                        uint64_t* bytes, IODebugContext* dbg) override;
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override;

  // What the files and the clones share; see mem_tree.h.
  struct Tree;

 private:
  explicit MemFileSystem(std::shared_ptr<Tree> tree);

  IOStatus OpenForWriting(const std::string& path, bool keep,
                          const FileOptions& options,
                          std::unique_ptr<FSWritableFile>* result);

  // Kept alive by open files, which may outlive the file system.
  const std::shared_ptr<Tree> tree_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
