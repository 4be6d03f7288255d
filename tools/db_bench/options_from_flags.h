// The options a run opens its database with, from the command line.
//
// Threads. Called by the main thread only.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "tools/db_bench/counted_file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

struct BenchOptions {
  Options options;
  // Owns options.env when a device is simulated or file operations counted.
  std::shared_ptr<Env> env;
  // Null without --report_file_operations.
  std::shared_ptr<FileOperations> file_operations;
};

// Fails with InvalidArgument naming the flag and its value.
engine::Result<BenchOptions> OptionsFromFlags();

// "Snappy", "NoCompression", ... for the head of the report.
std::string CompressionName(CompressionType type);

}  // namespace ROCKSDB_NAMESPACE::bench
