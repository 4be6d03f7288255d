#include "db/recovery/wal_timestamps.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <vector>

#include "db/format/file_names.h"
#include "db/write_batch/batch_format.h"
#include "table/timestamps.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The first release that recorded the sizes.
constexpr int kFirstMajorWithSizes = 8;

size_t RecordedSize(const TimestampSizes& sizes, uint32_t family) {
  assert(sizes.recorded != nullptr);
  const auto it = sizes.recorded->find(family);
  if (it != sizes.recorded->end()) return it->second;
  return sizes.logs_have_none ? sizes.current(family) : 0;
}

uint8_t TagOf(const BatchRecord& record) {
  uint8_t tag = 0;
  for (const RecordShape& shape : batch_internal::kShapes) {
    if (shape.known && shape.type == record.type &&
        shape.has_family == (record.family != 0)) {
      break;
    }
    ++tag;
  }
  assert(tag < batch_internal::kNumTags);  // It was read with one of them.
  return tag;
}

void Append(const BatchRecord& record, const Slice& key, const Slice& value,
            std::string* out) {
  const uint8_t tag = TagOf(record);
  const RecordShape& shape = batch_internal::kShapes[tag];
  out->push_back(static_cast<char>(tag));
  if (shape.has_family) PutVarint32(out, record.family);
  if (shape.num_slices > 0) PutLengthPrefixedSlice(out, key);
  if (shape.num_slices > 1) PutLengthPrefixedSlice(out, value);
}

// Turns a key with `from` bytes of timestamp into one with `to` bytes.
Status Change(size_t from, size_t to, std::string* key) {
  if (key->size() < from) {
    return Status::Corruption("logged key without its timestamp");
  }
  key->resize(key->size() - from);
  key->append(to, '\0');
  return Status::OK();
}

Status AppendChanged(const BatchRecord& record, size_t from, size_t to,
                     std::string* out) {
  if (from != 0 && to != 0) {
    return Status::InvalidArgument(
        "column family " + std::to_string(record.family) +
            ": the log has timestamps of " + std::to_string(from) + " bytes",
        "the comparator expects " + std::to_string(to));
  }
  std::string key = record.key.ToString();
  std::string value = record.value.ToString();
  RETURN_IF_ERROR(Change(from, to, &key));
  if (record.type == ValueType::kRangeDeletion) {
    RETURN_IF_ERROR(Change(from, to, &value));
  }
  Append(record, key, value, out);
  return Status::OK();
}

}  // namespace

Status ReconcileTimestamps(const Slice& batch, const TimestampSizes& sizes,
                           std::string* rewritten, Slice* contents) {
  *contents = batch;
  bool differs = false;
  RETURN_IF_ERROR(ForEachRecord(batch, [&](const BatchRecord& record) {
    differs = IsCounted(record.type) && RecordedSize(sizes, record.family) !=
                                            sizes.current(record.family);
    return !differs;
  }));
  if (!differs) return Status::OK();
  rewritten->assign(batch.data(), kBatchHeaderSize);
  Status status;
  RETURN_IF_ERROR(ForEachRecord(batch, [&](const BatchRecord& record) {
    const size_t from =
        IsCounted(record.type) ? RecordedSize(sizes, record.family) : 0;
    const size_t to = IsCounted(record.type) ? sizes.current(record.family) : 0;
    if (from == to) {
      Append(record, record.key, record.value, rewritten);
    } else {
      status = AppendChanged(record, from, to, rewritten);
    }
    return status.ok();
  }));
  *contents = *rewritten;
  return status;
}

bool AnyTimestamps(const FamilySet& families) {
  kStateLock.AssertHeld();  // During a replay no other thread changes them.
  return std::any_of(families.all().begin(), families.all().end(),
                     [](const FamilyPtr& family) {
                       return family->icmp().timestamp_size() > 0;
                     });
}

Status ReconcileTimestamps(const ReplayedBatch& batch,
                           const FamilySet& families, bool as_they_are,
                           std::string* rewritten, Slice* contents) {
  *contents = batch.contents;
  if (batch.timestamp_sizes->empty() && !AnyTimestamps(families)) {
    return Status::OK();
  }
  TimestampSizes sizes;
  sizes.recorded = batch.timestamp_sizes;
  sizes.logs_have_none = as_they_are;
  sizes.current = [&](uint32_t id) -> size_t {
    const ColumnFamily* const family = families.Lookup(id);
    if (family != nullptr) return family->icmp().timestamp_size();
    const auto it = batch.timestamp_sizes->find(id);
    return it == batch.timestamp_sizes->end() ? 0 : it->second;
  };
  return ReconcileTimestamps(batch.contents, sizes, rewritten, contents);
}

bool LogsHaveNoTimestampSizes(FileSystem* fs, const std::string& dir) {
  std::vector<std::string> children;
  if (!fs->GetChildren(dir, IOOptions(), &children, nullptr).ok()) return false;
  uint64_t newest = 0;
  for (const std::string& child : children) {
    ParsedFileName name;
    if (ParseFileName(child, &name) && name.type == FileType::kOptionsFile) {
      newest = std::max(newest, name.number);
    }
  }
  std::string text;
  if (newest == 0 ||
      !ReadFileToString(fs, OptionsFileName(dir, newest), &text).ok()) {
    return false;
  }
  static constexpr char kName[] = "rocksdb_version=";
  const size_t at = text.find(kName);
  if (at == std::string::npos) return false;
  const int major = std::atoi(text.c_str() + at + sizeof(kName) - 1);
  return major > 0 && major < kFirstMajorWithSizes;
}

}  // namespace ROCKSDB_NAMESPACE::engine
