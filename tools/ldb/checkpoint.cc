#include "rocksdb/utilities/checkpoint.h"

#include <cstdio>
#include <memory>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome MakeCheckpoint(const Arguments& arguments) {
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  Checkpoint* made = nullptr;
  RETURN_IF_ERROR(Checkpoint::Create((*session)->db(), &made));
  const std::unique_ptr<Checkpoint> checkpoint(made);
  RETURN_IF_ERROR(
      checkpoint->CreateCheckpoint(arguments.Text("checkpoint_dir")));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("OK");
  return Status::OK();
}

constexpr const char* kCheckpointFlags[] = {"checkpoint_dir"};

}  // namespace

const Command kCheckpoint = {"checkpoint", "--checkpoint_dir=<dir>",
                             kCheckpointFlags, true, MakeCheckpoint};

}  // namespace ROCKSDB_NAMESPACE::ldb
