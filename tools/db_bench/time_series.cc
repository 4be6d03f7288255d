// timeseries: one thread writes entries of random identities with ascending
// times, the others read what an identity has that is not older than
// --time_range. Expired entries stay, or a compaction filter drops them, or
// --num_deletion_threads delete them.

#include <cstdio>
#include <memory>

#include "tools/db_bench/filters.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr int kRestMicros = 1000;  // Between two rounds of deletions.

uint64_t Identities() { return static_cast<uint64_t>(FLAGS_key_id_range); }

bool ThreadDeletes(const ThreadState& thread) {
  return FLAGS_expire_style == "delete" &&
         thread.tid <= FLAGS_num_deletion_threads;
}

// Until the last reader is done.
void WriteSeries(const Bench& bench, ThreadState* thread) {
  thread->stats.ExcludeFromMerge();
  PairKeyMaker keys(bench.settings().key_size);
  ValueMaker values = bench.NewValueMaker(*thread);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  uint64_t left = bench.settings().writes;
  while (bench.rendezvous().ReadersRun()) {
    if (FLAGS_finish_after_writes && left-- == 0) break;
    const uint64_t identity = thread->random.Uniform(Identities());
    writer.Put(keys.Make(identity, NextSeriesTime()), values.Make(),
               OpType::kWrite);
  }
  bench.rendezvous().writer_done = true;
}

void DeleteBefore(const Bench& bench, uint64_t identity, uint64_t oldest,
                  ThreadState* thread) {
  PairKeyMaker begins(bench.settings().key_size);
  PairKeyMaker ends(bench.settings().key_size);
  const Slice end = ends.Make(identity, oldest);
  ReadOptions options = bench.read_options();
  options.iterate_upper_bound = &end;
  const std::unique_ptr<Iterator> it(bench.db()->NewIterator(options));
  WriteBatch batch;
  uint64_t deletes = 0;
  for (it->Seek(begins.Make(identity, 0)); it->Valid(); it->Next()) {
    const Status added = batch.Delete(it->key());
    if (!added.ok()) Die("del error", added);
    ++deletes;
  }
  if (!it->status().ok()) Die("iterator", it->status());
  if (deletes == 0) return;
  const Status written = bench.db()->Write(bench.write_options(), &batch);
  if (!written.ok()) Die("del error", written);
  thread->stats.FinishedOps(bench.db(), deletes, OpType::kDelete);
}

// Each of these threads looks after its part of the identities.
void DeleteExpired(const Bench& bench, ThreadState* thread) {
  thread->stats.ExcludeFromMerge();
  bench.rendezvous().readers_left.fetch_sub(1);  // It is none.
  const auto step = static_cast<uint64_t>(FLAGS_num_deletion_threads);
  const auto first = static_cast<uint64_t>(thread->tid - 1);
  thread->stats.StartOp();
  while (bench.rendezvous().ReadersRun()) {
    const uint64_t oldest = OldestSeriesTime();
    for (uint64_t identity = first; oldest > 0 && identity < Identities() &&
                                    bench.rendezvous().ReadersRun();
         identity += step) {
      DeleteBefore(bench, identity, oldest, thread);
    }
    bench.clock()->SleepForMicroseconds(kRestMicros);
  }
}

class SeriesReader {
 public:
  SeriesReader(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        begins_(bench.settings().key_size),
        ends_(bench.settings().key_size) {}

  void RunOne() {
    const uint64_t identity = thread_->random.Uniform(Identities());
    const Slice end = ends_.Make(identity + 1, 0);
    ReadOptions options = bench_.read_options();
    options.iterate_upper_bound = &end;
    const auto snapshot = SnapshotForIterator(bench_.db(), &options);
    const std::unique_ptr<Iterator> it(bench_.db()->NewIterator(options));
    uint64_t entries = 0;
    for (it->Seek(begins_.Make(identity, OldestSeriesTime())); it->Valid();
         it->Next()) {
      thread_->stats.AddBytes(it->key().size() + it->value().size());
      ++entries;
    }
    if (!it->status().ok()) Die("iterator", it->status());
    ++reads_;
    found_ += entries > 0 ? 1 : 0;
    thread_->stats.FinishedOps(bench_.db(), 1, OpType::kRead);
    Pace();
  }

  void AddFoundMessage() {
    char message[100];
    std::snprintf(message, sizeof(message), "(%llu of %llu found)",
                  static_cast<unsigned long long>(found_),
                  static_cast<unsigned long long>(reads_));
    thread_->stats.AddMessage(message);
  }

 private:
  void Pace() {
    if (bench_.read_limiter() == nullptr || reads_ % 256 != 255) return;
    bench_.read_limiter()->Request(256, Env::IO_HIGH, nullptr,
                                   RateLimiter::OpType::kRead);
    thread_->stats.StartOp();
  }

  const Bench& bench_;
  ThreadState* const thread_;
  PairKeyMaker begins_;
  PairKeyMaker ends_;
  uint64_t reads_ = 0;
  uint64_t found_ = 0;
};

void ReadSeries(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  SeriesReader reader(bench, thread);
  thread->stats.StartOp();
  const auto ends = [&bench] {
    return FLAGS_finish_after_writes &&
           bench.rendezvous().writer_done.load(std::memory_order_relaxed);
  };
  while (!duration.Done(1) && !ends()) reader.RunOne();
  reader.AddFoundMessage();
  bench.rendezvous().readers_left.fetch_sub(1);
}

}  // namespace

void TimeSeries(const Bench& bench, ThreadState* thread) {
  if (thread->tid == 0) {
    WriteSeries(bench, thread);
  } else if (ThreadDeletes(*thread)) {
    DeleteExpired(bench, thread);
  } else {
    ReadSeries(bench, thread);
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
