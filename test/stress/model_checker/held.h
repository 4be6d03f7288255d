// Held: snapshots, iterators and prepared transactions that a thread keeps for
// a long time.
//
// Model. What a snapshot shows never changes: it lies between the words before
// and after it was taken, and once a key has been read, it stays what it was.
//
// Threads. One. ReleaseAll before the database closes.

#pragma once

#include <memory>
#include <vector>

#include "test/stress/model_checker/context.h"
#include "test/stress/model_checker/transactions.h"
#include "test/stress/model_checker/walker.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Held {
 public:
  explicit Held(ThreadContext* t) : t_(t) {}
  ~Held() { ReleaseAll(); }

  void TakeSnapshot();
  void CheckSnapshot();
  void MakeIterator();
  void MoveIterator();
  void Prepare();
  void Decide();  // A prepared one.
  // Some of the prepared ones stay undecided.
  void ReleaseAll();

 private:
  struct Snap {
    const Snapshot* snapshot;
    int slot;
    uint64_t incarnation;
    std::vector<uint64_t> low;
    std::vector<uint64_t> high;
  };
  struct Walking {
    std::unique_ptr<Walker> walker;
    uint64_t incarnation;
  };

  void ReadKeys(Snap* snap, const SlotUse& use);
  void Release(size_t i);

  ThreadContext* const t_;
  std::vector<Snap> snaps_;
  std::vector<Walking> walkers_;
  std::vector<Prepared> prepared_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
