#include "tools/peer_bench/workloads.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace peer_bench {

namespace {

constexpr size_t kBatch = 32;  // Keys of one multireadrandom.
constexpr int kNexts = 10;     // Entries after each seek.

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

RunResult ReadKeys(Database& d, uint64_t seed, size_t key_size) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  for (uint64_t i = 0; i < d.config.reads; ++i) {
    key.Set(random.Below(d.config.num));
    hash += ReadOne(d, key, key_size);
  }
  return {d.config.reads, hash};
}

RunResult ReadRandom(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, Key::kSize);
}

RunResult ReadMissing(Database& d, uint64_t seed) {
  return ReadKeys(d, seed, Key::kSize + 1);
}

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
RunResult SeekRandom(Database& d, uint64_t seed) {
  Random random(seed);
  Key key;
  uint64_t hash = 0;
  const uint64_t seeks = d.config.reads / 4 + 1;
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

}  // namespace

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"fillseq", true, FillSeq},
      {"fillrandom", true, FillRandom},
      // Its runs begin with a database of their own as well: it is loaded
      // before the clock starts.
      {"overwrite", true, FillRandom},
      {"readrandom", false, ReadRandom},
      {"readmissing", false, ReadMissing},
      {"multireadrandom", false, MultiReadRandom},
      {"seekrandom", false, SeekRandom},
      {"readseq", false, ReadSeq},
      {"readreverse", false, ReadReverse},
      {"readwhilewriting", false, ReadWhileWriting},
  };
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

void WarmUp(Database& d) {
  ReadSeq(d, 0);
  Key key;
  for (uint64_t i = 0; i < d.config.num; ++i) {
    key.Set(i);
    ReadOne(d, key, Key::kSize);
  }
}

}  // namespace peer_bench
