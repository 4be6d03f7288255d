#include "test/stress/faults/fault_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/stress/crash/setup.h"
#include "test/stress/crash/writes.h"
#include "test/stress/options/forgiver.h"
#include "test/stress/run/chosen_files.h"
#include "test/support/clocked_env.h"
#include "test/support/fast_clock.h"
#include "test/support/lone_sync_fs.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr const char* kPath = "/db";
constexpr int kSteps = 16;
constexpr int kResumeTries = 10000;
// A second for which jobs wait after a failure is 20 ms.
constexpr uint64_t kTimeFactor = 50;

std::string WriteKey(uint64_t n) {
  char text[16];
  std::snprintf(text, sizeof(text), "!%06llu",
                static_cast<unsigned long long>(n));
  return text;
}

// Background errors are heard here.
class Ear final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status*) override {
    errors_.fetch_add(1);
  }
  int errors() const { return errors_.load(); }

 private:
  std::atomic<int> errors_{0};
};

// With random numbers of its own, so that a run has the same steps and the same
// fault with and without it. 0: nothing is forgiven.
uint64_t DrawForgiven(const FaultPlan* plan) {
  if (plan == nullptr) return 0;
  engine::Random64 random(plan->seed + 65537);
  return random.OneIn(4) ? random.Next() : 0;
}

// Of a seed, because its faults are counted in the calls of a run without.
std::shared_ptr<FileSystem> MaybeLone(uint64_t seed,
                                      std::shared_ptr<FileSystem> fs) {
  if (!engine::Random64(seed + 262147).OneIn(4)) return fs;
  return std::make_shared<test::LoneSyncFileSystem>(std::move(fs));
}

std::unique_ptr<Env> MakeEnv(std::shared_ptr<FileSystem> fs) {
  return std::make_unique<test::ClockedEnv>(
      Env::Default(), std::move(fs),
      std::make_shared<test::FastClock>(kTimeFactor));
}

struct Written {
  LoggedWrite write;
  std::set<uint32_t> families;
  bool acknowledged = false;
  bool synced = false;
};

class FaultRun {
 public:
  FaultRun(uint64_t seed, const FaultPlan* plan, bool trace)
      : seed_(seed),
        plan_(plan),
        trace_(trace),
        disk_(std::make_shared<engine::MemFileSystem>()),
        fs_(std::make_shared<FaultFileSystem>(disk_)),
        env_(MakeEnv(MaybeLone(seed, fs_))),
        ear_(std::make_shared<Ear>()),
        forgiver_(std::make_shared<Forgiver>(DrawForgiven(plan))),
        random_(seed),
        apart_(seed + 524309) {}

  FaultResult Run();

 private:
  Options DrawOptions(Env* env);
  Status Open(Env* env);
  void Close(bool must);
  void Step();
  void DoStep(uint64_t kind);

  std::string NextTime() const;
  void Write();
  // All that is acknowledged.
  void MarkSynced();
  void Ingest();
  void Flush();
  void Compact();
  void MakeCheckpoint();
  void CreateFamily();
  void DropFamily();
  void SetOther(ColumnFamilyHandle* family);
  void Read();

  // What must hold once nothing fails any more.
  void AwaitAutoResume();
  bool Resume();
  void CheckResumed();
  void CheckReopened();
  // `when`: it struck.
  void CheckAfterPowerCut(const std::string& when,
                          const std::shared_ptr<engine::MemFileSystem>& disk,
                          const std::vector<Written>& writes);

  // Compares all families with the writes that they say they hold.
  // `synced_only`: the others may be gone.
  void Check(const std::string& when, bool synced_only);
  bool CheckFamily(uint32_t family, const Rows& found, bool synced_only,
                   std::map<uint64_t, bool>* seen);
  Rows Replay(uint32_t family, const std::set<uint64_t>& writes) const;

  ColumnFamilyHandle* DrawHandle();
  bool Ok(const Status& status, const std::string& what);
  void Note(const std::string& what) {
    done_ += what + "\n";
    if (trace_) std::fprintf(stderr, "%s\n", what.c_str());
  }
  void Fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
  }

  const uint64_t seed_;
  const FaultPlan* const plan_;
  const bool trace_;
  const std::shared_ptr<engine::MemFileSystem> disk_;
  const std::shared_ptr<FaultFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  const std::shared_ptr<Ear> ear_;
  const std::shared_ptr<Forgiver> forgiver_;
  engine::Random64 random_;
  engine::Random64 apart_;  // Of SetOther().
  Options options_;
  uint64_t opened_ = 0;
  bool healed_ = false;
  bool auto_resumes_ = false;
  // The kernel may have dropped pages of a log whose sync failed, and syncs it
  // later with success: what recovery leaves there is safe once it is flushed.
  bool old_logs_doubtful_ = false;
  int errors_ = 0;
  uint64_t files_made_ = 0;
  bool stamped_ = false;   // Keys have timestamps.
  bool filtered_ = false;  // A filter may remove and change rows.
  Lineage lineage_;  // As if every write had succeeded: only to draw from.
  std::vector<Written> writes_;
  std::map<std::string, uint32_t> serials_;  // Of the families by name.
  std::set<uint32_t> doubtful_;  // Creating or dropping them has failed.
  std::unique_ptr<DB> db_;
  Handles handles_;
  std::string failure_;
  std::string done_;
};

bool FaultRun::Ok(const Status& status, const std::string& what) {
  if (status.ok()) return true;
  ++errors_;
  Note("  " + what + ": " + status.ToString());
  if (healed_ || plan_ == nullptr) {
    Fail(what + (healed_ ? " after healing: " : ": ") + status.ToString());
  }
  return false;
}

Options FaultRun::DrawOptions(Env* env) {
  Setup setup = DrawSetup(seed_, opened_, Logging::kAll, "");
  Note(setup.text);
  stamped_ = setup.stamped;
  filtered_ = setup.filtered;
  Options options = setup.OptionsOn(env);
  options.listeners = {ear_, forgiver_};
  // An acknowledged write must have left the process.
  options.manual_wal_flush = false;
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  // Without, a flush that fails is tried again for ever, and waits.
  options.paranoid_checks = true;
  auto_resumes_ = seed_ % 3 == 0;
  options.max_bgerror_resume_count = auto_resumes_ ? 1000000 : 0;
  options.bgerror_resume_retry_interval = 1000;
  return options;
}

Status FaultRun::Open(Env* env) {
  ++opened_;
  options_ = DrawOptions(env);
  std::vector<std::string> names;
  const Status listed = DB::ListColumnFamilies(options_, kPath, &names);
  if (!listed.ok()) {
    if (opened_ > 1 && !serials_.empty()) return listed;
    names = {kDefaultColumnFamilyName};
  }
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, options_);
  std::vector<ColumnFamilyHandle*> handles;
  Status status = DB::Open(options_, kPath, families, &handles, &db_);
  if (!status.ok()) return status;
  serials_.try_emplace(kDefaultColumnFamilyName, 0);
  if (fs_->log_lost_data()) {
    // What was not synced may have gone with a log.
    for (Written& before : writes_) before.acknowledged &= before.synced;
  }
  old_logs_doubtful_ =
      fs_->log_sync_failed() && options_.avoid_flush_during_recovery;
  handles_.clear();
  for (size_t i = 0; i < names.size(); ++i) {
    const auto serial = serials_.find(names[i]);
    if (serial == serials_.end()) {
      Fail("family " + names[i] + " was never created");
      db_->DestroyColumnFamilyHandle(handles[i]).PermitUncheckedError();
      continue;
    }
    handles_[serial->second] = handles[i];
  }
  for (const auto& [name, serial] : serials_) {
    if (!handles_.contains(serial) && !doubtful_.contains(serial)) {
      Fail("family " + name + " is gone");
    }
  }
  return status;
}

void FaultRun::Close(bool must) {
  if (db_ == nullptr) return;
  for (const auto& [family, handle] : handles_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  handles_.clear();
  const Status status = db_->Close();
  if (must) {
    Ok(status, "close");
  } else if (!status.ok()) {
    ++errors_;
    Note("  close: " + status.ToString());
  }
  db_.reset();
}

ColumnFamilyHandle* FaultRun::DrawHandle() {
  auto it = handles_.begin();
  std::advance(it, random_.Uniform(handles_.size()));
  return it->second;
}

// Empty without timestamps.
std::string FaultRun::NextTime() const {
  std::string time;
  if (stamped_) EncodeU64Ts(writes_.size() + 1, &time);
  return time;
}

void FaultRun::Write() {
  std::vector<uint32_t> families;
  for (const auto& [family, handle] : handles_) {
    if (families.empty() || random_.OneIn(2)) families.push_back(family);
  }
  LoggedWrite write =
      DrawBatch(lineage_, families, std::to_string(seed_), !stamped_, &random_);
  // A single deletion needs to know how often its key was put.
  std::erase_if(write.records, [](const Record& record) {
    return record.key[0] == 's' || record.key == kMark;
  });
  Written written;
  for (const uint32_t family : families) {
    write.records.push_back(
        {Record::Kind::kPut, family, WriteKey(writes_.size()), "+"});
    written.families.insert(family);
  }
  written.write = write;
  const std::string time = NextTime();
  WriteBatch batch(0, 0, 0, time.size());
  const Status filled = FillBatch(write, handles_, time, &batch);
  if (!filled.ok()) return Fail("batch: " + filled.ToString());
  WriteOptions options;
  options.sync = random_.OneIn(3);
  lineage_.Append(write);
  Note("write " + std::to_string(writes_.size()) +
       (options.sync ? " synced" : ""));
  writes_.push_back(std::move(written));
  if (!Ok(db_->Write(options, &batch), "write")) return;
  writes_.back().acknowledged = true;
  if (!options.sync) return;
  MarkSynced();
}

void FaultRun::MarkSynced() {
  if (old_logs_doubtful_) return;
  for (Written& before : writes_) before.synced |= before.acknowledged;
}

void FaultRun::Ingest() {
  if (stamped_) return Write();  // Not drawn.
  auto it = handles_.begin();
  std::advance(it, random_.Uniform(handles_.size()));
  LoggedWrite write =
      DrawFiles(lineage_, {it->first}, std::to_string(seed_), &random_);
  for (Record& record : write.records) {
    if (record.key != kMark) continue;
    record.key = WriteKey(writes_.size());
    record.value = "+";
  }
  const std::string file = "/external" + std::to_string(++files_made_);
  Note("write " + std::to_string(writes_.size()) + " ingested");
  if (!Ok(WriteFile(write, it->first, options_, file), "external file")) {
    return;
  }
  Written written;
  written.families = {it->first};
  written.write = write;
  lineage_.Append(write);
  writes_.push_back(std::move(written));
  IngestExternalFileOptions options;
  options.move_files = random_.OneIn(2);
  if (!Ok(db_->IngestExternalFile(it->second, {file}, options), "ingestion")) {
    return;
  }
  writes_.back().acknowledged = true;
  writes_.back().synced = true;
}

void FaultRun::Flush() {
  std::vector<ColumnFamilyHandle*> handles;
  for (const auto& [family, handle] : handles_) handles.push_back(handle);
  FlushOptions options;
  options.allow_write_stall = true;
  Note("flush");
  if (!Ok(db_->Flush(options, handles), "flush")) return;
  old_logs_doubtful_ = false;
  MarkSynced();
}

void FaultRun::Compact() {
  CompactRangeOptions options;
  options.allow_write_stall = true;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  Note("compact");
  if (random_.OneIn(3)) {
    Ok(CompactSomeFiles(db_.get(), DrawHandle(), &random_), "chosen files");
    return;
  }
  Ok(db_->CompactRange(options, DrawHandle(), nullptr, nullptr), "compaction");
}

void FaultRun::MakeCheckpoint() {
  Note("checkpoint");
  Checkpoint* made = nullptr;
  if (!Ok(Checkpoint::Create(db_.get(), &made), "checkpoint")) return;
  const std::unique_ptr<Checkpoint> checkpoint(made);
  const std::string path = "/checkpoint" + std::to_string(++files_made_);
  Ok(checkpoint->CreateCheckpoint(path), "checkpoint");
}

void FaultRun::CreateFamily() {
  if (handles_.size() > 2) return;
  const uint32_t serial = lineage_.Create("f");
  const std::string name = "f" + std::to_string(serial);
  Note("create " + name);
  serials_[name] = serial;
  doubtful_.insert(serial);
  ColumnFamilyHandle* handle = nullptr;
  if (!Ok(db_->CreateColumnFamily(options_, name, &handle), "creation")) {
    return;
  }
  handles_[serial] = handle;
  doubtful_.erase(serial);
}

void FaultRun::DropFamily() {
  if (handles_.size() < 2) return;
  const auto it = std::prev(handles_.end());
  Note("drop " + std::to_string(it->first));
  doubtful_.insert(it->first);
  Ok(db_->DropColumnFamily(it->second), "drop");
  db_->DestroyColumnFamilyHandle(it->second).PermitUncheckedError();
  handles_.erase(it);
}

void FaultRun::Read() {
  Note("read");
  Check("while faults come", /*synced_only=*/false);
  std::string value;
  for (const auto& [family, handle] : handles_) {
    const std::string key = WriteKey(random_.Uniform(writes_.size() + 1));
    const Status status = db_->Get(NewestOf(*handle), handle, key, &value);
    if (!status.ok() && !status.IsNotFound()) Ok(status, "get");
    const bool found = status.ok();
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (WriteKey(i) != key) continue;
      const bool wanted =
          writes_[i].acknowledged && writes_[i].families.contains(family);
      if (wanted && status.IsNotFound()) Fail("get misses write " + key);
      if (found && value != "+") Fail("get " + key + " is wrong");
    }
  }
}

void FaultRun::SetOther(ColumnFamilyHandle* family) {
  const OtherChange change = DrawOtherChange(&apart_);
  Note("set " + change.name);
  const Status status =
      change.of_db ? db_->SetDBOptions({{change.name, change.value}})
                   : db_->SetOptions(family, {{change.name, change.value}});
  if (!IsRefused(change, status)) Ok(status, "set " + change.name);
}

void FaultRun::DoStep(uint64_t kind) {
  constexpr void (FaultRun::*kWork[])() = {
      &FaultRun::Flush,      &FaultRun::Compact,
      &FaultRun::Read,       &FaultRun::MakeCheckpoint,
      &FaultRun::Ingest,     &FaultRun::CreateFamily,
      &FaultRun::DropFamily, &FaultRun::CreateFamily};
  if (kind < std::size(kWork)) return (this->*kWork[kind])();
  switch (kind) {
    case 8:
      Note("sync the log");
      if (Ok(db_->FlushWAL(true), "sync of the log")) MarkSynced();
      return;
    case 9:
      Note("reopen");
      return Close(/*must=*/false);
    case 10: {
      const auto [name, value] = DrawSetOption(&random_);
      ColumnFamilyHandle* const family = DrawHandle();
      if (apart_.OneIn(2)) return SetOther(family);
      Note("set " + name);
      const Status status = db_->SetOptions(family, {{name, value}});
      // Values of keys with timestamps cannot be in blob files.
      if (!stamped_ || !status.IsNotSupported()) Ok(status, "SetOptions");
      return;
    }
    case 11:
      Note("wait");
      Ok(db_->WaitForCompact(WaitForCompactOptions()), "wait");
      return;
    default:
      return Write();
  }
}

void FaultRun::Step() {
  // Drawn first: the same steps, whatever fails.
  const uint64_t kind = random_.Uniform(24);
  if (db_ == nullptr && !Ok(Open(env_.get()), "open")) return;
  DoStep(kind);
}

Rows FaultRun::Replay(uint32_t family, const std::set<uint64_t>& writes) const {
  Lineage::Preview rows{Rows()};
  for (const uint64_t n : writes) {
    for (const Record& record : writes_[n].write.records) {
      if (record.family == family) rows.Apply(record);
    }
  }
  return rows.get();
}

// seen: of the writes met so far, whether they are there.
bool FaultRun::CheckFamily(uint32_t family, const Rows& found, bool synced_only,
                           std::map<uint64_t, bool>* seen) {
  const std::string where = "family " + std::to_string(family) + ", write ";
  std::set<uint64_t> there;
  for (uint64_t n = 0; n < writes_.size(); ++n) {
    const Written& written = writes_[n];
    if (!written.families.contains(family)) continue;
    const bool is_there = found.contains(WriteKey(n));
    if (is_there) there.insert(n);
    const bool promised = synced_only ? written.synced : written.acknowledged;
    if (promised && !is_there) {
      Fail(where + std::to_string(n) + " is lost");
      return false;
    }
    const auto [it, first] = seen->try_emplace(n, is_there);
    if (it->second != is_there) {
      Fail(where + std::to_string(n) + " is there in part");
      return false;
    }
  }
  const std::string difference =
      Difference(Replay(family, there), found, filtered_);
  if (!difference.empty()) {
    Fail("family " + std::to_string(family) + ": " + difference);
    return false;
  }
  return true;
}

void FaultRun::Check(const std::string& when, bool synced_only) {
  std::map<uint64_t, bool> seen;
  const std::string before = failure_;
  for (const auto& [family, handle] : handles_) {
    Status status;
    const Rows found = ReadRows(db_.get(), handle, random_.OneIn(2), &status);
    if (!Ok(status, "iterator")) continue;
    if (!CheckFamily(family, found, synced_only, &seen)) break;
  }
  if (before.empty() && !failure_.empty()) failure_ = when + ": " + failure_;
}

// An automatic attempt that began before may fail once more.
void FaultRun::AwaitAutoResume() {
  WriteOptions options;
  options.sync = true;
  Status status;
  const std::string time = NextTime();
  const auto write = [&](Record::Kind kind) {
    WriteBatch batch(0, 0, 0, time.size());
    const Status filled =
        FillBatch({{{kind, 0, "resumed", "+"}}},
                  {{0, db_->DefaultColumnFamily()}}, time, &batch);
    return filled.ok() ? db_->Write(options, &batch) : filled;
  };
  for (int tries = 0; tries < kResumeTries; ++tries) {
    status = write(Record::Kind::kPut);
    if (status.ok()) status = db_->Flush(FlushOptions());
    if (status.ok()) status = db_->WaitForCompact(WaitForCompactOptions());
    if (status.ok()) status = write(Record::Kind::kDelete);
    if (status.ok()) return Note("resumed by itself");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Fail("writes did not resume: " + status.ToString());
}

// False: it must be opened again. A job that failed before may say so later
// than Resume() returns.
bool FaultRun::Resume() {
  Status status;
  for (int tries = 0; tries < kResumeTries; ++tries) {
    status = db_->Resume();
    if (status.severity() > Status::Severity::kHardError) break;
    if (status.ok()) status = db_->Flush(FlushOptions());
    if (status.ok()) status = db_->WaitForCompact(WaitForCompactOptions());
    if (status.ok()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Note("resume: " + status.ToString());
  if (status.ok()) return true;
  if (status.severity() <= Status::Severity::kHardError) {
    Fail("does not resume: " + status.ToString());
  }
  return false;
}

void FaultRun::CheckResumed() {
  Check("healed", /*synced_only=*/false);
  // Once a full disk has space again the database must resume by itself.
  if (auto_resumes_ && plan_ != nullptr &&
      plan_->scope == FaultPlan::Scope::kFull) {
    AwaitAutoResume();
  }
  if (!Resume()) return;
  Write();
  Flush();
  Check("resumed", /*synced_only=*/false);
}

void FaultRun::CheckReopened() {
  Close(/*must=*/false);
  if (!Ok(Open(env_.get()), "open")) return;
  Check("reopened", /*synced_only=*/false);
  Write();
  Flush();
  Check("reopened and written", /*synced_only=*/false);
  Close(/*must=*/true);
}

void FaultRun::CheckAfterPowerCut(
    const std::string& when, const std::shared_ptr<engine::MemFileSystem>& disk,
    const std::vector<Written>& writes) {
  Note("power cut " + when);
  writes_ = writes;
  const std::unique_ptr<Env> env = MakeEnv(disk);
  if (!Ok(Open(env.get()), "open after a power cut " + when)) return;
  Check("after a power cut " + when, /*synced_only=*/true);
  Close(/*must=*/true);
}

FaultResult FaultRun::Run() {
  if (plan_ != nullptr) fs_->Arm(*plan_, trace_);
  for (int i = 0; i < kSteps && failure_.empty(); ++i) Step();
  if (db_ != nullptr) Ok(db_->WaitForCompact(WaitForCompactOptions()), "wait");
  const auto heard = [this] { return errors_ + ear_->errors() > 0; };
  // A log that failed outside of a write, as when a family was created, says so
  // in the next one.
  if (fs_->must_be_heard() && !heard() && db_ != nullptr) Write();
  if (fs_->must_be_heard() && !heard()) {
    Fail("the failure was not reported");
  }
  FaultResult result;
  result.calls = fs_->calls();
  result.injected = fs_->injected();
  const auto cut_before = disk_->CrashClone(engine::CrashOptions());
  const std::vector<Written> writes_before = writes_;
  const bool logs_doubtful_before = old_logs_doubtful_;
  fs_->Heal();
  Note("healed");
  healed_ = true;
  if (failure_.empty() && db_ != nullptr) CheckResumed();
  if (failure_.empty() && serials_.contains(kDefaultColumnFamilyName)) {
    const auto cut = disk_->CrashClone(engine::CrashOptions());
    const std::vector<Written> writes = writes_;
    CheckReopened();
    if (failure_.empty()) CheckAfterPowerCut("after resuming", cut, writes);
    if (failure_.empty() && !logs_doubtful_before) {
      CheckAfterPowerCut("before healing", cut_before, writes_before);
    }
  }
  if (!failure_.empty()) {
    result.failure =
        failure_ + "\n" + (plan_ == nullptr ? "" : plan_->ToString() + "\n") +
        fs_->first() + "\n" +
        "forgiven errors: " + std::to_string(forgiver_->forgiven()) + "\n" +
        done_;
  }
  Close(/*must=*/false);
  return result;
}

}  // namespace

FaultResult RunWithFault(uint64_t seed, const FaultPlan* plan, bool trace) {
  return FaultRun(seed, plan, trace).Run();
}

FaultPlan DrawPlan(uint64_t seed, uint64_t n, uint64_t calls) {
  using Scope = FaultPlan::Scope;
  engine::Random64 random(seed * 1000003 + n);
  FaultPlan plan;
  plan.seed = random.Next();
  plan.at = random.Uniform(std::max<uint64_t>(calls, 1));
  plan.forever = random.OneIn(3);
  constexpr Scope kScopes[] = {Scope::kAny,     Scope::kSame, Scope::kReads,
                               Scope::kWrites,  Scope::kFull, Scope::kNoFiles,
                               Scope::kReadOnly};
  // Once: whatever call it is.
  if (plan.forever) plan.scope = kScopes[random.Uniform(std::size(kScopes))];
  return plan;
}

}  // namespace ROCKSDB_NAMESPACE::stress
