#include "tools/db_bench/target.h"

#include <charconv>
#include <sstream>
#include <system_error>

#include "tools/db_bench/flags.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

Status FamilyChoice::SetFromFlags() {
  if (FLAGS_num_hot_column_families < 0) {
    return Status::InvalidArgument(
        "--num_hot_column_families must be at least 0");
  }
  const auto families = static_cast<size_t>(FLAGS_num_column_families);
  const auto hot = static_cast<size_t>(FLAGS_num_hot_column_families);
  hot_ = hot < families ? hot : 0;
  stages_ = hot_ == 0 ? 1 : (families - 1) / hot_ + 1;
  const size_t listed = hot_ == 0 ? families : hot_;
  Status malformed = Status::InvalidArgument(
      "--column_family_distribution=" + FLAGS_column_family_distribution +
      ": expected " + std::to_string(listed) +
      " percentages, whose sum is 100, separated by commas");
  shares_.clear();
  uint64_t sum = 0;
  std::istringstream parts(FLAGS_column_family_distribution);
  for (std::string part; std::getline(parts, part, ',');) {
    uint64_t percent = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, percent);
    if (error != std::errc() || rest != end || percent > 100) return malformed;
    sum += percent;
    shares_.push_back(sum);
  }
  if (shares_.empty() && FLAGS_column_family_distribution.empty()) {
    return Status::OK();
  }
  return shares_.size() == listed && sum == 100 ? Status::OK() : malformed;
}

size_t FamilyChoice::PickByShare(engine::Random64* random) const {
  const uint64_t drawn = random->Uniform(100);
  return static_cast<size_t>(
      std::upper_bound(shares_.begin(), shares_.end(), drawn) -
      shares_.begin());
}

void FamilyChoice::Reach(uint64_t stage) {
  const auto first = static_cast<size_t>(std::min(stage, stages_ - 1)) * hot_;
  size_t now = first_.load(std::memory_order_relaxed);
  while (first > now && !first_.compare_exchange_weak(now, first)) {
  }
}

Status OpenFamilies(const Options& options, const std::string& path,
                    const std::vector<std::string>& names, Target* target) {
  DBOptions of_db(options);
  of_db.create_missing_column_families = true;
  std::vector<ColumnFamilyDescriptor> families;
  families.reserve(names.size());
  for (const std::string& name : names) families.emplace_back(name, options);
  if (FLAGS_transaction_db) {
    RETURN_IF_ERROR(TransactionDB::Open(of_db, TransactionDBOptions(), path,
                                        families, &target->families,
                                        &target->locking));
    target->db.reset(target->locking);
  } else if (FLAGS_optimistic_transaction_db) {
    RETURN_IF_ERROR(OptimisticTransactionDB::Open(
        of_db, path, families, &target->families, &target->optimistic));
    target->db.reset(target->optimistic);
  } else {
    RETURN_IF_ERROR(
        DB::Open(of_db, path, families, &target->families, &target->db));
  }
  target->owns_families = true;
  return Status::OK();
}

Status CloseTarget(Target* target) {
  if (target->db == nullptr) return Status::OK();  // It did not open.
  if (target->owns_families) {
    for (ColumnFamilyHandle* family : target->families) {
      (void)target->db->DestroyColumnFamilyHandle(family);
    }
    target->families.clear();
  }
  Status closed = target->db->Close();
  return closed.IsNotSupported() ? Status::OK() : closed;
}

}  // namespace ROCKSDB_NAMESPACE::bench
