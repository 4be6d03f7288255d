#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

std::vector<LiveFileMetaData> FilesByName(DB* db) {
  std::vector<LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.db_path + a.name < b.db_path + b.name;
  });
  return files;
}

void PrintByName(DB* db) {
  std::puts("Live SST and Blob Files:");
  for (const LiveFileMetaData& file : FilesByName(db)) {
    std::printf("%s%s : level %d, column family '%s'\n", file.db_path.c_str(),
                file.name.c_str(), file.level, file.column_family_name.c_str());
  }
  std::puts("------------------------------");
}

void PrintAsJson(const Arguments& arguments, DB* db) {
  for (const LiveFileMetaData& file : FilesByName(db)) {
    engine::JsonWriter object;
    object.Add("file", JsonText(file.db_path + file.name))
        .Add("column_family", JsonText(file.column_family_name))
        .Add("level", file.level)
        .Add("bytes", file.size)
        .Add("smallest_key", JsonKey(arguments, file.smallestkey))
        .Add("largest_key", JsonKey(arguments, file.largestkey))
        .Add("smallest_sequence", file.smallest_seqno)
        .Add("largest_sequence", file.largest_seqno)
        .Add("entries", file.num_entries)
        .Add("deletions", file.num_deletions);
    PrintJson(std::move(object));
  }
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
    for (const BlobMetaData& file : family.blob_files) {
      std::printf("%s%s\n", file.blob_file_path.c_str(),
                  file.blob_file_name.c_str());
    }
  }
  std::puts("------------------------------");
}

Outcome ListLiveFilesMetadata(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  if (arguments.json()) {
    PrintAsJson(arguments, (*session)->db());
  } else if (arguments.Bool("sort_by_filename")) {
    PrintByName((*session)->db());
  } else {
    PrintByFamily((*session)->db());
  }
  return (*session)->Close();
}

constexpr const char* kFlags[] = {"sort_by_filename", "json"};

}  // namespace

const Command kListLiveFilesMetadata = {"list_live_files_metadata",
                                        "[--sort_by_filename] [--json]", kFlags,
                                        true, ListLiveFilesMetadata};

}  // namespace ROCKSDB_NAMESPACE::ldb
