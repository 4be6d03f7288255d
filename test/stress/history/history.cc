#include "test/stress/history/history.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "test/stress/history/model.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

bool IsWrite(Kind kind) { return kind <= Kind::kIngest; }

std::string KeyOf(const Operation& operation) {
  return operation.family + " " +
         (IsFolded(operation.family) ? Folded(operation.key) : operation.key);
}

bool IsRead(Kind kind) {
  switch (kind) {
    case Kind::kGet:
    case Kind::kGetEntity:
    case Kind::kMultiGet:
    case Kind::kMultiGetEntity:
    case Kind::kGetMergeOperands:
    case Kind::kKeyMayExist:
    case Kind::kSnapshot:
    case Kind::kReleaseSnapshot:
    case Kind::kNewIterator:
    case Kind::kIterate:
    case Kind::kCloseIterator:
    case Kind::kDump:
    case Kind::kProperties:
    case Kind::kVerifyChecksums:
      return true;
    default:
      return false;
  }
}

// Keys that are only put when absent, and only deleted singly.
bool IsOnce(const std::string& key) { return key.starts_with("once"); }

// Follows a history and says what may come next.
class Rules {
 public:
  // Appends the operation, as far as it is legal, to `history`.
  void Append(const Operation& operation, History* history) {
    if (Is(operation.kind, Kind::kContinueBackground, &paused_, history) ||
        Is(operation.kind, Kind::kUnlockWal, &locked_, history)) {
      return;
    }
    if (!IsRead(operation.kind)) Release(history);
    if (operation.kind == Kind::kReleaseSnapshot) {
      CloseIteratorsOf(operation.id, history);
    }
    Operation legal = operation;
    if (!Check(&legal)) return;
    if (legal.kind == Kind::kImport) ReleaseSnapshots(history);
    paused_ = paused_ || legal.kind == Kind::kPauseBackground;
    locked_ = locked_ || legal.kind == Kind::kLockWal;
    Add(legal, history);
  }
  void Finish(History* history) { Release(history); }

 private:
  void Add(const Operation& operation, History* history) {
    model_.Execute(operation);
    if (operation.kind == Kind::kNewIterator && MayRenew(operation.id)) {
      renewing_[operation.id] = operation.number;
    }
    if (operation.kind == Kind::kSnapshot) snapshots_.insert(operation.id);
    if (operation.kind == Kind::kReleaseSnapshot) {
      snapshots_.erase(operation.id);
    }
    if (operation.kind == Kind::kReopen || operation.kind == Kind::kCrash) {
      snapshots_.clear();
    }
    if (operation.kind == Kind::kTransaction && LeavesOpen(operation)) {
      open_[operation.id] = operation.inner;
    }
    if (operation.kind == Kind::kDecide) open_.erase(operation.id);
    history->push_back(operation);
  }
  void ReleaseSnapshots(History* history) {
    for (const uint64_t id : std::set<uint64_t>(snapshots_)) {
      CloseIteratorsOf(id, history);
      Operation release;
      release.kind = Kind::kReleaseSnapshot;
      release.id = id;
      Add(release, history);
    }
  }
  // Ends what holds others up.
  bool Is(Kind kind, Kind ending, bool* open, History* history) {
    if (kind != ending) return false;
    if (*open) {
      Operation end;
      end.kind = ending;
      Add(end, history);
    }
    *open = false;
    return true;
  }
  void Release(History* history) {
    Is(Kind::kContinueBackground, Kind::kContinueBackground, &paused_, history);
    Is(Kind::kUnlockWal, Kind::kUnlockWal, &locked_, history);
  }

  // An iterator that renews itself needs its snapshot.
  void CloseIteratorsOf(uint64_t snapshot, History* history) {
    for (auto it = renewing_.begin(); it != renewing_.end();) {
      if (it->second == snapshot) {
        Operation close;
        close.kind = Kind::kCloseIterator;
        close.id = it->first;
        Add(close, history);
        it = renewing_.erase(it);
      } else {
        ++it;
      }
    }
  }

  bool Exists(const std::string& family) const {
    return model_.data().state().contains(family);
  }

  // False: nothing is left of it.
  bool Check(Operation* operation) {
    if (operation->kind == Kind::kBatch || operation->kind == Kind::kIngest ||
        operation->kind == Kind::kEntityGroups ||
        operation->kind == Kind::kTraced) {
      return CheckAll(operation);
    }
    if (operation->kind == Kind::kTransaction) {
      return CheckTransaction(operation);
    }
    if (operation->kind == Kind::kDecide) return CheckDecide(operation);
    if (operation->kind == Kind::kDropFamily && IsHeldOpen(operation->family)) {
      return false;
    }
    std::set<std::string> once;
    if (IsWrite(operation->kind)) return CheckWrite(*operation, &once);
    if (operation->kind == Kind::kMultiGet ||
        operation->kind == Kind::kMultiGetEntity) {
      std::erase_if(operation->inner, [this](const Operation& read) {
        return !Exists(read.family);
      });
      return !operation->inner.empty();
    }
    if (operation->kind == Kind::kImport) {
      return !Exists(operation->family) && Exists(operation->Setting("from"));
    }
    if (operation->kind == Kind::kCreateFamily) {
      return !Exists(operation->family);
    }
    if (operation->kind == Kind::kCloseIterator) renewing_.erase(operation->id);
    if (operation->kind == Kind::kEnableManual) {
      return model_.manual_disabled();
    }
    return operation->family.empty() || Exists(operation->family);
  }

  bool CheckAll(Operation* operation) {
    std::set<std::string> once;
    std::erase_if(operation->inner, [&](const Operation& step) {
      return !(step.kind == Kind::kGet ? Exists(step.family)
                                       : CheckWrite(step, &once));
    });
    return !operation->inner.empty();
  }

  static bool LeavesOpen(const Operation& transaction) {
    return transaction.Setting("end") == "prepared";
  }
  bool IsLocked(const std::string& key) const {
    for (const auto& [id, steps] : open_) {
      for (const Operation& step : steps) {
        if (!step.family.empty() && KeyOf(step) == key) return true;
      }
    }
    return false;
  }
  bool IsHeldOpen(const std::string& family) const {
    for (const auto& [id, steps] : open_) {
      for (const Operation& step : steps) {
        if (step.family == family) return true;
      }
    }
    return false;
  }

  bool CheckTransaction(Operation* operation) {
    if (open_.contains(operation->id)) return false;
    std::set<std::string> once;
    std::erase_if(operation->inner, [&](const Operation& step) {
      return !CheckStep(step, &once);
    });
    operation->number = open_.size() + (LeavesOpen(*operation) ? 1 : 0);
    return !operation->inner.empty();
  }
  bool CheckStep(const Operation& step, std::set<std::string>* once) const {
    if (IsWrite(step.kind)) return CheckWrite(step, once);
    if (step.Setting("update") == "true" && IsLocked(KeyOf(step))) return false;
    return Exists(step.family);
  }
  bool CheckDecide(Operation* operation) {
    const auto it = open_.find(operation->id);
    if (it == open_.end()) return false;
    operation->inner = KeptWrites(it->second);
    operation->number = open_.size() - 1;
    return true;
  }

  // `once`: such keys that this batch has touched, rolled back or not.
  bool CheckWrite(const Operation& write, std::set<std::string>* once) const {
    if (write.family.empty()) return true;  // A save point.
    if (!Exists(write.family)) return false;
    if (write.kind == Kind::kDeleteRange || write.kind == Kind::kClip) {
      return true;
    }
    if (IsLocked(KeyOf(write))) return false;
    const std::string key =
        IsFolded(write.family) ? Folded(write.key) : write.key;
    if (!IsOnce(key)) return write.kind != Kind::kSingleDelete;
    if (!once->insert(write.family + " " + key).second) return false;
    const bool exists = model_.data().Has(write.family, key);
    return write.kind == (exists ? Kind::kSingleDelete : Kind::kPut);
  }

  Model model_;
  std::map<uint64_t, uint64_t> renewing_;  // Iterators and their snapshots.
  std::set<uint64_t> snapshots_;
  // Transactions that are left open, and their steps.
  std::map<uint64_t, std::vector<Operation>> open_;
  bool paused_ = false;
  bool locked_ = false;
};

}  // namespace

History Legal(const History& history) {
  Rules rules;
  History legal;
  for (const Operation& operation : history) rules.Append(operation, &legal);
  rules.Finish(&legal);
  return legal;
}

std::string ToText(const History& history) {
  std::string text;
  for (const Operation& operation : history) text += ToText(operation) + "\n";
  return text;
}

bool FromText(const std::string& text, History* history) {
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line[0] == '#') continue;
    if (!FromText(line, &history->emplace_back())) return false;
  }
  return true;
}

bool ReadHistory(const std::string& path, History* history) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (file && FromText(text.str(), history)) return true;
  std::fprintf(stderr, "%s: not a history\n", path.c_str());
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::stress
