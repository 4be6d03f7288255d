#include "test/stress/options/rewriting_filter.h"

#include <utility>
#include <vector>

#include "test/stress/options/filter_factory.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

class Rewriter final : public CompactionFilter {
 public:
  const char* Name() const override { return "RewritingFilter"; }

  Decision FilterV3(
      int /*level*/, const Slice& key, ValueType type,
      const Slice* existing_value, const WideColumns* existing_columns,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* /*skip_until*/) const override {
    if (type == ValueType::kWideColumnEntity) {
      if ((key.size() + existing_columns->size()) % 2 == 0) {
        return Decision::kKeep;
      }
      for (const WideColumn& column : *existing_columns) {
        new_columns->emplace_back(column.name().ToString(),
                                  column.value().ToString());
      }
      return Decision::kChangeWideColumnEntity;
    }
    if ((key.size() + existing_value->size()) % 2 == 0) return Decision::kKeep;
    *new_value = existing_value->ToString();
    return Decision::kChangeValue;
  }
};

}  // namespace

const CompactionFilter* RewritingFilter() {
  static const Rewriter kRewriter;
  return &kRewriter;
}

std::shared_ptr<CompactionFilterFactory> NewRewritingFilterFactory(
    const std::string& tables) {
  const FilteredJobs jobs{.compactions = tables != "flushes",
                          .others = tables != "compactions"};
  return std::make_shared<FilterFactory>("RewritingFilterFactory", jobs, [] {
    return std::make_unique<Rewriter>();
  });
}

}  // namespace ROCKSDB_NAMESPACE::stress
