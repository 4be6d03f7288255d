#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "db/format/file_names.h"
#include "db/manifest/manifest_state.h"
#include "db/manifest/version_builder.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "tools/ldb/command.h"
#include "tools/ldb/dump_file.h"
#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

using engine::FamilyState;
using engine::ManifestState;

engine::Result<std::string> ManifestPath(FileSystem* fs,
                                         const Arguments& arguments) {
  if (arguments.Has("path")) return arguments.Text("path");
  const std::string db = arguments.Text("db");
  if (db.empty()) {
    return Status::InvalidArgument("--db or --path must be specified");
  }
  const engine::Result<uint64_t> number = engine::ReadCurrentFile(fs, db);
  if (!number.ok()) return number.status();
  return engine::DescriptorFileName(db, *number);
}

// RocksDB prints this many levels whatever the database has.
constexpr int kLevelsShown = 64;

// In the order in which they are searched.
std::vector<const engine::FileMetaData*> FilesOf(const FamilyState& family,
                                                 int level) {
  const Comparator* order = BytewiseComparator();
  if (!Comparator::CreateFromString(ConfigOptions(), family.comparator_name,
                                    &order)
           .ok()) {
    order = BytewiseComparator();
  }
  const engine::InternalKeyComparator icmp(order);
  std::vector<const engine::FileMetaData*> files;
  for (const auto& [number, live] : family.files) {
    if (live.level == level) files.push_back(live.file.get());
  }
  std::sort(files.begin(), files.end(), [&](const auto* a, const auto* b) {
    if (level == 0) return engine::NewerInLevel0(*a, *b);
    return icmp.Compare(a->smallest.Encode(), b->smallest.Encode()) < 0;
  });
  return files;
}

void PrintFile(const engine::FileMetaData& f, bool hex) {
  std::string line =
      " " + std::to_string(f.number) + ":" + std::to_string(f.size) + "[" +
      std::to_string(f.smallest_sequence) + " .. " +
      std::to_string(f.largest_sequence) + "][" + f.smallest.DebugString(hex) +
      " .. " + f.largest.DebugString(hex) + "]";
  if (f.oldest_blob_file != engine::kNoBlobFile) {
    line += " blob_file:" + std::to_string(f.oldest_blob_file);
  }
  Print(line + "\n");
}

// Blob files that tables still refer to.
void PrintBlobFiles(const FamilyState& family, size_t version) {
  std::map<uint64_t, std::set<uint64_t>> linked;  // Tables by blob file.
  for (const auto& [number, live] : family.files) {
    linked[live.file->oldest_blob_file].insert(number);
  }
  linked.erase(engine::kNoBlobFile);
  bool any = false;
  for (const auto& [number, blob] : family.blob_files) {
    // Files before the oldest that is needed are dead.
    if (linked.empty() || number < linked.begin()->first) continue;
    if (!any) std::printf("--- blob files --- version# %zu ---\n", version);
    any = true;
    std::string tables;
    for (const uint64_t table : linked[number]) {
      tables += std::to_string(table) + " ";
    }
    const engine::BlobFileAddition& added = blob.addition;
    Print("blob_file_number: " + std::to_string(number) +
          " total_blob_count: " + std::to_string(added.blob_count) +
          " total_blob_bytes: " + std::to_string(added.blob_bytes) +
          " checksum_method: " + added.checksum_method +
          " checksum_value: " + Slice(added.checksum_value).ToString(true) +
          " linked_ssts: { " + tables +
          "} garbage_blob_count: " + std::to_string(blob.garbage_count) +
          " garbage_blob_bytes: " + std::to_string(blob.garbage_bytes) + "\n");
  }
}

void PrintFamily(const FamilyState& family, size_t version, bool hex) {
  std::printf("--------------- Column family \"%s\"  (ID %" PRIu32
              ") --------------\n",
              family.name.c_str(), family.id);
  std::printf("log number: %" PRIu64 "\n", family.log_number);
  std::printf("comparator: %s\n", family.comparator_name.c_str());
  for (int level = 0; level < kLevelsShown; ++level) {
    std::string line = "--- level " + std::to_string(level) + " --- version# " +
                       std::to_string(version) + " ---";
    const auto cursor = family.compact_cursors.find(level);
    if (cursor != family.compact_cursors.end()) {
      line += " compact_cursor: " + cursor->second.DebugString(hex) + " ---";
    }
    Print(line + "\n");
    for (const engine::FileMetaData* file : FilesOf(family, level)) {
      PrintFile(*file, hex);
    }
  }
  PrintBlobFiles(family, version);
}

// The numbers of versions and the next file are those that RocksDB has after
// it has read a MANIFEST.
void PrintState(const ManifestState& state, bool hex) {
  size_t version = state.families.size();
  for (const auto& [id, family] : state.families) {
    PrintFamily(family, version++, hex);
  }
  std::printf("next_file_number %" PRIu64 " last_sequence %" PRIu64
              "  prev_log_number 0 max_column_family %" PRIu32
              " min_log_number_to_keep %" PRIu64 "\n",
              state.next_file_number + 1, state.last_sequence,
              state.max_column_family, state.min_log_number_to_keep);
}

}  // namespace

Status DumpManifestFile(const std::string& path, const Arguments& arguments) {
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  const bool verbose = arguments.Bool("verbose");
  const bool hex = arguments.key_hex();
  if (verbose) std::printf("Processing Manifest file %s\n", path.c_str());
  int number = 0;
  const engine::Result<ManifestState> state = engine::ReadManifestFile(
      fs.get(), path,
      [&](const engine::VersionEdit& edit, const Slice& /*record*/) {
        ++number;
        if (arguments.json()) {
          std::printf("%s\n", edit.DebugJson(number, hex).c_str());
        } else if (verbose) {
          std::printf("%s", edit.DebugString(hex).c_str());
        }
      });
  if (!state.ok()) return state.status();
  if (!arguments.json()) PrintState(*state, hex);
  if (verbose) std::printf("Processing Manifest file %s done\n", path.c_str());
  return Status::OK();
}

namespace {

Outcome ManifestDump(const Arguments& arguments) {
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  const engine::Result<std::string> path = ManifestPath(fs.get(), arguments);
  if (!path.ok()) return path.status();
  return DumpManifestFile(*path, arguments);
}

const char* const kManifestDumpFlags[] = {"path", "json"};

}  // namespace

const Command kManifestDump = {
    "manifest_dump", "[--verbose] [--json] [--path=<path_to_manifest_file>]",
    kManifestDumpFlags, false, ManifestDump};

}  // namespace ROCKSDB_NAMESPACE::ldb
