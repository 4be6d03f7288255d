// JobClass: the purpose of a compaction, which decides its priority.
//
// Model.  class         bounds            examples
//         kRuns         sorted runs       level 0 to base, merges of files as
//                                         they were flushed
//         kDebt         pending bytes     Ln to Ln+1, merges of larger files
//                                         of level 0
//         kMaintenance  nothing writers   TTL, periodic, marked, bottommost,
//                       wait for          CompactRange
//
// Earlier is more urgent: runs stop writers and slow every read, debt only
// grows, maintenance can wait for the next valley.

#pragma once

#include <cstddef>
#include <cstdint>

#include "db/tune/signals.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

enum class JobClass : uint8_t { kRuns, kDebt, kMaintenance };

inline constexpr size_t kJobClassCount = 3;
inline constexpr JobClass kJobClasses[kJobClassCount] = {
    JobClass::kRuns, JobClass::kDebt, JobClass::kMaintenance};

constexpr const char* JobClassName(JobClass job_class) {
  switch (job_class) {
    case JobClass::kRuns:
      return "runs";
    case JobClass::kDebt:
      return "debt";
    default:
      return "maintenance";
  }
}

constexpr WorkClass WorkClassOf(JobClass c) {
  switch (c) {
    case JobClass::kRuns:
      return WorkClass::kRuns;
    case JobClass::kDebt:
      return WorkClass::kDebt;
    default:
      return WorkClass::kMaintenance;
  }
}

class JobClassSet {
 public:
  constexpr JobClassSet() = default;
  static constexpr JobClassSet All() {
    return JobClassSet((1u << kJobClassCount) - 1);
  }
  static constexpr JobClassSet Of(JobClass c) { return JobClassSet(Bit(c)); }

  constexpr void Add(JobClass c) { bits_ = bits_ | Bit(c); }
  constexpr void Add(JobClassSet more) { bits_ = bits_ | more.bits_; }
  constexpr bool Has(JobClass c) const { return (bits_ & Bit(c)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const JobClassSet&) const = default;

 private:
  constexpr explicit JobClassSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(JobClass c) {
    return 1u << static_cast<uint32_t>(c);
  }

  uint32_t bits_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
