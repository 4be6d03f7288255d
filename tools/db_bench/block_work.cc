// crc32c, xxhash, xxhash64, xxh3, compress, uncompress, acquireload: what a
// block costs besides the disk. No database is asked.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "util/compression/compression.h"
#include "util/crc32c.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kHashedBytes = uint64_t{500} << 20;
constexpr uint64_t kCompressedBytes = uint64_t{1} << 30;

std::string BlockOf(const Bench& bench, const ThreadState& thread) {
  const auto size = static_cast<size_t>(std::max(1, FLAGS_block_size));
  return bench.NewValueMaker(thread).Make(size).ToString();
}

// Until so many bytes are done; `work` takes the block.
template <typename Work>
void Repeat(const Bench& bench, ThreadState* thread, const Slice& block,
            uint64_t bytes_max, Work&& work) {
  thread->stats.StartOp();
  for (uint64_t bytes = 0; bytes < bytes_max; bytes += block.size()) {
    work();
    thread->stats.AddBytes(block.size());
    thread->stats.FinishedOps(bench.db(), 1, OpType::kOther);
  }
}

template <typename Hash>
void HashBlocks(const Bench& bench, ThreadState* thread, Hash&& hash) {
  const std::string block = BlockOf(bench, *thread);
  uint64_t sum = 0;
  Repeat(bench, thread, block, kHashedBytes,
         [&] { sum ^= hash(block.data(), block.size()); });
  // So that the work is not optimised away.
  std::fprintf(stderr, "... checksum=0x%llx\r",
               static_cast<unsigned long long>(sum));
  thread->stats.AddMessage("(" + std::to_string(block.size()) + " per op)");
}

engine::CompressRequest RequestOf(const Bench& bench) {
  engine::CompressRequest request;
  request.type = bench.options().compression;
  request.options = &bench.options().compression_opts;
  return request;
}

}  // namespace

void Crc32c(const Bench& bench, ThreadState* thread) {
  HashBlocks(bench, thread, [](const char* data, size_t size) {
    return uint64_t{engine::crc32c::Value(data, size)};
  });
}

void XxHash(const Bench& bench, ThreadState* thread) {
  HashBlocks(bench, thread, [](const char* data, size_t size) {
    return uint64_t{engine::Xxh32(data, size)};
  });
}

void XxHash64(const Bench& bench, ThreadState* thread) {
  HashBlocks(bench, thread, [](const char* data, size_t size) {
    return engine::Xxh64(data, size);
  });
}

void Xxh3(const Bench& bench, ThreadState* thread) {
  HashBlocks(bench, thread, [](const char* data, size_t size) {
    return engine::Xxh3(data, size);
  });
}

void CompressBlocks(const Bench& bench, ThreadState* thread) {
  const std::string block = BlockOf(bench, *thread);
  const engine::CompressRequest request = RequestOf(bench);
  std::string out;
  uint64_t produced = 0;
  uint64_t taken = 0;
  Repeat(bench, thread, block, kCompressedBytes, [&] {
    out.clear();
    const Status done = engine::Compress(request, block, &out);
    if (!done.ok()) Die("compress", done);
    produced += out.size();
    taken += block.size();
  });
  char message[100];
  std::snprintf(
      message, sizeof(message), "(output: %.1f%%)",
      100.0 * static_cast<double>(produced) / static_cast<double>(taken));
  thread->stats.AddMessage(message);
}

void UncompressBlocks(const Bench& bench, ThreadState* thread) {
  const std::string block = BlockOf(bench, *thread);
  std::string compressed;
  const Status done = engine::Compress(RequestOf(bench), block, &compressed);
  if (!done.ok()) Die("uncompress", done);
  engine::UncompressRequest request;
  request.type = bench.options().compression;
  Repeat(bench, thread, block, kCompressedBytes, [&] {
    const auto out = engine::Uncompress(request, compressed);
    if (!out.ok()) Die("uncompress", out.status());
  });
}

void AcquireLoad(const Bench& bench, ThreadState* thread) {
  constexpr int kLoads = 1000;  // Per operation.
  constexpr uint64_t kOperations = 100000;
  int dummy = 0;
  const std::atomic<int*> pointer(&dummy);
  int* seen = nullptr;
  thread->stats.StartOp();
  for (uint64_t i = 0; i < kOperations; ++i) {
    for (int j = 0; j < kLoads; ++j) {
      seen = pointer.load(std::memory_order_acquire);
    }
    thread->stats.FinishedOps(bench.db(), 1, OpType::kOther);
  }
  if (seen == nullptr) std::abort();  // So that the loads are not left out.
  thread->stats.AddMessage("(each op is 1000 loads)");
}

}  // namespace ROCKSDB_NAMESPACE::bench
