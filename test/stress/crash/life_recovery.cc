// What a life finds when it opens; life.cc: what it does then.

#include <algorithm>
#include <utility>

#include "test/stress/crash/life.h"
#include "test/stress/crash/row_filter.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string JoinedNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

}  // namespace

// Tolerating a torn tail means that of every log, whatever the next one holds.
bool Life::LeavesHoles() const {
  return deps_.setup.recovery() == WALRecoveryMode::kSkipAnyCorruptedRecords ||
         deps_.setup.recovery() ==
             WALRecoveryMode::kTolerateCorruptedTailRecords;
}

// Only by the mode's own rule; see WALRecoveryMode. Damage of an earlier crash
// stays in logs that recovery did not flush.
bool Life::MayRefuse() const {
  switch (deps_.setup.recovery()) {
    case WALRecoveryMode::kAbsoluteConsistency:
      return true;
    case WALRecoveryMode::kTolerateCorruptedTailRecords:
      return promise_.damaged;
    default:
      return false;
  }
}

Life::Outcome Life::Open(const Image* image) {
  promise_.opening = true;
  promise_.damaged |= image != nullptr && !image->killed;
  promise_.loose |= LeavesHoles() && promise_.damaged;
  promise_.gaps |= !deps_.setup.chained && promise_.damaged;
  Tell();
  std::vector<std::string> names;
  if (!DB::ListColumnFamilies(options_, deps_.path, &names).ok()) {
    names = {kDefaultColumnFamilyName};
  }
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, options_);
  std::vector<ColumnFamilyHandle*> handles;
  const Status status =
      DB::Open(options_, deps_.path, families, &handles, &db_);
  if (!status.ok() && status.IsCorruption() && MayRefuse()) {
    return Outcome::kRefused;
  }
  if (!Ok(status, "open")) return Outcome::kFailed;
  if (!FindEvents(names, image)) {
    for (ColumnFamilyHandle* const handle : handles) {
      db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    return Outcome::kFailed;
  }
  for (const auto& [serial, name] : lineage_.families()) {
    const auto at = std::find(names.begin(), names.end(), name);
    handles_[serial] = handles[static_cast<size_t>(at - names.begin())];
  }
  CheckRecovered(image);
  if (failure_.empty()) CheckCheckpoints();
  promise_.opening = false;
  Tell();
  at_open_ = promise_;
  return failure_.empty() ? Outcome::kOpen : Outcome::kFailed;
}

// How many of the families' events are there? Not fewer than were
// acknowledged, not more than were begun.
bool Life::FindEvents(const std::vector<std::string>& names,
                      const Image* image) {
  const bool killed = image == nullptr || image->killed;
  const size_t promised =
      killed ? promise_.events_killed : promise_.events_power;
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  for (size_t n = promised; n <= promise_.events_started; ++n) {
    std::vector<std::string> expected;
    for (const auto& [serial, name] : lineage_.Families(n)) {
      expected.push_back(name);
    }
    std::sort(expected.begin(), expected.end());
    if (expected != sorted) continue;
    lineage_.CutTo(lineage_.writes(), n);
    // The MANIFEST that was written now is durable.
    promise_.events_killed = promise_.events_power = n;
    return true;
  }
  std::vector<std::string> expected;
  for (const auto& [serial, name] : lineage_.Families(promised)) {
    expected.push_back(name);
  }
  Fail("families found:" + JoinedNames(sorted) +
       "; promised:" + JoinedNames(expected));
  return false;
}

void Life::CheckRecovered(const Image* image) {
  std::map<uint32_t, Rows> found;
  for (const auto& [family, handle] : handles_) {
    Status status;
    found[family] = ReadRows(db_.get(), handle, /*backwards=*/false, &status);
    if (!Ok(status, "reading family " + std::to_string(family))) return;
  }
  if (promise_.loose) {
    CheckSkipped(found);
  } else if (promise_.gaps) {
    CheckSkipped(found);
    CheckKept(found, image);
  } else {
    CheckPrefix(found, image);
  }
  if (failure_.empty()) StartFrom(found, image);
}

// There may be holes, but nothing that was never written.
void Life::CheckSkipped(const std::map<uint32_t, Rows>& found) {
  for (const auto& [family, rows] : found) {
    for (const auto& [key, row] : rows) {
      if (key[0] == 'm' || lineage_.EverHeld(family, key, row)) continue;
      return Fail("family " + std::to_string(family) + ", " + key +
                  " was never " + row.substr(0, 60));
    }
  }
}

// What later writes did not touch is as after the last one that was promised.
void Life::CheckKept(const std::map<uint32_t, Rows>& found,
                     const Image* image) {
  const bool killed = image == nullptr || image->killed;
  const uint64_t promised = killed ? promise_.killed : promise_.power;
  for (const auto& [family, rows] : found) {
    Rows kept = lineage_.RowsAfter(family, promised);
    Rows there = rows;
    for (uint64_t n = promised + 1; n <= lineage_.writes(); ++n) {
      const Rows& before = lineage_.RowsAfter(family, n - 1);
      const Rows& after = lineage_.RowsAfter(family, n);
      if (&before == &after) continue;
      for (const Rows* from : {&before, &after}) {
        const Rows& other = from == &before ? after : before;
        for (const auto& [key, row] : *from) {
          const auto it = other.find(key);
          if (it != other.end() && it->second == row) continue;
          kept.erase(key);
          there.erase(key);
        }
      }
    }
    const std::string difference =
        Difference(kept, there, deps_.setup.filtered);
    if (difference.empty()) continue;
    return Fail("family " + std::to_string(family) + " lost of the first " +
                std::to_string(promised) + " writes: " + difference);
  }
}

void Life::CheckPrefix(const std::map<uint32_t, Rows>& found,
                       const Image* image) {
  uint64_t n = 0;
  for (const auto& [family, rows] : found) {
    if (!StandsAlone(family)) n = std::max(n, NumberOfMark(rows));
  }
  const bool killed = image == nullptr || image->killed;
  const uint64_t promised = killed ? promise_.killed : promise_.power;
  if (n > promise_.started)
    return Fail("write " + std::to_string(n) +
                " is there, which was never begun");
  for (const auto& [family, rows] : found) {
    if (StandsAlone(family)) {
      const uint64_t mark = NumberOfMark(rows);
      const auto flushed = promise_.flushed.find(family);
      const uint64_t least =
          flushed == promise_.flushed.end() ? 0 : flushed->second;
      CheckFamily(family, rows, std::max(mark, least));
    } else {
      CheckFamily(family, rows, std::max(n, promised));
    }
  }
}

void Life::CheckFamily(uint32_t family, const Rows& found, uint64_t n) {
  const Rows& expected = lineage_.RowsAfter(family, n);
  const std::string difference =
      Difference(expected, found, deps_.setup.filtered);
  if (difference.empty()) return;
  Fail("family " + std::to_string(family) + " should be as after write " +
       std::to_string(n) + ", its mark is of write " +
       std::to_string(NumberOfMark(found)) + ": " + difference);
}

// The lineage goes on from what was found.
void Life::StartFrom(const std::map<uint32_t, Rows>& found,
                     const Image* image) {
  uint64_t together = 0;
  uint64_t last = 0;
  for (const auto& [family, rows] : found) {
    const uint64_t mark = NumberOfMark(rows);
    last = std::max(last, mark);
    if (!StandsAlone(family)) together = std::max(together, mark);
  }
  for (const auto& [family, rows] : found) {
    lineage_.CutFamilyTo(family,
                         StandsAlone(family) ? NumberOfMark(rows) : together);
    if (StandsAlone(family)) promise_.flushed[family] = NumberOfMark(rows);
  }
  lineage_.CutTo(last, lineage_.events());
  if (promise_.loose || promise_.gaps) {
    // What was skipped is not known: what is there is the new beginning.
    for (const auto& [family, rows] : found) lineage_.Restart(family, rows);
  }
  promise_.killed = lineage_.writes();
  const bool durable = image != nullptr && !image->is_unsynced;
  promise_.power =
      durable ? lineage_.writes() : std::min(promise_.power, lineage_.writes());
}

void Life::CheckCheckpoints() {
  for (const auto& [path, held] : promise_.checkpoints) {
    if (random_.OneIn(4)) CheckCheckpoint(path, *held);
    if (!failure_.empty()) return;
  }
}

// A checkpoint that was finished is a database by itself.
void Life::CheckCheckpoint(const std::string& path, const FamilyRows& held) {
  Options options = options_;
  options.wal_dir.clear();  // Everything is in one place.
  options.db_paths.clear();
  options.cf_paths.clear();
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  std::vector<ColumnFamilyDescriptor> families;
  for (const auto& [name, rows] : held) families.emplace_back(name, options);
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  if (!Ok(DB::OpenForReadOnly(options, path, families, &handles, &db), path)) {
    return;
  }
  size_t i = 0;
  for (const auto& [name, rows] : held) {
    Status status;
    const Rows found =
        ReadRows(db.get(), handles[i++], /*backwards=*/false, &status);
    if (!Ok(status, path)) break;
    const std::string difference =
        Difference(rows, found, deps_.setup.filtered);
    if (!difference.empty())
      Fail(path + ", family " + name + ": " + difference);
  }
  for (ColumnFamilyHandle* const handle : handles) {
    Ok(db->DestroyColumnFamilyHandle(handle), path);
  }
  Ok(db->Close(), path);
}

// Forwards, backwards, by key.
void Life::Verify() {
  for (const auto& [family, handle] : handles_) {
    const Rows& expected = lineage_.rows(family);
    Status status;
    const bool backwards = random_.OneIn(2);
    const Rows found = ReadRows(db_.get(), handle, backwards, &status);
    if (!Ok(status, "reading")) return;
    const std::string difference =
        Difference(expected, found, deps_.setup.filtered);
    if (!difference.empty()) {
      return Fail("family " + std::to_string(family) + " read " +
                  (backwards ? "backwards" : "forwards") + ": " + difference);
    }
    for (const auto& [key, row] : expected) {
      if (!random_.OneIn(8)) continue;
      std::string value;
      const Status got = db_->Get(NewestOf(*handle), handle, key, &value);
      if (got.IsNotFound() && deps_.setup.filtered &&
          MayBeFilteredOut(key, row)) {
        continue;
      }
      if (!Ok(got, "get " + key)) return;
      value = WithoutSign(std::move(value));
      if (value != row && EntityRow(value) != row) {
        return Fail("get " + key + " is " + value.substr(0, 60));
      }
    }
  }
  if (random_.OneIn(4)) Ok(db_->VerifyChecksum(), "VerifyChecksum");
}

std::string Life::ToString() const { return deps_.setup.text + "\n" + done_; }

}  // namespace ROCKSDB_NAMESPACE::stress
