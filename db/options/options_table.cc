#include "db/options/options_table.h"

#include "db/options/objects.h"
#include "db/options/table_factories.h"
#include "db/options/validate.h"
#include "rocksdb/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Names under which older releases knew an option.
struct Alias {
  std::string_view old_name;
  const char* name;
};
constexpr Alias kCfAliases[] = {
    {"memtable", "memtable_factory"},
    {"comparator_name", "comparator"},
};

constexpr char kBlockBasedName[] = "block_based_table_factory";
constexpr char kPlainName[] = "plain_table_factory";
constexpr char kCuckooName[] = "cuckoo_table_factory";
constexpr char kFactoryName[] = "table_factory";
constexpr char kLimiterName[] = "rate_limiter_bytes_per_sec";

// The factory a special name stands for, or null.
const char* FactoryOf(std::string_view name) {
  if (name == kBlockBasedName) return TableFactory::kBlockBasedTableName();
  if (name == kPlainName) return TableFactory::kPlainTableName();
  if (name == kCuckooName) return TableFactory::kCuckooTableName();
  return nullptr;
}

// "block_based_table_factory.block_size" names a member.
bool SplitFactoryMember(const std::string& name, std::string* factory,
                        std::string* member) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return false;
  const std::string outer = name.substr(0, dot);
  if (outer != kFactoryName && FactoryOf(outer) == nullptr) return false;
  *factory = outer;
  *member = name.substr(dot + 1);
  return true;
}

// The text of "table_factory". While the database is open another factory
// cannot take the place of the one there, but that one's options may change.
Status SetTableFactory(const TextMode& mode, const std::string& text,
                       ColumnFamilyOptions* options) {
  if (!mode.mutable_only) {
    return SetField(CfOptionFields(), mode, kFactoryName, text, options);
  }
  std::shared_ptr<TableFactory>& factory = options->table_factory;
  const std::string current = factory == nullptr ? "" : factory->Name();
  std::string name(TrimText(text));
  std::string_view settings;
  if (text.find('=') != std::string::npos) {
    const Result<std::vector<Setting>> pairs = SplitSettings(text);
    if (!pairs.ok()) return pairs.status();
    settings = text;
    name = current;
    for (const auto& [key, value] : *pairs) {
      if (key == "id") name = value;
    }
  }
  if (factory == nullptr || name != current) {
    return Status::InvalidArgument("Option not changeable", kFactoryName);
  }
  return MakeTableFactory(mode, name, settings, factory.get(), &factory);
}

// Adds the options that differ from `defaults` and from `sane`, what becomes
// of those defaults when a database opens.
void AddUnhonoured(FieldTable fields, const void* options, const void* defaults,
                   const void* sane, std::vector<std::string>* names) {
  for (const OptionField& field : fields) {
    if (!field.Has(kAccepted) && !field.Has(kObsolete)) continue;
    if (SameValue(field, options, defaults)) continue;
    if (SameValue(field, options, sane)) continue;
    names->push_back(field.name);
  }
}

void DumpLines(Logger* log, FieldTable fields, const void* options) {
  for (const std::string& line : LogLines(fields, options, "Options.")) {
    Header(log, "%s", line.c_str());
  }
}

}  // namespace

std::string PointerText(const void* pointer) {
  char text[32];
  snprintf(text, sizeof(text), "%p", pointer);
  return text;
}

bool IsDbOption(const std::string& name) {
  return name == kLimiterName || FindField(DbOptionFields(), name) != nullptr;
}

Status SetCfOption(const TextMode& mode, const std::string& name,
                   const std::string& value, ColumnFamilyOptions* options) {
  std::string factory = name;
  std::string settings = value;
  std::string member;
  if (SplitFactoryMember(name, &factory, &member)) {
    settings = member + "={" + value + "}";
  }
  if (factory == kFactoryName) return SetTableFactory(mode, settings, options);
  if (const char* factory_name = FactoryOf(factory)) {
    return MakeTableFactory(mode, factory_name, settings,
                            options->table_factory.get(),
                            &options->table_factory);
  }
  for (const Alias& alias : kCfAliases) {
    if (alias.old_name == name) {
      return SetField(CfOptionFields(), mode, alias.name, value, options);
    }
  }
  return SetField(CfOptionFields(), mode, name, value, options);
}

Status SetDbOption(const TextMode& mode, const std::string& name,
                   const std::string& value, DBOptions* options) {
  if (name == kLimiterName && !mode.mutable_only) {
    int64_t rate = 0;
    RETURN_IF_ERROR(TextCodec<int64_t>::Parse(mode, value, &rate));
    if (rate <= 0) return Status::InvalidArgument(kLimiterName, value);
    options->rate_limiter.reset(NewGenericRateLimiter(rate));
    return Status::OK();
  }
  return SetField(DbOptionFields(), mode, name, value, options);
}

Status ApplyMutableCfOptions(const ColumnFamilyOptions& base,
                             const OptionsMap& changes,
                             ColumnFamilyOptions* out) {
  ColumnFamilyOptions changed(base);
  TextMode mode;
  mode.mutable_only = true;
  mode.ignore_unsupported = false;
  for (const auto& [name, value] : changes) {
    RETURN_IF_ERROR(SetCfOption(mode, name, value, &changed));
  }
  *out = std::move(changed);
  return Status::OK();
}

Status ApplyMutableDbOptions(const DBOptions& base, const OptionsMap& changes,
                             DBOptions* out) {
  DBOptions changed(base);
  TextMode mode;
  mode.mutable_only = true;
  mode.ignore_unsupported = false;
  for (const auto& [name, value] : changes) {
    RETURN_IF_ERROR(SetDbOption(mode, name, value, &changed));
  }
  *out = std::move(changed);
  return Status::OK();
}

void DumpOptions(Logger* log, const DBOptions& options) {
  DumpLines(log, DbOptionFields(), &options);
}

void DumpOptions(Logger* log, const ColumnFamilyOptions& options) {
  for (const OptionField& field : CfOptionFields()) {
    DumpLines(log, FieldTable(&field, 1), &options);
    if (std::string_view(field.name) != "table_factory" ||
        options.table_factory == nullptr) {
      continue;
    }
    Header(log, "           table_factory options: %s",
           options.table_factory->GetPrintableOptions().c_str());
  }
}

std::vector<std::string> UnhonouredOptionsSet(
    const DBOptions& db_options, const ColumnFamilyOptions& cf_options) {
  std::vector<std::string> names;
  const DBOptions db_defaults;
  const DBOptions db_sane = SanitizeOptions("", db_defaults);
  AddUnhonoured(DbOptionFields(), &db_options, &db_defaults, &db_sane, &names);
  const ColumnFamilyOptions cf_defaults;
  const ColumnFamilyOptions cf_sane = SanitizeOptions(db_sane, cf_defaults);
  AddUnhonoured(CfOptionFields(), &cf_options, &cf_defaults, &cf_sane, &names);
  if (cf_options.table_factory == nullptr) return names;
  if (const auto* table =
          cf_options.table_factory->GetOptions<BlockBasedTableOptions>()) {
    const BlockBasedTableOptions table_defaults;
    AddUnhonoured(BlockBasedTableOptionFields(), table, &table_defaults,
                  &table_defaults, &names);
  }
  return names;
}

void LogUnhonouredOptions(Logger* log, const DBOptions& db_options,
                          const ColumnFamilyOptions& cf_options) {
  for (const std::string& name : UnhonouredOptionsSet(db_options, cf_options)) {
    Header(log, "Options.%s is set and has no effect in this release",
           name.c_str());
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
