#include <charconv>
#include <cstdio>
#include <optional>

#include "db/repair/offline_manifest.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

using engine::FamilyVersions;

// The family and level that hold the table.
struct Found {
  FamilyVersions* family = nullptr;
  int level = 0;
};

std::optional<Found> Find(const engine::OfflineManifest& manifest,
                          uint64_t number) {
  for (FamilyVersions* family : manifest.families()) {
    const engine::Version& version = *family->current();
    for (int level = 0; level < version.num_levels(); ++level) {
      for (const engine::FilePtr& file : version.files(level)) {
        if (file->number == number) return Found{family, level};
      }
    }
  }
  return std::nullopt;
}

Outcome UnsafeRemoveSstFile(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("SST file number must be specified");
  }
  const std::string& word = arguments.parameters()[0];
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) {
    return Outcome::Fail("Failed to parse SST file number " + word);
  }
  const auto options = OptionsOf(arguments, OpenMode::kWritable);
  if (!options.ok()) return options.status();
  const auto manifest = engine::OfflineManifest::Open(
      options->db, arguments.Text("db"), options->families);
  if (!manifest.ok()) return manifest.status();
  const std::optional<Found> found = Find(**manifest, number);
  if (!found) {
    return Outcome::Fail(
        "failed to unsafely remove SST file: NotFound: File not present in any "
        "level");
  }
  engine::VersionEdit edit;
  edit.DeleteFile(found->level, number);
  const Status status = (*manifest)->Apply(found->family, &edit);
  if (!status.ok()) {
    return Outcome::Fail("failed to unsafely remove SST file: " +
                         status.ToString());
  }
  std::fputs("unsafely removed SST file\n", stderr);
  return Status::OK();
}

}  // namespace

const Command kUnsafeRemoveSstFile = {
    "unsafe_remove_sst_file",
    "<SST file number>      MUST NOT be used on a live DB.",
    {},
    true,
    UnsafeRemoveSstFile};

}  // namespace ROCKSDB_NAMESPACE::ldb
