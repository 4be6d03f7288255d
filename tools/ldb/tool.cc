// LDBTool: ldb's command line, one command per run.
//
// Place. In the library, because programs have an ldb of their own; main.cc is
// the plain one.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "rocksdb/ldb_tool.h"
#include "rocksdb/version.h"
#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

const Command* const kDataCommands[] = {&kPut,
                                        &kGet,
                                        &kMultiGet,
                                        &kPutEntity,
                                        &kGetEntity,
                                        &kBatchPut,
                                        &kScan,
                                        &kDelete,
                                        &kDeleteRange,
                                        &kQuery,
                                        &kApproxSize,
                                        &kCheckConsistency,
                                        &kListFileRangeDeletes};

const Command* const kAdminCommands[] = {&kDumpWal,
                                         &kCompact,
                                         &kReduceLevels,
                                         &kChangeCompactionStyle,
                                         &kDump,
                                         &kLoad,
                                         &kManifestDump,
                                         &kUpdateManifest,
                                         &kFileChecksumDump,
                                         &kGetProperty,
                                         &kListColumnFamilies,
                                         &kCreateColumnFamily,
                                         &kDropColumnFamily,
                                         &kDumpLiveFiles,
                                         &kIdump,
                                         &kListLiveFilesMetadata,
                                         &kRepair,
                                         &kBackup,
                                         &kRestore,
                                         &kCheckpoint,
                                         &kWriteExternSst,
                                         &kIngestExternSst,
                                         &kUnsafeRemoveSstFile};

// Flags of every command.
const char* const kCommonFlags[] = {"db",
                                    "env_uri",
                                    "fs_uri",
                                    "secondary_path",
                                    "use_txn",
                                    "txn_write_policy",
                                    "column_family",
                                    "hex",
                                    "key_hex",
                                    "value_hex",
                                    "try_load_options",
                                    "ignore_unknown_options",
                                    "disable_consistency_checks",
                                    "db_write_buffer_size",
                                    "write_buffer_size",
                                    "file_size",
                                    "fix_prefix_len",
                                    "compression_type",
                                    "compression_max_dict_bytes",
                                    "auto_compaction",
                                    "block_size",
                                    "bloom_bits",
                                    "enable_blob_files",
                                    "min_blob_size",
                                    "blob_file_size",
                                    "blob_compression_type",
                                    "enable_blob_garbage_collection",
                                    "blob_garbage_collection_age_cutoff",
                                    "blob_garbage_collection_force_threshold",
                                    "blob_compaction_readahead_size",
                                    "blob_file_starting_level",
                                    "help",
                                    "version",
                                    "verbose"};

void PrintHelp(const Host& host, FILE* out) {
  std::fprintf(out, "%s\n\n", host.tool.print_help_header.c_str());
  std::fputs(
      "commands MUST specify --db=<full_path_to_db_directory> when "
      "necessary\n\n"
      "commands can optionally specify\n"
      "  --env_uri or --fs_uri=default : no other environment is known\n"
      "  --secondary_path=<secondary_path> to open DB as secondary instance. "
      "Operations not supported in secondary instance will fail.\n\n"
      "The following optional parameters control if keys/values are "
      "input/output as hex or as plain strings:\n"
      "  --key_hex : Keys are input/output as hex\n"
      "  --value_hex : Values are input/output as hex\n"
      "  --hex : Both keys and values are input/output as hex\n"
      "Commands with --json print one JSON object per line.\n\n"
      "The following optional parameters control the database internals:\n"
      "  --column_family=<string> : name of the column family to operate on. "
      "default: default column family\n"
      "  --ttl with 'put', 'get', 'scan', 'dump', 'query', 'batchput' : "
      "values have the time of their write at the end, as a DBWithTTL writes "
      "them\n"
      "  --use_txn : a command that writes opens the database with "
      "transactions, so that it does not write what a prepared transaction "
      "has locked\n"
      "  --txn_write_policy=<0|1|2> : with --use_txn; all mean 0, "
      "write-committed\n"
      "  --try_load_options : use the database's OPTIONS file. Default true; "
      "unknown names in it are reported and ignored\n"
      "  --disable_consistency_checks : Set options.force_consistency_checks "
      "= false.\n"
      "  --ignore_unknown_options : Ignore unknown options without a word.\n"
      "  --bloom_bits=<int>, --fix_prefix_len=<int>, --block_size=<bytes>\n"
      "  --compression_type=<no|snappy|zlib|bzip2|lz4|lz4hc|zstd>\n"
      "  --compression_max_dict_bytes=<int>\n"
      "  --auto_compaction=<true|false>\n"
      "  --db_write_buffer_size, --write_buffer_size, --file_size=<bytes>\n"
      "  --enable_blob_files, --min_blob_size, --blob_file_size,\n"
      "  --blob_compression_type, --enable_blob_garbage_collection,\n"
      "  --blob_garbage_collection_age_cutoff,\n"
      "  --blob_garbage_collection_force_threshold,\n"
      "  --blob_compaction_readahead_size, --blob_file_starting_level\n",
      out);
  const auto list = [out](const char* title, const auto& commands) {
    std::fprintf(out, "\n\n%s Commands:\n", title);
    for (const Command* command : commands) {
      std::fprintf(out, "  %s %s\n", command->name, command->usage);
    }
  };
  list("Data Access", kDataCommands);
  list("Admin", kAdminCommands);
}

const Command* FindCommand(const std::string& name) {
  for (const Command* command : kDataCommands) {
    if (name == command->name) return command;
  }
  for (const Command* command : kAdminCommands) {
    if (name == command->name) return command;
  }
  return nullptr;
}

bool Contains(std::span<const char* const> flags, const std::string& flag) {
  return std::any_of(flags.begin(), flags.end(),
                     [&](const char* known) { return flag == known; });
}

// False, with a word on stderr, for what the command does not take.
bool CheckFlags(const Arguments& arguments, const Command& command) {
  for (const auto& [flag, value] : arguments.flags()) {
    if (Contains(kCommonFlags, flag) || Contains(command.flags, flag)) {
      continue;
    }
    std::fprintf(stderr, "Invalid command-line %s %s\n",
                 value.empty() ? "flag" : "option", flag.c_str());
    return false;
  }
  for (const char* flag :
       {"env_uri", "fs_uri", "backup_env_uri", "backup_fs_uri"}) {
    const std::string uri = arguments.Text(flag);
    if (uri.empty() || uri == "default" || uri == "posix" || uri == "file://") {
      continue;
    }
    std::fprintf(stderr, "--%s=%s: only the default is known\n", flag,
                 uri.c_str());
    return false;
  }
  if (command.needs_db && arguments.Text("db").empty()) {
    std::fputs("Either db or path must be specified.\n", stderr);
    return false;
  }
  return true;
}

int Run(const Arguments& arguments) {
  if (arguments.Has("version")) {
    std::printf("ldb from RocksDB %s\n%s\n", GetRocksVersionAsString().c_str(),
                GetRiverstoneBuildInfoAsString().c_str());
    return 0;
  }
  if (arguments.Has("help")) {
    PrintHelp(arguments.host(), stdout);
    return 0;
  }
  const Command* const command = FindCommand(arguments.command());
  if (command == nullptr) {
    if (!arguments.command().empty()) std::fputs("Unknown command\n", stderr);
    PrintHelp(arguments.host(), stderr);
    return 1;
  }
  if (!CheckFlags(arguments, *command)) return 1;
  const Outcome outcome = command->run(arguments);
  std::fflush(stdout);
  if (outcome.ok()) return 0;
  std::fprintf(stderr, "Failed: %s\n", outcome.text().c_str());
  return 1;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::ldb

namespace ROCKSDB_NAMESPACE {

SliceFormatter::~SliceFormatter() = default;

LDBOptions::LDBOptions() = default;

void LDBTool::Run(int argc, char** argv, Options db_options,
                  const LDBOptions& ldb_options,
                  const std::vector<ColumnFamilyDescriptor>* column_families) {
  std::exit(RunAndReturn(argc, argv, std::move(db_options), ldb_options,
                         column_families));
}

int LDBTool::RunAndReturn(
    int argc, char** argv, Options db_options, const LDBOptions& ldb_options,
    const std::vector<ColumnFamilyDescriptor>* column_families) {
  try {
    ldb::Host host;
    host.options = std::move(db_options);
    host.tool = ldb_options;
    if (column_families != nullptr) host.families = *column_families;
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    return ldb::Run(ldb::Arguments(words, &host));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "Failed: %s\n", e.what());
    return 1;
  }
}

}  // namespace ROCKSDB_NAMESPACE
