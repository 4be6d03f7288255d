// LevelDBOptions: the options of LevelDB, for programs that were written for
// it.
#pragma once

#include <cstddef>

#include "rocksdb/compression_type.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Cache;
class Comparator;
class Env;
class FilterPolicy;
class Logger;
struct Options;

struct LevelDBOptions {
  LevelDBOptions();

  // The order of keys. Default BytewiseComparator().
  const Comparator* comparator;

  bool create_if_missing = false;
  bool error_if_exists = false;
  bool paranoid_checks = false;

  // Default Env::Default().
  Env* env;

  // Null: a file LOG in the database's directory.
  Logger* info_log = nullptr;

  // Bytes of a memtable.
  size_t write_buffer_size = 4 << 20;

  int max_open_files = 1000;

  // Null: the database makes a cache of its own.
  Cache* block_cache = nullptr;

  size_t block_size = 4096;
  int block_restart_interval = 16;
  CompressionType compression = kSnappyCompression;

  // Null: no filters.
  const FilterPolicy* filter_policy = nullptr;
};

// Options that mean the same, and defaults for all that LevelDB does not have.
// The result owns info_log, block_cache and filter_policy, together with its
// copies and the databases that are opened with them: do not delete these, and
// convert each of them only once. As before, it does not own comparator and
// env.
Options ConvertOptions(const LevelDBOptions& leveldb_options);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
