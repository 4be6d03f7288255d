// compact, compactall: one CompactRange over everything. compact0, compact1:
// the files of a level, and what they overlap, into the next.

#include <cstdio>
#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void CompactLevel(const Bench& bench, int level) {
  DB* const db = bench.db();
  ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(&meta);
  std::vector<std::string> files;
  for (const SstFileMetaData& file :
       meta.levels[static_cast<size_t>(level)].files) {
    files.push_back(file.name);
  }
  std::printf("compact%d: %zu files\n", level, files.size());
  if (files.empty()) return;
  const Status done = db->CompactFiles(CompactionOptions(), files, level + 1);
  // A job of the database's own may be faster.
  if (!done.ok() && !done.IsAborted()) Die("compact files", done);
}

}  // namespace

void CompactAll(const Bench& bench) { Compact(bench, nullptr); }
void CompactLevel0(const Bench& bench) { CompactLevel(bench, 0); }
void CompactLevel1(const Bench& bench) { CompactLevel(bench, 1); }

void Compact(const Bench& bench, ThreadState* /*thread*/) {
  CompactRangeOptions options;
  options.max_subcompactions = static_cast<uint32_t>(FLAGS_subcompactions);
  for (const Target& target : bench.targets()) {
    for (ColumnFamilyHandle* family : target.families) {
      const Status s =
          target.db->CompactRange(options, family, nullptr, nullptr);
      if (!s.ok()) Die("compact", s);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
