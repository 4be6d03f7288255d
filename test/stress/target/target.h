// Target: a database that executes histories.
//
// Place. Runners (test/stress/run) compare its answers with the model's.
// db_target.h is our library through C++; child_target.h any library through
// C, in a process of its own.
//
// Threads. One at a time.

#pragma once

#include <functional>
#include <string>

#include "test/stress/history/operation.h"
#include "test/stress/options/draw_options.h"

namespace ROCKSDB_NAMESPACE::stress {

// What a database is opened with.
struct Opening {
  DrawnOptions options;  // `families`: those that exist.
  // Of families that are created later.
  std::function<FamilySettings(const std::string& family)> family;
};

class Target {
 public:
  virtual ~Target() = default;

  // Creates what does not exist. kOk, or the error.
  virtual std::string Open(const Opening& opening) = 0;
  // Releases what is held first.
  virtual std::string Close() = 0;
  // Loses whatever a crash of the machine would lose, after everything that
  // was written so far has been made durable; the database is closed then.
  virtual std::string Crash() { return Close(); }

  // The answer; kAny for operations on what does not exist. Not kReopen and
  // not kCrash: those are Close() or Crash(), then Open().
  virtual std::string Execute(const Operation& operation) = 0;
};

}  // namespace ROCKSDB_NAMESPACE::stress
