#include "test/stress/run/flags.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

constexpr char kUsage[] =
    "  --seed N        the first seed (1)\n"
    "  --seeds N       how many seeds (10)\n"
    "  --seconds N     seeds for so long instead\n"
    "  --operations N  length of a history (2000)\n"
    "  --sets N        option sets per seed (8)\n"
    "  --set N         only this option set\n"
    "  --stall N       seconds without progress that are a failure (20)\n"
    "  --without A,B   these options stay at their defaults\n"
    "  --replay FILE   the history in FILE, with the options of --seed, --set\n"
    "  --folder DIR    where databases on disk lie\n"
    "  --no-reduce     do not shorten a history that fails\n"
    "  --reduce        only shorten, in processes that may crash or hang\n"
    "  --verbose       print every option set\n";

bool SetNumber(std::string_view name, const char* text, Flags* flags) {
  const uint64_t number = std::strtoull(text, nullptr, 10);
  if (name == "--seed") {
    flags->seed = number;
  } else if (name == "--seeds") {
    flags->seeds = number;
  } else if (name == "--seconds") {
    flags->seconds = std::strtod(text, nullptr);
  } else if (name == "--operations") {
    flags->operations = number;
  } else if (name == "--sets") {
    flags->sets = number;
  } else if (name == "--set") {
    flags->set = static_cast<int64_t>(number);
  } else if (name == "--stall") {
    flags->stall = number;
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool ReadFlags(int argc, char** argv, Flags* flags) {
  flags->program = argv[0];
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (name == "--no-reduce") {
      flags->reduce = false;
    } else if (name == "--reduce") {
      flags->reduce_only = true;
    } else if (name == "--verbose") {
      flags->verbose = true;
    } else if (value != nullptr && name == "--replay") {
      flags->replay = argv[++i];
    } else if (value != nullptr && name == "--folder") {
      flags->folder = argv[++i];
    } else if (value != nullptr && name == "--without") {
      flags->without = Split(argv[++i]);
    } else if (value != nullptr && SetNumber(name, value, flags)) {
      ++i;
    } else {
      if (name != "--help") {
        std::fprintf(stderr, "unknown flag, or no value: %s\n", argv[i]);
      }
      std::fprintf(stderr, "%s", kUsage);
      return false;
    }
  }
  return true;
}

Budget::Budget(const Flags& flags) : flags_(flags), begin_(Now()) {}

bool Budget::Another(uint64_t done) const {
  return flags_.seconds > 0 ? Elapsed() < flags_.seconds : done < flags_.seeds;
}

double Budget::Elapsed() const { return Now() - begin_; }

}  // namespace ROCKSDB_NAMESPACE::stress
