// Hostile bytes: damaged and made-up input for every reader of bytes. See
// target.h for what is tried and driver.h for how.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "test/stress/hostile/driver.h"
#include "test/stress/hostile/worker.h"

// Undefined behaviour ends the process, so that the driver sees it.
extern "C" const char* __ubsan_default_options() {
  return "halt_on_error=1:print_stacktrace=1";
}

namespace ROCKSDB_NAMESPACE::hostile {
namespace {

constexpr char kUsage[] =
    "Gives damaged bytes to every parser. Prints totals; code 1: a failure.\n"
    "  --seed N       (1)\n"
    "  --inputs N     how many (1000000)\n"
    "  --seconds N    so long instead\n"
    "  --target NAME  only this one; \"list\" lists them\n"
    "  --jobs N       processes (2)\n"
    "  --input FILE   only this input, in this process; with --target\n"
    "  --folder DIR   where failing inputs are written (build/hostile)\n"
    "tools/dev hostile --preset asan: under the address sanitizer\n"
    "tools/dev hostile --preset guided: inputs that run new code are changed\n"
    "  further (the long form: --inputs 20000000)\n";

struct Flags {
  DriverOptions driver;
  std::string target;
  std::string input;
};

bool ReadFlags(int argc, char** argv, Flags* flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return false;
    const char* const value = argv[++i];
    const uint64_t number = std::strtoull(value, nullptr, 10);
    if (name == "--seed") {
      flags->driver.seed = number;
    } else if (name == "--inputs") {
      flags->driver.inputs = number;
    } else if (name == "--seconds") {
      flags->driver.seconds = std::strtod(value, nullptr);
    } else if (name == "--jobs" && number > 0 && number <= 64) {
      flags->driver.jobs = static_cast<uint32_t>(number);
    } else if (name == "--target") {
      flags->target = value;
    } else if (name == "--input") {
      flags->input = value;
    } else if (name == "--folder") {
      flags->driver.folder = value;
    } else {
      return false;
    }
  }
  return true;
}

// Of build/<preset>/hostile.
std::string PresetFlag(const char* program) {
  const std::string preset =
      std::filesystem::path(program).parent_path().filename().string();
  return preset.empty() || preset == "dev" ? "" : " --preset " + preset;
}

int RunFile(const Target& target, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "hostile: cannot read %s\n", path.c_str());
    return 2;
  }
  const std::string input{std::istreambuf_iterator<char>(in), {}};
  RunInput(target, input);
  std::printf("hostile: %s: %zu bytes, no failure\n", target.name.c_str(),
              input.size());
  return 0;
}

int Main(int argc, char** argv) {
  Flags flags;
  if (!ReadFlags(argc, argv, &flags)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  flags.driver.preset = PresetFlag(argv[0]);
  std::vector<Target> targets = AllTargets();
  if (flags.target == "list") {
    for (const Target& target : targets) std::puts(target.name.c_str());
    return 0;
  }
  if (!flags.target.empty()) {
    std::erase_if(targets, [&](const Target& target) {
      return target.name != flags.target;
    });
    if (targets.empty()) {
      std::fprintf(stderr, "hostile: no target '%s'; --target list\n",
                   flags.target.c_str());
      return 2;
    }
  }
  if (!flags.input.empty()) {
    if (targets.size() == 1) return RunFile(targets[0], flags.input);
    std::fputs("hostile: --input needs --target\n", stderr);
    return 2;
  }
  const Totals totals = Drive(targets, flags.driver);
  std::printf("total: hostile: %llu inputs, %zu targets, %llu failures\n",
              static_cast<unsigned long long>(totals.inputs), targets.size(),
              static_cast<unsigned long long>(totals.failures));
  return totals.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::hostile

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::hostile::Main(argc, argv);
}
