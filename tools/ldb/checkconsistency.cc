#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// Opening checks the MANIFEST, the order of the levels and the size of every
// live file.
Outcome CheckConsistency(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kReadOnly);
  if (!session.ok()) return session.status();
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kCheckConsistency = {
    "checkconsistency", "", {}, true, CheckConsistency};

}  // namespace ROCKSDB_NAMESPACE::ldb
