// randomtransaction: each transaction adds one number to a random key of each
// of --transaction_sets sets. Transactions that meet are rolled back. At the
// end all sets must have the same sum.

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kAddedMax = 100;

// No other benchmark writes such keys.
std::string SetPrefix(uint64_t set) {
  char text[32];
  std::snprintf(text, sizeof(text), "set%04" PRIu64 ".", set);
  return text;
}

std::string SetKey(uint64_t set, uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016" PRIx64, number);
  return SetPrefix(set) + text;
}

Status ParseSum(const Slice& text, uint64_t* sum) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *sum);
  if (error == std::errc() && rest == end) return Status::OK();
  return Status::Corruption("the value of a key of a set is no number", text);
}

// Another transaction was faster.
bool IsConflict(const Status& status) {
  return status.IsBusy() || status.IsTimedOut() || status.IsTryAgain();
}

class Transactor {
 public:
  Transactor(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        target_(bench.targets()[0]),
        thread_(thread),
        reads_(bench.read_options()),
        writes_(bench.write_options()) {}

  void RunOne() {
    Begin();
    const uint64_t added = 1 + thread_->random.Uniform(kAddedMax);
    Status status;
    for (uint64_t set = 1; set <= FLAGS_transaction_sets && status.ok();
         ++set) {
      status = Add(set, added);
    }
    if (status.ok()) status = transaction_->Commit();
    if (status.ok()) {
      ++commits_;
    } else if (IsConflict(status)) {
      ++conflicts_;
      const Status rolled_back = transaction_->Rollback();
      if (!rolled_back.ok()) Die("rollback", rolled_back);
    } else {
      Die("transaction", status);
    }
    thread_->stats.FinishedOps(bench_.db(), 1, OpType::kOther);
  }

  void AddMessage() {
    const uint64_t transactions = commits_ + conflicts_;
    char message[100];
    std::snprintf(message, sizeof(message), "( transactions:%llu aborts:%llu)",
                  static_cast<unsigned long long>(transactions),
                  static_cast<unsigned long long>(conflicts_));
    thread_->stats.AddMessage(message);
  }

 private:
  // The object of the last transaction is used again.
  void Begin() {
    Transaction* begun = nullptr;
    if (target_.locking != nullptr) {
      TransactionOptions options;
      options.set_snapshot = FLAGS_transaction_set_snapshot;
      options.lock_timeout =
          static_cast<int64_t>(FLAGS_transaction_lock_timeout);
      begun = target_.locking->BeginTransaction(writes_, options,
                                                transaction_.get());
    } else {
      OptimisticTransactionOptions options;
      options.set_snapshot = FLAGS_transaction_set_snapshot;
      begun = target_.optimistic->BeginTransaction(writes_, options,
                                                   transaction_.get());
    }
    if (transaction_ == nullptr) transaction_.reset(begun);
  }

  Status Add(uint64_t set, uint64_t added) {
    const std::string key =
        SetKey(set, thread_->random.Uniform(bench_.settings().num));
    std::string value;
    Status read = transaction_->GetForUpdate(reads_, key, &value);
    if (!read.ok() && !read.IsNotFound()) return read;
    uint64_t sum = 0;
    if (read.ok()) RETURN_IF_ERROR(ParseSum(value, &sum));
    if (FLAGS_transaction_sleep > 0) {
      const auto most = static_cast<uint64_t>(FLAGS_transaction_sleep);
      bench_.clock()->SleepForMicroseconds(
          static_cast<int>(thread_->random.Uniform(most + 1)));
    }
    value = std::to_string(sum + added);
    if (bench_.write_generator() != nullptr) {
      bench_.write_generator()->Request(
          static_cast<int64_t>(key.size() + value.size()));
    }
    thread_->stats.AddBytes(key.size() + value.size());
    return transaction_->Put(key, value);
  }

  const Bench& bench_;
  const Target& target_;
  ThreadState* const thread_;
  const ReadOptions reads_;
  const WriteOptions writes_;
  std::unique_ptr<Transaction> transaction_;
  uint64_t commits_ = 0;
  uint64_t conflicts_ = 0;
};

uint64_t SumOfSet(const Bench& bench, uint64_t set) {
  ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> it(bench.db()->NewIterator(options));
  const std::string prefix = SetPrefix(set);
  uint64_t sum = 0;
  for (it->Seek(prefix); it->Valid() && it->key().starts_with(prefix);
       it->Next()) {
    uint64_t number = 0;
    const Status parsed = ParseSum(it->value(), &number);
    if (!parsed.ok()) Die("randomtransaction", parsed);
    sum += number;
  }
  if (!it->status().ok()) Die("iterator", it->status());
  return sum;
}

}  // namespace

void RandomTransaction(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  Transactor transactor(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) transactor.RunOne();
  transactor.AddMessage();
}

void VerifyTransactions(const Bench& bench) {
  const uint64_t first = SumOfSet(bench, 1);
  for (uint64_t set = 2; set <= FLAGS_transaction_sets; ++set) {
    const uint64_t sum = SumOfSet(bench, set);
    if (sum == first) continue;
    Die("randomtransaction",
        Status::Corruption(
            "set 1 has the sum " + std::to_string(first),
            "set " + std::to_string(set) + " has " + std::to_string(sum)));
  }
  std::printf("RandomTransactionVerify: Success, each set has the sum %" PRIu64
              "\n",
              first);
  std::fflush(stdout);
}

}  // namespace ROCKSDB_NAMESPACE::bench
