#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status PrintStats(DB* db) {
  std::string stats;
  if (!db->GetProperty("rocksdb.stats", &stats)) {
    return Status::NotFound("property rocksdb.stats");
  }
  std::printf("%s\n", stats.c_str());
  return Status::OK();
}

Status Dump(const Arguments& arguments) {
  const auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  const std::optional<std::string>& first = *from;
  const auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  const std::optional<std::string>& last = *to;
  const engine::Result<uint64_t> max_keys =
      arguments.Number("max_keys", UINT64_MAX);
  if (!max_keys.ok()) return max_keys.status();
  const bool count_only = arguments.Bool("count_only");
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  if (arguments.Bool("stats")) RETURN_IF_ERROR(PrintStats(db));

  ReadOptions options;
  options.total_order_seek = true;
  Slice upper_bound;
  if (last) {
    upper_bound = *last;
    options.iterate_upper_bound = &upper_bound;
  }
  const std::unique_ptr<Iterator> it(
      db->NewIterator(options, (*session)->family()));
  if (first) {
    it->Seek(*first);
  } else {
    it->SeekToFirst();
  }
  uint64_t count = 0;
  uint64_t value_bytes = 0;
  for (; count < *max_keys && it->Valid(); it->Next(), ++count) {
    value_bytes += it->value().size();
    if (count_only) continue;
    const std::string line = arguments.ShowKey(it->key()) + " ==> " +
                             arguments.ShowValue(it->value()) + "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
  RETURN_IF_ERROR(it->status());
  std::printf("Keys in range: %" PRIu64 "\n", count);
  if (count_only) {
    std::printf("Bytes of values: %" PRIu64 "\n", value_bytes);
  }
  return Status::OK();
}

const char* const kFlags[] = {"from", "to", "max_keys", "count_only", "stats"};

}  // namespace

const Command kDump = {
    "dump", "[--from] [--to] [--max_keys=<N>] [--count_only] [--stats]", kFlags,
    true, Dump};

}  // namespace ROCKSDB_NAMESPACE::ldb
