#include "table/entity.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "table/blob/blob_format.h"
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

// Each of the columns takes two bytes at least.
Status ReadCount(Slice* input, uint32_t* num_columns) {
  if (!GetVarint32(input, num_columns)) {
    return BadEntity("expected the number of columns");
  }
  if (*num_columns > input->size() / 2) {  // (2)
    return BadEntity("expected at most " + std::to_string(input->size() / 2) +
                     " columns, found " + std::to_string(*num_columns));
  }
  return Status::OK();
}

// Version and number of columns; `input` then stands before the first name.
Status ReadHead(Slice* input, uint32_t* num_columns) {
  uint32_t version = 0;
  if (!GetVarint32(input, &version)) return BadEntity("expected a version");
  if (version != kEntityVersion) {
    return BadEntity("expected version 1 or 2, found " +
                     std::to_string(version));
  }
  return ReadCount(input, num_columns);
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

bool TakeBytes(Slice* input, size_t size, Slice* bytes) {
  if (input->size() < size) return false;  // (2)
  *bytes = Slice(input->data(), size);
  input->remove_prefix(size);
  return true;
}

// The parts of an entity of version 2, each as large as it says.
struct Sections {
  uint32_t num_columns = 0;
  Slice types;
  Slice name_sizes;
  Slice value_sizes;
  Slice names;
  Slice values;
};

Status ReadSections(const Slice& entity, Sections* sections) {
  Slice input = entity;
  uint32_t version = 0;
  if (!GetVarint32(&input, &version)) return BadEntity("expected a version");
  RETURN_IF_ERROR(ReadCount(&input, &sections->num_columns));
  uint32_t name_sizes = 0;
  uint32_t value_sizes = 0;
  uint32_t names = 0;
  if (!GetVarint32(&input, &name_sizes) || !GetVarint32(&input, &value_sizes) ||
      !GetVarint32(&input, &names)) {
    return BadEntity("expected the sizes of three sections");
  }
  if (!TakeBytes(&input, sections->num_columns, &sections->types) ||
      !TakeBytes(&input, name_sizes, &sections->name_sizes) ||
      !TakeBytes(&input, value_sizes, &sections->value_sizes) ||
      !TakeBytes(&input, names, &sections->names)) {
    return BadEntity("sections larger than the entity");
  }
  sections->values = input;
  return Status::OK();
}

// One column of version 2, whose value may be a blob index.
struct StoredColumn {
  Slice name;
  Slice value;
  bool elsewhere = false;
};

// Takes the next column from its sections.
Status NextColumn(Sections* sections, StoredColumn* column) {
  const auto type = static_cast<ValueType>(sections->types[0]);
  sections->types.remove_prefix(1);
  if (type != ValueType::kValue && type != ValueType::kBlobIndex) {
    return BadEntity("expected a column of type 1 or 17, found " +
                     std::to_string(static_cast<int>(type)));
  }
  column->elsewhere = type == ValueType::kBlobIndex;
  uint32_t name_size = 0;
  uint32_t value_size = 0;
  if (!GetVarint32(&sections->name_sizes, &name_size) ||
      !GetVarint32(&sections->value_sizes, &value_size) ||
      !TakeBytes(&sections->names, name_size, &column->name) ||
      !TakeBytes(&sections->values, value_size, &column->value)) {
    return BadEntity("columns larger than their section");
  }
  return Status::OK();
}

// All columns of an entity of version 2.
Status ReadColumns(const Slice& entity, std::vector<StoredColumn>* columns) {
  Sections sections;
  RETURN_IF_ERROR(ReadSections(entity, &sections));
  columns->reserve(sections.num_columns);
  for (uint32_t i = 0; i < sections.num_columns; ++i) {
    StoredColumn column;
    RETURN_IF_ERROR(NextColumn(&sections, &column));
    if (i > 0 && columns->back().name.compare(column.name) >= 0) {  // (1)
      return BadEntity("column names do not ascend");
    }
    columns->push_back(column);
  }
  if (!sections.name_sizes.empty() || !sections.value_sizes.empty() ||
      !sections.names.empty() || !sections.values.empty()) {
    return BadEntity("sections larger than their columns");
  }
  return Status::OK();
}

Status ColumnIsElsewhere() {
  return Status::NotSupported("wide columns in blob files, read without them");
}

Status DecodeVersion2(const Slice& entity, WideColumns* columns) {
  std::vector<StoredColumn> stored;
  RETURN_IF_ERROR(ReadColumns(entity, &stored));
  for (const StoredColumn& column : stored) {
    if (column.elsewhere) return ColumnIsElsewhere();
    columns->emplace_back(column.name, column.value);
  }
  return Status::OK();
}

Status Decode(const Slice& entity, WideColumns* columns) {
  if (MayHaveBlobColumns(entity)) return DecodeVersion2(entity, columns);
  Slice input = entity;
  uint32_t num_columns = 0;
  RETURN_IF_ERROR(ReadHead(&input, &num_columns));
  columns->reserve(num_columns);
  uint64_t total_bytes = 0;
  for (uint32_t i = 0; i < num_columns; ++i) {
    Slice name;
    uint32_t value_size = 0;
    RETURN_IF_ERROR(ReadColumnHead(&input, &name, &value_size));
    if (i > 0 && columns->back().name().compare(name) >= 0) {  // (1)
      return BadEntity("column names do not ascend");
    }
    // The place is known once all names have been read.
    columns->emplace_back(name, Slice(name.data(), value_size));
    total_bytes += value_size;
  }
  if (total_bytes != input.size()) {  // (2)
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

Status ForEachBlobColumn(const Slice& entity,
                         const std::function<Status(const Slice&)>& visit) {
  if (!MayHaveBlobColumns(entity)) return Status::OK();
  std::vector<StoredColumn> columns;
  RETURN_IF_ERROR(ReadColumns(entity, &columns));
  for (const StoredColumn& column : columns) {
    if (column.elsewhere) RETURN_IF_ERROR(visit(column.value));
  }
  return Status::OK();
}

namespace {

// Honest writers give each column a record of its own. Without this a small
// entity could ask for one blob any number of times.
Status CheckBlobsAreApart(const std::vector<StoredColumn>& columns) {
  std::vector<BlobIndex> blobs;
  for (const StoredColumn& column : columns) {
    if (!column.elsewhere) continue;
    RETURN_IF_ERROR(blobs.emplace_back().DecodeFrom(column.value));
  }
  std::sort(blobs.begin(), blobs.end(),
            [](const BlobIndex& a, const BlobIndex& b) {
              return std::tie(a.file_number, a.offset, a.size) <
                     std::tie(b.file_number, b.offset, b.size);
            });
  for (size_t i = 1; i < blobs.size(); ++i) {
    const BlobIndex& a = blobs[i - 1];
    const BlobIndex& b = blobs[i];
    if (a.file_number == b.file_number && a.size > b.offset - a.offset) {
      return BadEntity("expected columns in blobs of their own, found " +
                       a.DebugString() + " and " + b.DebugString());
    }
  }
  return Status::OK();
}

// What version 1 has before the values takes no more than this.
size_t HeadBytesMax(const std::vector<StoredColumn>& columns) {
  size_t bytes = 2 * kVarint32SizeMax;
  for (const StoredColumn& column : columns) {
    bytes += 2 * kVarint32SizeMax + column.name.size();
  }
  return bytes;
}

}  // namespace

Status InlineBlobColumns(const Slice& entity, const ReadBlobColumn& read,
                         std::string* inlined, uint64_t bytes_max) {
  std::vector<StoredColumn> stored;
  RETURN_IF_ERROR(ReadColumns(entity, &stored));
  RETURN_IF_ERROR(CheckBlobsAreApart(stored));
  // The values come behind a gap for the head, which needs their sizes: none
  // of them is held twice.
  const size_t gap = HeadBytesMax(stored);
  inlined->assign(gap, '\0');
  std::string head;
  PutVarint32(&head, kEntityVersion);
  PutVarint32(&head, static_cast<uint32_t>(stored.size()));
  for (const StoredColumn& column : stored) {
    Slice value = column.value;
    if (column.elsewhere) RETURN_IF_ERROR(read(column.value, &value));
    const uint64_t bytes_before = inlined->size() - gap;
    if (value.size() > bytes_max - bytes_before) {
      return Status::NotSupported(
          "wide columns in blob files are too large",
          "expected at most " + std::to_string(bytes_max) +
              " bytes together, found " +
              std::to_string(bytes_before + value.size()) + " or more");
    }
    PutLengthPrefixedSlice(&head, column.name);
    PutVarint32(&head, static_cast<uint32_t>(value.size()));
    inlined->append(value.data(), value.size());
  }
  inlined->replace(0, gap, head);
  return Status::OK();
}

namespace {

Status DefaultOfVersion2(const Slice& entity, Slice* value, bool* elsewhere) {
  *value = Slice();
  if (elsewhere != nullptr) *elsewhere = false;
  std::vector<StoredColumn> columns;
  RETURN_IF_ERROR(ReadColumns(entity, &columns));
  if (columns.empty() || !columns.front().name.empty()) return Status::OK();
  if (columns.front().elsewhere && elsewhere == nullptr) {
    return ColumnIsElsewhere();
  }
  *value = columns.front().value;
  if (elsewhere != nullptr) *elsewhere = columns.front().elsewhere;
  return Status::OK();
}

}  // namespace

Status DefaultColumnOf(const Slice& entity, Slice* value, bool* elsewhere) {
  if (MayHaveBlobColumns(entity)) {
    return DefaultOfVersion2(entity, value, elsewhere);
  }
  if (elsewhere != nullptr) *elsewhere = false;
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
  if (input.size() < first_size) {  // (2)
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
    // (1)
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
  columns_.assign(1, WideColumn(kDefaultWideColumnName,
                                Slice(value_.data(), value_.size())));
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
