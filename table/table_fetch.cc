// Getting blocks of an open table: cache first, then the file.

#include <algorithm>
#include <cassert>

#include "rocksdb/slice_transform.h"
#include "table/table_rep.h"
#include "util/cache/sharded_cache.h"
#include "util/core_local.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What blocks of one kind are counted as.
struct BlockKind {
  const Cache::CacheItemHelper* helper;
  bool is_metadata;  // Cached with the priority of those.
  uint32_t hit;
  uint32_t miss;
  uint32_t add;
  uint32_t bytes_insert;
  uint32_t bytes_read;  // From the file.
  // Besides the counts of all kinds; null for data.
  uint64_t PerfContextBase::*perf_hits;
  uint64_t PerfContextBase::*perf_hit_bytes;
  uint64_t PerfContextBase::*perf_reads;
  TraceType traced;
};
constexpr BlockKind kDataBlocks = {&kDataBlockHelper,
                                   false,
                                   BLOCK_CACHE_DATA_HIT,
                                   BLOCK_CACHE_DATA_MISS,
                                   BLOCK_CACHE_DATA_ADD,
                                   BLOCK_CACHE_DATA_BYTES_INSERT,
                                   DATA_BLOCK_READ_BYTES,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   kBlockTraceDataBlock};
constexpr BlockKind kIndexBlocks = {&kIndexBlockHelper,
                                    true,
                                    BLOCK_CACHE_INDEX_HIT,
                                    BLOCK_CACHE_INDEX_MISS,
                                    BLOCK_CACHE_INDEX_ADD,
                                    BLOCK_CACHE_INDEX_BYTES_INSERT,
                                    INDEX_BLOCK_READ_BYTES,
                                    &PerfContext::block_cache_index_hit_count,
                                    &PerfContext::block_cache_index_read_byte,
                                    &PerfContext::index_block_read_count,
                                    kBlockTraceIndexBlock};
constexpr BlockKind kFilterBlocks = {&kFilterBlockHelper,
                                     true,
                                     BLOCK_CACHE_FILTER_HIT,
                                     BLOCK_CACHE_FILTER_MISS,
                                     BLOCK_CACHE_FILTER_ADD,
                                     BLOCK_CACHE_FILTER_BYTES_INSERT,
                                     FILTER_BLOCK_READ_BYTES,
                                     &PerfContext::block_cache_filter_hit_count,
                                     &PerfContext::block_cache_filter_read_byte,
                                     &PerfContext::filter_block_read_count,
                                     kBlockTraceFilterBlock};

// The index of filter partitions.
constexpr BlockKind kFilterTops = [] {
  BlockKind kind = kFilterBlocks;
  kind.helper = &kFilterTopHelper;
  return kind;
}();

void CountHit(const TableReader::Rep& rep, const BlockKind& kind,
              Cache::Handle* handle) {
  if (!PerfEnabled(kEnableCount)) return;
  const uint64_t bytes = rep.cache->GetCharge(handle);
  PerfContext& perf = Contexts().perf;
  ++perf.block_cache_hit_count;
  perf.block_cache_read_byte += bytes;
  PerfAddAtLevel<&PerfContextByLevel::block_cache_hit_count>(rep.perf_level());
  if (kind.perf_hits == nullptr) return;
  ++(perf.*kind.perf_hits);
  perf.*kind.perf_hit_bytes += bytes;
}

void CountRead(const BlockKind& kind, uint64_t bytes) {
  if (!PerfEnabled(kEnableCount)) return;
  PerfContext& perf = Contexts().perf;
  ++perf.block_read_count;
  perf.block_read_byte += bytes;
  if (kind.perf_reads != nullptr) ++(perf.*kind.perf_reads);
}

Cache::Priority PriorityOf(const TableReader::Rep& rep, const BlockKind& kind) {
  return kind.is_metadata ? rep.meta_priority : Cache::Priority::LOW;
}

const Cache::CacheItemHelper* HelperOf(const TableReader::Rep& rep,
                                       const BlockKind& kind) {
  return rep.options.uses_secondary_cache
             ? kind.helper
             : kind.helper->without_secondary_compat;
}

// Counts a lookup in the cache and holds what it found, if anything.
template <typename T>
bool TakeFound(const TableReader::Rep& rep, Cache::Handle* handle,
               const BlockKind& kind, Cached<const T>* out) {
  const bool hit = handle != nullptr;
  if (rep.options.statistics != nullptr) {
    rep.Tick(hit ? BLOCK_CACHE_HIT : BLOCK_CACHE_MISS);
    rep.Tick(hit ? kind.hit : kind.miss);
    if (hit) rep.Tick(BLOCK_CACHE_BYTES_READ, rep.cache->GetCharge(handle));
  }
  if (!hit) {
    PerfAddAtLevel<&PerfContextByLevel::block_cache_miss_count>(
        rep.perf_level());
    return false;
  }
  CountHit(rep, kind, handle);
  *out = Cached<const T>::FromCache(rep.cache, handle);
  return true;
}

template <typename T>
bool FromCache(const TableReader::Rep& rep, const Slice& key,
               const BlockKind& kind, Cached<const T>* out) {
  assert(rep.cache != nullptr);
  Cache::Handle* const handle =
      rep.cache->Lookup(key, HelperOf(rep, kind), &rep.create_context,
                        PriorityOf(rep, kind), rep.options.statistics);
  return TakeFound(rep, handle, kind, out);
}

size_t BytesInMemory(const Block& block) { return block.memory_usage(); }
size_t BytesInMemory(const FlatIndex& index) { return index.memory_usage(); }
size_t BytesInMemory(const FilterBlock& filter) {
  return filter.payload->memory_usage() + sizeof(FilterBlock);
}

// An access that found the block, or has read it if it could. REQUIRES:
// rep.TracesBlocks(), as a moment ago.
template <typename T>
void TraceAccess(const TableReader::Rep& rep, const BlockKind& kind,
                 const FetchOptions& fetch, const Slice& key, bool hit,
                 const Cached<const T>& block) {
  BlockAccess access;
  access.key = key;
  access.type = kind.traced;
  if (block) access.bytes = BytesInMemory(*block.get());
  access.hit = hit;
  access.stays_out = !fetch.fill_cache;
  assert(rep.properties != nullptr);  // They are read first.
  access.family_id = rep.properties->column_family_id;
  access.family_name = rep.properties->column_family_name;
  access.level = std::max(0, rep.options.level);
  access.file_number = rep.options.file_number;
  access.activity = fetch.activity;
  if (fetch.lookup != nullptr) fetch.lookup->Describe(&access);
  if (fetch.lookup != nullptr && kind.traced == kBlockTraceDataBlock) {
    fetch.lookup->BeginData(access);
  } else {
    rep.options.block_tracer->Add(access);
  }
}

// Takes ownership of `object`. A strict cache without room refuses, or the
// memory for what is read would have no limit.
template <typename T>
Status IntoCache(const TableReader::Rep& rep, const Slice& key, const T* object,
                 const BlockKind& kind,
                 const typename Cached<const T>::Admission& admission,
                 Cached<const T>* out) {
  const Status status =
      Cached<const T>::Insert(rep.cache, key, object, admission, out);
  if (rep.options.statistics == nullptr) return status;
  if (!status.ok()) {
    rep.Tick(BLOCK_CACHE_ADD_FAILURES);
    return status;
  }
  rep.Tick(BLOCK_CACHE_ADD);
  rep.Tick(BLOCK_CACHE_BYTES_WRITE, admission.charge);
  rep.Tick(kind.add);
  rep.Tick(kind.bytes_insert, admission.charge);
  return status;
}

BlockReadRequest RequestFor(const TableReader::Rep& rep,
                            const FetchOptions& fetch) {
  BlockReadRequest request;
  request.io = fetch.io;
  request.activity = fetch.activity;
  request.prefetch = fetch.prefetch;
  request.io_pass =
      fetch.io_pass != nullptr ? fetch.io_pass : rep.options.user_pass;
  request.limits = fetch.limits;
  request.verify_checksum = fetch.verify_checksums;
  return request;
}

void CountBlockRead(const TableReader::Rep& rep, const BlockKind& kind,
                    const BlockHandle& handle) {
  const uint64_t bytes = handle.size + kBlockTrailerSize;
  CountRead(kind, bytes);
  if (rep.options.statistics != nullptr) rep.Tick(kind.bytes_read, bytes);
}

Status ReadCounted(const TableReader::Rep& rep, const BlockKind& kind,
                   const BlockHandle& handle, const BlockReadRequest& request,
                   Block::Ptr* block) {
  {
    const PerfTimer timer(rep.file->clock(), &PerfContext::block_read_time);
    RETURN_IF_ERROR(ReadBlock(rep.source, handle, request, block));
  }
  CountBlockRead(rep, kind, handle);
  return Status::OK();
}

// What is not in the cache, as `make` makes it: make(&object, &charge).
template <typename T, typename Make>
Status Load(const TableReader::Rep& rep, const BlockKind& kind,
            const FetchOptions& fetch, const Slice& key, const Make& make,
            Cached<const T>* out) {
  const T* object = nullptr;
  size_t charge = 0;
  {
    const StopWatch watch(rep.file->clock(), rep.options.statistics,
                          fetch.activity == Env::IOActivity::kCompaction
                              ? READ_BLOCK_COMPACTION_MICROS
                              : READ_BLOCK_GET_MICROS);
    RETURN_IF_ERROR(make(&object, &charge));
  }
  assert(object != nullptr);
  if (rep.cache == nullptr || !fetch.use_cache || !fetch.fill_cache) {
    *out = Cached<const T>::Own(object);
    return Status::OK();
  }
  return IntoCache<T>(rep, key, object, kind,
                      {HelperOf(rep, kind), charge, PriorityOf(rep, kind)},
                      out);
}

// From the cache, or as `make` makes it.
template <typename T, typename Make>
Status Fetch(const TableReader::Rep& rep, const BlockKind& kind,
             const FetchOptions& fetch, const Slice& key, const Make& make,
             Cached<const T>* out) {
  const bool cached = rep.cache != nullptr && fetch.use_cache;
  const bool traced = cached && rep.TracesBlocks();
  if (cached && FromCache(rep, key, kind, out)) {
    if (traced) [[unlikely]]
      TraceAccess(rep, kind, fetch, key, /*hit=*/true, *out);
    return Status::OK();
  }
  const Status status =
      fetch.may_read ? Load<T>(rep, kind, fetch, key, make, out) : NotInCache();
  if (traced) [[unlikely]]
    TraceAccess(rep, kind, fetch, key, /*hit=*/false, *out);
  return status;
}

}  // namespace

Status NotInCache() {
  return Status::Incomplete("block not in cache and reading not allowed");
}

FetchOptions FetchOptionsFor(const ReadOptions& options) {
  FetchOptions fetch;
  fetch.verify_checksums = options.verify_checksums;
  fetch.fill_cache = options.fill_cache;
  fetch.may_read = options.read_tier != kBlockCacheTier &&
                   options.read_tier != kMemtableTier;
  fetch.limits = {static_cast<uint64_t>(options.deadline.count()),
                  static_cast<uint64_t>(options.io_timeout.count())};
  return fetch;
}

Status TableReader::Rep::Corruption(const std::string& what,
                                    const BlockHandle& handle) const {
  return Status::Corruption(what + " in " + file->file_name() + " offset " +
                            std::to_string(handle.offset) + " size " +
                            std::to_string(handle.size));
}

BlockReadRequest DataRequest(const TableReader::Rep& rep,
                             const FetchOptions& fetch) {
  BlockReadRequest request = RequestFor(rep, fetch);
  request.dict = &rep.dict;
  return request;
}

Status TableReader::Rep::PrepareData(const FetchOptions& fetch,
                                     const BlockHandle& handle, Block* block,
                                     size_t* charge) const {
  CountBlockRead(*this, kDataBlocks, handle);
  if (options.user_read_bytes != nullptr && fetch.io_pass == nullptr) {
    options.user_read_bytes->Add(handle.size);
  }
  if (!block->Parse()) return Corruption("bad block contents", handle);
  // Not worth it for a single pass over the block.
  const bool stays = cache != nullptr && fetch.use_cache;
  if (stays && options.icmp->bytewise()) block->TakeSamples();
  if (options.protection_bytes > 0 &&
      !block->Protect(options.icmp, options.protection_bytes)) {
    return Corruption("bad entry in block", handle);
  }
  *charge = block->memory_usage();
  return Status::OK();
}

void TableReader::Rep::FetchCachedData(const FetchOptions& fetch,
                                       const BlockHandle* handles, size_t count,
                                       Cached<const Block>* blocks) const {
  if (cache == nullptr || !fetch.use_cache) return;
  const auto key_of = [&](size_t i) {
    return BlockCacheKey(cache_key, handles[i].offset,
                         BlockCacheKey::Form::kBlock);
  };
  // What is missing is traced when it was read: TakeData().
  const auto trace = [&] {
    for (size_t i = 0; i < count; ++i) {
      if (!blocks[i] && fetch.may_read) continue;
      TraceAccess(*this, kDataBlocks, fetch, key_of(i),
                  /*hit=*/static_cast<bool>(blocks[i]), blocks[i]);
    }
  };
  if (batched_cache == nullptr || count == 1) {
    for (size_t i = 0; i < count; ++i) {
      FromCache(*this, key_of(i), kDataBlocks, &blocks[i]);
    }
    if (TracesBlocks()) [[unlikely]]
      trace();
    return;
  }
  constexpr size_t kAtOnce = 32;
  for (size_t begin = 0; begin < count; begin += kAtOnce) {
    const size_t n = std::min(kAtOnce, count - begin);
    char bytes[kAtOnce][sizeof(BlockCacheKey)];
    Slice keys[kAtOnce];
    Cache::Handle* found[kAtOnce];
    for (size_t i = 0; i < n; ++i) {
      const BlockCacheKey key = key_of(begin + i);
      std::memcpy(bytes[i], key.bytes, sizeof(bytes[i]));
      keys[i] = Slice(bytes[i], sizeof(bytes[i]));
    }
    batched_cache->LookupMany(keys, n, found);
    for (size_t i = 0; i < n; ++i) {
      TakeFound(*this, found[i], kDataBlocks, &blocks[begin + i]);
    }
  }
  if (TracesBlocks()) [[unlikely]]
    trace();
}

Status TableReader::Rep::TakeData(const FetchOptions& fetch,
                                  const BlockHandle& handle, Block::Ptr block,
                                  Cached<const Block>* out) const {
  const auto load = [&](const Block** object, size_t* charge) {
    RETURN_IF_ERROR(PrepareData(fetch, handle, block.get(), charge));
    *object = block.release();
    return Status::OK();
  };
  const BlockCacheKey key(cache_key, handle.offset,
                          BlockCacheKey::Form::kBlock);
  const Status status = Load<Block>(*this, kDataBlocks, fetch, key, load, out);
  if (cache != nullptr && fetch.use_cache && TracesBlocks()) [[unlikely]]
    TraceAccess(*this, kDataBlocks, fetch, key, /*hit=*/false, *out);
  return status;
}

Status TableReader::Rep::FetchData(const FetchOptions& fetch,
                                   const BlockHandle& handle,
                                   Cached<const Block>* out) const {
  const PerfTimer timer(file->clock(),
                        &PerfContext::new_table_block_iter_nanos);
  const auto load = [&](const Block** object, size_t* charge) {
    Block::Ptr block;
    {
      const PerfTimer read(file->clock(), &PerfContext::block_read_time);
      RETURN_IF_ERROR(
          ReadBlock(source, handle, DataRequest(*this, fetch), &block));
    }
    RETURN_IF_ERROR(PrepareData(fetch, handle, block.get(), charge));
    *object = block.release();
    return Status::OK();
  };
  return Fetch<Block>(
      *this, kDataBlocks, fetch,
      BlockCacheKey(cache_key, handle.offset, BlockCacheKey::Form::kBlock),
      load, out);
}

Status TableReader::Rep::FetchIndex(const FetchOptions& fetch,
                                    const BlockHandle& handle,
                                    Cached<const FlatIndex>* out) const {
  const BlockKind& kind =
      filter_is_partitioned && handle.offset == filter_handle.offset
          ? kFilterTops
          : kIndexBlocks;
  const auto load = [&](const FlatIndex** object, size_t* charge) {
    const PerfTimer timer(file->clock(), &PerfContext::read_index_block_nanos);
    Block::Ptr block;
    RETURN_IF_ERROR(
        ReadCounted(*this, kind, handle, RequestFor(*this, fetch), &block));
    std::unique_ptr<FlatIndex> parsed =
        FlatIndex::Parse(block.get(), index_encoding, *options.icmp, file_size);
    if (parsed == nullptr) return Corruption("bad index block", handle);
    *charge = parsed->memory_usage();
    *object = parsed.release();
    return Status::OK();
  };
  return Fetch<FlatIndex>(
      *this, kind, fetch,
      BlockCacheKey(cache_key, handle.offset, BlockCacheKey::Form::kIndex),
      load, out);
}

Status TableReader::Rep::FetchFilter(const FetchOptions& fetch,
                                     const BlockHandle& handle,
                                     Cached<const FilterBlock>* out) const {
  const auto load = [&](const FilterBlock** object, size_t* charge) {
    const PerfTimer timer(file->clock(), &PerfContext::read_filter_block_nanos);
    Block::Ptr block;
    RETURN_IF_ERROR(ReadCounted(*this, kFilterBlocks, handle,
                                RequestFor(*this, fetch), &block));
    *charge = block->memory_usage() + sizeof(FilterBlock);
    *object = new FilterBlock(std::move(block));
    return Status::OK();
  };
  return Fetch<FilterBlock>(
      *this, kFilterBlocks, fetch,
      BlockCacheKey(cache_key, handle.offset, BlockCacheKey::Form::kFilter),
      load, out);
}

Status TableReader::Rep::FetchTop(const FetchOptions& fetch,
                                  const Cached<const FlatIndex>& held,
                                  const BlockHandle& handle,
                                  Cached<const FlatIndex>* hold,
                                  const FlatIndex** top) const {
  if (!held) RETURN_IF_ERROR(FetchIndex(fetch, handle, hold));
  *top = held ? held.get() : hold->get();
  return Status::OK();
}

bool TableReader::Rep::FilterSubject(const Slice& internal_key,
                                     Slice* subject) const {
  Slice user_key = ExtractUserKey(internal_key);
  user_key.remove_suffix(options.icmp->user_comparator()->timestamp_size());
  if (whole_key_filtering) {
    *subject = user_key;
    return true;
  }
  if (!prefix_filtering || !options.prefix_extractor->InDomain(user_key)) {
    return false;
  }
  *subject = options.prefix_extractor->Transform(user_key);
  return true;
}

bool TableReader::Rep::KeyMayMatch(const FetchOptions& fetch,
                                   const Slice& internal_key) const {
  if (filter_handle.IsNull()) return true;
  Slice subject;
  if (!FilterSubject(internal_key, &subject)) return true;
  if (filter) return filter->bits.MayMatch(subject);

  BlockHandle handle = filter_handle;
  if (filter_is_partitioned) {
    Cached<const FlatIndex> hold;
    const FlatIndex* top = nullptr;
    if (!FetchTop(fetch, filter_index, filter_handle, &hold, &top).ok()) {
      return true;
    }
    if (top->size() == 0) return true;
    // Behind the last separator the last partition is in charge.
    const size_t i =
        std::min(top->Find(*options.icmp, internal_key), top->size() - 1);
    if (i < filter_partitions.size() && filter_partitions[i]) {
      return filter_partitions[i]->bits.MayMatch(subject);
    }
    handle = top->handle(i);
  }
  Cached<const FilterBlock> block;
  if (!FetchFilter(fetch, handle, &block).ok()) return true;
  return block->bits.MayMatch(subject);
}

bool TableReader::Rep::PartitionMayMatch(const FetchOptions& fetch,
                                         const FlatIndex& top, size_t partition,
                                         const Slice& prefix) const {
  if (partition < filter_partitions.size() && filter_partitions[partition]) {
    return filter_partitions[partition]->bits.MayMatch(prefix);
  }
  Cached<const FilterBlock> block;
  return !FetchFilter(fetch, top.handle(partition), &block).ok() ||
         block->bits.MayMatch(prefix);
}

bool TableReader::Rep::PrefixMayMatch(const FetchOptions& fetch,
                                      const Slice& internal_key,
                                      const Slice& prefix,
                                      bool backward) const {
  if (filter) return filter->bits.MayMatch(prefix);
  FetchOptions of_filter = fetch;
  of_filter.prefetch = nullptr;
  if (!filter_is_partitioned) {
    Cached<const FilterBlock> block;
    return !FetchFilter(of_filter, filter_handle, &block).ok() ||
           block->bits.MayMatch(prefix);
  }
  Cached<const FlatIndex> hold;
  const FlatIndex* top = nullptr;
  if (!FetchTop(of_filter, filter_index, filter_handle, &hold, &top).ok() ||
      top->size() == 0) {
    return true;
  }
  // Forwards, the entry sought is in this partition or is the next one's
  // first, whose prefix this one has. Backwards it may be the last one of the
  // partition before, about which older writers tell nothing here.
  const size_t at =
      std::min(top->Find(*options.icmp, internal_key), top->size() - 1);
  return PartitionMayMatch(of_filter, *top, at, prefix) ||
         (backward && at > 0 &&
          PartitionMayMatch(of_filter, *top, at - 1, prefix));
}

// A window of data read ahead is not for index blocks: they lie elsewhere.
FetchOptions IndexCursor::IndexFetch() const {
  FetchOptions fetch = *fetch_;
  fetch.prefetch = prefetch_;
  return fetch;
}

bool IndexCursor::LoadTop() {
  if (!status_.ok()) status_ = Status::OK();
  if (top_ == nullptr) {
    top_ = rep_->index.get();
    if (top_ == nullptr) {
      status_ = rep_->FetchIndex(IndexFetch(), rep_->index_handle, &top_hold_);
      if (!status_.ok()) {
        leaf_ = nullptr;
        return false;
      }
      top_ = top_hold_.get();
    }
  }
  if (!rep_->index_is_partitioned) leaf_ = top_;
  return true;
}

bool IndexCursor::LoadPartition(size_t index) {
  if (index >= top_->size()) {
    leaf_ = nullptr;
    return false;
  }
  const auto& pinned = rep_->index_partitions;
  if (index < pinned.size() && pinned[index]) {
    partition_index_ = index;
    leaf_ = pinned[index].get();
    return true;
  }
  if (partition_index_ != index || !partition_) {
    partition_.Reset();
    status_ = rep_->FetchIndex(IndexFetch(), top_->handle(index), &partition_);
    if (!status_.ok()) {
      leaf_ = nullptr;
      return false;
    }
    partition_index_ = index;
  }
  leaf_ = partition_.get();
  return true;
}

// From the end of a partition to the start of the next one that has entries.
void IndexCursor::SkipForward() {
  if (!rep_->index_is_partitioned) return;
  while (leaf_ != nullptr && at_ >= leaf_->size()) {
    if (!LoadPartition(partition_index_ + 1)) return;
    at_ = 0;
  }
}

void IndexCursor::SkipBackward() {
  while (leaf_ != nullptr && leaf_->size() == 0) {
    if (partition_index_ == 0) {
      leaf_ = nullptr;
      return;
    }
    if (!LoadPartition(partition_index_ - 1)) return;
  }
  if (leaf_ != nullptr) at_ = leaf_->size() - 1;
}

void IndexCursor::Seek(const Slice& target) {
  if (!LoadTop()) return;
  if (!rep_->index_is_partitioned) {
    at_ = top_->Find(*rep_->options.icmp, target);
    return;
  }
  if (!LoadPartition(top_->Find(*rep_->options.icmp, target))) return;
  at_ = leaf_->Find(*rep_->options.icmp, target);
  SkipForward();
}

void IndexCursor::SeekToFirst() {
  if (!LoadTop()) return;
  at_ = 0;
  if (rep_->index_is_partitioned && LoadPartition(0)) SkipForward();
}

void IndexCursor::SeekToLast() {
  if (!LoadTop()) return;
  if (!rep_->index_is_partitioned) {
    at_ = top_->size() - 1;  // Wraps to "not valid" when empty.
    return;
  }
  if (top_->size() == 0) {
    leaf_ = nullptr;
    return;
  }
  if (LoadPartition(top_->size() - 1)) SkipBackward();
}

void IndexCursor::Next() {
  ++at_;
  SkipForward();
}

void IndexCursor::Prev() {
  if (at_ > 0) {
    --at_;
    return;
  }
  if (!rep_->index_is_partitioned || partition_index_ == 0) {
    leaf_ = nullptr;
    return;
  }
  if (LoadPartition(partition_index_ - 1)) SkipBackward();
}

}  // namespace ROCKSDB_NAMESPACE::engine
