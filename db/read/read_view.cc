#include "db/read/read_view.h"

#include <cassert>
#include <utility>

#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Marks a slot whose thread is reading. Never dereferenced.
const ReadView* InUse() {
  static const char mark = 0;
  return reinterpret_cast<const ReadView*>(&mark);
}

std::atomic<uint64_t> next_publisher_id{1};

}  // namespace

// Alone on its cache line: two threads' slots side by side would be shared
// memory again.
struct alignas(kCacheLineSize) ViewPublisher::Slot {
  std::atomic<const ReadView*> view{nullptr};
};

// One thread's slots, a few per open column family. Linear search: threads
// touch few families in a row, and the last one found is kept in front.
struct ViewPublisher::ThreadSlots {
  struct Entry {
    uint64_t publisher_id;
    std::shared_ptr<Slot> slot;
  };
  std::vector<Entry> entries;

  // The references stay with the slots; a publisher that is gone has taken
  // them back, one that lives on finds them in its own list.
  static ThreadSlots& Mine() {
    thread_local ThreadSlots slots;
    return slots;
  }

  ~ThreadSlots() {
    for (Entry& entry : entries) {
      const ReadView* view = entry.slot->view.exchange(nullptr);
      if (view != nullptr && view != InUse()) view->Unref();
    }
  }
};

ViewPublisher::ViewPublisher() : id_(next_publisher_id.fetch_add(1)) {}

ViewPublisher::~ViewPublisher() {
  ReleaseCached();
  MutexLock lock(&mu_);
  if (latest_ != nullptr) latest_->Unref();
}

ViewPublisher::Slot* ViewPublisher::ThreadSlot() const {
  auto& entries = ThreadSlots::Mine().entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].publisher_id != id_) continue;
    if (i > 0) std::swap(entries[i], entries[i / 2]);
    return entries[i > 0 ? i / 2 : 0].slot.get();
  }
  // Slots of publishers that are gone are held by this thread alone.
  std::erase_if(entries, [](const ThreadSlots::Entry& entry) {
    return entry.slot.use_count() == 1;
  });
  auto slot = std::make_shared<Slot>();
  entries.push_back({id_, slot});
  MutexLock lock(&mu_);
  std::erase_if(slots_, [](const std::shared_ptr<Slot>& s) {
    return s.use_count() == 1;  // Its thread has ended.
  });
  slots_.push_back(std::move(slot));
  return entries.back().slot.get();
}

ViewRef ViewPublisher::Publish(const ReadView* view) {
  const ReadView* old = nullptr;
  {
    MutexLock lock(&mu_);
    assert(view == nullptr || latest_ == nullptr ||
           latest_->number < view->number);
    old = std::exchange(latest_, view);
    latest_number_.store(view == nullptr ? 0 : view->number,
                         std::memory_order_release);
  }
  ReleaseCached();
  return ViewRef(old);
}

void ViewPublisher::ReleaseCached() {
  std::vector<const ReadView*> taken;
  {
    MutexLock lock(&mu_);
    for (const auto& slot : slots_) {
      const ReadView* view = slot->view.exchange(nullptr);
      // A thread in the middle of a read finds its mark gone and drops the
      // reference itself.
      if (view != nullptr && view != InUse()) taken.push_back(view);
    }
  }
  for (const ReadView* view : taken) view->Unref();
}

ViewRef ViewPublisher::Pin() const {
  MutexLock lock(&mu_);
  assert(latest_ != nullptr);
  latest_->Ref();
  return ViewRef(latest_);
}

const ReadView* ViewPublisher::Acquire() const {
  Slot* slot = ThreadSlot();
  const ReadView* view = slot->view.exchange(InUse());
  // A nested read on this thread (a callback) finds the mark of the outer
  // one and takes a reference of its own.
  if (view != nullptr && view != InUse()) {
    assert(view->references() > 0);  // (1)
    return view;
  }
  MutexLock lock(&mu_);
  assert(latest_ != nullptr);
  latest_->Ref();
  return latest_;
}

void ViewPublisher::Release(const ReadView* view) const {
  assert(view != nullptr && view != InUse());
  const ReadView* expected = InUse();
  if (ThreadSlot()->view.compare_exchange_strong(expected, view)) return;
  view->Unref();
}

}  // namespace ROCKSDB_NAMESPACE::engine
