#include "tools/ldb/backup_flags.h"

#include <algorithm>
#include <climits>

#include "tools/ldb/stderr_logger.h"

namespace ROCKSDB_NAMESPACE::ldb {

Outcome BackupOptionsOf(const Arguments& arguments,
                        std::unique_ptr<Logger>* logger,
                        BackupEngineOptions* options) {
  if (!arguments.Has("backup_dir")) {
    return Outcome::Fail("--backup_dir: missing backup directory");
  }
  options->backup_dir = arguments.Text("backup_dir");
  const auto threads = arguments.Number("num_threads", 1);
  if (!threads.ok()) return threads.status();
  options->max_background_operations =
      static_cast<int>(std::min<uint64_t>(*threads, INT_MAX));
  const auto level =
      arguments.Number("stderr_log_level", InfoLogLevel::WARN_LEVEL);
  if (!level.ok()) return level.status();
  if (*level >= InfoLogLevel::NUM_INFO_LOG_LEVELS) {
    return Outcome::Fail("stderr_log_level must be >= 0 and < " +
                         std::to_string(InfoLogLevel::NUM_INFO_LOG_LEVELS) +
                         ".");
  }
  *logger = std::make_unique<StderrLogger>(static_cast<InfoLogLevel>(*level));
  options->info_log = logger->get();
  return {};
}

}  // namespace ROCKSDB_NAMESPACE::ldb
