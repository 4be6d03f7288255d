// Options that hold objects, sets or texts, and the small options of calls.
#include <map>

#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "api/c/fields.h"
#include "api/c/infos.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/wal_filter.h"

using capi_internal::SaveError;
using capi_internal::TextOf;
using capi_internal::ViewOf;

// The program keeps it while a database opens.
struct rocksdb_walfilter_t final : public capi::WalFilter {
  using TellsFamilies = rocksdb_walfilter_column_family_log_number_map_cb;
  using Decides = rocksdb_walfilter_log_record_found_cb;

  rocksdb_walfilter_t(void* state, void (*destructor)(void*),
                      TellsFamilies tells_families, Decides decides,
                      const char* (*name)(void*))
      : state_(state, destructor, name),
        tells_families_(tells_families),
        decides_(decides) {}

  const char* Name() const override { return state_.name(); }
  void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& log_numbers,
      const std::map<std::string, uint32_t>& ids) override {
    if (tells_families_ == nullptr) return;
    std::vector<uint32_t> families;
    std::vector<uint64_t> logs;
    for (const auto& [family, log] : log_numbers) {
      families.push_back(family);
      logs.push_back(log);
    }
    std::vector<const char*> names;
    std::vector<size_t> name_sizes;
    std::vector<uint32_t> name_ids;
    for (const auto& [name, id] : ids) {
      names.push_back(name.data());
      name_sizes.push_back(name.size());
      name_ids.push_back(id);
    }
    tells_families_(state_.get(), families.data(), logs.data(), families.size(),
                    names.data(), name_sizes.data(), name_ids.data(),
                    names.size());
  }
  WalProcessingOption LogRecordFound(unsigned long long log_number,
                                     const std::string& log_file_name,
                                     const capi::WriteBatch& batch,
                                     capi::WriteBatch* new_batch,
                                     bool* batch_changed) override {
    rocksdb_writebatch_t changed;
    unsigned char is_changed = 0;
    const int decision = decides_(
        state_.get(), log_number, log_file_name.data(), log_file_name.size(),
        ViewOf<rocksdb_writebatch_t>(batch), &changed, &is_changed);
    *batch_changed = is_changed != 0;
    if (*batch_changed) *new_batch = std::move(changed.rep);
    return static_cast<WalProcessingOption>(decision);
  }

 private:
  const capi_internal::CallbackState state_;
  const TellsFamilies tells_families_;
  const Decides decides_;
};

namespace {

// Not of the set: false, and nothing happens.
template <typename Enum>
bool InRange(int value, Enum max) {
  return value >= 0 && value <= static_cast<int>(max);
}

template <typename Set, typename Enum>
size_t CountOf(const Set& set, Enum max) {
  size_t count = 0;
  for (int i = 0; i <= static_cast<int>(max); ++i) {
    count += set.Contains(static_cast<Enum>(i)) ? 1 : 0;
  }
  return count;
}

void AddDeletionCollector(rocksdb_options_t* options, size_t window_size,
                          size_t num_dels_trigger, double deletion_ratio = 0,
                          uint64_t min_file_size = 0) {
  options->rep.table_properties_collector_factories.push_back(
      capi::NewCompactOnDeletionCollectorFactory(
          window_size, num_dels_trigger, deletion_ratio, min_file_size));
}

constexpr auto kStyleMax = capi::CompactionStyle::kCompactionStyleNone;
constexpr auto kFileTypeMax = capi::FileType::kCompactionProgressFile;

}  // namespace

extern "C" {

// ---- Sets.

void rocksdb_options_calculate_sst_write_lifetime_hint_set_add(
    rocksdb_options_t* options, int compaction_style) {
  if (!InRange(compaction_style, kStyleMax)) return;
  options->rep.calculate_sst_write_lifetime_hint_set.Add(
      static_cast<capi::CompactionStyle>(compaction_style));
}
void rocksdb_options_calculate_sst_write_lifetime_hint_set_remove(
    rocksdb_options_t* options, int compaction_style) {
  if (!InRange(compaction_style, kStyleMax)) return;
  options->rep.calculate_sst_write_lifetime_hint_set.Remove(
      static_cast<capi::CompactionStyle>(compaction_style));
}
unsigned char rocksdb_options_calculate_sst_write_lifetime_hint_set_contains(
    rocksdb_options_t* options, int compaction_style) {
  return InRange(compaction_style, kStyleMax) &&
         options->rep.calculate_sst_write_lifetime_hint_set.Contains(
             static_cast<capi::CompactionStyle>(compaction_style));
}
size_t rocksdb_options_calculate_sst_write_lifetime_hint_set_count(
    rocksdb_options_t* options) {
  return CountOf(options->rep.calculate_sst_write_lifetime_hint_set, kStyleMax);
}
void rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(
    rocksdb_options_t* options) {
  options->rep.calculate_sst_write_lifetime_hint_set.Clear();
}

void rocksdb_options_checksum_handoff_file_types_add(rocksdb_options_t* options,
                                                     int file_type) {
  if (!InRange(file_type, kFileTypeMax)) return;
  options->rep.checksum_handoff_file_types.Add(
      static_cast<capi::FileType>(file_type));
}
void rocksdb_options_checksum_handoff_file_types_remove(
    rocksdb_options_t* options, int file_type) {
  if (!InRange(file_type, kFileTypeMax)) return;
  options->rep.checksum_handoff_file_types.Remove(
      static_cast<capi::FileType>(file_type));
}
unsigned char rocksdb_options_checksum_handoff_file_types_contains(
    rocksdb_options_t* options, int file_type) {
  return InRange(file_type, kFileTypeMax) &&
         options->rep.checksum_handoff_file_types.Contains(
             static_cast<capi::FileType>(file_type));
}
size_t rocksdb_options_checksum_handoff_file_types_count(
    rocksdb_options_t* options) {
  return CountOf(options->rep.checksum_handoff_file_types, kFileTypeMax);
}
void rocksdb_options_checksum_handoff_file_types_clear(
    rocksdb_options_t* options) {
  options->rep.checksum_handoff_file_types.Clear();
}

// ---- Texts.

const char* rocksdb_options_get_daily_offpeak_time_utc(
    rocksdb_options_t* options, size_t* size) {
  return TextOf(options->rep.daily_offpeak_time_utc, size);
}
void rocksdb_options_set_daily_offpeak_time_utc(rocksdb_options_t* options,
                                                const char* value) {
  options->rep.daily_offpeak_time_utc = value;
}
const char* rocksdb_options_get_db_host_id(rocksdb_options_t* options,
                                           size_t* size) {
  return TextOf(options->rep.db_host_id, size);
}
void rocksdb_options_set_db_host_id(rocksdb_options_t* options,
                                    const char* value) {
  options->rep.db_host_id = value;
}
const char* rocksdb_options_get_db_log_dir(rocksdb_options_t* options,
                                           size_t* size) {
  return TextOf(options->rep.db_log_dir, size);
}
const char* rocksdb_options_get_wal_dir(rocksdb_options_t* options,
                                        size_t* size) {
  return TextOf(options->rep.wal_dir, size);
}

// ---- Objects.

rocksdb_walfilter_t* rocksdb_walfilter_create(
    void* state, void (*destructor)(void*),
    rocksdb_walfilter_column_family_log_number_map_cb
        column_family_log_number_map,
    rocksdb_walfilter_log_record_found_cb log_record_found,
    const char* (*name)(void*)) {
  return new rocksdb_walfilter_t(
      state, destructor, column_family_log_number_map, log_record_found, name);
}
void rocksdb_walfilter_destroy(rocksdb_walfilter_t* filter) { delete filter; }
void rocksdb_options_set_wal_filter(rocksdb_options_t* options,
                                    rocksdb_walfilter_t* filter) {
  options->rep.wal_filter = filter;
}
void rocksdb_options_clear_wal_filter(rocksdb_options_t* options) {
  options->rep.wal_filter = nullptr;
}

rocksdb_file_checksum_gen_factory_t*
rocksdb_file_checksum_gen_crc32c_factory_create(void) {
  return new rocksdb_file_checksum_gen_factory_t{
      capi::GetFileChecksumGenCrc32cFactory()};
}
void rocksdb_file_checksum_gen_factory_destroy(
    rocksdb_file_checksum_gen_factory_t* factory) {
  delete factory;
}
void rocksdb_options_set_file_checksum_gen_factory(
    rocksdb_options_t* options, rocksdb_file_checksum_gen_factory_t* factory) {
  options->rep.file_checksum_gen_factory =
      factory == nullptr ? nullptr : factory->rep;
}

rocksdb_sst_partitioner_factory_t*
rocksdb_sst_partitioner_fixed_prefix_factory_create(size_t prefix_len) {
  return new rocksdb_sst_partitioner_factory_t{
      capi::NewSstPartitionerFixedPrefixFactory(prefix_len)};
}
void rocksdb_sst_partitioner_factory_destroy(
    rocksdb_sst_partitioner_factory_t* factory) {
  delete factory;
}
void rocksdb_options_set_sst_partitioner_factory(
    rocksdb_options_t* options, rocksdb_sst_partitioner_factory_t* factory) {
  options->rep.sst_partitioner_factory =
      factory == nullptr ? nullptr : factory->rep;
}

void rocksdb_options_add_compact_on_deletion_collector_factory(
    rocksdb_options_t* options, size_t window_size, size_t num_dels_trigger) {
  AddDeletionCollector(options, window_size, num_dels_trigger);
}
void rocksdb_options_add_compact_on_deletion_collector_factory_del_ratio(
    rocksdb_options_t* options, size_t window_size, size_t num_dels_trigger,
    double deletion_ratio) {
  AddDeletionCollector(options, window_size, num_dels_trigger, deletion_ratio);
}
void rocksdb_options_add_compact_on_deletion_collector_factory_min_file_size(
    rocksdb_options_t* options, size_t window_size, size_t num_dels_trigger,
    double deletion_ratio, uint64_t min_file_size) {
  AddDeletionCollector(options, window_size, num_dels_trigger, deletion_ratio,
                       min_file_size);
}

void rocksdb_table_properties_collector_factory_destroy(
    rocksdb_table_properties_collector_factory_t* factory) {
  delete factory;
}
void rocksdb_options_add_table_properties_collector_factory(
    rocksdb_options_t* options,
    rocksdb_table_properties_collector_factory_t* factory) {
  options->rep.table_properties_collector_factories.push_back(factory->rep);
}

rocksdb_memory_allocator_t* rocksdb_jemalloc_nodump_allocator_create(
    char** errptr) {
  SaveError(errptr, capi::Status::NotSupported(
                        "the library is built without jemalloc"));
  return nullptr;
}
void rocksdb_memory_allocator_destroy(rocksdb_memory_allocator_t* allocator) {
  delete allocator;
}
void rocksdb_lru_cache_options_set_memory_allocator(
    rocksdb_lru_cache_options_t* options,
    rocksdb_memory_allocator_t* allocator) {
  options->rep.memory_allocator = allocator->rep;
}
void rocksdb_hyper_clock_cache_options_set_memory_allocator(
    rocksdb_hyper_clock_cache_options_t* options,
    rocksdb_memory_allocator_t* allocator) {
  options->rep.memory_allocator = allocator->rep;
}

// ---- Of reads.

size_t rocksdb_readoptions_get_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  return options->rep.merge_operand_count_threshold.value_or(0);
}
unsigned char rocksdb_readoptions_has_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  return options->rep.merge_operand_count_threshold.has_value();
}
void rocksdb_readoptions_clear_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  options->rep.merge_operand_count_threshold.reset();
}

void rocksdb_readoptions_set_request_id(rocksdb_readoptions_t* options,
                                        const char* request_id,
                                        size_t request_id_len) {
  options->request_id.assign(request_id, request_id_len);
  options->rep.request_id = &options->request_id;
}
const char* rocksdb_readoptions_get_request_id(rocksdb_readoptions_t* options,
                                               size_t* request_id_len) {
  *request_id_len = 0;
  if (options->rep.request_id == nullptr) return nullptr;
  return TextOf(*options->rep.request_id, request_id_len);
}
void rocksdb_readoptions_clear_request_id(rocksdb_readoptions_t* options) {
  options->rep.request_id = nullptr;
}

void rocksdb_readoptions_set_table_filter(
    rocksdb_readoptions_t* options, void* state, void (*destructor)(void*),
    rocksdb_readoptions_table_filter_cb table_filter) {
  const auto held = std::make_shared<capi_internal::CallbackState>(
      state, destructor, nullptr);
  options->rep.table_filter = [held, table_filter](
                                  const capi::TableProperties& properties) {
    return table_filter(held->get(),
                        ViewOf<rocksdb_table_properties_t>(properties)) != 0;
  };
}
unsigned char rocksdb_readoptions_has_table_filter(
    const rocksdb_readoptions_t* options) {
  return options->rep.table_filter != nullptr;
}
void rocksdb_readoptions_clear_table_filter(rocksdb_readoptions_t* options) {
  options->rep.table_filter = nullptr;
}

// ---- Of calls.

// clang-format off
#define FIELD_OPTIONS rocksdb_compaction_options_t
#define FIELD_PREFIX compaction_options

FIELD(compression, int, compression)
FIELD(output_file_size_limit, uint64_t, output_file_size_limit)
FIELD(max_subcompactions, uint32_t, max_subcompactions)
FIELD(output_temperature_override, int, output_temperature_override)
FIELD(allow_trivial_move, unsigned char, allow_trivial_move)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_flushwaloptions_t
#define FIELD_PREFIX flushwaloptions

FIELD(sync, unsigned char, sync)
FIELD(rate_limiter_priority, int, rate_limiter_priority)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_envoptions_t
#define FIELD_PREFIX envoptions

FIELD(use_mmap_reads, unsigned char, use_mmap_reads)
FIELD(use_mmap_writes, unsigned char, use_mmap_writes)
FIELD(use_direct_reads, unsigned char, use_direct_reads)
FIELD(use_direct_writes, unsigned char, use_direct_writes)
FIELD(allow_fallocate, unsigned char, allow_fallocate)
FIELD(fd_cloexec, unsigned char, set_fd_cloexec)
FIELD(bytes_per_sync, uint64_t, bytes_per_sync)
FIELD(strict_bytes_per_sync, unsigned char, strict_bytes_per_sync)
FIELD(fallocate_with_keep_size, unsigned char, fallocate_with_keep_size)
FIELD(compaction_readahead_size, size_t, compaction_readahead_size)
FIELD(writable_file_max_buffer_size, size_t, writable_file_max_buffer_size)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(compaction_options, rocksdb_compaction_options_t)
LIFETIME(flushwaloptions, rocksdb_flushwaloptions_t)
// clang-format on

void rocksdb_envoptions_set_rate_limiter(rocksdb_envoptions_t* options,
                                         rocksdb_ratelimiter_t* rate_limiter) {
  options->rep.rate_limiter =
      rate_limiter == nullptr ? nullptr : rate_limiter->rep.get();
}

// The opaque byte is an atomic flag.
unsigned char* rocksdb_compaction_options_canceled_create(void) {
  return reinterpret_cast<unsigned char*>(new std::atomic<bool>(false));
}
void rocksdb_compaction_options_canceled_destroy(unsigned char* canceled) {
  delete reinterpret_cast<std::atomic<bool>*>(canceled);
}
void rocksdb_compaction_options_canceled_set(unsigned char* canceled,
                                             unsigned char value) {
  *reinterpret_cast<std::atomic<bool>*>(canceled) = value != 0;
}
void rocksdb_compaction_options_set_canceled(
    rocksdb_compaction_options_t* options, unsigned char* canceled) {
  options->rep.canceled = reinterpret_cast<std::atomic<bool>*>(canceled);
}

void rocksdb_flush_wal_with_options(rocksdb_t* db,
                                    const rocksdb_flushwaloptions_t* options,
                                    char** errptr) try {
  SaveError(errptr, db->rep->FlushWAL(options->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_transactiondb_flush_wal_with_options(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushwaloptions_t* options,
    char** errptr) try {
  SaveError(errptr, txn_db->rep->FlushWAL(options->rep));
}
CAPI_CATCH(void, errptr)

}  // extern "C"
