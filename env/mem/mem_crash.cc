// What a crash leaves of a MemFileSystem.

#include <algorithm>
#include <cstring>

#include "env/mem/mem_tree.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint64_t kBlockBytes = 4096;

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

// The blocks of the unsynced changes, each there or not.
std::string BlockContent(const MemFile& file, bool garbage, Random64* random) {
  std::string content = file.durable;
  for (const MemChange& change : file.changes) {
    if (change.truncates) {
      if (random->OneIn(2)) change.ApplyTo(&content);
      continue;
    }
    for (uint64_t done = 0; done < change.bytes.size();) {
      const uint64_t offset = change.offset + done;
      const uint64_t to_boundary = kBlockBytes - offset % kBlockBytes;
      const uint64_t n = std::min(to_boundary, change.bytes.size() - done);
      MemChange piece;
      piece.offset = offset;
      piece.bytes = change.bytes.substr(done, n);
      done += n;
      if (random->OneIn(2)) {
        piece.ApplyTo(&content);
      } else if (garbage && offset >= content.size()) {
        for (char& c : piece.bytes) c = static_cast<char>(random->Next());
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
    if (last) part.bytes.resize(random->Uniform(part.bytes.size()));
    part.ApplyTo(&content);
  }
  return content;
}

std::string CrashContent(const MemFile& file, const CrashOptions& crash,
                         uint64_t torn_sequence) {
  // Each file draws from its own numbers, so that one file's history does not
  // change what happens to another.
  uint64_t mixed = crash.seed + file.number * 0x9E3779B97F4A7C15;
  Random64 random(SplitMix64(&mixed));
  if (!file.changes.empty() && file.changes.back().sequence == torn_sequence) {
    return TornContent(file, &random);
  }
  switch (crash.data) {
    case CrashOptions::Data::kAll:
      return file.content;
    case CrashOptions::Data::kNone:
      return file.durable;
    case CrashOptions::Data::kPrefix:
      return PrefixContent(file, &random);
    case CrashOptions::Data::kBlocks:
      return BlockContent(file, /*garbage=*/false, &random);
    case CrashOptions::Data::kGarbage:
      return BlockContent(file, /*garbage=*/true, &random);
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

}  // namespace

std::shared_ptr<MemFileSystem::Tree> MemFileSystem::Tree::CrashClone(
    const CrashOptions& crash_asked) {
  MutexLock lock(&mu);
  CrashOptions crash = crash_asked;
  if (!options.remember_unsynced) {
    crash.data = CrashOptions::Data::kAll;
    crash.names = CrashOptions::Names::kAll;
  }
  MemNames left =
      crash.names == CrashOptions::Names::kAll ? names : durable_names;
  if (crash.names == CrashOptions::Names::kRandom) {
    uint64_t mixed = crash.seed;
    Random64 random(SplitMix64(&mixed));
    for (const MemNameChange& change : name_changes) {
      if (random.OneIn(2)) change.ApplyTo(&left);
    }
  }
  const uint64_t torn_sequence = TornSequence(left, crash);

  auto clone = std::make_shared<Tree>(options);
  MutexLock clone_lock(&clone->mu);
  clone->directories = directories;
  clone->last_number = last_number;
  // Several names of one file stay names of one file.
  std::map<const MemFile*, MemFilePtr> copies;
  for (const auto& [path, file] : left) {
    MemFilePtr& copy = copies[file.get()];
    if (copy == nullptr) {
      copy = std::make_shared<MemFile>();
      copy->number = file->number;
      copy->mtime_seconds = file->mtime_seconds;
      copy->content = CrashContent(*file, ForName(crash, path), torn_sequence);
      if (options.remember_unsynced) copy->durable = copy->content;
    }
    ++copy->links;
    clone->names[path] = copy;
  }
  if (options.remember_unsynced) clone->durable_names = clone->names;
  return clone;
}

}  // namespace ROCKSDB_NAMESPACE::engine
