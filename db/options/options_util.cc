#include "rocksdb/utilities/options_util.h"

#include <algorithm>

#include "db/options/options_file.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Larger than any sane set of column families, small enough to read.
constexpr uint64_t kOptionsFileBytesMax = 256 << 20;

ConfigOptions ConfigOf(Env* env, bool ignore_unknown_options) {
  ConfigOptions config;
  config.env = env;
  config.ignore_unknown_options = ignore_unknown_options;
  return config;
}

Status ReadWhole(FileSystem* fs, const std::string& name, std::string* text) {
  const IOOptions io;
  uint64_t size = 0;
  RETURN_IF_ERROR(fs->GetFileSize(name, io, &size, nullptr));
  if (size > kOptionsFileBytesMax) {
    return Status::Corruption(name, "is too large for an OPTIONS file");
  }
  std::unique_ptr<FSSequentialFile> file;
  RETURN_IF_ERROR(fs->NewSequentialFile(name, FileOptions(), &file, nullptr));
  std::string buffer(64 << 10, '\0');
  text->clear();
  for (;;) {
    Slice part;
    RETURN_IF_ERROR(
        file->Read(buffer.size(), io, &part, buffer.data(), nullptr));
    if (part.empty()) return Status::OK();
    text->append(part.data(), part.size());
  }
}

// Every block-based factory with the given cache.
void ShareCache(const std::shared_ptr<Cache>& cache,
                std::vector<ColumnFamilyDescriptor>* cf_descs) {
  for (ColumnFamilyDescriptor& cf : *cf_descs) {
    auto* table =
        cf.options.table_factory->GetOptions<BlockBasedTableOptions>();
    if (table != nullptr && !table->no_block_cache) table->block_cache = cache;
  }
}

template <typename T>
std::string IdOf(const T* object) {
  return object == nullptr ? "nullptr" : object->GetId();
}

Status Differs(const std::string& family, const char* what,
               const std::string& stored, const std::string& given) {
  return Status::InvalidArgument(
      "column family " + family + ": " + what + " was " + stored,
      "and is now " + given);
}

Status CheckFamily(const ColumnFamilyDescriptor& stored,
                   const ColumnFamilyDescriptor& given, bool exact) {
  const ColumnFamilyOptions& a = stored.options;
  const ColumnFamilyOptions& b = given.options;
  // A comparator that is not built in cannot be loaded; the MANIFEST checks
  // its name.
  if (exact && std::string(a.comparator->Name()) != b.comparator->Name() &&
      a.comparator != BytewiseComparator()) {
    return Differs(given.name, "comparator", a.comparator->Name(),
                   b.comparator->Name());
  }
  const std::string merge_before = IdOf(a.merge_operator.get());
  if (a.merge_operator != nullptr &&
      merge_before != IdOf(b.merge_operator.get())) {
    return Differs(given.name, "merge operator", merge_before,
                   IdOf(b.merge_operator.get()));
  }
  if (std::string(a.table_factory->Name()) != b.table_factory->Name()) {
    return Differs(given.name, "table factory", a.table_factory->Name(),
                   b.table_factory->Name());
  }
  const std::string prefix_before = IdOf(a.prefix_extractor.get());
  if (exact && a.prefix_extractor != nullptr &&
      prefix_before != IdOf(b.prefix_extractor.get())) {
    return Differs(given.name, "prefix extractor", prefix_before,
                   IdOf(b.prefix_extractor.get()));
  }
  return Status::OK();
}

}  // namespace

Status GetLatestOptionsFileName(const std::string& dbpath, Env* env,
                                std::string* options_file_name) {
  return engine::NewestOptionsFile(env->GetFileSystem().get(), dbpath,
                                   options_file_name);
}

Status LoadOptionsFromFile(const ConfigOptions& config_options,
                           const std::string& options_file_name,
                           DBOptions* db_options,
                           std::vector<ColumnFamilyDescriptor>* cf_descs,
                           std::shared_ptr<Cache>* cache) {
  std::string text;
  RETURN_IF_ERROR(ReadWhole(config_options.env->GetFileSystem().get(),
                            options_file_name, &text));
  engine::TextMode mode;
  mode.escaped = config_options.input_strings_escaped;
  mode.ignore_unknown = config_options.ignore_unknown_options;
  mode.ignore_unsupported = config_options.ignore_unsupported_options;
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  RETURN_IF_ERROR(engine::ParseOptionsFile(text, options_file_name, mode,
                                           &loaded, &families));
  loaded.env = config_options.env;
  if (cache != nullptr && *cache != nullptr) ShareCache(*cache, &families);
  *db_options = std::move(loaded);
  *cf_descs = std::move(families);
  return Status::OK();
}

Status LoadOptionsFromFile(const std::string& options_file_name, Env* env,
                           DBOptions* db_options,
                           std::vector<ColumnFamilyDescriptor>* cf_descs,
                           bool ignore_unknown_options,
                           std::shared_ptr<Cache>* cache) {
  return LoadOptionsFromFile(ConfigOf(env, ignore_unknown_options),
                             options_file_name, db_options, cf_descs, cache);
}

Status LoadLatestOptions(const ConfigOptions& config_options,
                         const std::string& dbpath, DBOptions* db_options,
                         std::vector<ColumnFamilyDescriptor>* cf_descs,
                         std::shared_ptr<Cache>* cache) {
  std::string name;
  RETURN_IF_ERROR(GetLatestOptionsFileName(dbpath, config_options.env, &name));
  return LoadOptionsFromFile(config_options, dbpath + "/" + name, db_options,
                             cf_descs, cache);
}

Status LoadLatestOptions(const std::string& dbpath, Env* env,
                         DBOptions* db_options,
                         std::vector<ColumnFamilyDescriptor>* cf_descs,
                         bool ignore_unknown_options,
                         std::shared_ptr<Cache>* cache) {
  return LoadLatestOptions(ConfigOf(env, ignore_unknown_options), dbpath,
                           db_options, cf_descs, cache);
}

Status CheckOptionsCompatibility(
    const ConfigOptions& config_options, const std::string& dbpath,
    const DBOptions& /*db_options*/,
    const std::vector<ColumnFamilyDescriptor>& cf_descs) {
  if (config_options.IsCheckDisabled()) return Status::OK();
  DBOptions stored_db;
  std::vector<ColumnFamilyDescriptor> stored;
  RETURN_IF_ERROR(
      LoadLatestOptions(config_options, dbpath, &stored_db, &stored));
  const bool exact =
      config_options.IsCheckEnabled(ConfigOptions::kSanityLevelExactMatch);
  for (const ColumnFamilyDescriptor& before : stored) {
    const auto given = std::find_if(
        cf_descs.begin(), cf_descs.end(),
        [&](const auto& family) { return family.name == before.name; });
    if (given == cf_descs.end()) continue;
    RETURN_IF_ERROR(CheckFamily(before, *given, exact));
  }
  return Status::OK();
}

Status CheckOptionsCompatibility(
    const std::string& dbpath, Env* env, const DBOptions& db_options,
    const std::vector<ColumnFamilyDescriptor>& cf_descs,
    bool ignore_unknown_options) {
  return CheckOptionsCompatibility(ConfigOf(env, ignore_unknown_options),
                                   dbpath, db_options, cf_descs);
}

}  // namespace ROCKSDB_NAMESPACE
