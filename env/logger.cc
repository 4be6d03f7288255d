// Bodies of Logger and of the printf helpers in rocksdb/env.h.

#include <cstdarg>
#include <iterator>
#include <memory>
#include <new>
#include <string>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

Logger::~Logger() = default;

Status Logger::Close() {
  if (closed_) return Status::OK();
  closed_ = true;
  return CloseImpl();
}

Status Logger::CloseImpl() { return Status::NotSupported(); }

void Logger::Logv(const InfoLogLevel log_level, const char* format,
                  va_list ap) {
  static constexpr const char* kNames[] = {"DEBUG", "INFO", "WARN", "ERROR",
                                           "FATAL"};
  if (log_level < GetInfoLogLevel()) return;
  if (log_level == InfoLogLevel::HEADER_LEVEL) {
    LogHeader(format, ap);
  } else if (log_level == InfoLogLevel::INFO_LEVEL ||
             log_level >= std::size(kNames)) {
    // INFO has no mark: so it has been since there were levels.
    Logv(format, ap);
  } else {
    const std::string marked =
        "[" + std::string(kNames[log_level]) + "] " + format;
    Logv(marked.c_str(), ap);
  }
}

namespace {

void LogAt(InfoLogLevel level, Logger* log, const char* format, va_list ap) {
  if (log == nullptr || log->GetInfoLogLevel() > level) return;
  try {
    if (level == InfoLogLevel::HEADER_LEVEL) {
      log->LogHeader(format, ap);
    } else {
      log->Logv(level, format, ap);
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): a missing line is no error.
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

void LogFlush(Logger* log) {
  if (log != nullptr) log->Flush();
}

void LogFlush(const std::shared_ptr<Logger>& log) { LogFlush(log.get()); }

void Log(const InfoLogLevel level, Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(level, log, format, ap);
  va_end(ap);
}

void Log(const InfoLogLevel level, const std::shared_ptr<Logger>& log,
         const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(level, log.get(), format, ap);
  va_end(ap);
}

void Log(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::INFO_LEVEL, log, format, ap);
  va_end(ap);
}

void Log(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::INFO_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Header(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::HEADER_LEVEL, log, format, ap);
  va_end(ap);
}

void Header(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::HEADER_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Debug(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::DEBUG_LEVEL, log, format, ap);
  va_end(ap);
}

void Debug(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::DEBUG_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Info(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::INFO_LEVEL, log, format, ap);
  va_end(ap);
}

void Info(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::INFO_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Warn(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::WARN_LEVEL, log, format, ap);
  va_end(ap);
}

void Warn(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::WARN_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Error(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::ERROR_LEVEL, log, format, ap);
  va_end(ap);
}

void Error(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::ERROR_LEVEL, log.get(), format, ap);
  va_end(ap);
}

void Fatal(Logger* log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::FATAL_LEVEL, log, format, ap);
  va_end(ap);
}

void Fatal(const std::shared_ptr<Logger>& log, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(InfoLogLevel::FATAL_LEVEL, log.get(), format, ap);
  va_end(ap);
}

}  // namespace ROCKSDB_NAMESPACE
