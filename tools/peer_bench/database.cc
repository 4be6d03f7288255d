#include "tools/peer_bench/database.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace peer_bench {

namespace {

int CompressionOf(const std::string& name) {
  constexpr std::pair<const char*, int> kNames[] = {
      {"none", rocksdb_no_compression},
      {"snappy", rocksdb_snappy_compression},
      {"zlib", rocksdb_zlib_compression},
      {"bz2", rocksdb_bz2_compression},
      {"lz4", rocksdb_lz4_compression},
      {"lz4hc", rocksdb_lz4hc_compression},
      {"zstd", rocksdb_zstd_compression}};
  for (const auto& [known, number] : kNames) {
    if (name == known) return number;
  }
  std::fprintf(stderr, "unknown compression %s\n", name.c_str());
  std::exit(2);
}

}  // namespace

void Check(char* error) {
  if (error == nullptr) return;
  std::fprintf(stderr, "peer_bench: %s\n", error);
  std::exit(1);
}

uint64_t Database::CacheBytes(const Setup& setup) const {
  if (setup.cache_divisor == 0) return config.cache_mb << 20;
  return config.num * (Key::kSize + values.size()) / setup.cache_divisor;
}

rocksdb_options_t* Database::NewOptions(const Setup& setup) {
  rocksdb_options_t* options = api.options_create();
  rocksdb_block_based_table_options_t* table = api.block_based_options_create();
  cache_ = config.cache_type == "lru"
               ? api.cache_create_lru(CacheBytes(setup))
               : api.cache_create_hyper_clock(CacheBytes(setup), 0);
  api.block_based_options_set_block_cache(table, cache_);
  api.block_based_options_set_filter_policy(
      table, api.filterpolicy_create_bloom_full(10));
  api.block_based_options_set_format_version(
      table, static_cast<int>(config.format_version));
  api.block_based_options_set_block_size(table, config.block_size);
  api.options_set_block_based_table_factory(options, table);
  api.block_based_options_destroy(table);
  api.options_set_create_if_missing(options, 1);
  api.options_set_write_buffer_size(options, config.write_buffer_mb << 20);
  api.options_set_max_background_jobs(options, 2);
  api.options_set_max_open_files(options, -1);
  api.options_set_compression(options, CompressionOf(config.compression));
  api.options_set_use_direct_reads(options, config.direct_reads ? 1 : 0);
  api.options_set_use_direct_io_for_flush_and_compaction(
      options, config.direct_reads ? 1 : 0);
  if (setup.counters) api.options_set_uint64add_merge_operator(options);
  if (setup.bulk_load) api.options_prepare_for_bulk_load(options);
  if (*setup.options == '\0') return options;
  rocksdb_options_t* const changed = api.options_create();
  char* error = nullptr;
  api.get_options_from_string(options, setup.options, changed, &error);
  Check(error);
  api.options_destroy(options);
  return changed;
}

Database::Database(const Api& functions, const Config& settings,
                   const Setup& setup, const std::string& path, bool fresh)
    : api(functions),
      config(settings),
      values(setup.value_size != 0 ? setup.value_size : settings.value_size) {
  char* error = nullptr;
  options_ = NewOptions(setup);
  read_ = api.readoptions_create();
  write_ = api.writeoptions_create();
  api.writeoptions_set_sync(write_, setup.sync ? 1 : 0);
  batch_ = api.writebatch_create();
  if (fresh) api.destroy_db(options_, path.c_str(), &error);
  Check(error);
  Open(setup.kind, path);
  family_ = api.get_default_column_family_handle(db_);
}

Database::~Database() {
  api.column_family_handle_destroy(family_);
  Close();
  api.writebatch_destroy(batch_);
  api.writeoptions_destroy(write_);
  api.readoptions_destroy(read_);
  api.options_destroy(options_);
  api.cache_destroy(cache_);
}

void Database::Open(Kind kind, const std::string& path) {
  char* error = nullptr;
  transaction_ = api.transaction_options_create();
  optimistic_transaction_ = api.optimistictransaction_options_create();
  if (kind == Kind::kLocking) {
    rocksdb_transactiondb_options_t* const settings =
        api.transactiondb_options_create();
    locking_ = api.transactiondb_open(options_, settings, path.c_str(), &error);
    Check(error);
    api.transactiondb_options_destroy(settings);
    db_ = api.transactiondb_get_base_db(locking_);
  } else if (kind == Kind::kOptimistic) {
    optimistic_ =
        api.optimistictransactiondb_open(options_, path.c_str(), &error);
    Check(error);
    db_ = api.optimistictransactiondb_get_base_db(optimistic_);
  } else {
    db_ = api.open(options_, path.c_str(), &error);
    Check(error);
  }
}

void Database::Close() {
  if (locking_ != nullptr) {
    api.transactiondb_close_base_db(db_);
    api.transactiondb_close(locking_);
  } else if (optimistic_ != nullptr) {
    api.optimistictransactiondb_close_base_db(db_);
    api.optimistictransactiondb_close(optimistic_);
  } else {
    api.close(db_);
  }
  api.transaction_options_destroy(transaction_);
  api.optimistictransaction_options_destroy(optimistic_transaction_);
}

rocksdb_transaction_t* Database::Begin() const {
  return locking_ != nullptr
             ? api.transaction_begin(locking_, write_, transaction_, nullptr)
             : api.optimistictransaction_begin(
                   optimistic_, write_, optimistic_transaction_, nullptr);
}

void Database::Put(uint64_t number) {
  char* error = nullptr;
  const Key key(number);
  api.put(db_, write_, key.data(), Key::kSize, values.Of(number), values.size(),
          &error);
  Check(error);
}

void Database::Delete(uint64_t number) {
  char* error = nullptr;
  const Key key(number);
  api.delete_cf(db_, write_, family_, key.data(), Key::kSize, &error);
  Check(error);
}

void Database::Count(uint64_t number) {
  char* error = nullptr;
  const Key key(number);
  constexpr char kOne[8] = {1};
  api.merge(db_, write_, key.data(), Key::kSize, kOne, sizeof(kOne), &error);
  Check(error);
}

void Database::PutAll(const uint64_t* numbers, size_t count) {
  char* error = nullptr;
  api.writebatch_clear(batch_);
  for (size_t i = 0; i < count; ++i) {
    const Key key(numbers[i]);
    api.writebatch_put(batch_, key.data(), Key::kSize, values.Of(numbers[i]),
                       values.size());
  }
  api.write(db_, write_, batch_, &error);
  Check(error);
}

void Database::Settle(bool compact) {
  char* error = nullptr;
  rocksdb_flushoptions_t* flush = api.flushoptions_create();
  api.flush(db_, flush, &error);
  Check(error);
  api.flushoptions_destroy(flush);
  if (compact) api.compact_range(db_, nullptr, 0, nullptr, 0);
  rocksdb_wait_for_compact_options_t* wait =
      api.wait_for_compact_options_create();
  api.wait_for_compact(db_, wait, &error);
  Check(error);
  api.wait_for_compact_options_destroy(wait);
}

uint64_t Database::HashOfAll() {
  char* error = nullptr;
  uint64_t hash = 0;
  size_t length = 0;
  rocksdb_iterator_t* it = api.create_iterator(db_, read_);
  for (api.iter_seek_to_first(it); api.iter_valid(it); api.iter_next(it)) {
    const char* key = api.iter_key(it, &length);
    hash = Mix(hash ^ HashAll(key, length));
    const char* value = api.iter_value(it, &length);
    hash = Mix(hash ^ HashAll(value, length));
  }
  api.iter_get_error(it, &error);
  Check(error);
  api.iter_destroy(it);
  return hash;
}

std::string Database::Property(const std::string& name) {
  char* text = api.property_value(db_, name.c_str());
  std::string result = text != nullptr ? text : "";
  api.free(text);
  return result;
}

}  // namespace peer_bench
