// FilterBlockBuilder: decides which part of each key goes into the filter.
//
// Place. The table builder hands it every point key.
//
// Model. With a prefix extractor the key's prefix is added, with whole-key
// filtering the key itself; a key outside the extractor's domain has no prefix.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE::engine {

class FilterBlockBuilder {
 public:
  FilterBlockBuilder(std::unique_ptr<FilterBitsBuilder> bits,
                     const SliceTransform* prefix_extractor,
                     bool whole_key_filtering)
      : bits_(std::move(bits)),
        prefix_extractor_(prefix_extractor),
        whole_key_filtering_(whole_key_filtering) {}

  // `user_key` is without timestamp. False when nothing of it belongs into
  // the filter.
  bool Add(const Slice& user_key) {
    const bool has_prefix =
        prefix_extractor_ != nullptr && prefix_extractor_->InDomain(user_key);
    if (has_prefix && whole_key_filtering_) {
      bits_->AddKeyAndPrefix(user_key, prefix_extractor_->Transform(user_key));
    } else if (has_prefix) {
      bits_->AddKey(prefix_extractor_->Transform(user_key));
    } else if (whole_key_filtering_) {
      bits_->AddKey(user_key);
    } else {
      return false;
    }
    return true;
  }
  // Only the prefix, if there is one.
  void AddPrefixOf(const Slice& user_key) {
    if (prefix_extractor_ != nullptr && prefix_extractor_->InDomain(user_key)) {
      bits_->AddKey(prefix_extractor_->Transform(user_key));
    }
  }

  size_t entry_count() const { return bits_->entry_count(); }
  size_t SizeEstimate() const { return bits_->PayloadSizeEstimate(); }
  std::string Finish() { return bits_->Finish(); }
  // Not OK when a check of what Finish() made failed.
  const Status& status() const { return bits_->status(); }

 private:
  const std::unique_ptr<FilterBitsBuilder> bits_;
  const SliceTransform* const prefix_extractor_;
  const bool whole_key_filtering_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
