// EntityColumns: the columns of a kEntity, and the strings that they point to.
//
// Threads. One.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rocksdb/wide_columns.h"
#include "test/stress/history/operation.h"

namespace ROCKSDB_NAMESPACE::stress {

class EntityColumns {
 public:
  explicit EntityColumns(const Operation& write) {
    for (const auto& [name, value] : write.settings) {
      text_.emplace_back(name, ExpandValue(value));
    }
    for (const auto& [name, value] : text_) wide_.emplace_back(name, value);
  }
  const WideColumns& wide() const { return wide_; }

 private:
  std::vector<std::pair<std::string, std::string>> text_;
  WideColumns wide_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
