#include "rocksdb/version.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string Dotted(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

const std::unordered_map<std::string, std::string>& GetRocksBuildProperties() {
  // Builds are reproducible: no date, no revision.
  static const std::unordered_map<std::string, std::string> properties = {
      {"rocksdb_build_git_sha", "none"},
      {"rocksdb_build_git_tag", "none"},
      {"rocksdb_build_date", "none"},
      {"riverstone", "1"},
  };
  return properties;
}

std::string GetRocksVersionAsString(bool with_patch) {
  std::string version = Dotted(ROCKSDB_MAJOR, ROCKSDB_MINOR);
  if (!with_patch) return version;
  return version + "." + std::to_string(ROCKSDB_PATCH);
}

std::string GetRocksBuildInfoAsString(const std::string& program,
                                      bool verbose) {
  std::string info = program + " (RocksDB) " + GetRocksVersionAsString();
  if (!verbose) return info;
  for (const auto& [name, value] : GetRocksBuildProperties()) {
    info += "\n    ";
    info += name;
    info += ": ";
    info += value;
  }
  return info;
}

}  // namespace ROCKSDB_NAMESPACE
