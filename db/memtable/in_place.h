// InPlace: what a memtable needs when its values may be changed in place
// (inplace_update_support).
//
// Model. Writers change the newest plain value of a key under its stripe's
// lock; readers of a value hold the lock shared. Keys, sequences and links
// never change. Snapshots and iterators see the change.
//
// Threads. One writer at a time, concurrently with any number of readers.

#pragma once

#include <cstddef>
#include <memory>

#include "rocksdb/advanced_options.h"
#include "rocksdb/slice.h"
#include "util/hash.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

using InPlaceCallback = UpdateStatus (*)(char* existing_value,
                                         uint32_t* existing_value_size,
                                         Slice delta_value,
                                         std::string* merged_value);

class InPlace {
 public:
  // `callback` may be null: values are replaced.
  InPlace(size_t locks, InPlaceCallback update)
      : callback_(update),
        count_(locks == 0 ? 1 : locks),
        locks_(std::make_unique<Lock[]>(count_)) {}

  SharedMutex* LockOf(const Slice& user_key) const {
    constexpr uint64_t kSeed = 0x696e706cu;
    return &locks_[Hash64(user_key.data(), user_key.size(), kSeed) % count_];
  }
  InPlaceCallback callback() const { return callback_; }

 private:
  // Without a rank: code of the program runs under it (`callback_`, and that of
  // GetMergeOperands).
  struct Lock : SharedMutex {
    Lock() : SharedMutex(LockRank::kNone) {}
  };

  const InPlaceCallback callback_;
  const size_t count_;
  const std::unique_ptr<Lock[]> locks_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
