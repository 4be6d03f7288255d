// CTarget: any RocksDB library, through its C interface.
//
// Place. The program stress_peer; includes nothing of our library but the
// declarations of rocksdb/c.h.
//
// Model. Operations that the C interface has not answer kAny.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "test/stress/history/held.h"
#include "test/stress/history/operation.h"
#include "test/stress/peer/api.h"
#include "test/stress/peer/c_calls.h"
#include "test/stress/peer/u64_times.h"

namespace ROCKSDB_NAMESPACE::stress {

class CTarget {
 public:
  CTarget(const Api& api, std::string path)
      : api_(api),
        path_(std::move(path)),
        held_({[this] { return api_.create_snapshot(db_); },
               [this](const rocksdb_snapshot_t* held) {
                 api_.release_snapshot(db_, held);
               },
               [this](const Operation& operation) {
                 return NewCursor(operation);
               },
               [this] { return Dump(); }}),
        times_(NewU64Comparator(api)) {}
  ~CTarget() {
    Close();
    api_.comparator_destroy(times_);
  }
  CTarget(const CTarget&) = delete;
  CTarget& operator=(const CTarget&) = delete;

  // The settings are families and their options, as GetOptionsFromString takes
  // them; what a family's name says is added. `value` is the kind of database:
  // "locking", "optimistic", or empty.
  std::string Open(const Operation& opening);
  std::string Close();
  std::string Execute(const Operation& operation);

 private:
  struct Family {
    rocksdb_column_family_handle_t* handle = nullptr;
    rocksdb_options_t* options = nullptr;
  };

  // Families in the order in which they are opened.
  struct Names {
    const std::vector<const char*>& names;
    const std::vector<const rocksdb_options_t*>& options;
  };

  std::string MakeOptions(const std::string& family, const std::string& text,
                          rocksdb_options_t** options);
  Family* Find(const std::string& name);
  std::string Write(const Operation& operation);
  std::string WriteBatch(const Operation& operation);
  std::string AddTo(rocksdb_writebatch_t* batch, const Operation& write);
  // Of families with timestamps.
  std::string WriteStamped(const Operation& operation);
  std::string AddStamped(rocksdb_writebatch_t* batch, const Operation& write);
  std::string Ingest(const Operation& operation);
  std::string WriteFile(const Operation& ingest, uint64_t file,
                        const std::string& path);
  std::string Read(const Operation& operation);
  std::string Get(const Operation& operation);
  std::string MultiGet(const Operation& operation);
  std::string KeyMayExist(const Operation& operation);
  CCursor::NewIterator IteratorsOf(const std::string& family);
  std::unique_ptr<Cursor> NewCursor(const Operation& operation);
  std::string Dump();
  std::string Work(const Operation& operation);
  std::string Flush(const Operation& operation);
  std::string CompactRange(const Operation& operation);
  std::string SetOptions(const Operation& operation);
  std::string Checkpoint();
  std::string CreateFamily(const Operation& operation);
  std::string DropFamily(const Operation& operation);

  // c_target_transactions.cc
  void OpenLocking(const Operation& opening, const Names& opened,
                   rocksdb_column_family_handle_t** handles, char** error);
  void OpenOptimistic(const Names& opened,
                      rocksdb_column_family_handle_t** handles, char** error);
  void CloseDb();
  rocksdb_transaction_t* Begin(const Operation& operation);
  std::string Transact(const Operation& operation);
  std::string Step(rocksdb_transaction_t* transaction, const Operation& step);
  std::string GetThrough(rocksdb_transaction_t* transaction,
                         const Operation& read);
  std::string IterateThrough(rocksdb_transaction_t* transaction,
                             const Operation& read);
  std::string EndOf(rocksdb_transaction_t* transaction,
                    const Operation& operation);
  std::map<std::string, rocksdb_transaction_t*> Prepared();
  std::string CheckPrepared(const Operation& operation);
  std::string Decide(const Operation& operation);
  std::string WriteKept(const Operation& operation);

  // Of the snapshot with that number, if it is held; at the newest time, if the
  // family has timestamps.
  rocksdb_readoptions_t* ReadOptionsFor(uint64_t snapshot,
                                        const std::string& family) const;

  const Api& api_;
  const std::string path_;
  rocksdb_t* db_ = nullptr;
  // What db_ belongs to, if it is of the kind.
  rocksdb_transactiondb_t* locking_ = nullptr;
  rocksdb_optimistictransactiondb_t* optimistic_ = nullptr;
  // Transactions of this opening that are left open, by name.
  std::map<std::string, rocksdb_transaction_t*> open_;
  rocksdb_writeoptions_t* writes_ = nullptr;
  std::map<std::string, Family> families_;
  Held<const rocksdb_snapshot_t*> held_;
  rocksdb_comparator_t* const times_;  // Of families with timestamps.
  Operation opening_;
  uint64_t files_made_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::stress
