#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status Scan(const Arguments& arguments) {
  const auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  const std::optional<std::string>& first = *from;
  const auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  const std::optional<std::string>& last = *to;
  const engine::Result<uint64_t> max_keys =
      arguments.Number("max_keys", UINT64_MAX);
  if (!max_keys.ok()) return max_keys.status();
  const bool no_value = arguments.Bool("no_value");
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();

  ReadOptions options;
  options.total_order_seek = true;
  Slice upper_bound;
  if (last) {
    upper_bound = *last;
    options.iterate_upper_bound = &upper_bound;
  }
  const std::unique_ptr<Iterator> it(
      (*session)->db()->NewIterator(options, (*session)->family()));
  if (first) {
    it->Seek(*first);
  } else {
    it->SeekToFirst();
  }
  for (uint64_t left = *max_keys; left > 0 && it->Valid(); it->Next(), --left) {
    std::string line = arguments.ShowKey(it->key());
    if (!no_value) line += " ==> " + arguments.ShowValue(it->value());
    line += "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
  return it->status();
}

const char* const kFlags[] = {"from", "to", "max_keys", "no_value"};

}  // namespace

const Command kScan = {"scan", "[--from] [--to] [--max_keys=<N>] [--no_value]",
                       kFlags, true, Scan};

}  // namespace ROCKSDB_NAMESPACE::ldb
