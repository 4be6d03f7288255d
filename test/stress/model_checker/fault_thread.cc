#include "test/stress/model_checker/fault_thread.h"

#include <chrono>
#include <string>

#include "rocksdb/sst_file_manager.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

std::string DrawFault(engine::Random64* random) {
  static constexpr const char* kErrors[] = {"ErrRetryable", "ErrInjected",
                                            "ErrNoSpace"};
  static constexpr const char* kFiles[] = {
      "", "(PathMatch \"*.sst\")", "(PathMatch \"*.log\")",
      "(PathMatch \"MANIFEST*\")", "(PathMatch \"*.blob\")"};
  static constexpr const char* kCalls[] = {
      "Always", "Writes", "Writes", "Reads",  "sync", "append",
      "create", "read",   "delete", "rename", "link", "close"};
  const std::string error = kErrors[random->Uniform(std::size(kErrors))];
  const std::string call = kCalls[random->Uniform(std::size(kCalls))];
  const std::string file = kFiles[random->Uniform(std::size(kFiles))];
  const std::string which = random->OneIn(3) ? "FromIndex" : "OnIndex";
  return "(" + error + " (And " + call + " " + file +
         " (Not (PathMatch \"LOG*\")) (Not unlock) (Not lock) (" + which + " " +
         std::to_string(random->Skewed(8)) + ")))";
}

FaultThread::FaultThread(Shared* shared, uint64_t seed)
    : shared_(shared), random_(seed), thread_([this] { Work(); }) {}

FaultThread::~FaultThread() {
  stop_ = true;
  thread_.join();
}

void FaultThread::Sleep(uint64_t millis_max) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(random_.Uniform(1000 * millis_max)));
}

void FaultThread::FailCalls() {
  test::ErrorFileSystem* const faults = shared_->database.faults();
  const Status status = faults->SetRule(DrawFault(&random_));
  if (!status.ok()) shared_->failures.Add(status.ToString());
  Sleep(40);
  faults->ClearRule();
  shared_->expected.totals().faults += faults->injected();
}

void FaultThread::LimitSpace(SstFileManager* space) {
  space->SetMaxAllowedSpaceUsage(
      1 + random_.Uniform(2 * space->GetTotalSize() + 1));
  Sleep(40);
  space->SetMaxAllowedSpaceUsage(0);
  ++shared_->expected.totals().faults;
}

void FaultThread::Work() {
  SstFileManager* const space =
      shared_->database.options().db.sst_file_manager.get();
  while (!stop_) {
    Sleep(60);
    if (space != nullptr && random_.OneIn(3)) {
      LimitSpace(space);
    } else {
      FailCalls();
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
