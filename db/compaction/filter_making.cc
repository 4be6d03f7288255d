#include "db/compaction/filter_making.h"

#include <cassert>
#include <utility>

#include "rocksdb/options.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Null if there is none that filters tables written for this reason.
CompactionFilterFactory* FactoryFor(const ColumnFamilyOptions& options,
                                    TableFileCreationReason reason) {
  CompactionFilterFactory* const factory =
      options.compaction_filter_factory.get();
  const bool wanted =
      factory != nullptr && factory->ShouldFilterTableFileCreation(reason);
  return wanted ? factory : nullptr;
}

// An input that cannot be opened is left out: it fails the slice that reads it.
TablePropertiesCollection PropertiesOf(const CompactionPlan& plan,
                                       const TableCache& tables) {
  TablePropertiesCollection properties;
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    for (const FilePtr& file : inputs.files) {
      auto table =
          tables.Find(*file, inputs.level, Env::IOActivity::kCompaction);
      if (table.ok()) properties[file->Path()] = (*table)->properties();
    }
  }
  return properties;
}

Result<JobFilter> Checked(JobFilter filter) {
  if (filter != nullptr && !filter->IgnoreSnapshots()) {
    return Status::NotSupported(
        "CompactionFilter::IgnoreSnapshots() = false is not supported");
  }
  return filter;
}

}  // namespace

Result<JobFilter> FilterForCompaction(const TableOwner& owner,
                                      const CompactionPlan& plan,
                                      const TableCache& tables) {
  const ColumnFamilyOptions& options = *owner.options;
  if (options.compaction_filter != nullptr) {
    return Checked(JobFilter(JobFilter(), options.compaction_filter));
  }
  CompactionFilter::Context context;
  context.reason = TableFileCreationReason::kCompaction;
  CompactionFilterFactory* const factory = FactoryFor(options, context.reason);
  if (factory == nullptr) return JobFilter();
  context.is_full_compaction = plan.TakesAllFiles();
  context.is_manual_compaction = plan.is_manual;
  context.input_start_level = plan.start_level();
  context.column_family_id = owner.family_id;
  context.input_table_properties = PropertiesOf(plan, tables);
  return Checked(factory->CreateCompactionFilter(context));
}

Result<JobFilter> FilterForFlush(const TableOwner& owner,
                                 TableFileCreationReason reason) {
  assert(reason != TableFileCreationReason::kCompaction);
  CompactionFilterFactory* const factory = FactoryFor(*owner.options, reason);
  if (factory == nullptr) return JobFilter();
  CompactionFilter::Context context;
  context.reason = reason;
  context.column_family_id = owner.family_id;
  return Checked(factory->CreateCompactionFilter(context));
}

}  // namespace ROCKSDB_NAMESPACE::engine
