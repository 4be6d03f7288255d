// SSTDumpTool: the command line of sst_dump.
//
// Place. In the library, because programs have an sst_dump of their own;
// main.cc is the plain one.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sstream>

#include "rocksdb/sst_dump_tool.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/version.h"
#include "tools/sst_dump/sst_dump.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

constexpr char kHelp[] =
    R"(sst_dump --file=<data_dir_OR_sst_file> [--command=check|scan|raw|verify|recompress|identify|none]
    --file=<data_dir_OR_sst_file>
      Path to SST file or directory containing SST files

    --env_uri, --fs_uri=default
      No other environment is known

    --command=check|scan|raw|verify|recompress|identify|none
        check: Iterate over entries in files, print nothing but errors
               (default command)
        scan: Iterate over entries in files and print them
        raw: Dump all the table contents to <file_name>_dump.txt
        verify: Read all blocks and check their checksums
        recompress: Report the size with other types of compression
        identify: Report whether a file is a valid SST file, or list all valid
                  SST files of a directory
        none: Only what --show_properties and --show_summary ask for

    --output_hex
      With scan: print keys and values in hex

    --decode_blob_index
      With scan: print blob references as text

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

    --show_summary
      At the end, print the number and sizes of the blocks of all files; not
      with recompress

    --readahead_size=<bytes>
      Bytes that check|scan|verify read at once. Default: 2097152

    --json
      Entries, properties and results as JSON, one object per line

    --set_block_size=<block_size>
      Of recompress. Default: 16384

    --compression_types=<comma-separated list of CompressionType members, e.g.,
      kSnappyCompression>
      Of recompress. Default: all

    --compression_level_from=<level>, --compression_level_to=<level>
      Of recompress, with one compression type: try these levels

    --compression_max_dict_bytes=<uint32_t>
    --compression_zstd_max_train_bytes=<uint32_t>
    --compression_max_dict_buffer_bytes=<uint64_t>
    --compression_use_zstd_finalize_dict
      Of recompress: the CompressionOptions of these names

    --parse_internal_key=<0xKEY>
      Print the parts of an internal key and end

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

// *bad is set for a value that is no number.
bool TakeNumber(const char* arg, const char* name, uint64_t* number,
                bool* bad) {
  const char* const value = ValueOf(arg, name);
  if (value == nullptr) return false;
  char* end = nullptr;
  *number = std::strtoull(value, &end, 10);
  if (*value == '\0' || *end != '\0') {
    std::fprintf(stderr, "%s must be numeric\n", name);
    *bad = true;
  }
  return true;
}

// Numbers of recompress, before they are put where they belong.
struct Numbers {
  uint64_t level_from = UINT64_MAX;
  uint64_t level_to = UINT64_MAX;
  uint64_t max_dict_bytes = 0;
  uint64_t zstd_max_train_bytes = 0;
  uint64_t max_dict_buffer_bytes = 0;
  bool finalize_dict = false;
  std::string types;
};

bool TakeRecompression(const char* arg, Flags* flags, Numbers* n, bool* bad) {
  return TakeNumber(arg, "set_block_size", &flags->block_size, bad) ||
         TakeText(arg, "compression_types", &n->types) ||
         TakeNumber(arg, "compression_level_from", &n->level_from, bad) ||
         TakeNumber(arg, "compression_level_to", &n->level_to, bad) ||
         TakeNumber(arg, "compression_max_dict_bytes", &n->max_dict_bytes,
                    bad) ||
         TakeNumber(arg, "compression_zstd_max_train_bytes",
                    &n->zstd_max_train_bytes, bad) ||
         TakeNumber(arg, "compression_max_dict_buffer_bytes",
                    &n->max_dict_buffer_bytes, bad) ||
         TakeSwitch(arg, "compression_use_zstd_finalize_dict",
                    &n->finalize_dict);
}

bool ChooseTypes(const std::string& names, Flags* flags) {
  if (names.empty()) return true;
  flags->compression_types.clear();
  std::istringstream in(names);
  for (std::string name; std::getline(in, name, ',');) {
    const auto& all = CompressionChoices();
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const auto& c) { return c.name == name; });
    if (it == all.end()) {
      std::fprintf(stderr, "%s is not a valid CompressionType\n", name.c_str());
      return false;
    }
    flags->compression_types.push_back(*it);
  }
  return true;
}

bool SetRecompression(const Numbers& n, Flags* flags) {
  if (!ChooseTypes(n.types, flags)) return false;
  const bool from = n.level_from != UINT64_MAX;
  const bool to = n.level_to != UINT64_MAX;
  if (from != to) {
    std::fputs(
        "Specify both --compression_level_from and --compression_level_to.\n\n",
        stderr);
    return false;
  }
  if (from && flags->compression_types.size() != 1) {
    std::fputs("Specify one compression type.\n\n", stderr);
    return false;
  }
  constexpr uint64_t kLevelMax = 1000;
  if (from) {
    flags->level_from = static_cast<int>(std::min(n.level_from, kLevelMax));
    flags->level_to = static_cast<int>(std::min(n.level_to, kLevelMax));
  }
  constexpr uint64_t kBytesMax = uint64_t{1} << 30;
  flags->block_size = std::clamp<uint64_t>(flags->block_size, 1, kBytesMax);
  CompressionOptions& o = flags->compression_opts;
  o.max_dict_bytes =
      static_cast<uint32_t>(std::min(n.max_dict_bytes, kBytesMax));
  o.zstd_max_train_bytes =
      static_cast<uint32_t>(std::min(n.zstd_max_train_bytes, kBytesMax));
  o.max_dict_buffer_bytes = n.max_dict_buffer_bytes;
  o.use_zstd_dict_trainer = !n.finalize_dict;
  return true;
}

bool IsDefaultUri(const std::string& uri) {
  if (uri.empty() || uri == "default" || uri == "posix" || uri == "file://") {
    return true;
  }
  std::fprintf(stderr, "%s: only the default is known\n", uri.c_str());
  return false;
}

// False, with a word on stderr, when an argument is not understood.
bool ParseArguments(int argc, char const* const* argv, Flags* flags) {
  Numbers numbers;
  std::string uri;
  for (int i = 1; i < argc; ++i) {
    const char* const arg = argv[i];
    bool bad = false;
    if (TakeText(arg, "file", &flags->file) ||
        TakeText(arg, "command", &flags->command) ||
        TakeText(arg, "from", &flags->from, &flags->has_from) ||
        TakeText(arg, "to", &flags->to, &flags->has_to) ||
        TakeText(arg, "prefix", &flags->prefix) ||
        TakeText(arg, "parse_internal_key", &flags->internal_key) ||
        TakeText(arg, "env_uri", &uri) || TakeText(arg, "fs_uri", &uri) ||
        TakeNumber(arg, "read_num", &flags->read_num, &bad) ||
        TakeNumber(arg, "readahead_size", &flags->readahead_bytes, &bad) ||
        TakeRecompression(arg, flags, &numbers, &bad) ||
        TakeSwitch(arg, "output_hex", &flags->output_hex) ||
        TakeSwitch(arg, "input_key_hex", &flags->input_key_hex) ||
        TakeSwitch(arg, "verify_checksum", &flags->verify_checksum) ||
        TakeSwitch(arg, "show_properties", &flags->show_properties) ||
        TakeSwitch(arg, "show_summary", &flags->show_summary) ||
        TakeSwitch(arg, "decode_blob_index", &flags->decode_blob_index) ||
        TakeSwitch(arg, "json", &flags->json) ||
        TakeSwitch(arg, "help", &flags->help)) {
      if (bad || !IsDefaultUri(uri)) return false;
      continue;
    }
    std::fprintf(stderr, "Unrecognized argument '%s'\n\n%s", arg, kHelp);
    return false;
  }
  return SetRecompression(numbers, flags);
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

// The exit code.
int ShowInternalKey(const std::string& word) {
  std::string bytes;
  if (!word.starts_with("0x") ||
      !Slice(word.data() + 2, word.size() - 2).DecodeHex(&bytes)) {
    std::fprintf(stderr,
                 "ERROR: Invalid key input '%s' Use 0x{hex representation of "
                 "internal rocksdb key}\n",
                 word.c_str());
    return 255;
  }
  ParsedInternalKey key;
  if (!ParseInternalKey(bytes, &key)) {
    std::fprintf(stderr, "Corrupted Key: Internal Key too small. Size=%zu. \n",
                 bytes.size());
    return 255;
  }
  const std::string text = key.DebugString();
  std::printf("key=%s\n", text.c_str());
  if (IsStoredPointType(key.type) || key.type == ValueType::kRangeDeletion) {
    return 0;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "Corrupted Key: %s\n", text.c_str());
  return 255;
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
  for (const char* known :
       {"check", "scan", "raw", "verify", "recompress", "identify", "none"}) {
    if (flags->command == known) return true;
  }
  std::fprintf(stderr, "Unknown command '%s'\n\n%s", flags->command.c_str(),
               kHelp);
  return false;
}

// Runs the command over files, one after the other.
class Session {
 public:
  Session(const Flags& flags, const Options& options)
      : flags_(flags), options_(options), rows_left_(flags.read_num) {}

  int Run() {
    std::vector<std::string> files;
    const Status listed =
        ListTableFiles(flags_.file, options_.env, &is_folder_, &files);
    if (!listed.ok()) {
      std::fprintf(stderr, "%s%s: No such file or directory\n",
                   listed.IsNotFound() ? "" : listed.ToString().c_str(),
                   flags_.file.c_str());
      return 1;
    }
    for (const std::string& path : files) RunFile(path);
    if (flags_.show_summary && flags_.command != "recompress") PrintSummary();
    if (is_folder_ && flags_.command == "identify" && !flags_.json) ListValid();
    return failed_ ? 1 : 0;
  }

 private:
  void RunFile(const std::string& path) {
    if (!flags_.json) std::printf("Process %s\n", path.c_str());
    TableFile file;
    Status status = OpenTableFile(path, options_, &file);
    if (!status.ok()) {
      Fail(path, status);
      if (!is_folder_) {
        std::fprintf(stderr, "%s is not a valid SST file\n", path.c_str());
      }
      return;
    }
    if (!flags_.json) std::printf("Sst file format: block-based\n");
    valid_.push_back(path);
    summary_.Add(*file.table->properties());
    status = RunCommand(file);
    std::fflush(stdout);
    if (!status.ok()) Fail(path, status);
    if (flags_.show_properties && flags_.json) {
      std::printf("%s\n",
                  PropertiesJson(path, *file.table->properties()).c_str());
    } else if (flags_.show_properties) {
      std::string text;
      PrintProperties(*file.table->properties(), &text);
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
    if (flags_.json) return Tell(path, status);
    if (flags_.command == "identify" && !is_folder_) {
      std::printf("%s is a valid SST file\n", path.c_str());
    }
  }

  Status RunCommand(const TableFile& file) {
    if (flags_.command == "raw") return RunRaw(file);
    if (flags_.command == "recompress") return RunRecompress(file, flags_);
    if (flags_.command == "verify") return RunVerify(file, flags_);
    if (flags_.command == "identify" || flags_.command == "none") {
      return Status::OK();
    }
    if (!range_printed_ && !flags_.json) {
      const std::string& from = flags_.has_from ? flags_.from : flags_.prefix;
      std::printf("from [%s] to [%s]\n", Slice(from).ToString(true).c_str(),
                  Slice(flags_.to).ToString(true).c_str());
      range_printed_ = true;
    }
    return RunScan(file, flags_, flags_.command == "scan", &rows_left_);
  }

  // What became of a file, for commands that print nothing else.
  void Tell(const std::string& path, const Status& status) const {
    if (flags_.command != "verify" && flags_.command != "identify" &&
        flags_.command != "check") {
      return;
    }
    JsonWriter object;
    object.Add("file", JsonText(path, false)).Add("ok", status.ok());
    std::printf("%s\n", std::move(object).Finish().c_str());
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

  void PrintSummary() const {
    if (flags_.json) {
      JsonWriter object;
      object.Add("files", static_cast<uint64_t>(valid_.size()))
          .Add("data_blocks", summary_.num_data_blocks)
          .Add("data_block_bytes", summary_.data_size)
          .Add("index_block_bytes", summary_.index_size)
          .Add("filter_block_bytes", summary_.filter_size);
      std::printf("%s\n", std::move(object).Finish().c_str());
      return;
    }
    const auto line = [](const char* what, uint64_t number) {
      std::printf("total %s: %llu\n", what,
                  static_cast<unsigned long long>(number));
    };
    line("number of files", valid_.size());
    line("number of data blocks", summary_.num_data_blocks);
    line("data block size", summary_.data_size);
    line("index block size", summary_.index_size);
    line("filter block size", summary_.filter_size);
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
  const Options& options_;
  uint64_t rows_left_;
  bool is_folder_ = false;
  bool failed_ = false;
  bool range_printed_ = false;
  std::vector<std::string> valid_;
  TableProperties summary_;  // Sums over the valid ones.
};

int Main(int argc, char const* const* argv, const Options& options) {
  Flags flags;
  const auto is_version = [](const char* word) {
    return std::strcmp(word, "--version") == 0;
  };
  if (std::any_of(argv + std::min(argc, 1), argv + argc, is_version)) {
    std::printf("%s\n%s\n", GetRocksBuildInfoAsString("sst_dump").c_str(),
                GetRiverstoneBuildInfoAsString().c_str());
    return 0;
  }
  if (!ParseArguments(argc, argv, &flags)) return 1;
  if (flags.help) {
    std::printf("%s", kHelp);
    return 0;
  }
  if (!flags.internal_key.empty()) return ShowInternalKey(flags.internal_key);
  if (!CheckFlags(&flags)) return 1;
  return Session(flags, options).Run();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump

namespace ROCKSDB_NAMESPACE {

// The interface takes the options by value.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
int SSTDumpTool::Run(int argc, char const* const* argv, Options options) {
  try {
    const int code = engine::sst_dump::Main(argc, argv, options);
    std::fflush(stdout);
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "Failed: %s\n", e.what());
    return 1;
  }
}

}  // namespace ROCKSDB_NAMESPACE
