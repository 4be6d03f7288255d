// What commands print: text as RocksDB's ldb prints it, or JSON.
//
// Place. The commands that print data.
//
// Bytes. --json prints one JSON object per line, so that a large answer can be
// read while it is written. JSON strings hold characters, not bytes: a byte of
// a key or value is shown as the character with its number (ISO 8859-1), which
// loses nothing. With --hex and its kin keys and values are 0x... as always.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "tools/ldb/arguments.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE::ldb {

// To standard output; may hold any byte.
void Print(const std::string& text);
// The object, and a line end.
void PrintJson(engine::JsonWriter&& object);

// A string for JSON that shows the bytes.
std::string JsonText(const Slice& bytes);
std::string JsonKey(const Arguments& arguments, const Slice& key);
std::string JsonValue(const Arguments& arguments, const Slice& value);

// "key ==> value", or an object with "key" and "value". A time of its write
// stands before the key, or is "written_secs".
using WrittenSecs = std::optional<int64_t>;
void PrintEntry(const Arguments& arguments, const Slice& key,
                const Slice& value, WrittenSecs written_secs = {});
// A key that was looked up and is not there, or could not be read: the text,
// or an object with "key" and "error".
void PrintMissing(const Arguments& arguments, const Slice& key,
                  const Status& status, const std::string& text);
// The key alone.
void PrintKey(const Arguments& arguments, const Slice& key,
              WrittenSecs written_secs = {});

}  // namespace ROCKSDB_NAMESPACE::ldb
