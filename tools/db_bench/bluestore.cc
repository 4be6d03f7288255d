// bluestore: object metadata written as Ceph's BlueStore writes it, by one
// thread that syncs, while another lists buckets.
//
// Model. Operations are transactions; a commit syncs --batch_size of them in
// one batch (16 unless given: those that came while the last commit synced).
// A transaction writes to column families that are sharded as in Ceph:
//
//   family  key                      bytes  in      deleted
//   O-0..2  object of --num          700    each    never, overwritten
//   p-0..2  placement group, entry   250    each    kLogEntries later
//   L       sequence number          4096   1 of 8  kDeferredWrites later
//   m-0..2  bucket, new object name  200    1 of 4  never
//
// L holds writes that the object store has yet to apply, p the log of each
// placement group: both die young, in memory when memtables are merged before
// a flush. Sizes and shares are ours, of the order that BlueStore has; not
// measured in a cluster.
//
// For every kPerListing transactions the other thread reads kListed names of a
// random bucket; the workload ends when the last listing is done.
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "util/histogram.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr size_t kShards = 3;
constexpr uint64_t kGroups = 64;
constexpr uint64_t kLogEntries = 100;  // Of each placement group.
constexpr uint64_t kDeferredWrites = 64;
constexpr uint64_t kBuckets = 100;
constexpr uint64_t kPerListing = 2000;
constexpr size_t kListed = 1000;

constexpr size_t kObjectBytes = 700;
constexpr size_t kLogEntryBytes = 250;
constexpr size_t kDeferredBytes = 4096;
constexpr size_t kNameBytes = 200;

// Where the families begin in the order of BlueStoreFamilies.
enum Family : size_t {
  kObjects = 1,
  kLogs = kObjects + kShards,
  kNames = kLogs + kShards,
  kDeferred = kNames + kShards,
};

// Numbers with leading zeros, so that their order is that of the keys.
std::string KeyOf(char kind, uint64_t owner, uint64_t number) {
  char text[64];
  std::snprintf(text, sizeof(text), "%c%016" PRIx64 ".%020" PRIu64, kind, owner,
                number);
  return text;
}

ColumnFamilyHandle* ShardOf(const Target& target, Family first,
                            uint64_t owner) {
  return target.families[first + owner % kShards];
}

class Committer {
 public:
  Committer(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        target_(bench.targets()[0]),
        thread_(thread),
        options_(bench.write_options()),
        values_(bench.NewValueMaker(*thread)) {}

  void Commit(uint64_t transactions) {
    batch_.Clear();
    for (uint64_t i = 0; i < transactions; ++i) Add();
    const Status written = target_.db->Write(options_, &batch_);
    if (!written.ok()) Die("bluestore", written);
    thread_->stats.AddBytes(batch_.GetDataSize());
    thread_->stats.FinishedOps(target_.db.get(), transactions, OpType::kWrite,
                               batch_.GetDataSize());
  }

 private:
  void Add() {
    const uint64_t n = transactions_++;
    engine::Random64& random = thread_->random;
    const uint64_t object = random.Uniform(bench_.settings().num);
    Put(ShardOf(target_, kObjects, object), KeyOf('O', object, 0),
        kObjectBytes);
    AddLogEntry(n % kGroups, n / kGroups);
    if (n % 8 == 0) AddDeferredWrite(n / 8);
    if (n % 4 == 0) {
      const uint64_t bucket = random.Uniform(kBuckets);
      Put(ShardOf(target_, kNames, bucket), KeyOf('m', bucket, random.Next()),
          kNameBytes);
    }
  }

  void AddLogEntry(uint64_t group, uint64_t entry) {
    ColumnFamilyHandle* const shard = ShardOf(target_, kLogs, group);
    Put(shard, KeyOf('p', group, entry), kLogEntryBytes);
    if (entry < kLogEntries) return;
    Delete(shard, KeyOf('p', group, entry - kLogEntries));
  }

  void AddDeferredWrite(uint64_t sequence) {
    ColumnFamilyHandle* const family = target_.families[kDeferred];
    Put(family, KeyOf('L', 0, sequence), kDeferredBytes);
    if (sequence < kDeferredWrites) return;
    Delete(family, KeyOf('L', 0, sequence - kDeferredWrites));
  }

  void Put(ColumnFamilyHandle* family, const std::string& key, size_t bytes) {
    const Status put = batch_.Put(family, key, values_.Make(bytes));
    if (!put.ok()) Die("bluestore: put", put);
  }

  void Delete(ColumnFamilyHandle* family, const std::string& key) {
    const Status deleted = batch_.Delete(family, key);
    if (!deleted.ok()) Die("bluestore: delete", deleted);
  }

  const Bench& bench_;
  const Target& target_;
  ThreadState* const thread_;
  const WriteOptions options_;
  ValueMaker values_;
  WriteBatch batch_;
  uint64_t transactions_ = 0;
};

// Lists buckets in a thread of its own, as often as it is asked.
class Lister {
 public:
  Lister(const Bench& bench, uint64_t seed)
      : bench_(bench),
        target_(bench.targets()[0]),
        random_(seed),
        thread_([this] { Run(); }) {}

  void AskForOne() {
    ++asked_;
    wake_.release();
  }

  // Returns when it has done what it was asked for.
  const engine::Histogram& Finish() {
    wake_.release();
    thread_.join();
    return micros_;
  }

 private:
  // Woken once for every listing, and once more to end.
  void Run() {
    for (uint64_t listed = 0;; ++listed) {
      wake_.acquire();
      if (listed == asked_) return;
      List(random_.Uniform(kBuckets));
    }
  }

  void List(uint64_t bucket) {
    const uint64_t start = bench_.clock()->NowMicros();
    const std::unique_ptr<Iterator> names(target_.db->NewIterator(
        bench_.read_options(), ShardOf(target_, kNames, bucket)));
    const std::string end = KeyOf('m', bucket + 1, 0);
    names->Seek(KeyOf('m', bucket, random_.Next()));
    for (size_t i = 0; i < kListed && names->Valid(); ++i, names->Next()) {
      if (names->key().compare(end) >= 0) break;
    }
    if (!names->status().ok()) Die("bluestore: listing", names->status());
    micros_.Add(bench_.clock()->NowMicros() - start);
  }

  const Bench& bench_;
  const Target& target_;
  engine::Random64 random_;
  engine::Histogram micros_;
  std::atomic<uint64_t> asked_{0};
  std::counting_semaphore<> wake_{0};
  std::jthread thread_;  // Last: it uses all of the above.
};

}  // namespace

std::vector<std::string> BlueStoreFamilies() {
  std::vector<std::string> names = {kDefaultColumnFamilyName};
  for (const char* kind : {"O", "p", "m"}) {
    for (size_t i = 0; i < kShards; ++i) {
      names.push_back(std::string(kind) + "-" + std::to_string(i));
    }
  }
  names.emplace_back("L");
  return names;
}

void BlueStore(const Bench& bench, ThreadState* thread) {
  const uint64_t per_commit = bench.settings().entries_per_batch;
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().writes, bench.clock());
  SetPerfLevel(PerfLevel::kEnableTimeExceptForMutex);
  get_perf_context()->Reset();
  Committer committer(bench, thread);
  Lister lister(bench, thread->random.Next());
  thread->stats.StartOp();
  uint64_t transactions = 0;
  while (!duration.Done(per_commit)) {
    committer.Commit(per_commit);
    const uint64_t before = transactions / kPerListing;
    transactions += per_commit;
    for (uint64_t i = before; i < transactions / kPerListing; ++i) {
      lister.AskForOne();
    }
  }
  const engine::Histogram& listings = lister.Finish();
  char message[200];
  std::snprintf(
      message, sizeof(message),
      "(inserting %.3f s, log %.3f s, %" PRIu64
      " listings of p50 %.0f us, p99 %.0f us)",
      static_cast<double>(get_perf_context()->write_memtable_time) * 1e-9,
      static_cast<double>(get_perf_context()->write_wal_time) * 1e-9,
      listings.count(), listings.Percentile(50), listings.Percentile(99));
  thread->stats.AddMessage(message);
}

}  // namespace ROCKSDB_NAMESPACE::bench
