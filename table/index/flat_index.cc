#include "table/index/flat_index.h"

#include <algorithm>
#include <cassert>

#include "table/block/key_compare.h"
#include "table/index/index_entries.h"

namespace ROCKSDB_NAMESPACE::engine {

// Walks the entries of an index block in order.
class FlatIndex::Parser {
 public:
  Parser(FlatIndex* out, const InternalKeyComparator& icmp, uint64_t file_limit)
      : out_(out), icmp_(icmp), file_limit_(file_limit) {}

  bool Run(Block* block) {
    if (!block->Parse() || block->separated()) return false;
    const char* p = block->data();
    const char* const limit = p + block->entries_end();
    out_->handles_.reserve(block->restart_count());
    out_->keys_.reserve(block->entries_end());
    while (p < limit) {
      p = TakeEntry(p, limit);
      if (p == nullptr) return false;
    }
    out_->handles_.shrink_to_fit();
    out_->keys_.shrink_to_fit();
    return true;
  }

 private:
  const char* TakeEntry(const char* p, const char* limit) {
    uint32_t shared = 0;
    uint32_t unshared = 0;
    uint32_t value_size = 0;
    const bool delta = out_->encoding_.value_is_delta;
    p = GetVarint32Ptr(p, limit, &shared);
    if (p != nullptr) p = GetVarint32Ptr(p, limit, &unshared);
    if (p != nullptr && !delta) p = GetVarint32Ptr(p, limit, &value_size);
    if (p == nullptr) return nullptr;
    if (unshared > static_cast<size_t>(limit - p)) return nullptr;
    if (!TakeKey(p, shared, unshared)) return nullptr;
    p += unshared;
    if (!delta) {
      if (value_size > static_cast<size_t>(limit - p)) return nullptr;
      return TakeValue(p, p + value_size, false) ? p + value_size : nullptr;
    }
    return TakeValue(p, limit, shared != 0);
  }

  bool TakeKey(const char* p, uint32_t shared, uint32_t unshared) {
    std::string& keys = out_->keys_;
    const size_t last_size = keys.size() - last_key_;
    const size_t size = size_t{shared} + unshared;
    if (shared > last_size || size > kIndexKeyBytesMax - keys.size()) {
      return false;
    }
    if (!out_->encoding_.key_is_user_key && size < kTrailerSize) return false;
    const size_t begin = keys.size();
    keys.resize(begin + size);
    std::memcpy(keys.data() + begin, keys.data() + last_key_, shared);
    std::memcpy(keys.data() + begin + shared, p, unshared);
    const Slice last(keys.data() + last_key_, last_size);
    const Slice key(keys.data() + begin, size);
    last_key_ = begin;
    return out_->handles_.empty() || !Descends(last, key);
  }

  bool Descends(const Slice& a, const Slice& b) const {
    return (out_->encoding_.key_is_user_key ? icmp_.CompareUserKey(a, b)
                                            : icmp_.Compare(a, b)) > 0;
  }

  // Returns the byte behind the value, null when it is damaged.
  const char* TakeValue(const char* p, const char* limit, bool delta) {
    Slice input(p, static_cast<size_t>(limit - p));
    BlockHandle handle;
    if (delta) {
      int64_t change = 0;
      if (!GetVarsignedint64(&input, &change)) return nullptr;
      handle.offset = last_.end();
      handle.size = last_.size + static_cast<uint64_t>(change);
    } else if (!GetBlockHandle(&input, &handle)) {
      return nullptr;
    }
    if (out_->encoding_.has_first_key && !TakeFirstKey(&input)) return nullptr;
    if (!handle.Fits(file_limit_)) return nullptr;
    out_->handles_.push_back({handle.offset, static_cast<uint32_t>(handle.size),
                              static_cast<uint32_t>(out_->keys_.size())});
    last_ = handle;
    return input.data();
  }

  bool TakeFirstKey(Slice* input) {
    Slice key;
    if (!GetLengthPrefixedSlice(input, &key) || key.size() < kTrailerSize) {
      return false;
    }
    out_->first_keys_.append(key.data(), key.size());
    out_->first_key_ends_.push_back(
        static_cast<uint32_t>(out_->first_keys_.size()));
    return true;
  }

  FlatIndex* const out_;
  const InternalKeyComparator& icmp_;
  const uint64_t file_limit_;
  size_t last_key_ = 0;  // Where the last key begins in keys_.
  BlockHandle last_;
};

std::unique_ptr<FlatIndex> FlatIndex::Parse(Block* block,
                                            const IndexEncoding& encoding,
                                            const InternalKeyComparator& icmp,
                                            uint64_t file_limit) {
  std::unique_ptr<FlatIndex> index(new FlatIndex(encoding));
  if (!Parser(index.get(), icmp, file_limit).Run(block)) return nullptr;
  if (icmp.bytewise()) index->BuildPrefixes();
  return index;
}

void FlatIndex::AppendBlockTo(std::string* out) const {
  std::string value;
  for (size_t i = 0; i < size(); ++i) {
    value.clear();
    PutBlockHandle(&value, handle(i));
    // With its trailer: an iterator shows it before the block is read.
    if (has_first_keys()) PutLengthPrefixedSlice(&value, first_key(i));
    const Slice key = separator(i);
    PutVarint32(out, 0);
    PutVarint32(out, static_cast<uint32_t>(key.size()));
    PutVarint32(out, static_cast<uint32_t>(value.size()));
    out->append(key.data(), key.size());
    out->append(value);
  }
  PutFixed32(out, 0);  // One restart point.
  PutFixed32(out, 1);
}

void FlatIndex::BuildPrefixes() {
  assert(prefixes_.empty());
  if (handles_.empty()) return;
  // The keys ascend, so what the first and the last share all share.
  const Slice first = separator_user_key(0);
  common_ = first.difference_offset(separator_user_key(size() - 1));
  prefixes_.reserve(size());
  for (size_t i = 0; i < size(); ++i) {
    prefixes_.push_back(KeyPrefix64(separator_user_key(i), common_));
  }
}

// True when separator i is before `target`.
bool FlatIndex::Before(const InternalKeyComparator& icmp, size_t i,
                       const Slice& target) const {
  return (encoding_.key_is_user_key
              ? icmp.CompareUserKey(separator(i), ExtractUserKey(target))
              : icmp.Compare(separator(i), target)) < 0;
}

size_t FlatIndex::FindBetween(const InternalKeyComparator& icmp, size_t low,
                              size_t high, const Slice& target) const {
  assert(low <= high && high <= size());
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (Before(icmp, middle, target)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool FlatIndex::OutsideCommon(const Slice& target, size_t* found) const {
  assert(common_ <= keys_.size());
  if (common_ == 0) return false;
  const Slice user_key = ExtractUserKey(target);
  const size_t n = std::min(common_, user_key.size());
  const int order = std::memcmp(user_key.data(), keys_.data(), n);
  if (order == 0 && n == common_) return false;
  *found = order > 0 ? size() : 0;
  return true;
}

size_t FlatIndex::FindFrom(const InternalKeyComparator& icmp, size_t low,
                           uint64_t wanted, const Slice& target) const {
  assert(low < prefixes_.size() && prefixes_.size() == size());
  low += prefixes_[low] < wanted ? 1 : 0;
  if (low == size() || prefixes_[low] != wanted) return low;
  const auto high = std::upper_bound(
      prefixes_.begin() + static_cast<ptrdiff_t>(low), prefixes_.end(), wanted);
  return FindBetween(icmp, low, static_cast<size_t>(high - prefixes_.begin()),
                     target);
}

size_t FlatIndex::Find(const InternalKeyComparator& icmp,
                       const Slice& target) const {
  if (prefixes_.empty()) return FindBetween(icmp, 0, size(), target);
  size_t found = 0;
  if (OutsideCommon(target, &found)) return found;
  const uint64_t wanted = InternalKeyPrefix64(target, common_);

  // The number of prefixes smaller than `wanted`; without branches, because
  // the outcome of each comparison is a coin toss.
  const uint64_t* base = prefixes_.data();
  size_t length = size();
  while (length > 1) {
    const size_t half = length / 2;
    base += base[half - 1] < wanted ? half : 0;
    length -= half;
  }
  return FindFrom(icmp, static_cast<size_t>(base - prefixes_.data()), wanted,
                  target);
}

void FlatIndex::FindMany(const InternalKeyComparator& icmp,
                         const Slice* targets, size_t count,
                         size_t* found) const {
  if (prefixes_.empty() || count == 1) {
    for (size_t i = 0; i < count; ++i) found[i] = Find(icmp, targets[i]);
    return;
  }
  // Every search halves the same lengths: one step is taken for all before the
  // next, and the loads of a step do not wait for each other.
  constexpr size_t kInStep = 16;
  for (size_t begin = 0; begin < count; begin += kInStep) {
    const size_t n = std::min(kInStep, count - begin);
    uint64_t wanted[kInStep];
    const uint64_t* base[kInStep];
    for (size_t i = 0; i < n; ++i) {
      wanted[i] = InternalKeyPrefix64(targets[begin + i], common_);
      base[i] = prefixes_.data();
    }
    for (size_t length = size(); length > 1;) {
      const size_t half = length / 2;
      for (size_t i = 0; i < n; ++i) {
        base[i] += base[i][half - 1] < wanted[i] ? half : 0;
      }
      length -= half;
    }
    for (size_t i = 0; i < n; ++i) {
      const Slice& target = targets[begin + i];
      size_t* const to = &found[begin + i];
      if (OutsideCommon(target, to)) continue;
      *to = FindFrom(icmp, static_cast<size_t>(base[i] - prefixes_.data()),
                     wanted[i], target);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
