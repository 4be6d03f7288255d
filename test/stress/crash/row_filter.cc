#include "test/stress/crash/row_filter.h"

#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "test/stress/crash/lineage.h"
#include "test/stress/options/filter_factory.h"
#include "util/hash.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr char kSign = '!';  // No value that is drawn ends with it.

enum class Fate : uint8_t { kStays, kMayGo, kMayChange };

// Of single deletions, merges and marks the rows stay.
Fate FateOf(const Slice& key, const Slice& value) {
  if (key.empty() || key[0] != 'k') return Fate::kStays;
  if (value.empty() || value[value.size() - 1] == kSign) return Fate::kStays;
  switch (engine::Hash64(value) % 6) {
    case 0:
      return Fate::kMayGo;
    case 1:
      return Fate::kMayChange;
    default:
      return Fate::kStays;
  }
}

class RowFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "RowFilter"; }

  Decision FilterV3(
      int /*level*/, const Slice& key, ValueType type,
      const Slice* existing_value, const WideColumns* existing_columns,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* /*skip_until*/) const override {
    if (type == ValueType::kMergeOperand) return Decision::kKeep;
    const bool entity = type == ValueType::kWideColumnEntity;
    const Slice value =
        entity ? existing_columns->front().value() : *existing_value;
    const Fate fate = FateOf(key, value);
    if (fate == Fate::kStays) return Decision::kKeep;
    if (fate == Fate::kMayGo) return Decision::kRemove;
    const std::string signed_value = value.ToString() + kSign;
    if (!entity) {
      *new_value = signed_value;
      return Decision::kChangeValue;
    }
    *new_columns = {{"", signed_value}, {"c", ColumnOf(signed_value)}};
    return Decision::kChangeWideColumnEntity;
  }
};

std::shared_ptr<CompactionFilterFactory> NewFactory(FilteredJobs jobs) {
  return std::make_shared<FilterFactory>(
      "RowFilterFactory", jobs, [] { return std::make_unique<RowFilter>(); });
}

}  // namespace

std::string DrawRowFilter(uint64_t seed, uint64_t life,
                          ColumnFamilyOptions* family) {
  static const RowFilter kFilter;
  engine::Random64 random(seed * 61 + life);
  family->compaction_filter = nullptr;
  family->compaction_filter_factory = nullptr;
  switch (random.Uniform(5)) {
    case 0:
      return "nowhere";
    case 1:
      family->compaction_filter = &kFilter;
      return "in compactions, one object";
    case 2:
      family->compaction_filter_factory = NewFactory({.compactions = true});
      return "in compactions";
    case 3:
      family->compaction_filter_factory = NewFactory({.others = true});
      return "in flushes and recoveries";
    default:
      family->compaction_filter_factory =
          NewFactory({.compactions = true, .others = true});
      return "everywhere";
  }
}

bool MayBeFilteredOut(const std::string& key, const std::string& row) {
  return FateOf(key, ValueOfRow(row)) == Fate::kMayGo;
}

std::string WithoutSign(std::string row) {
  if (row.ends_with(kSign)) row.pop_back();
  return row;
}

}  // namespace ROCKSDB_NAMESPACE::stress
