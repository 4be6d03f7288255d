#include "db/memtable/sorting_rep.h"

#include <algorithm>
#include <cassert>

#include "db/memtable/rep_bridge.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Over the sorted copy of the moment of its first or last seek.
class SortedIterator final : public MemTableRep::Iterator {
 public:
  SortedIterator(const SortingRep* rep, const MemTableRep::KeyComparator& order)
      : rep_(rep), order_(order) {}

  bool Valid() const override {
    return entries_ != nullptr && at_ < entries_->size();
  }
  const char* key() const override { return (*entries_)[at_]; }
  void Next() override { ++at_; }
  // In front of the first it becomes as large as can be.
  void Prev() override { --at_; }
  void Seek(const Slice& key, const char*) override {
    Renew();
    at_ = FirstFrom(key, /*or_equal=*/true);
  }
  void SeekForPrev(const Slice& key, const char*) override {
    Renew();
    at_ = FirstFrom(key, /*or_equal=*/false) - 1;
  }
  void SeekToFirst() override {
    Renew();
    at_ = 0;
  }
  void SeekToLast() override {
    Renew();
    at_ = entries_->size() - 1;
  }

 private:
  void Renew() { entries_ = rep_->Sorted(); }
  size_t FirstFrom(const Slice& key, bool or_equal) const {
    const auto found = std::partition_point(
        entries_->begin(), entries_->end(), [&](const char* entry) {
          const int compared = order_(entry, key);
          return compared < 0 || (compared == 0 && !or_equal);
        });
    return static_cast<size_t>(found - entries_->begin());
  }

  const SortingRep* const rep_;
  const MemTableRep::KeyComparator& order_;
  std::shared_ptr<const SortingRep::Entries> entries_;
  size_t at_ = 0;
};

}  // namespace

std::shared_ptr<const SortingRep::Entries> SortingRep::Sorted() const {
  const MutexLock lock(&mu_);
  const size_t known = sorted_ == nullptr ? 0 : sorted_->size();
  const size_t count = Count();  // Before the entries: more may come.
  if (sorted_ != nullptr && count <= sorted_at_) return sorted_;
  const auto less = [this](const char* a, const char* b) {
    return order_(a, b) < 0;
  };
  auto entries = std::make_shared<Entries>();
  Entries added;
  if (CollectFrom(known, &added)) {
    std::sort(added.begin(), added.end(), less);
    entries->resize(known + added.size());
    const Entries none;
    const Entries& old = sorted_ == nullptr ? none : *sorted_;
    std::merge(old.begin(), old.end(), added.begin(), added.end(),
               entries->begin(), less);
  } else {
    std::sort(added.begin(), added.end(), less);
    *entries = std::move(added);
  }
  assert(entries->size() >= known);
  sorted_ = entries;
  sorted_at_ = count;
  return entries;
}

bool SortingRep::Contains(const char* entry) const {
  const std::shared_ptr<const Entries> entries = Sorted();
  return std::binary_search(
      entries->begin(), entries->end(), entry,
      [this](const char* a, const char* b) { return order_(a, b) < 0; });
}

uint64_t SortingRep::ApproximateNumEntries(const Slice& start,
                                           const Slice& end) {
  const std::shared_ptr<const Entries> entries = Sorted();
  const auto before = [&](const Slice& key) {
    return std::partition_point(
        entries->begin(), entries->end(),
        [&](const char* entry) { return order_(entry, key) < 0; });
  };
  const auto from = before(start);
  const auto to = before(end);
  return from < to ? static_cast<uint64_t>(to - from) : 0;
}

MemTableRep::Iterator* SortingRep::GetIterator(ROCKSDB_NAMESPACE::Arena*) {
  return new SortedIterator(this, order_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
