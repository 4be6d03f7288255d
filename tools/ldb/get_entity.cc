#include "rocksdb/wide_columns.h"
#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// "name:value name:value"; the default column has no name.
std::string ColumnsText(const Arguments& arguments,
                        const WideColumns& columns) {
  const auto show = [&](const Slice& bytes) {
    return arguments.ShowValue(bytes);
  };
  std::string text;
  for (const WideColumn& column : columns) {
    text += (text.empty() ? "" : " ") + show(column.name()) + ":" +
            show(column.value());
  }
  return text;
}

void PrintAsJson(const Arguments& arguments, const Slice& key,
                 const WideColumns& columns) {
  engine::JsonWriter object;
  object.Add("key", JsonKey(arguments, key)).Key("columns").BeginObject();
  for (const WideColumn& column : columns) {
    object.Add(JsonValue(arguments, column.name()),
               JsonValue(arguments, column.value()));
  }
  object.EndObject();
  PrintJson(std::move(object));
}

Outcome GetEntity(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("<key> must be specified for the get_entity command");
  }
  const auto key = arguments.Key(arguments.parameters()[0]);
  if (!key.ok()) return key.status();
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  PinnableWideColumns columns;
  const Status status = (*session)->db()->GetEntity(
      ReadOptions(), (*session)->family(), *key, &columns);
  if (!status.ok()) {
    return Outcome::Fail("GetEntity failed: " + status.ToString());
  }
  if (arguments.json()) {
    PrintAsJson(arguments, *key, columns.columns());
  } else {
    Print(ColumnsText(arguments, columns.columns()) + "\n");
  }
  return Status::OK();
}

const char* const kGetEntityFlags[] = {"json"};

}  // namespace

const Command kGetEntity = {"get_entity", "<key> [--json]", kGetEntityFlags,
                            true, GetEntity};

}  // namespace ROCKSDB_NAMESPACE::ldb
