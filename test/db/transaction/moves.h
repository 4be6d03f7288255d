// Moves: threads that move amounts between accounts, while one reads them all.
//
// Place. Shared by the tests of transactions with and without locks.
// Model. Each move reads two accounts for update and writes both, so every
// snapshot has the same sum; some moves also count themselves, in one key that
// all of them meet at, so a lost commit shows.
//
// Threads. MovesKeepTheSum() starts its own, and has joined them when it
// returns.

#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/utilities/transaction.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::test {

struct MoveRules {
  std::function<std::unique_ptr<Transaction>(engine::Random64*)> begin;
  // Conflicts show when a key is read, else when it is committed.
  bool locks = false;
  bool flushes = false;  // All the time.
};

class Moves {
 public:
  Moves(DB* db, MoveRules rules) : db_(db), rules_(std::move(rules)) {}

  void Run() {
    for (uint64_t i = 0; i < kAccounts; ++i) Put(Account(i), "100");
    Put("moves", "0");
    std::vector<std::thread> movers;
    for (uint64_t t = 1; t <= kThreads; ++t) {
      movers.emplace_back([this, t] { MoveMany(t); });
    }
    std::thread flusher([this] {
      while (rules_.flushes && !over_) Ok(db_->Flush(FlushOptions()));
    });
    std::thread reader([this] {
      while (!over_) EXPECT_EQ(kSum, Sum());
    });
    for (std::thread& mover : movers) mover.join();
    over_ = true;
    flusher.join();
    reader.join();
    std::string moves;
    Ok(db_->Get(ReadOptions(), "moves", &moves));
    EXPECT_EQ(std::to_string(counted_), moves);
    EXPECT_GT(counted_, 0);
    EXPECT_EQ(kSum, Sum());
  }

 private:
  static constexpr uint64_t kAccounts = 8;
  static constexpr uint64_t kThreads = 4;
  static constexpr int kMoves = 300;
  static constexpr int kSum = 100 * static_cast<int>(kAccounts);

  static std::string Account(uint64_t i) {
    return "account" + std::to_string(i);
  }
  void Put(const std::string& key, const std::string& value) {
    Ok(db_->Put(WriteOptions(), key, value));
  }
  int Sum() const {
    ManagedSnapshot held(db_);
    ReadOptions read;
    read.snapshot = held.snapshot();
    int sum = 0;
    for (uint64_t i = 0; i < kAccounts; ++i) {
      std::string value;
      Ok(db_->Get(read, Account(i), &value));
      sum += std::stoi(value);
    }
    return sum;
  }

  void MoveMany(uint64_t seed) {
    engine::Random64 random(seed);
    for (int done = 0; done < kMoves; ++done) {
      const std::unique_ptr<Transaction> txn = rules_.begin(&random);
      const uint64_t from = random.Uniform(kAccounts);
      const uint64_t to =
          (from + 1 + random.Uniform(kAccounts - 1)) % kAccounts;
      const int amount = static_cast<int>(random.Uniform(10));
      const bool counts = random.OneIn(4);
      bool met = !Add(txn.get(), Account(from), -amount) ||
                 !Add(txn.get(), Account(to), amount) ||
                 (counts && !Add(txn.get(), "moves", 1));
      if (met) continue;
      std::this_thread::yield();  // Others change what was read.
      const Status status = txn->Commit();
      met = status.IsBusy() || status.IsTryAgain();
      EXPECT_TRUE(status.ok() || (met && !rules_.locks)) << status.ToString();
      counted_ += status.ok() && counts ? 1 : 0;
    }
  }
  // False: a deadlock, or with a snapshot a change.
  bool Add(Transaction* txn, const std::string& key, int amount) {
    std::string value;
    const Status status = txn->GetForUpdate(ReadOptions(), key, &value);
    EXPECT_TRUE(status.ok() || (status.IsBusy() && rules_.locks))
        << status.ToString();
    if (!status.ok()) return false;
    Ok(txn->Put(key, std::to_string(std::stoi(value) + amount)));
    return true;
  }

  DB* const db_;
  const MoveRules rules_;
  std::atomic<int> counted_{0};
  std::atomic<bool> over_{false};
};

inline void MovesKeepTheSum(DB* db, MoveRules rules) {
  Moves(db, std::move(rules)).Run();
}

}  // namespace ROCKSDB_NAMESPACE::test
