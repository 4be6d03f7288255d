#include "test/stress/model_checker/run_options.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "rocksdb/comparator.h"
#include "test/stress/model_checker/slow_merges.h"
#include "test/stress/options/forgiver.h"
#include "test/stress/options/working_service.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Setting = std::pair<std::string, std::string>;

// What the run has to be able to rely on.
void Restrict(const Plan& plan, DBOptions* db) {
  if (!plan.unordered) db->unordered_write = false;
  // Such files cannot be mapped.
  if (plan.encrypted) db->allow_mmap_reads = false;
  // Closing flushes what is in no log.
  if (plan.unlogged || plan.unlogged_keys)
    db->avoid_flush_during_shutdown = false;
  if (!plan.kills && !plan.faults) return;
  // Otherwise a write that returns is in the hands of the operating system.
  db->manual_wal_flush = plan.buffered_log;
  // A killed writer may leave half a record at the end, and nothing else.
  db->wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  db->paranoid_checks = true;
}

bool IsOfTuner(std::string_view name) {
  return name == "auto_tuned_compaction" || name == "compaction_tuning";
}

// The order of keys in prefixes must be known (walker.cc), stopped compactions
// go together with limits (below), and a family with timestamps has no blob
// files.
bool IsLeftOut(const Plan& plan, int slot, std::string_view name) {
  return name == "prefix_extractor" || name == "disable_auto_compactions" ||
         (IsOfTuner(name) && plan.tuner != TunerMode::kToggled) ||
         (name == "enable_blob_files" && slot == plan.stamped);
}

// Two flushes of a family at a time, or a flush and a purge, so that they end
// in either order.
void SlowDown(RunOptions* options, ColumnFamilyOptions* family) {
  options->db.max_background_flushes = 2;
  family->experimental_mempurge_threshold = 1;
  family->max_write_buffer_number =
      std::max(family->max_write_buffer_number, 3);
  family->merge_operator =
      std::make_shared<SlowMerges>(std::move(family->merge_operator));
}

// With random numbers of their own, so that a seed draws the same options with
// and without filters.
void DrawFilters(const Plan& plan, uint64_t opening, RunOptions* options) {
  engine::Random64 random(plan.seed * 1000003 + opening * 10007 + 65537);
  options->text += "\n  filters:";
  options->filters.clear();
  for (size_t slot = 0; slot < options->families.size(); ++slot) {
    const FilterPlace place = DrawFilterPlace(&random);
    options->filters.push_back(place);
    options->text += std::string(" ") + NameOf(place) + ",";
    SetFilter(place, slot == static_cast<size_t>(plan.stamped),
              &options->families[slot]);
  }
}

// Locks of plain keys are never waited for, so that timeouts may be short.
TransactionDBOptions DrawLocking(engine::Random64* random) {
  TransactionDBOptions locking;
  locking.num_stripes = 1 + random->Skewed(6);
  if (random->OneIn(6)) {
    locking.max_num_locks = 1 + static_cast<int64_t>(random->Skewed(7));
  }
  locking.max_num_deadlocks = static_cast<uint32_t>(random->Skewed(4));
  locking.transaction_lock_timeout = static_cast<int64_t>(random->Skewed(8));
  locking.default_lock_timeout = static_cast<int64_t>(random->Skewed(8));
  locking.skip_concurrency_control = random->OneIn(8);
  locking.write_policy = static_cast<TxnDBWritePolicy>(random->Uniform(3));
  return locking;
}

std::string TextOf(const TransactionDBOptions& locking) {
  return "num_stripes=" + std::to_string(locking.num_stripes) +
         "; max_num_locks=" + std::to_string(locking.max_num_locks) +
         "; transaction_lock_timeout=" +
         std::to_string(locking.transaction_lock_timeout) +
         "; default_lock_timeout=" +
         std::to_string(locking.default_lock_timeout) +
         "; write_policy=" + std::to_string(locking.write_policy) +
         (locking.skip_concurrency_control ? "; skip_concurrency_control" : "");
}

// With random numbers of their own, for the same reason.
void DrawTransactions(const Plan& plan, uint64_t opening, RunOptions* options) {
  engine::Random64 random(plan.seed * 1000003 + opening * 10007 + 1048583);
  options->transactions = plan.transactions;
  options->locking = {};
  options->optimistic = {};
  if (plan.transactions == Transactions::kLocking) {
    options->locking = DrawLocking(&random);
    options->text += "\n  transactions: " + TextOf(options->locking);
  } else if (plan.transactions == Transactions::kOptimistic) {
    if (random.OneIn(4)) options->transactions = Transactions::kNone;
    const bool serial = random.OneIn(2);
    options->optimistic.validate_policy =
        serial ? OccValidationPolicy::kValidateSerial
               : OccValidationPolicy::kValidateParallel;
    if (options->transactions == Transactions::kNone) return;
    options->text += serial ? "\n  transactions: optimistic, serial"
                            : "\n  transactions: optimistic, parallel";
  }
}

// Of options that one call changes.
uint64_t DrawCount(engine::Random64* random) {
  return random->OneIn(3) ? 1 + random->Uniform(4) : 1;
}

OptionChange TableChange(engine::Random64* random) {
  static const std::vector<Setting> kChanges =
      MutableChanges(Section::kTable, Since::kOurs);
  const auto& [name, value] = kChanges[random->Uniform(kChanges.size())];
  return {SpellTableChange(name, value, random->Uniform(kTableSpellings))};
}

}  // namespace

Status DrawRunOptions(const Plan& plan, uint64_t opening, Env* env,
                      const std::string& path, Caches* caches,
                      RunOptions* options) {
  std::vector<std::string> names;
  for (int slot = 0; slot < plan.shape.slots; ++slot) {
    names.push_back(SlotName(slot));
  }
  DrawRequest request;
  request.seed = plan.seed;
  request.opening = opening;
  request.tuner = plan.tuner == TunerMode::kToggled;
  request.without = plan.without_options;
  const DrawnOptions drawn = DrawOptions(request, names);
  options->text = drawn.ToString();
  options->db = SmallDbOptions(env);
  const Status status = Apply(drawn.db, path, caches, &options->db);
  if (!status.ok()) return status;
  Restrict(plan, &options->db);
  if (plan.forgiven != 0) {
    options->db.listeners.push_back(std::make_shared<Forgiver>(plan.forgiven));
  }
  options->families.clear();
  for (const std::string& name : names) {
    ColumnFamilyOptions family = SmallFamilyOptions(name);
    const Status applied =
        Apply(drawn.families.at(name), path + "_" + name, caches, &family);
    if (!applied.ok()) return applied;
    if (plan.tuner == TunerMode::kOn) family.auto_tuned_compaction = true;
    if (plan.slow_merges) SlowDown(options, &family);
    if (options->families.size() == static_cast<size_t>(plan.stamped)) {
      family.comparator = BytewiseComparatorWithU64Ts();
      family.enable_blob_files = false;  // Not both.
    }
    options->families.push_back(family);
  }
  if (plan.shape.filtered) DrawFilters(plan, opening, options);
  for (size_t slot = 0; slot < names.size(); ++slot) {
    ServeFamily(options->db, names[slot], options->families[slot]);
  }
  DrawTransactions(plan, opening, options);
  return Status::OK();
}

OptionChange DrawFamilyChange(const Plan& plan, int slot,
                              engine::Random64* random) {
  if (random->OneIn(4)) return TableChange(random);
  if (random->OneIn(8)) {
    return {{"disable_auto_compactions", "true"},
            {"level0_slowdown_writes_trigger", "10000"},
            {"level0_stop_writes_trigger", "10000"}};
  }
  if (random->OneIn(4)) {
    return {{"disable_auto_compactions", "false"},
            {"level0_slowdown_writes_trigger", "20"},
            {"level0_stop_writes_trigger", "36"}};
  }
  static const std::vector<Setting> kChanges =
      MutableChanges(Section::kFamily, Since::kOurs);
  OptionChange changes;
  for (uint64_t left = DrawCount(random); left > 0; --left) {
    const Setting& change = kChanges[random->Uniform(kChanges.size())];
    if (!IsLeftOut(plan, slot, change.first)) changes.insert(change);
  }
  return changes;
}

OptionChange DrawDbChange(const Plan& plan, engine::Random64* random) {
  static const std::vector<Setting> kChanges =
      MutableChanges(Section::kDb, Since::kOurs);
  OptionChange changes;
  for (uint64_t left = DrawCount(random); left > 0; --left) {
    const Setting& change = kChanges[random->Uniform(kChanges.size())];
    // Closing flushes what is in no log.
    if (change.first == "avoid_flush_during_shutdown" &&
        (plan.unlogged || plan.unlogged_keys)) {
      continue;
    }
    changes.insert(change);
  }
  return changes;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
