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

// Does one workload and prints its figures. `settle`: with what it left to do.
void Measure(Database& database, const Workload& workload, uint64_t seed,
             bool settle) {
  ResetPeak();
  const double cpu = CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  RunResult result = workload.run(database, seed);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  if (settle) database.Settle(false);
  const double cpu_used = CpuSeconds() - cpu;
  const uint64_t peak = PeakKib();
  if (settle) result.hash = database.HashOfAll();
  std::printf("%.6f %llu %llu %.3f %llu\n", took.count(),
              static_cast<unsigned long long>(result.ops),
              static_cast<unsigned long long>(result.hash), cpu_used,
              static_cast<unsigned long long>(peak));
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
      database_ = std::make_unique<Database>(api_, config_, path_, false);
      WarmUp(*database_);
      PrintHash(*database_);
    } else if (command == "run") {
      Measure(*database_, *FindWorkload(name), seed, false);
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
    Database database(api_, config_, path_, true);
    if (std::string(workload.name) == "overwrite") {
      LoadAll(database);
      database.Settle(false);
    }
    Measure(database, workload, seed, true);
  }

  void Load() {
    Database database(api_, config_, path_, true);
    LoadAll(database);
    database.Settle(config_.compact);
    PrintHash(database);
  }

  const Config& config_;
  const Api api_;
  const std::string path_;
  std::unique_ptr<Database> database_;
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
