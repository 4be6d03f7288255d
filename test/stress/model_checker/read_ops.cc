#include "test/stress/model_checker/read_ops.h"

#include <algorithm>

#include "test/stress/model_checker/walker.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Found = std::optional<std::string>;

bool Take(ThreadContext* t, const Status& status, const char* what,
          std::string value, Found* found) {
  found->reset();
  if (status.IsNotFound()) return true;
  if (!t->Ok(status, what)) return false;
  *found = std::move(value);
  return true;
}

bool ReadEntity(ThreadContext* t, const ReadOptions& options,
                ColumnFamilyHandle* family, const std::string& name,
                Found* found) {
  PinnableWideColumns columns;
  const Status status = t->db()->GetEntity(options, family, name, &columns);
  std::string value;
  if (status.ok() && !columns.columns().empty() &&
      columns.columns()[0].name().empty()) {
    value = columns.columns()[0].value().ToString();
  }
  return Take(t, status, "GetEntity", value, found);
}

bool ReadOperands(ThreadContext* t, const ReadOptions& options,
                  ColumnFamilyHandle* family, const std::string& name,
                  Found* found) {
  constexpr int kMax = kMergesMax + 1;
  PinnableSlice operands[kMax];
  GetMergeOperandsOptions how;
  how.expected_max_number_of_operands = kMax;
  int count = 0;
  const Status status =
      t->db()->GetMergeOperands(options, family, name, operands, &how, &count);
  std::string value;
  for (int i = 0; status.ok() && i < count; ++i) {
    value += (i == 0 ? "" : ",") + operands[i].ToString();
  }
  return Take(t, status, "GetMergeOperands", value, found);
}

bool ReadByMultiGet(ThreadContext* t, const ReadOptions& options,
                    ColumnFamilyHandle* family, const std::string& name,
                    Found* found) {
  const Slice key(name);
  PinnableSlice value;
  Status status;
  t->db()->MultiGet(options, family, 1, &key, &value, &status);
  return Take(t, status, "MultiGet", value.ToString(), found);
}

ReadOptions AnyReadOptions(ThreadContext* t) {
  ReadOptions options;
  options.verify_checksums = t->Chance(900);
  options.fill_cache = t->Chance(900);
  options.async_io = t->Chance(200);
  options.optimize_multiget_for_io = t->Chance(500);
  return options;
}

void CheckMayExist(ThreadContext* t, const SlotUse& use, uint32_t key) {
  const Doing doing(&t->activity, "KeyMayExist");
  const std::string name = t->expected().KeyOf(key);
  Cell& cell = t->expected().cell(use.slot(), key);
  const uint64_t low = cell.committed.load();
  std::string value;
  bool value_found = false;
  const bool may = t->db()->KeyMayExist(t->ReadsOf(use.slot()), use.handle(),
                                        name, &value, &value_found);
  const uint64_t high = cell.pending.load();
  if (!may) {
    t->CheckRead(use.slot(), key, low, high, std::nullopt, "KeyMayExist");
  } else if (value_found) {
    t->CheckRead(use.slot(), key, low, high, value, "KeyMayExist");
  }
}

}  // namespace

bool ReadKey(ThreadContext* t, const ReadOptions& given, int slot,
             const std::string& name, Found* found) {
  const ReadOptions options = t->ReadsOf(slot, given);
  ColumnFamilyHandle* const family = t->handle(slot);
  const uint64_t how = t->random.Uniform(6);
  // Operands cannot be read at a time.
  switch (how == 1 && t->IsStamped(slot) ? 2 : how) {
    case 0: {
      const Doing doing(&t->activity, "GetEntity");
      return ReadEntity(t, options, family, name, found);
    }
    case 1: {
      const Doing doing(&t->activity, "GetMergeOperands");
      return ReadOperands(t, options, family, name, found);
    }
    case 2: {
      const Doing doing(&t->activity, "MultiGet of one");
      return ReadByMultiGet(t, options, family, name, found);
    }
    default: {
      const Doing doing(&t->activity, "Get");
      std::string value;
      const Status status = t->db()->Get(options, family, name, &value);
      return Take(t, status, "Get", value, found);
    }
  }
}

void ReadOne(ThreadContext* t) {
  const SlotUse use(t);
  const uint32_t key = t->AnyKey();
  if (t->Chance(150)) return CheckMayExist(t, use, key);
  Cell& cell = t->expected().cell(use.slot(), key);
  const uint64_t low = cell.committed.load();
  Found found;
  if (!ReadKey(t, AnyReadOptions(t), use.slot(), t->expected().KeyOf(key),
               &found)) {
    return;
  }
  t->CheckRead(use.slot(), key, low, cell.pending.load(), found, "read");
}

void ReadMany(ThreadContext* t) {
  const AllSlotsUse use(t);
  const size_t count = 1 + t->random.Skewed(6);
  std::vector<int> slots(count);
  std::vector<uint32_t> keys(count);
  std::vector<std::string> names(count);
  std::vector<Slice> slices(count);
  std::vector<ColumnFamilyHandle*> families(count);
  std::vector<uint64_t> low(count);
  for (size_t i = 0; i < count; ++i) {
    slots[i] = use.slots()[t->random.Uniform(use.slots().size())];
    // One call reads either at a time or without.
    if (t->IsStamped(slots[i]) != t->IsStamped(slots[0])) slots[i] = slots[0];
    families[i] = t->handle(slots[i]);
    keys[i] = t->AnyKey();
    names[i] = t->expected().KeyOf(keys[i]);
    slices[i] = names[i];
    low[i] = t->expected().cell(slots[i], keys[i]).committed.load();
  }
  std::vector<PinnableSlice> values(count);
  std::vector<Status> statuses(count);
  t->db()->MultiGet(t->ReadsOf(slots[0], AnyReadOptions(t)), count,
                    families.data(), slices.data(), values.data(),
                    statuses.data());
  for (size_t i = 0; i < count; ++i) {
    Found found;
    if (!Take(t, statuses[i], "MultiGet", values[i].ToString(), &found)) {
      continue;
    }
    const uint64_t high = t->expected().cell(slots[i], keys[i]).pending.load();
    t->CheckRead(slots[i], keys[i], low[i], high, found, "MultiGet");
  }
}

namespace {

constexpr size_t kMirrors = kMirrorSlots * kCopies;

struct Mirrors {
  std::string names[kMirrors];
  ColumnFamilyHandle* families[kMirrors];
  Found found[kMirrors];
};

Mirrors MirrorsOf(ThreadContext* t, uint32_t group) {
  Mirrors mirrors;
  for (size_t i = 0; i < kMirrors; ++i) {
    mirrors.names[i] = t->expected().KeyOf(
        t->expected().MirrorKey(group, static_cast<uint32_t>(i) % kCopies));
    mirrors.families[i] = t->handle(static_cast<int>(i / kCopies));
  }
  return mirrors;
}

// A call that reads at a time reads no slot without timestamps.
bool MirrorsNeedTwoCalls(ThreadContext* t) {
  return t->IsStamped(0) || t->IsStamped(1);
}

bool ReadMirrorsByMultiGet(ThreadContext* t, const ReadOptions& options,
                           Mirrors* mirrors) {
  Slice slices[kMirrors];
  PinnableSlice values[kMirrors];
  Status statuses[kMirrors];
  std::copy(mirrors->names, mirrors->names + kMirrors, slices);
  const size_t per_call = MirrorsNeedTwoCalls(t) ? kCopies : kMirrors;
  for (size_t i = 0; i < kMirrors; i += per_call) {
    t->db()->MultiGet(t->ReadsOf(static_cast<int>(i / kCopies), options),
                      per_call, mirrors->families + i, slices + i, values + i,
                      statuses + i);
  }
  for (size_t i = 0; i < kMirrors; ++i) {
    if (!Take(t, statuses[i], "MultiGet", values[i].ToString(),
              &mirrors->found[i])) {
      return false;
    }
  }
  return true;
}

// An iterator per slot; false: an error.
bool MirrorIterators(ThreadContext* t, ReadOptions options,
                     const Mirrors& mirrors,
                     std::unique_ptr<Iterator>* iterators) {
  options.total_order_seek = true;
  std::vector<Iterator*> made;
  if (MirrorsNeedTwoCalls(t)) {
    for (int slot = 0; slot < kMirrorSlots; ++slot) {
      made.push_back(t->db()->NewIterator(t->ReadsOf(slot, options),
                                          mirrors.families[slot * kCopies]));
    }
  } else if (!t->Ok(
                 t->db()->NewIterators(
                     options, {mirrors.families[0], mirrors.families[kCopies]},
                     &made),
                 "NewIterators")) {
    return false;
  }
  for (size_t i = 0; i < kMirrorSlots; ++i) iterators[i].reset(made[i]);
  return true;
}

bool ReadMirrorsByIterators(ThreadContext* t, const ReadOptions& options,
                            Mirrors* mirrors) {
  std::unique_ptr<Iterator> iterators[kMirrorSlots];
  if (!MirrorIterators(t, options, *mirrors, iterators)) return false;
  for (size_t i = 0; i < kMirrors; ++i) {
    Iterator* const it = iterators[i / kCopies].get();
    it->Seek(mirrors->names[i]);
    if (!t->Ok(it->status(), "iterator")) return false;
    mirrors->found[i].reset();
    if (it->Valid() && it->key() == mirrors->names[i]) {
      mirrors->found[i] = it->value().ToString();
    }
  }
  return true;
}

bool ReadMirrorsSomehow(ThreadContext* t, const ReadOptions& options,
                        uint64_t how, Mirrors* mirrors) {
  if (how == 0) return ReadMirrorsByMultiGet(t, options, mirrors);
  if (how == 1) return ReadMirrorsByIterators(t, options, mirrors);
  for (size_t i = 0; i < kMirrors; ++i) {
    if (!ReadKey(t, options, static_cast<int>(i / kCopies), mirrors->names[i],
                 &mirrors->found[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

void ReadMirrored(ThreadContext* t) {
  const auto group =
      static_cast<uint32_t>(t->random.Uniform(t->shape().groups));
  Mirrors mirrors = MirrorsOf(t, group);
  Cell& cell = t->expected().cell(0, t->expected().MirrorKey(group, 0));
  Cell& last = t->expected().cell(kMirrorSlots - 1,
                                  t->expected().MirrorKey(group, kCopies - 1));
  // Copies are committed one after the other: the last one goes last.
  const uint64_t low = last.committed.load();
  const uint64_t how = t->random.Uniform(3);
  const bool pinned = how == 2 || MirrorsNeedTwoCalls(t) || t->Chance(300);
  ReadOptions options = AnyReadOptions(t);
  if (pinned) options.snapshot = t->db()->GetSnapshot();
  const bool read = ReadMirrorsSomehow(t, options, how, &mirrors);
  if (pinned) t->db()->ReleaseSnapshot(options.snapshot);
  if (!read) return;
  const uint64_t high = cell.pending.load();
  t->CheckRead(0, t->expected().MirrorKey(group, 0), low, high,
               mirrors.found[0], "mirrored read");
  if (t->shared.unordered) return;
  for (size_t i = 1; i < kMirrors; ++i) {
    if (mirrors.found[i] == mirrors.found[0]) continue;
    t->Fail("copy " + std::to_string(i) + " of group " + std::to_string(group) +
            " differs from copy 0: '" +
            mirrors.found[i].value_or("(absent)").substr(0, 60) + "' and '" +
            mirrors.found[0].value_or("(absent)").substr(0, 60) +
            "', read in way " + std::to_string(how) +
            (pinned ? " with a snapshot" : ""));
  }
}

void Walk(ThreadContext* t) {
  const SlotUse use(t);
  Walker walker(t, use);
  const int steps = 1 + static_cast<int>(t->random.Skewed(6));
  walker.Move(t, steps);
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
