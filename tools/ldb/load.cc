#include "rocksdb/write_batch.h"
#include "tools/ldb/command.h"
#include "tools/ldb/lines.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Load(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  ColumnFamilyHandle* const family = (*session)->family();
  WriteOptions write;
  write.disableWAL = arguments.Bool("disable_wal");
  RETURN_IF_ERROR(ForEachEntryLine(
      arguments, stdout, [&](const std::string& key, const std::string& value) {
        return db->Put(write, family, key, value);
      }));
  if (write.disableWAL) RETURN_IF_ERROR(db->Flush(FlushOptions(), family));
  if (arguments.Bool("compact")) {
    RETURN_IF_ERROR(
        db->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
  }
  return (*session)->Close();
}

constexpr const char* kLoadFlags[] = {"create_if_missing", "disable_wal",
                                      "bulk_load", "compact"};

}  // namespace

const Command kLoad = {
    "load", "[--create_if_missing] [--disable_wal] [--bulk_load] [--compact]",
    kLoadFlags, true, Load};

}  // namespace ROCKSDB_NAMESPACE::ldb
