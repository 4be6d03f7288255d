// The iterator over one table file: an index cursor, one data block in hand,
// and a cursor inside it.

#include <cassert>
#include <memory>
#include <vector>

#include "table/block/block_iter.h"
#include "table/prefix_seek.h"
#include "table/table_rep.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Rep = TableReader::Rep;

class TableIterator final : public InternalIterator {
 public:
  TableIterator(const Rep* rep, const ReadOptions& read, const TableScan& scan);
  ~TableIterator() override {
    if (carried_ != nullptr) *carried_ = prefetch_.bytes_next();
    if (counts_prefetch_) CountPrefetch();
  }

  void SeekToFirst() override {
    ResetStatus();
    index_.SeekToFirst();
    if (ShowFirstKey(nullptr) || !LoadBlockInBound()) return;
    iter_.SeekToFirst();
    SkipForward();
  }

  void SeekToLast() override {
    ResetStatus();
    index_.SeekToLast();
    if (!LoadBlockBackward()) return;
    iter_.SeekToLast();
    SkipBackward();
  }

  void Seek(const Slice& target) override {
    ResetStatus();
    if (prefix_ != nullptr && RuledOut(target)) return;
    SeekTo(target);
  }

  // Not limited by the upper bound: with it, the way back to `target` could
  // begin at the far end of the file.
  void SeekForPrev(const Slice& target) override {
    ResetStatus();
    if (prefix_ != nullptr && RuledOut(target)) return;
    bound_applies_ = false;
    SeekTo(target);
    bound_applies_ = true;
    if (!status_.ok()) return;
    if (!valid_) return SeekToLast();
    if (rep_->options.icmp->Compare(key_, target) > 0) Prev();
  }

  void Next() override {
    assert(valid_);
    if (!value_is_read_ && !ReadValue()) [[unlikely]]
      return;
    iter_.Next();
    if (iter_.Valid() && shown_sequence_ == kSequenceMax) {
      key_ = iter_.key();
      value_ = iter_.value();
      return;
    }
    SkipForward();
  }

  void Prev() override {
    assert(valid_);
    if (value_is_read_) [[likely]] {
      iter_.Prev();
    } else if (!StepBackOutOfBlock()) {
      return;
    }
    SkipBackward();
  }

  Status status() const override { return status_; }

  bool ReadValue() override {
    assert(valid_);
    if (value_is_read_) return true;
    const Slice expected = key_;
    if (!LoadBlock()) return false;
    iter_.SeekToFirst();
    if (!iter_.Valid() || iter_.key() != expected) {
      status_ = rep_->Corruption(
          "expected the block's first key to be " + expected.ToString(true) +
              ", found " +
              (iter_.Valid() ? iter_.key().ToString(true) : "none"),
          index_.handle());
      DropBlock();
      return false;
    }
    value_is_read_ = true;
    Show();
    return true;
  }

  bool IsKeyPinned() const override {
    return pins_ && valid_ && value_is_read_ &&
           shown_sequence_ == kSequenceMax && iter_.KeyIsInBlock();
  }
  bool IsValuePinned() const override {
    return pins_ && valid_ && value_is_read_;
  }

 private:
  void ResetStatus() {
    valid_ = false;
    value_is_read_ = true;
    if (!status_.ok()) status_ = Status::OK();
  }

  void CountPrefetch() const {
    const uint64_t loaded = prefetch_.bytes_loaded();
    if (loaded == 0) return;
    rep_->Tick(PREFETCH_BYTES, loaded);
    rep_->Tick(PREFETCH_HITS, prefetch_.reads_served());
    const uint64_t useful = std::min(loaded, prefetch_.bytes_served());
    rep_->Tick(PREFETCH_BYTES_USEFUL, useful);
    RecordInHistogram(rep_->options.statistics, PREFETCHED_BYTES_DISCARDED,
                      loaded - useful);
  }

  // Asks the prefix filter, if it may be asked for this target.
  bool RuledOut(const Slice& target) {
    Slice prefix;
    if (!prefix_->Prefix(*rep_->options.prefix_extractor,
                         ExtractUserKey(target), &prefix)) {
      return false;
    }
    rep_->Tick(BLOOM_FILTER_PREFIX_CHECKED);
    const bool backward =
        prefix_->direction() == PrefixSeek::Direction::kBackward;
    if (rep_->PrefixMayMatch(fetch_, target, prefix, backward)) return false;
    rep_->Tick(BLOOM_FILTER_PREFIX_USEFUL);
    prefix_->RuleOut();
    return true;
  }

  void SeekTo(const Slice& target) {
    index_.Seek(target);
    if (ShowFirstKey(&target) || !LoadBlockInBound()) return;
    {
      const PerfTimer timer(rep_->file->clock(),
                            &PerfContext::block_seek_nanos);
      iter_.Seek(target);
    }
    SkipForward();
    // With a sequence of the file's own, stored and shown keys order alike
    // except among the versions of one user key.
    if (shown_sequence_ != kSequenceMax) {
      while (valid_ && rep_->options.icmp->Compare(key_, target) < 0) Next();
    }
  }

  // Stands on the first entry of the index's block without reading it, if the
  // index tells that entry and it is not in front of `target`, which may be
  // null.
  bool ShowFirstKey(const Slice* target) {
    if (!leaves_values_ || !index_.Valid() || !index_.has_first_key()) {
      return false;
    }
    if (block_ && index_.handle().offset == block_offset_) return false;
    const Slice key = index_.first_key();
    if (target != nullptr && rep_->options.icmp->Compare(key, *target) < 0) {
      return false;
    }
    if (IsBeyondBound()) {
      valid_ = false;
      return true;
    }
    valid_ = true;
    value_is_read_ = false;
    key_ = key;
    value_ = Slice();
    return true;
  }

  // From the first entry of a block that is not read to the one before.
  bool StepBackOutOfBlock() {
    assert(!value_is_read_);
    valid_ = false;
    value_is_read_ = true;
    index_.Prev();
    if (!LoadBlockBackward()) return false;
    iter_.SeekToLast();
    return true;
  }

  // Readahead only pays forwards: going back, each window would be thrown
  // away after one block.
  bool LoadBlockBackward() {
    FilePrefetchBuffer* const prefetch = fetch_.prefetch;
    fetch_.prefetch = nullptr;
    const bool loaded = LoadBlock();
    fetch_.prefetch = prefetch;
    return loaded;
  }

  // Brings in the block the index stands on; false at the end or on error.
  bool LoadBlock() {
    if (!index_.Valid()) {
      DropBlock();
      status_ = index_.status();
      return false;
    }
    const BlockHandle handle = index_.handle();
    if (!block_ || handle.offset != block_offset_) {
      ReleaseBlock();
      LimitReadahead();
      Status status = rep_->FetchData(fetch_, handle, &block_);
      if (!status.ok()) {
        DropBlock();
        status_ = std::move(status);
        return false;
      }
      block_offset_ = handle.offset;
    }
    iter_.Init(block_.get(), rep_->options.icmp);
    return true;
  }

  // The same, but leaves a block alone that the index knows to begin at or
  // behind the bound.
  bool LoadBlockInBound() {
    if (index_.Valid() && IsBeyondBound()) {
      valid_ = false;
      return false;
    }
    return LoadBlock();
  }

  bool IsBeyondBound() const {
    return upper_bound_ != nullptr && bound_applies_ &&
           index_.BlockIsBehind(*upper_bound_, /*or_at=*/true);
  }

  // Nothing behind the block with the upper bound is worth reading ahead. Told
  // from the index block in hand, without reading another.
  void LimitReadahead() {
    if (!limits_readahead_ || index_.leaf() == limit_leaf_) return;
    limit_leaf_ = index_.leaf();
    limit_target_.clear();
    AppendInternalKey(&limit_target_, *upper_bound_, kSequenceMax,
                      kTypeForSeek);
    prefetch_.set_limit(index_.EndOfBlockWith(limit_target_, rep_->file_size));
  }

  void ReleaseBlock() {
    if (pins_ && block_) pinned_.push_back(std::move(block_));
    block_.Reset();
  }

  void DropBlock() {
    valid_ = false;
    ReleaseBlock();
  }

  // True when every key behind the current block is beyond the bound.
  bool BoundEndsHere() const {
    assert(block_);
    return upper_bound_ != nullptr && bound_applies_ &&
           rep_->options.icmp->CompareUserKey(index_.separator_user_key(),
                                              *upper_bound_) >= 0;
  }

  // After a move inside the block: shows the entry, or goes to the first one
  // of a following block.
  void SkipForward() {
    while (!iter_.Valid()) {
      if (!CheckBlock()) return;
      if (BoundEndsHere()) {
        valid_ = false;
        return;
      }
      index_.Next();
      if (ShowFirstKey(nullptr) || !LoadBlockInBound()) return;
      iter_.SeekToFirst();
    }
    Show();
  }

  void SkipBackward() {
    while (!iter_.Valid()) {
      if (!CheckBlock()) return;
      index_.Prev();
      if (!LoadBlockBackward()) return;
      iter_.SeekToLast();
    }
    Show();
  }

  bool CheckBlock() {
    if (!iter_.corrupt()) return true;
    status_ = rep_->Corruption("bad entry in block", index_.handle());
    DropBlock();
    return false;
  }

  void Show() {
    assert(status_.ok());  // internal_iterator.h (2)
    valid_ = true;
    key_ = iter_.key();
    value_ = iter_.value();
    if (shown_sequence_ == kSequenceMax) return;
    assert(key_.size() >= kTrailerSize);  // internal_key.h (1)
    shown_key_.assign(key_.data(), key_.size());
    EncodeFixed64(shown_key_.data() + shown_key_.size() - kTrailerSize,
                  PackSequenceAndType(shown_sequence_, ExtractType(key_)));
    key_ = shown_key_;
  }

  const Rep* const rep_;
  const Slice* const upper_bound_;
  bool bound_applies_ = true;
  const SequenceNumber shown_sequence_;
  PrefixSeek* const prefix_;  // Null: the filter is not asked.
  const bool leaves_values_;
  const bool pins_;
  const bool counts_prefetch_;
  bool limits_readahead_ = false;
  size_t* const carried_;
  Status status_;
  IOOptions io_;
  FilePrefetchBuffer prefetch_;
  FetchOptions fetch_;
  const std::unique_ptr<FilePrefetchBuffer> index_prefetch_;
  IndexCursor index_;
  Cached<const Block> block_;
  uint64_t block_offset_ = 0;
  BlockIter iter_;
  std::string shown_key_;
  const void* limit_leaf_ = nullptr;  // For which the limit was found.
  std::string limit_target_;
  // Blocks left behind whose keys and values have to stay.
  std::vector<Cached<const Block>> pinned_;
};

PrefixSeek* UsablePrefix(const Rep& rep, const TableScan& scan) {
  if (scan.prefix == nullptr || !rep.prefix_filtering ||
      rep.filter_handle.IsNull() ||
      !scan.prefix->Accepts(rep.options.prefix_extractor.get())) {
    return nullptr;
  }
  return scan.prefix;
}

FilePrefetchBuffer::Policy ReadaheadPolicy(const Rep& rep,
                                           const ReadOptions& read,
                                           size_t readahead_bytes) {
  if (readahead_bytes > 0) {
    return FilePrefetchBuffer::Policy::Fixed(readahead_bytes);
  }
  if (read.readahead_size > 0) {
    return FilePrefetchBuffer::Policy::Fixed(read.readahead_size);
  }
  const BlockBasedTableOptions& table = rep.options.table;
  const size_t bytes_max = std::min(table.max_auto_readahead_size,
                                    rep.options.max_auto_readahead_size);
  return FilePrefetchBuffer::Policy::Auto(
      std::min(table.initial_auto_readahead_size, bytes_max), bytes_max,
      static_cast<uint32_t>(std::min<uint64_t>(
          table.num_file_reads_for_auto_readahead, UINT32_MAX)));
}

Env::IOActivity ActivityOf(const ReadOptions& read, TableReadPurpose purpose) {
  if (read.io_activity != Env::IOActivity::kUnknown) return read.io_activity;
  switch (purpose) {
    case TableReadPurpose::kUser:
      return Env::IOActivity::kDBIterator;
    case TableReadPurpose::kCompaction:
      return Env::IOActivity::kCompaction;
    case TableReadPurpose::kVerify:
      break;
  }
  return Env::IOActivity::kUnknown;
}

// A whole file's index partitions are read one after the other, around the
// cache: some at a time then.
std::unique_ptr<FilePrefetchBuffer> NewIndexPrefetch(const Rep& rep,
                                                     const TableScan& scan) {
  constexpr size_t kIndexReadaheadBytes = size_t{64} * 1024;
  if (scan.purpose == TableReadPurpose::kUser || !rep.index_is_partitioned) {
    return nullptr;
  }
  auto prefetch = std::make_unique<FilePrefetchBuffer>(
      rep.file.get(), FilePrefetchBuffer::Policy::Fixed(kIndexReadaheadBytes));
  prefetch->set_io_pass(scan.io_pass);
  prefetch->set_limit(rep.index_handle.end());
  return prefetch;
}

TableIterator::TableIterator(const Rep* rep, const ReadOptions& read,
                             const TableScan& scan)
    : rep_(rep),
      upper_bound_(scan.purpose == TableReadPurpose::kUser
                       ? read.iterate_upper_bound
                       : nullptr),
      shown_sequence_(rep->global_sequence),
      prefix_(UsablePrefix(*rep, scan)),
      leaves_values_(scan.may_leave_values && !read.pin_data &&
                     shown_sequence_ == kSequenceMax),
      pins_(read.pin_data && scan.purpose == TableReadPurpose::kUser),
      counts_prefetch_(rep->options.statistics != nullptr &&
                       scan.purpose == TableReadPurpose::kUser),
      carried_(scan.readahead_carried),
      prefetch_(rep->file.get(),
                ReadaheadPolicy(*rep, read, scan.readahead_bytes)),
      fetch_(FetchOptionsFor(read)),
      index_prefetch_(NewIndexPrefetch(*rep, scan)),
      index_(rep, &fetch_, index_prefetch_.get()) {
  io_.rate_limiter_priority = read.rate_limiter_priority;
  io_.io_activity = ActivityOf(read, scan.purpose);
  fetch_.activity = io_.io_activity;
  fetch_.io = &io_;
  fetch_.io_pass = scan.io_pass;
  prefetch_.set_io_pass(scan.io_pass != nullptr ? scan.io_pass
                                                : rep->options.user_pass);
  if (carried_ != nullptr) prefetch_.GoOnWith(*carried_);
  // Reads that the rate limiter has to be asked for are not started early.
  if (read.async_io && scan.purpose == TableReadPurpose::kUser &&
      read.rate_limiter_priority == Env::IO_TOTAL) {
    prefetch_.ReadBeside();
  }
  // What lies behind is not there to be read, nor to be charged.
  prefetch_.set_limit(rep->file_size);
  const bool reads_ahead = scan.readahead_bytes > 0 ||
                           read.readahead_size > 0 ||
                           (rep->options.table.max_auto_readahead_size > 0 &&
                            rep->options.max_auto_readahead_size > 0);
  if (reads_ahead) fetch_.prefetch = &prefetch_;
  limits_readahead_ =
      reads_ahead && upper_bound_ != nullptr && read.auto_readahead_size;
  // Bulk readers would push out what lookups want to find.
  if (scan.purpose != TableReadPurpose::kUser) fetch_.use_cache = false;
}

}  // namespace

InternalIterator* TableReader::Rep::NewIterator(const ReadOptions& read,
                                                const TableScan& scan) const {
  return new TableIterator(this, read, scan);
}

}  // namespace ROCKSDB_NAMESPACE::engine
