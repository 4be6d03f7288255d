// Neighbour: another tuned database on the same device, written while the
// threads of a phase run.
//
// Model. Each key has a version, and its value says both. The last thing that
// a neighbour does is to read every key. It is opened anew now and then.
//
// Some of its files may be in directories of the database under test, of kinds
// that this one has elsewhere: LOG in its own directory, logs where it has only
// tables, and tables where it has only logs. Neither may delete the other's
// files; DestroyDB deletes all of the neighbour's.
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
  void DrawDirectories();
  void Work();
  bool Open();
  bool Close();
  bool Destroy();
  // No file of `dir` has a name with this part.
  void CheckNone(const std::string& dir, const char* part);
  void Fail(const std::string& text);
  bool Ok(const Status& status, const char* what);
  Options MakeOptions() const;
  void PutOne();
  void SwitchTuner();
  void ReadAll();

  Shared* const shared_;
  const std::string path_;
  // In those of the database under test; empty: in its own.
  std::string log_dir_;
  std::string wal_dir_;
  std::string tables_dir_;
  engine::Random64 random_;
  engine::Random64 apart_;          // Of directories and openings.
  std::vector<uint64_t> versions_;  // By key; 0: never written.
  std::unique_ptr<DB> db_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
