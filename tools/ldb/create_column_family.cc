#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome CreateColumnFamily(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("new column family name must be specified");
  }
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  ColumnFamilyHandle* created = nullptr;
  const Status status = db->CreateColumnFamily(
      (*session)->family_options(), arguments.parameters()[0], &created);
  if (!status.ok()) {
    return Outcome::Fail("Fail to create new column family: " +
                         status.ToString());
  }
  RETURN_IF_ERROR(db->DestroyColumnFamilyHandle(created));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kCreateColumnFamily = {
    "create_column_family", "<name>", {}, true, CreateColumnFamily};

}  // namespace ROCKSDB_NAMESPACE::ldb
