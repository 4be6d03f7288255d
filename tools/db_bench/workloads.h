// The workloads, one file each; workloads.cc names them all.
#pragma once

#include "tools/db_bench/bench.h"

namespace ROCKSDB_NAMESPACE::bench {

// fill.cc
void FillSequential(const Bench& bench, ThreadState* thread);
void FillRandom(const Bench& bench, ThreadState* thread);
void FillUniqueRandom(const Bench& bench, ThreadState* thread);
void FillSeekSequential(const Bench& bench, ThreadState* thread);
// fill_deterministic.cc
void FillSequentialDeterministic(const Bench& bench, ThreadState* thread);
void FillUniqueRandomDeterministic(const Bench& bench, ThreadState* thread);
// fill_and_delete.cc
void FillAndDelete(const Bench& bench, ThreadState* thread);
// modify.cc
void UpdateRandom(const Bench& bench, ThreadState* thread);
void XorUpdateRandom(const Bench& bench, ThreadState* thread);
void AppendRandom(const Bench& bench, ThreadState* thread);
void MergeRandom(const Bench& bench, ThreadState* thread);
void ReadRandomMergeRandom(const Bench& bench, ThreadState* thread);
// read_random.cc
void ReadRandom(const Bench& bench, ThreadState* thread);
// read_sequential.cc
void ReadSequential(const Bench& bench, ThreadState* thread);
void ReadReverse(const Bench& bench, ThreadState* thread);
void ReadToRowCache(const Bench& bench, ThreadState* thread);
// read_missing.cc
void ReadMissing(const Bench& bench, ThreadState* thread);
// read_while_writing.cc
void ReadWhileWriting(const Bench& bench, ThreadState* thread);
void ReadWhileMerging(const Bench& bench, ThreadState* thread);
void ReadWhileScanning(const Bench& bench, ThreadState* thread);
void SeekWhileWriting(const Bench& bench, ThreadState* thread);
void SeekWhileMerging(const Bench& bench, ThreadState* thread);
void NewIteratorWhileWriting(const Bench& bench, ThreadState* thread);
// read_write_mix.cc
void ReadRandomWriteRandom(const Bench& bench, ThreadState* thread);
// multi_read_random.cc
void MultiReadRandom(const Bench& bench, ThreadState* thread);
// seek_random.cc
void SeekRandom(const Bench& bench, ThreadState* thread);
// new_iterator.cc
void NewIterators(const Bench& bench, ThreadState* thread);
// approximate_size.cc
void ApproximateSizeRandom(const Bench& bench, ThreadState* thread);
// block_work.cc
void Crc32c(const Bench& bench, ThreadState* thread);
void XxHash(const Bench& bench, ThreadState* thread);
void XxHash64(const Bench& bench, ThreadState* thread);
void Xxh3(const Bench& bench, ThreadState* thread);
void CompressBlocks(const Bench& bench, ThreadState* thread);
void UncompressBlocks(const Bench& bench, ThreadState* thread);
void AcquireLoad(const Bench& bench, ThreadState* thread);
// backup.cc
void Backup(const Bench& bench, ThreadState* thread);
void Restore(const Bench& bench, ThreadState* thread);
// replay.cc
void Replay(const Bench& bench, ThreadState* thread);
// delete.cc
void DeleteRandom(const Bench& bench, ThreadState* thread);
void DeleteSequential(const Bench& bench, ThreadState* thread);
// verify.cc
void VerifyAgainstTruth(const Bench& bench, ThreadState* thread);
// mix_graph.cc
void MixGraph(const Bench& bench, ThreadState* thread);
// time_series.cc
void TimeSeries(const Bench& bench, ThreadState* thread);
// random_with_verify.cc
void RandomWithVerify(const Bench& bench, ThreadState* thread);
// replace_keys.cc
void RandomReplaceKeys(const Bench& bench, ThreadState* thread);
// random_transaction.cc
void RandomTransaction(const Bench& bench, ThreadState* thread);
void VerifyTransactions(const Bench& bench);
// merge_operands.cc
void ReadRandomOperands(const Bench& bench, ThreadState* thread);
void CompareMergeOperands(const Bench& bench, ThreadState* thread);
// bluestore.cc
void BlueStore(const Bench& bench, ThreadState* thread);
std::vector<std::string> BlueStoreFamilies();
// compact.cc
void Compact(const Bench& bench, ThreadState* thread);
void CompactAll(const Bench& bench);
void CompactLevel0(const Bench& bench);
void CompactLevel1(const Bench& bench);
// max_sustained.cc
void MaxSustained(const Bench& bench, ThreadState* thread);
// commands.cc
void FlushMemtable(const Bench& bench);
void WaitForCompaction(const Bench& bench);
void PrintStats(const Bench& bench);
void PrintLevelStats(const Bench& bench);
void PrintMemoryStats(const Bench& bench);
void PrintTables(const Bench& bench);
void ResetStats(const Bench& bench);

}  // namespace ROCKSDB_NAMESPACE::bench
