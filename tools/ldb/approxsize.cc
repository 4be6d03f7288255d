#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/key_range.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome ApproxSize(const Arguments& arguments) {
  const auto range = KeyRange::Of(arguments);
  if (!range.ok()) return range.status();
  const std::optional<std::string>& from = range->from;
  const std::optional<std::string>& to = range->to;
  if (!from) {
    return Outcome::Fail("from must be specified for approxsize command");
  }
  if (!to) {
    return Outcome::Fail("to must be specified for approxsize command");
  }
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  const Range ask(*from, *to);
  uint64_t bytes = 0;
  RETURN_IF_ERROR((*session)->db()->GetApproximateSizes(
      SizeApproximationOptions(), (*session)->family(), &ask, 1, &bytes));
  if (arguments.json()) {
    engine::JsonWriter object;
    object.Add("bytes", bytes);
    PrintJson(std::move(object));
  } else {
    Print(std::to_string(bytes) + "\n");
  }
  return Status::OK();
}

const char* const kApproxSizeFlags[] = {"from", "to", "json"};

}  // namespace

const Command kApproxSize = {"approxsize", "[--from] [--to] [--json]",
                             kApproxSizeFlags, true, ApproxSize};

}  // namespace ROCKSDB_NAMESPACE::ldb
