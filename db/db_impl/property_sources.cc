#include "db/db_impl/property_sources.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "db/properties/stats_text.h"
#include "rocksdb/advanced_cache.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct RoleUsage {
  uint64_t entries = 0;
  uint64_t bytes = 0;
};
using CacheUsage = std::array<RoleUsage, kNumCacheEntryRoles>;

CacheUsage UsageOf(Cache* cache) {
  CacheUsage usage;
  cache->ApplyToAllEntries(
      [&usage](const Slice&, Cache::ObjectPtr, size_t charge,
               const Cache::CacheItemHelper* helper) {
        const CacheEntryRole role =
            helper != nullptr ? helper->role : CacheEntryRole::kMisc;
        RoleUsage& of_role = usage[static_cast<size_t>(role)];
        ++of_role.entries;
        of_role.bytes += charge;
      },
      {});
  return usage;
}

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// "DataBlock" -> "data-block".
std::string HyphenName(CacheEntryRole role) {
  std::string name;
  for (const char c : GetCacheEntryRoleName(role)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !name.empty()) name += '-';
    name += static_cast<char>(std::tolower(byte));
  }
  return name;
}

}  // namespace

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

PropertyMap CacheEntryMap(Cache* cache) {
  PropertyMap map;
  if (cache == nullptr) return map;
  const CacheUsage usage = UsageOf(cache);
  map["id"] = cache->Name();
  map["capacity"] = std::to_string(cache->GetCapacity());
  // Made anew for whoever asks.
  map["secs_since_last_collection"] = "0";
  for (size_t i = 0; i < usage.size(); ++i) {
    const std::string role = HyphenName(static_cast<CacheEntryRole>(i));
    map["count." + role] = std::to_string(usage[i].entries);
    map["bytes." + role] = std::to_string(usage[i].bytes);
    map["percent." + role] =
        std::to_string(Percent(usage[i].bytes, cache->GetCapacity()));
  }
  return map;
}

std::string CacheEntryText(Cache* cache) {
  if (cache == nullptr) return "";
  const CacheUsage usage = UsageOf(cache);
  std::string text = "Block cache " + std::string(cache->Name()) +
                     " capacity: " + HumanBytes(cache->GetCapacity()) +
                     " usage: " + HumanBytes(cache->GetUsage()) + "\n";
  text += "Block cache entry stats(count,size,portion):";
  for (size_t i = 0; i < usage.size(); ++i) {
    if (usage[i].entries == 0) continue;
    std::array<char, 32> portion;
    std::snprintf(portion.data(), portion.size(), "%.2f%%",
                  Percent(usage[i].bytes, cache->GetCapacity()));
    text += " " + GetCacheEntryRoleName(static_cast<CacheEntryRole>(i)) + "(" +
            std::to_string(usage[i].entries) + "," +
            HumanBytes(usage[i].bytes) + "," + portion.data() + ")";
  }
  return text + "\n";
}

std::string LinesOf(const PropertyMap& map) {
  std::string text;
  for (const auto& [name, value] : map) text += name + ": " + value + "\n";
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
