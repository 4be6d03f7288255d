// Isolation: random histories of few transactions on few keys, whose answers
// are compared with a model, and whose dependencies are searched for cycles.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/db/transaction/txn_history.h"
#include "test/support/effort.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::Random64;
using test::TxnHistory;
using test::TxnRecord;

enum class Policy {
  kWriteCommitted,
  kWritePrepared,
  kWriteUnprepared,
  kSerial,
  kParallel
};

// How the transactions of one history read, and what they are promised.
enum class Style {
  kForUpdate,  // GetForUpdate: as if one after the other.
  kSnapshot,   // Through their snapshots: cycles have two rw edges or more.
  kCommitted,  // What is committed now: no cycle without an rw edge.
};

// Empty: the history is as its style promises.
std::string Broken(const TxnHistory& history, Style style) {
  const std::string bad_read = history.BadRead();
  if (!bad_read.empty()) return bad_read;
  if (style != Style::kCommitted && !history.LostUpdate().empty()) {
    return history.LostUpdate();
  }
  switch (style) {
    case Style::kForUpdate:
      return history.Cycle();
    case Style::kSnapshot:
      return history.Cycle(1);
    case Style::kCommitted:
      return history.Cycle(0);
  }
  return "";
}

// A database of one policy.
class IsolatedDb {
 public:
  static constexpr uint64_t kKeys = 4;

  explicit IsolatedDb(Policy policy, int64_t lock_timeout = 0)
      : policy_(policy),
        env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    Options options;
    options.env = env_.get();
    options.create_if_missing = true;
    if (locks()) {
      TransactionDBOptions db_options;
      db_options.write_policy = WritePolicy();
      db_options.transaction_lock_timeout = lock_timeout;
      db_options.default_lock_timeout = lock_timeout;
      test::Ok(TransactionDB::Open(options, db_options, "/db", &pessimistic_));
      db_.reset(pessimistic_);
    } else {
      OptimisticTransactionDBOptions db_options;
      db_options.validate_policy = policy == Policy::kSerial
                                       ? OccValidationPolicy::kValidateSerial
                                       : OccValidationPolicy::kValidateParallel;
      std::vector<ColumnFamilyHandle*> handles;
      test::Ok(OptimisticTransactionDB::Open(
          DBOptions(options), db_options, "/db",
          {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}}, &handles,
          &optimistic_));
      db_.reset(optimistic_);
      for (ColumnFamilyHandle* handle : handles) {
        test::Ok(db_->DestroyColumnFamilyHandle(handle));
      }
    }
  }

  bool locks() const {
    return policy_ != Policy::kSerial && policy_ != Policy::kParallel;
  }
  DB* db() const { return db_.get(); }
  static std::string Key(Random64* random) {
    return std::string(1, static_cast<char>('a' + random->Uniform(kKeys)));
  }
  std::unique_ptr<Transaction> Begin(bool set_snapshot,
                                     bool deadlock_detect = false) const {
    if (locks()) {
      TransactionOptions options;
      options.set_snapshot = set_snapshot;
      options.deadlock_detect = deadlock_detect;
      return std::unique_ptr<Transaction>(
          pessimistic_->BeginTransaction(WriteOptions(), options));
    }
    OptimisticTransactionOptions options;
    options.set_snapshot = set_snapshot;
    return std::unique_ptr<Transaction>(
        optimistic_->BeginTransaction(WriteOptions(), options));
  }
  // Writes all keys.
  TxnRecord First(int id) const {
    TxnRecord record;
    record.id = id;
    record.committed = true;
    for (uint64_t i = 0; i < kKeys; ++i) {
      const std::string key(1, static_cast<char>('a' + i));
      const std::string value = record.NewValue();
      test::Ok(db_->Put(WriteOptions(), key, value));
      record.Wrote(key, value);
    }
    return record;
  }

 private:
  TxnDBWritePolicy WritePolicy() const {
    if (policy_ == Policy::kWritePrepared) return WRITE_PREPARED;
    if (policy_ == Policy::kWriteUnprepared) return WRITE_UNPREPARED;
    return WRITE_COMMITTED;
  }

  const Policy policy_;
  const std::unique_ptr<Env> env_;
  TransactionDB* pessimistic_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::unique_ptr<DB> db_;
};

// What the answer must be, without timing: "ok", "busy" or "timed out".
std::string AnswerOf(const Status& status) {
  if (status.ok()) return "ok";
  if (status.IsBusy() || status.IsTryAgain()) return "busy";
  return status.IsTimedOut() ? "timed out" : status.ToString();
}

struct Tally {
  int committed = 0;
  int refused = 0;
  int skewed = 0;  // Histories with a cycle that is allowed.
};

// One thread that takes a random step of a random transaction, many times.
class OneHistory {
 public:
  OneHistory(const IsolatedDb* db, uint64_t seed)
      : db_(db), random_(seed), first_id_(static_cast<int>(seed) * 100) {
    style_ = static_cast<Style>(random_.Uniform(3));
    flushes_ = random_.OneIn(50);
  }

  void Play(Tally* tally) {
    Committed(db_->First(++first_id_));
    for (uint64_t n = 3 + random_.Uniform(2); n > 0; --n) Begin();
    for (int steps = 40; steps > 0 && GoesOn(); --steps) Step();
    while (GoesOn()) EndOf(random_.Uniform(lives_.size()));
    if (::testing::Test::HasFailure()) return;
    for (const auto& [key, row] : rows_) {
      std::string value;
      test::Ok(db_->db()->Get(ReadOptions(), key, &value));
      EXPECT_EQ(row.value, value) << key;
    }
    const TxnHistory history(done_, order_);
    EXPECT_EQ("", Broken(history, style_)) << history.Text();
    tally->committed += static_cast<int>(order_.size());
    tally->refused += refused_;
    if (style_ == Style::kSnapshot && !history.Cycle().empty()) ++tally->skewed;
  }

 private:
  struct Row {
    std::string value;
    int changed = 0;  // By the so-manieth commit.
  };
  struct Tracked {
    int since = 0;
    bool exclusive = false;
  };
  struct Live {
    std::unique_ptr<Transaction> txn;
    TxnRecord record;
    std::map<std::string, std::string> own;
    std::map<std::string, Row> seen;  // When it began.
    int began = 0;
    std::map<std::string, Tracked> tracked;
  };

  bool GoesOn() const {
    return !lives_.empty() && !::testing::Test::HasFailure();
  }
  void Begin() {
    Live live;
    const bool set_snapshot = style_ == Style::kSnapshot ||
                              (style_ == Style::kForUpdate && random_.OneIn(3));
    live.txn = db_->Begin(set_snapshot);
    live.record.id = ++first_id_;
    live.record.has_snapshot = style_ == Style::kSnapshot;
    live.seen = rows_;
    live.began = set_snapshot ? commits_ : -1;
    lives_.push_back(std::move(live));
  }
  void Step() {
    const size_t which = random_.Uniform(lives_.size());
    if (flushes_ && random_.OneIn(10)) {
      test::Ok(db_->db()->Flush(FlushOptions()));
    }
    switch (random_.Uniform(20)) {
      case 0:
        return WriteBeside();
      case 1:
      case 2:
        return EndOf(which);
      default:
        return random_.OneIn(2) ? Read(&lives_[which]) : Write(&lives_[which]);
    }
  }

  // ---- The model.

  bool IsLocked(const std::string& key, bool exclusive,
                const Live* self = nullptr) const {
    for (const Live& live : lives_) {
      const auto found = live.tracked.find(key);
      if (&live == self || found == live.tracked.end()) continue;
      if (exclusive || found->second.exclusive) return true;
    }
    return false;
  }
  // What a read for update or a write must say.
  std::string Track(Live* live, const std::string& key, bool exclusive) {
    const auto known = live->tracked.find(key);
    const bool is_known = known != live->tracked.end();
    const bool enough = is_known && (known->second.exclusive || !exclusive);
    if (db_->locks() && !enough && IsLocked(key, exclusive, live)) {
      return "timed out";
    }
    if (db_->locks() && !is_known && live->began >= 0 &&
        rows_[key].changed > live->began) {
      return "busy";
    }
    Tracked& tracked = live->tracked[key];
    if (!is_known) tracked.since = live->began >= 0 ? live->began : commits_;
    tracked.exclusive = tracked.exclusive || exclusive;
    return "ok";
  }
  std::string CommitOf(const Live& live) {
    for (const auto& [key, tracked] : live.tracked) {
      if (rows_[key].changed <= tracked.since) continue;
      EXPECT_FALSE(db_->locks());
      return "busy";
    }
    return "ok";
  }
  void Committed(TxnRecord record) {
    ++commits_;
    record.committed = true;
    bool wrote = false;
    for (const TxnRecord::Step& step : record.steps) {
      if (step.writes) rows_[step.key] = {step.value, commits_};
      wrote = wrote || step.writes;
    }
    if (wrote) order_.push_back(record.id);
    done_.push_back(std::move(record));
  }

  // ---- The steps.

  void Read(Live* live) {
    const std::string key = IsolatedDb::Key(&random_);
    ReadOptions read;
    std::string value;
    Status status;
    std::string expected = "ok";
    if (style_ == Style::kForUpdate) {
      const bool exclusive = random_.OneIn(2);
      expected = Track(live, key, exclusive);
      status = live->txn->GetForUpdate(read, key, &value, exclusive);
    } else {
      read.snapshot = live->txn->GetSnapshot();
      status = random_.OneIn(4) ? ReadByIterator(*live, read, key, &value)
                                : live->txn->Get(read, key, &value);
    }
    ASSERT_EQ(expected, AnswerOf(status));
    if (!status.ok()) return Refused(live);
    const std::string& committed =
        style_ == Style::kSnapshot ? live->seen[key].value : rows_[key].value;
    EXPECT_EQ(live->own.contains(key) ? live->own[key] : committed, value)
        << live->record.id << " reads " << key;
    live->record.Read(key, value);
  }
  static Status ReadByIterator(const Live& live, const ReadOptions& read,
                               const std::string& key, std::string* value) {
    const std::unique_ptr<Iterator> it(live.txn->GetIterator(read));
    it->Seek(key);
    if (!it->Valid() || it->key() != key) return Status::NotFound();
    *value = it->value().ToString();
    return it->status();
  }
  void Write(Live* live) {
    const std::string key = IsolatedDb::Key(&random_);
    const std::string value = live->record.NewValue();
    const std::string expected = Track(live, key, /*exclusive=*/true);
    const Status status = live->txn->Put(key, value);
    ASSERT_EQ(expected, AnswerOf(status));
    if (!status.ok()) return Refused(live);
    live->own[key] = value;
    live->record.Wrote(key, value);
  }
  // It goes on without, or gives up.
  void Refused(Live* live) {
    ++refused_;
    if (random_.OneIn(2)) Undo(static_cast<size_t>(live - lives_.data()));
  }
  void Undo(size_t which) {
    test::Ok(lives_[which].txn->Rollback());
    done_.push_back(std::move(lives_[which].record));
    lives_.erase(lives_.begin() + static_cast<int64_t>(which));
  }
  void EndOf(size_t which) {
    if (random_.OneIn(6)) return Undo(which);
    Live* const live = &lives_[which];
    const Status status = live->txn->Commit();
    ASSERT_EQ(CommitOf(*live), AnswerOf(status)) << live->record.id;
    if (!status.ok()) {
      ++refused_;
      return Undo(which);
    }
    Committed(std::move(live->record));
    lives_.erase(lives_.begin() + static_cast<int64_t>(which));
  }
  // A write without a transaction.
  void WriteBeside() {
    TxnRecord record;
    record.id = ++first_id_;
    const std::string key = IsolatedDb::Key(&random_);
    const std::string value = record.NewValue();
    const bool locked = db_->locks() && IsLocked(key, /*exclusive=*/true);
    const Status status = db_->db()->Put(WriteOptions(), key, value);
    ASSERT_EQ(locked ? "timed out" : "ok", AnswerOf(status));
    if (!status.ok()) return;
    record.Wrote(key, value);
    Committed(std::move(record));
  }

  const IsolatedDb* const db_;
  Random64 random_;
  int first_id_;
  Style style_ = Style::kForUpdate;
  bool flushes_ = false;
  std::vector<Live> lives_;
  std::map<std::string, Row> rows_;
  int commits_ = 0;
  std::vector<TxnRecord> done_;
  std::vector<int> order_;
  int refused_ = 0;
};

class Isolation : public ::testing::TestWithParam<Policy> {};

TEST_P(Isolation, AnswersAreTheModelsInEveryHistory) {
  constexpr uint64_t kHistories = 3000 / test::kSingleThreadStride;
  const IsolatedDb db(GetParam());
  Tally tally;
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    OneHistory(&db, seed).Play(&tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.committed, 0);
  EXPECT_GT(tally.refused, 0);
  // So the search finds what there is. It is rare, so all histories must run.
  if (test::kSingleThreadStride == 1) {
    EXPECT_GT(tally.skewed, 0);
  }
}

// ---- Several threads.

// The transactions of one thread.
class HistoryThread {
 public:
  HistoryThread(const IsolatedDb* db, Style style, uint64_t seed)
      : db_(db),
        style_(style),
        random_(seed),
        next_id_(static_cast<int>(seed) * 100) {}

  void Run() {
    for (int n = 0; n < 10; ++n) {
      const auto txn =
          db_->Begin(style_ == Style::kSnapshot, /*deadlock_detect=*/true);
      TxnRecord record;
      record.id = ++next_id_;
      record.has_snapshot = style_ == Style::kSnapshot;
      bool goes_on = true;
      for (uint64_t steps = 1 + random_.Uniform(5); goes_on && steps > 0;
           --steps) {
        goes_on = random_.OneIn(2) ? Read(txn.get(), &record)
                                   : Write(txn.get(), &record);
        if (random_.OneIn(2)) std::this_thread::yield();
      }
      if (goes_on && !random_.OneIn(8)) {
        record.committed = Went(txn->Commit());
      }
      if (!record.committed) test::Ok(txn->Rollback());
      done.push_back(std::move(record));
    }
  }

  std::vector<TxnRecord> done;
  int refused = 0;

 private:
  // Nothing waits for its whole time.
  bool Went(const Status& status) {
    if (status.ok()) return true;
    ++refused;
    EXPECT_TRUE(status.IsBusy() || status.IsTryAgain()) << status.ToString();
    if (db_->locks() && style_ != Style::kSnapshot) {
      EXPECT_TRUE(status.IsDeadlock()) << status.ToString();
    }
    return false;
  }
  bool Read(Transaction* txn, TxnRecord* record) {
    const std::string key = IsolatedDb::Key(&random_);
    ReadOptions read;
    std::string value;
    if (style_ == Style::kForUpdate) {
      if (!Went(txn->GetForUpdate(read, key, &value, random_.OneIn(2)))) {
        return false;
      }
    } else {
      read.snapshot = txn->GetSnapshot();
      test::Ok(txn->Get(read, key, &value));
    }
    record->Read(key, value);
    return true;
  }
  bool Write(Transaction* txn, TxnRecord* record) {
    const std::string key = IsolatedDb::Key(&random_);
    const std::string value = record->NewValue();
    if (!Went(txn->Put(key, value))) return false;
    record->Wrote(key, value);
    return true;
  }

  const IsolatedDb* const db_;
  const Style style_;
  Random64 random_;
  int next_id_;
};

// The writers of what the log has after `since`, in its order.
std::vector<int> LoggedSince(DB* db, SequenceNumber since) {
  class Writers final : public WriteBatch::Handler {
   public:
    Status PutCF(uint32_t /*family*/, const Slice& /*key*/,
                 const Slice& value) override {
      const int writer = TxnRecord::WriterOf(value.ToString());
      if (ids.empty() || ids.back() != writer) ids.push_back(writer);
      return Status::OK();
    }
    void LogData(const Slice& /*blob*/) override {}
    std::vector<int> ids;
  };
  Writers writers;
  std::unique_ptr<TransactionLogIterator> log;
  test::Ok(db->GetUpdatesSince(since + 1, &log));
  for (; log != nullptr && log->Valid(); log->Next()) {
    test::Ok(log->GetBatch().writeBatchPtr->Iterate(&writers));
  }
  return writers.ids;
}

// Three threads at once: what do they tell, and what does the log?
void PlayAtOnce(const IsolatedDb& db, Style style, uint64_t seed,
                Tally* tally) {
  constexpr uint64_t kThreads = 3;
  const SequenceNumber since = db.db()->GetLatestSequenceNumber();
  const uint64_t first = seed * (kThreads + 1);
  std::vector<TxnRecord> all = {db.First(static_cast<int>(first) * 100)};
  std::vector<std::unique_ptr<HistoryThread>> workers;
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i <= kThreads; ++i) {
    workers.push_back(std::make_unique<HistoryThread>(&db, style, first + i));
    threads.emplace_back([worker = workers.back().get()] { worker->Run(); });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<int> wrote;
  for (const auto& worker : workers) {
    for (const TxnRecord& record : worker->done) all.push_back(record);
    tally->refused += worker->refused;
  }
  for (const TxnRecord& record : all) {
    for (const TxnRecord::Step& step : record.steps) {
      if (record.committed && step.writes) wrote.insert(record.id);
    }
  }
  const std::vector<int> order = LoggedSince(db.db(), since);
  ASSERT_EQ(wrote, std::set<int>(order.begin(), order.end()));
  ASSERT_EQ(wrote.size(), order.size());
  const TxnHistory history(all, order);
  EXPECT_EQ("", Broken(history, style)) << history.Text();
  tally->committed += static_cast<int>(order.size());
}

TEST_P(Isolation, ThreadsThatMeetKeepToTheirStyle) {
  const int histories = test::Effort(200);
  const IsolatedDb db(GetParam(), /*lock_timeout=*/60000);
  Tally tally;
  for (int seed = 1; seed <= histories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Style style = seed % 3 == 0 ? Style::kSnapshot : Style::kForUpdate;
    PlayAtOnce(db, style, static_cast<uint64_t>(seed), &tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.committed, histories);
  EXPECT_GT(tally.refused, 0);
}

std::string NameOfPolicy(const ::testing::TestParamInfo<Policy>& row) {
  switch (row.param) {
    case Policy::kWriteCommitted:
      return "WriteCommitted";
    case Policy::kWritePrepared:
      return "WritePrepared";
    case Policy::kWriteUnprepared:
      return "WriteUnprepared";
    case Policy::kSerial:
      return "Serial";
    case Policy::kParallel:
      return "Parallel";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Policies, Isolation,
                         ::testing::Values(Policy::kWriteCommitted,
                                           Policy::kWritePrepared,
                                           Policy::kWriteUnprepared,
                                           Policy::kSerial, Policy::kParallel),
                         NameOfPolicy);

// Each holds a key and waits for that of the next, one after the other: the
// last one closes the ring, and is the only one that is refused.
TEST(IsolationRing, OnlyTheOneThatClosesItIsRefused) {
  const IsolatedDb db(Policy::kWriteCommitted, /*lock_timeout=*/60000);
  const auto key = [](size_t i) { return "ring" + std::to_string(i); };
  for (size_t size = 2; size <= 6; ++size) {
    SCOPED_TRACE(size);
    std::vector<std::unique_ptr<Transaction>> txns;
    for (size_t i = 0; i < size; ++i) {
      txns.push_back(db.Begin(/*set_snapshot=*/false, true));
      test::Ok(txns[i]->Put(key(i), "1"));
    }
    std::vector<std::thread> threads;
    for (size_t i = 0; i + 1 < size; ++i) {
      threads.emplace_back([txn = txns[i].get(), next = key(i + 1)] {
        test::Ok(txn->Put(next, "2"));
        test::Ok(txn->Commit());
      });
      std::string waits_for;
      uint32_t family = 0;
      while (txns[i]->GetWaitingTxns(&family, &waits_for).empty()) {
        std::this_thread::yield();
      }
      EXPECT_EQ(key(i + 1), waits_for);
    }
    const Status status = txns.back()->Put(key(0), "2");
    EXPECT_TRUE(status.IsBusy() && status.IsDeadlock()) << status.ToString();
    test::Ok(txns.back()->Rollback());
    for (std::thread& thread : threads) thread.join();
  }
}

// ---- The judge.

TEST(TxnHistoryTest, FindsEachAnomaly) {
  const auto txn = [](int id, bool committed,
                      const std::vector<TxnRecord::Step>& steps) {
    TxnRecord record;
    record.id = id;
    record.has_snapshot = true;
    record.committed = committed;
    record.steps = steps;
    return record;
  };
  const TxnRecord first =
      txn(1, true, {{true, "a", "1.a"}, {true, "b", "1.b"}});
  const auto of = [&](std::vector<TxnRecord> txns, std::vector<int> order) {
    txns.push_back(first);
    order.insert(order.begin(), 1);
    return TxnHistory(std::move(txns), order);
  };
  const TxnHistory skew =
      of({txn(2, true, {{false, "a", "1.a"}, {true, "b", "2.b"}}),
          txn(3, true, {{false, "b", "1.b"}, {true, "a", "3.a"}})},
         {2, 3});
  EXPECT_EQ("2 -rw-> 3 -rw-> 2", skew.Cycle());
  EXPECT_EQ("", skew.Cycle(1) + skew.LostUpdate() + skew.BadRead());
  const TxnHistory lost =
      of({txn(2, true, {{false, "a", "1.a"}, {true, "a", "2.a"}}),
          txn(3, true, {{false, "a", "1.a"}, {true, "a", "3.a"}})},
         {2, 3});
  EXPECT_EQ("3 replaced a=1.a, and so did 2.a", lost.LostUpdate());
  EXPECT_EQ("2 -ww-> 3 -rw-> 2", lost.Cycle(1));
  const TxnHistory torn =  // It saw one write of 2, and not the other.
      of({txn(2, true, {{true, "a", "2.a"}, {true, "b", "2.b"}}),
          txn(3, true, {{false, "a", "2.a"}, {false, "b", "1.b"}})},
         {2});
  EXPECT_EQ("2 -wr-> 3 -rw-> 2", torn.Cycle(1));
  EXPECT_EQ("", torn.Cycle(0));
  EXPECT_EQ("3 read a=2.a: dirty", of({txn(2, false, {{true, "a", "2.a"}}),
                                       txn(3, true, {{false, "a", "2.a"}})},
                                      {})
                                       .BadRead());
  EXPECT_EQ("3 read a=2.a: not repeatable",
            of({txn(2, true, {{true, "a", "2.a"}}),
                txn(3, true, {{false, "a", "1.a"}, {false, "a", "2.a"}})},
               {2})
                .BadRead());
  EXPECT_EQ("2 read a=1.a: not its own write",
            of({txn(2, true, {{true, "a", "2.a"}, {false, "a", "1.a"}})}, {2})
                .BadRead());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
