#include "db/column_family/check_state.h"

#ifndef NDEBUG

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <vector>

#include "db/compaction/plan.h"
#include "db/manifest/version_builder.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::set<uint64_t> NumbersOf(const Version& version) {
  std::set<uint64_t> numbers;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      const bool is_new = numbers.insert(file->number).second;
      assert(is_new && "a file is in a Version once");
      // file_metadata.h (2)
      assert(!file->removed() &&
             "a file of the current Version is not removed");
      assert(file->home != nullptr);
    }
  }
  return numbers;
}

bool RangesOverlap(const ColumnFamily& family, const CompactionPlan& a,
                   const CompactionPlan& b) {
  const Comparator* const order = family.icmp().user_comparator();
  return order->CompareWithoutTimestamp(a.smallest_user_key,
                                        b.largest_user_key) <= 0 &&
         order->CompareWithoutTimestamp(b.smallest_user_key,
                                        a.largest_user_key) <= 0;
}

// Its output takes the place of all that it merges.
bool TakesNeighbours(const CompactionPlan& plan) {
  const std::vector<FilePtr>& level0 = plan.version->files(0);
  const std::vector<FilePtr>& inputs = plan.inputs.front().files;
  return std::search(level0.begin(), level0.end(), inputs.begin(),
                     inputs.end()) != level0.end();
}

void CheckPlans(const ColumnFamily& family) {
  std::set<uint64_t> planned;
  const auto& plans = family.running();
  for (size_t i = 0; i < plans.size(); ++i) {
    for (const CompactionPlan::Inputs& inputs : plans[i]->inputs) {
      for (const FilePtr& file : inputs.files) {
        assert(file->being_compacted);  // (1)
        const bool is_new = planned.insert(file->number).second;
        assert(is_new);  // (1), plan.h (1)
      }
    }
    // plan.h (2), file_ingester.h (2)
    assert(plans[i]->output_level > 0 || plans[i]->start_level() > 0 ||
           TakesNeighbours(*plans[i]));
    for (size_t j = 0; j < i; ++j) {
      assert(plans[i]->output_level != plans[j]->output_level ||
             plans[i]->output_level == 0 ||
             !RangesOverlap(family, *plans[i], *plans[j]));  // (3)
    }
  }
  const Version& version = *family.versions()->current();
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      assert(!file->being_compacted || planned.contains(file->number));  // (2)
    }
  }
}

void CheckView(const ColumnFamily& family) REQUIRES_LOCK(kStateLock) {
  if (family.views().latest_number() == 0) return;  // While it is opened.
  const ViewRef view = family.views().Pin();
  // Also column_family.h (2).
  assert(view->mem == family.mem());             // (4)
  assert(view->imm == family.imm().snapshot());  // (4)
  // A compaction that another thread has installed publishes it when it wakes.
  assert(view->version->id() <= family.versions()->current()->id());  // (4)
  assert(view->options == family.options());                          // (4)
  assert(view->number == family.view_number());
}

void CheckBlobs(const FamilyVersions& versions) {
  const Version& version = *versions.current();
  const BlobFiles& blobs = version.blobs();
  for (size_t i = 1; i < blobs.files.size(); ++i) {
    assert(blobs.files[i - 1].number() < blobs.files[i].number());
  }
  for (const LiveBlobFile& blob : blobs.files) {
    assert(blob.garbage_bytes <= blob.total_bytes());  // blob_files.h (2)
    assert(blob.garbage_count <= blob.file->facts.blob_count);
  }
  if (versions.misses_blob_files()) return;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      assert(file->oldest_blob_file == kNoBlobFile ||
             blobs.Find(file->oldest_blob_file) != nullptr);  // (5)
    }
  }
}

void CheckOrder(const ColumnFamily& family, const Version& version) {
  if (!family.options()->force_consistency_checks) return;
  for (int level = 0; level < version.num_levels(); ++level) {
    const Status status =
        CheckLevelOrder(family.icmp(), level, version.level(level));
    assert(status.ok());  // version.h (2), (3)
  }
}

void CheckFamily(const DbState& db, const ColumnFamily& family)
    REQUIRES_LOCK(kStateLock) {
  const Version& version = *family.versions()->current();
  CheckOrder(family, version);
  const std::set<uint64_t> live = NumbersOf(version);
  assert(live.empty() ||
         *live.rbegin() < db.versions->next_file_number());  // (7)
  const std::vector<LiveBlobFile>& blobs = version.blobs().files;
  assert(blobs.empty() ||
         blobs.back().number() < db.versions->next_file_number());  // (7)
  CheckPlans(family);
  CheckView(family);
  CheckBlobs(*family.versions());
  assert(family.imm().empty() || db.wals == nullptr ||
         family.versions()->log_number() <= db.wals->current_number());  // (6)
}

}  // namespace

void CheckState(const DbState& db) {
  const uint64_t next = db.versions->next_file_number();
  assert(db.versions->manifest_number() < next);                   // (7)
  assert(db.wals == nullptr || db.wals->current_number() < next);  // (7)
  for (const FamilyPtr& family : db.families->all()) {
    if (!family->dropped()) CheckFamily(db, *family);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine

#endif
