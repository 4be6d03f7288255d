// Options as text, and a few functions that belong to no class.
//
// Model. Text is "name=value;name=value"; a value may be a nested
// "{name=value;...}". Sizes take the suffixes k, m, g, t (1024-based, either
// case), with an optional B. An unknown name is an error unless asked
// otherwise: programs rely on that to try names of their own. On an error
// *new_options is the base unchanged.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ObjectRegistry;

// How text is read and written.
struct ConfigOptions {
  ConfigOptions() = default;
  explicit ConfigOptions(const DBOptions& db_options) : env(db_options.env) {}

  // How exactly CheckOptionsCompatibility() compares.
  enum SanityLevel : unsigned char {
    kSanityLevelNone = 0x01,
    kSanityLevelLooselyCompatible = 0x02,
    kSanityLevelExactMatch = 0xFF,
  };

  // Whether the options of a pluggable object are written with its name.
  enum Depth {
    kDepthDefault,
    kDepthShallow,
    kDepthDetailed,
  };

  // Skip names that are not known. Default false.
  bool ignore_unknown_options = false;

  // Leave an object out (null) when its name is not known here. Default
  // true.
  bool ignore_unsupported_options = true;

  // Values use the escapes of the OPTIONS file. Default true.
  bool input_strings_escaped = true;

  // Call PrepareOptions() of objects made. Default true.
  bool invoke_prepare_options = true;

  // Only options that SetOptions() can change. Default false.
  bool mutable_options_only = false;

  // Between options. Default ";".
  std::string delimiter = ";";

  Depth depth = Depth::kDepthDefault;
  SanityLevel sanity_level = SanityLevel::kSanityLevelExactMatch;

  // Readahead when an OPTIONS file is read. Default 512 KiB.
  size_t file_readahead_size = 512 * 1024;

  Env* env = Env::Default();
  std::shared_ptr<ObjectRegistry> registry;

  bool IsShallow() const { return depth == Depth::kDepthShallow; }
  bool IsDetailed() const { return depth == Depth::kDepthDetailed; }
  bool IsCheckDisabled() const {
    return sanity_level == SanityLevel::kSanityLevelNone;
  }
  bool IsCheckEnabled(SanityLevel level) const {
    return level > SanityLevel::kSanityLevelNone && level <= sanity_level;
  }
};

// Each in four forms: from a map or a string, with ConfigOptions or in the
// shape of RocksDB before 8. *new_options = base, changed by the text.

Status GetColumnFamilyOptionsFromMap(
    const ConfigOptions& config_options,
    const ColumnFamilyOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    ColumnFamilyOptions* new_options);
Status GetColumnFamilyOptionsFromMap(
    const ColumnFamilyOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    ColumnFamilyOptions* new_options, bool input_strings_escaped = false,
    bool ignore_unknown_options = false);
Status GetColumnFamilyOptionsFromString(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& base_options,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* new_options);
Status GetColumnFamilyOptionsFromString(const ColumnFamilyOptions& base_options,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* new_options);

Status GetDBOptionsFromMap(
    const ConfigOptions& config_options, const DBOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    DBOptions* new_options);
Status GetDBOptionsFromMap(
    const DBOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    DBOptions* new_options, bool input_strings_escaped = false,
    bool ignore_unknown_options = false);
Status GetDBOptionsFromString(const ConfigOptions& config_options,
                              const DBOptions& base_options,
                              const std::string& opts_str,
                              DBOptions* new_options);
Status GetDBOptionsFromString(const DBOptions& base_options,
                              const std::string& opts_str,
                              DBOptions* new_options);

Status GetBlockBasedTableOptionsFromMap(
    const ConfigOptions& config_options,
    const BlockBasedTableOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    BlockBasedTableOptions* new_options);
Status GetBlockBasedTableOptionsFromMap(
    const BlockBasedTableOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    BlockBasedTableOptions* new_options, bool input_strings_escaped = false,
    bool ignore_unknown_options = false);
Status GetBlockBasedTableOptionsFromString(
    const ConfigOptions& config_options,
    const BlockBasedTableOptions& base_options, const std::string& opts_str,
    BlockBasedTableOptions* new_options);
Status GetBlockBasedTableOptionsFromString(
    const BlockBasedTableOptions& base_options, const std::string& opts_str,
    BlockBasedTableOptions* new_options);

Status GetPlainTableOptionsFromMap(
    const ConfigOptions& config_options, const PlainTableOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    PlainTableOptions* new_options);
Status GetPlainTableOptionsFromMap(
    const PlainTableOptions& base_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    PlainTableOptions* new_options, bool input_strings_escaped = false,
    bool ignore_unknown_options = false);
Status GetPlainTableOptionsFromString(const ConfigOptions& config_options,
                                      const PlainTableOptions& base_options,
                                      const std::string& opts_str,
                                      PlainTableOptions* new_options);
Status GetPlainTableOptionsFromString(const PlainTableOptions& base_options,
                                      const std::string& opts_str,
                                      PlainTableOptions* new_options);

// Both kinds in one string. Also knows "block_based_table_factory={...}" and
// the other nested names.
Status GetOptionsFromString(const ConfigOptions& config_options,
                            const Options& base_options,
                            const std::string& opts_str, Options* new_options);
Status GetOptionsFromString(const Options& base_options,
                            const std::string& opts_str, Options* new_options);

// The inverse: every option that has a text form.
Status GetStringFromDBOptions(const ConfigOptions& config_options,
                              const DBOptions& db_options,
                              std::string* opts_str);
Status GetStringFromDBOptions(std::string* opts_str,
                              const DBOptions& db_options,
                              const std::string& delimiter = ";  ");
Status GetStringFromColumnFamilyOptions(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& cf_options,
                                        std::string* opts_str);
Status GetStringFromColumnFamilyOptions(std::string* opts_str,
                                        const ColumnFamilyOptions& cf_options,
                                        const std::string& delimiter = ";  ");

// "kSnappyCompression", ...
Status GetStringFromCompressionType(std::string* compression_str,
                                    CompressionType compression_type);

// The methods this library was built with.
std::vector<CompressionType> GetSupportedCompressions();

// "skip_list:5", "vector", "prefix_hash:1000", ...
Status GetMemTableRepFactoryFromString(
    const std::string& opts_str,
    std::unique_ptr<MemTableRepFactory>* new_mem_factory);

// Splits "a=1;b={c=2;d=3}" into {a: 1, b: "c=2;d=3"}.
Status StringToMap(const std::string& opts_str,
                   std::unordered_map<std::string, std::string>* opts_map);

// Stops flushes and compactions; with `wait` returns when none runs. The
// database must be closed afterwards.
void CancelAllBackgroundWork(DB* db, bool wait = false);

// Deletes the tables, but for those of level 0, whose keys all lie in a range
// (null or no value: open). Faster than DeleteRange() and a compaction, and for
// what will not be read again: tables that lie in a range in part stay, a key
// that was deleted in a table that goes may be seen again, and snapshots lose
// what goes. With `include_end` false, a table that ends with the limit stays.
Status DeleteFilesInRange(DB* db, ColumnFamilyHandle* column_family,
                          const Slice* begin, const Slice* end,
                          bool include_end = true);
Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangeOpt* ranges, size_t n,
                           bool include_end = true);
Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangePtr* ranges, size_t n,
                           bool include_end = true);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
