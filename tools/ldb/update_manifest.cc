#include <cstdio>

#include "rocksdb/experimental.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome UpdateManifest(const Arguments& arguments) {
  if (!arguments.Bool("update_temperatures")) {
    return Outcome::Fail(
        "No action like --update_temperatures specified for update_manifest");
  }
  const auto options = OptionsOf(arguments, OpenMode::kWritable);
  if (!options.ok()) return options.status();
  RETURN_IF_ERROR(experimental::UpdateManifestForFilesState(
      options->db, arguments.Text("db"), options->families));
  std::fputs("Manifest updates successful\n", stderr);
  return Status::OK();
}

const char* const kUpdateManifestFlags[] = {"update_temperatures"};

}  // namespace

const Command kUpdateManifest = {
    "update_manifest",
    "[--update_temperatures]      MUST NOT be used on a live DB.",
    kUpdateManifestFlags, true, UpdateManifest};

}  // namespace ROCKSDB_NAMESPACE::ldb
