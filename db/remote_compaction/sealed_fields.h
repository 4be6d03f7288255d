// SealedFields: the frame around the strings that a compaction service carries.
//
// Place. Below compaction_input and compaction_result, which say what the
// fields are.
//
// Bytes.
//    0    8  magic word, eight letters
//    8    4  version of the fields, fixed32: 1
//   12    8  length n of the fields, fixed64
//   20    n  fields, one behind the other
// 20+n    4  masked CRC32C of all bytes before, fixed32
//
// A number is a varint64. A flag is a number, 0 or 1. A text is a varint32 with
// its length, then its bytes. A list is a number with its length, then its
// entries.
//
// Invariant: a reader looks at no byte beyond the string, and makes nothing
// whose size the string claims but does not have.
//
// Threads. Values.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kSealMagicBytes = 8;
inline constexpr uint32_t kSealVersion = 1;

class SealedWriter {
 public:
  // `magic`: eight letters.
  explicit SealedWriter(std::string_view magic);

  void Number(uint64_t value);
  void Flag(bool value) { Number(value ? 1 : 0); }
  void Text(const Slice& value);

  // The whole string. Nothing may be added afterwards.
  std::string Seal();

 private:
  std::string bytes_;
};

// Reads fields in the order in which they were written. After the first that is
// not as expected all others are zero or empty, and Finish() returns why.
class SealedReader {
 public:
  // `what` names the string in messages.
  SealedReader(const char* what, std::string_view magic, const Slice& bytes);

  uint64_t Number(const char* name, uint64_t max = UINT64_MAX);
  bool Flag(const char* name) { return Number(name, 1) != 0; }
  std::string Text(const char* name);
  // Of a list whose entries have at least one byte each.
  size_t Count(const char* name);

  bool ok() const { return status_.ok(); }
  // Errors: NotSupported for another version; Corruption.
  Status Finish();

 private:
  void Open(std::string_view magic, const Slice& bytes);
  void Fail(const std::string& expected, const std::string& found);

  const char* const what_;
  Slice rest_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
