#include "db/db_impl/property_sources.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::engine {

bool SumTableProperties(const ColumnFamily& family, int level,
                        TableProperties* sum) {
  const ViewRef view = family.views().Pin();
  const Version& version = *view->version;
  if (level >= version.num_levels()) return false;
  for (int i = 0; i < version.num_levels(); ++i) {
    if (level >= 0 && i != level) continue;
    for (const FilePtr& file : version.files(i)) {
      const auto table = family.tables().Find(*file, i);
      if (!table.ok()) return false;
      sum->Add(*(*table)->properties());
    }
  }
  return true;
}

PropertyMap MapOf(const TableProperties& sum) {
  PropertyMap map;
  for (const auto& [name, value] : sum.GetAggregatablePropertiesAsMap()) {
    map[name] = std::to_string(value);
  }
  return map;
}

std::string LinesOf(const PropertyMap& map) {
  std::string text;
  for (const auto& [name, value] : map) {
    text.append(name).append(": ").append(value).append("\n");
  }
  return text;
}

uint64_t SortedRunsOf(const CompactionPlan& plan) {
  uint64_t runs = 0;
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    runs += inputs.level == 0 ? inputs.files.size()
                              : std::min<size_t>(inputs.files.size(), 1);
  }
  return runs;
}

}  // namespace ROCKSDB_NAMESPACE::engine
