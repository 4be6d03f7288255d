#include <cstdio>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"
#include "tools/ldb/stderr_logger.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome Repair(const Arguments& arguments) {
  // The families that the MANIFEST and OPTIONS still tell of; the others get
  // the options of the default one.
  auto options = OptionsOf(arguments, OpenMode::kForRepair);
  if (!options.ok()) return options.status();
  options->db.info_log = std::make_shared<StderrLogger>(
      arguments.Bool("verbose") ? InfoLogLevel::DEBUG_LEVEL
                                : InfoLogLevel::WARN_LEVEL);
  RETURN_IF_ERROR(RepairDB(arguments.Text("db"), options->db, options->families,
                           options->families.front().options));
  std::puts("OK");
  return Status::OK();
}

}  // namespace

const Command kRepair = {"repair", "[--verbose]", {}, true, Repair};

}  // namespace ROCKSDB_NAMESPACE::ldb
