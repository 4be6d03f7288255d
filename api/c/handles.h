// The structs behind the opaque types of rocksdb/c.h.
//
// Place. Included by every file of api/c, which sees nothing of the engine but
// its public headers.
//
// Invariants. The first member is the C++ object, named `rep`; where the type
// is one that the user implements by callbacks, the struct derives from the
// C++ class. Programs that mix C and C++ rely on both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/c.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/iterator.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/universal_compaction.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/write_batch.h"
#include "rocksdb/write_buffer_manager.h"

namespace capi = ROCKSDB_NAMESPACE;

struct rocksdb_t {
  capi::DB* rep;
};
struct rocksdb_column_family_handle_t {
  capi::ColumnFamilyHandle* rep;
  bool owned = true;  // False for the default family's, which the DB owns.
};
struct rocksdb_options_t {
  capi::Options rep;
};
struct rocksdb_block_based_table_options_t {
  capi::BlockBasedTableOptions rep;
};
struct rocksdb_readoptions_t {
  capi::ReadOptions rep;
  std::string request_id;  // What rep points at.
  // What rep's bounds point at; the bytes are the caller's.
  capi::Slice upper_bound;
  capi::Slice lower_bound;
  // The same for times.
  capi::Slice timestamp;
  capi::Slice iter_start_ts;
};
struct rocksdb_writeoptions_t {
  capi::WriteOptions rep;
};
struct rocksdb_flushoptions_t {
  capi::FlushOptions rep;
};
struct rocksdb_compactoptions_t {
  capi::CompactRangeOptions rep;
  capi::Slice full_history_ts_low;  // What rep points at.
};
struct rocksdb_wait_for_compact_options_t {
  capi::WaitForCompactOptions rep;
};
struct rocksdb_universal_compaction_options_t {
  capi::CompactionOptionsUniversal rep;
};
struct rocksdb_fifo_compaction_options_t {
  capi::CompactionOptionsFIFO rep;
};
struct rocksdb_cuckoo_table_options_t {
  capi::CuckooTableOptions rep;
};
struct rocksdb_dbpath_t {
  capi::DbPath rep;
};
struct rocksdb_writebatch_t {
  capi::WriteBatch rep;
};
struct rocksdb_writebatch_wi_t {
  capi::WriteBatchWithIndex* rep;
  // False for a transaction's batch; then the handle itself is malloc'ed.
  bool owned = true;
};
struct rocksdb_iterator_t {
  capi::Iterator* rep;
};
struct rocksdb_snapshot_t {
  const capi::Snapshot* rep;
};
struct rocksdb_pinnableslice_t {
  capi::PinnableSlice rep;
};
struct rocksdb_pinnable_handle_t {
  capi::PinnableSlice rep;
};
struct rocksdb_cache_t {
  std::shared_ptr<capi::Cache> rep;
};
struct rocksdb_lru_cache_options_t {
  capi::LRUCacheOptions rep;
};
struct rocksdb_hyper_clock_cache_options_t {
  capi::HyperClockCacheOptions rep;
};
struct rocksdb_filterpolicy_t {
  std::shared_ptr<const capi::FilterPolicy> rep;
};
struct rocksdb_slicetransform_t {
  std::shared_ptr<const capi::SliceTransform> rep;
};
struct rocksdb_ratelimiter_t {
  std::shared_ptr<capi::RateLimiter> rep;
};
struct rocksdb_write_buffer_manager_t {
  std::shared_ptr<capi::WriteBufferManager> rep;
};
struct rocksdb_sst_file_manager_t {
  std::shared_ptr<capi::SstFileManager> rep;
};
struct rocksdb_logger_t {
  std::shared_ptr<capi::Logger> rep;
};
struct rocksdb_env_t {
  capi::Env* rep;
  bool owned = false;
};
struct rocksdb_flushwaloptions_t {
  capi::FlushWALOptions rep;
};
struct rocksdb_compaction_options_t {
  capi::CompactionOptions rep;
};
struct rocksdb_memory_allocator_t {
  std::shared_ptr<capi::MemoryAllocator> rep;
};
struct rocksdb_envoptions_t {
  capi::EnvOptions rep;
};
struct rocksdb_file_checksum_gen_factory_t {
  std::shared_ptr<capi::FileChecksumGenFactory> rep;
};
struct rocksdb_sst_partitioner_factory_t {
  std::shared_ptr<capi::SstPartitionerFactory> rep;
};
struct rocksdb_table_properties_collector_factory_t {
  std::shared_ptr<capi::TablePropertiesCollectorFactory> rep;
};
struct rocksdb_compaction_service_options_override_t {
  capi::CompactionServiceOptionsOverride rep;
};
struct rocksdb_open_and_compact_options_t {
  capi::OpenAndCompactOptions rep;
};
struct rocksdb_statistics_histogram_data_t {
  capi::HistogramData rep;
};
struct rocksdb_transactiondb_t {
  capi::TransactionDB* rep;
};
struct rocksdb_transactiondb_options_t {
  capi::TransactionDBOptions rep;
};
struct rocksdb_optimistictransactiondb_t {
  capi::OptimisticTransactionDB* rep;
};
struct rocksdb_optimistictransactiondb_options_t {
  capi::OptimisticTransactionDBOptions rep;
};
struct rocksdb_optimistictransactiondb_lock_buckets_t {
  std::shared_ptr<capi::OccLockBuckets> rep;
};
struct rocksdb_transaction_t {
  capi::Transaction* rep;
};
struct rocksdb_transaction_options_t {
  capi::TransactionOptions rep;
};
struct rocksdb_optimistictransaction_options_t {
  capi::OptimisticTransactionOptions rep;
};
// Of whichever thread calls.
struct rocksdb_perfcontext_t {};
struct rocksdb_wal_iterator_t {
  std::unique_ptr<capi::TransactionLogIterator> rep;
};
struct rocksdb_wal_readoptions_t {
  capi::TransactionLogIterator::ReadOptions rep;
};
struct rocksdb_livefiles_t {
  std::vector<capi::LiveFileMetaData> rep;
};
struct rocksdb_column_family_metadata_t {
  capi::ColumnFamilyMetaData rep;
};
struct rocksdb_level_metadata_t {
  const capi::LevelMetaData* rep;
};
struct rocksdb_sst_file_metadata_t {
  const capi::SstFileMetaData* rep;
};
