#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/key_range.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Compact(const Arguments& arguments) {
  const auto range = KeyRange::Of(arguments);
  if (!range.ok()) return range.status();
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  const std::optional<std::string>& from = range->from;
  const std::optional<std::string>& to = range->to;
  Slice begin;
  Slice end;
  if (from) begin = *from;
  if (to) end = *to;
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  RETURN_IF_ERROR((*session)->db()->CompactRange(options, (*session)->family(),
                                                 from ? &begin : nullptr,
                                                 to ? &end : nullptr));
  return (*session)->Close();
}

const char* const kCompactFlags[] = {"from", "to"};

}  // namespace

const Command kCompact = {"compact", "[--from] [--to]", kCompactFlags, true,
                          Compact};

}  // namespace ROCKSDB_NAMESPACE::ldb
