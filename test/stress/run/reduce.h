// Reduce: the shortest history that still fails, as far as taking out chunks
// finds it.
//
// Threads. One at a time.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "test/stress/history/history.h"

namespace ROCKSDB_NAMESPACE::stress {

// `fails` is called at most `tries` times. Returns a history that failed.
History Reduce(History history, size_t tries,
               const std::function<bool(const History&)>& fails);

// The names without which it fails no more; the others may be left out.
std::vector<std::string> ReduceNames(
    std::vector<std::string> names, size_t tries,
    const std::function<bool(const std::vector<std::string>& left_out)>& fails);

}  // namespace ROCKSDB_NAMESPACE::stress
