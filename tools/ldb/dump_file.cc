#include "tools/ldb/dump_file.h"

#include <cstdio>

#include "db/format/file_names.h"
#include "tools/ldb/output.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::ldb {

using engine::sst_dump::Flags;
using engine::sst_dump::TableFile;

Status DumpTableFile(const std::string& path, const Arguments& arguments) {
  if (!arguments.json()) {
    std::printf("Process %s\nSst file format: block-based\n", path.c_str());
  }
  TableFile file;
  RETURN_IF_ERROR(
      engine::sst_dump::OpenTableFile(path, arguments.host().options, &file));
  Flags flags;
  flags.output_hex = arguments.key_hex() && arguments.value_hex();
  flags.json = arguments.json();
  uint64_t rows_left = UINT64_MAX;
  RETURN_IF_ERROR(
      engine::sst_dump::RunScan(file, flags, /*print=*/true, &rows_left));
  const TableProperties& properties = *file.table->properties();
  if (arguments.json()) {
    Print(engine::sst_dump::PropertiesJson(path, properties) + "\n");
  } else {
    Print("\nTable Properties:\n" + properties.ToString("\n") + "\n");
  }
  return Status::OK();
}

Outcome DumpFile(const Arguments& arguments) {
  const std::string path = arguments.Text("path");
  engine::ParsedFileName name;
  const bool known =
      engine::ParseFileName(path.substr(path.find_last_of('/') + 1), &name);
  if (known && name.type == kWalFile) {
    return DumpWalFile(path, arguments, {/*header=*/true, /*values=*/true});
  }
  if (known && name.type == kBlobFile) return DumpBlobFile(path, arguments);
  if (known && name.type == kTableFile) return DumpTableFile(path, arguments);
  if (known && name.type == kDescriptorFile) {
    return DumpManifestFile(path, arguments);
  }
  return Outcome::Fail("File type not supported: " + path);
}

}  // namespace ROCKSDB_NAMESPACE::ldb
