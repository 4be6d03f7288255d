#include "db/compaction/plan.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

JobClass CompactionPlan::job_class() const {
  if (is_manual) return JobClass::kMaintenance;
  switch (reason) {
    case CompactionReason::kTtl:
    case CompactionReason::kPeriodicCompaction:
    case CompactionReason::kBottommostFiles:
    case CompactionReason::kFilesMarkedForCompaction:
    case CompactionReason::kManualCompaction:
    case CompactionReason::kForcedBlobGC:
      return JobClass::kMaintenance;
    default:
      return start_level() == 0 && !in_background ? JobClass::kRuns
                                                  : JobClass::kDebt;
  }
}

uint64_t CompactionPlan::InputBytes() const {
  uint64_t bytes = 0;
  for (const Inputs& in : inputs) {
    for (const FilePtr& file : in.files) bytes += file->size;
  }
  return bytes;
}

uint64_t CompactionPlan::OldestBlobFile() const {
  uint64_t oldest = kNoBlobFile;
  for (const Inputs& in : inputs) {
    for (const FilePtr& file : in.files) {
      const uint64_t number = file->oldest_blob_file;
      if (number == kNoBlobFile) continue;
      oldest = oldest == kNoBlobFile ? number : std::min(oldest, number);
    }
  }
  return oldest;
}

size_t CompactionPlan::InputFileCount() const {
  size_t count = 0;
  for (const Inputs& in : inputs) count += in.files.size();
  return count;
}

int CompactionPlan::Level0FilesGone() const {
  assert(!inputs.empty());
  if (start_level() != 0) return 0;
  const int files = static_cast<int>(inputs.front().files.size());
  assert(files > 0);
  return output_level == 0 ? files - 1 : files;
}

double CompactionPlan::BytesPerFileGone(uint64_t done_bytes) const {
  const uint64_t input = InputBytes();
  return static_cast<double>(input - std::min(input, done_bytes)) /
         std::max(1, Level0FilesGone());
}

std::unique_ptr<SstPartitioner> PartitionerOf(
    const ColumnFamilyOptions& options, const CompactionPlan& plan) {
  if (options.sst_partitioner_factory == nullptr || plan.output_level == 0) {
    return nullptr;
  }
  assert(plan.version != nullptr);
  SstPartitioner::Context context;
  context.is_full_compaction = plan.TakesAllFiles();
  context.is_manual_compaction = plan.is_manual;
  context.output_level = plan.output_level;
  context.smallest_user_key = plan.smallest_user_key;
  context.largest_user_key = plan.largest_user_key;
  return options.sst_partitioner_factory->CreatePartitioner(context);
}

bool GoesFirst(const JobLeft& a, const JobLeft& b) {
  assert(a.plan != nullptr && b.plan != nullptr);
  const bool a_empties = a.plan->start_level() == 0;
  const bool b_empties = b.plan->start_level() == 0;
  return a_empties != b_empties ? a_empties : a.left_bytes < b.left_bytes;
}

std::string CompactionPlan::Summary() const {
  std::string text;
  for (const Inputs& in : inputs) {
    if (!text.empty()) text += " + ";
    text += std::to_string(in.files.size()) + "@" + std::to_string(in.level);
  }
  return text + " files to L" + std::to_string(output_level);
}

}  // namespace ROCKSDB_NAMESPACE::engine
