#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_checksum.h"
#include "tools/ldb/command.h"
#include "tools/ldb/output.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome FileChecksumDump(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  RETURN_IF_ERROR((*session)->db()->GetLiveFilesChecksumInfo(list.get()));
  std::vector<uint64_t> numbers;
  std::vector<std::string> checksums;
  std::vector<std::string> functions;
  RETURN_IF_ERROR(list->GetAllFileChecksums(&numbers, &checksums, &functions));
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (arguments.json()) {
      engine::JsonWriter object;
      object.Add("file_number", numbers[i])
          .Add("function", functions[i])
          .Add("checksum", ToHex(checksums[i]));
      PrintJson(std::move(object));
    } else {
      Print(std::to_string(numbers[i]) + ", " + functions[i] + ", " +
            arguments.ShowValue(checksums[i]) + "\n");
    }
  }
  if (!arguments.json()) {
    Print("Print SST file checksum information finished \n");
  }
  return (*session)->Close();
}

const char* const kFileChecksumDumpFlags[] = {"json"};

}  // namespace

const Command kFileChecksumDump = {"file_checksum_dump", "[--json]",
                                   kFileChecksumDumpFlags, true,
                                   FileChecksumDump};

}  // namespace ROCKSDB_NAMESPACE::ldb
