#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

Status RunVerify(const TableFile& file, const Flags& flags) {
  const Status status = file.table->VerifyChecksums(ReadOptions());
  if (status.ok() && !flags.json) std::printf("The file is ok\n");
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
