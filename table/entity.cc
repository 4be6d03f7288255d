#include "table/entity.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "util/coding.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

const Slice kDefaultWideColumnName;
const WideColumns kNoWideColumns;

namespace engine {
namespace {

constexpr uint32_t kEntityVersion = 1;

Status BadEntity(const std::string& why) {
  return Status::Corruption("malformed wide column entity", why);
}

// Version and number of columns; `input` then stands before the first name.
Status ReadHead(Slice* input, uint32_t* num_columns) {
  uint32_t version = 0;
  if (!GetVarint32(input, &version)) return BadEntity("expected a version");
  if (version == kEntityVersion + 1) {
    return Status::NotSupported(
        "wide column entity of version 2: columns in blob files");
  }
  if (version != kEntityVersion) {
    return BadEntity("expected version 1, found " + std::to_string(version));
  }
  if (!GetVarint32(input, num_columns)) {
    return BadEntity("expected the number of columns");
  }
  // Each takes two bytes at least.
  if (*num_columns > input->size() / 2) {
    return BadEntity("expected at most " + std::to_string(input->size() / 2) +
                     " columns, found " + std::to_string(*num_columns));
  }
  return Status::OK();
}

Status ReadColumnHead(Slice* input, Slice* name, uint32_t* value_size) {
  if (!GetLengthPrefixedSlice(input, name)) {
    return BadEntity("expected a column name");
  }
  if (!GetVarint32(input, value_size)) {
    return BadEntity("expected the size of a column's value");
  }
  return Status::OK();
}

Status Decode(const Slice& entity, WideColumns* columns) {
  Slice input = entity;
  uint32_t num_columns = 0;
  RETURN_IF_ERROR(ReadHead(&input, &num_columns));
  columns->reserve(num_columns);
  uint64_t total_bytes = 0;
  for (uint32_t i = 0; i < num_columns; ++i) {
    Slice name;
    uint32_t value_size = 0;
    RETURN_IF_ERROR(ReadColumnHead(&input, &name, &value_size));
    if (i > 0 && columns->back().name().compare(name) >= 0) {
      return BadEntity("column names do not ascend");
    }
    // The place is known once all names have been read.
    columns->emplace_back(name, Slice(name.data(), value_size));
    total_bytes += value_size;
  }
  if (total_bytes != input.size()) {
    return BadEntity("expected " + std::to_string(total_bytes) +
                     " bytes of values, found " + std::to_string(input.size()));
  }
  for (WideColumn& column : *columns) {
    const size_t size = column.value().size();
    column.value() = Slice(input.data(), size);
    input.remove_prefix(size);
  }
  return Status::OK();
}

}  // namespace

Status DecodeEntity(const Slice& entity, WideColumns* columns) {
  columns->clear();
  const Status status = Decode(entity, columns);
  if (!status.ok()) columns->clear();
  return status;
}

Status DefaultColumnOf(const Slice& entity, Slice* value) {
  Slice input = entity;
  uint32_t num_columns = 0;
  RETURN_IF_ERROR(ReadHead(&input, &num_columns));
  *value = Slice();
  if (num_columns == 0) return Status::OK();
  Slice name;
  uint32_t first_size = 0;
  RETURN_IF_ERROR(ReadColumnHead(&input, &name, &first_size));
  if (!name.empty()) return Status::OK();
  for (uint32_t i = 1; i < num_columns; ++i) {
    uint32_t value_size = 0;
    RETURN_IF_ERROR(ReadColumnHead(&input, &name, &value_size));
  }
  if (input.size() < first_size) {
    return BadEntity("expected " + std::to_string(first_size) +
                     " bytes of the default column, found " +
                     std::to_string(input.size()));
  }
  *value = Slice(input.data(), first_size);
  return Status::OK();
}

Status EncodeEntity(const WideColumns& columns, std::string* entity) {
  constexpr size_t kMax = std::numeric_limits<uint32_t>::max();
  entity->clear();
  PutVarint32(entity, kEntityVersion);
  if (columns.size() > kMax) {
    return Status::InvalidArgument("Too many wide columns");
  }
  PutVarint32(entity, static_cast<uint32_t>(columns.size()));
  const WideColumn* before = nullptr;
  for (const WideColumn& column : columns) {
    if (before != nullptr && before->name().compare(column.name()) >= 0) {
      return Status::Corruption("Wide columns out of order");
    }
    if (column.name().size() > kMax || column.value().size() > kMax) {
      return Status::InvalidArgument("Wide column is too large");
    }
    PutLengthPrefixedSlice(entity, column.name());
    PutVarint32(entity, static_cast<uint32_t>(column.value().size()));
    before = &column;
  }
  for (const WideColumn& column : columns) {
    entity->append(column.value().data(), column.value().size());
  }
  return Status::OK();
}

Status EncodeUnsortedEntity(const WideColumns& columns, std::string* entity) {
  WideColumns sorted = columns;
  std::sort(sorted.begin(), sorted.end(),
            [](const WideColumn& a, const WideColumn& b) {
              return a.name().compare(b.name()) < 0;
            });
  return EncodeEntity(sorted, entity);
}

Status ReplaceDefaultColumn(const Slice& entity, const Slice& value,
                            std::string* result) {
  WideColumns columns;
  RETURN_IF_ERROR(DecodeEntity(entity, &columns));
  if (!columns.empty() && columns.front().name().empty()) {
    columns.front().value() = value;
  } else {
    columns.insert(columns.begin(), WideColumn(kDefaultWideColumnName, value));
  }
  return EncodeEntity(columns, result);
}

Status StripPreferredSequence(const Slice& stored, Slice* value) {
  if (stored.size() < sizeof(uint64_t)) {
    return Status::Corruption(
        "timed put: expected a value of at least 8 bytes, found " +
        std::to_string(stored.size()));
  }
  *value = Slice(stored.data(), stored.size() - sizeof(uint64_t));
  return Status::OK();
}

}  // namespace engine

// ---- PinnableWideColumns.

PinnableWideColumns& PinnableWideColumns::operator=(
    PinnableWideColumns&& other) noexcept {
  if (this == &other) return *this;
  // A copied value moves house: its columns have to follow.
  const char* const before = other.value_.data();
  value_ = std::move(other.value_);
  columns_ = std::move(other.columns_);
  const auto follow = [&](Slice* part) {
    if (part->empty()) return;
    *part = Slice(value_.data() + (part->data() - before), part->size());
  };
  for (WideColumn& column : columns_) {
    follow(&column.name());
    follow(&column.value());
  }
  other.Reset();
  return *this;
}

void PinnableWideColumns::Take(const Slice& value, Cleanable* cleanable) {
  value_.Reset();
  if (cleanable == nullptr) {
    value_.PinSelf(value);
  } else {
    value_.PinSlice(value, cleanable);
  }
}

void PinnableWideColumns::ShowPlain() {
  columns_.assign(1, WideColumn(kDefaultWideColumnName, Slice(value_)));
}

Status PinnableWideColumns::ShowEntity() {
  return engine::DecodeEntity(value_, &columns_);
}

void PinnableWideColumns::SetPlainValue(const Slice& value,
                                        Cleanable* cleanable) {
  Take(value, cleanable);
  ShowPlain();
}

void PinnableWideColumns::SetPlainValue(PinnableSlice&& value) {
  value_ = std::move(value);
  ShowPlain();
}

void PinnableWideColumns::SetPlainValue(std::string&& value) {
  value_.Reset();
  *value_.GetSelf() = std::move(value);
  value_.PinSelf();
  ShowPlain();
}

Status PinnableWideColumns::SetWideColumnValue(const Slice& value,
                                               Cleanable* cleanable) {
  Take(value, cleanable);
  return ShowEntity();
}

Status PinnableWideColumns::SetWideColumnValue(PinnableSlice&& value) {
  value_ = std::move(value);
  return ShowEntity();
}

Status PinnableWideColumns::SetWideColumnValue(std::string&& value) {
  value_.Reset();
  *value_.GetSelf() = std::move(value);
  value_.PinSelf();
  return ShowEntity();
}

void PinnableWideColumns::Reset() {
  value_.Reset();
  columns_.clear();
}

}  // namespace ROCKSDB_NAMESPACE
