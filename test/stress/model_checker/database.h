// Database: the database under test, opened again and again.
//
// Model. Slot n is the family "f<n>"; slot 0 is the default family. Slots from
// kMirrorSlots on are created and dropped while threads run: a thread that
// uses the handle of a slot holds its lock, shared. A run with transactions
// also has the family "accounts" (accounts.h), which is never dropped.
//
// Threads. Open and Close are called while no thread runs.

#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "test/stress/model_checker/plan.h"
#include "test/stress/model_checker/run_options.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Database {
 public:
  Database(const Plan& plan, ExpectedState* expected, const std::string& dir);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // With new options, drawn for the number of the opening. Families are those
  // that the expected state has.
  Status Open(uint64_t opening);
  Status Close(bool explicitly);
  // Which slots the files on disk have; after a kill or an error in between.
  Status SettleSlots();

  // The next calls use the rule; nullptr: calls succeed.
  test::ErrorFileSystem* faults() const { return faults_.get(); }
  DB* db() const { return db_.get(); }
  Env* env() const { return env_; }
  ColumnFamilyHandle* handle(int slot) const { return handles_[slot]; }
  // Null: it is not there.
  ColumnFamilyHandle* accounts() const { return accounts_; }
  // The same database, if this opening has transactions of the kind.
  TransactionDB* locking_db() const { return locking_; }
  OptimisticTransactionDB* optimistic_db() const { return optimistic_; }
  // REQUIRES: one of them. For the optimistic kind the options say nothing but
  // `set_snapshot`.
  std::unique_ptr<Transaction> BeginTransaction(
      const WriteOptions& write_options, const TransactionOptions& options);
  std::shared_mutex& slot_lock(int slot) { return slot_locks_[slot]; }
  const RunOptions& options() const { return options_; }
  // Tables and blob files in its directories that no family has. Those of a job
  // that runs are among them.
  Status Orphans(std::set<std::string>* names) const;
  // Another database with the same families, opened for reading or writing.
  Status OpenCopy(const std::string& path, bool read_only,
                  std::unique_ptr<Database>* copy) const;

  // REQUIRES: the slot's lock, exclusive.
  Status CreateSlot(int slot);
  Status DropSlot(int slot);

  // A path that was not used before, next to the database.
  std::string NewPath(const std::string& what);

 private:
  std::vector<ColumnFamilyDescriptor> Descriptors(
      std::vector<int>* slots) const;
  Status OpenAny(const std::vector<ColumnFamilyDescriptor>& families,
                 std::vector<ColumnFamilyHandle*>* handles);
  Status ListFamilies(const std::string& path,
                      std::vector<std::string>* names) const;
  ColumnFamilyOptions AccountOptions() const;

  const Plan& plan_;
  ExpectedState* const expected_;
  const std::string dir_;
  std::string path_;
  std::shared_ptr<FileSystem> base_;
  std::shared_ptr<test::ErrorFileSystem> faults_;
  std::unique_ptr<Env> own_env_;
  Env* env_ = nullptr;
  Caches caches_;
  RunOptions options_;
  std::unique_ptr<DB> db_;
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  ColumnFamilyHandle* handles_[kSlotsMax] = {};
  ColumnFamilyHandle* accounts_ = nullptr;
  std::shared_mutex slot_locks_[kSlotsMax];
  std::atomic<uint64_t> next_path_{1};
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
