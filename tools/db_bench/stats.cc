#include "tools/db_bench/stats.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/units.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

const char* OpTypeName(size_t type) {
  constexpr const char* kNames[kOpTypes] = {"read",  "write",  "delete", "seek",
                                            "merge", "update", "op"};
  return kNames[type];
}

double Average(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

// Half of the 95 % confidence interval.
double Confidence(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double average = Average(values);
  double squares = 0;
  for (const double v : values) squares += (v - average) * (v - average);
  const auto n = static_cast<double>(values.size());
  return 1.96 * std::sqrt(squares / (n - 1)) / std::sqrt(n);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

// Of each level, if --show_table_properties says so.
void PrintTableProperties(DB* db) {
  if (!FLAGS_show_table_properties) return;
  for (int level = 0; level < FLAGS_num_levels; ++level) {
    std::string text;
    if (db->GetProperty("rocksdb.aggregated-table-properties-at-level" +
                            std::to_string(level),
                        &text)) {
      std::fprintf(stderr, "Level[%d]: %s\n", level, text.c_str());
    }
  }
}

// How many operations to wait for the next progress report after `done`.
uint64_t ProgressStep(uint64_t done) {
  struct Row {
    uint64_t below;
    uint64_t step;
  };
  constexpr Row kRows[] = {{1000, 100},   {5000, 500},     {10000, 1000},
                           {50000, 5000}, {100000, 10000}, {500000, 50000}};
  for (const Row& row : kRows) {
    if (done < row.below) return row.step;
  }
  return 100000;
}

}  // namespace

void Stats::Start(int thread_id, SystemClock* clock, const LiveReports& live) {
  *this = Stats();
  thread_id_ = thread_id;
  clock_ = clock;
  live_ = live;
  if (live.timeline != nullptr) recorder_ = live.timeline->NewRecorder();
  timed_ = FLAGS_histogram || recorder_ != nullptr;
  if (FLAGS_stats_interval > 0) {
    next_progress_ = static_cast<uint64_t>(FLAGS_stats_interval);
  }
  start_micros_ = clock->NowMicros();
  finish_micros_ = op_start_micros_ = reported_micros_ = start_micros_;
}

void Stats::Stop() {
  finish_micros_ = clock_->NowMicros();
  seconds_ = static_cast<double>(finish_micros_ - start_micros_) * 1e-6;
  recorder_.reset();
}

void Stats::Merge(const Stats& other) {
  if (other.excluded_) return;
  for (size_t i = 0; i < kOpTypes; ++i) {
    if (other.histograms_[i] == nullptr) continue;
    if (histograms_[i] == nullptr) {
      histograms_[i] = std::make_shared<engine::Histogram>();
    }
    histograms_[i]->Merge(*other.histograms_[i]);
  }
  const bool first = clock_ == nullptr;
  clock_ = other.clock_;
  done_ += other.done_;
  bytes_ += other.bytes_;
  seconds_ += other.seconds_;
  start_micros_ = first ? other.start_micros_
                        : std::min(start_micros_, other.start_micros_);
  finish_micros_ = std::max(finish_micros_, other.finish_micros_);
  if (message_.empty()) message_ = other.message_;
}

void Stats::AddMessage(const std::string& message) {
  if (!message_.empty()) message_ += " ";
  message_ += message;
}

void Stats::FinishedOps(DB* db, uint64_t count, OpType type,
                        uint64_t accepted_bytes) {
  if (live_.report != nullptr) live_.report->FinishedOps(count);
  if (timed_) RecordLatency(type, count, accepted_bytes);
  done_ += count;
  if (done_ >= next_progress_) Progress(db);
}

void Stats::RecordLatency(OpType type, uint64_t count, uint64_t bytes) {
  const uint64_t now = clock_->NowMicros();
  const uint64_t micros = now - op_start_micros_;
  op_start_micros_ = now;
  if (FLAGS_histogram) {
    auto& histogram = histograms_[static_cast<size_t>(type)];
    if (histogram == nullptr) histogram = std::make_shared<engine::Histogram>();
    histogram->Add(micros);
    if (micros >= FLAGS_slow_usecs && FLAGS_stats_interval == 0) {
      std::fprintf(stderr, "long op: %" PRIu64 " micros%30s\r", micros, "");
      std::fflush(stderr);
    }
  }
  if (recorder_ != nullptr && type == OpType::kWrite) {
    recorder_->Record(micros, count, bytes);
  }
}

void Stats::Progress(DB* db) {
  if (FLAGS_stats_interval == 0) {
    next_progress_ = done_ + ProgressStep(done_);
    if (!FLAGS_progress_reports) return;
    std::fprintf(stderr, "... finished %" PRIu64 " ops%30s\r", done_, "");
    return;
  }
  next_progress_ = done_ + static_cast<uint64_t>(FLAGS_stats_interval);
  const uint64_t now = clock_->NowMicros();
  const auto wait =
      static_cast<uint64_t>(FLAGS_stats_interval_seconds) * 1000000;
  if (now - reported_micros_ >= wait) IntervalReport(db, now);
}

void Stats::IntervalReport(DB* db, uint64_t now) {
  const double since = static_cast<double>(now - reported_micros_) / 1e6;
  const double total = static_cast<double>(now - start_micros_) / 1e6;
  const auto ops = static_cast<double>(done_ - reported_done_);
  std::string time;
  int64_t unix_time = 0;
  if (clock_->GetCurrentTime(&unix_time).ok()) {
    time = clock_->TimeToString(static_cast<uint64_t>(unix_time));
  }
  std::fprintf(stderr,
               "%s ... thread %d: (%" PRIu64 ",%" PRIu64
               ") ops and (%.1f,%.1f) ops/second in (%.6f,%.6f) seconds\n",
               time.c_str(), thread_id_, done_ - reported_done_, done_,
               ops / since, static_cast<double>(done_) / total, since, total);
  if (thread_id_ == 0 && FLAGS_stats_per_interval > 0 && db != nullptr) {
    std::string text;
    if (db->GetProperty("rocksdb.stats", &text)) {
      std::fprintf(stderr, "%s\n", text.c_str());
    }
    PrintTableProperties(db);
  }
  std::fflush(stderr);
  reported_micros_ = now;
  reported_done_ = done_;
}

double Stats::ElapsedSeconds() const {
  return static_cast<double>(finish_micros_ - start_micros_) * 1e-6;
}

double Stats::OpsPerSecond() const {
  return static_cast<double>(std::max<uint64_t>(done_, 1)) / ElapsedSeconds();
}

double Stats::MegabytesPerSecond() const {
  return static_cast<double>(bytes_) / kMegabyte / ElapsedSeconds();
}

void Stats::Report(const std::string& name) const {
  // A workload that counts nothing did one thing.
  const uint64_t done = std::max<uint64_t>(done_, 1);
  std::string extra;
  if (bytes_ > 0) {
    char rate[100];
    std::snprintf(rate, sizeof(rate), "%6.1f MB/s", MegabytesPerSecond());
    extra = rate;
  }
  if (!message_.empty()) extra += (extra.empty() ? "" : " ") + message_;
  std::printf("%-12s : %11.3f micros/op %ld ops/sec %.3f seconds %" PRIu64
              " operations;%s%s\n",
              name.c_str(), seconds_ * 1e6 / static_cast<double>(done),
              static_cast<long>(OpsPerSecond()), ElapsedSeconds(), done,
              extra.empty() ? "" : " ", extra.c_str());
  for (size_t i = 0; FLAGS_histogram && i < kOpTypes; ++i) {
    if (histograms_[i] == nullptr) continue;
    std::printf("Microseconds per %s:\n%s\n", OpTypeName(i),
                histograms_[i]->ToString().c_str());
  }
  std::fflush(stdout);
}

void RepeatedStats::Add(const Stats& stats) {
  ops_.push_back(stats.OpsPerSecond());
  if (stats.has_bytes()) megabytes_.push_back(stats.MegabytesPerSecond());
}

void RepeatedStats::ReportSoFar(const std::string& name) const {
  if (ops_.size() < 2 || FLAGS_confidence_interval_only) return;
  std::printf("%s [AVG %zu runs] : %d (± %d) ops/sec", name.c_str(),
              ops_.size(), static_cast<int>(Average(ops_)),
              static_cast<int>(Confidence(ops_)));
  if (!megabytes_.empty()) {
    std::printf("; %6.1f (± %.1f) MB/sec", Average(megabytes_),
                Confidence(megabytes_));
  }
  std::printf("\n");
}

void RepeatedStats::ReportInterval(const std::string& name) const {
  const double ops = Average(ops_);
  std::printf("%s [CI95 %zu runs] : (%d, %d) ops/sec", name.c_str(),
              ops_.size(), static_cast<int>(ops - Confidence(ops_)),
              static_cast<int>(ops + Confidence(ops_)));
  if (!megabytes_.empty()) {
    const double megabytes = Average(megabytes_);
    std::printf("; (%.1f, %.1f) MB/sec", megabytes - Confidence(megabytes_),
                megabytes + Confidence(megabytes_));
  }
  std::printf("\n");
  std::fflush(stdout);
}

void RepeatedStats::Report(const std::string& name) const {
  if (ops_.size() < 2) return;
  if (FLAGS_confidence_interval_only) return ReportInterval(name);
  const auto runs = static_cast<int>(ops_.size());
  std::printf("%s [AVG    %d runs] : %d (± %d) ops/sec", name.c_str(), runs,
              static_cast<int>(Average(ops_)),
              static_cast<int>(Confidence(ops_)));
  if (!megabytes_.empty()) {
    std::printf("; %6.1f (± %.1f) MB/sec", Average(megabytes_),
                Confidence(megabytes_));
  }
  std::printf("\n%s [MEDIAN %d runs] : %d ops/sec", name.c_str(), runs,
              static_cast<int>(Median(ops_)));
  if (!megabytes_.empty()) {
    std::printf("; %6.1f MB/sec", Median(megabytes_));
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace ROCKSDB_NAMESPACE::bench
