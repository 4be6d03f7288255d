// Point lookups and whole-file questions of an open table.

#include "table/table_reader.h"

#include <algorithm>
#include <optional>

#include "rocksdb/slice_transform.h"
#include "table/block/block_iter.h"
#include "table/embedded_blobs.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/stripped_table.h"
#include "table/table_rep.h"
#include "table/timestamps.h"
#include "util/cache/cache_reservation.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Those who walk a whole file read this much at a time.
constexpr size_t kWalkReadaheadBytes = size_t{256} * 1024;

// An entry of a table with embedded blobs. False: the key is decided.
bool AddEmbedded(const TableReader::Rep& rep, const FetchOptions& fetch,
                 const Slice& stored, ParsedInternalKey entry,
                 GetContext* context) {
  if (!IsEmbedded(entry.type, stored)) {
    return context->Add(entry.type, entry.sequence, stored, nullptr);
  }
  std::string value;
  Status status = ReadEmbedded(rep, fetch, stored, &entry.type, &value);
  if (status.ok()) {
    return context->Add(entry.type, entry.sequence, value, nullptr);
  }
  context->MarkBad(std::move(status));
  return false;
}

// An entry that is no plain value. False: the key is decided.
bool AddOther(const TableReader::Rep& rep, const FetchOptions& fetch,
              const Slice& stored, const ParsedInternalKey& entry,
              GetContext* context) {
  if (MayPointAtBlobs(entry.type)) context->NoteStoredKey(entry.user_key);
  return rep.has_embedded_blobs
             ? AddEmbedded(rep, fetch, stored, entry, context)
             : context->Add(entry.type, entry.sequence, stored, nullptr);
}

inline void SeekTimed(const TableReader::Rep& rep, const Slice& internal_key,
                      BlockIter* iter) {
  const PerfTimer timer(rep.file->clock(), &PerfContext::block_seek_nanos);
  // The block's hash index knows whole keys: not another timestamp's.
  if (rep.options.icmp->timestamp_size() > 0) [[unlikely]] {
    iter->Seek(internal_key);
  } else {
    iter->SeekForGet(internal_key);
  }
}

}  // namespace

BlockLookup LookUpInBlock(const TableReader::Rep& rep,
                          const FetchOptions& fetch, const Slice& internal_key,
                          GetContext* context, Cached<const Block>* block,
                          bool shared) {
  BlockIter iter;
  const Block* const b = block->get();
  iter.Init(b, rep.options.icmp);
  SeekTimed(rep, internal_key, &iter);
  if (fetch.lookup != nullptr) [[unlikely]] {
    fetch.lookup->NoteEntriesMax(b->restart_count() *
                                 rep.properties->data_block_restart_interval);
  }
  const Slice user_key = ExtractUserKey(internal_key);
  for (; iter.Valid(); iter.Next()) {
    const Slice key = iter.key();
    if (!rep.options.icmp->SameKey(ExtractUserKey(key), user_key)) {
      return BlockLookup::kDone;
    }
    if (fetch.lookup != nullptr) [[unlikely]]
      fetch.lookup->NoteEntry(key, iter.value());
    SequenceNumber sequence = ExtractSequence(key);
    if (rep.global_sequence != kSequenceMax) {
      sequence = rep.global_sequence;
      if (sequence > ExtractSequence(internal_key)) continue;  // Not visible.
    }
    if (context->wants_timestamp() &&
        !context->Accept(rep.TimestampIn(ExtractUserKey(key)), sequence)) {
      continue;
    }
    const ValueType type = ExtractType(key);
    if (type == ValueType::kValue) {
      // The last entry the lookup wants: the hold on the block goes along.
      Cached<const Block> own = shared ? block->Share() : std::move(*block);
      Cleanable pinner;
      const bool held = static_cast<bool>(own);
      own.MoveTo(&pinner);
      context->Add(type, sequence, iter.value(), held ? &pinner : nullptr);
      return BlockLookup::kDone;
    }
    if (!AddOther(rep, fetch, iter.value(),
                  {ExtractUserKey(key), sequence, type}, context)) {
      return BlockLookup::kDone;
    }
  }
  return iter.corrupt() ? BlockLookup::kCorrupt : BlockLookup::kNextBlock;
}

namespace {

// Begins to trace a lookup in this table; in the first table it gets its id.
TracedLookup* TraceLookup(const TableReader::Rep& rep,
                          const ReadOptions& options, const Slice& internal_key,
                          GetContext* context,
                          std::optional<TracedLookup>* traced) {
  BlockAccessTracer* const tracer = rep.options.block_tracer;
  if (context->trace_id() == 0) context->set_trace_id(tracer->NewLookup());
  return &traced->emplace(tracer, context->trace_id(),
                          options.snapshot != nullptr, internal_key);
}

// The filter let a lookup through; `found`: rightly so.
void CountPositive(const TableReader::Rep& rep, bool found) {
  if (rep.options.statistics != nullptr) {
    rep.Tick(BLOOM_FILTER_FULL_POSITIVE);
    if (found) rep.Tick(BLOOM_FILTER_FULL_TRUE_POSITIVE);
  }
  PerfAdd<&PerfContext::bloom_sst_hit_count>();
  const uint32_t level = rep.perf_level();
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_full_positive>(level);
  if (!found) return;
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_full_true_positive>(level);
}

}  // namespace

Status LookUpInBlocks(const TableReader::Rep& rep, const FetchOptions& fetch,
                      const Slice& internal_key, GetContext* context,
                      IndexCursor* index) {
  const Slice user_key = ExtractUserKey(internal_key);
  Cached<const Block> block;
  for (; index->Valid(); index->Next()) {
    if (index->BlockIsBehind(user_key, /*or_at=*/false)) break;
    const BlockHandle handle = index->handle();
    RETURN_IF_ERROR(rep.FetchData(fetch, handle, &block));
    const BlockLookup found =
        LookUpInBlock(rep, fetch, internal_key, context, &block,
                      /*shared=*/false);
    if (fetch.lookup != nullptr) [[unlikely]]
      fetch.lookup->EndData();
    if (found == BlockLookup::kCorrupt) {
      return rep.Corruption("bad entry in block", handle);
    }
    if (found == BlockLookup::kDone || index->EndsAfter(user_key)) break;
    block.Reset();
  }
  return index->status();
}

TableReader::TableReader(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}

TableReader::~TableReader() {
  if (rep_->charged_bytes > 0) {
    rep_->options.charge_to->Give(rep_->charged_bytes);
  }
}

Status TableReader::Charge() {
  if (rep_->options.charge_to == nullptr) return Status::OK();
  const size_t bytes = ApproximateMemoryUsage();
  RETURN_IF_ERROR(rep_->options.charge_to->Take(bytes));
  rep_->charged_bytes = bytes;
  return Status::OK();
}

Status TableReader::Get(const ReadOptions& options, const Slice& key,
                        GetContext* context, Env::IOActivity activity) const {
  const Rep& r = *rep_;
  // All of a table without timestamps is old enough for any.
  std::string stripped;
  Slice internal_key = key;
  if (r.stripped_icmp != nullptr) [[unlikely]] {
    stripped =
        StripTimestamp(ExtractUserKey(key), r.user_icmp->timestamp_size())
            .ToString();
    PutFixed64(&stripped, ExtractTrailer(key));
    internal_key = stripped;
  }
  // Before the filter, which knows nothing of ranges.
  if (r.tombstones != nullptr) [[unlikely]] {
    context->Cover(
        r.tombstones->NewestOver(context->user_key(), context->sequence()));
  }
  FetchOptions fetch = FetchOptionsFor(options);
  fetch.activity = activity;
  IOOptions io;
  if (options.rate_limiter_priority != Env::IO_TOTAL) {
    io.io_activity = fetch.activity;
    io.rate_limiter_priority = options.rate_limiter_priority;
    fetch.io = &io;
  }
  std::optional<TracedLookup> traced;
  if (r.TracesBlocks()) [[unlikely]]
    fetch.lookup = TraceLookup(r, options, internal_key, context, &traced);
  const bool filtered = !r.filter_handle.IsNull();
  if (filtered && !r.KeyMayMatch(fetch, internal_key)) {
    r.Tick(BLOOM_FILTER_USEFUL);
    PerfAdd<&PerfContext::bloom_sst_miss_count>();
    PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(r.perf_level());
    return Status::OK();
  }

  IndexCursor index(&r, &fetch);
  index.Seek(internal_key);
  RETURN_IF_ERROR(LookUpInBlocks(r, fetch, internal_key, context, &index));
  if (filtered) {
    CountPositive(r, context->state() != GetContext::State::kNotFound);
  }
  return Status::OK();
}

InternalIterator* TableReader::NewIterator(const ReadOptions& options,
                                           const TableScan& scan) const {
  InternalIterator* stored = rep_->NewIterator(options, scan);
  if (rep_->has_embedded_blobs) {
    stored = new EmbeddedBlobIterator(std::unique_ptr<InternalIterator>(stored),
                                      rep_.get(), options);
  }
  if (rep_->stripped_icmp == nullptr) return stored;
  return new PaddingIterator(std::unique_ptr<InternalIterator>(stored),
                             rep_->user_icmp->timestamp_size());
}

bool TableReader::KeyCannotMatch(const Slice& user_key) const {
  const FetchOptions fetch;
  const LookupKey key(user_key, kSequenceMax);
  return !rep_->KeyMayMatch(fetch, key.internal_key());
}

uint64_t TableReader::ApproximateOffsetOf(const Slice& internal_key) const {
  const Rep& r = *rep_;
  const FetchOptions fetch;
  IndexCursor index(&r, &fetch);
  if (r.stripped_icmp != nullptr) {
    index.Seek(StrippedTarget(internal_key, r.user_icmp->timestamp_size()));
  } else {
    index.Seek(internal_key);
  }
  if (index.Valid()) return index.handle().offset;
  // Behind all keys: where the data ends.
  if (r.properties->data_size != 0) return r.properties->data_size;
  return r.footer.metaindex.offset;
}

Status TableReader::ApproximateKeyAnchors(size_t count,
                                          std::vector<Anchor>* anchors) const {
  const Rep& r = *rep_;
  FetchOptions fetch;
  fetch.fill_cache = false;
  const uint64_t total = r.properties->data_size;
  const uint64_t step =
      std::max<uint64_t>(1, total / std::max<size_t>(1, count));
  FilePrefetchBuffer prefetch(
      r.file.get(), FilePrefetchBuffer::Policy::Fixed(kWalkReadaheadBytes));
  prefetch.set_limit(r.index_handle.end());
  IndexCursor index(&r, &fetch, r.index_is_partitioned ? &prefetch : nullptr);
  const std::string before_versions =
      MaxTimestampOf(*r.user_icmp->user_comparator());
  uint64_t since_last = 0;
  for (index.SeekToFirst(); index.Valid(); index.Next()) {
    since_last += index.handle().size + kBlockTrailerSize;
    if (since_last < step) continue;
    const Slice key = index.separator_user_key();
    anchors->push_back({r.stripped_icmp != nullptr
                            ? key.ToString() + before_versions
                            : WithTimestamp(key, before_versions),
                        since_last});
    since_last = 0;
  }
  return index.status();
}

namespace {

// `top`: the index of filter partitions, whether or not a filter is in use.
Status VerifyFilterPartitions(const TableReader::Rep& rep,
                              const BlockHandle& top, const FetchOptions& fetch,
                              const BlockReadRequest& request) {
  if (top.size == 0) return Status::OK();
  Cached<const FlatIndex> partitions;
  RETURN_IF_ERROR(rep.FetchIndex(fetch, top, &partitions));
  Block::Ptr block;
  for (size_t i = 0; i < partitions->size(); ++i) {
    RETURN_IF_ERROR(
        ReadBlock(rep.source, partitions->handle(i), request, &block));
  }
  return Status::OK();
}

}  // namespace

Status TableReader::VerifyChecksums(const ReadOptions& options) const {
  const Rep& r = *rep_;
  const size_t readahead =
      options.readahead_size > 0 ? options.readahead_size : kWalkReadaheadBytes;
  FilePrefetchBuffer prefetch(r.file.get(),
                              FilePrefetchBuffer::Policy::Fixed(readahead));
  IOOptions io;
  io.rate_limiter_priority = options.rate_limiter_priority;
  io.io_activity = options.io_activity;
  BlockReadRequest request;
  request.io = &io;
  request.prefetch = &prefetch;
  request.dict = &r.dict;
  FetchOptions fetch;
  fetch.io = &io;
  fetch.use_cache = false;
  Block::Ptr block;
  FilePrefetchBuffer index_prefetch(
      r.file.get(), FilePrefetchBuffer::Policy::Fixed(readahead));
  index_prefetch.set_limit(r.index_handle.end());
  IndexCursor index(&r, &fetch,
                    r.index_is_partitioned ? &index_prefetch : nullptr);
  for (index.SeekToFirst(); index.Valid(); index.Next()) {
    RETURN_IF_ERROR(ReadBlock(r.source, index.handle(), request, &block));
  }
  RETURN_IF_ERROR(index.status());
  if (r.has_embedded_blobs) {  // Their records are among the blocks.
    const std::unique_ptr<InternalIterator> entries(
        NewIterator(options, TableReadPurpose::kVerify));
    for (entries->SeekToFirst(); entries->Valid();) entries->Next();
    RETURN_IF_ERROR(entries->status());
  }

  request.dict = nullptr;
  const BlockReadRequest ahead = request;
  request.prefetch = nullptr;
  for (const auto& [name, handle] : r.meta_blocks) {
    // Open() read the properties, and a sequence number written into them
    // later is outside their checksum.
    if (name == "rocksdb.properties") continue;
    RETURN_IF_ERROR(ReadBlock(r.source, handle, request, &block));
    if (!Slice(name).starts_with(kPartitionedFilterPrefix)) continue;
    RETURN_IF_ERROR(VerifyFilterPartitions(r, handle, fetch, ahead));
  }
  return Status::OK();
}

const std::shared_ptr<const TableProperties>& TableReader::properties() const {
  return rep_->properties;
}

const std::shared_ptr<const TombstoneSet>& TableReader::tombstones() const {
  return rep_->tombstones;
}

Status TableReader::ReadRangeDeletions(
    std::vector<std::pair<std::string, std::string>>* out) const {
  const Rep& r = *rep_;
  const BlockHandle& handle = r.range_deletion_handle;
  if (handle.IsNull()) return Status::OK();
  Block::Ptr block;
  RETURN_IF_ERROR(ReadBlock(r.source, handle, {}, &block));
  const bool sound = ForEachMetaEntry(block->payload(), [&](const Slice& key,
                                                            const Slice& end) {
    if (key.size() < kTrailerSize) return false;
    std::string begin = key.ToString();
    if (r.global_sequence != kSequenceMax) {
      EncodeFixed64(begin.data() + begin.size() - kTrailerSize,
                    PackSequenceAndType(r.global_sequence, ExtractType(key)));
    }
    out->emplace_back(std::move(begin), end.ToString());
    return true;
  });
  return sound ? Status::OK()
               : r.Corruption("bad range deletion block", handle);
}

TableReader::Memory TableReader::MemoryUse() const {
  const Rep& r = *rep_;
  Memory use;
  use.others = sizeof(Rep) + r.properties->ApproximateMemoryUsage();
  // What the cache holds, it counts.
  const auto add_index = [](const Cached<const FlatIndex>& index,
                            size_t* bytes) {
    if (index && !index.in_cache()) *bytes += index->memory_usage();
  };
  const auto add_filter = [&](const Cached<const FilterBlock>& filter) {
    if (filter && !filter.in_cache()) {
      use.filter += filter->payload->memory_usage();
    }
  };
  add_index(r.index, &use.index);
  add_index(r.filter_index, &use.filter);
  add_filter(r.filter);
  use.index += r.index_partitions.capacity() * sizeof(r.index_partitions[0]);
  use.filter += r.filter_partitions.capacity() * sizeof(r.filter_partitions[0]);
  for (const auto& partition : r.index_partitions) {
    add_index(partition, &use.index);
  }
  for (const auto& partition : r.filter_partitions) add_filter(partition);
  if (r.tombstones != nullptr) use.others += r.tombstones->memory_bytes();
  if (!r.dict.empty()) use.others += r.dict.ApproximateMemoryUsage();
  return use;
}

std::string TableReader::DescribeLayout() const {
  const Rep& r = *rep_;
  const auto line = [](const std::string& name, const BlockHandle& handle) {
    return "  " + name + ": offset " + std::to_string(handle.offset) +
           ", size " + std::to_string(handle.size) + "\n";
  };
  std::string text = "Footer Details:\n--------------------------------------";
  text += "\n  format version: " + std::to_string(r.footer.format_version);
  text += "\n  checksum type: " + std::to_string(r.footer.checksum_type);
  text += "\n" + line("metaindex handle", r.footer.metaindex);
  text += line("index handle", r.index_handle);
  text += "\nMetaindex Details:\n--------------------------------------\n";
  for (const auto& [name, handle] : r.meta_blocks) text += line(name, handle);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
