#include <cassert>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/options_string.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kThreadsMax = 1024;

std::string_view Trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(c) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Between separators that stand in no braces.
std::vector<std::string_view> PairsOf(std::string_view text) {
  std::vector<std::string_view> pairs;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{') ++depth;
    if (c == '}') --depth;
    const bool ends =
        i == text.size() || (depth <= 0 && (c == ',' || c == ';' || c == '\n'));
    if (!ends) continue;
    assert(begin <= i);
    const std::string_view pair = Trimmed(text.substr(begin, i - begin));
    if (!pair.empty()) pairs.push_back(pair);
    begin = i + 1;
  }
  return pairs;
}

// "2MB" and "2MiB" as the "2M" that options know; others as they are.
std::string_view WithoutByteUnit(std::string_view value) {
  std::string_view number = value;
  if (!number.empty() && number.back() == 'B') number.remove_suffix(1);
  if (!number.empty() && number.back() == 'i') number.remove_suffix(1);
  if (number.size() < 2 || number.size() == value.size()) return value;
  const std::string_view digits = number.substr(0, number.size() - 1);
  const bool unit = std::string_view("KMGTkmgt").find(number.back()) !=
                    std::string_view::npos;
  const bool all = digits.find_first_not_of("0123456789") == digits.npos;
  return unit && all ? number : value;
}

Status Bad(std::string_view pair, const std::string& why) {
  return Status::InvalidArgument("options string: " + std::string(pair), why);
}

// How many threads; 0: none are asked for.
struct Threads {
  int compactions = 0;
  int flushes = 0;

  int* Of(std::string_view name) {
    if (name == "compaction_threads") return &compactions;
    return name == "flusher_threads" ? &flushes : nullptr;
  }
};

Status ReadThreads(std::string_view pair, std::string_view value,
                   int* threads) {
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, *threads);
  if (error == std::errc() && stop == end && *threads >= 1 &&
      *threads <= kThreadsMax) {
    return Status::OK();
  }
  return Bad(pair,
             "expected a number from 1 to " + std::to_string(kThreadsMax));
}

Status ReadPair(std::string_view pair, Options* options, Threads* threads) {
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos) return Bad(pair, "has no '='");
  const std::string_view name = Trimmed(pair.substr(0, equals));
  const std::string_view value = Trimmed(pair.substr(equals + 1));
  if (int* const count = threads->Of(name)) {
    return ReadThreads(pair, value, count);
  }
  const std::string text =
      std::string(name) + "=" + std::string(WithoutByteUnit(value));
  const Options before = *options;
  const Status status = GetOptionsFromString(before, text, options);
  return status.ok() ? status : Bad(pair, status.ToString());
}

}  // namespace

Status GetOptionsFromCommaString(const Options& base_options,
                                 const std::string& text,
                                 Options* new_options) {
  Options options = base_options;
  Threads threads;
  for (const std::string_view pair : PairsOf(text)) {
    RETURN_IF_ERROR(ReadPair(pair, &options, &threads));
  }
  Env* const env = options.env != nullptr ? options.env : Env::Default();
  if (threads.compactions > 0) {
    env->SetBackgroundThreads(threads.compactions, Env::Priority::LOW);
  }
  if (threads.flushes > 0) {
    env->SetBackgroundThreads(threads.flushes, Env::Priority::HIGH);
  }
  *new_options = std::move(options);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
