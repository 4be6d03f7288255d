// The information log (file LOG) and its rotation.
//
// Place. Made at DB open, by CreateLoggerFromOptions of rocksdb/options.h,
// which returns the caller's own logger if there is one; read by people and by
// scripts that grep it. Model. Lines "2026/11/21-10:00:00.123456 <thread id>
// message". The printf helpers of rocksdb/env.h (ROCKSDB_NAMESPACE::Info and so
// on) put the level or a file name in front where RocksDB does; this file only
// stamps and writes. Rotation renames LOG to LOG.old.<microseconds>, starts a
// new LOG that begins with the header lines again, and removes the oldest files
// beyond keep_log_file_num.
// Errors. A log that cannot be written never fails the database. If no new file
// can be made, lines are lost; once a second at most one of them tries again.
// Threads. Loggers are thread-safe. A line is one append: lines of several
// threads do not mix.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// What rotation needs of DBOptions.
struct InfoLogOptions {
  std::string db_log_dir;            // Empty: the database directory.
  size_t max_log_file_size = 0;      // Bytes; 0: no limit.
  size_t log_file_time_to_roll = 0;  // Seconds; 0: never.
  size_t keep_log_file_num = 1000;
  InfoLogLevel level = INFO_LEVEL;
};

// Path of the live log, and of the one that rotation makes of it.
std::string InfoLogFileName(const std::string& dbname,
                            const std::string& db_path,
                            const std::string& log_dir);
std::string OldInfoLogFileName(const std::string& dbname, uint64_t micros,
                               const std::string& db_path,
                               const std::string& log_dir);

// A logger that appends to one file for ever.
Status NewFileLogger(FileSystem* fs, SystemClock* clock,
                     const std::string& name, std::shared_ptr<Logger>* result);

// The rotating logger of one database. Creates the directory, moves an
// existing LOG aside and removes what is beyond keep_log_file_num. `fs` and
// `clock` live as long as the logger.
Status NewRollingLogger(const std::shared_ptr<FileSystem>& fs,
                        const std::shared_ptr<SystemClock>& clock,
                        const std::string& dbname,
                        const InfoLogOptions& options,
                        std::shared_ptr<Logger>* result);

// Lines collected while a lock is held and written when it is not.
class LogBuffer {
 public:
  LogBuffer(InfoLogLevel level, Logger* logger)
      : level_(level), logger_(logger) {}
  ~LogBuffer() { Flush(); }

  LogBuffer(const LogBuffer&) = delete;
  LogBuffer& operator=(const LogBuffer&) = delete;

  void Add(const char* format, ...)
      __attribute__((__format__(__printf__, 2, 3)));
  void Flush();
  bool empty() const { return lines_.empty(); }

 private:
  const InfoLogLevel level_;
  Logger* const logger_;  // Null: everything is dropped.
  std::vector<std::string> lines_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
