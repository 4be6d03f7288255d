#include <cinttypes>
#include <cstdio>

#include "db/format/file_names.h"
#include "db/manifest/manifest_state.h"
#include "tools/ldb/command.h"

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

void PrintFamily(const FamilyState& family, bool hex) {
  std::printf("--------------- Column family \"%s\"  (ID %" PRIu32
              ") --------------\n",
              family.name.c_str(), family.id);
  std::printf("log number: %" PRIu64 "\n", family.log_number);
  std::printf("comparator: %s\n", family.comparator_name.c_str());
  const int levels = family.max_level() + 1;
  for (int level = 0; level < levels; ++level) {
    std::map<uint64_t, const engine::FileMetaData*> files;
    for (const auto& [number, live] : family.files) {
      if (live.level == level) files.emplace(number, live.file.get());
    }
    std::printf("--- level %d ---\n", level);
    for (const auto& [number, f] : files) {
      std::printf(" %" PRIu64 ":%" PRIu64 "[%" PRIu64 " .. %" PRIu64
                  "][%s .. %s]\n",
                  number, f->size, f->smallest_sequence, f->largest_sequence,
                  f->smallest.DebugString(hex).c_str(),
                  f->largest.DebugString(hex).c_str());
    }
  }
  for (const auto& [number, blob] : family.blob_files) {
    std::printf(" blob file %" PRIu64 ": %" PRIu64 " blobs, %" PRIu64
                " bytes, garbage %" PRIu64 " blobs, %" PRIu64 " bytes\n",
                number, blob.addition.blob_count, blob.addition.blob_bytes,
                blob.garbage_count, blob.garbage_bytes);
  }
}

void PrintState(const ManifestState& state, bool hex) {
  for (const auto& [id, family] : state.families) PrintFamily(family, hex);
  std::printf("next_file_number %" PRIu64 " last_sequence %" PRIu64
              "  prev_log_number 0 max_column_family %" PRIu32
              " min_log_number_to_keep %" PRIu64 "\n",
              state.next_file_number, state.last_sequence,
              state.max_column_family, state.min_log_number_to_keep);
}

Status ManifestDump(const Arguments& arguments) {
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  const engine::Result<std::string> path = ManifestPath(fs.get(), arguments);
  if (!path.ok()) return path.status();
  const bool verbose = arguments.Bool("verbose");
  const bool json = arguments.Bool("json");
  const bool hex = arguments.key_hex();
  if (verbose) std::printf("Processing Manifest file %s\n", path->c_str());
  int number = 0;
  const engine::Result<ManifestState> state = engine::ReadManifestFile(
      fs.get(), *path,
      [&](const engine::VersionEdit& edit, const Slice& /*record*/) {
        ++number;
        if (json) {
          std::printf("%s\n", edit.DebugJson(number, hex).c_str());
        } else if (verbose) {
          std::printf("%s", edit.DebugString(hex).c_str());
        }
      });
  if (!state.ok()) return state.status();
  if (!json) PrintState(*state, hex);
  if (verbose) std::printf("Processing Manifest file %s done\n", path->c_str());
  return Status::OK();
}

const char* const kFlags[] = {"path", "json"};

}  // namespace

const Command kManifestDump = {
    "manifest_dump", "[--verbose] [--json] [--path=<path_to_manifest_file>]",
    kFlags, false, ManifestDump};

}  // namespace ROCKSDB_NAMESPACE::ldb
