#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Get(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("<key> must be specified for the get command");
  }
  const auto key = arguments.Key(arguments.parameters()[0]);
  if (!key.ok()) return key.status();
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  std::string value;
  const Status status =
      (*session)->db()->Get(ReadOptions(), (*session)->family(), *key, &value);
  if (status.IsNotFound()) {  // An answer, not a failure, as in RocksDB 11.8.
    PrintMissing(arguments, *key, status, "Key not found");
    return Status::OK();
  }
  if (!status.ok()) return Outcome::Fail("Get failed: " + status.ToString());
  if (arguments.json()) {
    PrintEntry(arguments, *key, value);
  } else {
    Print(arguments.ShowValue(value) + "\n");
  }
  return Status::OK();
}

const char* const kGetFlags[] = {"json", "ttl"};

}  // namespace

const Command kGet = {"get", "<key> [--ttl] [--json]", kGetFlags, true, Get};

}  // namespace ROCKSDB_NAMESPACE::ldb
