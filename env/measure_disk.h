// MeasureDisk: finds the profile of a disk by loading it.
//
// Place. Behind tools/iotune and the I/O scheduler's "measure at first open".
// The loads are executed by a LoadedDisk: a real one is
// env/posix/posix_loaded_disk.h, tests have a model.
//
// Model. A plan of loads, each of which gets its share of the time:
//
//   fill        writes the file whose parts are read and written afterwards
//   bandwidth   1 MiB requests one after another, four at once
//   operations  4 KiB requests at random places, 32 at once
//   saturation  smaller and smaller requests, until the bandwidth is lost
//   cells       point reads at a fixed rate, concurrently with writes of 128
//               KiB at a fixed rate: a grid of both rates
//
// K. A cell is safe if the disk served the rates that were asked of it and 95 %
// of its reads were fast. `IoProfile::k` is the bound on
//   b_r/B_r + b_w/B_w + o_r/O_r + o_w/O_w
// that separates safe cells from others best; an unsafe cell below the bound
// counts as twice the error of a safe one above it. K is at most 1, where one
// kind of requests alone fills the disk.
//
// Threads. The caller's; a LoadedDisk may have others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/io_profile.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Requests of one kind.
struct DiskStream {
  uint32_t depth = 0;  // At once; 0: no requests.
  uint32_t bytes = 0;  // Of a request.
  bool random = false;
  double ops_per_second = 0;  // 0: as many as the disk serves.
};

struct DiskLoad {
  DiskStream reads;
  DiskStream writes;
  double seconds = 0;
};

struct DiskRate {
  uint64_t ops = 0;
  double ops_per_second = 0;
  double bytes_per_second = 0;
  // Of a request, from when it was due. Valid if ops > 0.
  uint64_t p50_micros = 0;
  uint64_t p95_micros = 0;
};

struct DiskLoadResult {
  DiskRate reads;
  DiskRate writes;
  double seconds = 0;  // It took.
};

class LoadedDisk {
 public:
  virtual ~LoadedDisk() = default;
  // Writes until the file is full or the time is over. `full`: 0 to 1.
  virtual Result<DiskRate> Fill(
      double seconds, const std::function<void(double full)>& tell) = 0;
  virtual Result<DiskLoadResult> Run(const DiskLoad& load) = 0;
};

struct DiskMeasureProgress {
  const char* step = "";
  double done = 0;  // 0 to 1, of everything.
  double seconds_left = 0;
};

struct MeasureDiskOptions {
  // All loads together take about this long.
  double seconds = 60;
  std::function<void(const DiskMeasureProgress&)> progress = {};
};

// One cell of the grid.
struct DiskCell {
  double read_share = 0;   // Of the profile's read operations.
  double write_share = 0;  // Of the profile's write bandwidth.
  DiskRate reads;
  DiskRate writes;
  double cost = 0;  // The sum for the rates that were asked for.
  bool served = false;
  bool safe = false;
};

struct DiskMeasurement {
  IoProfile profile;        // Without a mount point.
  uint32_t read_bytes = 0;  // Of the requests in cells.
  uint32_t write_bytes = 0;
  // Reads of safe cells are faster, 95 % of them.
  uint64_t fast_micros = 0;
  std::vector<DiskCell> cells;  // By read share, then by write share.
  double seconds = 0;
};

// What a second of these rates takes of the disk's time, by the model.
double DiskCost(const IoProfile& profile, const DiskStream& reads,
                const DiskStream& writes);

// Errors: those of the disk; Aborted("...") where it was interrupted.
Result<DiskMeasurement> MeasureDisk(LoadedDisk* disk,
                                    const MeasureDiskOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
