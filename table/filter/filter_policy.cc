#include "table/filter/filter_policy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The format of the policy's id counts in thousandths of a bit.
int MillibitsPerKey(double bits_per_key) {
  if (!(bits_per_key >= 0.5)) return 0;  // Also not-a-number.
  const double clamped = std::clamp(bits_per_key, 1.0, 100.0);
  return static_cast<int>(clamped * 1000.0 + 0.500001);
}

// The shortest text that names the number: "10", "9.5".
std::string ShortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

std::vector<std::string> SplitAtColons(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

bool ParseNumber(const std::string& text, double* value) {
  char* end = nullptr;
  *value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

using Flavour = BuiltinFilterPolicy::Flavour;

struct FlavourNames {
  Flavour flavour;
  const char* name;
  const char* nickname;  // Either is understood.
};

constexpr FlavourNames kFlavours[] = {
    {Flavour::kBloom, "bloomfilter", "rocksdb.BloomFilter"},
    {Flavour::kRibbon, "ribbonfilter", "rocksdb.RibbonFilter"},
    {Flavour::kReading, kBuiltinFilterName, kBuiltinFilterName},
    {Flavour::kFastLocalBloom, "rocksdb.internal.FastLocalBloomFilter",
     "rocksdb.internal.FastLocalBloomFilter"},
    {Flavour::kLegacyBloom, "rocksdb.internal.LegacyBloomFilter",
     "rocksdb.internal.LegacyBloomFilter"},
    {Flavour::kStandardRibbon, "rocksdb.internal.Standard128RibbonFilter",
     "rocksdb.internal.Standard128RibbonFilter"},
};

const FlavourNames& NamesOf(Flavour flavour) {
  const auto* const found = std::find_if(
      std::begin(kFlavours), std::end(kFlavours),
      [flavour](const FlavourNames& f) { return f.flavour == flavour; });
  assert(found != std::end(kFlavours));
  return *found;
}

// Null when there is none of this name.
const FlavourNames* FindFlavour(const std::string& name) {
  const auto* const found = std::find_if(
      std::begin(kFlavours), std::end(kFlavours), [&](const FlavourNames& f) {
        return name == f.name || name == f.nickname;
      });
  return found == std::end(kFlavours) ? nullptr : found;
}

}  // namespace

BuiltinFilterPolicy::BuiltinFilterPolicy(Flavour flavour, double bits_per_key,
                                         int bloom_before_level)
    : flavour_(flavour),
      bits_per_key_(bits_per_key),
      millibits_per_key_(MillibitsPerKey(bits_per_key)),
      bloom_before_level_(bloom_before_level) {}

const char* BuiltinFilterPolicy::Name() const { return NamesOf(flavour_).name; }

const char* BuiltinFilterPolicy::NickName() const {
  return NamesOf(flavour_).nickname;
}

std::string BuiltinFilterPolicy::GetId() const {
  std::string id = Name();
  if (flavour_ == Flavour::kReading) return id;
  id += ':' + ShortNumber(bits_per_key_);
  if (flavour_ == Flavour::kBloom) id += ":false";
  if (flavour_ == Flavour::kRibbon) {
    id += ':' + std::to_string(bloom_before_level_);
  }
  return id;
}

std::unique_ptr<FilterBitsBuilder> BuiltinFilterPolicy::NewBuilder(
    uint32_t format_version, int level) const {
  if (millibits_per_key_ == 0) return nullptr;
  FilterKind kind = FilterKind::kFastLocalBloom;
  if (flavour_ == Flavour::kStandardRibbon ||
      (flavour_ == Flavour::kRibbon && level >= bloom_before_level_)) {
    kind = FilterKind::kRibbon;
  } else if (flavour_ == Flavour::kLegacyBloom ||
             (flavour_ == Flavour::kBloom && format_version < 5)) {
    kind = FilterKind::kLegacyBloom;
  }
  return std::make_unique<FilterBitsBuilder>(kind, millibits_per_key_);
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

using engine::BuiltinFilterPolicy;

const FilterPolicy* NewBloomFilterPolicy(double bits_per_key,
                                         bool /*use_block_based_builder*/) {
  return new BuiltinFilterPolicy(BuiltinFilterPolicy::Flavour::kBloom,
                                 bits_per_key, 0);
}

const FilterPolicy* NewRibbonFilterPolicy(double bloom_equivalent_bits_per_key,
                                          int bloom_before_level) {
  return new BuiltinFilterPolicy(BuiltinFilterPolicy::Flavour::kRibbon,
                                 bloom_equivalent_bits_per_key,
                                 bloom_before_level);
}

Status FilterPolicy::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& value,
    std::shared_ptr<const FilterPolicy>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  const std::vector<std::string> parts = engine::SplitAtColons(value);
  const engine::FlavourNames* const known = engine::FindFlavour(parts[0]);
  if (known == nullptr) {
    return Status::NotSupported("unknown filter policy: " + value);
  }
  using Flavour = BuiltinFilterPolicy::Flavour;
  const Flavour flavour = known->flavour;
  if (flavour == Flavour::kReading && parts.size() == 1) {
    *result = std::make_shared<BuiltinFilterPolicy>(flavour, 0.0, 0);
    return Status::OK();
  }
  const bool ribbon = flavour == Flavour::kRibbon;
  const size_t parts_max = ribbon || flavour == Flavour::kBloom ? 3 : 2;
  double bits = 0;
  double level = 0;
  if (flavour == Flavour::kReading || parts.size() < 2 ||
      parts.size() > parts_max || !engine::ParseNumber(parts[1], &bits) ||
      (ribbon && parts.size() == 3 && !engine::ParseNumber(parts[2], &level))) {
    return Status::InvalidArgument("filter policy needs bits per key: " +
                                   value);
  }
  // INT_MAX: Bloom filters at all levels. Not-a-number is not in the range.
  if (!(level >= -1.0 && level <= std::numeric_limits<int>::max())) {
    return Status::InvalidArgument("filter policy with a bad level: " + value);
  }
  *result = std::make_shared<BuiltinFilterPolicy>(flavour, bits,
                                                  static_cast<int>(level));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
