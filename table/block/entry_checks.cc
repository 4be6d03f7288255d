#include "table/block/entry_checks.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "table/block/block_iter.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

uint64_t SumOf(const Slice& key, const Slice& value) {
  return Hash64(value.data(), value.size(), Hash64(key));
}

}  // namespace

std::unique_ptr<const EntryChecks> EntryChecks::Make(
    const Block& block, const InternalKeyComparator* icmp,
    size_t bytes_per_key) {
  assert(bytes_per_key > 0 && bytes_per_key <= sizeof(uint64_t));
  std::unique_ptr<EntryChecks> checks(new EntryChecks(bytes_per_key));
  BlockIter iter;
  iter.Init(&block, icmp);
  for (iter.SeekToFirst(); iter.Valid(); iter.Next()) {
    checks->Add(iter.offset(), iter.key(), iter.value());
  }
  if (iter.corrupt()) return nullptr;
  return checks;
}

void EntryChecks::Add(uint32_t offset, const Slice& key, const Slice& value) {
  assert(offsets_.empty() || offset > offsets_.back());
  offsets_.push_back(offset);
  const uint64_t sum = SumOf(key, value);
  sums_.append(reinterpret_cast<const char*>(&sum), bytes_);
}

bool EntryChecks::Match(uint32_t offset, const Slice& key,
                        const Slice& value) const {
  const auto found = std::lower_bound(offsets_.begin(), offsets_.end(), offset);
  if (found == offsets_.end() || *found != offset) return false;
  const uint64_t sum = SumOf(key, value);
  const auto index = static_cast<size_t>(found - offsets_.begin());
  assert((index + 1) * bytes_ <= sums_.size());
  return std::memcmp(sums_.data() + index * bytes_, &sum, bytes_) == 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
