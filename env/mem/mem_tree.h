// MemTree: the data of a MemFileSystem, and what survives a crash.
//
// Place. Inside env/mem. mem_file_system.cc is the FileSystem interface over
// it; mem_crash.cc computes clones.
// Model. Paths are absolute and normalised, and one flat map holds them all;
// a directory is an entry of a set. Names as programs see them are in
// `names`; `durable_names` plus the pending `name_changes` give what a crash
// may leave. The same for the bytes of a file.
// Threads. `mu` guards everything, the files included.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// A write or (with `bytes` empty and `truncates`) a change of the length.
struct MemChange {
  uint64_t sequence = 0;  // Over all files: tells which write was the last.
  uint64_t offset = 0;    // The new length, for a truncation.
  bool truncates = false;
  std::string bytes;

  void ApplyTo(std::string* content) const;
};

struct MemFile {
  uint64_t number = 0;  // Like an inode number.
  uint64_t links = 0;
  uint64_t mtime_seconds = 0;
  std::string content;
  std::string durable;
  std::vector<MemChange> changes;  // Since the last sync.

  void Sync();
};

using MemFilePtr = std::shared_ptr<MemFile>;
using MemNames = std::map<std::string, MemFilePtr>;

// Assignments that happen together; null removes the name.
struct MemNameChange {
  std::vector<std::pair<std::string, MemFilePtr>> names;

  void ApplyTo(MemNames* names) const;
  // Without the names that are removed: a rename that left both.
  void AddTo(MemNames* names) const;
  bool Touches(const std::set<std::string>& directories) const;
};

struct MemContent {
  std::set<std::string> directories = {"/"};
  MemNames names;
  MemNames durable_names;
  std::vector<MemNameChange> name_changes;
  uint64_t last_number = 0;
  uint64_t last_sequence = 0;
};

struct MemFileSystem::Tree {
  explicit Tree(Options o, MemContent content = {})
      : options(std::move(o)),
        directories(std::move(content.directories)),
        names(std::move(content.names)),
        durable_names(std::move(content.durable_names)),
        name_changes(std::move(content.name_changes)),
        last_number(content.last_number),
        last_sequence(content.last_sequence) {}

  // All below: mu is held.
  void Change(MemFile* file, MemChange change) REQUIRES_LOCK(mu);
  void ChangeNames(MemNameChange change) REQUIRES_LOCK(mu);
  // Makes the names in `directory` durable, and what they depend on.
  void SyncDirectory(const std::string& directory) REQUIRES_LOCK(mu);
  MemFilePtr Find(const std::string& path) const REQUIRES_LOCK(mu);
  MemFilePtr NewFile() REQUIRES_LOCK(mu);
  uint64_t NowSeconds() const;
  // Renames a directory with everything in it.
  void MoveDirectory(const std::string& from, const std::string& to)
      REQUIRES_LOCK(mu);

  std::shared_ptr<Tree> CrashClone(const CrashOptions& crash) EXCLUDES_LOCK(mu);
  // What a killed process leaves: nothing lost, nothing more durable.
  std::shared_ptr<Tree> Copy() REQUIRES_LOCK(mu);

  const Options options;
  Mutex mu;
  std::set<std::string> directories GUARDED_BY(mu);
  MemNames names GUARDED_BY(mu);
  MemNames durable_names GUARDED_BY(mu);
  std::vector<MemNameChange> name_changes GUARDED_BY(mu);
  std::set<std::string> locked GUARDED_BY(mu);
  MemFilePtr unlinked GUARDED_BY(mu);  // The last one; its blocks are free.
  uint64_t last_number GUARDED_BY(mu);
  uint64_t last_sequence GUARDED_BY(mu);
};

// "/a/b" for "a//b/".
std::string MemNormalise(const std::string& path);
std::string MemParent(const std::string& normalised_path);

}  // namespace ROCKSDB_NAMESPACE::engine
