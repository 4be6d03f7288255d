// FaultThread: makes calls of the file system fail, now these, now those, and
// with a SstFileManager also limits the space.
//
// Threads. Its own; the destructor ends it, and all calls succeed again.

#pragma once

#include <atomic>
#include <thread>

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class FaultThread {
 public:
  FaultThread(Shared* shared, uint64_t seed);
  ~FaultThread();
  FaultThread(const FaultThread&) = delete;
  FaultThread& operator=(const FaultThread&) = delete;

 private:
  void Work();
  void FailCalls();
  void LimitSpace(SstFileManager* space);
  void Sleep(uint64_t millis_max);

  Shared* const shared_;
  engine::Random64 random_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// A rule of test/support/error_fs.h.
std::string DrawFault(engine::Random64* random);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
