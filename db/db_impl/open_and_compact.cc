// DB::OpenAndCompact(): opens the database of another process and carries out
// one of its compactions. The compaction itself is db/remote_compaction.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/db_impl/job_events.h"
#include "db/db_impl/opener.h"
#include "db/format/file_names.h"
#include "db/manifest/manifest_state.h"
#include "db/remote_compaction/compaction_input.h"
#include "db/remote_compaction/compaction_result.h"
#include "db/remote_compaction/compaction_worker.h"
#include "db/ttl/ttl_operators.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/utilities/options_util.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Overrides = CompactionServiceOptionsOverride;

// A job keeps its inputs open, however many these are; of all other tables
// nothing is read.
constexpr int kWorkerOpenFiles = 1000;

ConfigOptions LenientConfig(Env* env) {
  ConfigOptions config;
  config.env = env;
  config.ignore_unknown_options = true;
  config.ignore_unsupported_options = true;
  return config;
}

template <typename T>
void ReplaceUnlessNull(const T& given, T* option) {
  if (given != nullptr) *option = given;
}

template <typename T>
void ReplaceUnlessEmpty(const std::vector<T>& given, std::vector<T>* option) {
  if (!given.empty()) *option = given;
}

// Times that the files which describe the database are looked for: a writer may
// replace them meanwhile.
constexpr int kReadAttemptsMax = 20;

bool IsOvertaken(const Status& status) {
  return status.IsTryAgain() || status.IsNotFound() || status.IsPathNotFound();
}

// One compaction for another process, from the string to the answer.
class RemoteWorker {
 public:
  RemoteWorker(const std::string& name, const RemoteInput& input,
               const Overrides& overrides)
      : name_(name),
        input_(input),
        overrides_(overrides),
        env_(overrides.env != nullptr ? overrides.env : Env::Default()),
        fs_(env_->GetFileSystem().get()) {}

  Status Run(const std::string& output_directory,
             const std::atomic<bool>* canceled, std::string* output);

 private:
  Status ReadDescription();
  Status CheckManifest();
  Status CheckDirectory(const std::string& output_directory) const;
  Status LoadOptions();
  Status OverrideFamily(ColumnFamilyOptions* options);
  void ChooseComparator(const std::string& family,
                        ColumnFamilyOptions* options) const;
  Status OpenFamily();
  SliceEvents EventsOf(const std::shared_ptr<const FileHome>& home) const;

  const std::string& name_;
  const RemoteInput& input_;
  const Overrides& overrides_;
  Env* const env_;
  FileSystem* const fs_;
  ManifestState manifest_;
  DBOptions db_options_;
  std::vector<ColumnFamilyDescriptor> families_;
  // Outlives the database that uses it.
  std::unique_ptr<const CompactionFilter> ttl_filter_;
  std::unique_ptr<DB> db_;
  DbState* state_ = nullptr;  // Of db_.
  FamilyPtr family_;
};

Status RemoteWorker::Run(const std::string& output_directory,
                         const std::atomic<bool>* canceled,
                         std::string* output) {
  RETURN_IF_ERROR(CheckDirectory(output_directory));
  RETURN_IF_ERROR(ReadDescription());
  RETURN_IF_ERROR(OpenFamily());
  RETURN_IF_ERROR(
      fs_->CreateDirIfMissing(output_directory, IOOptions(), nullptr));
  const auto home = std::make_shared<FileHome>();
  home->family_id = family_->id();
  home->family_name = family_->name();
  home->dirs = {output_directory};
  SliceEvents events = EventsOf(home);
  CompactionWork work;
  work.db = state_;
  work.family = family_;
  work.input = &input_;
  work.home = home;
  work.observer = &events;
  work.canceled = canceled;
  return RunCompactionWork(work, output);
}

// The tables there would be taken for the database's, or overwrite them.
Status RemoteWorker::CheckDirectory(const std::string& output_directory) const {
  const bool taken = output_directory.empty() ||
                     IsSameDirectory(fs_, output_directory, name_) ||
                     IsDirectoryOf(fs_, input_, output_directory);
  if (!taken) return Status::OK();
  return Status::InvalidArgument(
      "OpenAndCompact: expected an output directory that is none of the "
      "database's",
      "found '" + output_directory + "'");
}

Status RemoteWorker::ReadDescription() {
  for (int attempt = 1;; ++attempt) {
    Status status = CheckManifest();
    if (status.ok()) status = LoadOptions();
    if (!IsOvertaken(status) || attempt == kReadAttemptsMax) return status;
  }
}

Status RemoteWorker::CheckManifest() {
  const Result<ManifestStamp> stamp = StampManifest(fs_, name_);
  if (!stamp.ok()) return stamp.status();
  const bool older = stamp->number < input_.manifest_number ||
                     (stamp->number == input_.manifest_number &&
                      stamp->bytes < input_.manifest_bytes);
  if (older) {
    return Status::TryAgain(
        name_ + ": expected MANIFEST " +
            std::to_string(input_.manifest_number) + " with " +
            std::to_string(input_.manifest_bytes) + " bytes, or a newer one",
        "found " + std::to_string(stamp->number) + " with " +
            std::to_string(stamp->bytes));
  }
  Result<ManifestState> state = engine::ReadManifest(fs_, name_);
  if (!state.ok()) return state.status();
  manifest_ = std::move(*state);
  const auto found = manifest_.families.find(input_.family_id);
  if (found != manifest_.families.end() &&
      found->second.name == input_.family_name) {
    return Status::OK();
  }
  return Status::Aborted(
      name_ + ": expected column family " + std::to_string(input_.family_id) +
          ", '" + input_.family_name + "'",
      found == manifest_.families.end() ? "found none with that id"
                                        : "found '" + found->second.name + "'");
}

void RemoteWorker::ChooseComparator(const std::string& family,
                                    ColumnFamilyOptions* options) const {
  const FamilyState* const state = manifest_.FindFamily(family);
  if (overrides_.comparator == nullptr || state == nullptr) return;
  if (state->comparator_name.empty() ||
      state->comparator_name == overrides_.comparator->Name()) {
    options->comparator = overrides_.comparator;
  }
}

Status RemoteWorker::OverrideFamily(ColumnFamilyOptions* options) {
  const Overrides& given = overrides_;
  ReplaceUnlessNull(given.merge_operator, &options->merge_operator);
  ReplaceUnlessNull(given.compaction_filter, &options->compaction_filter);
  ReplaceUnlessNull(given.compaction_filter_factory,
                    &options->compaction_filter_factory);
  ReplaceUnlessNull(given.prefix_extractor, &options->prefix_extractor);
  ReplaceUnlessNull(given.table_factory, &options->table_factory);
  ReplaceUnlessNull(given.sst_partitioner_factory,
                    &options->sst_partitioner_factory);
  ReplaceUnlessEmpty(given.table_properties_collector_factories,
                     &options->table_properties_collector_factories);
  const bool elsewhere =
      input_.dirs.size() != 1 || input_.dirs.front() != input_.db_name;
  if (elsewhere) {
    options->cf_paths.clear();
    for (const std::string& dir : input_.dirs) {
      options->cf_paths.emplace_back(dir, 0);
    }
  }
  const ColumnFamilyOptions base = *options;
  RETURN_IF_ERROR(GetColumnFamilyOptionsFromMap(LenientConfig(env_), base,
                                                given.options_map, options));
  if (given.ttl) {
    ttl_filter_ = AddTtl(std::make_shared<std::atomic<int32_t>>(*given.ttl),
                         env_->GetSystemClock(), options);
  }
  // The family may have been given blob files since the job was made.
  if (input_.blob_numbers == 0) options->enable_blob_files = false;
  return Status::OK();
}

Status RemoteWorker::LoadOptions() {
  families_.clear();
  db_options_ = DBOptions();
  std::vector<ColumnFamilyDescriptor> stored;
  RETURN_IF_ERROR(
      LoadLatestOptions(LenientConfig(env_), name_, &db_options_, &stored));
  db_options_.max_open_files = kWorkerOpenFiles;
  db_options_.io_scheduler = nullptr;  // Of the database's disk, not this one.
  db_options_.listeners = overrides_.listeners;
  ReplaceUnlessNull(overrides_.file_checksum_gen_factory,
                    &db_options_.file_checksum_gen_factory);
  ReplaceUnlessNull(overrides_.statistics, &db_options_.statistics);
  ReplaceUnlessNull(overrides_.info_log, &db_options_.info_log);
  const DBOptions base = db_options_;
  RETURN_IF_ERROR(GetDBOptionsFromMap(LenientConfig(env_), base,
                                      overrides_.options_map, &db_options_));
  db_options_.env = env_;
  for (ColumnFamilyDescriptor& family : stored) {
    const bool wanted = family.name == input_.family_name;
    if (!wanted && family.name != kDefaultColumnFamilyName) continue;
    ChooseComparator(family.name, &family.options);
    if (wanted) RETURN_IF_ERROR(OverrideFamily(&family.options));
    families_.push_back(std::move(family));
  }
  const bool found = std::any_of(
      families_.begin(), families_.end(),
      [this](const auto& family) { return family.name == input_.family_name; });
  if (found) return Status::OK();
  return Status::Aborted(name_ + ": expected column family '" +
                             input_.family_name +
                             "' in the newest OPTIONS file",
                         "found none of that name");
}

Status RemoteWorker::OpenFamily() {
  OpenMode mode;
  mode.read_only = true;
  mode.manifest_only = true;
  RETURN_IF_ERROR(OpenWith(db_options_, name_, families_, nullptr, &db_, mode));
  state_ = static_cast<DBImpl*>(db_.get())->state();
  const std::string& db_id = state_->store.db_id;
  if (!db_id.empty() && !input_.db_id.empty() && db_id != input_.db_id) {
    return Status::InvalidArgument(
        name_ + ": expected the database with the id " + input_.db_id,
        "found " + db_id);
  }
  family_ = state_->families->Get(input_.family_id);
  if (family_ != nullptr) return Status::OK();
  return Status::Aborted(
      name_ + ": expected column family " + std::to_string(input_.family_id),
      "found it dropped");
}

SliceEvents RemoteWorker::EventsOf(
    const std::shared_ptr<const FileHome>& home) const {
  CompactionJobInfo info;
  info.cf_id = input_.family_id;
  info.cf_name = input_.family_name;
  info.job_id = static_cast<int>(input_.job_id);
  info.base_input_level = input_.levels.front().level;
  info.output_level = input_.output_level;
  info.compaction_reason = input_.reason;
  info.stats.is_manual_compaction = input_.is_manual;
  info.compression =
      input_.compression
          ? *input_.compression
          : CompressionFor(*family_->options(), input_.output_level,
                           input_.base_level, input_.bottommost);
  return SliceEvents(state_, *family_, info, home);
}

// NOLINTNEXTLINE(readability-function-size): what the public call is given.
Status CompactForAnother(const OpenAndCompactOptions& options,
                         const std::string& name,
                         const std::string& output_directory,
                         const std::string& bytes, std::string* output,
                         const Overrides& overrides) {
  output->clear();
  RemoteInput input;
  RETURN_IF_ERROR(input.DecodeFrom(bytes));
  RemoteWorker worker(name, input, overrides);
  Status status = worker.Run(output_directory, options.canceled, output);
  if (status.ok()) return status;
  RemoteResult failed = RemoteResult::To(input);
  failed.status = status;
  *output = failed.Encode();
  return status;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

Status DB::OpenAndCompact(
    const OpenAndCompactOptions& options, const std::string& name,
    const std::string& output_directory, const std::string& input,
    std::string* output,
    const CompactionServiceOptionsOverride& override_options) {
  return engine::OrNoMemory([&] {
    return engine::CompactForAnother(options, name, output_directory, input,
                                     output, override_options);
  });
}

Status DB::OpenAndCompact(
    const std::string& name, const std::string& output_directory,
    const std::string& input, std::string* output,
    const CompactionServiceOptionsOverride& override_options) {
  return OpenAndCompact(OpenAndCompactOptions(), name, output_directory, input,
                        output, override_options);
}

}  // namespace ROCKSDB_NAMESPACE
