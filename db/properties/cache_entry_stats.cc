#include "db/properties/cache_entry_stats.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

namespace {

// "DataBlock" -> "data-block".
std::string Hyphenated(CacheEntryRole role) {
  std::string name;
  for (const char c : GetCacheEntryRoleName(role)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !name.empty()) name += '-';
    name += static_cast<char>(std::tolower(byte));
  }
  return name;
}

}  // namespace

using Keys = BlockCacheEntryStatsMapKeys;

const std::string& Keys::CacheId() {
  static const std::string key = "id";
  return key;
}
const std::string& Keys::CacheCapacityBytes() {
  static const std::string key = "capacity";
  return key;
}
const std::string& Keys::LastCollectionDurationSeconds() {
  static const std::string key = "secs_for_last_collection";
  return key;
}
const std::string& Keys::LastCollectionAgeSeconds() {
  static const std::string key = "secs_since_last_collection";
  return key;
}
std::string Keys::EntryCount(CacheEntryRole role) {
  return "count." + Hyphenated(role);
}
std::string Keys::UsedBytes(CacheEntryRole role) {
  return "bytes." + Hyphenated(role);
}
std::string Keys::UsedPercent(CacheEntryRole role) {
  return "percent." + Hyphenated(role);
}

namespace engine {

namespace {

// "8.00 MB".
std::string Bytes(uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  const bool large = bytes >= uint64_t{1} << 30;
  const bool middle = bytes >= uint64_t{1} << 20;
  char text[40];
  std::snprintf(text, sizeof(text), "%.2f %s",
                value / (large    ? 1 << 30
                         : middle ? 1 << 20
                                  : 1 << 10),
                large    ? "GB"
                : middle ? "MB"
                         : "KB");
  return text;
}

double Percent(uint64_t part, size_t whole) {
  return whole == 0
             ? 0.0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t Since(uint64_t then_micros, uint64_t now_micros) {
  return now_micros > then_micros ? now_micros - then_micros : 0;
}

double SecondsBetween(uint64_t then_micros, uint64_t now_micros) {
  return static_cast<double>(Since(then_micros, now_micros)) / 1e6;
}

CacheEntryStats Count(Cache* cache, SystemClock* clock) {
  CacheEntryStats stats;
  stats.begin_micros = clock->NowMicros();
  char id[96];
  std::snprintf(id, sizeof(id), "%s@%p#%ld", cache->Name(),
                static_cast<void*>(cache), static_cast<long>(::getpid()));
  stats.id = id;
  stats.capacity = cache->GetCapacity();
  stats.usage = cache->GetUsage();
  stats.table_size = cache->GetTableAddressCount();
  stats.occupancy = cache->GetOccupancyCount();
  cache->ApplyToAllEntries(
      [&stats](const Slice&, Cache::ObjectPtr, size_t charge,
               const Cache::CacheItemHelper* helper) {
        const auto role = static_cast<size_t>(helper->role);
        stats.counts[role]++;
        stats.bytes[role] += charge;
      },
      {});
  stats.end_micros = clock->NowMicros();
  return stats;
}

}  // namespace

std::string CacheEntryStats::ToText(uint64_t now_micros) const {
  char seconds[80];
  std::snprintf(
      seconds, sizeof(seconds), "last_secs: %g secs_since: %llu",
      SecondsBetween(begin_micros, end_micros),
      static_cast<unsigned long long>(Since(end_micros, now_micros) / 1000000));
  std::string text = "Block cache " + id + " capacity: " + Bytes(capacity) +
                     " usage: " + Bytes(usage) +
                     " table_size: " + std::to_string(table_size) +
                     " occupancy: " + std::to_string(occupancy) +
                     " collections: " + std::to_string(collections) +
                     " last_copies: " + std::to_string(copies) + " " + seconds +
                     "\nBlock cache entry stats(count,size,portion):";
  for (size_t role = 0; role < kNumCacheEntryRoles; role++) {
    if (counts[role] == 0) continue;
    char part[32];
    std::snprintf(part, sizeof(part), "%g%%", Percent(bytes[role], capacity));
    text += " " + GetCacheEntryRoleName(static_cast<CacheEntryRole>(role)) +
            "(" + std::to_string(counts[role]) + "," + Bytes(bytes[role]) +
            "," + part + ")";
  }
  return text + "\n";
}

std::map<std::string, std::string> CacheEntryStats::ToMap(
    uint64_t now_micros) const {
  std::map<std::string, std::string> map;
  map[Keys::CacheId()] = id;
  map[Keys::CacheCapacityBytes()] = std::to_string(capacity);
  map[Keys::LastCollectionDurationSeconds()] =
      std::to_string(SecondsBetween(begin_micros, end_micros));
  map[Keys::LastCollectionAgeSeconds()] =
      std::to_string(Since(end_micros, now_micros) / 1000000);
  for (size_t i = 0; i < kNumCacheEntryRoles; i++) {
    const auto role = static_cast<CacheEntryRole>(i);
    map[Keys::EntryCount(role)] = std::to_string(counts[i]);
    map[Keys::UsedBytes(role)] = std::to_string(bytes[i]);
    map[Keys::UsedPercent(role)] = std::to_string(Percent(bytes[i], capacity));
  }
  return map;
}

CacheEntryStats CacheEntryStatsKeeper::Get(Cache* cache, Age age,
                                           SystemClock* clock) {
  constexpr uint64_t kAnyAgeMicros = uint64_t{180} * 1000 * 1000;
  constexpr uint64_t kAgePerDuration = 100;
  MutexLock lock(&mu_);
  CacheEntryStats& last = last_[cache];
  const uint64_t age_max =
      age == Age::kAny
          ? kAnyAgeMicros
          : kAgePerDuration * Since(last.begin_micros, last.end_micros);
  if (last.collections == 0 ||
      Since(last.end_micros, clock->NowMicros()) > age_max) {
    const uint64_t collections = last.collections;
    last = Count(cache, clock);
    last.collections = collections + 1;
  }
  last.copies++;
  return last;
}

}  // namespace engine
}  // namespace ROCKSDB_NAMESPACE
