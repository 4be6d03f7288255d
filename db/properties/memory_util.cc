#include "rocksdb/utilities/memory_util.h"

namespace ROCKSDB_NAMESPACE {

Status MemoryUtil::GetApproximateMemoryUsageByType(
    const std::vector<DB*>& dbs,
    const std::unordered_set<const Cache*>& cache_set,
    std::map<MemoryUtil::UsageType, uint64_t>* usage_by_type) {
  using Names = DB::Properties;
  const std::pair<UsageType, const std::string*> asked[] = {
      {kMemTableTotal, &Names::kSizeAllMemTables},
      {kMemTableUnFlushed, &Names::kCurSizeAllMemTables},
      {kTableReadersTotal, &Names::kEstimateTableReadersMem},
  };
  usage_by_type->clear();
  for (const auto& [type, name] : asked) {
    uint64_t& sum = (*usage_by_type)[type];
    for (DB* const db : dbs) {
      uint64_t bytes = 0;
      if (db != nullptr && db->GetAggregatedIntProperty(*name, &bytes)) {
        sum += bytes;
      }
    }
  }
  uint64_t& caches = (*usage_by_type)[kCacheTotal];
  for (const Cache* const cache : cache_set) {
    if (cache != nullptr) caches += cache->GetUsage();
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
