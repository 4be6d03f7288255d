// FunctorWrapper: a function and its arguments, to be called later.
#pragma once

#include <functional>
#include <tuple>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

template <typename... Args>
class FunctorWrapper {
 public:
  // Keeps the arguments; the function gets copies of them, unless it takes
  // references.
  explicit FunctorWrapper(std::function<void(Args...)> functor, Args&&... args)
      : functor_(std::move(functor)), args_(std::forward<Args>(args)...) {}

  // As often as wanted.
  void invoke() { std::apply(functor_, args_); }

 private:
  std::function<void(Args...)> functor_;
  std::tuple<Args...> args_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
