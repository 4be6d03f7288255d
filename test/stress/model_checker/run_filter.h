// RunFilter: the compaction filter of a run with filters.
//
// Place. Of every family, drawn anew at each opening: none, the object
// `compaction_filter`, or a factory, which may also filter what flushes and
// recoveries write.
//
// Model. A pure function of the value, which names its id and generation
// (content.h): values whose fate is kStays, merge operands and foreign values
// are kept.
//
// Threads. All jobs may use one filter.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/options.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class RunFilter final : public CompactionFilter {
 public:
  // `stamped`: the family has timestamps, so it takes no entities, and a key
  // and a byte is not the next key.
  explicit RunFilter(bool stamped) : stamped_(stamped) {}

  const char* Name() const override { return "RunFilter"; }
  Decision FilterV3(
      int level, const Slice& key, ValueType type, const Slice* existing_value,
      const WideColumns* existing_columns, std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until) const override;

 private:
  const bool stamped_;
};

// Where a family has its filter.
enum class FilterPlace {
  kNowhere,
  kObject,       // compaction_filter
  kCompactions,  // A factory; it filters what the name says.
  kFlushes,      // And recoveries; no compactions.
  kAllTables,
};
FilterPlace DrawFilterPlace(engine::Random64* random);
const char* NameOf(FilterPlace place);
// Does a compaction of all files filter every value?
bool FiltersCompactions(FilterPlace place);
void SetFilter(FilterPlace place, bool stamped, ColumnFamilyOptions* family);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
