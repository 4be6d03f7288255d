#include "util/cache/activity_log.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kLogBufferBytes = size_t{64} << 10;

}  // namespace

Status CacheActivityLog::Start(Env* env, const std::string& path,
                               uint64_t bytes_max) {
  MutexLock lock(&mu_);
  End();
  status_ = env != nullptr
                ? env->NewWritableFile(path, &file_, EnvOptions())
                : Status::InvalidArgument(
                      path, "StartActivityLogging() needs an Env, got null");
  if (!status_.ok()) {
    file_.reset();
    return status_;
  }
  written_ = 0;
  bytes_max_ = bytes_max;
  active_.store(true, std::memory_order_release);
  return Status::OK();
}

void CacheActivityLog::Stop() {
  MutexLock lock(&mu_);
  End();
}

Status CacheActivityLog::status() const {
  MutexLock lock(&mu_);
  return status_;
}

void CacheActivityLog::AddLine(const std::string& line) {
  MutexLock lock(&mu_);
  if (file_ == nullptr) return;  // Stopped meanwhile.
  buffer_ += line;
  const bool is_last =
      bytes_max_ > 0 && written_ + buffer_.size() >= bytes_max_;
  if (!is_last && buffer_.size() < kLogBufferBytes) return;
  WriteBuffer();
  if (is_last || !status_.ok()) End();
}

void CacheActivityLog::WriteBuffer() {
  status_ = file_->Append(Slice(buffer_));
  written_ += buffer_.size();
  buffer_.clear();
}

void CacheActivityLog::End() {
  if (file_ == nullptr) return;
  active_.store(false, std::memory_order_release);
  if (status_.ok() && !buffer_.empty()) WriteBuffer();
  const Status closed = file_->Close();
  if (status_.ok()) status_ = closed;
  file_.reset();
  buffer_ = std::string();
}

}  // namespace ROCKSDB_NAMESPACE::engine
