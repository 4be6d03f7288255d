// The engine under test: what is linked into this program, or another library
// through the C interface.
//
// Place. Between an engine and the load of scheduler_bench.
//
// Model. Three families that compete for one disk: "default" has the keys of
// point reads, "log" takes small synced writes, "bulk" has files in level 0
// that wait to be compacted. Both kinds of engines get the same options.
//
// Errors. A failure of the engine ends the process: no figure is worth printing
// after one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/slice.h"

namespace scheduler_bench {

struct EngineOptions {
  std::string path;
  bool create = false;
  std::string profile;  // A file; empty: no scheduler. Only for what is linked.
  // Of a modelled device; 0: the real one. Only for what is linked.
  uint64_t device_write_mbps = 0;
  uint64_t device_read_mbps = 0;
};

// What both kinds of engines set.
inline constexpr uint64_t kMiB = uint64_t{1} << 20;
inline constexpr uint64_t kCacheBytes = 8 * kMiB;  // Reads go to the disk.
inline constexpr uint64_t kMemtableBytes = 32 * kMiB;
inline constexpr uint64_t kLevelBaseBytes = 128 * kMiB;
inline constexpr uint64_t kTableBytes = 16 * kMiB;
inline constexpr int kJobs = 4;
inline constexpr int kSubcompactions = 4;
// Writers must not wait for the debt of "bulk": only the disk decides.
inline constexpr int kNoTrigger = 100000;
inline constexpr double kBloomBits = 10;

enum Family { kQueries, kLog, kBulk, kFamilies };
inline constexpr const char* kFamilyNames[] = {"default", "log", "bulk"};

// Of syncs of the log, as the engine's own histogram has them.
struct SyncTimes {
  uint64_t count = 0;
  double average_micros = 0;
  double p50_micros = 0;
  double p99_micros = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  // `synced`: with log and sync, else without a log.
  virtual void Put(Family family, bool synced, const rocksdb::Slice& key,
                   const rocksdb::Slice& value) = 0;
  // Of kQueries; the key exists.
  virtual void Get(const rocksdb::Slice& key) = 0;
  virtual void Flush(Family family) = 0;
  virtual void Compact(Family family) = 0;
  // Of kBulk, from now on.
  virtual void StartCompactions() = 0;
  virtual uint64_t RunningCompactions() = 0;
  virtual SyncTimes LogSyncs() = 0;
  // Of the modelled device; 0 without one.
  virtual uint64_t WrittenBytes() const { return 0; }
  virtual uint64_t ReadBytes() const { return 0; }
};

std::unique_ptr<Engine> OpenLinkedEngine(const EngineOptions& options);
std::unique_ptr<Engine> OpenLoadedEngine(const EngineOptions& options,
                                         const std::string& library);

// Ends the process with `what`.
[[noreturn]] void Fail(const std::string& what);

}  // namespace scheduler_bench
