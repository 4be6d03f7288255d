#include "table/block/read_block.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "env/io_gate.h"
#include "rocksdb/system_clock.h"
#include "table/format/block_trailer.h"
#include "util/no_memory.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string At(const BlockSource& source, const BlockHandle& handle) {
  return " in " + source.file->file_name() + " offset " +
         std::to_string(handle.offset) + " size " + std::to_string(handle.size);
}

Status Verify(const BlockSource& source, const BlockHandle& handle,
              const Slice& payload) {
  const PerfTimer timer(source.file->clock(),
                        &PerfContext::block_checksum_time);
  const ChecksumPair pair =
      CheckBlockTrailer(source.checksum_type, source.base_context_checksum,
                        handle.offset, payload);
  RecordTick(source.statistics, BLOCK_CHECKSUM_COMPUTE_COUNT);
  if (pair.matches()) return Status::OK();
  RecordTick(source.statistics, BLOCK_CHECKSUM_MISMATCH_COUNT);
  return Status::Corruption(
      "block checksum mismatch: stored = " + std::to_string(pair.stored) +
      ", computed = " + std::to_string(pair.computed) +
      ", type = " + std::to_string(source.checksum_type) + At(source, handle));
}

void CountInflated(const BlockSource& source, uint64_t from, uint64_t to,
                   uint64_t start_nanos) {
  Statistics* const statistics = source.statistics;
  if (statistics == nullptr) return;
  statistics->recordTick(NUMBER_BLOCK_DECOMPRESSED);
  statistics->recordTick(BYTES_DECOMPRESSED_FROM, from);
  statistics->recordTick(BYTES_DECOMPRESSED_TO, to);
  if (start_nanos == 0) return;
  statistics->recordInHistogram(DECOMPRESSION_TIMES_NANOS,
                                source.file->clock()->NowNanos() - start_nanos);
}

const IOOptions& OptionsFor(Env::IOActivity activity) {
  constexpr size_t kActivities =
      static_cast<size_t>(Env::IOActivity::kUnknown) + 1;
  static const std::array<IOOptions, kActivities> all = [] {
    std::array<IOOptions, kActivities> made;
    for (size_t i = 0; i < kActivities; ++i) {
      made[i].io_activity = static_cast<Env::IOActivity>(i);
    }
    return made;
  }();
  const auto i = static_cast<size_t>(activity);
  return all[std::min(i, kActivities - 1)];
}

// Zlib and BZip2 of format versions 0 and 1 do not say how much they hold.
Status InflateUnknownSize(UncompressRequest inflate, const Slice& payload,
                          Block::Ptr* block) {
  inflate.size_max = kBlockSizeMax;
  const Result<UncompressedBlock> found = Uncompress(inflate, payload);
  if (!found.ok()) return found.status();
  *block = Block::Copy(Slice(found->data.get(), found->size));
  return Status::OK();
}

Status Inflate(const BlockSource& source, const BlockHandle& handle,
               const BlockReadRequest& request, const Slice& payload,
               uint8_t type, Block::Ptr* block) {
  const PerfTimer timer(source.file->clock(),
                        &PerfContext::block_decompress_time);
  const uint64_t start_nanos = DetailedTimersEnabled(source.statistics)
                                   ? source.file->clock()->NowNanos()
                                   : 0;
  UncompressRequest inflate;
  inflate.type = static_cast<CompressionType>(type);
  // An old marker of ZSTD, from before its format was final.
  if (inflate.type == kZSTDNotFinalCompression) inflate.type = kZSTD;
  inflate.format = CompressFormatForTable(source.format_version);
  if (request.dict != nullptr && !request.dict->empty() &&
      CompressionUsesDictionary(inflate.type)) {
    inflate.dict = request.dict;
  }
  Result<UncompressedSize> size = ReadUncompressedSize(inflate, payload);
  Status status = size.status();
  if (status.ok() && !size->known) {
    status = InflateUnknownSize(inflate, payload, block);
  } else if (status.ok()) {
    *block = Block::Allocate(size->size);
    status = UncompressInto(inflate, payload, (*block)->data(), size->size);
  }
  if (status.ok()) {
    CountInflated(source, payload.size(), (*block)->size(), start_nanos);
    return status;
  }
  const std::string why = status.ToString() + At(source, handle);
  return status.IsNotSupported() ? Status::NotSupported(why)
                                 : Status::Corruption(why);
}

Status ShortRead(const BlockSource& source, const BlockHandle& handle,
                 size_t found) {
  return Status::Corruption("truncated block read: expected " +
                            std::to_string(handle.size + kBlockTrailerSize) +
                            " bytes, found " + std::to_string(found) +
                            At(source, handle));
}

}  // namespace

Status ApplyLimits(const BlockSource& source, const ReadLimits& limits,
                   IOOptions* io) {
  uint64_t timeout_micros = limits.timeout_micros;
  if (limits.deadline_micros > 0) {
    const uint64_t now_micros = source.file->clock()->NowMicros();
    if (now_micros >= limits.deadline_micros) {
      return Status::TimedOut("Deadline exceeded");
    }
    const uint64_t left_micros = limits.deadline_micros - now_micros;
    timeout_micros = timeout_micros == 0
                         ? left_micros
                         : std::min(timeout_micros, left_micros);
  }
  io->timeout = std::chrono::microseconds(timeout_micros);
  return Status::OK();
}

namespace {

Status OpenOrThrow(const BlockSource& source, const BlockHandle& handle,
                   const BlockReadRequest& request, const Slice& bytes,
                   Block::Ptr raw, Block::Ptr* block) {
  if (bytes.size() != handle.size + kBlockTrailerSize) {
    return ShortRead(source, handle, bytes.size());
  }

  const Slice payload(bytes.data(), handle.size);
  if (request.verify_checksum) {
    RETURN_IF_ERROR(Verify(source, handle, payload));
  }
  const uint8_t type = static_cast<uint8_t>(bytes[handle.size]);
  if (type != kNoCompression) {
    return Inflate(source, handle, request, payload, type, block);
  }
  const bool in_place = raw != nullptr && payload.data() == raw->data();
  *block = in_place ? std::move(raw) : Block::Copy(payload);
  return Status::OK();
}

Status ReadOrThrow(const BlockSource& source, const BlockHandle& handle,
                   const BlockReadRequest& request, Block::Ptr* block) {
  const IOOptions* io =
      request.io != nullptr ? request.io : &OptionsFor(request.activity);
  std::optional<IOOptions> limited;
  if (request.limits.any()) {
    limited = *io;
    RETURN_IF_ERROR(ApplyLimits(source, request.limits, &*limited));
    io = &*limited;
  }
  if (handle.size > kBlockSizeMax) {
    return Status::Corruption("block too large" + At(source, handle));
  }
  const size_t stored_size = handle.size + kBlockTrailerSize;

  Slice bytes;
  bool served = false;
  if (request.prefetch != nullptr) {
    RETURN_IF_ERROR(request.prefetch->TryRead(*io, handle.offset, stored_size,
                                              &bytes, &served));
  }
  Block::Ptr raw;
  if (!served) {
    raw = Block::Allocate(handle.size);
    const IoGate::Turn turn(request.io_pass, IoKind::kRead, stored_size,
                            source.file->use_direct_io());
    RETURN_IF_ERROR(source.file->Read(*io, handle.offset, stored_size, &bytes,
                                      raw->data()));
  }
  return OpenOrThrow(source, handle, request, bytes, std::move(raw), block);
}

}  // namespace

Status ReadBlock(const BlockSource& source, const BlockHandle& handle,
                 const BlockReadRequest& request, Block::Ptr* block) {
  return OrNoMemory(
      [&] { return ReadOrThrow(source, handle, request, block); });
}

Status OpenBlock(const BlockSource& source, const BlockHandle& handle,
                 const BlockReadRequest& request, const Slice& bytes,
                 Block::Ptr raw, Block::Ptr* block) {
  return OrNoMemory([&] {
    return OpenOrThrow(source, handle, request, bytes, std::move(raw), block);
  });
}

}  // namespace ROCKSDB_NAMESPACE::engine
