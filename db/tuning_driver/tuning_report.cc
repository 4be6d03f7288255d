#include "db/tuning_driver/tuning_report.h"

#include <algorithm>

#include "db/tune/tuner.h"
#include "util/quantity_text.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Smaller changes of the pacing rate are no news.
constexpr double kPacingStep = 1.25;

std::string JobsMax(int jobs) {
  return jobs == INT_MAX ? "any" : std::to_string(jobs);
}

const char* OnOff(bool on) { return on ? "on" : "off"; }

std::string Rate(uint64_t bytes_per_second) {
  return bytes_per_second == 0
             ? "none"
             : RateText(static_cast<double>(bytes_per_second));
}

uint64_t DebtBudget(const TuningDecision& decision) {
  return decision.budget_bytes_per_second[Index(WorkClass::kDebt)];
}

// 0 leaves it to the option, which is 1 but for those who set it.
int FlushMerge(const FamilyDecision& shape) {
  return std::max(1, shape.flush_merge_memtables);
}

bool SamePace(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a == b;
  const double ratio = static_cast<double>(a) / static_cast<double>(b);
  return ratio < kPacingStep && ratio > 1 / kPacingStep;
}

void Append(const char* name, const std::string& value, std::string* list) {
  if (!list->empty()) *list += ", ";
  *list += name;
  *list += ' ';
  *list += value;
}

void Note(const char* name, const std::string& before, const std::string& now,
          TuneReason reason, TuningWords* words) {
  if (before == now) return;
  Append(name, before, &words->before);
  Append(name, now, &words->after);
  std::string text = before + " -> " + now;
  if (reason != TuneReason::kStatic) {
    text += std::string(" (") + TuneReasonName(reason) + ")";
  }
  Append(name, text, &words->text);
  if (words->reason.empty()) words->reason = TuneReasonName(reason);
}

uint64_t Whole(double x) {
  if (!(x > 0)) return 0;  // Also what is no number.
  return x >= kUnlimitedBytes ? UINT64_MAX : static_cast<uint64_t>(x);
}

TuningDecisionInfo InfoOf(const TuningSnapshot& snapshot,
                          const TuningWords& words) {
  const TuningView& view = snapshot.view;
  TuningDecisionInfo info;
  info.mode = TuningModeName(snapshot.mode);
  info.before = words.before;
  info.after = words.after;
  info.reason = words.reason;
  info.why = WhyText(snapshot);
  info.limit = WriteLimitName(snapshot.decision.limit);
  info.decision = snapshot.decisions;
  info.pacing_bytes_per_second = snapshot.decision.pacing_bytes_per_second;
  info.offered_bytes_per_second = Whole(view.offered_bytes_per_second);
  info.sustainable_bytes_per_second = Whole(view.sustainable_bytes_per_second);
  info.capacity_bytes_per_second = Whole(view.capacity_bytes_per_second);
  info.flush_bytes_per_second = Whole(view.flush_bytes_per_second);
  info.merge_bytes_per_second = Whole(view.merge_bytes_per_second);
  info.debt_bytes = view.debt_bytes;
  info.sorted_runs = view.sorted_runs;
  info.level0_files = view.level0_files;
  info.predicted_level0_files = view.predicted_runs;
  info.memory_share = view.memory_share;
  info.debt_share = view.debt_share;
  info.pressure = view.pressure;
  return info;
}

// The numbers, by the names they have everywhere.
template <typename Add>
void EachNumber(const TuningView& view, Add&& add) {
  add("offered_bytes_per_second", Whole(view.offered_bytes_per_second));
  add("flush_bytes_per_second", Whole(view.flush_bytes_per_second));
  add("merge_bytes_per_second", Whole(view.merge_bytes_per_second));
  add("capacity_bytes_per_second", Whole(view.capacity_bytes_per_second));
  add("sustainable_bytes_per_second", Whole(view.sustainable_bytes_per_second));
  add("stored_pct", Whole(100 * view.stored_share));
  add("table_pct", Whole(100 * view.table_share));
  add("read_weight_pct", Whole(100 * view.read_weight));
  add("flush_wait_pct", Whole(100 * view.flush_wait_share));
  add("level0_files", static_cast<uint64_t>(view.level0_files));
  add("predicted_level0_files", Whole(view.predicted_runs));
  add("sorted_runs", static_cast<uint64_t>(view.sorted_runs));
  add("debt_bytes", view.debt_bytes);
  add("foreseen_debt_bytes", view.foreseen_debt_bytes);
  add("debt_pct", Whole(100 * view.debt_share));
  add("memory_pct", Whole(100 * view.memory_share));
  add("pressure_pct", Whole(100 * view.pressure));
  add("need_pct", Whole(100 * view.use.need));
}

TuneReason MainReason(const TuningSnapshot& snapshot) {
  const TuningDecision& d = snapshot.decision;
  for (const TuneReason reason : {d.pacing_reason, d.jobs_reason, d.gate_reason,
                                  snapshot.shape.flush_reason}) {
    if (reason != TuneReason::kStatic) return reason;
  }
  return TuneReason::kStatic;
}

}  // namespace

std::string WhyText(const TuningSnapshot& snapshot) {
  char why[512];
  Why(snapshot.decision, snapshot.view, why, sizeof(why));
  return why;
}

TuningWords WordsOf(const TuningChange& c) {
  TuningWords words;
  const auto note = [&](const char* name, const std::string& before,
                        const std::string& now, TuneReason reason) {
    Note(name, before, now, reason, &words);
  };
  note("pacing", Rate(c.before.pacing_bytes_per_second),
       Rate(c.now.pacing_bytes_per_second), c.now.pacing_reason);
  note("limit", WriteLimitName(c.before.limit), WriteLimitName(c.now.limit),
       c.now.pacing_reason);
  note("flush_first", OnOff(c.before.flush_first), OnOff(c.now.flush_first),
       c.now.gate_reason);
  note("debt_rate", DebtBudget(c.before) > 0 ? "limited" : "any",
       DebtBudget(c.now) > 0 ? "limited" : "any", c.now.gate_reason);
  note("debt_jobs", JobsMax(c.before.debt_jobs_max),
       JobsMax(c.now.debt_jobs_max), c.now.jobs_reason);
  note("maintenance_jobs", JobsMax(c.before.maintenance_jobs_max),
       JobsMax(c.now.maintenance_jobs_max), c.now.jobs_reason);
  note("all_slots", OnOff(c.before.all_slots), OnOff(c.now.all_slots),
       c.now.jobs_reason);
  note("preempt", OnOff(c.before.preempt), OnOff(c.now.preempt),
       c.now.jobs_reason);
  note("flush_merge", std::to_string(FlushMerge(c.shape_before)),
       std::to_string(FlushMerge(c.shape_now)), c.shape_now.flush_reason);
  return words;
}

bool IsNews(const TuningChange& c) {
  const TuningDecision& a = c.before;
  const TuningDecision& b = c.now;
  return !SamePace(a.pacing_bytes_per_second, b.pacing_bytes_per_second) ||
         a.limit != b.limit || a.flush_first != b.flush_first ||
         (DebtBudget(a) > 0) != (DebtBudget(b) > 0) ||
         a.debt_jobs_max != b.debt_jobs_max ||
         a.maintenance_jobs_max != b.maintenance_jobs_max ||
         a.all_slots != b.all_slots || a.preempt != b.preempt ||
         FlushMerge(c.shape_before) != FlushMerge(c.shape_now);
}

void ReportTuning(DbState* db, const TuningSnapshot& snapshot) {
  const TuningWords words = WordsOf(snapshot.told);
  const TuningDecisionInfo info = InfoOf(snapshot, words);
  const bool advice = snapshot.mode == TuningMode::kAdvise;
  Info(db->store.info_log, "[tuning]%s %s. %s", advice ? " advice:" : "",
       words.text.c_str(), info.why.c_str());
  TunerEvent event;
  event.tuner = info.mode;
  event.decision = words.text;
  event.before = words.before;
  event.after = words.after;
  event.reason = words.reason;
  event.why = info.why;
  const auto add = [&](const char* name, uint64_t value) {
    event.numbers.emplace_back(name, static_cast<int64_t>(value));
  };
  add("pacing_bytes_per_second", snapshot.decision.pacing_bytes_per_second);
  EachNumber(snapshot.view, add);
  db->events->TunerDecided(event);
  db->events->TuningDecision(info);
}

// ------------------------------------------------------------------- property

void AddTuningState(const TuningSnapshot& snapshot, TuningStateMap* state) {
  TuningStateMap& s = *state;
  const TuningDecision& decision = snapshot.decision;
  const bool advice = snapshot.mode == TuningMode::kAdvise;
  const auto add = [&](const char* name, uint64_t value) {
    s[name] = static_cast<double>(value) >= kUnlimitedBytes
                  ? "unlimited"
                  : std::to_string(value);
  };
  EachNumber(snapshot.view, add);
  const uint64_t pacing = decision.pacing_bytes_per_second;
  add("pacing_bytes_per_second", advice ? 0 : pacing);
  add("burst_bytes_per_second", advice ? 0 : decision.burst_bytes_per_second);
  add("burst_bytes", advice ? 0 : decision.burst_bytes);
  if (advice) {
    add("advised_pacing_bytes_per_second", pacing);
    s["advice"] = WhyText(snapshot);
  }
  s["limit"] = WriteLimitName(decision.limit);
  s["reason"] = TuneReasonName(MainReason(snapshot));
  s["pacing_reason"] = TuneReasonName(decision.pacing_reason);
  s["gate_reason"] = TuneReasonName(decision.gate_reason);
  s["jobs_reason"] = TuneReasonName(decision.jobs_reason);
  s["flush_first"] = OnOff(decision.flush_first);
  add("runs_floor_bytes_per_second", decision.runs_floor_bytes_per_second);
  add("debt_rate_bytes_per_second", DebtBudget(decision));
  add("chunk_bytes", decision.chunk_bytes);
  s["debt_jobs_max"] = JobsMax(decision.debt_jobs_max);
  s["maintenance_jobs_max"] = JobsMax(decision.maintenance_jobs_max);
  s["all_slots"] = OnOff(decision.all_slots);
  s["preempt"] = OnOff(decision.preempt);
  add("flush_merge",
      static_cast<uint64_t>(snapshot.shape.flush_merge_memtables));
  s["flush_reason"] = TuneReasonName(snapshot.shape.flush_reason);
  s["runs_reason"] = TuneReasonName(snapshot.shape.runs_reason);
  add("tier_files_min", static_cast<uint64_t>(snapshot.shape.tier_files_min));
  add("runs_target", static_cast<uint64_t>(snapshot.shape.runs_target));
  add("base_target_bytes", snapshot.shape.base_target_bytes);
  add("decisions", snapshot.decisions);
  if (snapshot.decisions == 0) return;
  s["decision"] = WordsOf(snapshot.told).text;
  add("time_micros", snapshot.told_micros);
}

namespace {

// "{name}" in a line is replaced by what the map has, "{name|unit|none}" by a
// quantity: "3 B/s", "1 file", "4 files", or the last word if it is 0. The line
// is left out if a name is unknown.
constexpr const char* kLines[] = {
    "mode          {mode} (compaction {compaction})",
    "advice        {advice}",
    "limit         {limit}, pressure {pressure_pct} %",
    "writes        offered {offered_bytes_per_second|B/s|nothing}, paced at "
    "{pacing_bytes_per_second|B/s|no rate} ({pacing_reason}), bursts to "
    "{burst_bytes_per_second|B/s|any rate}, sustainable "
    "{sustainable_bytes_per_second|B/s|unknown}",
    "device        capacity {capacity_bytes_per_second|B/s|unknown}, flush "
    "{flush_bytes_per_second|B/s|unknown}, merge "
    "{merge_bytes_per_second|B/s|unknown}, flushes wait {flush_wait_pct} %",
    "runs          {sorted_runs|sorted run|no}, {level0_files|file|no} in L0, "
    "{predicted_level0_files} when the running merge ends, target "
    "{runs_target}, read weight {read_weight_pct} %",
    "debt          {debt_bytes|B|none}, {debt_pct} % of the hard limit; "
    "foreseen {foreseen_debt_bytes|B|none}",
    "memory        {memory_pct} % of the memtable limit",
    "gate          flush_first {flush_first} ({gate_reason}), runs floor "
    "{runs_floor_bytes_per_second|B/s|none}, debt rate "
    "{debt_rate_bytes_per_second|B/s|any}, chunk {chunk_bytes|B|none}",
    "jobs          debt {debt_jobs_max}, maintenance "
    "{maintenance_jobs_max} ({jobs_reason})",
    "shape         {flush_merge|memtable|any} per flush ({flush_reason}), "
    "tiers of {tier_files_min|file|any size} ({runs_reason}), base target "
    "{base_target_bytes|B|by option}",
    "pinned        {pinned}",
    "decisions     {decisions}",
    "last          {decision}",
    "drain switch  {drained_pct} % drained, {drained_high_pct} % high",
};

// `value` of what `unit` names; a unit in small letters is a noun.
std::string Quantity(const std::string& value, const std::string& unit,
                     const std::string& none) {
  const bool noun = unit[0] >= 'a' && unit[0] <= 'z';
  // "no files", but "any" alone.
  if (value == "0") return noun && none == "no" ? "no " + unit + "s" : none;
  if (value == "unlimited") return value;
  return value + " " + unit + (noun && value != "1" ? "s" : "");
}

// False if something is unknown.
bool Fill(const char* line, const TuningStateMap& state, std::string* out) {
  for (const char* at = line; *at != '\0'; ++at) {
    if (*at != '{') {
      *out += *at;
      continue;
    }
    std::string parts[3];  // Name, unit, what to say for 0.
    for (size_t part = 0; *++at != '}';) {
      if (*at == '|') {
        ++part;
      } else {
        parts[part] += *at;
      }
    }
    const auto it = state.find(parts[0]);
    if (it == state.end()) return false;
    *out += parts[1].empty() ? it->second
                             : Quantity(it->second, parts[1], parts[2]);
  }
  *out += '\n';
  return true;
}

}  // namespace

std::string TuningStateText(const TuningStateMap& state) {
  std::string text;
  if (const auto why = state.find("why"); why != state.end()) {
    text += why->second + "\n";
  }
  for (const char* line : kLines) {
    std::string filled;
    if (Fill(line, state, &filled)) text += filled;
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
