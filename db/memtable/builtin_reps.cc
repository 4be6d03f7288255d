#include "db/memtable/builtin_reps.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <new>

#include "db/memtable/rep_bridge.h"
#include "rocksdb/env.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

// -- What a program's reps inherit.

Slice GetLengthPrefixedSlice(const char* data) {
  return engine::GetLengthPrefixedSlice(data);
}

KeyHandle MemTableRep::Allocate(size_t len, char** buf) {
  *buf = allocator_->arena()->Allocate(len);
  return static_cast<KeyHandle>(*buf);
}

// A program must not be ended for calling it; one at a time is always right.
void MemTableRep::InsertConcurrently(KeyHandle handle) { Insert(handle); }

void MemTableRep::Get(const LookupKey& k, void* callback_args,
                      bool (*callback_func)(void* arg, const char* entry)) {
  const std::unique_ptr<Iterator> iter(GetDynamicPrefixIterator());
  for (iter->Seek(k.internal_key(), nullptr);
       iter->Valid() && callback_func(callback_args, iter->key());
       iter->Next()) {
  }
}

Slice MemTableRep::UserKey(const char* key) const {
  const Slice internal = GetLengthPrefixedSlice(key);
  return {internal.data(), internal.size() - engine::kTrailerSize};
}

namespace engine {

// -- Skiplist

namespace {
constexpr int kRepListHeight = 12;
constexpr int kRepListBranching = 4;
}  // namespace

SkipListRep::SkipListRep(const KeyComparator& order,
                         ROCKSDB_NAMESPACE::Allocator* arena)
    : MemTableRep(arena),
      order_(order),
      list_(&order, arena->arena(), kRepListHeight, kRepListBranching) {}

bool SkipListRep::InsertKeyConcurrently(KeyHandle handle) {
  const MutexLock lock(&insertions_);
  return list_.Insert(static_cast<const char*>(handle));
}

bool SkipListRep::Contains(const char* entry) const {
  const RepList::Node* const node =
      list_.SeekGreaterOrEqual(EntryOrder::KeyOf(entry));
  return node != nullptr && order_(node->entry(), entry) == 0;
}

// -- Vector

VectorRep::VectorRep(const KeyComparator& order,
                     ROCKSDB_NAMESPACE::Allocator* arena, size_t count)
    : SortingRep(order, arena) {
  constexpr size_t kReservedMax = size_t{1} << 24;
  entries_.reserve(std::min(count, kReservedMax));
}

void VectorRep::Insert(KeyHandle handle) {
  const WriteLock lock(&mu_);
  entries_.push_back(static_cast<const char*>(handle));
}

size_t VectorRep::ApproximateMemoryUsage() {
  const ReadLock lock(&mu_);
  return entries_.size() * sizeof(entries_[0]);
}

size_t VectorRep::Count() const {
  const ReadLock lock(&mu_);
  return entries_.size();
}

bool VectorRep::CollectFrom(size_t known, Entries* entries) const {
  const ReadLock lock(&mu_);
  assert(known <= entries_.size());
  entries->assign(entries_.begin() + static_cast<ptrdiff_t>(known),
                  entries_.end());
  return true;
}

// -- Hash tables by prefix

namespace {

// Over the keys of one prefix, that of the last seek.
class HashRepIterator final : public MemTableRep::Iterator {
 public:
  explicit HashRepIterator(const HashRep* rep) : rep_(rep), list_(nullptr) {}

  bool Valid() const override { return list_.Valid(); }
  const char* key() const override { return list_.key(); }
  void Next() override { list_.Next(); }
  void Prev() override { list_.Prev(); }
  void Seek(const Slice& key, const char*) override {
    list_.SetList(rep_->ListOf(ExtractUserKey(key)));
    list_.Seek(key, nullptr);
  }
  void SeekForPrev(const Slice& key, const char*) override {
    list_.SetList(rep_->ListOf(ExtractUserKey(key)));
    list_.SeekForPrev(key, nullptr);
  }
  // No prefix has a first key: these show nothing.
  void SeekToFirst() override { list_.SetList(nullptr); }
  void SeekToLast() override { list_.SetList(nullptr); }

 private:
  const HashRep* const rep_;
  RepListIterator list_;
};

}  // namespace

HashRep::HashRep(const KeyComparator& order,
                 ROCKSDB_NAMESPACE::Allocator* arena,
                 const SliceTransform* prefixes, size_t timestamp_size,
                 const HashRepOptions& options, Logger* info_log)
    : SortingRep(order, arena),
      options_(options),
      prefixes_(prefixes),
      timestamp_size_(timestamp_size),
      info_log_(info_log),
      buckets_count_(std::clamp<size_t>(options.bucket_count, 1, kBucketsMax)) {
  assert(prefixes != nullptr);
  void* memory = nullptr;
  if (options_.huge_page_size > 0) {
    const size_t bytes = buckets_count_ * sizeof(Bucket);
    huge_pages_ = std::make_unique<Arena>(bytes, options_.huge_page_size);
    memory = huge_pages_->AllocateAligned(bytes);
    std::fill_n(static_cast<char*>(memory), bytes, '\0');
  } else {
    // Pages that hold no bucket in use stay without memory.
    memory = std::calloc(buckets_count_, sizeof(Bucket));
    if (memory == nullptr) throw std::bad_alloc();
  }
  buckets_ = static_cast<Bucket*>(memory);
}

HashRep::~HashRep() {
  if (huge_pages_ == nullptr) std::free(buckets_);
}

size_t HashRep::IndexOf(const Slice& user_key) const {
  assert(user_key.size() >= timestamp_size_);
  const Slice key(user_key.data(), user_key.size() - timestamp_size_);
  // What has no prefix is its own.
  const Slice prefix =
      prefixes_->InDomain(key) ? prefixes_->Transform(key) : key;
  return Hash64(prefix) % buckets_count_;
}

const RepList* HashRep::ListOf(const Slice& user_key) const {
  return buckets_[IndexOf(user_key)].shown.load(std::memory_order_acquire);
}

RepList* HashRep::NewList(int height) {
  Allocator* const arena = allocator_->arena();
  char* const memory = arena->AllocateAligned(sizeof(RepList));
  return new (memory) RepList(&order(), arena, height, options_.branching);
}

// Readers of the linked list keep it: it stays in the arena.
void HashRep::MakeSkipList(Bucket* bucket) {
  RepList* const list = NewList(options_.height);
  for (const RepList::Node* node = bucket->list->First(); node != nullptr;
       node = node->Next()) {
    (void)list->Insert(node->entry());
  }
  bucket->list = list;
  bucket->shown.store(list, std::memory_order_release);
}

bool HashRep::InsertKey(KeyHandle handle) {
  const auto* const entry = static_cast<const char*>(handle);
  const Slice user_key = ExtractUserKey(EntryOrder::KeyOf(entry));
  Bucket* const bucket = &buckets_[IndexOf(user_key)];
  if (bucket->list == nullptr) {
    bucket->list = NewList(options_.list_max > 0 ? 1 : options_.height);
    used_buckets_.fetch_add(1, std::memory_order_relaxed);
    bucket->shown.store(bucket->list, std::memory_order_release);
  } else if (options_.list_max > 0 && bucket->count == options_.list_max) {
    MakeSkipList(bucket);
  }
  if (!bucket->list->Insert(entry)) return false;
  ++bucket->count;
  count_.fetch_add(1, std::memory_order_release);
  if (options_.log_threshold > 0 &&
      bucket->count == static_cast<uint32_t>(options_.log_threshold)) {
    Warn(info_log_,
         "A bucket of the memtable has %d entries, the last of them: %s",
         options_.log_threshold, user_key.ToString(/*hex=*/true).c_str());
  }
  return true;
}

bool HashRep::Contains(const char* entry) const {
  const Slice key = EntryOrder::KeyOf(entry);
  const RepList* const list = ListOf(ExtractUserKey(key));
  if (list == nullptr) return false;
  const RepList::Node* const node = list->SeekGreaterOrEqual(key);
  return node != nullptr && order()(node->entry(), entry) == 0;
}

// How many buckets have how many entries, by powers of two.
void HashRep::MarkReadOnly() {
  if (!options_.log_spread || info_log_ == nullptr) return;
  std::array<size_t, 33> spread{};
  uint32_t largest = 0;
  for (size_t i = 0; i < buckets_count_; ++i) {
    const uint32_t count = buckets_[i].count;
    if (count > 0) ++spread[static_cast<size_t>(std::bit_width(count))];
    largest = std::max(largest, count);
  }
  std::string text;
  for (size_t i = 1; i < spread.size(); ++i) {
    if (spread[i] == 0) continue;
    text += " " + std::to_string(uint64_t{1} << (i - 1)) +
            "+: " + std::to_string(spread[i]);
  }
  Info(info_log_,
       "Memtable sealed: %zu entries in %zu of %zu buckets, at most %u in one; "
       "entries: buckets%s",
       Count(), used_buckets_.load(), buckets_count_, largest, text.c_str());
}

size_t HashRep::ApproximateMemoryUsage() {
  return used_buckets_.load(std::memory_order_relaxed) * sizeof(Bucket);
}

void HashRep::Get(const ROCKSDB_NAMESPACE::LookupKey& key, void* args,
                  bool (*callback)(void* args, const char* entry)) {
  const RepList* const list = ListOf(ExtractUserKey(key.internal_key()));
  if (list == nullptr) return;
  for (const RepList::Node* node = list->SeekGreaterOrEqual(key.internal_key());
       node != nullptr && callback(args, node->entry()); node = node->Next()) {
  }
}

MemTableRep::Iterator* HashRep::GetDynamicPrefixIterator(
    ROCKSDB_NAMESPACE::Arena*) {
  return new HashRepIterator(this);
}

bool HashRep::CollectFrom([[maybe_unused]] size_t known,
                          Entries* entries) const {
  assert(known <= Count());
  entries->reserve(Count());
  for (size_t i = 0; i < buckets_count_; ++i) {
    const RepList* const list =
        buckets_[i].shown.load(std::memory_order_acquire);
    if (list == nullptr) continue;
    for (const RepList::Node* node = list->First(); node != nullptr;
         node = node->Next()) {
      entries->push_back(node->entry());
    }
  }
  return false;
}

MemTableRep* HashRepFactory::CreateMemTableRep(
    const MemTableRep::KeyComparator& order,
    ROCKSDB_NAMESPACE::Allocator* allocator, const SliceTransform* prefixes,
    Logger* logger) {
  if (prefixes == nullptr) return nullptr;
  // A program's wrapper may bring an order of its own.
  const auto* const ours = dynamic_cast<const EntryOrder*>(&order);
  return new HashRep(order, allocator, prefixes,
                     ours == nullptr ? 0 : ours->timestamp_size(), options_,
                     logger);
}

}  // namespace engine

MemTableRep* SkipListFactory::CreateMemTableRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    const SliceTransform*, Logger*) {
  return new engine::SkipListRep(order, allocator);
}

MemTableRep* VectorRepFactory::CreateMemTableRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    const SliceTransform*, Logger*) {
  return new engine::VectorRep(order, allocator, count_);
}

}  // namespace ROCKSDB_NAMESPACE
