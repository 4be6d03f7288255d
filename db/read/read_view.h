// ReadView: everything a read needs, pinned together; and how threads get it
// without touching a shared counter.
//
// Place. A column family publishes a new view whenever a memtable is switched
// or a version installed; reads, iterators and flushes pin the latest one.
//
// Model. Every thread keeps one cached reference per column family in a slot:
//
//   empty --Acquire: take a reference under the mutex--> in use
//   in use --Release--> cached --Acquire--> in use       (no shared write)
//   cached --Publish takes it back--> empty
//   in use --Publish--> stale; Release then drops the reference
//
// Invariants:
//   (1) A slot's cached reference is counted in the view.
//   (2) A published view never changes.
//
// Threads. Acquire/Release from any thread; Publish under the DB mutex.

#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "db/memtable/memtable_list.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class Version;

struct ReadView {
  MemTablePtr mem;
  std::shared_ptr<const ImmutableMemTables> imm;
  std::shared_ptr<const Version> version;
  std::shared_ptr<const ColumnFamilyOptions> options;
  uint64_t number = 0;  // Ascends with every publication.
  // Nothing newer is to be shown: what another process drops in its files it
  // drops without knowing of our readers, so that files and sequence belong
  // together.
  SequenceNumber sequence_max = kSequenceMax;

  void Ref() const { refs_.fetch_add(1, std::memory_order_relaxed); }
  void Unref() const {
    const uint64_t before = refs_.fetch_sub(1, std::memory_order_acq_rel);
    assert(before > 0);
    if (before == 1) delete this;
  }
  // For tests.
  uint64_t references() const { return refs_.load(std::memory_order_relaxed); }

 private:
  mutable std::atomic<uint64_t> refs_{1};
};

// A pinned view with an ordinary count: for iterators and background work.
class ViewRef {
 public:
  ViewRef() = default;
  explicit ViewRef(const ReadView* counted) : view_(counted) {}
  ViewRef(ViewRef&& other) noexcept : view_(other.view_) {
    other.view_ = nullptr;
  }
  ViewRef& operator=(ViewRef&& other) noexcept {
    std::swap(view_, other.view_);
    return *this;
  }
  ~ViewRef() {
    if (view_ != nullptr) view_->Unref();
  }
  const ReadView* operator->() const { return view_; }
  const ReadView* get() const { return view_; }

 private:
  const ReadView* view_ = nullptr;
};

class ViewPublisher {
 public:
  ViewPublisher();
  ~ViewPublisher();
  ViewPublisher(const ViewPublisher&) = delete;
  ViewPublisher& operator=(const ViewPublisher&) = delete;

  // Takes ownership of `view`. The reference to the old one is returned, to
  // be dropped without the mutex: the last holder frees memtables.
  ViewRef Publish(const ReadView* view);

  // A counted reference to the latest view.
  ViewRef Pin() const;

  // The latest view's number, a moment ago.
  uint64_t latest_number() const {
    return latest_number_.load(std::memory_order_acquire);
  }

  // For short reads: no shared write while the view stays the same. The
  // result must be given back by the same thread.
  const ReadView* Acquire() const;
  void Release(const ReadView* view) const;

  // Takes back every thread's cached reference: before the memtables and
  // files have to be gone (close, drop).
  void ReleaseCached();

 private:
  struct Slot;
  struct ThreadSlots;
  Slot* ThreadSlot() const;

  const uint64_t id_;  // Never reused.
  mutable Mutex mu_{LockRank::kViewPublisher};
  mutable std::vector<std::shared_ptr<Slot>> slots_ GUARDED_BY(mu_);
  const ReadView* latest_ GUARDED_BY(mu_) = nullptr;
  std::atomic<uint64_t> latest_number_{0};
};

// A short read's view, for the length of a scope.
class ScopedView {
 public:
  explicit ScopedView(const ViewPublisher& publisher)
      : publisher_(publisher), view_(publisher.Acquire()) {}
  ~ScopedView() { publisher_.Release(view_); }
  ScopedView(const ScopedView&) = delete;
  ScopedView& operator=(const ScopedView&) = delete;
  const ReadView* operator->() const { return view_; }
  const ReadView& operator*() const { return *view_; }

 private:
  const ViewPublisher& publisher_;
  const ReadView* const view_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
