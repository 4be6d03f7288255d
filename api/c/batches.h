// What the functions for the two kinds of write batches share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/c/handles.h"
#include "rocksdb/slice.h"
#include "rocksdb/write_batch.h"

namespace capi_internal {

using capi::Slice;
using capi::SliceParts;

// A key or value in pieces.
class Parts {
 public:
  Parts(int count, const char* const* pieces, const size_t* sizes) {
    for (int i = 0; i < count; ++i) pieces_.emplace_back(pieces[i], sizes[i]);
  }
  operator SliceParts() const {  // NOLINT(google-explicit-constructor)
    return SliceParts(pieces_.data(), static_cast<int>(pieces_.size()));
  }

 private:
  std::vector<Slice> pieces_;
};

using PutCallback = void (*)(void*, const char*, size_t, const char*, size_t);
using DeleteCallback = void (*)(void*, const char*, size_t);
using BlobCallback = void (*)(void*, const char*, size_t);

// The default family's puts and deletions, as the callbacks want them.
class DefaultFamilyReader final : public capi::WriteBatch::Handler {
 public:
  DefaultFamilyReader(void* state, PutCallback put, DeleteCallback deleted,
                      BlobCallback log_data = nullptr)
      : state_(state), put_(put), deleted_(deleted), log_data_(log_data) {}

  void Put(const Slice& key, const Slice& value) override {
    put_(state_, key.data(), key.size(), value.data(), value.size());
  }
  void Delete(const Slice& key) override {
    deleted_(state_, key.data(), key.size());
  }
  void LogData(const Slice& blob) override {
    if (log_data_ != nullptr) log_data_(state_, blob.data(), blob.size());
  }

 private:
  void* const state_;
  const PutCallback put_;
  const DeleteCallback deleted_;
  const BlobCallback log_data_;
};

using TimestampSizeCallback = size_t (*)(void*, uint32_t);

inline capi::Status UpdateTimestamps(capi::WriteBatch* batch, const Slice& ts,
                                     void* state,
                                     TimestampSizeCallback get_ts_size) {
  if (get_ts_size == nullptr) return batch->UpdateTimestamps(ts, nullptr);
  return batch->UpdateTimestamps(ts, [state, get_ts_size](uint32_t family) {
    return get_ts_size(state, family);
  });
}

}  // namespace capi_internal
