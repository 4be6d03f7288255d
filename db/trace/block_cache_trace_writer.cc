// NewBlockCacheTraceWriter(): block cache traces in the format of RocksDB.
//
// Threads. One at a time.

#include "db/trace/block_cache_trace_writer.h"

#include <cassert>
#include <string>
#include <utility>

#include "db/trace/guarded.h"
#include "db/trace/trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

const uint64_t BlockCacheTraceRecord::kReservedGetId = 0;

namespace {

class FormattedBlockTrace final : public engine::OwnBlockTrace {
 public:
  FormattedBlockTrace(SystemClock* clock, uint64_t size_max,
                      std::unique_ptr<TraceWriter> writer)
      : clock_(clock), size_max_(size_max), writer_(std::move(writer)) {
    assert(clock_ != nullptr && writer_ != nullptr);
  }
  ~FormattedBlockTrace() override {
    if (!closed_) (void)engine::Guarded([this] { return writer_->Close(); });
  }

  Status WriteBlockAccess(const BlockCacheTraceRecord& record,
                          const Slice& block_key, const Slice& cf_name,
                          const Slice& referenced_key) override {
    full_ = full_ || writer_->GetFileSize() > size_max_;
    if (full_) return Status::OK();
    RETURN_IF_ERROR(engine::EncodeBlockAccess(
        record, {block_key, cf_name, referenced_key}, &bytes_));
    return writer_->Write(bytes_);
  }
  Status WriteHeader() override {
    RETURN_IF_ERROR(
        engine::EncodeBlockTraceHeader(clock_->NowMicros(), &bytes_));
    return writer_->Write(bytes_);
  }
  bool full() const override { return full_; }
  Status Close() override {
    assert(!closed_);
    closed_ = true;
    return writer_->Close();
  }

 private:
  SystemClock* const clock_;
  const uint64_t size_max_;
  const std::unique_ptr<TraceWriter> writer_;
  std::string bytes_;  // Keeps its memory.
  bool full_ = false;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<BlockCacheTraceWriter> NewBlockCacheTraceWriter(
    SystemClock* clock, const BlockCacheTraceWriterOptions& trace_options,
    std::unique_ptr<TraceWriter>&& trace_writer) {
  return std::make_unique<FormattedBlockTrace>(
      clock, trace_options.max_trace_file_size, std::move(trace_writer));
}

}  // namespace ROCKSDB_NAMESPACE
