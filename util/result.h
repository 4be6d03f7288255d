// Result<T>: a value or the Status that explains why there is none.
//
// Internal code returns Result<T> instead of filling an out-parameter; the
// public API keeps RocksDB's `Status Get(..., std::string* value)` shape.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: conversion intended
  Result(Status status) : status_(std::move(status)) {  // NOLINT: as above
    assert(!status_.ok());  // "No value and no error" is not a state.
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }

  T& operator*() & {
    assert(ok());
    return *value_;  // NOLINT(bugprone-unchecked-optional-access): asserted.
  }
  const T& operator*() const& {
    assert(ok());
    return *value_;  // NOLINT(bugprone-unchecked-optional-access): asserted.
  }
  T&& operator*() && {
    assert(ok());
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): asserted.
    return *std::move(value_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  Status status_;
  std::optional<T> value_;
};

// Leaves the function on error. One statement without blocks of its own, so it
// does not add to the nesting that clang-tidy limits.
#define RETURN_IF_ERROR(expr)                                        \
  do                                                                 \
    if (::ROCKSDB_NAMESPACE::Status failed_ = (expr); !failed_.ok()) \
      return failed_;                                                \
  while (false)

}  // namespace ROCKSDB_NAMESPACE::engine
