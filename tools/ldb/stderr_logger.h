// A logger that prints progress to standard error.
//
// Place. Commands that work for long: backup, restore, repair.
#pragma once

#include <cstdarg>
#include <cstdio>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::ldb {

class StderrLogger final : public Logger {
 public:
  using Logger::Logger;
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
  }
};

}  // namespace ROCKSDB_NAMESPACE::ldb
