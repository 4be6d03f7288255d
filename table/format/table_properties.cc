// The bodies of rocksdb/table_properties.h.

#include "rocksdb/table_properties.h"

#include <cstdio>

#include "rocksdb/unique_id.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

using Names = TablePropertiesNames;

const std::string Names::kDbId = "rocksdb.creating.db.identity";
const std::string Names::kDbSessionId = "rocksdb.creating.session.identity";
const std::string Names::kDbHostId = "rocksdb.creating.host.identity";
const std::string Names::kOriginalFileNumber = "rocksdb.original.file.number";
const std::string Names::kDataSize = "rocksdb.data.size";
const std::string Names::kUncompressedDataSize =
    "rocksdb.uncompressed.data.size";
const std::string Names::kIndexSize = "rocksdb.index.size";
const std::string Names::kIndexPartitions = "rocksdb.index.partitions";
const std::string Names::kTopLevelIndexSize = "rocksdb.top-level.index.size";
const std::string Names::kIndexKeyIsUserKey = "rocksdb.index.key.is.user.key";
const std::string Names::kIndexValueIsDeltaEncoded =
    "rocksdb.index.value.is.delta.encoded";
const std::string Names::kFilterSize = "rocksdb.filter.size";
const std::string Names::kRawKeySize = "rocksdb.raw.key.size";
const std::string Names::kRawValueSize = "rocksdb.raw.value.size";
const std::string Names::kNumDataBlocks = "rocksdb.num.data.blocks";
const std::string Names::kNumUniformBlocks = "rocksdb.num.uniform.blocks";
const std::string Names::kNumDataBlocksCompressionRejected =
    "rocksdb.num.data.blocks.compression.rejected";
const std::string Names::kNumDataBlocksCompressionBypassed =
    "rocksdb.num.data.blocks.compression.bypassed";
const std::string Names::kNumEntries = "rocksdb.num.entries";
const std::string Names::kNumFilterEntries = "rocksdb.num.filter_entries";
const std::string Names::kDeletedKeys = "rocksdb.deleted.keys";
const std::string Names::kMergeOperands = "rocksdb.merge.operands";
const std::string Names::kNumRangeDeletions = "rocksdb.num.range-deletions";
const std::string Names::kFormatVersion = "rocksdb.format.version";
const std::string Names::kFixedKeyLen = "rocksdb.fixed.key.length";
const std::string Names::kFilterPolicy = "rocksdb.filter.policy";
const std::string Names::kColumnFamilyName = "rocksdb.column.family.name";
const std::string Names::kColumnFamilyId = "rocksdb.column.family.id";
const std::string Names::kComparator = "rocksdb.comparator";
const std::string Names::kMergeOperator = "rocksdb.merge.operator";
const std::string Names::kPrefixExtractorName = "rocksdb.prefix.extractor.name";
const std::string Names::kPropertyCollectors = "rocksdb.property.collectors";
const std::string Names::kCompression = "rocksdb.compression";
const std::string Names::kCompressionOptions = "rocksdb.compression_options";
const std::string Names::kCreationTime = "rocksdb.creation.time";
const std::string Names::kOldestKeyTime = "rocksdb.oldest.key.time";
const std::string Names::kNewestKeyTime = "rocksdb.newest.key.time";
const std::string Names::kFileCreationTime = "rocksdb.file.creation.time";
const std::string Names::kSlowCompressionEstimatedDataSize =
    "rocksdb.sample_for_compression.slow.data.size";
const std::string Names::kFastCompressionEstimatedDataSize =
    "rocksdb.sample_for_compression.fast.data.size";
const std::string Names::kSequenceNumberTimeMapping = "rocksdb.seqno.time.map";
const std::string Names::kTailStartOffset = "rocksdb.tail.start.offset";
const std::string Names::kUserDefinedTimestampsPersisted =
    "rocksdb.user.defined.timestamps.persisted";
const std::string Names::kKeyLargestSeqno = "rocksdb.key.largest.seqno";
const std::string Names::kKeySmallestSeqno = "rocksdb.key.smallest.seqno";
const std::string Names::kDataBlockRestartInterval =
    "rocksdb.data.block.restart.interval";
const std::string Names::kIndexBlockRestartInterval =
    "rocksdb.index.block.restart.interval";
const std::string Names::kSeparateKeyValueInDataBlock =
    "rocksdb.separate.key.value.in.data.block";

const uint32_t TablePropertiesCollectorFactory::Context::kUnknownColumnFamily =
    0x7fffffff;

Status TablePropertiesCollectorFactory::CreateFromString(
    const ConfigOptions& /*options*/, const std::string& value,
    std::shared_ptr<TablePropertiesCollectorFactory>* /*result*/) {
  return Status::NotSupported(
      "no table properties collector can be made from text: " + value);
}

namespace {

// Appends "key<kv>value<prop>" lines to a text.
class Lines {
 public:
  Lines(std::string* out, const std::string& prop_delim,
        const std::string& kv_delim)
      : out_(out), prop_delim_(prop_delim), kv_delim_(kv_delim) {}

  void Add(const std::string& key, const std::string& value) {
    *out_ += key + kv_delim_ + value + prop_delim_;
  }
  void Add(const std::string& key, uint64_t value) {
    Add(key, std::to_string(value));
  }
  void AddAverage(const std::string& key, uint64_t sum, uint64_t count) {
    const double average =
        count == 0 ? 0.0
                   : static_cast<double>(sum) / static_cast<double>(count);
    char text[64];
    std::snprintf(text, sizeof(text), "%f", average);
    Add(key, text);
  }

 private:
  std::string* const out_;
  const std::string& prop_delim_;
  const std::string& kv_delim_;
};

std::string OrNotAvailable(const std::string& text) {
  return text.empty() ? "N/A" : text;
}

// "998214B0BF736744-71AA542F7E745C86", or "N/A".
std::string UniqueIdText(const TableProperties& p) {
  std::string id;
  const Status status = GetUniqueIdFromTableProperties(p, &id);
  return status.ok() ? UniqueIdToHumanString(id) : "N/A";
}

// "50->1795170538,100->1795170638,": a sequence number and the time, in
// seconds, at which it was reached. Of damaged bytes, how many there are.
std::string TimeMappingText(const std::string& encoded) {
  Slice rest(encoded);
  uint64_t count = 0;
  std::string text;
  uint64_t sequence = 0;
  uint64_t time = 0;
  bool whole = engine::GetVarint64(&rest, &count);
  for (uint64_t i = 0; whole && i < count; ++i) {
    uint64_t sequences = 0;
    uint64_t seconds = 0;
    whole = engine::GetVarint64(&rest, &sequences) &&
            engine::GetVarint64(&rest, &seconds);
    sequence += sequences;
    time += seconds;
    text += std::to_string(sequence) + "->" + std::to_string(time) + ",";
  }
  return whole ? text : std::to_string(encoded.size()) + " damaged bytes";
}

void AddSizes(const TableProperties& p, Lines* lines) {
  lines->Add("# data blocks", p.num_data_blocks);
  lines->Add("# entries", p.num_entries);
  lines->Add("# deletions", p.num_deletions);
  lines->Add("# merge operands", p.num_merge_operands);
  lines->Add("# range deletions", p.num_range_deletions);
  lines->Add("raw key size", p.raw_key_size);
  lines->AddAverage("raw average key size", p.raw_key_size, p.num_entries);
  lines->Add("raw value size", p.raw_value_size);
  lines->AddAverage("raw average value size", p.raw_value_size, p.num_entries);
  lines->Add("data block size", p.data_size);
  lines->Add("index block size (user-key? " +
                 std::to_string(p.index_key_is_user_key) + ", delta-value? " +
                 std::to_string(p.index_value_is_delta_encoded) + ")",
             p.index_size);
  if (p.index_partitions != 0) {
    lines->Add("# index partitions", p.index_partitions);
    lines->Add("top-level index size", p.top_level_index_size);
  }
  lines->Add("filter block size", p.filter_size);
  lines->Add("# entries for filter", p.num_filter_entries);
  lines->Add("(estimated) table size",
             p.data_size + p.index_size + p.filter_size);
}

void AddOrigin(const TableProperties& p, Lines* lines) {
  lines->Add("creation time", p.creation_time);
  lines->Add("time stamp of earliest key", p.oldest_key_time);
  lines->Add("file creation time", p.file_creation_time);
  lines->Add("slow compression estimated data size",
             p.slow_compression_estimated_data_size);
  lines->Add("fast compression estimated data size",
             p.fast_compression_estimated_data_size);
  lines->Add("DB identity", p.db_id);
  lines->Add("DB session identity", p.db_session_id);
  lines->Add("DB host id", p.db_host_id);
  lines->Add("original file number", p.orig_file_number);
  lines->Add("unique ID", UniqueIdText(p));
  lines->Add("Sequence number to time mapping",
             p.seqno_to_time_mapping.empty()
                 ? ""
                 : TimeMappingText(p.seqno_to_time_mapping));
}

}  // namespace

std::string TableProperties::ToString(const std::string& prop_delim,
                                      const std::string& kv_delim) const {
  std::string out;
  Lines lines(&out, prop_delim, kv_delim);
  AddSizes(*this, &lines);
  lines.Add("filter policy name", OrNotAvailable(filter_policy_name));
  lines.Add("prefix extractor name", OrNotAvailable(prefix_extractor_name));
  const bool known_family =
      column_family_id !=
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  lines.Add("column family ID",
            known_family ? std::to_string(column_family_id) : "N/A");
  lines.Add("column family name", OrNotAvailable(column_family_name));
  lines.Add("comparator name", OrNotAvailable(comparator_name));
  lines.Add("merge operator name", OrNotAvailable(merge_operator_name));
  lines.Add("property collectors names",
            OrNotAvailable(property_collectors_names));
  lines.Add("SST file compression algo", OrNotAvailable(compression_name));
  lines.Add("SST file compression options",
            OrNotAvailable(compression_options));
  AddOrigin(*this, &lines);
  return out;
}

void TableProperties::Add(const TableProperties& tp) {
  data_size += tp.data_size;
  uncompressed_data_size += tp.uncompressed_data_size;
  index_size += tp.index_size;
  index_partitions += tp.index_partitions;
  top_level_index_size += tp.top_level_index_size;
  index_key_is_user_key += tp.index_key_is_user_key;
  index_value_is_delta_encoded += tp.index_value_is_delta_encoded;
  filter_size += tp.filter_size;
  raw_key_size += tp.raw_key_size;
  raw_value_size += tp.raw_value_size;
  num_data_blocks += tp.num_data_blocks;
  num_uniform_blocks += tp.num_uniform_blocks;
  num_data_blocks_compression_rejected +=
      tp.num_data_blocks_compression_rejected;
  num_data_blocks_compression_bypassed +=
      tp.num_data_blocks_compression_bypassed;
  num_entries += tp.num_entries;
  num_filter_entries += tp.num_filter_entries;
  num_deletions += tp.num_deletions;
  num_merge_operands += tp.num_merge_operands;
  num_range_deletions += tp.num_range_deletions;
  slow_compression_estimated_data_size +=
      tp.slow_compression_estimated_data_size;
  fast_compression_estimated_data_size +=
      tp.fast_compression_estimated_data_size;
}

std::map<std::string, uint64_t>
TableProperties::GetAggregatablePropertiesAsMap() const {
  return {
      {"data_size", data_size},
      {"uncompressed_data_size", uncompressed_data_size},
      {"index_size", index_size},
      {"index_partitions", index_partitions},
      {"top_level_index_size", top_level_index_size},
      {"filter_size", filter_size},
      {"raw_key_size", raw_key_size},
      {"raw_value_size", raw_value_size},
      {"num_data_blocks", num_data_blocks},
      {"num_uniform_blocks", num_uniform_blocks},
      {"num_data_blocks_compression_rejected",
       num_data_blocks_compression_rejected},
      {"num_data_blocks_compression_bypassed",
       num_data_blocks_compression_bypassed},
      {"num_entries", num_entries},
      {"num_filter_entries", num_filter_entries},
      {"num_deletions", num_deletions},
      {"num_merge_operands", num_merge_operands},
      {"num_range_deletions", num_range_deletions},
      {"slow_compression_estimated_data_size",
       slow_compression_estimated_data_size},
      {"fast_compression_estimated_data_size",
       fast_compression_estimated_data_size},
  };
}

std::size_t TableProperties::ApproximateMemoryUsage() const {
  std::size_t usage = sizeof(*this);
  for (const std::string* text :
       {&db_id, &db_session_id, &db_host_id, &column_family_name,
        &filter_policy_name, &comparator_name, &merge_operator_name,
        &prefix_extractor_name, &property_collectors_names, &compression_name,
        &compression_options, &seqno_to_time_mapping}) {
    usage += text->capacity();
  }
  for (const auto* map : {&user_collected_properties, &readable_properties}) {
    for (const auto& [name, value] : *map) {
      usage += name.capacity() + value.capacity() + 64;
    }
  }
  return usage;
}

namespace {

uint64_t NumberOf(const UserCollectedProperties& props, const std::string& name,
                  bool* present) {
  const auto it = props.find(name);
  *present = it != props.end();
  uint64_t value = 0;
  if (*present) {
    Slice rest(it->second);
    if (!engine::GetVarint64(&rest, &value)) value = 0;
  }
  return value;
}

}  // namespace

uint64_t GetDeletedKeys(const UserCollectedProperties& props) {
  bool present = false;
  return NumberOf(props, Names::kDeletedKeys, &present);
}

uint64_t GetMergeOperands(const UserCollectedProperties& props,
                          bool* property_present) {
  return NumberOf(props, Names::kMergeOperands, property_present);
}

}  // namespace ROCKSDB_NAMESPACE
