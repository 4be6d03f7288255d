// readwhilewriting, readwhilemerging, readwhilescanning,
// seekrandomwhilewriting, seekrandomwhilemerging, newiteratorwhilewriting:
// readers concurrently with one thread that writes, paced by the generator, or
// scans, and is not counted in the result.

#include <memory>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

enum class Beside { kPuts, kMerges };

// Writes until the last reader is done, or all its writes are.
void WriteBesideReaders(const Bench& bench, ThreadState* thread,
                        Beside beside) {
  thread->stats.ExcludeFromMerge();
  const WorkloadSettings& s = bench.settings();
  KeyOrder order(KeyOrder::kRandom, s.num, &thread->random);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  uint64_t left = s.writes;
  while (bench.rendezvous().ReadersRun()) {
    if (FLAGS_finish_after_writes && left-- == 0) break;
    if (beside == Beside::kMerges) {
      writer.Merge(order.Next());
    } else {
      writer.WriteBatchOf(1, &order);
    }
  }
  bench.rendezvous().writer_done = true;
}

// From end to end, again and again.
void ScanBesideReaders(const Bench& bench, ThreadState* thread) {
  thread->stats.ExcludeFromMerge();
  thread->stats.StartOp();
  while (bench.rendezvous().ReadersRun()) {
    ReadOptions options = bench.read_options();
    const auto snapshot = SnapshotForIterator(bench.db(), &options);
    const std::unique_ptr<Iterator> it(bench.db()->NewIterator(options));
    for (it->SeekToFirst(); it->Valid() && bench.rendezvous().ReadersRun();
         it->Next()) {
      thread->stats.AddBytes(it->key().size() + it->value().size());
      thread->stats.FinishedOps(bench.db(), 1, OpType::kSeek);
    }
    if (!it->status().ok()) Die("iterator", it->status());
  }
}

bool WriterIsDone(const Bench& bench) {
  return FLAGS_finish_after_writes &&
         bench.rendezvous().writer_done.load(std::memory_order_relaxed);
}

void GetBesides(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  Reader reader(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1) && !WriterIsDone(bench)) {
    reader.Get(thread->random.Uniform(bench.settings().num));
  }
  reader.AddFoundMessage();
  bench.rendezvous().readers_left.fetch_sub(1);
}

void SeekBesides(const Bench& bench, ThreadState* thread) {
  SeekRandom(bench, thread);
  bench.rendezvous().readers_left.fetch_sub(1);
}

}  // namespace

void ReadWhileWriting(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return GetBesides(bench, thread);
  WriteBesideReaders(bench, thread, Beside::kPuts);
}

void ReadWhileMerging(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return GetBesides(bench, thread);
  WriteBesideReaders(bench, thread, Beside::kMerges);
}

void ReadWhileScanning(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return GetBesides(bench, thread);
  ScanBesideReaders(bench, thread);
}

void SeekWhileWriting(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return SeekBesides(bench, thread);
  WriteBesideReaders(bench, thread, Beside::kPuts);
}

void SeekWhileMerging(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return SeekBesides(bench, thread);
  WriteBesideReaders(bench, thread, Beside::kMerges);
}

void NewIteratorWhileWriting(const Bench& bench, ThreadState* thread) {
  if (thread->tid == 0) {
    return WriteBesideReaders(bench, thread, Beside::kPuts);
  }
  NewIterators(bench, thread);
  bench.rendezvous().readers_left.fetch_sub(1);
}

}  // namespace ROCKSDB_NAMESPACE::bench
