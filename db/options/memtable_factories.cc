// Memtable factories: names and parameters (the structures are in
// db/memtable).

#include "db/options/memtable_factories.h"

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {
namespace {

// A factory that is only its name and its settings.
class NamedRepFactory final : public MemTableRepFactory {
 public:
  NamedRepFactory(const char* name, const char* nick, std::string settings)
      : name_(name), nick_(nick), settings_(std::move(settings)) {}
  const char* Name() const override { return name_; }
  const char* NickName() const override { return nick_; }
  std::string GetId() const override {
    return std::string("{id=") + name_ + ";" + settings_ + "}";
  }

 private:
  const char* name_;
  const char* nick_;
  std::string settings_;
};

// What "name:number" or "{id=name;key=number;...}" says.
struct RepText {
  std::string name;
  std::vector<Setting> settings;

  // The number called `key`, or the one behind the colon.
  template <typename T>
  Status Number(const char* key, T* value) const {
    for (const auto& [name_of, text] : settings) {
      if (name_of == key || name_of.empty()) {
        return TextCodec<T>::Parse(TextMode(), text, value);
      }
    }
    return Status::OK();
  }
};

Result<RepText> ReadRepText(const std::string& id) {
  RepText rep;
  const std::string_view text = TrimText(id);
  if (text.find('=') == std::string_view::npos) {
    const size_t colon = text.find(':');
    rep.name = text.substr(0, colon);
    if (colon != std::string_view::npos) {
      rep.settings.emplace_back("", text.substr(colon + 1));
    }
    return rep;
  }
  const Result<std::vector<Setting>> pairs = SplitSettings(text);
  if (!pairs.ok()) return pairs.status();
  for (const Setting& pair : *pairs) {
    if (pair.first == "id") {
      rep.name = pair.second;
    } else {
      rep.settings.push_back(pair);
    }
  }
  return rep;
}

bool Is(const RepText& rep, const char* name, const char* nick) {
  return rep.name == name || rep.name == nick;
}

Status MakeRepFactory(const std::string& id, MemTableRepFactory** made) {
  const Result<RepText> rep = ReadRepText(id);
  if (!rep.ok()) return rep.status();
  size_t count = 0;
  if (Is(*rep, SkipListFactory::kClassName(), SkipListFactory::kNickName())) {
    RETURN_IF_ERROR(rep->Number("lookahead", &count));
    *made = new SkipListFactory(count);
  } else if (Is(*rep, VectorRepFactory::kClassName(),
                VectorRepFactory::kNickName())) {
    RETURN_IF_ERROR(rep->Number("count", &count));
    *made = new VectorRepFactory(count);
  } else if (Is(*rep, "HashSkipListRepFactory", "prefix_hash")) {
    count = 1000000;
    RETURN_IF_ERROR(rep->Number("bucket_count", &count));
    *made = NewHashSkipListRepFactory(count);
  } else if (Is(*rep, "HashLinkListRepFactory", "hash_linkedlist")) {
    count = 50000;
    RETURN_IF_ERROR(rep->Number("bucket_count", &count));
    *made = NewHashLinkListRepFactory(count);
  } else {
    return Status::NotSupported("Could not load MemTableRepFactory", id);
  }
  return Status::OK();
}

template <typename Pointer>
Status CreateRepFactory(const std::string& id, Pointer* factory) {
  MemTableRepFactory* made = nullptr;
  RETURN_IF_ERROR(MakeRepFactory(id, &made));
  factory->reset(made);
  return Status::OK();
}

}  // namespace

bool IsBuiltinMemTableFactory(const MemTableRepFactory* factory) {
  return dynamic_cast<const SkipListFactory*>(factory) != nullptr ||
         dynamic_cast<const VectorRepFactory*>(factory) != nullptr ||
         dynamic_cast<const NamedRepFactory*>(factory) != nullptr;
}

}  // namespace engine

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& id,
    std::unique_ptr<MemTableRepFactory>* factory) {
  return engine::CreateRepFactory(id, factory);
}

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& id,
    std::shared_ptr<MemTableRepFactory>* factory) {
  return engine::CreateRepFactory(id, factory);
}

Status GetMemTableRepFactoryFromString(
    const std::string& opts_str,
    std::unique_ptr<MemTableRepFactory>* new_mem_factory) {
  const Status status = MemTableRepFactory::CreateFromString(
      ConfigOptions(), opts_str, new_mem_factory);
  // Programs expect the kind of error that older releases gave.
  return status.IsNotSupported() ? Status::InvalidArgument(status.getState())
                                 : status;
}

std::string SkipListFactory::GetId() const {
  if (lookahead_ == 0) return kClassName();
  return "{id=SkipListFactory;lookahead=" + std::to_string(lookahead_) + ";}";
}

std::string VectorRepFactory::GetId() const {
  if (count_ == 0) return kClassName();
  return "{id=VectorRepFactory;count=" + std::to_string(count_) + ";}";
}

MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count, int32_t skiplist_height,
    int32_t skiplist_branching_factor) {
  return new engine::NamedRepFactory(
      "HashSkipListRepFactory", "prefix_hash",
      "bucket_count=" + std::to_string(bucket_count) +
          ";skiplist_height=" + std::to_string(skiplist_height) +
          ";branching_factor=" + std::to_string(skiplist_branching_factor) +
          ";");
}

MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count, size_t huge_page_tlb_size,
    int bucket_entries_logging_threshold, bool if_log_bucket_dist_when_flash,
    uint32_t threshold_use_skiplist) {
  return new engine::NamedRepFactory(
      "HashLinkListRepFactory", "hash_linkedlist",
      "bucket_count=" + std::to_string(bucket_count) + ";huge_page_size=" +
          std::to_string(huge_page_tlb_size) + ";logging_threshold=" +
          std::to_string(bucket_entries_logging_threshold) +
          ";log_when_flash=" +
          (if_log_bucket_dist_when_flash ? "true" : "false") +
          ";threshold=" + std::to_string(threshold_use_skiplist) + ";");
}

}  // namespace ROCKSDB_NAMESPACE
