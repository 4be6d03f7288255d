#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status ApproxSize(const Arguments& arguments) {
  const auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  const std::optional<std::string>& first = *from;
  const auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  const std::optional<std::string>& last = *to;
  if (!first || !last) {
    return Status::InvalidArgument(
        "--from and --to must be specified for approxsize");
  }
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  const Range range(*first, *last);
  uint64_t bytes = 0;
  RETURN_IF_ERROR((*session)->db()->GetApproximateSizes(
      SizeApproximationOptions(), (*session)->family(), &range, 1, &bytes));
  std::printf("%" PRIu64 "\n", bytes);
  return Status::OK();
}

const char* const kFlags[] = {"from", "to"};

}  // namespace

const Command kApproxSize = {"approxsize", "--from --to", kFlags, true,
                             ApproxSize};

}  // namespace ROCKSDB_NAMESPACE::ldb
