// Memtables of other kinds than the skiplist: those of the library, and a
// program's own classes.
//
// Place. ColumnFamilyOptions::memtable_factory. The database asks the factory
// for one MemTableRep per memtable, inserts entries into it, and deletes it
// after the memtable's flush.
//
// Model. An entry is a contiguous run of bytes that the database writes into
// memory from Allocate(). It never changes or moves afterwards (but see
// inplace_update_support):
//
//   varint32(user key size + 8) | user key | trailer | varint32(value size) |
//   value
//
// The trailer is eight bytes, little-endian: sequence number * 256 + type. A
// rep keeps pointers to entries, in the order of the KeyComparator.
//
// The database checks what a rep returns: for entries out of order and null
// pointers the read or flush returns Corruption, for lost entries the flush
// does (flush_verify_memtable_count).
//
// Threads. Insertions come one at a time, unless the factory supports
// concurrent ones; reads come at any time, also during insertions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Types of the engine; a rep passes them on.
class Allocator;
class Arena;
class LookupKey;

class Logger;
class SliceTransform;
struct ConfigOptions;

using KeyHandle = void*;

// The bytes that follow a varint32 with their number.
Slice GetLengthPrefixedSlice(const char* data);

class MemTableRep {
 public:
  // Orders entries by their keys.
  class KeyComparator {
   public:
    using DecodedType = Slice;

    virtual ~KeyComparator() = default;
    // The internal key of an entry.
    virtual DecodedType decode_key(const char* key) const {
      return GetLengthPrefixedSlice(key);
    }
    // Of two entries, or of an entry and an internal key: negative, 0,
    // positive.
    virtual int operator()(const char* prefix_len_key1,
                           const char* prefix_len_key2) const = 0;
    virtual int operator()(const char* prefix_len_key,
                           const Slice& key) const = 0;
  };

  explicit MemTableRep(Allocator* allocator) : allocator_(allocator) {}
  virtual ~MemTableRep() = default;
  MemTableRep(const MemTableRep&) = delete;
  MemTableRep& operator=(const MemTableRep&) = delete;

  // Memory for an entry of `len` bytes: *buf. By default from the memtable's
  // arena, which counts it and frees it. Insert() gets the returned handle.
  virtual KeyHandle Allocate(size_t len, char** buf);

  // Takes the entry that was written into Allocate()'s memory. The forms with
  // Key return false and insert nothing if key and sequence exist and the
  // factory's CanHandleDuplicatedKey() is true. A hint belongs to a prefix
  // (memtable_insert_with_hint_prefix_extractor) or a batch, and is null at
  // first; by default it is ignored.
  virtual void Insert(KeyHandle handle) = 0;
  virtual bool InsertKey(KeyHandle handle) {
    Insert(handle);
    return true;
  }
  virtual void InsertWithHint(KeyHandle handle, void** /*hint*/) {
    Insert(handle);
  }
  virtual bool InsertKeyWithHint(KeyHandle handle, void** hint) {
    InsertWithHint(handle, hint);
    return true;
  }
  // May run concurrently with itself if the factory's
  // IsInsertConcurrentlySupported() is true.
  virtual void InsertConcurrently(KeyHandle handle);
  virtual bool InsertKeyConcurrently(KeyHandle handle) {
    InsertConcurrently(handle);
    return true;
  }
  virtual void InsertWithHintConcurrently(KeyHandle handle, void** /*hint*/) {
    InsertConcurrently(handle);
  }
  virtual bool InsertKeyWithHintConcurrently(KeyHandle handle, void** hint) {
    InsertWithHintConcurrently(handle, hint);
    return true;
  }

  // Is there an entry with the same key and sequence?
  virtual bool Contains(const char* key) const = 0;

  // No insertions follow. Called with a database lock held.
  virtual void MarkReadOnly() {}
  // The entries are in a table. Called with a database lock held.
  virtual void MarkFlushed() {}

  // Calls callback_func(callback_args, entry) for the entries at or after the
  // key, in order, until it returns false. The default uses an iterator.
  virtual void Get(const LookupKey& k, void* callback_args,
                   bool (*callback_func)(void* arg, const char* entry));

  // About how many entries lie between two internal keys.
  virtual uint64_t ApproximateNumEntries(const Slice& /*start_ikey*/,
                                         const Slice& /*end_ikey*/) {
    return 0;
  }
  // A random selection of entries. The database does not call it.
  virtual void UniqueRandomSample(
      uint64_t /*num_entries*/, uint64_t /*target_sample_size*/,
      std::unordered_set<const char*>* /*entries*/) {}

  // Bytes that do not come from the allocator. Called from any thread.
  virtual size_t ApproximateMemoryUsage() = 0;

  // A cursor over the entries; not valid at first.
  class Iterator {
   public:
    virtual ~Iterator() = default;
    virtual bool Valid() const = 0;
    // The entry. REQUIRES: Valid()
    virtual const char* key() const = 0;
    virtual void Next() = 0;
    virtual void Prev() = 0;
    // To the first entry at or after an internal key, or the last at or before
    // it. `memtable_key`, if it is not null, is the same key with its length in
    // front.
    virtual void Seek(const Slice& internal_key, const char* memtable_key) = 0;
    virtual void SeekForPrev(const Slice& internal_key,
                             const char* memtable_key) = 0;
    virtual void RandomSeek() {}
    virtual void SeekToFirst() = 0;
    virtual void SeekToLast() = 0;
  };

  // The caller deletes the iterator before the rep. `arena` is null.
  virtual Iterator* GetIterator(Arena* arena = nullptr) = 0;
  // An iterator whose Seek() need only find keys with the target's prefix.
  virtual Iterator* GetDynamicPrefixIterator(Arena* arena = nullptr) {
    return GetIterator(arena);
  }

  virtual bool IsMergeOperatorSupported() const { return true; }
  // False: GetSnapshot() returns null.
  virtual bool IsSnapshotSupported() const { return true; }

 protected:
  // Of an entry.
  virtual Slice UserKey(const char* key) const;

  Allocator* allocator_;
};

class MemTableRepFactory : public Customizable {
 public:
  ~MemTableRepFactory() override = default;
  static const char* Type() { return "MemTableRepFactory"; }

  // "SkipListFactory" or "skip_list[:lookahead]", "VectorRepFactory" or
  // "vector[:count]", "prefix_hash[:buckets]", "hash_linkedlist[:buckets]",
  // or a class name with parameters: "{id=...;name=value;}".
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::unique_ptr<MemTableRepFactory>* factory);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<MemTableRepFactory>* factory);

  const char* Name() const override = 0;

  // A rep for one memtable; comparator, allocator and transform outlive it. The
  // transform is the prefix_extractor, or null. If null is returned, the
  // memtable is a skiplist.
  virtual MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&,
                                         Allocator*, const SliceTransform*,
                                         Logger* logger) = 0;
  virtual MemTableRep* CreateMemTableRep(
      const MemTableRep::KeyComparator& key_cmp, Allocator* allocator,
      const SliceTransform* slice_transform, Logger* logger,
      uint32_t /*column_family_id*/) {
    return CreateMemTableRep(key_cmp, allocator, slice_transform, logger);
  }

  // May several threads insert at once?
  virtual bool IsInsertConcurrentlySupported() const { return false; }
  // Does an insertion report whether key and sequence existed already?
  virtual bool CanHandleDuplicatedKey() const { return false; }
};

// A skiplist: the default, and the only one with concurrent insertion. The
// database uses a skiplist of its own for it; CreateMemTableRep() is for
// factories that wrap this one.
class SkipListFactory : public MemTableRepFactory {
 public:
  // lookahead: entries an iterator tries before a fresh search; 0: none.
  explicit SkipListFactory(size_t lookahead = 0) : lookahead_(lookahead) {}

  static const char* kClassName() { return "SkipListFactory"; }
  static const char* kNickName() { return "skip_list"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override;
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }
  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&, Allocator*,
                                 const SliceTransform*,
                                 Logger* logger) override;
  size_t lookahead() const { return lookahead_; }

 private:
  size_t lookahead_;
};

// An array, sorted when it is read: for bulk loads without reads.
class VectorRepFactory : public MemTableRepFactory {
 public:
  // count: entries to reserve room for.
  explicit VectorRepFactory(size_t count = 0) : count_(count) {}

  static const char* kClassName() { return "VectorRepFactory"; }
  static const char* kNickName() { return "vector"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override;
  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&, Allocator*,
                                 const SliceTransform*,
                                 Logger* logger) override;
  size_t count() const { return count_; }

 private:
  size_t count_;
};

// Hash tables by prefix, for programs whose reads stay within one prefix. They
// need a prefix_extractor; without one the memtable is a skiplist. A read that
// is not within one prefix (total_order_seek, SeekToFirst()) sorts a copy of
// all pointers. Of at most 2^27 buckets.

// Of skiplists.
MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count = 1000000, int32_t skiplist_height = 4,
    int32_t skiplist_branching_factor = 4);

// Of sorted lists, which become skiplists above `threshold_use_skiplist`
// entries. LOG names a bucket that reaches `bucket_entries_logging_threshold`
// (0: never), and the distribution of a memtable's entries when it is sealed
// (if_log_bucket_dist_when_flash). The buckets are taken from huge pages of
// `huge_page_tlb_size` bytes where the system has them.
MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count = 50000, size_t huge_page_tlb_size = 0,
    int bucket_entries_logging_threshold = 4096,
    bool if_log_bucket_dist_when_flash = true,
    uint32_t threshold_use_skiplist = 256);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
