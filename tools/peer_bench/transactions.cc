#include "tools/peer_bench/transactions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>

namespace peer_bench {

namespace {

constexpr size_t kTransactionKeys = 4;  // Of a transaction.

// False: it was refused.
bool Succeeded(const Database& d, char* error) {
  if (error == nullptr) return true;
  const std::string text = error;
  if (text.rfind("Operation timed out", 0) != 0 &&
      text.rfind("Resource busy", 0) != 0) {
    Check(error);
  }
  d.api.free(error);
  return false;
}

// Adds what was read to `sum`.
bool ReadForUpdate(const Database& d, rocksdb_transaction_t* txn,
                   const Key& key, uint64_t* sum) {
  char* error = nullptr;
  rocksdb_pinnableslice_t* const value =
      d.api.transaction_get_pinned_for_update(txn, d.read(), key.data(),
                                              Key::kSize, 1, &error);
  if (!Succeeded(d, error)) return false;
  if (value == nullptr) return true;
  size_t length = 0;
  const char* const bytes = d.api.pinnableslice_value(value, &length);
  *sum += Glance(bytes, length);
  d.api.pinnableslice_destroy(value);
  return true;
}

bool TryTransaction(const Database& d, rocksdb_transaction_t* txn,
                    const uint64_t (&numbers)[kTransactionKeys], bool prepare) {
  char* error = nullptr;
  uint64_t sum = 0;
  for (const uint64_t number : numbers) {
    const Key key(number);
    if (!ReadForUpdate(d, txn, key, &sum)) return false;
    d.api.transaction_put(txn, key.data(), Key::kSize, d.values.Of(number),
                          d.values.size(), &error);
    if (!Succeeded(d, error)) return false;
  }
  if (prepare) {
    d.api.transaction_prepare(txn, &error);
    Check(error);
  }
  d.api.transaction_commit(txn, &error);
  return Succeeded(d, error);
}

void RunTransactions(const Database& d, uint64_t seed, uint64_t count,
                     bool prepare) {
  Random random(seed);
  char* error = nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t numbers[kTransactionKeys];
    for (uint64_t& number : numbers) number = random.Below(d.config.num);
    std::sort(std::begin(numbers), std::end(numbers));  // No deadlocks.
    for (bool done = false; !done;) {
      rocksdb_transaction_t* const txn = d.Begin();
      if (prepare) {
        const std::string name = std::to_string(seed) + "-" + std::to_string(i);
        d.api.transaction_set_name(txn, name.data(), name.size(), &error);
        Check(error);
      }
      done = TryTransaction(d, txn, numbers, prepare);
      d.api.transaction_destroy(txn);
    }
  }
}

template <uint64_t kThreads, bool kPrepare>
RunResult Commits(Database& d, uint64_t seed) {
  const uint64_t each = d.config.num / kTransactionKeys / kThreads + 1;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&d, each, seed, t] {
      RunTransactions(d, seed * kThreads + t, each, kPrepare);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return {each * kThreads, 0};
}

// ---- A batch with an index.

constexpr size_t kBatchKeys = 100;

uint64_t GetThrough(const Database& d, rocksdb_writebatch_wi_t* batch,
                    uint64_t number) {
  char* error = nullptr;
  size_t length = 0;
  const Key key(number);
  char* const value = d.api.writebatch_wi_get_from_batch_and_db(
      batch, d.db(), d.read(), key.data(), Key::kSize, &length, &error);
  Check(error);
  if (value == nullptr) return 1;
  const uint64_t sum = Glance(value, length);
  d.api.free(value);
  return sum;
}

// Ten entries from that key on, of the batch and the database.
uint64_t WalkThrough(const Database& d, rocksdb_writebatch_wi_t* batch,
                     uint64_t number) {
  const Key key(number);
  uint64_t sum = 0;
  rocksdb_iterator_t* const it = d.api.writebatch_wi_create_iterator_with_base(
      batch, d.api.create_iterator(d.db(), d.read()));
  d.api.iter_seek(it, key.data(), Key::kSize);
  for (int n = 0; n < 10 && d.api.iter_valid(it) != 0; ++n) {
    size_t length = 0;
    const char* const value = d.api.iter_value(it, &length);
    sum += Glance(value, length);
    d.api.iter_next(it);
  }
  d.api.iter_destroy(it);
  return sum;
}

// A hundred puts, each followed by a read through the batch; ten walks; then
// the batch is written.
RunResult IndexedBatches(Database& d, uint64_t seed) {
  Random random(seed);
  char* error = nullptr;
  uint64_t sum = 0;
  uint64_t done = 0;
  rocksdb_writebatch_wi_t* const batch = d.api.writebatch_wi_create(0, 1);
  for (; done < d.config.num / 2; done += kBatchKeys) {
    for (size_t i = 0; i < kBatchKeys; ++i) {
      const uint64_t number = random.Below(d.config.num);
      const Key key(number);
      d.api.writebatch_wi_put(batch, key.data(), Key::kSize,
                              d.values.Of(number), d.values.size());
      sum += GetThrough(d, batch, random.Below(d.config.num));
      if (i % 10 == 9) sum += WalkThrough(d, batch, number);
    }
    d.api.write_writebatch_wi(d.db(), d.write(), batch, &error);
    Check(error);
    d.api.writebatch_wi_clear(batch);
  }
  d.api.writebatch_wi_destroy(batch);
  return {done, sum};
}

}  // namespace

std::vector<Workload> Transactions() {
  static const Setup locking{.kind = Kind::kLocking};
  static const Setup optimistic{.kind = Kind::kOptimistic};
  return {
      {"locks", Start::kLoaded, Commits<1, false>, locking},
      {"locks-4t", Start::kLoaded, Commits<4, false>, locking},
      {"two-phase", Start::kLoaded, Commits<1, true>, locking},
      {"two-phase-4t", Start::kLoaded, Commits<4, true>, locking},
      {"optimistic", Start::kLoaded, Commits<1, false>, optimistic},
      {"optimistic-4t", Start::kLoaded, Commits<4, false>, optimistic},
      {"indexed-batch", Start::kLoaded, IndexedBatches},
  };
}

}  // namespace peer_bench
