#include "table/index/index_entries.h"

#include <algorithm>
#include <cassert>

#include "table/internal_key.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

void IndexEntries::Add(const Slice& separator, const Slice& first_key,
                       const BlockHandle& handle) {
  assert(separator.size() >= kTrailerSize);
  keys_.append(separator.data(), separator.size());
  const size_t separator_end = keys_.size();
  keys_.append(first_key.data(), first_key.size());
  entries_.push_back({handle, separator_end, keys_.size()});
}

void IndexEntries::AppendTo(BlockBuilder* block, size_t i, size_t first,
                            const IndexForm& form) const {
  assert(first <= i && i < entries_.size());
  const Entry& e = entries_[i];
  const Slice stored = separator(i);
  const Slice key = form.user_keys ? ExtractUserKey(stored) : stored;
  const Slice first_key(keys_.data() + e.separator_end,
                        e.end - e.separator_end);
  std::string value;
  PutBlockHandle(&value, e.handle);
  if (form.first_keys) PutLengthPrefixedSlice(&value, first_key);
  if (!form.delta_values) return block->Add(key, value);

  const BlockHandle last = i > first ? entries_[i - 1].handle : BlockHandle();
  std::string delta;
  PutVarsignedint64(&delta, static_cast<int64_t>(e.handle.size) -
                                static_cast<int64_t>(last.size));
  if (form.first_keys) PutLengthPrefixedSlice(&delta, first_key);
  // Behind padding the offset does not follow from the entry before.
  const bool apart = e.handle.offset != last.end();
  block->AddWithoutSize(key, value, delta, apart);
}

std::string IndexEntries::Encode(size_t begin, size_t end,
                                 const IndexForm& form) const {
  assert(begin <= end && end <= entries_.size());
  BlockBuilder block({.restart_interval = std::max(1, form.restart_interval)});
  for (size_t i = begin; i < end; ++i) AppendTo(&block, i, begin, form);
  return block.Finish().ToString();
}

}  // namespace ROCKSDB_NAMESPACE::engine
