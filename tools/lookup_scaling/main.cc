// lookup_scaling: how lookups in the cache scale with two threads.
//
// Place. A program over the public interface; `tools/dev scaling` runs it.
//
// Model. Two threads read one database. In the same run, each of two threads
// reads its own database; these share only code. Rates are lookups per second
// of CPU time, so that a busy machine only blurs them. One trial gives both
// scalings, right after each other:
//
//   shared    rate of two threads in one database   / rate of one thread
//   private   rate of two threads in one each       / rate of one thread
//
// The answer is the median of shared / private over the trials: 1 means that
// reading a database together costs nothing. It is measured for a database that
// nearly fits into the caches of one processor, where the word that counts a
// block's readers moves between them at every other lookup, and for one that
// does not.

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace {

using namespace ROCKSDB_NAMESPACE;  // NOLINT: a program.

constexpr uint64_t kKeys[] = {50'000, 1'000'000};
constexpr uint64_t kLookups = 1'000'000;

void Check(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "lookup_scaling: %s\n", status.ToString().c_str());
  std::exit(1);
}

// 16 digits.
void SetKey(char* key, uint64_t i) {
  for (int at = 15; at >= 0; --at, i /= 10) {
    key[at] = static_cast<char>('0' + i % 10);
  }
}

// In memory, in one sorted run, with a cache that holds all of it.
class Store {
 public:
  explicit Store(uint64_t keys) : keys_(keys), env_(NewMemEnv(Env::Default())) {
    Options options;
    options.env = env_.get();
    options.create_if_missing = true;
    options.compression = kNoCompression;
    options.stats_dump_period_sec = 0;
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.block_cache = NewLRUCache(size_t{512} << 20);
    options.table_factory.reset(NewBlockBasedTableFactory(table));
    Check(DB::Open(options, "/scaling", &db_));
    const std::string value(100, 'v');
    char key[16];
    for (uint64_t i = 0; i < keys_; ++i) {
      SetKey(key, i);
      Check(db_->Put(WriteOptions(), Slice(key, 16), value));
    }
    Check(db_->Flush(FlushOptions()));
    Check(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
    for (uint64_t i = 0; i < keys_; ++i) Get(i);
  }
  uint64_t keys() const { return keys_; }
  void Get(uint64_t i) {
    char key[16];
    SetKey(key, i);
    PinnableSlice value;
    Check(db_->Get(ReadOptions(), db_->DefaultColumnFamily(), Slice(key, 16),
                   &value));
  }

 private:
  const uint64_t keys_;
  const std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

// Lookups per second of CPU time of each thread, added up.
double Rate(const std::vector<Store*>& stores) {
  std::vector<double> rates(stores.size());
  std::atomic<size_t> ready{0};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < stores.size(); ++t) {
    threads.emplace_back([&, t] {
      uint64_t state = 0x9E3779B97F4A7C15ull * (t + 1);
      ready.fetch_add(1);
      while (ready.load() < stores.size()) std::this_thread::yield();
      const double start = CpuSeconds();
      for (uint64_t i = 0; i < kLookups; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        stores[t]->Get((state >> 33) % stores[t]->keys());
      }
      rates[t] = static_cast<double>(kLookups) / (CpuSeconds() - start);
    });
  }
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Measure(uint64_t keys, int trials) {
  Store a(keys);
  Store b(keys);
  std::vector<double> singles, shared, apart, ratios;
  for (int i = 0; i < trials; ++i) {
    const double one = Rate({&a});
    const double together = Rate({&a, &a}) / one;
    const double alone = Rate({&a, &b}) / one;
    singles.push_back(one);
    shared.push_back(together);
    apart.push_back(alone);
    ratios.push_back(together / alone);
  }
  std::printf("%llu keys of 16 + 100 bytes\n",
              static_cast<unsigned long long>(keys));
  std::printf("  one thread           %10.0f lookups per CPU second\n",
              Median(singles));
  std::printf("  two, one database    %10.2fx\n", Median(shared));
  std::printf("  two, one each        %10.2fx\n", Median(apart));
  std::printf("  shared / private     %10.3f (median of %d)\n", Median(ratios),
              trials);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 9;
  if (trials < 1) {
    std::fprintf(stderr, "usage: lookup_scaling [trials]\n");
    return 2;
  }
  for (const uint64_t keys : kKeys) Measure(keys, trials);
  return 0;
}
