#include "test/stress/model_checker/slow_merges.h"

#include <chrono>
#include <thread>

#include "rocksdb/env.h"
#include "rocksdb/iostats_context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

void SlowMerges::TakeAWhile() const {
  if (get_iostats_context()->thread_pool_id == Env::Priority::TOTAL) return;
  const uint64_t number = merges_.fetch_add(1, std::memory_order_relaxed);
  if (number % kOneIn != 0) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

bool SlowMerges::FullMergeV2(const MergeOperationInput& in,
                             MergeOperationOutput* out) const {
  TakeAWhile();
  return merge_->FullMergeV2(in, out);
}

bool SlowMerges::PartialMerge(const Slice& key, const Slice& left,
                              const Slice& right, std::string* new_value,
                              Logger* logger) const {
  TakeAWhile();
  return merge_->PartialMerge(key, left, right, new_value, logger);
}

bool SlowMerges::PartialMergeMulti(const Slice& key,
                                   const std::deque<Slice>& operands,
                                   std::string* new_value,
                                   Logger* logger) const {
  TakeAWhile();
  return merge_->PartialMergeMulti(key, operands, new_value, logger);
}

bool SlowMerges::AllowSingleOperand() const {
  return merge_->AllowSingleOperand();
}

bool SlowMerges::ShouldMerge(const std::vector<Slice>& operands) const {
  return merge_->ShouldMerge(operands);
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
