// readseq, readtocache, readreverse: an iterator from one end to the other.
// readtorowcache: lookups of all keys in order.

#include <memory>

#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

template <bool kReverse>
void Scan(const Bench& bench, ThreadState* thread) {
  ReadOptions options = bench.read_options();
  const auto snapshot = SnapshotForIterator(bench.db(), &options);
  const std::unique_ptr<Iterator> it(bench.db()->NewIterator(options));
  const uint64_t reads = bench.settings().reads;
  uint64_t done = 0;
  thread->stats.StartOp();
  if constexpr (kReverse) {
    it->SeekToLast();
  } else {
    it->SeekToFirst();
  }
  while (done < reads && it->Valid()) {
    thread->stats.AddBytes(it->key().size() + it->value().size());
    thread->stats.FinishedOps(bench.db(), 1, OpType::kRead);
    ++done;
    if constexpr (kReverse) {
      it->Prev();
    } else {
      it->Next();
    }
    if (bench.read_limiter() != nullptr && done % 1024 == 1023) {
      bench.read_limiter()->Request(1024, Env::IO_HIGH, nullptr,
                                    RateLimiter::OpType::kRead);
    }
  }
  if (!it->status().ok()) Die("iterator", it->status());
}

}  // namespace

void ReadSequential(const Bench& bench, ThreadState* thread) {
  Scan<false>(bench, thread);
}

void ReadToRowCache(const Bench& bench, ThreadState* thread) {
  Reader reader(bench, thread);
  thread->stats.StartOp();
  for (uint64_t number = 0; number < bench.settings().num; ++number) {
    reader.Get(number);
  }
  reader.AddFoundMessage();
}

void ReadReverse(const Bench& bench, ThreadState* thread) {
  Scan<true>(bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
