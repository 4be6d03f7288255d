#include "table/block/block_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "table/block/block.h"
#include "table/internal_key.h"
#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A hash bucket holds a restart index in one byte; two values are taken.
constexpr size_t kHashedRestartMax = 253;

size_t CommonPrefix(const Slice& a, const Slice& b) {
  const size_t n = std::min(a.size(), b.size());
  size_t i = 0;
  while (i + 8 <= n) {
    const uint64_t difference =
        DecodeFixed64(a.data() + i) ^ DecodeFixed64(b.data() + i);
    if (difference != 0) {
      return i + static_cast<size_t>(std::countr_zero(difference)) / 8;
    }
    i += 8;
  }
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

}  // namespace

BlockBuilder::BlockBuilder(const Options& options) : options_(options) {
  assert(options_.restart_interval >= 1);
  Reset();
}

void BlockBuilder::Reset() {
  buffer_.clear();
  values_.clear();
  last_key_.clear();
  restarts_.assign(1, 0);
  entries_in_interval_ = 0;
  entry_count_ = 0;
  hashes_.clear();
  hash_valid_ = true;
}

size_t BlockBuilder::SizeEstimateAfter(const Slice& key,
                                       const Slice& value) const {
  const size_t shared = entries_in_interval_ < options_.restart_interval &&
                                options_.use_delta_encoding
                            ? CommonPrefix(last_key_, key)
                            : 0;
  const size_t restart =
      entries_in_interval_ < options_.restart_interval ? 0 : sizeof(uint32_t);
  return SizeEstimate() + restart + key.size() - shared + value.size() +
         static_cast<size_t>(VarintLength(shared) +
                             VarintLength(key.size() - shared) +
                             VarintLength(value.size()));
}

size_t BlockBuilder::BeginEntry(const Slice& key) {
  assert(!restarts_.empty());
  assert(entries_in_interval_ <= options_.restart_interval);
  assert(restarts_.back() <= buffer_.size());
  if (entries_in_interval_ >= options_.restart_interval) {
    restarts_.push_back(static_cast<uint32_t>(buffer_.size()));
    entries_in_interval_ = 0;
    return 0;
  }
  return options_.use_delta_encoding ? CommonPrefix(last_key_, key) : 0;
}

void BlockBuilder::EndEntry(const Slice& key, size_t shared) {
  assert(shared <= key.size());
  assert(shared <= last_key_.size());
  assert(Slice(last_key_.data(), shared) == Slice(key.data(), shared));
  last_key_.resize(shared);
  last_key_.append(key.data() + shared, key.size() - shared);
  ++entries_in_interval_;
  ++entry_count_;
  if (options_.hash_ratio > 0) NoteHash(key);
}

// Where an interval begins, the entry says where its value lies; the values
// of the others follow one another.
void BlockBuilder::AddSeparated(const Slice& key, const Slice& value) {
  size_t shared = BeginEntry(key);
  PutVarint32(&buffer_, static_cast<uint32_t>(shared));
  PutVarint32(&buffer_, static_cast<uint32_t>(key.size() - shared));
  PutVarint32(&buffer_, static_cast<uint32_t>(value.size()));
  if (entries_in_interval_ == 0) {
    PutVarint32(&buffer_, static_cast<uint32_t>(values_.size()));
  }
  buffer_.append(key.data() + shared, key.size() - shared);
  values_.append(value.data(), value.size());
  if (!options_.use_delta_encoding) shared = 0;
  EndEntry(key, shared);
}

void BlockBuilder::Add(const Slice& key, const Slice& value) {
  if (options_.separate_values) return AddSeparated(key, value);
  size_t shared = BeginEntry(key);
  const size_t unshared = key.size() - shared;
  const size_t begin = buffer_.size();
  const size_t needed = begin + 3 * kVarint32SizeMax + unshared + value.size();
  if (buffer_.capacity() < needed) {
    buffer_.reserve(std::max(needed, 2 * buffer_.capacity()));
  }
  char head[3 * kVarint32SizeMax];
  char* p = EncodeVarint32(head, static_cast<uint32_t>(shared));
  p = EncodeVarint32(p, static_cast<uint32_t>(unshared));
  p = EncodeVarint32(p, static_cast<uint32_t>(value.size()));
  buffer_.append(head, static_cast<size_t>(p - head));
  buffer_.append(key.data() + shared, unshared);
  buffer_.append(value.data(), value.size());
  // Without delta encoding last_key_ still tracks the key.
  if (!options_.use_delta_encoding) shared = 0;
  EndEntry(key, shared);
}

void BlockBuilder::AddWithoutSize(const Slice& key, const Slice& full_value,
                                  const Slice& delta_value, bool force_full) {
  const size_t shared = force_full ? (BeginEntry(key), 0) : BeginEntry(key);
  PutVarint32(&buffer_, static_cast<uint32_t>(shared));
  PutVarint32(&buffer_, static_cast<uint32_t>(key.size() - shared));
  buffer_.append(key.data() + shared, key.size() - shared);
  const Slice& value = shared != 0 ? delta_value : full_value;
  buffer_.append(value.data(), value.size());
  EndEntry(key, shared);
}

void BlockBuilder::NoteHash(const Slice& key) {
  assert(key.size() >= kTrailerSize);  // internal_key.h (1)
  const size_t restart = restarts_.size() - 1;
  if (restart > kHashedRestartMax) {
    hash_valid_ = false;
    return;
  }
  hashes_.push_back(
      {DataBlockHash(ExtractUserKey(key)), static_cast<uint8_t>(restart)});
}

// Appends buckets and their number; false when the block is to stay without.
bool BlockBuilder::AppendHashIndex() {
  if (hashes_.empty() || !hash_valid_) return false;
  // The format computes the number of buckets in 16 bits.
  double wanted = 0;
  for (size_t i = 0; i < hashes_.size(); ++i) wanted += 1 / options_.hash_ratio;
  uint16_t count = static_cast<uint16_t>(static_cast<uint64_t>(wanted));
  if (count == 0) count = 1;
  count |= 1;
  if (SizeEstimate() + sizeof(uint32_t) + sizeof(uint16_t) + count >
      kHashedBlockSizeMax) {
    return false;
  }
  std::vector<uint8_t> buckets(count, kBucketEmpty);
  for (const Hashed& h : hashes_) {
    uint8_t& bucket = buckets[h.hash % count];
    if (bucket == kBucketEmpty) {
      bucket = h.restart;
    } else if (bucket != h.restart) {
      bucket = kBucketCollision;
    }
  }
  buffer_.append(reinterpret_cast<const char*>(buckets.data()), count);
  PutFixed16(&buffer_, count);
  return true;
}

Slice BlockBuilder::Finish() {
  assert(values_.empty() || options_.separate_values);
  assert(std::is_sorted(restarts_.begin(), restarts_.end()));
  assert(entry_count_ == 0 ||
         restarts_.size() ==
             (entry_count_ - 1) /
                     static_cast<size_t>(options_.restart_interval) +
                 1);
  // Decided before the restarts are appended: SizeEstimate() counts them.
  const size_t entries_size = buffer_.size();
  uint32_t word = static_cast<uint32_t>(restarts_.size());
  std::string tail = values_;
  for (const uint32_t restart : restarts_) PutFixed32(&tail, restart);
  if (options_.hash_ratio > 0 && AppendHashIndex()) word |= kBlockHashFlag;
  buffer_.insert(entries_size, tail);
  if (options_.separate_values) {
    PutFixed32(&buffer_, static_cast<uint32_t>(entries_size));
    word |= kBlockSeparatedFlag;
  }
  PutFixed32(&buffer_, word);
  return buffer_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
