#include <cinttypes>
#include <cstdio>
#include <string>

#include "rocksdb/utilities/debug.h"
#include "table/internal_key.h"
#include "tools/ldb/command.h"
#include "tools/ldb/key_range.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// RocksDB's form: in quotes, and without 0x.
void PrintVersion(const Arguments& arguments, const KeyVersion& version) {
  if (arguments.json()) {
    engine::JsonWriter object;
    object.Add("key", JsonKey(arguments, version.user_key))
        .Add("sequence", version.sequence)
        .Add("type", version.type)
        .Add("type_name", version.GetTypeName())
        .Add("value", JsonValue(arguments, version.value));
    return PrintJson(std::move(object));
  }
  Print("'" + Slice(version.user_key).ToString(arguments.key_hex()) +
        "' seq:" + std::to_string(version.sequence) +
        ", type:" + std::to_string(version.type) + " => " +
        Slice(version.value).ToString(arguments.value_hex()) + "\n");
}

// The bounds may be hex where the output is not.
engine::Result<KeyRange> RangeOf(const Arguments& arguments) {
  if (!arguments.Bool("input_key_hex")) return KeyRange::Of(arguments);
  Arguments hex = arguments;
  hex.Set("key_hex", "true");
  return KeyRange::Of(hex);
}

Outcome InternalDump(const Arguments& arguments) {
  const auto range = RangeOf(arguments);
  if (!range.ok()) return range.status();
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  if (arguments.Bool("stats")) RETURN_IF_ERROR((*session)->PrintStats());
  const bool count_only = arguments.Bool("count_only");
  const std::optional<char> delimiter = PrefixCounter::Delimiter(arguments);
  PrefixCounter by_prefix(arguments, delimiter.value_or('.'));

  uint64_t count = 0;
  RETURN_IF_ERROR((*session)->ForEachVersion(
      range->from, range->to, [&](const KeyVersion& version) {
        if (count == range->keys_max) return false;
        ++count;
        if (delimiter) {
          by_prefix.Add(version.user_key, version.value);
        } else if (!count_only) {
          PrintVersion(arguments, version);
        }
        return true;
      }));
  if (delimiter) {
    by_prefix.Finish();
  } else if (!arguments.json()) {
    std::printf("Internal keys in range: %" PRIu64 "\n", count);
  } else if (count_only) {
    engine::JsonWriter object;
    object.Add("keys", count);
    PrintJson(std::move(object));
  }
  return Status::OK();
}

const char* const kIdumpFlags[] = {"from",  "to",         "input_key_hex",
                                   "stats", "max_keys",   "count_only",
                                   "json",  "count_delim"};

}  // namespace

const Command kIdump = {
    "idump",
    "[--from] [--to] [--input_key_hex] [--max_keys=<N>] [--count_only] "
    "[--count_delim=<char>] [--stats] [--json]",
    kIdumpFlags, true, InternalDump};

}  // namespace ROCKSDB_NAMESPACE::ldb
