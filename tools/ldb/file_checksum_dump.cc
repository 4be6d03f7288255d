#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_checksum.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Status FileChecksumDump(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  RETURN_IF_ERROR((*session)->db()->GetLiveFilesChecksumInfo(list.get()));
  std::vector<uint64_t> numbers;
  std::vector<std::string> checksums;
  std::vector<std::string> functions;
  RETURN_IF_ERROR(list->GetAllFileChecksums(&numbers, &checksums, &functions));
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::printf("%llu, %s, %s\n", static_cast<unsigned long long>(numbers[i]),
                functions[i].c_str(),
                checksums[i].empty() ? "" : ToHex(checksums[i]).c_str());
  }
  std::puts("Print SST file checksum information finished ");
  return (*session)->Close();
}

}  // namespace

const Command kFileChecksumDump = {
    "file_checksum_dump", "", {}, true, FileChecksumDump};

}  // namespace ROCKSDB_NAMESPACE::ldb
