// verify: has the database the keys and values of --truth_db, and no others?

#include <cstdio>
#include <memory>
#include <string>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

std::unique_ptr<DB> OpenTruth(const Bench& bench) {
  Options options = bench.options();
  options.wal_dir.clear();  // Of the other database.
  std::unique_ptr<DB> truth;
  const Status opened = DB::OpenForReadOnly(options, FLAGS_truth_db, &truth);
  if (!opened.ok()) Die("--truth_db", opened);
  return truth;
}

}  // namespace

void VerifyAgainstTruth(const Bench& bench, ThreadState* thread) {
  const std::unique_ptr<DB> truth = OpenTruth(bench);
  ReadOptions options = bench.read_options();
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> theirs(truth->NewIterator(options));
  const std::unique_ptr<Iterator> ours(bench.db()->NewIterator(options));
  uint64_t entries = 0;
  thread->stats.StartOp();
  theirs->SeekToFirst();
  ours->SeekToFirst();
  for (; theirs->Valid() && ours->Valid(); theirs->Next(), ours->Next()) {
    if (theirs->key() != ours->key() || theirs->value() != ours->value()) break;
    ++entries;
    thread->stats.AddBytes(ours->key().size() + ours->value().size());
    thread->stats.FinishedOps(bench.db(), 1, OpType::kRead);
  }
  if (!theirs->status().ok()) Die("iterator", theirs->status());
  if (!ours->status().ok()) Die("iterator", ours->status());
  if (theirs->Valid() || ours->Valid()) {
    const Iterator& other = theirs->Valid() ? *theirs : *ours;
    Die("verify",
        Status::Corruption("the database differs from --truth_db at or before",
                           other.key().ToString(/*hex=*/true)));
  }
  char message[100];
  std::snprintf(message, sizeof(message), "(%llu entries are equal)",
                static_cast<unsigned long long>(entries));
  thread->stats.AddMessage(message);
}

}  // namespace ROCKSDB_NAMESPACE::bench
