// BlockCacheTraceWriter: takes the accesses of a database to its block cache.
//
// Place. DB::StartBlockCacheTrace() takes one. NewBlockCacheTraceWriter() makes
// one that writes the bytes of RocksDB to a TraceWriter; a program may derive
// from the class to do something else with each access.
//
// Threads. The library serializes its calls, and holds a lock meanwhile: a
// writer must not call the database that it traces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table_reader_caller.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// One access: a lookup, and after a miss what was read then.
struct BlockCacheTraceRecord {
  // Microseconds of the database's clock.
  uint64_t access_timestamp = 0;

  // The block. Bytes in memory; 0 when it was neither found nor read.
  std::string block_key;
  TraceType block_type = TraceType::kTraceMax;
  uint64_t block_size = 0;

  // The table.
  uint64_t cf_id = 0;
  std::string cf_name;
  uint32_t level = 0;
  uint64_t sst_fd_number = 0;

  // The caller; and whether a block that was read stays out of the cache.
  TableReaderCaller caller = TableReaderCaller::kMaxBlockCacheLookupCaller;
  bool is_cache_hit = false;
  bool no_insert = false;

  // Of Get and MultiGet: a number of the call, whether it has a snapshot, and
  // the internal key (user key, then 8 bytes of sequence and type) that it
  // looks for; with a data block that of the entry that was found, if any.
  uint64_t get_id = kReservedGetId;
  bool get_from_user_specified_snapshot = false;
  std::string referenced_key;

  // Of their data blocks: bytes of the newest entry of the key, key included;
  // restart points times restart interval, so at least the number of entries (0
  // if the table does not know the interval); and whether the key is there. Of
  // a MultiGet of ours all are 0.
  uint64_t referenced_data_size = 0;
  uint64_t num_keys_in_block = 0;
  bool referenced_key_exist_in_block = false;

  // Not that of any call: 0.
  static const uint64_t kReservedGetId;

  BlockCacheTraceRecord() {}
  BlockCacheTraceRecord(uint64_t _access_timestamp, std::string _block_key,
                        TraceType _block_type, uint64_t _block_size,
                        uint64_t _cf_id, std::string _cf_name, uint32_t _level,
                        uint64_t _sst_fd_number, TableReaderCaller _caller,
                        bool _is_cache_hit, bool _no_insert, uint64_t _get_id,
                        bool _get_from_user_specified_snapshot = false,
                        std::string _referenced_key = "",
                        uint64_t _referenced_data_size = 0,
                        uint64_t _num_keys_in_block = 0,
                        bool _referenced_key_exist_in_block = false)
      : access_timestamp(_access_timestamp),
        block_key(std::move(_block_key)),
        block_type(_block_type),
        block_size(_block_size),
        cf_id(_cf_id),
        cf_name(std::move(_cf_name)),
        level(_level),
        sst_fd_number(_sst_fd_number),
        caller(_caller),
        is_cache_hit(_is_cache_hit),
        no_insert(_no_insert),
        get_id(_get_id),
        get_from_user_specified_snapshot(_get_from_user_specified_snapshot),
        referenced_key(std::move(_referenced_key)),
        referenced_data_size(_referenced_data_size),
        num_keys_in_block(_num_keys_in_block),
        referenced_key_exist_in_block(_referenced_key_exist_in_block) {}
};

struct BlockCacheTraceOptions {
  // All accesses to about one of this many blocks are traced; the hash of a
  // block's key decides which. 0 and 1 (default): those to all blocks.
  uint64_t sampling_frequency = 1;
};

// NewBlockCacheTraceWriter()
struct BlockCacheTraceWriterOptions {
  // Nothing is written any more once the trace is larger, in bytes. Default
  // 64 GiB.
  uint64_t max_trace_file_size = uint64_t{64} * 1024 * 1024 * 1024;
};

class BlockCacheTraceWriter {
 public:
  virtual ~BlockCacheTraceWriter() {}

  // The three slices stand for the strings of the record, which are empty
  // there. After an error the library traces nothing more; the read that was
  // traced is not affected.
  virtual Status WriteBlockAccess(const BlockCacheTraceRecord& record,
                                  const Slice& block_key, const Slice& cf_name,
                                  const Slice& referenced_key) = 0;
  // Called once, before the first access.
  virtual Status WriteHeader() = 0;
};

// `clock` must live as long as the result. Its destruction closes
// `trace_writer`; DB::EndBlockCacheTrace() does so before, and returns the
// error.
std::unique_ptr<BlockCacheTraceWriter> NewBlockCacheTraceWriter(
    SystemClock* clock, const BlockCacheTraceWriterOptions& trace_options,
    std::unique_ptr<TraceWriter>&& trace_writer);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
