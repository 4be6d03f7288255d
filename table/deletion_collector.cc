// CompactOnDeletionCollectorFactory: see
// rocksdb/utilities/table_properties_collectors.h.
//
// Model. The window is a ring of one bit for each of the last entries, and the
// number of deletions among them.

#include <vector>

#include "rocksdb/utilities/table_properties_collectors.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct DeletionLimits {
  size_t window = 0;
  size_t trigger = 0;
  double ratio = 0;
  uint64_t min_file_size = 0;

  bool has_window() const { return window > 0 && trigger > 0; }
  bool has_ratio() const { return ratio > 0 && ratio <= 1; }
};

class DeletionCollector final : public TablePropertiesCollector {
 public:
  explicit DeletionCollector(const DeletionLimits& limits) : limits_(limits) {}

  Status AddUserKey(const Slice& /*key*/, const Slice& /*value*/,
                    EntryType type, SequenceNumber /*seq*/,
                    uint64_t file_size) override {
    if (type == kEntryRangeDeletion) return Status::OK();
    const bool is_deletion = type == kEntryDelete ||
                             type == kEntrySingleDelete ||
                             type == kEntryDeleteWithTimestamp;
    file_size_ = file_size;
    ++entries_;
    deletions_ += is_deletion ? 1 : 0;
    if (limits_.has_window() && !window_had_enough_) Slide(is_deletion);
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* /*properties*/) override {
    const bool many = limits_.has_ratio() && entries_ > 0 &&
                      static_cast<double>(deletions_) >=
                          limits_.ratio * static_cast<double>(entries_);
    need_compact_ =
        (many || window_had_enough_) && file_size_ >= limits_.min_file_size;
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override {
    return CompactOnDeletionCollectorFactory::kClassName();
  }
  bool NeedCompact() const override { return need_compact_; }

 private:
  // The ring grows with the file until it is as long as the window.
  void Slide(bool is_deletion) {
    if (ring_.size() < limits_.window) {
      ring_.push_back(is_deletion);
    } else {
      in_window_ -= ring_[oldest_] ? 1 : 0;
      ring_[oldest_] = is_deletion;
      oldest_ = (oldest_ + 1) % ring_.size();
    }
    in_window_ += is_deletion ? 1 : 0;
    window_had_enough_ = in_window_ >= limits_.trigger;
  }

  const DeletionLimits limits_;
  uint64_t file_size_ = 0;
  uint64_t entries_ = 0;
  uint64_t deletions_ = 0;
  std::vector<bool> ring_;
  size_t oldest_ = 0;
  size_t in_window_ = 0;
  bool window_had_enough_ = false;
  bool need_compact_ = false;
};

}  // namespace

CompactOnDeletionCollectorFactory::CompactOnDeletionCollectorFactory(
    size_t sliding_window_size, size_t deletion_trigger, double deletion_ratio,
    uint64_t min_file_size)
    : sliding_window_size_(sliding_window_size),
      deletion_trigger_(deletion_trigger),
      deletion_ratio_(deletion_ratio),
      min_file_size_(min_file_size) {}

TablePropertiesCollector*
CompactOnDeletionCollectorFactory::CreateTablePropertiesCollector(
    TablePropertiesCollectorFactory::Context /*context*/) {
  DeletionLimits limits;
  limits.window = GetWindowSize();
  limits.trigger = GetDeletionTrigger();
  limits.ratio = GetDeletionRatio();
  limits.min_file_size = GetMinFileSize();
  if (!limits.has_window() && !limits.has_ratio()) return nullptr;
  return new DeletionCollector(limits);
}

std::string CompactOnDeletionCollectorFactory::ToString() const {
  return std::string(kClassName()) +
         " (sliding window size = " + std::to_string(GetWindowSize()) +
         ", deletion trigger = " + std::to_string(GetDeletionTrigger()) +
         ", deletion ratio = " + std::to_string(GetDeletionRatio()) +
         ", min file size = " + std::to_string(GetMinFileSize()) + ")";
}

std::shared_ptr<CompactOnDeletionCollectorFactory>
NewCompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                     size_t deletion_trigger,
                                     double deletion_ratio,
                                     uint64_t min_file_size) {
  return std::make_shared<CompactOnDeletionCollectorFactory>(
      sliding_window_size, deletion_trigger, deletion_ratio, min_file_size);
}

}  // namespace ROCKSDB_NAMESPACE
