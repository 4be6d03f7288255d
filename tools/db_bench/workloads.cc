#include "tools/db_bench/workloads.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void BatchOf1000(WorkloadSettings* s) { s->entries_per_batch = 1000; }

// Syncing is slow: a thousandth is enough.
void SyncedFewer(WorkloadSettings* s) {
  s->num = std::max<uint64_t>(s->num / 1000, 1);
  s->writes = std::max<uint64_t>(s->writes / 1000, 1);
  s->sync = true;
}

// A key one byte longer than all that were written is between them.
void LongerKey(WorkloadSettings* s) { ++s->key_size; }

void WriterBesides(WorkloadSettings* s) { ++s->threads; }

// Concurrently with the writers, which follow its rate.
void Searcher(WorkloadSettings* s) {
  ++s->threads;
  s->searches_rate = true;
}

void OneThread(WorkloadSettings* s) { s->threads = 1; }

}  // namespace

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"fillseq", FillSequential, true},
      {"fillbatch", FillSequential, true, BatchOf1000},
      {"fillrandom", FillRandom, true},
      {"filluniquerandom", FillUniqueRandom, true, OneThread},
      {"fillsync", FillRandom, true, SyncedFewer},
      {"overwrite", FillRandom},
      {"readrandom", ReadRandom},
      {"readseq", ReadSequential},
      {"readreverse", ReadReverse},
      {"readmissing", ReadMissing, false, LongerKey},
      {"readwhilewriting", ReadWhileWriting, false, WriterBesides},
      {"readrandomwriterandom", ReadRandomWriteRandom},
      {"multireadrandom", MultiReadRandom},
      {"seekrandom", SeekRandom},
      {"seekrandomwhilewriting", SeekWhileWriting, false, WriterBesides},
      {"deleterandom", DeleteRandom},
      {"deleteseq", DeleteSequential},
      {"maxsustained", MaxSustained, false, Searcher},
      {"compact", Compact, false, OneThread},
      {"flush", nullptr, false, nullptr, FlushMemtable},
      {"waitforcompaction", nullptr, false, nullptr, WaitForCompaction},
      {"stats", nullptr, false, nullptr, PrintStats},
      {"levelstats", nullptr, false, nullptr, PrintLevelStats},
      {"resetstats", nullptr, false, nullptr, ResetStats},
  };
  return all;
}

}  // namespace ROCKSDB_NAMESPACE::bench
