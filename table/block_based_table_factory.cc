#include "table/block_based_table_factory.h"

#include <algorithm>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "table/format/properties.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What a column family gets that names no cache and does not forbid one.
constexpr size_t kDefaultCacheBytes = 32 << 20;

void Line(std::string* out, const char* name, const std::string& value) {
  *out += "  " + std::string(name) + ": " + value + "\n";
}
void Line(std::string* out, const char* name, uint64_t value) {
  Line(out, name, std::to_string(value));
}

}  // namespace

BlockBasedTableOptions SanitizeTableOptions(
    const BlockBasedTableOptions& options) {
  BlockBasedTableOptions o = options;
  if (o.no_block_cache) {
    o.block_cache.reset();
  } else if (o.block_cache == nullptr) {
    o.block_cache = NewLRUCache(kDefaultCacheBytes);
  }
  if (o.block_size_deviation < 0 || o.block_size_deviation > 100) {
    o.block_size_deviation = 0;
  }
  o.block_restart_interval = std::max(1, o.block_restart_interval);
  o.index_block_restart_interval = std::max(1, o.index_block_restart_interval);
  if (o.partition_filters &&
      o.index_type != BlockBasedTableOptions::kTwoLevelIndexSearch) {
    o.partition_filters = false;
  }
  return o;
}

const void* BlockBasedTableFactory::GetOptionsPtr(
    const std::string& name) const {
  if (name == BlockBasedTableOptions::kName()) return &options_;
  if (name == kBlockCacheOpts()) return options_.block_cache.get();
  return nullptr;
}

std::string BlockBasedTableFactory::GetPrintableOptions() const {
  const BlockBasedTableOptions& o = options_;
  std::string out;
  Line(&out, "cache_index_and_filter_blocks", o.cache_index_and_filter_blocks);
  Line(&out, "cache_index_and_filter_blocks_with_high_priority",
       o.cache_index_and_filter_blocks_with_high_priority);
  Line(&out, "pin_l0_filter_and_index_blocks_in_cache",
       o.pin_l0_filter_and_index_blocks_in_cache);
  Line(&out, "pin_top_level_index_and_filter",
       o.pin_top_level_index_and_filter);
  Line(&out, "index_type", static_cast<uint64_t>(o.index_type));
  Line(&out, "data_block_index_type",
       static_cast<uint64_t>(o.data_block_index_type));
  Line(&out, "index_shortening", static_cast<uint64_t>(o.index_shortening));
  Line(&out, "data_block_hash_table_util_ratio",
       std::to_string(o.data_block_hash_table_util_ratio));
  Line(&out, "checksum", static_cast<uint64_t>(o.checksum));
  Line(&out, "no_block_cache", o.no_block_cache);
  Line(&out, "block_cache_name",
       o.block_cache == nullptr ? "nullptr" : o.block_cache->Name());
  if (o.block_cache != nullptr) {
    Line(&out, "block_cache_capacity", o.block_cache->GetCapacity());
  }
  Line(&out, "block_size", o.block_size);
  if (o.flush_block_policy_factory != nullptr) {
    Line(&out, "flush_block_policy_factory",
         o.flush_block_policy_factory->Name());
  }
  Line(&out, "block_size_deviation",
       static_cast<uint64_t>(o.block_size_deviation));
  Line(&out, "block_restart_interval",
       static_cast<uint64_t>(o.block_restart_interval));
  Line(&out, "index_block_restart_interval",
       static_cast<uint64_t>(o.index_block_restart_interval));
  Line(&out, "metadata_block_size", o.metadata_block_size);
  Line(&out, "partition_filters", o.partition_filters);
  Line(&out, "use_delta_encoding", o.use_delta_encoding);
  Line(&out, "filter_policy",
       o.filter_policy == nullptr ? "nullptr" : o.filter_policy->GetId());
  Line(&out, "whole_key_filtering", o.whole_key_filtering);
  Line(&out, "verify_compression", o.verify_compression);
  Line(&out, "format_version", o.format_version);
  Line(&out, "enable_index_compression", o.enable_index_compression);
  Line(&out, "block_align", o.block_align);
  Line(&out, "max_auto_readahead_size", o.max_auto_readahead_size);
  return out;
}

namespace {

// Exists so that programs link; opening a database with it is refused.
template <typename Options>
class ForeignTableFactory final : public TableFactory {
 public:
  ForeignTableFactory(const char* name, const Options& options)
      : name_(name), options_(options) {}
  const char* Name() const override { return name_; }

 protected:
  const void* GetOptionsPtr(const std::string& name) const override {
    return name == Options::kName() ? &options_ : nullptr;
  }

 private:
  const char* const name_;
  const Options options_;
};

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

const std::string BlockBasedTablePropertyNames::kIndexType =
    engine::kIndexTypeProperty;
const std::string BlockBasedTablePropertyNames::kWholeKeyFiltering =
    engine::kWholeKeyFilteringProperty;
const std::string BlockBasedTablePropertyNames::kPrefixFiltering =
    engine::kPrefixFilteringProperty;

TableFactory* NewBlockBasedTableFactory(
    const BlockBasedTableOptions& table_options) {
  return new engine::BlockBasedTableFactory(table_options);
}

// Only makes the factory: the code that parses the text sets its options.
Status TableFactory::CreateFromString(const ConfigOptions& /*config_options*/,
                                      const std::string& id,
                                      std::shared_ptr<TableFactory>* factory) {
  if (id == kBlockBasedTableName()) {
    factory->reset(NewBlockBasedTableFactory());
  } else if (id == kPlainTableName()) {
    factory->reset(NewPlainTableFactory());
  } else if (id == kCuckooTableName()) {
    factory->reset(NewCuckooTableFactory());
  } else {
    return Status::NotSupported("unknown table factory: " + id);
  }
  return Status::OK();
}

TableFactory* NewPlainTableFactory(const PlainTableOptions& options) {
  return new engine::ForeignTableFactory<PlainTableOptions>(
      TableFactory::kPlainTableName(), options);
}

TableFactory* NewCuckooTableFactory(const CuckooTableOptions& table_options) {
  return new engine::ForeignTableFactory<CuckooTableOptions>(
      TableFactory::kCuckooTableName(), table_options);
}

}  // namespace ROCKSDB_NAMESPACE
