// MemTable: the newest entries of one column family, sorted, in memory.
//
// Place. Filled by memtable_apply (commit pipeline and log replay), read
// through ReadViews, kept by MemTableList once it is full, emptied into an L0
// file by the flush job.
//
// Model. One skiplist over one arena; range deletions in a list of their own.
// A memtable of another kind (memtable_factory) has a RepTable instead of the
// skiplist: one branch, so that the default pays for no virtual calls.
// A writer adds the records of a batch through an AddCursor and closes it with
// FinishAdds, which is when the counts and the fill level move: nothing shared
// is touched per entry.
//
//   mutable --full--> flush wanted --switch--> immutable --flush--> dropped
//
// Bytes. varint32(user key size + 8) | user key | trailer | varint32(value
// size) | value.
//
// Invariants:
//   (1) An entry once added never changes or moves while the memtable lives;
//       but see in_place.h.
//   (2) Counts never exceed what has been added, and equal it between batches.
//   (3) ShouldFlush() once true stays true.
//
// Threads. Reads: any, any time. Adds: alone, or many at once when every
// cursor says `concurrent`; never both kinds at the same time. A writer that
// keeps a std::shared_ptr keeps the entries: iterators need one.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "db/memtable/in_place.h"
#include "db/memtable/memtable_bloom.h"
#include "db/memtable/range_deletion_list.h"
#include "db/memtable/rep_table.h"
#include "db/memtable/skiplist.h"
#include "db/memtable/skiplist_walk.h"
#include "db/wal/log_holds.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "table/get_context.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/prefix_seek.h"
#include "util/arena.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {
class SliceTransform;
class WriteBufferManager;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// When an operand is merged as it comes (max_successive_merges).
struct MergeLimit {
  size_t successive_max = 0;  // This many lie below it already; 0: never.
  bool from_files = false;    // Also if the base has to be read from a file.
};

struct MemTableOptions {
  size_t write_buffer_size = size_t{64} << 20;
  size_t arena_block_size = 0;  // 0: an eighth of the buffer, at most 1 MiB.
  size_t huge_page_size = 0;    // memtable_huge_page_size
  // So many range deletions make it full; 0: any number.
  uint64_t range_deletions_max = 0;
  // Charged with the arena's blocks; may be null.
  WriteBufferManager* write_buffer_manager = nullptr;
  // A Bloom filter of so many bytes over whole keys, prefixes, or both; 0, or
  // neither of them: none.
  size_t bloom_bytes = 0;
  bool whole_keys_in_bloom = false;
  std::shared_ptr<const SliceTransform> prefix_extractor;
  // The kind; null: a skiplist.
  std::shared_ptr<MemTableRepFactory> factory;
  // Keys with one such prefix are inserted next to each other. Null: none.
  std::shared_ptr<const SliceTransform> hint_prefixes;
  uint32_t protection_bytes = 0;  // Of each entry's checksum: 0, 1, 2, 4, 8.
  bool paranoid_checks = false;   // paranoid_memory_checks
  bool verify_on_seek = false;    // memtable_verify_per_key_checksum_on_seek
  bool disallow_writes = false;   // disallow_memtable_writes
  bool update_in_place = false;   // inplace_update_support
  size_t in_place_locks = 0;      // inplace_update_num_locks
  InPlaceCallback in_place_callback = nullptr;  // May be null.
  MergeLimit merge_limit;
  Logger* info_log = nullptr;
  uint32_t family_id = 0;
};

// What one memtable holds between two keys, roughly.
struct MemTableRangeStats {
  uint64_t entries = 0;
  uint64_t bytes = 0;
};

class MemTable {
 public:
  // One writer's state against one memtable: where its last entry went (the
  // next one starts there) and what it has added since FinishAdds.
  class AddCursor {
   public:
    explicit AddCursor(bool concurrent = false) : concurrent_(concurrent) {}

   private:
    friend class MemTable;
    const bool concurrent_;
    uint64_t entries_ = 0;
    uint64_t deletes_ = 0;
    uint64_t data_size_ = 0;
    SequenceNumber smallest_ = kSequenceMax;
    SkipList<true>::Splice bytewise_splice_;
    SkipList<false>::Splice splice_;
  };

  // `icmp` must outlive the memtable. `creation_sequence` is the last sequence
  // assigned when the memtable was made: every entry is newer.
  MemTable(const InternalKeyComparator* icmp, const MemTableOptions& options,
           SequenceNumber creation_sequence);
  ~MemTable();
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;

  // False, changing nothing, when the memtable already has an entry with this
  // key, sequence and type. A range deletion (the value is its end) is taken
  // unseen.
  bool Add(const ParsedInternalKey& key, const Slice& value, AddCursor* cursor);
  // Adds a walk to where the key's newest entry is or would be; unless it is
  // not worth the steps, because the memtable is small or not a skiplist in
  // bytewise order.
  void AddWalk(const Slice& user_key, SkipListWalks* walks) const;
  // Moves the cursor's counts into the memtable's. Returns true for exactly
  // one caller in the memtable's life: the one that has to report it full.
  bool FinishAdds(AddCursor* cursor);
  // One entry on its own (tests, repair).
  bool Add(SequenceNumber sequence, ValueType type, const Slice& key,
           const Slice& value);

  // --- Writes that change more than they add ---
  // Plain values may change where they are, or operands be merged, so that
  // writers have to come one after the other.
  bool updates_in_place() const { return in_place_ != nullptr; }
  bool limits_merges() const { return Load(successive_merges_max_) > 0; }
  MergeLimit merge_limit() const;
  void SetMergeLimit(const MergeLimit& limit);
  // How many operands lie on top of each other for the key; counts to `most`.
  size_t CountMerges(const Slice& user_key, size_t most) const;

  enum class Change : uint8_t {
    kNotHere,  // No plain value that is the newest of the key.
    kDone,
    kAdd,  // A new value has to be added.
  };
  // Puts `value` in the place of the key's, if it is not longer.
  Change Replace(const Slice& user_key, const Slice& value);
  // The same through the callback; for kAdd it has set *merged. Corruption:
  // it did what it may not do.
  Result<Change> Update(const Slice& user_key, const Slice& delta,
                        std::string* merged);
  InPlaceCallback in_place_callback() const { return in_place_->callback(); }

  // Hands the entries of the user key visible at the lookup's sequence to
  // `context`, newest first, until it wants no more, and the range deletion
  // over it.
  void Get(const LookupKey& lookup, GetContext* context) const;

  // The sequence of the key's newest entry or of the newest range deletion over
  // it, whatever its timestamp; 0: none. The lookup has the largest timestamp
  // and sequence.
  SequenceNumber NewestChange(const LookupKey& lookup) const;

  // The caller owns the result and keeps the memtable alive meanwhile.
  // Seeks ask the prefix Bloom filter as `prefix` allows, which may be null.
  InternalIterator* NewIterator(PrefixSeek* prefix = nullptr) const;

  // Costs one test while there are no range deletions.
  bool has_range_deletions() const { return !range_deletions_.empty(); }
  const RangeDeletionList& range_deletions() const { return range_deletions_; }

  // Between two internal keys, from the skiplist's upper levels. Point entries
  // only.
  MemTableRangeStats ApproximateRangeStats(const Slice& start,
                                           const Slice& end) const;

  bool empty() const { return num_entries() == 0; }
  uint64_t num_entries() const { return Load(num_entries_); }
  // Among the entries; not among the deletes.
  uint64_t num_range_deletes() const { return range_deletions_.size(); }
  uint64_t num_deletes() const { return Load(num_deletes_); }
  // Keys (with trailers) and values.
  uint64_t data_size() const { return Load(data_size_); }
  // Blocks taken from the system.
  size_t AllocatedBytes() const {
    return arena_.MemoryAllocatedBytes() + BytesOfRep();
  }
  size_t ApproximateMemoryUsage() const {
    return arena_.ApproximateMemoryUsage() + BytesOfRep();
  }

  // The smallest sequence added; 0 while empty.
  SequenceNumber first_sequence() const {
    const SequenceNumber first = Load(first_sequence_);
    return first == kSequenceMax ? 0 : first;
  }
  // No entry is older than this.
  SequenceNumber earliest_sequence() const { return creation_sequence_; }

  // True once it has taken up its write_buffer_size, or RequestFlush().
  bool ShouldFlush() const {
    return should_flush_.load(std::memory_order_acquire);
  }
  void RequestFlush() { should_flush_.store(true, std::memory_order_release); }
  // write_buffer_size may change while the memtable is in use.
  void SetWriteBufferSize(size_t bytes) {
    write_buffer_size_.store(bytes, std::memory_order_relaxed);
  }
  void SetReadChecks(bool paranoid, bool verify_on_seek) {
    check_order_.store(paranoid, std::memory_order_relaxed);
    check_path_.store(paranoid || (verify_on_seek && protection_bytes_ > 0),
                      std::memory_order_relaxed);
  }
  // Do older values stay when newer ones come?
  bool takes_snapshots() const {
    return in_place_ == nullptr &&
           (rep_ == nullptr || rep_->rep()->IsSnapshotSupported());
  }
  bool takes_merges() const {
    return rep_ == nullptr || rep_->rep()->IsMergeOperatorSupported();
  }
  // Batches that write to it are refused; logs are not.
  bool disallows_writes() const { return disallow_writes_; }
  void SetRangeDeletionsMax(uint64_t count) {
    range_deletions_max_.store(count, std::memory_order_relaxed);
  }

  // --- Guarded by the DB mutex ---
  // No adds any more: its memory counts as about to be freed.
  void MarkImmutable();
  // Its entries are in a table.
  void MarkFlushed();
  // Some of its entries are in this log and no other; a memtable keeps the
  // oldest one until it is flushed. Any thread.
  void Hold(const LogHold& log);
  // Gives the hold up.
  LogHold TakeHeldLog();
  // It holds what reads need of other memtables (MemTableList::ReplacePicked):
  // some of their changes are missing. Called before readers see it.
  void MarkSurvivors() { survivors_ = true; }
  bool survivors() const { return survivors_; }
  // Ascending in the order in which the family's memtables became immutable;
  // 0 while mutable.
  uint64_t id() const { return id_; }
  void set_id(uint64_t id) { id_ = id; }
  // The log that took over when this memtable became immutable: once it is in
  // an L0 file the family needs no older log.
  uint64_t next_log_number() const { return next_log_number_; }
  void set_next_log_number(uint64_t number) { next_log_number_ = number; }

  const InternalKeyComparator* icmp() const { return icmp_; }

 private:
  template <bool kBytewise>
  class Iterator;
  // Where the last key with each hint prefix went.
  struct Hints {
    std::shared_ptr<const SliceTransform> prefixes;
    std::unordered_map<std::string, SkipList<true>::Splice> bytewise;
    std::unordered_map<std::string, SkipList<false>::Splice> other;
  };
  template <bool kBytewise>
  bool AddTo(SkipList<kBytewise>* list, const ParsedInternalKey& key,
             const Slice& value, bool concurrent,
             typename SkipList<kBytewise>::Splice* splice);
  template <bool kBytewise>
  typename SkipList<kBytewise>::Splice* HintFor(const Slice& user_key);
  // The node at or after `target`, or null with `*bad` set if what is on the
  // way is damaged.
  template <bool kBytewise>
  typename SkipList<kBytewise>::Node* SeekIn(const SkipList<kBytewise>& list,
                                             const SkipListTarget& target,
                                             Status* bad) const;
  // The key's newest entry, if it is a plain value; null: it is not.
  char* EntryToChange(const Slice& user_key);
  // While values may change: null if they do not.
  SharedMutex* LockOf(const Slice& internal_key) const {
    return in_place_ == nullptr
               ? nullptr
               : in_place_->LockOf(ExtractUserKey(internal_key));
  }
  // The entry, to a lookup; true: older ones are wanted.
  bool Offer(const Slice& internal_key, GetContext* context) const;
  bool MatchesChecksum(const Slice& internal_key) const;
  // `before` may be null.
  Status CheckNode(const Slice* before, const Slice& key) const;
  bool ChecksPath() const {
    return check_path_.load(std::memory_order_relaxed);
  }
  bool ChecksOrder() const {
    return check_order_.load(std::memory_order_relaxed);
  }
  void AddRangeDeletion(const ParsedInternalKey& begin, const Slice& end);
  template <bool kBytewise>
  void GetFrom(const SkipList<kBytewise>& list, const LookupKey& lookup,
               GetContext* context) const;

  static uint64_t Load(const std::atomic<uint64_t>& value) {
    return value.load(std::memory_order_relaxed);
  }
  void AddToBloom(const Slice& user_key);
  bool MayHold(const Slice& user_key) const;
  // Besides the arena.
  size_t BytesOfRep() const {
    return rep_ == nullptr ? 0 : rep_->MemoryUsage();
  }
  // The law of fullness; see memtable.cc.
  bool IsFull() const;
  void ChargeMemory();
  void CountDelta(std::atomic<uint64_t>* counter, uint64_t delta,
                  bool concurrent);

  const InternalKeyComparator* const icmp_;
  WriteBufferManager* const write_buffer_manager_;
  const SequenceNumber creation_sequence_;
  ConcurrentArena arena_;
  // At most one of them is in use; both are a few words.
  SkipList<true> bytewise_list_;
  SkipList<false> list_;
  RangeDeletionList range_deletions_;
  const size_t timestamp_size_;
  const bool whole_keys_in_bloom_;
  const std::shared_ptr<const SliceTransform> prefix_extractor_;
  std::unique_ptr<MemTableBloom> bloom_;           // Null: none.
  std::unique_ptr<Hints> hints_;                   // Null: none.
  const std::unique_ptr<const InPlace> in_place_;  // Null: nothing changes.
  const uint32_t protection_bytes_;
  const bool disallow_writes_;
  std::atomic<bool> check_order_{false};
  std::atomic<bool> check_path_{false};
  std::atomic<uint64_t> successive_merges_max_{0};
  std::atomic<bool> merges_from_files_{false};
  const std::unique_ptr<RepTable> rep_;  // Null: one of the lists.

  std::atomic<uint64_t> num_entries_{0};
  std::atomic<uint64_t> num_deletes_{0};
  std::atomic<uint64_t> data_size_{0};
  std::atomic<SequenceNumber> first_sequence_{kSequenceMax};
  std::atomic<size_t> write_buffer_size_;
  std::atomic<uint64_t> range_deletions_max_;
  std::atomic<size_t> charged_bytes_{0};
  std::atomic<bool> should_flush_{false};
  std::atomic<bool> reported_full_{false};

  Mutex held_log_mu_;
  LogHold held_log_ GUARDED_BY(held_log_mu_);
  uint64_t id_ = 0;
  uint64_t next_log_number_ = 0;
  bool immutable_ = false;
  bool survivors_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
