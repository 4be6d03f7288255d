#include <algorithm>

#include "env/file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

bool IsTableFileName(const std::string& name) {
  return name.size() > 4 && name.compare(name.size() - 4, 4, ".sst") == 0;
}

Result<std::unique_ptr<RandomAccessFileReader>> OpenReader(
    const std::string& path, Env* env, uint64_t* size) {
  const std::shared_ptr<FileSystem>& fs = env->GetFileSystem();
  RETURN_IF_ERROR(fs->GetFileSize(path, IOOptions(), size, nullptr));
  return RandomAccessFileReader::Open(fs.get(), path, FileOptions());
}

}  // namespace

Status OpenTableFile(const std::string& path, const Options& options,
                     TableFile* file) {
  file->path = path;
  uint64_t size = 0;
  auto reader = OpenReader(path, options.env, &size);
  if (!reader.ok()) return reader.status();
  const auto properties = TableReader::ReadProperties(std::move(*reader), size);
  if (!properties.ok()) return properties.status();

  const std::string& name = (*properties)->comparator_name;
  const Comparator* comparator = BytewiseComparator();
  if (name == options.comparator->Name()) comparator = options.comparator;
  if (!name.empty() && name != comparator->Name()) {
    const Status known =
        Comparator::CreateFromString(ConfigOptions(), name, &comparator);
    if (!known.ok()) {
      return Status::NotSupported("unknown comparator " + name + " of " + path);
    }
  }
  file->icmp = std::make_unique<InternalKeyComparator>(comparator);

  TableReadOptions read;
  read.icmp = file->icmp.get();
  read.table.no_block_cache = true;
  auto again = OpenReader(path, options.env, &size);
  if (!again.ok()) return again.status();
  auto table = TableReader::Open(read, std::move(*again), size);
  if (!table.ok()) return table.status();
  file->table = std::move(*table);
  return Status::OK();
}

Status ListTableFiles(const std::string& path, Env* env, bool* is_folder,
                      std::vector<std::string>* files) {
  const std::shared_ptr<FileSystem>& fs = env->GetFileSystem();
  RETURN_IF_ERROR(fs->FileExists(path, IOOptions(), nullptr));
  RETURN_IF_ERROR(fs->IsDirectory(path, IOOptions(), is_folder, nullptr));
  if (!*is_folder) {
    files->push_back(path);
    return Status::OK();
  }
  std::vector<std::string> names;
  RETURN_IF_ERROR(fs->GetChildren(path, IOOptions(), &names, nullptr));
  std::sort(names.begin(), names.end());
  const std::string prefix = path + "/";
  for (const std::string& name : names) {
    if (IsTableFileName(name)) files->push_back(prefix + name);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
