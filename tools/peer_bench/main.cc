// peer_bench: the same work by our library and by a genuine RocksDB, side by
// side, through the C interface of each.
//
//   peer_bench --ours build/release/librocksdb.so --peer PATH.so
//
// Model. Each library lives in a process of its own, with the same allocator
// preloaded. Workloads alternate, ours, peer, ours, peer, so that a slow minute
// of the machine meets both. Writes get a new process and database per run;
// most reads share one process and one database per library, loaded and read
// once before. After every pair the hashes of what was read are compared.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "tools/peer_bench/child.h"
#include "tools/peer_bench/config.h"
#include "tools/peer_bench/process.h"
#include "tools/peer_bench/report.h"
#include "tools/peer_bench/workloads.h"

namespace peer_bench {
namespace {

[[noreturn]] void Stop(const std::string& text) {
  std::fprintf(stderr, "peer_bench: %s\n", text.c_str());
  std::exit(1);
}

std::vector<const Workload*> Chosen(const Config& config) {
  std::vector<const Workload*> chosen;
  for (const std::string& name : config.workloads) {
    if (FindWorkload(name) == nullptr) Stop("no workload " + name);
    chosen.push_back(FindWorkload(name));
  }
  if (!chosen.empty()) return chosen;
  for (const Workload& workload : AllWorkloads()) {
    if (!workload.when_named) chosen.push_back(&workload);
  }
  return chosen;
}

class Bench {
 public:
  explicit Bench(Config config) : config_(std::move(config)) {}

  int Run() {
    RemoveDatabases();
    std::filesystem::create_directories(config_.db);
    std::printf("%s", Heading().c_str());
    for (const Workload* workload : Chosen(config_)) {
      if (!workload->own_process() && ours_ == nullptr) OpenBoth();
      Compare(*workload);
    }
    ours_.reset();
    peer_.reset();
    RemoveDatabases();
    std::printf("\n%s", Summary(done_).c_str());
    if (!config_.json.empty()) std::ofstream(config_.json) << Json(done_);
    for (const Comparison& c : done_) {
      if (!c.Agrees()) return 1;
    }
    return 0;
  }

 private:
  // Removes only what this program makes; the folder may hold other files.
  void RemoveDatabases() const {
    for (const char* side : {"ours", "peer", "ours_own", "peer_own"}) {
      std::filesystem::remove_all(std::filesystem::path(config_.db) / side);
    }
    std::error_code not_empty;
    std::filesystem::remove(config_.db, not_empty);
  }

  void OpenBoth() {
    for (const char* side : {"ours", "peer"}) {
      loaded_[side] = Process(config_, side).Ask("load");
    }
    if (loaded_["ours"] != loaded_["peer"]) Stop("the loaded data differ");
    ours_ = std::make_unique<Process>(config_, "ours");
    peer_ = std::make_unique<Process>(config_, "peer");
    if (ours_->Ask("open") != loaded_["ours"] ||
        peer_->Ask("open") != loaded_["peer"]) {
      Stop("what was loaded is not what is read");
    }
  }

  peer_bench::Run Once(const Workload& workload, const char* side,
                       Process* open, uint64_t seed) {
    const std::string rest =
        std::string(workload.name) + " " + std::to_string(seed);
    if (!workload.own_process()) return ParseRun(open->Ask("run " + rest));
    return ParseRun(Process(config_, side).Ask("fill " + rest));
  }

  void Compare(const Workload& workload) {
    Comparison comparison;
    comparison.workload = workload.name;
    comparison.reads = workload.reads();
    for (uint64_t i = 0; i < config_.repeats; ++i) {
      const uint64_t seed = 301 + i;
      comparison.ours.push_back(Once(workload, "ours", ours_.get(), seed));
      comparison.peer.push_back(Once(workload, "peer", peer_.get(), seed));
    }
    std::printf("%s", Line(comparison).c_str());
    std::fflush(stdout);
    done_.push_back(std::move(comparison));
  }

  const Config config_;
  std::map<std::string, std::string> loaded_;  // Hash of everything, by side.
  std::unique_ptr<Process> ours_;
  std::unique_ptr<Process> peer_;
  std::vector<Comparison> done_;
};

}  // namespace
}  // namespace peer_bench

int main(int argc, char** argv) {
  peer_bench::Config config = peer_bench::ParseFlags(argc, argv);
  if (!config.child.empty()) return peer_bench::RunChild(config);
  return peer_bench::Bench(std::move(config)).Run();
}
