#include "db/db_impl/range_files.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "db/column_family/check_state.h"
#include "rocksdb/comparator.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool LiesWithin(const Comparator& order, const FileMetaData& file,
                const RangeOpt& range, bool include_end) {
  const auto compare = [&order](const Slice& of_file, const Slice& of_range) {
    return order.CompareWithoutTimestamp(of_file, /*a_has_ts=*/true, of_range,
                                         /*b_has_ts=*/false);
  };
  if (range.start.has_value() &&
      compare(file.smallest.user_key(), range.start.value()) < 0) {
    return false;
  }
  if (!range.limit.has_value()) return true;
  const int end = compare(file.largest.user_key(), range.limit.value());
  return include_end ? end <= 0 : end < 0;
}

}  // namespace

std::vector<FilePtr> FilesWithin(const Version& version, int level,
                                 const KeyRanges& wanted) {
  assert(level > 0);
  const InternalKeyComparator& icmp = version.icmp();
  const std::vector<FilePtr>& files = version.files(level);
  std::vector<bool> goes(files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    const bool stays =
        files[i]->being_compacted ||
        (wanted.keep_linked && files[i]->oldest_blob_file != kNoBlobFile);
    goes[i] = !stays && std::any_of(wanted.ranges.begin(), wanted.ranges.end(),
                                    [&](const RangeOpt& range) {
                                      return LiesWithin(*icmp.user_comparator(),
                                                        *files[i], range,
                                                        wanted.include_end);
                                    });
  }
  const auto share_key = [&](size_t left) {
    return icmp.SameKey(files[left]->largest.user_key(),
                        files[left + 1]->smallest.user_key());
  };
  for (size_t i = 1; i < files.size(); ++i) {
    if (!goes[i - 1] && share_key(i - 1)) goes[i] = false;
  }
  for (size_t i = files.size(); i-- > 1;) {
    if (!goes[i] && share_key(i - 1)) goes[i - 1] = false;
  }
  std::vector<FilePtr> found;
  for (size_t i = 0; i < files.size(); ++i) {
    if (goes[i]) found.push_back(files[i]);
  }
  return found;
}

namespace {

// It writes to no level; level 0 stands for that, where plans may overlap.
CompactionPlan PlanOf(const VersionPtr& version, const KeyRanges& wanted) {
  CompactionPlan plan;
  plan.is_manual = true;
  plan.version = version;
  const int first = wanted.only_deepest
                        ? std::max(1, version->num_non_empty_levels() - 1)
                        : 1;
  for (int level = first; level < version->num_levels(); ++level) {
    std::vector<FilePtr> files = FilesWithin(*version, level, wanted);
    if (!files.empty()) plan.inputs.push_back({level, std::move(files)});
  }
  return plan;
}

Status MayDelete(const DbState& db, const ColumnFamily& family) {
  db.mu.AssertHeld();
  if (db.closing) return Status::ShutdownInProgress();
  if (family.dropped()) return Status::ColumnFamilyDropped(family.name());
  return db.errors.CompactionsAllowed() ? Status::OK() : db.errors.error();
}

// REQUIRES: no running job uses the files.
Status DeleteInputs(DbState* db, const FamilyPtr& family,
                    const CompactionPlan& plan) REQUIRES_LOCK(kStateLock) {
  assert(!plan.inputs.empty());
  VersionEdit edit;
  edit.column_family = family->id();
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    for (const FilePtr& file : inputs.files) {
      assert(!file->being_compacted);
      edit.DeleteFile(inputs.level, file->number);
    }
  }
  bool installed = false;
  FamilyEdits change{family->versions(), {&edit}, {}};
  change.on_installed = [&installed] { installed = true; };
  RETURN_IF_ERROR(family->RegisterPlan(&plan));
  const Status status = OrNoMemory([&] {
    kStateLock.AssertHeld();
    return db->versions->LogAndApply({&change, 1}, &db->mu,
                                     db->directory.get());
  });
  family->UnregisterPlan(&plan);
  db->changed.SignalAll();
  RETURN_IF_ERROR(status);
  if (!installed) return Status::ColumnFamilyDropped(family->name());
  Info(db->store.info_log, "[%s] Deleted %zu whole tables, %llu bytes",
       family->name().c_str(), plan.InputFileCount(),
       static_cast<unsigned long long>(plan.InputBytes()));
  ViewRef old = family->PublishView();
  CheckState(*db);
  const MutexUnlock unlock(&db->mu);
  { ViewRef last = std::move(old); }
  return Status::OK();
}

}  // namespace

Status DeleteFilesWithin(DbState* db, const FamilyPtr& family,
                         const KeyRanges& wanted) {
  db->mu.AssertHeld();
  RETURN_IF_ERROR(MayDelete(*db, *family));
  const CompactionPlan plan = PlanOf(family->versions()->current(), wanted);
  return plan.inputs.empty() ? Status::OK() : DeleteInputs(db, family, plan);
}

namespace {

struct Found {
  FamilyPtr family;
  FilePtr file;  // Null: there is none.
  int level = 0;
};

Found FindTable(const DbState& db, uint64_t number) {
  db.mu.AssertHeld();
  for (const FamilyPtr& family : db.families->all()) {
    const VersionPtr version = family->versions()->current();
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        if (file->number == number) return {family, file, level};
      }
    }
  }
  return {};
}

}  // namespace

Status DeleteTable(DbState* db, uint64_t number) {
  db->mu.AssertHeld();
  const Found found = FindTable(*db, number);
  if (found.file == nullptr) {
    return Status::InvalidArgument("DeleteFile: no column family has table " +
                                   std::to_string(number));
  }
  RETURN_IF_ERROR(MayDelete(*db, *found.family));
  if (found.file->being_compacted) return Status::OK();
  const VersionPtr version = found.family->versions()->current();
  if (found.level != version->num_non_empty_levels() - 1) {
    return Status::InvalidArgument(
        "DeleteFile: table " + std::to_string(number) + " is in level " +
        std::to_string(found.level) + ", and not in the deepest that has any");
  }
  if (found.level == 0 && version->files(0).back() != found.file) {
    return Status::InvalidArgument("DeleteFile: table " +
                                   std::to_string(number) +
                                   " is not the oldest of level 0");
  }
  CompactionPlan plan;
  plan.is_manual = true;
  plan.version = version;
  plan.inputs.push_back({found.level, {found.file}});
  return DeleteInputs(db, found.family, plan);
}

}  // namespace ROCKSDB_NAMESPACE::engine
