#include "db/column_family/column_family.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "table/cache_usage.h"
#include "util/check.h"

namespace ROCKSDB_NAMESPACE::engine {

LevelOptions LevelOptionsOf(const ColumnFamilyOptions& options) {
  LevelOptions level;
  level.style = options.compaction_style;
  level.num_levels = options.num_levels;
  level.level0_file_num_compaction_trigger =
      options.level0_file_num_compaction_trigger;
  level.dynamic_level_bytes = options.level_compaction_dynamic_level_bytes;
  level.max_bytes_for_level_base =
      std::max<uint64_t>(1, options.max_bytes_for_level_base);
  level.max_bytes_for_level_multiplier = options.max_bytes_for_level_multiplier;
  level.max_bytes_for_level_multiplier_additional =
      options.max_bytes_for_level_multiplier_additional;
  level.fifo_max_table_files_size =
      options.compaction_options_fifo.max_table_files_size;
  level.bottommost_delay_secs = options.bottommost_file_compaction_delay;
  if (options.enable_blob_garbage_collection) {
    level.blob_gc_force_threshold =
        options.blob_garbage_collection_force_threshold;
    level.blob_gc_age_cutoff = options.blob_garbage_collection_age_cutoff;
  }
  return level;
}

namespace {

// What the block cache's options say about the blob cache.
std::shared_ptr<Cache> BlobsAreChargedTo(const ColumnFamilyOptions& options) {
  const auto table = TableOptionsOf(options.table_factory.get());
  return table.ok() ? CacheToCharge(*table, CacheEntryRole::kBlobCache)
                    : nullptr;
}

MemTableListOptions ListOptionsOf(const ColumnFamilyOptions& options) {
  MemTableListOptions list;
  list.min_write_buffer_number_to_merge =
      options.min_write_buffer_number_to_merge;
  list.maintain_bytes = static_cast<size_t>(
      std::max<int64_t>(options.max_write_buffer_size_to_maintain, 0));
  return list;
}

}  // namespace

ColumnFamily::ColumnFamily(const StoreContext& store, FamilyVersions* versions,
                           const ColumnFamilyOptions& options,
                           std::shared_ptr<ReaderCache> readers,
                           WriteBufferManager* write_buffer_manager)
    : store_(store),
      id_(versions->id()),
      name_(versions->name()),
      icmp_(versions->icmp()),
      home_(versions->home()),
      versions_(versions),
      write_buffer_manager_(write_buffer_manager),
      options_(std::make_shared<const ColumnFamilyOptions>(options)),
      tables_(store, &icmp_, options, readers),
      blobs_(store, id_, options.blob_cache, BlobsAreChargedTo(options),
             std::move(readers)),
      imm_(ListOptionsOf(options)),
      limits_(OwnLimits()) {}

ColumnFamily::~ColumnFamily() {
  if (dropped() && !detached_ && home_->obsolete != nullptr) {
    home_->obsolete->NotifyListener();
  }
}

void ColumnFamily::SetOptions(const ColumnFamilyOptions& options) {
  options_ = std::make_shared<const ColumnFamilyOptions>(options);
  limits_ = OwnLimits();
  compaction_blocked = {};
  UpdateLevelOptions();
  imm_.SetOptions(ListOptionsOf(options));
  if (mem_ != nullptr) {
    mem_->SetWriteBufferSize(options.write_buffer_size);
    mem_->SetRangeDeletionsMax(options.memtable_max_range_deletions);
    mem_->SetMergeLimit(
        {options.max_successive_merges, options.strict_max_successive_merges});
    mem_->SetReadChecks(options.paranoid_memory_checks,
                        options.memtable_verify_per_key_checksum_on_seek);
  }
  tables_.SetWriteBufferSize(options.write_buffer_size);
  tables_.SetPrefixExtractor(options.prefix_extractor);
  tables_.SetProtectionBytes(options.block_protection_bytes_per_key);
}

void ColumnFamily::SetHasOtherTables() {
  has_other_tables_ = true;
  ApplyLimits(OwnLimits());
}

void ColumnFamily::ApplyLimits(const CompactionSwitch::Limits& limits) {
  limits_ = limits;
  compaction_blocked = {};
  UpdateLevelOptions();
}

void ColumnFamily::UpdateLevelOptions() {
  LevelOptions level = LevelOptionsOf(*options_);
  level.level0_file_num_compaction_trigger =
      limits_.level0_file_num_compaction_trigger;
  versions_->SetLevelOptions(level);
}

MemTablePtr ColumnFamily::NewMemTable(SequenceNumber creation_sequence) const {
  MemTableOptions options;
  options.write_buffer_size = options_->write_buffer_size;
  options.arena_block_size = options_->arena_block_size;
  options.huge_page_size = options_->memtable_huge_page_size;
  options.range_deletions_max = options_->memtable_max_range_deletions;
  options.write_buffer_manager = write_buffer_manager_;
  options.bloom_bytes =
      static_cast<size_t>(static_cast<double>(options_->write_buffer_size) *
                          options_->memtable_prefix_bloom_size_ratio);
  options.whole_keys_in_bloom = options_->memtable_whole_key_filtering;
  options.prefix_extractor = options_->prefix_extractor;
  options.factory = options_->memtable_factory;
  options.hint_prefixes = options_->memtable_insert_with_hint_prefix_extractor;
  options.protection_bytes = options_->memtable_protection_bytes_per_key;
  options.paranoid_checks = options_->paranoid_memory_checks;
  options.verify_on_seek = options_->memtable_verify_per_key_checksum_on_seek;
  options.disallow_writes = options_->disallow_memtable_writes;
  options.update_in_place = options_->inplace_update_support;
  options.in_place_locks = options_->inplace_update_num_locks;
  options.in_place_callback = options_->inplace_callback;
  options.merge_limit = {options_->max_successive_merges,
                         options_->strict_max_successive_merges};
  options.info_log = store_.info_log;
  options.family_id = id_;
  return std::make_shared<MemTable>(&icmp_, options, creation_sequence);
}

void ColumnFamily::SwitchMemTable(MemTablePtr fresh, uint64_t log_number,
                                  uint64_t cut) {
  assert(mem_ != nullptr && fresh != nullptr && fresh->empty());
  mem_->set_next_log_number(log_number);
  imm_.Add(std::exchange(mem_, std::move(fresh)), cut);
}

ViewRef ColumnFamily::PublishView() {
  assert(mem_ != nullptr && !detached_);
  assert(views_.latest_number() == view_number_);
  auto view = std::make_unique<ReadView>();
  view->mem = mem_;
  view->imm = imm_.snapshot();
  view->version = versions_->current();
  view->options = options_;
  view->number = ++view_number_;
  view->sequence_max = sequence_max_;
  return views_.Publish(view.release());
}

TableOwner ColumnFamily::owner() const {
  return {id_, name_, &icmp_, options_, home_};
}

Status ColumnFamily::RegisterPlan(const CompactionPlan* plan) {
  assert(std::find(running_.begin(), running_.end(), plan) == running_.end());
  for (const CompactionPlan::Inputs& inputs : plan->inputs) {
    for (const FilePtr& file : inputs.files) {
      if (NEVER(file->being_compacted)) {  // plan.h (1)
        return Status::Corruption(
            "Family " + name_ + ": file " + std::to_string(file->number) +
            " was picked for a compaction while another one works on it");
      }
    }
  }
  for (const CompactionPlan::Inputs& inputs : plan->inputs) {
    for (const FilePtr& file : inputs.files) file->being_compacted = true;
  }
  running_.push_back(plan);
  versions_->RefreshLevelState();
  return Status::OK();
}

void ColumnFamily::UnregisterPlan(const CompactionPlan* plan) {
  if (std::erase(running_, plan) == 0) return;  // It was refused.
  for (const CompactionPlan::Inputs& inputs : plan->inputs) {
    for (const FilePtr& file : inputs.files) {
      assert(file->being_compacted);
      file->being_compacted = false;
    }
  }
  compaction_blocked = {};
  versions_->RefreshLevelState();
}

bool ColumnFamily::MovesBetweenLevels() const {
  return std::any_of(running_.begin(), running_.end(),
                     [](const CompactionPlan* plan) {
                       return plan->reason == CompactionReason::kRefitLevel;
                     });
}

JobClassSet ColumnFamily::CompactionsDue() const {
  JobClassSet due;
  if (dropped() || limits_.disable_auto_compactions) return due;
  const LevelState& state = versions_->level_state();
  const auto add = [&](JobClass job_class) REQUIRES_LOCK(kStateLock) {
    if (!compaction_blocked.Has(job_class)) due.Add(job_class);
  };
  for (const LevelScore& entry : state.scores) {
    if (entry.score < 1) break;
    add(entry.level == 0 ? JobClass::kRuns : JobClass::kDebt);
    // A tuned family's larger files of level 0.
    if (entry.level == 0 && shape_.runs_target > 0) add(JobClass::kDebt);
  }
  if (state.HasMarkedFiles()) add(JobClass::kMaintenance);
  return due;
}

bool ColumnFamily::SetOldestSnapshot(SequenceNumber sequence,
                                     uint64_t now_secs) {
  if (!versions_->SetOldestSnapshot(sequence, now_secs)) return false;
  compaction_blocked = {};
  return true;
}

bool ColumnFamily::ApplyShape(const FamilyDecision& shape) {
  const bool same = PickAlike(shape_, shape);
  shape_ = shape;
  if (same) return false;
  imm_.SetMergeMin(shape.flush_merge_memtables);
  // What could not be picked in the old shape may be in the new one; a shape
  // says nothing about maintenance.
  const bool maintenance = compaction_blocked.Has(JobClass::kMaintenance);
  compaction_blocked = {};
  if (maintenance) compaction_blocked.Add(JobClass::kMaintenance);
  return true;
}

void ColumnFamily::Detach() {
  assert(!detached_);
  detached_ = true;
  stall_.token = {};
  const ViewRef last = views_.Publish(nullptr);
  mem_.reset();
  imm_.Clear();
}

void ColumnFamily::MarkDropped() {
  assert(!dropped() && id_ != 0);
  dropped_.store(true, std::memory_order_release);
  stall_.token = {};
  // Readers may keep them for long.
  mem_->TakeHeldLog().Release();
  imm_.ReleaseHeldLogs();
}

}  // namespace ROCKSDB_NAMESPACE::engine
