// TableCache: open tables, by file.
//
// Place. One per column family; every read of a table goes through it.
//
// Model. With max_open_files = -1 a reader is opened at its first use and
// stays with the file's object, whatever the limit is later: finding it is one
// load. Otherwise readers live in a cache shared by all families, limited in
// number, and a find is a cache lookup.
//
// Threads. Any.

#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "db/format/reader_cache.h"
#include "db/format/store_context.h"
#include "db/manifest/file_metadata.h"
#include "db/read/row_cache.h"
#include "rocksdb/cache.h"
#include "table/table_reader.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class TableCache {
 public:
  // `readers`: null where none is shared. `store` and `icmp` outlive this.
  TableCache(const StoreContext& store, const InternalKeyComparator* icmp,
             const ColumnFamilyOptions& options,
             std::shared_ptr<ReaderCache> readers);

  // A found reader, kept open while the handle lives.
  class Handle {
   public:
    explicit Handle(const TableReader* reader) : reader_(reader) {}
    Handle(const TableReader* reader, Cache* cache, Cache::Handle* handle)
        : reader_(reader), cache_(cache), handle_(handle) {}
    Handle(Handle&& other) noexcept
        : reader_(other.reader_), cache_(other.cache_), handle_(other.handle_) {
      other.handle_ = nullptr;
    }
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
      if (handle_ != nullptr) cache_->Release(handle_);
    }
    const TableReader* operator->() const { return reader_; }

    // Gives the release to an iterator that needs the reader.
    void AttachTo(Cleanable* user);

   private:
    const TableReader* reader_;
    Cache* cache_ = nullptr;
    Cache::Handle* handle_ = nullptr;
  };

  // Errors: those of opening the table.
  Result<Handle> Find(
      const FileMetaData& file, int level,
      Env::IOActivity activity = Env::IOActivity::kUnknown) const {
    if (const TableReader* pinned = file.pinned_reader()) {
      return Handle(pinned);
    }
    return FindSlow(file, level, activity);
  }

  // Asks the row cache first, if there is one.
  Status Get(const ReadOptions& options, const FileMetaData& file, int level,
             const Slice& internal_key, GetContext* context) const;

  // For lookups of many keys in a file; null: there is none.
  const RowCache* rows() const { return rows_.get(); }

  // Never null: an error becomes an iterator that reports it, a table that
  // the user's filter does not want an empty one.
  InternalIterator* NewIterator(const ReadOptions& options,
                                const FileMetaData& file, int level,
                                const TableScan& scan) const;

  // The file's range deletions; null when it has none. Cheap once the file has
  // been opened. Errors: those of opening the table.
  Result<std::shared_ptr<const TombstoneSet>> Tombstones(
      const FileMetaData& file, int level) const;

  // Files of level 0 up to half as large again count as flushed when their
  // index and filter are pinned.
  void SetWriteBufferSize(uint64_t bytes) {
    write_buffer_size_.store(bytes, std::memory_order_relaxed);
  }

  // For tables opened from now on.
  void SetProtectionBytes(uint32_t bytes) {
    protection_bytes_.store(bytes, std::memory_order_relaxed);
  }
  // For tables opened from now on; those that are open keep what they have,
  // and say which it is.
  void SetPrefixExtractor(std::shared_ptr<const SliceTransform> extractor)
      EXCLUDES_LOCK(mu_);

  // Forgets the reader of a file that is about to be deleted.
  void Evict(uint64_t file_number) const;

 private:
  Result<Handle> FindSlow(const FileMetaData& file, int level,
                          Env::IOActivity activity) const;
  Status GetRow(const ReadOptions& options, const FileMetaData& file, int level,
                const Slice& internal_key, GetContext* context) const;
  Result<std::unique_ptr<TableReader>> OpenTable(
      const FileMetaData& file, int level, Env::IOActivity activity) const;

  const StoreContext& store_;
  const InternalKeyComparator* const icmp_;
  BlockBasedTableOptions table_options_;
  mutable Mutex mu_{LockRank::kTableCache};
  std::shared_ptr<const SliceTransform> prefix_extractor_ GUARDED_BY(mu_);
  const std::shared_ptr<ReaderCache> readers_;
  std::shared_ptr<SharedReservation> reader_charge_;  // Null: not charged.
  std::unique_ptr<const RowCache> rows_;              // Null: there is none.
  std::atomic<uint64_t> write_buffer_size_;
  std::atomic<uint32_t> protection_bytes_;
  const int last_level_;
};

// The options behind a table factory that this engine can use.
// Errors: NotSupported for any other than the block-based one.
Result<BlockBasedTableOptions> TableOptionsOf(const TableFactory* factory);

}  // namespace ROCKSDB_NAMESPACE::engine
