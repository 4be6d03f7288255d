#include "db/tuning_driver/tuning_report.h"

#include <string>

#include "db/tune/tuner.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string JobsMax(int jobs) {
  return jobs == INT_MAX ? "any" : std::to_string(jobs);
}

// What changed, as "name before -> now (reason)".
class Changes {
 public:
  void Add(const char* name, const std::string& before, const std::string& now,
           TuneReason reason) {
    if (before == now) return;
    if (!text_.empty()) text_ += ", ";
    text_ += name;
    text_ += ' ';
    text_ += before;
    text_ += " -> ";
    text_ += now;
    text_ += " (";
    text_ += TuneReasonName(reason);
    text_ += ')';
    if (first_reason_ == nullptr) first_reason_ = TuneReasonName(reason);
  }
  const std::string& text() const { return text_; }
  const char* reason() const {
    return first_reason_ != nullptr ? first_reason_ : "static";
  }

 private:
  std::string text_;
  const char* first_reason_ = nullptr;
};

std::string Rate(uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return "none";
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f MB/s",
                static_cast<double>(bytes_per_second) / 1e6);
  return text;
}

Changes ChangesOf(const TuningChange& c) {
  Changes changes;
  changes.Add("pacing", Rate(c.before.pacing_bytes_per_second),
              Rate(c.now.pacing_bytes_per_second), c.now.pacing_reason);
  changes.Add("flush_first", c.before.flush_first ? "on" : "off",
              c.now.flush_first ? "on" : "off", c.now.gate_reason);
  changes.Add("debt_jobs", JobsMax(c.before.debt_jobs_max),
              JobsMax(c.now.debt_jobs_max), c.now.jobs_reason);
  changes.Add("maintenance_jobs", JobsMax(c.before.maintenance_jobs_max),
              JobsMax(c.now.maintenance_jobs_max), c.now.jobs_reason);
  changes.Add("flush_merge",
              std::to_string(c.shape_before.flush_merge_memtables),
              std::to_string(c.shape_now.flush_merge_memtables),
              c.shape_now.flush_reason);
  return changes;
}

}  // namespace

bool SameWork(const TuningDecision& a, const TuningDecision& b) {
  return a.flush_first == b.flush_first && a.runs_jobs_max == b.runs_jobs_max &&
         a.debt_jobs_max == b.debt_jobs_max &&
         a.maintenance_jobs_max == b.maintenance_jobs_max &&
         a.preempt == b.preempt && a.limit == b.limit;
}

void ReportTuning(DbState* db, const TuningChange& change) {
  const Changes changes = ChangesOf(change);
  const TuningView& view = change.view;
  char why[256];
  Why(change.now, view, why, sizeof(why));
  Info(db->store.info_log, "[tuning]%s %s. %s",
       change.only_advice ? " advice:" : "", changes.text().c_str(), why);
  TunerEvent event;
  event.tuner = change.only_advice ? "advise" : "adaptive";
  event.decision = changes.text();
  event.reason = changes.reason();
  const auto number = [&](const char* name, double value) {
    event.numbers.emplace_back(name, static_cast<int64_t>(value));
  };
  number("offered_bytes_per_second", view.offered_bytes_per_second);
  number("flush_bytes_per_second", view.flush_bytes_per_second);
  number("merge_bytes_per_second", view.merge_bytes_per_second);
  number("capacity_bytes_per_second", view.capacity_bytes_per_second);
  number("sustainable_bytes_per_second", view.sustainable_bytes_per_second);
  number("pacing_bytes_per_second",
         static_cast<double>(change.now.pacing_bytes_per_second));
  number("level0_files", view.level0_files);
  number("predicted_level0_files", view.predicted_runs);
  number("sorted_runs", view.sorted_runs);
  number("debt_bytes", static_cast<double>(view.debt_bytes));
  number("memory_pct", 100 * view.memory_share);
  number("pressure_pct", 100 * view.pressure);
  db->events->TunerDecided(event);
}

}  // namespace ROCKSDB_NAMESPACE::engine
