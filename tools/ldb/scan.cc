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
  return ForEachEntry(**session, *range,
                      [&](const Slice& key, const Slice& value) {
                        if (no_value) {
                          PrintKey(arguments, key);
                        } else {
                          PrintEntry(arguments, key, value);
                        }
                      });
}

const char* const kScanFlags[] = {"from", "to", "max_keys", "no_value", "json"};

}  // namespace

const Command kScan = {"scan",
                       "[--from] [--to] [--max_keys=<N>] [--no_value] [--json]",
                       kScanFlags, true, Scan};

}  // namespace ROCKSDB_NAMESPACE::ldb
