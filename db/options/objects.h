// Codecs of the objects that options refer to.
//
// Place. Used by the field tables of db/options only.
//
// Model. An object that can be made from its id (a prefix extractor, a filter
// policy, ...) is text; any other pointer is shown as an address in the LOG,
// as "nullptr" or a name in options text, and cannot be parsed. Text naming
// an object this library does not have leaves the field alone unless the mode
// says otherwise.

#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/table.h"
#include "util/options_text/field.h"

namespace ROCKSDB_NAMESPACE::engine {

// "0x..." or "(nil)", as printf's %p.
std::string PointerText(const void* pointer);

// Parses through T::CreateFromString(); P is what the field holds.
template <typename T, typename P>
Status ParseObject(const TextMode& mode, std::string_view text, P* value) {
  const std::string id(TrimText(text));
  P made = *value;
  Status status = T::CreateFromString(ConfigOptions(), id, &made);
  if (status.IsNotSupported() && mode.ignore_unsupported) return Status::OK();
  if (status.ok()) *value = made;
  return status;
}

template <typename T>
void PrintObject(const T* object, std::string* out) {
  *out += object == nullptr ? "nullptr" : object->GetId();
}

// Pointers to types without text.
template <typename T>
struct TextCodec<T*> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text, T** value) {
    if (TrimText(text) == "nullptr") {
      *value = nullptr;
      return Status::OK();
    }
    if (mode.ignore_unsupported) return Status::OK();
    return Status::NotSupported("no text form of this object",
                                Slice(text.data(), text.size()));
  }
  static void Print(const TextMode&, T* const& value, std::string* out) {
    *out += value == nullptr
                ? "nullptr"
                : PointerText(reinterpret_cast<const void*>(value));
  }
  static void Log(T* const& value, std::string* out) {
    *out += PointerText(reinterpret_cast<const void*>(value));
  }
};

template <typename T>
struct TextCodec<std::shared_ptr<T>> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<T>* value) {
    if (TrimText(text) == "nullptr") {
      value->reset();
      return Status::OK();
    }
    if (mode.ignore_unsupported) return Status::OK();
    return Status::NotSupported("no text form of this object",
                                Slice(text.data(), text.size()));
  }
  static void Print(const TextMode&, const std::shared_ptr<T>& value,
                    std::string* out) {
    *out += value == nullptr ? "nullptr" : PointerText(value.get());
  }
  static void Log(const std::shared_ptr<T>& value, std::string* out) {
    *out += PointerText(value.get());
  }
};

// Shared objects with ids.
template <typename T>
struct TextCodecWithId {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<T>* value) {
    return ParseObject<T>(mode, text, value);
  }
  static void Print(const TextMode&, const std::shared_ptr<T>& value,
                    std::string* out) {
    PrintObject(value.get(), out);
  }
  static void Log(const std::shared_ptr<T>& value, std::string* out) {
    *out += value == nullptr ? "nullptr" : value->Name();
  }
};

template <>
struct TextCodec<std::shared_ptr<const SliceTransform>>
    : TextCodecWithId<const SliceTransform> {};
template <>
struct TextCodec<std::shared_ptr<const FilterPolicy>>
    : TextCodecWithId<const FilterPolicy> {
  // Trusts a filter's bits, so the LOG shows them too.
  static void Log(const std::shared_ptr<const FilterPolicy>& value,
                  std::string* out) {
    PrintObject(value.get(), out);
  }
};
template <>
struct TextCodec<std::shared_ptr<MergeOperator>>
    : TextCodecWithId<MergeOperator> {
  static void Log(const std::shared_ptr<MergeOperator>& value,
                  std::string* out) {
    *out += value == nullptr ? "None" : value->Name();
  }
};
template <>
struct TextCodec<std::shared_ptr<MemTableRepFactory>>
    : TextCodecWithId<MemTableRepFactory> {};
template <>
struct TextCodec<std::shared_ptr<SstPartitionerFactory>>
    : TextCodecWithId<SstPartitionerFactory> {
  static void Log(const std::shared_ptr<SstPartitionerFactory>& value,
                  std::string* out) {
    *out += value == nullptr ? "None" : value->Name();
  }
};
template <>
struct TextCodec<std::shared_ptr<FileChecksumGenFactory>>
    : TextCodecWithId<FileChecksumGenFactory> {
  static void Log(const std::shared_ptr<FileChecksumGenFactory>& value,
                  std::string* out) {
    *out += value == nullptr ? "Unknown" : value->Name();
  }
};
template <>
struct TextCodec<std::shared_ptr<CompactionFilterFactory>>
    : TextCodecWithId<CompactionFilterFactory> {
  static void Log(const std::shared_ptr<CompactionFilterFactory>& value,
                  std::string* out) {
    *out += value == nullptr ? "None" : value->Name();
  }
};

// Made from its options, "{profile_path=...;...}", or from the path alone.
template <>
struct StructTable<IOSchedulerOptions> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
};
template <>
struct TextCodec<std::shared_ptr<IOScheduler>> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<IOScheduler>* value);
  static void Print(const TextMode& mode,
                    const std::shared_ptr<IOScheduler>& value,
                    std::string* out);
};

// Caches are made from their capacity and written as an address (the LOG).
template <>
struct TextCodec<std::shared_ptr<Cache>> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<Cache>* value) {
    return ParseObject<Cache>(mode, text, value);
  }
  static void Print(const TextMode&, const std::shared_ptr<Cache>& value,
                    std::string* out) {
    *out += value == nullptr ? "nullptr" : PointerText(value.get());
  }
  static void Log(const std::shared_ptr<Cache>& value, std::string* out) {
    *out += PointerText(value.get());
  }
};

// Null stands for the one by size, which costs less than an object.
template <>
struct TextCodec<std::shared_ptr<FlushBlockPolicyFactory>> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<FlushBlockPolicyFactory>* value) {
    if (TrimText(text) == FlushBlockBySizePolicyFactory::kClassName()) {
      value->reset();
      return Status::OK();
    }
    return ParseObject<FlushBlockPolicyFactory>(mode, text, value);
  }
  static void Print(const TextMode&,
                    const std::shared_ptr<FlushBlockPolicyFactory>& value,
                    std::string* out) {
    *out += value == nullptr ? FlushBlockBySizePolicyFactory::kClassName()
                             : value->GetId();
  }
};

// A factory whose text may carry its options: "{id=BlockBasedTable;...}".
template <>
struct TextCodec<std::shared_ptr<TableFactory>> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      std::shared_ptr<TableFactory>* value);
  static void Print(const TextMode& mode,
                    const std::shared_ptr<TableFactory>& value,
                    std::string* out);
  static void Log(const std::shared_ptr<TableFactory>& value,
                  std::string* out) {
    *out += value == nullptr ? "nullptr" : value->Name();
  }
};

template <>
struct TextCodec<const Comparator*> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      const Comparator** value) {
    return ParseObject<Comparator>(mode, text, value);
  }
  static void Print(const TextMode&, const Comparator* const& value,
                    std::string* out) {
    *out += value == nullptr ? "nullptr" : value->Name();
  }
};

template <>
struct TextCodec<const CompactionFilter*> {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text,
                      const CompactionFilter** value) {
    return ParseObject<CompactionFilter>(mode, text, value);
  }
  static void Print(const TextMode&, const CompactionFilter* const& value,
                    std::string* out) {
    *out += value == nullptr ? "nullptr" : value->Name();
  }
  static void Log(const CompactionFilter* const& value, std::string* out) {
    *out += value == nullptr ? "None" : value->Name();
  }
};

// Bits, written as a number.
template <>
struct TextCodec<VerifyOutputFlags> {
  static constexpr const char* kType = "flags";
  static Status Parse(const TextMode& mode, std::string_view text,
                      VerifyOutputFlags* value) {
    uint32_t bits = 0;
    RETURN_IF_ERROR(TextCodec<uint32_t>::Parse(mode, text, &bits));
    *value = static_cast<VerifyOutputFlags>(bits);
    return Status::OK();
  }
  static void Print(const TextMode&, VerifyOutputFlags value,
                    std::string* out) {
    *out += std::to_string(static_cast<uint32_t>(value));
  }
};

// Sets of enumerators and lists of paths or objects: shown, not parsed.
template <typename T>
struct ShownCodec {
  static constexpr const char* kType = "object";
  static Status Parse(const TextMode& mode, std::string_view text, T*) {
    if (mode.ignore_unsupported) return Status::OK();
    return Status::NotSupported("no text form of this option",
                                Slice(text.data(), text.size()));
  }
};

template <typename T, T kMax>
struct TextCodec<SmallEnumSet<T, kMax>> : ShownCodec<SmallEnumSet<T, kMax>> {
  static constexpr const char* kType = "set";
  static void Print(const TextMode&, const SmallEnumSet<T, kMax>& value,
                    std::string* out) {
    for (int i = 0; i <= static_cast<int>(kMax); ++i) {
      if (value.Contains(static_cast<T>(i))) *out += std::to_string(i) + " ";
    }
  }
};

template <>
struct TextCodec<std::vector<DbPath>> : ShownCodec<std::vector<DbPath>> {
  static constexpr const char* kType = "paths";
  static void Print(const TextMode&, const std::vector<DbPath>& value,
                    std::string* out) {
    for (const DbPath& path : value) {
      *out += path.path + " (" + std::to_string(path.target_size) + ") ";
    }
  }
};

template <typename T>
struct TextCodec<std::vector<std::shared_ptr<T>>>
    : ShownCodec<std::vector<std::shared_ptr<T>>> {
  static void Print(const TextMode&,
                    const std::vector<std::shared_ptr<T>>& value,
                    std::string* out) {
    *out += std::to_string(value.size());
  }
};

// -- Nested structs; their tables are next to those of their owners.

template <>
struct StructTable<CompressionOptions> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
  // "window_bits:level:strategy[:max_dict_bytes[:...]]".
  static Status ParseOldForm(std::string_view text, CompressionOptions* value);
};
template <>
struct StructTable<CompactionOptionsUniversal> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
};
template <>
struct StructTable<CompactionOptionsFIFO> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
  static Status ParseOldForm(std::string_view text,
                             CompactionOptionsFIFO* value);
};
template <>
struct StructTable<FileTemperatureAge> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
};
template <>
struct StructTable<MetadataCacheOptions> {
  static constexpr const char* kType = "struct";
  static FieldTable Fields();
};

// -- The tables.

FieldTable DbOptionFields();
FieldTable CfOptionFields();
FieldTable BlockBasedTableOptionFields();
FieldTable PlainTableOptionFields();
FieldTable CuckooTableOptionFields();

}  // namespace ROCKSDB_NAMESPACE::engine
