// A memtable that a program brings itself: a std::map under a lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::test {

// What the class below does wrong, and what it is told.
struct MapRepFaults {
  std::atomic<bool> reversed{false};  // Iterates from the last to the first.
  std::atomic<bool> null{false};      // Shows a null pointer.
  std::atomic<bool> loses{false};     // Drops what is inserted.
  std::atomic<bool> makes_none{false};
  std::atomic<bool> plain{false};  // Without snapshots and merges.
  std::atomic<int> inserted{0};
  std::atomic<int> inserted_concurrently{0};
  std::atomic<int> sealed{0};
  std::atomic<int> flushed{0};
};

// Its cursors show what was there when they were made.
class MapRep final : public MemTableRep {
 public:
  struct Less {
    const KeyComparator* order;
    bool operator()(const char* a, const char* b) const {
      return (*order)(a, b) < 0;
    }
  };
  using Map = std::map<const char*, bool, Less>;

  MapRep(const KeyComparator& order, ROCKSDB_NAMESPACE::Allocator* allocator,
         MapRepFaults* faults)
      : MemTableRep(allocator),
        order_(order),
        map_(Less{&order}),
        faults_(faults) {}

  void Insert(KeyHandle handle) override {
    const engine::MutexLock lock(&mu_);
    ++faults_->inserted;
    if (!faults_->loses) map_[static_cast<const char*>(handle)] = true;
  }
  void InsertConcurrently(KeyHandle handle) override {
    ++faults_->inserted_concurrently;
    Insert(handle);
  }
  bool Contains(const char* key) const override {
    const engine::MutexLock lock(&mu_);
    return map_.contains(key);
  }
  void MarkReadOnly() override { ++faults_->sealed; }
  void MarkFlushed() override { ++faults_->flushed; }
  size_t ApproximateMemoryUsage() override { return 0; }
  bool IsSnapshotSupported() const override { return !faults_->plain; }
  bool IsMergeOperatorSupported() const override { return !faults_->plain; }

  class Cursor final : public Iterator {
   public:
    explicit Cursor(MapRep* rep) : rep_(rep) {
      const engine::MutexLock lock(&rep->mu_);
      for (const auto& [entry, unused] : rep->map_) keys_.push_back(entry);
      if (rep->faults_->reversed) std::reverse(keys_.begin(), keys_.end());
    }
    bool Valid() const override { return at_ < keys_.size(); }
    const char* key() const override {
      return rep_->faults_->null ? nullptr : keys_[at_];
    }
    void Next() override { ++at_; }
    void Prev() override { --at_; }
    void Seek(const Slice& key, const char*) override {
      for (at_ = 0; Valid() && rep_->order_(keys_[at_], key) < 0; ++at_) {
      }
    }
    void SeekForPrev(const Slice& key, const char*) override {
      for (at_ = keys_.size() - 1; Valid() && rep_->order_(keys_[at_], key) > 0;
           --at_) {
      }
    }
    void SeekToFirst() override { at_ = 0; }
    void SeekToLast() override { at_ = keys_.size() - 1; }

   private:
    MapRep* const rep_;
    std::vector<const char*> keys_;
    size_t at_ = ~size_t{0};
  };
  Iterator* GetIterator(ROCKSDB_NAMESPACE::Arena*) override {
    return new Cursor(this);
  }

 private:
  const KeyComparator& order_;
  mutable engine::Mutex mu_;
  Map map_;
  MapRepFaults* const faults_;
};

class MapRepFactory final : public MemTableRepFactory {
 public:
  explicit MapRepFactory(MapRepFaults* faults) : faults_(faults) {}
  const char* Name() const override { return "MapRepFactory"; }
  bool IsInsertConcurrentlySupported() const override { return true; }
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 ROCKSDB_NAMESPACE::Allocator* allocator,
                                 const SliceTransform*, Logger*) override {
    if (faults_->makes_none) return nullptr;
    return new MapRep(order, allocator, faults_);
  }

 private:
  MapRepFaults* const faults_;
};

}  // namespace ROCKSDB_NAMESPACE::test
