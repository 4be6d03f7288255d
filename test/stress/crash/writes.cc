#include "test/stress/crash/writes.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/sst_file_writer.h"
#include "test/stress/crash/row_filter.h"
#include "test/support/timed_put.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr uint64_t kPlainKeys = 40;
constexpr uint64_t kFewKeys = 8;  // Merged, and written once at a time.

std::string Key(char kind, uint64_t n) {
  return std::string(1, kind) + std::to_string(10 + n);
}

// Distinct for every record, of a length that is drawn.
std::string DrawValue(const std::string& tag, engine::Random64* random) {
  std::string value =
      tag + "." + std::to_string(random->Uniform(1000000)) + ".";
  const int max_log = random->OneIn(20) ? 13 : 9;
  value.append(random->Skewed(max_log),
               static_cast<char>('a' + random->Uniform(26)));
  return value;
}

Record DrawRange(uint32_t family, engine::Random64* random) {
  const uint64_t from = random->Uniform(kPlainKeys);
  const uint64_t length = 1 + random->Skewed(5);
  return {Record::Kind::kDeleteRange, family, Key('k', from),
          Key('k', std::min(from + length, kPlainKeys))};
}

Record DrawRecord(const Rows& rows, uint32_t family, const std::string& tag,
                  bool with_entities, engine::Random64* random) {
  using Kind = Record::Kind;
  const std::string plain = Key('k', random->Uniform(kPlainKeys));
  switch (random->Uniform(10)) {
    case 0:
      return {Kind::kDelete, family, plain, ""};
    case 1:
      return DrawRange(family, random);
    case 2: {
      const std::string key = Key('m', random->Uniform(kFewKeys));
      if (random->OneIn(8)) return {Kind::kDelete, family, key, ""};
      return {Kind::kMerge, family, key,
              tag + "." + std::to_string(random->Uniform(1000000))};
    }
    case 3: {
      const std::string key = Key('s', random->Uniform(kFewKeys));
      if (rows.contains(key)) return {Kind::kSingleDelete, family, key, ""};
      return {Kind::kPut, family, key, DrawValue(tag, random)};
    }
    case 4:
      return {with_entities ? Kind::kEntity : Kind::kPut, family, plain,
              DrawValue(tag, random)};
    default:
      return {Kind::kPut, family, plain, DrawValue(tag, random)};
  }
}

Record Mark(const Lineage& lineage, uint32_t family, const std::string& tag) {
  return {Record::Kind::kPut, family, kMark,
          std::to_string(lineage.writes() + 1) + " " + tag};
}

}  // namespace

uint64_t NumberOfMark(const Rows& rows) {
  const auto it = rows.find(kMark);
  if (it == rows.end()) return 0;
  return std::strtoull(it->second.c_str(), nullptr, 10);
}

LoggedWrite DrawBatch(const Lineage& lineage,
                      const std::vector<uint32_t>& families,
                      const std::string& tag, bool with_entities,
                      engine::Random64* random) {
  LoggedWrite write;
  for (const uint32_t family : families) {
    Lineage::Preview rows(lineage.rows(family));
    const uint64_t count = 1 + random->Skewed(random->OneIn(8) ? 5 : 2);
    for (uint64_t i = 0; i < count; ++i) {
      write.records.push_back(
          DrawRecord(rows.get(), family, tag, with_entities, random));
      rows.Apply(write.records.back());
    }
    write.records.push_back(Mark(lineage, family, tag));
  }
  return write;
}

LoggedWrite DrawFiles(const Lineage& lineage,
                      const std::vector<uint32_t>& families,
                      const std::string& tag, engine::Random64* random) {
  LoggedWrite write;
  for (const uint32_t family : families) {
    // A range does not delete keys of its own file, so it comes first.
    if (random->OneIn(3)) write.records.push_back(DrawRange(family, random));
    write.records.push_back(Mark(lineage, family, tag));
    uint64_t key = random->Uniform(kPlainKeys / 2);
    for (; key < kPlainKeys; key += 1 + random->Uniform(kPlainKeys / 2)) {
      write.records.push_back(
          {Record::Kind::kPut, family, Key('k', key), DrawValue(tag, random)});
    }
  }
  return write;
}

namespace {

Status AddStamped(const Record& r, ColumnFamilyHandle* family,
                  const std::string& time, WriteBatch* batch) {
  switch (r.kind) {
    case Record::Kind::kPut:
      return batch->Put(family, r.key, time, r.value);
    case Record::Kind::kDelete:
      return batch->Delete(family, r.key, time);
    case Record::Kind::kSingleDelete:
      return batch->SingleDelete(family, r.key, time);
    case Record::Kind::kDeleteRange:
      return batch->DeleteRange(family, r.key, r.value, time);
    case Record::Kind::kMerge:
      return batch->Merge(family, r.key, time, r.value);
    default:
      return Status::NotSupported("entities with timestamps");
  }
}

}  // namespace

Status FillBatch(const LoggedWrite& write, const Handles& handles,
                 const std::string& time, WriteBatch* batch) {
  Status status;
  // Half of the batches get the time at the end.
  const bool later = !time.empty() && write.records.size() % 2 == 0;
  for (const Record& r : write.records) {
    ColumnFamilyHandle* const family = handles.at(r.family);
    if (!time.empty() && !later) {
      status = AddStamped(r, family, time, batch);
      if (!status.ok()) return status;
      continue;
    }
    switch (r.kind) {
      case Record::Kind::kPut:
        // Some are timed, by their length.
        status = r.value.size() % 8 == 0 && !later
                     ? test::AddTimedPut(batch, family, r.key, r.value, 1)
                     : batch->Put(family, r.key, r.value);
        break;
      case Record::Kind::kDelete:
        status = batch->Delete(family, r.key);
        break;
      case Record::Kind::kSingleDelete:
        status = batch->SingleDelete(family, r.key);
        break;
      case Record::Kind::kDeleteRange:
        status = batch->DeleteRange(family, r.key, r.value);
        break;
      case Record::Kind::kMerge:
        status = batch->Merge(family, r.key, r.value);
        break;
      case Record::Kind::kEntity:
        status = batch->PutEntity(family, r.key,
                                  {{"", r.value}, {"c", ColumnOf(r.value)}});
        break;
    }
    if (!status.ok()) return status;
  }
  if (!later) return status;
  return batch->UpdateTimestamps(time, [&](uint32_t) { return time.size(); });
}

Status WriteFile(const LoggedWrite& write, uint32_t family,
                 const Options& options, const std::string& path) {
  SstFileWriter writer{EnvOptions(), options};
  Status status = writer.Open(path);
  for (const Record& r : write.records) {
    if (r.family != family || !status.ok()) continue;
    status = r.kind == Record::Kind::kDeleteRange
                 ? writer.DeleteRange(r.key, r.value)
                 : writer.Put(r.key, r.value);
  }
  return status.ok() ? writer.Finish() : status;
}

ReadOptions NewestOf(const ColumnFamilyHandle& handle) {
  static const Slice kNewest = MaxU64Ts();
  ReadOptions read;
  if (handle.GetComparator()->timestamp_size() > 0) read.timestamp = &kNewest;
  return read;
}

Rows ReadRows(DB* db, ColumnFamilyHandle* handle, bool backwards,
              Status* status) {
  Rows rows;
  const std::unique_ptr<Iterator> it(
      db->NewIterator(NewestOf(*handle), handle));
  backwards ? it->SeekToLast() : it->SeekToFirst();
  for (; it->Valid(); backwards ? it->Prev() : it->Next()) {
    const WideColumns& columns = it->columns();
    std::string row = it->value().ToString();
    if (columns.size() > 1) {
      const bool whole =
          columns.size() == 2 && columns[1].value().ToString() == ColumnOf(row);
      row = EntityRow(row + (whole ? "" : " with other columns"));
    }
    row = WithoutSign(std::move(row));
    if (!rows.emplace(it->key().ToString(), row).second) {
      rows[it->key().ToString()] = "twice";
    }
  }
  *status = it->status();
  return rows;
}

std::string Difference(const Rows& expected, const Rows& found, bool filtered) {
  const auto shown = [](const std::string& row) { return row.substr(0, 60); };
  for (const auto& [key, row] : expected) {
    const auto it = found.find(key);
    if (it == found.end()) {
      if (filtered && MayBeFilteredOut(key, row)) continue;
      return key + " is missing, was " + shown(row);
    }
    if (it->second != row) {
      return key + " is " + shown(it->second) + ", was " + shown(row);
    }
  }
  for (const auto& [key, row] : found) {
    if (!expected.contains(key)) return key + " is there: " + shown(row);
  }
  return "";
}

}  // namespace ROCKSDB_NAMESPACE::stress
