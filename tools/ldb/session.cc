#include "tools/ldb/session.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "db/db_impl/key_versions.h"
#include "db/format/file_names.h"
#include "db/options/options_file.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// What the database's own OPTIONS file says; defaults when there is none.
Status LoadChoices(const Arguments& arguments, OpenOptions* choices) {
  if (!arguments.Bool("try_load_options", true)) return Status::OK();
  const std::string db = arguments.Text("db");
  Env* const env = arguments.host().options.env;
  std::string name;
  std::string text;
  Status status =
      engine::NewestOptionsFile(env->GetFileSystem().get(), db, &name);
  name = db + "/" + name;
  if (status.ok()) status = ReadFileToString(env, name, &text);
  if (engine::IsMissing(status) && !arguments.Has("try_load_options")) {
    return Status::OK();
  }
  RETURN_IF_ERROR(status);
  // An option name of another release must not keep the user from reading the
  // data. Every other error stays an error.
  engine::TextMode mode;
  mode.ignore_unknown = true;
  std::vector<std::string> unknown;
  RETURN_IF_ERROR(engine::ParseOptionsFile(text, name, mode, &choices->db,
                                           &choices->families, &unknown));
  if (arguments.Bool("ignore_unknown_options")) return Status::OK();
  for (const std::string& line : unknown) {
    std::fprintf(stderr, "Warning: %s; ignored\n", line.c_str());
  }
  return Status::OK();
}

// What no OPTIONS file can name comes from the program that runs the tool.
void AddObjects(const ColumnFamilyOptions& given, ColumnFamilyOptions* loaded) {
  if (loaded->comparator == BytewiseComparator()) {
    loaded->comparator = given.comparator;
  }
  if (loaded->merge_operator == nullptr) {
    loaded->merge_operator = given.merge_operator;
  }
  if (loaded->prefix_extractor == nullptr) {
    loaded->prefix_extractor = given.prefix_extractor;
  }
}

// A family as its database is to be opened: as the program that runs the tool
// describes it, else as the OPTIONS file does, else like the program's own.
ColumnFamilyOptions FamilyOptions(
    const Host& host, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& loaded) {
  for (const ColumnFamilyDescriptor& family : host.families) {
    if (family.name == name) return family.options;
  }
  for (const ColumnFamilyDescriptor& family : loaded) {
    if (family.name != name) continue;
    ColumnFamilyOptions options = family.options;
    AddObjects(host.options, &options);
    return options;
  }
  return ColumnFamilyOptions(host.options);
}

struct CompressionSpelling {
  std::string_view flag;
  std::string_view option;
};
constexpr CompressionSpelling kCompressionSpellings[] = {
    {"no", "kNoCompression"},         {"snappy", "kSnappyCompression"},
    {"zlib", "kZlibCompression"},     {"bzip2", "kBZip2Compression"},
    {"lz4", "kLZ4Compression"},       {"lz4hc", "kLZ4HCCompression"},
    {"xpress", "kXpressCompression"}, {"zstd", "kZSTD"}};

// The option's text for a compression type as ldb spells it. The parser refuses
// other names.
std::string CompressionName(const std::string& name) {
  for (const CompressionSpelling& spelling : kCompressionSpellings) {
    if (name == spelling.flag) return std::string(spelling.option);
  }
  return name;
}

// Flags that have the name of the option they set.
constexpr const char* kSameName[] = {"write_buffer_size",
                                     "min_blob_size",
                                     "blob_file_size",
                                     "blob_garbage_collection_age_cutoff",
                                     "blob_garbage_collection_force_threshold",
                                     "blob_compaction_readahead_size",
                                     "blob_file_starting_level"};
constexpr const char* kSameNameSwitches[] = {"enable_blob_files",
                                             "enable_blob_garbage_collection"};

// The flags that change options, in the text form of options.
std::string ChangesByFlags(const Arguments& arguments) {
  std::string changes;
  const auto add = [&](const std::string& option, const std::string& value) {
    changes += option + "=" + value + ";";
  };
  for (const char* flag : kSameName) {
    if (arguments.Has(flag)) add(flag, arguments.Text(flag));
  }
  for (const char* flag : kSameNameSwitches) {
    if (arguments.Has(flag)) add(flag, arguments.Bool(flag) ? "true" : "false");
  }
  if (arguments.Has("file_size")) {
    add("target_file_size_base", arguments.Text("file_size"));
  }
  if (arguments.Has("fix_prefix_len")) {
    add("prefix_extractor", "fixed:" + arguments.Text("fix_prefix_len"));
  }
  if (arguments.Has("compression_type")) {
    add("compression", CompressionName(arguments.Text("compression_type")));
  }
  if (arguments.Has("blob_compression_type")) {
    add("blob_compression_type",
        CompressionName(arguments.Text("blob_compression_type")));
  }
  if (arguments.Has("auto_compaction")) {
    add("disable_auto_compactions",
        arguments.Bool("auto_compaction") ? "false" : "true");
  }
  if (arguments.Bool("disable_consistency_checks")) {
    add("force_consistency_checks", "false");
  }
  std::string table;
  if (arguments.Has("block_size")) {
    table += "block_size=" + arguments.Text("block_size") + ";";
  }
  if (arguments.Has("bloom_bits")) {
    table +=
        "filter_policy=bloomfilter:" + arguments.Text("bloom_bits") + ":false;";
  }
  if (!table.empty()) add("block_based_table_factory", "{" + table + "}");
  return changes;
}

Status ApplyFlags(const Arguments& arguments, ColumnFamilyOptions* options) {
  const auto dict_bytes = arguments.Number("compression_max_dict_bytes", 0);
  if (!dict_bytes.ok()) return dict_bytes.status();
  if (arguments.Has("compression_max_dict_bytes")) {
    options->compression_opts.max_dict_bytes =
        static_cast<uint32_t>(std::min<uint64_t>(*dict_bytes, UINT32_MAX));
  }
  const std::string changes = ChangesByFlags(arguments);
  if (changes.empty()) return Status::OK();
  const ColumnFamilyOptions base = *options;
  return GetColumnFamilyOptionsFromString(ConfigOptions(), base, changes,
                                          options);
}

// A newer release may have chosen a table format for its own writing that we
// read but do not write.
void ClampFormatVersion(ColumnFamilyOptions* options) {
  if (options->table_factory == nullptr) return;
  auto* const table =
      options->table_factory->GetOptions<BlockBasedTableOptions>();
  if (table == nullptr) return;
  table->format_version = std::clamp<uint32_t>(table->format_version, 2, 7);
}

// What only concerns writing must not keep us from reading.
void ForgetWriting(DBOptions* options) {
  options->atomic_flush = false;
  options->wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
}
void ForgetWriting(ColumnFamilyOptions* options) {
  options->compaction_style = kCompactionStyleLevel;
  // A table says itself of which format it is; families of others can be read.
  if (options->table_factory->GetOptions<BlockBasedTableOptions>() == nullptr) {
    options->table_factory.reset(NewBlockBasedTableFactory());
  }
}

}  // namespace

engine::Result<OpenOptions> OptionsOf(const Arguments& arguments, OpenMode mode,
                                      const OptionsChange& change) {
  const Host& host = arguments.host();
  OpenOptions loaded;
  loaded.db = DBOptions(host.options);
  RETURN_IF_ERROR(LoadChoices(arguments, &loaded));
  OpenOptions options;
  options.db = loaded.db;
  options.db.env = host.options.env;
  options.db.create_if_missing =
      mode == OpenMode::kWritable && arguments.Bool("create_if_missing");
  const auto buffers =
      arguments.Number("db_write_buffer_size", options.db.db_write_buffer_size);
  if (!buffers.ok()) return buffers.status();
  options.db.db_write_buffer_size = *buffers;
  if (mode != OpenMode::kWritable) ForgetWriting(&options.db);

  std::vector<std::string> names;
  const Status listed =
      DB::ListColumnFamilies(options.db, arguments.Text("db"), &names);
  // Opening says better than listing what is wrong with a database.
  if (!listed.ok()) names = {kDefaultColumnFamilyName};
  if (!listed.ok() && mode == OpenMode::kForRepair &&
      !loaded.families.empty()) {
    names.clear();
    for (const ColumnFamilyDescriptor& f : loaded.families) {
      names.push_back(f.name);
    }
  }
  for (const std::string& name : names) {
    ColumnFamilyDescriptor descriptor(
        name, FamilyOptions(host, name, loaded.families));
    ClampFormatVersion(&descriptor.options);
    if (mode != OpenMode::kWritable) ForgetWriting(&descriptor.options);
    RETURN_IF_ERROR(ApplyFlags(arguments, &descriptor.options));
    if (change) change(&descriptor.options);
    options.families.push_back(std::move(descriptor));
  }
  return options;
}

engine::Result<std::unique_ptr<Session>> Session::Open(
    const Arguments& arguments, OpenMode mode, const OptionsChange& change) {
  auto options = OptionsOf(arguments, mode, change);
  if (!options.ok()) return options.status();
  std::unique_ptr<Session> session(new Session());
  for (const ColumnFamilyDescriptor& family : options->families) {
    if (family.name == kDefaultColumnFamilyName) {
      session->family_options_ = family.options;
    }
  }
  RETURN_IF_ERROR(session->OpenDb(arguments, mode, *options));
  const std::string wanted =
      arguments.Text("column_family", kDefaultColumnFamilyName);
  session->family_ = session->FindFamily(wanted);
  if (session->family_ == nullptr) {
    return Status::InvalidArgument("Non-existing column family " + wanted);
  }
  return session;
}

// As a secondary whatever the command does: what it may not do is answered.
Status Session::OpenDb(const Arguments& arguments, OpenMode mode,
                       const OpenOptions& options) {
  const std::string path = arguments.Text("db");
  const bool transactions = arguments.Bool("use_txn");
  if (!transactions && arguments.Has("txn_write_policy")) {
    return Status::InvalidArgument("--txn_write_policy without --use_txn");
  }
  if (arguments.Bool("ttl")) return OpenWithTtl(arguments, mode, options);
  if (transactions && mode != OpenMode::kReadOnly) {
    return OpenWithTransactions(arguments, options);
  }
  if (arguments.Has("secondary_path")) {
    return DB::OpenAsSecondary(options.db, path,
                               arguments.Text("secondary_path"),
                               options.families, &handles_, &db_);
  }
  return mode == OpenMode::kReadOnly
             ? DB::OpenForReadOnly(options.db, path, options.families,
                                   &handles_, &db_)
             : DB::Open(options.db, path, options.families, &handles_, &db_);
}

// Entries stay for ever: the tool does not know for how long they should.
Status Session::OpenWithTtl(const Arguments& arguments, OpenMode mode,
                            const OpenOptions& options) {
  if (arguments.Has("secondary_path")) {
    return Status::InvalidArgument("--ttl with --secondary_path",
                                   "a secondary is no database with a TTL");
  }
  if (arguments.Bool("use_txn")) {
    return Status::InvalidArgument("--ttl with --use_txn",
                                   "a database is one or the other");
  }
  const std::vector<int32_t> ttls(options.families.size(), 0);
  DBWithTTL* db = nullptr;
  RETURN_IF_ERROR(DBWithTTL::Open(options.db, arguments.Text("db"),
                                  options.families, &handles_, &db, ttls,
                                  mode == OpenMode::kReadOnly));
  db_.reset(db);
  return Status::OK();
}

// What is prepared stays so, and its keys are locked.
Status Session::OpenWithTransactions(const Arguments& arguments,
                                     const OpenOptions& options) {
  if (arguments.Has("secondary_path")) {
    return Status::InvalidArgument("--use_txn with --secondary_path",
                                   "a secondary has no transactions");
  }
  TransactionDBOptions transactions;
  const auto policy = arguments.Number("txn_write_policy", WRITE_COMMITTED);
  if (!policy.ok()) return policy.status();
  if (*policy > WRITE_UNPREPARED) {
    return Status::InvalidArgument(
        "--txn_write_policy",
        "expected 0, 1 or 2, found " + std::to_string(*policy));
  }
  transactions.write_policy = static_cast<TxnDBWritePolicy>(*policy);
  TransactionDB* db = nullptr;
  RETURN_IF_ERROR(TransactionDB::Open(options.db, transactions,
                                      arguments.Text("db"), options.families,
                                      &handles_, &db));
  db_.reset(db);
  return Status::OK();
}

Session::~Session() {
  // Commands that changed something have called it and know the result.
  Close().PermitUncheckedError();
}

ColumnFamilyHandle* Session::FindFamily(const std::string& name) const {
  const auto it = std::find_if(
      handles_.begin(), handles_.end(),
      [&](ColumnFamilyHandle* handle) { return handle->GetName() == name; });
  return it == handles_.end() ? nullptr : *it;
}

Status Session::ForEachVersion(
    const std::optional<std::string>& from,
    const std::optional<std::string>& to,
    const std::function<bool(const KeyVersion&)>& use) const {
  const Comparator* const order = family_->GetComparator();
  return engine::ForEachKeyVersion(
      db_.get(), family_, from.value_or(""), [&](const KeyVersion& version) {
        if (to && order->Compare(version.user_key, *to) >= 0) return false;
        return use(version);
      });
}

std::string Session::FilesPerLevel() const {
  std::string text;
  for (int level = 0; level < db_->NumberLevels(family_); ++level) {
    std::string files;
    db_->GetProperty(
        family_, DB::Properties::kNumFilesAtLevelPrefix + std::to_string(level),
        &files);
    text += (text.empty() ? "" : ",") + files;
  }
  return text;
}

Status Session::PrintStats() const {
  std::string stats;
  if (!db_->GetProperty(family_, "rocksdb.stats", &stats)) {
    return Status::NotFound("property rocksdb.stats");
  }
  std::printf("%s\n", stats.c_str());
  return Status::OK();
}

Status Session::Close() {
  if (db_ == nullptr) return Status::OK();
  Status status;
  for (ColumnFamilyHandle* handle : handles_) {
    const Status destroyed = db_->DestroyColumnFamilyHandle(handle);
    if (status.ok()) status = destroyed;
  }
  handles_.clear();
  const Status closed = db_->Close();
  db_.reset();
  return status.ok() ? closed : status;
}

}  // namespace ROCKSDB_NAMESPACE::ldb
