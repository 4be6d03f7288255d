#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status Compact(const Arguments& arguments) {
  const auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  const auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  Slice begin;
  Slice end;
  if (from->has_value()) begin = **from;
  if (to->has_value()) end = **to;
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  RETURN_IF_ERROR((*session)->db()->CompactRange(
      options, (*session)->family(), from->has_value() ? &begin : nullptr,
      to->has_value() ? &end : nullptr));
  return (*session)->Close();
}

const char* const kFlags[] = {"from", "to"};

}  // namespace

const Command kCompact = {"compact", "[--from] [--to]", kFlags, true, Compact};

}  // namespace ROCKSDB_NAMESPACE::ldb
