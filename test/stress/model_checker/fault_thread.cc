#include "test/stress/model_checker/fault_thread.h"

#include <chrono>
#include <string>

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

void FaultThread::Work() {
  test::ErrorFileSystem* const faults = shared_->database.faults();
  const auto sleep = [&](uint64_t millis_max) {
    std::this_thread::sleep_for(
        std::chrono::microseconds(random_.Uniform(1000 * millis_max)));
  };
  while (!stop_) {
    sleep(60);
    const Status status = faults->SetRule(DrawFault(&random_));
    if (!status.ok()) shared_->failures.Add(status.ToString());
    sleep(40);
    faults->ClearRule();
    shared_->expected.totals().faults += faults->injected();
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
