#include "tools/ldb/output.h"

#include <cstdio>
#include <utility>

#include "tools/ldb/ttl_times.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::ldb {

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void PrintJson(engine::JsonWriter&& object) {
  Print(std::move(object).Finish() + "\n");
}

std::string JsonText(const Slice& bytes) {
  return engine::sst_dump::JsonText(bytes, /*hex=*/false);
}

std::string JsonKey(const Arguments& arguments, const Slice& key) {
  return arguments.key_hex() ? ToHex(key) : JsonText(key);
}

std::string JsonValue(const Arguments& arguments, const Slice& value) {
  return arguments.value_hex() ? ToHex(value) : JsonText(value);
}

namespace {

std::string TimeBefore(WrittenSecs written_secs) {
  return written_secs ? TimeText(*written_secs) + " " : "";
}

void AddTime(WrittenSecs written_secs, engine::JsonWriter* object) {
  if (!written_secs) return;
  object->Add("written_secs", static_cast<uint64_t>(*written_secs));
}

}  // namespace

void PrintEntry(const Arguments& arguments, const Slice& key,
                const Slice& value, WrittenSecs written_secs) {
  if (!arguments.json()) {
    return Print(TimeBefore(written_secs) + arguments.ShowKey(key) + " ==> " +
                 arguments.ShowValue(value) + "\n");
  }
  engine::JsonWriter object;
  AddTime(written_secs, &object);
  object.Add("key", JsonKey(arguments, key))
      .Add("value", JsonValue(arguments, value));
  PrintJson(std::move(object));
}

void PrintMissing(const Arguments& arguments, const Slice& key,
                  const Status& status, const std::string& text) {
  if (!arguments.json()) return Print(text + "\n");
  engine::JsonWriter object;
  object.Add("key", JsonKey(arguments, key))
      .Add("error", JsonText(status.ToString()));
  PrintJson(std::move(object));
}

void PrintKey(const Arguments& arguments, const Slice& key,
              WrittenSecs written_secs) {
  if (!arguments.json()) {
    return Print(TimeBefore(written_secs) + arguments.ShowKey(key) + "\n");
  }
  engine::JsonWriter object;
  AddTime(written_secs, &object);
  object.Add("key", JsonKey(arguments, key));
  PrintJson(std::move(object));
}

}  // namespace ROCKSDB_NAMESPACE::ldb
