// Held: the snapshots and iterators that a history holds, by number.
//
// Place. Targets (db_target.h, c_target.h) answer with it what holds, walks and
// releases. Includes nothing of the library, as answers.h.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "test/stress/history/answers.h"
#include "test/stress/history/operation.h"

namespace ROCKSDB_NAMESPACE::stress {

// `Snapshot` is a pointer; null is none.
template <typename Snapshot>
class Held {
 public:
  struct Deps {
    std::function<Snapshot()> snapshot;
    std::function<void(Snapshot)> release;
    std::function<std::unique_ptr<Cursor>(const Operation&)> cursor;
    std::function<std::string()> dump;
  };

  explicit Held(Deps deps) : deps_(std::move(deps)) {}

  // Null if the number is none of a snapshot.
  Snapshot Find(uint64_t id) const {
    const auto it = snapshots_.find(id);
    return it == snapshots_.end() ? nullptr : it->second;
  }

  // Requires: one of the kinds from kSnapshot to kDump.
  std::string Execute(const Operation& operation) {
    switch (operation.kind) {
      case Kind::kSnapshot:
        snapshots_[operation.id] = deps_.snapshot();
        return kOk;
      case Kind::kReleaseSnapshot: {
        const auto it = snapshots_.find(operation.id);
        if (it == snapshots_.end()) return kAny;
        deps_.release(it->second);
        snapshots_.erase(it);
        return kOk;
      }
      case Kind::kNewIterator:
        iterators_[operation.id] = std::make_unique<Walk>(
            deps_.cursor(operation), operation.Setting("mode"));
        return kOk;
      case Kind::kIterate: {
        const auto it = iterators_.find(operation.id);
        return it == iterators_.end() ? kAny : it->second->Iterate(operation);
      }
      case Kind::kCloseIterator:
        iterators_.erase(operation.id);
        return kOk;
      default:
        return deps_.dump();
    }
  }

  // Requires: the database is still open.
  void ReleaseAll() {
    iterators_.clear();
    for (const auto& [id, snapshot] : snapshots_) deps_.release(snapshot);
    snapshots_.clear();
  }

 private:
  const Deps deps_;
  std::map<uint64_t, Snapshot> snapshots_;
  std::map<uint64_t, std::unique_ptr<Walk>> iterators_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
