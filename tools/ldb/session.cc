#include "tools/ldb/session.h"

#include <algorithm>

#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

struct Choices {
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
};

// What the database's own OPTIONS file says; defaults when there is none.
Status LoadChoices(const Arguments& arguments, Choices* choices) {
  if (!arguments.Bool("try_load_options", true)) return Status::OK();
  ConfigOptions config;
  config.ignore_unknown_options = arguments.Bool("ignore_unknown_options");
  config.input_strings_escaped = true;
  const Status status = LoadLatestOptions(config, arguments.Text("db"),
                                          &choices->db, &choices->families);
  const bool nothing_there = status.IsNotFound() || status.IsPathNotFound();
  if (nothing_there && !arguments.Has("try_load_options")) {
    *choices = Choices();
    return Status::OK();
  }
  return status;
}

// The flags that change options, by the options' own names.
Status ApplyFlags(const Arguments& arguments, ColumnFamilyOptions* options) {
  std::string changes;
  const auto add = [&](const char* flag, const char* option) {
    if (arguments.Has(flag)) {
      changes += std::string(option) + "=" + arguments.Text(flag) + ";";
    }
  };
  add("write_buffer_size", "write_buffer_size");
  add("file_size", "target_file_size_base");
  if (arguments.Has("compression_type")) {
    const std::string name = arguments.Text("compression_type");
    changes += "compression=";
    changes += name == "no"       ? "kNoCompression"
               : name == "snappy" ? "kSnappyCompression"
               : name == "zlib"   ? "kZlibCompression"
               : name == "bzip2"  ? "kBZip2Compression"
               : name == "lz4"    ? "kLZ4Compression"
               : name == "lz4hc"  ? "kLZ4HCCompression"
               : name == "zstd"   ? "kZSTD"
                                  : name.c_str();
    changes += ";";
  }
  if (arguments.Has("auto_compaction")) {
    changes += std::string("disable_auto_compactions=") +
               (arguments.Bool("auto_compaction") ? "false;" : "true;");
  }
  if (arguments.Bool("disable_consistency_checks")) {
    changes += "force_consistency_checks=false;";
  }
  std::string table;
  if (arguments.Has("block_size")) {
    table += "block_size=" + arguments.Text("block_size") + ";";
  }
  if (arguments.Has("bloom_bits")) {
    table +=
        "filter_policy=bloomfilter:" + arguments.Text("bloom_bits") + ":false;";
  }
  if (!table.empty()) changes += "block_based_table_factory={" + table + "};";
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
}

}  // namespace

engine::Result<std::unique_ptr<Session>> Session::Open(
    const Arguments& arguments, OpenMode mode) {
  const std::string path = arguments.Text("db");
  Choices choices;
  RETURN_IF_ERROR(LoadChoices(arguments, &choices));
  choices.db.create_if_missing =
      mode == OpenMode::kWritable && arguments.Bool("create_if_missing");

  if (mode == OpenMode::kReadOnly) ForgetWriting(&choices.db);

  std::vector<std::string> names;
  const Status listed = DB::ListColumnFamilies(choices.db, path, &names);
  // Opening says better than listing what is wrong with a database.
  if (!listed.ok()) names = {kDefaultColumnFamilyName};

  std::unique_ptr<Session> session(new Session());
  std::vector<ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) {
    ColumnFamilyDescriptor descriptor;
    descriptor.name = name;
    for (const ColumnFamilyDescriptor& loaded : choices.families) {
      if (loaded.name == name) descriptor.options = loaded.options;
    }
    ClampFormatVersion(&descriptor.options);
    if (mode == OpenMode::kReadOnly) ForgetWriting(&descriptor.options);
    RETURN_IF_ERROR(ApplyFlags(arguments, &descriptor.options));
    if (name == kDefaultColumnFamilyName) {
      session->family_options_ = descriptor.options;
    }
    descriptors.push_back(std::move(descriptor));
  }
  RETURN_IF_ERROR(mode == OpenMode::kReadOnly
                      ? DB::OpenForReadOnly(choices.db, path, descriptors,
                                            &session->handles_, &session->db_)
                      : DB::Open(choices.db, path, descriptors,
                                 &session->handles_, &session->db_));

  const std::string wanted =
      arguments.Text("column_family", kDefaultColumnFamilyName);
  session->family_ = session->FindFamily(wanted);
  if (session->family_ == nullptr) {
    return Status::InvalidArgument("Non-existing column family " + wanted);
  }
  return session;
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
