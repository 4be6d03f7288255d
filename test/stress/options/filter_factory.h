// FilterFactory: gives the jobs of some kinds a compaction filter each, as
// programs do.
//
// Place. Of the filters that the programs draw.
//
// Threads. Any job may ask it.

#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE::stress {

struct FilteredJobs {
  bool compactions = false;
  bool others = false;  // Flushes and recoveries.
};

class FilterFactory final : public CompactionFilterFactory {
 public:
  using Make = std::function<std::unique_ptr<CompactionFilter>()>;

  // `name` lives as long as the factory.
  FilterFactory(const char* name, FilteredJobs jobs, Make make)
      : name_(name), jobs_(jobs), make_(std::move(make)) {}

  const char* Name() const override { return name_; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return reason == TableFileCreationReason::kCompaction ? jobs_.compactions
                                                          : jobs_.others;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& /*context*/) override {
    return make_();
  }

 private:
  const char* const name_;
  const FilteredJobs jobs_;
  const Make make_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
