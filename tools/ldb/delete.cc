#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Delete(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("KEY must be specified for the delete command");
  }
  const engine::Result<std::string> key =
      arguments.Key(arguments.parameters()[0]);
  if (!key.ok()) return key.status();
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  RETURN_IF_ERROR(
      (*session)->db()->Delete(WriteOptions(), (*session)->family(), *key));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kDelete = {"delete", "<key>", {}, true, Delete};

}  // namespace ROCKSDB_NAMESPACE::ldb
