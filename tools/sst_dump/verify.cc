#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

Status RunVerify(const TableFile& file, const Flags& flags) {
  ReadOptions read;
  read.readahead_size = flags.readahead_bytes;
  const Status status = file.table->VerifyChecksums(read);
  if (status.ok() && !flags.json) std::printf("The file is ok\n");
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
