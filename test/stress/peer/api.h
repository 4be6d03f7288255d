// The functions of a RocksDB library that histories need, found in a shared
// object.
//
// Place. Programs that load libraries and link none: their types come from our
// rocksdb/c.h, which declares what all releases export.
//
// Threads. Any.

#pragma once

#include "rocksdb/c.h"

namespace ROCKSDB_NAMESPACE::stress {

#define STRESS_PEER_FUNCTIONS(X)                    \
  X(batched_multi_get_cf)                           \
  X(checkpoint_create)                              \
  X(checkpoint_object_create)                       \
  X(checkpoint_object_destroy)                      \
  X(close)                                          \
  X(column_family_handle_destroy)                   \
  X(compact_range_cf_opt)                           \
  X(compactoptions_create)                          \
  X(compactoptions_destroy)                         \
  X(compactoptions_set_bottommost_level_compaction) \
  X(compactoptions_set_change_level)                \
  X(compactoptions_set_exclusive_manual_compaction) \
  X(compactoptions_set_full_history_ts_low)         \
  X(compactoptions_set_target_level)                \
  X(comparator_destroy)                             \
  X(comparator_with_ts_create)                      \
  X(create_column_family)                           \
  X(create_iterator_cf)                             \
  X(create_snapshot)                                \
  X(delete_cf)                                      \
  X(delete_cf_with_ts)                              \
  X(delete_range_cf)                                \
  X(drop_column_family)                             \
  X(envoptions_create)                              \
  X(envoptions_destroy)                             \
  X(flush_cf)                                       \
  X(flush_wal)                                      \
  X(flushoptions_create)                            \
  X(flushoptions_destroy)                           \
  X(free)                                           \
  X(get_cf)                                         \
  X(get_cf_with_ts)                                 \
  X(get_options_from_string)                        \
  X(ingest_external_file_cf)                        \
  X(ingestexternalfileoptions_create)               \
  X(ingestexternalfileoptions_destroy)              \
  X(ingestexternalfileoptions_set_move_files)       \
  X(iter_destroy)                                   \
  X(iter_get_error)                                 \
  X(iter_key)                                       \
  X(iter_next)                                      \
  X(iter_prev)                                      \
  X(iter_seek)                                      \
  X(iter_seek_for_prev)                             \
  X(iter_seek_to_first)                             \
  X(iter_seek_to_last)                              \
  X(iter_valid)                                     \
  X(iter_value)                                     \
  X(key_may_exist_cf)                               \
  X(merge_cf)                                       \
  X(multi_get_cf)                                   \
  X(multi_get_cf_with_ts)                           \
  X(open_column_families)                           \
  X(optimistictransaction_begin)                    \
  X(optimistictransaction_options_create)           \
  X(optimistictransaction_options_destroy)          \
  X(optimistictransaction_options_set_set_snapshot) \
  X(optimistictransactiondb_close)                  \
  X(optimistictransactiondb_close_base_db)          \
  X(optimistictransactiondb_get_base_db)            \
  X(optimistictransactiondb_open_column_families)   \
  X(options_create)                                 \
  X(options_destroy)                                \
  X(options_set_comparator)                         \
  X(options_set_create_if_missing)                  \
  X(options_set_create_missing_column_families)     \
  X(property_int_cf)                                \
  X(put_cf)                                         \
  X(put_cf_with_ts)                                 \
  X(readoptions_create)                             \
  X(readoptions_destroy)                            \
  X(readoptions_set_auto_prefix_mode)               \
  X(readoptions_set_iterate_lower_bound)            \
  X(readoptions_set_iterate_upper_bound)            \
  X(readoptions_set_snapshot)                       \
  X(readoptions_set_tailing)                        \
  X(readoptions_set_timestamp)                      \
  X(readoptions_set_total_order_seek)               \
  X(release_snapshot)                               \
  X(set_options_cf)                                 \
  X(singledelete_cf)                                \
  X(singledelete_cf_with_ts)                        \
  X(sstfilewriter_create)                           \
  X(sstfilewriter_delete)                           \
  X(sstfilewriter_delete_range)                     \
  X(sstfilewriter_delete_with_ts)                   \
  X(sstfilewriter_destroy)                          \
  X(sstfilewriter_finish)                           \
  X(sstfilewriter_merge)                            \
  X(sstfilewriter_open)                             \
  X(sstfilewriter_put)                              \
  X(sstfilewriter_put_with_ts)                      \
  X(transaction_begin)                              \
  X(transaction_commit)                             \
  X(transaction_create_iterator_cf)                 \
  X(transaction_delete_cf)                          \
  X(transaction_destroy)                            \
  X(transaction_get_cf)                             \
  X(transaction_get_for_update_cf)                  \
  X(transaction_get_name)                           \
  X(transaction_merge_cf)                           \
  X(transaction_options_create)                     \
  X(transaction_options_destroy)                    \
  X(transaction_options_set_deadlock_detect)        \
  X(transaction_options_set_set_snapshot)           \
  X(transaction_prepare)                            \
  X(transaction_put_cf)                             \
  X(transaction_rollback)                           \
  X(transaction_rollback_to_savepoint)              \
  X(transaction_set_name)                           \
  X(transaction_set_savepoint)                      \
  X(transactiondb_close)                            \
  X(transactiondb_close_base_db)                    \
  X(transactiondb_create_column_family)             \
  X(transactiondb_get_base_db)                      \
  X(transactiondb_get_prepared_transactions)        \
  X(transactiondb_open_column_families)             \
  X(transactiondb_options_create)                   \
  X(transactiondb_options_destroy)                  \
  X(transactiondb_options_set_num_stripes)          \
  X(write)                                          \
  X(writebatch_create)                              \
  X(writebatch_delete_cf)                           \
  X(writebatch_delete_cf_with_ts)                   \
  X(writebatch_delete_range_cf)                     \
  X(writebatch_destroy)                             \
  X(writebatch_merge_cf)                            \
  X(writebatch_pop_save_point)                      \
  X(writebatch_put_cf)                              \
  X(writebatch_put_cf_with_ts)                      \
  X(writebatch_rollback_to_save_point)              \
  X(writebatch_set_save_point)                      \
  X(writebatch_singledelete_cf)                     \
  X(writebatch_singledelete_cf_with_ts)             \
  X(writeoptions_create)                            \
  X(writeoptions_destroy)

struct Api {
#define STRESS_PEER_MEMBER(name) decltype(&::rocksdb_##name) name = nullptr;
  STRESS_PEER_FUNCTIONS(STRESS_PEER_MEMBER)
#undef STRESS_PEER_MEMBER
};

}  // namespace ROCKSDB_NAMESPACE::stress
