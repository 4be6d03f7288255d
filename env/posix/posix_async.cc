#include "env/posix/posix_async.h"

#include <cassert>
#include <memory>
#include <utility>

#include "env/async_group.h"
#include "env/posix/io_ring.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Longer reads go to the kernel in pieces, plainly.
constexpr size_t kRingBytesMax = 1 << 30;

IoRing::Read RingRead(const PosixFileInfo& file, const FSReadRequest& request) {
  assert(request.len <= kRingBytesMax);
  IoRing::Read read;
  read.fd = file.fd;
  read.bytes = static_cast<uint32_t>(request.len);
  read.offset = request.offset;
  read.buffer = request.scratch;
  return read;
}

void ReadPlainly(const PosixFileInfo& file, FSReadRequest* request) {
  request->status = PosixReadFully(file, request->offset, request->len,
                                   &request->result, request->scratch);
}

// What the ring has not read in full, for whatever reason, is read again: that
// finds the end of the file and gives errors their words.
void TakeResult(const PosixFileInfo& file, const IoRing::Read& read,
                FSReadRequest* request) {
  assert(read.done);
  if (read.result < 0 || static_cast<size_t>(read.result) != request->len) {
    ReadPlainly(file, request);
    return;
  }
  request->result = Slice(request->scratch, request->len);
  request->status = IOStatus::OK();
}

struct StartedRead {
  std::shared_ptr<IoRing> ring;
  IoRing::Read read;
  const PosixFileInfo* file;
  FSReadRequest request;
  ReadCallback callback;
  void* argument;
  bool told = false;

  void Tell() {
    assert(!told);
    told = true;
    callback(request, argument);
  }
};

}  // namespace

void ReadEach(const PosixFileInfo& file, FSReadRequest* requests,
              size_t count) {
  for (size_t i = 0; i < count; ++i) ReadPlainly(file, &requests[i]);
}

bool ReadTogether(const PosixFileInfo& file, FSReadRequest* requests,
                  size_t count) {
  IoRing* const ring = IoRing::ForThread().get();
  if (ring == nullptr) return false;
  std::vector<IoRing::Read> reads;
  reads.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (requests[i].len > kRingBytesMax) return false;
    reads.push_back(RingRead(file, requests[i]));
  }
  ring->RunAll(reads.data(), count);
  for (size_t i = 0; i < count; ++i) TakeResult(file, reads[i], &requests[i]);
  return true;
}

void* StartRead(const PosixFileInfo& file, const FSReadRequest& request,
                ReadCallback* callback, void* argument) {
  const std::shared_ptr<IoRing>& ring = IoRing::ForThread();
  if (ring == nullptr || request.len > kRingBytesMax) return nullptr;
  auto started = std::make_unique<StartedRead>();
  started->read = RingRead(file, request);
  const bool taken = AsyncGroup::InOne() ? ring->Prepare(&started->read)
                                         : ring->Start(&started->read);
  if (!taken) return nullptr;
  started->ring = ring;
  started->file = &file;
  started->request.offset = request.offset;
  started->request.len = request.len;
  started->request.scratch = request.scratch;
  started->callback = std::move(*callback);
  started->argument = argument;
  return started.release();
}

void DeleteStartedRead(void* handle) {
  const std::unique_ptr<StartedRead> started(static_cast<StartedRead*>(handle));
  if (!started->told) started->ring->Cancel(&started->read);
}

void PollReads(const std::vector<void*>& handles, size_t min_completions) {
  std::vector<StartedRead*> wanted;
  size_t completions = 0;
  for (void* handle : handles) {
    auto* const started = static_cast<StartedRead*>(handle);
    if (started != nullptr && !started->told) {
      if (completions >= min_completions) break;
      wanted.push_back(started);
    }
    ++completions;
  }
  // Those of one ring are waited for together; of several only where threads
  // have handed handles on.
  std::vector<const IoRing::Read*> reads;
  for (size_t begin = 0; begin < wanted.size(); begin += reads.size()) {
    IoRing* const ring = wanted[begin]->ring.get();
    reads.clear();
    for (size_t i = begin; i < wanted.size() && wanted[i]->ring.get() == ring;
         ++i) {
      reads.push_back(&wanted[i]->read);
    }
    ring->Wait(reads.data(), reads.size());
  }
  for (StartedRead* started : wanted) {
    if (started->told) continue;  // Asked for twice.
    TakeResult(*started->file, started->read, &started->request);
    started->Tell();
  }
}

void AbortReads(const std::vector<void*>& handles) {
  for (void* handle : handles) {
    auto* const started = static_cast<StartedRead*>(handle);
    if (started == nullptr || started->told) continue;
    started->ring->Cancel(&started->read);
    started->request.status = IOStatus::Aborted("AbortIO");
    started->Tell();
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
