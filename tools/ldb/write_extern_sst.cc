// Reads lines "key ==> value" from standard input, in ascending order.

#include <cstdio>
#include <string>

#include "rocksdb/sst_file_writer.h"
#include "tools/ldb/command.h"
#include "tools/ldb/lines.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome WriteExternSst(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("output SST file path must be specified");
  }
  const std::string& path = arguments.parameters()[0];
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  SstFileWriter writer(EnvOptions(),
                       (*session)->db()->GetOptions((*session)->family()),
                       (*session)->family());
  RETURN_IF_ERROR(writer.Open(path));
  const Status written = ForEachEntryLine(
      arguments, stderr, [&](const std::string& key, const std::string& value) {
        return writer.Put(key, value);
      });
  if (!written.ok()) {
    return Outcome::Fail("failed to write record to file: " +
                         written.ToString());
  }
  RETURN_IF_ERROR(writer.Finish());
  RETURN_IF_ERROR((*session)->Close());
  std::fprintf(stderr, "external SST file written to %s\n", path.c_str());
  return Status::OK();
}

const char* const kWriteExternSstFlags[] = {"create_if_missing"};

}  // namespace

const Command kWriteExternSst = {"write_extern_sst",
                                 "<output_sst_path> [--create_if_missing]",
                                 kWriteExternSstFlags, true, WriteExternSst};

}  // namespace ROCKSDB_NAMESPACE::ldb
