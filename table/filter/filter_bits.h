// Filter bits: the payload of one filter block, built and probed.
//
// Place. The filter block builder adds hashes; the table reader probes. The
// public FilterPolicy only chooses what is built.
//
// Bytes. D data bytes followed by five metadata bytes m0..m4:
//
//   payload <= 5 bytes   nothing was added: every key is absent
//   m0 = 1..127          legacy Bloom: probes, fixed32 number of lines
//   m0 = 0               every key may match
//   m0 = -1              cache-local Bloom: m1 = 0, m2 = probes, 0, 0
//   m0 = -2              Ribbon: m1 = seed, m2..m4 number of blocks
//   m0 other             reserved: every key may match
//
// Model. A cache-local Bloom filter is an array of 64-byte lines. The low half
// of the key's hash picks the line, the high half the bits in it, so a probe
// costs one cache miss.
//
// Invariants: a key that was added always may match; in case of doubt the
// answer is "may match".
//
// Threads. FilterBits is immutable; a builder has one owner.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class Cache;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kFilterMetadataSize = 5;

class CacheReservation;

// kRibbon may still give a cache-local Bloom filter: see ribbon.h.
enum class FilterKind : uint8_t { kLegacyBloom, kFastLocalBloom, kRibbon };

// Collects the hashes of what is added and makes the payload of one filter
// block. Neighbours that repeat are dropped: that makes prefixes cheap and
// keeps the versions of one key from counting twice.
class FilterBitsBuilder {
 public:
  // `millibits_per_key` is at least 1000.
  FilterBitsBuilder(FilterKind kind, int millibits_per_key);
  ~FilterBitsBuilder();
  FilterBitsBuilder(const FilterBitsBuilder&) = delete;
  FilterBitsBuilder& operator=(const FilterBitsBuilder&) = delete;

  // Counts what construction needs against the capacity of `cache`. Where a
  // strict one has no room for a Ribbon filter's, a Bloom filter is made.
  void ChargeTo(const std::shared_ptr<Cache>& cache);
  // Finish() will ask the filter for all that was added: damaged memory shows
  // in status().
  void CheckWhenFinished() { checks_ = true; }
  // Corruption once a check failed; the filter must not be used.
  const Status& status() const { return status_; }

  void AddKey(const Slice& key);
  // Adds `key` and its prefix.
  void AddKeyAndPrefix(const Slice& key, const Slice& prefix);
  size_t entry_count() const { return hashes_.size(); }
  size_t PayloadSizeEstimate() const;
  // The payload; empty when nothing was added. Starts over.
  std::string Finish();

 private:
  uint64_t HashOf(const Slice& key) const;
  void Push(uint64_t hash) {
    hashes_.push_back(hash);
    if (checks_) sum_ += hash;
    if (hashes_.size() >= charge_at_) ChargeHashes();
  }
  void ChargeHashes();
  void Check(const std::string& payload);
  std::string FastLocal() const;
  std::string Legacy() const;
  std::string Ribbon();
  size_t FastLocalBytes() const;

  const FilterKind kind_;
  const int millibits_per_key_;
  std::vector<uint64_t> hashes_;
  bool has_prefix_ = false;
  uint64_t last_prefix_ = 0;
  bool checks_ = false;
  uint64_t sum_ = 0;  // Of the hashes, as they were when they came.
  Status status_;
  std::unique_ptr<CacheReservation> charge_;
  size_t charge_at_ = SIZE_MAX;  // Hashes from which on there is more to pay.
};

// True when every one of the hashes may be in the filter.
bool FilterHoldsAll(const Slice& payload, const std::vector<uint64_t>& hashes);

// Probes per key that keep the false positive rate lowest.
int FastLocalBloomProbes(int millibits_per_key);

// A view of a filter payload; the bytes must outlive it.
class FilterBits {
 public:
  FilterBits() = default;  // May match everything.
  explicit FilterBits(const Slice& payload);

  bool MayMatch(const Slice& key) const { return HashMayMatch(HashOf(key)); }
  // For the hash of a key: 32 bits for legacy Bloom filters, else 64.
  bool HashMayMatch(uint64_t hash) const;
  uint64_t HashOf(const Slice& key) const;
  // Brings in the line that HashMayMatch(hash) will look at.
  void Prefetch(uint64_t hash) const {
    if (kind_ == Kind::kFastLocal) __builtin_prefetch(FastLocalLine(hash));
  }
  static constexpr size_t kLineBytes = 64;

 private:
  enum class Kind : uint8_t { kAlways, kNever, kFastLocal, kLegacy, kRibbon };

  void InitLegacy(int probes, uint32_t lines);
  void InitFastLocal(const char* metadata);
  void InitRibbon(const char* metadata);
  const char* FastLocalLine(uint64_t hash) const {
    const uint64_t line = (hash & 0xffffffffu) * lines_ >> 32;
    return data_ + line * kLineBytes;
  }
  bool FastLocalMayMatch(uint64_t hash) const;
  bool LegacyMayMatch(uint32_t hash) const;
  bool RibbonMayMatch(uint64_t hash) const;

  Kind kind_ = Kind::kAlways;
  const char* data_ = nullptr;
  size_t size_ = 0;  // Of the data bytes.
  int probes_ = 0;
  uint32_t lines_ = 0;
  unsigned log2_line_bytes_ = 6;
  // Ribbon.
  uint32_t seed_ = 0;
  uint32_t blocks_ = 0;
  uint32_t columns_ = 0;
  uint32_t upper_start_ = 0;  // First block with `columns_` columns.
};

}  // namespace ROCKSDB_NAMESPACE::engine
