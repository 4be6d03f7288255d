// DbTarget: our library, through its C++ interface, on any Env.
//
// Place. Used by the metamorphic program, and by programs that run histories on
// a file system of a test.
//
// Model. Options are a small database's, changed by what was drawn, so that
// little data makes many files and levels.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/stress/history/held.h"
#include "test/stress/options/apply_options.h"
#include "test/stress/target/target.h"
#include "test/stress/target/transaction_steps.h"

namespace ROCKSDB_NAMESPACE::stress {

// "OK", "NotFound", "Incomplete", or the whole text of another error.
std::string TextOf(const Status& status);

// Options before anything is drawn; of `family` also what its name says.
DBOptions SmallDbOptions(Env* env);
ColumnFamilyOptions SmallFamilyOptions(const std::string& family);

// The value and the columns of a row, as answers show them.
std::string ShowRow(Iterator* it);

// An iterator over a family without timestamps.
std::unique_ptr<Cursor> CursorOver(std::unique_ptr<Iterator> it,
                                   ColumnFamilyHandle* family);

class DbTarget final : public Target {
 public:
  struct Deps {
    Env* env = nullptr;
    std::string path;
    // Makes the Env that is there after a crash; null: Crash() is Close().
    std::function<Env*()> crash;
  };

  explicit DbTarget(Deps deps)
      : deps_(std::move(deps)),
        held_({[this] { return db_->GetSnapshot(); },
               [this](const Snapshot* held) { db_->ReleaseSnapshot(held); },
               [this](const Operation& operation) {
                 return NewCursor(operation);
               },
               [this] { return Dump(); }}) {}
  ~DbTarget() override { Close(); }

  std::string Open(const Opening& opening) override;
  std::string Close() override;
  std::string Crash() override;
  std::string Execute(const Operation& operation) override;

  // The answer of kDump as the C interface would give it: of an entity its
  // default column.
  std::string DumpValues();

  DB* db() { return db_.get(); }
  ColumnFamilyHandle* family(const std::string& name);

 private:
  std::string Write(const Operation& operation);
  std::string WriteGroups(const Operation& operation);
  std::string WriteBatchOf(const Operation& operation);
  // When keys of a family with timestamps get them.
  enum class Times { kGiven, kSetLater };
  Status AddRecords(const Operation& operation, WriteBatchBase* batch,
                    Times times);
  Status FillBatch(const Operation& operation, WriteBatchBase* batch);
  std::string Ingest(const Operation& operation);
  Status WriteFile(const std::string& path, const Operation& ingest,
                   uint64_t file);
  std::string Read(const Operation& operation);
  std::string GetEntity(const Operation& operation);
  std::string GetOperands(const Operation& operation);
  std::string KeyMayExist(const Operation& operation);
  // False: a family does not exist.
  bool KeysOf(const Operation& operation,
              std::vector<ColumnFamilyHandle*>* families,
              std::vector<Slice>* keys);
  std::string MultiGet(const Operation& operation);
  std::string MultiGetEntity(const Operation& operation);
  std::unique_ptr<Cursor> NewCursor(const Operation& operation);
  std::string Dump();

  // db_target_transactions.cc
  Status OpenDb(const std::vector<ColumnFamilyDescriptor>& descriptors,
                std::vector<ColumnFamilyHandle*>* handles);
  Status OpenTrimmed(const std::vector<ColumnFamilyDescriptor>& descriptors,
                     std::vector<ColumnFamilyHandle*>* handles);
  void ForgetTransactions();
  // Where it is written: a TransactionDB cannot lock all that there is.
  DB* WriterOf(const Operation& write);
  std::unique_ptr<Transaction> Begin(const Operation& operation);
  std::string Transact(const Operation& operation);
  Status End(const Operation& operation, TransactionSteps* steps,
             std::unique_ptr<Transaction> transaction);
  std::string ReadStep(TransactionSteps* steps, const Operation& read);
  std::string CheckPrepared(const Operation& operation);
  std::string Decide(const Operation& operation);

  // db_target_work.cc
  std::string Work(const Operation& operation);
  std::string Switch(const Operation& operation);
  std::string Flush(const Operation& operation);
  std::string CompactRange(const Operation& operation);
  std::string CompactFiles(const Operation& operation);
  std::string DeleteRange(const Operation& operation);
  std::string SetOptions(const Operation& operation);
  std::string Properties(const Operation& operation);
  std::string UpdatesSince(const Operation& operation);
  std::string ApproximateSizes(const Operation& operation);
  std::string CreateFamily(const Operation& operation);
  std::string DropFamily(const Operation& operation);

  // db_target_copies.cc
  Status MakeCheckpoint(const std::string& path, uint64_t log_size_for_flush);
  std::string Checkpoint(const Operation& operation);
  std::string Traced(const Operation& operation);
  std::string Backup();
  std::string OtherInstance(Kind kind);
  std::string Import(const Operation& operation);
  Status ImportFiles(const Operation& operation,
                     const ExportImportFilesMetaData& metadata);
  std::string CopyRows(const std::string& from, const std::string& to);
  // `trace`: replayed on it before; "": none.
  std::string DumpCopy(const std::string& path, const std::string& trace = "");
  // Everything that was written is in files, synced or not.
  Status WriteOut(bool sync);

  Status MakeFamilyOptions(const std::string& name,
                           const FamilySettings& settings,
                           ColumnFamilyOptions* options);
  ReadOptions ReadOptionsFor(uint64_t snapshot,
                             const std::string& family) const;

  Deps deps_;
  Caches caches_;
  Opening opening_;
  DBOptions db_options_;
  std::map<std::string, ColumnFamilyOptions> family_options_;
  ReadOptions reads_;
  WriteOptions writes_;
  std::unique_ptr<DB> db_;
  // The same as db_, if it is of the kind.
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::map<uint64_t, std::unique_ptr<Transaction>> prepared_;
  std::unique_ptr<Transaction> spare_;  // One that has ended.
  std::map<std::string, ColumnFamilyHandle*> handles_;
  Held<const Snapshot*> held_;
  uint64_t files_made_ = 0;
};

enum class Shown : unsigned char { kColumns, kValue };

// All families of an open database, as kDump answers.
std::string DumpDb(DB* db,
                   const std::map<std::string, ColumnFamilyHandle*>& families,
                   const ReadOptions& options, Shown shown = Shown::kColumns);

}  // namespace ROCKSDB_NAMESPACE::stress
