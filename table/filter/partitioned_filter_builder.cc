#include "table/filter/partitioned_filter_builder.h"

#include <algorithm>
#include <cassert>

#include "table/internal_key.h"
#include "util/cache/cache_reservation.h"

namespace ROCKSDB_NAMESPACE::engine {

PartitionedFilterBuilder::PartitionedFilterBuilder(
    const Options& options, std::unique_ptr<FilterBlockBuilder> filter)
    : options_(options),
      timestamp_size_(options.icmp->user_comparator()->timestamp_size()),
      filter_(std::move(filter)) {
  assert(filter_ != nullptr);
  if (options.charge_to != nullptr) {
    charge_ = std::make_unique<CacheReservation>(
        options.charge_to, CacheEntryRole::kFilterConstruction);
  }
}

PartitionedFilterBuilder::~PartitionedFilterBuilder() = default;

// Asks for the size seldom: it grows with the entries, so the number at which
// it is reached can be guessed from what there is, and is known after the
// first partition.
bool PartitionedFilterBuilder::OpenIsFull() {
  const size_t entries = filter_->entry_count();
  if (entries < next_look_ || !open_has_keys_) return false;
  const int percent = std::clamp(options_.deviation_percent, 0, 99);
  const uint64_t limit = std::max<uint64_t>(
      1, options_.partition_bytes * static_cast<uint64_t>(100 - percent) / 100);
  const uint64_t size = std::max<uint64_t>(1, filter_->SizeEstimate());
  if (size >= limit) return true;
  const double guess = static_cast<double>(entries) *
                       static_cast<double>(limit) / static_cast<double>(size);
  next_look_ = std::max(entries + 1, static_cast<size_t>(guess));
  return false;
}

// Never between two versions of a user key.
void PartitionedFilterBuilder::CutInFrontOf(const Slice& user_key) {
  if (!OpenIsFull()) return;
  if (options_.icmp->CompareUserKey(last_key_, user_key) == 0) return;
  filter_->AddPrefixOf(WithoutTimestamp(user_key));
  // Behind every version of the last key.
  std::string separator;
  AppendInternalKey(&separator, last_key_, 0, ValueType::kDeletion);
  EndPartition(separator);
  filter_->AddPrefixOf(WithoutTimestamp(last_key_));
}

void PartitionedFilterBuilder::CutAt(const Slice& separator,
                                     const Slice* next_key) {
  if (options_.decoupled || !open_has_keys_) return;
  if (next_key != nullptr) {
    filter_->AddPrefixOf(WithoutTimestamp(ExtractUserKey(*next_key)));
  }
  EndPartition(separator);
}

void PartitionedFilterBuilder::EndPartition(const Slice& separator) {
  assert(open_has_keys_ && separator.size() >= kTrailerSize);
  assert(filter_->entry_count() > 0);
  finished_entries_ += filter_->entry_count();
  payloads_.push_back(filter_->Finish());
  finished_bytes_ += payloads_.back().size();
  // They are needed whatever the cache says.
  if (charge_ != nullptr) (void)charge_->Update(finished_bytes_);
  separators_.Add(separator, BlockHandle());  // Its place is not known yet.
  open_has_keys_ = false;
}

PartitionedFilterBuilder::Finished PartitionedFilterBuilder::Finish(
    const Slice& last_separator, const IndexForm& form,
    const IndexBuilder::WriteBlock& write) {
  if (open_has_keys_) EndPartition(last_separator);
  Finished finished;
  if (payloads_.empty()) return finished;
  assert(payloads_.size() == separators_.size());
  IndexEntries index;
  for (size_t i = 0; i < payloads_.size(); ++i) {
    finished.payload_bytes += payloads_[i].size();
    index.Add(separators_.separator(i), write(payloads_[i]));
  }
  assert(index.size() == payloads_.size());
  finished.index = index.Encode(0, index.size(), form);
  finished.payload_bytes += finished.index.size();
  return finished;
}

}  // namespace ROCKSDB_NAMESPACE::engine
