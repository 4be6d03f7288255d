#include "tools/db_bench/workloads.h"

#include <algorithm>

#include "tools/db_bench/flags.h"

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

// Values of 100,000 bytes, over a thousandth of the keys.
void LargeOverFewer(WorkloadSettings* s) {
  s->num = std::max<uint64_t>(s->num / 1000, 1);
  s->value_size = 100000;
  s->fixed_value_size = true;
}

// --threads of them read.
void SeriesThreads(WorkloadSettings* s) {
  ++s->threads;
  if (FLAGS_expire_style == "delete") s->threads += FLAGS_num_deletion_threads;
}

// All keys, whatever --reads says.
void OneThreadOverAll(WorkloadSettings* s) {
  s->threads = 1;
  s->reads = s->num;
}

// One thread that syncs what came while it synced before.
void SyncedBatches(WorkloadSettings* s) {
  s->threads = 1;
  s->sync = true;
  if (s->entries_per_batch == 1) s->entries_per_batch = 16;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table.
const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"fillseq", FillSequential, true},
      {"fillbatch", FillSequential, true, BatchOf1000},
      {"fillrandom", FillRandom, true},
      {"filluniquerandom", FillUniqueRandom, true, OneThread},
      {"fillsync", FillRandom, true, SyncedOverFewer},
      {"fill100K", FillRandom, true, LargeOverFewer},
      {"fillseekseq", FillSeekSequential, true, OneThread},
      {"fillseqdeterministic", FillSequentialDeterministic, true, OneThread},
      {"filluniquerandomdeterministic", FillUniqueRandomDeterministic, true,
       OneThread},
      {"fillanddeleteuniquerandom", FillAndDelete, true, OneThread},
      {"overwrite", FillRandom},
      {"updaterandom", UpdateRandom},
      {"xorupdaterandom", XorUpdateRandom},
      {"appendrandom", AppendRandom},
      {"mergerandom", MergeRandom},
      {"readrandommergerandom", ReadRandomMergeRandom},
      {"readrandom", ReadRandom},
      {"readseq", ReadSequential},
      {"readtocache", ReadSequential, false, OneThreadOverAll},
      {"readtorowcache", ReadToRowCache, false, OneThread},
      {"readreverse", ReadReverse},
      {"readmissing", ReadMissing, false, LongerKey},
      {"readwhilewriting", ReadWhileWriting, false, WriterBesides},
      {"readwhilemerging", ReadWhileMerging, false, WriterBesides},
      {"readwhilescanning", ReadWhileScanning, false, WriterBesides},
      {"readrandomwriterandom", ReadRandomWriteRandom},
      {"multireadrandom", MultiReadRandom},
      {"seekrandom", SeekRandom},
      {"seekrandomwhilewriting", SeekWhileWriting, false, WriterBesides},
      {"seekrandomwhilemerging", SeekWhileMerging, false, WriterBesides},
      {"newiterator", NewIterators},
      {"newiteratorwhilewriting", NewIteratorWhileWriting, false,
       WriterBesides},
      {"approximatesizerandom", ApproximateSizeRandom},
      {"deleterandom", DeleteRandom},
      {"deleteseq", DeleteSequential},
      {"verify", VerifyAgainstTruth, false, OneThread},
      {"mixgraph", MixGraph},
      {"timeseries", TimeSeries, false, SeriesThreads},
      {"randomwithverify", RandomWithVerify},
      {"randomreplacekeys", RandomReplaceKeys},
      {"randomtransaction", RandomTransaction, false, nullptr, nullptr, nullptr,
       VerifyTransactions},
      {"readrandomoperands", ReadRandomOperands},
      {"getmergeoperands", CompareMergeOperands, false, OneThread},
      {"maxsustained", MaxSustained, false, Searcher},
      {"bluestore", BlueStore, true, SyncedBatches, nullptr, BlueStoreFamilies},
      {"crc32c", Crc32c},
      {"xxhash", XxHash},
      {"xxhash64", XxHash64},
      {"xxh3", Xxh3},
      {"compress", CompressBlocks},
      {"uncompress", UncompressBlocks},
      {"acquireload", AcquireLoad},
      {"backup", Backup, false, OneThread},
      {"restore", Restore, false, OneThread},
      {"replay", Replay, false, OneThread},
      {"compact", Compact, false, OneThread},
      {"compactall", nullptr, false, nullptr, CompactAll},
      {"compact0", nullptr, false, nullptr, CompactLevel0},
      {"compact1", nullptr, false, nullptr, CompactLevel1},
      {"flush", nullptr, false, nullptr, FlushMemtable},
      {"waitforcompaction", nullptr, false, nullptr, WaitForCompaction},
      {"stats", nullptr, false, nullptr, PrintStats},
      {"levelstats", nullptr, false, nullptr, PrintLevelStats},
      {"memstats", nullptr, false, nullptr, PrintMemoryStats},
      {"sstables", nullptr, false, nullptr, PrintTables},
      {"resetstats", nullptr, false, nullptr, ResetStats},
  };
  return all;
}

}  // namespace ROCKSDB_NAMESPACE::bench
