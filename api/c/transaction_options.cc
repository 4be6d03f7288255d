// Options of transactions and of the databases that have them.
#include "api/c/fields.h"
#include "api/c/handles.h"

extern "C" {

// clang-format off
#define FIELD_OPTIONS rocksdb_transactiondb_options_t
#define FIELD_PREFIX transactiondb_options

FIELD(max_num_locks, int64_t, max_num_locks)
FIELD(max_num_deadlocks, uint32_t, max_num_deadlocks)
FIELD(num_stripes, size_t, num_stripes)
FIELD(transaction_lock_timeout, int64_t, transaction_lock_timeout)
FIELD(default_lock_timeout, int64_t, default_lock_timeout)
FIELD(write_policy, int, write_policy)
FIELD(rollback_merge_operands, unsigned char, rollback_merge_operands)
FIELD(use_per_key_point_lock_mgr, unsigned char, use_per_key_point_lock_mgr)
FIELD(skip_concurrency_control, unsigned char, skip_concurrency_control)
FIELD(default_write_batch_flush_threshold, int64_t, default_write_batch_flush_threshold)
FIELD(txn_commit_bypass_memtable_threshold, uint32_t, txn_commit_bypass_memtable_threshold)
FIELD(enable_udt_validation, unsigned char, enable_udt_validation)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_transaction_options_t
#define FIELD_PREFIX transaction_options

FIELD(set_snapshot, unsigned char, set_snapshot)
FIELD(deadlock_detect, unsigned char, deadlock_detect)
FIELD(use_only_the_last_commit_time_batch_for_recovery, unsigned char, use_only_the_last_commit_time_batch_for_recovery)
FIELD(lock_timeout, int64_t, lock_timeout)
FIELD(deadlock_timeout_us, int64_t, deadlock_timeout_us)
FIELD(expiration, int64_t, expiration)
FIELD(deadlock_detect_depth, int64_t, deadlock_detect_depth)
FIELD(max_write_batch_size, size_t, max_write_batch_size)
FIELD(skip_concurrency_control, unsigned char, skip_concurrency_control)
FIELD(skip_prepare, unsigned char, skip_prepare)
FIELD(write_batch_flush_threshold, int64_t, write_batch_flush_threshold)
FIELD(write_batch_track_timestamp_size, unsigned char, write_batch_track_timestamp_size)
FIELD(commit_bypass_memtable, unsigned char, commit_bypass_memtable)
FIELD(large_txn_commit_optimize_threshold, uint32_t, large_txn_commit_optimize_threshold)
FIELD(large_txn_commit_optimize_byte_threshold, uint64_t, large_txn_commit_optimize_byte_threshold)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_optimistictransaction_options_t
#define FIELD_PREFIX optimistictransaction_options

FIELD(set_snapshot, unsigned char, set_snapshot)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_optimistictransactiondb_options_t
#define FIELD_PREFIX optimistictransactiondb_options

FIELD(validate_policy, int, validate_policy)
FIELD(occ_lock_buckets, uint32_t, occ_lock_buckets)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(transactiondb_options, rocksdb_transactiondb_options_t)
LIFETIME(transaction_options, rocksdb_transaction_options_t)
LIFETIME(optimistictransaction_options, rocksdb_optimistictransaction_options_t)
LIFETIME(optimistictransactiondb_options, rocksdb_optimistictransactiondb_options_t)
// clang-format on

rocksdb_optimistictransactiondb_lock_buckets_t*
rocksdb_optimistictransactiondb_lock_buckets_create(
    size_t bucket_count, unsigned char cache_aligned) {
  return new rocksdb_optimistictransactiondb_lock_buckets_t{
      capi::MakeSharedOccLockBuckets(bucket_count, cache_aligned != 0)};
}

void rocksdb_optimistictransactiondb_lock_buckets_destroy(
    rocksdb_optimistictransactiondb_lock_buckets_t* lock_buckets) {
  delete lock_buckets;
}

size_t rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage(
    rocksdb_optimistictransactiondb_lock_buckets_t* lock_buckets) {
  return lock_buckets->rep->ApproximateMemoryUsage();
}

void rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(
    rocksdb_optimistictransactiondb_options_t* options,
    rocksdb_optimistictransactiondb_lock_buckets_t* lock_buckets) {
  options->rep.shared_lock_buckets =
      lock_buckets != nullptr ? lock_buckets->rep : nullptr;
}

}  // extern "C"
