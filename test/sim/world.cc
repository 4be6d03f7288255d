#include "test/sim/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::sim {

namespace {

constexpr uint64_t kLook = 1;
constexpr uint64_t kHappening = 1000;
constexpr double kLookSeconds = 0.1;
constexpr uint64_t kLooksPerSecond = 10;

// The device has no operations of its own; each access takes a time.
engine::IoDisk BelievedDisk(const Scenario& scenario) {
  engine::IoDisk disk;
  if (scenario.profile <= 0) return disk;
  const auto times = [&](double value) {
    return static_cast<uint64_t>(scenario.profile * value);
  };
  const double ops = 1 / scenario.device.access_seconds;
  disk.read_bytes_per_second =
      times(static_cast<double>(scenario.device.read_mbps) * 1e6);
  disk.write_bytes_per_second =
      times(static_cast<double>(scenario.device.write_mbps) * 1e6);
  disk.read_ops_per_second = times(ops);
  disk.write_ops_per_second = times(ops);
  disk.k = 1;
  return disk;
}

}  // namespace

World::World(const Scenario& scenario, bool verbose)
    : scenario_(scenario),
      verbose_(verbose),
      device_(scenario.device),
      cpu_(scenario.cpu) {
  scheduler_.SetDisk(BelievedDisk(scenario), engine::kDefaultIoShares,
                     events_.now_micros());
  for (const DatabaseSetup& setup : scenario_.databases) {
    const Surroundings around{&events_,          &device_,    &cpu_,
                              &flushes_writing_, &scheduler_, scenario.cpus};
    databases_.push_back(std::make_unique<Database>(setup.database, around));
    Database* const db = databases_.back().get();
    if (setup.prefill_bytes > 0) db->Prefill(setup.prefill_bytes);
    sources_.emplace_back();
    for (size_t i = 0; i < setup.sources.size(); ++i) {
      SourceOptions options = setup.sources[i];
      options.stop_seconds =
          std::min(options.stop_seconds, scenario_.load_seconds);
      sources_.back().push_back(
          std::make_unique<Source>(options, &events_, db, i % db->families()));
    }
  }
  if (databases_.size() > 1) {
    for (size_t i = 0; i < databases_.size(); ++i) {
      databases_[i]->neighbours = [this, i] {
        engine::Neighbours neighbours;
        for (size_t j = 0; j < databases_.size(); ++j) {
          if (j != i) neighbours.Add(databases_[j]->view().use);
        }
        return neighbours;
      };
    }
  }
  const size_t n = databases_.size();
  history_.resize(n);
  open_.resize(n);
  last_.resize(n);
  flush_written_.resize(n);
  all_written_.resize(n);
  repaid_at_.assign(n, -1);
  for (size_t i = 0; i < scenario_.happenings.size(); ++i) {
    events_.At(Nanos(scenario_.happenings[i].seconds), this, kHappening + i);
  }
  events_.After(Nanos(kLookSeconds), this, kLook);
}

World::~World() = default;

void World::Run() {
  RunUntil(scenario_.load_seconds);
  const double end = scenario_.load_seconds + scenario_.drain_seconds;
  while (now_seconds() < end && !Repaid()) {
    RunUntil(std::min(end, now_seconds() + 1));
  }
}

void World::RunUntil(double seconds) {
  events_.RunUntil(Nanos(seconds));
  if (at_load_end_.empty() && seconds >= scenario_.load_seconds) {
    for (const auto& db : databases_) at_load_end_.push_back(*db->counts());
  }
}

bool World::Repaid() const {
  return std::all_of(repaid_at_.begin(), repaid_at_.end(),
                     [](double at) { return at >= 0; });
}

void World::Wake(uint64_t what) {
  if (what >= kHappening) {
    return scenario_.happenings[what - kHappening].what(this);
  }
  Look();
  events_.After(Nanos(kLookSeconds), this, kLook);
}

double World::Asked(size_t database) const {
  double sum = 0;
  // What held in the tenth of a second that ends now.
  const double at = now_seconds() - kLookSeconds / 2;
  for (const auto& source : sources_[database]) sum += source->Asked(at);
  return sum;
}

void World::Look() {
  const bool loaded = now_seconds() <= scenario_.load_seconds;
  for (size_t i = 0; i < databases_.size(); ++i) {
    Database& db = *databases_[i];
    Second& s = open_[i];
    s.asked += Asked(i) * kLookSeconds;
    s.level0_files = std::max(s.level0_files, db.level0_files());
    s.sorted_runs = std::max(s.sorted_runs, db.sorted_runs());
    s.unflushed_bytes = std::max(s.unflushed_bytes, db.unflushed_bytes());
    s.debt_bytes = std::max(s.debt_bytes, db.debt_bytes());
    s.pacing_bytes_per_second = db.decision().pacing_bytes_per_second;
    if (!loaded && repaid_at_[i] < 0 && db.debt_bytes() == 0) {
      repaid_at_[i] = now_seconds();
    }
  }
  if (++looks_ % kLooksPerSecond == 0) CloseSecond();
}

void World::CloseSecond() {
  for (size_t i = 0; i < databases_.size(); ++i) {
    Database& db = *databases_[i];
    Second& s = open_[i];
    const Counts& now = *db.counts();
    const WorkMeter& meter = db.meter();
    uint64_t written = 0;
    for (const engine::WorkTotals& t : meter.totals) written += t.bytes_written;
    const uint64_t flushed =
        meter.totals[Index(engine::WorkClass::kFlush)].bytes_written;
    s.accepted =
        static_cast<double>(now.accepted_bytes - last_[i].accepted_bytes);
    s.flushed = static_cast<double>(flushed - flush_written_[i]);
    s.compacted = static_cast<double>(written - all_written_[i]) - s.flushed;
    s.stalled_seconds =
        static_cast<double>(now.stop_micros + now.delay_micros -
                            last_[i].stop_micros - last_[i].delay_micros) /
        1e6;
    s.paced_seconds =
        static_cast<double>(now.pace_micros - last_[i].pace_micros) / 1e6;
    if (verbose_) s.line = Line(i);
    last_[i] = now;
    flush_written_[i] = flushed;
    all_written_[i] = written;
    history_[i].push_back(std::move(s));
    s = {};
  }
}

std::string World::Line(size_t i) const {
  const Database& db = *databases_[i];
  const Second& s = open_[i];
  const engine::LevelState& state = db.tree(0).state();
  const engine::TuningDecision& d = db.decision();
  const engine::FamilyDecision& f = db.shape(0);
  std::string levels;
  for (size_t l = 1; l < state.level_bytes.size(); ++l) {
    if (state.level_bytes[l] == 0) continue;
    levels += " L" + std::to_string(l) + "=" +
              std::to_string(state.level_bytes[l] / 1000000);
  }
  char text[500];
  std::snprintf(
      text, sizeof(text),
      "%5.0f ask %6.2f got %6.2f | flush %5.1f comp %5.1f | unfl %3.0f L0 %2d "
      "(%4.0f MB)%s | debt %5.0f | jobs f%d r%d d%d m%d p%d | stall %.2f pace "
      "%.2f @%.1f (%.2f of %.1f) | merge %d tier %d target %d base %.0f sub %d "
      "| %s%s all %d "
      "d%d | %s %s/%s/%s/%s/%s",
      now_seconds(), s.asked / 1e6, s.accepted / 1e6, s.flushed / 1e6,
      s.compacted / 1e6, static_cast<double>(s.unflushed_bytes) / 1e6,
      s.level0_files, static_cast<double>(state.level_bytes[0]) / 1e6,
      levels.c_str(), static_cast<double>(s.debt_bytes) / 1e6,
      db.running(engine::WorkClass::kFlush),
      db.running(engine::WorkClass::kRuns),
      db.running(engine::WorkClass::kDebt),
      db.running(engine::WorkClass::kMaintenance), db.paused(),
      s.stalled_seconds, s.paced_seconds,
      static_cast<double>(d.pacing_bytes_per_second) / 1e6, db.view().pressure,
      db.view().sustainable_bytes_per_second / 1e6, f.flush_merge_memtables,
      f.tier_files_min, f.runs_target,
      static_cast<double>(f.base_target_bytes) / 1e6, f.subcompactions,
      d.flush_first ? "FLUSH-FIRST " : "", d.preempt ? "preempt" : "-",
      d.all_slots ? 1 : 0, std::min(d.debt_jobs_max, 99),
      engine::WriteLimitName(d.limit), engine::TuneReasonName(d.pacing_reason),
      engine::TuneReasonName(d.gate_reason),
      engine::TuneReasonName(d.jobs_reason),
      engine::TuneReasonName(f.flush_reason),
      engine::TuneReasonName(f.runs_reason));
  return text;
}

// --------------------------------------------------------------------- score

namespace {

// Compares what was accepted with what was asked, second by second.
void Track(const std::vector<Second>& seconds, Score* score) {
  double asked = 0;
  double accepted = 0;
  double squares = 0;
  for (const Second& s : seconds) {
    asked += s.asked;
    accepted += s.accepted;
    squares += (s.accepted - s.asked) * (s.accepted - s.asked);
  }
  const auto n = static_cast<double>(std::max<size_t>(seconds.size(), 1));
  const double mean = asked / n;
  score->worst_second = 1;
  if (mean <= 0) return;
  score->tracking_error = std::sqrt(squares / n) / mean;
  score->accepted_share = accepted / asked;
  int gap = 0;
  for (const Second& s : seconds) {
    // Where next to nothing is asked, nothing can be missed.
    const double share = s.asked < mean / 100 ? 1 : s.accepted / s.asked;
    score->worst_second = std::min(score->worst_second, share);
    score->seconds_below += share < 0.9 ? 1 : 0;
    gap = share < 0.1 ? gap + 1 : 0;
    score->longest_gap = std::max(score->longest_gap, gap);
  }
}

double Deviation(const std::vector<Second>& seconds) {
  double sum = 0;
  double squares = 0;
  for (const Second& s : seconds) sum += s.accepted;
  const double mean = sum / static_cast<double>(seconds.size());
  for (const Second& s : seconds) {
    squares += (s.accepted - mean) * (s.accepted - mean);
  }
  return mean <= 0
             ? 0
             : std::sqrt(squares / static_cast<double>(seconds.size())) / mean;
}

void Even(const std::vector<Second>& seconds, const Counts& counts,
          Score* score) {
  if (seconds.size() <= Counts::kSettleSeconds) return;
  const std::vector<Second> settled(seconds.begin() + Counts::kSettleSeconds,
                                    seconds.end());
  double sum = 0;
  for (const Second& s : settled) sum += s.accepted;
  score->even_mean = sum / static_cast<double>(settled.size());
  score->even_deviation = Deviation(settled);
  if (score->even_mean <= 0) return;
  score->even_worst = 1;
  for (const Second& s : settled) {
    const double share = s.accepted / score->even_mean;
    score->even_worst = std::min(score->even_worst, share);
    score->even_below_half += share < 0.5 ? 1 : 0;
  }
  score->even_put_p999_micros = counts.settled_put_micros.Percentile(99.9);
  score->even_put_max_micros =
      static_cast<double>(counts.settled_put_micros.max());
}

}  // namespace

Score World::ScoreOf(size_t i) const {
  const auto loaded = static_cast<size_t>(scenario_.load_seconds);
  std::vector<Second> seconds = history_[i];
  seconds.resize(std::min(loaded, seconds.size()));
  Score score;
  if (seconds.empty()) return score;
  Track(seconds, &score);
  score.rate_deviation = Deviation(seconds);
  std::vector<int> runs;
  uint64_t unflushed = 0;
  for (const Second& s : seconds) {
    score.level0_max = std::max(score.level0_max, s.level0_files);
    runs.push_back(s.sorted_runs);
    unflushed = std::max(unflushed, s.unflushed_bytes);
    score.debt_max = std::max(score.debt_max, s.debt_bytes);
  }
  score.debt_end = seconds.back().debt_bytes;
  std::sort(runs.begin(), runs.end());
  score.runs_median = runs[runs.size() / 2];
  score.runs_max = runs.back();
  score.unflushed_max = static_cast<double>(unflushed) /
                        static_cast<double>(databases_[i]->unflushed_limit());
  if (repaid_at_[i] >= 0) {
    score.repaid_seconds = repaid_at_[i] - scenario_.load_seconds;
  } else {
    score.repaid_seconds = -1;
  }
  const Counts& c =
      at_load_end_.empty() ? *databases_[i]->counts() : at_load_end_[i];
  const double length = std::min(now_seconds(), scenario_.load_seconds);
  score.stop_seconds = static_cast<double>(c.stop_micros) / 1e6;
  score.delay_seconds = static_cast<double>(c.delay_micros) / 1e6;
  score.pace_seconds = static_cast<double>(c.pace_micros) / 1e6;
  score.pauses_per_second = static_cast<double>(c.pauses) / length;
  score.changes_per_second = static_cast<double>(c.decision_changes) / length;
  Even(seconds, c, &score);
  score.put_p999_micros = c.put_micros.Percentile(99.9);
  score.put_max_micros = static_cast<double>(c.put_micros.max());
  if (c.accepted_bytes > 0) {
    score.write_amp = static_cast<double>(c.flushed_bytes + c.compacted_bytes) /
                      static_cast<double>(c.accepted_bytes);
  }
  return score;
}

}  // namespace ROCKSDB_NAMESPACE::sim
