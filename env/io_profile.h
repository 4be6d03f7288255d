// IoProfile: what a disk can do, as measured by tools/iotune.
//
// Place. Read by the I/O scheduler and the tools; written by tools/iotune.
//
// Bytes. The layout of Seastar's io-properties.yaml, so that files can be
// exchanged with its tools:
//
//   disks:
//     - mountpoint: /var/lib/db     # or "mountpoints:" and a list
//       read_iops: 95000
//       read_bandwidth: 545M        # bytes per second
//       write_iops: 85000
//       write_bandwidth: 510M
//       write_saturation_length: 64k   # optional, as read_saturation_length
//       rate_factor: 0.9               # optional: K, 1 if absent
//
// A number may have a suffix: k, M, G, T are powers of 1024, as in Seastar, and
// so are KiB, MiB, GiB, TiB; kB, MB, GB, TB are powers of 1000. Only that
// layout is read, not YAML in general: lists and maps in brackets, anchors and
// multi-line strings are refused.
//
// Errors. One sentence that names the file, the line, what was expected and
// what was found. Memory use is bounded by a multiple of the text's size.
//
// Threads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

struct IoProfile {
  std::string mountpoint;
  uint64_t read_bytes_per_second = 0;
  uint64_t write_bytes_per_second = 0;
  uint64_t read_ops_per_second = 0;
  uint64_t write_ops_per_second = 0;
  // The smallest request that reaches the bandwidth; 0: unknown.
  uint64_t read_saturation_bytes = 0;
  uint64_t write_saturation_bytes = 0;
  // How much of the sum b_r/B_r + b_w/B_w + o_r/O_r + o_w/O_w the disk bears.
  double k = 1.0;
  size_t disk = 0;  // Its place among those that the text lists.
};

// Where the file lists several disks, the one whose mount point is the longest
// prefix of `directory` is meant; a single disk is meant in any case.
// Errors: InvalidArgument.
Result<IoProfile> ParseIoProfile(const std::string& text,
                                 const std::string& file_name,
                                 const std::string& directory = "");

// Requires: no control character in the mount point.
std::string FormatIoProfile(const IoProfile& profile);

// Errors: as above, and what the file system says, with the path.
Result<IoProfile> ReadIoProfile(FileSystem* fs, const std::string& path,
                                const std::string& directory = "");
// The text alone, or the beginning of one that is too long.
Result<std::string> ReadIoProfileText(FileSystem* fs, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE::engine
