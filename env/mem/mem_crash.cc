// What a crash leaves of a MemFileSystem.

#include <algorithm>
#include <cassert>
#include <cstring>

#include "env/mem/mem_tree.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A prefix of the unsynced changes, cut at any byte.
std::string PrefixContent(const MemFile& file, Random64* random) {
  uint64_t total = 0;
  for (const MemChange& change : file.changes) {
    total += change.truncates ? 1 : change.bytes.size();
  }
  uint64_t left = random->Uniform(total + 1);
  std::string content = file.durable;
  for (const MemChange& change : file.changes) {
    if (left == 0) break;
    const uint64_t cost = change.truncates ? 1 : change.bytes.size();
    MemChange part = change;
    if (!part.truncates) part.bytes.resize(std::min(cost, left));
    part.ApplyTo(&content);
    left -= std::min(cost, left);
  }
  return content;
}

// What a block shows that was never written: random bytes, the bytes that
// another file had there, or one side of what should be there.
void Spoil(const std::string& stale, Random64* random, MemChange* piece) {
  const uint64_t kind = random->Uniform(3);
  std::string& bytes = piece->bytes;
  if (kind == 1 && stale.size() >= piece->offset + bytes.size()) {
    bytes = stale.substr(piece->offset, bytes.size());
    return;
  }
  uint64_t from = 0;
  uint64_t to = bytes.size();
  if (kind == 2) (random->OneIn(2) ? from : to) = random->Uniform(to + 1);
  for (; from < to; ++from) bytes[from] = static_cast<char>(random->Next());
}

struct BlockDamage {
  uint64_t block_bytes = 0;
  uint64_t keep_percent = 0;
  bool garbage = false;
  const std::string& stale;  // Of an unlinked file.

  bool Keeps(Random64* random) const {
    return random->Uniform(100) < keep_percent;
  }
};

// The blocks of the unsynced changes, each there or not.
std::string BlockContent(const MemFile& file, const BlockDamage& damage,
                         Random64* random) {
  assert(damage.block_bytes > 0 && damage.keep_percent <= 100);
  std::string content = file.durable;
  for (const MemChange& change : file.changes) {
    if (change.truncates) {
      if (damage.Keeps(random)) change.ApplyTo(&content);
      continue;
    }
    for (uint64_t done = 0; done < change.bytes.size();) {
      const uint64_t offset = change.offset + done;
      const uint64_t to_boundary =
          damage.block_bytes - offset % damage.block_bytes;
      const uint64_t n = std::min(to_boundary, change.bytes.size() - done);
      MemChange piece;
      piece.offset = offset;
      piece.bytes = change.bytes.substr(done, n);
      done += n;
      if (damage.Keeps(random)) {
        piece.ApplyTo(&content);
      } else if (damage.garbage && offset >= content.size()) {
        Spoil(damage.stale, random, &piece);
        piece.ApplyTo(&content);
      }
    }
  }
  // The new length may be there without the bytes.
  if (content.size() < file.content.size() && random->OneIn(2)) {
    content.resize(file.content.size(), '\0');
  }
  return content;
}

// Everything but the end of the last write.
std::string TornContent(const MemFile& file, Random64* random) {
  std::string content = file.durable;
  for (const MemChange& change : file.changes) {
    MemChange part = change;
    const bool last = &change == &file.changes.back();
    assert(!last || !part.bytes.empty());
    if (last) part.bytes.resize(random->Uniform(part.bytes.size()));
    part.ApplyTo(&content);
  }
  return content;
}

std::string CrashContent(const MemFile& file, const CrashOptions& crash,
                         const std::string& stale, uint64_t torn_sequence) {
  // Each file draws from its own numbers, so that one file's history does not
  // change what happens to another.
  uint64_t mixed = crash.seed + file.number * 0x9E3779B97F4A7C15;
  Random64 random(SplitMix64(&mixed));
  if (!file.changes.empty() && file.changes.back().sequence == torn_sequence) {
    return TornContent(file, &random);
  }
  const BlockDamage damage = {crash.block_bytes, crash.keep_percent,
                              crash.data == CrashOptions::Data::kGarbage,
                              stale};
  switch (crash.data) {
    case CrashOptions::Data::kAll:
      return file.content;
    case CrashOptions::Data::kNone:
      return file.durable;
    case CrashOptions::Data::kPrefix:
      return PrefixContent(file, &random);
    case CrashOptions::Data::kBlocks:
    case CrashOptions::Data::kGarbage:
      return BlockContent(file, damage, &random);
  }
  return file.content;
}

// A MANIFEST is never written over an older file, so that no file system can
// show old bytes where its new ones are missing.
CrashOptions ForName(CrashOptions crash, const std::string& path) {
  if (crash.data == CrashOptions::Data::kGarbage &&
      path.find("/MANIFEST-") != std::string::npos) {
    crash.data = CrashOptions::Data::kBlocks;
  }
  return crash;
}

// The write to tear: the newest one, if it is still unsynced. 0: none.
uint64_t TornSequence(const MemNames& names, const CrashOptions& crash) {
  uint64_t newest = 0;
  if (!crash.tear_last_write) return newest;
  for (const auto& [path, file] : names) {
    if (file->changes.empty()) continue;
    const MemChange& last = file->changes.back();
    if (!last.truncates && !last.bytes.empty()) {
      newest = std::max(newest, last.sequence);
    }
  }
  return newest;
}

// The names that are left of `durable` and the changes since.
MemNames CrashNames(const CrashOptions& crash, const MemNames& durable,
                    const std::vector<MemNameChange>& changes) {
  using Names = CrashOptions::Names;
  MemNames left = durable;
  if (crash.names == Names::kNone) return left;
  uint64_t mixed = crash.seed;
  Random64 random(SplitMix64(&mixed));
  const size_t count = crash.names == Names::kPrefix
                           ? random.Uniform(changes.size() + 1)
                           : changes.size();
  for (size_t i = 0; i < count; ++i) {
    const bool any = crash.names == Names::kPrefix ||
                     random.Uniform(100) < crash.keep_percent;
    if (!any) continue;
    if (crash.names == Names::kSplit && random.OneIn(2)) {
      changes[i].AddTo(&left);
    } else {
      changes[i].ApplyTo(&left);
    }
  }
  return left;
}

// Copies of files; several names of one file stay names of one file.
class FileCopies {
 public:
  // Null for null. True in *made if this is the first name.
  MemFilePtr Of(const MemFilePtr& file, bool* made) {
    *made = false;
    if (file == nullptr) return nullptr;
    MemFilePtr& copy = copies_[file.get()];
    if (copy == nullptr) {
      *made = true;
      copy = std::make_shared<MemFile>();
      copy->number = file->number;
      copy->mtime_seconds = file->mtime_seconds;
    }
    return copy;
  }
  MemFilePtr WithAll(const MemFilePtr& file) {
    bool made = false;
    MemFilePtr copy = Of(file, &made);
    if (made) *copy = *file;
    return copy;
  }

 private:
  std::map<const MemFile*, MemFilePtr> copies_;
};

}  // namespace

std::shared_ptr<MemFileSystem::Tree> MemFileSystem::Tree::Copy() {
  MemContent content;
  content.directories = directories;
  content.last_number = last_number;
  content.last_sequence = last_sequence;
  FileCopies copies;
  for (const auto& [path, file] : names) {
    content.names[path] = copies.WithAll(file);
  }
  for (const auto& [path, file] : durable_names) {
    content.durable_names[path] = copies.WithAll(file);
  }
  for (MemNameChange change : name_changes) {
    for (auto& name : change.names) name.second = copies.WithAll(name.second);
    content.name_changes.push_back(std::move(change));
  }
  return std::make_shared<Tree>(options, std::move(content));
}

std::shared_ptr<MemFileSystem::Tree> MemFileSystem::Tree::CrashClone(
    const CrashOptions& crash_asked) {
  MutexLock lock(&mu);
  CrashOptions crash = crash_asked;
  if (crash.stays_unsynced) return Copy();
  if (!options.remember_unsynced) {
    crash.data = CrashOptions::Data::kAll;
    crash.names = CrashOptions::Names::kAll;
  }
  const MemNames left = crash.names == CrashOptions::Names::kAll
                            ? names
                            : CrashNames(crash, durable_names, name_changes);
  const uint64_t torn_sequence = TornSequence(left, crash);
  const std::string stale =
      crash.stale_bytes && unlinked != nullptr ? unlinked->content : "";

  MemContent content;
  content.directories = directories;
  content.last_number = last_number;
  FileCopies copies;
  for (const auto& [path, file] : left) {
    bool made = false;
    const MemFilePtr copy = copies.Of(file, &made);
    if (made) {
      copy->content =
          CrashContent(*file, ForName(crash, path), stale, torn_sequence);
      if (options.remember_unsynced) copy->durable = copy->content;
    }
    ++copy->links;
    content.names[path] = copy;
  }
  if (options.remember_unsynced) content.durable_names = content.names;
  return std::make_shared<Tree>(options, std::move(content));
}

}  // namespace ROCKSDB_NAMESPACE::engine
