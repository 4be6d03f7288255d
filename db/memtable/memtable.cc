#include "db/memtable/memtable.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "db/memtable/entry_checksum.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/write_buffer_manager.h"
#include "table/timestamps.h"
#include "util/coding.h"
#include "util/perf_context.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kArenaBlockSizeMax = size_t{1} << 20;
constexpr size_t kArenaBlocksPerBuffer = 8;

// Up to this mean of an entry a memtable wants huge pages. One entry of all
// that one page holds waits until it is cleared: of 2 KiB and more one in a
// thousand, which p99.9 would show; of 8 KiB it grew from 0.3 to 2.4 ms.
constexpr uint64_t kHugePageEntryBytes = 1200;

// A smaller skiplist is in the processor's cache anyway.
constexpr uint64_t kWorthWalking = 10000;

size_t ArenaBlockSize(const MemTableOptions& options) {
  if (options.arena_block_size > 0) return options.arena_block_size;
  return std::clamp(options.write_buffer_size / kArenaBlocksPerBuffer,
                    Arena::kBlockSizeMin, kArenaBlockSizeMax);
}

Slice ValueAfter(const Slice& key) {
  return GetLengthPrefixedSlice(key.data() + key.size());
}

bool IsDeletion(ValueType type) {
  return type == ValueType::kDeletion || type == ValueType::kSingleDeletion ||
         type == ValueType::kDeletionWithTimestamp;
}

// Towers must not depend on each other: any good mixer of the unique trailer
// does, and needs no generator shared by threads.
uint64_t HeightBits(uint64_t trailer) {
  uint64_t state = trailer;
  return SplitMix64(&state);
}

}  // namespace

template <bool kBytewise>
class MemTable::Iterator final : public InternalIterator {
 public:
  using List = SkipList<kBytewise>;

  // `list` is of `memtable`, which `prefix` may ask; it may be null.
  Iterator(const List& list, const MemTable* memtable, PrefixSeek* prefix)
      : list_(list), memtable_(memtable), prefix_(prefix) {}

  void SeekToFirst() override { StandOn(list_.First()); }
  void SeekToLast() override { StandOn(list_.Last()); }
  void Seek(const Slice& target) override {
    if (prefix_ != nullptr && RuledOut(target)) return;
    const PerfTimer timer(nullptr, &PerfContext::seek_on_memtable_time);
    PerfAdd<&PerfContext::seek_on_memtable_count>();
    StandOn(memtable_->SeekIn(list_, SkipListTarget(target), &status_));
  }
  void SeekForPrev(const Slice& target) override {
    if (prefix_ != nullptr && RuledOut(target)) return;
    const PerfTimer timer(nullptr, &PerfContext::seek_on_memtable_time);
    PerfAdd<&PerfContext::seek_on_memtable_count>();
    const SkipListTarget goal(target);
    // Two descents, so that an entry added in between is not passed over.
    typename List::Node* node = memtable_->SeekIn(list_, goal, &status_);
    if (node == nullptr || node->key() != target) node = list_.SeekLess(goal);
    StandOn(node);
  }
  void Next() override {
    assert(Valid());
    PerfAdd<&PerfContext::next_on_memtable_count>();
    const Slice before = key_;
    StandOn(node_->Next(0));
    if (memtable_->ChecksOrder()) [[unlikely]]
      CheckOrder(before, key_);
  }
  void Prev() override {
    assert(Valid());
    PerfAdd<&PerfContext::prev_on_memtable_count>();
    const Slice behind = key_;
    StandOn(list_.SeekLess(SkipListTarget(key_)));
    if (memtable_->ChecksOrder()) [[unlikely]]
      CheckOrder(key_, behind);
  }
  Status status() const override { return status_; }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return !memtable_->updates_in_place(); }

 private:
  bool RuledOut(const Slice& target) {
    assert(memtable_->bloom_ != nullptr);
    Slice prefix;
    if (!prefix_->Prefix(*memtable_->prefix_extractor_, ExtractUserKey(target),
                         &prefix)) {
      return false;
    }
    if (memtable_->bloom_->MayContain(prefix)) {
      PerfAdd<&PerfContext::bloom_memtable_hit_count>();
      return false;
    }
    PerfAdd<&PerfContext::bloom_memtable_miss_count>();
    prefix_->RuleOut();
    valid_ = false;
    return true;
  }
  void StandOn(typename List::Node* node) {
    node_ = node;
    valid_ = node != nullptr && status_.ok();
    if (!valid_) return;
    key_ = node->key();
    SharedMutex* const lock = memtable_->LockOf(key_);
    if (lock == nullptr) [[likely]]
      return Look();
    const ReadLock reading(lock);
    Look();
    copy_.assign(value_.data(), value_.size());
    value_ = copy_;
  }
  void Look() {
    value_ = ValueAfter(key_);
    const uint32_t bytes = memtable_->protection_bytes_;
    if (bytes > 0 && !EntryChecksumMatches(key_, value_, bytes)) [[unlikely]] {
      status_ = DamagedEntry(key_);
      valid_ = false;
    }
  }
  void CheckOrder(const Slice& smaller, const Slice& larger) {
    if (!valid_ || memtable_->icmp_->Compare(smaller, larger) < 0) return;
    status_ = DisorderedEntries(key_);
    valid_ = false;
  }

  const List& list_;
  const MemTable* const memtable_;
  PrefixSeek* const prefix_;
  typename List::Node* node_ = nullptr;
  Status status_;     // Stays once it is an error.
  std::string copy_;  // Of a value that may change.
};

MemTable::MemTable(const InternalKeyComparator* icmp,
                   const MemTableOptions& options,
                   SequenceNumber creation_sequence)
    : icmp_(icmp),
      write_buffer_manager_(options.write_buffer_manager),
      creation_sequence_(creation_sequence),
      arena_(ArenaBlockSize(options), options.huge_page_size),
      bytewise_list_(icmp, &arena_),
      list_(icmp, &arena_),
      range_deletions_(icmp, &arena_),
      timestamp_size_(icmp->user_comparator()->timestamp_size()),
      whole_keys_in_bloom_(options.whole_keys_in_bloom),
      prefix_extractor_(options.prefix_extractor),
      in_place_(options.update_in_place
                    ? std::make_unique<const InPlace>(options.in_place_locks,
                                                      options.in_place_callback)
                    : nullptr),
      protection_bytes_(options.protection_bytes),
      disallow_writes_(options.disallow_writes),
      rep_(RepTable::Create({icmp, options.factory, &arena_,
                             options.prefix_extractor.get(), options.info_log,
                             options.family_id, options.protection_bytes})),
      write_buffer_size_(options.write_buffer_size),
      range_deletions_max_(options.range_deletions_max) {
  if (options.bloom_bytes > 0 &&
      (whole_keys_in_bloom_ || prefix_extractor_ != nullptr)) {
    bloom_ = std::make_unique<MemTableBloom>(options.bloom_bytes, &arena_);
  }
  SetMergeLimit(options.merge_limit);
  if (options.hint_prefixes != nullptr) {
    hints_ = std::make_unique<Hints>();
    hints_->prefixes = options.hint_prefixes;
  }
  SetReadChecks(options.paranoid_checks, options.verify_on_seek);
  ChargeMemory();
}

MemTable::~MemTable() {
  if (write_buffer_manager_ == nullptr) return;
  MarkImmutable();
  write_buffer_manager_->FreeMem(charged_bytes_.load());
}

// Null: where the last key went.
template <bool kBytewise>
typename SkipList<kBytewise>::Splice* MemTable::HintFor(const Slice& user_key) {
  assert(hints_ != nullptr && user_key.size() >= timestamp_size_);
  const Slice key(user_key.data(), user_key.size() - timestamp_size_);
  if (!hints_->prefixes->InDomain(key)) return nullptr;
  const std::string prefix = hints_->prefixes->Transform(key).ToString();
  if constexpr (kBytewise) {
    return &hints_->bytewise[prefix];
  } else {
    return &hints_->other[prefix];
  }
}

bool MemTable::MatchesChecksum(const Slice& internal_key) const {
  if (protection_bytes_ == 0) return true;
  const auto matches = [&] {
    return EntryChecksumMatches(internal_key, ValueAfter(internal_key),
                                protection_bytes_);
  };
  SharedMutex* const lock = LockOf(internal_key);
  if (lock == nullptr) return matches();
  const ReadLock reading(lock);
  return matches();
}

Status MemTable::CheckNode(const Slice* before, const Slice& key) const {
  if (!MatchesChecksum(key)) return DamagedEntry(key);  // (1)
  // skiplist.h (1)
  if (before != nullptr && icmp_->Compare(*before, key) >= 0) {
    return DisorderedEntries(key);
  }
  return {};
}

template <bool kBytewise>
typename SkipList<kBytewise>::Node* MemTable::SeekIn(
    const SkipList<kBytewise>& list, const SkipListTarget& target,
    Status* bad) const {
  if (!ChecksPath()) [[likely]]
    return list.SeekGreaterOrEqual(target);
  assert(bad->ok());
  auto* x = list.head();
  auto* next = x;
  Slice before;  // The key of x, once that is a node.
  for (int level = list.height() - 1; level >= 0; --level) {
    while ((next = x->Next(level)) != nullptr) {
      const Slice key = next->key();
      *bad = CheckNode(x == list.head() ? nullptr : &before, key);
      if (!bad->ok()) return nullptr;
      if (!list.IsBefore(next, target)) break;
      x = next;
      before = key;
    }
  }
  return next;
}

template <bool kBytewise>
bool MemTable::AddTo(SkipList<kBytewise>* list, const ParsedInternalKey& key,
                     const Slice& value, bool concurrent,
                     typename SkipList<kBytewise>::Splice* splice) {
  const size_t key_size = key.user_key.size() + kTrailerSize;
  const size_t bytes = static_cast<size_t>(VarintLength(key_size)) + key_size +
                       static_cast<size_t>(VarintLength(value.size())) +
                       value.size();
  assert(key_size <= UINT32_MAX && value.size() <= UINT32_MAX);
  const SkipListTarget target(key.user_key,
                              PackSequenceAndType(key.sequence, key.type));
  const int height =
      SkipList<kBytewise>::HeightFromBits(HeightBits(target.trailer));

  auto* const node = list->AllocateNode(bytes + protection_bytes_, height);
  char* p = EncodeVarint32(node->entry(), static_cast<uint32_t>(key_size));
  const char* const internal_key = p;
  std::memcpy(p, key.user_key.data(), key.user_key.size());
  p += key.user_key.size();
  EncodeFixed64(p, target.trailer);
  p = EncodeVarint32(p + kTrailerSize, static_cast<uint32_t>(value.size()));
  assert(p + value.size() == node->entry() + bytes);
  if (!value.empty()) std::memcpy(p, value.data(), value.size());
  AppendEntryChecksum(internal_key, p + value.size(), protection_bytes_);

  if (concurrent) {
    return list->InsertConcurrently(node, height, target, splice);
  }
  if (hints_ != nullptr) [[unlikely]] {
    return list->Insert(node, height, target, HintFor<kBytewise>(key.user_key));
  }
  return list->Insert(node, height, target);
}

// Before the entry can be found.
void MemTable::AddToBloom(const Slice& user_key) {
  assert(bloom_ != nullptr && user_key.size() >= timestamp_size_);
  const Slice key(user_key.data(), user_key.size() - timestamp_size_);
  if (whole_keys_in_bloom_) bloom_->Add(key);
  if (prefix_extractor_ != nullptr && prefix_extractor_->InDomain(key)) {
    bloom_->Add(prefix_extractor_->Transform(key));
  }
}

// By the whole key where that is known, for it says more than its prefix.
bool MemTable::MayHold(const Slice& user_key) const {
  assert(bloom_ != nullptr && user_key.size() >= timestamp_size_);
  const Slice key(user_key.data(), user_key.size() - timestamp_size_);
  bool maybe = true;
  if (whole_keys_in_bloom_) {
    maybe = bloom_->MayContain(key);
  } else if (prefix_extractor_->InDomain(key)) {
    maybe = bloom_->MayContain(prefix_extractor_->Transform(key));
  }
  if (maybe) {
    PerfAdd<&PerfContext::bloom_memtable_hit_count>();
  } else {
    PerfAdd<&PerfContext::bloom_memtable_miss_count>();
  }
  return maybe;
}

void MemTable::AddRangeDeletion(const ParsedInternalKey& begin,
                                const Slice& end) {
  const size_t size = icmp_->timestamp_size();
  if (size == 0) {
    range_deletions_.Add({begin.user_key, end, begin.sequence});
    return;
  }
  const std::string first = MaxTimestampOf(*icmp_->user_comparator());
  const std::string from = WithTimestamp(begin.user_key, first);
  const std::string to = WithTimestamp(end, first);
  range_deletions_.Add(
      {from, to, begin.sequence, TimestampOf(begin.user_key, size)});
}

bool MemTable::Add(const ParsedInternalKey& key, const Slice& value,
                   AddCursor* cursor) {
  assert(key.sequence <= kSequenceMax);
  assert(!immutable_);
  bool added = true;
  if (key.type == ValueType::kRangeDeletion) [[unlikely]] {
    AddRangeDeletion(key, value);
  } else {
    if (bloom_ != nullptr) AddToBloom(key.user_key);
    if (rep_ != nullptr) [[unlikely]] {
      added = rep_->Add(key, value, cursor->concurrent_);
    } else {
      added = icmp_->bytewise()
                  ? AddTo(&bytewise_list_, key, value, cursor->concurrent_,
                          &cursor->bytewise_splice_)
                  : AddTo(&list_, key, value, cursor->concurrent_,
                          &cursor->splice_);
    }
  }
  if (!added) return false;
  ++cursor->entries_;
  if (IsDeletion(key.type)) ++cursor->deletes_;
  cursor->data_size_ += key.user_key.size() + kTrailerSize + value.size();
  cursor->smallest_ = std::min(cursor->smallest_, key.sequence);
  return true;
}

void MemTable::AddWalk(const Slice& user_key, SkipListWalks* walks) const {
  if (num_entries() < kWorthWalking || rep_ != nullptr || !icmp_->bytewise())
    return;
  walks->Add({bytewise_list_, SkipListTarget(user_key, ~uint64_t{0})});
}

bool MemTable::Add(SequenceNumber sequence, ValueType type, const Slice& key,
                   const Slice& value) {
  AddCursor cursor;
  const bool added =
      Add(ParsedInternalKey(key, sequence, type), value, &cursor);
  FinishAdds(&cursor);
  return added;
}

void MemTable::CountDelta(std::atomic<uint64_t>* counter, uint64_t delta,
                          bool concurrent) {
  if (concurrent) {
    counter->fetch_add(delta, std::memory_order_relaxed);
  } else {
    counter->store(Load(*counter) + delta, std::memory_order_relaxed);
  }
}

bool MemTable::FinishAdds(AddCursor* cursor) {
  if (cursor->entries_ == 0) return false;
  assert(cursor->deletes_ <= cursor->entries_);  // (2)
  assert(cursor->smallest_ <= kSequenceMax);
  const bool concurrent = cursor->concurrent_;
  CountDelta(&num_entries_, cursor->entries_, concurrent);
  if (cursor->deletes_ > 0)
    CountDelta(&num_deletes_, cursor->deletes_, concurrent);
  CountDelta(&data_size_, cursor->data_size_, concurrent);
  SequenceNumber first = Load(first_sequence_);
  while (cursor->smallest_ < first &&
         !first_sequence_.compare_exchange_weak(first, cursor->smallest_,
                                                std::memory_order_relaxed)) {
  }
  cursor->entries_ = cursor->deletes_ = cursor->data_size_ = 0;
  cursor->smallest_ = kSequenceMax;
  arena_.WantHugePages(data_size() < num_entries() * kHugePageEntryBytes);
  // The cursor's next batch may go to another memtable.
  cursor->bytewise_splice_.height = cursor->splice_.height = 0;

  ChargeMemory();
  if (!ShouldFlush()) {
    if (!IsFull()) return false;
    RequestFlush();
  }
  assert(ShouldFlush());  // (3)
  return !reported_full_.exchange(true, std::memory_order_acq_rel);
}

// Memory comes in blocks, so the buffer size cannot be met exactly: a memtable
// may pass it by up to 60% of a block rather than leave most of one unused,
// and in its last block it is full when a quarter is left, because what comes
// next may not fit and would start another block.
bool MemTable::IsFull() const {
  constexpr size_t kOverPercent = 60;
  const uint64_t ranges_max =
      range_deletions_max_.load(std::memory_order_relaxed);
  if (ranges_max > 0 && num_range_deletes() >= ranges_max) return true;
  const size_t block = arena_.block_size();
  const size_t limit = write_buffer_size_.load(std::memory_order_relaxed) +
                       block * kOverPercent / 100;
  const size_t allocated = AllocatedBytes();
  if (allocated + block < limit) return false;
  if (allocated > limit) return true;
  return arena_.AllocatedAndUnused() < block / 4;
}

void MemTable::ChargeMemory() {
  if (write_buffer_manager_ == nullptr) return;
  const size_t allocated = AllocatedBytes();
  size_t charged = charged_bytes_.load(std::memory_order_relaxed);
  while (charged < allocated) {
    if (charged_bytes_.compare_exchange_weak(charged, allocated,
                                             std::memory_order_relaxed)) {
      write_buffer_manager_->ReserveMem(allocated - charged);
      return;
    }
  }
}

void MemTable::MarkImmutable() {
  if (immutable_) return;
  // Whom it concerns; a skiplist on its own needs no mark.
  immutable_ = rep_ != nullptr || write_buffer_manager_ != nullptr;
  if (rep_ != nullptr) rep_->rep()->MarkReadOnly();
  if (write_buffer_manager_ == nullptr) return;
  write_buffer_manager_->ScheduleFreeMem(charged_bytes_.load());
}

// Holds come and go without the lock.
void MemTable::Hold(const LogHold& log) {
  LogHold other = log.Committed();
  MutexLock lock(&held_log_mu_);
  if (held_log_.log() == 0 || log.log() < held_log_.log()) {
    std::swap(held_log_, other);
  }
}

LogHold MemTable::TakeHeldLog() {
  MutexLock lock(&held_log_mu_);
  return std::move(held_log_);
}

void MemTable::MarkFlushed() {
  TakeHeldLog().Release();
  if (rep_ == nullptr) return;
  assert(immutable_);
  rep_->rep()->MarkFlushed();
}

bool MemTable::Offer(const Slice& key, GetContext* context) const {
  const uint64_t trailer = ExtractTrailer(key);
  const auto add = [&] {  // Copies the value.
    return context->Add(static_cast<ValueType>(trailer & 0xff), trailer >> 8,
                        ValueAfter(key), /*pinner=*/nullptr);
  };
  SharedMutex* const lock = LockOf(key);
  if (lock == nullptr) [[likely]]
    return add();
  const ReadLock reading(lock);
  return add();
}

template <bool kBytewise>
void MemTable::GetFrom(const SkipList<kBytewise>& list, const LookupKey& lookup,
                       GetContext* context) const {
  const SkipListTarget target(lookup.internal_key());
  Status bad;
  auto* node = SeekIn(list, target, &bad);
  if (!bad.ok()) [[unlikely]]
    return context->MarkBad(std::move(bad));
  for (; node != nullptr; node = node->Next(0)) {
    const Slice key = node->key();
    const Slice user_key = ExtractUserKey(key);
    const bool same = kBytewise
                          ? user_key == target.user_key
                          : icmp_->CompareKeys(user_key, target.user_key) == 0;
    if (!same) return;
    if (protection_bytes_ > 0 && !MatchesChecksum(key)) [[unlikely]]
      return context->MarkBad(DamagedEntry(key));
    const uint64_t trailer = ExtractTrailer(key);
    if (!kBytewise && context->wants_timestamp() &&
        !context->Accept(TimestampOf(user_key, icmp_->timestamp_size()),
                         trailer >> 8)) {
      continue;
    }
    if (!Offer(key, context)) return;
  }
}

void MemTable::Get(const LookupKey& lookup, GetContext* context) const {
  const bool ranges = has_range_deletions();
  if (ranges) [[unlikely]] {
    context->Cover(
        range_deletions_.NewestOver(lookup.user_key(), context->sequence()));
  }
  if (bloom_ != nullptr && !MayHold(lookup.user_key())) {
    // Nothing to look for.
  } else if (rep_ != nullptr) [[unlikely]] {
    rep_->Get(lookup, context);
  } else if (icmp_->bytewise()) {
    GetFrom(bytewise_list_, lookup, context);
  } else {
    GetFrom(list_, lookup, context);
  }
  if (ranges) [[unlikely]]
    context->EndCoveringSource();
}

SequenceNumber MemTable::NewestChange(const LookupKey& lookup) const {
  const Slice user_key = lookup.user_key();
  assert(ExtractSequence(lookup.internal_key()) == kSequenceMax);
  const SequenceNumber deleted =
      has_range_deletions()
          ? range_deletions_.NewestOver(user_key, kSequenceMax)
          : 0;
  if (bloom_ != nullptr && !MayHold(user_key)) return deleted;
  if (rep_ != nullptr) return std::max(deleted, rep_->NewestSequence(lookup));
  SequenceNumber newest = deleted;
  const auto look_from = [&](const auto* node) {
    for (; node != nullptr; node = node->Next(0)) {
      const Slice key = node->key();
      if (!icmp_->SameKey(ExtractUserKey(key), user_key)) return;
      newest = std::max(newest, ExtractSequence(key));
      // Entries of one key are ordered by timestamps before sequences.
      if (timestamp_size_ == 0) return;
    }
  };
  const SkipListTarget target(lookup.internal_key());
  if (icmp_->bytewise()) {
    look_from(bytewise_list_.SeekGreaterOrEqual(target));
  } else {
    look_from(list_.SeekGreaterOrEqual(target));
  }
  return newest;
}

InternalIterator* MemTable::NewIterator(PrefixSeek* prefix) const {
  if (rep_ != nullptr) return rep_->NewIterator(prefix);
  if (bloom_ == nullptr ||
      (prefix != nullptr && !prefix->Accepts(prefix_extractor_.get()))) {
    prefix = nullptr;
  }
  if (icmp_->bytewise())
    return new Iterator<true>(bytewise_list_, this, prefix);
  return new Iterator<false>(list_, this, prefix);
}

MemTableRangeStats MemTable::ApproximateRangeStats(const Slice& start,
                                                   const Slice& end) const {
  const uint64_t all_entries = num_entries();
  // Counted by their writers only when their batch ends.
  const uint64_t entries =
      all_entries - std::min(all_entries, num_range_deletes());
  if (entries == 0) return {};
  if (rep_ != nullptr) {
    MemTableRangeStats stats;
    stats.entries = std::min(rep_->CountBetween(start, end), entries);
    stats.bytes = stats.entries * (data_size() / all_entries);
    return stats;
  }
  const auto count_before = [this, entries](const Slice& key) {
    const SkipListTarget target(key);
    return icmp_->bytewise()
               ? bytewise_list_.EstimateCountBefore(target, entries)
               : list_.EstimateCountBefore(target, entries);
  };
  // An estimate by towers may exceed what there is.
  const uint64_t from = std::min(count_before(start), entries);
  const uint64_t to = std::min(count_before(end), entries);
  MemTableRangeStats stats;
  stats.entries = to > from ? to - from : 0;
  stats.bytes = stats.entries * (data_size() / all_entries);
  return stats;
}

}  // namespace ROCKSDB_NAMESPACE::engine
