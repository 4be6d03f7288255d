#include "env/mem/mem_tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace ROCKSDB_NAMESPACE::engine {

std::string MemNormalise(const std::string& path) {
  std::string normal = "/";
  for (const char c : path) {
    if (c != '/' || normal.back() != '/') normal.push_back(c);
  }
  if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

std::string MemParent(const std::string& normalised_path) {
  assert(!normalised_path.empty() && normalised_path.front() == '/');
  const size_t slash = normalised_path.rfind('/');
  return slash == 0 ? "/" : normalised_path.substr(0, slash);
}

void MemChange::ApplyTo(std::string* content) const {
  if (truncates) {
    content->resize(offset, '\0');
    return;
  }
  if (content->size() < offset + bytes.size()) {
    content->resize(offset + bytes.size(), '\0');
  }
  memcpy(content->data() + offset, bytes.data(), bytes.size());
}

void MemFile::Sync() {
  for (const MemChange& change : changes) change.ApplyTo(&durable);
  changes.clear();
}

void MemNameChange::ApplyTo(MemNames* target) const {
  for (const auto& [path, file] : names) {
    if (file == nullptr) {
      target->erase(path);
    } else {
      (*target)[path] = file;
    }
  }
}

void MemNameChange::AddTo(MemNames* target) const {
  for (const auto& [path, file] : names) {
    if (file != nullptr) (*target)[path] = file;
  }
}

bool MemNameChange::Touches(const std::set<std::string>& directories) const {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) {
    return directories.count(MemParent(name.first)) > 0;
  });
}

void MemFileSystem::Tree::Change(MemFile* file, MemChange change) {
  change.ApplyTo(&file->content);
  file->mtime_seconds = NowSeconds();
  if (!options.remember_unsynced) return;
  change.sequence = ++last_sequence;
  assert(file->changes.empty() ||
         file->changes.back().sequence < change.sequence);
  file->changes.push_back(std::move(change));
}

void MemFileSystem::Tree::ChangeNames(MemNameChange change) {
  for (const auto& [path, file] : change.names) {
    const auto it = names.find(path);
    assert(it == names.end() || it->second->links > 0);
    if (it != names.end() && --it->second->links == 0 &&
        it->second->content.size() > 0) {
      unlinked = it->second;
    }
    if (file != nullptr) ++file->links;
  }
  change.ApplyTo(&names);
  if (options.remember_unsynced) name_changes.push_back(std::move(change));
}

void MemFileSystem::Tree::SyncDirectory(const std::string& directory) {
  // A rename between two directories drags along what happened before in the
  // other one; so the set of directories grows while we go back in time.
  std::set<std::string> synced = {directory};
  std::vector<bool> take(name_changes.size());
  for (size_t i = name_changes.size(); i-- > 0;) {
    take[i] = name_changes[i].Touches(synced);
    if (!take[i]) continue;
    for (const auto& name : name_changes[i].names) {
      synced.insert(MemParent(name.first));
    }
  }
  std::vector<MemNameChange> pending;
  for (size_t i = 0; i < name_changes.size(); ++i) {
    if (take[i]) {
      name_changes[i].ApplyTo(&durable_names);
    } else {
      pending.push_back(std::move(name_changes[i]));
    }
  }
  name_changes = std::move(pending);
}

MemFilePtr MemFileSystem::Tree::Find(const std::string& path) const {
  const auto it = names.find(path);
  return it == names.end() ? nullptr : it->second;
}

MemFilePtr MemFileSystem::Tree::NewFile() {
  auto file = std::make_shared<MemFile>();
  file->number = ++last_number;
  file->mtime_seconds = NowSeconds();
  return file;
}

uint64_t MemFileSystem::Tree::NowSeconds() const {
  int64_t seconds = 0;
  SystemClock* const clock = options.clock != nullptr
                                 ? options.clock.get()
                                 : SystemClock::Default().get();
  clock->GetCurrentTime(&seconds).PermitUncheckedError();
  return static_cast<uint64_t>(seconds);
}

void MemFileSystem::Tree::MoveDirectory(const std::string& from,
                                        const std::string& to) {
  assert(from != "/" && to != "/");
  const auto moved = [&](const std::string& path) {
    const bool inside = path.compare(0, from.size() + 1, from + "/") == 0;
    return path == from || inside ? to + path.substr(from.size()) : path;
  };
  std::set<std::string> new_directories;
  for (const std::string& path : directories) {
    new_directories.insert(moved(path));
  }
  directories = std::move(new_directories);
  for (MemNames* const map : {&names, &durable_names}) {
    MemNames renamed;
    for (const auto& [path, file] : *map) renamed[moved(path)] = file;
    *map = std::move(renamed);
  }
  for (MemNameChange& change : name_changes) {
    for (auto& name : change.names) name.first = moved(name.first);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
