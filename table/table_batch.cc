// TableReader::MultiGet: what a batch of keys finds in one file's memory.

#include "table/table_batch.h"

#include <algorithm>
#include <cassert>

#include "util/fixed_vector.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Rep = TableReader::Rep;

// One batch in one file. The steps are taken for all keys one after the other,
// so that their waits for memory overlap; keys that are answered leave.
class TableBatch {
 public:
  TableBatch(const Rep& rep, const FetchOptions& fetch, BatchKey* const* keys,
             size_t count)
      : r_(rep), fetch_(fetch), count_(count) {
    assert(count > 0 && count <= kBatchKeysMax);
    std::copy(keys, keys + count, keys_);
    handles_.grow_to(count);
  }

  void Cover();
  void Filter();
  void Locate();
  void Search(BatchReads* reads);

 private:
  bool Partition(const FlatIndex& top, const Slice& internal_key,
                 Cached<const FilterBlock>* hold, const FilterBits** bits);
  void CountExcluded(size_t keys) const;
  void FilterPartitioned();
  void FilterWith(const FilterBits& bits);
  void LocatePartitioned();
  void FindBlocks();
  void SearchBlock(size_t block, BatchReads* reads);
  // Keeps the keys for which wanted(i) is true.
  template <typename Wanted>
  size_t Keep(const Wanted& wanted);
  void FailAll(const Status& status) {
    for (size_t i = 0; i < count_; ++i) keys_[i]->status = status;
    count_ = 0;
  }

  const Rep& r_;
  const FetchOptions& fetch_;
  size_t count_;
  BatchKey* keys_[kBatchKeysMax];
  FixedVector<BlockHandle, kBatchKeysMax> handles_;  // Of each key's block.

  // Blocks, and the first key of each.
  FixedVector<BlockHandle, kBatchKeysMax> block_handles_;
  size_t first_key_[kBatchKeysMax + 1];
  FixedVector<Cached<const Block>, kBatchKeysMax> blocks_;
};

void TableBatch::CountExcluded(size_t keys) const {
  if (keys == 0) return;
  r_.Tick(BLOOM_FILTER_USEFUL, keys);
  PerfAdd<&PerfContext::bloom_sst_miss_count>(keys);
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_useful>(r_.perf_level(),
                                                           keys);
}

template <typename Wanted>
size_t TableBatch::Keep(const Wanted& wanted) {
  size_t kept = 0;
  for (size_t i = 0; i < count_; ++i) {
    if (!wanted(i)) continue;
    keys_[kept] = keys_[i];
    handles_[kept] = handles_[i];
    ++kept;
  }
  const size_t dropped = count_ - kept;
  count_ = kept;
  return dropped;
}

void TableBatch::Cover() {
  if (r_.tombstones == nullptr) [[likely]]
    return;
  for (size_t i = 0; i < count_; ++i) {
    GetContext* const context = keys_[i]->context;
    context->Cover(
        r_.tombstones->NewestOver(context->user_key(), context->sequence()));
  }
}

void TableBatch::FilterWith(const FilterBits& bits) {
  uint64_t hashes[kBatchKeysMax];
  bool known[kBatchKeysMax];
  for (size_t i = 0; i < count_; ++i) {
    Slice subject;
    known[i] = r_.FilterSubject(keys_[i]->internal_key, &subject);
    if (!known[i]) continue;
    hashes[i] = bits.HashOf(subject);
    bits.Prefetch(hashes[i]);
  }
  const size_t dropped =
      Keep([&](size_t i) { return !known[i] || bits.HashMayMatch(hashes[i]); });
  CountExcluded(dropped);
}

// The filter in charge of a key, fetched unless it is the one that *hold has.
bool TableBatch::Partition(const FlatIndex& top, const Slice& internal_key,
                           Cached<const FilterBlock>* hold,
                           const FilterBits** bits) {
  // Behind the last separator the last partition is in charge.
  const size_t i =
      std::min(top.Find(*r_.options.icmp, internal_key), top.size() - 1);
  if (i < r_.filter_partitions.size() && r_.filter_partitions[i]) {
    *bits = &r_.filter_partitions[i]->bits;
    return true;
  }
  hold->Reset();
  if (!r_.FetchFilter(fetch_, top.handle(i), hold).ok()) return false;
  *bits = &(*hold)->bits;
  return true;
}

void TableBatch::FilterPartitioned() {
  Cached<const FlatIndex> top_hold;
  const FlatIndex* top = nullptr;
  if (!r_.FetchTop(fetch_, r_.filter_index, r_.filter_handle, &top_hold, &top)
           .ok() ||
      top->size() == 0) {
    return;
  }
  Cached<const FilterBlock> hold;
  const FilterBits* bits = nullptr;
  size_t last = SIZE_MAX;
  const size_t dropped = Keep([&](size_t i) {
    Slice subject;
    const Slice& key = keys_[i]->internal_key;
    if (!r_.FilterSubject(key, &subject)) return true;
    const size_t partition =
        std::min(top->Find(*r_.options.icmp, key), top->size() - 1);
    if (partition != last) {
      last = SIZE_MAX;
      // What cannot be fetched may match.
      if (!Partition(*top, key, &hold, &bits)) return true;
      last = partition;
    }
    return bits->MayMatch(subject);
  });
  CountExcluded(dropped);
}

void TableBatch::Filter() {
  if (r_.filter_handle.IsNull()) return;
  Cached<const FilterBlock> hold;
  if (r_.filter) {
    FilterWith(r_.filter->bits);
  } else if (r_.filter_is_partitioned) {
    FilterPartitioned();
  } else if (r_.FetchFilter(fetch_, r_.filter_handle, &hold).ok()) {
    FilterWith(hold->bits);
  }
  if (count_ == 0) return;
  r_.Tick(BLOOM_FILTER_FULL_POSITIVE, count_);
  PerfAdd<&PerfContext::bloom_sst_hit_count>(count_);
  PerfAddAtLevel<&PerfContextByLevel::bloom_filter_full_positive>(
      r_.perf_level(), count_);
}

void TableBatch::LocatePartitioned() {
  IndexCursor index(&r_, &fetch_);
  Keep([&](size_t i) {
    BatchKey* const key = keys_[i];
    index.Seek(key->internal_key);
    if (!index.Valid()) {
      key->status = index.status();
      return false;
    }
    if (index.BlockIsBehind(ExtractUserKey(key->internal_key),
                            /*or_at=*/false)) {
      return false;
    }
    handles_[i] = index.handle();
    return true;
  });
}

void TableBatch::Locate() {
  if (count_ == 0) return;
  if (r_.index_is_partitioned) return LocatePartitioned();
  Cached<const FlatIndex> hold;
  const FlatIndex* index = nullptr;
  const Status status =
      r_.FetchTop(fetch_, r_.index, r_.index_handle, &hold, &index);
  if (!status.ok()) return FailAll(status);
  FixedVector<Slice, kBatchKeysMax> targets;
  size_t found[kBatchKeysMax];
  for (size_t i = 0; i < count_; ++i) {
    targets.emplace_back(keys_[i]->internal_key);
  }
  index->FindMany(*r_.options.icmp, targets.data(), count_, found);
  Keep([&](size_t i) {
    if (found[i] == index->size()) return false;
    if (index->has_first_keys() &&
        r_.options.icmp->CompareUserKey(index->first_user_key(found[i]),
                                        ExtractUserKey(targets[i])) > 0) {
      return false;
    }
    handles_[i] = index->handle(found[i]);
    return true;
  });
}

void TableBatch::FindBlocks() {
  for (size_t i = 0; i < count_; ++i) {
    if (i > 0 && handles_[i].offset == handles_[i - 1].offset) continue;
    first_key_[block_handles_.size()] = i;
    block_handles_.emplace_back(handles_[i]);
  }
  first_key_[block_handles_.size()] = count_;
  assert(block_handles_.size() <= count_);
  blocks_.grow_to(block_handles_.size());
  const PerfTimer timer(r_.file->clock(),
                        &PerfContext::new_table_block_iter_nanos);
  r_.FetchCachedData(fetch_, block_handles_.data(), blocks_.size(),
                     blocks_.data());
}

void TableBatch::SearchBlock(size_t block, BatchReads* reads) {
  BatchKey* const* const keys = &keys_[first_key_[block]];
  const size_t count = first_key_[block + 1] - first_key_[block];
  const BlockHandle& handle = block_handles_[block];
  if (!blocks_[block]) {
    if (fetch_.may_read) {
      reads->Add(&r_, handle, keys, count);
      return;
    }
    for (size_t i = 0; i < count; ++i) keys[i]->status = NotInCache();
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    AnswerFromBlock(r_, fetch_, &blocks_[block], /*shared=*/i + 1 < count,
                    keys[i], handle);
  }
}

void TableBatch::Search(BatchReads* reads) {
  FindBlocks();
  if (count_ == 1) return SearchBlock(0, reads);
  for (size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b]) blocks_[b]->Prefetch();
  }
  if (r_.options.icmp->bytewise()) {
    for (size_t i = 0, b = 0; i < count_; ++i) {
      while (i >= first_key_[b + 1]) ++b;
      if (blocks_[b]) blocks_[b]->PrefetchFor(keys_[i]->internal_key);
    }
  }
  for (size_t b = 0; b < blocks_.size(); ++b) SearchBlock(b, reads);
}

}  // namespace

void AnswerFromBlock(const Rep& table, const FetchOptions& fetch,
                     Cached<const Block>* block, bool shared, BatchKey* key,
                     const BlockHandle& handle) {
  const BlockLookup found = LookUpInBlock(table, fetch, key->internal_key,
                                          key->context, block, shared);
  if (found == BlockLookup::kCorrupt) {
    key->status = table.Corruption("bad entry in block", handle);
  }
  const bool in_next = found == BlockLookup::kNextBlock;
  if (in_next) {
    IndexCursor index(&table, &fetch);
    index.Seek(key->internal_key);
    if (index.Valid() && !index.EndsAfter(ExtractUserKey(key->internal_key))) {
      index.Next();
      key->status =
          LookUpInBlocks(table, fetch, key->internal_key, key->context, &index);
    } else {
      key->status = index.status();
    }
  }
  if (!table.filter_handle.IsNull() &&
      key->context->state() != GetContext::State::kNotFound) {
    table.Tick(BLOOM_FILTER_FULL_TRUE_POSITIVE);
    PerfAddAtLevel<&PerfContextByLevel::bloom_filter_full_true_positive>(
        table.perf_level());
  }
}

void TableReader::MultiGet(const ReadOptions& options, BatchKey* const* keys,
                           size_t count, BatchReads* reads) const {
  const BatchFetch shared(options);
  TableBatch batch(*rep_, shared.fetch, keys, count);
  batch.Cover();
  batch.Filter();
  batch.Locate();
  batch.Search(reads);
}

}  // namespace ROCKSDB_NAMESPACE::engine
