// EngineState: what a database says about itself while it is under load.
//
// Place. The timeline writes it once a second; maxsustained judges it.
//
// Model. Read through properties only. What a database does not know is
// empty: another engine, or another mode of tuning, knows less.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::bench {

struct EngineState {
  std::optional<uint64_t> l0_files;
  std::optional<uint64_t> sorted_runs;
  std::optional<uint64_t> pending_bytes;
  std::optional<uint64_t> immutable_memtables;
  std::optional<uint64_t> unflushed_bytes;  // Memtables, the active one too.
  std::optional<uint64_t> pacing_bps;       // Empty while writes run freely.
  bool stopped = false;
  bool delayed = false;
  std::string stall_cause = "none";
  std::map<std::string, std::string> tuner;  // Empty: nothing tunes.
  std::map<std::string, uint64_t> io;        // Empty: no io_scheduler.

  // The tuner's `key`, "" if it has none.
  std::string Tuner(const std::string& key) const;
};

EngineState ReadEngineState(DB* db);

// No flush and no compaction runs or waits to run.
bool IsIdle(DB* db);

}  // namespace ROCKSDB_NAMESPACE::bench
