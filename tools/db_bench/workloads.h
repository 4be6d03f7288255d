// The workloads, one file each; workloads.cc names them all.
#pragma once

#include "tools/db_bench/bench.h"

namespace ROCKSDB_NAMESPACE::bench {

// fill.cc
void FillSequential(const Bench& bench, ThreadState* thread);
void FillRandom(const Bench& bench, ThreadState* thread);
void FillUniqueRandom(const Bench& bench, ThreadState* thread);
// read_random.cc
void ReadRandom(const Bench& bench, ThreadState* thread);
// read_sequential.cc
void ReadSequential(const Bench& bench, ThreadState* thread);
void ReadReverse(const Bench& bench, ThreadState* thread);
// read_missing.cc
void ReadMissing(const Bench& bench, ThreadState* thread);
// read_while_writing.cc
void ReadWhileWriting(const Bench& bench, ThreadState* thread);
void SeekWhileWriting(const Bench& bench, ThreadState* thread);
// read_write_mix.cc
void ReadRandomWriteRandom(const Bench& bench, ThreadState* thread);
// multi_read_random.cc
void MultiReadRandom(const Bench& bench, ThreadState* thread);
// seek_random.cc
void SeekRandom(const Bench& bench, ThreadState* thread);
// delete.cc
void DeleteRandom(const Bench& bench, ThreadState* thread);
void DeleteSequential(const Bench& bench, ThreadState* thread);
// bluestore.cc
void BlueStore(const Bench& bench, ThreadState* thread);
std::vector<std::string> BlueStoreFamilies();
// compact.cc
void Compact(const Bench& bench, ThreadState* thread);
// max_sustained.cc
void MaxSustained(const Bench& bench, ThreadState* thread);
// commands.cc
void FlushMemtable(const Bench& bench);
void WaitForCompaction(const Bench& bench);
void PrintStats(const Bench& bench);
void PrintLevelStats(const Bench& bench);
void ResetStats(const Bench& bench);

}  // namespace ROCKSDB_NAMESPACE::bench
