// The options a run opens its database with, from the command line.
//
// Threads. Called by the main thread only.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

struct BenchOptions {
  Options options;
  // Owns options.env when a device is simulated.
  std::shared_ptr<Env> env;
};

// Fails with InvalidArgument naming the flag and its value.
engine::Result<BenchOptions> OptionsFromFlags();

// "Snappy", "NoCompression", ... for the head of the report.
std::string CompressionName(CompressionType type);

}  // namespace ROCKSDB_NAMESPACE::bench
