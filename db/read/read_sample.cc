#include "db/read/read_sample.h"

#include <atomic>

namespace ROCKSDB_NAMESPACE::engine {

thread_local constinit ReadSampler read_sampler{1, 0};

void SampleRead(const FileMetaData& file) {
  ReadSampler& sampler = read_sampler;
  const bool first = sampler.random == 0;
  if (first) {  // Threads begin at different places.
    static std::atomic<uint32_t> threads{0};
    sampler.random =
        (threads.fetch_add(1, std::memory_order_relaxed) << 16) + 1;
  }
  sampler.random = sampler.random * 1664525 + 1013904223;
  // 1 to twice the distance: it on average. A distance of 0 would be 2^32.
  sampler.left = 1 + (sampler.random >> 8) % (2 * kReadsPerSample - 1);
  // The first read of a thread only draws.
  if (first) return;
  file.reads_sampled.fetch_add(kReadsPerSample, std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE::engine
