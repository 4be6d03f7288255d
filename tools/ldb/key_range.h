// KeyRange: what --from, --to and --max_keys ask for.
//
// Place. The commands that walk keys.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tools/ldb/arguments.h"
#include "tools/ldb/session.h"
#include "tools/ldb/ttl_times.h"

namespace ROCKSDB_NAMESPACE::ldb {

struct KeyRange {
  std::optional<std::string> from;
  std::optional<std::string> to;  // Not part of the range.
  uint64_t keys_max = UINT64_MAX;
  TtlTimes times;

  // Errors: InvalidArgument for malformed keys or numbers.
  static engine::Result<KeyRange> Of(const Arguments& arguments);
};

struct Entry {
  Slice key;
  Slice value;
  std::optional<int64_t> written_secs;  // With --ttl.
};
// The session's column family, in order.
Status ForEachEntry(const Session& session, const KeyRange& range,
                    const std::function<void(const Entry&)>& use);

// Counts keys by what stands before a delimiter (--count_delim) and prints a
// line per prefix, when it changes.
class PrefixCounter {
 public:
  PrefixCounter(const Arguments& arguments, char delimiter)
      : arguments_(arguments), delimiter_(delimiter) {}
  void Add(const Slice& key, const Slice& value);
  void Finish() { PrintLine(); }

  // The delimiter, when one is given.
  static std::optional<char> Delimiter(const Arguments& arguments);

 private:
  void PrintLine() const;

  const Arguments& arguments_;
  const char delimiter_;
  bool first_ = true;
  std::string prefix_;
  uint64_t count_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::ldb
