#include "db/backup/backup_layout.h"

#include <algorithm>
#include <charconv>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr std::string_view kStagingSuffix = ".tmp";

std::string InFolder(const char* folder, const std::string& name) {
  return std::string(folder) + "/" + name;
}

// "000009.sst", "x" -> "shared_checksum/000009_x.sst"
std::string Marked(const std::string& name, const std::string& mark) {
  const size_t dot = std::min(name.rfind('.'), name.size());
  return InFolder(kSharedChecksumFolder,
                  name.substr(0, dot) + "_" + mark + name.substr(dot));
}

std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name[0] != '.' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return c > ' ' && c < 127 && c != '/'; });
}

}  // namespace

std::string MetaPath(BackupID id) {
  return InFolder(kMetaFolder, std::to_string(id));
}

std::string MetaStagingPath(BackupID id) { return StagingPath(MetaPath(id)); }

std::string PrivateFolder(BackupID id) {
  return InFolder(kPrivateFolder, std::to_string(id));
}

std::string StagingPath(const std::string& path) {
  const std::string name(BaseName(path));
  std::string staging = path.substr(0, path.size() - name.size());
  return staging.append(".").append(name).append(kStagingSuffix);
}

bool IsStagingName(std::string_view name) {
  return name.size() > kStagingSuffix.size() && name[0] == '.' &&
         name.ends_with(kStagingSuffix);
}

std::optional<BackupID> ParseBackupId(std::string_view name) {
  BackupID id = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, id);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  if (!whole || id == 0 || name[0] == '0') return std::nullopt;
  return id;
}

std::string SessionPath(const std::string& name, const std::string& session,
                        std::optional<uint64_t> size) {
  std::string mark = "s" + session;
  if (size) mark += "_" + std::to_string(*size);
  return Marked(name, mark);
}

std::string ChecksumPath(const std::string& name, uint32_t crc32c,
                         uint64_t size) {
  return Marked(name, std::to_string(crc32c) + "_" + std::to_string(size));
}

std::string OriginalName(std::string_view path) {
  const std::string_view name = BaseName(path);
  if (!path.starts_with(kSharedChecksumFolder)) return std::string(name);
  const size_t mark = name.find('_');
  const size_t dot = name.rfind('.');
  if (mark == std::string_view::npos || dot == std::string_view::npos ||
      dot < mark) {
    return std::string(name);
  }
  return std::string(name.substr(0, mark)).append(name.substr(dot));
}

std::string_view SessionOf(std::string_view path) {
  const size_t mark = path.find("_s", path.rfind('/') + 1);
  if (mark == std::string_view::npos) return {};
  const std::string_view rest = path.substr(mark + 2);
  return rest.substr(0, rest.find_first_of("_."));
}

bool IsPathOfBackup(std::string_view path, BackupID id) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view folder = path.substr(0, slash);
  return IsPlainName(path.substr(slash + 1)) &&
         (folder == kSharedFolder || folder == kSharedChecksumFolder ||
          folder == PrivateFolder(id));
}

}  // namespace ROCKSDB_NAMESPACE::engine
