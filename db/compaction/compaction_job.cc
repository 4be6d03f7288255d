#include "db/compaction/compaction_job.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>

#include "db/compaction/filter_making.h"
#include "db/compaction/output_cutter.h"
#include "db/format/file_names.h"
#include "db/read/level_iterator.h"
#include "rocksdb/file_system.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "table/merging_iterator.h"
#include "table/timestamps.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Progress is published in steps, so that slices do not share a line of
// memory per entry.
constexpr uint64_t kProgressStepBytes = 128 << 10;

Status Cancelled() {
  return Status::ShutdownInProgress("The compaction was cancelled");
}

}  // namespace

// One key range of the job: its cursor, its open output, its finished files.
class CompactionJob::KeySlice {
 public:
  KeySlice(CompactionJob* job, std::optional<std::string> begin,
           std::optional<std::string> end)
      : job_(job),
        begin_(std::move(begin)),
        end_(std::move(end)),
        meter_(job->oldest_blob_file_) {}

  JobProgress Run(const PauseToken& token);

  const Status& status() const { return status_; }
  const std::vector<FinishedTable>& outputs() const { return outputs_; }
  bool started() const { return started_; }
  const BlobOutput* blob_output() const {
    return blob_stage_ != nullptr ? blob_stage_->output() : nullptr;
  }
  void KeepBlobFiles() {
    if (blob_output() != nullptr) blob_stage_->output()->Keep();
  }
  const BlobGarbageMeter& blob_meter() const { return meter_; }
  void AddStats(CompactionJobStats* stats) const;
  void AddCpuMicros(uint64_t micros) { cpu_micros_ += micros; }

 private:
  void Start(const PauseToken& token);
  void StartBlobs();
  JobProgress Loop(const PauseToken& token);
  bool StartsNewUserKey() const;
  bool IsBoundary(const Slice& user_key) const;
  uint64_t SizeMax() const { return job_->plan_.output_file_size_max; }
  Status AddCurrent();
  Status FinishBlobs();
  Status CutRangeDeletions(const Slice* until);
  Status AddRangeDeletions(const Slice* end);
  Status StartOutput();
  // `end`: where the next output begins; null: nowhere.
  Status FinishOutput(const Slice* end);
  void TellOutputEnded(const FinishedTable& table, const Status& status);
  JobProgress Fail(const Status& status);
  uint64_t ConsumedBytes() const;
  void PublishProgress();

  CompactionJob* const job_;
  const std::optional<std::string> begin_;  // User keys; end exclusive.
  const std::optional<std::string> end_;

  // One of a factory belongs to one slice and thus to one thread.
  JobFilter filter_;
  BlobGarbageMeter meter_;
  std::unique_ptr<BlobFetcher> fetcher_;   // Null: the inputs have no blobs.
  std::unique_ptr<BlobStage> blob_stage_;  // Null: nothing to do with blobs.
  std::unique_ptr<InternalIterator> input_;
  std::unique_ptr<CompactionIterator> iter_;
  std::unique_ptr<OutputCutter> cutter_;
  std::unique_ptr<SstPartitioner> partitioner_;  // May be null.
  std::unique_ptr<TableOutput> output_;
  uint64_t output_number_ = 0;               // 0: none is open.
  std::optional<std::string> output_begin_;  // Of its range deletions.
  std::string last_user_key_;
  bool has_last_key_ = false;
  std::vector<FinishedTable> outputs_;
  uint64_t output_records_ = 0;
  CompactionIteratorStats stats_;
  uint64_t cpu_micros_ = 0;
  uint64_t finished_bytes_ = 0;
  uint64_t consumed_told_ = 0;  // What the job's sums hold of this slice.
  uint64_t written_told_ = 0;
  bool started_ = false;
  bool done_ = false;
  Status status_;
};

void CompactionJob::KeySlice::Start(const PauseToken& token) {
  assert(!started_ && outputs_.empty());
  started_ = true;
  const CompactionJobDeps& deps = job_->deps_;
  Result<JobFilter> filter =
      FilterForCompaction(deps.owner, job_->plan_, *deps.tables);
  if (!filter.ok()) {
    (void)Fail(filter.status());
    return;
  }
  filter_ = std::move(*filter);
  input_ = job_->NewInput();
  StartBlobs();
  CompactionIteratorOptions options;
  options.icmp = deps.owner.icmp;
  options.snapshots = deps.snapshots;
  options.full_history_ts_low = deps.full_history_ts_low;
  options.trim_after = deps.trim_after;
  options.merge = {deps.owner.options->merge_operator.get(),
                   deps.store->info_log, deps.store->statistics};
  options.filter = filter_.get();
  options.level = job_->plan_.start_level();
  options.bottommost = job_->plan_.bottommost;
  options.may_exist_below = job_->MayExistBelow();
  options.blobs = fetcher_.get();
  options.tombstones = job_->tombstones_.get();
  output_begin_ = begin_;
  options.end = end_;
  if (begin_) {
    options.begin = InternalKey(*begin_, kSequenceMax, kTypeForSeek);
  }
  iter_ =
      std::make_unique<CompactionIterator>(std::move(options), input_.get());
  cutter_ = std::make_unique<OutputCutter>(
      OutputCutterOptions{deps.owner.icmp, job_->plan_.output_file_size_max,
                          job_->plan_.overlap_bytes_max},
      job_->Grandparents());
  partitioner_ = PartitionerOf(*deps.owner.options, job_->plan_);
  iter_->set_token(&token);
  iter_->SeekToFirst();
}

// Most compactions know nothing of blobs and have nothing of this.
void CompactionJob::KeySlice::StartBlobs() {
  const CompactionJobDeps& deps = job_->deps_;
  BlobStageOptions stage;
  stage.output = job_->NewBlobOutput();
  const bool has_input = job_->oldest_blob_file_ != kNoBlobFile;
  if (has_input) {
    fetcher_ = std::make_unique<BlobFetcher>(deps.blobs, job_->plan_.version,
                                             deps.io_pass);
    input_ = std::make_unique<BlobInflowIterator>(
        std::move(input_), deps.owner.icmp, end_, &meter_);
    stage.collect_below = job_->plan_.collect_blobs_below;
    stage.fetcher = fetcher_.get();
    stage.meter = &meter_;
  }
  if (!has_input && stage.output == nullptr) return;
  stage.min_blob_size = deps.owner.options->min_blob_size;
  stage.statistics = deps.store->statistics;
  blob_stage_ = std::make_unique<BlobStage>(std::move(stage));
}

JobProgress CompactionJob::KeySlice::Run(const PauseToken& token) {
  if (!status_.ok()) return JobProgress::kFailed;
  if (done_) return JobProgress::kDone;
  if (!started_) {
    if (!job_->load_status_.ok()) return Fail(job_->load_status_);
    // Opening the inputs takes a while.
    if (token.wish() == PauseToken::Wish::kPause) return JobProgress::kPaused;
    if (token.wish() == PauseToken::Wish::kCancel) return Fail(Cancelled());
    const Status begun = OrNoMemory([&] {
      Start(token);
      return status_;
    });
    if (!begun.ok()) return Fail(begun);
  }
  JobProgress progress = JobProgress::kFailed;
  const Status ran = OrNoMemory([&] {
    progress = Loop(token);
    return Status::OK();
  });
  if (!ran.ok()) progress = Fail(ran);
  PublishProgress();
  if (progress != JobProgress::kPaused) {
    done_ = progress == JobProgress::kDone;
    output_.reset();  // After an error: deletes the unfinished file.
    if (output_number_ != 0) TellOutputEnded({}, status_);
    stats_ = iter_->stats();
    iter_.reset();
    input_.reset();
  }
  return progress;
}

JobProgress CompactionJob::KeySlice::Loop(const PauseToken& token) {
  iter_->set_token(&token);
  if (iter_->interrupted()) iter_->Continue();
  for (; iter_->Valid(); iter_->Next()) {
    if (const Status status = AddCurrent(); !status.ok()) return Fail(status);
    if (ConsumedBytes() - consumed_told_ >= kProgressStepBytes) {
      PublishProgress();
    }
  }
  if (iter_->interrupted()) {
    // The pause may have been withdrawn; the caller checks.
    if (token.wish() != PauseToken::Wish::kCancel) return JobProgress::kPaused;
    return Fail(Cancelled());
  }
  if (!iter_->status().ok()) return Fail(iter_->status());
  const Slice end = end_ ? Slice(*end_) : Slice();
  const Slice* const until = end_ ? &end : nullptr;
  if (const Status s = CutRangeDeletions(until); !s.ok()) return Fail(s);
  if (const Status s = FinishOutput(until); !s.ok()) return Fail(s);
  if (const Status s = FinishBlobs(); !s.ok()) return Fail(s);
  return JobProgress::kDone;
}

// Uncompressed bytes of the input entries seen so far.
uint64_t CompactionJob::KeySlice::ConsumedBytes() const {
  return iter_->stats().input_key_bytes + iter_->stats().input_value_bytes;
}

// For those who watch the job: what was read, and what came of it.
void CompactionJob::KeySlice::PublishProgress() {
  const uint64_t consumed = ConsumedBytes();
  assert(consumed >= consumed_told_);
  job_->consumed_bytes_.fetch_add(consumed - consumed_told_,
                                  std::memory_order_relaxed);
  consumed_told_ = consumed;
  uint64_t written = finished_bytes_;
  if (output_ != nullptr) written += output_->EstimatedFileSize();
  // An estimate may shrink when a file is finished: the sum stays right.
  job_->written_bytes_.fetch_add(written - written_told_,
                                 std::memory_order_relaxed);
  written_told_ = written;
}

JobProgress CompactionJob::KeySlice::Fail(const Status& status) {
  assert(!status.ok());
  status_ = status;
  return JobProgress::kFailed;
}

bool CompactionJob::KeySlice::StartsNewUserKey() const {
  return !has_last_key_ ||
         !job_->deps_.owner.icmp->SameKey(iter_->user_key(), last_user_key_);
}

// The program wants the next file to begin at this key.
bool CompactionJob::KeySlice::IsBoundary(const Slice& user_key) const {
  if (partitioner_ == nullptr || output_ == nullptr || !has_last_key_) {
    return false;
  }
  const Slice last_key = last_user_key_;
  const PartitionerRequest request(last_key, user_key,
                                   output_->SizeForCut(SizeMax()));
  return partitioner_->ShouldPartition(request) == kRequired;
}

Status CompactionJob::KeySlice::AddCurrent() {
  if (StartsNewUserKey()) {
    const Slice user_key = iter_->user_key();
    RETURN_IF_ERROR(CutRangeDeletions(&user_key));
    if (IsBoundary(user_key)) RETURN_IF_ERROR(FinishOutput(&user_key));
    const uint64_t size =
        output_ == nullptr ? 0 : output_->SizeForCut(SizeMax());
    const bool cut = cutter_->ShouldCutBefore(user_key, size);
    if (cut) RETURN_IF_ERROR(FinishOutput(&user_key));
    last_user_key_.assign(iter_->user_key().data(), iter_->user_key().size());
    has_last_key_ = true;
  }
  if (output_ == nullptr) RETURN_IF_ERROR(StartOutput());
  if (blob_stage_ != nullptr) [[unlikely]] {
    RETURN_IF_ERROR(blob_stage_->Pass(iter_->key(), iter_->value()));
    output_->Add(blob_stage_->key(), blob_stage_->value());
  } else {
    output_->Add(iter_->key(), iter_->value());
  }
  ++output_records_;
  return output_->status();
}

Status CompactionJob::KeySlice::FinishBlobs() {
  return blob_stage_ != nullptr ? blob_stage_->Finish() : Status::OK();
}

// Range deletions behind the last entry may lie over too many grandparents.
Status CompactionJob::KeySlice::CutRangeDeletions(const Slice* until) {
  if (job_->tombstones_ == nullptr) return Status::OK();
  const InternalKeyComparator& icmp = *job_->deps_.owner.icmp;
  const Slice last_key = last_user_key_;
  const Slice* at =
      cutter_->NextGrandparent(has_last_key_ ? &last_key : nullptr);
  if (at != nullptr && output_begin_) {
    const Slice begin = *output_begin_;
    at = cutter_->NextGrandparent(&begin);
  }
  while (at != nullptr &&
         (until == nullptr || icmp.CompareUserKey(*at, *until) < 0)) {
    const bool of_last = has_last_key_ && icmp.SameKey(*at, last_key);
    if (!of_last && job_->tombstones_->NewestOver(*at, kSequenceMax) > 0) {
      const uint64_t size =
          output_ == nullptr ? 1 : output_->SizeForCut(SizeMax());
      if (cutter_->ShouldCutBefore(*at, size)) {
        RETURN_IF_ERROR(FinishOutput(at));
      }
    }
    const Slice passed = *at;
    at = cutter_->NextGrandparent(&passed);
  }
  return Status::OK();
}

Status CompactionJob::KeySlice::AddRangeDeletions(const Slice* end) {
  if (job_->surviving_ == nullptr) return Status::OK();
  const Slice begin = output_begin_ ? Slice(*output_begin_) : Slice();
  for (const RangeTombstone& tombstone :
       job_->surviving_->Between(output_begin_ ? &begin : nullptr, end)) {
    if (output_ == nullptr) RETURN_IF_ERROR(StartOutput());
    output_->AddRangeDeletion(tombstone);
  }
  return Status::OK();
}

Status CompactionJob::KeySlice::StartOutput() {
  assert(output_ == nullptr && output_number_ == 0);
  output_number_ = job_->deps_.new_file_number();
  if (job_->deps_.observer != nullptr) {
    job_->deps_.observer->TableBegun(output_number_,
                                     job_->plan_.output_path_id);
  }
  auto created = job_->NewOutput(output_number_);
  if (!created.ok()) return created.status();
  output_ = std::move(*created);
  return Status::OK();
}

void CompactionJob::KeySlice::TellOutputEnded(const FinishedTable& table,
                                              const Status& status) {
  const uint64_t number = std::exchange(output_number_, 0);
  if (job_->deps_.observer == nullptr) return;
  job_->deps_.observer->TableEnded(number, job_->plan_.output_path_id, table,
                                   status);
}

Status CompactionJob::KeySlice::FinishOutput(const Slice* end) {
  std::string bound;
  if (end != nullptr) {
    bound = BeforeVersions(*end, *job_->deps_.owner.icmp->user_comparator());
  }
  const Slice until = bound;
  RETURN_IF_ERROR(AddRangeDeletions(end != nullptr ? &until : nullptr));
  if (end != nullptr) output_begin_ = bound;
  if (output_ == nullptr) return Status::OK();
  Result<FinishedTable> finished = output_->Finish();
  output_.reset();
  if (!finished.ok()) return finished.status();
  assert(finished->file->number == output_number_);
  finished_bytes_ += finished->file->size;
  finished->file->epoch = job_->epoch_;
  if (job_->plan_.bottommost) {
    const std::vector<SequenceNumber>& snapshots = job_->deps_.snapshots;
    finished->file->settled_sequence =
        snapshots.empty() ? kSequenceMax : snapshots.front();
  }
  finished->file->oldest_ancestor_time_secs = job_->oldest_ancestor_time_secs_;
  TellOutputEnded(*finished, Status::OK());
  outputs_.push_back(std::move(*finished));
  return Status::OK();
}

void CompactionJob::KeySlice::AddStats(CompactionJobStats* stats) const {
  const CompactionIteratorStats now =
      iter_ != nullptr ? iter_->stats() : stats_;
  stats->iterator.Add(now);
  stats->output_records += output_records_;
  stats->cpu_micros += cpu_micros_;
  for (const FinishedTable& table : outputs_) {
    ++stats->output_files;
    stats->output_bytes += table.file->size;
  }
  if (fetcher_ != nullptr) {
    stats->blobs_read += fetcher_->blobs_read();
    stats->blob_bytes_read += fetcher_->bytes_read();
  }
  if (blob_output() != nullptr) {
    stats->blob_files_written += blob_output()->files().size();
    stats->blob_bytes_written += blob_output()->written_bytes();
  }
}

// ------------------------------------------------------------------------ job

CompactionJob::CompactionJob(CompactionJobDeps deps, CompactionPlan plan)
    : deps_(std::move(deps)), plan_(std::move(plan)) {
  epoch_ = UINT64_MAX;
  oldest_ancestor_time_secs_ = UINT64_MAX;
  input_bytes_ = plan_.InputBytes();
  oldest_blob_file_ = plan_.OldestBlobFile();
  bool sizes_known = true;
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    for (const FilePtr& file : inputs.files) {
      epoch_ = std::min(epoch_, file->epoch);
      sizes_known &= file->stats_loaded.load(std::memory_order_acquire);
      entry_bytes_ += file->raw_key_bytes.load(std::memory_order_relaxed) +
                      file->raw_value_bytes.load(std::memory_order_relaxed);
      if (file->oldest_ancestor_time_secs != kUnknownTimeSecs) {
        oldest_ancestor_time_secs_ = std::min(oldest_ancestor_time_secs_,
                                              file->oldest_ancestor_time_secs);
      }
    }
  }
  assert(epoch_ != UINT64_MAX);  // There are inputs.
  if (!sizes_known) entry_bytes_ = 0;
  if (oldest_ancestor_time_secs_ == UINT64_MAX) {
    oldest_ancestor_time_secs_ = kUnknownTimeSecs;
  }
}

CompactionJob::~CompactionJob() {
  if (!finished_) DeleteOutputs();
}

size_t CompactionJob::slices() const { return adopted() ? 1 : slices_.size(); }

size_t CompactionJob::Prepare() {
  assert(slices_.empty() && !adopted());
  std::vector<std::string> cuts = CutPoints();
  std::optional<std::string> begin;
  for (std::string& cut : cuts) {
    assert(!begin || deps_.owner.icmp->CompareUserKey(*begin, cut) < 0);  // (2)
    slices_.push_back(std::make_unique<KeySlice>(this, begin, cut));
    begin = std::move(cut);
  }
  slices_.push_back(std::make_unique<KeySlice>(this, begin, std::nullopt));
  load_status_ = OrNoMemory([this] { return LoadRangeDeletions(); });
  return slices_.size();
}

// Each file's act only between its bounds: what lies outside of them may long
// be gone from there.
Status CompactionJob::LoadRangeDeletions() {
  assert(tombstones_ == nullptr && surviving_ == nullptr);
  std::vector<std::shared_ptr<const TombstoneSet>> sets;  // Own the keys ...
  std::deque<std::string> ends;                           // ... but these.
  std::vector<RangeTombstone> tombstones;
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    for (const FilePtr& file : inputs.files) {
      auto set = deps_.tables->Tombstones(*file, inputs.level);
      if (!set.ok()) return set.status();
      if (*set == nullptr) continue;
      AppendWithin(**set, *file, &ends, &tombstones);
      sets.push_back(std::move(*set));
    }
  }
  if (!deps_.trim_after.empty()) {
    const Comparator& order = *deps_.owner.icmp->user_comparator();
    std::erase_if(tombstones, [&](const RangeTombstone& tombstone) {
      return order.CompareTimestamp(tombstone.timestamp, deps_.trim_after) > 0;
    });
  }
  if (tombstones.empty()) return Status::OK();
  tombstones_ =
      std::make_unique<TombstoneSet>(deps_.owner.icmp, std::move(tombstones));
  SurvivingTombstones::Options options;
  options.snapshots = deps_.snapshots;
  options.may_exist_below = [this](const Slice& begin, const Slice& end) {
    // An output in level 0 lies above files of level 0 it did not read.
    if (plan_.output_level == 0) return true;
    return !plan_.bottommost &&
           plan_.version->RangeOverlapsBelow(plan_.output_level, begin, end);
  };
  surviving_ = std::make_unique<SurvivingTombstones>(tombstones_.get(),
                                                     std::move(options));
  return Status::OK();
}

// User keys that cut the inputs into ranges of about equal size, at most one
// range per allowed slice and none smaller than an output file.
std::vector<std::string> CompactionJob::CutPoints() {
  std::vector<std::string> cuts;
  if (plan_.max_subcompactions <= 1) return cuts;
  constexpr size_t kAnchorsPerFile = 128;
  const InternalKeyComparator& icmp = *deps_.owner.icmp;
  std::vector<TableReader::Anchor> anchors;
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    for (const FilePtr& file : inputs.files) {
      auto table =
          deps_.tables->Find(*file, inputs.level, Env::IOActivity::kCompaction);
      // An unreadable input fails the slice that reads it.
      if (!table.ok()) return {};
      std::vector<TableReader::Anchor> some;
      if (!(*table)->ApproximateKeyAnchors(kAnchorsPerFile, &some).ok()) {
        return {};
      }
      anchors.insert(anchors.end(), some.begin(), some.end());
    }
  }
  std::sort(anchors.begin(), anchors.end(), [&](const auto& a, const auto& b) {
    return icmp.CompareUserKey(a.user_key, b.user_key) < 0;
  });
  uint64_t total_bytes = 0;
  for (const auto& anchor : anchors) total_bytes += anchor.range_bytes;
  assert(plan_.output_file_size_max > 0);
  const uint64_t slices = std::min<uint64_t>(
      plan_.max_subcompactions,
      std::max<uint64_t>(1, total_bytes / plan_.output_file_size_max));
  uint64_t bytes = 0;
  for (const auto& anchor : anchors) {
    bytes += anchor.range_bytes;
    if (bytes * slices < total_bytes * (cuts.size() + 1)) continue;
    if (cuts.size() + 1 >= slices) break;
    const bool ascends =
        cuts.empty() || icmp.CompareUserKey(cuts.back(), anchor.user_key) < 0;
    if (ascends) cuts.push_back(anchor.user_key);
  }
  return cuts;
}

std::unique_ptr<InternalIterator> CompactionJob::NewInput() const {
  ReadOptions read_options;
  read_options.fill_cache = false;
  read_options.verify_checksums = true;
  // Many inputs share what a few would take: dozens of L0 files must not
  // each hold a window of megabytes.
  constexpr uint64_t kReadaheadBytesMax = 16 << 20;
  const uint64_t windows = std::max<uint64_t>(1, plan_.InputFileCount());
  const auto readahead = static_cast<size_t>(
      std::min(deps_.compaction_readahead_bytes, kReadaheadBytesMax / windows));
  TableScan scan(TableReadPurpose::kCompaction);
  scan.readahead_bytes = readahead;
  scan.io_pass = deps_.io_pass;
  std::vector<InternalIterator*> children;
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    if (inputs.files.empty()) continue;
    if (inputs.level > 0) {
      children.push_back(new LevelIterator(
          {deps_.tables, deps_.owner.icmp, inputs.level, scan}, read_options,
          std::make_shared<const LevelFiles>(inputs.files)));
      continue;
    }
    for (const FilePtr& file : inputs.files) {
      children.push_back(
          deps_.tables->NewIterator(read_options, *file, 0, scan));
    }
  }
  return std::unique_ptr<InternalIterator>(
      NewMergingIterator(deps_.owner.icmp, std::move(children)));
}

std::vector<OutputCutter::Grandparent> CompactionJob::Grandparents() const {
  std::vector<OutputCutter::Grandparent> list;
  list.reserve(plan_.grandparents.size());
  for (const FilePtr& file : plan_.grandparents) {
    list.push_back(
        {file->smallest.user_key(), file->largest.user_key(), file->size});
  }
  return list;
}

// Asked with ascending keys, so each level keeps a cursor. All versions of a
// key count: a file below may begin at an older one than that which is asked
// for.
std::function<bool(const Slice&)> CompactionJob::MayExistBelow() const {
  std::vector<size_t> cursors(static_cast<size_t>(plan_.version->num_levels()),
                              0);
  return [this, cursors](const Slice& user_key) mutable {
    const InternalKeyComparator& icmp = *deps_.owner.icmp;
    const Version& version = *plan_.version;
    // An output in level 0 lies above files of level 0 it did not read.
    if (plan_.output_level == 0) return true;
    for (int level = plan_.output_level + 1; level < version.num_levels();
         ++level) {
      const auto& files = version.level(level).flat;
      size_t& cursor = cursors[static_cast<size_t>(level)];
      while (cursor < files.size() &&
             icmp.CompareKeys(user_key, files[cursor].largest_user_key()) > 0) {
        ++cursor;
      }
      if (cursor < files.size() &&
          icmp.CompareKeys(user_key, files[cursor].smallest_user_key()) >= 0) {
        return true;
      }
    }
    return false;
  };
}

Result<std::unique_ptr<TableOutput>> CompactionJob::NewOutput(
    uint64_t number) const {
  TableOutputOptions options;
  options.store = deps_.store;
  options.file_options = deps_.file_options;
  options.build = BuildOptionsFor(*deps_.store, deps_.owner, plan_.output_level,
                                  deps_.base_level, plan_.bottommost);
  if (plan_.output_file_size_max != UINT64_MAX) {
    options.build.target_file_size = plan_.output_file_size_max;
  }
  if (plan_.compression) options.build.compression = *plan_.compression;
  options.build.reason = TableFileCreationReason::kCompaction;
  options.build.file_number = number;
  options.build.creation_time_secs = oldest_ancestor_time_secs_;
  options.home = deps_.owner.home;
  options.path_id = plan_.output_path_id;
  options.io_priority = deps_.io_priority ? deps_.io_priority() : Env::IO_LOW;
  options.io_pass = deps_.io_pass;
  options.written_ticker = COMPACT_WRITE_BYTES;
  return TableOutput::Create(std::move(options));
}

// Null when the values of this output level stay in the tables.
std::unique_ptr<BlobOutput> CompactionJob::NewBlobOutput() const {
  const ColumnFamilyOptions& family = *deps_.owner.options;
  const bool wanted = family.enable_blob_files &&
                      plan_.output_level >= family.blob_file_starting_level;
  if (!wanted) return nullptr;
  BlobOutputOptions options;
  options.store = deps_.store;
  options.file_options = deps_.file_options;
  options.source = deps_.blobs;
  options.family_id = deps_.owner.family_id;
  options.family = deps_.owner.options;
  options.home = deps_.owner.home;
  options.new_file_number =
      deps_.new_blob_number ? deps_.new_blob_number : deps_.new_file_number;
  options.io_priority = deps_.io_priority ? deps_.io_priority() : Env::IO_LOW;
  options.io_pass = deps_.io_pass;
  options.written_ticker = COMPACT_WRITE_BYTES;
  options.observer = deps_.observer;
  return std::make_unique<BlobOutput>(std::move(options));
}

JobProgress CompactionJob::RunSlice(size_t index, const PauseToken& token) {
  assert(index < slices_.size());
  SystemClock* const clock = deps_.store->clock;
  KeySlice& slice = *slices_[index];
  if (deps_.observer != nullptr && !slice.started()) {
    deps_.observer->SliceBegun(index);
  }
  const uint64_t start_micros = clock->CPUMicros();
  const JobProgress progress = slice.Run(token);
  slice.AddCpuMicros(clock->CPUMicros() - start_micros);
  if (deps_.observer != nullptr && progress != JobProgress::kPaused) {
    CompactionJobStats stats;
    slice.AddStats(&stats);
    deps_.observer->SliceEnded(index, stats, slice.status());
  }
  return progress;
}

Status CompactionJob::Finish(VersionEdit* edit) {
  assert(!finished_ && slices() > 0);
  for (const auto& slice : slices_) RETURN_IF_ERROR(slice->status());
  RETURN_IF_ERROR(SyncDirectory(deps_.store->fs,
                                deps_.owner.home->Dir(plan_.output_path_id)));
  RETURN_IF_ERROR(VerifyInputCount());
  RETURN_IF_ERROR(VerifyOutputs());
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    for (const FilePtr& file : inputs.files) {
      edit->DeleteFile(inputs.level, file->number);
    }
  }
  for (const FilePtr& file : outputs()) edit->AddFile(plan_.output_level, file);
  edit->blob_additions = blob_outputs();
  edit->blob_garbage = blob_garbage();
  if (!edit->blob_additions.empty() && plan_.output_path_id != 0) {
    RETURN_IF_ERROR(SyncDirectory(deps_.store->fs, deps_.owner.home->Dir(0)));
  }
  for (const auto& slice : slices_) slice->KeepBlobFiles();
  edit->column_family = deps_.owner.family_id;
  finished_ = true;
  return Status::OK();
}

std::vector<FilePtr> CompactionJob::outputs() const {
  if (adopted()) return adopted_->tables;
  std::vector<FilePtr> files;
  for (const auto& slice : slices_) {
    for (const FinishedTable& table : slice->outputs()) {
      files.push_back(table.file);
    }
  }
  return files;
}

std::vector<BlobFileAddition> CompactionJob::blob_outputs() const {
  if (adopted()) return adopted_->blob_files;
  std::vector<BlobFileAddition> files;
  for (const auto& slice : slices_) {
    const BlobOutput* const blobs = slice->blob_output();
    if (blobs == nullptr) continue;
    files.insert(files.end(), blobs->files().begin(), blobs->files().end());
  }
  return files;
}

std::vector<BlobFileGarbage> CompactionJob::blob_garbage() const {
  if (adopted()) return adopted_->blob_garbage;
  BlobGarbageMeter sum;
  for (const auto& slice : slices_) sum.Add(slice->blob_meter());
  return sum.Garbage();
}

CompactionJobStats CompactionJob::stats() const {
  CompactionJobStats stats;
  if (adopted()) stats = adopted_->stats;
  for (const auto& slice : slices_) {
    slice->AddStats(&stats);
  }
  stats.input_bytes = plan_.InputBytes();
  if (surviving_ != nullptr) {
    stats.range_deletions_dropped = surviving_->CountObsolete();
  }
  return stats;
}

}  // namespace ROCKSDB_NAMESPACE::engine
