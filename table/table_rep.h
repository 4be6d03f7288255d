// TableReader::Rep: the parts of one open table file, and how its blocks are
// fetched.
//
// Place. Shared by the files of the table reader: table_open.cc fills it,
// table_fetch.cc gets blocks through the cache, table_reader.cc looks up,
// table_iterator.cc walks.
//
// Model. Index and filter are either held for the reader's lifetime (owned,
// or pinned in the cache), or fetched through the cache each time. For a
// partitioned index or filter this applies to the top level; its partitions
// always go through the cache, and may be pinned there.
//
// Threads. Immutable once open.

#pragma once

#include <memory>
#include <string>

#include "env/file_reader.h"
#include "env/prefetch.h"
#include "rocksdb/statistics.h"
#include "table/block/block.h"
#include "table/block/cached.h"
#include "table/block/read_block.h"
#include "table/block_access.h"
#include "table/cached_blocks.h"
#include "table/filter/filter_bits.h"
#include "table/format/footer.h"
#include "table/index/flat_index.h"
#include "table/table_reader.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

class BatchedCache;

template <>
struct CachedDelete<const Block> {
  static void Delete(const Block* block) {
    Block::Free(const_cast<Block*>(block));
  }
};

// A filter payload in memory and its decoded view.
struct FilterBlock {
  explicit FilterBlock(Block::Ptr b)
      : payload(std::move(b)), bits(payload->payload()) {}
  const Block::Ptr payload;
  const FilterBits bits;
};

// How blocks are to be fetched for one operation.
struct FetchOptions {
  bool verify_checksums = true;
  bool fill_cache = true;
  bool use_cache = true;
  bool may_read = true;  // False: only what is in the cache.
  const IOOptions* io = nullptr;
  FilePrefetchBuffer* prefetch = nullptr;
  const IoPass* io_pass = nullptr;
  ReadLimits limits;
  Env::IOActivity activity = Env::IOActivity::kUnknown;  // Without `io`.
  TracedLookup* lookup = nullptr;  // Null: no Get, or not traced.
};

FetchOptions FetchOptionsFor(const ReadOptions& options);

// What a fetch that may not read says of a block that is not in the cache.
Status NotInCache();

struct TableReader::Rep {
  TableReadOptions options;
  std::unique_ptr<RandomAccessFileReader> file;
  uint64_t file_size = 0;
  Footer footer;
  BlockSource source;
  std::shared_ptr<const TableProperties> properties;
  // The sequence all entries are read with; kSequenceMax: their own.
  SequenceNumber global_sequence = kSequenceMax;

  BlockHandle index_handle;
  IndexEncoding index_encoding;
  bool index_is_partitioned = false;
  BlockHandle filter_handle;  // Null: none usable.
  bool filter_is_partitioned = false;
  bool whole_key_filtering = false;
  bool prefix_filtering = false;
  BlockHandle range_deletion_handle;
  std::shared_ptr<const TombstoneSet> tombstones;  // Null: there are none.

  // The order of keys as users of the table know them. It is options.icmp but
  // for tables whose keys were stored without their timestamps; inside those
  // options.icmp knows none.
  const InternalKeyComparator* user_icmp = nullptr;
  std::unique_ptr<const Comparator> stripped_order;
  std::unique_ptr<const InternalKeyComparator> stripped_icmp;
  std::string smallest_timestamp;  // Of all entries of such a table.
  bool has_embedded_blobs = false;
  Slice TimestampIn(const Slice& user_key) const {
    return stripped_icmp != nullptr
               ? Slice(smallest_timestamp)
               : TimestampOf(user_key, user_icmp->timestamp_size());
  }
  UncompressionDict dict;
  std::vector<std::pair<std::string, BlockHandle>> meta_blocks;

  Cache* cache = nullptr;
  BatchedCache* batched_cache = nullptr;  // The same, where it is one.
  uint64_t cache_key[2] = {0, 0};
  mutable BlockCreateContext create_context;  // Of callbacks, who read it.
  Cache::Priority meta_priority = Cache::Priority::LOW;

  size_t charged_bytes = 0;  // To options.charge_to.

  // Held for good, or empty when fetched each time.
  Cached<const FlatIndex> index;
  Cached<const FilterBlock> filter;
  Cached<const FlatIndex> filter_index;
  // One per partition where they are pinned, with gaps where a strict cache
  // had no room.
  std::vector<Cached<const FlatIndex>> index_partitions;
  std::vector<Cached<const FilterBlock>> filter_partitions;

  Status Corruption(const std::string& what, const BlockHandle& handle) const;

  // Data blocks.
  Status FetchData(const FetchOptions& fetch, const BlockHandle& handle,
                   Cached<const Block>* block) const;
  // Those of many blocks that are in the cache; the others stay empty.
  void FetchCachedData(const FetchOptions& fetch, const BlockHandle* handles,
                       size_t count, Cached<const Block>* blocks) const;
  // The second half of FetchData, for a block that was read elsewhere.
  Status TakeData(const FetchOptions& fetch, const BlockHandle& handle,
                  Block::Ptr block, Cached<const Block>* out) const;
  // Index blocks: top level, partitions, filter partition index.
  Status FetchIndex(const FetchOptions& fetch, const BlockHandle& handle,
                    Cached<const FlatIndex>* index) const;
  Status FetchFilter(const FetchOptions& fetch, const BlockHandle& handle,
                     Cached<const FilterBlock>* filter) const;

  // The top level that is `held`, or the one at `handle`, kept by *hold.
  Status FetchTop(const FetchOptions& fetch,
                  const Cached<const FlatIndex>& held,
                  const BlockHandle& handle, Cached<const FlatIndex>* hold,
                  const FlatIndex** top) const;

  // False only when the filter proves that no entry has this user key.
  // `internal_key` finds the partition. Errors count as "may match".
  bool KeyMayMatch(const FetchOptions& fetch, const Slice& internal_key) const;
  // The part of the key that the filter indexes. False: none, so it may match.
  bool FilterSubject(const Slice& internal_key, Slice* subject) const;

  // False only when the filter proves that no entry at or behind `internal_key`
  // (or before it) has this prefix, which is that key's. REQUIRES:
  // prefix_filtering, with the extractor that made `prefix`.
  bool PrefixMayMatch(const FetchOptions& fetch, const Slice& internal_key,
                      const Slice& prefix, bool backward) const;

  InternalIterator* NewIterator(const ReadOptions& read,
                                const TableScan& scan) const;

  bool TracesBlocks() const {
    return options.block_tracer != nullptr && options.block_tracer->active();
  }
  // Where the counts per level belong.
  uint32_t perf_level() const {
    return options.level < 0 ? 0 : static_cast<uint32_t>(options.level);
  }
  void Tick(uint32_t ticker, uint64_t n = 1) const {
    if (options.statistics != nullptr) {
      options.statistics->recordTick(ticker, n);
    }
  }

 private:
  bool PartitionMayMatch(const FetchOptions& fetch, const FlatIndex& top,
                         size_t partition, const Slice& prefix) const;
  // Reading done: counts, parses, and says what the block costs the cache.
  Status PrepareData(const FetchOptions& fetch, const BlockHandle& handle,
                     Block* block, size_t* charge) const;
};

// How the blocks of one operation are fetched, and its share of a request.
BlockReadRequest DataRequest(const TableReader::Rep& rep,
                             const FetchOptions& fetch);

// What became of a lookup inside one block.
enum class BlockLookup : uint8_t { kDone, kNextBlock, kCorrupt };

// Hands the block's entries of the user key to `context`. A value found takes
// the hold on the block along; with `shared` others need that, and the value
// gets a hold of its own or is copied.
BlockLookup LookUpInBlock(const TableReader::Rep& rep,
                          const FetchOptions& fetch, const Slice& internal_key,
                          GetContext* context, Cached<const Block>* block,
                          bool shared);

// Walks the entries of a flat or partitioned index.
//
// Invariant: Valid() implies that handle() and separator_user_key() may be
// called. After an error Valid() is false and status() says why.
class IndexCursor {
 public:
  // Index blocks are read through `prefetch`, which may be null, never
  // through that of `fetch`.
  IndexCursor(const TableReader::Rep* rep, const FetchOptions* fetch,
              FilePrefetchBuffer* prefetch = nullptr)
      : rep_(rep), fetch_(fetch), prefetch_(prefetch) {}

  void Seek(const Slice& target);
  void SeekToFirst();
  void SeekToLast();
  void Next();
  void Prev();

  bool Valid() const { return leaf_ != nullptr && at_ < leaf_->size(); }
  BlockHandle handle() const { return leaf_->handle(at_); }
  Slice separator_user_key() const { return leaf_->separator_user_key(at_); }
  // True when the index says that all of the block lies behind `user_key`,
  // or, with `or_at`, may begin with it.
  bool BlockIsBehind(const Slice& user_key, bool or_at) const {
    if (!leaf_->has_first_keys()) return false;
    const int order =
        rep_->options.icmp->CompareKeys(leaf_->first_user_key(at_), user_key);
    return order > 0 || (or_at && order == 0);
  }
  bool has_first_key() const { return leaf_->has_first_keys(); }
  Slice first_key() const { return leaf_->first_key(at_); }
  // Where the block ends in which `target`, an internal key, would be;
  // `unknown` when the index block in hand does not tell.
  uint64_t EndOfBlockWith(const Slice& target, uint64_t unknown) const {
    const size_t found = leaf_->Find(*rep_->options.icmp, target);
    return found < leaf_->size() ? leaf_->handle(found).end() : unknown;
  }
  // Which index block is in hand.
  const void* leaf() const { return leaf_; }
  // A separator beyond the user key ends its entries.
  bool EndsAfter(const Slice& user_key) const {
    return rep_->options.icmp->CompareKeys(separator_user_key(), user_key) > 0;
  }
  const Status& status() const { return status_; }

 private:
  bool LoadTop();
  bool LoadPartition(size_t index);
  void SkipForward();
  void SkipBackward();
  FetchOptions IndexFetch() const;

  const TableReader::Rep* const rep_;
  const FetchOptions* const fetch_;
  FilePrefetchBuffer* const prefetch_;
  const FlatIndex* top_ = nullptr;
  Cached<const FlatIndex> top_hold_;
  const FlatIndex* leaf_ = nullptr;  // == top_ when not partitioned.
  Cached<const FlatIndex> partition_;
  size_t partition_index_ = SIZE_MAX;
  size_t at_ = 0;
  Status status_;
};

// Hands the entries of the user key in this and the following blocks to
// `context`, until it is decided.
Status LookUpInBlocks(const TableReader::Rep& rep, const FetchOptions& fetch,
                      const Slice& internal_key, GetContext* context,
                      IndexCursor* index);

}  // namespace ROCKSDB_NAMESPACE::engine
