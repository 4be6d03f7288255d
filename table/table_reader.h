// TableReader: one open table file, for point reads and iteration.
//
// Place. Owned by db/read/table_cache; knows one file and the block cache.
//
// Model. Open() reads footer, properties, index and filter (and keeps them,
// or puts them into the block cache when cache_index_and_filter_blocks). For a
// partitioned index or filter this is the top level; partitions are cached
// blocks.
// Get() asks the filter, finds the block through the index, fetches it from
// the cache or the file and searches inside it without building iterators.
//
// Threads. All const methods may run at once from many threads.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "table/format/block_handle.h"
#include "table/get_context.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlockAccessTracer;
class CoreLocalCounter;
class PrefixSeek;
class SharedReservation;
class RandomAccessFileReader;
class BatchReads;
struct BatchKey;
struct IoPass;

struct TableReadOptions {
  const InternalKeyComparator* icmp = nullptr;
  BlockBasedTableOptions table;  // block_cache, pinning, verification
  std::shared_ptr<const SliceTransform> prefix_extractor;
  Statistics* statistics = nullptr;
  // Bytes of data blocks read for users, not from a cache, are added here; may
  // be null.
  CoreLocalCounter* user_read_bytes = nullptr;
  BlockAccessTracer* block_tracer = nullptr;  // May be null.
  // What reads show that bring no pass of their own. Or null.
  const IoPass* user_pass = nullptr;
  Logger* info_log = nullptr;
  // Charged for the reader's memory; may be null.
  std::shared_ptr<SharedReservation> charge_to;
  int level = -1;
  // Files of level 0 up to this size are pinned like flushed ones.
  uint64_t similar_to_flushed_bytes_max = UINT64_MAX;
  uint64_t file_number = 0;
  // Blocks go to and come from the block cache's second tier.
  bool uses_secondary_cache = true;
  bool skip_filters = false;
  // 16 bytes expected from the MANIFEST; empty: not checked.
  std::string expected_unique_id;
  // Entries of an ingested file whose sequence is kept only in the MANIFEST;
  // kSequenceMax: none.
  SequenceNumber global_sequence = kSequenceMax;
  size_t max_auto_readahead_size = size_t{256} * 1024;
  // Of checksum per entry of a data block in memory: 0 (none), 1, 2, 4, 8.
  size_t protection_bytes = 0;
};

enum class TableReadPurpose : uint8_t { kUser, kCompaction, kVerify };

// What an iterator over a table is for. Pointers outlive it and may be null.
struct TableScan {
  TableScan(TableReadPurpose p) : purpose(p) {}  // NOLINT

  TableReadPurpose purpose;
  size_t readahead_bytes = 0;
  // Reads take their turn under it; null: not gated.
  const IoPass* io_pass = nullptr;
  // Seeks ask the file's prefix filter as it allows.
  PrefixSeek* prefix = nullptr;
  // Where the index tells the first key of a block, its value may be left
  // unread (InternalIterator::ReadValue).
  bool may_leave_values = false;
  // Readahead goes on as the file before left it, and leaves it here.
  size_t* readahead_carried = nullptr;
};

class TableReader {
 public:
  // Errors: Corruption naming the file for a bad footer, meta block,
  // checksum or unique id; NotSupported for an unknown format version;
  // MemoryLimit when a strict cache that is charged has no room.
  static Result<std::unique_ptr<TableReader>> Open(
      const TableReadOptions& options,
      std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size);
  // The properties alone, without knowing the file's comparator.
  static Result<std::shared_ptr<const TableProperties>> ReadProperties(
      std::unique_ptr<RandomAccessFileReader> file, uint64_t file_size);
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // Hands the entries of `context`'s user key at or after `internal_key` to
  // `context`, newest first, until it is decided; also says which range
  // deletion covers the key. REQUIRES: the key lies within the file's bounds
  // as the MANIFEST has them, outside of which its range deletions do nothing;
  // the caller ends the source.
  // Errors: Incomplete when read_tier forbids the needed I/O.
  Status Get(const ReadOptions& options, const Slice& internal_key,
             GetContext* context,
             Env::IOActivity activity = Env::IOActivity::kGet) const;

  // The same for many keys, ascending, at most kBatchKeysMax. A key that needs
  // blocks from the file waits: `reads` takes them over and ends it, for which
  // the reader and `options` have to stay.
  void MultiGet(const ReadOptions& options, BatchKey* const* keys, size_t count,
                BatchReads* reads) const;

  // The caller owns the result, which must not outlive the reader. Purposes
  // other than kUser go past the cache.
  InternalIterator* NewIterator(const ReadOptions& options,
                                const TableScan& scan) const;

  // True when the filter rules the key's prefix/user key out.
  bool KeyCannotMatch(const Slice& user_key) const;

  // File offset at which `internal_key` would be; exact to one block.
  uint64_t ApproximateOffsetOf(const Slice& internal_key) const;
  // A key near each of about `count` evenly spaced offsets (subcompaction
  // anchors): user keys, ascending, each with the bytes since the last one.
  // With timestamps a key with the newest one, before all versions of the key.
  struct Anchor {
    std::string user_key;
    uint64_t range_bytes;
  };
  Status ApproximateKeyAnchors(size_t count,
                               std::vector<Anchor>* anchors) const;

  // Reads every block and checks its checksum.
  Status VerifyChecksums(const ReadOptions& options) const;

  const std::shared_ptr<const TableProperties>& properties() const;
  // The range deletions, searchable; null for most files. Read at open.
  const std::shared_ptr<const TombstoneSet>& tombstones() const;
  // The range tombstones of the file, in stored order, as (internal key, end
  // user key); empty for most files.
  Status ReadRangeDeletions(
      std::vector<std::pair<std::string, std::string>>* out) const;
  size_t ApproximateMemoryUsage() const { return MemoryUse().total(); }
  // Bytes outside the block cache.
  struct Memory {
    size_t index = 0;
    size_t filter = 0;
    size_t others = 0;  // Properties, range deletions, dictionary.
    size_t total() const { return index + filter + others; }
  };
  Memory MemoryUse() const;
  // One line per meta block and footer field, for sst_dump.
  std::string DescribeLayout() const;

  // What the file consists of, besides the data blocks.
  struct Parts {
    uint32_t format_version = 0;
    BlockHandle metaindex;
    BlockHandle index;
    std::vector<std::pair<std::string, BlockHandle>> meta_blocks;
    std::string dictionary;
  };
  Parts parts() const;
  // The data blocks in order, each with the user key that the index has of it
  // and, unless `on_entry` is null, its entries. Errors: those of reading.
  struct BlockEntry {
    Slice separator;  // A user key.
    BlockHandle handle;
    Slice first_key;  // Internal, where the index tells it, or empty.
  };
  using BlockVisitor = std::function<void(const BlockEntry& entry)>;
  using EntryVisitor =
      std::function<void(const Slice& internal_key, const Slice& value)>;
  Status VisitDataBlocks(const BlockVisitor& on_block,
                         const EntryVisitor& on_entry) const;

  struct Rep;  // For the files of the table reader only.

 private:
  explicit TableReader(std::unique_ptr<Rep> rep);
  Status Charge();
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
