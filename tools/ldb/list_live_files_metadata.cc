#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

void PrintByName(DB* db) {
  std::vector<LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.db_path + a.name < b.db_path + b.name;
  });
  std::puts("Live SST and Blob Files:");
  for (const LiveFileMetaData& file : files) {
    std::printf("%s%s : level %d, column family '%s'\n", file.db_path.c_str(),
                file.name.c_str(), file.level, file.column_family_name.c_str());
  }
  std::puts("------------------------------");
}

void PrintByFamily(DB* db) {
  std::vector<ColumnFamilyMetaData> families;
  db->GetAllColumnFamilyMetaData(&families);
  for (const ColumnFamilyMetaData& family : families) {
    std::printf("===== Column Family: %s =====\n", family.name.c_str());
    std::puts("Live SST Files:");
    for (const LevelMetaData& level : family.levels) {
      std::printf("---------- level %d ----------\n", level.level);
      for (const SstFileMetaData& file : level.files) {
        std::printf("%s%s\n", file.db_path.c_str(), file.name.c_str());
      }
    }
    std::puts("Live Blob Files:");
    std::puts("------------------------------");
  }
}

Status ListLiveFilesMetadata(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  if (arguments.Bool("sort_by_filename")) {
    PrintByName((*session)->db());
  } else {
    PrintByFamily((*session)->db());
  }
  return (*session)->Close();
}

constexpr const char* kFlags[] = {"sort_by_filename"};

}  // namespace

const Command kListLiveFilesMetadata = {"list_live_files_metadata",
                                        "[--sort_by_filename]", kFlags, true,
                                        ListLiveFilesMetadata};

}  // namespace ROCKSDB_NAMESPACE::ldb
