// maxsustained: the highest write rate that is held without stalls and without
// growth of sorted runs or debt. Overwrites random keys at one trial rate after
// the other; thread 0 judges, the others write.

#include <cinttypes>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/trial.h"
#include "tools/db_bench/units.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kSampleMicros = uint64_t{250} * 1000;
// Lets every waiting writer through at the end.
constexpr uint64_t kNoRate = uint64_t{1} << 40;

class Controller {
 public:
  Controller(const Bench& bench, Stats* stats) : bench_(bench), stats_(stats) {
    limits_.accepted_share = FLAGS_maxsustained_accepted_percent / 100;
    limits_.runs_growth = FLAGS_maxsustained_runs_growth;
    limits_.debt_growth = FLAGS_maxsustained_debt_growth;
    // Some levels of a tree that keeps up: L0 at its trigger, and L1.
    constexpr uint64_t kLevels = 2;
    limits_.debt_floor_bytes =
        kLevels *
        (static_cast<uint64_t>(FLAGS_write_buffer_size) *
             static_cast<uint64_t>(FLAGS_level0_file_num_compaction_trigger) +
         static_cast<uint64_t>(FLAGS_max_bytes_for_level_base));
    limits_.memtables_max =
        static_cast<uint64_t>(bench.options().max_write_buffer_number);
  }

  void Run() {
    RateSearch::Settings settings;
    settings.initial = FLAGS_maxsustained_initial_mbps * 1e6;
    settings.most = FLAGS_maxsustained_most_mbps * 1e6;
    settings.precision = 1 + FLAGS_maxsustained_precision_percent / 100;
    RateSearch search(settings);
    TrialVerdict failed;
    for (int number = 1; !search.done(); ++number) {
      const double rate = search.next();
      const TrialVerdict verdict = Try(static_cast<uint64_t>(rate));
      Print(number, rate, verdict);
      if (!verdict.sustained &&
          (search.failed() == 0 || rate < search.failed())) {
        failed = verdict;
      }
      search.Report(verdict.sustained);
      if (!verdict.sustained) Settle();
    }
    Conclude(search, failed);
  }

 private:
  // Holds `rate`, first unobserved, then for a window that is judged.
  TrialVerdict Try(uint64_t rate) {
    bench_.write_generator()->Hold(rate);
    Sleep(FLAGS_maxsustained_warmup_seconds * kMicrosPerSecond);
    const uint64_t start = bench_.clock()->NowMicros();
    const uint64_t accepted = Accepted();
    const uint64_t stalled = StallMicros();
    std::vector<TrialSample> samples;
    const uint64_t end =
        start + FLAGS_maxsustained_trial_seconds * kMicrosPerSecond;
    while (bench_.clock()->NowMicros() < end) {
      Sleep(kSampleMicros);
      TrialSample sample = Sample();
      sample.seconds =
          static_cast<double>(bench_.clock()->NowMicros() - start) / 1e6;
      sample.accepted_bytes = Accepted() - accepted;
      sample.stall_micros = StallMicros() - stalled;
      samples.push_back(std::move(sample));
    }
    return JudgeTrial(rate, samples, limits_);
  }

  TrialSample Sample() const {
    const EngineState state = ReadEngineState(bench_.db());
    TrialSample sample;
    sample.sorted_runs = state.sorted_runs ? state.sorted_runs : state.l0_files;
    sample.pending_bytes = state.pending_bytes;
    if (state.immutable_memtables) {
      sample.unflushed_memtables = *state.immutable_memtables + 1;
    }
    sample.stalled = state.stopped || state.delayed;
    sample.stall_cause = state.stall_cause;
    return sample;
  }

  // Nothing is written until what the last trial left behind is repaid.
  void Settle() const {
    bench_.write_generator()->Hold(0);
    const uint64_t end = bench_.clock()->NowMicros() +
                         FLAGS_maxsustained_settle_seconds * kMicrosPerSecond;
    do {
      Sleep(kSampleMicros);
    } while (!IsIdle(bench_.db()) && bench_.clock()->NowMicros() < end);
  }

  void Conclude(const RateSearch& search, const TrialVerdict& failed) {
    if (search.best() == 0) {
      std::printf("max sustained rate: none; bound by %s: %s\n",
                  failed.bound.c_str(), failed.why.c_str());
    } else if (search.failed() == 0) {
      std::printf(
          "max sustained rate: %.2f MB/s; bound by nothing up to here\n",
          search.best() / 1e6);
    } else {
      std::printf(
          "max sustained rate: %.2f MB/s, not %.2f MB/s; bound by %s: %s\n",
          search.best() / 1e6, search.failed() / 1e6, failed.bound.c_str(),
          failed.why.c_str());
    }
    std::fflush(stdout);
    stats_->AddMessage("(of all trials)");
  }

  static void Print(int number, double rate, const TrialVerdict& v) {
    std::printf(
        "trial %d: %.2f MB/s asked, %.1f %% accepted, %.1f runs (%+.1f), "
        "%.0f MB debt (%+.2f B/B), %.1f memtables, %.2f %% stalled: %s\n",
        number, rate / 1e6, 100 * v.accepted_share, v.runs_mean, v.runs_growth,
        v.debt_mean / 1e6, v.debt_growth, v.memtables_mean, 100 * v.stall_share,
        v.sustained ? "sustained" : ("not sustained, " + v.why).c_str());
    std::fflush(stdout);
  }

  uint64_t Accepted() const { return bench_.rendezvous().written_bytes.load(); }

  uint64_t StallMicros() const {
    const Statistics* statistics = bench_.options().statistics.get();
    return statistics == nullptr ? 0 : statistics->getTickerCount(STALL_MICROS);
  }

  void Sleep(uint64_t micros) const {
    bench_.clock()->SleepForMicroseconds(static_cast<int>(micros));
  }

  const Bench& bench_;
  Stats* const stats_;
  TrialLimits limits_;
};

void Write(const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  KeyOrder order(KeyOrder::kRandom, s.num, &thread->random);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  Rendezvous& shared = bench.rendezvous();
  while (!shared.writer_done.load(std::memory_order_relaxed)) {
    const uint64_t bytes = writer.WriteBatchOf(s.entries_per_batch, &order);
    shared.written_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
}

}  // namespace

void MaxSustained(const Bench& bench, ThreadState* thread) {
  if (thread->tid != 0) return Write(bench, thread);
  thread->stats.ExcludeFromMerge();
  Controller(bench, &thread->stats).Run();
  bench.rendezvous().writer_done = true;
  bench.write_generator()->Hold(kNoRate);
}

}  // namespace ROCKSDB_NAMESPACE::bench
