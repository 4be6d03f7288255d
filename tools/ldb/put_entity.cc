#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/wide_columns.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr char kMalformed[] =
    "wide column format needs to be <column_name>:<column_value> (did you mean "
    "put <key> <value>?)";

Outcome PutEntity(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.parameters();
  if (words.size() < 2) {
    return Outcome::Fail(
        "<key> and at least one column <column_name>:<column_value> must be "
        "specified for the put_entity command");
  }
  const auto key = arguments.Key(words[0]);
  if (!key.ok()) return key.status();
  std::vector<std::pair<std::string, std::string>> texts;
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t colon = words[i].find(':');
    if (colon == std::string::npos) return Outcome::Fail(kMalformed);
    auto name = arguments.Value(words[i].substr(0, colon));
    if (!name.ok()) return name.status();
    auto value = arguments.Value(words[i].substr(colon + 1));
    if (!value.ok()) return value.status();
    texts.emplace_back(*std::move(name), *std::move(value));
  }
  WideColumns columns;
  for (const auto& [name, value] : texts) columns.emplace_back(name, value);
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  RETURN_IF_ERROR((*session)->db()->PutEntity(
      WriteOptions(), (*session)->family(), *key, columns));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

const char* const kPutEntityFlags[] = {"create_if_missing"};

}  // namespace

const Command kPutEntity = {
    "put_entity",
    "<key> <column1_name>:<column1_value> <column2_name>:<column2_value> ... "
    "[--create_if_missing]",
    kPutEntityFlags, true, PutEntity};

}  // namespace ROCKSDB_NAMESPACE::ldb
