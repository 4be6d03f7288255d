#include <map>

#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome GetProperty(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("property name must be specified");
  }
  const std::string& name = arguments.parameters()[0];
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  ColumnFamilyHandle* const family = (*session)->family();

  std::map<std::string, std::string> parts;
  std::string text;
  uint64_t number = 0;
  engine::JsonWriter object;
  // Maps first: what has a map has a text for people, too, and scripts cut
  // the lines of the map.
  if (db->GetMapProperty(family, name, &parts)) {
    object.Key(name).BeginObject();
    for (const auto& [key, value] : parts) {
      object.Add(key, JsonText(value));
      text.append(name).append(".").append(key);
      text.append(": ").append(value).append("\n");
    }
    object.EndObject();
  } else if (db->GetIntProperty(family, name, &number)) {
    object.Add(name, number);
    text = name + ": " + std::to_string(number) + "\n";
  } else if (db->GetProperty(family, name, &text)) {
    object.Add(name, JsonText(text));
    text = name + ": " + text + "\n";
  } else {
    return Outcome::Fail("failed to get property: " + name);
  }
  if (arguments.json()) {
    PrintJson(std::move(object));
  } else {
    Print(text);
  }
  return Status::OK();
}

const char* const kGetPropertyFlags[] = {"json"};

}  // namespace

const Command kGetProperty = {"get_property", "<property_name> [--json]",
                              kGetPropertyFlags, true, GetProperty};

}  // namespace ROCKSDB_NAMESPACE::ldb
