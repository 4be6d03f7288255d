// check and scan: walk the entries between two user keys.

#include "table/blob/blob_format.h"
#include "tools/sst_dump/sst_dump.h"
#include "util/compression/compression.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

std::string BlobIndexText(const Slice& value) {
  BlobIndex index;
  const Status status = index.DecodeFrom(value);
  if (!status.ok()) return status.ToString();
  return "[blob ref] file:" + std::to_string(index.file_number) +
         " offset:" + std::to_string(index.offset) +
         " size:" + std::to_string(index.size) +
         " compression: " + CompressionTypeName(index.compression);
}

void PrintEntry(const ParsedInternalKey& key, const Slice& value,
                const Flags& flags) {
  const std::string user_key = key.user_key.ToString(flags.output_hex);
  const std::string shown =
      flags.decode_blob_index && key.type == ValueType::kBlobIndex
          ? BlobIndexText(value)
          : value.ToString(flags.output_hex);
  std::fwrite("'", 1, 1, stdout);
  std::fwrite(user_key.data(), 1, user_key.size(), stdout);
  std::printf("' seq:%llu, type:%u => ",
              static_cast<unsigned long long>(key.sequence),
              static_cast<unsigned>(key.type));
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fwrite("\n", 1, 1, stdout);
}

void PrintJson(const ParsedInternalKey& key, const Slice& value, bool hex) {
  JsonWriter object;
  object.Add("key", JsonText(key.user_key, hex))
      .Add("sequence", key.sequence)
      .Add("type", static_cast<unsigned>(key.type))
      .Add("value", JsonText(value, hex));
  const std::string line = std::move(object).Finish() + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
}

}  // namespace

Status RunScan(const TableFile& file, const Flags& flags, bool print,
               uint64_t* rows_left) {
  ReadOptions read;
  read.verify_checksums = flags.verify_checksum;
  read.readahead_size = flags.readahead_bytes;
  const std::unique_ptr<InternalIterator> it(
      file.table->NewIterator(read, TableReadPurpose::kVerify));
  const std::string& start = flags.has_from ? flags.from : flags.prefix;
  if (start.empty()) {
    it->SeekToFirst();
  } else {
    it->Seek(InternalKey(start, kSequenceMax, kTypeForSeek).Encode());
  }
  for (; it->Valid() && *rows_left > 0; it->Next(), --*rows_left) {
    ParsedInternalKey key;
    if (!ParseInternalKey(it->key(), &key)) {
      return Status::Corruption("internal key too short in " + file.path);
    }
    if (!IsStoredPointType(key.type)) {
      return Status::Corruption("unknown entry type in " + file.path,
                                key.DebugString());
    }
    if (flags.has_to &&
        file.icmp->CompareUserKey(key.user_key, flags.to) >= 0) {
      break;
    }
    if (!flags.prefix.empty() && !key.user_key.starts_with(flags.prefix)) {
      break;
    }
    if (!print) continue;
    if (flags.json) {
      PrintJson(key, it->value(), flags.output_hex);
    } else {
      PrintEntry(key, it->value(), flags);
    }
  }
  return it->status();
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
