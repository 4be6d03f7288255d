// Worker: one thread of a run, which draws operation after operation.

#pragma once

#include <string>

#include "test/stress/model_checker/context.h"
#include "test/stress/model_checker/held.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Worker {
 public:
  Worker(Shared* shared, const std::string& name, uint64_t seed)
      : context_(shared, name, seed), held_(&context_) {}

  // So many operations, or fewer after a failure.
  void Run(uint64_t operations);
  // Before the database closes.
  void ReleaseAll() { held_.ReleaseAll(); }

  ThreadContext& context() { return context_; }

 private:
  struct Operation;
  static bool IsLeftOut(const Plan& plan, size_t i, const Operation& operation);
  void RunOne();

  ThreadContext context_;
  Held held_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
