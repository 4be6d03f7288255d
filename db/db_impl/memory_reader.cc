#include "db/db_impl/memory_reader.h"

#include <set>

#include "db/properties/memory_by_role.h"
#include "db/read/table_cache.h"
#include "rocksdb/db.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Names = DB::Properties;
using Age = CacheEntryStatsKeeper::Age;
using CacheSet = std::set<std::shared_ptr<Cache>>;

// Roles of what lies outside the cache and is only charged to it.
constexpr CacheEntryRole kChargedRoles[] = {
    CacheEntryRole::kWriteBuffer,
    CacheEntryRole::kCompressionDictionaryBuildingBuffer,
    CacheEntryRole::kFilterConstruction,
    CacheEntryRole::kBlockBasedTableReader,
    CacheEntryRole::kFileMetadata,
    CacheEntryRole::kBlobCache,
};

bool IsCacheStats(const Slice& property, Age* age) {
  *age =
      property == Names::kFastBlockCacheEntryStats ? Age::kAny : Age::kRecent;
  return property == Names::kBlockCacheEntryStats ||
         property == Names::kFastBlockCacheEntryStats;
}

// False without a block cache.
bool StatsOf(DbState* db, const FamilyPtr& family, Age age,
             CacheEntryStats* stats) {
  std::shared_ptr<Cache> cache;
  {
    MutexLock lock(&db->mu);
    cache = BlockCacheOf(*family);
  }
  if (cache == nullptr) return false;
  *stats = db->cache_stats.Get(cache.get(), age, db->store.clock);
  return true;
}

void AddReaders(const ColumnFamily& family, TableReader::Memory* readers) {
  const VersionPtr version = family.versions()->current();
  for (int level = 0; level < version->num_levels(); ++level) {
    for (const FilePtr& file : version->files(level)) {
      const TableReader* const table = file->pinned_reader();
      if (table == nullptr) continue;
      const TableReader::Memory use = table->MemoryUse();
      readers->index += use.index;
      readers->filter += use.filter;
      readers->others += use.others;
    }
  }
}

// With a limited number of open files the readers are in a cache, next to
// those of blob files.
void AddCachedReaders(const ReaderCache& cache, TableReader::Memory* readers) {
  cache.ForEach([readers](const Slice&, Cache::ObjectPtr object, size_t,
                          const Cache::CacheItemHelper* helper) {
    if (helper->role != CacheEntryRole::kBlockBasedTableReader) return;
    const TableReader::Memory use =
        static_cast<const TableReader*>(object)->MemoryUse();
    readers->index += use.index;
    readers->filter += use.filter;
    readers->others += use.others;
  });
}

// What is known under the DB mutex, and the caches to ask without it.
struct Collected {
  MemoryByRole memory;
  CacheSet block_caches;
  CacheSet blob_caches;
};

Collected CollectUnderMutex(DbState* db) {
  Collected all;
  auto& parts = all.memory.parts;
  TableReader::Memory readers;
  MutexLock lock(&db->mu);
  for (const FamilyPtr& family : db->families->all()) {
    parts["memtables.mutable"] += family->mem()->ApproximateMemoryUsage();
    parts["memtables.immutable"] += family->imm().memory_bytes();
    parts["memtables.pinned"] += family->imm().pinned_bytes();
    AddReaders(*family, &readers);
    if (auto cache = BlockCacheOf(*family)) all.block_caches.insert(cache);
    if (auto cache = family->options()->blob_cache) {
      all.blob_caches.insert(cache);
    }
  }
  AddCachedReaders(*db->readers, &readers);
  parts["table-readers.index"] = readers.index;
  parts["table-readers.filter"] = readers.filter;
  parts["table-readers.others"] = readers.others;
  parts["wal-buffers"] = db->wals != nullptr ? db->wals->buffer_bytes() : 0;
  return all;
}

void AddBlockCache(DbState* db, const std::shared_ptr<Cache>& cache,
                   MemoryByRole* memory) {
  using Keys = BlockCacheEntryStatsMapKeys;
  auto& parts = memory->parts;
  const CacheEntryStats stats =
      db->cache_stats.Get(cache.get(), Age::kRecent, db->store.clock);
  parts["block-cache"] += stats.usage;
  parts["block-cache.capacity"] += stats.capacity;
  parts["block-cache.pinned"] += cache->GetPinnedUsage();
  for (size_t i = 0; i < kNumCacheEntryRoles; i++) {
    if (stats.counts[i] == 0) continue;
    const std::string key = Keys::UsedBytes(static_cast<CacheEntryRole>(i));
    parts["block-cache." + key.substr(key.find('.') + 1)] += stats.bytes[i];
  }
  for (const CacheEntryRole role : kChargedRoles) {
    parts["block-cache.charged"] += stats.BytesOf(role);
  }
  // These are not counted where they are.
  parts["building-buffers"] +=
      stats.BytesOf(CacheEntryRole::kCompressionDictionaryBuildingBuffer) +
      stats.BytesOf(CacheEntryRole::kFilterConstruction);
}

void AddOther(const char* name, const CacheSet& caches, const CacheSet& known,
              MemoryByRole* memory) {
  for (const std::shared_ptr<Cache>& cache : caches) {
    if (known.contains(cache)) continue;
    memory->parts[name] += cache->GetUsage();
  }
}

MemoryByRole Collect(DbState* db) {
  Collected all = CollectUnderMutex(db);
  MemoryByRole& memory = all.memory;
  auto& parts = memory.parts;
  parts["memtables"] = parts["memtables.mutable"] +
                       parts["memtables.immutable"] + parts["memtables.pinned"];
  parts["table-readers"] = parts["table-readers.index"] +
                           parts["table-readers.filter"] +
                           parts["table-readers.others"];
  for (const auto& cache : all.block_caches) AddBlockCache(db, cache, &memory);
  CacheSet known = all.block_caches;
  AddOther("blob-cache", all.blob_caches, known, &memory);
  known.insert(all.blob_caches.begin(), all.blob_caches.end());
  if (db->store.options.row_cache != nullptr) {
    AddOther("row-cache", {db->store.options.row_cache}, known, &memory);
  }
  return memory;
}

}  // namespace

std::shared_ptr<Cache> BlockCacheOf(const ColumnFamily& family) {
  const auto table = TableOptionsOf(family.options()->table_factory.get());
  return table.ok() && !table->no_block_cache ? table->block_cache : nullptr;
}

bool MemoryText(DbState* db, const FamilyPtr& family, const Slice& property,
                std::string* value) {
  if (property == Names::kMemoryByRole) {
    *value = Collect(db).ToText();
    return true;
  }
  Age age = Age::kRecent;
  CacheEntryStats stats;
  if (!IsCacheStats(property, &age) || !StatsOf(db, family, age, &stats)) {
    return false;
  }
  *value = stats.ToText(db->store.clock->NowMicros());
  return true;
}

bool MemoryMap(DbState* db, const FamilyPtr& family, const Slice& property,
               std::map<std::string, std::string>* value) {
  if (property == Names::kMemoryByRole) {
    *value = Collect(db).ToMap();
    return true;
  }
  Age age = Age::kRecent;
  CacheEntryStats stats;
  if (!IsCacheStats(property, &age) || !StatsOf(db, family, age, &stats)) {
    return false;
  }
  *value = stats.ToMap(db->store.clock->NowMicros());
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
