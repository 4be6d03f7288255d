#include "env/device_id.h"

#include <sys/stat.h>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool IsOfTheSystem(const FileSystem* fs) {
  while (const auto* wrapper = dynamic_cast<const FileSystemWrapper*>(fs)) {
    fs = wrapper->target();
  }
  return fs->IsInstanceOf(FileSystem::kDefaultName());
}

}  // namespace

DeviceId DeviceOf(const FileSystem* fs, const std::string& path) {
  if (!IsOfTheSystem(fs)) return {fs, 0};
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {nullptr, 0};
  return {nullptr, info.st_dev};
}

}  // namespace ROCKSDB_NAMESPACE::engine
