// Comparators, merge operators and compaction filters made of C callbacks: the
// types that the user destroys himself or hands over as they are.
//
// Place. Made by callbacks.cc, put into options by options.cc.
//
// Threads. The callbacks are called by whatever thread needs an answer; the
// state is the user's, and so is its locking.
#pragma once

#include <string>
#include <vector>

#include "api/c/handles.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"

namespace capi_internal {

// The state of a callback object, its name, and its end.
class CallbackState {
 public:
  using Destructor = void (*)(void*);
  using NameCallback = const char* (*)(void*);

  CallbackState(void* state, Destructor destructor, NameCallback name_callback)
      : state_(state), destructor_(destructor), name_(name_callback) {}
  CallbackState(const CallbackState&) = delete;
  CallbackState& operator=(const CallbackState&) = delete;
  ~CallbackState() {
    if (destructor_ != nullptr) destructor_(state_);
  }

  void* get() const { return state_; }
  const char* name() const { return name_(state_); }

 private:
  void* const state_;
  const Destructor destructor_;
  const NameCallback name_;
};

}  // namespace capi_internal

struct rocksdb_comparator_t final : public capi::Comparator {
  using Compares = int (*)(void*, const char*, size_t, const char*, size_t);
  using ComparesKeys = int (*)(void*, const char*, size_t, unsigned char,
                               const char*, size_t, unsigned char);
  // Timestamps at the end of keys; those of size 0 are none.
  struct Timestamps {
    Compares compare;
    ComparesKeys compare_keys;
    size_t size;
  };

  rocksdb_comparator_t(void* state, void (*destructor)(void*),
                       Compares compares, const char* (*name)(void*),
                       const Timestamps& timestamps = {})
      : Comparator(timestamps.size),
        state_(state, destructor, name),
        compare_(compares),
        timestamps_(timestamps) {}

  const char* Name() const override { return state_.name(); }
  int Compare(const capi::Slice& a, const capi::Slice& b) const override {
    return compare_(state_.get(), a.data(), a.size(), b.data(), b.size());
  }
  int CompareTimestamp(const capi::Slice& a,
                       const capi::Slice& b) const override {
    if (timestamp_size() == 0) return 0;
    return timestamps_.compare(state_.get(), a.data(), a.size(), b.data(),
                               b.size());
  }
  using Comparator::CompareWithoutTimestamp;
  int CompareWithoutTimestamp(const capi::Slice& a, bool a_has_ts,
                              const capi::Slice& b,
                              bool b_has_ts) const override {
    if (timestamp_size() == 0) return Compare(a, b);
    return timestamps_.compare_keys(state_.get(), a.data(), a.size(),
                                    a_has_ts ? 1 : 0, b.data(), b.size(),
                                    b_has_ts ? 1 : 0);
  }
  // Nothing shorter is known to lie between two keys of an unknown order.
  void FindShortestSeparator(std::string*, const capi::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const capi_internal::CallbackState state_;
  const Compares compare_;
  const Timestamps timestamps_;
};

struct rocksdb_mergeoperator_t final : public capi::MergeOperator {
  struct Callbacks {
    char* (*full_merge)(void*, const char*, size_t, const char*, size_t,
                        const char* const*, const size_t*, int, unsigned char*,
                        size_t*);
    char* (*partial_merge)(void*, const char*, size_t, const char* const*,
                           const size_t*, int, unsigned char*, size_t*);
    void (*delete_value)(void*, const char*, size_t);
  };

  rocksdb_mergeoperator_t(void* state, void (*destructor)(void*),
                          const Callbacks& callbacks,
                          const char* (*name)(void*))
      : state_(state, destructor, name), callbacks_(callbacks) {}

  const char* Name() const override { return state_.name(); }
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override;
  bool PartialMergeMulti(const capi::Slice& key,
                         const std::deque<capi::Slice>& operand_list,
                         std::string* new_value,
                         capi::Logger* logger) const override;

 private:
  // Takes what a callback returned into `value` and gives it back.
  void Take(char* returned, size_t length, std::string* value) const;

  const capi_internal::CallbackState state_;
  const Callbacks callbacks_;
};

struct rocksdb_compactionfilter_t final : public capi::CompactionFilter {
  using Filters = unsigned char (*)(void*, int, const char*, size_t,
                                    const char*, size_t, char**, size_t*,
                                    unsigned char*);

  rocksdb_compactionfilter_t(void* state, void (*destructor)(void*),
                             Filters filters, const char* (*name)(void*))
      : state_(state, destructor, name), filter_(filters) {}

  const char* Name() const override { return state_.name(); }
  bool Filter(int level, const capi::Slice& key, const capi::Slice& value,
              std::string* new_value, bool* value_changed) const override;
  bool IgnoreSnapshots() const override { return ignore_snapshots; }

  bool ignore_snapshots = true;

 private:
  const capi_internal::CallbackState state_;
  const Filters filter_;
};

struct rocksdb_compactionfiltercontext_t {
  capi::CompactionFilter::Context rep;
};

struct rocksdb_compactionfilterfactory_t final
    : public capi::CompactionFilterFactory {
  using Creates =
      rocksdb_compactionfilter_t* (*)(void*,
                                      rocksdb_compactionfiltercontext_t*);

  rocksdb_compactionfilterfactory_t(void* state, void (*destructor)(void*),
                                    Creates creates, const char* (*name)(void*))
      : state_(state, destructor, name), create_(creates) {}

  const char* Name() const override { return state_.name(); }
  std::unique_ptr<capi::CompactionFilter> CreateCompactionFilter(
      const capi::CompactionFilter::Context& context) override {
    rocksdb_compactionfiltercontext_t copy{context};
    return std::unique_ptr<capi::CompactionFilter>(
        create_(state_.get(), &copy));
  }

 private:
  const capi_internal::CallbackState state_;
  const Creates create_;
};
