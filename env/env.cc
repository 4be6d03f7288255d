// Bodies of rocksdb/env.h that every Env shares.

#include "rocksdb/env.h"

#include <pthread.h>

#include <cstdio>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

#include "env/composite_env.h"
#include "env/info_log.h"
#include "env/legacy_env.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/compaction_switch.h"

namespace ROCKSDB_NAMESPACE {

namespace {
constexpr size_t kHostNameBytesMax = 256;
}  // namespace

// Construction

Env::Env()
    : file_system_(engine::NewLegacyFileSystem(this)),
      system_clock_(engine::NewLegacyClock(this)),
      compaction_switch_(std::make_shared<engine::CompactionSwitch>()) {}

Env::Env(const std::shared_ptr<FileSystem>& fs)
    : file_system_(fs),
      system_clock_(engine::NewLegacyClock(this)),
      compaction_switch_(std::make_shared<engine::CompactionSwitch>()) {}

Env::Env(const std::shared_ptr<FileSystem>& fs,
         const std::shared_ptr<SystemClock>& clock)
    : file_system_(fs),
      system_clock_(clock),
      compaction_switch_(std::make_shared<engine::CompactionSwitch>()) {}

Env::~Env() = default;

const std::shared_ptr<FileSystem>& Env::GetFileSystem() const {
  return file_system_;
}

const std::shared_ptr<SystemClock>& Env::GetSystemClock() const {
  return system_clock_;
}

Status Env::LoadEnv(const std::string& value, Env** result) {
  return LoadEnv(value, result, nullptr);
}

Status Env::LoadEnv(const std::string& value, Env** result,
                    std::shared_ptr<Env>* guard) {
  if (value.empty() || value == kDefaultName()) {
    *result = Default();
    if (guard != nullptr) guard->reset();
    return Status::OK();
  }
  return Status::NotFound("No Env is called", value);
}

Status Env::CreateFromString(const ConfigOptions&, const std::string& value,
                             Env** result) {
  return LoadEnv(value, result, nullptr);
}

Status Env::CreateFromString(const ConfigOptions&, const std::string& value,
                             Env** result, std::shared_ptr<Env>* guard) {
  return LoadEnv(value, result, guard);
}

Status Env::CreateFromUri(const ConfigOptions&, const std::string& env_uri,
                          const std::string& fs_uri, Env** result,
                          std::shared_ptr<Env>* guard) {
  if (!env_uri.empty() && !fs_uri.empty()) {
    return Status::InvalidArgument(
        "Only one of env_uri and fs_uri can be given");
  }
  if (fs_uri.empty()) return LoadEnv(env_uri, result, guard);
  std::shared_ptr<FileSystem> fs;
  Status s = FileSystem::Load(fs_uri, &fs);
  if (!s.ok()) return s;
  *guard = NewCompositeEnv(fs);
  *result = guard->get();
  return s;
}

// The compaction switch

engine::CompactionSwitch* Env::compaction_switch() {
  return compaction_switch_.get();
}

void Env::EnableCompactions() { compaction_switch()->Enable(); }
void Env::DisableCompactions() { compaction_switch()->Disable(); }

// Small things

std::string Env::PriorityToString(Priority priority) {
  switch (priority) {
    case BOTTOM:
      return "Bottom";
    case LOW:
      return "Low";
    case HIGH:
      return "High";
    case USER:
      return "User";
    default:
      return "Invalid";
  }
}

std::string Env::IOActivityToString(IOActivity activity) {
  static constexpr const char* kNames[] = {
      "Flush",
      "Compaction",
      "DBOpen",
      "Get",
      "MultiGet",
      "DBIterator",
      "VerifyDBChecksum",
      "VerifyFileChecksums",
      "GetEntity",
      "MultiGetEntity",
      "GetFileChecksumsFromCurrentManifest"};
  const auto index = static_cast<size_t>(activity);
  return index < std::size(kNames) ? kNames[index] : "Unknown";
}

uint64_t Env::GetThreadID() const {
  return static_cast<uint64_t>(pthread_self());
}

Status Env::GetHostNameString(std::string* result) {
  char name[kHostNameBytesMax + 1] = "";
  Status s = GetHostName(name, sizeof(name) - 1);
  if (s.ok()) *result = name;
  return s;
}

std::string Env::GenerateUniqueId() {
  // A version 4 (random) UUID. Databases on different machines must differ,
  // so this is the one number that must not be repeatable.
  std::random_device entropy;
  uint64_t high = (uint64_t{entropy()} << 32) | entropy();
  uint64_t low = (uint64_t{entropy()} << 32) | entropy();
  high = (high & ~uint64_t{0xF000}) | 0x4000;
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  char text[37];
  snprintf(text, sizeof(text), "%08x-%04x-%04x-%04x-%012llx",
           static_cast<unsigned>(high >> 32),
           static_cast<unsigned>(high >> 16) & 0xFFFF,
           static_cast<unsigned>(high) & 0xFFFF,
           static_cast<unsigned>(low >> 48),
           static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
  return text;
}

Status Env::NewLogger(const std::string& fname,
                      std::shared_ptr<Logger>* result) {
  return NewEnvLogger(fname, this, result);
}

Status NewEnvLogger(const std::string& fname, Env* env,
                    std::shared_ptr<Logger>* result) {
  return engine::NewFileLogger(env->GetFileSystem().get(),
                               env->GetSystemClock().get(), fname, result);
}

// Defaults of file methods, in terms of other file methods

Status Env::ReuseWritableFile(const std::string& fname,
                              const std::string& old_fname,
                              std::unique_ptr<WritableFile>* result,
                              const EnvOptions& options) {
  Status s = RenameFile(old_fname, fname);
  if (!s.ok()) return s;
  return NewWritableFile(fname, result, options);
}

Status Env::GetChildrenFileAttributes(const std::string& dir,
                                      std::vector<FileAttributes>* result) {
  std::vector<std::string> names;
  Status s = GetChildren(dir, &names);
  if (!s.ok()) return s;
  result->clear();
  const std::string prefix = dir + "/";
  for (std::string& name : names) {
    const std::string path = prefix + name;
    uint64_t size = 0;
    s = GetFileSize(path, &size);
    if (s.ok()) {
      result->push_back({std::move(name), size});
    } else if (!FileExists(path).IsNotFound()) {
      return s;
    }
  }
  return Status::OK();
}

namespace {

// The part of them that older interfaces know.
EnvOptions AsEnvOptions(const FileOptions& options) {
  return static_cast<const EnvOptions&>(options);
}

}  // namespace

EnvOptions Env::OptimizeForLogRead(const EnvOptions& options) const {
  return AsEnvOptions(file_system_->OptimizeForLogRead(FileOptions(options)));
}

EnvOptions Env::OptimizeForManifestRead(const EnvOptions& options) const {
  return AsEnvOptions(
      file_system_->OptimizeForManifestRead(FileOptions(options)));
}

EnvOptions Env::OptimizeForLogWrite(const EnvOptions& options,
                                    const DBOptions& db_options) const {
  return AsEnvOptions(
      file_system_->OptimizeForLogWrite(FileOptions(options), db_options));
}

EnvOptions Env::OptimizeForManifestWrite(const EnvOptions& options) const {
  return AsEnvOptions(
      file_system_->OptimizeForManifestWrite(FileOptions(options)));
}

EnvOptions Env::OptimizeForCompactionTableWrite(
    const EnvOptions& options, const ImmutableDBOptions&) const {
  return options;
}

EnvOptions Env::OptimizeForCompactionTableRead(
    const EnvOptions& options, const ImmutableDBOptions&) const {
  return options;
}

EnvOptions Env::OptimizeForBlobFileRead(const EnvOptions& options,
                                        const ImmutableDBOptions&) const {
  return options;
}

// Keys of the virtual tables.
SequentialFile::~SequentialFile() = default;
RandomAccessFile::~RandomAccessFile() = default;
WritableFile::~WritableFile() = default;
MemoryMappedFileBuffer::~MemoryMappedFileBuffer() = default;
FileLock::~FileLock() = default;

Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname,
                         bool should_sync) {
  return WriteStringToFile(env->GetFileSystem().get(), data, fname,
                           should_sync);
}

Status ReadFileToString(Env* env, const std::string& fname, std::string* data) {
  return ReadFileToString(env->GetFileSystem().get(), fname, data);
}

// EnvWrapper

EnvWrapper::EnvWrapper(Env* t) : target_(t) {}
EnvWrapper::EnvWrapper(std::unique_ptr<Env>&& t) : target_(std::move(t)) {}
EnvWrapper::EnvWrapper(const std::shared_ptr<Env>& t) : target_(t) {}
EnvWrapper::~EnvWrapper() = default;

Status EnvWrapper::PrepareOptions(const ConfigOptions& options) {
  target_.Prepare();
  return Env::PrepareOptions(options);
}

// Composites

std::unique_ptr<Env> NewCompositeEnv(const std::shared_ptr<FileSystem>& fs) {
  return std::make_unique<engine::CompositeEnvWrapper>(
      Env::Default(), fs, SystemClock::Default(), "CompositeEnv");
}

Env* NewMemEnv(Env* base_env) {
  engine::MemFileSystem::Options options;
  // Crashes cannot be simulated with this one, so it need not remember what was
  // synced.
  options.remember_unsynced = false;
  options.clock = base_env->GetSystemClock();
  return new engine::CompositeEnvWrapper(
      base_env, std::make_shared<engine::MemFileSystem>(options),
      base_env->GetSystemClock(), "MemoryEnv");
}

}  // namespace ROCKSDB_NAMESPACE
