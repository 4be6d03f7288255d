// Options from text and back: rocksdb/convenience.h over the field tables.

#include "rocksdb/convenience.h"

#include <algorithm>

#include "db/options/objects.h"
#include "db/options/options_table.h"
#include "db/options/table_factories.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::OptionsMap;
using engine::Setting;
using engine::TextMode;

TextMode ModeOf(const ConfigOptions& config) {
  TextMode mode;
  mode.escaped = config.input_strings_escaped;
  mode.ignore_unknown = config.ignore_unknown_options;
  mode.ignore_unsupported = config.ignore_unsupported_options;
  mode.mutable_only = config.mutable_options_only;
  mode.shallow = config.IsShallow();
  return mode;
}

// The shape of calls before ConfigOptions.
ConfigOptions OldConfig(bool escaped, bool ignore_unknown) {
  ConfigOptions config;
  config.input_strings_escaped = escaped;
  config.ignore_unknown_options = ignore_unknown;
  return config;
}

Status SetOne(const TextMode& mode, const std::string& name,
              const std::string& value, DBOptions* options) {
  return engine::SetDbOption(mode, name, value, options);
}

Status SetOne(const TextMode& mode, const std::string& name,
              const std::string& value, ColumnFamilyOptions* options) {
  return engine::SetCfOption(mode, name, value, options);
}

Status SetOne(const TextMode& mode, const std::string& name,
              const std::string& value, BlockBasedTableOptions* options) {
  return engine::SetField(engine::BlockBasedTableOptionFields(), mode, name,
                          value, options);
}

Status SetOne(const TextMode& mode, const std::string& name,
              const std::string& value, PlainTableOptions* options) {
  return engine::SetField(engine::PlainTableOptionFields(), mode, name, value,
                          options);
}

Status SetOne(const TextMode& mode, const std::string& name,
              const std::string& value, Options* options) {
  if (engine::IsDbOption(name)) {
    return engine::SetDbOption(mode, name, value, options);
  }
  return engine::SetCfOption(mode, name, value, options);
}

// *result = base changed by the settings, or base alone on an error.
template <typename T, typename Settings>
Status Apply(const ConfigOptions& config, const T& base,
             const Settings& settings, T* result) {
  const TextMode mode = ModeOf(config);
  T changed(base);
  for (const auto& [name, value] : settings) {
    const Status status = SetOne(mode, name, value, &changed);
    if (!status.ok()) {
      *result = base;
      return status;
    }
  }
  *result = std::move(changed);
  return Status::OK();
}

template <typename T>
Status ApplyText(const ConfigOptions& config, const T& base,
                 const std::string& text, T* result) {
  // `base` and `*result` may be one object.
  const T start(base);  // NOLINT(performance-unnecessary-copy-initialization)
  const engine::Result<std::vector<Setting>> settings =
      engine::SplitSettings(text);
  Status status = settings.ok() ? Apply(config, start, *settings, result)
                                : settings.status();
  if (status.ok() || text.find(',') == std::string::npos) return status;
  // Ceph and others separate by commas.
  const engine::Result<std::vector<Setting>> by_commas =
      engine::SplitSettingsOrCommas(text);
  if (!by_commas.ok() ||
      (settings.ok() && by_commas->size() == settings->size())) {
    return status;
  }
  return Apply(config, start, *by_commas, result);
}

template <typename T>
std::string TextOf(const ConfigOptions& config, engine::FieldTable fields,
                   const T& options) {
  TextMode mode = ModeOf(config);
  mode.escaped = true;
  std::string text;
  engine::PrintFields(fields, mode, &options, config.delimiter, &text);
  return text;
}

}  // namespace

Status GetColumnFamilyOptionsFromMap(const ConfigOptions& config_options,
                                     const ColumnFamilyOptions& base_options,
                                     const OptionsMap& opts_map,
                                     ColumnFamilyOptions* new_options) {
  return Apply(config_options, ColumnFamilyOptions(base_options), opts_map,
               new_options);
}

Status GetColumnFamilyOptionsFromMap(const ColumnFamilyOptions& base_options,
                                     const OptionsMap& opts_map,
                                     ColumnFamilyOptions* new_options,
                                     bool input_strings_escaped,
                                     bool ignore_unknown_options) {
  return GetColumnFamilyOptionsFromMap(
      OldConfig(input_strings_escaped, ignore_unknown_options), base_options,
      opts_map, new_options);
}

Status GetColumnFamilyOptionsFromString(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& base_options,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* new_options) {
  return ApplyText(config_options, base_options, opts_str, new_options);
}

Status GetColumnFamilyOptionsFromString(const ColumnFamilyOptions& base_options,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* new_options) {
  return ApplyText(OldConfig(false, false), base_options, opts_str,
                   new_options);
}

Status GetDBOptionsFromMap(const ConfigOptions& config_options,
                           const DBOptions& base_options,
                           const OptionsMap& opts_map, DBOptions* new_options) {
  return Apply(config_options, DBOptions(base_options), opts_map, new_options);
}

Status GetDBOptionsFromMap(const DBOptions& base_options,
                           const OptionsMap& opts_map, DBOptions* new_options,
                           bool input_strings_escaped,
                           bool ignore_unknown_options) {
  return GetDBOptionsFromMap(
      OldConfig(input_strings_escaped, ignore_unknown_options), base_options,
      opts_map, new_options);
}

Status GetDBOptionsFromString(const ConfigOptions& config_options,
                              const DBOptions& base_options,
                              const std::string& opts_str,
                              DBOptions* new_options) {
  return ApplyText(config_options, base_options, opts_str, new_options);
}

Status GetDBOptionsFromString(const DBOptions& base_options,
                              const std::string& opts_str,
                              DBOptions* new_options) {
  return ApplyText(OldConfig(false, false), base_options, opts_str,
                   new_options);
}

Status GetBlockBasedTableOptionsFromMap(
    const ConfigOptions& config_options,
    const BlockBasedTableOptions& base_options, const OptionsMap& opts_map,
    BlockBasedTableOptions* new_options) {
  return Apply(config_options, BlockBasedTableOptions(base_options), opts_map,
               new_options);
}

Status GetBlockBasedTableOptionsFromMap(
    const BlockBasedTableOptions& base_options, const OptionsMap& opts_map,
    BlockBasedTableOptions* new_options, bool input_strings_escaped,
    bool ignore_unknown_options) {
  return GetBlockBasedTableOptionsFromMap(
      OldConfig(input_strings_escaped, ignore_unknown_options), base_options,
      opts_map, new_options);
}

Status GetBlockBasedTableOptionsFromString(
    const ConfigOptions& config_options,
    const BlockBasedTableOptions& base_options, const std::string& opts_str,
    BlockBasedTableOptions* new_options) {
  return ApplyText(config_options, base_options, opts_str, new_options);
}

Status GetBlockBasedTableOptionsFromString(
    const BlockBasedTableOptions& base_options, const std::string& opts_str,
    BlockBasedTableOptions* new_options) {
  return ApplyText(OldConfig(false, false), base_options, opts_str,
                   new_options);
}

Status GetPlainTableOptionsFromMap(const ConfigOptions& config_options,
                                   const PlainTableOptions& base_options,
                                   const OptionsMap& opts_map,
                                   PlainTableOptions* new_options) {
  return Apply(config_options, PlainTableOptions(base_options), opts_map,
               new_options);
}

Status GetPlainTableOptionsFromMap(const PlainTableOptions& base_options,
                                   const OptionsMap& opts_map,
                                   PlainTableOptions* new_options,
                                   bool input_strings_escaped,
                                   bool ignore_unknown_options) {
  return GetPlainTableOptionsFromMap(
      OldConfig(input_strings_escaped, ignore_unknown_options), base_options,
      opts_map, new_options);
}

Status GetPlainTableOptionsFromString(const ConfigOptions& config_options,
                                      const PlainTableOptions& base_options,
                                      const std::string& opts_str,
                                      PlainTableOptions* new_options) {
  return ApplyText(config_options, base_options, opts_str, new_options);
}

Status GetPlainTableOptionsFromString(const PlainTableOptions& base_options,
                                      const std::string& opts_str,
                                      PlainTableOptions* new_options) {
  return ApplyText(OldConfig(false, false), base_options, opts_str,
                   new_options);
}

Status GetOptionsFromString(const ConfigOptions& config_options,
                            const Options& base_options,
                            const std::string& opts_str, Options* new_options) {
  return ApplyText(config_options, base_options, opts_str, new_options);
}

Status GetOptionsFromString(const Options& base_options,
                            const std::string& opts_str, Options* new_options) {
  return ApplyText(OldConfig(false, false), base_options, opts_str,
                   new_options);
}

Status GetStringFromDBOptions(const ConfigOptions& config_options,
                              const DBOptions& db_options,
                              std::string* opts_str) {
  *opts_str = TextOf(config_options, engine::DbOptionFields(), db_options);
  return Status::OK();
}

Status GetStringFromDBOptions(std::string* opts_str,
                              const DBOptions& db_options,
                              const std::string& delimiter) {
  ConfigOptions config;
  config.delimiter = delimiter;
  return GetStringFromDBOptions(config, db_options, opts_str);
}

Status GetStringFromColumnFamilyOptions(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& cf_options,
                                        std::string* opts_str) {
  *opts_str = TextOf(config_options, engine::CfOptionFields(), cf_options);
  return Status::OK();
}

Status GetStringFromColumnFamilyOptions(std::string* opts_str,
                                        const ColumnFamilyOptions& cf_options,
                                        const std::string& delimiter) {
  ConfigOptions config;
  config.delimiter = delimiter;
  return GetStringFromColumnFamilyOptions(config, cf_options, opts_str);
}

Status GetStringFromCompressionType(std::string* compression_str,
                                    CompressionType compression_type) {
  const auto names = engine::EnumNames<CompressionType>::Get();
  const auto known = std::find_if(
      names.begin(), names.end(),
      [&](const auto& entry) { return entry.value == compression_type; });
  if (known == names.end()) {
    compression_str->clear();
    return Status::InvalidArgument("Invalid compression types");
  }
  *compression_str = known->name;
  return Status::OK();
}

Status StringToMap(const std::string& opts_str, OptionsMap* opts_map) {
  const engine::Result<std::vector<Setting>> settings =
      engine::SplitSettings(opts_str);
  if (!settings.ok()) return settings.status();
  opts_map->clear();
  opts_map->insert(settings->begin(), settings->end());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
