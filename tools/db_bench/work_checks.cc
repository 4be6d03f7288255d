#include "tools/db_bench/work_checks.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "tools/db_bench/data.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/mix_laws.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

struct WorkRule {
  bool (*holds)();
  const char* sentence;
};

bool IsPercent(int32_t value) { return value >= 0 && value <= 100; }

bool IsValueSize(int64_t bytes) {
  return bytes >= 0 && bytes <= static_cast<int64_t>(kValueBytesMax);
}

bool OneOf(const std::string& text, const std::set<std::string>& known) {
  return known.count(text) > 0;
}

bool DeletesRanges() {
  return FLAGS_writes_per_range_tombstone > 0 && !FLAGS_expand_range_tombstones;
}

constexpr WorkRule kValueRules[] = {
    {[] {
       return OneOf(FLAGS_value_size_distribution_type,
                    {"fixed", "uniform", "normal"});
     },
     "--value_size_distribution_type must be fixed, uniform or normal"},
    {[] {
       return FLAGS_value_size_min >= 0 &&
              FLAGS_value_size_min <= FLAGS_value_size_max &&
              FLAGS_value_size_max <= (1 << 30);
     },
     "--value_size_min must be at least 0 and at most --value_size_max, which "
     "is at most 1 GiB"},
    {[] { return IsPercent(FLAGS_same_value_percentage); },
     "--same_value_percentage must be 0 to 100"},
    {[] {
       return IsValueSize(FLAGS_disposable_entries_value_size) &&
              IsValueSize(FLAGS_persistent_entries_value_size);
     },
     "--disposable_entries_value_size and --persistent_entries_value_size must "
     "be at least 0 and at most 1 MiB"},
};

constexpr WorkRule kOrderRules[] = {
    {[] {
       return !FLAGS_use_existing_keys ||
              (FLAGS_use_existing_db && FLAGS_num_column_families == 1 &&
               FLAGS_num_multi_db <= 1);
     },
     "--use_existing_keys needs --use_existing_db, and one column family of "
     "one database"},
    {[] {
       return FLAGS_overwrite_probability >= 0 &&
              FLAGS_overwrite_probability <= 1;
     },
     "--overwrite_probability must be 0 to 1"},
    {[] { return FLAGS_overwrite_window_size >= 1; },
     "--overwrite_window_size must be at least 1"},
    {[] { return FLAGS_read_random_exp_range >= 0; },
     "--read_random_exp_range must be at least 0"},
    {[] {
       return !FLAGS_seek_missing_prefix ||
              (FLAGS_prefix_size > 8 && FLAGS_keys_per_prefix > 0 &&
               FLAGS_key_size > 8);
     },
     "--seek_missing_prefix needs --prefix_size and --key_size above 8, and "
     "--keys_per_prefix"},
    {[] {
       return FLAGS_writes_per_range_tombstone >= 0 &&
              FLAGS_writes_before_delete_range >= 0 &&
              FLAGS_range_tombstone_width >= 1 &&
              FLAGS_max_num_range_tombstones >= 0;
     },
     "--writes_per_range_tombstone, --writes_before_delete_range and "
     "--max_num_range_tombstones must be at least 0, --range_tombstone_width "
     "at least 1"},
    {[] {
       return FLAGS_writes_per_range_tombstone == 0 ||
              FLAGS_max_num_range_tombstones > 0;
     },
     "--writes_per_range_tombstone needs --max_num_range_tombstones, which is "
     "0: no range would be deleted"},
    {[] { return !DeletesRanges() || FLAGS_keys_per_prefix == 0; },
     "--writes_per_range_tombstone excludes --keys_per_prefix, because keys "
     "are then not in the order of their numbers; or use "
     "--expand_range_tombstones"},
    {[] { return !DeletesRanges() || !FLAGS_transaction_db; },
     "--writes_per_range_tombstone excludes --transaction_db, which locks "
     "single keys; or use --expand_range_tombstones"},
};

constexpr WorkRule kTraceRules[] = {
    {[] {
       return (FLAGS_trace_file.empty() &&
               FLAGS_block_cache_trace_file.empty()) ||
              FLAGS_num_multi_db <= 1;
     },
     "--trace_file and --block_cache_trace_file exclude --num_multi_db"},
    {[] {
       return FLAGS_trace_replay_threads >= 1 &&
              FLAGS_trace_replay_fast_forward > 0;
     },
     "--trace_replay_threads must be at least 1, --trace_replay_fast_forward "
     "above 0"},
    {[] {
       return FLAGS_block_cache_trace_sampling_frequency >= 1 &&
              FLAGS_block_cache_trace_max_trace_file_size_in_bytes >= 1;
     },
     "--block_cache_trace_sampling_frequency and "
     "--block_cache_trace_max_trace_file_size_in_bytes must be at least 1"},
};

constexpr WorkRule kTransactionRules[] = {
    {[] { return !FLAGS_transaction_db || !FLAGS_optimistic_transaction_db; },
     "--transaction_db excludes --optimistic_transaction_db"},
    {[] {
       return (!FLAGS_transaction_db && !FLAGS_optimistic_transaction_db) ||
              (!FLAGS_readonly && !FLAGS_use_secondary_db);
     },
     "--transaction_db and --optimistic_transaction_db exclude --readonly and "
     "--use_secondary_db"},
    {[] {
       return FLAGS_transaction_sets >= 1 && FLAGS_transaction_sets <= 9999;
     },
     "--transaction_sets must be 1 to 9999"},
    {[] { return FLAGS_transaction_sleep >= 0; },
     "--transaction_sleep must be at least 0"},
};

constexpr WorkRule kSeriesRules[] = {
    {[] { return FLAGS_numdistinct >= 1 && FLAGS_stddev > 0; },
     "--numdistinct must be at least 1, --stddev above 0"},
    {[] {
       return FLAGS_key_id_range >= 1 && FLAGS_time_range >= 1 &&
              FLAGS_num_deletion_threads >= 1;
     },
     "--key_id_range, --time_range and --num_deletion_threads must be at least "
     "1"},
    {[] {
       return OneOf(FLAGS_expire_style,
                    {"none", "compaction_filter", "delete"});
     },
     "--expire_style must be none, compaction_filter or delete"},
};

template <size_t kCount>
Status CheckRules(const WorkRule (&rules)[kCount]) {
  for (const WorkRule& rule : rules) {
    if (!rule.holds()) return Status::InvalidArgument(rule.sentence);
  }
  return Status::OK();
}

// What a benchmark needs: "benchmark '<name>' needs <what>".
struct WorkNeed {
  const char* workload;
  bool (*met)();
  const char* what;
};

bool HasPairs() {
  return FLAGS_key_size >= static_cast<int32_t>(kPairKeyBytes);
}

bool HoldsStill() { return FLAGS_disable_auto_compactions; }

constexpr char kLongKeys[] = "a --key_size of at least 16";
constexpr char kNoCompactions[] =
    "--disable_auto_compactions, so that its levels stay as it made them";

constexpr WorkNeed kWorkNeeds[] = {
    {"replay", [] { return !FLAGS_trace_file.empty(); }, "--trace_file"},
    {"randomtransaction",
     [] { return FLAGS_transaction_db || FLAGS_optimistic_transaction_db; },
     "--transaction_db or --optimistic_transaction_db"},
    {"randomtransaction",
     [] {
       return !FLAGS_optimistic_transaction_db || !FLAGS_inplace_update_support;
     },
     "to see what changed: leave out --inplace_update_support"},
    {"randomwithverify",
     [] { return !FLAGS_inplace_update_support && !FLAGS_unordered_write; },
     "snapshots: leave out --inplace_update_support and --unordered_write"},
    {"randomwithverify",
     [] {
       return FLAGS_readwritepercent >= 0 && FLAGS_deletepercent >= 0 &&
              FLAGS_readwritepercent + FLAGS_deletepercent < 100;
     },
     "--readwritepercent and --deletepercent of at least 0, and below 100 in "
     "total"},
    {"readmissing", [] { return !FLAGS_use_existing_keys; },
     "keys that are not there: leave out --use_existing_keys"},
    {"verify",
     [] {
       std::error_code ignored;
       return std::filesystem::exists(FLAGS_truth_db + "/CURRENT", ignored);
     },
     "a database in --truth_db"},
    {"timeseries", HasPairs, kLongKeys},
    {"randomreplacekeys", HasPairs, kLongKeys},
    {"fillseqdeterministic", HoldsStill, kNoCompactions},
    {"filluniquerandomdeterministic", HoldsStill, kNoCompactions},
    {"getmergeoperands",
     [] {
       return FLAGS_merge_operator.empty() ||
              FLAGS_merge_operator == "sortlist" ||
              FLAGS_merge_operator == "MergeSortOperator";
     },
     "--merge_operator=sortlist, or none"},
    {"mixgraph",
     [] {
       return FLAGS_mix_get_ratio >= 0 && FLAGS_mix_put_ratio >= 0 &&
              FLAGS_mix_seek_ratio >= 0 &&
              FLAGS_mix_get_ratio + FLAGS_mix_put_ratio + FLAGS_mix_seek_ratio >
                  0;
     },
     "--mix_get_ratio, --mix_put_ratio and --mix_seek_ratio of at least 0, and "
     "one above 0"},
    {"mixgraph",
     [] { return FLAGS_keyrange_num >= 1 && FLAGS_keyrange_num <= FLAGS_num; },
     "a --keyrange_num of at least 1 and at most --num"},
    {"mixgraph", [] { return HotKeys::CanDraw(HotKeysFromFlags()); },
     "--keyrange_dist_a to --keyrange_dist_d that give each range a share of "
     "at least 0, and --key_dist_a of at least 0 with a --key_dist_b above 0"},
    {"mixgraph",
     [] {
       return FLAGS_mix_max_scan_len >= 1 && FLAGS_mix_max_value_size >= 1 &&
              IsValueSize(FLAGS_mix_max_value_size) && FLAGS_value_sigma > 0 &&
              FLAGS_iter_sigma > 0;
     },
     "--mix_max_scan_len, --value_sigma and --iter_sigma above 0, and a "
     "--mix_max_value_size of at least 1 and at most 1 MiB"},
    {"mixgraph",
     [] {
       return FLAGS_sine_mix_rate_noise >= 0 &&
              FLAGS_sine_mix_rate_noise <= 1 &&
              FLAGS_sine_mix_rate_interval_milliseconds > 0;
     },
     "a --sine_mix_rate_noise of 0 to 1 and a "
     "--sine_mix_rate_interval_milliseconds above 0"},
};

// Benchmarks that know --num_column_families and --num_multi_db.
bool WorksOnSeveral(const std::string& workload) {
  static const std::set<std::string> known = {
      "fillseq",    "fillbatch",         "fillrandom", "filluniquerandom",
      "fillsync",   "overwrite",         "readrandom", "compact",
      "flush",      "waitforcompaction", "stats",      "levelstats",
      "resetstats", "compactall",        "memstats",   "sstables"};
  return known.count(workload) > 0;
}

// getmergeoperands brings its own operator.
bool Merges(const std::string& workload) {
  return workload.find("merg") != std::string::npos &&
         workload != "getmergeoperands";
}

}  // namespace

Status CheckWorkFlags() {
  RETURN_IF_ERROR(CheckRules(kValueRules));
  RETURN_IF_ERROR(CheckRules(kOrderRules));
  RETURN_IF_ERROR(CheckRules(kTraceRules));
  RETURN_IF_ERROR(CheckRules(kTransactionRules));
  return CheckRules(kSeriesRules);
}

Status CheckWorkload(const std::string& name, bool several) {
  if (several && !WorksOnSeveral(name)) {
    return Status::InvalidArgument(
        "benchmark '" + name +
        "' works on one column family of one database; leave out "
        "--num_column_families and --num_multi_db");
  }
  if (Merges(name) && FLAGS_merge_operator.empty()) {
    return Status::InvalidArgument(
        "benchmark '" + name +
        "' needs --merge_operator, for example uint64add or stringappend");
  }
  for (const WorkNeed& need : kWorkNeeds) {
    if (name == need.workload && !need.met()) {
      return Status::InvalidArgument("benchmark '" + name + "' needs " +
                                     need.what);
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
