// Data-driven tests: the cases live in a text file, the code only interprets.
//
// A file is a list of cases separated by blank lines:
//
//   <command> [name=value ...]
//   <input line>*
//   ----
//   <expected line>*
//
// Lines that start with '#' before a command are comments. An output with blank
// lines in it cannot be expressed: print "." instead.
//
// Run with REWRITE=1 to replace the expected part of every case with what the
// code printed, then read the diff. Golden text that is not read is no test.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

struct Case {
  std::string position;  // "file:line", for failure messages.
  std::string command;
  std::map<std::string, std::string> args;
  std::vector<std::string> input;

  // The value of argument `name`, or `fallback` if the case does not give it.
  uint64_t Uint(const std::string& name, uint64_t fallback) const;
};

// Runs every case of `path`; returns a readable diff per failed case.
std::vector<std::string> RunDataDriven(
    const std::string& path,
    const std::function<std::string(const Case&)>& interpret);

}  // namespace ROCKSDB_NAMESPACE::test
