#include "tools/peer_bench/workloads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "tools/peer_bench/transactions.h"

namespace peer_bench {

namespace {

constexpr uint64_t kFreshReads = 300000;  // Behind an opening.
constexpr int kNexts = 10;                // Entries after each seek.

// ---- Writes.

RunResult FillSeq(Database& d, uint64_t /*seed*/) {
  for (uint64_t i = 0; i < d.config.num; ++i) d.Put(i);
  return {d.config.num, 0};
}

// Random numbers: some keys twice, some never.
RunResult FillRandom(Database& d, uint64_t seed) {
  Random random(seed);
  for (uint64_t i = 0; i < d.config.num; ++i) {
    d.Put(random.Below(d.config.num));
  }
  return {d.config.num, 0};
}

RunResult FillBatch(Database& d, uint64_t seed) {
  constexpr size_t kBatch = 100;
  Random random(seed);
  uint64_t numbers[kBatch];
  uint64_t done = 0;
  for (; done < d.config.num; done += kBatch) {
    for (uint64_t& number : numbers) number = random.Below(d.config.num);
    d.PutAll(numbers, kBatch);
  }
  return {done, 0};
}

// Values of 4 KiB, about as many bytes as fillrandom writes with 100.
RunResult FillLarge(Database& d, uint64_t seed) {
  Random random(seed);
  const uint64_t count = d.config.num / 35 + 1;
  for (uint64_t i = 0; i < count; ++i) d.Put(random.Below(d.config.num));
  return {count, 0};
}

RunResult FillSync(Database& d, uint64_t seed) {
  Random random(seed);
  const uint64_t count = d.config.num / 1000 + 1;
  for (uint64_t i = 0; i < count; ++i) d.Put(random.Below(d.config.num));
  return {count, 0};
}

template <uint64_t kThreads>
RunResult FillTogether(Database& d, uint64_t seed) {
  const uint64_t each = d.config.num / kThreads;
  std::vector<std::thread> writers;
  for (uint64_t t = 0; t < kThreads; ++t) {
    writers.emplace_back([&d, each, seed, t] {
      Random random(seed * kThreads + t);
      for (uint64_t i = 0; i < each; ++i) d.Put(random.Below(d.config.num));
    });
  }
  for (std::thread& writer : writers) writer.join();
  return {each * kThreads, 0};
}

// The program of the article on allow_concurrent_memtable_write
// (test/api/programs/concurrent_put.cc): ten threads, a range of keys each.
RunResult PutRanges(Database& d, uint64_t /*seed*/) {
  constexpr uint64_t kThreads = 10;
  const uint64_t each = d.config.num / kThreads;
  const std::string value = "123456789012345678901234567890";
  std::vector<std::thread> writers;
  for (uint64_t t = 0; t < kThreads; ++t) {
    writers.emplace_back([&d, &value, each, t] {
      for (uint64_t i = t * each; i < (t + 1) * each; ++i) {
        const std::string key = std::to_string(i) + "_A_LONG_SUFFIX";
        char* error = nullptr;
        d.api.put(d.db(), d.write(), key.data(), key.size(), value.data(),
                  value.size(), &error);
        Check(error);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  return {each * kThreads, 0};
}

RunResult DeleteRandom(Database& d, uint64_t seed) {
  Random random(seed);
  for (uint64_t i = 0; i < d.config.num; ++i) {
    d.Delete(random.Below(d.config.num));
  }
  return {d.config.num, 0};
}

RunResult MergeRandom(Database& d, uint64_t seed) {
  Random random(seed);
  for (uint64_t i = 0; i < d.config.num; ++i) {
    d.Count(random.Below(d.config.num));
  }
  return {d.config.num, 0};
}

// Without automatic compactions, and then all at once.
RunResult BulkLoad(Database& d, uint64_t seed) {
  const RunResult result = FillRandom(d, seed);
  d.Settle(/*compact=*/true);
  return result;
}

// ---- Point reads.

uint64_t ReadOne(Database& d, const Key& key, size_t key_size) {
  char* error = nullptr;
  rocksdb_pinnableslice_t* value =
      d.api.get_pinned(d.db(), d.read(), key.data(), key_size, &error);
  Check(error);
  if (value == nullptr) return 1;
  size_t length = 0;
  const char* bytes = d.api.pinnableslice_value(value, &length);
  const uint64_t sum = Glance(bytes, length);
  d.api.pinnableslice_destroy(value);
  return sum;
}

RunResult ReadKeys(Database& d, uint64_t seed, uint64_t count,
                   size_t key_size) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  for (uint64_t i = 0; i < count; ++i) {
    key.Set(random.Below(d.config.num));
    hash += ReadOne(d, key, key_size);
  }
  return {count, hash};
}

RunResult ReadRandom(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, d.config.reads, Key::kSize);
}

RunResult ReadMissing(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, d.config.reads, Key::kSize + 1);
}

uint64_t FreshReads(const Database& d) {
  return std::min(d.config.reads, kFreshReads);
}

RunResult ReadFresh(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, FreshReads(d), Key::kSize);
}

RunResult ReadMissingFresh(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, FreshReads(d), Key::kSize + 1);
}

// Nine reads of ten are of a twentieth of the keys.
RunResult ReadHot(Database& d, uint64_t seed) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  for (uint64_t i = 0; i < d.config.reads; ++i) {
    const bool hot = random.Below(10) != 0;
    key.Set(random.Below(hot ? d.config.num / 20 + 1 : d.config.num));
    hash += ReadOne(d, key, Key::kSize);
  }
  return {d.config.reads, hash};
}

RunResult UpdateRandom(Database& d, uint64_t seed) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  for (uint64_t i = 0; i < d.config.num; ++i) {
    const uint64_t number = random.Below(d.config.num);
    key.Set(number);
    hash += ReadOne(d, key, Key::kSize);
    d.Put(number);
  }
  return {d.config.num, hash};
}

template <size_t kBatch>
RunResult MultiReadRandom(Database& d, uint64_t seed) {
  Random random(seed);
  Key keys[kBatch];
  const char* pointers[kBatch];
  size_t sizes[kBatch];
  rocksdb_pinnableslice_t* values[kBatch];
  char* errors[kBatch];
  for (size_t i = 0; i < kBatch; ++i) {
    pointers[i] = keys[i].data();
    sizes[i] = Key::kSize;
  }
  uint64_t hash = 0, done = 0;
  for (; done < d.config.reads; done += kBatch) {
    for (Key& key : keys) key.Set(random.Below(d.config.num));
    d.api.batched_multi_get_cf(d.db(), d.read(), d.family(), kBatch, pointers,
                               sizes, values, errors, false);
    for (size_t i = 0; i < kBatch; ++i) {
      Check(errors[i]);
      if (values[i] == nullptr) continue;
      size_t length = 0;
      const char* bytes = d.api.pinnableslice_value(values[i], &length);
      hash += Glance(bytes, length);
      d.api.pinnableslice_destroy(values[i]);
    }
  }
  return {done, hash};
}

// ---- Ranges.

class Iterator {
 public:
  explicit Iterator(Database& d)
      : d_(d), it_(d.api.create_iterator(d.db(), d.read())) {}
  ~Iterator() {
    char* error = nullptr;
    d_.api.iter_get_error(it_, &error);
    Check(error);
    d_.api.iter_destroy(it_);
  }
  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;

  bool valid() const { return d_.api.iter_valid(it_) != 0; }
  uint64_t Look() const {
    size_t key_length = 0, length = 0;
    const char* key = d_.api.iter_key(it_, &key_length);
    const char* value = d_.api.iter_value(it_, &length);
    return Glance(key, key_length) + Glance(value, length);
  }
  rocksdb_iterator_t* get() const { return it_; }

 private:
  Database& d_;
  rocksdb_iterator_t* const it_;
};

RunResult ReadSeq(Database& d, uint64_t /*seed*/) {
  const Iterator it(d);
  uint64_t hash = 0, count = 0;
  for (d.api.iter_seek_to_first(it.get()); it.valid();
       d.api.iter_next(it.get()), ++count) {
    hash += it.Look();
  }
  return {count, hash};
}

RunResult ReadReverse(Database& d, uint64_t /*seed*/) {
  const Iterator it(d);
  uint64_t hash = 0, count = 0;
  for (d.api.iter_seek_to_last(it.get()); it.valid();
       d.api.iter_prev(it.get()), ++count) {
    hash += it.Look();
  }
  return {count, hash};
}

// Each seek with an iterator of its own, as db_bench does it.
RunResult SeekKeys(Database& d, uint64_t seed, uint64_t seeks) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  for (uint64_t i = 0; i < seeks; ++i) {
    key.Set(random.Below(d.config.num));
    const Iterator it(d);
    d.api.iter_seek(it.get(), key.data(), Key::kSize);
    for (int n = 0; n < kNexts && it.valid(); ++n) {
      hash += it.Look();
      d.api.iter_next(it.get());
    }
  }
  return {seeks, hash};
}

RunResult SeekRandom(Database& d, uint64_t seed) {
  return SeekKeys(d, seed, d.config.reads / 4 + 1);
}

RunResult SeekFresh(Database& d, uint64_t seed) {
  return SeekKeys(d, seed, FreshReads(d) / 4 + 1);
}

// ---- Both at once.

// Puts what is there already, at a fixed rate, so that both libraries have the
// same to do and the readers still know what they must find.
void WriteSteadily(Database& d, uint64_t seed, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  Random random(seed ^ 77);
  const Clock::time_point start = Clock::now();
  for (uint64_t done = 0; !stop.load(std::memory_order_relaxed); ++done) {
    std::this_thread::sleep_until(
        start +
        std::chrono::microseconds(done * 1000000 / d.config.write_rate));
    d.Put(random.Below(d.config.num));
  }
}

RunResult ReadWhileWriting(Database& d, uint64_t seed) {
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> ops{0}, hash{0};
  std::thread writer(WriteSteadily, std::ref(d), seed, std::cref(stop));
  std::vector<std::thread> readers;
  for (uint64_t t = 1; t < d.config.threads; ++t) {
    readers.emplace_back([&d, &ops, &hash, seed, t] {
      const RunResult result = ReadRandom(d, seed + t);
      ops += result.ops;
      hash += result.hash;
    });
  }
  for (std::thread& reader : readers) reader.join();
  stop = true;
  writer.join();
  return {ops, hash};
}

std::vector<Workload> Writes() {
  return {
      {"fillseq", Start::kEmpty, FillSeq},
      {"fillrandom", Start::kEmpty, FillRandom},
      {"overwrite", Start::kLoaded, FillRandom},
      {"fillbatch", Start::kEmpty, FillBatch},
      {"fillsync", Start::kEmpty, FillSync, {.sync = true}},
      {"deleterandom", Start::kLoaded, DeleteRandom},
      {"mergerandom", Start::kEmpty, MergeRandom, {.counters = true}},
      {"updaterandom", Start::kLoaded, UpdateRandom},
      {"fillrandom-4k", Start::kEmpty, FillLarge, {.value_size = 4096}},
      {"fillrandom-4t", Start::kEmpty, FillTogether<4>},
      {"fillrandom-10t", Start::kEmpty, FillTogether<10>},
      {"fillrandom-4t-pipelined",
       Start::kEmpty,
       FillTogether<4>,
       {"enable_pipelined_write=true"}},
      {"fillrandom-4t-unordered",
       Start::kEmpty,
       FillTogether<4>,
       {"unordered_write=true"}},
      {"fillrandom-4t-two-queues",
       Start::kEmpty,
       FillTogether<4>,
       {"two_write_queues=true"}},
      {"puts-10t-none",
       Start::kEmpty,
       PutRanges,
       {"allow_concurrent_memtable_write=false;"
        "enable_write_thread_adaptive_yield=false"},
       true},
      {"puts-10t-yield",
       Start::kEmpty,
       PutRanges,
       {"allow_concurrent_memtable_write=false;"
        "enable_write_thread_adaptive_yield=true"},
       true},
      {"puts-10t-concurrent",
       Start::kEmpty,
       PutRanges,
       {"allow_concurrent_memtable_write=true;"
        "enable_write_thread_adaptive_yield=false"},
       true},
      {"puts-10t-both",
       Start::kEmpty,
       PutRanges,
       {"allow_concurrent_memtable_write=true;"
        "enable_write_thread_adaptive_yield=true"},
       true},
      {"bulkload", Start::kEmpty, BulkLoad, {.bulk_load = true}},
  };
}

std::vector<Workload> Reads() {
  static const Setup no_compactions{"disable_auto_compactions=true"};
  return {
      {"readrandom", Start::kShared, ReadRandom},
      {"readmissing", Start::kShared, ReadMissing},
      {"multireadrandom", Start::kShared, MultiReadRandom<32>},
      {"multiread-1", Start::kShared, MultiReadRandom<1>},
      {"multiread-4", Start::kShared, MultiReadRandom<4>},
      {"multiread-16", Start::kShared, MultiReadRandom<16>},
      {"multiread-64", Start::kShared, MultiReadRandom<64>},
      {"seekrandom", Start::kShared, SeekRandom},
      {"readseq", Start::kShared, ReadSeq},
      {"readreverse", Start::kShared, ReadReverse},
      {"readwhilewriting", Start::kShared, ReadWhileWriting},
      {"readrandom-fresh", Start::kReopened, ReadFresh},
      {"readmissing-fresh", Start::kReopened, ReadMissingFresh},
      {"seekrandom-fresh", Start::kReopened, SeekFresh},
      {"readrandom-hot", Start::kReopened, ReadHot, {.cache_divisor = 8}},
      {"readrandom-runs", Start::kRuns, ReadRandom, no_compactions},
      {"multiread-4-runs", Start::kRuns, MultiReadRandom<4>, no_compactions},
      {"seekrandom-runs", Start::kRuns, SeekRandom, no_compactions},
  };
}

}  // namespace

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> workloads = Writes();
    for (const Workload& commit : Transactions()) workloads.push_back(commit);
    for (const Workload& read : Reads()) workloads.push_back(read);
    return workloads;
  }();
  return all;
}

const Workload* FindWorkload(const std::string& name) {
  for (const Workload& workload : AllWorkloads()) {
    if (name == workload.name) return &workload;
  }
  return nullptr;
}

void LoadAll(Database& d) {
  const Permutation order(d.config.num);
  for (uint64_t i = 0; i < d.config.num; ++i) d.Put(order(i));
}

void AddRuns(Database& d) {
  Random random(7);
  for (int run = 0; run < 2; ++run) {
    for (uint64_t i = 0; i < d.config.num / 8; ++i) {
      d.Put(random.Below(d.config.num));
    }
    d.Settle(/*compact=*/false);
  }
}

void WarmUp(Database& d) {
  ReadSeq(d, 0);
  Key key;
  for (uint64_t i = 0; i < d.config.num; ++i) {
    key.Set(i);
    ReadOne(d, key, Key::kSize);
  }
}

}  // namespace peer_bench
