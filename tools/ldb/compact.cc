#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status Compact(const Arguments& arguments) {
  const auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  const std::optional<std::string>& first = *from;
  const auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  const std::optional<std::string>& last = *to;
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  Slice begin;
  Slice end;
  if (first) begin = *first;
  if (last) end = *last;
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  RETURN_IF_ERROR((*session)->db()->CompactRange(options, (*session)->family(),
                                                 first ? &begin : nullptr,
                                                 last ? &end : nullptr));
  return (*session)->Close();
}

const char* const kFlags[] = {"from", "to"};

}  // namespace

const Command kCompact = {"compact", "[--from] [--to]", kFlags, true, Compact};

}  // namespace ROCKSDB_NAMESPACE::ldb
