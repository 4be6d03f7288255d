// cache_bench: compares the LRU cache with the clock cache.
//
// Place. A program over the public interface; `tools/dev caches` runs it.
//
// Model. Threads use one cache as readers of blocks do: look a key up, insert
// it when it is missing, give the handle back. Keys are of 16 bytes, entries
// count 4 KiB and hold no memory. Operations are counted per second of CPU
// time, so that a busy machine only blurs them; kinds take turns, and the
// median of the trials counts.
//
//   hits     every key is in the cache, all equally often
//   hot      16 keys, which all threads use
//   mixed    the cache holds a tenth of the keys; few keys get most lookups
//   scan     no key comes twice: a miss, an insertion and an eviction each

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/cache.h"

namespace {

using namespace ROCKSDB_NAMESPACE;  // NOLINT: a program.

constexpr uint64_t kEntries = 65'536;  // That the cache has room for.
constexpr size_t kCharge = 4096;
constexpr uint64_t kHot = 16;

const Cache::CacheItemHelper kNothing(CacheEntryRole::kDataBlock);

std::shared_ptr<Cache> Make(bool clock) {
  // Metadata is not charged: both hold the same entries.
  const size_t capacity = kEntries * kCharge;
  if (!clock) {
    LRUCacheOptions lru(capacity, -1, false, 0.0);
    lru.metadata_charge_policy = kDontChargeCacheMetadata;
    return lru.MakeSharedCache();
  }
  HyperClockCacheOptions options(capacity, 0);
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  return options.MakeSharedCache();
}

struct Workload {
  const char* name;
  uint64_t keys;
  double skew;  // Numbers are uniform ones to this power. 0: one after another.
  uint64_t operations;
};
constexpr Workload kWorkloads[] = {
    {"hits", kEntries / 2, 1.0, 4'000'000},
    {"hot", kHot, 1.0, 4'000'000},
    {"mixed", kEntries * 10, 4.0, 2'000'000},
    {"scan", kEntries * 1000, 0.0, 2'000'000},
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

class User {
 public:
  User(const Workload& workload, uint64_t number)
      : workload_(workload),
        state_(0x9E3779B97F4A7C15ull * (number + 1)),
        next_(number << 40) {}

  uint64_t Key() {
    if (workload_.skew == 0.0) return next_++;
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    const double u = static_cast<double>(state_ >> 11) * 0x1p-53;
    const double x = workload_.skew == 1.0 ? u : std::pow(u, workload_.skew);
    return static_cast<uint64_t>(x * static_cast<double>(workload_.keys));
  }
  // Was it there?
  static bool Use(Cache& cache, uint64_t n) {
    const uint64_t words[2] = {n * 0x9FB21C651E98DF25ull, ~n};
    const Slice key(reinterpret_cast<const char*>(words), sizeof(words));
    Cache::Handle* handle = cache.Lookup(key);
    const bool hit = handle != nullptr;
    if (!hit) (void)cache.Insert(key, nullptr, &kNothing, kCharge, &handle);
    cache.Release(handle);
    return hit;
  }

 private:
  const Workload& workload_;
  uint64_t state_;
  uint64_t next_;
};

struct Figures {
  double rate = 0;  // Operations per second of CPU time, of all threads.
  double hits = 0;  // Share of the lookups.
};

Figures Run(const Workload& workload, bool clock, uint64_t count) {
  const std::shared_ptr<Cache> cache = Make(clock);
  // As a cache that has been used for a while: full, and in no order.
  User warm(workload, 1000);
  if (workload.keys <= kEntries) {
    for (uint64_t n = 0; n < workload.keys; ++n) User::Use(*cache, n);
  } else {
    for (uint64_t i = 0; i < 2'000'000; ++i) User::Use(*cache, warm.Key());
  }
  std::vector<double> rates(count);
  std::atomic<uint64_t> hits{0};
  std::atomic<uint64_t> ready{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < count; ++t) {
    threads.emplace_back([&, t] {
      User user(workload, t);
      uint64_t found = 0;
      ready.fetch_add(1);
      while (ready.load() < count) std::this_thread::yield();
      const double start = CpuSeconds();
      for (uint64_t i = 0; i < workload.operations; ++i) {
        found += User::Use(*cache, user.Key()) ? 1 : 0;
      }
      rates[t] =
          static_cast<double>(workload.operations) / (CpuSeconds() - start);
      hits.fetch_add(found);
    });
  }
  for (std::thread& thread : threads) thread.join();
  Figures figures;
  for (const double rate : rates) figures.rate += rate;
  figures.hits = static_cast<double>(hits.load()) /
                 static_cast<double>(count * workload.operations);
  return figures;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Compare(const Workload& workload, uint64_t threads, int trials) {
  std::vector<double> rates[2];
  std::vector<double> hits[2];
  for (int i = 0; i < trials; ++i) {
    for (const bool clock : {false, true}) {
      const Figures figures = Run(workload, clock, threads);
      rates[clock].push_back(figures.rate);
      hits[clock].push_back(figures.hits);
    }
  }
  const double lru = Median(rates[0]);
  const double other = Median(rates[1]);
  std::printf("| %s | %d | %.1f | %.1f | %.2f | %.1f %% | %.1f %% |\n",
              workload.name, static_cast<int>(threads), lru / 1e6, other / 1e6,
              other / lru, 100 * Median(hits[0]), 100 * Median(hits[1]));
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  const int most = argc > 2 ? std::atoi(argv[2]) : 2;
  if (trials < 1 || most < 1 || most > 256) {
    std::fprintf(stderr, "usage: cache_bench [trials [threads]]\n");
    return 2;
  }
  std::printf(
      "million operations per CPU second, median of %d\n\n"
      "| workload | threads | LRU | clock | ratio | LRU hits | clock hits |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n",
      trials);
  for (const Workload& workload : kWorkloads) {
    for (int threads = 1; threads <= most; threads *= 2) {
      Compare(workload, static_cast<uint64_t>(threads), trials);
    }
  }
  return 0;
}
