#include <cstdio>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status ListColumnFamilies(const Arguments& arguments) {
  const std::string db = arguments.Text("db");
  std::vector<std::string> names;
  RETURN_IF_ERROR(DB::ListColumnFamilies(DBOptions(), db, &names));
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  std::printf("Column families in %s: \n{%s}\n", db.c_str(), text.c_str());
  return Status::OK();
}

}  // namespace

const Command kListColumnFamilies = {
    "list_column_families", "", {}, true, ListColumnFamilies};

}  // namespace ROCKSDB_NAMESPACE::ldb
