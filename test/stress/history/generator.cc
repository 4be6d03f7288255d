// MakeHistory: which operations follow one another, and how often.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "test/stress/history/history.h"
#include "test/stress/history/keys.h"
#include "test/stress/history/model.h"
#include "test/stress/history/weights.h"
#include "test/stress/options/draw_options.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using engine::Random64;

// The mutable options that decide when writers stop.
bool LimitsWrites(const std::string& option) {
  return option == "max_write_buffer_number" || option == "write_buffer_size" ||
         option.starts_with("level0_");
}

constexpr char kStamped[] = "stamped";  // The family with timestamps.

class Generator {
 public:
  explicit Generator(const HistoryRequest& request)
      : request_(request),
        random_(request.seed * 2654435761u + 17),
        apart_(request.seed + 524309),
        families_(FirstFamilies()) {
    for (const Weight& weight : kWeights) {
      if (!weight.in_c && request.since != Since::kOurs) continue;
      if (weight.kind == Kind::kCrash && !request.crashes) continue;
      const bool transactional =
          weight.kind == Kind::kTransaction || weight.kind == Kind::kDecide;
      if (transactional && !request.transactions) continue;
      // Each history prefers some kinds.
      const unsigned factor = 1 + static_cast<unsigned>(random_.Uniform(4));
      total_ += weight.weight * factor;
      ranges_[total_] = weight.kind;
    }
    for (const Section section : {Section::kFamily, Section::kTable}) {
      for (auto& [name, value] : MutableChanges(section, request.since)) {
        if (section == Section::kTable) {
          // Other releases know one spelling of them all.
          const uint64_t spelling =
              request.since == Since::kOurs ? changes_.size() : 0;
          std::tie(name, value) =
              SpellTableChange(name, value, spelling % kTableSpellings);
        }
        changes_.emplace_back(name, value);
      }
    }
    for (const auto& change : changes_) {
      if (LimitsWrites(change.first)) limit_changes_.push_back(change);
    }
    db_changes_ = MutableChanges(Section::kDb, request.since);
  }

  History Make() {
    History history;
    if (request_.timestamps && Chance(50)) history.push_back(CreateStamped());
    while (history.size() < request_.operations) {
      history.push_back(Next());
    }
    return history;
  }

 private:
  Operation CreateStamped() {
    Operation create;
    create.kind = Kind::kCreateFamily;
    create.family = kStamped;
    families_.push_back(create.family);
    return create;
  }
  bool HasStamped() const {
    return std::count(families_.begin(), families_.end(), kStamped) > 0;
  }

  Operation Next() {
    if (request_.bursts && (burst_left_ > 0 || random_.OneIn(250))) {
      return BurstWrite();
    }
    Operation operation;
    operation.kind = ranges_.upper_bound(random_.Uniform(total_))->second;
    Fill(&operation);
    if (operation.kind == Kind::kDeleteRange &&
        request_.since == Since::kOurs && Chance(40)) {
      operation.settings.emplace_back("files", "true");
    }
    Respell(&operation);
    return operation;
  }

  // Letters of keys become upper case where that makes no difference.
  void Respell(Operation* operation) {
    for (Operation& inner : operation->inner) Respell(&inner);
    if (!IsFolded(operation->family)) return;
    for (std::string* const key : {&operation->key, &operation->end}) {
      for (char& c : *key) {
        if ('a' <= c && c <= 'z' && Chance(30)) {
          c = static_cast<char>(c - 'a' + 'A');
        }
      }
    }
  }

  // Few keys, so that the content stays small.
  Operation BurstWrite() {
    constexpr uint64_t kKeys = 4;
    if (burst_left_ == 0) {
      burst_left_ = 4 + random_.Uniform(12);
      burst_.kind = Kind::kPut;
      burst_.family = OneOf(families_);
      if (AddsNumbers(burst_.family)) burst_.family = families_.front();
      burst_.key = Key();
    }
    --burst_left_;
    Operation put = burst_;
    put.key += std::to_string(random_.Uniform(kKeys));
    if (HasTimestamps(put.family)) put.number = ++time_;
    put.value = "v" + std::to_string(++values_) + (Chance(50) ? "*" : "~") +
                std::to_string(10000 + random_.Uniform(30000));
    return put;
  }

  bool HasEntities() const {
    return request_.entities && request_.since == Since::kOurs;
  }
  bool Chance(uint64_t percent) { return random_.Uniform(100) < percent; }
  template <typename T>
  const T& OneOf(const std::vector<T>& all) {
    return all[random_.Uniform(all.size())];
  }

  std::string Key() { return KeyAt(random_.Uniform(request_.keys)); }
  // With timestamps they are few: a key has many versions, in files of all
  // levels, and often is the first or the last one of such a file.
  std::string KeyIn(const std::string& family) {
    constexpr uint64_t kStampedKeys = 24;
    if (!HasTimestamps(family)) return Key();
    return KeyAt(random_.Uniform(std::min(kStampedKeys, request_.keys)));
  }
  std::string OnceKey() { return "once" + std::to_string(random_.Uniform(40)); }
  std::string Value(const std::string& family) {
    const uint64_t n = ++values_;
    if (AddsNumbers(family)) return "#" + std::to_string(n % 1000);
    const std::string tag = "v" + std::to_string(n);
    if (Chance(30)) return tag;
    const uint64_t size = Chance(4) ? random_.Uniform(6000) : random_.Skewed(8);
    return tag + (Chance(50) ? "*" : "~") + std::to_string(size);
  }
  std::string Operand(const std::string& family) {
    const uint64_t n = ++values_;
    return AddsNumbers(family) ? "#" + std::to_string(n % 9)
                               : "m" + std::to_string(n);
  }
  uint64_t HeldSnapshot() {
    return snapshots_.empty() || Chance(60) ? 0 : OneOf(snapshots_);
  }

  // [key, end), in the family's order; mostly few keys.
  void Range(Operation* operation, uint64_t wide_percent) {
    operation->key = Key();
    operation->end = Key();
    if (!Chance(wide_percent)) {
      operation->end = operation->key;
      if (Chance(70)) {
        operation->end += IsReversed(operation->family) ? "" : "9";
        if (IsReversed(operation->family) && !operation->end.empty()) {
          operation->end.pop_back();
        }
      } else if (!operation->end.empty() && operation->end.back() != '\xff') {
        ++operation->end.back();
      }
    }
    if ((operation->end < operation->key) != IsReversed(operation->family)) {
      std::swap(operation->key, operation->end);
    }
  }

  // The C interface has neither merges nor range deletions with a timestamp.
  void Stamp(Operation* write) {
    write->number = ++time_;
    const bool in_c = request_.since != Since::kOurs;
    if (write->kind == Kind::kMerge && (in_c || !request_.stamped_merges)) {
      write->kind = Kind::kPut;
    }
    if (write->kind == Kind::kDeleteRange && in_c) write->kind = Kind::kDelete;
  }

  void FillWrite(Operation* write) {
    write->family = OneOf(families_);
    if (HasTimestamps(write->family)) Stamp(write);
    const bool unlockable =
        write->kind == Kind::kDeleteRange || write->kind == Kind::kSingleDelete;
    if (unlockable && !request_.unlockable) write->kind = Kind::kDelete;
    if (write->kind == Kind::kEntity &&
        (!HasEntities() || AddsNumbers(write->family) ||
         HasTimestamps(write->family))) {
      write->kind = Kind::kPut;
    }
    switch (write->kind) {
      case Kind::kSingleDelete:
        write->key = OnceKey();
        if (Chance(50)) {
          write->kind = Kind::kPut;
          write->value = Value(write->family);
        }
        return;
      case Kind::kDeleteRange:
        return Range(write, 8);
      case Kind::kEntity:
        write->key = Key();
        return AddColumns(write);
      default:
        write->key = KeyIn(write->family);
        if (write->kind == Kind::kPut) FillPut(write);
        if (write->kind == Kind::kMerge) write->value = Operand(write->family);
    }
  }
  void AddColumns(Operation* entity) {
    const uint64_t count = random_.Uniform(4);
    for (uint64_t i = 0; i < count; ++i) {
      entity->settings.emplace_back("c" + std::to_string(i),
                                    Value(entity->family));
    }
    if (Chance(70)) entity->settings.emplace_back("", Value(entity->family));
  }
  // 7.8.3 does not know timed puts, which may be in a log that it replays.
  void FillPut(Operation* put) {
    put->value = Value(put->family);
    if (!HasEntities() || HasTimestamps(put->family) || !Chance(8)) return;
    put->kind = Kind::kTimedPut;
    put->number = Chance(20) ? 0 : random_.Skewed(33);
  }

  Operation AnyWrite() {
    static const std::vector<Kind> kKinds = {
        Kind::kPut,          Kind::kPut,         Kind::kPut,   Kind::kDelete,
        Kind::kSingleDelete, Kind::kDeleteRange, Kind::kMerge, Kind::kEntity};
    Operation write;
    write.kind = OneOf(kKinds);
    FillWrite(&write);
    return write;
  }

  // One key, in some of the families that take entities.
  void FillGroups(Operation* groups) {
    if (!HasEntities()) return FillAnew(groups, Kind::kPut);
    groups->key = Key();
    for (const std::string& family : families_) {
      if (AddsNumbers(family) || HasTimestamps(family) || Chance(30)) continue;
      Operation entity;
      entity.kind = Kind::kEntity;
      entity.family = family;
      entity.key = groups->key;
      AddColumns(&entity);
      groups->inner.push_back(entity);
    }
    if (groups->inner.empty()) FillAnew(groups, Kind::kPut);
  }
  // It deletes much of a family.
  void FillClip(Operation* clip) {
    clip->family = OneOf(families_);
    if (!request_.unlockable || HasTimestamps(clip->family)) {
      return FillAnew(clip, Kind::kPut);
    }
    Range(clip, 100);
  }
  void FillTraced(Operation* traced) {
    for (uint64_t left = 1 + random_.Skewed(6); left > 0; --left) {
      if (Chance(85)) {
        traced->inner.push_back(AnyWrite());
        continue;
      }
      Operation read;
      read.kind = Kind::kGet;
      read.family = OneOf(families_);
      read.key = KeyIn(read.family);
      traced->inner.push_back(read);
    }
  }

  void FillBatch(Operation* batch) {
    const uint64_t count = 1 + random_.Skewed(5);
    for (uint64_t i = 0; i < count; ++i) {
      if (Chance(10)) {
        Operation point;
        point.kind = Kind::kSavePoint;
        batch->inner.push_back(point);
        ++open_points_;
      }
      batch->inner.push_back(AnyWrite());
      if (open_points_ > 0 && Chance(20)) {
        Operation point;
        point.kind = Chance(60) ? Kind::kRollback : Kind::kPopSavePoint;
        batch->inner.push_back(point);
        --open_points_;
      }
    }
    open_points_ = 0;
  }

  // 7.8.3 takes prepared ones that it finds for longer keys.
  bool TransactionsTake(const std::string& family) const {
    return request_.since == Since::kOurs || !HasTimestamps(family);
  }

  // The C interface has neither single deletions in transactions, nor does it
  // pop their save points.
  Operation TransactionWrite() {
    static const std::vector<Kind> kKinds = {
        Kind::kPut,   Kind::kPut,    Kind::kDelete,
        Kind::kMerge, Kind::kEntity, Kind::kSingleDelete};
    Operation write;
    do {
      write = Operation();
      write.kind = OneOf(kKinds);
      FillWrite(&write);
    } while (
        !TransactionsTake(write.family) || write.kind == Kind::kTimedPut ||
        (write.kind == Kind::kSingleDelete && request_.since != Since::kOurs));
    return write;
  }
  Operation TransactionRead(const std::vector<Operation>& steps) {
    Operation read;
    read.kind = Chance(65) ? Kind::kGet : Kind::kIterate;
    do {
      read.family = OneOf(families_);
    } while (!TransactionsTake(read.family));
    read.key = Chance(10) ? OnceKey() : KeyIn(read.family);
    // Mostly what it wrote itself, or the keys around that.
    if (!steps.empty() && !steps.back().family.empty() && Chance(60)) {
      read.family = steps.back().family;
      read.key = steps.back().key;
    }
    if (read.kind == Kind::kGet) {
      if (Chance(25)) read.settings.emplace_back("update", "true");
      return read;
    }
    read.steps = std::string("srfl")[random_.Uniform(4)];
    for (uint64_t left = random_.Uniform(8); left > 0; --left) {
      read.steps += Chance(60) ? 'n' : 'p';
    }
    return read;
  }
  void FillTransaction(Operation* transaction) {
    constexpr size_t kOpenMax = 4;
    std::vector<Operation>& steps = transaction->inner;
    transaction->id = ++names_;
    uint64_t points = 0;
    for (uint64_t left = 1 + random_.Skewed(4); left > 0; --left) {
      if (Chance(12)) {
        steps.emplace_back().kind = Kind::kSavePoint;
        ++points;
      }
      steps.push_back(TransactionWrite());
      if (Chance(35)) steps.push_back(TransactionRead(steps));
      if (points == 0 || !Chance(25)) continue;
      const bool pops = request_.since == Since::kOurs && Chance(30);
      steps.emplace_back().kind = pops ? Kind::kPopSavePoint : Kind::kRollback;
      --points;
      if (Chance(35)) steps.push_back(TransactionRead(steps));
    }
    const bool stays = open_.size() < kOpenMax && Chance(35);
    if (stays) open_.push_back(transaction->id);
    transaction->settings.emplace_back("end", stays        ? "prepared"
                                              : Chance(75) ? "commit"
                                                           : "rollback");
    if (Chance(40)) transaction->settings.emplace_back("prepare", "true");
    transaction->settings.emplace_back("time", std::to_string(++time_));
  }
  void FillDecide(Operation* decide) {
    if (open_.empty()) return FillAnew(decide, Kind::kTransaction);
    decide->id = OneOf(open_);
    std::erase(open_, decide->id);
    decide->settings.emplace_back("end", Chance(65) ? "commit" : "rollback");
    decide->settings.emplace_back("time", std::to_string(++time_));
  }
  // Keys that nothing else writes or deletes, in their order: files with
  // timestamps are taken only where a database holds no key of theirs.
  std::string NewKey() { return NewKeyAt(++new_keys_); }
  void AppendStampedFile(const std::string& family, uint64_t file,
                         std::vector<Operation>* inner) {
    const bool in_c = request_.since != Since::kOurs;
    Operation entry;
    entry.family = family;
    entry.id = file;
    for (uint64_t left = 1 + random_.Skewed(4); left > 0; --left) {
      entry.kind = Chance(80) ? Kind::kPut : Kind::kDelete;
      entry.key = NewKey();
      entry.number = ++time_;
      entry.value = entry.kind == Kind::kPut ? Value(family) : "";
      inner->push_back(entry);
    }
    if (in_c || !Chance(20)) return;
    // It deletes nothing.
    entry.kind = Kind::kDeleteRange;
    entry.value.clear();
    entry.number = ++time_;
    entry.key = NewKey();
    entry.end = NewKey();
    inner->push_back(entry);
  }

  // Files of a few keys or of many, next to each other or overlapping.
  void FillIngest(Operation* ingest) {
    const uint64_t files = 1 + random_.Uniform(4);
    const bool families = Chance(20) && request_.since == Since::kOurs;
    std::string family = OneOf(families_);
    for (uint64_t file = 1; file <= files; ++file) {
      if (families) family = OneOf(families_);
      if (HasTimestamps(family)) {
        AppendStampedFile(family, file, &ingest->inner);
        continue;
      }
      const std::string base = Key();
      const uint64_t wide = random_.Uniform(100);
      std::map<std::string, Operation> entries;
      const uint64_t count = 1 + random_.Skewed(4);
      for (uint64_t i = 0; i < count; ++i) {
        Operation entry;
        entry.kind = Chance(70)   ? Kind::kPut
                     : Chance(40) ? Kind::kDelete
                                  : Kind::kMerge;
        if (HasEntities() && Chance(10) && !AddsNumbers(family)) {
          entry.kind = Kind::kEntity;
          entry.settings.emplace_back("", Value(family));
          entry.settings.emplace_back("c", Value(family));
        }
        entry.family = family;
        entry.id = file;
        entry.key = Chance(wide) ? Key() : base + std::to_string(i);
        if (entry.kind == Kind::kPut) entry.value = Value(family);
        if (entry.kind == Kind::kMerge) entry.value = Operand(family);
        entries[entry.key] = entry;
      }
      AppendFile(entries, IsReversed(family), &ingest->inner);
      if (Chance(20)) {
        Operation range;
        range.kind = Kind::kDeleteRange;
        range.family = family;
        range.id = file;
        Range(&range, 10);
        if (range.key != range.end) ingest->inner.push_back(range);
      }
    }
    for (const char* name : {"move_files", "write_global_seqno",
                             "verify_checksums_before_ingest"}) {
      if (Chance(20)) ingest->settings.emplace_back(name, "true");
    }
  }
  static void AppendFile(const std::map<std::string, Operation>& entries,
                         bool reversed, std::vector<Operation>* inner) {
    std::vector<Operation> sorted;
    for (const auto& [key, entry] : entries) sorted.push_back(entry);
    if (reversed) std::reverse(sorted.begin(), sorted.end());
    inner->insert(inner->end(), sorted.begin(), sorted.end());
  }

  void FillRead(Operation* read) {
    read->family = OneOf(families_);
    const bool stamped = HasTimestamps(read->family);
    if (stamped && read->kind == Kind::kGetMergeOperands) {
      read->kind = Kind::kGet;
    }
    if (read->kind != Kind::kKeyMayExist) read->id = HeldSnapshot();
    read->key = Chance(10) ? OnceKey() : KeyIn(read->family);
    if (read->kind != Kind::kMultiGet && read->kind != Kind::kMultiGetEntity) {
      return;
    }
    const bool mixed = Chance(30);
    const uint64_t count = 1 + random_.Skewed(5);
    for (uint64_t i = 0; i < count; ++i) {
      Operation one;
      one.kind = read->kind == Kind::kMultiGet ? Kind::kGet : Kind::kGetEntity;
      one.family = mixed ? OneOf(families_) : read->family;
      // One call reads either with a time or without.
      if (HasTimestamps(one.family) != stamped) one.family = read->family;
      one.key = Chance(10) ? OnceKey() : KeyIn(one.family);
      read->inner.push_back(one);
    }
    read->family.clear();
    read->key.clear();
  }

  void FillNewIterator(Operation* operation) {
    static const std::vector<std::string> kModes = {"total", "total", "auto",
                                                    "prefix", "tailing"};
    operation->family = OneOf(families_);
    operation->id = ++names_;
    std::string mode = OneOf(kModes);
    // RocksDB's tailing iterators do not know range deletions.
    const bool tails =
        request_.since == Since::kOurs && !HasTimestamps(operation->family);
    if (mode == "tailing" && !tails) mode = "total";
    operation->settings.emplace_back("mode", mode);
    if (mode != "tailing") operation->number = HeldSnapshot();
    if (Chance(40)) {
      Range(operation, 100);
      if (Chance(30)) operation->key.clear();
      if (Chance(30)) operation->end.clear();
    }
    if (operation->number == 0) renewable_.insert(operation->id);
    iterators_.emplace_back(operation->id, mode);
  }

  void FillIterate(Operation* operation) {
    if (iterators_.empty()) return FillAnew(operation, Kind::kNewIterator);
    const auto& [id, mode] = OneOf(iterators_);
    operation->id = id;
    operation->key = Chance(10) ? OnceKey() : Key();
    const bool forward = mode == "tailing" || mode == "prefix";
    if (mode == "prefix") {
      while (operation->key.size() < Walk::kPrefix) operation->key += 'a';
    }
    const std::string seeks = mode == "prefix"    ? "s"
                              : mode == "tailing" ? "sf"
                                                  : "sssrrfl";
    if (Chance(80) || forward) {
      operation->steps += seeks[random_.Uniform(seeks.size())];
    }
    const uint64_t count = random_.Skewed(4);
    bool ahead = forward || Chance(50);
    for (uint64_t i = 0; i < count; ++i) {
      if (!forward && Chance(20)) ahead = !ahead;
      operation->steps += ahead ? 'n' : 'p';
    }
    if (!forward && renewable_.contains(id) && request_.since == Since::kOurs &&
        Chance(4)) {
      operation->steps = "R" + operation->steps;
    }
    if (operation->steps.empty()) operation->steps = "n";
  }

  void FillCompactRange(Operation* operation) {
    operation->family = OneOf(families_);
    if (HasStamped() && Chance(40)) operation->family = kStamped;
    if (Chance(50)) {
      Range(operation, 60);
      if (Chance(20)) operation->key.clear();
      if (Chance(20)) operation->end.clear();
    }
    auto& settings = operation->settings;
    if (HasTimestamps(operation->family) && Chance(50)) {
      settings.emplace_back("forget", "true");
      operation->number = time_;
    }
    if (Chance(40)) {
      settings.emplace_back("change_level", "true");
      settings.emplace_back("target_level", std::to_string(random_.Uniform(5)));
    }
    if (Chance(50)) {
      settings.emplace_back("bottommost", std::to_string(random_.Uniform(4)));
    }
    if (Chance(30)) settings.emplace_back("exclusive", "true");
    if (Chance(30)) settings.emplace_back("max_subcompactions", "3");
    if (Chance(30)) {
      settings.emplace_back("blobs", std::to_string(random_.Uniform(3)));
    }
  }

  void FillSettings(Operation* operation) {
    const bool of_db = operation->kind == Kind::kSetDbOptions;
    if (!of_db) operation->family = OneOf(families_);
    // It would get hashes of keys.
    if (IsFolded(operation->family)) operation->family = families_.front();
    if (!of_db && request_.since == Since::kOurs && Chance(30)) {
      operation->settings = {
          {"auto_tuned_compaction", Chance(70) ? "true" : "false"},
          {"compaction_tuning", Chance(70) ? "kAdaptive" : "kDrainSwitch"}};
      return;
    }
    const bool of_limits = !of_db && request_.bursts && Chance(20);
    const auto& [name, value] = OneOf(of_db       ? db_changes_
                                      : of_limits ? limit_changes_
                                                  : changes_);
    operation->settings.emplace_back(name, value);
    if (of_db && request_.since == Since::kOurs) AddDbChanges(operation);
    // Our library refuses it; what others then write it could not read.
    if (name == "enable_blob_files" && HasTimestamps(operation->family) &&
        request_.since != Since::kOurs) {
      operation->family = families_.front();
    }
    if (name == "disable_auto_compactions" && value == "true") {
      operation->settings.emplace_back("level0_slowdown_writes_trigger",
                                       "10000");
      operation->settings.emplace_back("level0_stop_writes_trigger", "10000");
    }
  }

  // Some calls change several options. Drawn apart, so that all else is the
  // same as in a history of single changes.
  void AddDbChanges(Operation* operation) {
    if (!apart_.OneIn(3)) return;
    for (uint64_t left = 1 + apart_.Uniform(3); left > 0; --left) {
      const auto& change = db_changes_[apart_.Uniform(db_changes_.size())];
      const bool again = std::any_of(
          operation->settings.begin(), operation->settings.end(),
          [&](const auto& other) { return other.first == change.first; });
      if (!again) operation->settings.push_back(change);
    }
  }

  void FillFamilies(Operation* operation) {
    constexpr size_t kFamiliesMax = 6;
    if (operation->kind != Kind::kDropFamily) {
      if (families_.size() >= kFamiliesMax) {
        return FillAnew(operation, Kind::kGet);
      }
      operation->family = "extra" + std::to_string(random_.Uniform(4));
      if (operation->kind == Kind::kCreateFamily) {
        const uint64_t special = random_.Uniform(10);
        if (special < 5 && request_.timestamps) operation->family = kStamped;
        if (special >= 8 && request_.folded) operation->family = "folded";
      }
      if (std::count(families_.begin(), families_.end(), operation->family)) {
        return FillAnew(operation, Kind::kGet);
      }
      if (operation->kind == Kind::kImport) {
        const std::string& from = OneOf(families_);
        const bool other = IsReversed(from) || AddsNumbers(from) ||
                           HasTimestamps(from) || IsFolded(from);
        operation->settings.emplace_back(
            "from", other ? FirstFamilies().front() : from);
        if (Chance(30)) operation->settings.emplace_back("move", "true");
        snapshots_.clear();  // Legal() releases them.
      }
      families_.push_back(operation->family);
      return;
    }
    if (families_.size() <= FirstFamilies().size()) {
      return FillAnew(operation, Kind::kGet);
    }
    operation->family = families_.back();
    families_.pop_back();
  }

  void FillHeld(Operation* operation) {
    constexpr size_t kHeldMax = 6;
    switch (operation->kind) {
      case Kind::kSnapshot:
        if (snapshots_.size() >= kHeldMax) {
          return FillAnew(operation, Kind::kReleaseSnapshot);
        }
        operation->id = ++names_;
        return snapshots_.push_back(operation->id);
      case Kind::kReleaseSnapshot:
        if (snapshots_.empty()) return FillAnew(operation, Kind::kGet);
        operation->id = OneOf(snapshots_);
        std::erase(snapshots_, operation->id);
        return;
      case Kind::kNewIterator:
        if (iterators_.size() >= kHeldMax) {
          return FillAnew(operation, Kind::kCloseIterator);
        }
        return FillNewIterator(operation);
      default:
        if (iterators_.empty()) return FillAnew(operation, Kind::kGet);
        operation->id = OneOf(iterators_).first;
        std::erase_if(iterators_, [&](const auto& held) {
          return held.first == operation->id;
        });
    }
  }

  void FillAnew(Operation* operation, Kind kind) {
    *operation = Operation();
    operation->kind = kind;
    Fill(operation);
  }

  void Fill(Operation* operation) {
    switch (operation->kind) {
      case Kind::kBatch:
        return FillBatch(operation);
      case Kind::kEntityGroups:
        return FillGroups(operation);
      case Kind::kClip:
        return FillClip(operation);
      case Kind::kTraced:
        return FillTraced(operation);
      case Kind::kIngest:
        return FillIngest(operation);
      case Kind::kTransaction:
        return FillTransaction(operation);
      case Kind::kDecide:
        return FillDecide(operation);
      case Kind::kSnapshot:
      case Kind::kReleaseSnapshot:
      case Kind::kNewIterator:
      case Kind::kCloseIterator:
        return FillHeld(operation);
      case Kind::kIterate:
        return FillIterate(operation);
      case Kind::kCompactRange:
        return FillCompactRange(operation);
      case Kind::kSetOptions:
      case Kind::kSetDbOptions:
        return FillSettings(operation);
      case Kind::kCreateFamily:
      case Kind::kImport:
      case Kind::kDropFamily:
        return FillFamilies(operation);
      default:
        return FillSimple(operation);
    }
  }

  void FillSimple(Operation* operation) {
    switch (operation->kind) {
      case Kind::kGet:
      case Kind::kGetEntity:
      case Kind::kMultiGet:
      case Kind::kMultiGetEntity:
      case Kind::kGetMergeOperands:
      case Kind::kKeyMayExist:
        return FillRead(operation);
      case Kind::kReopen:
      case Kind::kCrash:
        snapshots_.clear();
        iterators_.clear();
        return;
      case Kind::kFlush:
        if (Chance(70)) operation->family = OneOf(families_);
        return;
      case Kind::kSuggestCompactRange:
      case Kind::kApproximateSizes:
        operation->family = OneOf(families_);
        return Range(operation, 50);
      case Kind::kCompactFiles:
      case Kind::kProperties:
        operation->family = OneOf(families_);
        operation->number = 1 + random_.Uniform(1000);
        return;
      case Kind::kUpdatesSince:
        operation->number = 1 + random_.Uniform(1000);
        return;
      default:
        if (operation->kind <= Kind::kMerge) FillWrite(operation);
    }
  }

  const HistoryRequest& request_;
  Random64 random_;
  Random64 apart_;
  std::vector<std::string> families_;
  std::vector<uint64_t> snapshots_;
  std::vector<uint64_t> open_;                               // Transactions.
  std::vector<std::pair<uint64_t, std::string>> iterators_;  // And their mode.
  std::set<uint64_t> renewable_;  // Those without a snapshot.
  std::map<uint64_t, Kind> ranges_;
  uint64_t total_ = 0;
  std::vector<std::pair<std::string, std::string>> changes_;
  std::vector<std::pair<std::string, std::string>> limit_changes_;
  std::vector<std::pair<std::string, std::string>> db_changes_;
  uint64_t names_ = 0;
  uint64_t values_ = 0;
  uint64_t time_ = 0;  // Of the last entry with a timestamp.
  uint64_t new_keys_ = 0;
  int open_points_ = 0;
  uint64_t burst_left_ = 0;
  Operation burst_;  // The family, and how keys begin.
};

}  // namespace

History MakeHistory(const HistoryRequest& request) {
  return Legal(Generator(request).Make());
}

}  // namespace ROCKSDB_NAMESPACE::stress
