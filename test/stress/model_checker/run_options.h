// Options for one opening of the model checker's database.
//
// Place. Database::Open draws them anew each time, with test/stress/options;
// what contradicts the plan of the run is left out.

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/stress/model_checker/plan.h"
#include "test/stress/model_checker/run_filter.h"
#include "test/stress/options/apply_options.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

struct RunOptions {
  DBOptions db;
  std::vector<ColumnFamilyOptions> families;  // By slot.
  std::vector<FilterPlace> filters;           // By slot.
  std::string text;                           // As drawn.
  Transactions transactions = Transactions::kNone;
  TransactionDBOptions locking;
  OptimisticTransactionDBOptions optimistic;
};

// Of the database at `path`, which was opened so often before.
Status DrawRunOptions(const Plan& plan, uint64_t opening, Env* env,
                      const std::string& path, Caches* caches,
                      RunOptions* options);

// A change that SetOptions or SetDBOptions takes at any time.
using OptionChange = std::unordered_map<std::string, std::string>;
OptionChange DrawFamilyChange(const Plan& plan, int slot,
                              engine::Random64* random);
OptionChange DrawDbChange(const Plan& plan, engine::Random64* random);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
