// Reading the blocks that a batch of lookups waits for.

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "env/aligned_buffer.h"
#include "env/async_group.h"
#include "env/io_gate.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "table/table_batch.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Reading a gap up to this size is cheaper than a second read.
constexpr uint64_t kGapBytesMax = 4096;
// A read does not grow beyond this by taking neighbours in.
constexpr uint64_t kJoinedBytesMax = uint64_t{1} << 20;

// One read: blocks [first, first + count).
struct Piece {
  size_t first;
  size_t count;
  uint64_t offset;
  size_t bytes;
  AlignedBuffer shared{};  // Where the blocks have no memory of their own.
  void* handle = nullptr;
  IOHandleDeleter delete_handle{};
};

}  // namespace

// The reads and the memory of one Finish().
class BatchReads::Io {
 public:
  Io(const std::vector<Wanted>& blocks, IOOptions* options)
      : blocks_(blocks), options_(*options), own_(blocks.size()) {}
  ~Io();
  Io(const Io&) = delete;
  Io& operator=(const Io&) = delete;

  void Run(const ReadLimits& limits, FileSystem* across);
  // The bytes read of block `index`. False: not all of it. `*own`: its memory,
  // if it is not shared.
  bool Take(size_t index, Status* status, Slice* bytes, Block::Ptr* own);

 private:
  void Plan();
  void Prepare(Piece* piece);
  const TableReader::Rep& TableOf(size_t piece) const {
    return *blocks_[pieces_[piece].first].table;
  }
  // Where the pieces end that one turn at the disk reads: of one table, unless
  // `across`.
  size_t EndOfTurn(size_t begin, bool across) const;
  bool StillInTime(size_t begin, const ReadLimits& limits);
  uint64_t BytesOf(size_t begin, size_t end) const;
  void ReadFile(size_t begin, size_t end);
  void ReadAcross(FileSystem* file_system, size_t begin, size_t end);

  const std::vector<Wanted>& blocks_;
  IOOptions& options_;
  std::vector<Piece> pieces_;
  std::vector<FSReadRequest> requests_;  // Of each piece.
  std::vector<Block::Ptr> own_;          // Of each block that has its own.
  size_t at_ = 0;                        // The piece Take() stands in.
};

BatchReads::Io::~Io() {
  for (Piece& piece : pieces_) {
    if (piece.handle != nullptr) piece.delete_handle(piece.handle);
  }
}

void BatchReads::Io::Plan() {
  assert(pieces_.empty());
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const BlockHandle& handle = blocks_[i].handle;
    if (i > 0 && blocks_[i].table == blocks_[i - 1].table) {
      Piece& last = pieces_.back();
      const uint64_t end = last.offset + last.bytes;
      const uint64_t joined = handle.end() - last.offset;
      if (handle.offset >= end && handle.offset - end <= kGapBytesMax &&
          joined <= kJoinedBytesMax) {
        last.bytes = static_cast<size_t>(joined);
        ++last.count;
        continue;
      }
    }
    Piece piece;
    piece.first = i;
    piece.count = 1;
    piece.offset = handle.offset;
    piece.bytes = static_cast<size_t>(handle.size + kBlockTrailerSize);
    pieces_.push_back(std::move(piece));
  }
}

// Gives the read memory: of the block itself where it can be read straight into
// what the cache keeps.
void BatchReads::Io::Prepare(Piece* piece) {
  const RandomAccessFileReader& file = *blocks_[piece->first].table->file;
  FSReadRequest request;
  request.offset = piece->offset;
  request.len = piece->bytes;
  if (file.use_direct_io()) {
    const size_t alignment = file.file()->GetRequiredBufferAlignment();
    request.offset = AlignDown(piece->offset, alignment);
    request.len = static_cast<size_t>(
        AlignUp(piece->offset + piece->bytes, alignment) - request.offset);
    piece->shared.Reset(alignment, request.len);
    request.scratch = piece->shared.data();
  } else if (piece->count == 1) {
    Block::Ptr& block = own_[piece->first];
    block = Block::Allocate(piece->bytes - kBlockTrailerSize);
    request.scratch = block->data();
  } else {
    piece->shared.Reset(1, piece->bytes);
    request.scratch = piece->shared.data();
  }
  assert(request.offset <= piece->offset && request.len >= piece->bytes);
  requests_.push_back(std::move(request));
}

uint64_t BatchReads::Io::BytesOf(size_t begin, size_t end) const {
  uint64_t bytes = 0;
  for (size_t i = begin; i < end; ++i) bytes += requests_[i].len;
  return bytes;
}

size_t BatchReads::Io::EndOfTurn(size_t begin, bool across) const {
  const TableReader::Rep& table = TableOf(begin);
  const IoGate::BatchLimit limit =
      IoGate::LimitOfBatch(table.options.user_pass);
  uint64_t bytes = requests_[begin].len;
  size_t end = begin + 1;
  while (end < pieces_.size() && (across || &TableOf(end) == &table) &&
         end - begin < limit.reads) {
    bytes += requests_[end].len;
    if (bytes > limit.bytes) break;
    ++end;
  }
  return end;
}

void BatchReads::Io::ReadFile(size_t begin, size_t end) {
  const TableReader::Rep& table = TableOf(begin);
  const IoGate::Turn turn(table.options.user_pass, IoKind::kRead,
                          BytesOf(begin, end), table.file->use_direct_io(),
                          static_cast<uint32_t>(end - begin));
  table.file->MultiRead(options_, &requests_[begin], end - begin);
}

void BatchReads::Io::ReadAcross(FileSystem* file_system, size_t begin,
                                size_t end) {
  const TableReader::Rep& table = TableOf(begin);
  const IoGate::Turn turn(table.options.user_pass, IoKind::kRead,
                          BytesOf(begin, end), table.file->use_direct_io(),
                          static_cast<uint32_t>(end - begin));
  const AsyncGroup group;  // Nothing happens between the starts and the wait.
  std::vector<void*> handles;
  handles.reserve(end - begin);
  for (size_t i = begin; i < end; ++i) {
    Piece& piece = pieces_[i];
    blocks_[piece.first].table->file->StartRead(
        options_, &requests_[i], &piece.handle, &piece.delete_handle);
    if (piece.handle != nullptr) handles.push_back(piece.handle);
  }
  if (handles.empty()) return;
  Statistics* const statistics = table.options.statistics;
  SystemClock* const clock = table.file->clock();
  const uint64_t start_micros = statistics != nullptr ? clock->NowMicros() : 0;
  const IOStatus s = file_system->Poll(handles, handles.size());
  if (statistics != nullptr) {
    statistics->recordInHistogram(POLL_WAIT_MICROS,
                                  clock->NowMicros() - start_micros);
    statistics->recordInHistogram(MULTIGET_IO_BATCH_SIZE, end - begin);
  }
  for (size_t i = begin; !s.ok() && i < end; ++i) {
    if (pieces_[i].handle != nullptr) requests_[i].status = s;
  }
}

// Turns take time. False: what is left has the error.
bool BatchReads::Io::StillInTime(size_t begin, const ReadLimits& limits) {
  const Status status = ApplyLimits(TableOf(0).source, limits, &options_);
  if (status.ok()) return true;
  for (size_t i = begin; i < requests_.size(); ++i) {
    requests_[i].status = status_to_io_status(Status(status));
  }
  return false;
}

void BatchReads::Io::Run(const ReadLimits& limits, FileSystem* across) {
  Plan();
  requests_.reserve(pieces_.size());
  assert(!pieces_.empty());
  for (Piece& piece : pieces_) Prepare(&piece);
  // One read is not made faster by starting it first.
  if (pieces_.size() == 1) across = nullptr;
  for (size_t begin = 0; begin < pieces_.size();) {
    if (begin > 0 && !StillInTime(begin, limits)) return;
    const size_t end = EndOfTurn(begin, across != nullptr);
    if (across != nullptr) {
      ReadAcross(across, begin, end);
    } else {
      ReadFile(begin, end);
    }
    begin = end;
  }
}

bool BatchReads::Io::Take(size_t index, Status* status, Slice* bytes,
                          Block::Ptr* own) {
  while (index >= pieces_[at_].first + pieces_[at_].count) ++at_;
  assert(at_ < pieces_.size() && index >= pieces_[at_].first);
  const FSReadRequest& request = requests_[at_];
  const BlockHandle& handle = blocks_[index].handle;
  *status = request.status;
  if (!status->ok()) return true;
  assert(handle.offset >= request.offset);
  const uint64_t skip = handle.offset - request.offset;
  const uint64_t size = handle.size + kBlockTrailerSize;
  if (request.result.size() < skip + size) return false;
  *bytes = Slice(request.result.data() + skip, static_cast<size_t>(size));
  *own = std::move(own_[index]);
  return true;
}

void BatchReads::Add(const TableReader::Rep* table, const BlockHandle& handle,
                     BatchKey* const* keys, size_t count) {
  assert(count > 0);
  blocks_.push_back({table, handle, keys_.size(), count});
  for (size_t i = 0; i < count; ++i) {
    keys[i]->waits = true;
    keys_.push_back(keys[i]);
  }
}

Status BatchReads::TakeBlock(const Wanted& wanted, Io* io, size_t index,
                             Cached<const Block>* block) const {
  const TableReader::Rep& table = *wanted.table;
  const BatchFetch batch(options_);
  Status status;
  Slice bytes;
  Block::Ptr own;
  if (!io->Take(index, &status, &bytes, &own)) {
    // The file system stopped early, or the file is too short.
    return table.FetchData(batch.fetch, wanted.handle, block);
  }
  RETURN_IF_ERROR(status);
  Block::Ptr opened;
  RETURN_IF_ERROR(OpenBlock(table.source, wanted.handle,
                            DataRequest(table, batch.fetch), bytes,
                            std::move(own), &opened));
  return table.TakeData(batch.fetch, wanted.handle, std::move(opened), block);
}

void BatchReads::Answer(const Wanted& wanted, const Status& limits, Io* io,
                        size_t index) {
  BatchKey* const* const keys = &keys_[wanted.first_key];
  Cached<const Block> block;
  const Status status =
      limits.ok() ? TakeBlock(wanted, io, index, &block) : limits;
  const BatchFetch batch(options_);
  for (size_t i = 0; i < wanted.key_count; ++i) {
    assert(keys[i]->waits);
    keys[i]->waits = false;
    if (!status.ok()) {
      keys[i]->status = status;
      continue;
    }
    AnswerFromBlock(*wanted.table, batch.fetch, &block,
                    /*shared=*/i + 1 < wanted.key_count, keys[i],
                    wanted.handle);
  }
}

void BatchReads::Finish(bool across_files) {
  if (blocks_.empty()) return;
  BatchFetch batch(options_);
  // Every table of a batch asks the same clock.
  const Status limits =
      ApplyLimits(blocks_[0].table->source, batch.fetch.limits, &batch.io);
  {
    Io io(blocks_, &batch.io);
    if (limits.ok()) {
      io.Run(batch.fetch.limits, across_files ? file_system_ : nullptr);
    }
    for (size_t i = 0; i < blocks_.size(); ++i) {
      Answer(blocks_[i], limits, &io, i);
    }
  }
  blocks_.clear();
  keys_.clear();
}

}  // namespace ROCKSDB_NAMESPACE::engine
