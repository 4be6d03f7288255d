#include "table/index/index_builder.h"

#include <algorithm>

#include "table/block/block_builder.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

}  // namespace

// A shortened user key sorts between the blocks whatever its trailer; the
// largest one keeps it before everything with the same user key.
void IndexBuilder::ShortenSeparator(const Slice& next_first_key) {
  const Slice last = ExtractUserKey(separator_);
  const Slice next = ExtractUserKey(next_first_key);
  const Comparator* const order = options_.icmp->user_comparator();
  scratch_.assign(last.data(), last.size());
  order->FindShortestSeparator(&scratch_, next);
  if (scratch_.size() <= last.size() && order->Compare(last, scratch_) < 0) {
    separator_.clear();
    AppendInternalKey(&separator_, scratch_, kSequenceMax, kTypeForSeek);
  }
}

void IndexBuilder::ShortenSuccessor() {
  const Slice last = ExtractUserKey(separator_);
  const Comparator* const order = options_.icmp->user_comparator();
  scratch_.assign(last.data(), last.size());
  order->FindShortSuccessor(&scratch_);
  if (scratch_.size() <= last.size() && order->Compare(last, scratch_) < 0) {
    separator_.clear();
    AppendInternalKey(&separator_, scratch_, kSequenceMax, kTypeForSeek);
  }
}

void IndexBuilder::AddBlock(const Slice& last_key, const Slice* next_first_key,
                            const BlockHandle& handle) {
  separator_.assign(last_key.data(), last_key.size());
  if (next_first_key != nullptr) {
    if (options_.icmp->CompareUserKey(ExtractUserKey(last_key),
                                      ExtractUserKey(*next_first_key)) == 0) {
      user_keys_ = false;
    } else if (options_.shortening != Shortening::kNoShortening) {
      ShortenSeparator(*next_first_key);
    }
  } else if (options_.shortening ==
             Shortening::kShortenSeparatorsAndSuccessor) {
    ShortenSuccessor();
  }
  keys_ += separator_;
  entries_.push_back({handle, keys_.size()});
}

std::string IndexBuilder::Finish() const {
  BlockBuilder block(
      {.restart_interval = std::max(1, options_.restart_interval)});
  size_t begin = 0;
  BlockHandle last;
  for (const Entry& e : entries_) {
    Slice key(keys_.data() + begin, e.key_end - begin);
    begin = e.key_end;
    if (user_keys_) key = ExtractUserKey(key);
    std::string value;
    PutBlockHandle(&value, e.handle);
    if (options_.delta_encode_values) {
      std::string delta;
      PutVarsignedint64(&delta, static_cast<int64_t>(e.handle.size) -
                                    static_cast<int64_t>(last.size));
      // Behind padding the offset does not follow from the entry before.
      const bool apart = e.handle.offset != last.end();
      block.AddWithoutSize(key, value, delta, apart);
    } else {
      block.Add(key, value);
    }
    last = e.handle;
  }
  return block.Finish().ToString();
}

}  // namespace ROCKSDB_NAMESPACE::engine
