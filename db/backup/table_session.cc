#include "db/backup/table_session.h"

#include <utility>

#include "env/file_reader.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

Result<std::string> ReadTableSession(FileSystem* fs, const std::string& path,
                                     uint64_t size) {
  auto file = RandomAccessFileReader::Open(fs, path, FileOptions());
  if (!file.ok()) return file.status();
  const auto properties = TableReader::ReadProperties(std::move(*file), size);
  if (!properties.ok()) return properties.status();
  return (*properties)->db_session_id;
}

}  // namespace ROCKSDB_NAMESPACE::engine
