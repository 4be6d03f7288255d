// What a life does; life_recovery.cc: what it finds.

#include "test/stress/crash/life.h"

#include <algorithm>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/stress/run/chosen_files.h"

namespace ROCKSDB_NAMESPACE::stress {

Life::Life(LifeDeps deps, Lineage lineage, Promise promise)
    : deps_(std::move(deps)),
      options_(deps_.setup.OptionsOn(deps_.env)),
      lineage_(std::move(lineage)),
      promise_(std::move(promise)),
      random_(deps_.seed),
      apart_(deps_.seed + 524309) {}

Life::~Life() {
  if (db_ != nullptr) Close();
}

bool Life::Ok(const Status& status, const std::string& what) {
  if (!status.ok()) Fail(what + ": " + status.ToString());
  return status.ok();
}

void Life::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = what;
}

void Life::Tell() {
  promise_.started = lineage_.writes();
  promise_.events_started = lineage_.events();
  if (deps_.on_promise) deps_.on_promise(promise_);
}

void Life::AddEvent() {
  ++promise_.events_killed;
  ++promise_.events_power;
  Tell();
}

bool Life::StandsAlone(uint32_t family) const {
  if (deps_.setup.logging == Logging::kNone) return true;
  if (deps_.setup.logging != Logging::kSome) return false;
  return lineage_.families().at(family)[0] == 'u';
}

void Life::Step() {
  if (db_ == nullptr || !failure_.empty()) return;
  struct Choice {
    uint64_t weight;
    void (Life::*step)();
  };
  constexpr Choice kChoices[] = {
      {60, &Life::Write},       {10, &Life::Flush},
      {6, &Life::SyncLog},      {4, &Life::Compact},
      {4, &Life::Ingest},       {2, &Life::MakeCheckpoint},
      {4, &Life::CreateFamily}, {1, &Life::DropFamily},
      {4, &Life::SetOption},    {5, &Life::Maintain},
  };
  uint64_t drawn = random_.Uniform(100);
  for (const Choice& choice : kChoices) {
    if (drawn < choice.weight) return (this->*choice.step)();
    drawn -= choice.weight;
  }
}

// One family, or several that are flushed or logged together.
std::vector<uint32_t> Life::DrawFamilies() {
  std::vector<uint32_t> alone;
  std::vector<uint32_t> together;
  for (const auto& [family, handle] : handles_) {
    (StandsAlone(family) ? alone : together).push_back(family);
  }
  if (together.empty() || (!alone.empty() && random_.OneIn(3))) {
    return {alone[random_.Uniform(alone.size())]};
  }
  std::vector<uint32_t> drawn;
  for (const uint32_t family : together) {
    if (random_.OneIn(2)) drawn.push_back(family);
  }
  if (drawn.empty())
    drawn.push_back(together[random_.Uniform(together.size())]);
  return drawn;
}

// Empty without timestamps. Crashes may take writes and give their numbers out
// again, but times ascend.
std::string Life::TimeOf(uint64_t write) const {
  std::string time;
  if (deps_.setup.stamped) {
    EncodeU64Ts(deps_.setup.time_before + write, &time);
  }
  return time;
}

void Life::Write() {
  const std::vector<uint32_t> families = DrawFamilies();
  const LoggedWrite write =
      DrawBatch(lineage_, families, deps_.tag, !deps_.setup.stamped, &random_);
  const bool logged =
      deps_.setup.logging != Logging::kAtomic && !StandsAlone(families[0]);
  WriteOptions options;
  options.disableWAL = !logged;
  options.sync = logged && random_.OneIn(5);
  const std::string time = TimeOf(lineage_.writes() + 1);
  WriteBatch batch(0, 0, 0, time.size());
  if (!Ok(FillBatch(write, handles_, time, &batch), "batch")) return;
  lineage_.Append(write);
  Note("write " + std::to_string(lineage_.writes()) +
       (options.sync ? " synced"
        : logged     ? ""
                     : " not logged") +
       " to " + std::to_string(families[0]) + " and " +
       std::to_string(families.size() - 1) + " more");
  Tell();
  if (!Ok(db_->Write(options, &batch), "write")) return;
  Acknowledge(write, logged, options.sync);
}

void Life::Acknowledge(const LoggedWrite&, bool logged, bool synced) {
  if (logged && !deps_.setup.manual_wal_flush) {
    promise_.killed = lineage_.writes();
  }
  if (synced) promise_.killed = promise_.power = lineage_.writes();
  Tell();
}

// What is in tables survives, and with it everything before it.
void Life::PromiseFlushed(const std::vector<uint32_t>& families) {
  for (const uint32_t family : families) {
    const uint64_t last = lineage_.LastWriteTo(family, lineage_.writes());
    if (StandsAlone(family)) {
      promise_.flushed[family] = last;
      continue;
    }
    promise_.power = std::max(promise_.power, last);
    promise_.killed = std::max(promise_.killed, last);
  }
  Tell();
}

void Life::PromiseAll() {
  promise_.killed = promise_.power = lineage_.writes();
  std::vector<uint32_t> families;
  for (const auto& [family, handle] : handles_) families.push_back(family);
  PromiseFlushed(families);
}

void Life::Flush() {
  // Without a log only all families together make a promise.
  const bool all = deps_.setup.logging == Logging::kAtomic || random_.OneIn(3);
  std::vector<uint32_t> families;
  std::vector<ColumnFamilyHandle*> handles;
  uint64_t skipped = random_.Uniform(handles_.size());
  for (const auto& [family, handle] : handles_) {
    if (!all && skipped-- != 0) continue;
    families.push_back(family);
    handles.push_back(handle);
  }
  FlushOptions options;
  options.allow_write_stall = true;
  options.wait = !random_.OneIn(4);
  Note(std::string("flush ") + (all ? "all" : std::to_string(families[0])) +
       (options.wait ? "" : " without waiting"));
  if (!Ok(db_->Flush(options, handles), "flush")) return;
  if (options.wait) PromiseFlushed(families);
}

void Life::SyncLog() {
  if (deps_.setup.logging == Logging::kAtomic ||
      deps_.setup.logging == Logging::kNone) {
    return;
  }
  const bool flush_only = random_.OneIn(3);
  Note(flush_only ? "flush the log" : "sync the log");
  const bool with_flush = flush_only || deps_.setup.manual_wal_flush;
  const Status status =
      with_flush ? db_->FlushWAL(!flush_only) : db_->SyncWAL();
  if (deps_.setup.lone_syncs && status.IsNotSupported()) return;
  if (!Ok(status, "sync of the log")) return;
  promise_.killed = lineage_.writes();
  if (!flush_only) promise_.power = lineage_.writes();
  Tell();
}

void Life::Compact() {
  auto it = handles_.begin();
  std::advance(it, random_.Uniform(handles_.size()));
  Note("compact " + std::to_string(it->first));
  if (random_.OneIn(3)) {
    Ok(CompactSomeFiles(db_.get(), it->second, &random_), "chosen files");
    return;
  }
  CompactRangeOptions options;
  options.exclusive_manual_compaction = random_.OneIn(2);
  options.allow_write_stall = true;
  if (random_.OneIn(2)) {
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  }
  options.max_subcompactions = random_.OneIn(2) ? 3 : 0;
  if (!Ok(db_->CompactRange(options, it->second, nullptr, nullptr),
          "compaction")) {
    return;
  }
  PromiseFlushed({it->first});
}

void Life::Ingest() {
  if (deps_.setup.stamped) return ForgetHistory();  // Not drawn.
  std::vector<uint32_t> families = DrawFamilies();
  // What was written before must not be lost behind it.
  if (!StandsAlone(families[0])) {
    if (deps_.setup.logging == Logging::kAtomic) {
      std::vector<ColumnFamilyHandle*> handles;
      for (const auto& [family, handle] : handles_) handles.push_back(handle);
      if (!Ok(db_->Flush(FlushOptions(), handles), "flush")) return;
    } else if (!Ok(db_->FlushWAL(true), "sync of the log")) {
      return;
    }
    promise_.killed = promise_.power = lineage_.writes();
    Tell();
  }
  const LoggedWrite write = DrawFiles(lineage_, families, deps_.tag, &random_);
  std::vector<IngestExternalFileArg> args;
  for (const uint32_t family : families) {
    IngestExternalFileArg arg;
    arg.column_family = handles_.at(family);
    arg.external_files = {deps_.path + "_external." + deps_.tag + "." +
                          std::to_string(++files_made_)};
    arg.options.move_files = random_.OneIn(2);
    arg.options.failed_move_fall_back_to_copy = true;
    if (!Ok(WriteFile(write, family, options_, arg.external_files[0]),
            "external file")) {
      return;
    }
    args.push_back(std::move(arg));
  }
  lineage_.Append(write);
  Note("write " + std::to_string(lineage_.writes()) + " ingested to " +
       std::to_string(families.size()) + " families");
  Tell();
  if (!Ok(db_->IngestExternalFiles(args), "ingestion")) return;
  PromiseFlushed(families);
}

// Compactions may drop all versions but the newest of each key.
void Life::ForgetHistory() {
  auto it = handles_.begin();
  std::advance(it, random_.Uniform(handles_.size()));
  Note("forget the history of " + std::to_string(it->first));
  Ok(db_->IncreaseFullHistoryTsLow(it->second, TimeOf(lineage_.writes() + 1)),
     "IncreaseFullHistoryTsLow");
}

void Life::MakeCheckpoint() {
  Checkpoint* made = nullptr;
  if (!Ok(Checkpoint::Create(db_.get(), &made), "checkpoint")) return;
  const std::unique_ptr<Checkpoint> checkpoint(made);
  const std::string path = deps_.path + "_checkpoint." + deps_.tag + "." +
                           std::to_string(++files_made_);
  const bool logs = deps_.setup.logging == Logging::kAll && random_.OneIn(2);
  Note("checkpoint " + path + (logs ? " with logs" : ""));
  if (!Ok(checkpoint->CreateCheckpoint(path, logs ? uint64_t{1} << 40 : 0),
          "checkpoint")) {
    return;
  }
  FamilyRows held;
  for (const auto& [serial, name] : lineage_.families()) {
    held[name] = lineage_.rows(serial);
  }
  promise_.checkpoints[path] =
      std::make_shared<const FamilyRows>(std::move(held));
  Tell();
}

void Life::CreateFamily() {
  if (handles_.size() >= 5) return;
  std::string name(1, random_.OneIn(3) ? 'u' : 'f');
  name += std::to_string(random_.Uniform(3));
  for (const auto& [serial, other] : lineage_.families()) {
    if (other == name) return;
  }
  Note("create " + name);
  const uint32_t serial = lineage_.Create(name);
  Tell();
  if (!Ok(db_->CreateColumnFamily(options_, name, &handles_[serial]),
          "creation of a family")) {
    handles_.erase(serial);
    return;
  }
  AddEvent();
}

void Life::DropFamily() {
  if (handles_.size() < 2) return;
  auto it = std::next(handles_.begin());
  std::advance(it, random_.Uniform(handles_.size() - 1));
  Note("drop " + std::to_string(it->first));
  const auto [serial, handle] = *it;
  handles_.erase(it);
  lineage_.Drop(serial);
  Tell();
  if (!Ok(db_->DropColumnFamily(handle), "drop")) return;
  AddEvent();
  Ok(db_->DestroyColumnFamilyHandle(handle), "handle of a dropped family");
}

void Life::SetOption() {
  auto it = handles_.begin();
  std::advance(it, random_.Uniform(handles_.size()));
  const auto [name, value] = DrawSetOption(&random_);
  if (apart_.OneIn(2)) return SetOther(it->second);
  const auto* const table =
      db_->GetOptions(it->second)
          .table_factory->GetOptions<BlockBasedTableOptions>();
  // Refused where blocks are aligned.
  if (table->block_align && name == "compression") return;
  if (deps_.setup.stamped && name == "enable_blob_files") return;
  Note("set " + name + "=" + value);
  Ok(db_->SetOptions(it->second, {{name, value}}), "SetOptions " + name);
}

void Life::SetOther(ColumnFamilyHandle* family) {
  const OtherChange change = DrawOtherChange(&apart_);
  Note("set " + change.name + "=" + change.value);
  const Status status =
      change.of_db ? db_->SetDBOptions({{change.name, change.value}})
                   : db_->SetOptions(family, {{change.name, change.value}});
  if (IsRefused(change, status)) return;
  if (!Ok(status, "set " + change.name)) return;
  if (change.name == "avoid_flush_during_shutdown") {
    options_.avoid_flush_during_shutdown = change.value == "true";
  }
}

void Life::Maintain() {
  switch (random_.Uniform(4)) {
    case 0:
      Note("wait for compactions");
      Ok(db_->WaitForCompact(WaitForCompactOptions()), "wait");
      return;
    case 1:
      Note("files are kept");
      Ok(db_->DisableFileDeletions(), "DisableFileDeletions");
      return;
    case 2:
      Note("files are deleted");
      Ok(db_->EnableFileDeletions(), "EnableFileDeletions");
      return;
    default:
      Note("verify");
      return Verify();
  }
}

void Life::Use() {
  if (db_ == nullptr || !failure_.empty()) return;
  Write();
  std::vector<ColumnFamilyHandle*> handles;
  for (const auto& [family, handle] : handles_) handles.push_back(handle);
  FlushOptions options;
  options.allow_write_stall = true;
  if (Ok(db_->Flush(options, handles), "flush after recovery")) PromiseAll();
  Verify();
}

void Life::Close() {
  if (db_ == nullptr) return;
  for (const auto& [family, handle] : handles_) {
    Ok(db_->DestroyColumnFamilyHandle(handle), "handle");
  }
  Note("close");
  const bool flushes = !options_.avoid_flush_during_shutdown;
  const bool closed = Ok(db_->Close(), "close");
  db_.reset();
  if (closed && deps_.setup.logging == Logging::kAll) {
    promise_.killed = lineage_.writes();
  }
  if (closed && flushes && deps_.setup.logging != Logging::kAll) {
    // Everything that was not logged has been flushed.
    for (const auto& [family, handle] : handles_) {
      const uint64_t last = lineage_.LastWriteTo(family, lineage_.writes());
      if (StandsAlone(family)) promise_.flushed[family] = last;
    }
    if (deps_.setup.logging == Logging::kAtomic) {
      promise_.power = lineage_.writes();
    }
    promise_.killed = lineage_.writes();
  }
  handles_.clear();
  Tell();
}

}  // namespace ROCKSDB_NAMESPACE::stress
