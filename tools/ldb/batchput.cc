#include <cstdio>

#include "rocksdb/write_batch.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome BatchPut(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.parameters();
  if (words.empty() || words.size() % 2 != 0) {
    return Outcome::Fail(
        "At least one <key> <value> pair must be specified batchput.");
  }
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  WriteBatch batch;
  for (size_t i = 0; i < words.size(); i += 2) {
    const engine::Result<std::string> key = arguments.Key(words[i]);
    if (!key.ok()) return key.status();
    const engine::Result<std::string> value = arguments.Value(words[i + 1]);
    if (!value.ok()) return value.status();
    RETURN_IF_ERROR(batch.Put((*session)->family(), *key, *value));
  }
  RETURN_IF_ERROR((*session)->db()->Write(WriteOptions(), &batch));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

const char* const kBatchPutFlags[] = {"create_if_missing", "ttl"};

}  // namespace

const Command kBatchPut = {
    "batchput",
    "<key> <value> [<key> <value>] [..] [--create_if_missing] [--ttl]",
    kBatchPutFlags, true, BatchPut};

}  // namespace ROCKSDB_NAMESPACE::ldb
