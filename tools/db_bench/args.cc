#include "tools/db_bench/args.h"

#include <algorithm>
#include <iterator>
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
    {"max_grandparent_overlap_factor", ""},
    {"writes_per_second", ""},
    {"disable_data_sync", ""},
    {"hard_rate_limit", ""},
    {"soft_rate_limit", ""},
    {"compaction_measure_io_stats", ""},
    {"source_compaction_factor", ""},
    {"rate_limit_delay_max_milliseconds", ""},
    {"statistics_string", ""},
    {"disable_seek_compaction", ""},
};

struct Word {
  std::string name;
  std::optional<std::string> value;
};

Word Split(const std::string& arg) {
  const size_t begin = arg.find_first_not_of('-');
  if (begin == std::string::npos) return {};
  const size_t eq = arg.find('=', begin);
  if (eq == std::string::npos) return {arg.substr(begin), {}};
  return {arg.substr(begin, eq - begin), arg.substr(eq + 1)};
}

bool IsFlag(const std::string& arg) {
  // "-5" is a value.
  return arg.size() > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9');
}

const Alias* FindAlias(const std::string& name) {
  const auto* it = std::find_if(
      std::begin(kAliases), std::end(kAliases),
      [&name](const Alias& alias) { return name == alias.old_name; });
  return it == std::end(kAliases) ? nullptr : it;
}

}  // namespace

CleanArgs CleanArguments(
    const std::vector<std::string>& args,
    const std::function<FlagKind(const std::string&)>& kind) {
  CleanArgs clean;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!IsFlag(args[i])) {
      clean.warnings.push_back("ignored: " + args[i]);
      continue;
    }
    Word word = Split(args[i]);
    bool silent = false;
    if (const Alias* alias = FindAlias(word.name)) {
      word.name = alias->name;
      silent = word.name.empty();
    }
    FlagKind what = silent ? FlagKind::kUnknown : kind(word.name);
    const bool negated = what == FlagKind::kUnknown &&
                         word.name.rfind("no", 0) == 0 &&
                         kind(word.name.substr(2)) == FlagKind::kBool;
    if (negated) what = FlagKind::kBool;
    const bool next_is_value = i + 1 < args.size() && !IsFlag(args[i + 1]);
    if (!word.value && what != FlagKind::kBool && next_is_value) {
      word.value = args[++i];
    }
    if (what == FlagKind::kUnknown) {
      if (!silent) clean.warnings.push_back("unknown flag ignored: " + args[i]);
      continue;
    }
    clean.args.push_back("--" + word.name +
                         (word.value ? "=" + *word.value : ""));
  }
  return clean;
}

}  // namespace ROCKSDB_NAMESPACE::bench
