// The memtable factories of the library: names, parameters, and their texts.
// What they make is in db/memtable/builtin_reps.h.

#include "db/options/memtable_factories.h"

#include <algorithm>
#include <typeinfo>

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {
namespace {

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
  // The setting called `key`.
  template <typename T>
  Status Named(const char* key, T* value) const {
    for (const auto& [name_of, text] : settings) {
      if (name_of == key) {
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
    int32_t height = 4;
    int32_t branching = 4;
    RETURN_IF_ERROR(rep->Number("bucket_count", &count));
    RETURN_IF_ERROR(rep->Named("skiplist_height", &height));
    RETURN_IF_ERROR(rep->Named("branching_factor", &branching));
    *made = NewHashSkipListRepFactory(count, height, branching);
  } else if (Is(*rep, "HashLinkListRepFactory", "hash_linkedlist")) {
    count = 50000;
    size_t huge_page_size = 0;
    int log_threshold = 4096;
    bool log_spread = true;
    uint32_t list_max = 256;
    RETURN_IF_ERROR(rep->Number("bucket_count", &count));
    RETURN_IF_ERROR(rep->Named("huge_page_size", &huge_page_size));
    RETURN_IF_ERROR(rep->Named("logging_threshold", &log_threshold));
    RETURN_IF_ERROR(rep->Named("log_when_flash", &log_spread));
    RETURN_IF_ERROR(rep->Named("threshold", &list_max));
    *made = NewHashLinkListRepFactory(count, huge_page_size, log_threshold,
                                      log_spread, list_max);
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

std::string HashRepFactory::GetId() const {
  const HashRepOptions& o = options_;
  std::string id = std::string("{id=") + name_ +
                   ";bucket_count=" + std::to_string(o.bucket_count);
  if (o.list_max == 0) {
    id += ";skiplist_height=" + std::to_string(o.height) +
          ";branching_factor=" + std::to_string(o.branching);
  } else {
    id += ";huge_page_size=" + std::to_string(o.huge_page_size) +
          ";logging_threshold=" + std::to_string(o.log_threshold) +
          ";log_when_flash=" + (o.log_spread ? "true" : "false") +
          ";threshold=" + std::to_string(o.list_max);
  }
  return id + ";}";
}

// A class derived from it makes reps of its own.
bool IsSkipListFactory(const MemTableRepFactory& factory) {
  return typeid(factory) == typeid(SkipListFactory);
}

bool IsHashFactory(const MemTableRepFactory& factory) {
  return typeid(factory) == typeid(HashRepFactory);
}

bool IsBuiltinMemTableFactory(const MemTableRepFactory& factory) {
  return IsSkipListFactory(factory) || IsHashFactory(factory) ||
         typeid(factory) == typeid(VectorRepFactory);
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
  engine::HashRepOptions options;
  options.bucket_count = bucket_count;
  options.height = skiplist_height;
  options.branching = skiplist_branching_factor;
  return new engine::HashRepFactory("HashSkipListRepFactory", "prefix_hash",
                                    options);
}

MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count, size_t huge_page_tlb_size,
    int bucket_entries_logging_threshold, bool if_log_bucket_dist_when_flash,
    uint32_t threshold_use_skiplist) {
  engine::HashRepOptions options;
  options.bucket_count = bucket_count;
  options.huge_page_size = huge_page_tlb_size;
  options.log_threshold = bucket_entries_logging_threshold;
  options.log_spread = if_log_bucket_dist_when_flash;
  options.list_max = std::max(threshold_use_skiplist, 1u);
  return new engine::HashRepFactory("HashLinkListRepFactory", "hash_linkedlist",
                                    options);
}

}  // namespace ROCKSDB_NAMESPACE
