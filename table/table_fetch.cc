// Getting blocks of an open table: cache first, then the file.

#include <algorithm>

#include "rocksdb/slice_transform.h"
#include "table/table_rep.h"
#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

template <typename T>
void DeleteCached(Cache::ObjectPtr object, MemoryAllocator*) {
  CachedDelete<T>::Delete(static_cast<T*>(object));
}

constexpr Cache::CacheItemHelper kDataHelper(CacheEntryRole::kDataBlock,
                                             &DeleteCached<const Block>);
constexpr Cache::CacheItemHelper kIndexHelper(CacheEntryRole::kIndexBlock,
                                              &DeleteCached<const FlatIndex>);
constexpr Cache::CacheItemHelper kFilterHelper(
    CacheEntryRole::kFilterBlock, &DeleteCached<const FilterBlock>);

struct CacheTickers {
  uint32_t hit;
  uint32_t miss;
  uint32_t add;
  uint32_t bytes;
};
constexpr CacheTickers kDataTickers = {
    BLOCK_CACHE_DATA_HIT, BLOCK_CACHE_DATA_MISS, BLOCK_CACHE_DATA_ADD,
    BLOCK_CACHE_DATA_BYTES_INSERT};
constexpr CacheTickers kIndexTickers = {
    BLOCK_CACHE_INDEX_HIT, BLOCK_CACHE_INDEX_MISS, BLOCK_CACHE_INDEX_ADD,
    BLOCK_CACHE_INDEX_BYTES_INSERT};
constexpr CacheTickers kFilterTickers = {
    BLOCK_CACHE_FILTER_HIT, BLOCK_CACHE_FILTER_MISS, BLOCK_CACHE_FILTER_ADD,
    BLOCK_CACHE_FILTER_BYTES_INSERT};

Status NotInCache() {
  return Status::Incomplete("block not in cache and reading not allowed");
}

}  // namespace

// 16 bytes: the file's id, mixed with the block's offset.
struct TableReader::Rep::CacheKey {
  CacheKey(const Rep& rep, uint64_t offset) {
    EncodeFixed64(bytes, rep.cache_key[0]);
    EncodeFixed64(bytes + 8, rep.cache_key[1] ^ offset);
  }
  operator Slice() const { return {bytes, sizeof(bytes)}; }  // NOLINT
  char bytes[16];
};

namespace {

template <typename T>
bool FromCache(const TableReader::Rep& rep, const Slice& key,
               const CacheTickers& tickers, Cached<const T>* out) {
  Cache::Handle* const handle = rep.cache->Lookup(key);
  const bool hit = handle != nullptr;
  if (rep.options.statistics != nullptr) {
    rep.Tick(hit ? BLOCK_CACHE_HIT : BLOCK_CACHE_MISS);
    rep.Tick(hit ? tickers.hit : tickers.miss);
  }
  if (hit) *out = Cached<const T>::FromCache(rep.cache, handle);
  return hit;
}

struct CacheAdmission {
  const Cache::CacheItemHelper* helper;
  const CacheTickers* tickers;
  size_t charge;
  Cache::Priority priority;
};

// Takes ownership of `object`.
template <typename T>
void IntoCache(const TableReader::Rep& rep, const Slice& key, const T* object,
               const CacheAdmission& admission, Cached<const T>* out) {
  bool added = false;
  *out = Cached<const T>::Insert(
      rep.cache, key, object,
      {admission.helper, admission.charge, admission.priority}, &added);
  if (rep.options.statistics == nullptr) return;
  if (!added) return rep.Tick(BLOCK_CACHE_ADD_FAILURES);
  rep.Tick(BLOCK_CACHE_ADD);
  rep.Tick(BLOCK_CACHE_BYTES_WRITE, admission.charge);
  rep.Tick(admission.tickers->add);
  rep.Tick(admission.tickers->bytes, admission.charge);
}

BlockReadRequest RequestFor(const FetchOptions& fetch) {
  BlockReadRequest request;
  request.io = fetch.io;
  request.prefetch = fetch.prefetch;
  request.io_pass = fetch.io_pass;
  request.limits = fetch.limits;
  request.verify_checksum = fetch.verify_checksums;
  return request;
}

}  // namespace

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

Status TableReader::Rep::FetchData(const FetchOptions& fetch,
                                   const BlockHandle& handle,
                                   Cached<const Block>* out) const {
  const bool cached = cache != nullptr && fetch.use_cache;
  const CacheKey key(*this, handle.offset);
  if (cached && FromCache(*this, key, kDataTickers, out)) {
    return Status::OK();
  }
  if (!fetch.may_read) return NotInCache();
  BlockReadRequest request = RequestFor(fetch);
  request.dict = &dict;
  Block::Ptr block;
  RETURN_IF_ERROR(ReadBlock(source, handle, request, &block));
  if (options.user_read_bytes != nullptr && fetch.io_pass == nullptr) {
    options.user_read_bytes->Add(handle.size);
  }
  if (!block->Parse()) return Corruption("bad block contents", handle);
  // Not worth it for a single pass over the block.
  if (cached && options.icmp->bytewise()) block->TakeSamples();
  if (!cached || !fetch.fill_cache) {
    *out = Cached<const Block>::Own(block.release());
    return Status::OK();
  }
  const size_t charge = block->memory_usage();
  IntoCache<Block>(*this, key, block.release(),
                   {&kDataHelper, &kDataTickers, charge, Cache::Priority::LOW},
                   out);
  return Status::OK();
}

Status TableReader::Rep::FetchIndex(const FetchOptions& fetch,
                                    const BlockHandle& handle,
                                    Cached<const FlatIndex>* out) const {
  const bool cached = cache != nullptr && fetch.use_cache;
  const CacheKey key(*this, handle.offset);
  if (cached && FromCache(*this, key, kIndexTickers, out)) {
    return Status::OK();
  }
  if (!fetch.may_read) return NotInCache();
  Block::Ptr block;
  RETURN_IF_ERROR(ReadBlock(source, handle, RequestFor(fetch), &block));
  std::unique_ptr<FlatIndex> parsed =
      FlatIndex::Parse(block.get(), index_encoding, *options.icmp, file_size);
  if (parsed == nullptr) return Corruption("bad index block", handle);
  if (!cached || !fetch.fill_cache) {
    *out = Cached<const FlatIndex>::Own(parsed.release());
    return Status::OK();
  }
  const size_t charge = parsed->memory_usage();
  IntoCache<FlatIndex>(*this, key, parsed.release(),
                       {&kIndexHelper, &kIndexTickers, charge, meta_priority},
                       out);
  return Status::OK();
}

Status TableReader::Rep::FetchFilter(const FetchOptions& fetch,
                                     const BlockHandle& handle,
                                     Cached<const FilterBlock>* out) const {
  const bool cached = cache != nullptr && fetch.use_cache;
  const CacheKey key(*this, handle.offset);
  if (cached && FromCache(*this, key, kFilterTickers, out)) {
    return Status::OK();
  }
  if (!fetch.may_read) return NotInCache();
  Block::Ptr block;
  RETURN_IF_ERROR(ReadBlock(source, handle, RequestFor(fetch), &block));
  auto filter_block = std::make_unique<const FilterBlock>(std::move(block));
  if (!cached || !fetch.fill_cache) {
    *out = Cached<const FilterBlock>::Own(filter_block.release());
    return Status::OK();
  }
  const size_t charge =
      filter_block->payload->memory_usage() + sizeof(FilterBlock);
  IntoCache<FilterBlock>(
      *this, key, filter_block.release(),
      {&kFilterHelper, &kFilterTickers, charge, meta_priority}, out);
  return Status::OK();
}

bool TableReader::Rep::MayMatch(const FilterBits& bits,
                                const Slice& user_key) const {
  if (whole_key_filtering) return bits.MayMatch(user_key);
  if (prefix_filtering && options.prefix_extractor->InDomain(user_key)) {
    return bits.MayMatch(options.prefix_extractor->Transform(user_key));
  }
  return true;
}

bool TableReader::Rep::KeyMayMatch(const FetchOptions& fetch,
                                   const Slice& internal_key) const {
  if (filter_handle.IsNull()) return true;
  Slice user_key = ExtractUserKey(internal_key);
  user_key.remove_suffix(options.icmp->user_comparator()->timestamp_size());
  if (filter) return MayMatch(filter->bits, user_key);

  BlockHandle handle = filter_handle;
  if (filter_is_partitioned) {
    Cached<const FlatIndex> hold;
    const FlatIndex* partitions = filter_index.get();
    if (partitions == nullptr) {
      if (!FetchIndex(fetch, filter_handle, &hold).ok()) return true;
      partitions = hold.get();
    }
    if (partitions->size() == 0) return true;
    // Behind the last separator the last partition is in charge.
    const size_t i = partitions->Find(*options.icmp, internal_key);
    handle = partitions->handle(std::min(i, partitions->size() - 1));
  }
  Cached<const FilterBlock> block;
  if (!FetchFilter(fetch, handle, &block).ok()) return true;
  return MayMatch(block->bits, user_key);
}

bool IndexCursor::LoadTop() {
  if (!status_.ok()) status_ = Status::OK();
  if (top_ == nullptr) {
    top_ = rep_->index.get();
    if (top_ == nullptr) {
      status_ = rep_->FetchIndex(*fetch_, rep_->index_handle, &top_hold_);
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
  if (partition_index_ != index || !partition_) {
    partition_.Reset();
    status_ = rep_->FetchIndex(*fetch_, top_->handle(index), &partition_);
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
