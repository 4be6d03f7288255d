#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status CreateColumnFamily(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Status::InvalidArgument("new column family name must be specified");
  }
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  ColumnFamilyHandle* created = nullptr;
  RETURN_IF_ERROR(db->CreateColumnFamily((*session)->family_options(),
                                         arguments.parameters()[0], &created));
  RETURN_IF_ERROR(db->DestroyColumnFamilyHandle(created));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kCreateColumnFamily = {
    "create_column_family", "<name>", {}, true, CreateColumnFamily};

}  // namespace ROCKSDB_NAMESPACE::ldb
