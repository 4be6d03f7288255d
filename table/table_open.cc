// Opening a table file: footer, metaindex, properties, then what they name.

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/embedded_blobs.h"
#include "table/format/block_trailer.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/format/properties.h"
#include "table/stripped_table.h"
#include "table/table_rep.h"
#include "table/table_unique_id.h"
#include "util/cache/sharded_cache.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Rep = TableReader::Rep;

// Footer, metaindex and properties usually lie within so many last bytes.
constexpr size_t kTailReadBytes = 4096;
// Partitions that are pinned are read so many bytes at a time.
constexpr size_t kPinReadaheadBytes = size_t{1} << 20;

// What the compression property says: a method's name, or, from version 7 on,
// fields behind semicolons, of which the second lists the types used.
bool MayBeCompressed(const std::string& property) {
  const size_t first = property.find(';');
  if (first == std::string::npos) return property != "NoCompression";
  return first + 1 < property.size() && property[first + 1] != ';';
}

// One opening of one file; each step needs those before it.
class TableOpener {
 public:
  TableOpener(const TableReadOptions& options,
              std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size);

  Status Run();
  Status RunToProperties();
  const TableProperties& properties() const { return properties_; }
  std::unique_ptr<Rep> TakeRep() { return std::move(rep_); }

 private:
  Status ReadFooter();
  Status ReadMetaindex();
  Status ReadProperties();
  Status ReadPropertiesWithoutSequence(Status mismatch);
  Status Understand();
  Status ReadGlobalSequence();
  Status CheckUniqueId() const;
  Status ReadDictionary();
  Status ReadRangeDeletions();
  void MoveToMaxTimestamp(const Rep& rep, std::string* begin,
                          std::deque<std::string>* ends,
                          RangeTombstone* tombstone);
  void ChooseFilter();
  void MakeCacheKey();
  Status LoadIndex();
  Status LoadFilter();
  // False: index, filter and top levels are kept with the table.
  bool MetadataInCache() const {
    return rep_->cache != nullptr &&
           rep_->options.table.cache_index_and_filter_blocks;
  }
  bool IsLikeFlushed() const {
    return Pins(PinningTier::kFlushedAndSimilar, false);
  }
  bool Pins(PinningTier tier, bool fallback) const;
  bool PinsUnpartitioned() const;
  bool PinsTopLevel() const;
  bool PinsPartitions() const;
  template <typename T, typename FetchOne>
  Status PinPartitions(const FlatIndex& top,
                       std::vector<Cached<const T>>* pinned,
                       const FetchOne& fetch_one);
  const BlockHandle* FindMeta(const std::string& name) const;
  // The value of a property without a field, or null.
  const std::string* Extra(const char* name) const;

  std::unique_ptr<Rep> rep_;
  FilePrefetchBuffer tail_;
  TableProperties properties_;
  size_t global_sequence_at_ = 0;
  std::deque<std::string> timestamps_;  // Of the range deletions.
};

TableOpener::TableOpener(const TableReadOptions& options,
                         std::unique_ptr<RandomAccessFileReader> file,
                         uint64_t file_size)
    : rep_(std::make_unique<Rep>()),
      tail_(file.get(), FilePrefetchBuffer::Policy::Auto(0, 0, UINT32_MAX)) {
  rep_->options = options;
  rep_->user_icmp = options.icmp;
  rep_->file = std::move(file);
  rep_->file_size = file_size;
}

const BlockHandle* TableOpener::FindMeta(const std::string& name) const {
  for (const auto& [block, handle] : rep_->meta_blocks) {
    if (block == name) return &handle;
  }
  return nullptr;
}

const std::string* TableOpener::Extra(const char* name) const {
  const auto it = properties_.user_collected_properties.find(name);
  return it == properties_.user_collected_properties.end() ? nullptr
                                                           : &it->second;
}

Status TableOpener::RunToProperties() {
  RETURN_IF_ERROR(ReadFooter());
  RETURN_IF_ERROR(ReadMetaindex());
  return ReadProperties();
}

Status TableOpener::Run() {
  RETURN_IF_ERROR(RunToProperties());
  RETURN_IF_ERROR(Understand());
  RETURN_IF_ERROR(ReadGlobalSequence());
  RETURN_IF_ERROR(CheckUniqueId());
  RETURN_IF_ERROR(ReadDictionary());
  RETURN_IF_ERROR(ReadRangeDeletions());
  ChooseFilter();
  rep_->properties =
      std::make_shared<const TableProperties>(std::move(properties_));
  MakeCacheKey();
  RETURN_IF_ERROR(LoadIndex());
  return LoadFilter();
}

Status TableOpener::ReadFooter() {
  const std::string& name = rep_->file->file_name();
  const uint64_t size = rep_->file_size;
  const size_t tail = std::min<uint64_t>(size, kTailReadBytes);
  RETURN_IF_ERROR(tail_.Load(IOOptions(), size - tail, tail));
  Slice bytes;
  bool served = false;
  const size_t footer_size = std::min<uint64_t>(size, kFooterSize);
  RETURN_IF_ERROR(tail_.TryRead(IOOptions(), size - footer_size, footer_size,
                                &bytes, &served));
  if (!served || bytes.size() != footer_size) {
    return Status::Corruption("file is shorter than its recorded size of " +
                              std::to_string(size) + " bytes: " + name);
  }
  Result<Footer> footer = DecodeFooter(bytes, size, name);
  if (!footer.ok()) return footer.status();
  rep_->footer = *footer;
  rep_->source.file = rep_->file.get();
  rep_->source.statistics = rep_->options.statistics;
  rep_->source.format_version = footer->format_version;
  rep_->source.checksum_type = footer->checksum_type;
  rep_->source.base_context_checksum = footer->base_context_checksum;
  rep_->index_handle = footer->index;
  return Status::OK();
}

Status TableOpener::ReadMetaindex() {
  Block::Ptr block;
  BlockReadRequest request;
  request.prefetch = &tail_;
  const BlockHandle& at = rep_->footer.metaindex;
  RETURN_IF_ERROR(ReadBlock(rep_->source, at, request, &block));
  const bool sound = ForEachMetaEntry(
      block->payload(), [this](const Slice& name, const Slice& value) {
        BlockHandle handle;
        Slice rest = value;
        if (!GetBlockHandle(&rest, &handle)) return false;
        // A handle, whatever the name: also of those that are not known here.
        if (!handle.Fits(rep_->file_size)) return false;
        rep_->meta_blocks.emplace_back(name.ToString(), handle);
        return true;
      });
  if (!sound) return rep_->Corruption("bad metaindex block", at);
  if (rep_->footer.format_version >= 6) {
    const BlockHandle* const index = FindMeta(kIndexBlock);
    if (index == nullptr) return rep_->Corruption("no index", at);
    rep_->index_handle = *index;
  }
  return Status::OK();
}

Status TableOpener::ReadProperties() {
  const BlockHandle* const handle = FindMeta(kPropertiesBlock);
  if (handle == nullptr) {
    return rep_->Corruption("no properties block", rep_->footer.metaindex);
  }
  Block::Ptr block;
  BlockReadRequest request;
  request.prefetch = &tail_;
  Status status = ReadBlock(rep_->source, *handle, request, &block);
  if (status.IsCorruption()) return ReadPropertiesWithoutSequence(status);
  RETURN_IF_ERROR(status);
  status =
      DecodeProperties(block->payload(), &properties_, &global_sequence_at_);
  if (status.ok()) return status;
  return rep_->Corruption(status.ToString(), *handle);
}

// Ingestion may have written a sequence number into the block in place. Its
// checksum was made when the number was 0.
Status TableOpener::ReadPropertiesWithoutSequence(Status mismatch) {
  const BlockHandle& handle = *FindMeta(kPropertiesBlock);
  Block::Ptr block;
  BlockReadRequest request;
  request.verify_checksum = false;
  RETURN_IF_ERROR(ReadBlock(rep_->source, handle, request, &block));
  TableProperties properties;
  if (!DecodeProperties(block->payload(), &properties, &global_sequence_at_)
           .ok() ||
      global_sequence_at_ == 0 || block->size() != handle.size) {
    return mismatch;
  }
  Slice bytes;
  std::string stored(handle.size + kBlockTrailerSize, '\0');
  RETURN_IF_ERROR(rep_->file->Read(IOOptions(), handle.offset, stored.size(),
                                   &bytes, stored.data()));
  if (bytes.size() != stored.size()) return mismatch;
  if (bytes.data() != stored.data()) stored = bytes.ToString();
  EncodeFixed64(stored.data() + global_sequence_at_, 0);
  const ChecksumPair pair = CheckBlockTrailer(
      rep_->source.checksum_type, rep_->source.base_context_checksum,
      handle.offset, Slice(stored.data(), handle.size));
  if (!pair.matches()) return mismatch;
  properties_ = std::move(properties);
  return Status::OK();
}

Status TableOpener::Understand() {
  uint32_t index_type = BlockBasedTableOptions::kBinarySearch;
  const std::string* const type = Extra(kIndexTypeProperty);
  if (type != nullptr) {
    Slice rest(*type);
    if (!GetFixed32(&rest, &index_type) ||
        index_type > BlockBasedTableOptions::kBinarySearchWithFirstKey) {
      return Status::NotSupported("unknown index type in " +
                                  rep_->file->file_name());
    }
  }
  rep_->index_is_partitioned =
      index_type == BlockBasedTableOptions::kTwoLevelIndexSearch;
  rep_->index_encoding.key_is_user_key = properties_.index_key_is_user_key != 0;
  rep_->index_encoding.value_is_delta =
      properties_.index_value_is_delta_encoded != 0;
  rep_->index_encoding.has_first_key =
      index_type == BlockBasedTableOptions::kBinarySearchWithFirstKey;
  rep_->source.compressed = MayBeCompressed(properties_.compression_name);
  if (const BlockHandle* const handle = FindMeta(kRangeDeletionBlock)) {
    rep_->range_deletion_handle = *handle;
  }
  rep_->has_embedded_blobs = Extra(kEmbeddedBlobsProperty) != nullptr;
  if (properties_.user_defined_timestamps_persisted == 0 &&
      rep_->user_icmp->timestamp_size() > 0) {
    rep_->stripped_order = std::make_unique<StrippedComparator>(
        rep_->user_icmp->user_comparator());
    rep_->stripped_icmp =
        std::make_unique<InternalKeyComparator>(rep_->stripped_order.get());
    rep_->options.icmp = rep_->stripped_icmp.get();
    rep_->smallest_timestamp =
        MinTimestampOf(*rep_->user_icmp->user_comparator());
  }
  return Status::OK();
}

Status TableOpener::ReadGlobalSequence() {
  const std::string* const version = Extra(kExternalVersionProperty);
  const std::string* const number = Extra(kGlobalSequenceProperty);
  const std::string& name = rep_->file->file_name();
  if (version == nullptr) {
    if (number == nullptr) return Status::OK();
    return Status::Corruption("a global sequence number without a version in " +
                              name);
  }
  if (version->size() != sizeof(uint32_t)) {
    return Status::Corruption("bad external file version in " + name);
  }
  if (DecodeFixed32(version->data()) < 2) return Status::OK();
  SequenceNumber stored = 0;
  if (number != nullptr && number->size() == sizeof(uint64_t)) {
    stored = DecodeFixed64(number->data());
  }
  const SequenceNumber given = rep_->options.global_sequence;
  if (stored > kSequenceMax ||
      (stored != 0 && given != kSequenceMax && given != stored)) {
    return Status::Corruption("global sequence number mismatch in " + name +
                              ": expected " + std::to_string(given) +
                              ", found " + std::to_string(stored));
  }
  properties_.external_sst_file_global_seqno_offset =
      global_sequence_at_ == 0
          ? 0
          : FindMeta(kPropertiesBlock)->offset + global_sequence_at_;
  rep_->global_sequence = stored != 0 ? stored : given;
  return Status::OK();
}

Status TableOpener::CheckUniqueId() const {
  const std::string& expected = rep_->options.expected_unique_id;
  if (expected.empty() || expected == std::string(16, '\0')) {
    return Status::OK();
  }
  uint64_t id[2] = {0, 0};
  std::string found;
  if (InternalUniqueId(properties_, id)) {
    PutFixed64(&found, id[0]);
    PutFixed64(&found, id[1]);
  }
  if (found == expected) return Status::OK();
  return Status::Corruption(
      "mismatch in unique id on table file " + rep_->file->file_name() +
      ": expected " + Slice(expected).ToString(true) + ", found " +
      (found.empty() ? "none" : Slice(found).ToString(true)));
}

Status TableOpener::ReadDictionary() {
  const BlockHandle* const handle = FindMeta(kCompressionDictBlock);
  if (handle == nullptr || !rep_->source.compressed) return Status::OK();
  Block::Ptr block;
  RETURN_IF_ERROR(ReadBlock(rep_->source, *handle, {}, &block));
  PerfAdd<&PerfContext::compression_dict_block_read_count>();
  // Versions up to 6 name the algorithm; 7 lists the types used, and only one
  // of these digests its dictionary in advance.
  CompressionType type = kZSTD;
  ParseCompressionTypeName(properties_.compression_name, &type);
  rep_->dict = UncompressionDict(type, block->payload().ToString());
  return Status::OK();
}

// The ends of a range deletion as RangeTombstone has them with timestamps.
void TableOpener::MoveToMaxTimestamp(const Rep& rep, std::string* begin,
                                     std::deque<std::string>* ends,
                                     RangeTombstone* tombstone) {
  const Comparator& comparator = *rep.user_icmp->user_comparator();
  const size_t size = comparator.timestamp_size();
  const std::string first = MaxTimestampOf(comparator);
  if (rep.stripped_icmp != nullptr) {
    timestamps_.push_back(MinTimestampOf(comparator));
    begin->append(first);
    ends->push_back(tombstone->end.ToString() + first);
  } else {
    timestamps_.push_back(TimestampOf(*begin, size).ToString());
    *begin = WithTimestamp(*begin, first);
    ends->push_back(WithTimestamp(tombstone->end, first));
  }
  tombstone->timestamp = timestamps_.back();
  tombstone->end = ends->back();
}

// Read now, whatever the file is opened for: to overlook one would bring
// deleted entries back.
Status TableOpener::ReadRangeDeletions() {
  Rep& r = *rep_;
  const BlockHandle& handle = r.range_deletion_handle;
  if (handle.IsNull()) return Status::OK();
  Block::Ptr block;
  BlockReadRequest request;
  request.prefetch = &tail_;
  RETURN_IF_ERROR(ReadBlock(r.source, handle, request, &block));
  std::vector<std::string> begins;  // Keys are put together as they are read.
  std::deque<std::string> ends;     // Those that had to be changed.
  std::vector<RangeTombstone> tombstones;
  std::string bad;
  const bool sound = ForEachMetaEntry(block->payload(), [&](const Slice& key,
                                                            const Slice& end) {
    ParsedInternalKey begin;
    if (!ParseInternalKey(key, &begin) ||
        begin.type != ValueType::kRangeDeletion) {
      bad = "expected the key of a range deletion, found " +
            key.ToString(/*hex=*/true);
    } else if (std::min(begin.user_key.size(), end.size()) <
               r.options.icmp->timestamp_size()) {
      bad = "expected keys with timestamps";
    } else if (r.options.icmp->timestamp_size() == 0 &&
               r.options.icmp->CompareUserKey(begin.user_key, end) > 0) {
      // With timestamps SstFileWriter of 7.8.3 lets such pass: they are empty.
      bad = "expected an end behind " + begin.user_key.ToString(/*hex=*/true) +
            ", found " + end.ToString(/*hex=*/true);
    }
    if (!bad.empty()) return false;
    begins.push_back(begin.user_key.ToString());
    tombstones.push_back({Slice(), end,
                          r.global_sequence != kSequenceMax ? r.global_sequence
                                                            : begin.sequence});
    if (r.user_icmp->timestamp_size() > 0) {
      MoveToMaxTimestamp(r, &begins.back(), &ends, &tombstones.back());
    }
    return true;
  });
  if (!sound) {
    return r.Corruption(
        "bad range deletion block" + (bad.empty() ? bad : " (" + bad + ")"),
        handle);
  }
  for (size_t i = 0; i < begins.size(); ++i) tombstones[i].begin = begins[i];
  // Old releases did not count them.
  properties_.num_range_deletions =
      std::max<uint64_t>(properties_.num_range_deletions, begins.size());
  auto set =
      std::make_shared<const TombstoneSet>(r.user_icmp, std::move(tombstones));
  if (!set->empty()) r.tombstones = std::move(set);
  return Status::OK();
}

// A filter is found by the policy's compatibility name, and used only where
// it was built the way it would be asked.
void TableOpener::ChooseFilter() {
  const auto& policy = rep_->options.table.filter_policy;
  if (policy == nullptr || rep_->options.skip_filters) return;
  const std::string* const whole = Extra(kWholeKeyFilteringProperty);
  rep_->whole_key_filtering = whole == nullptr || *whole == "1";
  const std::string* const prefix = Extra(kPrefixFilteringProperty);
  const SliceTransform* const extractor = rep_->options.prefix_extractor.get();
  rep_->prefix_filtering =
      extractor != nullptr && prefix != nullptr && *prefix == "1" &&
      properties_.prefix_extractor_name == extractor->AsString();
  if (!rep_->whole_key_filtering && !rep_->prefix_filtering) return;

  const std::string name = policy->CompatibilityName();
  if (const BlockHandle* const h = FindMeta(kFullFilterPrefix + name)) {
    rep_->filter_handle = *h;
  } else if (const BlockHandle* const p =
                 FindMeta(kPartitionedFilterPrefix + name)) {
    if (p->size == 0) return;
    rep_->filter_handle = *p;
    rep_->filter_is_partitioned = true;
  }
}

// Files with an identity keep their key wherever and whenever they are
// opened; others get one of this process.
void TableOpener::MakeCacheKey() {
  Rep& r = *rep_;
  if (r.options.table.no_block_cache) return;
  r.cache = r.options.table.block_cache.get();
  r.batched_cache = dynamic_cast<BatchedCache*>(r.cache);
  if (r.cache == nullptr) return;
  r.create_context.icmp = r.options.icmp;
  r.create_context.index_encoding = r.index_encoding;
  r.create_context.file_size = r.file_size;
  r.create_context.protection_bytes = r.options.protection_bytes;
  if (r.options.table.cache_index_and_filter_blocks_with_high_priority) {
    r.meta_priority = Cache::Priority::HIGH;
  }
  const TableProperties& p = *r.properties;
  if (!FileCacheId(p.db_id, p.db_session_id, p.orig_file_number, r.cache_key)) {
    r.cache_key[0] = 0;
    r.cache_key[1] = r.cache->NewId() << 40;
    r.options.uses_secondary_cache = false;  // Only this cache knows the id.
  }
}

// Does `tier` take this file in? `fallback` is what the older options say.
bool TableOpener::Pins(PinningTier tier, bool fallback) const {
  const TableReadOptions& options = rep_->options;
  switch (tier) {
    case PinningTier::kFallback:
      return fallback;
    case PinningTier::kNone:
      return false;
    case PinningTier::kFlushedAndSimilar:
      return options.level == 0 &&
             rep_->file_size <= options.similar_to_flushed_bytes_max;
    case PinningTier::kAll:
      return true;
  }
  return false;
}

// For an index or filter of one block.
bool TableOpener::PinsUnpartitioned() const {
  const BlockBasedTableOptions& table = rep_->options.table;
  return Pins(table.metadata_cache_options.unpartitioned_pinning,
              table.pin_l0_filter_and_index_blocks_in_cache && IsLikeFlushed());
}

bool TableOpener::PinsTopLevel() const {
  const BlockBasedTableOptions& table = rep_->options.table;
  return Pins(table.metadata_cache_options.top_level_index_pinning,
              table.pin_top_level_index_and_filter);
}

bool TableOpener::PinsPartitions() const {
  const BlockBasedTableOptions& table = rep_->options.table;
  return Pins(table.metadata_cache_options.partition_pinning,
              table.pin_l0_filter_and_index_blocks_in_cache && IsLikeFlushed());
}

// Pins every partition `top` names, reading neighbours together. `fetch_one`
// gets one into its place.
template <typename T, typename FetchOne>
Status TableOpener::PinPartitions(const FlatIndex& top,
                                  std::vector<Cached<const T>>* pinned,
                                  const FetchOne& fetch_one) {
  if (top.size() == 0) return Status::OK();
  FilePrefetchBuffer ahead(
      rep_->file.get(), FilePrefetchBuffer::Policy::Fixed(kPinReadaheadBytes));
  ahead.set_limit(top.handle(top.size() - 1).end());
  FetchOptions fetch;
  fetch.prefetch = &ahead;
  // Sound partitions lie apart: a top level that names one of them again and
  // again would otherwise fill memory with it.
  uint64_t bytes = 0;
  for (size_t i = 0; i < top.size(); ++i) {
    bytes += top.handle(i).size + kBlockTrailerSize;
    if (bytes > rep_->file_size) {
      return rep_->Corruption("expected partitions that fit the file of " +
                                  std::to_string(rep_->file_size) +
                                  " bytes, found larger ones",
                              top.handle(i));
    }
  }
  pinned->resize(top.size());
  for (size_t i = 0; i < top.size(); ++i) {
    const Status status = fetch_one(fetch, top.handle(i), &(*pinned)[i]);
    // A full cache: the rest is fetched when it is wanted.
    if (status.IsMemoryLimit()) return Status::OK();
    RETURN_IF_ERROR(status);
  }
  return Status::OK();
}

// Reads the index in any case, so that a damaged one is found here.
Status TableOpener::LoadIndex() {
  Rep& r = *rep_;
  FetchOptions fetch;
  fetch.use_cache = MetadataInCache();
  fetch.prefetch = &tail_;
  Cached<const FlatIndex> index;
  Status status = r.FetchIndex(fetch, r.index_handle, &index);
  // A strict cache without room: the table opens, its readers have to try
  // again.
  const bool refused = status.IsMemoryLimit();
  if (refused) {
    fetch.use_cache = false;
    status = r.FetchIndex(fetch, r.index_handle, &index);
  }
  RETURN_IF_ERROR(status);
  if (r.index_is_partitioned && PinsPartitions()) {
    RETURN_IF_ERROR(PinPartitions<FlatIndex>(
        *index.get(), &r.index_partitions,
        [&r](const FetchOptions& f, const BlockHandle& handle,
             Cached<const FlatIndex>* out) {
          return r.FetchIndex(f, handle, out);
        }));
  }
  const bool pinned =
      r.index_is_partitioned ? PinsTopLevel() : PinsUnpartitioned();
  if (!refused && (!MetadataInCache() || pinned)) r.index = std::move(index);
  return Status::OK();
}

Status TableOpener::LoadFilter() {
  Rep& r = *rep_;
  if (r.filter_handle.IsNull()) return Status::OK();
  FetchOptions fetch;
  fetch.use_cache = MetadataInCache();
  fetch.prefetch = &tail_;
  if (!r.filter_is_partitioned) {
    if (MetadataInCache() && !PinsUnpartitioned()) return Status::OK();
    const Status status = r.FetchFilter(fetch, r.filter_handle, &r.filter);
    return status.IsMemoryLimit() ? Status::OK() : status;
  }
  Cached<const FlatIndex> top;
  const Status status = r.FetchIndex(fetch, r.filter_handle, &top);
  if (status.IsMemoryLimit()) return Status::OK();
  RETURN_IF_ERROR(status);
  if (PinsPartitions()) {
    RETURN_IF_ERROR(PinPartitions<FilterBlock>(
        *top.get(), &r.filter_partitions,
        [&r](const FetchOptions& f, const BlockHandle& handle,
             Cached<const FilterBlock>* out) {
          return r.FetchFilter(f, handle, out);
        }));
  }
  if (!MetadataInCache() || PinsTopLevel()) r.filter_index = std::move(top);
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<TableReader>> TableReader::Open(
    const TableReadOptions& options,
    std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size) {
  TableOpener opener(options, std::move(file), file_size);
  RETURN_IF_ERROR(opener.Run());
  std::unique_ptr<Rep> rep = opener.TakeRep();
  rep->file->set_activity(Env::IOActivity::kUnknown);  // Opening is over.
  std::unique_ptr<TableReader> reader(new TableReader(std::move(rep)));
  RETURN_IF_ERROR(reader->Charge());
  return reader;
}

Result<std::shared_ptr<const TableProperties>> TableReader::ReadProperties(
    std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size) {
  TableOpener opener(TableReadOptions(), std::move(file), file_size);
  RETURN_IF_ERROR(opener.RunToProperties());
  return std::make_shared<const TableProperties>(opener.properties());
}

}  // namespace ROCKSDB_NAMESPACE::engine
