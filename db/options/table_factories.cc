#include "db/options/table_factories.h"

#include "db/options/objects.h"
#include "table/block_based_table_factory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Options of type T, starting from those of `base` if it has such, changed by
// the settings.
template <typename T>
Status ReadOptionsOf(const TextMode& mode, FieldTable fields,
                     std::string_view settings, const TableFactory* base,
                     T* options) {
  if (base != nullptr) {
    if (const T* current = base->GetOptions<T>()) *options = *current;
  }
  const Result<std::vector<Setting>> pairs = SplitSettings(settings);
  if (!pairs.ok()) return pairs.status();
  for (const auto& [key, value] : *pairs) {
    if (key == "id") continue;
    RETURN_IF_ERROR(SetField(fields, mode, key, value, options));
  }
  return Status::OK();
}

}  // namespace

const BlockBasedTableOptions* BlockBasedOptionsOf(const TableFactory* factory) {
  const auto* own = dynamic_cast<const BlockBasedTableFactory*>(factory);
  return own == nullptr ? nullptr : &own->options();
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
    BlockBasedTableOptions options;
    RETURN_IF_ERROR(ReadOptionsOf(mode, BlockBasedTableOptionFields(), settings,
                                  base, &options));
    factory->reset(NewBlockBasedTableFactory(options));
  } else if (name == TableFactory::kPlainTableName()) {
    PlainTableOptions options;
    RETURN_IF_ERROR(ReadOptionsOf(mode, PlainTableOptionFields(), settings,
                                  base, &options));
    factory->reset(NewPlainTableFactory(options));
  } else if (name == TableFactory::kCuckooTableName()) {
    CuckooTableOptions options;
    RETURN_IF_ERROR(ReadOptionsOf(mode, CuckooTableOptionFields(), settings,
                                  base, &options));
    factory->reset(NewCuckooTableFactory(options));
  } else {
    return Status::NotSupported("Could not load TableFactory", name);
  }
  return Status::OK();
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
  Status status = MakeTableFactory(mode, name, settings, value->get(), value);
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

}  // namespace ROCKSDB_NAMESPACE::engine
