#include "table/index/index_builder.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

}  // namespace

IndexBuilder::IndexBuilder(const Options& options)
    : options_(options),
      form_{.restart_interval = std::max(1, options.restart_interval),
            .user_keys = options.may_use_user_keys,
            .delta_values = options.delta_encode_values,
            .first_keys = options.first_keys},
      open_({.restart_interval = std::max(1, options.restart_interval)}) {}

// A shortened user key sorts between the blocks whatever its trailer; the
// largest one keeps it before everything with the same user key.
void IndexBuilder::ShortenSeparator(const Slice& next_first_key) {
  const Slice last = ExtractUserKey(separator_);
  const Slice next = ExtractUserKey(next_first_key);
  const Comparator* const order = options_.icmp->user_comparator();
  scratch_.assign(last.data(), last.size());
  order->FindShortestSeparator(&scratch_, next);
  if (scratch_.size() <= last.size() && order->Compare(last, scratch_) < 0) {
    separator_.clear();
    AppendInternalKey(&separator_, scratch_, kSequenceMax, kTypeForSeek);
  }
}

void IndexBuilder::ShortenSuccessor() {
  const Slice last = ExtractUserKey(separator_);
  const Comparator* const order = options_.icmp->user_comparator();
  scratch_.assign(last.data(), last.size());
  order->FindShortSuccessor(&scratch_);
  if (scratch_.size() <= last.size() && order->Compare(last, scratch_) < 0) {
    separator_.clear();
    AppendInternalKey(&separator_, scratch_, kSequenceMax, kTypeForSeek);
  }
}

bool IndexBuilder::AddBlock(const Slice& first_key, const Slice& last_key,
                            const Slice* next_first_key,
                            const BlockHandle& handle) {
  assert(last_key.size() >= kTrailerSize);
  assert(!form_.first_keys || options_.icmp->Compare(first_key, last_key) <= 0);
  assert(next_first_key == nullptr ||
         options_.icmp->Compare(last_key, *next_first_key) < 0);
  separator_.assign(last_key.data(), last_key.size());
  if (next_first_key != nullptr) {
    if (options_.icmp->CompareUserKey(ExtractUserKey(last_key),
                                      ExtractUserKey(*next_first_key)) == 0) {
      form_.user_keys = false;
    } else if (options_.shortening != Shortening::kNoShortening) {
      ShortenSeparator(*next_first_key);
    }
  } else if (options_.shortening ==
             Shortening::kShortenSeparatorsAndSuccessor) {
    ShortenSuccessor();
  }
  // What a search relies on: last key <= separator < next first key.
  assert(last_key == Slice(separator_) ||
         options_.icmp->Compare(last_key, separator_) < 0);
  assert(next_first_key == nullptr ||
         options_.icmp->Compare(separator_, *next_first_key) < 0);
  entries_.Add(separator_, form_.first_keys ? first_key : Slice(), handle);
  return options_.partition_bytes > 0 && NotePartition();
}

bool IndexBuilder::PartitionIsFull(const Slice& separator) const {
  if (open_.empty()) return false;
  const uint64_t limit = options_.partition_bytes;
  const uint64_t size = open_.SizeEstimate();
  if (size >= limit) return true;
  const int deviation = options_.partition_deviation_percent;
  if (deviation <= 0 || deviation > 100) return false;
  if (size * 100 <= limit * static_cast<uint64_t>(100 - deviation)) {
    return false;
  }
  const Slice key = form_.user_keys ? ExtractUserKey(separator) : separator;
  std::string value;
  PutBlockHandle(&value, {UINT32_MAX, UINT16_MAX});  // As long as most.
  return open_.SizeEstimateAfter(key, value) > limit;
}

// The entry added last goes into the open partition or begins a new one.
bool IndexBuilder::NotePartition() {
  assert(entries_.size() > 0);
  const size_t added = entries_.size() - 1;
  const bool begins = cut_wanted_ || PartitionIsFull(separator_);
  const bool first = begins_.empty();
  if (first || begins) {
    begins_.push_back(added);
    open_.Reset();
  }
  cut_wanted_ = false;
  entries_.AppendTo(&open_, added, begins_.back(), form_);
  return begins && !first;
}

IndexBuilder::Finished IndexBuilder::Finish(const WriteBlock& write) const {
  Finished finished;
  if (options_.partition_bytes == 0) {
    finished.root = entries_.Encode(0, entries_.size(), form_);
    finished.payload_bytes = finished.root.size();
    finished.root_key_bytes = entries_.memory_bytes();
    return finished;
  }
  IndexEntries top;
  for (size_t i = 0; i < begins_.size(); ++i) {
    const size_t end =
        i + 1 < begins_.size() ? begins_[i + 1] : entries_.size();
    assert(begins_[i] < end);  // No partition is empty.
    const std::string payload = entries_.Encode(begins_[i], end, form_);
    finished.payload_bytes += payload.size();
    top.Add(entries_.separator(end - 1), write(payload));
  }
  assert(top.size() == begins_.size());
  finished.partition_count = top.size();
  finished.root = top.Encode(0, top.size(), form_);
  finished.payload_bytes += finished.root.size();
  finished.root_key_bytes = top.memory_bytes();
  return finished;
}

}  // namespace ROCKSDB_NAMESPACE::engine
