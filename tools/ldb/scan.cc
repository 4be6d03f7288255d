#include "tools/ldb/command.h"
#include "tools/ldb/key_range.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Scan(const Arguments& arguments) {
  const auto range = KeyRange::Of(arguments);
  if (!range.ok()) return range.status();
  const bool no_value = arguments.Bool("no_value");
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  if (range->times.shown && !arguments.json()) {
    Print("Scanning key-values " + range->times.Range() + "\n");
  }
  return ForEachEntry(**session, *range, [&](const Entry& entry) {
    const auto time = range->times.shown ? entry.written_secs : std::nullopt;
    if (no_value) {
      PrintKey(arguments, entry.key, time);
    } else {
      PrintEntry(arguments, entry.key, entry.value, time);
    }
  });
}

const char* const kScanFlags[] = {"from",      "to",         "max_keys",
                                  "no_value",  "json",       "ttl",
                                  "timestamp", "start_time", "end_time"};

}  // namespace

const Command kScan = {
    "scan",
    "[--from] [--to] [--ttl] [--timestamp] [--max_keys=<N>] "
    "[--start_time=<N>:- is inclusive] [--end_time=<N>:- is exclusive] "
    "[--no_value] [--json]",
    kScanFlags, true, Scan};

}  // namespace ROCKSDB_NAMESPACE::ldb
