// BlobSource: from a blob index to the value it points at.
//
// Place. One per column family. Lookups, iterators, merges and compactions ask
// it whenever an entry's value is a blob index.
//
// Model. The value comes from the blob cache, if the family has one, or from
// the file. Open files are kept in the same way as tables: with max_open_files
// = -1 in the file's object, else in the cache of readers that all families
// share.
//
// Invariants:
//   (1) Only files of the Version that is being read are opened: those cannot
//       be deleted meanwhile. An index that refers to any other file is
//       Corruption.
//   (2) A value in the cache was verified when it was read, if its reader
//       asked for that.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <memory>

#include "db/format/reader_cache.h"
#include "db/format/store_context.h"
#include "db/manifest/version.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "table/blob/blob_file_reader.h"
#include "util/cache/cache_reservation.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlobSource {
 public:
  // `readers` as TableCache's. `store` outlives this. What the blob cache holds
  // is charged to `charge_to`, if that is not null.
  BlobSource(const StoreContext& store, uint32_t family_id,
             std::shared_ptr<Cache> blob_cache,
             const std::shared_ptr<Cache>& charge_to,
             std::shared_ptr<ReaderCache> readers);

  // The value behind `blob_index` of an entry of `user_key`, which `version`
  // holds. Errors: Incomplete with kBlockCacheTier and a value that is not
  // cached; Corruption; those of the file.
  Status Read(const ReadOptions& options, const Version& version,
              const Slice& user_key, const Slice& blob_index,
              PinnableSlice* value) const;

  // For compactions: past the cache, checked, and the bytes counted.
  Result<BlobValue> ReadUncached(const Version& version, const Slice& user_key,
                                 const BlobIndex& index, const IoPass* io_pass,
                                 uint64_t* bytes_read) const;

  // Puts a value that was just written into the cache, if there is one.
  void Warm(const BlobIndex& index, const Slice& value) const;

  // Opens and closes a file that was just written: it must be readable before
  // the MANIFEST names it.
  Status CheckReadable(const BlobFile& file) const;

  // The same, and compares the checksums of all records.
  Status CheckRecords(const BlobFile& file) const;

  // Opens a file, as a read would. With max_open_files = -1 it stays readable
  // from then on, even after it has been deleted.
  Status KeepOpen(const BlobFile& file) const;

  const std::shared_ptr<Cache>& cache() const { return cache_; }

 private:
  class Handle;

  Result<Handle> Find(const BlobFile& file) const;
  Result<Handle> FindIn(const Version& version, const Slice& user_key,
                        const BlobIndex& index) const;
  Result<std::unique_ptr<BlobFileReader>> Open(const BlobFile& file) const;
  bool FromCache(const Slice& key, PinnableSlice* value) const;
  void Give(const Slice& key, BlobValue blob, bool fill_cache,
            PinnableSlice* value) const;

  const StoreContext& store_;
  const uint32_t family_id_;
  const std::shared_ptr<Cache> cache_;          // May be null.
  const std::shared_ptr<UsageCharge> charge_;   // May be null.
  const std::shared_ptr<ReaderCache> readers_;  // May be null.
};

}  // namespace ROCKSDB_NAMESPACE::engine
