// PartitionedFilterBuilder: filters for parts of a file, and their index.
//
// Place. The table builder feeds it instead of a FilterBlockBuilder when
// partition_filters is on.
//
// Model. Each partition is a separate filter; a separator, as in an index,
// marks its end. There are two ways to cut:
//
//   decoupled   by size alone, in front of any user key: partitions are as
//               large as wanted, no version of a key is apart from another
//   coupled     only where an index partition begins, which this may ask for:
//               what readers before RocksDB 8 wrote; separators are those of
//               the index
//
// With a prefix extractor a partition also contains the prefixes of the
// adjacent keys, because a seek to a prefix may land before the prefix's first
// key.
//
// Invariants: every key is in the partition that the separators select, or in
// the last one if it is after all separators.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/filter/filter_block_builder.h"
#include "table/index/index_builder.h"
#include "table/index/index_entries.h"

namespace ROCKSDB_NAMESPACE::engine {

class PartitionedFilterBuilder {
 public:
  struct Options {
    const InternalKeyComparator* icmp = nullptr;
    uint64_t partition_bytes = 4096;
    // A partition is full this many percent below its size.
    int deviation_percent = 10;
    bool decoupled = true;
    // Charged for the partitions that wait to be written; may be null.
    std::shared_ptr<Cache> charge_to;
  };

  PartitionedFilterBuilder(const Options& options,
                           std::unique_ptr<FilterBlockBuilder> filter);
  ~PartitionedFilterBuilder();

  // `user_key` has its timestamp.
  void Add(const Slice& user_key) {
    if (LookIsDue()) CutInFrontOf(user_key);
    if (filter_->Add(WithoutTimestamp(user_key))) open_has_keys_ = true;
    if (LookIsDue()) last_key_.assign(user_key.data(), user_key.size());
  }

  // Coupled: has the open partition reached its size?
  bool WantsCut() { return !options_.decoupled && OpenIsFull(); }
  // Coupled: the open partition, if it has keys, ends at `separator`, an
  // internal key. The next key is `*next_key`, an internal key, or there is
  // none. Decoupled: nothing happens.
  void CutAt(const Slice& separator, const Slice* next_key);

  uint64_t entry_count() const {
    return finished_entries_ + filter_->entry_count();
  }
  size_t SizeEstimate() const {
    return finished_bytes_ + filter_->SizeEstimate() +
           separators_.memory_bytes();
  }

  // Not OK when a check of a finished partition failed.
  const Status& status() const { return filter_->status(); }

  struct Finished {
    std::string index;           // Its payload; empty: nothing was ever added.
    uint64_t payload_bytes = 0;  // Of all blocks.
  };
  // Ends the last partition at `last_separator` and hands all to `write`.
  Finished Finish(const Slice& last_separator, const IndexForm& form,
                  const IndexBuilder::WriteBlock& write);

 private:
  // What Add() asks for every key: only near a cut there is more to do.
  bool LookIsDue() const {
    return options_.decoupled && filter_->entry_count() >= next_look_;
  }
  void CutInFrontOf(const Slice& user_key);
  bool OpenIsFull();
  void EndPartition(const Slice& separator);
  Slice WithoutTimestamp(const Slice& user_key) const {
    return {user_key.data(), user_key.size() - timestamp_size_};
  }

  const Options options_;
  const size_t timestamp_size_;
  const std::unique_ptr<FilterBlockBuilder> filter_;  // The open partition.
  bool open_has_keys_ = false;
  // The number of entries at which the open partition may be full.
  size_t next_look_ = 1;
  std::string last_key_;  // Added last, if a look is due.
  IndexEntries separators_;
  std::vector<std::string> payloads_;
  std::unique_ptr<CacheReservation> charge_;
  size_t finished_bytes_ = 0;
  uint64_t finished_entries_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
