#include "db/properties/memory_by_role.h"

namespace ROCKSDB_NAMESPACE::engine {

uint64_t MemoryByRole::Total() const {
  uint64_t total = 0;
  for (const auto& [name, bytes] : parts) {
    // Details of a part stand behind its name and a dot.
    if (name.find('.') == std::string::npos) total += bytes;
  }
  const auto charged = parts.find("block-cache.charged");
  if (charged != parts.end()) total -= charged->second;
  return total;
}

std::string MemoryByRole::ToText() const {
  std::string text;
  for (const auto& [name, bytes] : parts) {
    text += name + ": " + std::to_string(bytes) + "\n";
  }
  return text + "total: " + std::to_string(Total()) + "\n";
}

std::map<std::string, std::string> MemoryByRole::ToMap() const {
  std::map<std::string, std::string> map;
  for (const auto& [name, bytes] : parts) map[name] = std::to_string(bytes);
  map["total"] = std::to_string(Total());
  return map;
}

}  // namespace ROCKSDB_NAMESPACE::engine
