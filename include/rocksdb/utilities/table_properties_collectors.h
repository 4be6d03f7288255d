// Collectors of table properties that come with the library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Has a file compacted soon if it has many deletions: of a key or SingleDelete,
// not of ranges. Either condition is enough:
//   * among `sliding_window_size` entries in a row, `deletion_trigger` or more
//     are deletions. No such condition if one of the two is 0.
//   * among all entries, a share of `deletion_ratio` or more. No such condition
//     if it is not above 0, or is above 1.
// Files smaller than `min_file_size` bytes, without their last block, are left
// alone.
//
// Threads. The setters may be called at any time, for files that begin later.
class CompactOnDeletionCollectorFactory
    : public TablePropertiesCollectorFactory {
 public:
  CompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                    size_t deletion_trigger,
                                    double deletion_ratio,
                                    uint64_t min_file_size = 0);
  ~CompactOnDeletionCollectorFactory() override = default;

  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) override;

  void SetWindowSize(size_t sliding_window_size) {
    sliding_window_size_.store(sliding_window_size);
  }
  size_t GetWindowSize() const { return sliding_window_size_.load(); }
  void SetDeletionTrigger(size_t deletion_trigger) {
    deletion_trigger_.store(deletion_trigger);
  }
  size_t GetDeletionTrigger() const { return deletion_trigger_.load(); }
  void SetDeletionRatio(double deletion_ratio) {
    deletion_ratio_.store(deletion_ratio);
  }
  double GetDeletionRatio() const { return deletion_ratio_.load(); }
  void SetMinFileSize(uint64_t min_file_size) {
    min_file_size_.store(min_file_size);
  }
  uint64_t GetMinFileSize() const { return min_file_size_.load(); }

  static const char* kClassName() { return "CompactOnDeletionCollector"; }
  const char* Name() const override { return kClassName(); }
  std::string ToString() const override;

 private:
  std::atomic<size_t> sliding_window_size_;
  std::atomic<size_t> deletion_trigger_;
  std::atomic<double> deletion_ratio_;
  std::atomic<uint64_t> min_file_size_;
};

std::shared_ptr<CompactOnDeletionCollectorFactory>
NewCompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                     size_t deletion_trigger,
                                     double deletion_ratio = 0,
                                     uint64_t min_file_size = 0);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
