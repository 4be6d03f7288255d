#include "test/stress/model_checker/neighbour.h"

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

}  // namespace

Neighbour::Neighbour(Shared* shared, uint64_t seed)
    : shared_(shared),
      path_(shared->database.NewPath("neighbour")),
      random_(seed),
      versions_(kKeys),
      thread_([this] { Work(); }) {}

Neighbour::~Neighbour() {
  stop_ = true;
  thread_.join();
}

bool Neighbour::Ok(const Status& status, const char* what) {
  if (status.ok()) return true;
  shared_->failures.Add("neighbour: " + std::string(what) + ": " +
                        status.ToString());
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
    shared_->failures.Add("neighbour: " + KeyOf(key) + " has version " +
                          std::to_string(version) + ", its value is " +
                          value.substr(0, 40));
    return;
  }
}

void Neighbour::Work() {
  (void)Ok(DB::Open(MakeOptions(), path_, &db_), "Open");
  for (uint64_t i = 0; i < kPutsMax && !stop_ && !shared_->failures.any();
       ++i) {
    PutOne();
    if (random_.OneIn(2000)) SwitchTuner();
  }
  if (shared_->failures.any()) return;
  ReadAll();
  (void)Ok(db_->Close(), "Close");
  db_.reset();
  (void)Ok(DestroyDB(path_, MakeOptions()), "DestroyDB");
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
