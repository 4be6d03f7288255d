// Two-phase commits of several threads: what they committed is there, also
// after the database is opened again, and what is undecided is found.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/support/effort.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct TwoPhaseLoad {
  const char* name = "";
  bool keeps = false;  // avoid_flush_during_recovery
  bool recycles = false;
  bool purges = false;
  bool pipelined = false;
};

class TwoPhaseAtOnce : public ::testing::TestWithParam<TwoPhaseLoad> {
 protected:
  using Rows = std::map<std::string, std::string>;

  TwoPhaseAtOnce()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.max_write_buffer_number = 6;
    options_.avoid_flush_during_recovery = GetParam().keeps;
    options_.recycle_log_file_num = GetParam().recycles ? 2 : 0;
    options_.experimental_mempurge_threshold = GetParam().purges ? 1.0 : 0.0;
    options_.enable_pipelined_write = GetParam().pipelined;
  }
  ~TwoPhaseAtOnce() override {
    left_.clear();
    db_.reset();
  }
  void Open() {
    left_.clear();
    db_.reset();
    TransactionDB* db = nullptr;
    TransactionDBOptions db_options;
    db_options.transaction_lock_timeout = 1;
    test::Ok(TransactionDB::Open(options_, db_options, "/db", &db));
    db_.reset(db);
  }
  Rows RowsNow() const {
    Rows rows;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows[it->key().ToString()] = it->value().ToString();
    }
    test::Ok(it->status());
    return rows;
  }
  static std::string Shared(uint64_t i) { return "shared" + std::to_string(i); }

  // One of the threads, which alone writes the keys with its number.
  struct Worker {
    uint64_t number = 0;
    uint64_t seed = 0;
    Rows own;
    uint64_t moves = 0;
    std::vector<std::unique_ptr<Transaction>> left;  // Undecided.
    Rows undecided;
  };
  void Work(Worker* worker, int rounds) {
    engine::Random64 random(worker->seed);
    for (int round = 0; round < rounds; ++round) {
      std::unique_ptr<Transaction> txn(db_->BeginTransaction(WriteOptions()));
      test::Ok(txn->SetName(std::to_string(worker->seed) + "-" +
                            std::to_string(round)));
      Rows own;
      if (!Move(txn.get(), &random)) continue;  // With the keys of others.
      WriteOwn(*worker, txn.get(), &random, &own);
      const bool is_last = round + 1 == rounds;
      const bool prepares = is_last || !random.OneIn(4);
      if (prepares) test::Ok(txn->Prepare());
      // The log of the prepared section is not that of the decision.
      if (is_last || random.OneIn(30)) test::Ok(db_->Flush(FlushOptions()));
      if (random.OneIn(8)) std::this_thread::yield();
      if (random.OneIn(3)) {
        test::Ok(txn->Rollback());
      } else {
        test::Ok(txn->Commit());
        ++worker->moves;
        for (auto& [key, value] : own) worker->own[key] = value;
      }
      if (random.OneIn(60)) {
        FlushOptions flush;
        flush.wait = random.OneIn(2);
        test::Ok(db_->Flush(flush));
      }
    }
    Leave(worker);
  }
  // From one account to another, and counted; false: another one has the lock.
  static bool Move(Transaction* txn, engine::Random64* random) {
    const std::string from = Shared(random->Uniform(kAccounts));
    const std::string to = Shared(random->Uniform(kAccounts));
    std::string a;
    std::string b;
    if (from == to || !txn->GetForUpdate(ReadOptions(), from, &a).ok() ||
        !txn->GetForUpdate(ReadOptions(), to, &b).ok()) {
      return false;
    }
    const int amount = static_cast<int>(random->Uniform(5));
    test::Ok(txn->Put(from, std::to_string(std::stoi(a) - amount)));
    test::Ok(txn->Put(to, std::to_string(std::stoi(b) + amount)));
    return true;
  }
  static void WriteOwn(const Worker& worker, Transaction* txn,
                       engine::Random64* random, Rows* own) {
    for (uint64_t n = random->Uniform(4); n > 0; --n) {
      const std::string key = "own" + std::to_string(worker.number) + "." +
                              std::to_string(random->Uniform(100));
      (*own)[key] = std::to_string(random->Next()) + std::string(100, 'p');
      test::Ok(txn->Put(key, (*own)[key]));
    }
  }
  // One transaction stays undecided.
  void Leave(Worker* worker) {
    std::unique_ptr<Transaction> txn(db_->BeginTransaction(WriteOptions()));
    const std::string name = "left" + std::to_string(worker->seed);
    test::Ok(txn->SetName(name));
    test::Ok(txn->Put(name, name));
    test::Ok(txn->Prepare());
    worker->undecided[name] = name;
    worker->left.push_back(std::move(txn));
  }

  static constexpr uint64_t kAccounts = 20;

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<TransactionDB> db_;
  std::vector<std::unique_ptr<Transaction>> left_;
};

TEST_P(TwoPhaseAtOnce, WhatWasCommittedIsThereAgain) {
  constexpr uint64_t kThreads = 4;
  const int rounds = test::Effort(300);
  Open();
  Rows expected;
  for (uint64_t i = 0; i < kAccounts; ++i) {
    test::Ok(db_->Put(WriteOptions(), Shared(i), "100"));
  }
  for (uint64_t opening = 1; opening <= 3; ++opening) {
    SCOPED_TRACE("opening " + std::to_string(opening));
    std::vector<Worker> workers(kThreads);
    std::vector<std::thread> threads;
    for (uint64_t i = 0; i < kThreads; ++i) {
      workers[i].number = i;
      workers[i].seed = opening * 10 + i;
      threads.emplace_back([&, i] { Work(&workers[i], rounds); });
    }
    for (std::thread& thread : threads) thread.join();
    int sum = 0;
    for (uint64_t i = 0; i < kAccounts; ++i) {
      test::Ok(db_->Get(ReadOptions(), Shared(i), &expected[Shared(i)]));
      sum += std::stoi(expected[Shared(i)]);
    }
    EXPECT_EQ(100 * static_cast<int>(kAccounts), sum);
    Rows undecided;
    for (Worker& worker : workers) {
      EXPECT_GT(worker.moves, 0u);
      for (const auto& [key, value] : worker.own) expected[key] = value;
      for (const auto& row : worker.undecided) undecided.insert(row);
      worker.left.clear();
    }
    EXPECT_EQ(expected, RowsNow());
    Open();
    EXPECT_EQ(expected, RowsNow());
    std::vector<Transaction*> prepared;
    db_->GetAllPreparedTransactions(&prepared);
    EXPECT_EQ(undecided.size(), prepared.size());
    for (Transaction* txn : prepared) {
      left_.emplace_back(txn);
      ASSERT_TRUE(undecided.contains(txn->GetName())) << txn->GetName();
      if (opening == 2) {
        test::Ok(txn->Rollback());
        continue;
      }
      test::Ok(txn->Commit());
      expected[txn->GetName()] = txn->GetName();
    }
    EXPECT_EQ(expected, RowsNow());
  }
  Open();
  EXPECT_EQ(expected, RowsNow());
}

INSTANTIATE_TEST_SUITE_P(
    Loads, TwoPhaseAtOnce,
    ::testing::Values(TwoPhaseLoad{"Plain", false, false, false, false},
                      TwoPhaseLoad{"KeepsLogs", true, false, false, false},
                      TwoPhaseLoad{"Recycles", true, true, false, false},
                      TwoPhaseLoad{"Purges", true, false, true, false},
                      TwoPhaseLoad{"Pipelined", false, true, true, true}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
