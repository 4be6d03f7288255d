#include "table/dictionary_buffer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "util/cache/cache_reservation.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

DictionaryBuffer::DictionaryBuffer(const Options& options) : options_(options) {
  if (options_.cache != nullptr) {
    reservation_ = std::make_unique<CacheReservation>(
        options_.cache, CacheEntryRole::kCompressionDictionaryBuildingBuffer);
  }
}

DictionaryBuffer::~DictionaryBuffer() = default;

void DictionaryBuffer::Add(const Slice& payload, const Slice& last_key) {
  assert(!full_ && !payload.empty());
  blocks_.push_back({payload.ToString(), last_key.ToString()});
  bytes_ += payload.size();
  full_ = options_.bytes_max != 0 && bytes_ > options_.bytes_max;
  if (reservation_ != nullptr && !reservation_->Update(bytes_).ok()) {
    full_ = true;
  }
}

std::string DictionaryBuffer::MakeDictionary() const {
  const CompressionOptions& o = options_.compression;
  const size_t wanted =
      std::max<size_t>(o.zstd_max_train_bytes, o.max_dict_bytes);
  std::string samples;
  std::vector<size_t> sizes;
  const size_t n = blocks_.size();
  if (n == 0) return samples;
  // Steps of about the golden section of all: wherever the walk stops, what
  // was visited is spread evenly. Without a common divisor it visits all.
  size_t step = std::max<size_t>(1, n * 618 / 1000);
  while (std::gcd(step, n) != 1) ++step;
  size_t at = 0;
  for (size_t i = 0; i < n && samples.size() < wanted; ++i) {
    const std::string& payload = blocks_[at].payload;
    const size_t size = std::min(payload.size(), wanted - samples.size());
    samples.append(payload, 0, size);
    sizes.push_back(size);
    at = (at + step) % n;
  }
  assert(samples.size() <= wanted);
  return engine::MakeDictionary(options_.type, o, samples, sizes);
}

}  // namespace ROCKSDB_NAMESPACE::engine
