#include "env/read_ahead.h"

#include <cassert>
#include <vector>

#include "env/io_gate.h"

namespace ROCKSDB_NAMESPACE::engine {

void ReadAhead::Start(const IOOptions& options, const IoPass* pass,
                      uint64_t offset, size_t n) {
  Abandon();
  const size_t alignment =
      file_->use_direct_io() ? file_->file()->GetRequiredBufferAlignment() : 1;
  assert(!started_ && handle_ == nullptr);  // No read uses the buffer.
  assert(offset % alignment == 0 && n % alignment == 0);
  buffer_.Reset(alignment, n);
  request_.offset = offset;
  request_.len = n;
  request_.scratch = buffer_.data();
  request_.result = Slice();
  request_.status = IOStatus::OK();
  told_ = false;
  const auto take = [this](FSReadRequest& done, void*) {
    request_.result = done.result;
    request_.status = done.status;
    told_ = true;
  };
  // Ends with the start: when the read itself ends is known only once its
  // result is wanted, and that may be never.
  const IoGate::Turn turn(pass, IoKind::kRead, n, file_->use_direct_io());
  const IOStatus status = file_->file()->ReadAsync(
      request_, options, take, nullptr, &handle_, &delete_handle_, nullptr);
  started_ = status.ok();
  if (!started_) ReleaseHandle();
}

IOStatus ReadAhead::Finish(Slice* result) {
  assert(started_);
  started_ = false;
  IOStatus status;
  if (!told_ && handle_ != nullptr) {
    std::vector<void*> handles = {handle_};
    status = file_->file_system()->Poll(handles, 1);
  }
  ReleaseHandle();
  if (status.ok() && !told_) {
    status = IOStatus::IOError("a started read was not finished",
                               file_->file_name());
  }
  if (status.ok()) status = request_.status;
  *result = request_.result;
  return status;
}

void ReadAhead::Abandon() {
  if (!started_) return;
  started_ = false;
  if (!told_ && handle_ != nullptr) {
    std::vector<void*> handles = {handle_};
    // Whether or not it could be called off, it is over when this returns.
    (void)file_->file_system()->AbortIO(handles);
  }
  ReleaseHandle();
}

void ReadAhead::ReleaseHandle() {
  if (handle_ != nullptr && delete_handle_) delete_handle_(handle_);
  handle_ = nullptr;
  delete_handle_ = nullptr;
}

}  // namespace ROCKSDB_NAMESPACE::engine
