#include "rocksdb/unique_id.h"

#include <cstddef>
#include <cstdint>

#include "table/table_unique_id.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status UniqueIdOf(const TableProperties& props, size_t words,
                  std::string* out_id) {
  if (out_id == nullptr) return Status::InvalidArgument("out_id is null");
  out_id->clear();
  uint64_t id[engine::kExtendedIdWords] = {};
  if (!engine::PublicUniqueId(props, id)) {
    return Status::NotSupported(
        "unique id of a table: expected the properties database id, session id "
        "and original file number",
        "found '" + props.db_id + "', '" + props.db_session_id + "' and " +
            std::to_string(props.orig_file_number));
  }
  for (size_t i = 0; i < words; ++i) engine::PutFixed64(out_id, id[i]);
  return Status::OK();
}

}  // namespace

Status GetUniqueIdFromTableProperties(const TableProperties& props,
                                      std::string* out_id) {
  return UniqueIdOf(props, 2, out_id);
}

Status GetExtendedUniqueIdFromTableProperties(const TableProperties& props,
                                              std::string* out_id) {
  return UniqueIdOf(props, engine::kExtendedIdWords, out_id);
}

std::string UniqueIdToHumanString(const std::string& id) {
  constexpr size_t kDigits = 16;
  std::string text = Slice(id).ToString(/*hex=*/true);
  for (size_t i = kDigits; i < text.size(); i += kDigits + 1) {
    text.insert(i, 1, '-');
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
