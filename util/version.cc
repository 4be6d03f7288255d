#include "rocksdb/version.h"

#include "util/build_identity.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string Dotted(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string Dotted(int major, int minor, int patch) {
  return Dotted(major, minor) + "." + std::to_string(patch);
}

}  // namespace

const std::unordered_map<std::string, std::string>& GetRocksBuildProperties() {
  static const std::unordered_map<std::string, std::string> properties = {
      {"rocksdb_build_git_sha", engine::kBuildIdentity.commit},
      {"rocksdb_build_date", engine::kBuildIdentity.build_date},
      {"riverstone_commit_date", engine::kBuildIdentity.commit_date},
      {"riverstone_version", GetRiverstoneVersionAsString()},
  };
  return properties;
}

std::string GetRocksVersionAsString(bool with_patch) {
  return with_patch ? Dotted(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)
                    : Dotted(ROCKSDB_MAJOR, ROCKSDB_MINOR);
}

std::string GetRiverstoneVersionAsString() {
  return Dotted(RIVERSTONE_MAJOR, RIVERSTONE_MINOR, RIVERSTONE_PATCH);
}

std::string GetRiverstoneBuildInfoAsString() {
  return "Riverstone " + GetRiverstoneVersionAsString() + " (commit " +
         engine::kBuildIdentity.commit + ", " +
         engine::kBuildIdentity.commit_date + "), compatible with RocksDB " +
         GetRocksVersionAsString();
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
