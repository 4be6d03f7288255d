// The iterator over one table file: an index cursor, one data block in hand,
// and a cursor inside it.

#include <cassert>
#include <memory>

#include "table/block/block_iter.h"
#include "table/table_rep.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Rep = TableReader::Rep;

class TableIterator final : public InternalIterator {
 public:
  TableIterator(const Rep* rep, const ReadOptions& read,
                TableReadPurpose purpose, size_t readahead_bytes,
                const IoPass* io_pass);

  void SeekToFirst() override {
    ResetStatus();
    index_.SeekToFirst();
    if (!LoadBlockInBound()) return;
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
    index_.Seek(target);
    if (!LoadBlockInBound()) return;
    iter_.Seek(target);
    SkipForward();
    // With a sequence of the file's own, stored and shown keys order alike
    // except among the versions of one user key.
    if (shown_sequence_ != kSequenceMax) {
      while (valid_ && rep_->options.icmp->Compare(key_, target) < 0) Next();
    }
  }

  // Not limited by the upper bound: with it, the way back to `target` could
  // begin at the far end of the file.
  void SeekForPrev(const Slice& target) override {
    bound_applies_ = false;
    Seek(target);
    bound_applies_ = true;
    if (!status_.ok()) return;
    if (!valid_) return SeekToLast();
    if (rep_->options.icmp->Compare(key_, target) > 0) Prev();
  }

  void Next() override {
    assert(valid_);
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
    iter_.Prev();
    SkipBackward();
  }

  Status status() const override { return status_; }

 private:
  void ResetStatus() {
    valid_ = false;
    if (!status_.ok()) status_ = Status::OK();
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
      block_.Reset();
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
    if (upper_bound_ != nullptr && bound_applies_ && index_.Valid() &&
        index_.BlockIsBehind(*upper_bound_, /*or_at=*/true)) {
      valid_ = false;
      return false;
    }
    return LoadBlock();
  }

  void DropBlock() {
    valid_ = false;
    block_.Reset();
  }

  // True when every key behind the current block is beyond the bound.
  bool BoundEndsHere() const {
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
      if (!LoadBlockInBound()) return;
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
    valid_ = true;
    key_ = iter_.key();
    value_ = iter_.value();
    if (shown_sequence_ == kSequenceMax) return;
    shown_key_.assign(key_.data(), key_.size());
    EncodeFixed64(shown_key_.data() + shown_key_.size() - kTrailerSize,
                  PackSequenceAndType(shown_sequence_, ExtractType(key_)));
    key_ = shown_key_;
  }

  const Rep* const rep_;
  const Slice* const upper_bound_;
  bool bound_applies_ = true;
  const SequenceNumber shown_sequence_;
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
};

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

// A whole file's index partitions are read one after the other, around the
// cache: some at a time then.
std::unique_ptr<FilePrefetchBuffer> NewIndexPrefetch(const Rep& rep,
                                                     TableReadPurpose purpose,
                                                     const IoPass* io_pass) {
  constexpr size_t kIndexReadaheadBytes = size_t{64} * 1024;
  if (purpose == TableReadPurpose::kUser || !rep.index_is_partitioned) {
    return nullptr;
  }
  auto prefetch = std::make_unique<FilePrefetchBuffer>(
      rep.file.get(), FilePrefetchBuffer::Policy::Fixed(kIndexReadaheadBytes));
  prefetch->set_io_pass(io_pass);
  prefetch->set_limit(rep.index_handle.end());
  return prefetch;
}

TableIterator::TableIterator(const Rep* rep, const ReadOptions& read,
                             TableReadPurpose purpose, size_t readahead_bytes,
                             const IoPass* io_pass)
    : rep_(rep),
      upper_bound_(purpose == TableReadPurpose::kUser ? read.iterate_upper_bound
                                                      : nullptr),
      shown_sequence_(rep->global_sequence),
      prefetch_(rep->file.get(), ReadaheadPolicy(*rep, read, readahead_bytes)),
      fetch_(FetchOptionsFor(read)),
      index_prefetch_(NewIndexPrefetch(*rep, purpose, io_pass)),
      index_(rep, &fetch_, index_prefetch_.get()) {
  io_.rate_limiter_priority = read.rate_limiter_priority;
  fetch_.io = &io_;
  fetch_.io_pass = io_pass;
  prefetch_.set_io_pass(io_pass);
  // What lies behind is not there to be read, nor to be charged.
  prefetch_.set_limit(rep->file_size);
  const bool reads_ahead = readahead_bytes > 0 || read.readahead_size > 0 ||
                           (rep->options.table.max_auto_readahead_size > 0 &&
                            rep->options.max_auto_readahead_size > 0);
  if (reads_ahead) fetch_.prefetch = &prefetch_;
  // Bulk readers would push out what lookups want to find.
  if (purpose != TableReadPurpose::kUser) fetch_.use_cache = false;
}

}  // namespace

InternalIterator* TableReader::Rep::NewIterator(const ReadOptions& read,
                                                TableReadPurpose purpose,
                                                size_t readahead_bytes,
                                                const IoPass* io_pass) const {
  return new TableIterator(this, read, purpose, readahead_bytes, io_pass);
}

}  // namespace ROCKSDB_NAMESPACE::engine
