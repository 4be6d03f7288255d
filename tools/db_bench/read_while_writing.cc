// readwhilewriting, seekrandomwhilewriting: readers concurrently with one
// writer that is paced by the generator and not counted in the result.

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Writes until the last reader is done, or all its writes are.
void WriteBesideReaders(const Bench& bench, ThreadState* thread) {
  thread->stats.ExcludeFromMerge();
  const WorkloadSettings& s = bench.settings();
  KeyOrder order(KeyOrder::kRandom, s.num, &thread->random);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  uint64_t left = s.writes;
  while (bench.rendezvous().readers_left.load(std::memory_order_relaxed) > 0) {
    if (FLAGS_finish_after_writes && left-- == 0) break;
    writer.WriteBatchOf(1, &order);
  }
  bench.rendezvous().writer_done = true;
}

bool WriterIsDone(const Bench& bench) {
  return FLAGS_finish_after_writes &&
         bench.rendezvous().writer_done.load(std::memory_order_relaxed);
}

}  // namespace

void ReadWhileWriting(const Bench& bench, ThreadState* thread) {
  if (thread->tid == 0) return WriteBesideReaders(bench, thread);
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

void SeekWhileWriting(const Bench& bench, ThreadState* thread) {
  if (thread->tid == 0) return WriteBesideReaders(bench, thread);
  SeekRandom(bench, thread);
  bench.rendezvous().readers_left.fetch_sub(1);
}

}  // namespace ROCKSDB_NAMESPACE::bench
