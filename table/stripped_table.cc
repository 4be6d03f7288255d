#include "table/stripped_table.h"

#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

std::string StrippedTarget(const Slice& target, size_t timestamp_size) {
  const Slice user_key = ExtractUserKey(target);
  std::string stripped = StripTimestamp(user_key, timestamp_size).ToString();
  const bool smallest = TimestampOf(user_key, timestamp_size) ==
                        Slice(std::string(timestamp_size, '\0'));
  PutFixed64(&stripped, smallest
                            ? ExtractTrailer(target)
                            : PackSequenceAndType(kSequenceMax, kTypeForSeek));
  return stripped;
}

void PaddingIterator::Show() {
  Mirror(*stored_);
  if (!valid_) return;
  if (key_.size() < kTrailerSize) return;  // Its reader reports it.
  const Slice user_key = ExtractUserKey(key_);
  padded_.assign(user_key.data(), user_key.size());
  padded_.append(timestamp_size_, '\0');
  padded_.append(key_.data() + user_key.size(), kTrailerSize);
  key_ = padded_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
