#include "db/compaction/plan.h"

namespace ROCKSDB_NAMESPACE::engine {

uint64_t CompactionPlan::InputBytes() const {
  uint64_t bytes = 0;
  for (const Inputs& in : inputs) {
    for (const FilePtr& file : in.files) bytes += file->size;
  }
  return bytes;
}

size_t CompactionPlan::InputFileCount() const {
  size_t count = 0;
  for (const Inputs& in : inputs) count += in.files.size();
  return count;
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
