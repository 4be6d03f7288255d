// WriteWithCallback: a write that tells the program how far it is.

#include <atomic>

#include "db/db_impl/db_impl.h"
#include "rocksdb/user_write_callback.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// No exception passes: the writer is in the queue.
class CallbackHooks final : public CommitHooks {
 public:
  explicit CallbackHooks(UserWriteCallback* callback) : callback_(callback) {}

  void Queued() override {
    try {
      callback_->OnWriteEnqueued();
    } catch (...) {
      threw_ = true;
    }
  }
  void Logged() override {
    try {
      callback_->OnWalWriteFinish();
    } catch (...) {
      threw_ = true;
    }
  }
  bool threw() const { return threw_; }

 private:
  UserWriteCallback* const callback_;
  std::atomic<bool> threw_{false};  // Set by two threads.
};

}  // namespace

Status DBImpl::WriteWithCallback(const WriteOptions& options,
                                 WriteBatch* updates,
                                 UserWriteCallback* callback) {
  if (callback == nullptr) return Write(options, updates);
  CallbackHooks hooks(callback);
  CommitRequest request;
  request.batch = updates;
  request.options = &options;
  request.hooks = &hooks;
  Status status = Commit(&request);
  if (hooks.threw()) {
    Warn(state_->store.info_log, "A UserWriteCallback threw an exception");
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
