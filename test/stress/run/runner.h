// Runner: a history on a target, compared with what the model answers.
//
// Threads. One at a time.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "test/stress/history/history.h"
#include "test/stress/options/draw_options.h"
#include "test/stress/target/target.h"

namespace ROCKSDB_NAMESPACE::stress {

struct Failure {
  size_t at = 0;  // Operations before it.
  std::string operation;
  std::string expected;
  std::string answer;

  std::string ToString() const;
};

// A history with its answers; kDump is the last operation.
struct Script {
  History history;
  std::vector<std::string> expected;
};
Script MakeScript(History history);

struct RunRequest {
  const Script* script = nullptr;
  DrawRequest draw;  // `opening` is counted up at every reopening.
  Target* target = nullptr;
  std::function<void(const Operation&)> before;  // Each operation; may be null.
};

// Opens the database, executes all, closes it, and compares its content once
// more when it is open again.
std::optional<Failure> Run(const RunRequest& request);

}  // namespace ROCKSDB_NAMESPACE::stress
