#include "db/read/merge_resolver.h"

#include <cassert>
#include <deque>
#include <exception>

#include "table/entity.h"
#include "util/perf_context.h"
#include "util/result.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::vector<Slice> OldestFirst(const std::vector<std::string>& newest_first) {
  return {newest_first.rbegin(), newest_first.rend()};
}

Status MergeFailed(const Slice& user_key, const std::string& why) {
  return Status::Corruption("Merge operator failed on key " +
                            user_key.ToString(/*hex=*/true) + ": " + why);
}

}  // namespace

Status ResolveMerge(const MergeContext& context, const Slice& user_key,
                    const Slice* base,
                    const std::vector<std::string>& newest_first,
                    std::string* result) {
  if (context.merge_operator == nullptr) {
    return Status::InvalidArgument(
        "merge_operator is not set, but the database holds merge operands");
  }
  assert(!newest_first.empty());
  const std::vector<Slice> operands = OldestFirst(newest_first);
  const MergeOperator::MergeOperationInput input(user_key, base, operands,
                                                 context.info_log);
  result->clear();
  Slice existing_operand(nullptr, 0);
  MergeOperator::MergeOperationOutput output(*result, existing_operand);
  PerfTimer timer(nullptr, &PerfContext::merge_operator_time_nanos);
  try {
    if (!context.merge_operator->FullMergeV2(input, &output)) {
      RecordTick(context.statistics, NUMBER_MERGE_FAILURES);
      return MergeFailed(user_key, context.merge_operator->Name());
    }
  } catch (const std::exception& e) {
    return MergeFailed(user_key, e.what());
  }
  if (existing_operand.data() != nullptr) {
    result->assign(existing_operand.data(), existing_operand.size());
  }
  return Status::OK();
}

Status ResolveMergeOnEntity(const MergeContext& context, const Slice& user_key,
                            const Slice& entity,
                            const std::vector<std::string>& newest_first,
                            std::string* result) {
  Slice base;
  RETURN_IF_ERROR(DefaultColumnOf(entity, &base));
  std::string merged;
  RETURN_IF_ERROR(
      ResolveMerge(context, user_key, &base, newest_first, &merged));
  return ReplaceDefaultColumn(entity, merged, result);
}

bool CombineOperands(const MergeContext& context, const Slice& user_key,
                     const std::vector<std::string>& newest_first,
                     std::string* result) {
  if (context.merge_operator == nullptr || newest_first.size() < 2) {
    return false;
  }
  const std::vector<Slice> operands = OldestFirst(newest_first);
  result->clear();
  try {
    return context.merge_operator->PartialMergeMulti(
        user_key, std::deque<Slice>(operands.begin(), operands.end()), result,
        context.info_log);
  } catch (const std::exception&) {
    return false;  // Kept apart, the error shows when they are read.
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
