#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status Get(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Status::InvalidArgument(
        "<key> must be specified for the get command");
  }
  const engine::Result<std::string> key =
      arguments.Key(arguments.parameters()[0]);
  if (!key.ok()) return key.status();
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  std::string value;
  RETURN_IF_ERROR(
      (*session)->db()->Get(ReadOptions(), (*session)->family(), *key, &value));
  const std::string text = arguments.ShowValue(value) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return Status::OK();
}

}  // namespace

const Command kGet = {"get", "<key>", {}, true, Get};

}  // namespace ROCKSDB_NAMESPACE::ldb
