// PosixLoadedDisk: a file on the disk to be measured, which several threads
// read and write with direct I/O.
//
// Place. Below env/measure_disk.h.
//
// Model. The file has no name: it was created without one, or lost it before
// its first write. So it disappears with the process, however that ends.
// Requests come at a fixed rate or back to back. A request with a rate has a
// due time. Its latency counts from then, or from the time its thread woke, if
// that is later: that delay is the machine's and not the disk's.
//
// It refuses, with one sentence each, a path that does not exist or is no
// directory, and a directory that is not writable, is in memory (tmpfs), has
// too little space, or does not allow direct I/O.
//
// Threads. One caller; `interrupted` may be asked by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "env/measure_disk.h"

namespace ROCKSDB_NAMESPACE::engine {

struct PosixLoadedDiskOptions {
  std::string directory;
  // The test file. A disk with less than twice that gets a smaller one, and one
  // with less than `file_bytes_min` to spare is refused.
  uint64_t file_bytes = uint64_t{1} << 30;
  uint64_t file_bytes_min = uint64_t{64} << 20;
  // Asked often; true ends the load with Aborted. For signal handlers.
  std::function<bool()> interrupted = {};
};

// Errors: see above; IOError and NoSpace, later on, of the file.
Result<std::unique_ptr<LoadedDisk>> OpenPosixLoadedDisk(
    const PosixLoadedDiskOptions& options);

// Where the file system that holds `directory` is mounted.
Result<std::string> MountpointOf(const std::string& directory);

// All of it: the profile with its mount point.
Result<DiskMeasurement> MeasureDirectory(const PosixLoadedDiskOptions& disk,
                                         const MeasureDiskOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
