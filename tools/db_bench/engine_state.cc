#include "tools/db_bench/engine_state.h"

#include <charconv>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

std::optional<uint64_t> Number(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

std::string Text(DB* db, const char* property) {
  std::string value;
  return db->GetProperty(property, &value) ? value : "";
}

std::optional<uint64_t> Int(DB* db, const char* property) {
  uint64_t value = 0;
  if (db->GetIntProperty(property, &value)) return value;
  return Number(Text(db, property));
}

}  // namespace

std::string EngineState::Tuner(const std::string& key) const {
  const auto it = tuner.find(key);
  return it == tuner.end() ? "" : it->second;
}

EngineState ReadEngineState(DB* db) {
  EngineState s;
  s.l0_files = Int(db, "rocksdb.num-files-at-level0");
  s.pending_bytes = Int(db, "rocksdb.estimate-pending-compaction-bytes");
  s.immutable_memtables = Int(db, "rocksdb.num-immutable-mem-table");
  s.unflushed_bytes = Int(db, "rocksdb.cur-size-all-mem-tables");
  s.sorted_runs = Int(db, "rocksdb.num-sorted-runs");
  s.stopped = Int(db, "rocksdb.is-write-stopped").value_or(0) != 0;
  const uint64_t rate =
      Int(db, "rocksdb.actual-delayed-write-rate").value_or(0);
  s.delayed = rate > 0;
  const std::string cause = Text(db, "rocksdb.write-stall-cause");
  if (!cause.empty()) s.stall_cause = cause;
  if (!db->GetMapProperty("rocksdb.auto-tune.state", &s.tuner)) {
    s.tuner.clear();
  }
  std::map<std::string, std::string> io;
  if (db->GetMapProperty("rocksdb.io-scheduler", &io) && io["divides"] == "1") {
    for (const auto& [name, text] : io) {
      if (const auto value = Number(text)) s.io[name] = *value;
    }
  }
  const uint64_t paced =
      Number(s.Tuner("pacing_bytes_per_second")).value_or(rate);
  if (paced > 0) s.pacing_bps = paced;
  if (!s.sorted_runs) s.sorted_runs = Number(s.Tuner("sorted_runs"));
  return s;
}

bool IsIdle(DB* db) {
  for (const char* property :
       {"rocksdb.num-running-flushes", "rocksdb.num-running-compactions",
        "rocksdb.mem-table-flush-pending", "rocksdb.compaction-pending"}) {
    if (Int(db, property).value_or(0) != 0) return false;
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::bench
