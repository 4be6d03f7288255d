#include <algorithm>
#include <cstdio>
#include <map>
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

std::vector<ColumnFamilyMetaData> Families(DB* db) {
  std::vector<ColumnFamilyMetaData> families;
  db->GetAllColumnFamilyMetaData(&families);
  return families;
}

void PrintByName(DB* db) {
  // By path: what is said of the file.
  std::map<std::string, std::string> files;
  for (const LiveFileMetaData& file : FilesByName(db)) {
    files[file.db_path + file.name] = " : level " + std::to_string(file.level) +
                                      ", column family '" +
                                      file.column_family_name + "'";
  }
  for (const ColumnFamilyMetaData& family : Families(db)) {
    for (const BlobMetaData& file : family.blob_files) {
      files[file.blob_file_path + file.blob_file_name] =
          ", column family '" + family.name + "'";
    }
  }
  std::puts("Live SST and Blob Files:");
  for (const auto& [path, text] : files) {
    std::printf("%s%s\n", path.c_str(), text.c_str());
  }
  std::puts("------------------------------");
}

void PrintBlobsAsJson(DB* db) {
  for (const ColumnFamilyMetaData& family : Families(db)) {
    for (const BlobMetaData& file : family.blob_files) {
      engine::JsonWriter object;
      object.Add("file", JsonText(file.blob_file_path + file.blob_file_name))
          .Add("column_family", JsonText(family.name))
          .Add("bytes", file.blob_file_size)
          .Add("blobs", file.total_blob_count)
          .Add("blob_bytes", file.total_blob_bytes)
          .Add("garbage_blobs", file.garbage_blob_count)
          .Add("garbage_blob_bytes", file.garbage_blob_bytes);
      PrintJson(std::move(object));
    }
  }
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
  PrintBlobsAsJson(db);
}

void PrintByFamily(DB* db) {
  for (const ColumnFamilyMetaData& family : Families(db)) {
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

constexpr const char* kListLiveFilesMetadataFlags[] = {"sort_by_filename",
                                                       "json"};

}  // namespace

const Command kListLiveFilesMetadata = {
    "list_live_files_metadata", "[--sort_by_filename] [--json]",
    kListLiveFilesMetadataFlags, true, ListLiveFilesMetadata};

}  // namespace ROCKSDB_NAMESPACE::ldb
