// flush, waitforcompaction, stats, levelstats, memstats, sstables, resetstats:
// done once by the main thread, without a result line.

#include <cinttypes>
#include <cstdio>
#include <string>

#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void PrintProperty(const Bench& bench, const char* name) {
  for (const Target& target : bench.targets()) {
    for (ColumnFamilyHandle* family : target.families) {
      std::string text;
      if (!target.db->GetProperty(family, name, &text)) text = "(failed)";
      std::printf("\n%s\n", text.c_str());
    }
  }
  std::fflush(stdout);
}

bool IsZero(const Bench& bench, const char* property) {
  for (const Target& target : bench.targets()) {
    for (ColumnFamilyHandle* family : target.families) {
      uint64_t value = 0;
      if (target.db->GetIntProperty(family, property, &value) && value != 0) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void FlushMemtable(const Bench& bench) {
  for (const Target& target : bench.targets()) {
    const Status s = target.db->Flush(FlushOptions(), target.families);
    if (!s.ok()) Die("flush", s);
  }
  std::printf("flush memtable\n");
}

void WaitForCompaction(const Bench& bench) {
  const std::string name = bench.db()->GetName();
  std::printf("waitforcompaction(%s): started\n", name.c_str());
  std::fflush(stdout);
  // Idle twice in a row, a second apart: a finished job may start the next one.
  for (int idle = 0; idle < 2;) {
    const bool is_idle = IsZero(bench, "rocksdb.mem-table-flush-pending") &&
                         IsZero(bench, "rocksdb.num-running-flushes") &&
                         IsZero(bench, "rocksdb.compaction-pending") &&
                         IsZero(bench, "rocksdb.num-running-compactions");
    idle = is_idle ? idle + 1 : 0;
    if (idle < 2) bench.clock()->SleepForMicroseconds(1000 * 1000);
  }
  std::printf("waitforcompaction(%s): finished\n", name.c_str());
  std::fflush(stdout);
}

void PrintStats(const Bench& bench) { PrintProperty(bench, "rocksdb.stats"); }

void PrintLevelStats(const Bench& bench) {
  PrintProperty(bench, "rocksdb.levelstats");
}

void PrintTables(const Bench& bench) {
  PrintProperty(bench, "rocksdb.sstables");
}

void PrintMemoryStats(const Bench& bench) {
  for (const char* name :
       {"rocksdb.num-immutable-mem-table", "rocksdb.cur-size-active-mem-table",
        "rocksdb.cur-size-all-mem-tables", "rocksdb.size-all-mem-tables",
        "rocksdb.num-entries-active-mem-table",
        "rocksdb.num-entries-imm-mem-tables"}) {
    std::printf("%s:", name);
    PrintProperty(bench, name);
  }
}

void ResetStats(const Bench& bench) {
  for (const Target& target : bench.targets()) {
    const Status s = target.db->ResetStats();
    if (!s.ok()) Die("resetstats", s);
  }
  std::printf("reset stats\n");
}

}  // namespace ROCKSDB_NAMESPACE::bench
