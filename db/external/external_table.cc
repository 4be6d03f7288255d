#include "db/external/external_table.h"

#include <cassert>
#include <string>

#include "env/file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_system.h"
#include "table/format/properties.h"
#include "table/table_reader.h"
#include "table/timestamps.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint32_t kVersionWithSequence = 2;

Result<std::unique_ptr<TableReader>> OpenTable(const ExternalTableCheck& check,
                                               const std::string& path,
                                               uint64_t size) {
  const StoreContext& store = *check.store;
  auto file = RandomAccessFileReader::Open(
      store.fs, path, FileOptions(store.options),
      {store.statistics, SST_READ_MICROS, store.clock,
       store.options.rate_limiter.get()});
  if (!file.ok()) return file.status();
  TableReadOptions options;
  options.icmp = check.icmp;
  options.table = check.table;
  // The file gets another name, and may be refused: nothing of it is kept.
  options.table.block_cache = nullptr;
  options.table.no_block_cache = true;
  options.table.cache_index_and_filter_blocks = false;
  options.skip_filters = true;
  options.statistics = store.statistics;
  options.info_log = store.info_log;
  return TableReader::Open(options, std::move(*file), size);
}

const std::string* Find(const TableProperties& properties, const char* name) {
  const auto it = properties.user_collected_properties.find(name);
  return it == properties.user_collected_properties.end() ? nullptr
                                                          : &it->second;
}

Status CheckProperties(const ExternalTableCheck& check, ExternalTable* table) {
  const TableProperties& properties = *table->properties;
  const std::string* const version = Find(properties, kExternalVersionProperty);
  if (version == nullptr) {
    return Status::InvalidArgument("External file version not found",
                                   table->path);
  }
  const std::string* const sequence = Find(properties, kGlobalSequenceProperty);
  assert(version->size() == sizeof(uint32_t));  // Else the table is not opened.
  if (DecodeFixed32(version->data()) != kVersionWithSequence ||
      sequence == nullptr || sequence->size() != sizeof(uint64_t) ||
      properties.external_sst_file_global_seqno_offset == 0) {
    return Status::InvalidArgument(
        "External file version is not supported, expected 2", table->path);
  }
  table->stored_sequence = DecodeFixed64(sequence->data());
  const char* const comparator = check.icmp->user_comparator()->Name();
  if (!properties.comparator_name.empty() &&
      properties.comparator_name != comparator) {
    return Status::InvalidArgument(
        table->path + ": expected comparator " + comparator,
        "found " + properties.comparator_name);
  }
  const uint64_t any_family =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  if (properties.column_family_id != any_family &&
      properties.column_family_id != check.family_id) {
    return Status::InvalidArgument("External file column family id don't match",
                                   table->path);
  }
  if (properties.num_entries == 0) {
    return Status::InvalidArgument("File contain no entries", table->path);
  }
  return Status::OK();
}

Status ReadBound(const InternalIterator& iter, ExternalTable* table,
                 InternalKey* bound) {
  RETURN_IF_ERROR(iter.status());
  ParsedInternalKey key;
  if (!iter.Valid() || !ParseInternalKey(iter.key(), &key)) {
    return Status::Corruption("no sound key at an end of " + table->path);
  }
  if (key.sequence != table->stored_sequence) {
    return Status::InvalidArgument("External file has non zero sequence number",
                                   table->path);
  }
  if (key.type == ValueType::kBlobIndex) {
    return Status::NotSupported("tables with values in blob files",
                                table->path);
  }
  bound->DecodeFrom(iter.key());
  return Status::OK();
}

// A range deletion of the table reaches up to, not including, its end.
void Widen(const InternalKeyComparator& icmp, const RangeTombstone& tombstone,
           ExternalTable* table) {
  const InternalKey begin(tombstone.begin, tombstone.sequence,
                          ValueType::kRangeDeletion);
  const InternalKey end(tombstone.end, kSequenceMax, ValueType::kRangeDeletion);
  if (!table->smallest.Valid() || icmp.Compare(begin, table->smallest) < 0) {
    table->smallest = begin;
  }
  if (!table->largest.Valid() || icmp.Compare(end, table->largest) > 0) {
    table->largest = end;
  }
}

Status CheckLength(const Slice& user_key, size_t timestamp_size,
                   const std::string& path) {
  if (user_key.size() >= timestamp_size) return Status::OK();
  return Status::Corruption(
      path + ": expected keys with timestamps of " +
          std::to_string(timestamp_size) + " bytes",
      "found a key of " + std::to_string(user_key.size()) + " bytes");
}

// The versions of keys around all that the table has. A damaged table, or one
// written in another order under the same name, has ends that enclose nothing.
Status SurroundKeys(const InternalKeyComparator& icmp, ExternalTable* table) {
  const Comparator& order = *icmp.user_comparator();
  const Slice smallest = table->smallest.user_key();
  const Slice largest = table->largest.user_key();
  const size_t timestamp_size = order.timestamp_size();
  RETURN_IF_ERROR(CheckLength(smallest, timestamp_size, table->path));
  RETURN_IF_ERROR(CheckLength(largest, timestamp_size, table->path));
  table->first = BeforeVersions(smallest, order);
  table->last = WithTimestamp(largest, MinTimestampOf(order));
  if (icmp.CompareUserKey(table->first, table->last) <= 0) return Status::OK();
  return Status::Corruption(table->path + ": expected keys in ascending order",
                            "found " + smallest.ToString(true) + " first and " +
                                largest.ToString(true) + " last");
}

}  // namespace

Result<ExternalTable> ReadExternalTable(const ExternalTableCheck& check,
                                        const std::string& path) {
  ExternalTable table;
  table.path = path;
  RETURN_IF_ERROR(
      check.store->fs->GetFileSize(path, IOOptions(), &table.size, nullptr));
  auto opened = OpenTable(check, path, table.size);
  if (!opened.ok()) return opened.status();
  const TableReader& reader = **opened;
  table.properties = reader.properties();
  RETURN_IF_ERROR(CheckProperties(check, &table));
  ReadOptions read;
  read.readahead_size = check.verify_readahead_bytes;
  if (check.verify_checksums) RETURN_IF_ERROR(reader.VerifyChecksums(read));
  read.readahead_size = 0;
  const std::unique_ptr<InternalIterator> iter(
      reader.NewIterator(read, TableReadPurpose::kVerify));
  const TombstoneSet* const tombstones = reader.tombstones().get();
  iter->SeekToFirst();
  if (iter->Valid() || !iter->status().ok() || tombstones == nullptr) {
    RETURN_IF_ERROR(ReadBound(*iter, &table, &table.smallest));
    iter->SeekToLast();
    RETURN_IF_ERROR(ReadBound(*iter, &table, &table.largest));
  }
  for (size_t i = 0; tombstones != nullptr && i < tombstones->num_tombstones();
       ++i) {
    Widen(*check.icmp, tombstones->tombstone(i), &table);
  }
  RETURN_IF_ERROR(SurroundKeys(*check.icmp, &table));
  return table;
}

}  // namespace ROCKSDB_NAMESPACE::engine
