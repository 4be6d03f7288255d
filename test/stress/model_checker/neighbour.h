// Neighbour: another tuned database on the same device, written while the
// threads of a phase run.
//
// Model. Each key has a version, and its value says both. The last thing that
// a neighbour does is to read every key.
//
// Threads. Its own; the destructor ends it.

#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Neighbour {
 public:
  Neighbour(Shared* shared, uint64_t seed);
  ~Neighbour();
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  void Work();
  bool Ok(const Status& status, const char* what);
  Options MakeOptions() const;
  void PutOne();
  void SwitchTuner();
  void ReadAll();

  Shared* const shared_;
  const std::string path_;
  engine::Random64 random_;
  std::vector<uint64_t> versions_;  // By key; 0: never written.
  std::unique_ptr<DB> db_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
