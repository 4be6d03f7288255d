// OptimisticTransaction: a transaction whose tracked keys are checked when it
// commits.
//
// Place. Made by OptimisticDB. Commits through the database's CommitPipeline,
// whose leader calls CommitCheck.
//
// Invariant: between the check and the moment in which the writes are readable
// no other write is committed: the transaction is a group of its own
// (commit_pipeline.h).
//
// Threads. One at a time; CommitCheck in the thread of the leader, which is
// this one.

#pragma once

#include <memory>
#include <string>

#include "db/db_impl/db_impl.h"
#include "db/transaction/transaction_base.h"
#include "db/write/commit_pipeline.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"

namespace ROCKSDB_NAMESPACE::engine {

class OptimisticTransaction final : public TransactionBase,
                                    private CommitHooks {
 public:
  OptimisticTransaction(DBImpl* db, const WriteOptions& write_options,
                        const OptimisticTransactionOptions& options);

  // As if it were new.
  void Reuse(const WriteOptions& write_options,
             const OptimisticTransactionOptions& options);

  Status Prepare() override;
  Status Commit() override;
  Status SetName(const TransactionName& name) override;
  void SetLockTimeout(int64_t /*timeout*/) override {}

 private:
  Status TrackKey(uint32_t family, const std::string& key,
                  const KeyUse& use) override;

  std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family) override;

  // CommitHooks.
  Status CommitCheck(SequenceNumber last_published) override;
  bool ChecksCommits() const override { return true; }
  bool AllowGrouping() const override { return false; }

  DBImpl* const impl_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
