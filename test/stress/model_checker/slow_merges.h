// SlowMerges: a merge operator that takes its time in background jobs.
//
// Place. Around the operator of a run whose plan says so.
//
// Model. One of kOneIn merges in the threads of a pool sleeps. So a job that
// merges (a flush, a purge of memtables, a compaction) lasts until others have
// done something meanwhile; on its own it is over too soon to meet a Flush().

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class SlowMerges final : public MergeOperator {
 public:
  explicit SlowMerges(std::shared_ptr<MergeOperator> merge)
      : merge_(std::move(merge)) {}

  const char* Name() const override { return merge_->Name(); }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override;
  bool PartialMerge(const Slice& key, const Slice& left, const Slice& right,
                    std::string* new_value, Logger* logger) const override;
  bool PartialMergeMulti(const Slice& key, const std::deque<Slice>& operands,
                         std::string* new_value, Logger* logger) const override;
  bool AllowSingleOperand() const override;
  bool ShouldMerge(const std::vector<Slice>& operands) const override;

 private:
  static constexpr uint64_t kOneIn = 32;

  void TakeAWhile() const;

  const std::shared_ptr<MergeOperator> merge_;
  mutable std::atomic<uint64_t> merges_{0};
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
