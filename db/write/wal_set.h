// WalSet: the live write-ahead logs and their order.
//
// Place. Owned by the open database; the commit pipeline's leader appends,
// memtable switches start new logs, flushes make old ones obsolete.
//
// Model.   log 12 (old, unflushed data)   log 15   log 17 <- appended to
//
// Invariants:
//   (1) Only the newest log is appended to.
//   (2) A sync makes all logs durable, oldest first, and the names of those
//       not yet known to be: a later record never survives an earlier one.
//
// Threads. Append by the holder of the log stage. Start under the log stage
// too. Sync, sizes and release from any thread.

#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "db/wal/log_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct WalSetOptions {
  std::string wal_dir;
  FileSystem* fs = nullptr;
  FileOptions file_options;
  uint64_t preallocation_bytes = 0;
  bool use_fsync = false;
  bool manual_flush = false;
  Statistics* statistics = nullptr;
  SystemClock* clock = nullptr;
};

class WalSet {
 public:
  explicit WalSet(WalSetOptions options) : options_(std::move(options)) {}

  // Creates log `number` and appends to it from now on.
  Status Start(uint64_t number);

  // One record; with `sync`, durable with all before it on return.
  Status Append(std::span<const Slice> parts, bool sync,
                Env::IOPriority priority);

  // Hands buffered records to the kernel (manual_wal_flush).
  Status Flush();
  // Makes everything appended before the call durable.
  Status Sync();
  // The same for the logs before the current one.
  Status SyncClosed();

  uint64_t current_number() const {
    return current_number_.load(std::memory_order_acquire);
  }
  bool current_is_empty() const;
  // Over all live logs.
  uint64_t total_bytes() const {
    return total_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t oldest_number() const;

  struct Released {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
  };
  // Gives up and closes the logs below `number`.
  std::vector<Released> ReleaseBelow(uint64_t number);
  Status Close();

  // What is known of each live log, oldest first.
  struct Live {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
  };
  std::vector<Live> live() const;

 private:
  struct Log {
    uint64_t number = 0;
    std::shared_ptr<wal::Writer> writer;
    uint64_t synced_bytes = 0;
  };

  enum class SyncScope : uint8_t {
    kAllByLeader,  // Nobody appends meanwhile.
    kAll,
    kClosed,
  };
  Status SyncLogs(SyncScope scope);
  Status SyncDirectoryIfNew();

  const WalSetOptions options_;
  // Of the log stage.
  std::shared_ptr<wal::Writer> current_;

  std::atomic<uint64_t> current_number_{0};
  std::atomic<uint64_t> total_bytes_{0};
  std::atomic<bool> directory_synced_{true};
  mutable Mutex mu_;
  std::deque<Log> logs_ GUARDED_BY(mu_);  // Oldest first.
  Mutex sync_mu_;                         // One sync of everything at a time.
};

}  // namespace ROCKSDB_NAMESPACE::engine
