#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome ListColumnFamilies(const Arguments& arguments) {
  const std::string db = arguments.Text("db");
  std::vector<std::string> names;
  RETURN_IF_ERROR(DB::ListColumnFamilies(DBOptions(), db, &names));
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
    if (!arguments.json()) continue;
    engine::JsonWriter object;
    object.Add("column_family", JsonText(name));
    PrintJson(std::move(object));
  }
  if (!arguments.json()) {
    Print("Column families in " + db + ": \n{" + text + "}\n");
  }
  return Status::OK();
}

const char* const kListColumnFamiliesFlags[] = {"json"};

}  // namespace

const Command kListColumnFamilies = {"list_column_families", "[--json]",
                                     kListColumnFamiliesFlags, true,
                                     ListColumnFamilies};

}  // namespace ROCKSDB_NAMESPACE::ldb
