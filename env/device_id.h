// DeviceOf: the device that holds a path, so that databases on one device can
// find each other.

#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// (file system, device number). The first is null for the operating system's
// files, however wrapped; the second is 0 where there is no such number.
using DeviceId = std::pair<const void*, uint64_t>;

DeviceId DeviceOf(const FileSystem* fs, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE::engine
