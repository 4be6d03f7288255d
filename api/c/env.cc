// Environments and loggers.
#include <cstdarg>
#include <cstdio>

#include "api/c/convert.h"

using capi::Env;
using capi::InfoLogLevel;
using capi_internal::SaveError;

namespace {

using LogCallback = void (*)(void*, unsigned, char*, size_t);

// Hands each line, formatted, to a callback.
class CallbackLogger final : public capi::Logger {
 public:
  CallbackLogger(InfoLogLevel level, LogCallback callback, void* state)
      : Logger(level), callback_(callback), state_(state) {}

  void Logv(const char* format, va_list ap) override {
    Logv(GetInfoLogLevel(), format, ap);
  }
  void Logv(const InfoLogLevel level, const char* format, va_list ap) override {
    if (level < GetInfoLogLevel()) return;
    va_list again;
    va_copy(again, ap);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length < 0) return;
    std::string line(static_cast<size_t>(length) + 1, '\0');
    std::vsnprintf(line.data(), line.size(), format, ap);
    callback_(state_, static_cast<unsigned>(level), line.data(),
              static_cast<size_t>(length));
  }

 private:
  const LogCallback callback_;
  void* const state_;
};

class StderrLogger final : public capi::Logger {
 public:
  StderrLogger(InfoLogLevel level, const char* prefix) : Logger(level) {
    // It becomes part of a format.
    for (const char* p = prefix != nullptr ? prefix : ""; *p != 0; ++p) {
      prefix_.append(*p == '%' ? 2 : 1, *p);
    }
  }

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    // One call per line, so that lines of several threads stay whole.
    const std::string whole = prefix_ + " " + format + "\n";
    std::vfprintf(stderr, whole.c_str(), ap);
  }

 private:
  std::string prefix_;
};

}  // namespace

extern "C" {

rocksdb_env_t* rocksdb_create_default_env(void) {
  return new rocksdb_env_t{Env::Default()};
}

rocksdb_env_t* rocksdb_create_mem_env(void) {
  return new rocksdb_env_t{capi::NewMemEnv(Env::Default()), true};
}

void rocksdb_env_destroy(rocksdb_env_t* env) {
  if (env == nullptr) return;
  if (env->owned) delete env->rep;
  delete env;
}

void rocksdb_env_set_background_threads(rocksdb_env_t* env, int n) {
  env->rep->SetBackgroundThreads(n);
}

int rocksdb_env_get_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads();
}

void rocksdb_env_set_high_priority_background_threads(rocksdb_env_t* env,
                                                      int n) {
  env->rep->SetBackgroundThreads(n, Env::HIGH);
}

int rocksdb_env_get_high_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::HIGH);
}

void rocksdb_env_set_low_priority_background_threads(rocksdb_env_t* env,
                                                     int n) {
  env->rep->SetBackgroundThreads(n, Env::LOW);
}

int rocksdb_env_get_low_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::LOW);
}

void rocksdb_env_set_bottom_priority_background_threads(rocksdb_env_t* env,
                                                        int n) {
  env->rep->SetBackgroundThreads(n, Env::BOTTOM);
}

int rocksdb_env_get_bottom_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::BOTTOM);
}

void rocksdb_env_join_all_threads(rocksdb_env_t* env) {
  env->rep->WaitForJoin();
}

void rocksdb_env_lower_thread_pool_io_priority(rocksdb_env_t* env) {
  env->rep->LowerThreadPoolIOPriority();
}

void rocksdb_env_lower_high_priority_thread_pool_io_priority(
    rocksdb_env_t* env) {
  env->rep->LowerThreadPoolIOPriority(Env::HIGH);
}

void rocksdb_env_lower_thread_pool_cpu_priority(rocksdb_env_t* env) {
  env->rep->LowerThreadPoolCPUPriority();
}

void rocksdb_env_lower_high_priority_thread_pool_cpu_priority(
    rocksdb_env_t* env) {
  env->rep->LowerThreadPoolCPUPriority(Env::HIGH);
}

void rocksdb_create_dir_if_missing(rocksdb_env_t* env, const char* path,
                                   char** errptr) try {
  SaveError(errptr, env->rep->CreateDirIfMissing(path));
}
CAPI_CATCH(void, errptr)

rocksdb_logger_t* rocksdb_logger_create_stderr_logger(int log_level,
                                                      const char* prefix) {
  return new rocksdb_logger_t{std::make_shared<StderrLogger>(
      static_cast<InfoLogLevel>(log_level), prefix)};
}

rocksdb_logger_t* rocksdb_logger_create_callback_logger(int log_level,
                                                        LogCallback callback,
                                                        void* priv) {
  return new rocksdb_logger_t{std::make_shared<CallbackLogger>(
      static_cast<InfoLogLevel>(log_level), callback, priv)};
}

void rocksdb_logger_destroy(rocksdb_logger_t* logger) { delete logger; }

}  // extern "C"
