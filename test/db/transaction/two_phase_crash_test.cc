// Two-phase commits and crashes: at any moment, what was reported survives, and
// what is undecided is found undecided.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::CrashOptions;
using engine::MemFileSystem;
using engine::Random64;

ReadOptions NewestOf(ColumnFamilyHandle* family) {
  static const Slice kNewest = MaxU64Ts();
  ReadOptions read;
  if (family->GetComparator()->timestamp_size() > 0) read.timestamp = &kNewest;
  return read;
}

// A random history with prepared transactions, and what must be there after a
// crash at any moment. The second family may have timestamps.
class History {
 public:
  explicit History(uint64_t seed) : random_(seed) {}

  using Rows = std::map<std::string, std::string>;

  // Keys that begin with an "o" are of the second family.
  void Use(ColumnFamilyHandle* first, ColumnFamilyHandle* second) {
    families_ = {first, second};
  }
  void Step(TransactionDB* db) {
    const std::string name = "t" + std::to_string(random_.Uniform(3));
    const auto found = live_.find(name);
    switch (random_.Uniform(8)) {
      case 0:
      case 1:
        return found == live_.end() ? Prepare(db, name) : Commit(found);
      case 2:
        return found == live_.end() ? Prepare(db, name) : RollBack(found);
      case 3:
        return test::Ok(
            db->Flush(FlushOptions(), families_[random_.Uniform(2)]));
      case 4:
        return test::Ok(db->CompactRange(CompactRangeOptions(),
                                         families_[random_.Uniform(2)], nullptr,
                                         nullptr));
      default:
        return Write(db);
    }
  }
  // Is everything as it was left? Decides some of what is prepared.
  void Check(TransactionDB* db) {
    EXPECT_EQ(committed_, RowsOf(db));
    std::vector<Transaction*> prepared;
    db->GetAllPreparedTransactions(&prepared);
    EXPECT_EQ(live_.size(), prepared.size());
    for (Transaction* txn : prepared) {
      ASSERT_TRUE(live_.contains(txn->GetName())) << txn->GetName();
      for (const auto& [key, value] : live_.at(txn->GetName()).rows) {
        std::string found;
        const Status status =
            txn->Get(NewestOf(FamilyOf(key)), FamilyOf(key), key, &found);
        EXPECT_EQ(value, status.ok() ? found : "");
        EXPECT_TRUE(Set(db, key, "x").IsTimedOut());
      }
    }
  }
  // The transactions belong to a database that is gone.
  void Adopt(TransactionDB* db) {
    for (auto& [name, live] : live_) {
      live.txn.reset(db->GetTransactionByName(name));
      ASSERT_NE(nullptr, live.txn) << name;
      live.txn->SetWriteOptions(Synced());
    }
  }
  void Forget() {
    for (auto& [name, live] : live_) live.txn.reset();
  }

 private:
  struct Live {
    std::unique_ptr<Transaction> txn;
    Rows rows;  // An empty value: a deletion.
  };
  using Lives = std::map<std::string, Live>;

  static WriteOptions Synced() {
    WriteOptions write;
    write.sync = true;
    return write;
  }
  ColumnFamilyHandle* FamilyOf(const std::string& key) const {
    return families_[key[0] == 'o' ? 1 : 0];
  }
  Rows RowsOf(DB* db) const {
    Rows rows;
    for (ColumnFamilyHandle* family : families_) {
      const std::unique_ptr<Iterator> it(
          db->NewIterator(NewestOf(family), family));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        rows[it->key().ToString()] = it->value().ToString();
      }
      test::Ok(it->status());
    }
    return rows;
  }
  static void Apply(const Rows& rows, Rows* to) {
    for (const auto& [key, value] : rows) {
      if (value.empty()) {
        to->erase(key);
      } else {
        (*to)[key] = value;
      }
    }
  }
  std::string Key() {
    return (random_.OneIn(2) ? "k" : "o") + std::to_string(random_.Uniform(8));
  }
  std::string Value() {
    return random_.OneIn(4) ? "" : "v" + std::to_string(++values_);
  }

  Status Set(TransactionDB* db, const std::string& key,
             const std::string& value) {
    ColumnFamilyHandle* const family = FamilyOf(key);
    const std::string time = test::Ts(++time_);
    const bool timed = family->GetComparator()->timestamp_size() > 0;
    if (value.empty()) {
      return timed ? db->Delete(Synced(), family, key, time)
                   : db->Delete(Synced(), family, key);
    }
    return timed ? db->Put(Synced(), family, key, time, value)
                 : db->Put(Synced(), family, key, value);
  }
  void Write(TransactionDB* db) {
    Rows rows;
    rows[Key()] = Value();
    const auto& [key, value] = *rows.begin();
    const Status status = Set(db, key, value);
    if (status.IsTimedOut()) return;
    test::Ok(status);
    Apply(rows, &committed_);
  }
  void Prepare(TransactionDB* db, const std::string& name) {
    std::unique_ptr<Transaction> txn(db->BeginTransaction(Synced()));
    test::Ok(txn->SetName(name));
    Rows rows;
    for (uint64_t n = 1 + random_.Uniform(4); n > 0; --n) {
      const std::string key = Key();
      const std::string value = Value();
      ColumnFamilyHandle* const family = FamilyOf(key);
      const Status status = value.empty() ? txn->Delete(family, key)
                                          : txn->Put(family, key, value);
      if (status.ok()) rows[key] = value;
    }
    test::Ok(txn->Prepare());
    live_[name] = {std::move(txn), std::move(rows)};
  }
  void Commit(const Lives::iterator& live) {
    if (random_.OneIn(3)) {
      Rows more;
      // A key of its own: no lock protects it.
      more["ctb"] = "v" + std::to_string(++values_);
      test::Ok(
          live->second.txn->GetCommitTimeWriteBatch()->Put("ctb", more["ctb"]));
      Apply(more, &committed_);
    }
    test::Ok(live->second.txn->SetCommitTimestamp(++time_));
    test::Ok(live->second.txn->Commit());
    Apply(live->second.rows, &committed_);
    live_.erase(live);
  }
  void RollBack(const Lives::iterator& live) {
    test::Ok(live->second.txn->Rollback());
    live_.erase(live);
  }

  Random64 random_;
  std::array<ColumnFamilyHandle*, 2> families_{};
  Rows committed_;
  Lives live_;
  uint64_t values_ = 0;
  uint64_t time_ = 0;
};

class TwoPhaseCrash : public ::testing::TestWithParam<int> {
 protected:
  // An open database, its files, and its families.
  struct Opened {
    std::unique_ptr<Env> env;
    std::unique_ptr<TransactionDB> db;
    std::vector<ColumnFamilyHandle*> handles;

    Opened() = default;
    Opened(Opened&&) = default;
    Opened& operator=(Opened&& other) noexcept {
      Close();
      handles = std::move(other.handles);
      db = std::move(other.db);
      env = std::move(other.env);
      return *this;
    }
    ~Opened() { Close(); }
    void Close() {
      for (ColumnFamilyHandle* handle : handles) {
        test::Ok(db->DestroyColumnFamilyHandle(handle));
      }
      handles.clear();
      db.reset();
      env.reset();
    }
  };

  Opened Open(const std::shared_ptr<MemFileSystem>& fs) const {
    Opened opened;
    opened.env = NewCompositeEnv(fs);
    Options options = options_;
    options.env = opened.env.get();
    TransactionDBOptions db_options;
    db_options.transaction_lock_timeout = 0;
    db_options.default_lock_timeout = 0;
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(
        options, db_options, "/db",
        {{kDefaultColumnFamilyName, options}, {"other", other_}},
        &opened.handles, &db));
    opened.db.reset(db);
    return opened;
  }

  Options options_;
  ColumnFamilyOptions other_;
};

TEST_P(TwoPhaseCrash, LeavesEveryTransactionAsItWas) {
  constexpr int kSteps = 60;
  const auto seed = static_cast<uint64_t>(GetParam());
  Random64 random(seed * 31);
  options_.create_if_missing = true;
  options_.create_missing_column_families = true;
  options_.avoid_flush_during_recovery = random.OneIn(2);
  options_.recycle_log_file_num = random.OneIn(3) ? 2 : 0;
  options_.track_and_verify_wals_in_manifest = random.OneIn(3);
  options_.atomic_flush = random.OneIn(3);
  options_.max_total_wal_size = random.OneIn(3) ? 1 : 0;
  other_ = options_;
  if (random.OneIn(2)) other_.comparator = BytewiseComparatorWithU64Ts();
  History history(seed);
  auto fs = std::make_shared<MemFileSystem>();
  Opened opened = Open(fs);
  history.Use(opened.handles[0], opened.handles[1]);
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    history.Step(opened.db.get());
    if (!random.OneIn(3)) continue;
    // A look at what a crash would leave.
    CrashOptions crash;
    crash.seed = random.Next();
    crash.data =
        random.OneIn(2) ? CrashOptions::Data::kNone : CrashOptions::Data::kAll;
    crash.names = random.OneIn(2) ? CrashOptions::Names::kNone
                                  : CrashOptions::Names::kAll;
    const auto left = fs->CrashClone(crash);
    Opened after = Open(left);
    history.Use(after.handles[0], after.handles[1]);
    history.Check(after.db.get());
    if (random.OneIn(2)) {  // Go on with it.
      history.Forget();
      fs = left;
      opened = std::move(after);
      history.Adopt(opened.db.get());
    }
    history.Use(opened.handles[0], opened.handles[1]);
    if (HasFailure()) break;
  }
  history.Forget();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TwoPhaseCrash, ::testing::Range(1, 41));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
