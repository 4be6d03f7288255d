// Objects whose behaviour is the user's: see callbacks.h. Slice transforms are
// here alone, because they are handed on inside a shared pointer.
#include "api/c/callbacks.h"

#include <cstdlib>

using capi::Slice;

namespace {

// Operands as the two parallel arrays of the C interface.
struct Operands {
  template <typename Container>
  explicit Operands(const Container& list) {
    for (const Slice& operand : list) {
      data.push_back(operand.data());
      sizes.push_back(operand.size());
    }
  }

  int count() const { return static_cast<int>(data.size()); }

  std::vector<const char*> data;
  std::vector<size_t> sizes;
};

using TransformCallback = char* (*)(void*, const char*, size_t, size_t*);
using DomainCallback = unsigned char (*)(void*, const char*, size_t);

class CallbackTransform final : public capi::SliceTransform {
 public:
  CallbackTransform(void* state, void (*destructor)(void*),
                    TransformCallback transform, DomainCallback in_domain,
                    const char* (*name)(void*))
      : state_(state, destructor, name),
        transform_(transform),
        in_domain_(in_domain) {}

  const char* Name() const override { return state_.name(); }
  Slice Transform(const Slice& key) const override {
    size_t length = 0;
    const char* prefix =
        transform_(state_.get(), key.data(), key.size(), &length);
    return Slice(prefix, length);
  }
  bool InDomain(const Slice& key) const override {
    return in_domain_(state_.get(), key.data(), key.size()) != 0;
  }

 private:
  const capi_internal::CallbackState state_;
  const TransformCallback transform_;
  const DomainCallback in_domain_;
};

rocksdb_slicetransform_t* NewTransform(const capi::SliceTransform* transform) {
  return new rocksdb_slicetransform_t{
      std::shared_ptr<const capi::SliceTransform>(transform)};
}

}  // namespace

void rocksdb_mergeoperator_t::Take(char* returned, size_t length,
                                   std::string* value) const {
  if (returned != nullptr) value->assign(returned, length);
  if (callbacks_.delete_value != nullptr) {
    callbacks_.delete_value(state_.get(), returned, length);
  } else {
    std::free(returned);
  }
}

bool rocksdb_mergeoperator_t::FullMergeV2(
    const MergeOperationInput& merge_in,
    MergeOperationOutput* merge_out) const {
  const Operands operands(merge_in.operand_list);
  const Slice* existing = merge_in.existing_value;
  unsigned char success = 0;
  size_t length = 0;
  char* merged = callbacks_.full_merge(
      state_.get(), merge_in.key.data(), merge_in.key.size(),
      existing != nullptr ? existing->data() : nullptr,
      existing != nullptr ? existing->size() : 0, operands.data.data(),
      operands.sizes.data(), operands.count(), &success, &length);
  Take(merged, length, &merge_out->new_value);
  return success != 0;
}

bool rocksdb_mergeoperator_t::PartialMergeMulti(
    const Slice& key, const std::deque<Slice>& operand_list,
    std::string* new_value, capi::Logger* /*logger*/) const {
  if (callbacks_.partial_merge == nullptr) return false;
  const Operands operands(operand_list);
  unsigned char success = 0;
  size_t length = 0;
  char* merged = callbacks_.partial_merge(
      state_.get(), key.data(), key.size(), operands.data.data(),
      operands.sizes.data(), operands.count(), &success, &length);
  Take(merged, length, new_value);
  return success != 0;
}

bool rocksdb_compactionfilter_t::Filter(int level, const Slice& key,
                                        const Slice& value,
                                        std::string* new_value,
                                        bool* value_changed) const {
  char* changed_to = nullptr;
  size_t length = 0;
  unsigned char changed = 0;
  const bool drop =
      filter_(state_.get(), level, key.data(), key.size(), value.data(),
              value.size(), &changed_to, &length, &changed) != 0;
  *value_changed = changed != 0;
  if (changed != 0) new_value->assign(changed_to, length);
  return drop;
}

extern "C" {

rocksdb_comparator_t* rocksdb_comparator_create(
    void* state, void (*destructor)(void*),
    int (*compare)(void*, const char* a, size_t alen, const char* b,
                   size_t blen),
    const char* (*name)(void*)) {
  return new rocksdb_comparator_t(state, destructor, compare, name);
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_comparator_t* rocksdb_comparator_with_ts_create(
    void* state, void (*destructor)(void*),
    int (*compare)(void*, const char* a, size_t alen, const char* b,
                   size_t blen),
    int (*compare_ts)(void*, const char* a_ts, size_t a_tslen, const char* b_ts,
                      size_t b_tslen),
    int (*compare_without_ts)(void*, const char* a, size_t alen,
                              unsigned char a_has_ts, const char* b,
                              size_t blen, unsigned char b_has_ts),
    const char* (*name)(void*), size_t timestamp_size) {
  return new rocksdb_comparator_t(
      state, destructor, compare, name,
      {compare_ts, compare_without_ts, timestamp_size});
}

void rocksdb_comparator_destroy(rocksdb_comparator_t* comparator) {
  delete comparator;
}

rocksdb_mergeoperator_t* rocksdb_mergeoperator_create(
    void* state, void (*destructor)(void*),
    char* (*full_merge)(void*, const char* key, size_t key_length,
                        const char* existing_value,
                        size_t existing_value_length,
                        const char* const* operands_list,
                        const size_t* operands_list_length, int num_operands,
                        unsigned char* success, size_t* new_value_length),
    char* (*partial_merge)(void*, const char* key, size_t key_length,
                           const char* const* operands_list,
                           const size_t* operands_list_length, int num_operands,
                           unsigned char* success, size_t* new_value_length),
    void (*delete_value)(void*, const char* value, size_t value_length),
    const char* (*name)(void*)) {
  return new rocksdb_mergeoperator_t(
      state, destructor,
      rocksdb_mergeoperator_t::Callbacks{full_merge, partial_merge,
                                         delete_value},
      name);
}

void rocksdb_mergeoperator_destroy(rocksdb_mergeoperator_t* merge_operator) {
  delete merge_operator;
}

rocksdb_compactionfilter_t* rocksdb_compactionfilter_create(
    void* state, void (*destructor)(void*),
    unsigned char (*filter)(void*, int level, const char* key,
                            size_t key_length, const char* existing_value,
                            size_t value_length, char** new_value,
                            size_t* new_value_length,
                            unsigned char* value_changed),
    const char* (*name)(void*)) {
  return new rocksdb_compactionfilter_t(state, destructor, filter, name);
}

void rocksdb_compactionfilter_set_ignore_snapshots(
    rocksdb_compactionfilter_t* filter, unsigned char whether_ignore) {
  filter->ignore_snapshots = whether_ignore != 0;
}

void rocksdb_compactionfilter_destroy(rocksdb_compactionfilter_t* filter) {
  delete filter;
}

unsigned char rocksdb_compactionfiltercontext_is_full_compaction(
    rocksdb_compactionfiltercontext_t* context) {
  return context->rep.is_full_compaction ? 1 : 0;
}

unsigned char rocksdb_compactionfiltercontext_is_manual_compaction(
    rocksdb_compactionfiltercontext_t* context) {
  return context->rep.is_manual_compaction ? 1 : 0;
}

rocksdb_compactionfilterfactory_t* rocksdb_compactionfilterfactory_create(
    void* state, void (*destructor)(void*),
    rocksdb_compactionfilter_t* (*create_compaction_filter)(
        void*, rocksdb_compactionfiltercontext_t* context),
    const char* (*name)(void*)) {
  return new rocksdb_compactionfilterfactory_t(state, destructor,
                                               create_compaction_filter, name);
}

void rocksdb_compactionfilterfactory_destroy(
    rocksdb_compactionfilterfactory_t* factory) {
  delete factory;
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create(
    void* state, void (*destructor)(void*), TransformCallback transform,
    DomainCallback in_domain, const char* (*name)(void*)) {
  return NewTransform(
      new CallbackTransform(state, destructor, transform, in_domain, name));
}

// What API levels below 11 call; declared by rocksdb/c.h under another name.
// in_range has never had a meaning for the files.
__attribute__((visibility("default"))) rocksdb_slicetransform_t*
rocksdb_slicetransform_create_v10(void* state, void (*destructor)(void*),
                                  TransformCallback transform,
                                  DomainCallback in_domain,
                                  DomainCallback /*in_range*/,
                                  const char* (*name)(void*)) {
  return rocksdb_slicetransform_create(state, destructor, transform, in_domain,
                                       name);
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create_fixed_prefix(
    size_t prefix_length) {
  return NewTransform(capi::NewFixedPrefixTransform(prefix_length));
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create_noop(void) {
  return NewTransform(capi::NewNoopTransform());
}

void rocksdb_slicetransform_destroy(rocksdb_slicetransform_t* transform) {
  delete transform;
}

}  // extern "C"
