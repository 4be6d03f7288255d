// Database: which job runs when, and what its end changes.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "db/options/validate.h"
#include "test/sim/database.h"

namespace ROCKSDB_NAMESPACE::sim {

using engine::CompactionPlan;
using engine::JobAction;
using engine::JobClass;
using engine::JobClassSet;
using engine::WorkClass;

namespace {

JobClass ClassOf(WorkClass work) {
  switch (work) {
    case WorkClass::kRuns:
      return JobClass::kRuns;
    case WorkClass::kDebt:
      return JobClass::kDebt;
    default:
      return JobClass::kMaintenance;
  }
}

}  // namespace

bool Database::Due(const Family& family, JobClass job_class) const {
  if (!family.auto_compactions || closed_) return false;
  if (family.blocked[static_cast<size_t>(job_class)]) return false;
  for (const engine::LevelScore& s : family.tree->state().scores) {
    if (s.score < 1) continue;
    if (job_class == JobClass::kMaintenance) continue;
    const bool runs = job_class == JobClass::kRuns;
    const auto index = static_cast<size_t>(&family - families_.data());
    const bool both = s.level == 0 && shapes_[index].runs_target > 0;
    if ((s.level == 0) == runs || both) return true;
  }
  return false;
}

engine::JobDemand Database::Demand() const {
  engine::JobDemand demand;
  demand.flushes_running = flushes_;
  demand.compactions_running = slots_taken_;
  for (size_t i = 0; i < families_.size(); ++i) {
    demand.flushes_waiting += FlushPending(i) ? 1 : 0;
    bool any = false;
    for (const JobClass c : engine::kJobClasses) {
      if (!Due(families_[i], c)) continue;
      ++demand.Of(c).waiting;
      any = true;
    }
    demand.compactions_waiting += any ? 1 : 0;
  }
  for (const auto& job : jobs_) {
    if (job->is_flush()) continue;
    const bool manual = job->plan->is_manual;
    engine::JobClassDemand& d = demand.Of(ClassOf(job->work));
    switch (job->state) {
      case Job::State::kRunning:
        ++(manual ? demand.manual.running : d.running);
        break;
      case Job::State::kPausing:
        ++(manual ? demand.manual.pausing : d.pausing);
        break;
      case Job::State::kPaused:
        ++(manual ? demand.manual.paused : d.paused);
        break;
      default:
        if (!manual) ++d.finishing;
    }
  }
  return demand;
}

engine::JobLimits Database::Limits() const {
  const engine::BackgroundLimits by_options = engine::ResolveBackgroundLimits(
      options_.db, decision_.all_slots || controller_.NeedSpeedupCompaction());
  engine::JobLimits limits{by_options.flushes, by_options.compactions, {}, {}};
  limits.allowance = {.debt = decision_.debt_jobs_max,
                      .maintenance = decision_.maintenance_jobs_max};
  limits.preempt = decision_.preempt;
  return limits;
}

void Database::Schedule() {
  using Kind = JobAction::Kind;
  // What a start changes is looked at by the loop that started it.
  if (closed_ || scheduling_) return;
  scheduling_ = true;
  for (bool more = true; more;) {
    const JobAction action = engine::NextJob(Demand(), Limits());
    switch (action.kind) {
      case Kind::kStartFlush:
        StartFlush();
        break;
      case Kind::kPause:
        if (!action.for_start.empty() && !CanStart(action.for_start)) break;
        more = PauseJob(action.job_class);
        break;
      case Kind::kUnpause:
        more = UnpauseJob(action.job_class);
        break;
      case Kind::kStart:
        StartCompaction(action.classes);
        break;
      case Kind::kResume:
        more = ResumeJob(action.job_class);
        break;
      default:
        more = false;
    }
  }
  scheduling_ = false;
}

// --------------------------------------------------------------------- flush

void Database::StartFlush() {
  size_t index = 0;
  while (!FlushPending(index)) ++index;
  Family& family = families_[index];
  auto job = std::make_unique<Job>();
  job->id = next_id_++;
  job->family = index;
  job->work = WorkClass::kFlush;
  bool first = true;
  for (MemTable& m : family.sealed) {
    if (m.picked) continue;
    m.picked = true;
    m.pick = job->id;
    job->memtables.push_back(m.id);
    if (first) job->writes.smallest_sequence = m.writes.smallest_sequence;
    first = false;
    job->writes.largest_sequence = m.writes.largest_sequence;
    job->writes.puts += m.writes.puts;
    job->writes.deletions += m.writes.deletions;
  }
  family.flush_requested = false;
  job->flushed = family.tree->FlushedFile(job->writes);
  job->started_ns = around_.events->now_ns();
  ++flushes_;
  SetRunning(job->work, +1);
  ++*around_.flushes_writing;
  Job* const started = job.get();
  jobs_.push_back(std::move(job));
  started->own_left = started->flushed->size;
  // A table must not be ahead of the log of another family.
  uint64_t log_bytes = 0;
  if (families_.size() > 1) {
    log_bytes =
        log_closed_bytes_ - std::exchange(log_synced_bytes_, log_closed_bytes_);
  }
  started->Start(&place_, 1, 0, started->flushed->size + log_bytes);
}

// ---------------------------------------------------------------- compaction

std::optional<CompactionPlan> Database::Pick(size_t index,
                                             JobClassSet classes) {
  engine::PickInput input = families_[index].tree->InputFor();
  input.shape = shapes_[index];
  input.pick_runs = classes.Has(JobClass::kRuns);
  input.pick_lower = classes.Has(JobClass::kDebt);
  if (input.shape.subcompactions > 0) {
    input.max_subcompactions =
        static_cast<uint32_t>(input.shape.subcompactions);
  }
  std::optional<CompactionPlan> plan = engine::PickLeveled(input);
  if (!plan) {
    for (const JobClass c : engine::kJobClasses) {
      if (classes.Has(c)) {
        families_[index].blocked[static_cast<size_t>(c)] = true;
      }
    }
  }
  return plan;
}

bool Database::CanStart(JobClassSet classes) {
  for (size_t i = 0; i < families_.size(); ++i) {
    for (const JobClass c : engine::kJobClasses) {
      if (!classes.Has(c) || !Due(families_[i], c)) continue;
      if (Pick(i, classes)) return true;
      break;
    }
  }
  return false;
}

bool Database::StartCompaction(JobClassSet classes) {
  size_t next = families_.size();
  double worst = 0;
  for (size_t i = 0; i < families_.size(); ++i) {
    bool due = false;
    for (const JobClass c : engine::kJobClasses) {
      due |= classes.Has(c) && Due(families_[i], c);
    }
    double score = 0;
    for (const engine::LevelScore& s : families_[i].tree->state().scores) {
      const JobClass c = s.level == 0 ? JobClass::kRuns : JobClass::kDebt;
      if (classes.Has(c)) score = std::max(score, s.score);
    }
    if (due && (next == families_.size() || score > worst)) {
      next = i;
      worst = score;
    }
  }
  if (next == families_.size()) return false;
  std::optional<CompactionPlan> plan = Pick(next, classes);
  if (!plan) return false;
  RunPlan(next, std::move(*plan));
  return true;
}

void Database::RunPlan(size_t index, CompactionPlan plan) {
  Family& family = families_[index];
  if (plan.is_trivial_move) {
    family.tree->InstallMove(plan);
    family.blocked = {};
    Recalculate(&family);
    return;
  }
  auto job = std::make_unique<Job>();
  job->id = next_id_++;
  job->family = index;
  job->work = engine::WorkClassOf(plan.job_class());
  job->io_class = static_cast<engine::IoClass>(job->work);
  job->plan = std::make_unique<CompactionPlan>(std::move(plan));
  job->outputs = family.tree->MergedFiles(*job->plan);
  family.tree->Register(job->plan.get());
  job->started_ns = around_.events->now_ns();
  uint64_t output_bytes = 0;
  for (const engine::FilePtr& file : job->outputs) output_bytes += file->size;
  if (!job->plan->is_manual) ++slots_taken_;
  SetRunning(job->work, +1);
  Job* const started = job.get();
  jobs_.push_back(std::move(job));
  Trace("begins", *started);
  RankMerges(index);
  // Slices are cut at file boundaries: there are no more than outputs.
  const auto outputs = static_cast<uint32_t>(started->outputs.size());
  const uint32_t slices = std::min(started->plan->max_subcompactions, outputs);
  started->Start(&place_, static_cast<int>(slices), started->plan->InputBytes(),
                 output_bytes);
}

// --------------------------------------------------------------- pause, resume

Job* Database::FindJob(JobClass job_class, Job::State state) {
  Job* found = nullptr;
  for (const auto& job : jobs_) {
    if (job->is_flush() || job->state != state) continue;
    if (job->work != engine::WorkClassOf(job_class)) continue;
    const auto left = [](const Job& j) {
      return engine::JobLeft{j.plan.get(),
                             j.plan->InputBytes() - j.read_done()};
    };
    // The last of the running ones is paused, the first of others goes on.
    if (found == nullptr ||
        (state == Job::State::kRunning ? GoesFirst(left(*found), left(*job))
                                       : GoesFirst(left(*job), left(*found)))) {
      found = job.get();
    }
  }
  return found;
}

bool Database::PauseJob(JobClass job_class) {
  Job* const job = FindJob(job_class, Job::State::kRunning);
  if (job == nullptr) return false;
  ++counts_.pauses;
  job->started_ns = around_.events->now_ns();
  job->Pause();
  return true;
}

bool Database::UnpauseJob(JobClass job_class) {
  Job* job = FindJob(job_class, Job::State::kPausing);
  // A manual job needs no slot to go on.
  if (job == nullptr) job = FindJob(job_class, Job::State::kPaused);
  if (job == nullptr) return false;
  if (job->state == Job::State::kPaused) {
    if (!job->plan->is_manual) return ResumeJob(job_class);
    SetRunning(job->work, +1);
  }
  job->Resume();
  return true;
}

bool Database::ResumeJob(JobClass job_class) {
  Job* const job = FindJob(job_class, Job::State::kPaused);
  if (job == nullptr) return false;
  if (!job->plan->is_manual) ++slots_taken_;
  SetRunning(job->work, +1);
  job->Resume();
  Trace("resumes", *job);
  RankMerges(job->family);
  return true;
}

void Database::Paused(Job* job) {
  counts_.longest_pause_micros =
      std::max(counts_.longest_pause_micros,
               (around_.events->now_ns() - job->started_ns) / kNanosPerMicro);
  if (!job->plan->is_manual) --slots_taken_;
  SetRunning(job->work, -1);
  Trace("pauses", *job);
  RankMerges(job->family);
  Schedule();
}

// ----------------------------------------------------------------------- end

void Database::Worked(Job* job) {
  if (job->is_flush()) --*around_.flushes_writing;
  around_.events->After(Nanos(options_.install_seconds), this,
                        kInstall + job->id);
}

void Database::Install(uint64_t job_id) {
  const auto it =
      std::find_if(jobs_.begin(), jobs_.end(),
                   [&](const auto& job) { return job->id == job_id; });
  if (it == jobs_.end()) return;  // Cancelled.
  Job* const job = it->get();
  Family& family = families_[job->family];
  if (job->is_flush()) {
    for (MemTable& m : family.sealed) {
      if (m.id == job->memtables.front()) m.table = std::move(job->flushed);
      m.built |= std::find(job->memtables.begin(), job->memtables.end(),
                           m.id) != job->memtables.end();
    }
    InstallFlushes(&family);
  } else {
    Trace("ends", *job);
    family.tree->InstallMerge(*job->plan, job->outputs);
    for (const engine::FilePtr& file : job->outputs) {
      counts_.compacted_bytes += file->size;
    }
    family.tree->Unregister(job->plan.get());
  }
  const size_t index = job->family;
  EndJob(job);
  RankMerges(index);
  family.blocked = {};
  Recalculate(&family);
  for (size_t i = 0; i < families_.size(); ++i) NextManual(i);
  Schedule();
}

// Flushes end in any order, but are installed from the oldest on.
void Database::InstallFlushes(Family* family) {
  while (!family->sealed.empty() && family->sealed.front().built) {
    engine::FilePtr table = std::move(family->sealed.front().table);
    flushed_writes_ += family->sealed.front().writes.count();
    flushed_.data_bytes += family->sealed.front().data_bytes;
    family->sealed.erase(family->sealed.begin());
    if (table == nullptr) continue;
    counts_.flushed_bytes += table->size;
    flushed_.table_bytes += table->size;
    family->tree->InstallFlush(std::move(table));
  }
}

void Database::Trace(const char* what, const Job& job) const {
  if (!trace) return;
  char text[200];
  std::snprintf(text, sizeof(text),
                "%8.2f [JOB %llu] %s %s: %s, %.1f of %.1f MB",
                Seconds(around_.events->now_ns()),
                static_cast<unsigned long long>(job.id), what,
                JobClassName(ClassOf(job.work)), job.plan->Summary().c_str(),
                static_cast<double>(job.read_done()) / 1e6,
                static_cast<double>(job.plan->InputBytes()) / 1e6);
  trace(text);
}

void Database::EndJob(Job* job) {
  if (job->state != Job::State::kPaused) SetRunning(job->work, -1);
  if (job->is_flush()) {
    --flushes_;
  } else if (!job->plan->is_manual && job->state != Job::State::kPaused) {
    --slots_taken_;
  }
  job->End();
  const auto it = std::find_if(jobs_.begin(), jobs_.end(),
                               [job](const auto& j) { return j.get() == job; });
  ended_.push_back(std::move(*it));
  jobs_.erase(it);
}

// Of the merges out of level 0 the cheapest per file goes first at the gate.
void Database::RankMerges(size_t family) {
  if (shapes_[family].runs_target == 0) return;
  Job* first = nullptr;
  const auto left = [](const Job& j) {
    return j.plan->BytesPerFileGone(j.read_done());
  };
  for (const auto& job : jobs_) {
    const bool ranked = job->family == family &&
                        job->work == WorkClass::kRuns &&
                        job->state == Job::State::kRunning;
    if (!ranked) continue;
    job->io_class = engine::IoClass::kDebt;
    if (first == nullptr || left(*job) < left(*first)) first = job.get();
  }
  if (first != nullptr) first->io_class = engine::IoClass::kRuns;
}

// -------------------------------------------------------------------- manual

void Database::CompactAll(size_t family) {
  families_[family].manual_level = 0;
  NextManual(family);
}

bool Database::ManualUnderWay(size_t family) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& job) {
    return job->family == family && !job->is_flush() && job->plan->is_manual;
  });
}

void Database::NextManual(size_t index) {
  Family& family = families_[index];
  while (family.manual_level >= 0 && !closed_ && !ManualUnderWay(index)) {
    const int from = family.manual_level;
    if (from + 1 >= family.tree->version()->num_non_empty_levels()) {
      family.manual_level = -1;
      return;
    }
    const int to =
        from == 0 ? std::max(family.tree->state().base_level, 1) : from + 1;
    bool conflict = false;
    std::optional<CompactionPlan> plan = engine::PickManual(
        family.tree->InputFor(), {from, to, nullptr, nullptr, true}, &conflict);
    if (conflict) return;  // Asked again when a job has ended.
    family.manual_level = to;
    if (plan) RunPlan(index, std::move(*plan));
  }
}

void Database::Close() {
  closed_ = true;
  while (!jobs_.empty()) {
    Job* const job = jobs_.back().get();
    if (job->is_flush()) {
      // Its memtables would come back from the log.
      if (job->state != Job::State::kFinishing) --*around_.flushes_writing;
    } else {
      families_[job->family].tree->Unregister(job->plan.get());
    }
    EndJob(job);
  }
  for (Family& family : families_) family.token = {};
}

}  // namespace ROCKSDB_NAMESPACE::sim
