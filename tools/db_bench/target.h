// Target: one of the databases that operations go to (--num_multi_db), with its
// column families (--num_column_families).
//
// Place. Bench opens the targets; workloads ask them for a family. The
// rehearsal opens one, too, so that it refuses what opening refuses.
//
// Threads. Opened and closed by the main thread; picked from by all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

// Which family an operation goes to: any, in the proportion of
// --column_family_distribution, but with --num_hot_column_families only one of
// a set. A fill goes from one set to the next; the last set then stays.
class FamilyChoice {
 public:
  // InvalidArgument names the flag.
  Status SetFromFlags();

  size_t Pick(size_t families, engine::Random64* random) const {
    const size_t count = hot_ == 0 ? families : std::min(hot_, families);
    const size_t first =
        std::min(first_.load(std::memory_order_relaxed), families - count);
    return first + (shares_.empty()
                        ? static_cast<size_t>(random->Uniform(count))
                        : PickByShare(random));
  }

  // How many sets there are.
  uint64_t stages() const { return stages_; }
  // The first operation of set `stage`, counted from 0.
  void Reach(uint64_t stage);
  // Goes back to the first set, for a new database.
  void Restart() { first_ = 0; }

 private:
  size_t PickByShare(engine::Random64* random) const;

  size_t hot_ = 0;  // 0: all.
  uint64_t stages_ = 1;
  std::vector<uint64_t> shares_;  // Percent, each with those before.
  std::atomic<size_t> first_{0};  // Of the set.
};

struct Target {
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> families;
  bool owns_families = false;
  // `db` as what it is with --transaction_db or --optimistic_transaction_db;
  // else null.
  TransactionDB* locking = nullptr;
  OptimisticTransactionDB* optimistic = nullptr;
  // With more than one family.
  const FamilyChoice* choice = nullptr;

  ColumnFamilyHandle* PickFamily(engine::Random64* random) const {
    return families.size() == 1
               ? families[0]
               : families[choice->Pick(families.size(), random)];
  }
};

// Opens a database with these families, the default one first, as the kind that
// the flags of transactions name.
Status OpenFamilies(const Options& options, const std::string& path,
                    const std::vector<std::string>& names, Target* target);

// OK also for a kind that cannot be closed.
Status CloseTarget(Target* target);

}  // namespace ROCKSDB_NAMESPACE::bench
