#include "table/prefix_seek.h"

#include <algorithm>
#include <cstring>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Is `key` in front of every key that is larger than all that begin with
// `prefix`, in the order of bytes? So "ac" is to the prefix "ab", and to
// "ab\xff".
bool UpToSuccessor(const Slice& key, const Slice& prefix) {
  size_t size = prefix.size();
  while (size > 0 && static_cast<uint8_t>(prefix[size - 1]) == 0xff) --size;
  if (size == 0) return true;  // Nothing is larger.
  const size_t n = std::min(size - 1, key.size());
  const int order = std::memcmp(key.data(), prefix.data(), n);
  if (order != 0) return order < 0;
  if (key.size() < size) return true;
  const int last = static_cast<uint8_t>(key[size - 1]);
  const int successor = static_cast<uint8_t>(prefix[size - 1]) + 1;
  return last < successor || (last == successor && key.size() == size);
}

}  // namespace

std::unique_ptr<PrefixSeek> PrefixSeek::For(
    const ReadOptions& options,
    const std::shared_ptr<const SliceTransform>& extractor,
    const InternalKeyComparator* icmp, bool opt_in_only) {
  const Comparator& order = *icmp->user_comparator();
  if (extractor == nullptr || options.total_order_seek ||
      order.timestamp_size() > 0) {
    return nullptr;
  }
  if (options.auto_prefix_mode) {
    if (options.iterate_upper_bound == nullptr ||
        order.CanKeysWithDifferentByteContentsBeEqual()) {
      return nullptr;
    }
    return std::make_unique<PrefixSeek>(Mode::kAutomatic, extractor, icmp,
                                        options.iterate_upper_bound);
  }
  if (opt_in_only && !options.prefix_same_as_start) return nullptr;
  return std::make_unique<PrefixSeek>(Mode::kSamePrefix, extractor, icmp,
                                      options.iterate_upper_bound);
}

bool PrefixSeek::Accepts(const SliceTransform* extractor) const {
  if (extractor == nullptr) return false;
  return mode_ == Mode::kAutomatic || extractor == extractor_.get() ||
         extractor->AsString() == extractor_->AsString();
}

bool PrefixSeek::MakePrefix(const SliceTransform& extractor,
                            const Slice& user_key, Slice* prefix) const {
  if (!extractor.InDomain(user_key)) return false;
  *prefix = extractor.Transform(user_key);
  return mode_ == Mode::kSamePrefix || BoundKeepsPrefix(extractor, *prefix);
}

// Has every key from one with this prefix up to the bound the prefix, too?
bool PrefixSeek::BoundKeepsPrefix(const SliceTransform& extractor,
                                  const Slice& prefix) const {
  if (direction_ == Direction::kBackward) return false;
  // Keys with equal prefixes are adjacent.
  if (extractor.InDomain(*upper_bound_) &&
      extractor.Transform(*upper_bound_) == prefix) {
    return true;
  }
  // What begins with a prefix of full length has it.
  size_t full_length = 0;
  return icmp_->bytewise() && extractor.FullLengthEnabled(&full_length) &&
         prefix.size() == full_length && UpToSuccessor(*upper_bound_, prefix);
}

bool PrefixSeek::GoesOnBehind(const Slice& bound, const Slice& user_key) const {
  if (mode_ == Mode::kAutomatic) {
    return icmp_->CompareUserKey(bound, *upper_bound_) < 0;
  }
  Slice prefix;
  return !MakePrefix(*extractor_, user_key, &prefix) ||
         (extractor_->InDomain(bound) &&
          extractor_->Transform(bound) == prefix);
}

}  // namespace ROCKSDB_NAMESPACE::engine
