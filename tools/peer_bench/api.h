// The C functions of one library, found by name at run time.
//
// Place. The only way peer_bench touches an engine: both sides are opened with
// dlopen, so neither is linked in and both are called alike. scheduler_bench
// and fillrandom call the peer in this way, too.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/c.h"

namespace peer_bench {

// Every function that the programs call. A library without one of them cannot
// be measured.
#define PEER_BENCH_FUNCTIONS(F)                         \
  F(open)                                               \
  F(close)                                              \
  F(destroy_db)                                         \
  F(free)                                               \
  F(put)                                                \
  F(get_pinned)                                         \
  F(pinnableslice_value)                                \
  F(pinnableslice_destroy)                              \
  F(batched_multi_get_cf)                               \
  F(get_default_column_family_handle)                   \
  F(column_family_handle_destroy)                       \
  F(create_iterator)                                    \
  F(iter_destroy)                                       \
  F(iter_valid)                                         \
  F(iter_seek)                                          \
  F(iter_seek_to_first)                                 \
  F(iter_seek_to_last)                                  \
  F(iter_next)                                          \
  F(iter_prev)                                          \
  F(iter_key)                                           \
  F(iter_value)                                         \
  F(iter_get_error)                                     \
  F(flush)                                              \
  F(compact_range)                                      \
  F(wait_for_compact)                                   \
  F(property_value)                                     \
  F(options_create)                                     \
  F(options_destroy)                                    \
  F(options_set_create_if_missing)                      \
  F(options_set_write_buffer_size)                      \
  F(options_set_max_background_jobs)                    \
  F(options_set_compression)                            \
  F(options_set_max_open_files)                         \
  F(options_set_use_direct_reads)                       \
  F(options_set_use_direct_io_for_flush_and_compaction) \
  F(options_set_block_based_table_factory)              \
  F(block_based_options_create)                         \
  F(block_based_options_destroy)                        \
  F(block_based_options_set_block_cache)                \
  F(block_based_options_set_filter_policy)              \
  F(block_based_options_set_format_version)             \
  F(block_based_options_set_block_size)                 \
  F(filterpolicy_create_bloom_full)                     \
  F(cache_create_lru)                                   \
  F(cache_create_hyper_clock)                           \
  F(cache_destroy)                                      \
  F(readoptions_create)                                 \
  F(readoptions_destroy)                                \
  F(writeoptions_create)                                \
  F(writeoptions_destroy)                               \
  F(writeoptions_disable_WAL)                           \
  F(flushoptions_create)                                \
  F(flushoptions_destroy)                               \
  F(wait_for_compact_options_create)                    \
  F(wait_for_compact_options_destroy)                   \
  F(open_column_families)                               \
  F(put_cf)                                             \
  F(get_pinned_cf)                                      \
  F(flush_cf)                                           \
  F(compact_range_cf)                                   \
  F(property_int_cf)                                    \
  F(set_options_cf)                                     \
  F(options_enable_statistics)                          \
  F(options_set_create_missing_column_families)         \
  F(options_set_disable_auto_compactions)               \
  F(options_set_level0_slowdown_writes_trigger)         \
  F(options_set_level0_stop_writes_trigger)             \
  F(options_set_soft_pending_compaction_bytes_limit)    \
  F(options_set_hard_pending_compaction_bytes_limit)    \
  F(options_set_max_bytes_for_level_base)               \
  F(options_set_target_file_size_base)                  \
  F(options_set_max_subcompactions)                     \
  F(options_statistics_get_histogram_data)              \
  F(statistics_histogram_data_create)                   \
  F(statistics_histogram_data_destroy)                  \
  F(statistics_histogram_data_get_median)               \
  F(statistics_histogram_data_get_p99)                  \
  F(statistics_histogram_data_get_average)              \
  F(statistics_histogram_data_get_count)                \
  F(writeoptions_set_sync)                              \
  F(write)                                              \
  F(merge)                                              \
  F(delete_cf)                                          \
  F(writebatch_create)                                  \
  F(writebatch_destroy)                                 \
  F(writebatch_clear)                                   \
  F(writebatch_put)                                     \
  F(options_prepare_for_bulk_load)                      \
  F(options_set_uint64add_merge_operator)               \
  F(transactiondb_open)                                 \
  F(transactiondb_close)                                \
  F(transactiondb_get_base_db)                          \
  F(transactiondb_close_base_db)                        \
  F(transactiondb_options_create)                       \
  F(transactiondb_options_destroy)                      \
  F(transaction_options_create)                         \
  F(transaction_options_destroy)                        \
  F(transaction_begin)                                  \
  F(transaction_destroy)                                \
  F(transaction_commit)                                 \
  F(transaction_rollback)                               \
  F(transaction_set_name)                               \
  F(transaction_prepare)                                \
  F(transaction_put)                                    \
  F(transaction_get_pinned_for_update)                  \
  F(optimistictransactiondb_open)                       \
  F(optimistictransactiondb_close)                      \
  F(optimistictransactiondb_get_base_db)                \
  F(optimistictransactiondb_close_base_db)              \
  F(optimistictransaction_options_create)               \
  F(optimistictransaction_options_destroy)              \
  F(optimistictransaction_begin)                        \
  F(writebatch_wi_create)                               \
  F(writebatch_wi_destroy)                              \
  F(writebatch_wi_clear)                                \
  F(writebatch_wi_put)                                  \
  F(writebatch_wi_get_from_batch_and_db)                \
  F(writebatch_wi_create_iterator_with_base)            \
  F(write_writebatch_wi)                                \
  F(get_options_from_string)

struct Api {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration.
#define PEER_BENCH_MEMBER(name) decltype(&rocksdb_##name) name = nullptr;
  PEER_BENCH_FUNCTIONS(PEER_BENCH_MEMBER)
#undef PEER_BENCH_MEMBER
};

// Loads the library for the rest of the process. Ends the process with a text
// if that fails or a function is missing.
Api LoadApi(const std::string& path);

}  // namespace peer_bench
