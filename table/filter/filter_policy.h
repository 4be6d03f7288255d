// The built-in filter policies: which filter a table file gets.
//
// Place. Users hold them as FilterPolicy; the table builder casts back and
// asks for a builder. A policy of any other class builds no filter.
//
// Model. All share one compatibility name, under which readers find the filter
// block; the block itself says which kind of filter it is.

#pragma once

#include <climits>
#include <memory>
#include <string>

#include "rocksdb/filter_policy.h"
#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE::engine {

// Of every built-in policy; in the metaindex behind "fullfilter.".
inline constexpr char kBuiltinFilterName[] = "rocksdb.BuiltinBloomFilter";

class BuiltinFilterPolicy final : public FilterPolicy {
 public:
  // kReading builds none. The last three are one kind of filter whatever the
  // level and the table's format.
  enum class Flavour : uint8_t {
    kBloom,
    kRibbon,
    kReading,
    kFastLocalBloom,
    kLegacyBloom,
    kStandardRibbon,
  };

  BuiltinFilterPolicy(Flavour flavour, double bits_per_key,
                      int bloom_before_level);

  const char* Name() const override;
  const char* NickName() const override;
  std::string GetId() const override;
  const char* CompatibilityName() const override { return kBuiltinFilterName; }

  int millibits_per_key() const { return millibits_per_key_; }
  // Levels as bloom_before_level counts them.
  static constexpr int kFlushLevel = -1;
  static constexpr int kLastLevel = INT_MAX;

  // For a table at `level`. Null when the policy wants no filter (under half
  // a bit per key).
  std::unique_ptr<FilterBitsBuilder> NewBuilder(uint32_t format_version,
                                                int level) const;

 private:
  const Flavour flavour_;
  const double bits_per_key_;
  const int millibits_per_key_;
  const int bloom_before_level_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
