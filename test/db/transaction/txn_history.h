// TxnHistory: what transactions read and wrote, and whether they could have
// done it one after the other.
//
// Place. Tests of isolation record into TxnRecords and ask a TxnHistory.
// Model. No value is written twice, so a value names its writer, and each key
// has a list of versions: the last values of those that committed, in commit
// order. A graph of the committed follows from that exactly:
//
//   ww  wrote a version --> wrote the next one
//   wr  wrote a version --> read it
//   rw  read a version  --> wrote the next one
//
// No cycle: they could have run one after the other. Cycles that need two rw
// edges are what snapshots allow (write skew); others are never allowed.
//
// Threads. None.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

struct TxnRecord {
  struct Step {
    bool writes = false;
    std::string key;
    std::string value;
  };

  int id = 0;
  bool has_snapshot = false;  // All its reads are of one.
  bool committed = false;
  std::vector<Step> steps;

  // Of the next write.
  std::string NewValue() const {
    return std::to_string(id) + "." + std::to_string(steps.size());
  }
  void Wrote(const std::string& key, const std::string& value) {
    steps.push_back({true, key, value});
  }
  void Read(const std::string& key, const std::string& value) {
    steps.push_back({false, key, value});
  }
  static int WriterOf(const std::string& value) {
    return value.empty() ? 0 : std::atoi(value.c_str());
  }
};

class TxnHistory {
 public:
  static constexpr int kAnyNumber = std::numeric_limits<int>::max();

  // `order`: the ids of those that committed writes, in commit order. The first
  // one wrote all keys.
  TxnHistory(std::vector<TxnRecord> txns, const std::vector<int>& order) {
    for (TxnRecord& txn : txns) txns_[txn.id] = std::move(txn);
    for (const int id : order) {
      for (const auto& [key, value] : WritesOf(txns_.at(id))) {
        versions_[key].push_back(value);
      }
    }
    for (const auto& [id, txn] : txns_) {
      if (txn.committed) AddEdges(txn);
    }
  }

  // The first read that saw what it must not see: what did not commit or was
  // overwritten by its own writer (dirty), another value than it wrote itself,
  // or another one than it read before, in spite of its snapshot. Empty: none.
  std::string BadRead() const {
    for (const auto& [id, txn] : txns_) {
      std::map<std::string, std::string> own;
      std::map<std::string, std::string> seen;
      for (const TxnRecord::Step& step : txn.steps) {
        if (step.writes) {
          own[step.key] = step.value;
          continue;
        }
        const std::string read =
            std::to_string(id) + " read " + step.key + "=" + step.value + ": ";
        if (own.contains(step.key)) {
          if (own[step.key] != step.value) return read + "not its own write";
          continue;
        }
        if (!HasVersion(step.key, step.value)) return read + "dirty";
        const std::string& before =
            seen.emplace(step.key, step.value).first->second;
        if (txn.has_snapshot && before != step.value) {
          return read + "not repeatable";
        }
      }
    }
    return "";
  }

  // Two that replaced the version that both had read. Empty: none.
  std::string LostUpdate() const {
    for (const auto& [id, txn] : txns_) {
      if (!txn.committed) continue;
      const auto writes = WritesOf(txn);
      for (const auto& [key, value] : ReadsOf(txn)) {
        if (!writes.contains(key) || Next(key, value) == writes.at(key)) {
          continue;
        }
        return std::to_string(id) + " replaced " + key + "=" + value +
               ", and so did " + Next(key, value);
      }
    }
    return "";
  }

  // A cycle with at most `max_rw` rw edges: "1 -rw-> 2 -wr-> 1". Empty: none.
  std::string Cycle(int max_rw = kAnyNumber) const {
    for (const auto& [id, txn] : txns_) {
      std::string path = PathToItself(id, max_rw);
      if (!path.empty()) return path;
    }
    return "";
  }

  // All steps, for a message.
  std::string Text() const {
    std::string text;
    for (const auto& [id, txn] : txns_) {
      text += std::to_string(id) + (txn.committed ? " committed" : " undone");
      for (const TxnRecord::Step& step : txn.steps) {
        text +=
            (step.writes ? " w(" : " r(") + step.key + "=" + step.value + ")";
      }
      text += "\n";
    }
    return text;
  }

 private:
  struct Edge {
    int to = 0;
    const char* kind = "";
    bool is_rw = false;
    bool operator<(const Edge& other) const {
      return std::pair(to, is_rw) < std::pair(other.to, other.is_rw);
    }
  };
  using Values = std::map<std::string, std::string>;

  static Values WritesOf(const TxnRecord& txn) {
    Values values;
    for (const TxnRecord::Step& step : txn.steps) {
      if (step.writes) values[step.key] = step.value;
    }
    return values;
  }
  // What others had written, and it read first.
  static Values ReadsOf(const TxnRecord& txn) {
    Values values;
    for (const TxnRecord::Step& step : txn.steps) {
      if (step.writes || TxnRecord::WriterOf(step.value) == txn.id) continue;
      values.emplace(step.key, step.value);
    }
    return values;
  }
  bool HasVersion(const std::string& key, const std::string& value) const {
    const auto found = versions_.find(key);
    return found != versions_.end() &&
           std::find(found->second.begin(), found->second.end(), value) !=
               found->second.end();
  }
  // Empty: that is the last version.
  std::string Next(const std::string& key, const std::string& value) const {
    const std::vector<std::string>& versions = versions_.at(key);
    auto found = std::find(versions.begin(), versions.end(), value);
    if (found != versions.end()) ++found;
    return found == versions.end() ? "" : *found;
  }
  void Add(int from, int to, const char* kind) {
    if (from == to || from == 0 || to == 0) return;
    edges_[from].insert({to, kind, kind[0] == 'r'});
  }
  void AddEdges(const TxnRecord& txn) {
    for (const auto& [key, value] : WritesOf(txn)) {
      Add(txn.id, TxnRecord::WriterOf(Next(key, value)), "ww");
    }
    for (const TxnRecord::Step& step : txn.steps) {
      if (step.writes || TxnRecord::WriterOf(step.value) == txn.id) continue;
      Add(TxnRecord::WriterOf(step.value), txn.id, "wr");
      Add(txn.id, TxnRecord::WriterOf(Next(step.key, step.value)), "rw");
    }
  }
  std::string PathToItself(int start, int max_rw) const {
    struct Place {
      int id = 0;
      int rw = 0;
      std::string path;
    };
    std::set<std::pair<int, int>> reached;
    std::deque<Place> open = {{start, 0, std::to_string(start)}};
    for (; !open.empty(); open.pop_front()) {
      const Place place = open.front();
      const auto found = edges_.find(place.id);
      if (found == edges_.end()) continue;
      for (const Edge& edge : found->second) {
        const bool counts = max_rw != kAnyNumber && edge.is_rw;
        const int rw = place.rw + (counts ? 1 : 0);
        if (rw > max_rw) continue;
        std::string path =
            place.path + " -" + edge.kind + "-> " + std::to_string(edge.to);
        if (edge.to == start) return path;
        if (!reached.emplace(edge.to, rw).second) continue;
        open.push_back({edge.to, rw, std::move(path)});
      }
    }
    return "";
  }

  std::map<int, TxnRecord> txns_;
  std::map<std::string, std::vector<std::string>> versions_;
  std::map<int, std::set<Edge>> edges_;
};

}  // namespace ROCKSDB_NAMESPACE::test
