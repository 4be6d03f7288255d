// DeviceModel: how long storage of a given speed would take, in virtual time.
//
// Place. Pure; the throttled file system sleeps by it and the simulator counts
// by it. It has no clock, lock or file: it is given the time of a call and
// returns the time at which the call ends.
//
// Model. One write queue at write speed behind a pool of dirty pages, and one
// read queue at read speed:
//
//   Append ---> dirty pool (limit) ---+
//   direct Append, waits -------------+--> write queue, in arrival order
//   Sync: waits for this file's own bytes
//
//   Read of bytes still cached: free.   Other reads --> read queue, waits
//
// Rules (each pinned by a test):
//   R1 A buffered append returns at once while the pool has room; beyond the
//      limit it returns when enough has drained.
//   R2 Bytes drain in arrival order over all files, at write speed; idle time
//      earns no credit.
//   R3 Sync returns when the file's own bytes are drained; bytes that other
//      files appended later do not matter.
//   R4 A direct append returns when its bytes are drained.
//   R5 A log is charged only when it is synced, for the bytes appended since
//      the last sync; with `charge_wal` it is a file like any other.
//   R6 A read takes its turn at read speed; bytes among the last `cached_bytes`
//      buffered bytes are free, and direct reads never are.
//   R7 Speed 0 means unlimited.
//
// Threads. The caller serialises. Times of calls must not decrease.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class DeviceModel {
 public:
  struct Options {
    // 1 MB = 10^6 bytes.
    uint64_t write_mbps = 0;
    uint64_t read_mbps = 0;
    uint64_t dirty_bytes_max = 64ull * 1000 * 1000;
    // What the page cache keeps of the bytes written last.
    uint64_t cached_bytes = 256ull * 1000 * 1000;
    bool charge_wal = false;
  };

  struct FileKind {
    bool is_wal = false;
    bool direct = false;
  };

  using FileId = uint64_t;

  explicit DeviceModel(const Options& options) : options_(options) {}

  FileId AddFile(const FileKind& kind);
  // Forgets the file. What is queued stays queued.
  void RemoveFile(FileId file);

  // Each returns the time in nanoseconds, >= `now_ns`, at which it is done.
  uint64_t Append(FileId file, uint64_t bytes, uint64_t now_ns);
  uint64_t Sync(FileId file, uint64_t now_ns);
  // `direct` is how the reader opened the file, not how it was written.
  uint64_t Read(FileId file, uint64_t offset, uint64_t bytes, bool direct,
                uint64_t now_ns);
  // A read of a file this model did not see being written.
  uint64_t ReadCold(uint64_t bytes, uint64_t now_ns);

  // Bytes queued and not drained at `now_ns`.
  uint64_t QueuedBytes(uint64_t now_ns) const;
  // All bytes ever charged to the device.
  uint64_t written_bytes() const { return written_bytes_; }
  uint64_t read_bytes() const { return read_bytes_; }

 private:
  // A run of bytes of a file and where it stands in the order of all buffered
  // bytes, which tells whether it is still cached.
  struct Extent {
    uint64_t offset = 0;
    uint64_t length = 0;
    uint64_t position = 0;
  };
  struct File {
    FileKind kind;
    uint64_t size = 0;
    uint64_t uncharged_bytes = 0;  // Of a log, since its last sync.
    uint64_t drained_at_ns = 0;    // When its last charged byte is drained.
    std::deque<Extent> extents;    // By offset.
  };

  static uint64_t NanosFor(uint64_t bytes, uint64_t mbps);

  // Queues bytes; returns when the last of them is drained.
  uint64_t Charge(File* file, uint64_t bytes, uint64_t now_ns);
  void Cache(File* file, uint64_t bytes);
  // The place in the order of buffered bytes from which on they are cached.
  uint64_t OldestCached() const;
  void DropUncached(File* file) const;
  uint64_t CachedBytes(const File& file, uint64_t offset, uint64_t bytes) const;

  const Options options_;
  std::unordered_map<FileId, File> files_;
  FileId next_file_ = 1;
  uint64_t write_free_ns_ = 0;  // When the write queue is empty.
  uint64_t read_free_ns_ = 0;
  uint64_t buffered_position_ = 0;  // Buffered bytes appended so far.
  uint64_t written_bytes_ = 0;
  uint64_t read_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
