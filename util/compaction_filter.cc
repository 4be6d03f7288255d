// There are no built-in compaction filters: a name in an option text can only
// say that there is none.

#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE {

Status CompactionFilter::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& name,
    const CompactionFilter** result) {
  if (name.empty() || name == "nullptr") {
    *result = nullptr;
    return Status::OK();
  }
  return Status::NotSupported("Could not load CompactionFilter", name);
}

Status CompactionFilterFactory::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& name,
    std::shared_ptr<CompactionFilterFactory>* result) {
  if (name.empty() || name == "nullptr") {
    result->reset();
    return Status::OK();
  }
  return Status::NotSupported("Could not load CompactionFilterFactory", name);
}

}  // namespace ROCKSDB_NAMESPACE
