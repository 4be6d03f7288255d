#include "db/read/multi_get.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "db/read/read_sample.h"
#include "rocksdb/system_clock.h"
#include "table/table_batch.h"
#include "util/fixed_vector.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What the file at hand alone says of a key, to become a row.
struct FileAnswer {
  FileAnswer(const Slice& user_key, SequenceNumber sequence,
             const FileMetaData& searched)
      : file(searched), context(user_key, sequence, &value) {
    context.WantEntities();
  }
  FileAnswer(const FileAnswer&) = delete;
  FileAnswer& operator=(const FileAnswer&) = delete;

  const FileMetaData& file;
  PinnableSlice value;
  GetContext context;
};

struct KeyState {
  KeyState(const MultiGetKey& key, SequenceNumber sequence)
      : lookup(key.user_key, sequence),
        context(key.user_key, sequence, key.value) {
    in_table.internal_key = lookup.internal_key();
    in_table.context = &context;
  }
  KeyState(const KeyState&) = delete;
  KeyState& operator=(const KeyState&) = delete;

  LookupKey lookup;
  GetContext context;
  BatchKey in_table;
  // The first sorted run that has not been asked, and its file there.
  size_t next_run = 0;
  size_t file = 0;
  // While a file is searched for a row; `in_table.context` is its then.
  std::unique_ptr<FileAnswer> alone;
};

Status ShowColumns(const GetContext& context, PinnableSlice* value,
                   PinnableWideColumns* columns) {
  if (context.found_entity()) {
    return columns->SetWideColumnValue(std::move(*value));
  }
  columns->SetPlainValue(std::move(*value));
  return Status::OK();
}

// One batch of at most kBatchKeysMax keys.
class Batch {
 public:
  Batch(const MultiGetRequest& request, const MultiGetKey* keys, size_t count);

  void SearchMemTables();
  void SearchTables();
  void Resolve(const MultiGetKey* keys, MultiGetTotals* totals);

 private:
  // When blocks are read.
  enum class ReadAt : uint8_t { kFile, kLevel, kAllLevels };
  using Group = std::array<KeyState*, kBatchKeysMax>;

  size_t run_count() const { return level0_.size() + levels_; }
  int LevelOf(size_t run) const {
    return run < level0_.size() ? 0
                                : static_cast<int>(run - level0_.size()) + 1;
  }
  // The keys that have yet to be looked for in `run`.
  size_t Gather(size_t run, Group* group);
  void SearchRun(size_t run);
  void SearchLevel0File(const LevelFile& file, const Group& keys, size_t count);
  void SearchLevel(int level, const Group& keys, size_t count);
  void SearchFile(const FileMetaData& file, int level, KeyState* const* keys,
                  size_t count);
  // Answers what the row cache can; `*rest` are those that are left, prepared
  // for a search of the file. Errors: those of opening the table.
  Status SearchRows(const FileMetaData& file, int level, KeyState* const* keys,
                    size_t count, Group* rest, size_t* rest_count);
  // The file has been searched for a row.
  void TakeRow(KeyState* key);
  // The key has been looked for in its file; perhaps it goes on in the next.
  void Conclude(KeyState* key);
  bool FinishReads(bool across_files);
  bool DeadlinePassed() const;
  void PrefetchMemTables() const;

  const MultiGetRequest& r_;
  const Version& version_;
  const std::vector<LevelFile>& level0_;
  size_t levels_;  // Below 0.
  ReadAt read_at_ = ReadAt::kFile;
  size_t count_;
  FixedVector<KeyState, kBatchKeysMax> states_;
  // Undecided, in order; and those among them that wait for blocks.
  Group active_;
  size_t active_count_ = 0;
  Group waiting_;
  size_t waiting_count_ = 0;
  BatchReads reads_;
  std::vector<TableCache::Handle> held_;  // Tables with blocks in reads_.
  uint64_t levels_read_ = 0;              // A bit for each.
};

Batch::Batch(const MultiGetRequest& request, const MultiGetKey* keys,
             size_t count)
    : r_(request),
      version_(*request.view.version),
      level0_(version_.level(0).flat),
      levels_(static_cast<size_t>(std::max(1, version_.num_non_empty_levels()) -
                                  1)),
      count_(count),
      reads_(request.options, request.deps.store->fs) {
  assert(count <= kBatchKeysMax);
  if (r_.options.async_io) {
    read_at_ = r_.options.optimize_multiget_for_io ? ReadAt::kAllLevels
                                                   : ReadAt::kLevel;
  }
  for (size_t i = 0; i < count; ++i) {
    KeyState& key = states_.emplace_back(keys[i], r_.sequence);
    if (r_.options.ignore_range_deletions) key.context.IgnoreRangeDeletions();
    if (keys[i].columns != nullptr) key.context.WantEntities();
    active_[active_count_++] = &key;
  }
}

bool Batch::DeadlinePassed() const {
  const auto deadline = static_cast<uint64_t>(r_.options.deadline.count());
  return deadline != 0 && r_.deps.store->clock->NowMicros() >= deadline;
}

// A hint: what the lookups will look at.
void Batch::PrefetchMemTables() const {
  SkipListWalks walks;
  const auto prefetch = [&](const MemTable& memtable) {
    for (size_t i = 0; i < active_count_; ++i) {
      memtable.AddWalk(active_[i]->lookup.user_key(), &walks);
      if (walks.full()) walks.Run();
    }
    walks.Run();
  };
  prefetch(*r_.view.mem);
  for (const auto& memtable : *r_.view.imm) prefetch(*memtable);
}

void Batch::SearchMemTables() {
  size_t undecided = 0;
  if (r_.deps.skip_memtables) {
    undecided = count_;
  } else {
    const PerfTimer timer(r_.deps.store->clock,
                          &PerfContext::get_from_memtable_time);
    PrefetchMemTables();
    size_t asked = 0;  // For all keys together.
    for (size_t i = 0; i < count_; ++i) {
      KeyState* const key = active_[i];
      asked =
          std::max(asked, AskMemTables(r_.view, key->lookup, &key->context));
      if (!key->context.Decided()) active_[undecided++] = key;
    }
    PerfAdd<&PerfContext::get_from_memtable_count>(asked);
  }
  active_count_ = undecided;
  Statistics* const statistics = r_.deps.store->statistics;
  if (undecided < count_) {
    RecordTick(statistics, MEMTABLE_HIT, count_ - undecided);
  }
  if (undecided > 0) RecordTick(statistics, MEMTABLE_MISS, undecided);
}

size_t Batch::Gather(size_t run, Group* group) {
  assert(run < run_count() && active_count_ <= count_);
  size_t n = 0;
  size_t still_active = 0;
  for (size_t i = 0; i < active_count_; ++i) {
    KeyState* const key = active_[i];
    // (2)
    if (key->context.Decided() || !key->in_table.status.ok()) continue;
    active_[still_active++] = key;
    if (key->in_table.waits || key->next_run > run) continue;  // (1)
    key->next_run = run + 1;
    (*group)[n++] = key;
  }
  active_count_ = still_active;
  return n;
}

Status Batch::SearchRows(const FileMetaData& file, int level,
                         KeyState* const* keys, size_t count, Group* rest,
                         size_t* rest_count) {
  // Only a file that has been opened is known to have no range deletions.
  if (!file.KnownWithoutRangeDeletions()) {
    Result<TableCache::Handle> opened =
        r_.deps.tables->Find(file, level, Env::IOActivity::kMultiGet);
    if (!opened.ok()) return opened.status();
  }
  const bool may_have_rows = file.KnownWithoutRangeDeletions();
  const RowCache& rows = *r_.deps.tables->rows();
  *rest_count = 0;
  for (size_t i = 0; i < count; ++i) {
    KeyState* const key = keys[i];
    // row_cache.h (1), (2)
    if (may_have_rows && RowCache::Serves(file, key->context)) {
      if (rows.Find(file.number, &key->context)) {
        Conclude(key);
        continue;
      }
      key->alone = std::make_unique<FileAnswer>(key->context.user_key(),
                                                r_.sequence, file);
      key->in_table.context = &key->alone->context;
    }
    (*rest)[(*rest_count)++] = key;
  }
  return Status::OK();
}

void Batch::TakeRow(KeyState* key) {
  assert(key->alone != nullptr);
  const std::unique_ptr<FileAnswer> alone = std::move(key->alone);
  key->in_table.context = &key->context;
  if (!key->in_table.status.ok()) return;
  const FileMetaData& file = alone->file;
  if (r_.deps.tables->rows()->Take(file.number, &alone->context, alone->value,
                                   r_.options.fill_cache, &key->context)) {
    return;
  }
  // Nothing that a row can say: once more, as if there were no rows.
  Result<TableCache::Handle> table =
      r_.deps.tables->Find(file, LevelOf(key->next_run - 1));
  key->in_table.status =
      table.ok() ? (*table)->Get(r_.options, key->lookup.internal_key(),
                                 &key->context, Env::IOActivity::kMultiGet)
                 : table.status();
}

void Batch::SearchFile(const FileMetaData& file, int level,
                       KeyState* const* keys, size_t count) {
  assert(count > 0 && count <= active_count_);
  const auto fail = [&](const Status& status) {
    for (size_t i = 0; i < count; ++i) keys[i]->in_table.status = status;
  };
  if (DeadlinePassed()) return fail(Status::TimedOut("Deadline exceeded"));
  for (size_t i = 0; i < count; ++i) CountRead(file);
  Group rest;
  if (r_.deps.tables->rows() != nullptr) [[unlikely]] {
    size_t rest_count = 0;
    const Status status =
        SearchRows(file, level, keys, count, &rest, &rest_count);
    if (!status.ok()) return fail(status);
    if (rest_count == 0) return;
    keys = rest.data();
    count = rest_count;
  }
  std::array<BatchKey*, kBatchKeysMax> in_table;
  for (size_t i = 0; i < count; ++i) in_table[i] = &keys[i]->in_table;
  Result<TableCache::Handle> table =
      r_.deps.tables->Find(file, level, Env::IOActivity::kMultiGet);
  if (!table.ok()) return fail(table.status());
  (*table)->MultiGet(r_.options, in_table.data(), count, &reads_);
  const size_t waited = waiting_count_;
  for (size_t i = 0; i < count; ++i) {
    if (in_table[i]->waits) {
      assert(waiting_count_ < kBatchKeysMax);
      waiting_[waiting_count_++] = keys[i];
    } else {
      Conclude(keys[i]);
    }
  }
  if (waiting_count_ == waited) return;
  levels_read_ |= uint64_t{1} << level;
  held_.push_back(std::move(*table));
  if (read_at_ == ReadAt::kFile) FinishReads(/*across_files=*/false);
}

void Batch::Conclude(KeyState* key) {
  assert(!key->in_table.waits && key->next_run > 0);
  if (key->alone != nullptr) [[unlikely]]
    TakeRow(key);
  if (!key->in_table.status.ok()) return;
  const int level = LevelOf(key->next_run - 1);
  GetContext& context = key->context;
  if (level > 0 && !context.Decided()) {
    const LevelFile& file = version_.level(level).flat[key->file];
    if (r_.deps.icmp->CompareUserKey(key->lookup.user_key(),
                                     file.largest_user_key()) == 0) {
      key->in_table.status =
          SearchSortedLevel(r_.deps, version_, level, key->file + 1, r_.options,
                            key->lookup, &context);
    }
  }
  context.EndCoveringSource();
  if (context.Decided()) {
    RecordTick(r_.deps.store->statistics, HitTicker(level));
    PerfAddAtLevel<&PerfContextByLevel::user_key_return_count>(
        static_cast<uint32_t>(level));
  }
}

bool Batch::FinishReads(bool across_files) {
  if (reads_.empty()) return false;
  reads_.Finish(across_files);
  const size_t n = std::exchange(waiting_count_, 0);
  for (size_t i = 0; i < n; ++i) Conclude(waiting_[i]);
  held_.clear();
  return true;
}

void Batch::SearchLevel0File(const LevelFile& file, const Group& keys,
                             size_t count) {
  assert(count > 0 && count <= kBatchKeysMax);
  Group inside;
  size_t n = 0;
  for (size_t i = 0; i < count; ++i) {
    if (FileMayHold(*r_.deps.icmp, file, keys[i]->lookup.user_key())) {
      inside[n++] = keys[i];
    }
  }
  if (n > 0) SearchFile(*file.file, 0, inside.data(), n);
}

// The keys ascend, so those of one file are neighbours.
void Batch::SearchLevel(int level, const Group& keys, size_t count) {
  assert(level > 0);
  const InternalKeyComparator& icmp = *r_.deps.icmp;
  const LevelFiles& files = version_.level(level);
  Group group;
  size_t n = 0;
  size_t at = files.size();
  const auto search_group = [&] {
    if (n > 0) SearchFile(*files.flat[at].file, level, group.data(), n);
    n = 0;
  };
  for (size_t i = 0; i < count; ++i) {
    KeyState* const key = keys[i];
    const Slice internal_key = key->lookup.internal_key();
    const bool same_file =
        at < files.size() &&
        icmp.Compare(internal_key, files.flat[at].largest) <= 0;
    if (!same_file) {
      search_group();
      at = files.Find(icmp, internal_key);
      if (at == files.size()) return;
    }
    key->file = at;
    if (icmp.CompareUserKey(key->lookup.user_key(),
                            files.flat[at].smallest_user_key()) >= 0) {
      group[n++] = key;
    }
  }
  search_group();
}

void Batch::SearchRun(size_t run) {
  Group keys;
  const size_t count = Gather(run, &keys);
  if (count == 0) return;
  if (run < level0_.size()) {
    SearchLevel0File(level0_[run], keys, count);
  } else if (!version_.level(LevelOf(run)).empty()) {
    SearchLevel(LevelOf(run), keys, count);
  }
  if (read_at_ == ReadAt::kLevel) FinishReads(/*across_files=*/true);
}

void Batch::SearchTables() {
  if (r_.options.read_tier == kMemtableTier) {
    for (size_t i = 0; i < active_count_; ++i) {
      active_[i]->in_table.status = Status::NotFound();
    }
    return;
  }
  const PerfTimer timer(r_.deps.store->clock,
                        &PerfContext::get_from_output_files_time);
  // Once over all runs; with kAllLevels again for those who waited.
  do {
    for (size_t run = 0; run < run_count() && active_count_ > 0; ++run) {
      SearchRun(run);
    }
  } while (FinishReads(/*across_files=*/true));
  if (levels_read_ > 0) {
    RecordInHistogram(r_.deps.store->statistics, NUM_LEVEL_READ_PER_MULTIGET,
                      std::popcount(levels_read_));
  }
}

void Batch::Resolve(const MultiGetKey* keys, MultiGetTotals* totals) {
  const PerfTimer timer(r_.deps.store->clock,
                        &PerfContext::get_post_process_time);
  for (size_t i = 0; i < count_; ++i) {
    KeyState& key = states_[i];
    Status& status = *keys[i].status;
    if (totals->value_bytes > r_.options.value_size_soft_limit) {
      keys[i].value->Reset();
      status = Status::Aborted("value_size_soft_limit exceeded");
      continue;
    }
    status = key.in_table.status;
    if (status.ok()) {
      status = ResolveLookup(r_.deps, r_.view, r_.options, &key.context,
                             keys[i].value);
    }
    if (!status.ok()) continue;
    const size_t bytes = keys[i].value->size();
    if (keys[i].columns != nullptr) {
      status = ShowColumns(key.context, keys[i].value, keys[i].columns);
      if (!status.ok()) continue;
    }
    ++totals->found;
    totals->value_bytes += bytes;
  }
}

}  // namespace

void LookUpMany(const MultiGetRequest& request, const MultiGetKey* keys,
                size_t count, MultiGetTotals* totals) {
  const uint64_t limit = request.options.value_size_soft_limit;
  for (size_t begin = 0; begin < count; begin += kBatchKeysMax) {
    if (totals->value_bytes > limit) {
      for (size_t i = begin; i < count; ++i) {
        *keys[i].status = Status::Aborted("value_size_soft_limit exceeded");
      }
      return;
    }
    Batch batch(request, keys + begin, std::min(kBatchKeysMax, count - begin));
    batch.SearchMemTables();
    batch.SearchTables();
    batch.Resolve(keys + begin, totals);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
