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

class Database {
 public:
  // `fresh`: nothing is kept of an earlier one.
  Database(const Api& api, const Config& config, const std::string& path,
           bool fresh);
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
  // Memtables flushed and background work done; `compact`: in one sorted run.
  void Settle(bool compact);
  // Whole keys and values, in order.
  uint64_t HashOfAll();
  std::string Property(const std::string& name);

 private:
  rocksdb_options_t* NewOptions();

  rocksdb_cache_t* cache_ = nullptr;
  rocksdb_options_t* options_ = nullptr;
  rocksdb_readoptions_t* read_ = nullptr;
  rocksdb_writeoptions_t* write_ = nullptr;
  rocksdb_t* db_ = nullptr;
  rocksdb_column_family_handle_t* family_ = nullptr;
};

// Ends the process if `error` is a text.
void Check(char* error);

}  // namespace peer_bench
