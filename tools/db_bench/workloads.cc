#include "tools/db_bench/workloads.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void BatchOf1000(WorkloadSettings* s) { s->entries_per_batch = 1000; }

// As many writes, over a thousandth of the keys: as RocksDB's db_bench does it.
void SyncedOverFewer(WorkloadSettings* s) {
  s->num = std::max<uint64_t>(s->num / 1000, 1);
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

// One thread that syncs what came while it synced before.
void SyncedBatches(WorkloadSettings* s) {
  s->threads = 1;
  s->sync = true;
  if (s->entries_per_batch == 1) s->entries_per_batch = 16;
}

}  // namespace

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"fillseq", FillSequential, true},
      {"fillbatch", FillSequential, true, BatchOf1000},
      {"fillrandom", FillRandom, true},
      {"filluniquerandom", FillUniqueRandom, true, OneThread},
      {"fillsync", FillRandom, true, SyncedOverFewer},
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
      {"bluestore", BlueStore, true, SyncedBatches, nullptr, BlueStoreFamilies},
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
