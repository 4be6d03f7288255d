#include "rocksdb/utilities/info_log_finder.h"

#include <algorithm>
#include <utility>

#include "db/format/file_names.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

Status GetInfoLogList(DB* db, std::vector<std::string>* info_log_list) {
  if (db == nullptr || info_log_list == nullptr) {
    return Status::InvalidArgument("GetInfoLogList: an argument is null");
  }
  const std::string log_dir = db->GetDBOptions().db_log_dir;
  FileSystem* const fs = db->GetFileSystem();
  std::vector<std::string> names;
  RETURN_IF_ERROR(fs->GetChildren(log_dir.empty() ? db->GetName() : log_dir,
                                  IOOptions(), &names, nullptr));
  const std::string prefix =
      engine::InfoLogPrefixOf(fs, db->GetName(), log_dir);
  std::erase_if(names, [&prefix](const std::string& name) {
    engine::ParsedFileName parsed;
    return !engine::ParseFileName(name, prefix, &parsed) ||
           parsed.type != kInfoLogFile;
  });
  std::sort(names.begin(), names.end());
  *info_log_list = std::move(names);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
