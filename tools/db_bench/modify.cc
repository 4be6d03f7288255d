// updaterandom, xorupdaterandom, appendrandom, mergerandom,
// readrandommergerandom: entries are changed, by a read and a write or by a
// merge operand.

#include <algorithm>
#include <cstdio>
#include <string>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Duration ReadsOf(const Bench& bench) {
  return {static_cast<uint64_t>(FLAGS_duration), bench.settings().reads,
          bench.clock()};
}

// Makes the new value of the old one, empty if there is none, and a fresh one.
using Change = void (*)(const Slice& old, const Slice& fresh,
                        std::string* made);

void Replace(const Slice& /*old*/, const Slice& fresh, std::string* made) {
  made->assign(fresh.data(), fresh.size());
}

void Xor(const Slice& old, const Slice& fresh, std::string* made) {
  made->assign(fresh.data(), fresh.size());
  for (size_t i = 0; i < std::min(old.size(), made->size()); ++i) {
    (*made)[i] = static_cast<char>((*made)[i] ^ old[i]);
  }
}

void Append(const Slice& old, const Slice& fresh, std::string* made) {
  made->assign(old.data(), old.size());
  if (!made->empty()) made->push_back(',');
  made->append(fresh.data(), fresh.size());
}

void Update(const Bench& bench, ThreadState* thread, Change change) {
  const ReadOptions reads = bench.read_options();
  KeyMaker keys(bench.key_shape());
  ValueMaker values = bench.NewValueMaker(*thread);
  Writer writer(bench, thread);
  Duration duration = ReadsOf(bench);
  PinnableSlice old;
  std::string made;
  uint64_t updates = 0;
  uint64_t found = 0;
  thread->stats.StartOp();
  for (; !duration.Done(1); ++updates) {
    const Slice key = keys.Make(thread->random.Uniform(bench.settings().num));
    old.Reset();
    DB* const db = bench.db();
    const Status read = db->Get(reads, db->DefaultColumnFamily(), key, &old);
    if (!read.ok() && !read.IsNotFound()) Die("Get returned an error", read);
    found += read.ok() ? 1 : 0;
    thread->stats.AddBytes(read.ok() ? key.size() + old.size() : 0);
    if (!read.ok()) old.Reset();
    change(old, values.Make(), &made);
    writer.Put(key, made, OpType::kUpdate);
  }
  char message[100];
  std::snprintf(message, sizeof(message), "( updates:%llu found:%llu)",
                static_cast<unsigned long long>(updates),
                static_cast<unsigned long long>(found));
  thread->stats.AddMessage(message);
}

// Operands go to --merge_keys of the keys.
uint64_t MergedKeys(const Bench& bench) {
  return FLAGS_merge_keys > 0 ? static_cast<uint64_t>(FLAGS_merge_keys)
                              : bench.settings().num;
}

}  // namespace

void UpdateRandom(const Bench& bench, ThreadState* thread) {
  Update(bench, thread, Replace);
}

void XorUpdateRandom(const Bench& bench, ThreadState* thread) {
  Update(bench, thread, Xor);
}

void AppendRandom(const Bench& bench, ThreadState* thread) {
  Update(bench, thread, Append);
}

void MergeRandom(const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  Duration duration(static_cast<uint64_t>(FLAGS_duration), s.writes,
                    bench.clock());
  Writer writer(bench, thread);
  uint64_t merges = 0;
  thread->stats.StartOp();
  for (; !duration.Done(1); ++merges) {
    writer.Merge(thread->random.Uniform(MergedKeys(bench)));
  }
  char message[100];
  std::snprintf(message, sizeof(message), "( updates:%llu)",
                static_cast<unsigned long long>(merges));
  thread->stats.AddMessage(message);
}

void ReadRandomMergeRandom(const Bench& bench, ThreadState* thread) {
  Duration duration = ReadsOf(bench);
  Reader reader(bench, thread);
  Writer writer(bench, thread);
  uint64_t reads = 0;
  uint64_t merges = 0;
  uint64_t total = 0;
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    const uint64_t number = thread->random.Uniform(MergedKeys(bench));
    if (thread->random.Uniform(100) <
        static_cast<uint64_t>(std::max(0, FLAGS_mergereadpercent))) {
      writer.Merge(number);
      ++merges;
    } else {
      reader.Get(number);
      ++reads;
    }
    ++total;
  }
  char message[100];
  std::snprintf(message, sizeof(message), "(reads:%llu merges:%llu total:%llu)",
                static_cast<unsigned long long>(reads),
                static_cast<unsigned long long>(merges),
                static_cast<unsigned long long>(total));
  thread->stats.AddMessage(message);
  reader.AddFoundMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
