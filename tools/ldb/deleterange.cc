#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome DeleteRange(const Arguments& arguments) {
  if (arguments.parameters().size() != 2) {
    return Outcome::Fail(
        "begin and end keys must be specified for the delete command");
  }
  const engine::Result<std::string> begin =
      arguments.Key(arguments.parameters()[0]);
  if (!begin.ok()) return begin.status();
  const engine::Result<std::string> end =
      arguments.Key(arguments.parameters()[1]);
  if (!end.ok()) return end.status();
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  RETURN_IF_ERROR((*session)->db()->DeleteRange(
      WriteOptions(), (*session)->family(), *begin, *end));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kDeleteRange = {
    "deleterange", "<begin key> <end key>", {}, true, DeleteRange};

}  // namespace ROCKSDB_NAMESPACE::ldb
