#include <string>
#include <vector>

#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

std::string TextOf(const Arguments& arguments, const Slice& key,
                   const Status& status) {
  const std::string shown = arguments.ShowKey(key);
  if (status.IsNotFound()) return "Key not found: " + shown;
  return "Status for key " + shown + ": " + status.ToString();
}

Outcome MultiGet(const Arguments& arguments) {
  if (arguments.parameters().empty()) {
    return Outcome::Fail("At least one <key> must be specified for multi_get.");
  }
  std::vector<std::string> keys;
  for (const std::string& word : arguments.parameters()) {
    auto key = arguments.Key(word);
    if (!key.ok()) return key.status();
    keys.push_back(*std::move(key));
  }
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  (*session)->db()->MultiGet(ReadOptions(), (*session)->family(), keys.size(),
                             slices.data(), values.data(), statuses.data());
  bool failed = false;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].ok()) {
      PrintEntry(arguments, keys[i], values[i]);
    } else {
      PrintMissing(arguments, keys[i], statuses[i],
                   TextOf(arguments, keys[i], statuses[i]));
      failed = failed || !statuses[i].IsNotFound();
    }
  }
  return failed ? Outcome::Fail("one or more keys had non-okay status")
                : Outcome();
}

const char* const kMultiGetFlags[] = {"json"};

}  // namespace

const Command kMultiGet = {"multi_get", "<key_1> <key_2> <key_3> ... [--json]",
                           kMultiGetFlags, true, MultiGet};

}  // namespace ROCKSDB_NAMESPACE::ldb
