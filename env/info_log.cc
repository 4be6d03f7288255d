#include "env/info_log.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string Format(const char* format, va_list ap)
    __attribute__((__format__(__printf__, 1, 0)));

std::string Format(const char* format, va_list ap) {
  va_list copy;
  va_copy(copy, ap);
  char small[512];
  const int length = vsnprintf(small, sizeof(small), format, copy);
  va_end(copy);
  if (length < 0) return format;
  if (static_cast<size_t>(length) < sizeof(small)) return small;
  std::string text(static_cast<size_t>(length), '\0');
  vsnprintf(text.data(), text.size() + 1, format, ap);
  return text;
}

// "2026/11/21-10:00:00.123456 4711 <text>\n"
std::string Stamp(uint64_t now_micros, const std::string& text) {
  static thread_local const auto thread =
      static_cast<unsigned long>(syscall(SYS_gettid));
  const auto seconds = static_cast<time_t>(now_micros / 1'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  char stamp[96];
  snprintf(stamp, sizeof(stamp), "%04d/%02d/%02d-%02d:%02d:%02d.%06u %lu ",
           local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour,
           local.tm_min, local.tm_sec,
           static_cast<unsigned>(now_micros % 1'000'000), thread);
  std::string line = stamp + text;
  if (line.back() != '\n') line.push_back('\n');
  return line;
}

// One open log file. Its owner holds a lock.
class LogFile {
 public:
  Status Open(FileSystem* fs, const std::string& name) {
    size_ = 0;
    return fs->NewWritableFile(name, FileOptions(), &file_, nullptr);
  }
  void Write(const std::string& line) {
    if (file_ == nullptr) return;
    const PerfTimer timer(nullptr, &IOStatsContext::logger_nanos);
    size_ += line.size();
    // A log that cannot be written is no reason to fail anything. Each line
    // reaches the kernel at once: the last lines before a crash matter most.
    file_->Append(line, IOOptions(), nullptr).PermitUncheckedError();
    file_->Flush(IOOptions(), nullptr).PermitUncheckedError();
  }
  Status Close() {
    if (file_ == nullptr) return Status::OK();
    Status s = file_->Close(IOOptions(), nullptr);
    file_.reset();
    return s;
  }
  bool is_open() const { return file_ != nullptr; }
  size_t size() const { return size_; }

 private:
  std::unique_ptr<FSWritableFile> file_;
  size_t size_ = 0;
};

class FileLogger final : public Logger {
 public:
  explicit FileLogger(SystemClock* clock) : clock_(clock) {}
  ~FileLogger() override { Close().PermitUncheckedError(); }

  Status Open(FileSystem* fs, const std::string& name) {
    MutexLock lock(&mu_);
    return file_.Open(fs, name);
  }

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    const std::string line = Stamp(clock_->NowMicros(), Format(format, ap));
    MutexLock lock(&mu_);
    file_.Write(line);
  }
  size_t GetLogFileSize() const override {
    MutexLock lock(&mu_);
    return file_.size();
  }

 private:
  Status CloseImpl() override {
    MutexLock lock(&mu_);
    return file_.Close();
  }

  SystemClock* const clock_;
  mutable Mutex mu_{LockRank::kInfoLog};
  LogFile file_ GUARDED_BY(mu_);
};

class RollingLogger final : public Logger {
 public:
  RollingLogger(std::shared_ptr<FileSystem> fs,
                std::shared_ptr<SystemClock> clock, std::string dbname,
                InfoLogOptions options)
      : Logger(options.level),
        fs_(std::move(fs)),
        clock_(std::move(clock)),
        dbname_(std::move(dbname)),
        options_(std::move(options)) {}
  ~RollingLogger() override { Close().PermitUncheckedError(); }

  Status Open() {
    MutexLock lock(&mu_);
    fs_->CreateDirIfMissing(dbname_, IOOptions(), nullptr)
        .PermitUncheckedError();
    if (!options_.db_log_dir.empty()) {
      fs_->CreateDirIfMissing(options_.db_log_dir, IOOptions(), nullptr)
          .PermitUncheckedError();
      // The file name is made of the path, which must not depend on where
      // the process happened to start.
      Status s = fs_->GetAbsolutePath(dbname_, IOOptions(), &db_path_, nullptr);
      if (!s.ok()) return s;
    }
    name_ = InfoLogFileName(dbname_, db_path_, options_.db_log_dir);
    return Roll(clock_->NowMicros());
  }

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    Write(Format(format, ap), /*is_header=*/false);
  }
  void LogHeader(const char* format, va_list ap) override {
    Write(Format(format, ap), /*is_header=*/true);
  }
  size_t GetLogFileSize() const override {
    MutexLock lock(&mu_);
    return file_.size();
  }

 private:
  void Write(std::string text, bool is_header) {
    const uint64_t now_micros = clock_->NowMicros();
    const std::string line = Stamp(now_micros, text);
    MutexLock lock(&mu_);
    if (is_closed_) return;
    if (file_.is_open() ? IsFull(now_micros) : MayTryAgain(now_micros)) {
      Roll(now_micros).PermitUncheckedError();
    }
    file_.Write(line);
    if (!is_header) return;
    header_bytes_ += line.size();
    headers_.push_back(std::move(text));
  }

  bool IsFull(uint64_t now_micros) const REQUIRES_LOCK(mu_) {
    // The header does not count, or a limit below its size would give each line
    // a file of its own.
    if (file_.size() <= header_bytes_) return false;
    if (options_.max_log_file_size > 0 &&
        file_.size() - header_bytes_ >= options_.max_log_file_size) {
      return true;
    }
    const uint64_t age_micros = now_micros - opened_micros_;
    return options_.log_file_time_to_roll > 0 && now_micros > opened_micros_ &&
           age_micros / 1'000'000 >= options_.log_file_time_to_roll;
  }

  // The last roll got no file. A clock that was set back does not count.
  bool MayTryAgain(uint64_t now_micros) const REQUIRES_LOCK(mu_) {
    constexpr uint64_t kPauseMicros = 1'000'000;
    return now_micros < opened_micros_ ||
           now_micros - opened_micros_ >= kPauseMicros;
  }

  // Moves the live file aside, if there is one, and starts a new one.
  Status Roll(uint64_t now_micros) REQUIRES_LOCK(mu_) {
    file_.Close().PermitUncheckedError();
    const IOOptions io;
    if (fs_->FileExists(name_, io, nullptr).ok()) {
      uint64_t micros = now_micros;
      std::string old;
      do {
        old = OldInfoLogFileName(dbname_, micros++, db_path_,
                                 options_.db_log_dir);
      } while (fs_->FileExists(old, io, nullptr).ok());
      // If that fails the old content is lost, but not the new.
      fs_->RenameFile(name_, old, io, nullptr).PermitUncheckedError();
    }
    RemoveOldest();
    opened_micros_ = now_micros;
    Status s = file_.Open(fs_.get(), name_);
    for (const std::string& header : headers_) {
      file_.Write(Stamp(now_micros, header));
    }
    header_bytes_ = file_.size();
    return s;
  }

  // Keeps keep_log_file_num files, the live one included.
  void RemoveOldest() REQUIRES_LOCK(mu_) {
    const size_t slash = name_.rfind('/');
    const std::string dir = name_.substr(0, slash);
    const std::string prefix = name_.substr(slash + 1) + ".old.";
    std::vector<std::string> names;
    fs_->GetChildren(dir, IOOptions(), &names, nullptr).PermitUncheckedError();
    std::vector<std::pair<uint64_t, std::string>> old;
    for (const std::string& name : names) {
      if (name.compare(0, prefix.size(), prefix) != 0) continue;
      old.emplace_back(strtoull(name.c_str() + prefix.size(), nullptr, 10),
                       name);
    }
    std::sort(old.begin(), old.end());
    const size_t keep = std::max<size_t>(options_.keep_log_file_num, 1) - 1;
    for (size_t i = 0; i + keep < old.size(); ++i) {
      fs_->DeleteFile(dir + "/" + old[i].second, IOOptions(), nullptr)
          .PermitUncheckedError();
    }
  }

  Status CloseImpl() override {
    MutexLock lock(&mu_);
    is_closed_ = true;
    return file_.Close();
  }

  const std::shared_ptr<FileSystem> fs_;
  const std::shared_ptr<SystemClock> clock_;
  const std::string dbname_;
  const InfoLogOptions options_;
  mutable Mutex mu_{LockRank::kInfoLog};
  std::string db_path_ GUARDED_BY(mu_);
  std::string name_ GUARDED_BY(mu_);
  LogFile file_ GUARDED_BY(mu_);
  std::vector<std::string> headers_ GUARDED_BY(mu_);
  size_t header_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t opened_micros_ GUARDED_BY(mu_) = 0;
  bool is_closed_ GUARDED_BY(mu_) = false;
};

}  // namespace

std::string InfoLogFileName(const std::string& dbname,
                            const std::string& db_path,
                            const std::string& log_dir) {
  if (log_dir.empty()) return dbname + "/LOG";
  std::string flat;
  for (const char c : db_path) {
    const bool plain = isalnum(static_cast<unsigned char>(c)) != 0 ||
                       c == '-' || c == '.' || c == '_';
    if (c == '/' && flat.empty()) continue;
    flat.push_back(plain ? c : '_');
  }
  return log_dir + "/" + flat + "_LOG";
}

std::string OldInfoLogFileName(const std::string& dbname, uint64_t micros,
                               const std::string& db_path,
                               const std::string& log_dir) {
  return InfoLogFileName(dbname, db_path, log_dir) + ".old." +
         std::to_string(micros);
}

Status NewFileLogger(FileSystem* fs, SystemClock* clock,
                     const std::string& name, std::shared_ptr<Logger>* result) {
  auto logger = std::make_shared<FileLogger>(clock);
  Status s = logger->Open(fs, name);
  if (s.ok()) *result = std::move(logger);
  return s;
}

Status NewRollingLogger(const std::shared_ptr<FileSystem>& fs,
                        const std::shared_ptr<SystemClock>& clock,
                        const std::string& dbname,
                        const InfoLogOptions& options,
                        std::shared_ptr<Logger>* result) {
  auto logger = std::make_shared<RollingLogger>(fs, clock, dbname, options);
  Status s = logger->Open();
  if (s.ok()) *result = std::move(logger);
  return s;
}

void LogBuffer::Add(const char* format, ...) {
  if (logger_ == nullptr || logger_->GetInfoLogLevel() > level_) return;
  va_list ap;
  va_start(ap, format);
  lines_.push_back(Format(format, ap));
  va_end(ap);
}

void LogBuffer::Flush() {
  for (const std::string& line : lines_) {
    Log(level_, logger_, "%s", line.c_str());
  }
  lines_.clear();
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

Status CreateLoggerFromOptions(const std::string& dbname,
                               const DBOptions& options,
                               std::shared_ptr<Logger>* result) {
  if (options.info_log != nullptr) {
    *result = options.info_log;
    return Status::OK();
  }
  engine::InfoLogOptions wanted;
  wanted.db_log_dir = options.db_log_dir;
  wanted.max_log_file_size = options.max_log_file_size;
  wanted.log_file_time_to_roll = options.log_file_time_to_roll;
  wanted.keep_log_file_num = options.keep_log_file_num;
  wanted.level = options.info_log_level;
  return engine::NewRollingLogger(options.env->GetFileSystem(),
                                  options.env->GetSystemClock(), dbname, wanted,
                                  result);
}

}  // namespace ROCKSDB_NAMESPACE
