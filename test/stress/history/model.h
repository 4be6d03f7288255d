// Model: what each operation of a history must answer.
//
// Place. Every stress program compares a target with it. Its data are a ModelDb
// (test/support); this class knows operations, snapshots and iterators.
//
// Model. No files, no options: whatever changes those must not change answers.
// Where options may decide, the answer is kAny.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "test/stress/history/answers.h"
#include "test/stress/history/operation.h"
#include "test/support/model_db.h"

namespace ROCKSDB_NAMESPACE::stress {

// The writes of a batch or a transaction that were not rolled back to a save
// point.
std::vector<Operation> KeptWrites(const std::vector<Operation>& steps);

class Model {
 public:
  Model();

  // Does it, and returns the answer.
  std::string Execute(const Operation& operation);

  // What a database holds that has done the same.
  const test::ModelDb& data() const { return data_; }
  // The answer of kDump.
  std::string Dump() const;
  std::vector<std::string> families() const;
  bool manual_disabled() const { return manual_disabled_ > 0; }

 private:
  using Rows = test::ModelDb::Rows;
  using State = test::ModelDb::State;
  struct HeldIterator {
    std::string family;
    std::unique_ptr<Walk> walk;
    // The family is dropped: the rows are all that will ever be newest.
    std::function<void(const Rows&)> end_family;
  };

  std::string Write(const Operation& operation);
  std::string Read(const Operation& operation);
  std::string Hold(const Operation& operation);
  std::string Transaction(const Operation& operation) const;
  std::string ReadThrough(const std::vector<Operation>& steps,
                          const Operation& read) const;
  void Apply(const Operation& write);
  void ApplyBatch(const std::vector<Operation>& writes);
  void ApplyFiles(const std::vector<Operation>& writes);
  const std::string* Find(const Operation& read, uint64_t snapshot) const;
  std::string Get(const Operation& read, uint64_t snapshot) const;
  void NewIterator(const Operation& operation);
  void DropFamily(const std::string& family);
  void ForgetHeld();

  test::ModelDb data_;
  std::map<uint64_t, State> snapshots_;
  std::map<uint64_t, HeldIterator> iterators_;
  int manual_disabled_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::stress
