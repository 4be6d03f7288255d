#include "tools/db_bench/args.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Names used by articles and older scripts.
struct Alias {
  const char* old_name;
  const char* name;
};
constexpr Alias kAliases[] = {
    {"partition_filters", "partition_index_and_filters"},
    {"partition_indexes", "partition_index"},
    {"compaction_measure_io_stats", "report_bg_io_stats"},
};

enum class Effect { kMeasured, kNoEffect };

// A flag of RocksDB's db_bench that we lack.
struct ForeignFlag {
  const char* type;
  const char* name;
  const char* default_value;
  Effect effect;
};
constexpr ForeignFlag kForeignFlags[] = {
#define FLAG(type, name, value, effect) {#type, #name, value, Effect::effect},
#include "tools/db_bench/rocksdb_flags.def"  // NOLINT: expanded on purpose.
#undef FLAG
};

const ForeignFlag* FindForeign(const std::string& name) {
  const auto* it = std::find_if(
      std::begin(kForeignFlags), std::end(kForeignFlags),
      [&name](const ForeignFlag& flag) { return name == flag.name; });
  return it == std::end(kForeignFlags) ? nullptr : it;
}

bool IsBool(const ForeignFlag& flag) {
  return std::string(flag.type) == "bool";
}

// As gflags reads a bool.
std::optional<bool> ParseBool(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const char* yes : {"1", "t", "true", "y", "yes"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"0", "f", "false", "n", "no"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

bool SameNumber(const std::string& a, const std::string& b) {
  char* end_a = nullptr;
  char* end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a);
  const double y = std::strtod(b.c_str(), &end_b);
  return *end_a == '\0' && *end_b == '\0' && !a.empty() && x == y;
}

struct Word {
  std::string name;
  std::optional<std::string> value;
};

Word Split(const std::string& arg) {
  const size_t begin = arg.find_first_not_of('-');
  if (begin == std::string::npos) return {};
  Word word;
  const size_t eq = arg.find('=', begin);
  word.name = arg.substr(begin, eq == std::string::npos ? eq : eq - begin);
  // gflags takes either.
  std::replace(word.name.begin(), word.name.end(), '-', '_');
  if (eq != std::string::npos) word.value = arg.substr(eq + 1);
  return word;
}

bool IsFlag(const std::string& arg) {
  // "-5" is a value.
  return arg.size() > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9');
}

// One run over the command line.
class Cleaner {
 public:
  Cleaner(const std::vector<std::string>& args, const OwnFlags& own)
      : args_(args), own_(own) {}

  CleanArgs Run() {
    while (at_ < args_.size()) {
      const std::string& arg = args_[at_++];
      if (IsFlag(arg)) {
        TakeFlag(Split(arg));
      } else {
        clean_.errors.push_back("'" + arg +
                                "' is not a flag; flags begin with --");
      }
    }
    return std::move(clean_);
  }

 private:
  void TakeFlag(Word word) {
    for (const Alias& alias : kAliases) {
      if (word.name == alias.old_name) word.name = alias.name;
    }
    const bool no = word.name.starts_with("no");
    const std::string positive = no ? word.name.substr(2) : "";
    const FlagKind kind = own_.kind(word.name);
    if (kind != FlagKind::kUnknown) {
      if (kind == FlagKind::kValue) TakeValue(&word);
      if (kind == FlagKind::kBool) TakeBool(&word);
      Pass(word);
    } else if (no && own_.kind(positive) == FlagKind::kBool) {
      Pass(word);
    } else if (const ForeignFlag* flag = FindForeign(word.name)) {
      if (IsBool(*flag)) {
        TakeBool(&word);
      } else {
        TakeValue(&word);
      }
      Judge(*flag, word.value.value_or("true"));
    } else if (const ForeignFlag* negated =
                   no ? FindForeign(positive) : nullptr;
               negated != nullptr && IsBool(*negated)) {
      Judge(*negated, "false");
    } else {
      Refuse(&word);
    }
  }

  void TakeValue(Word* word) {
    if (word->value || at_ == args_.size() || IsFlag(args_[at_])) return;
    word->value = args_[at_++];
  }

  // A bool has its value behind a '='. RocksDB's skips a word behind the flag,
  // so `--sync 0` syncs there: what is meant is not clear.
  void TakeBool(const Word* word) {
    if (word->value || at_ == args_.size()) return;
    const std::optional<bool> value = ParseBool(args_[at_]);
    if (!value) return;
    if (!*value) {
      clean_.errors.push_back("--" + word->name + " " + args_[at_] +
                              ": write --" + word->name + "=" + args_[at_]);
    }
    ++at_;
  }

  void Pass(const Word& word) {
    clean_.args.push_back("--" + word.name +
                          (word.value ? "=" + *word.value : ""));
  }

  void Judge(const ForeignFlag& flag, const std::string& value) {
    const std::string text = "--" + std::string(flag.name) + "=" + value;
    const bool is_default =
        IsBool(flag) ? ParseBool(value) == ParseBool(flag.default_value)
                     : value == flag.default_value ||
                           SameNumber(value, flag.default_value);
    if (is_default) {
      clean_.notes.push_back(text + " is ignored: it is RocksDB's default");
    } else if (flag.effect == Effect::kNoEffect) {
      clean_.notes.push_back(text +
                             " is ignored: it changes no benchmark of ours");
    } else {
      clean_.errors.push_back(
          text +
          ": RocksDB's db_bench has this flag, ours does not, and it "
          "would change what is measured");
    }
  }

  void Refuse(Word* word) {
    std::vector<std::string> names = own_.names;
    for (const ForeignFlag& flag : kForeignFlags) names.emplace_back(flag.name);
    const std::string nearest = NearestName(word->name, names);
    clean_.errors.push_back(
        "unknown flag --" + word->name +
        (nearest.empty() ? "" : "; did you mean --" + nearest + "?"));
    TakeValue(word);
  }

  const std::vector<std::string>& args_;
  const OwnFlags& own_;
  size_t at_ = 0;  // The next word.
  CleanArgs clean_;
};

// Characters to insert, delete, replace or swap with the next one.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> rows(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    rows[i][0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced =
          rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      size_t& best = rows[i][j];
      best = std::min({replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

std::string WithoutUnderscores(std::string name) {
  std::erase(name, '_');
  return name;
}

// The changes that lead from one name to the other. Underscores that are
// missing or too many are one change, however many they are.
size_t Changes(const std::string& a, const std::string& b) {
  const size_t changes = EditDistance(a, b);
  return WithoutUnderscores(a) == WithoutUnderscores(b)
             ? std::min(changes, size_t{1})
             : changes;
}

// Names with more changes have little in common. A third of a name would be
// too much: help_me is not helpxml.
size_t MostChanges(const std::string& a, const std::string& b) {
  const size_t length = std::max(a.size(), b.size());
  return length < 3 ? 0 : std::clamp(length / 4, size_t{1}, size_t{3});
}

// The shortest name that begins with `name` and an underscore; "" if there is
// none, or if another such name begins differently.
std::string OnlyContinuation(const std::string& name,
                             const std::vector<std::string>& names) {
  std::vector<std::string> longer;
  std::copy_if(names.begin(), names.end(), std::back_inserter(longer),
               [&name](const std::string& candidate) {
                 return candidate.starts_with(name + "_");
               });
  if (longer.empty()) return "";
  const auto shortest = std::min_element(
      longer.begin(), longer.end(),
      [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const bool only = std::all_of(longer.begin(), longer.end(),
                                [&shortest](const std::string& candidate) {
                                  return candidate.starts_with(*shortest);
                                });
  return only ? *shortest : "";
}

}  // namespace

CleanArgs CleanArguments(const std::vector<std::string>& args,
                         const OwnFlags& own) {
  return Cleaner(args, own).Run();
}

std::string NearestName(const std::string& name,
                        const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = 0;
  for (const std::string& candidate : names) {
    const size_t changes = Changes(name, candidate);
    if (changes > MostChanges(name, candidate)) continue;
    if (!nearest.empty() && changes >= least) continue;
    least = changes;
    nearest = candidate;
  }
  return nearest.empty() ? OnlyContinuation(name, names) : nearest;
}

}  // namespace ROCKSDB_NAMESPACE::bench
