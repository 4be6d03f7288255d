#include "table/block/block.h"

namespace ROCKSDB_NAMESPACE::engine {

bool Block::Parse() {
  constexpr uint32_t kWord = sizeof(uint32_t);
  if (size_ < kWord) return false;
  uint32_t end = size_ - kWord;  // Regions are taken off from here backwards.
  const uint32_t word = DecodeFixed32(data() + end);
  if ((word & kBlockReservedFlag) != 0) return false;
  restart_count_ = word & kRestartCountMask;
  separated_ = (word & kBlockSeparatedFlag) != 0;

  uint32_t values = 0;
  if (separated_) {
    if (end < kWord) return false;
    end -= kWord;
    values = DecodeFixed32(data() + end);
  }
  if ((word & kBlockHashFlag) != 0) {
    if (size_ > kHashedBlockSizeMax || end < sizeof(uint16_t)) return false;
    end -= static_cast<uint32_t>(sizeof(uint16_t));
    bucket_count_ = DecodeFixed16(data() + end);
    if (bucket_count_ == 0 || end < bucket_count_) return false;
    end -= bucket_count_;
    buckets_ = end;
  }
  if (restart_count_ == 0 || restart_count_ > end / kWord) return false;
  restarts_ = end - restart_count_ * kWord;
  entries_end_ = separated_ ? values : restarts_;
  return entries_end_ <= restarts_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
