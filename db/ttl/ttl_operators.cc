#include "db/ttl/ttl_operators.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "db/ttl/stamped_value.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class TtlFilter final : public CompactionFilter {
 public:
  // One of `given` and `made` is the program's, or neither.
  TtlFilter(TtlSeconds ttl, std::shared_ptr<SystemClock> clock,
            const CompactionFilter* given,
            std::unique_ptr<CompactionFilter> made)
      : ttl_(std::move(ttl)),
        clock_(std::move(clock)),
        made_(std::move(made)),
        inner_(given != nullptr ? given : made_.get()) {}

  const char* Name() const override { return "Delete By TTL"; }
  bool IgnoreSnapshots() const override { return true; }

  Decision FilterV2(int level, const Slice& key, ValueType value_type,
                    const Slice& existing_value, std::string* new_value,
                    std::string* skip_until) const override {
    const bool stamped = value_type == kValue || value_type == kMergeOperand;
    if (!stamped || existing_value.size() < kStampSize) return Decision::kKeep;
    if (value_type == kValue &&
        IsExpired(existing_value, ttl_->load(std::memory_order_relaxed),
                  clock_.get())) {
      return Decision::kRemove;
    }
    if (inner_ == nullptr) return Decision::kKeep;
    const Decision decision =
        inner_->FilterV2(level, key, value_type, WithoutStamp(existing_value),
                         new_value, skip_until);
    if (decision == Decision::kChangeValue) {
      const Slice stamp = StampOf(existing_value);
      new_value->append(stamp.data(), stamp.size());
    }
    return decision;
  }

 private:
  const TtlSeconds ttl_;
  const std::shared_ptr<SystemClock> clock_;
  const std::unique_ptr<CompactionFilter> made_;
  const CompactionFilter* const inner_;
};

class TtlFilterFactory final : public CompactionFilterFactory {
 public:
  TtlFilterFactory(TtlSeconds ttl, std::shared_ptr<SystemClock> clock,
                   std::shared_ptr<CompactionFilterFactory> inner)
      : ttl_(std::move(ttl)),
        clock_(std::move(clock)),
        inner_(std::move(inner)) {}

  const char* Name() const override { return "TtlCompactionFilterFactory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return CompactionFilterFactory::ShouldFilterTableFileCreation(reason) ||
           WantsInner(reason);
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    std::unique_ptr<CompactionFilter> made;
    if (WantsInner(context.reason)) {
      made = inner_->CreateCompactionFilter(context);
    }
    return std::make_unique<TtlFilter>(ttl_, clock_, nullptr, std::move(made));
  }

 private:
  bool WantsInner(TableFileCreationReason reason) const {
    return inner_ != nullptr && inner_->ShouldFilterTableFileCreation(reason);
  }

  const TtlSeconds ttl_;
  const std::shared_ptr<SystemClock> clock_;
  const std::shared_ptr<CompactionFilterFactory> inner_;
};

class TtlMergeOperator final : public MergeOperator {
 public:
  TtlMergeOperator(std::shared_ptr<MergeOperator> inner,
                   std::shared_ptr<SystemClock> clock)
      : inner_(std::move(inner)), clock_(std::move(clock)) {}

  const char* Name() const override { return "Merge By TTL"; }
  bool AllowSingleOperand() const override {
    return inner_->AllowSingleOperand();
  }
  bool ShouldMerge(const std::vector<Slice>& stamped) const override {
    std::vector<Slice> operands;
    for (const Slice& operand : stamped) {
      if (operand.size() < kStampSize) return false;
      operands.push_back(WithoutStamp(operand));
    }
    return inner_->ShouldMerge(operands);
  }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    const Slice* const existing = merge_in.existing_value;
    if (existing != nullptr && existing->size() < kStampSize) return false;
    std::vector<Slice> operands;
    for (const Slice& operand : merge_in.operand_list) {
      if (operand.size() < kStampSize) return false;
      operands.push_back(WithoutStamp(operand));
    }
    Slice base;
    if (existing != nullptr) base = WithoutStamp(*existing);
    std::string merged;
    Slice chosen(nullptr, 0);  // One of the operands is the result.
    MergeOperationOutput inner_out(merged, chosen);
    const bool done = inner_->FullMergeV2(
        MergeOperationInput(merge_in.key, existing != nullptr ? &base : nullptr,
                            operands, merge_in.logger),
        &inner_out);
    merge_out->op_failure_scope = inner_out.op_failure_scope;
    if (!done) return false;
    if (chosen.data() != nullptr) merged.assign(chosen.data(), chosen.size());
    merge_out->new_value = std::move(merged);
    return Stamp(&merge_out->new_value);
  }
  bool PartialMergeMulti(const Slice& key,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* logger) const override {
    std::deque<Slice> operands;
    for (const Slice& operand : operand_list) {
      if (operand.size() < kStampSize) return false;
      operands.push_back(WithoutStamp(operand));
    }
    return inner_->PartialMergeMulti(key, operands, new_value, logger) &&
           Stamp(new_value);
  }

 private:
  bool Stamp(std::string* value) const {
    int32_t now = 0;
    if (!CurrentStamp(clock_.get(), &now).ok()) return false;
    AppendStamp(now, value);
    return true;
  }

  const std::shared_ptr<MergeOperator> inner_;
  const std::shared_ptr<SystemClock> clock_;
};

}  // namespace

std::unique_ptr<const CompactionFilter> AddTtl(
    const TtlSeconds& ttl, const std::shared_ptr<SystemClock>& clock,
    ColumnFamilyOptions* options) {
  if (options->merge_operator != nullptr) {
    options->merge_operator =
        std::make_shared<TtlMergeOperator>(options->merge_operator, clock);
  }
  if (options->compaction_filter == nullptr) {
    options->compaction_filter_factory = std::make_shared<TtlFilterFactory>(
        ttl, clock, options->compaction_filter_factory);
    return nullptr;
  }
  auto filter = std::make_unique<TtlFilter>(
      ttl, clock, options->compaction_filter, nullptr);
  options->compaction_filter = filter.get();
  return filter;
}

}  // namespace ROCKSDB_NAMESPACE::engine
