#include "test/stress/model_checker/neighbour.h"

#include <limits>

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

constexpr uint64_t kKeys = 4000;
constexpr uint64_t kPutsMax = 40000;  // Of a phase.

std::string KeyOf(uint64_t key) { return "n" + std::to_string(key); }

std::string ValueOf(uint64_t key, uint64_t version) {
  const std::string word =
      std::to_string(key) + "@" + std::to_string(version) + " ";
  std::string value;
  while (value.size() < 500) value += word;
  return value;
}

// Directories in which a database has nothing but tables and blob files.
std::vector<std::string> TablesOnly(const std::string& path,
                                    const RunOptions& options) {
  std::vector<std::string> dirs;
  const auto add = [&](const std::vector<DbPath>& paths) {
    for (const DbPath& one : paths) {
      if (one.path != path) dirs.push_back(one.path);
    }
  };
  add(options.db.db_paths);
  for (const ColumnFamilyOptions& family : options.families) {
    add(family.cf_paths);
  }
  return dirs;
}

// DestroyDB deletes a directory of logs that is empty, also another's.
std::string KeeperIn(const std::string& dir) { return dir + "/keeper"; }

}  // namespace

Neighbour::Neighbour(Shared* shared, uint64_t seed)
    : shared_(shared),
      path_(shared->database.NewPath("neighbour")),
      random_(seed),
      apart_(seed + 524309),
      versions_(kKeys) {
  DrawDirectories();
  thread_ = std::thread([this] { Work(); });
}

Neighbour::~Neighbour() {
  stop_ = true;
  thread_.join();
}

void Neighbour::DrawDirectories() {
  const std::string& path = shared_->database.db()->GetName();
  const RunOptions& options = shared_->database.options();
  if (apart_.OneIn(2)) log_dir_ = path;
  const std::vector<std::string> dirs = TablesOnly(path, options);
  if (!dirs.empty() && apart_.OneIn(2)) {
    wal_dir_ = dirs[apart_.Uniform(dirs.size())];
  }
  if (apart_.OneIn(2)) tables_dir_ = options.db.wal_dir;
}

void Neighbour::Fail(const std::string& text) {
  shared_->failures.Add("neighbour: " + text);
}

bool Neighbour::Ok(const Status& status, const char* what) {
  if (status.ok()) return true;
  Fail(std::string(what) + ": " + status.ToString());
  return false;
}

Options Neighbour::MakeOptions() const {
  Options options;
  options.env = shared_->database.env();
  options.create_if_missing = true;
  options.auto_tuned_compaction = true;
  // What databases may share they share, too.
  const DBOptions with = shared_->database.db()->GetDBOptions();
  options.io_scheduler = with.io_scheduler;
  options.write_buffer_manager = with.write_buffer_manager;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.max_bytes_for_level_base = 256 << 10;
  options.level0_file_num_compaction_trigger = 2;
  options.level0_slowdown_writes_trigger = 6;
  options.level0_stop_writes_trigger = 12;
  options.db_log_dir = log_dir_;
  options.wal_dir = wal_dir_;
  if (!tables_dir_.empty()) {
    options.db_paths = {{tables_dir_, std::numeric_limits<uint64_t>::max()}};
  }
  return options;
}

void Neighbour::PutOne() {
  const uint64_t key = random_.Uniform(kKeys);
  const uint64_t version = versions_[key] + 1;
  if (Ok(db_->Put(WriteOptions(), KeyOf(key), ValueOf(key, version)), "Put")) {
    versions_[key] = version;
  }
}

void Neighbour::SwitchTuner() {
  const bool on = random_.OneIn(2);
  (void)Ok(db_->SetOptions({{"auto_tuned_compaction", on ? "true" : "false"}}),
           "SetOptions");
}

void Neighbour::ReadAll() {
  for (uint64_t key = 0; key < kKeys; ++key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), KeyOf(key), &value);
    const uint64_t version = versions_[key];
    if (version == 0 && status.IsNotFound()) continue;
    if (!Ok(status, "Get")) return;
    if (version != 0 && value == ValueOf(key, version)) continue;
    Fail(KeyOf(key) + " has version " + std::to_string(version) +
         ", its value is " + value.substr(0, 40));
    return;
  }
}

bool Neighbour::Open() {
  Env* const env = shared_->database.env();
  if (!wal_dir_.empty()) {
    (void)env->CreateDirIfMissing(wal_dir_);
    const Status kept = WriteStringToFile(env, "", KeeperIn(wal_dir_));
    if (!Ok(kept, "a file that keeps the directory")) return false;
  }
  return Ok(DB::Open(MakeOptions(), path_, &db_), "Open");
}

bool Neighbour::Close() {
  const bool closed = Ok(db_->Close(), "Close");
  db_.reset();
  return closed;
}

void Neighbour::CheckNone(const std::string& dir, const char* part) {
  if (dir.empty()) return;
  std::vector<std::string> names;
  if (!Ok(shared_->database.env()->GetChildren(dir, &names), "GetChildren")) {
    return;
  }
  for (const std::string& name : names) {
    if (name.find(part) == std::string::npos) continue;
    Fail("DestroyDB has left " + name + " in " + dir);
  }
}

bool Neighbour::Destroy() {
  if (!Ok(DestroyDB(path_, MakeOptions()), "DestroyDB")) return false;
  Env* const env = shared_->database.env();
  if (env->FileExists(path_).ok()) Fail("DestroyDB has left " + path_);
  CheckNone(log_dir_, "_LOG");
  CheckNone(wal_dir_, ".log");
  CheckNone(tables_dir_, ".sst");
  if (wal_dir_.empty()) return true;
  return Ok(env->DeleteFile(KeeperIn(wal_dir_)), "a file that is not ours");
}

void Neighbour::Work() {
  if (!Open()) return;
  for (uint64_t i = 0; i < kPutsMax && !stop_ && !shared_->failures.any();
       ++i) {
    PutOne();
    if (random_.OneIn(2000)) SwitchTuner();
    if (apart_.OneIn(10000) && !(Close() && Open())) return;
  }
  if (shared_->failures.any()) return;
  ReadAll();
  if (Close()) (void)Destroy();
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
