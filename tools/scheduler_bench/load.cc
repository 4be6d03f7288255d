#include "tools/scheduler_bench/load.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/peer_bench/data.h"

namespace scheduler_bench {

namespace {

using peer_bench::Key;
using peer_bench::Random;
using peer_bench::Values;
using Clock = std::chrono::steady_clock;

constexpr size_t kQueryValueBytes = 1000;
constexpr size_t kBulkValueBytes = 1000;
constexpr size_t kLogValueBytes = 200;

rocksdb::Slice SliceOf(const Key& key) { return {key.data(), Key::kSize}; }

Clock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(seconds));
}

// Requests of one kind: what was asked for, and how long it took.
class Stream {
 public:
  explicit Stream(double per_second) : per_second_(per_second) {}

  // Until `end`; `work` is given the number of the request.
  template <typename Work>
  void Run(Clock::time_point start, Clock::time_point counted,
           Clock::time_point end, const Work& work) {
    std::vector<uint32_t> micros;
    for (;;) {
      const uint64_t number = next_.fetch_add(1);
      Clock::time_point due =
          start + Seconds(static_cast<double>(number) / per_second_);
      if (due >= end) break;
      if (Clock::now() < due) {
        std::this_thread::sleep_until(due);
        due = Clock::now();
      }
      if (Clock::now() >= end) break;  // It fell behind.
      work(number);
      const auto took = Clock::now() - due;
      done_.fetch_add(1);
      if (due < counted) continue;
      micros.push_back(static_cast<uint32_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
    }
    const std::lock_guard<std::mutex> lock(mu_);
    micros_.insert(micros_.end(), micros.begin(), micros.end());
  }

  uint64_t done() const { return done_.load(); }

  // Requires: no Run() is under way.
  void Print(const char* name, double seconds, FILE* out) {
    std::sort(micros_.begin(), micros_.end());
    const auto at = [this](size_t per_mille) -> uint32_t {
      if (micros_.empty()) return 0;
      return micros_[(micros_.size() - 1) * per_mille / 1000];
    };
    std::fprintf(out,
                 "\"%s\": {\"asked\": %.1f, \"served\": %.1f, \"p50\": %u, "
                 "\"p95\": %u, \"p99\": %u, \"p999\": %u}, ",
                 name, per_second_,
                 static_cast<double>(micros_.size()) / seconds, at(500),
                 at(950), at(990), at(999));
  }

 private:
  const double per_second_;
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> done_{0};
  std::mutex mu_;
  std::vector<uint32_t> micros_;
};

// One line per second, until `end`; returns in how many seconds of those that
// count compactions ran.
int PrintSeconds(Engine* engine, const Stream& writes, const Stream& queries,
                 Clock::time_point start, const LoadOptions& options,
                 FILE* out) {
  int with_compactions = 0;
  uint64_t writes_before = 0, queries_before = 0;
  uint64_t written = engine->WrittenBytes(), read = engine->ReadBytes();
  for (int second = 1; second <= static_cast<int>(options.seconds); ++second) {
    std::this_thread::sleep_until(start + Seconds(second));
    const uint64_t running = engine->RunningCompactions();
    const uint64_t writes_now = writes.done(), queries_now = queries.done();
    const uint64_t written_now = engine->WrittenBytes();
    const uint64_t read_now = engine->ReadBytes();
    std::fprintf(out,
                 "{\"t\": %d, \"writes\": %" PRIu64 ", \"queries\": %" PRIu64
                 ", \"compactions\": %" PRIu64 ", \"written\": %" PRIu64
                 ", \"read\": %" PRIu64 "}\n",
                 second, writes_now - writes_before,
                 queries_now - queries_before, running, written_now - written,
                 read_now - read);
    std::fflush(out);
    if (running > 0 && second > options.warm_up_seconds) ++with_compactions;
    writes_before = writes_now;
    queries_before = queries_now;
    written = written_now;
    read = read_now;
  }
  return with_compactions;
}

}  // namespace

void Prepare(Engine* engine, const LoadOptions& options) {
  const Values values(std::max(kQueryValueBytes, kBulkValueBytes));
  for (uint64_t i = 0; i < options.query_keys; ++i) {
    const Key key(i);
    engine->Put(kQueries, /*synced=*/false, SliceOf(key),
                {values.Of(i), kQueryValueBytes});
  }
  engine->Flush(kQueries);
  engine->Compact(kQueries);
  const uint64_t entries = options.bulk_bytes / (kBulkValueBytes + Key::kSize);
  Random random(1);
  for (uint64_t i = 0; i < entries; ++i) {
    const Key key(random.Below(4 * entries));
    engine->Put(kBulk, /*synced=*/false, SliceOf(key),
                {values.Of(i), kBulkValueBytes});
  }
  engine->Flush(kBulk);
}

void RunLoad(Engine* engine, const LoadOptions& options, FILE* out) {
  Stream writes(options.writes_per_second);
  Stream queries(options.queries_per_second);
  const Values values(kLogValueBytes);
  if (options.compactions) engine->StartCompactions();
  const Clock::time_point start = Clock::now();
  const Clock::time_point counted = start + Seconds(options.warm_up_seconds);
  const Clock::time_point end = start + Seconds(options.seconds);
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    writes.Run(start, counted, end, [&](uint64_t number) {
      const Key key(number);
      engine->Put(kLog, /*synced=*/true, SliceOf(key),
                  {values.Of(number), kLogValueBytes});
    });
  });
  for (uint32_t i = 0; i < options.query_threads; ++i) {
    threads.emplace_back([&, i] {
      Random random(i + 1);
      queries.Run(start, counted, end, [&](uint64_t) {
        const Key key(random.Below(options.query_keys));
        engine->Get(SliceOf(key));
      });
    });
  }
  const int with_compactions =
      PrintSeconds(engine, writes, queries, start, options, out);
  for (std::thread& thread : threads) thread.join();
  const double seconds = options.seconds - options.warm_up_seconds;
  std::fputs("{\"summary\": {", out);
  writes.Print("log", seconds, out);
  queries.Print("queries", seconds, out);
  const SyncTimes syncs = engine->LogSyncs();
  std::fprintf(out,
               "\"syncs\": {\"count\": %" PRIu64
               ", \"average\": %.1f, \"p50\": %.1f, \"p99\": %.1f}, "
               "\"compacting_seconds\": %d}}\n",
               syncs.count, syncs.average_micros, syncs.p50_micros,
               syncs.p99_micros, with_compactions);
}

}  // namespace scheduler_bench
