#include "table/table_unique_id.h"

#include <cctype>

#include "table/table_builder.h"
#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Wide = unsigned __int128;

constexpr size_t kSessionLowDigits = 12;
constexpr size_t kSessionHighDigits = 8;
constexpr size_t kSessionIdSizeMin = 13;
constexpr size_t kSessionIdSizeMax = 24;
constexpr uint64_t kLow62 = (uint64_t{1} << 62) - 1;

bool ParseBase36(const std::string& text, uint64_t* value) {
  *value = 0;
  for (const char c : text) {
    const auto upper =
        static_cast<uint64_t>(std::toupper(static_cast<unsigned char>(c)));
    uint64_t digit;
    if (upper >= '0' && upper <= '9') {
      digit = upper - '0';
    } else if (upper >= 'A' && upper <= 'Z') {
      digit = upper - 'A' + 10;
    } else {
      return false;
    }
    *value = *value * 36 + digit;
  }
  return true;
}

void AppendBase36(uint64_t value, size_t digits, std::string* out) {
  std::string text(digits, '0');
  for (size_t i = digits; i > 0; --i, value /= 36) {
    text[i - 1] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36];
  }
  *out += text;
}

void DecodeSessionId(const std::string& id, uint64_t* upper, uint64_t* lower) {
  uint64_t a = 0;
  uint64_t b = 0;
  if (id.size() >= kSessionIdSizeMin && id.size() <= kSessionIdSizeMax &&
      ParseBase36(id.substr(0, id.size() - kSessionLowDigits), &a) &&
      ParseBase36(id.substr(id.size() - kSessionLowDigits), &b)) {
    *upper = a >> 2;
    *lower = (b & kLow62) | (a << 62);
    return;
  }
  const Uint128 hash = Xxh3x128(id.data(), id.size());
  *upper = hash.high;
  *lower = hash.low != 0 ? hash.low : hash.high | 1;
}

uint64_t High(Wide v) { return static_cast<uint64_t>(v >> 64); }
uint64_t Low(Wide v) { return static_cast<uint64_t>(v); }

uint64_t Avalanche(uint64_t h) {
  h ^= h >> 37;
  h *= 0x165667919e3779f9u;
  return h ^ (h >> 32);
}

// The internal id, and the half of the hash that it leaves out.
bool ExtendedInternalId(const std::string& db_id,
                        const std::string& db_session_id, uint64_t file_number,
                        uint64_t id[kExtendedIdWords]) {
  if (db_id.empty() || db_session_id.empty() || file_number == 0) {
    return false;
  }
  uint64_t upper = 0;
  uint64_t lower = 0;
  DecodeSessionId(db_session_id, &upper, &lower);
  const Uint128 hash = Xxh3x128(db_id.data(), db_id.size(), upper);
  id[0] = lower;
  id[1] = hash.high ^ file_number;
  id[2] = hash.low;
  return true;
}

}  // namespace

bool InternalUniqueId(const std::string& db_id,
                      const std::string& db_session_id, uint64_t file_number,
                      uint64_t id[2]) {
  uint64_t extended[kExtendedIdWords] = {};
  if (!ExtendedInternalId(db_id, db_session_id, file_number, extended)) {
    return false;
  }
  id[0] = extended[0];
  id[1] = extended[1];
  return true;
}

bool InternalUniqueId(const TableProperties& properties, uint64_t id[2]) {
  return InternalUniqueId(properties.db_id, properties.db_session_id,
                          properties.orig_file_number, id);
}

void InternalToPublicUniqueId(uint64_t id[2]) {
  const uint64_t lo = id[0] + 6417269962128484497u;
  uint64_t hi = id[1] + 17391078804906429400u;
  Wide p = Wide{lo ^ hi ^ 0x59973f0033362349u} * 0x9E3779B185EBCA87u;
  uint64_t l = Low(p) + 0x3c0000000000000u;
  hi ^= 0xc202797692d63d58u;
  uint64_t h = High(p) + hi + uint64_t{static_cast<uint32_t>(hi)} * 0x85EBCA76u;
  l ^= __builtin_bswap64(h);
  p = Wide{l} * 0xC2B2AE3D27D4EB4Fu;
  l = Low(p);
  h = High(p) + h * 0xC2B2AE3D27D4EB4Fu;
  id[0] = Avalanche(l);
  id[1] = Avalanche(h);
}

bool PublicUniqueId(const TableProperties& properties,
                    uint64_t id[kExtendedIdWords]) {
  if (!ExtendedInternalId(properties.db_id, properties.db_session_id,
                          properties.orig_file_number, id)) {
    return false;
  }
  InternalToPublicUniqueId(id);
  id[2] += id[0] + id[1];
  return true;
}

std::string EncodeSessionId(uint64_t upper, uint64_t lower) {
  std::string id;
  AppendBase36((upper << 2) | (lower >> 62), kSessionHighDigits, &id);
  AppendBase36(lower & kLow62, kSessionLowDigits, &id);
  return id;
}

std::string TableUniqueId(const std::string& db_id,
                          const std::string& db_session_id,
                          uint64_t file_number) {
  uint64_t id[2];
  std::string bytes;
  if (!InternalUniqueId(db_id, db_session_id, file_number, id)) return bytes;
  PutFixed64(&bytes, id[0]);
  PutFixed64(&bytes, id[1]);
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::engine
