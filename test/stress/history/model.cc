#include "test/stress/history/model.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using test::ModelDb;

// A cursor over rows that are its own, or, when it is tailing, the model's.
class RowsCursor final : public Cursor {
 public:
  struct Bounds {
    std::string lower;  // "": none
    std::string upper;
  };

  RowsCursor(ModelDb::Rows rows, bool reversed, Bounds bounds)
      : rows_(std::move(rows)),
        reversed_(reversed),
        bounds_(std::move(bounds)) {
    newest_ = [this]() -> const ModelDb::Rows& { return rows_; };
  }
  // `newest` is asked by Refresh() and, if tailing, by every seek.
  void Follow(std::function<const ModelDb::Rows&()> newest, bool tailing) {
    newest_ = std::move(newest);
    tailing_ = tailing;
  }

  void SeekToFirst() override {
    Renew();
    at_ = bounds_.lower.empty() ? Check(Outermost(/*first=*/true))
                                : Check(AtOrAfter(bounds_.lower));
  }
  void SeekToLast() override {
    Renew();
    if (bounds_.upper.empty()) {
      at_ = Check(Outermost(/*first=*/false));
    } else {
      at_ = Check(Before(bounds_.upper));
    }
  }
  void Seek(const std::string& key) override {
    Renew();
    const bool below = !bounds_.lower.empty() && Less(key, bounds_.lower);
    at_ = Check(AtOrAfter(below ? bounds_.lower : key));
  }
  void SeekForPrev(const std::string& key) override {
    Renew();
    if (!bounds_.upper.empty() && !Less(key, bounds_.upper)) {
      at_ = Check(Before(bounds_.upper));
    } else {
      at_ = Check(rows_.contains(key) ? std::optional(key) : Before(key));
    }
  }
  void Next() override { at_ = Check(After(*at_)); }
  void Prev() override { at_ = Check(Before(*at_)); }
  void Refresh() override {
    rows_ = ModelDb::Rows(newest_());
    at_.reset();
  }
  bool Valid() override { return at_.has_value(); }
  std::string Key() override { return *at_; }
  std::string Shown() override {
    return ShowColumns(ModelDb::ColumnsOf(rows_.at(*at_)));
  }
  std::string Error() override { return ""; }

 private:
  using Place = std::optional<std::string>;
  using Iterator = ModelDb::Rows::const_iterator;

  bool Less(const std::string& a, const std::string& b) const {
    return reversed_ ? b < a : a < b;
  }
  void Renew() {
    if (tailing_) rows_ = ModelDb::Rows(newest_());
  }
  Place KeyAt(Iterator it) const {
    return it == rows_.end() ? Place() : Place(it->first);
  }
  Place KeyBefore(Iterator it) const {
    return it == rows_.begin() ? Place() : Place(std::prev(it)->first);
  }
  Place Outermost(bool first) const {
    return first != reversed_ ? KeyAt(rows_.begin()) : KeyBefore(rows_.end());
  }
  Place AtOrAfter(const std::string& key) const {
    return reversed_ ? KeyBefore(rows_.upper_bound(key))
                     : KeyAt(rows_.lower_bound(key));
  }
  Place After(const std::string& key) const {
    return reversed_ ? KeyBefore(rows_.lower_bound(key))
                     : KeyAt(rows_.upper_bound(key));
  }
  Place Before(const std::string& key) const {
    return reversed_ ? KeyAt(rows_.upper_bound(key))
                     : KeyBefore(rows_.lower_bound(key));
  }
  Place Check(const Place& place) const {
    if (!place) return place;
    if (!bounds_.lower.empty() && Less(*place, bounds_.lower)) return {};
    if (!bounds_.upper.empty() && !Less(*place, bounds_.upper)) return {};
    return place;
  }

  ModelDb::Rows rows_;
  bool reversed_;
  Bounds bounds_;
  std::function<const ModelDb::Rows&()> newest_;
  bool tailing_ = false;
  Place at_;
};

Operation WithFoldedKeys(Operation operation) {
  if (IsFolded(operation.family)) {
    operation.key = Folded(std::move(operation.key));
    operation.end = Folded(std::move(operation.end));
  }
  for (Operation& inner : operation.inner) {
    inner = WithFoldedKeys(std::move(inner));
  }
  return operation;
}

void ApplyTo(ModelDb* data, const Operation& write) {
  const std::string& family = write.family;
  if (!data->state().contains(family)) return;
  switch (write.kind) {
    case Kind::kPut:
    case Kind::kTimedPut:
      return data->Put(family, write.key, ExpandValue(write.value));
    case Kind::kEntity: {
      ModelDb::Columns columns;
      for (const auto& [name, value] : write.settings) {
        columns[name] = ExpandValue(value);
      }
      return data->PutEntity(family, write.key, columns);
    }
    case Kind::kDelete:
    case Kind::kSingleDelete:
      return data->Delete(family, write.key);
    case Kind::kDeleteRange:
      return data->DeleteRange(family, write.key, write.end);
    case Kind::kMerge:
      return data->Merge(family, write.key, ExpandValue(write.value));
    default:
      return;
  }
}

}  // namespace

std::vector<Operation> KeptWrites(const std::vector<Operation>& steps) {
  std::vector<Operation> kept;
  std::vector<size_t> points;
  for (const Operation& step : steps) {
    if (step.kind == Kind::kSavePoint) {
      points.push_back(kept.size());
    } else if (step.kind == Kind::kRollback && !points.empty()) {
      kept.resize(points.back());
      points.pop_back();
    } else if (step.kind == Kind::kPopSavePoint && !points.empty()) {
      points.pop_back();
    } else if (step.kind <= Kind::kMerge) {
      kept.push_back(step);
    }
  }
  return kept;
}

Model::Model() {
  for (const std::string& family : FirstFamilies()) {
    data_.CreateFamily(family,
                       AddsNumbers(family) ? ModelDb::Merging::kAdd
                                           : ModelDb::Merging::kAppend,
                       IsReversed(family));
  }
}

std::vector<std::string> Model::families() const {
  std::vector<std::string> names;
  for (const auto& [name, rows] : data_.state()) names.push_back(name);
  return names;
}

std::string Model::Dump() const {
  DumpAnswer answer;
  for (const auto& [name, rows] : data_.state()) {
    RowsCursor cursor(rows, data_.reversed(name), {});
    DumpFamily(name, &cursor, &answer);
  }
  return answer.Finish();
}

std::string Model::Execute(const Operation& given) {
  const Operation operation = WithFoldedKeys(given);
  switch (operation.kind) {
    case Kind::kPut:
    case Kind::kTimedPut:
    case Kind::kEntity:
    case Kind::kDelete:
    case Kind::kSingleDelete:
    case Kind::kDeleteRange:
    case Kind::kMerge:
    case Kind::kBatch:
    case Kind::kEntityGroups:
    case Kind::kClip:
    case Kind::kIngest:
      return Write(operation);
    case Kind::kTraced:
      ApplyBatch(operation.inner);
      return Dump();
    case Kind::kTransaction: {
      const std::string answer = Transaction(operation);
      if (operation.Setting("end") == "commit") ApplyBatch(operation.inner);
      return answer;
    }
    case Kind::kDecide:
      if (operation.Setting("end") == "commit") ApplyBatch(operation.inner);
      return kOk;
    case Kind::kGet:
    case Kind::kGetEntity:
    case Kind::kMultiGet:
    case Kind::kMultiGetEntity:
    case Kind::kGetMergeOperands:
    case Kind::kKeyMayExist:
      return Read(operation);
    case Kind::kCheckpoint:
    case Kind::kBackup:
    case Kind::kReadOnly:
    case Kind::kSecondary:
    case Kind::kDump:
      return Dump();
    case Kind::kCompactRange:
    case Kind::kCompactFiles:
      return manual_disabled_ > 0 ? kAny : kOk;
    case Kind::kDisableManual:
      ++manual_disabled_;
      return kOk;
    case Kind::kEnableManual:
      --manual_disabled_;
      return kOk;
    case Kind::kProperties:
      return "OK " + std::to_string(snapshots_.size()) + " snapshots";
    default:
      return Hold(operation);
  }
}

std::string Model::Write(const Operation& operation) {
  if (operation.kind == Kind::kBatch || operation.kind == Kind::kEntityGroups) {
    ApplyBatch(operation.inner);
  } else if (operation.kind == Kind::kClip) {
    data_.Clip(operation.family, operation.key, operation.end);
    return manual_disabled_ > 0 ? kAny : kOk;
  } else if (operation.kind == Kind::kIngest) {
    ApplyFiles(operation.inner);
  } else {
    Apply(operation);
  }
  return kOk;
}

void Model::Apply(const Operation& write) { ApplyTo(&data_, write); }

void Model::ApplyBatch(const std::vector<Operation>& writes) {
  for (const Operation& write : KeptWrites(writes)) Apply(write);
}

std::string Model::ReadThrough(const std::vector<Operation>& steps,
                               const Operation& read) const {
  ModelDb through = data_;
  for (const Operation& write : KeptWrites(steps)) ApplyTo(&through, write);
  const auto rows = through.state().find(read.family);
  if (rows == through.state().end()) return kAny;
  if (read.kind == Kind::kIterate) {
    auto cursor = std::make_unique<RowsCursor>(
        rows->second, IsReversed(read.family), RowsCursor::Bounds());
    return Walk(std::move(cursor), "total").Iterate(read);
  }
  const auto row = rows->second.find(read.key);
  return row == rows->second.end() ? kNotFound
                                   : Show(ModelDb::DefaultColumn(row->second));
}

std::string Model::Transaction(const Operation& operation) const {
  std::string answer;
  std::vector<Operation> before;
  for (const Operation& step : operation.inner) {
    if (step.kind == Kind::kGet || step.kind == Kind::kIterate) {
      answer += ReadThrough(before, step) + " ; ";
    } else {
      before.push_back(step);
    }
  }
  return answer + kOk;
}

// All entries of a file have one sequence number, so its range deletions
// cover what was there before, not its own keys.
void Model::ApplyFiles(const std::vector<Operation>& writes) {
  std::set<uint64_t> files;
  for (const Operation& write : writes) files.insert(write.id);
  for (const uint64_t file : files) {
    for (const bool ranges : {true, false}) {
      for (const Operation& write : writes) {
        const bool is_range = write.kind == Kind::kDeleteRange;
        if (write.id == file && is_range == ranges) Apply(write);
      }
    }
  }
}

const std::string* Model::Find(const Operation& read, uint64_t snapshot) const {
  const auto held = snapshots_.find(snapshot);
  const State& state = held == snapshots_.end() ? data_.state() : held->second;
  const auto family = state.find(read.family);
  if (family == state.end()) return nullptr;
  const auto row = family->second.find(read.key);
  return row == family->second.end() ? nullptr : &row->second;
}

std::string Model::Get(const Operation& read, uint64_t snapshot) const {
  const std::string* const row = Find(read, snapshot);
  if (row == nullptr) return kNotFound;
  const bool columns = read.kind == Kind::kGetEntity;
  return columns ? ShowColumns(ModelDb::ColumnsOf(*row))
                 : Show(ModelDb::DefaultColumn(*row));
}

std::string Model::Read(const Operation& operation) {
  if (operation.kind == Kind::kKeyMayExist) {
    return Find(operation, 0) != nullptr ? "true" : kAny;
  }
  if (operation.kind == Kind::kGetMergeOperands) {
    const std::string* const row = Find(operation, operation.id);
    if (row != nullptr && ModelDb::IsEntity(*row)) return kAny;
    return Get(operation, operation.id);
  }
  if (operation.inner.empty()) return Get(operation, operation.id);
  std::string answer;
  for (const Operation& one : operation.inner) {
    answer += (answer.empty() ? "" : " ") + Get(one, operation.id);
  }
  return answer;
}

void Model::NewIterator(const Operation& operation) {
  const std::string family = operation.family;
  const auto held = snapshots_.find(operation.number);
  const State& state = held == snapshots_.end() ? data_.state() : held->second;
  const auto rows = state.find(family);
  auto cursor = std::make_unique<RowsCursor>(
      rows == state.end() ? Rows() : rows->second, IsReversed(family),
      RowsCursor::Bounds{operation.key, operation.end});
  if (held == snapshots_.end()) {
    cursor->Follow(
        [this, family]() -> const Rows& {
          static const Rows kNone;
          const auto it = data_.state().find(family);
          return it == data_.state().end() ? kNone : it->second;
        },
        operation.Setting("mode") == "tailing");
  }
  RowsCursor* const raw = cursor.get();
  const bool follows = held == snapshots_.end();
  const bool tailing = operation.Setting("mode") == "tailing";
  HeldIterator& iterator = iterators_[operation.id];
  iterator.family = family;
  iterator.walk =
      std::make_unique<Walk>(std::move(cursor), operation.Setting("mode"));
  iterator.end_family = [raw, follows, tailing](const Rows& last) {
    if (!follows) return;
    const auto kept = std::make_shared<const Rows>(last);
    raw->Follow([kept]() -> const Rows& { return *kept; }, tailing);
  };
}

void Model::DropFamily(const std::string& family) {
  const auto rows = data_.state().find(family);
  if (rows == data_.state().end()) return;
  // A family that gets the name later is another one.
  for (auto& [id, iterator] : iterators_) {
    if (iterator.family == family) {
      iterator.end_family(rows->second);
      iterator.family.clear();
    }
  }
  for (auto& [id, state] : snapshots_) state.erase(family);
  data_.DropFamily(family);
}

void Model::ForgetHeld() {
  snapshots_.clear();
  iterators_.clear();
  manual_disabled_ = 0;
}

std::string Model::Hold(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kSnapshot:
      snapshots_[operation.id] = data_.state();
      return kOk;
    case Kind::kReleaseSnapshot:
      snapshots_.erase(operation.id);
      return kOk;
    case Kind::kNewIterator:
      NewIterator(operation);
      return kOk;
    case Kind::kIterate: {
      const auto it = iterators_.find(operation.id);
      return it == iterators_.end() ? kAny
                                    : it->second.walk->Iterate(operation);
    }
    case Kind::kCloseIterator:
      iterators_.erase(operation.id);
      return kOk;
    case Kind::kCreateFamily:
      data_.CreateFamily(operation.family, ModelDb::Merging::kAppend);
      return kOk;
    case Kind::kImport:
      data_.CopyFamily(operation.Setting("from"), operation.family);
      return kOk;
    case Kind::kDropFamily:
      DropFamily(operation.family);
      return kOk;
    case Kind::kReopen:
    case Kind::kCrash:
      ForgetHeld();
      return kOk;
    default:
      return kOk;
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
