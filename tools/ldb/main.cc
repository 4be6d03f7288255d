// ldb: looks into databases and changes them, one command per run.

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

const std::array<const Command*, 22> kCommands = {&kPut,
                                                  &kGet,
                                                  &kBatchPut,
                                                  &kScan,
                                                  &kDelete,
                                                  &kDeleteRange,
                                                  &kApproxSize,
                                                  &kCheckConsistency,
                                                  &kDumpWal,
                                                  &kCompact,
                                                  &kDump,
                                                  &kManifestDump,
                                                  &kListColumnFamilies,
                                                  &kGetProperty,
                                                  &kCreateColumnFamily,
                                                  &kDropColumnFamily,
                                                  &kCheckpoint,
                                                  &kWriteExternSst,
                                                  &kIngestExternSst,
                                                  &kLoad,
                                                  &kListLiveFilesMetadata,
                                                  &kFileChecksumDump};

// Flags of every command.
const std::array<const char*, 18> kCommonFlags = {"db",
                                                  "column_family",
                                                  "hex",
                                                  "key_hex",
                                                  "value_hex",
                                                  "try_load_options",
                                                  "ignore_unknown_options",
                                                  "disable_consistency_checks",
                                                  "create_if_missing",
                                                  "write_buffer_size",
                                                  "file_size",
                                                  "compression_type",
                                                  "auto_compaction",
                                                  "block_size",
                                                  "bloom_bits",
                                                  "help",
                                                  "version",
                                                  "verbose"};

void PrintHelp() {
  std::fputs(
      "ldb - RocksDB Tool\n\n"
      "commands MUST specify --db=<full_path_to_db_directory> when "
      "necessary\n\n"
      "  --key_hex, --value_hex, --hex : keys, values or both are 0x...\n"
      "  --column_family=<string> : default: default\n"
      "  --try_load_options=<bool> : use the database's OPTIONS file, default "
      "true\n"
      "  --ignore_unknown_options : of an OPTIONS file of a newer release\n"
      "  --create_if_missing\n"
      "  --compression_type=<no|snappy|zlib|bzip2|lz4|lz4hc|zstd>\n"
      "  --write_buffer_size, --file_size, --block_size, --bloom_bits=<int>\n"
      "  --auto_compaction=<true|false>, --disable_consistency_checks\n\n"
      "Commands:\n",
      stdout);
  for (const Command* command : kCommands) {
    std::printf("  %s %s\n", command->name, command->usage);
  }
}

Status CheckFlags(const Arguments& arguments, const Command& command) {
  for (const auto& [flag, value] : arguments.flags()) {
    const auto is_it = [&name = flag](const char* known) {
      return name == known;
    };
    if (std::any_of(kCommonFlags.begin(), kCommonFlags.end(), is_it) ||
        std::any_of(command.flags.begin(), command.flags.end(), is_it)) {
      continue;
    }
    return Status::InvalidArgument("unknown option --" + flag + " for " +
                                   command.name);
  }
  if (command.needs_db && arguments.Text("db").empty()) {
    return Status::InvalidArgument("--db must be specified for " +
                                   std::string(command.name));
  }
  return Status::OK();
}

int Run(const Arguments& arguments) {
  const auto it = std::find_if(kCommands.begin(), kCommands.end(),
                               [&](const Command* command) {
                                 return arguments.command() == command->name;
                               });
  if (it == kCommands.end()) {
    if (!arguments.command().empty()) {
      std::fprintf(stderr, "Unknown command %s\n", arguments.command().c_str());
    }
    PrintHelp();
    return arguments.Has("help") ? 0 : 1;
  }
  Status status = CheckFlags(arguments, **it);
  if (status.ok()) status = (*it)->run(arguments);
  if (status.ok()) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "Failed: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::ldb

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return ROCKSDB_NAMESPACE::ldb::Run(
        ROCKSDB_NAMESPACE::ldb::Arguments(words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "Failed: %s\n", e.what());
    return 1;
  }
}
