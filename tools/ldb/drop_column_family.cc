#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome DropColumnFamily(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("The name of column family to drop must be specified");
  }
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  const std::string& name = arguments.parameters()[0];
  ColumnFamilyHandle* const family = (*session)->FindFamily(name);
  if (family == nullptr) {
    return Outcome::Fail("Column family: " + name + " doesn't exist in db.");
  }
  RETURN_IF_ERROR((*session)->db()->DropColumnFamily(family));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kDropColumnFamily = {
    "drop_column_family", "<name>", {}, true, DropColumnFamily};

}  // namespace ROCKSDB_NAMESPACE::ldb
