// WalSet: the live write-ahead logs and their order.
//
// Place. Owned by the open database; the commit pipeline's leader appends,
// memtable switches start new logs, flushes make old ones obsolete.
//
// Model.   log 12 (old, unflushed data)   log 15   log 17 <- appended to
//          log 11: replayed at open into memtables that were not flushed then
//          log 9, log 7: obsolete, kept to be written over (recycle_files)
//
// Invariants:
//   (1) Only the newest log is appended to.
//   (2) A sync makes all logs durable, oldest first, and also their names
//       unless these are known to be durable: no record survives a crash
//       without all earlier ones.
//   (3) Only the newest log, and logs that have failed, may have bytes of a
//       recycled log behind their end. The others were truncated before the
//       next log got a batch, and a sync makes the truncation durable, too.
//
// Threads. Append by the holder of the log stage. Start under the log stage
// too. Sync, sizes and release from any thread.

#pragma once

#include <atomic>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "db/wal/log_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

FileOptions LogFileOptions(const DBOptions& options);

struct WalSetOptions {
  std::string wal_dir;
  FileSystem* fs = nullptr;
  FileOptions file_options;  // Until SetFileOptions().
  uint64_t preallocation_bytes = 0;
  bool use_fsync = false;
  bool manual_flush = false;
  size_t recycle_files = 0;         // Obsolete logs kept for reuse.
  bool compress = false;            // Records as ZSTD frames.
  bool chain = false;               // Each log says what it follows.
  bool track = false;               // TakeUntracked is of interest.
  const IoPass* io_pass = nullptr;  // Or null.
  Statistics* statistics = nullptr;
  SystemClock* clock = nullptr;
};

class WalSet {
 public:
  explicit WalSet(WalSetOptions options)
      : options_(std::move(options)), file_options_(options_.file_options) {}

  struct Live {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
  };

  // Of the logs that are started from now on. Any thread.
  void SetFileOptions(const FileOptions& options) EXCLUDES_LOCK(mu_);

  // Creates log `number` and appends to it from now on.
  Status Start(uint64_t number);
  // A log of an earlier session, durable and never written again, that is
  // needed like the others. REQUIRES: it is older than all logs started, and
  // newer than those added before.
  void AddReplayed(uint64_t number, uint64_t size_bytes);

  // From now on every log says before its first batch that the family's keys
  // end with so many bytes of timestamp; 0: nothing to say. REQUIRES: no thread
  // appends, and no batch of the family has been appended.
  void RecordTimestampSize(uint32_t family, size_t size);

  // One record; with `sync`, durable with all before it on return.
  Status Append(std::span<const Slice> parts, bool sync,
                Env::IOPriority priority);
  // The record of log `number` that begins at `offset` is of an Append() that
  // has failed, although the file may hold all of it.
  bool HasFailed(uint64_t number, uint64_t offset) const;

  // Hands buffered records to the kernel (manual_wal_flush).
  Status Flush(Env::IOPriority priority);
  // Can the current log be synced beside appends?
  bool CanSyncBesideAppends() const;
  // Makes everything appended before the call durable.
  // REQUIRES: CanSyncBesideAppends().
  Status Sync();
  // The same while no thread appends; any file can do that.
  Status SyncWithoutAppends();
  // The same for the logs before the current one.
  Status SyncClosed();
  // Resume() flushes what the closed logs that have failed hold.
  // Until then no sync succeeds, because it would leave a hole.
  void GiveUpFailed();
  // There is such a log, and a family still needs it.
  bool needs_failed() const;
  // There is one that is not given up.
  bool has_failed() const;

  // Logs that get nothing more and are durable as a whole, each once.
  std::vector<Live> TakeUntracked();
  bool has_untracked() const {
    return has_untracked_.load(std::memory_order_relaxed);
  }

  uint64_t current_number() const {
    return current_number_.load(std::memory_order_acquire);
  }
  bool current_is_empty() const;
  // Over all live logs, the replayed ones included, and not those that only
  // prepared transactions need.
  uint64_t total_bytes() const {
    return total_bytes_.load(std::memory_order_relaxed);
  }
  // Made durable so far, of all logs there ever were.
  uint64_t synced_bytes() const {
    return synced_bytes_.load(std::memory_order_relaxed);
  }
  // Of these, by SyncClosed().
  uint64_t closed_synced_bytes() const {
    return closed_synced_bytes_.load(std::memory_order_relaxed);
  }
  // Of the replayed ones, too; of those that are counted.
  uint64_t oldest_number() const;
  // Memory of the logs' buffers.
  size_t buffer_bytes() const;

  struct ReleaseBounds {
    // Older logs are not counted any more, but synced with the others: what is
    // prepared in them may be committed in a newer one.
    uint64_t flushed_below = 0;
    uint64_t deletable_below = 0;  // Not above flushed_below.
  };
  // Returns those that may be deleted; with `may_recycle` some are kept for
  // reuse instead, but no replayed ones, which may be of another format. Of the
  // others nothing more is known here.
  std::vector<Live> ReleaseBelow(const ReleaseBounds& bounds, bool may_recycle);
  // The logs kept for reuse: which, and an end to keeping them.
  void AddRecyclable(std::set<uint64_t>* numbers) const;
  std::vector<Live> TakeRecyclable();
  Status Close();

  // The logs of this session that are needed, oldest first, with the bytes that
  // are in their files.
  std::vector<Live> live() const;

 private:
  struct Log {
    uint64_t number = 0;
    std::shared_ptr<wal::Writer> writer;
    uint64_t synced_bytes = 0;
    bool cut_unsynced = false;  // Became shorter since.
    bool tracked = false;       // Was in TakeUntracked().
    bool flushed = false;       // Not counted: kept for what is prepared in it.
    bool given_up = false;
  };

  struct Replayed {
    Live log;
    bool flushed = false;  // As above.
  };

  // What a failed append or sync may have left in a log.
  struct FailedRecord {
    uint64_t log_number = 0;
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  enum class SyncScope : uint8_t {
    kAllWithoutAppends,
    kAll,
    kClosed,
  };
  Result<std::unique_ptr<WritableFileWriter>> OpenFile(uint64_t number);
  Status WriteSpecial(wal::Writer* writer) const;
  Status AppendRecord(std::span<const Slice> parts, bool sync,
                      Env::IOPriority priority);
  // Of the current log, from `begin`. Takes no memory: that may be what failed.
  void NoteFailed(uint64_t begin);
  // Hands the rest of the current log to the kernel and cuts it.
  Status FinishCurrent();
  Status CutCurrent();
  Status SyncLogs(SyncScope scope);
  void ReleaseReplayed(const ReleaseBounds& bounds, std::vector<Live>* released)
      REQUIRES_LOCK(mu_);
  void MarkFlushed(uint64_t below) REQUIRES_LOCK(mu_);
  Status SyncDirectoryIfNew();

  const WalSetOptions options_;
  // Of the log stage.
  std::shared_ptr<wal::Writer> current_;
  SequenceNumber last_sequence_ = 0;  // Of the last batch (chain).
  std::list<FailedRecord> spare_{1};  // For NoteFailed().
  std::map<uint32_t, uint16_t> timestamp_sizes_;
  // Those that the current log has not said. They wait for its next batch, as
  // RocksDB's do: 7.8.3 answers Corruption where a log has nothing else.
  std::map<uint32_t, uint16_t> unsaid_sizes_;

  std::atomic<uint64_t> current_number_{0};
  std::atomic<uint64_t> total_bytes_{0};
  std::atomic<uint64_t> synced_bytes_{0};
  std::atomic<uint64_t> closed_synced_bytes_{0};
  std::atomic<bool> directory_synced_{true};
  std::atomic<bool> has_untracked_{false};  // Closed logs, synced or not.
  mutable Mutex mu_{LockRank::kWalSet};
  std::deque<Log> logs_ GUARDED_BY(mu_);           // Oldest first.
  std::deque<Replayed> replayed_ GUARDED_BY(mu_);  // Before them.
  std::deque<Live> recyclable_ GUARDED_BY(mu_);
  FileOptions file_options_ GUARDED_BY(mu_);
  // Also of logs that are no longer here: their files may be.
  std::list<FailedRecord> failed_records_ GUARDED_BY(mu_);
  // One sync of everything at a time; no cut meanwhile.
  Mutex sync_mu_{LockRank::kWalSync};
};

}  // namespace ROCKSDB_NAMESPACE::engine
