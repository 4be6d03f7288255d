// TextLog: a Logger that keeps what is logged, for tests that read it.
//
// Threads. Any.

#pragma once

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::test {

class TextLog final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    char line[4000];
    std::vsnprintf(line, sizeof(line), format, ap);
    std::lock_guard lock(mu_);
    text_ += std::string(line) + "\n";
  }
  int Count(const std::string& part) const {
    std::lock_guard lock(mu_);
    int count = 0;
    for (size_t at = text_.find(part); at != std::string::npos;
         at = text_.find(part, at + 1)) {
      ++count;
    }
    return count;
  }
  bool Has(const std::string& part) const { return Count(part) > 0; }
  // The first line with `part`; "" if there is none.
  std::string LineWith(const std::string& part) const {
    std::lock_guard lock(mu_);
    const size_t at = text_.find(part);
    if (at == std::string::npos) return "";
    const size_t begin = text_.rfind('\n', at) + 1;
    return text_.substr(begin, text_.find('\n', at) - begin);
  }
  std::string text() const {
    std::lock_guard lock(mu_);
    return text_;
  }

 private:
  mutable std::mutex mu_;
  std::string text_;
};

}  // namespace ROCKSDB_NAMESPACE::test
