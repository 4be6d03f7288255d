// The command line of sst_dump.

#include <cstdlib>
#include <cstring>

#include "rocksdb/table_properties.h"
#include "rocksdb/version.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

constexpr char kHelp[] =
    R"(sst_dump --file=<data_dir_OR_sst_file> [--command=check|scan|raw|verify|identify]
    --file=<data_dir_OR_sst_file>
      Path to SST file or directory containing SST files

    --command=check|scan|raw|verify|identify
        check: Iterate over entries in files, print nothing but errors
               (default command)
        scan: Iterate over entries in files and print them
        raw: Dump all the table contents to <file_name>_dump.txt
        verify: Read all blocks and check their checksums
        identify: Report whether a file is a valid SST file, or list all valid
                  SST files of a directory

    --output_hex
      With scan: print keys and values in hex

    --from=<user_key>
      Key to start reading from with check|scan

    --to=<user_key>
      Key to stop reading at with check|scan

    --prefix=<user_key>
      Only keys with this prefix with check|scan; not together with --from

    --read_num=<num>
      Maximum number of entries to read with check|scan

    --verify_checksum
      Verify checksums with check|scan

    --input_key_hex
      --from, --to and --prefix are in hex

    --show_properties
      Print table properties after iterating over the file

    --version
      Print the version and end
)";

// The text behind "--name=", or null when `arg` is another argument.
const char* ValueOf(const char* arg, const char* name) {
  const size_t n = std::strlen(name);
  if (std::strncmp(arg, "--", 2) != 0) return nullptr;
  if (std::strncmp(arg + 2, name, n) != 0 || arg[2 + n] != '=') return nullptr;
  return arg + 2 + n + 1;
}

bool TakeText(const char* arg, const char* name, std::string* text,
              bool* given = nullptr) {
  const char* const value = ValueOf(arg, name);
  if (value == nullptr) return false;
  *text = value;
  if (given != nullptr) *given = true;
  return true;
}

bool TakeSwitch(const char* arg, const char* name, bool* value) {
  if (std::string(arg) != std::string("--") + name) return false;
  *value = true;
  return true;
}

bool TakeNumber(const char* arg, const char* name, uint64_t* number) {
  const char* const value = ValueOf(arg, name);
  if (value == nullptr) return false;
  char* end = nullptr;
  *number = std::strtoull(value, &end, 10);
  return *value != '\0' && *end == '\0';
}

// False, with a word on stderr, when an argument is not understood.
bool ParseArguments(int argc, char** argv, Flags* flags) {
  for (int i = 1; i < argc; ++i) {
    const char* const arg = argv[i];
    if (TakeText(arg, "file", &flags->file) ||
        TakeText(arg, "command", &flags->command) ||
        TakeText(arg, "from", &flags->from, &flags->has_from) ||
        TakeText(arg, "to", &flags->to, &flags->has_to) ||
        TakeText(arg, "prefix", &flags->prefix) ||
        TakeNumber(arg, "read_num", &flags->read_num) ||
        TakeSwitch(arg, "output_hex", &flags->output_hex) ||
        TakeSwitch(arg, "input_key_hex", &flags->input_key_hex) ||
        TakeSwitch(arg, "verify_checksum", &flags->verify_checksum) ||
        TakeSwitch(arg, "show_properties", &flags->show_properties) ||
        TakeSwitch(arg, "help", &flags->help)) {
      continue;
    }
    std::fprintf(stderr, "Unrecognized argument '%s'\n\n%s", arg, kHelp);
    return false;
  }
  return true;
}

// Hex with or without "0x" in front.
bool DecodeKey(std::string* key) {
  Slice text(*key);
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::string bytes;
  if (!text.DecodeHex(&bytes)) {
    std::fprintf(stderr, "Invalid hex input %s\n", key->c_str());
    return false;
  }
  *key = bytes;
  return true;
}

bool CheckFlags(Flags* flags) {
  if (flags->file.empty()) {
    std::fprintf(stderr, "file or directory must be specified.\n\n%s", kHelp);
    return false;
  }
  if (!flags->prefix.empty() && flags->has_from) {
    std::fprintf(stderr, "Cannot specify --prefix and --from\n\n");
    return false;
  }
  if (flags->input_key_hex &&
      (!DecodeKey(&flags->from) || !DecodeKey(&flags->to) ||
       !DecodeKey(&flags->prefix))) {
    return false;
  }
  for (const char* known : {"check", "scan", "raw", "verify", "identify"}) {
    if (flags->command == known) return true;
  }
  std::fprintf(stderr, "Unknown command '%s'\n\n%s", flags->command.c_str(),
               kHelp);
  return false;
}

// Runs the command over files, one after the other.
class Session {
 public:
  explicit Session(const Flags& flags)
      : flags_(flags), rows_left_(flags.read_num) {}

  int Run() {
    std::vector<std::string> files;
    const Status listed = ListTableFiles(flags_.file, &is_folder_, &files);
    if (!listed.ok()) {
      std::fprintf(stderr, "%s%s: No such file or directory\n",
                   listed.IsNotFound() ? "" : listed.ToString().c_str(),
                   flags_.file.c_str());
      return 1;
    }
    for (const std::string& path : files) RunFile(path);
    if (is_folder_ && flags_.command == "identify") ListValid();
    return failed_ ? 1 : 0;
  }

 private:
  void RunFile(const std::string& path) {
    std::printf("Process %s\n", path.c_str());
    TableFile file;
    Status status = OpenTableFile(path, &file);
    if (!status.ok()) {
      Fail(path, status);
      if (!is_folder_) {
        std::fprintf(stderr, "%s is not a valid SST file\n", path.c_str());
      }
      return;
    }
    std::printf("Sst file format: block-based\n");
    valid_.push_back(path);
    status = RunCommand(file);
    std::fflush(stdout);
    if (!status.ok()) Fail(path, status);
    if (flags_.show_properties) {
      std::string text;
      PrintProperties(*file.table->properties(), &text);
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
    if (flags_.command == "identify" && !is_folder_) {
      std::printf("%s is a valid SST file\n", path.c_str());
    }
  }

  Status RunCommand(const TableFile& file) {
    if (flags_.command == "raw") return RunRaw(file);
    if (flags_.command == "verify") return RunVerify(file, flags_);
    if (flags_.command == "identify") return Status::OK();
    if (!range_printed_) {
      const std::string& from = flags_.has_from ? flags_.from : flags_.prefix;
      std::printf("from [%s] to [%s]\n", Slice(from).ToString(true).c_str(),
                  Slice(flags_.to).ToString(true).c_str());
      range_printed_ = true;
    }
    return RunScan(file, flags_, flags_.command == "scan", &rows_left_);
  }

  void Fail(const std::string& path, const Status& status) {
    failed_ = true;
    std::fflush(stdout);
    std::fprintf(stderr, "%s%s: %s\n", path.c_str(),
                 flags_.command == "verify" && status.IsCorruption()
                     ? " is corrupted"
                     : "",
                 status.ToString().c_str());
  }

  void ListValid() {
    std::printf("------------------------------\n");
    if (valid_.empty()) {
      std::printf("No valid SST files found in %s\n", flags_.file.c_str());
      return;
    }
    std::printf("List of valid SST files found in %s:\n", flags_.file.c_str());
    for (const std::string& path : valid_) std::printf("%s\n", path.c_str());
    std::printf("Number of valid SST files: %zu\n", valid_.size());
  }

  const Flags flags_;
  uint64_t rows_left_;
  bool is_folder_ = false;
  bool failed_ = false;
  bool range_printed_ = false;
  std::vector<std::string> valid_;
};

}  // namespace

int Main(int argc, char** argv) {
  Flags flags;
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("sst_dump (RocksDB) %d.%d.%d\n", ROCKSDB_MAJOR, ROCKSDB_MINOR,
                ROCKSDB_PATCH);
    return 0;
  }
  if (!ParseArguments(argc, argv, &flags)) return 1;
  if (flags.help) {
    std::printf("%s", kHelp);
    return 0;
  }
  if (!CheckFlags(&flags)) return 1;
  return Session(flags).Run();
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::engine::sst_dump::Main(argc, argv);
}
