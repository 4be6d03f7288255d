// The flags of peer_bench. Both libraries get the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace peer_bench {

struct Config {
  std::string ours = "build/release/librocksdb.so";
  std::string peer;
  std::string db = "/tmp/peer_bench";  // Gets folders ours..., peer....
  std::vector<std::string> workloads;  // Empty: all.
  std::string json;                    // A file, or empty.
  std::string allocator;               // Preloaded; empty: the system's.
  uint64_t num = 1000000;              // Keys.
  uint64_t reads = 0;                  // 0: as many as keys, at most 2 million.
  uint64_t value_size = 100;           // Bytes.
  uint64_t cache_mb = 1024;            // Block cache, 2^20 bytes.
  uint64_t write_buffer_mb = 64;
  uint64_t block_size = 4096;
  uint64_t repeats = 5;
  uint64_t threads = 2;  // readwhilewriting: one writes, the others read.
  uint64_t write_rate = 10000;  // Puts per second of that writer.
  uint64_t format_version = 5;
  std::string compression = "none";  // Or snappy, zlib, bz2, lz4, lz4hc, zstd.
  std::string cache_type = "lru";    // Or hyper_clock.
  bool direct_reads = false;
  bool compact = true;  // The database is one sorted run when it is read.

  // How the parent calls itself: the side to load, and what to do.
  std::string child;
};

// Ends the process with a text on a flag that is unknown or makes no sense.
Config ParseFlags(int argc, char** argv);

// The flags that make a child see the same settings.
std::vector<std::string> FlagsOf(const Config& config);

}  // namespace peer_bench
