// TableProperties: facts about one table file, stored inside it.
//
// Place. Written when the file is finished, read when it is opened. A program
// may add its own properties with a TablePropertiesCollector.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Collectors choose the names, except for the engine's own properties.
using UserCollectedProperties = std::map<std::string, std::string>;

// The names of the engine's properties, as stored in the file.
struct TablePropertiesNames {
  static const std::string kDbId;
  static const std::string kDbSessionId;
  static const std::string kDbHostId;
  static const std::string kOriginalFileNumber;
  static const std::string kDataSize;
  static const std::string kUncompressedDataSize;
  static const std::string kIndexSize;
  static const std::string kIndexPartitions;
  static const std::string kTopLevelIndexSize;
  static const std::string kIndexKeyIsUserKey;
  static const std::string kIndexValueIsDeltaEncoded;
  static const std::string kFilterSize;
  static const std::string kRawKeySize;
  static const std::string kRawValueSize;
  static const std::string kNumDataBlocks;
  static const std::string kNumUniformBlocks;
  static const std::string kNumDataBlocksCompressionRejected;
  static const std::string kNumDataBlocksCompressionBypassed;
  static const std::string kNumEntries;
  static const std::string kNumFilterEntries;
  static const std::string kDeletedKeys;
  static const std::string kMergeOperands;
  static const std::string kNumRangeDeletions;
  static const std::string kFormatVersion;
  static const std::string kFixedKeyLen;
  static const std::string kFilterPolicy;
  static const std::string kColumnFamilyName;
  static const std::string kColumnFamilyId;
  static const std::string kComparator;
  static const std::string kMergeOperator;
  static const std::string kPrefixExtractorName;
  static const std::string kPropertyCollectors;
  static const std::string kCompression;
  static const std::string kCompressionOptions;
  static const std::string kCreationTime;
  static const std::string kOldestKeyTime;
  static const std::string kNewestKeyTime;
  static const std::string kFileCreationTime;
  static const std::string kSlowCompressionEstimatedDataSize;
  static const std::string kFastCompressionEstimatedDataSize;
  static const std::string kSequenceNumberTimeMapping;
  static const std::string kTailStartOffset;
  static const std::string kUserDefinedTimestampsPersisted;
  static const std::string kKeyLargestSeqno;
  static const std::string kKeySmallestSeqno;
  static const std::string kDataBlockRestartInterval;
  static const std::string kIndexBlockRestartInterval;
  static const std::string kSeparateKeyValueInDataBlock;
  static const std::string kUdiIsPrimaryIndex;
};

// Sees every entry of a new table file and adds properties at the end. There is
// one object per file, used by one thread at a time. Its failures are logged
// and never make the file fail.
class TablePropertiesCollector {
 public:
  virtual ~TablePropertiesCollector() = default;

  // Older form; override AddUserKey instead.
  virtual Status Add(const Slice& /*key*/, const Slice& /*value*/) {
    return Status::InvalidArgument(
        "TablePropertiesCollector::Add() deprecated.");
  }
  virtual Status AddUserKey(const Slice& key, const Slice& value,
                            EntryType /*type*/, SequenceNumber /*seq*/,
                            uint64_t /*file_size*/) {
    return Add(key, value);
  }
  // Called for every finished data block.
  virtual void BlockAdd(uint64_t /*block_uncomp_bytes*/,
                        uint64_t /*block_compressed_bytes_fast*/,
                        uint64_t /*block_compressed_bytes_slow*/) {}
  // Called once, after the last entry.
  virtual Status Finish(UserCollectedProperties* properties) = 0;
  // The properties in a form for people. Called after Finish.
  virtual UserCollectedProperties GetReadableProperties() const = 0;
  virtual const char* Name() const = 0;
  // Return true to have the file compacted soon.
  virtual bool NeedCompact() const { return false; }
};

class TablePropertiesCollectorFactory : public Customizable {
 public:
  struct Context {
    uint32_t column_family_id;
    int level_at_creation = kUnknownLevelAtCreation;
    int num_levels = kUnknownNumLevels;
    SequenceNumber last_level_inclusive_max_seqno_threshold =
        ~SequenceNumber{0};

    static const uint32_t kUnknownColumnFamily;
    static const int kUnknownLevelAtCreation = -1;
    static const int kUnknownNumLevels = -1;
  };

  ~TablePropertiesCollectorFactory() override = default;

  static const char* Type() { return "TablePropertiesCollectorFactory"; }
  static Status CreateFromString(
      const ConfigOptions& options, const std::string& value,
      std::shared_ptr<TablePropertiesCollectorFactory>* result);

  // The caller deletes it. Null: none for this file.
  virtual TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) = 0;

  const char* Name() const override = 0;

  virtual std::string ToString() const { return Name(); }
};

struct TableProperties {
  uint64_t orig_file_number = 0;
  uint64_t data_size = 0;
  uint64_t uncompressed_data_size = 0;
  uint64_t index_size = 0;
  uint64_t index_partitions = 0;
  uint64_t top_level_index_size = 0;
  uint64_t index_key_is_user_key = 0;
  uint64_t index_value_is_delta_encoded = 0;
  uint64_t filter_size = 0;
  // Sums over all entries; keys with their 8-byte trailer.
  uint64_t raw_key_size = 0;
  uint64_t raw_value_size = 0;
  uint64_t num_data_blocks = 0;
  uint64_t num_uniform_blocks = 0;
  uint64_t num_data_blocks_compression_rejected = 0;
  uint64_t num_data_blocks_compression_bypassed = 0;
  uint64_t num_entries = 0;  // with range deletions
  uint64_t num_filter_entries = 0;
  uint64_t num_deletions = 0;  // with range deletions
  uint64_t num_merge_operands = 0;
  uint64_t num_range_deletions = 0;
  uint64_t format_version = 0;
  uint64_t fixed_key_len = 0;  // 0: keys of different length
  uint64_t column_family_id =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  // Seconds since 1970-01-01 UTC; 0 unknown.
  uint64_t creation_time = 0;
  uint64_t oldest_key_time = 0;
  uint64_t newest_key_time = 0;
  uint64_t file_creation_time = 0;
  uint64_t slow_compression_estimated_data_size = 0;
  uint64_t fast_compression_estimated_data_size = 0;
  uint64_t external_sst_file_global_seqno_offset = 0;
  uint64_t tail_start_offset = 0;
  uint64_t user_defined_timestamps_persisted = 1;
  uint64_t key_largest_seqno = UINT64_MAX;   // UINT64_MAX: unknown
  uint64_t key_smallest_seqno = UINT64_MAX;  // UINT64_MAX: unknown
  uint64_t data_block_restart_interval = 0;
  uint64_t index_block_restart_interval = 0;
  uint64_t separate_key_value_in_data_block = 0;
  uint64_t udi_is_primary_index = 0;

  std::string db_id;
  std::string db_session_id;
  std::string db_host_id;
  std::string column_family_name;
  std::string filter_policy_name;
  std::string comparator_name;
  std::string merge_operator_name;
  std::string prefix_extractor_name;
  std::string property_collectors_names;
  std::string compression_name;
  std::string compression_options;
  std::string seqno_to_time_mapping;  // encoded

  UserCollectedProperties user_collected_properties;
  UserCollectedProperties readable_properties;

  std::string ToString(const std::string& prop_delim = "; ",
                       const std::string& kv_delim = "=") const;

  // Adds the sums of another file to this one's.
  void Add(const TableProperties& tp);

  // The fields Add() adds up, by name.
  std::map<std::string, uint64_t> GetAggregatablePropertiesAsMap() const;

  std::size_t ApproximateMemoryUsage() const;
};

// Read from the properties of files of older releases.
uint64_t GetDeletedKeys(const UserCollectedProperties& props);
uint64_t GetMergeOperands(const UserCollectedProperties& props,
                          bool* property_present);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
