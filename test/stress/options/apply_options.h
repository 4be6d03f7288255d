// Turns drawn options into the library's objects.
//
// Place. Stress programs that use the C++ interface.
//
// Words of options that are objects:
//   block_cache, blob_cache, row_cache
//                       "lru:BYTES", "clock:BYTES", a third part is the
//                       capacity of a compressed second tier
//   rate_limiter, write_buffer_manager   a number; of the latter also
//                                        stall:number
//   io_scheduler                         MB/s of its disk
//   sst_file_manager                     bytes deleted per second
//   statistics          "all", "except_timers"
//   listeners           "silent"
//   compaction_service  "declines", or "works": then call ServeFamily()
//   table_properties_collector_factories  "compact_on_deletion"
//   compaction_filter   "rewriting"
//   compaction_filter_factory  what it filters: "compactions", "flushes", "all"
//   db_paths, cf_paths  how many; they lie next to the database
//   wal_dir             a folder in the database's
//
// Threads. One at a time.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/options.h"
#include "test/stress/options/draw_options.h"

namespace ROCKSDB_NAMESPACE::stress {

// Caches outlive a database that is reopened, and families share them: equal
// words mean the same cache.
class Caches {
 public:
  // `text`: see above. Null: the text is wrong.
  std::shared_ptr<Cache> Get(const std::string& text);

 private:
  std::map<std::string, std::shared_ptr<Cache>> caches_;
};

// `options` are changed, `path` is the database's. InvalidArgument names a
// setting that the library does not understand.
Status Apply(const Settings& settings, const std::string& path, Caches* caches,
             DBOptions* options);
Status Apply(const FamilySettings& settings, const std::string& path,
             Caches* caches, ColumnFamilyOptions* options);
Status Apply(const Settings& settings, ReadOptions* options);
Status Apply(const Settings& settings, WriteOptions* options);

}  // namespace ROCKSDB_NAMESPACE::stress
