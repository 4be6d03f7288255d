// A MANIFEST on some file system, for the tests of VersionSet.

#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/manifest/version_set.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr const char* kDb = "/db";

inline FilePtr MakeFile(uint64_t number, const std::string& smallest,
                        const std::string& largest, SequenceNumber sequence) {
  FileFacts f;
  f.number = number;
  f.size = 1000;
  f.smallest = InternalKey(smallest, sequence, ValueType::kValue);
  f.largest = InternalKey(largest, sequence, ValueType::kValue);
  f.smallest_sequence = sequence;
  f.largest_sequence = sequence;
  return std::make_shared<FileMetaData>(std::move(f));
}

inline FamilyConfig Family(const std::string& name) {
  FamilyConfig config;
  config.name = name;
  config.comparator = BytewiseComparator();
  config.dirs = {kDb};
  return config;
}

// One open MANIFEST on some file system.
struct Store {
  explicit Store(FileSystem* files) : fs(files), set(Deps(files, &obsolete)) {}

  static VersionSet::Deps Deps(FileSystem* fs, ObsoleteFiles* obsolete) {
    VersionSet::Deps deps;
    deps.db = kDb;
    deps.fs = fs;
    deps.obsolete = obsolete;
    return deps;
  }

  Status Create() {
    RETURN_IF_ERROR(fs->CreateDirIfMissing(kDb, IOOptions(), nullptr));
    return VersionSet::CreateManifest(fs, kDb, "the-id", FileOptions());
  }
  Status Recover(const std::vector<std::string>& names, bool read_only) {
    std::vector<FamilyConfig> configs;
    for (const std::string& name : names) configs.push_back(Family(name));
    return set.Recover(configs, read_only).status();
  }
  // Adds one file to level 0 of `family`.
  Status AddFile(FamilyVersions* family, uint64_t* number = nullptr) {
    const uint64_t n = set.NewFileNumber();
    if (number != nullptr) *number = n;
    VersionEdit edit;
    set.SetLastAllocatedSequence(n);
    edit.AddFile(0, MakeFile(n, "a", "z", n));
    return Apply(family, &edit);
  }
  Status Apply(FamilyVersions* family, VersionEdit* edit) {
    MutexLock lock(&mu);
    return set.LogAndApply(family, edit, &mu, nullptr);
  }
  std::set<uint64_t> Files(const std::string& name = "default") {
    std::set<uint64_t> numbers;
    const Version& v = *set.family(name)->current();
    for (int level = 0; level < v.num_levels(); ++level) {
      for (const FilePtr& f : v.files(level)) numbers.insert(f->number);
    }
    return numbers;
  }

  FileSystem* const fs;
  ObsoleteFiles obsolete;
  StateMutex mu;
  VersionSet set;
};

using Numbers = std::set<uint64_t>;

}  // namespace ROCKSDB_NAMESPACE::engine
