#include "tools/ldb/lines.h"

#include <iostream>

namespace ROCKSDB_NAMESPACE::ldb {

Status ForEachEntryLine(
    const Arguments& arguments, FILE* warnings,
    const std::function<Status(const std::string& key,
                               const std::string& value)>& use) {
  static constexpr char kArrow[] = " ==> ";
  int bad_lines = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const size_t at = line.find(kArrow);
    if (at == std::string::npos) {
      ++bad_lines;
      continue;
    }
    const auto key = arguments.Key(line.substr(0, at));
    if (!key.ok()) return key.status();
    const auto value = arguments.Value(line.substr(at + sizeof(kArrow) - 1));
    if (!value.ok()) return value.status();
    RETURN_IF_ERROR(use(*key, *value));
  }
  if (bad_lines > 0) {
    std::fprintf(warnings, "Warning: %d bad lines ignored.\n", bad_lines);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::ldb
