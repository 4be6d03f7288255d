#include "db/options/table_factories.h"

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE {
namespace engine {

namespace {

constexpr size_t kDefaultBlockCacheBytes = 32 << 20;

// Name() and the struct are all a factory is.
template <typename T>
class StructFactory final : public TableFactory {
 public:
  StructFactory(const char* name, const T& options)
      : name_(name), options_(options) {}

  const char* Name() const override { return name_; }
  std::string GetPrintableOptions() const override;

  const void* GetOptionsPtr(const std::string& name) const override {
    if (name == T::kName()) return &options_;
    if constexpr (std::is_same_v<T, BlockBasedTableOptions>) {
      if (name == kBlockCacheOpts()) return options_.block_cache.get();
    }
    return nullptr;
  }

 private:
  const char* name_;
  T options_;
};

template <typename T>
FieldTable TableOf() {
  if constexpr (std::is_same_v<T, BlockBasedTableOptions>) {
    return BlockBasedTableOptionFields();
  } else if constexpr (std::is_same_v<T, PlainTableOptions>) {
    return PlainTableOptionFields();
  } else {
    return CuckooTableOptionFields();
  }
}

template <typename T>
std::string StructFactory<T>::GetPrintableOptions() const {
  std::string text;
  for (const OptionField& field : TableOf<T>()) {
    if (field.Has(kObsolete)) continue;
    text += std::string("  ") + field.name + ": ";
    field.kind->log(field.Of(&options_), &text);
    text += '\n';
  }
  return text;
}

TableFactory* NewBlockBased(const BlockBasedTableOptions& options) {
  BlockBasedTableOptions own = options;
  if (own.no_block_cache) {
    own.block_cache.reset();
  } else if (own.block_cache == nullptr) {
    own.block_cache = NewLRUCache(kDefaultBlockCacheBytes);
  }
  return new StructFactory<BlockBasedTableOptions>(
      TableFactory::kBlockBasedTableName(), own);
}

template <typename T>
Status MakeStructFactory(const TextMode& mode, const char* name,
                         std::string_view settings, const TableFactory* base,
                         std::shared_ptr<TableFactory>* factory) {
  T options;
  if (base != nullptr) {
    if (const T* current = base->GetOptions<T>()) options = *current;
  }
  const Result<std::vector<Setting>> pairs = SplitSettings(settings);
  if (!pairs.ok()) return pairs.status();
  for (const auto& [key, value] : *pairs) {
    if (key == "id") continue;
    RETURN_IF_ERROR(SetField(TableOf<T>(), mode, key, value, &options));
  }
  if constexpr (std::is_same_v<T, BlockBasedTableOptions>) {
    *factory = MakeBlockBasedFactory(options);
  } else {
    *factory = std::make_shared<StructFactory<T>>(name, options);
  }
  return Status::OK();
}

}  // namespace

std::shared_ptr<TableFactory> MakeBlockBasedFactory(
    const BlockBasedTableOptions& options) {
  return std::shared_ptr<TableFactory>(NewBlockBased(options));
}

const BlockBasedTableOptions* BlockBasedOptionsOf(const TableFactory* factory) {
  using Own = StructFactory<BlockBasedTableOptions>;
  if (dynamic_cast<const Own*>(factory) == nullptr) return nullptr;
  return factory->GetOptions<BlockBasedTableOptions>();
}

FactoryOptions OptionsOf(const TableFactory* factory) {
  if (factory == nullptr) return {};
  if (const auto* block = factory->GetOptions<BlockBasedTableOptions>()) {
    return {BlockBasedTableOptionFields(), block};
  }
  if (const auto* plain = factory->GetOptions<PlainTableOptions>()) {
    return {PlainTableOptionFields(), plain};
  }
  if (const auto* cuckoo = factory->GetOptions<CuckooTableOptions>()) {
    return {CuckooTableOptionFields(), cuckoo};
  }
  return {};
}

Status MakeTableFactory(const TextMode& mode, const std::string& name,
                        std::string_view settings, const TableFactory* base,
                        std::shared_ptr<TableFactory>* factory) {
  if (name == TableFactory::kBlockBasedTableName()) {
    return MakeStructFactory<BlockBasedTableOptions>(
        mode, TableFactory::kBlockBasedTableName(), settings, base, factory);
  }
  if (name == TableFactory::kPlainTableName()) {
    return MakeStructFactory<PlainTableOptions>(
        mode, TableFactory::kPlainTableName(), settings, base, factory);
  }
  if (name == TableFactory::kCuckooTableName()) {
    return MakeStructFactory<CuckooTableOptions>(
        mode, TableFactory::kCuckooTableName(), settings, base, factory);
  }
  return Status::NotSupported("Could not load TableFactory", name);
}

using FactoryCodec = TextCodec<std::shared_ptr<TableFactory>>;

Status FactoryCodec::Parse(const TextMode& mode, std::string_view text,
                           std::shared_ptr<TableFactory>* value) {
  std::string name(TrimText(text));
  std::string_view settings;
  if (name.find('=') != std::string::npos) {
    const Result<std::vector<Setting>> pairs = SplitSettings(text);
    if (!pairs.ok()) return pairs.status();
    settings = text;
    name = *value == nullptr ? "" : (*value)->Name();
    for (const auto& [key, id] : *pairs) {
      if (key == "id") name = id;
    }
  }
  const Status status =
      MakeTableFactory(mode, name, settings, value->get(), value);
  if (status.IsNotSupported() && mode.ignore_unsupported) return Status::OK();
  return status;
}

void FactoryCodec::Print(const TextMode& mode,
                         const std::shared_ptr<TableFactory>& value,
                         std::string* out) {
  if (value == nullptr) {
    *out += "nullptr";
    return;
  }
  const FactoryOptions inner = OptionsOf(value.get());
  if (mode.shallow || inner.options == nullptr) {
    *out += value->Name();
    return;
  }
  *out += "{id=" + std::string(value->Name()) + ";";
  PrintFields(inner.fields, mode, inner.options, ";", out);
  *out += "}";
}

}  // namespace engine

const std::string BlockBasedTablePropertyNames::kIndexType =
    "rocksdb.block.based.table.index.type";
const std::string BlockBasedTablePropertyNames::kWholeKeyFiltering =
    "rocksdb.block.based.table.whole.key.filtering";
const std::string BlockBasedTablePropertyNames::kPrefixFiltering =
    "rocksdb.block.based.table.prefix.filtering";

TableFactory* NewBlockBasedTableFactory(
    const BlockBasedTableOptions& table_options) {
  return engine::NewBlockBased(table_options);
}

TableFactory* NewPlainTableFactory(const PlainTableOptions& options) {
  return new engine::StructFactory<PlainTableOptions>(
      TableFactory::kPlainTableName(), options);
}

TableFactory* NewCuckooTableFactory(const CuckooTableOptions& table_options) {
  return new engine::StructFactory<CuckooTableOptions>(
      TableFactory::kCuckooTableName(), table_options);
}

Status TableFactory::CreateFromString(const ConfigOptions& config_options,
                                      const std::string& id,
                                      std::shared_ptr<TableFactory>* factory) {
  engine::TextMode mode;
  mode.escaped = config_options.input_strings_escaped;
  mode.ignore_unknown = config_options.ignore_unknown_options;
  mode.ignore_unsupported = false;
  return engine::FactoryCodec::Parse(mode, id, factory);
}

}  // namespace ROCKSDB_NAMESPACE
