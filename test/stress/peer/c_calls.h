// What calls of the C interface give back: errors, bytes and iterators.
//
// Place. Of CTarget.
//
// Threads. One at a time.

#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "test/stress/history/answers.h"
#include "test/stress/history/operation.h"
#include "test/stress/peer/api.h"
#include "test/stress/peer/u64_times.h"

namespace ROCKSDB_NAMESPACE::stress {

// The place for an error, and its text.
class Error {
 public:
  Error() = default;
  ~Error() { std::free(text_); }
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;
  char** out() { return &text_; }
  bool is_set() const { return text_ != nullptr; }
  std::string Text() const {
    return text_ == nullptr ? kOk : "ERROR " + std::string(text_);
  }

 private:
  char* text_ = nullptr;
};

inline std::string Take(char* data, size_t size) {
  std::string bytes(data, size);
  std::free(data);
  return bytes;
}

inline void ReadNewest(const Api& api, rocksdb_readoptions_t* options) {
  api.readoptions_set_timestamp(options, NewestTime().data(),
                                NewestTime().size());
}

// What kNewIterator asks for.
class CCursor final : public Cursor {
 public:
  using NewIterator =
      std::function<rocksdb_iterator_t*(const rocksdb_readoptions_t*)>;

  CCursor(const Api& api, const NewIterator& make, const Operation& how,
          const rocksdb_snapshot_t* snapshot)
      : api_(api),
        lower_(how.key),
        upper_(how.end),
        options_(api.readoptions_create()) {
    const std::string mode = how.Setting("mode");
    if (!lower_.empty()) {
      api.readoptions_set_iterate_lower_bound(options_, lower_.data(),
                                              lower_.size());
    }
    if (!upper_.empty()) {
      api.readoptions_set_iterate_upper_bound(options_, upper_.data(),
                                              upper_.size());
    }
    if (snapshot != nullptr) api.readoptions_set_snapshot(options_, snapshot);
    if (HasTimestamps(how.family)) ReadNewest(api, options_);
    if (mode == "tailing") api.readoptions_set_tailing(options_, 1);
    const bool has_auto = api.readoptions_set_auto_prefix_mode != nullptr;
    if (mode == "auto" && has_auto) {
      api.readoptions_set_auto_prefix_mode(options_, 1);
    } else if (mode != "prefix") {
      api.readoptions_set_total_order_seek(options_, 1);
    }
    it_ = make(options_);
  }
  ~CCursor() override {
    api_.iter_destroy(it_);
    api_.readoptions_destroy(options_);
  }
  CCursor(const CCursor&) = delete;
  CCursor& operator=(const CCursor&) = delete;

  void SeekToFirst() override { api_.iter_seek_to_first(it_); }
  void SeekToLast() override { api_.iter_seek_to_last(it_); }
  void Seek(const std::string& key) override {
    api_.iter_seek(it_, key.data(), key.size());
  }
  void SeekForPrev(const std::string& key) override {
    api_.iter_seek_for_prev(it_, key.data(), key.size());
  }
  void Next() override { api_.iter_next(it_); }
  void Prev() override { api_.iter_prev(it_); }
  void Refresh() override {}
  bool Valid() override { return api_.iter_valid(it_) != 0; }
  std::string Key() override {
    size_t size = 0;
    const char* const data = api_.iter_key(it_, &size);
    return {data, size};
  }
  std::string Shown() override {
    size_t size = 0;
    const char* const data = api_.iter_value(it_, &size);
    return Show(std::string_view(data, size));
  }
  std::string Error() override {
    stress::Error error;
    api_.iter_get_error(it_, error.out());
    return error.is_set() ? error.Text() : "";
  }

 private:
  const Api& api_;
  std::string lower_;
  std::string upper_;
  rocksdb_readoptions_t* options_;
  rocksdb_iterator_t* it_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::stress
