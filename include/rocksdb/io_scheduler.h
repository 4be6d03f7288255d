// IOScheduler: divides one disk among logs, reads, flushes and compactions.
//
// An extension of Riverstone. A profile, as measured by tools/iotune, says what
// the disk can do. The scheduler dispatches requests at the rate at which the
// disk serves them, so that they do not queue up inside the disk. Shares divide
// the disk among the classes of requests. Databases on one disk should share
// one scheduler. docs/io-scheduler.md explains it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct IOSchedulerOptions {
  // The profile, in the layout of Seastar's io-properties.yaml. If it lists
  // several disks, the one that holds the database is used. Default: none.
  std::string profile_path;

  // The same as text, instead of a file. Default: none.
  std::string profile;

  // Measure the disk when the first database opens, if there is no file at
  // `profile_path`. It needs an idle disk, 2 GB of space (less on a small
  // disk), and takes `measure_seconds`. The result is written to
  // `profile_path`, unless that is empty. Default: false.
  bool measure_if_missing = false;
  double measure_seconds = 60;

  // K: the share of the disk's capacity that is used, above 0 and at most 1. 0
  // (default): the profile's value, or 1 if it has none.
  double rate_factor = 0;

  // When the disk is overloaded, it is divided among the classes that have
  // requests in proportion to these. At least 1 each.
  uint32_t log_shares = 1000;        // Write-ahead logs.
  uint32_t user_read_shares = 1000;  // Get, MultiGet, iterators.
  uint32_t flush_shares = 800;
  uint32_t level0_shares = 400;      // Compactions out of level 0.
  uint32_t compaction_shares = 200;  // Compactions of deeper levels.
  uint32_t maintenance_shares = 50;  // Compactions that could wait.
  uint32_t backup_shares = 50;       // Backups and checkpoints.
};

// Thread-safe. Made by NewIOScheduler() only.
class IOScheduler {
 public:
  virtual ~IOScheduler() = default;

  virtual const IOSchedulerOptions& options() const = 0;

  // The profile and the present state, as text for people.
  virtual std::string ToString() const = 0;
};

// Never null. Options that contradict each other and profiles that cannot be
// read fail DB::Open with InvalidArgument.
std::shared_ptr<IOScheduler> NewIOScheduler(const IOSchedulerOptions& options);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
