// One open database of the library under test.
//
// Place. Between the C functions and the workloads: options, opening, settling,
// the result of a run.
//
// Errors. A failure of the library ends the process: no figure is worth
// printing after one.
#pragma once

#include <cstdint>
#include <string>

#include "tools/peer_bench/api.h"
#include "tools/peer_bench/config.h"
#include "tools/peer_bench/data.h"

namespace peer_bench {

enum class Kind : uint8_t { kPlain, kLocking, kOptimistic };

// What one workload changes of the settings that the flags give.
struct Setup {
  const char* options = "";  // In RocksDB's text form.
  uint64_t value_size = 0;   // Bytes; 0: as the flag says.
  uint64_t cache_divisor =
      0;  // The cache holds 1/n of the data; 0: the flag's.
  bool sync = false;
  bool counters = false;  // Merges add numbers.
  bool bulk_load = false;
  Kind kind = Kind::kPlain;
};

class Database {
 public:
  // `fresh`: nothing is kept of an earlier one.
  Database(const Api& api, const Config& config, const Setup& setup,
           const std::string& path, bool fresh);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const Api& api;
  const Config& config;
  const Values values;
  rocksdb_t* db() const { return db_; }
  rocksdb_readoptions_t* read() const { return read_; }
  rocksdb_writeoptions_t* write() const { return write_; }
  rocksdb_column_family_handle_t* family() const { return family_; }

  void Put(uint64_t number);
  void Delete(uint64_t number);
  // Adds 1 to the number stored there.
  void Count(uint64_t number);
  // One batch.
  void PutAll(const uint64_t* numbers, size_t count);
  // A transaction of the kind of the database.
  rocksdb_transaction_t* Begin() const;
  // Memtables flushed and background work done; `compact`: in one sorted run.
  void Settle(bool compact);
  // Whole keys and values, in order.
  uint64_t HashOfAll();
  std::string Property(const std::string& name);

 private:
  rocksdb_options_t* NewOptions(const Setup& setup);
  uint64_t CacheBytes(const Setup& setup) const;
  void Open(Kind kind, const std::string& path);
  void Close();

  rocksdb_cache_t* cache_ = nullptr;
  rocksdb_options_t* options_ = nullptr;
  rocksdb_readoptions_t* read_ = nullptr;
  rocksdb_writeoptions_t* write_ = nullptr;
  rocksdb_writebatch_t* batch_ = nullptr;
  // Of one of these, or plain.
  rocksdb_transactiondb_t* locking_ = nullptr;
  rocksdb_optimistictransactiondb_t* optimistic_ = nullptr;
  rocksdb_transaction_options_t* transaction_ = nullptr;
  rocksdb_optimistictransaction_options_t* optimistic_transaction_ = nullptr;
  rocksdb_t* db_ = nullptr;
  rocksdb_column_family_handle_t* family_ = nullptr;
};

// Ends the process if `error` is a text.
void Check(char* error);

}  // namespace peer_bench
