// Reads lines "key ==> value" from standard input, in ascending order.

#include <cstdio>
#include <iostream>
#include <string>

#include "rocksdb/sst_file_writer.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr char kArrow[] = " ==> ";

Status CopyLines(const Arguments& arguments, SstFileWriter* writer) {
  int bad_lines = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const size_t at = line.find(kArrow);
    if (at == std::string::npos) {
      ++bad_lines;
      continue;
    }
    const auto key = arguments.Key(line.substr(0, at));
    if (!key.ok()) return key.status();
    const auto value = arguments.Value(line.substr(at + sizeof(kArrow) - 1));
    if (!value.ok()) return value.status();
    RETURN_IF_ERROR(writer->Put(*key, *value));
  }
  if (bad_lines > 0) {
    std::fprintf(stderr, "Warning: %d bad lines ignored.\n", bad_lines);
  }
  return Status::OK();
}

Status WriteExternSst(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Status::InvalidArgument("output SST path must be specified");
  }
  const std::string& path = arguments.parameters()[0];
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  SstFileWriter writer(EnvOptions(),
                       (*session)->db()->GetOptions((*session)->family()),
                       (*session)->family());
  RETURN_IF_ERROR(writer.Open(path));
  RETURN_IF_ERROR(CopyLines(arguments, &writer));
  RETURN_IF_ERROR(writer.Finish());
  RETURN_IF_ERROR((*session)->Close());
  std::printf("external SST file written to %s\n", path.c_str());
  return Status::OK();
}

}  // namespace

const Command kWriteExternSst = {
    "write_extern_sst", "<output_sst_path>", {}, true, WriteExternSst};

}  // namespace ROCKSDB_NAMESPACE::ldb
