#include "table/block/block.h"

#include <algorithm>
#include <cassert>

#include "table/block/key_compare.h"
#include "table/internal_key.h"

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

bool Block::RestartKey(uint32_t index, Slice* key) const {
  assert(index < restart_count_);
  const uint32_t offset = restart(index);
  if (offset >= entries_end_) return false;
  uint32_t shared;
  uint32_t unshared;
  uint32_t value_size;
  const char* const limit = data() + entries_end_;
  const char* p =
      DecodeEntryHead(data() + offset, limit, &shared, &unshared, &value_size);
  if (p != nullptr && separated_) {
    uint32_t value_offset;
    p = GetVarint32Ptr(p, limit, &value_offset);
  }
  if (p == nullptr || shared != 0 || unshared < kTrailerSize ||
      unshared > static_cast<uint64_t>(limit - p)) {
    return false;
  }
  *key = Slice(p, unshared);
  return true;
}

void Block::TakeSamples() {
  const uint32_t count = std::min(restart_count_, kSamplesMax);
  Slice first;
  Slice last;
  if (!RestartKey(0, &first) || !RestartKey(restart_count_ - 1, &last)) return;
  const size_t common =
      ExtractUserKey(first).difference_offset(ExtractUserKey(last));
  const size_t first_at = static_cast<size_t>(first.data() - data());
  if (common > UINT8_MAX || first_at > UINT16_MAX) return;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t index =
        static_cast<uint32_t>(uint64_t{i} * restart_count_ / count);
    Slice key;
    if (!RestartKey(index, &key)) return;
    samples_[i] = {InternalKeyPrefix64(key, common), restart(index), index};
  }
  assert(count <= kSamplesMax);
  common_ = static_cast<uint8_t>(common);
  first_key_ = static_cast<uint16_t>(first_at);
  sample_count_ = static_cast<uint8_t>(count);
}

void Block::NarrowRestarts(const Slice& target, uint32_t* low,
                           uint32_t* high) const {
  assert(*low <= *high && *high < restart_count_);
  if (sample_count_ == 0) return;
  if (target.size() - kTrailerSize < common_ ||
      std::memcmp(target.data(), data() + first_key_, common_) != 0) {
    return;
  }
  const uint64_t wanted = InternalKeyPrefix64(target, common_);
  uint32_t smaller = 0;
  while (smaller < sample_count_ && samples_[smaller].prefix < wanted) {
    ++smaller;
  }
  uint32_t larger = smaller;
  while (larger < sample_count_ && samples_[larger].prefix == wanted) {
    ++larger;
  }
  if (smaller > 0) *low = samples_[smaller - 1].index;
  if (larger < sample_count_ && samples_[larger].index > *low) {
    *high = samples_[larger].index - 1;
  }
  *high = std::max(*low, *high);
}

void Block::PrefetchFor(const Slice& target) const {
  if (sample_count_ == 0) return;
  uint32_t low = 0;
  uint32_t high = restart_count_ - 1;
  NarrowRestarts(target, &low, &high);
  // What lies behind is in a row: the processor brings it in by itself.
  constexpr size_t kLines = 4;
  const uint32_t begin = restart(low);
  for (size_t i = 0; i < kLines; ++i) {
    __builtin_prefetch(data() + begin + i * kCacheLineBytes);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
