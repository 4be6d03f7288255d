#include "table/format/properties.h"

#include <climits>
#include <map>

#include "table/block/block_builder.h"
#include "table/format/meta_block.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct NumberField {
  const char* name;
  uint64_t TableProperties::*field;
  uint64_t omitted;  // Not written when it has this value.
};

// No number is omitted.
constexpr uint64_t kAlways = UINT64_MAX - 1;

constexpr NumberField kNumbers[] = {
    {"rocksdb.column.family.id", &TableProperties::column_family_id, kAlways},
    {"rocksdb.creation.time", &TableProperties::creation_time, kAlways},
    {"rocksdb.data.size", &TableProperties::data_size, kAlways},
    {"rocksdb.data.block.restart.interval",
     &TableProperties::data_block_restart_interval, 0},
    {"rocksdb.deleted.keys", &TableProperties::num_deletions, kAlways},
    {"rocksdb.file.creation.time", &TableProperties::file_creation_time, 0},
    {"rocksdb.filter.size", &TableProperties::filter_size, kAlways},
    {"rocksdb.fixed.key.length", &TableProperties::fixed_key_len, kAlways},
    {"rocksdb.format.version", &TableProperties::format_version, kAlways},
    {"rocksdb.index.block.restart.interval",
     &TableProperties::index_block_restart_interval, 0},
    {"rocksdb.index.key.is.user.key", &TableProperties::index_key_is_user_key,
     kAlways},
    {"rocksdb.index.partitions", &TableProperties::index_partitions, 0},
    {"rocksdb.index.size", &TableProperties::index_size, kAlways},
    {"rocksdb.index.value.is.delta.encoded",
     &TableProperties::index_value_is_delta_encoded, kAlways},
    {"rocksdb.key.largest.seqno", &TableProperties::key_largest_seqno,
     UINT64_MAX},
    {"rocksdb.key.smallest.seqno", &TableProperties::key_smallest_seqno,
     UINT64_MAX},
    {"rocksdb.merge.operands", &TableProperties::num_merge_operands, kAlways},
    {"rocksdb.newest.key.time", &TableProperties::newest_key_time, 0},
    {"rocksdb.num.data.blocks", &TableProperties::num_data_blocks, kAlways},
    {"rocksdb.num.data.blocks.compression.bypassed",
     &TableProperties::num_data_blocks_compression_bypassed, 0},
    {"rocksdb.num.data.blocks.compression.rejected",
     &TableProperties::num_data_blocks_compression_rejected, 0},
    {"rocksdb.num.entries", &TableProperties::num_entries, kAlways},
    {"rocksdb.num.filter_entries", &TableProperties::num_filter_entries,
     kAlways},
    {"rocksdb.num.range-deletions", &TableProperties::num_range_deletions,
     kAlways},
    {"rocksdb.num.uniform.blocks", &TableProperties::num_uniform_blocks, 0},
    {"rocksdb.oldest.key.time", &TableProperties::oldest_key_time, kAlways},
    {"rocksdb.original.file.number", &TableProperties::orig_file_number,
     kAlways},
    {"rocksdb.raw.key.size", &TableProperties::raw_key_size, kAlways},
    {"rocksdb.raw.value.size", &TableProperties::raw_value_size, kAlways},
    {"rocksdb.sample_for_compression.fast.data.size",
     &TableProperties::fast_compression_estimated_data_size, 0},
    {"rocksdb.sample_for_compression.slow.data.size",
     &TableProperties::slow_compression_estimated_data_size, 0},
    {"rocksdb.separate.key.value.in.data.block",
     &TableProperties::separate_key_value_in_data_block, 0},
    {"rocksdb.tail.start.offset", &TableProperties::tail_start_offset, 0},
    {"rocksdb.top-level.index.size", &TableProperties::top_level_index_size, 0},
    {"rocksdb.user.defined.timestamps.persisted",
     &TableProperties::user_defined_timestamps_persisted, 1},
};

struct TextField {
  const char* name;
  std::string TableProperties::*field;
};

// None is written when empty.
constexpr TextField kTexts[] = {
    {"rocksdb.column.family.name", &TableProperties::column_family_name},
    {"rocksdb.comparator", &TableProperties::comparator_name},
    {"rocksdb.compression", &TableProperties::compression_name},
    {"rocksdb.compression_options", &TableProperties::compression_options},
    {"rocksdb.creating.db.identity", &TableProperties::db_id},
    {"rocksdb.creating.host.identity", &TableProperties::db_host_id},
    {"rocksdb.creating.session.identity", &TableProperties::db_session_id},
    {"rocksdb.filter.policy", &TableProperties::filter_policy_name},
    {"rocksdb.merge.operator", &TableProperties::merge_operator_name},
    {"rocksdb.prefix.extractor.name", &TableProperties::prefix_extractor_name},
    {"rocksdb.property.collectors",
     &TableProperties::property_collectors_names},
    {"rocksdb.seqno.time.map", &TableProperties::seqno_to_time_mapping},
};

const std::map<std::string, const NumberField*>& NumbersByName() {
  static const auto* const by_name = [] {
    auto* map = new std::map<std::string, const NumberField*>;
    for (const NumberField& f : kNumbers) map->emplace(f.name, &f);
    return map;
  }();
  return *by_name;
}

const std::map<std::string, const TextField*>& TextsByName() {
  static const auto* const by_name = [] {
    auto* map = new std::map<std::string, const TextField*>;
    for (const TextField& f : kTexts) map->emplace(f.name, &f);
    return map;
  }();
  return *by_name;
}

// False when the value of a known name does not decode.
bool TakeProperty(const std::string& name, const Slice& value,
                  TableProperties* properties) {
  if (const auto it = NumbersByName().find(name); it != NumbersByName().end()) {
    // Two that collectors once wrote: programs look for them there.
    if (name == "rocksdb.deleted.keys" || name == "rocksdb.merge.operands") {
      properties->user_collected_properties[name] = value.ToString();
    }
    Slice rest = value;
    return GetVarint64(&rest, &(properties->*it->second->field));
  }
  if (const auto it = TextsByName().find(name); it != TextsByName().end()) {
    properties->*it->second->field = value.ToString();
    return true;
  }
  properties->user_collected_properties[name] = value.ToString();
  return true;
}

}  // namespace

std::string EncodeProperties(const TableProperties& properties) {
  std::map<std::string, std::string> all(properties.user_collected_properties);
  for (const NumberField& f : kNumbers) {
    if (properties.*f.field == f.omitted) continue;
    std::string& value = all[f.name];
    value.clear();
    PutVarint64(&value, properties.*f.field);
  }
  for (const TextField& f : kTexts) {
    if (!(properties.*f.field).empty()) all[f.name] = properties.*f.field;
  }
  BlockBuilder builder({.restart_interval = INT_MAX});
  for (const auto& [name, value] : all) builder.Add(name, value);
  return builder.Finish().ToString();
}

Status DecodeProperties(const Slice& payload, TableProperties* properties,
                        size_t* global_sequence_at) {
  *global_sequence_at = 0;
  std::string bad;
  const bool sound =
      ForEachMetaEntry(payload, [&](const Slice& name, const Slice& value) {
        if (name == Slice(kGlobalSequenceProperty) &&
            value.size() == sizeof(uint64_t)) {
          *global_sequence_at =
              static_cast<size_t>(value.data() - payload.data());
        }
        if (TakeProperty(name.ToString(), value, properties)) return true;
        bad = name.ToString();
        return false;
      });
  if (sound) return Status::OK();
  return Status::Corruption(bad.empty() ? "bad properties block"
                                        : "bad value of property " + bad);
}

}  // namespace ROCKSDB_NAMESPACE::engine
