// sst_dump: looks into table files from the command line.
//
// Place. tool.cc parses the command line and walks the files; each subcommand
// is a function in a file of its own. Output wording is that of RocksDB's tool
// of this name, because scripts read it.
//
// Errors. A file that cannot be read, or is damaged, is named on stderr with
// what was found; the exit code is then 1.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "table/internal_key.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

struct CompressionChoice {
  std::string name;
  CompressionType type = kNoCompression;
};
// Those that RocksDB's tool knows.
const std::vector<CompressionChoice>& CompressionChoices();

struct Flags {
  std::string file;
  std::string command = "check";
  std::string from;
  std::string to;
  std::string prefix;
  uint64_t read_num = UINT64_MAX;
  bool has_from = false;
  bool has_to = false;
  bool output_hex = false;
  bool input_key_hex = false;
  bool verify_checksum = false;
  bool show_properties = false;
  bool show_summary = false;
  bool decode_blob_index = false;
  uint64_t readahead_bytes = 2 << 20;
  bool json = false;
  bool help = false;
  std::string internal_key;  // To be shown; empty: none.
  // recompress.
  uint64_t block_size = 16384;
  std::vector<CompressionChoice> compression_types = CompressionChoices();
  CompressionOptions compression_opts;
  int level_from = CompressionOptions::kDefaultCompressionLevel;
  int level_to = CompressionOptions::kDefaultCompressionLevel;
};

// One opened file. The comparator is that of the options, if its name is the
// one in the properties, else found by that name.
struct TableFile {
  std::string path;
  std::unique_ptr<InternalKeyComparator> icmp;
  std::unique_ptr<TableReader> table;
};

// Errors: those of the table reader; NotSupported for an unknown comparator.
Status OpenTableFile(const std::string& path, const Options& options,
                     TableFile* file);
// `path` itself, or the .sst files of the folder `path`, sorted.
Status ListTableFiles(const std::string& path, Env* env, bool* is_folder,
                      std::vector<std::string>* files);

// The subcommands. Each handles one file.
Status RunVerify(const TableFile& file, const Flags& flags);
// check and scan; `*rows_left` counts down over all files.
Status RunScan(const TableFile& file, const Flags& flags, bool print,
               uint64_t* rows_left);
// Builds the table anew, into nothing, with each compression.
Status RunRecompress(const TableFile& file, const Flags& flags);
// Writes <file>_dump.txt.
Status RunRaw(const TableFile& file);
void PrintProperties(const TableProperties& properties, std::string* out);
// One line: {"file": ..., "properties": {...}, "user_collected": {...}}.
std::string PropertiesJson(const std::string& path,
                           const TableProperties& properties);
// Bytes as a JSON string: 0x..., or a character per byte (ISO 8859-1).
std::string JsonText(const Slice& bytes, bool hex);

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
