#include <string>
#include <utility>
#include <vector>

#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr uint64_t kTombstonesMax = 1000;

// Bounds are always hex without 0x, as in RocksDB.
void PrintTombstone(const Arguments& arguments, const std::string& path,
                    const Slice& begin_key, const Slice& end) {
  const Slice begin = engine::ExtractUserKey(begin_key);
  const uint64_t sequence = engine::ExtractSequence(begin_key);
  if (arguments.json()) {
    engine::JsonWriter object;
    object.Add("file", JsonText(path))
        .Add("begin", JsonKey(arguments, begin))
        .Add("end", JsonKey(arguments, end))
        .Add("sequence", sequence);
    return PrintJson(std::move(object));
  }
  Print("start: " + begin.ToString(true) + " end: " + end.ToString(true) +
        " seq: " + std::to_string(sequence) + "\n");
}

Outcome ListFileRangeDeletes(const Arguments& arguments) {
  const auto given = arguments.Number("max_keys", kTombstonesMax);
  if (!given.ok()) return given.status();
  uint64_t left = *given;
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  ColumnFamilyMetaData family;
  (*session)->db()->GetColumnFamilyMetaData((*session)->family(), &family);
  bool complete = true;
  for (const LevelMetaData& level : family.levels) {
    for (const SstFileMetaData& meta : level.files) {
      if (left == 0) break;
      const std::string path = meta.db_path + meta.name;
      engine::sst_dump::TableFile file;
      RETURN_IF_ERROR(engine::sst_dump::OpenTableFile(
          path, arguments.host().options, &file));
      std::vector<std::pair<std::string, std::string>> tombstones;
      RETURN_IF_ERROR(file.table->ReadRangeDeletions(&tombstones));
      if (!arguments.json()) Print("=== file : " + path + " ===\n");
      for (const auto& [begin, end] : tombstones) {
        if (left == 0) break;
        PrintTombstone(arguments, path, begin, end);
        if (--left == 0) complete = false;
      }
    }
  }
  if (!arguments.json()) {
    Print(complete ? "\n" : "(results may not be complete)\n\n");
  }
  return Status::OK();
}

const char* const kListFileRangeDeletesFlags[] = {"max_keys", "json"};

}  // namespace

const Command kListFileRangeDeletes = {
    "list_file_range_deletes",
    "[--max_keys=<N>] [--json] : print tombstones in SST files.",
    kListFileRangeDeletesFlags, true, ListFileRangeDeletes};

}  // namespace ROCKSDB_NAMESPACE::ldb
