// Life: one opening of a database, from recovery to its end, against the
// model.
//
// Place. The crash explorer runs lives on a simulated disk, the kill loop on
// a real one.
//
// Model. Open() opens with all families there are and checks what recovery
// left: the first n writes of the lineage, in all families together, n at
// least what was promised. Then Step() does something random, and keeps both
// the lineage and the promise up to date.
//
// Invariant: the promise never says more than the database has acknowledged,
// and `started` covers what may be in a log already.
//
// Threads. One.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "test/stress/crash/images.h"
#include "test/stress/crash/lineage.h"
#include "test/stress/crash/setup.h"
#include "test/stress/crash/writes.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

struct LifeDeps {
  Env* env = nullptr;
  std::string path;
  Setup setup;
  uint64_t seed = 0;  // Of this life: what it does.
  std::string tag;    // No other life has it.
  // Hears of each promise before what it promises against can be lost.
  std::function<void(const Promise&)> on_promise;
};

class Life {
 public:
  Life(LifeDeps deps, Lineage lineage, Promise promise);
  ~Life();

  // What the database is opened after; null: it is new, or was closed.
  enum class Outcome : uint8_t { kOpen, kRefused, kFailed };
  Outcome Open(const Image* image);
  void Step();
  // Compares everything, in another way each time.
  void Verify();
  // Writes, flushes and reads back.
  void Use();
  void Close();

  const Lineage& lineage() const { return lineage_; }
  const Promise& promise() const { return promise_; }
  // The promise just after recovery.
  const Promise& at_open() const { return at_open_; }
  const std::string& failure() const { return failure_; }
  std::string ToString() const;  // What was done, for people.

 private:
  // Recovery
  bool MayRefuse() const;
  bool LeavesHoles() const;
  bool FindEvents(const std::vector<std::string>& names, const Image* image);
  void CheckRecovered(const Image* image);
  void CheckSkipped(const std::map<uint32_t, Rows>& found);
  void CheckPrefix(const std::map<uint32_t, Rows>& found, const Image* image);
  void CheckKept(const std::map<uint32_t, Rows>& found, const Image* image);
  void CheckFamily(uint32_t family, const Rows& found, uint64_t n);
  void StartFrom(const std::map<uint32_t, Rows>& found, const Image* image);
  void CheckCheckpoints();
  void CheckCheckpoint(const std::string& path, const FamilyRows& held);

  // Steps
  void Write();
  void Ingest();
  void ForgetHistory();
  void Flush();
  void SyncLog();
  void Compact();
  void MakeCheckpoint();
  void CreateFamily();
  void DropFamily();
  void SetOption();
  void SetOther(ColumnFamilyHandle* family);
  void Maintain();

  bool StandsAlone(uint32_t family) const;  // Does not log.
  std::vector<uint32_t> DrawFamilies();
  std::string TimeOf(uint64_t write) const;
  void Acknowledge(const LoggedWrite& write, bool logged, bool synced);
  void PromiseFlushed(const std::vector<uint32_t>& families);
  void PromiseAll();
  void Tell();
  void AddEvent();
  bool Ok(const Status& status, const std::string& what);
  void Fail(const std::string& what);
  void Note(const std::string& what) { done_ += what + "\n"; }

  const LifeDeps deps_;
  Options options_;
  Lineage lineage_;
  Promise promise_;
  engine::Random64 random_;
  engine::Random64 apart_;  // Of SetOther().
  std::unique_ptr<DB> db_;
  Handles handles_;
  Promise at_open_;
  uint64_t files_made_ = 0;
  std::string failure_;
  std::string done_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
