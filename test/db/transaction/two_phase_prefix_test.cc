// Two-phase commits of one family that are not synced: a power cut may take the
// last of them, and nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/write_batch.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::CrashOptions;
using engine::MemFileSystem;
using engine::Random64;

using PrefixRows = std::map<std::string, std::string>;  // "": a deletion.

// All that a database answers for.
struct PrefixState {
  PrefixRows rows;
  std::map<std::string, PrefixRows> prepared;
  bool operator==(const PrefixState& other) const = default;

  void Apply(const PrefixRows& changes) {
    for (const auto& [key, value] : changes) {
      rows[key] = value;
      if (value.empty()) rows.erase(key);
    }
  }
  std::string Text() const {
    std::string text;
    for (const auto& [key, value] : rows) text += key + "=" + value + " ";
    for (const auto& [name, changes] : prepared) {
      text += "[" + name;
      for (const auto& [key, value] : changes) text += " " + key + "=" + value;
      text += "] ";
    }
    return text;
  }
};

PrefixRows ChangesOf(Transaction* txn) {
  class Collector final : public WriteBatch::Handler {
   public:
    Status PutCF(uint32_t /*family*/, const Slice& key,
                 const Slice& value) override {
      rows[key.ToString()] = value.ToString();
      return Status::OK();
    }
    Status DeleteCF(uint32_t /*family*/, const Slice& key) override {
      rows[key.ToString()] = "";
      return Status::OK();
    }
    PrefixRows rows;
  };
  Collector collector;
  test::Ok(txn->GetWriteBatch()->GetWriteBatch()->Iterate(&collector));
  return collector.rows;
}

PrefixState StateOf(TransactionDB* db) {
  PrefixState state;
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    state.rows[it->key().ToString()] = it->value().ToString();
  }
  test::Ok(it->status());
  std::vector<Transaction*> prepared;
  db->GetAllPreparedTransactions(&prepared);
  for (Transaction* txn : prepared) {
    state.prepared[txn->GetName()] = ChangesOf(txn);
  }
  return state;
}

// Random steps, the state after each, and which of them must survive.
class PrefixHistory {
 public:
  explicit PrefixHistory(uint64_t seed) : random_(seed) {}

  void Step(TransactionDB* db) {
    const std::string name = "t" + std::to_string(random_.Uniform(3));
    const auto found = live_.find(name);
    switch (random_.Uniform(9)) {
      case 0:
      case 1:
      case 2:
        return found == live_.end() ? Prepare(db, name) : Decide(found);
      case 3:
        test::Ok(db->Flush(FlushOptions()));
        return Flushed();
      case 4:
        if (random_.OneIn(2)) return Sync(db);
        test::Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
        return Flushed();
      default:
        return Write(db);
    }
  }

  // Is this one of the states, and none that is too old?
  void Find(const PrefixState& found) const {
    for (size_t i = states_.size(); i-- > durable_;) {
      if (states_[i] == found) return;
    }
    std::string text = "found " + found.Text();
    for (size_t i = 0; i < states_.size(); ++i) {
      text +=
          (i < durable_ ? "\n too old: " : "\n possible: ") + states_[i].Text();
    }
    ADD_FAILURE() << text;
  }

  // Goes on with a database that has that state, after Forget().
  void Adopt(TransactionDB* db, const PrefixState& found) {
    states_ = {found};
    durable_ = 0;
    last_write_ = 0;
    for (const auto& [name, changes] : found.prepared) {
      live_[name].reset(db->GetTransactionByName(name));
      ASSERT_NE(nullptr, live_[name]) << name;
    }
  }
  // The transactions belong to a database that closes.
  void Forget() { live_.clear(); }

 private:
  using Lives = std::map<std::string, std::unique_ptr<Transaction>>;

  const PrefixState& now() const { return states_.back(); }
  WriteOptions SomeWrite() {
    WriteOptions write;
    write.sync = random_.OneIn(8);
    return write;
  }
  void Became(PrefixState state, bool synced) {
    if (state.rows != now().rows) last_write_ = states_.size();
    states_.push_back(std::move(state));
    if (synced) durable_ = states_.size() - 1;
  }
  // What was written before has come into tables.
  void Flushed() { durable_ = std::max(durable_, last_write_); }
  void Sync(TransactionDB* db) {
    test::Ok(db->FlushWAL(/*sync=*/true));
    durable_ = states_.size() - 1;
  }
  std::string Key() { return "k" + std::to_string(random_.Uniform(8)); }
  std::string Value() {
    return random_.OneIn(5) ? "" : "v" + std::to_string(++values_);
  }

  void Write(TransactionDB* db) {
    const WriteOptions write = SomeWrite();
    const std::string key = Key();
    const std::string value = Value();
    const Status status =
        value.empty() ? db->Delete(write, key) : db->Put(write, key, value);
    if (status.IsTimedOut()) return;
    test::Ok(status);
    PrefixState next = now();
    next.Apply({{key, value}});
    Became(std::move(next), write.sync);
  }
  void Prepare(TransactionDB* db, const std::string& name) {
    const WriteOptions write = SomeWrite();
    std::unique_ptr<Transaction> txn(db->BeginTransaction(write));
    test::Ok(txn->SetName(name));
    PrefixState next = now();
    PrefixRows& rows = next.prepared[name];
    for (uint64_t n = 1 + random_.Uniform(4); n > 0; --n) {
      const std::string key = Key();
      const std::string value = Value();
      const Status status =
          value.empty() ? txn->Delete(key) : txn->Put(key, value);
      if (status.ok()) rows[key] = value;
    }
    if (rows.empty()) return;
    test::Ok(txn->Prepare());
    live_[name] = std::move(txn);
    Became(std::move(next), write.sync);
  }
  void Decide(const Lives::iterator& live) {
    const WriteOptions write = SomeWrite();
    Transaction* const txn = live->second.get();
    txn->SetWriteOptions(write);
    PrefixState next = now();
    if (random_.OneIn(3)) {
      test::Ok(txn->Rollback());
    } else {
      if (random_.OneIn(3)) {
        const PrefixRows more = {{"ctb", "v" + std::to_string(++values_)}};
        test::Ok(txn->GetCommitTimeWriteBatch()->Put("ctb", more.at("ctb")));
        next.Apply(more);
      }
      test::Ok(txn->Commit());
      next.Apply(next.prepared.at(live->first));
    }
    next.prepared.erase(live->first);
    live_.erase(live);
    Became(std::move(next), write.sync);
  }

  Random64 random_;
  Lives live_;
  std::vector<PrefixState> states_ = {PrefixState()};
  size_t durable_ = 0;  // States from here on may be found.
  size_t last_write_ =
      0;  // The last one whose rows differ from the one before.
  uint64_t values_ = 0;
};

class TwoPhasePrefix : public ::testing::TestWithParam<int> {
 protected:
  // The environment outlives the database.
  struct Opened {
    std::unique_ptr<Env> env;
    std::unique_ptr<TransactionDB> db;

    Opened() = default;
    Opened(Opened&&) = default;
    Opened& operator=(Opened&& other) noexcept {
      db = std::move(other.db);
      env = std::move(other.env);
      return *this;
    }
    ~Opened() { db.reset(); }
  };

  void ChooseOptions(Random64* random) {
    options_.create_if_missing = true;
    options_.avoid_flush_during_recovery = random->OneIn(2);
    options_.recycle_log_file_num = random->OneIn(3) ? 2 : 0;
    options_.track_and_verify_wals_in_manifest = random->OneIn(3);
    options_.atomic_flush = random->OneIn(3);
    options_.manual_wal_flush = random->OneIn(4);
    options_.enable_pipelined_write =
        !options_.atomic_flush && random->OneIn(3);
    options_.max_write_buffer_number = random->OneIn(2) ? 2 : 4;
    options_.experimental_mempurge_threshold = random->OneIn(3) ? 1.0 : 0.0;
  }
  Opened Open(const std::shared_ptr<MemFileSystem>& fs) const {
    Opened opened;
    opened.env = NewCompositeEnv(fs);
    Options options = options_;
    options.env = opened.env.get();
    TransactionDBOptions db_options;
    db_options.transaction_lock_timeout = 0;
    db_options.default_lock_timeout = 0;
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(options, db_options, "/db", &db));
    opened.db.reset(db);
    return opened;
  }
  static CrashOptions SomeCrash(Random64* random) {
    CrashOptions crash;
    crash.seed = random->Next();
    crash.data = static_cast<CrashOptions::Data>(random->Uniform(4));
    crash.names = random->OneIn(2) ? CrashOptions::Names::kNone
                                   : CrashOptions::Names::kAll;
    return crash;
  }

  Options options_;
};

TEST_P(TwoPhasePrefix, IsWhatAPowerCutLeaves) {
  constexpr int kSteps = 80;
  const auto seed = static_cast<uint64_t>(GetParam());
  Random64 random(seed * 37);
  ChooseOptions(&random);
  PrefixHistory history(seed);
  auto fs = std::make_shared<MemFileSystem>();
  Opened opened = Open(fs);
  ASSERT_NE(nullptr, opened.db);
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    history.Step(opened.db.get());
    if (!random.OneIn(4)) continue;
    const auto left = fs->CrashClone(SomeCrash(&random));
    Opened after = Open(left);
    if (after.db == nullptr) break;
    const PrefixState found = StateOf(after.db.get());
    history.Find(found);
    if (HasFailure()) break;
    if (!random.OneIn(3)) continue;
    history.Forget();
    fs = left;
    opened = std::move(after);
    history.Adopt(opened.db.get(), found);
  }
  history.Forget();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TwoPhasePrefix, ::testing::Range(1, 41));
// Those of 2,000 that need the log of a section until the mark of its rollback
// is durable.
INSTANTIATE_TEST_SUITE_P(Rollbacks, TwoPhasePrefix,
                         ::testing::Values(387, 953, 1077, 1301, 1513, 1520,
                                           1524, 1988));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
