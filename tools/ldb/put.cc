#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Put(const Arguments& arguments) {
  if (arguments.parameters().size() != 2) {
    return Outcome::Fail(
        "<key> and <value> must be specified for the put command");
  }
  const engine::Result<std::string> key =
      arguments.Key(arguments.parameters()[0]);
  if (!key.ok()) return key.status();
  const engine::Result<std::string> value =
      arguments.Value(arguments.parameters()[1]);
  if (!value.ok()) return value.status();
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  RETURN_IF_ERROR((*session)->db()->Put(WriteOptions(), (*session)->family(),
                                        *key, *value));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

const char* const kPutFlags[] = {"create_if_missing", "ttl"};

}  // namespace

const Command kPut = {"put", "<key> <value> [--create_if_missing] [--ttl]",
                      kPutFlags, true, Put};

}  // namespace ROCKSDB_NAMESPACE::ldb
