#include "env/device_id.h"

#include <sys/stat.h>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A name to look for through wrappers.
struct SystemFiles : FileSystem {
  static const char* kClassName() { return FileSystem::kDefaultName(); }
};

}  // namespace

DeviceId DeviceOf(const FileSystem* fs, const std::string& path) {
  if (fs->CheckedCast<SystemFiles>() == nullptr) return {fs, 0};
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {nullptr, 0};
  return {nullptr, info.st_dev};
}

}  // namespace ROCKSDB_NAMESPACE::engine
