#include "db/db_impl/db_impl.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <optional>
#include <utility>

#include "db/db_impl/metadata.h"
#include "db/db_impl/property_reader.h"
#include "db/events/db_events.h"
#include "db/format/file_names.h"
#include "db/read/db_iterator.h"
#include "db/read/level_iterator.h"
#include "db/read/point_lookup.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/file_system.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "table/merging_iterator.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// low_pri writes get a quarter of the delayed rate while compactions are
// behind.
constexpr uint64_t kLowPriorityShare = 4;

// Both add one child to a merge, newest first, and what it hides to `cover`,
// which may be null.
void AddMemTable(const MemTable& memtable, PrefixSeek* prefix,
                 std::vector<InternalIterator*>* children, RangeCover* cover) {
  if (cover != nullptr && memtable.has_range_deletions()) {
    memtable.range_deletions().AddTo(cover, children->size());
  }
  children->push_back(memtable.NewIterator(prefix));
}

void AddLevel0File(const ReadOptions& options, const TableScan& scan,
                   const TableCache& tables, const LevelFile& file,
                   std::vector<InternalIterator*>* children,
                   RangeCover* cover) {
  const size_t child = children->size();
  children->push_back(tables.NewIterator(options, *file.file, 0, scan));
  if (cover == nullptr) return;
  auto tombstones = tables.Tombstones(*file.file, 0);
  if (!tombstones.ok()) {
    delete children->back();
    children->back() = NewEmptyInternalIterator(tombstones.status());
  } else if (*tombstones != nullptr) {
    cover->AddFile(child, *tombstones, file.smallest, file.largest);
  }
}

Status CheckIterable(const ReadOptions& options) {
  if (options.managed) {
    return Status::NotSupported("Managed iterators are not supported");
  }
  if (options.read_tier == kPersistedTier) {
    return Status::NotSupported("Iterators do not know kPersistedTier");
  }
  return Status::OK();
}

}  // namespace

DBImpl::DBImpl(std::unique_ptr<DbState> state, FileLock* lock, bool read_only)
    : state_(std::move(state)),
      lock_(lock),
      read_only_(read_only),
      stalls_(state_.get()),
      scheduler_(SchedulerDeps()),
      buffer_({state_.get(), &stalls_, [this] { pipeline_.RequestAttention(); },
               [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); },
               [this]() REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); },
               [this]()
                   REQUIRES_LOCK(kStateLock) { return scheduler_.paused(); }}),
      purge_({state_->env, &state_->mu, &state_->changed,
              [this]() REQUIRES_LOCK(kStateLock) { DeleteObsolete(); }}),
      errors_({state_.get(), &pipeline_, [this] { return FlushForResume(); },
               [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); }}),
      flusher_({state_.get(), &stalls_,
                [this](const Status& s, uint64_t clear_count) REQUIRES_LOCK(
                    kStateLock) { errors_.SetOfFlush(s, clear_count); },
                [this]() REQUIRES_LOCK(kStateLock) { DeleteObsolete(); },
                [this]()
                    REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); }}),
      compactor_({state_.get(), &stalls_,
                  [this](const Status& s, BackgroundErrorReason reason)
                      REQUIRES_LOCK(kStateLock) { errors_.Set(s, reason); },
                  [this](const Status& s)
                      REQUIRES_LOCK(kStateLock) { errors_.HoldCompactions(s); },
                  [this]() REQUIRES_LOCK(kStateLock) { DeleteObsolete(); },
                  [this]()
                      REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); },
                  [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); }}),
      switcher_({state_.get(), &stalls_, &buffer_,
                 [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); },
                 [this]() REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); },
                 [this](const Status& s, BackgroundErrorReason reason)
                     REQUIRES_LOCK(kStateLock) { errors_.Set(s, reason); }}),
      low_pri_limiter_(NewGenericRateLimiter(static_cast<int64_t>(
          std::max<uint64_t>(4, state_->store.options.delayed_write_rate) /
          kLowPriorityShare))),
      admission_(&state_->controller, state_->store.clock,
                 low_pri_limiter_.get(), &state_->pacer),
      pipeline_(
          CommitPipelineOptions::From(state_->store.options),
          {&switcher_, state_->families.get(), &admission_,
           state_->store.statistics, state_->store.clock, &state_->tracer}),
      ingester_({state_.get(), &stalls_, &pipeline_,
                 [this](const std::vector<FamilyPtr>& families) {
                   std::vector<FlushGoal> goals;
                   RETURN_IF_ERROR(SealExclusively(
                       families, FlushReason::kExternalFileIngestion, &goals));
                   return AwaitFlush(goals);
                 },
                 [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); },
                 [this]() REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); },
                 [this]() REQUIRES_LOCK(kStateLock) { DeleteObsolete(); }}),
      timers_(state_.get()),
      tuning_({state_.get(), &stalls_, &compactor_, &scheduler_,
               [this]() REQUIRES_LOCK(kStateLock) { ScheduleIfDue(); },
               [this]() REQUIRES_LOCK(kStateLock) { NotifyStallListeners(); },
               [this] { return pipeline_.counters().bytes.load(); }}),
      watchdog_({state_.get(), &scheduler_, &compactor_, &errors_, &buffer_}) {
  switcher_.set_pipeline(&pipeline_);
  state_->on_memtable_full = [this] { pipeline_.RequestAttention(); };
  default_handle_ = std::make_unique<ColumnFamilyHandleImpl>(
      state_->families->Get(0u), state_.get());
}

// Unlike Close() this does not require that snapshots have been released: they
// cannot be used after the database is destroyed.
DBImpl::~DBImpl() {
  if (!closed_) (void)CloseParts();
  EndAllTraces();  // One may have been started behind Close().
  state_->obsolete.SetListener(nullptr);
  for (const FamilyPtr& family : state_->families->all()) family->Detach();
  for (const DroppedFamily& dropped : dropped_) {
    if (const FamilyPtr family = dropped.family.lock()) family->Detach();
  }
}

ColumnFamilyHandle* DBImpl::NewHandle(const FamilyPtr& family) {
  return new ColumnFamilyHandleImpl(family, state_.get());
}

Status DBImpl::CheckWritable() const {
  if (!read_only_) return Status::OK();
  return Status::NotSupported(
      follower_ != nullptr ? "Not supported operation in secondary mode."
                           : "Not supported operation in read only mode.");
}

void DBImpl::set_follower(std::unique_ptr<Follower> follower) {
  follower_ = std::move(follower);
}

Status DBImpl::TryCatchUpWithPrimary() {
  if (follower_ != nullptr) return follower_->CatchUp();
  return Status::NotSupported("TryCatchUpWithPrimary",
                              "this is not a secondary instance");
}

// -------------------------------------------------------------------- writes

namespace {

// The batch of one write. Each thread keeps one with its memory. A write in the
// middle of another, by a callback, gets a batch of its own.
class SingleBatch {
 public:
  SingleBatch() {
    if (spare_taken) own_.emplace();
    spare_taken = true;
  }
  ~SingleBatch() {
    if (own_.has_value()) return;
    assert(spare_taken);
    if (spare.Data().capacity() > kKeptBytesMax) {
      spare = WriteBatch();
    } else {
      spare.Clear();
    }
    spare_taken = false;
  }
  SingleBatch(const SingleBatch&) = delete;
  SingleBatch& operator=(const SingleBatch&) = delete;

  WriteBatch* get() { return own_.has_value() ? &*own_ : &spare; }

 private:
  static constexpr size_t kKeptBytesMax = 64 << 10;
  static thread_local WriteBatch spare;
  static thread_local bool spare_taken;

  std::optional<WriteBatch> own_;
};

thread_local WriteBatch SingleBatch::spare;
thread_local bool SingleBatch::spare_taken = false;

}  // namespace

Status DBImpl::Put(const WriteOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   const Slice& value) {
  RETURN_IF_ERROR(CheckNoTimestamp(column_family));
  SingleBatch batch;
  RETURN_IF_ERROR(
      WriteBatchInternal::Put(batch.get(), column_family->GetID(), key, value));
  return Write(options, batch.get());
}

Status DBImpl::Delete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key) {
  RETURN_IF_ERROR(CheckNoTimestamp(column_family));
  SingleBatch batch;
  RETURN_IF_ERROR(
      WriteBatchInternal::Delete(batch.get(), column_family->GetID(), key));
  return Write(options, batch.get());
}

Status DBImpl::SingleDelete(const WriteOptions& options,
                            ColumnFamilyHandle* column_family,
                            const Slice& key) {
  RETURN_IF_ERROR(CheckNoTimestamp(column_family));
  SingleBatch batch;
  RETURN_IF_ERROR(WriteBatchInternal::SingleDelete(
      batch.get(), column_family->GetID(), key));
  return Write(options, batch.get());
}

Status DBImpl::DeleteRange(const WriteOptions& options,
                           ColumnFamilyHandle* column_family,
                           const Slice& begin_key, const Slice& end_key) {
  RETURN_IF_ERROR(CheckNoTimestamp(column_family));
  SingleBatch batch;
  RETURN_IF_ERROR(WriteBatchInternal::DeleteRange(
      batch.get(), column_family->GetID(), begin_key, end_key));
  return Write(options, batch.get());
}

Status DBImpl::Merge(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value) {
  RETURN_IF_ERROR(CheckNoTimestamp(column_family));
  const auto* handle = static_cast<ColumnFamilyHandleImpl*>(column_family);
  {
    const ScopedView view(handle->family()->views());
    if (view->options->merge_operator == nullptr) {
      return Status::NotSupported("Provide a merge_operator when opening DB");
    }
  }
  SingleBatch batch;
  RETURN_IF_ERROR(
      WriteBatchInternal::Merge(batch.get(), handle->GetID(), key, value));
  return Write(options, batch.get());
}

Status DBImpl::Write(const WriteOptions& options, WriteBatch* updates) {
  CommitRequest request;
  request.batch = updates;
  request.options = &options;
  return Commit(&request);
}

Status DBImpl::Commit(CommitRequest* request) {
  if (request->batch == nullptr) {
    return Status::InvalidArgument("Batch is nullptr!");
  }
  // What is only prepared gets its timestamps when it is committed.
  if (WriteBatchInternal::LacksTimestamp(request->batch) &&
      (request->two_phase == nullptr || !request->two_phase->only_logged)) {
    return Status::InvalidArgument("write batch must have timestamp(s) set");
  }
  RETURN_IF_ERROR(CheckWritable());
  if (request->options->sync && request->options->disableWAL) {
    return Status::InvalidArgument("Sync writes has to enable WAL.");
  }
  StopWatch watch(state_->store.clock, state_->store.statistics, DB_WRITE);
  return pipeline_.Commit(request);
}

// --------------------------------------------------------------------- reads

SequenceNumber DBImpl::SequenceFor(const ReadOptions& options,
                                   const ReadView& view) const {
  return options.snapshot != nullptr
             ? options.snapshot->GetSequenceNumber()
             : std::min(state_->versions->last_sequence(), view.sequence_max);
}

void DBImpl::PinViews(PinnedViews* views) const {
  const auto pin = [views] {
    for (auto& [family, view] : *views) view = family->views().Pin();
  };
  if (follower_ == nullptr) return pin();
  MutexLock lock(&state_->mu);  // Publishes all of them at once.
  pin();
}

LookupDeps DBImpl::LookupDepsOf(const ColumnFamily& family,
                                const ReadOptions& options) const {
  LookupDeps deps = family.lookup_deps();
  // What is in a memtable and not in the log would not survive a crash.
  deps.skip_memtables =
      options.read_tier == kPersistedTier &&
      state_->has_unlogged_data.load(std::memory_order_acquire);
  return deps;
}

Status DBImpl::Get(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   PinnableSlice* value, std::string* timestamp) {
  if (state_->tracer.Traces(QueryTracer::kGet)) [[unlikely]]
    state_->tracer.Get(column_family->GetID(), key);
  if (ReadsWithTimestamp(options, column_family)) [[unlikely]] {
    return GetAt(options, column_family, key, value, timestamp);
  }
  if (timestamp != nullptr) timestamp->clear();
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_GET);
  const PerfCpuTimer cpu(state_->store.clock, &PerfContext::get_cpu_nanos);
  const FamilyPtr& family = FamilyOf(column_family);
  value->Reset();
  PerfTimer taking_state(state_->store.clock, &PerfContext::get_snapshot_time);
  // The view first: a sequence taken before it could need entries that a
  // flush in between has dropped.
  const ScopedView view(family->views());
  // Before LookupDepsOf: it has to know of every write that can be seen.
  const SequenceNumber sequence = SequenceFor(options, *view);
  taking_state.Stop();
  const Status status = LookUp(LookupDepsOf(*family, options), *view, options,
                               key, sequence, value);
  RecordTick(statistics, NUMBER_KEYS_READ);
  if (status.ok()) {
    RecordTick(statistics, BYTES_READ, value->size());
    PerfAdd<&PerfContext::get_read_bytes>(value->size());
    RecordInHistogram(statistics, BYTES_PER_READ, value->size());
  }
  return status;
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
Status DBImpl::GetMergeOperands(const ReadOptions& options,
                                ColumnFamilyHandle* column_family,
                                const Slice& key, PinnableSlice* merge_operands,
                                GetMergeOperandsOptions* operands_options,
                                int* number_of_operands) {
  if (operands_options == nullptr || number_of_operands == nullptr ||
      operands_options->expected_max_number_of_operands < 0) {
    return Status::InvalidArgument(
        "GetMergeOperands needs options and a place for the number");
  }
  if (ReadsWithTimestamp(options, column_family)) {
    return Status::NotSupported("GetMergeOperands with user timestamps");
  }
  const FamilyPtr& family = FamilyOf(column_family);
  const ScopedView view(family->views());
  const SequenceNumber sequence = SequenceFor(options, *view);
  const OperandList out = {merge_operands,
                           operands_options->expected_max_number_of_operands,
                           number_of_operands, &operands_options->continue_cb};
  return LookUpOperands(LookupDepsOf(*family, options), *view, options,
                        LookupKey(key, sequence), out);
}

bool DBImpl::KeyMayExist(const ReadOptions& options,
                         ColumnFamilyHandle* column_family, const Slice& key,
                         std::string* value, std::string* timestamp,
                         bool* value_found) {
  ReadOptions cached = options;
  cached.read_tier = kBlockCacheTier;  // Never from disk.
  PinnableSlice pinned;
  const Status status = Get(cached, column_family, key, &pinned, timestamp);
  if (status.ok() && value != nullptr) {
    value->assign(pinned.data(), pinned.size());
  }
  // Also when memory is sure that there is none, as in RocksDB.
  if (value_found != nullptr) {
    *value_found = status.IsNotFound() || (status.ok() && value != nullptr);
  }
  return !status.IsNotFound();
}

namespace {

void UnpinView(void* view, void* family) {
  static_cast<const ReadView*>(view)->Unref();
  delete static_cast<FamilyPtr*>(family);
}

}  // namespace

std::unique_ptr<InternalIterator> DBImpl::NewInternalIterator(
    const ReadOptions& options, const FamilyPtr& family, const ReadView& view,
    const IteratorState& state) const {
  std::unique_ptr<RangeCover> cover;
  if (!options.ignore_range_deletions) {
    cover = std::make_unique<RangeCover>(
        &family->icmp(), state.sequence,
        options.timestamp == nullptr ? Slice() : *options.timestamp);
  }
  std::vector<InternalIterator*> children;
  AddMemTable(*view.mem, state.prefix.get(), &children, cover.get());
  if (state.scan != nullptr) [[unlikely]]
    children.back() = state.scan->Watch(children.back());
  for (const MemTablePtr& memtable : *view.imm) {
    AddMemTable(*memtable, state.prefix.get(), &children, cover.get());
  }
  TableScan scan(TableReadPurpose::kUser);
  scan.prefix = state.prefix.get();
  scan.may_leave_values = family->icmp().timestamp_size() == 0;
  if (options.read_tier != kMemtableTier) {
    for (const LevelFile& file : view.version->level(0).flat) {
      AddLevel0File(options, scan, family->tables(), file, &children,
                    cover.get());
    }
    for (int level = 1; level < view.version->num_non_empty_levels(); ++level) {
      if (view.version->level(level).empty()) continue;
      LevelIteratorOptions of_level;
      of_level.tables = &family->tables();
      of_level.icmp = &family->icmp();
      of_level.level = level;
      of_level.scan = scan;
      of_level.cover = cover.get();
      of_level.child = children.size();
      children.push_back(new LevelIterator(of_level, options,
                                           view.version->shared_level(level)));
    }
  }
  // One memtable alone: nothing can be added to the cover any more.
  if (children.size() == 1 && cover != nullptr && !cover->active()) {
    cover.reset();
  }
  std::unique_ptr<InternalIterator> iter(NewMergingIterator(
      &family->icmp(), std::move(children), std::move(cover)));
  // Pinned with the view: the family, whose comparator and tables it uses.
  view.Ref();
  iter->RegisterCleanup(&UnpinView, const_cast<ReadView*>(&view),
                        new FamilyPtr(family));
  return iter;
}

Iterator* DBImpl::NewIterator(const ReadOptions& options,
                              ColumnFamilyHandle* column_family) {
  if (const Status status = CheckIterable(options); !status.ok()) {
    return NewErrorIterator(status);
  }
  const FamilyPtr& family = FamilyOf(column_family);
  return NewIteratorAt(options, family, family->views().Pin(), nullptr);
}

class DBImpl::FamilySource final : public IteratorSource {
 public:
  FamilySource(const DBImpl* db, const ReadOptions& options, FamilyPtr family)
      : db_(db), options_(options), family_(std::move(family)) {
    options_.snapshot = nullptr;
  }

  // `at`: null for the latest. `*family_options`, if wanted, lives as long as
  // the state.
  IteratorState OpenAt(const ViewRef& pinned, const SequenceNumber* at,
                       const ColumnFamilyOptions** family_options) const {
    const ReadView* const view = pinned.get();
    assert(view != nullptr && view->mem != nullptr);
    IteratorState state;
    state.extractor = view->options->prefix_extractor;
    state.prefix =
        PrefixSeek::For(options_, state.extractor, &family_->icmp(),
                        db_->state_->store.options.prefix_seek_opt_in_only);
    state.sequence =
        at != nullptr ? *at : std::min(LastSequence(), view->sequence_max);
    state.sequence_max = view->sequence_max;
    state.view_number = view->number;
    state.mem = view->mem.get();
    state.version = view->version.get();
    state.scan = NewScanWatch(*view);
    if (family_options != nullptr) *family_options = view->options.get();
    state.iter = db_->NewInternalIterator(options_, family_, *view, state);
    return state;
  }

  IteratorState Open(const Snapshot* snapshot) override {
    const ViewRef latest = family_->views().Pin();
    if (snapshot == nullptr) return OpenAt(latest, nullptr, nullptr);
    const SequenceNumber sequence = snapshot->GetSequenceNumber();
    return OpenAt(latest, &sequence, nullptr);
  }
  SequenceNumber LastSequence() const override {
    return db_->state_->versions->last_sequence();
  }
  uint64_t ViewNumber() const override {
    return family_->views().latest_number();
  }
  bool KnowsRangeDeletions(const IteratorState& state) const override {
    return !state.mem->has_range_deletions() ||
           state.sequence == LastSequence();
  }

 private:
  std::unique_ptr<ScanWatch> NewScanWatch(const ReadView& view) const {
    const ColumnFamilyOptions& family = *view.options;
    if (family.memtable_op_scan_flush_trigger == 0) [[likely]]
      return nullptr;
    const ScanWatch::Limits limits = {
        family.memtable_op_scan_flush_trigger,
        family.memtable_avg_op_scan_flush_trigger};
    return std::make_unique<ScanWatch>(limits, [db = db_, mem = view.mem] {
      mem->RequestFlush();
      db->state_->on_memtable_full();
    });
  }

  const DBImpl* const db_;
  ReadOptions options_;
  const FamilyPtr family_;
};

// `at`: a sequence shared with other iterators, or null for that of the
// options.
Iterator* DBImpl::NewIteratorAt(const ReadOptions& options,
                                const FamilyPtr& family, const ViewRef& first,
                                const SequenceNumber* at) {
  if (family->icmp().timestamp_size() > 0 || options.timestamp != nullptr)
      [[unlikely]] {
    return NewTimestampIterator(options, family, first, at);
  }
  SequenceNumber of_snapshot = 0;
  if (at == nullptr && options.snapshot != nullptr && !options.tailing) {
    of_snapshot = options.snapshot->GetSequenceNumber();
    at = &of_snapshot;
  }
  auto source = std::make_unique<FamilySource>(this, options, family);
  const ColumnFamilyOptions* family_options = nullptr;
  IteratorState state = source->OpenAt(first, at, &family_options);
  DbIteratorDeps deps;
  deps.icmp = &family->icmp();
  deps.merge = {family_options->merge_operator.get(), state_->store.info_log,
                state_->store.statistics};
  deps.max_sequential_skips = family_options->max_sequential_skip_in_iterations;
  deps.blobs = &family->blobs();
  deps.clock = state_->store.clock;
  deps.trace = {&state_->tracer, family->id()};
  deps.source = std::move(source);
  return new DbIterator(std::move(deps), options, std::move(state));
}

Status DBImpl::NewIterators(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families,
    std::vector<Iterator*>* iterators) {
  iterators->clear();
  RETURN_IF_ERROR(CheckIterable(options));
  // One sequence for all, kept from being compacted away meanwhile.
  const Snapshot* held = options.snapshot == nullptr ? NewSnapshot() : nullptr;
  const Snapshot* const snapshot = held != nullptr ? held : options.snapshot;
  SequenceNumber sequence =
      snapshot != nullptr ? snapshot->GetSequenceNumber() : 0;
  PinnedViews views;
  for (ColumnFamilyHandle* handle : column_families) {
    views.try_emplace(FamilyOf(handle).get());
  }
  PinViews(&views);
  for (ColumnFamilyHandle* handle : column_families) {
    const FamilyPtr& family = FamilyOf(handle);
    iterators->push_back(
        NewIteratorAt(options, family, views[family.get()],
                      snapshot != nullptr ? &sequence : nullptr));
  }
  if (held != nullptr) ReleaseSnapshot(held);
  return Status::OK();
}

// Null where memtables have none: where values change in place, or a memtable
// of the user's says so. And in secondaries.
const Snapshot* DBImpl::GetSnapshot() {
  {
    MutexLock lock(&state_->mu);
    if (!state_->families->TakesSnapshots()) return nullptr;
  }
  return NewSnapshot();
}

const Snapshot* DBImpl::NewSnapshot() {
  // The primary does not know what its secondaries would have to keep.
  if (follower_ != nullptr) return nullptr;
  int64_t now_secs = 0;
  (void)state_->store.clock->GetCurrentTime(&now_secs);
  MutexLock lock(&state_->mu);
  while (state_->installs_at_sequence_zero > 0) {
    state_->changed.Wait(&state_->mu);
  }
  return state_->snapshots.New(state_->versions->last_sequence(), now_secs);
}

void DBImpl::ReleaseSnapshot(const Snapshot* snapshot) {
  if (snapshot == nullptr) return;
  MutexLock lock(&state_->mu);
  state_->snapshots.Delete(static_cast<const SnapshotImpl*>(snapshot));
  MarkBottommost();
}

// After a snapshot was released, or time has passed.
void DBImpl::MarkBottommost() {
  if (read_only_ || state_->closing.load(std::memory_order_acquire)) return;
  int64_t now_secs = 0;
  (void)state_->store.clock->GetCurrentTime(&now_secs);
  const SnapshotImpl* const oldest = state_->snapshots.oldest();
  const SequenceNumber sequence = oldest != nullptr
                                      ? oldest->GetSequenceNumber()
                                      : state_->versions->last_sequence();
  bool changed = false;
  for (const FamilyPtr& family : state_->families->all()) {
    changed |=
        family->SetOldestSnapshot(sequence, static_cast<uint64_t>(now_secs));
  }
  if (changed) ScheduleIfDue();
}

// ---------------------------------------------------------------- properties

bool DBImpl::GetProperty(ColumnFamilyHandle* column_family,
                         const Slice& property, std::string* value) {
  return Properties().Text(FamilyOf(column_family), property, value);
}

bool DBImpl::GetMapProperty(ColumnFamilyHandle* column_family,
                            const Slice& property,
                            std::map<std::string, std::string>* value) {
  return Properties().Map(FamilyOf(column_family), property, value);
}

bool DBImpl::GetIntProperty(ColumnFamilyHandle* column_family,
                            const Slice& property, uint64_t* value) {
  return Properties().Number(FamilyOf(column_family), property, value);
}

bool DBImpl::GetAggregatedIntProperty(const Slice& property, uint64_t* value) {
  return Properties().Sum(property, value);
}

PropertyReader DBImpl::Properties() {
  return PropertyReader(
      {state_.get(), &pipeline_, &scheduler_, &stats_, &tuning_, read_only_});
}

Status DBImpl::ResetStats() {
  MutexLock lock(&state_->mu);
  stats_.Reset(state_->store.clock->NowMicros());
  return Status::OK();
}

Status DBImpl::GetApproximateSizes(const SizeApproximationOptions& options,
                                   ColumnFamilyHandle* column_family,
                                   const Range* ranges, int n,
                                   uint64_t* sizes) {
  if (!options.include_memtables && !options.include_files &&
      !options.include_blob_files) {
    return Status::InvalidArgument(
        "At least one of include_memtables, include_files and "
        "include_blob_files must be set");
  }
  const FamilyPtr& family = FamilyOf(column_family);
  const ViewRef view = family->views().Pin();
  for (int i = 0; i < n; ++i) {
    sizes[i] = ApproximateBytes(*family, *view.get(), ranges[i], options);
  }
  return Status::OK();
}

void DBImpl::GetApproximateMemTableStats(ColumnFamilyHandle* column_family,
                                         const Range& range, uint64_t* count,
                                         uint64_t* size) {
  const ViewRef view = FamilyOf(column_family)->views().Pin();
  const MemTableRangeStats stats = MemTableStats(*view.get(), range);
  *count = stats.entries;
  *size = stats.bytes;
}

void DBImpl::GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) {
  MutexLock lock(&state_->mu);
  metadata->clear();
  for (const FamilyPtr& family : state_->families->all()) {
    AppendLiveFiles(*family, metadata);
  }
}

void DBImpl::GetColumnFamilyMetaData(ColumnFamilyHandle* column_family,
                                     ColumnFamilyMetaData* metadata) {
  MutexLock lock(&state_->mu);
  *metadata = DescribeFamily(*FamilyOf(column_family));
}

void DBImpl::GetColumnFamilyMetaData(
    ColumnFamilyHandle* column_family,
    const GetColumnFamilyMetaDataOptions& options,
    ColumnFamilyMetaData* metadata) {
  MutexLock lock(&state_->mu);
  *metadata = DescribePart(*FamilyOf(column_family), options);
}

void DBImpl::GetAllColumnFamilyMetaData(
    std::vector<ColumnFamilyMetaData>* metadata) {
  MutexLock lock(&state_->mu);
  metadata->clear();
  for (const FamilyPtr& family : state_->families->all()) {
    metadata->push_back(DescribeFamily(*family));
  }
}

Status DBImpl::GetDbIdentity(std::string& identity) const {
  identity = state_->store.db_id;
  return Status::OK();
}

Status DBImpl::GetDbSessionId(std::string& session_id) const {
  session_id = state_->store.db_session_id;
  return Status::OK();
}

int DBImpl::NumberLevels(ColumnFamilyHandle* column_family) {
  return FamilyOf(column_family)->views().Pin()->version->num_levels();
}

int DBImpl::Level0StopWriteTrigger(ColumnFamilyHandle* column_family) {
  return FamilyOf(column_family)
      ->views()
      .Pin()
      ->options->level0_stop_writes_trigger;
}

Options DBImpl::GetOptions(ColumnFamilyHandle* column_family) const {
  MutexLock lock(&state_->mu);
  return Options(*state_->options, *FamilyOf(column_family)->options());
}

DBOptions DBImpl::GetDBOptions() const {
  MutexLock lock(&state_->mu);
  return *state_->options;
}

}  // namespace ROCKSDB_NAMESPACE::engine
