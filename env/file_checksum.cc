#include "env/file_checksum.h"

#include <algorithm>

#include "env/file_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

Result<FileChecksum> ChecksumOfFile(FileSystem* fs, const std::string& path,
                                    uint64_t size,
                                    FileChecksumGenFactory* factory,
                                    const std::string& function,
                                    Env::IOPriority priority) {
  constexpr size_t kChunkBytes = size_t{256} * 1024;
  const std::unique_ptr<FileChecksumGenerator> generator =
      factory->CreateFileChecksumGenerator({path, function});
  if (generator == nullptr) {
    return Status::InvalidArgument("The factory " +
                                   std::string(factory->Name()) +
                                   " does not know the checksum " + function);
  }
  auto file = SequentialFileReader::Open(fs, path, FileOptions());
  if (!file.ok()) return file.status();
  std::string scratch(std::min<uint64_t>(size, kChunkBytes), '\0');
  uint64_t done = 0;
  while (done < size) {
    Slice chunk;
    RETURN_IF_ERROR((*file)->Read(std::min<uint64_t>(size - done, kChunkBytes),
                                  &chunk, scratch.data(), priority));
    if (chunk.empty()) {
      return Status::Corruption(path + ": expected " + std::to_string(size) +
                                " bytes, found " + std::to_string(done));
    }
    generator->Update(chunk.data(), chunk.size());
    done += chunk.size();
  }
  generator->Finalize();
  return FileChecksum{generator->GetChecksum(), generator->Name()};
}

}  // namespace ROCKSDB_NAMESPACE::engine
