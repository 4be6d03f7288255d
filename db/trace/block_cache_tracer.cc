#include "db/trace/block_cache_tracer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/trace/block_cache_trace_writer.h"
#include "db/trace/guarded.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

TableReaderCaller CallerOf(Env::IOActivity activity) {
  switch (activity) {
    case Env::IOActivity::kGet:
    case Env::IOActivity::kGetEntity:
      return kUserGet;
    case Env::IOActivity::kMultiGet:
    case Env::IOActivity::kMultiGetEntity:
      return kUserMultiGet;
    case Env::IOActivity::kDBIterator:
      return kUserIterator;
    case Env::IOActivity::kFlush:
      return kFlush;
    case Env::IOActivity::kCompaction:
      return kCompaction;
    case Env::IOActivity::kDBOpen:
      return kPrefetch;
    case Env::IOActivity::kVerifyDBChecksum:
    case Env::IOActivity::kVerifyFileChecksums:
      return kUserVerifyChecksum;
    case Env::IOActivity::kGetFileChecksumsFromCurrentManifest:
    case Env::IOActivity::kUnknown:
      break;
  }
  return kUncategorized;
}

BlockCacheTraceRecord RecordOf(const BlockAccess& access, uint64_t now) {
  BlockCacheTraceRecord record;
  record.access_timestamp = now;
  record.block_type = access.type;
  record.block_size = access.bytes;
  record.cf_id = access.family_id;
  record.level = static_cast<uint32_t>(access.level);
  record.sst_fd_number = access.file_number;
  record.caller = CallerOf(access.activity);
  record.is_cache_hit = access.hit;
  record.no_insert = access.stays_out;
  record.get_id = access.lookup_id;
  record.get_from_user_specified_snapshot = access.has_snapshot;
  record.referenced_data_size = access.entry_bytes;
  record.num_keys_in_block = access.entries_max;
  record.referenced_key_exist_in_block = access.key_found;
  return record;
}

}  // namespace

BlockCacheTracer::BlockCacheTracer() = default;

BlockCacheTracer::~BlockCacheTracer() = default;

Status BlockCacheTracer::Start(const BlockCacheTraceOptions& options,
                               SystemClock* clock,
                               std::unique_ptr<BlockCacheTraceWriter> writer) {
  assert(clock != nullptr);
  if (writer == nullptr) {
    return Status::InvalidArgument(
        "StartBlockCacheTrace() needs a BlockCacheTraceWriter");
  }
  MutexLock lock(&mu_);
  if (writer_ != nullptr) {
    return Status::Busy("a block cache trace has been started",
                        "call EndBlockCacheTrace()");
  }
  Status status = Guarded([&writer] { return writer->WriteHeader(); });
  if (!status.ok()) return status;
  writer_ = std::move(writer);
  own_ = dynamic_cast<OwnBlockTrace*>(writer_.get());
  clock_ = clock;
  sampling_frequency_.store(std::max<uint64_t>(1, options.sampling_frequency),
                            std::memory_order_relaxed);
  status_ = Status::OK();
  set_active(true);
  return Status::OK();
}

Status BlockCacheTracer::End() {
  MutexLock lock(&mu_);
  if (writer_ == nullptr) return Status::OK();
  set_active(false);
  Status status = std::exchange(status_, Status::OK());
  if (own_ != nullptr) {
    const Status closed = Guarded([own = own_] { return own->Close(); });
    if (status.ok()) status = closed;
    own_ = nullptr;
  }
  writer_.reset();
  return status;
}

void BlockCacheTracer::Add(const BlockAccess& access) {
  assert(access.level >= 0);
  const uint64_t frequency =
      sampling_frequency_.load(std::memory_order_relaxed);
  if (frequency > 1 && Hash64(access.key) % frequency != 0) return;
  MutexLock lock(&mu_);
  // It may have ended, and another may have begun, since the reader looked.
  if (writer_ == nullptr || !active() ||
      frequency != sampling_frequency_.load(std::memory_order_relaxed)) {
    return;
  }
  const BlockCacheTraceRecord record = RecordOf(access, clock_->NowMicros());
  Status status = Guarded([&access, &record, writer = writer_.get()] {
    return writer->WriteBlockAccess(record, access.key, access.family_name,
                                    access.lookup_key);
  });
  if (status.ok()) {
    if (own_ != nullptr && own_->full()) set_active(false);
    return;
  }
  set_active(false);
  status_ = std::move(status);  // (2)
}

}  // namespace ROCKSDB_NAMESPACE::engine
