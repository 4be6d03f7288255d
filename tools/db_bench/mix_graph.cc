// mixgraph: Get, Put and Seek in the proportion of --mix_get_ratio and its kin,
// over keys some of which are used more often, with values and scans of many
// lengths (mix_laws.h).

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/mix_laws.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/sine_law.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// With --sine_mix_rate: one thread's part of a rate that follows a sine and is
// held for a while. A thread that is late catches up with at most a second.
class MixPacer {
 public:
  MixPacer(const Bench& bench, ThreadState* thread)
      : clock_(bench.clock()),
        random_(&thread->random),
        stats_(&thread->stats),
        threads_(bench.settings().threads),
        start_micros_(bench.clock()->NowMicros()) {}

  void Wait() {
    if (!FLAGS_sine_mix_rate) return;
    const double now = static_cast<double>(clock_->NowMicros() - start_micros_);
    if (now >= held_until_) HoldRateAt(now);
    due_ = std::max(due_ + 1e6 / rate_, now - 1e6);
    if (due_ > now) {
      clock_->SleepForMicroseconds(
          static_cast<int>(std::min(due_ - now, kLongestMicros)));
    }
    stats_->StartOp();
  }

 private:
  static constexpr double kLongestMicros = 10e6;

  void HoldRateAt(double now) {
    const double interval =
        static_cast<double>(FLAGS_sine_mix_rate_interval_milliseconds) * 1000;
    const double begin = std::floor(now / interval) * interval;
    held_until_ = begin + interval;
    const SineLaw law = {FLAGS_sine_a, FLAGS_sine_b, FLAGS_sine_c,
                         FLAGS_sine_d};
    const double noise =
        FLAGS_sine_mix_rate_noise * (2 * random_->NextDouble() - 1);
    rate_ = std::max(
        static_cast<double>(law.At(begin / 1e6)) * (1 + noise) / threads_,
        1e-3);
  }

  SystemClock* const clock_;
  engine::Random64* const random_;
  Stats* const stats_;
  const int threads_;
  const uint64_t start_micros_;
  double held_until_ = 0;
  double rate_ = 1;
  double due_ = 0;
};

class MixedLoad {
 public:
  MixedLoad(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        hot_(HotKeysFromFlags()),
        value_sizes_{FLAGS_value_theta, FLAGS_value_sigma, FLAGS_value_k},
        scan_lengths_{FLAGS_iter_theta, FLAGS_iter_sigma, FLAGS_iter_k},
        keys_(bench.key_shape()),
        values_(bench.NewValueMaker(*thread)),
        reader_(bench, thread),
        writer_(bench, thread) {}

  void RunOne() {
    engine::Random64* const random = &thread_->random;
    const uint64_t number =
        hot_.Number(random->NextDouble(), random->NextDouble());
    const double all =
        FLAGS_mix_get_ratio + FLAGS_mix_put_ratio + FLAGS_mix_seek_ratio;
    const double drawn = random->NextDouble() * all;
    if (drawn < FLAGS_mix_get_ratio) {
      reader_.Get(number);
      ++gets_;
    } else if (drawn < FLAGS_mix_get_ratio + FLAGS_mix_put_ratio) {
      Put(number);
    } else {
      Scan(number);
    }
  }

  void AddMessages() {
    char message[200];
    std::snprintf(
        message, sizeof(message),
        "( Gets:%llu Puts:%llu Seek:%llu, avg size: %.1f value, %.1f scan)",
        static_cast<unsigned long long>(gets_),
        static_cast<unsigned long long>(puts_),
        static_cast<unsigned long long>(seeks_), Mean(put_bytes_, puts_),
        Mean(scanned_, seeks_));
    thread_->stats.AddMessage(message);
    reader_.AddFoundMessage();
  }

 private:
  static double Mean(uint64_t sum, uint64_t count) {
    return static_cast<double>(sum) /
           static_cast<double>(std::max<uint64_t>(count, 1));
  }

  // A draw that is at least 1 and at most `most`.
  uint64_t Draw(const ParetoLaw& law, int64_t most) {
    const double drawn = law.At(thread_->random.NextDouble());
    return static_cast<uint64_t>(
        std::clamp(drawn, 1.0, static_cast<double>(most)));
  }

  void Put(uint64_t number) {
    const uint64_t size = Draw(value_sizes_, FLAGS_mix_max_value_size);
    writer_.Put(keys_.Make(number), values_.Make(static_cast<size_t>(size)),
                OpType::kWrite);
    put_bytes_ += size;
    ++puts_;
  }

  void Scan(uint64_t number) {
    const uint64_t length = Draw(scan_lengths_, FLAGS_mix_max_scan_len);
    ReadOptions options = bench_.read_options();
    const auto snapshot = SnapshotForIterator(bench_.db(), &options);
    const std::unique_ptr<Iterator> it(bench_.db()->NewIterator(options));
    uint64_t bytes = 0;
    uint64_t shown = 0;
    for (it->Seek(keys_.Make(number)); it->Valid() && shown < length;
         it->Next()) {
      bytes += it->key().size() + it->value().size();
      ++shown;
    }
    if (!it->status().ok()) Die("iterator", it->status());
    scanned_ += shown;
    ++seeks_;
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(bench_.db(), 1, OpType::kSeek);
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const HotKeys hot_;
  const ParetoLaw value_sizes_;
  const ParetoLaw scan_lengths_;
  KeyMaker keys_;
  ValueMaker values_;
  Reader reader_;
  Writer writer_;
  uint64_t gets_ = 0;
  uint64_t puts_ = 0;
  uint64_t seeks_ = 0;
  uint64_t put_bytes_ = 0;
  uint64_t scanned_ = 0;
};

// This thread's part of --mix_accesses.
uint64_t AccessesOf(const Bench& bench) {
  if (FLAGS_mix_accesses < 0) return bench.settings().reads;
  const auto threads = static_cast<uint64_t>(bench.settings().threads);
  return (static_cast<uint64_t>(FLAGS_mix_accesses) + threads - 1) / threads;
}

}  // namespace

void MixGraph(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration), AccessesOf(bench),
                    bench.clock());
  MixedLoad load(bench, thread);
  MixPacer pacer(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    pacer.Wait();
    load.RunOne();
  }
  load.AddMessages();
}

}  // namespace ROCKSDB_NAMESPACE::bench
