#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome IngestExternSst(const Arguments& arguments) {
  if (arguments.parameters().size() != 1) {
    return Outcome::Fail("input SST path must be specified");
  }
  IngestExternalFileOptions options;
  const auto flag = [&](const char* name, bool* value) {
    *value = arguments.Bool(name, *value);
  };
  flag("move_files", &options.move_files);
  flag("snapshot_consistency", &options.snapshot_consistency);
  flag("allow_global_seqno", &options.allow_global_seqno);
  flag("allow_blocking_flush", &options.allow_blocking_flush);
  flag("ingest_behind", &options.ingest_behind);
  flag("write_global_seqno", &options.write_global_seqno);
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  const Status status = (*session)->db()->IngestExternalFile(
      (*session)->family(), arguments.parameters(), options);
  if (!status.ok()) {
    return Outcome::Fail("failed to ingest external SST: " + status.ToString());
  }
  RETURN_IF_ERROR((*session)->Close());
  std::fputs("external SST files ingested\n", stderr);
  return Status::OK();
}

constexpr const char* kIngestExternSstFlags[] = {
    "create_if_missing",  "move_files",           "snapshot_consistency",
    "allow_global_seqno", "allow_blocking_flush", "ingest_behind",
    "write_global_seqno"};

}  // namespace

const Command kIngestExternSst = {
    "ingest_extern_sst",
    "<input_sst_path> [--create_if_missing] [--move_files] "
    "[--snapshot_consistency] "
    "[--allow_global_seqno] [--allow_blocking_flush] [--ingest_behind] "
    "[--write_global_seqno]",
    kIngestExternSstFlags, true, IngestExternSst};

}  // namespace ROCKSDB_NAMESPACE::ldb
