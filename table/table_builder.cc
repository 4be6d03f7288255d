#include "table/table_builder.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "table/block/block.h"
#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table/block/block_writer.h"
#include "table/block/key_compare.h"
#include "table/block/parallel_compressor.h"
#include "table/cache_usage.h"
#include "table/cache_warmer.h"
#include "table/compression_text.h"
#include "table/dictionary_buffer.h"
#include "table/entry_type.h"
#include "table/filter/filter_block_builder.h"
#include "table/filter/filter_policy.h"
#include "table/filter/partitioned_filter_builder.h"
#include "table/flush_policy.h"
#include "table/format/footer.h"
#include "table/format/meta_names.h"
#include "table/format/properties.h"
#include "table/index/hash_index_builder.h"
#include "table/index/index_builder.h"
#include "table/table_builder_options.h"
#include "table/timestamp_range.h"
#include "util/block_checksum.h"
#include "util/hash.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Blocks are padded to this, or to the block size if that is smaller.
constexpr uint64_t kAlignmentMax = 4096;

using Table = BlockBasedTableOptions;

std::unique_ptr<FileChecksumGenerator> NewFileChecksum(
    const TableBuildOptions& o, const WritableFileWriter* file) {
  if (o.file_checksum_factory == nullptr) return nullptr;
  return o.file_checksum_factory->CreateFileChecksumGenerator(
      {file->file_name(), ""});
}

// What is not known to lie higher is taken for the last level.
int FilterLevel(const TableBuildOptions& o) {
  if (o.reason == TableFileCreationReason::kFlush) {
    return BuiltinFilterPolicy::kFlushLevel;
  }
  return o.level < 0 ? BuiltinFilterPolicy::kLastLevel : o.level;
}

std::unique_ptr<FilterBlockBuilder> NewFilter(const TableBuildOptions& o) {
  const auto* const policy =
      dynamic_cast<const BuiltinFilterPolicy*>(o.table.filter_policy.get());
  if (policy == nullptr) return nullptr;
  // Reads that reach the last level mostly hit: a filter there saves little.
  if (o.optimize_filters_for_hits && o.is_bottommost) return nullptr;
  if (!o.table.whole_key_filtering && o.prefix_extractor == nullptr) {
    return nullptr;
  }
  auto bits = policy->NewBuilder(o.table.format_version, FilterLevel(o));
  if (bits == nullptr) return nullptr;
  if (o.table.detect_filter_construct_corruption) bits->CheckWhenFinished();
  const std::shared_ptr<Cache> charged =
      CacheToCharge(o.table, CacheEntryRole::kFilterConstruction);
  if (charged != nullptr) bits->ChargeTo(charged);
  return std::make_unique<FilterBlockBuilder>(
      std::move(bits), o.prefix_extractor.get(), o.table.whole_key_filtering);
}

// Null when the file gets no dictionary.
std::unique_ptr<DictionaryBuffer> NewDictionaryBuffer(
    const TableBuildOptions& o) {
  if (o.compression_opts.max_dict_bytes == 0 ||
      !CompressionUsesDictionary(o.compression)) {
    return nullptr;
  }
  DictionaryBuffer::Options options;
  options.type = o.compression;
  options.compression = o.compression_opts;
  options.bytes_max = o.target_file_size;
  const uint64_t asked = o.compression_opts.max_dict_buffer_bytes;
  if (asked != 0 && (options.bytes_max == 0 || asked < options.bytes_max)) {
    options.bytes_max = asked;
  }
  options.cache = CacheToCharge(
      o.table, CacheEntryRole::kCompressionDictionaryBuildingBuffer);
  return std::make_unique<DictionaryBuffer>(options);
}

std::unique_ptr<PartitionedFilterBuilder> NewPartitionedFilter(
    const TableBuildOptions& o) {
  std::unique_ptr<FilterBlockBuilder> filter = NewFilter(o);
  if (filter == nullptr) return nullptr;
  PartitionedFilterBuilder::Options options;
  options.icmp = o.icmp;
  options.partition_bytes = std::max<uint64_t>(1, o.table.metadata_block_size);
  options.deviation_percent = o.table.block_size_deviation;
  options.decoupled = o.table.decouple_partitioned_filters;
  options.charge_to =
      CacheToCharge(o.table, CacheEntryRole::kFilterConstruction);
  return std::make_unique<PartitionedFilterBuilder>(options, std::move(filter));
}

std::unique_ptr<HashIndexBuilder> NewHashIndex(const TableBuildOptions& o) {
  if (IndexTypeOf(o) != Table::kHashSearch) return nullptr;
  return std::make_unique<HashIndexBuilder>(o.prefix_extractor.get());
}

Status CheckOptions(const TableBuildOptions& o) {
  if (o.table.format_version < kFormatVersionWriteMin ||
      o.table.format_version > kFormatVersionWriteMax) {
    return Status::NotSupported("cannot write table format_version " +
                                std::to_string(o.table.format_version) +
                                " (2 to 7 are written)");
  }
  if (static_cast<uint8_t>(o.table.checksum) > kBlockChecksumMax) {
    return Status::InvalidArgument("unknown checksum type");
  }
  // No reader would open the file.
  if (static_cast<uint8_t>(o.table.index_type) >
      Table::kBinarySearchWithFirstKey) {
    return Status::InvalidArgument("unknown index type");
  }
  if (o.table.block_align && o.table.block_size == 0) {
    return Status::InvalidArgument("block_size must not be 0 with block_align");
  }
  return Status::OK();
}

// Aligned blocks are plain, as in RocksDB: SetOptions and SstFileWriter take
// block_align and a compression together.
TableBuildOptions WithAlignedPlain(TableBuildOptions options) {
  if (options.table.block_align) options.compression = kNoCompression;
  return options;
}

}  // namespace

struct TableBuilder::Rep {
  using Collector = std::unique_ptr<TablePropertiesCollector>;

  Rep(const TableBuildOptions& o, WritableFileWriter* file)
      : options(o),
        timestamp_size(o.icmp->user_comparator()->timestamp_size()),
        file_checksum(NewFileChecksum(o, file)),
        writer(WriterOptions(o, file_checksum.get()), file),
        data_block(DataBlockOptions(o)),
        size_rule(o.table.block_size, o.table.block_size_deviation,
                  o.table.block_align),
        policy(NewFlushPolicy(options.table, data_block)),
        range_deletions({.restart_interval = 1}),
        index_type(IndexTypeOf(o)),
        index(IndexOptions(o)),
        hash_index(NewHashIndex(o)),
        waiting(NewDictionaryBuffer(o)),
        warmer(CacheWarmer::New(o)),
        parallel(NewParallelCompressor(o)) {
    if (index_type == Table::kTwoLevelIndexSearch &&
        o.table.partition_filters) {
      partitioned_filter = NewPartitionedFilter(o);
    } else {
      filter = NewFilter(o);
    }
    writer.SetError(CheckOptions(o));
  }

  std::unique_ptr<ParallelCompressor> NewParallelCompressor(
      const TableBuildOptions& o) const;
  void MakeCollectors();
  void Collect(const Slice& internal_key, const Slice& value, ValueType type);
  // False, and an error: the key is not above the one before. Readers of such
  // a file would miss entries, so this is checked in release builds, too.
  bool IsNextKey(const Slice& internal_key);
  // Does the open block end before this entry? A policy is asked for each.
  bool BlockEnds(const Slice& key, const Slice& value) const;
  void CountEntry(const Slice& key, const Slice& value, ValueType type);
  void AddToFilter(const Slice& internal_key);
  void FlushDataBlock();
  void WriteDataBlock(const Slice& payload, const PreparedBlock* prepared);
  void WriteWaitingBlocks();
  void WriteLater(const Slice& payload, const Slice& last_key);
  void WriteKeysAndBlock(const Slice& payload, const Slice& last_key,
                         const PreparedBlock* prepared);
  // The oldest block that other threads compress, or all of them.
  void WritePrepared(bool all);
  void BeginDataBlock(const Slice& first_key);
  void AddPendingIndexEntry(const Slice* next_key);
  BlockHandle WriteIndexBlock(const Slice& payload);
  BlockHandle WriteIndexPartition(const Slice& payload);
  void WriteFilter();
  void WriteIndex(Footer* footer);
  void WriteMetaindex(Footer* footer);
  void FillProperties();
  void FillNames();
  void FinishCollectors();

  const TableBuildOptions options;
  const size_t timestamp_size;
  const std::unique_ptr<FileChecksumGenerator> file_checksum;
  BlockWriter writer;
  BlockBuilder data_block;
  const BlockSizeRule size_rule;
  const std::unique_ptr<FlushBlockPolicy> policy;  // Null: by size.
  BlockBuilder range_deletions;
  const Table::IndexType index_type;
  IndexBuilder index;
  std::unique_ptr<HashIndexBuilder> hash_index;
  // At most one of them.
  std::unique_ptr<FilterBlockBuilder> filter;
  std::unique_ptr<PartitionedFilterBuilder> partitioned_filter;
  std::map<std::string, BlockHandle> metaindex;
  // Not null while data blocks wait for a dictionary. Their keys have not yet
  // gone to index and filter.
  std::unique_ptr<DictionaryBuffer> waiting;
  const std::unique_ptr<CacheWarmer> warmer;  // Null: nothing is to be cached.
  std::string dictionary;
  // Not null when several threads compress. The keys of the blocks inside have
  // not yet gone to index and filter, either.
  const std::unique_ptr<ParallelCompressor> parallel;
  std::vector<Collector> collectors;
  TableProperties properties;
  uint64_t data_end = 0;
  uint64_t index_payload_size = 0;
  SequenceNumber largest_sequence = 0;
  SequenceNumber smallest_sequence = UINT64_MAX;  // No entry yet.

  // The block written last waits for the key behind it to choose a separator.
  std::string flushed_key;  // The last one of the blocks before the open one.
  bool index_entry_pending = false;
  BlockHandle pending_handle;
  std::string pending_last_key;
  std::string
      first_key;  // Of the open or pending block, if the index wants it.
  bool finished = false;
};

std::unique_ptr<ParallelCompressor> TableBuilder::Rep::NewParallelCompressor(
    const TableBuildOptions& o) const {
  const uint32_t threads = o.compression_opts.parallel_threads;
  if (threads <= 1 || !writer.compresses()) return nullptr;
  return std::make_unique<ParallelCompressor>(
      threads, [this](ParallelCompressor::Block* block) {
        writer.PrepareData(block->payload, &block->prepared);
      });
}

void TableBuilder::Rep::MakeCollectors() {
  for (const auto& factory : options.collector_factories) {
    TablePropertiesCollectorFactory::Context context;
    context.column_family_id = options.column_family_id;
    context.level_at_creation = options.level;
    Collector collector(factory->CreateTablePropertiesCollector(context));
    if (collector != nullptr) collectors.push_back(std::move(collector));
  }
  if (timestamp_size == 0) return;
  collectors.push_back(
      std::make_unique<TimestampRange>(options.icmp->user_comparator()));
}

void TableBuilder::Rep::Collect(const Slice& internal_key, const Slice& value,
                                ValueType type) {
  const Slice user_key = ExtractUserKey(internal_key);
  const SequenceNumber sequence = ExtractSequence(internal_key);
  for (const Collector& collector : collectors) {
    // A collector's failure costs its properties, never the file.
    (void)collector->AddUserKey(user_key, value, PublicEntryType(type),
                                sequence, writer.offset());
  }
}

bool TableBuilder::Rep::BlockEnds(const Slice& key, const Slice& value) const {
  if (policy == nullptr) [[likely]] {
    return size_rule.IsFull(data_block, key, value);
  }
  if (policy->Update(key, value)) return true;
  return data_block.SizeEstimate() + key.size() + value.size() >
         kPolicyBlockSizeMax;
}

void TableBuilder::Rep::CountEntry(const Slice& key, const Slice& value,
                                   ValueType type) {
  ++properties.num_entries;
  properties.raw_key_size += key.size();
  properties.raw_value_size += value.size();
  const SequenceNumber sequence = ExtractSequence(key);
  largest_sequence = std::max(largest_sequence, sequence);
  smallest_sequence = std::min(smallest_sequence, sequence);
  switch (type) {
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
    case ValueType::kDeletionWithTimestamp:
      ++properties.num_deletions;
      break;
    case ValueType::kMerge:
      ++properties.num_merge_operands;
      break;
    case ValueType::kRangeDeletion:
      ++properties.num_deletions;
      ++properties.num_range_deletions;
      break;
    default:
      break;
  }
}

void TableBuilder::Rep::AddPendingIndexEntry(const Slice* next_key) {
  if (!index_entry_pending) return;
  index_entry_pending = false;
  assert(!pending_last_key.empty());
  assert(next_key == nullptr ||
         options.icmp->Compare(pending_last_key, *next_key) < 0);  // (1)
  if (partitioned_filter != nullptr && partitioned_filter->WantsCut()) {
    index.CutPartition();
  }
  const bool cut =
      index.AddBlock(first_key, pending_last_key, next_key, pending_handle);
  // The block's entry begins an index partition, its keys end one of the
  // filter's: they are in that already.
  if (cut && partitioned_filter != nullptr) {
    partitioned_filter->CutAt(index.last_separator(), next_key);
  }
}

void TableBuilder::Rep::BeginDataBlock(const Slice& key) {
  AddPendingIndexEntry(&key);
  if (index_type == Table::kBinarySearchWithFirstKey) {
    first_key.assign(key.data(), key.size());
  }
}

void TableBuilder::Rep::AddToFilter(const Slice& internal_key) {
  const Slice user_key = ExtractUserKey(internal_key);
  if (filter != nullptr) {
    filter->Add({user_key.data(), user_key.size() - timestamp_size});
  } else if (partitioned_filter != nullptr) {
    partitioned_filter->Add(user_key);
  }
  if (hash_index != nullptr) {
    hash_index->Add(user_key, properties.num_data_blocks);
  }
}

bool TableBuilder::Rep::IsNextKey(const Slice& internal_key) {
  const Slice before =
      data_block.empty() ? Slice(flushed_key) : data_block.last_key();
  if (before.empty()) return true;
  const int order = options.icmp->bytewise()
                        ? CompareInternalKeysBytewise(before, internal_key)
                        : options.icmp->Compare(before, internal_key);
  if (order < 0) return true;  // (1)
  writer.SetError(Status::Corruption(
      "keys out of order in table " + std::to_string(options.file_number),
      "expected one above " + before.ToString(/*hex=*/true) + ", found " +
          internal_key.ToString(/*hex=*/true)));
  return false;
}

void TableBuilder::Rep::FlushDataBlock() {
  if (data_block.empty()) return;
  std::string last_key = data_block.last_key().ToString();
  assert(last_key.size() >= kTrailerSize);
  flushed_key = last_key;
  const Slice payload = data_block.Finish();
  if (waiting != nullptr) {
    waiting->Add(payload, last_key);
  } else if (parallel != nullptr) {
    WriteLater(payload, last_key);
  } else {
    pending_last_key = std::move(last_key);
    WriteDataBlock(payload, nullptr);
  }
  data_block.Reset();
  if (waiting != nullptr && waiting->full()) WriteWaitingBlocks();
}

// Does for a block what was not done when its keys were added.
void TableBuilder::Rep::WriteKeysAndBlock(const Slice& payload,
                                          const Slice& last_key,
                                          const PreparedBlock* prepared) {
  const Block::Ptr parsed = Block::Copy(payload);
  if (!parsed->Parse()) {
    return writer.SetError(Status::Corruption("block damaged in memory"));
  }
  BlockIter iter;
  iter.Init(parsed.get(), options.icmp);
  iter.SeekToFirst();
  assert(iter.Valid());
  BeginDataBlock(iter.key());
  if (filter != nullptr || partitioned_filter != nullptr ||
      hash_index != nullptr) {
    for (; iter.Valid(); iter.Next()) AddToFilter(iter.key());
  }
  pending_last_key = last_key.ToString();
  WriteDataBlock(payload, prepared);
}

// Makes the dictionary and writes all that waited for it.
void TableBuilder::Rep::WriteWaitingBlocks() {
  assert(waiting != nullptr);
  const std::unique_ptr<DictionaryBuffer> blocks = std::move(waiting);
  dictionary = blocks->MakeDictionary();
  if (!dictionary.empty()) writer.SetDictionary(dictionary);
  for (const DictionaryBuffer::Waiting& block : blocks->blocks()) {
    if (parallel != nullptr) {
      WriteLater(block.payload, block.last_key);
    } else {
      WriteKeysAndBlock(block.payload, block.last_key, nullptr);
    }
  }
}

void TableBuilder::Rep::WriteLater(const Slice& payload,
                                   const Slice& last_key) {
  if (parallel->full()) WritePrepared(/*all=*/false);
  ParallelCompressor::Block block;
  block.payload = payload.ToString();
  block.last_key = last_key.ToString();
  parallel->Push(std::move(block));
}

void TableBuilder::Rep::WritePrepared(bool all) {
  do {
    const ParallelCompressor::Block& block = parallel->Front();
    WriteKeysAndBlock(block.payload, block.last_key, &block.prepared);
    parallel->Pop();
  } while (all && !parallel->empty());
}

// `pending_last_key` is that of the block. `prepared`: null unless it is
// compressed already.
void TableBuilder::Rep::WriteDataBlock(const Slice& payload,
                                       const PreparedBlock* prepared) {
  assert(!index_entry_pending && "the block before has its index entry");
  pending_handle = prepared != nullptr ? writer.WriteData(payload, *prepared)
                                       : writer.WriteData(payload);
  if (warmer != nullptr) warmer->AddData(payload, pending_handle);
  properties.uncompressed_data_size += payload.size() + kBlockTrailerSize;
  if (options.table.block_align) {
    writer.PadTo(std::min<uint64_t>(options.table.block_size, kAlignmentMax));
  }
  for (const Collector& collector : collectors) {
    collector->BlockAdd(payload.size(), 0, 0);
  }
  ++properties.num_data_blocks;
  assert(data_end <= writer.offset());
  data_end = writer.offset();
  index_entry_pending = true;
}

void TableBuilder::Rep::FillNames() {
  properties.comparator_name = options.icmp->user_comparator()->Name();
  properties.merge_operator_name = options.merge_operator_name.empty()
                                       ? "nullptr"
                                       : options.merge_operator_name;
  properties.prefix_extractor_name = options.prefix_extractor != nullptr
                                         ? options.prefix_extractor->AsString()
                                         : "nullptr";
  if (options.table.filter_policy != nullptr) {
    properties.filter_policy_name = options.table.filter_policy->Name();
  }
  std::string names;
  for (const auto& factory : options.collector_factories) {
    if (!names.empty()) names += ',';
    names += factory->Name();
  }
  properties.property_collectors_names = '[' + names + ']';
  properties.compression_name = CompressionText(
      options.table.format_version, options.compression, writer.used_types());
  properties.compression_options =
      CompressionOptionsText(options.compression_opts);
}

void TableBuilder::Rep::FillProperties() {
  FillNames();
  properties.data_size = data_end;
  properties.index_size = index_payload_size + kBlockTrailerSize;
  properties.index_key_is_user_key = index.uses_user_keys();
  properties.index_value_is_delta_encoded = index.delta_encodes_values();
  properties.format_version = options.table.format_version;
  properties.tail_start_offset = data_end;
  properties.separate_key_value_in_data_block =
      options.table.separate_key_value_in_data_block ? 1 : 0;
  properties.key_largest_seqno = largest_sequence;
  properties.key_smallest_seqno = smallest_sequence;
  properties.data_block_restart_interval =
      static_cast<uint64_t>(std::max(1, options.table.block_restart_interval));
  properties.index_block_restart_interval =
      static_cast<uint64_t>(index.form().restart_interval);
  properties.column_family_id = options.column_family_id;
  properties.column_family_name = options.column_family_name;
  properties.db_id = options.db_id;
  properties.db_session_id = options.db_session_id;
  properties.db_host_id = options.db_host_id;
  properties.orig_file_number = options.file_number;
  properties.creation_time = options.creation_time_secs;
  properties.oldest_key_time = options.oldest_key_time_secs;
  properties.file_creation_time = options.file_creation_time_secs;

  std::string type;
  PutFixed32(&type, static_cast<uint32_t>(index_type));
  auto& more = properties.user_collected_properties;
  more[kIndexTypeProperty] = type;
  if (partitioned_filter != nullptr &&
      options.table.decouple_partitioned_filters) {
    more[kDecoupledFiltersProperty] = "1";
  }
  more[kWholeKeyFilteringProperty] =
      options.table.whole_key_filtering ? "1" : "0";
  more[kPrefixFilteringProperty] =
      options.prefix_extractor != nullptr ? "1" : "0";
  if (options.external_version == 0) return;
  PutFixed32(&more[kExternalVersionProperty], options.external_version);
  PutFixed64(&more[kGlobalSequenceProperty], 0);
}

void TableBuilder::Rep::FinishCollectors() {
  for (const Collector& collector : collectors) {
    UserCollectedProperties collected;
    if (!collector->Finish(&collected).ok()) continue;
    properties.user_collected_properties.insert(collected.begin(),
                                                collected.end());
    const UserCollectedProperties readable = collector->GetReadableProperties();
    properties.readable_properties.insert(readable.begin(), readable.end());
  }
}

TableBuilder::TableBuilder(const TableBuildOptions& options,
                           WritableFileWriter* file)
    : rep_(std::make_unique<Rep>(WithAlignedPlain(options), file)) {
  rep_->MakeCollectors();
}

TableBuilder::~TableBuilder() = default;

void TableBuilder::Add(const Slice& internal_key, const Slice& value) {
  Rep* const r = rep_.get();
  assert(!r->finished);
  assert(internal_key.size() >= kTrailerSize);  // internal_key.h (1)
  if (!r->writer.status().ok()) return;         // (2)
  const ValueType type = ExtractType(internal_key);
  r->CountEntry(internal_key, value, type);
  if (!r->collectors.empty()) r->Collect(internal_key, value, type);
  if (type == ValueType::kRangeDeletion) {
    r->range_deletions.Add(internal_key, value);
    return;
  }
  if (!r->IsNextKey(internal_key)) return;
  if (r->BlockEnds(internal_key, value)) r->FlushDataBlock();
  if (r->waiting == nullptr && r->parallel == nullptr) {
    if (r->data_block.empty()) r->BeginDataBlock(internal_key);
    r->AddToFilter(internal_key);
  }
  r->data_block.Add(internal_key, value);
}

BlockHandle TableBuilder::Rep::WriteIndexBlock(const Slice& payload) {
  return options.table.enable_index_compression
             ? writer.WriteCompressed(payload)
             : writer.WriteRaw(payload);
}

BlockHandle TableBuilder::Rep::WriteIndexPartition(const Slice& payload) {
  const BlockHandle handle = WriteIndexBlock(payload);
  if (warmer == nullptr) return handle;
  warmer->AddIndexPartition(
      payload, {index.uses_user_keys(), index.delta_encodes_values()}, handle);
  return handle;
}

// Partitions lie one behind the other, their index follows.
void TableBuilder::Rep::WriteFilter() {
  if (filter != nullptr) {
    properties.num_filter_entries = filter->entry_count();
    const std::string payload = filter->Finish();
    writer.SetError(filter->status());
    properties.filter_size = payload.size();
    const BlockHandle handle = writer.WriteRaw(payload);
    metaindex[std::string(kFullFilterPrefix) + kBuiltinFilterName] = handle;
    if (warmer != nullptr) warmer->AddWholeFilter(payload, handle);
  }
  if (partitioned_filter != nullptr) {
    const PartitionedFilterBuilder::Finished parts = partitioned_filter->Finish(
        index.last_separator(), index.form(), [this](const Slice& payload) {
          const BlockHandle handle = writer.WriteRaw(payload);
          if (warmer != nullptr) warmer->AddFilterPartition(payload, handle);
          return handle;
        });
    writer.SetError(partitioned_filter->status());
    properties.num_filter_entries = partitioned_filter->entry_count();
    properties.filter_size = parts.payload_bytes;
    if (parts.index.empty()) return;
    metaindex[std::string(kPartitionedFilterPrefix) + kBuiltinFilterName] =
        writer.WriteRaw(parts.index);
  }
}

void TableBuilder::Rep::WriteIndex(Footer* footer) {
  if (hash_index != nullptr) {
    hash_index->Finish();
    metaindex[kHashPrefixesBlock] =
        writer.WriteCompressed(hash_index->prefixes());
    metaindex[kHashMetadataBlock] =
        writer.WriteCompressed(hash_index->metadata());
    index_payload_size +=
        hash_index->prefixes().size() + hash_index->metadata().size();
  }
  const IndexBuilder::Finished written = index.Finish(
      [this](const Slice& payload) { return WriteIndexPartition(payload); });
  if (written.root_key_bytes > kIndexKeyBytesMax) {
    writer.SetError(Status::InvalidArgument(
        "the keys of the index are too large",
        std::to_string(written.root_key_bytes) + " bytes, at most " +
            std::to_string(kIndexKeyBytesMax)));
  }
  footer->index = WriteIndexBlock(written.root);
  if (footer->format_version >= 6) metaindex[kIndexBlock] = footer->index;
  index_payload_size += written.payload_bytes;
  if (written.partition_count > 0) {
    properties.index_partitions = written.partition_count;
    properties.top_level_index_size = written.root.size();
  }
}

void TableBuilder::Rep::WriteMetaindex(Footer* footer) {
  BlockBuilder block({.restart_interval = 1});
  for (const auto& [name, handle] : metaindex) {
    std::string value;
    PutBlockHandle(&value, handle);
    block.Add(name, value);
  }
  footer->metaindex = writer.WriteRaw(block.Finish());
}

Status TableBuilder::Finish() {
  Rep* const r = rep_.get();
  assert(!r->finished);
  r->finished = true;
  r->FlushDataBlock();
  if (r->waiting != nullptr) r->WriteWaitingBlocks();
  WriteBegunBlocks();
  r->AddPendingIndexEntry(nullptr);
  assert(r->data_block.empty());
  assert(r->parallel == nullptr || r->parallel->empty());
  assert(r->properties.num_entries >= r->properties.num_deletions);

  BlockWriter& writer = r->writer;
  r->WriteFilter();
  Footer footer;
  footer.format_version = r->options.table.format_version;
  footer.checksum_type = static_cast<uint8_t>(r->options.table.checksum);
  footer.base_context_checksum = writer.base_context_checksum();
  r->WriteIndex(&footer);

  if (!r->dictionary.empty()) {
    r->metaindex[kCompressionDictBlock] = writer.WriteRaw(r->dictionary);
  }
  if (!r->range_deletions.empty()) {
    r->metaindex[kRangeDeletionBlock] =
        writer.WriteRaw(r->range_deletions.Finish());
  }
  r->FinishCollectors();
  r->FillProperties();
  r->metaindex[kPropertiesBlock] =
      writer.WriteRaw(EncodeProperties(r->properties));
  r->WriteMetaindex(&footer);
  assert(!writer.status().ok() || r->data_end <= writer.offset());
  writer.WriteFooter(footer);
  if (r->file_checksum != nullptr) r->file_checksum->Finalize();
  return writer.status();
}

void TableBuilder::Abandon() {
  rep_->finished = true;
  rep_->writer.SetError(Status::Incomplete("table file abandoned"));
}

const Status& TableBuilder::status() const { return rep_->writer.status(); }

uint64_t TableBuilder::FileSize() const { return rep_->writer.offset(); }

uint64_t TableBuilder::EstimatedFileSize() const {
  constexpr uint64_t kPropertiesAndFooter = 1536;
  const Rep& r = *rep_;
  if (r.finished) return FileSize();
  uint64_t size = FileSize() + r.index.SizeEstimate() + kPropertiesAndFooter;
  if (!r.data_block.empty()) size += r.data_block.SizeEstimate();
  if (r.filter != nullptr) size += r.filter->SizeEstimate();
  if (r.partitioned_filter != nullptr) {
    size += r.partitioned_filter->SizeEstimate();
  }
  return size;
}

uint64_t TableBuilder::PendingBytesMax() const {
  return rep_->parallel == nullptr ? 0 : rep_->parallel->pending_bytes_max();
}

void TableBuilder::WriteBegunBlocks() {
  if (rep_->parallel != nullptr && !rep_->parallel->empty()) {
    rep_->WritePrepared(/*all=*/true);
  }
}

uint64_t TableBuilder::TailSize() const {
  return rep_->writer.offset() - rep_->data_end;
}

bool TableBuilder::NeedCompact() const {
  return std::any_of(rep_->collectors.begin(), rep_->collectors.end(),
                     [](const auto& c) { return c->NeedCompact(); });
}

const TableProperties& TableBuilder::properties() const {
  return rep_->properties;
}

const FileChecksumGenerator* TableBuilder::file_checksum() const {
  return rep_->file_checksum.get();
}

}  // namespace ROCKSDB_NAMESPACE::engine
