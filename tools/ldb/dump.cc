#include <cinttypes>
#include <cstdio>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/dump_file.h"
#include "tools/ldb/key_range.h"
#include "tools/ldb/output.h"
#include "util/histogram.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// Entries are printed, or counted, or counted by prefix.
class Dumper {
 public:
  explicit Dumper(const Arguments& arguments)
      : arguments_(arguments),
        count_only_(arguments.Bool("count_only")),
        delimiter_(PrefixCounter::Delimiter(arguments)),
        by_prefix_(arguments, delimiter_.value_or('.')) {}

  void Add(const Slice& key, const Slice& value) {
    ++count_;
    if (count_only_) {
      value_bytes_.Add(value.size());
    } else if (delimiter_) {
      by_prefix_.Add(key, value);
    } else {
      PrintEntry(arguments_, key, value);
    }
  }

  void Finish() {
    if (delimiter_ && !count_only_) return by_prefix_.Finish();
    if (arguments_.json()) {
      if (count_only_) PrintCount();
      return;
    }
    std::printf("Keys in range: %" PRIu64 "\n", count_);
    if (count_only_) {
      std::printf("Value size distribution: \n%s\n",
                  value_bytes_.ToString().c_str());
    }
  }

 private:
  void PrintCount() const {
    engine::JsonWriter object;
    object.Add("keys", count_).Add("value_bytes", value_bytes_.sum());
    PrintJson(std::move(object));
  }

  const Arguments& arguments_;
  const bool count_only_;
  const std::optional<char> delimiter_;
  PrefixCounter by_prefix_;
  uint64_t count_ = 0;
  engine::Histogram value_bytes_;
};

Outcome Dump(const Arguments& arguments) {
  if (arguments.Has("path")) return DumpFile(arguments);
  if (arguments.Text("db").empty()) {
    return Outcome::Fail("Either db or path must be specified.");
  }
  const auto range = KeyRange::Of(arguments);
  if (!range.ok()) return range.status();
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  if (arguments.Bool("stats")) RETURN_IF_ERROR((*session)->PrintStats());
  Dumper dumper(arguments);
  RETURN_IF_ERROR(ForEachEntry(
      **session, *range,
      [&](const Slice& key, const Slice& value) { dumper.Add(key, value); }));
  dumper.Finish();
  return Status::OK();
}

const char* const kDumpFlags[] = {"from",       "to",          "max_keys",
                                  "count_only", "count_delim", "stats",
                                  "path",       "json"};

}  // namespace

const Command kDump = {
    "dump",
    "[--from] [--to] [--max_keys=<N>] [--count_only] [--count_delim=<char>] "
    "[--stats] [--path=<path_to_a_file>] [--json]",
    kDumpFlags, false, Dump};

}  // namespace ROCKSDB_NAMESPACE::ldb
