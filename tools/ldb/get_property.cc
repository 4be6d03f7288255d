#include <cinttypes>
#include <cstdio>
#include <map>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status GetProperty(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Status::InvalidArgument("property name must be specified");
  }
  const std::string& name = arguments.parameters()[0];
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  ColumnFamilyHandle* const family = (*session)->family();

  std::map<std::string, std::string> parts;
  std::string text;
  uint64_t number = 0;
  if (db->GetIntProperty(family, name, &number)) {
    std::printf("%s: %" PRIu64 "\n", name.c_str(), number);
  } else if (db->GetProperty(family, name, &text)) {
    std::printf("%s: %s\n", name.c_str(), text.c_str());
  } else if (db->GetMapProperty(family, name, &parts)) {
    for (const auto& [key, value] : parts) {
      std::printf("%s.%s: %s\n", name.c_str(), key.c_str(), value.c_str());
    }
  } else {
    return Status::NotFound("failed to get property: " + name);
  }
  return Status::OK();
}

}  // namespace

const Command kGetProperty = {"get_property", "<name>", {}, true, GetProperty};

}  // namespace ROCKSDB_NAMESPACE::ldb
