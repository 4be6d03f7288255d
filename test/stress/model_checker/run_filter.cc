#include "test/stress/model_checker/run_filter.h"

#include <memory>
#include <optional>

#include "test/stress/model_checker/content.h"
#include "test/stress/options/filter_factory.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

Slice DefaultColumn(const WideColumns& columns) {
  const bool has_default = !columns.empty() && columns[0].name().empty();
  return has_default ? columns[0].value() : Slice();
}

}  // namespace

CompactionFilter::Decision RunFilter::FilterV3(
    int /*level*/, const Slice& key, ValueType type,
    const Slice* existing_value, const WideColumns* existing_columns,
    std::string* new_value,
    std::vector<std::pair<std::string, std::string>>* new_columns,
    std::string* skip_until) const {
  if (type == ValueType::kMergeOperand) return Decision::kKeep;
  const bool entity = type == ValueType::kWideColumnEntity;
  const Slice value =
      entity ? DefaultColumn(*existing_columns) : *existing_value;
  const std::optional<Named> named = NamedBy(value.ToStringView());
  if (!named || named->changed) return Decision::kKeep;
  const uint32_t generation = named->state.generation;
  switch (FateOf(named->id, named->state)) {
    case Fate::kStays:
      return Decision::kKeep;
    case Fate::kIsRemoved:
      return generation % 2 == 0 ? Decision::kRemove : Decision::kPurge;
    case Fate::kIsChanged: {
      const std::string changed = ChangedValue(named->id, generation);
      // Puts become entities, and entities puts, too.
      if (stamped_ || generation % 2 == 0) {
        *new_value = changed;
        return Decision::kChangeValue;
      }
      *new_columns = {{kColumnName, ColumnValue(named->id, generation)},
                      {"", changed}};
      return Decision::kChangeWideColumnEntity;
    }
    case Fate::kIsSkipped:
      if (stamped_) return Decision::kRemove;
      *skip_until = key.ToString() + '\0';
      return Decision::kRemoveAndSkipUntil;
  }
  return Decision::kKeep;
}

FilterPlace DrawFilterPlace(engine::Random64* random) {
  constexpr FilterPlace kPlaces[] = {
      FilterPlace::kNowhere, FilterPlace::kObject,    FilterPlace::kCompactions,
      FilterPlace::kFlushes, FilterPlace::kAllTables, FilterPlace::kAllTables};
  return kPlaces[random->Uniform(std::size(kPlaces))];
}

const char* NameOf(FilterPlace place) {
  constexpr const char* kNames[] = {"nowhere", "an object", "compactions",
                                    "flushes", "all tables"};
  return kNames[static_cast<size_t>(place)];
}

bool FiltersCompactions(FilterPlace place) {
  return place != FilterPlace::kNowhere && place != FilterPlace::kFlushes;
}

void SetFilter(FilterPlace place, bool stamped, ColumnFamilyOptions* family) {
  // The options do not own the object.
  static const RunFilter kPlain(/*stamped=*/false);
  static const RunFilter kStamped(/*stamped=*/true);
  if (place == FilterPlace::kNowhere) return;  // What was drawn stays.
  family->compaction_filter = nullptr;
  family->compaction_filter_factory = nullptr;
  if (place == FilterPlace::kObject) {
    family->compaction_filter = stamped ? &kStamped : &kPlain;
    return;
  }
  const FilteredJobs jobs{.compactions = place != FilterPlace::kFlushes,
                          .others = place != FilterPlace::kCompactions};
  family->compaction_filter_factory = std::make_shared<FilterFactory>(
      "RunFilterFactory", jobs,
      [stamped] { return std::make_unique<RunFilter>(stamped); });
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
