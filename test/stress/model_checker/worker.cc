#include "test/stress/model_checker/worker.h"

#include <array>

#include "test/stress/model_checker/accounts.h"
#include "test/stress/model_checker/admin_ops.h"
#include "test/stress/model_checker/copy_ops.h"
#include "test/stress/model_checker/read_ops.h"
#include "test/stress/model_checker/transactions.h"
#include "test/stress/model_checker/write_ops.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

struct Worker::Operation {
  const char* name;
  uint64_t weight;
  void (*run)(ThreadContext*);
  void (Held::*held)();
  bool always = false;        // Plan::without does not leave it out.
  bool transactions = false;  // Only if the run has them.
};

bool Worker::IsLeftOut(const Plan& plan, size_t i, const Operation& operation) {
  const bool drawn = (plan.without >> i & 1) != 0 && !operation.always;
  const std::string name = std::string(",") + operation.name + ",";
  return drawn || plan.without_names.find(name) != std::string::npos;
}

void Worker::RunOne() {
  static constexpr std::array kOperations = std::to_array<Operation>({
      {"a write", 300, WriteOne, nullptr, true},
      {"a batch", 100, WriteBatchOfMany, nullptr},
      {"a mirrored batch", 80, WriteMirrored, nullptr},
      {"DeleteRange", 30, WriteRangeDeletion, nullptr},
      {"IngestExternalFile", 6, IngestFiles, nullptr},
      {"a read", 150, ReadOne, nullptr, true},
      {"MultiGet", 40, ReadMany, nullptr},
      {"a mirrored read", 60, ReadMirrored, nullptr, true},
      {"an iterator", 60, Walk, nullptr},
      {"GetSnapshot", 6, nullptr, &Held::TakeSnapshot},
      {"reads with a snapshot", 25, nullptr, &Held::CheckSnapshot},
      {"NewIterator", 6, nullptr, &Held::MakeIterator},
      {"a held iterator", 40, nullptr, &Held::MoveIterator},
      {"Flush", 5, Flush, nullptr},
      {"CompactRange", 4, CompactRange, nullptr},
      {"CompactFiles", 3, CompactFiles, nullptr},
      {"DisableManualCompaction", 2, SwitchManualCompaction, nullptr},
      {"AbortAllCompactions", 2, AbortCompactions, nullptr},
      {"PauseBackgroundWork", 2, PauseWork, nullptr},
      {"SetOptions", 6, ChangeFamilyOptions, nullptr},
      {"SetDBOptions", 2, ChangeDbOptions, nullptr},
      {"FlushWAL", 10, FlushLog, nullptr},
      {"CreateColumnFamily", 4, CreateOrDrop, nullptr},
      {"GetProperty", 6, Inspect, nullptr},
      {"Resume", 4, Resume, nullptr, true},
      {"GetLiveFiles", 4, ListFiles, nullptr},
      {"GetUpdatesSince", 4, ReadLog, nullptr},
      {"CreateCheckpoint", 1, MakeCheckpoint, nullptr},
      {"CreateNewBackup", 1, MakeBackup, nullptr},
      {"LockWAL", 4, LockLog, nullptr},
      {"IncreaseFullHistoryTsLow", 4, ForgetHistory, nullptr},
      {"a transaction", 100, WriteTransaction, nullptr, false, true},
      {"a mirrored transaction", 40, WriteMirroredTransaction, nullptr, false,
       true},
      {"Prepare", 10, nullptr, &Held::Prepare, false, true},
      {"Commit", 10, nullptr, &Held::Decide, true, true},
      {"a transfer", 100, Transfer, nullptr, false, true},
      {"an audit", 20, Audit, nullptr, true, true},
  });
  const bool transactions =
      context_.shared.plan.transactions != Transactions::kNone;
  uint64_t sum = 0;
  for (const Operation& operation : kOperations) {
    if (transactions || !operation.transactions) sum += operation.weight;
  }
  uint64_t left = context_.random.Uniform(sum);
  size_t i = 0;
  while (left >= kOperations[i].weight) left -= kOperations[i++].weight;
  const Operation& chosen = kOperations[i];
  if (IsLeftOut(context_.shared.plan, i, chosen)) return;
  const Doing doing(&context_.activity, chosen.name);
  if (chosen.run != nullptr) {
    chosen.run(&context_);
  } else {
    (held_.*chosen.held)();
  }
}

void Worker::Run(uint64_t operations) {
  std::atomic<uint64_t>& total = context_.expected().totals().operations;
  for (uint64_t i = 0; i < operations && !context_.shared.failures.any(); ++i) {
    RunOne();
    ++total;
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
