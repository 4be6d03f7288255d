// The kinds of memtables that the library has besides its skiplist: an array
// (VectorRep), hash tables by prefix (HashRep), and a skiplist for factories
// that wrap SkipListFactory.
//
// Place. Made by the factories of memtable_factories.h, one per memtable.
//
// Threads. As MemTableRep; SkipListRep takes concurrent insertions in turn.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "db/memtable/rep_list.h"
#include "db/memtable/sorting_rep.h"
#include "db/options/memtable_factories.h"
#include "rocksdb/slice_transform.h"
#include "util/arena.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class SkipListRep final : public MemTableRep {
 public:
  SkipListRep(const KeyComparator& order, ROCKSDB_NAMESPACE::Allocator* arena);

  void Insert(KeyHandle handle) override { (void)InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override {
    return list_.Insert(static_cast<const char*>(handle));
  }
  void InsertConcurrently(KeyHandle handle) override {
    (void)InsertKeyConcurrently(handle);
  }
  bool InsertKeyConcurrently(KeyHandle handle) override;
  bool Contains(const char* entry) const override;
  size_t ApproximateMemoryUsage() override { return 0; }
  Iterator* GetIterator(ROCKSDB_NAMESPACE::Arena*) override {
    return new RepListIterator(&list_);
  }

 private:
  const KeyComparator& order_;
  Mutex insertions_{LockRank::kMemTable};
  RepList list_;
};

class VectorRep final : public SortingRep {
 public:
  VectorRep(const KeyComparator& order, ROCKSDB_NAMESPACE::Allocator* arena,
            size_t count);

  void Insert(KeyHandle handle) override;
  size_t ApproximateMemoryUsage() override;

 private:
  size_t Count() const override;
  bool CollectFrom(size_t known, Entries* entries) const override;

  mutable SharedMutex mu_;
  Entries entries_ GUARDED_BY(mu_);
};

class HashRep final : public SortingRep {
 public:
  static constexpr size_t kBucketsMax = size_t{1} << 27;

  // `timestamp_size`: of the timestamps behind user keys.
  HashRep(const KeyComparator& order, ROCKSDB_NAMESPACE::Allocator* arena,
          const SliceTransform* prefixes, size_t timestamp_size,
          const HashRepOptions& options, Logger* info_log);
  ~HashRep() override;

  void Insert(KeyHandle handle) override { (void)InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override;
  bool Contains(const char* entry) const override;
  void MarkReadOnly() override;
  size_t ApproximateMemoryUsage() override;
  void Get(const ROCKSDB_NAMESPACE::LookupKey& key, void* args,
           bool (*callback)(void* args, const char* entry)) override;
  Iterator* GetDynamicPrefixIterator(ROCKSDB_NAMESPACE::Arena*) override;

  // The list with the keys of `user_key`'s prefix; null: there are none.
  const RepList* ListOf(const Slice& user_key) const;

 private:
  struct Bucket {
    std::atomic<const RepList*> shown;
    RepList* list;  // Of the inserting thread.
    uint32_t count;
  };

  size_t Count() const override {
    return count_.load(std::memory_order_acquire);
  }
  bool CollectFrom(size_t known, Entries* entries) const override;
  size_t IndexOf(const Slice& user_key) const;
  RepList* NewList(int height);
  void MakeSkipList(Bucket* bucket);

  const HashRepOptions options_;
  const SliceTransform* const prefixes_;
  const size_t timestamp_size_;
  Logger* const info_log_;
  const size_t buckets_count_;
  std::unique_ptr<Arena> huge_pages_;  // Null: the buckets are from the heap.
  Bucket* buckets_;                    // Zeros at first.
  std::atomic<size_t> count_{0};
  std::atomic<size_t> used_buckets_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
