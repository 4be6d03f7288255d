// PosixLoadedDisk: a file of its own on the disk that is measured, read and
// written with direct I/O by several threads.
//
// Place. Below env/measure_disk.h.
//
// Model. The file has no name: it was created without one, or lost it before
// its first write. So it goes away with the process, however that ends, and
// leaves nothing behind. Requests have their own rate or follow each other; a
// request with a rate is due at a time, and its latency counts from there, or
// from when its thread woke, which is the machine's lateness and not the
// disk's.
//
// Refused, with one sentence each: a directory that is missing, is none, cannot
// be written, is kept in memory (tmpfs), has too little space, or does not
// allow direct I/O.
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
