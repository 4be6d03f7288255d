// CountRead: one of about 1,024 reads of a file is noted in its metadata.
//
// Place. Table cache and MultiGet, for every file that a user's read asks.
//
// Model. Each thread counts down to its next sample, over a distance drawn at
// random, so that reads that ask files in turn do not always hit the same one.
// A sample stands for all reads since the last: it adds 1,024.
//
// Threads. A read that is no sample touches this thread's words only.

#pragma once

#include <cstdint>

#include "db/manifest/file_metadata.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

constexpr uint32_t kReadsPerSample = 1024;

struct ReadSampler {
  uint32_t left;    // Until the next sample.
  uint32_t random;  // 0: not begun.
};

extern thread_local constinit ReadSampler read_sampler RIVERSTONE_STATIC_TLS;

void SampleRead(const FileMetaData& file);

inline void CountRead(const FileMetaData& file) {
  if (--read_sampler.left == 0) [[unlikely]]
    SampleRead(file);
}

}  // namespace ROCKSDB_NAMESPACE::engine
