#include "tools/peer_bench/child.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "tools/peer_bench/workloads.h"

namespace peer_bench {

namespace {

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// From here on the peak of resident memory is counted anew.
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

uint64_t PeakKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6));
  }
  return 0;
}

// Given to the block layer so far, or to be.
uint64_t WrittenBytes() {
  std::ifstream io("/proc/self/io");
  for (std::string name; io >> name;) {
    uint64_t bytes = 0;
    io >> bytes;
    if (name == "write_bytes:") return bytes;
  }
  return 0;
}

// Does one workload and prints its figures: writes with what they left to do.
void Measure(Database& database, const Workload& workload, uint64_t seed) {
  const bool settle = !workload.reads();
  ResetPeak();
  const double cpu = CpuSeconds();
  const uint64_t written = WrittenBytes();
  const auto start = std::chrono::steady_clock::now();
  RunResult result = workload.run(database, seed);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  if (settle) database.Settle(false);
  const double cpu_used = CpuSeconds() - cpu;
  const uint64_t peak = PeakKib();
  const uint64_t wrote = WrittenBytes() - written;
  if (settle) result.hash = database.HashOfAll();
  std::printf("%.6f %llu %llu %.3f %llu %llu\n", took.count(),
              static_cast<unsigned long long>(result.ops),
              static_cast<unsigned long long>(result.hash), cpu_used,
              static_cast<unsigned long long>(peak),
              static_cast<unsigned long long>(wrote));
}

void PrintHash(Database& database) {
  std::printf("%llu\n", static_cast<unsigned long long>(database.HashOfAll()));
}

class Child {
 public:
  explicit Child(const Config& config)
      : config_(config),
        api_(LoadApi(config.child == "ours" ? config.ours : config.peer)),
        path_(config.db + "/" + config.child) {}

  // False: the end.
  bool Do(const std::string& line) {
    std::istringstream words(line);
    std::string command, name;
    uint64_t seed = 0;
    words >> command >> name >> seed;
    if (command == "fill") {
      Fill(*FindWorkload(name), seed);
    } else if (command == "load") {
      Load();
    } else if (command == "open") {
      OpenShared();
      PrintHash(*database_);
    } else if (command == "run") {
      Run(*FindWorkload(name), seed);
    } else if (command == "property") {
      std::string text = database_->Property(name);
      for (char& c : text) c = c == '\n' ? ' ' : c;
      std::printf("%s\n", text.c_str());
    } else {
      return false;
    }
    std::fflush(stdout);
    return true;
  }

 private:
  void Fill(const Workload& workload, uint64_t seed) {
    // The shared database may be open in another process.
    Database database(api_, config_, workload.setup, path_ + "_own", true);
    if (workload.start != Start::kEmpty) {
      LoadAll(database);
      database.Settle(workload.start == Start::kRuns);
    }
    if (workload.start == Start::kRuns) {
      AddRuns(database);
      WarmUp(database);
    }
    Measure(database, workload, seed);
  }

  void Load() {
    Database database(api_, config_, Setup(), path_, true);
    LoadAll(database);
    database.Settle(config_.compact);
    PrintHash(database);
  }

  void OpenShared() {
    database_.reset();
    database_ =
        std::make_unique<Database>(api_, config_, Setup(), path_, false);
    WarmUp(*database_);
    warm_ = true;
  }

  void Run(const Workload& workload, uint64_t seed) {
    if (workload.start == Start::kReopened) {
      database_.reset();
      database_ = std::make_unique<Database>(api_, config_, workload.setup,
                                             path_, false);
      warm_ = false;
    } else if (!warm_) {
      OpenShared();
    }
    Measure(*database_, workload, seed);
  }

  const Config& config_;
  const Api api_;
  const std::string path_;
  std::unique_ptr<Database> database_;
  bool warm_ = false;  // Open with the flags' settings, and all of it cached.
};

}  // namespace

int RunChild(const Config& config) {
  Child child(config);
  for (std::string line; std::getline(std::cin, line);) {
    if (!child.Do(line)) break;
  }
  return 0;
}

}  // namespace peer_bench
