#include "table/filter/filter_bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "rocksdb/cache.h"
#include "table/filter/ribbon.h"
#include "util/cache/cache_reservation.h"
#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint32_t kGolden32 = 0x9e3779b9u;
constexpr int kLegacyRotation = 17;

RibbonRow LoadRow(const char* p) {
  return (RibbonRow{DecodeFixed64(p + 8)} << 64) | DecodeFixed64(p);
}

}  // namespace

FilterBits::FilterBits(const Slice& payload) {
  if (payload.size() <= kFilterMetadataSize) {
    kind_ = Kind::kNever;
    return;
  }
  data_ = payload.data();
  size_ = payload.size() - kFilterMetadataSize;
  const char* const metadata = data_ + size_;
  const int8_t m0 = static_cast<int8_t>(metadata[0]);
  if (m0 > 0) {
    InitLegacy(m0, DecodeFixed32(metadata + 1));
  } else if (m0 == -1) {
    InitFastLocal(metadata);
  } else if (m0 == -2) {
    InitRibbon(metadata);
  }
}

void FilterBits::InitLegacy(int probes, uint32_t lines) {
  if (lines == 0 || size_ % lines != 0) return;
  const size_t line_bytes = size_ / lines;
  if (!std::has_single_bit(line_bytes) || line_bytes > (1u << 16)) return;
  log2_line_bytes_ = static_cast<unsigned>(std::countr_zero(line_bytes));
  lines_ = lines;
  probes_ = probes;
  kind_ = Kind::kLegacy;
}

void FilterBits::InitFastLocal(const char* metadata) {
  const uint8_t m2 = static_cast<uint8_t>(metadata[2]);
  const int probes = m2 & 31;
  // Other sub-types and line sizes are reserved.
  if (metadata[1] != 0 || (m2 >> 5) != 0 || probes < 1 || probes > 30 ||
      metadata[3] != 0 || metadata[4] != 0) {
    return;
  }
  if (size_ < kLineBytes || size_ / kLineBytes > UINT32_MAX) return;
  lines_ = static_cast<uint32_t>(size_ / kLineBytes);
  probes_ = probes;
  kind_ = Kind::kFastLocal;
}

void FilterBits::InitRibbon(const char* metadata) {
  seed_ = static_cast<uint8_t>(metadata[1]);
  blocks_ = DecodeFixed32(metadata + 1) >> 8;
  const uint64_t segments = size_ / kRibbonSegmentBytes;
  if (blocks_ < 2 || segments == 0) return;
  const uint64_t columns = (segments + blocks_ - 1) / blocks_;
  if (columns > kRibbonColumnsMax) {
    columns_ = kRibbonColumnsMax;
    upper_start_ = 0;
  } else {
    columns_ = static_cast<uint32_t>(columns);
    upper_start_ = static_cast<uint32_t>(columns * blocks_ - segments);
  }
  kind_ = Kind::kRibbon;
}

bool FilterBits::FastLocalMayMatch(uint64_t hash) const {
  assert(lines_ > 0 && probes_ > 0);
  const char* const line = FastLocalLine(hash);
  uint32_t h = static_cast<uint32_t>(hash >> 32);
  for (int i = 0; i < probes_; ++i, h *= kGolden32) {
    const uint32_t bit = h >> (32 - 9);
    if ((line[bit >> 3] & (1 << (bit & 7))) == 0) return false;
  }
  return true;
}

bool FilterBits::LegacyMayMatch(uint32_t hash) const {
  assert(lines_ > 0 && size_ == size_t{lines_} << log2_line_bytes_);
  const char* const line = data_ + (size_t{hash % lines_} << log2_line_bytes_);
  const uint32_t mask = (8u << log2_line_bytes_) - 1;
  const uint32_t delta = std::rotr(hash, kLegacyRotation);
  uint32_t h = hash;
  for (int i = 0; i < probes_; ++i, h += delta) {
    const uint32_t bit = h & mask;
    if ((line[bit >> 3] & (1 << (bit & 7))) == 0) return false;
  }
  return true;
}

bool FilterBits::RibbonMayMatch(uint64_t hash) const {
  assert(blocks_ >= 2 && columns_ <= kRibbonColumnsMax);
  const uint64_t starts =
      uint64_t{blocks_} * kRibbonRowBits - (kRibbonRowBits - 1);
  const auto [start, row, expected] =
      RibbonEquationOf(hash, RibbonRawSeed(seed_), starts);
  const uint32_t block = static_cast<uint32_t>(start / kRibbonRowBits);
  const unsigned shift = static_cast<unsigned>(start % kRibbonRowBits);
  const uint32_t columns = block < upper_start_ ? columns_ - 1 : columns_;
  const uint64_t first =
      uint64_t{block} * columns_ - std::min(block, upper_start_);
  const uint64_t needed = first + (shift > 0 ? 2 : 1) * uint64_t{columns};
  if (needed > size_ / kRibbonSegmentBytes) return true;  // Damaged.
  const char* segment = data_ + first * kRibbonSegmentBytes;
  for (uint32_t i = 0; i < columns; ++i, segment += kRibbonSegmentBytes) {
    RibbonRow v = LoadRow(segment) & (row << shift);
    if (shift > 0) {
      v ^= LoadRow(segment + size_t{columns} * kRibbonSegmentBytes) &
           (row >> (kRibbonRowBits - shift));
    }
    if (Parity(v) != ((expected >> i) & 1)) return false;
  }
  return true;
}

uint64_t FilterBits::HashOf(const Slice& key) const {
  return kind_ == Kind::kLegacy
             ? Hash32Legacy(key.data(), key.size(), kLegacyBloomSeed)
             : Hash64(key);
}

bool FilterBits::HashMayMatch(uint64_t hash) const {
  switch (kind_) {
    case Kind::kFastLocal:
      return FastLocalMayMatch(hash);
    case Kind::kRibbon:
      return RibbonMayMatch(hash);
    case Kind::kLegacy:
      return LegacyMayMatch(static_cast<uint32_t>(hash));
    case Kind::kNever:
      return false;
    case Kind::kAlways:
      break;
  }
  return true;
}

bool FilterHoldsAll(const Slice& payload, const std::vector<uint64_t>& hashes) {
  const FilterBits bits(payload);
  return std::all_of(hashes.begin(), hashes.end(),
                     [&](uint64_t hash) { return bits.HashMayMatch(hash); });
}

int FastLocalBloomProbes(int millibits_per_key) {
  struct Step {
    int millibits_max;
    int probes;
  };
  // Where one more probe starts to lower the false positive rate.
  static constexpr Step kSteps[] = {
      {2080, 1},  {3580, 2},  {5100, 3},  {6640, 4},   {8300, 5},   {10070, 6},
      {11720, 7}, {14001, 8}, {16050, 9}, {18300, 10}, {22001, 11}, {25501, 12},
  };
  for (const Step& step : kSteps) {
    if (millibits_per_key <= step.millibits_max) return step.probes;
  }
  assert(millibits_per_key > kSteps[0].millibits_max);
  // Beyond, more probes gain little and cost time.
  if (millibits_per_key > 50000) return 24;
  return (millibits_per_key - 1) / 2000 - 1;
}

FilterBitsBuilder::FilterBitsBuilder(FilterKind kind, int millibits_per_key)
    : kind_(kind), millibits_per_key_(millibits_per_key) {}

FilterBitsBuilder::~FilterBitsBuilder() = default;

void FilterBitsBuilder::ChargeTo(const std::shared_ptr<Cache>& cache) {
  charge_ = std::make_unique<CacheReservation>(
      cache, CacheEntryRole::kFilterConstruction);
  charge_at_ = 1;
}

// Ignore an error: the hashes are needed anyway.
void FilterBitsBuilder::ChargeHashes() {
  assert(charge_ != nullptr);
  constexpr size_t kStep = 8192;
  (void)charge_->Update(hashes_.capacity() * sizeof(uint64_t));
  charge_at_ = hashes_.size() + kStep;
}

void FilterBitsBuilder::Check(const std::string& payload) {
  uint64_t sum = 0;
  for (const uint64_t hash : hashes_) sum += hash;
  if (sum != sum_) {
    status_ = Status::Corruption("a filter's hashes changed in memory");
  } else if (!FilterHoldsAll(payload, hashes_)) {
    status_ = Status::Corruption("a filter lacks a key that was added to it");
  }
  sum_ = 0;
}

uint64_t FilterBitsBuilder::HashOf(const Slice& key) const {
  return kind_ != FilterKind::kLegacyBloom
             ? Hash64(key)
             : Hash32Legacy(key.data(), key.size(), kLegacyBloomSeed);
}

void FilterBitsBuilder::AddKey(const Slice& key) {
  const uint64_t hash = HashOf(key);
  if (hashes_.empty() || hashes_.back() != hash) Push(hash);
}

void FilterBitsBuilder::AddKeyAndPrefix(const Slice& key, const Slice& prefix) {
  const uint64_t key_hash = HashOf(key);
  const uint64_t prefix_hash = HashOf(prefix);
  // "Last" is always what was added before this call.
  const bool has_last = !hashes_.empty();
  const uint64_t last = has_last ? hashes_.back() : 0;
  const auto is_last = [&](uint64_t hash) {
    return (has_last && hash == last) || (has_prefix_ && hash == last_prefix_);
  };
  if (prefix_hash != key_hash && !is_last(prefix_hash)) {
    Push(prefix_hash);
  }
  if (!is_last(key_hash)) Push(key_hash);
  has_prefix_ = true;
  last_prefix_ = prefix_hash;
}

std::string FilterBitsBuilder::Finish() {
  std::string payload;
  if (!hashes_.empty()) {
    if (kind_ == FilterKind::kRibbon) payload = Ribbon();
    if (kind_ == FilterKind::kLegacyBloom) payload = Legacy();
    if (payload.empty()) payload = FastLocal();
    if (checks_) Check(payload);
  }
  hashes_.clear();
  if (charge_ != nullptr) ChargeHashes();
  has_prefix_ = false;
  return payload;
}

size_t FilterBitsBuilder::PayloadSizeEstimate() const {
  if (hashes_.empty()) return 0;
  // A Ribbon filter of many keys has seven tenths of the Bloom filter's size.
  const size_t bytes = kind_ == FilterKind::kRibbon ? FastLocalBytes() / 10 * 7
                                                    : FastLocalBytes();
  return bytes + kFilterMetadataSize;
}

// Empty when there is to be a Bloom filter instead: it is the smaller one for
// a few keys, and needs no luck.
std::string FilterBitsBuilder::Ribbon() {
  constexpr uint64_t kSlotsSmall = 1024;
  assert(!hashes_.empty());
  const RibbonShape shape =
      RibbonShapeFor(hashes_.size(), millibits_per_key_, hashes_.front());
  if (shape.blocks == 0) return {};
  if (shape.slots() < kSlotsSmall && FastLocalBytes() < shape.data_bytes()) {
    return {};
  }
  const size_t hash_bytes = hashes_.capacity() * sizeof(uint64_t);
  if (charge_ != nullptr &&
      !charge_->Update(hash_bytes + RibbonMemory(shape)).ok()) {
    return {};
  }
  return BuildRibbon(hashes_, shape);
}

size_t FilterBitsBuilder::FastLocalBytes() const {
  constexpr uint64_t kDataBytesMax = 0xffffffc0u;
  const uint64_t millibits =
      hashes_.size() * static_cast<uint64_t>(millibits_per_key_);
  const uint64_t bytes = (millibits + 7999) / 8000;
  const uint64_t lines =
      (bytes + FilterBits::kLineBytes - 1) / FilterBits::kLineBytes;
  return std::min(lines * FilterBits::kLineBytes, kDataBytesMax);
}

std::string FilterBitsBuilder::FastLocal() const {
  constexpr size_t kAhead = 16;  // Lines whose loading is started in advance.
  const size_t size = FastLocalBytes();
  const uint32_t lines = static_cast<uint32_t>(size / FilterBits::kLineBytes);
  assert(lines > 0 && size % FilterBits::kLineBytes == 0);
  const int probes = FastLocalBloomProbes(millibits_per_key_);

  std::string payload(size + kFilterMetadataSize, '\0');
  char* const data = payload.data();
  const auto line_of = [&](uint64_t hash) {
    return data + size_t{FastRange32(static_cast<uint32_t>(hash), lines)} *
                      FilterBits::kLineBytes;
  };
  for (size_t i = 0; i < hashes_.size(); ++i) {
    if (i + kAhead < hashes_.size()) {
      __builtin_prefetch(line_of(hashes_[i + kAhead]), 1);
    }
    char* const line = line_of(hashes_[i]);
    uint32_t h = static_cast<uint32_t>(hashes_[i] >> 32);
    for (int probe = 0; probe < probes; ++probe, h *= kGolden32) {
      const uint32_t bit = h >> (32 - 9);
      line[bit >> 3] = static_cast<char>(line[bit >> 3] | (1 << (bit & 7)));
    }
  }
  assert(0 < probes && probes <= 30);  // What a reader takes.
  data[size] = static_cast<char>(-1);
  data[size + 2] = static_cast<char>(probes);
  return payload;
}

std::string FilterBitsBuilder::Legacy() const {
  constexpr uint64_t kBitsMax = 0xffff0000u;
  const uint64_t bits_per_key =
      (static_cast<uint64_t>(millibits_per_key_) + 500) / 1000;
  const int probes = std::clamp(
      static_cast<int>(static_cast<double>(bits_per_key) * 0.69), 1, 30);
  const uint64_t bits = std::min(hashes_.size() * bits_per_key, kBitsMax);
  // An odd number of lines makes the remainder use all bits of the hash.
  const uint32_t lines = static_cast<uint32_t>((bits + 511) / 512) | 1;
  const size_t size = size_t{lines} * FilterBits::kLineBytes;

  std::string payload(size + kFilterMetadataSize, '\0');
  char* const data = payload.data();
  for (const uint64_t hash : hashes_) {
    uint32_t h = static_cast<uint32_t>(hash);
    char* const line = data + size_t{h % lines} * FilterBits::kLineBytes;
    const uint32_t delta = std::rotr(h, kLegacyRotation);
    for (int probe = 0; probe < probes; ++probe, h += delta) {
      const uint32_t bit = h & 511;
      line[bit >> 3] = static_cast<char>(line[bit >> 3] | (1 << (bit & 7)));
    }
  }
  assert(lines % 2 == 1 && 0 < probes && probes <= 30);
  data[size] = static_cast<char>(probes);
  EncodeFixed32(data + size + 1, lines);
  return payload;
}

}  // namespace ROCKSDB_NAMESPACE::engine
