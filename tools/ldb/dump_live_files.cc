// Every file of a database, in order of kinds: MANIFEST, tables and blob files
// by family, logs.

#include <cstdio>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "tools/ldb/command.h"
#include "tools/ldb/dump_file.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr char kRule[] = "==============================";

// Headings are for people only.
void Heading(const Arguments& arguments, const std::string& text) {
  if (!arguments.json()) std::printf("%s\n%s\n", text.c_str(), kRule);
}

struct LiveFiles {
  std::string manifest;
  std::vector<ColumnFamilyMetaData> families;
  std::vector<std::string> logs;
};

// The database is closed again before its files are looked at.
Status ListFiles(const Arguments& arguments, LiveFiles* files) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  DB* const db = (*session)->db();
  const engine::Result<uint64_t> number =
      engine::ReadCurrentFile(db->GetFileSystem(), db->GetName());
  if (!number.ok()) return number.status();
  files->manifest = engine::DescriptorFileName(db->GetName(), *number);
  for (ColumnFamilyHandle* handle : (*session)->handles()) {
    db->GetColumnFamilyMetaData(handle, &files->families.emplace_back());
  }
  VectorWalPtr logs;
  RETURN_IF_ERROR(db->GetSortedWalFiles(logs));
  std::string dir = db->GetDBOptions().wal_dir;
  if (dir.empty()) dir = db->GetName();
  for (const auto& log : logs) files->logs.push_back(dir + log->PathName());
  return Status::OK();
}

Status DumpFamily(const Arguments& arguments,
                  const ColumnFamilyMetaData& family) {
  Heading(arguments, "Column family name: " + family.name);
  Heading(arguments, "\nSST Files");
  for (const LevelMetaData& level : family.levels) {
    for (const SstFileMetaData& file : level.files) {
      const std::string path = file.db_path + file.name;
      if (!arguments.json()) {
        std::printf("%s level:%d\n------------------------------\n",
                    path.c_str(), level.level);
      }
      RETURN_IF_ERROR(DumpTableFile(path, arguments));
      if (!arguments.json()) std::printf("\n");
    }
  }
  Heading(arguments, "Blob Files");
  for (const BlobMetaData& file : family.blob_files) {
    const std::string path = file.blob_file_path + file.blob_file_name;
    if (!arguments.json()) {
      std::printf("%s\n------------------------------\n", path.c_str());
    }
    RETURN_IF_ERROR(DumpBlobFile(path, arguments));
    if (!arguments.json()) std::printf("\n");
  }
  return Status::OK();
}

Outcome DumpLiveFiles(const Arguments& arguments) {
  LiveFiles files;
  RETURN_IF_ERROR(ListFiles(arguments, &files));
  Heading(arguments, "Manifest File");
  if (!arguments.json()) std::printf("%s\n", files.manifest.c_str());
  RETURN_IF_ERROR(DumpManifestFile(files.manifest, arguments));
  if (!arguments.json()) std::printf("\n");
  for (const ColumnFamilyMetaData& family : files.families) {
    RETURN_IF_ERROR(DumpFamily(arguments, family));
  }
  Heading(arguments, "\nWrite Ahead Log Files");
  for (const std::string& log : files.logs) {
    if (!arguments.json()) std::printf("%s\n", log.c_str());
    RETURN_IF_ERROR(
        DumpWalFile(log, arguments, {/*header=*/true, /*values=*/true}));
  }
  return Status::OK();
}

const char* const kDumpLiveFilesFlags[] = {"json"};

}  // namespace

const Command kDumpLiveFiles = {"dump_live_files", "[--json]",
                                kDumpLiveFilesFlags, true, DumpLiveFiles};

}  // namespace ROCKSDB_NAMESPACE::ldb
