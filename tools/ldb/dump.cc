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
  Dumper(const Arguments& arguments, const TtlTimes& times)
      : arguments_(arguments),
        times_(times),
        buckets_(times),
        count_only_(arguments.Bool("count_only")),
        delimiter_(PrefixCounter::Delimiter(arguments)),
        by_prefix_(arguments, delimiter_.value_or('.')) {}

  void Begin() const {
    if (!times_.shown || count_only_ || delimiter_ || arguments_.json()) return;
    Print("Dumping key-values " + times_.Range() + "\n");
  }

  void Add(const Entry& entry) {
    ++count_;
    if (entry.written_secs) buckets_.Add(*entry.written_secs);
    if (count_only_) {
      value_bytes_.Add(entry.value.size());
    } else if (delimiter_) {
      by_prefix_.Add(entry.key, entry.value);
    } else {
      PrintEntry(arguments_, entry.key, entry.value,
                 times_.shown ? entry.written_secs : std::nullopt);
    }
  }

  void Finish() {
    if (delimiter_ && !count_only_) return by_prefix_.Finish();
    if (arguments_.json()) {
      if (count_only_) PrintCount();
      return;
    }
    if (times_.bucket_secs > 0) {
      buckets_.Print();
    } else {
      std::printf("Keys in range: %" PRIu64 "\n", count_);
    }
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
  const TtlTimes times_;
  TimeBuckets buckets_;
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
  Dumper dumper(arguments, range->times);
  dumper.Begin();
  RETURN_IF_ERROR(ForEachEntry(**session, *range,
                               [&](const Entry& entry) { dumper.Add(entry); }));
  dumper.Finish();
  return Status::OK();
}

const char* const kDumpFlags[] = {
    "from", "to",  "max_keys",  "count_only", "count_delim", "stats", "path",
    "json", "ttl", "timestamp", "start_time", "end_time",    "bucket"};

}  // namespace

const Command kDump = {
    "dump",
    "[--from] [--to] [--ttl] [--max_keys=<N>] [--timestamp] [--count_only] "
    "[--count_delim=<char>] [--stats] [--bucket=<N>] "
    "[--start_time=<N>:- is inclusive] [--end_time=<N>:- is exclusive] "
    "[--path=<path_to_a_file>] [--json]",
    kDumpFlags, false, Dump};

}  // namespace ROCKSDB_NAMESPACE::ldb
