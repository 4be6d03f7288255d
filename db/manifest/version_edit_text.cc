// VersionEdit as text: what `ldb manifest_dump` prints.

#include "db/manifest/version_edit.h"
#include "rocksdb/unique_id.h"
#include "table/table_unique_id.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

void Line(std::string* out, const char* name, const std::string& value) {
  *out += "\n  ";
  *out += name;
  *out += ": ";
  *out += value;
}

void LineIf(std::string* out, const char* name,
            const std::optional<uint64_t>& value) {
  if (value.has_value()) Line(out, name, std::to_string(*value));
}

std::string FileText(const NewFile& added, bool hex) {
  const FileMetaData& f = *added.file;
  std::string text = std::to_string(added.level) + " " +
                     std::to_string(f.number) + " " + std::to_string(f.size) +
                     " " + f.smallest.DebugString(hex) + " .. " +
                     f.largest.DebugString(hex);
  if (f.oldest_blob_file != kNoBlobFile) {
    text += " blob_file:" + std::to_string(f.oldest_blob_file);
  }
  if (f.path_id != 0) text += " path_id:" + std::to_string(f.path_id);
  if (f.marked_for_compaction) text += " marked_for_compaction";
  text +=
      " oldest_ancester_time:" + std::to_string(f.oldest_ancestor_time_secs);
  text += " file_creation_time:" + std::to_string(f.creation_time_secs);
  if (f.epoch != kUnknownEpoch)
    text += " epoch_number:" + std::to_string(f.epoch);
  text += " file_checksum:" + Slice(f.checksum).ToString(true);
  text += " file_checksum_func_name: " + (f.checksum_function.empty()
                                              ? std::string("Unknown")
                                              : f.checksum_function);
  if (f.temperature != Temperature::kUnknown) {
    text +=
        " temperature: " + std::to_string(static_cast<uint64_t>(f.temperature));
  }
  if (f.has_unique_id()) {
    text += " unique_id(internal): {" + std::to_string(f.unique_id[0]) + "," +
            std::to_string(f.unique_id[1]) + "}";
    uint64_t shown[2] = {f.unique_id[0], f.unique_id[1]};
    InternalToPublicUniqueId(shown);
    std::string bytes;
    PutFixed64(&bytes, shown[0]);
    PutFixed64(&bytes, shown[1]);
    text += " public_unique_id: " + UniqueIdToHumanString(bytes);
  }
  if (f.tail_bytes != 0) text += " tail size:" + std::to_string(f.tail_bytes);
  if (!f.timestamps_persisted) text += " timestamps not persisted";
  return text;
}

void FilesText(const VersionEdit& edit, bool hex, std::string* out) {
  for (const CompactCursor& cursor : edit.compact_cursors) {
    Line(out, "CompactCursor",
         std::to_string(cursor.level) + " " + cursor.key.DebugString(hex));
  }
  for (const DeletedFile& f : edit.deleted_files) {
    Line(out, "DeleteFile",
         std::to_string(f.level) + " " + std::to_string(f.number));
  }
  for (const NewFile& f : edit.new_files) {
    Line(out, "AddFile", FileText(f, hex));
  }
  for (const BlobFileAddition& b : edit.blob_additions) {
    Line(out, "BlobFileAddition",
         "blob_file_number: " + std::to_string(b.number) +
             " total_blob_count: " + std::to_string(b.blob_count) +
             " total_blob_bytes: " + std::to_string(b.blob_bytes) +
             " checksum_method: " + b.checksum_method +
             " checksum_value: " + Slice(b.checksum_value).ToString(true));
  }
  for (const BlobFileGarbage& b : edit.blob_garbage) {
    Line(out, "BlobFileGarbage",
         "blob_file_number: " + std::to_string(b.number) +
             " garbage_blob_count: " + std::to_string(b.blob_count) +
             " garbage_blob_bytes: " + std::to_string(b.blob_bytes));
  }
}

// A growing JSON object.
class Json {
 public:
  void Add(const char* name, uint64_t value) {
    Key(name);
    text_ += std::to_string(value);
  }
  void AddIf(const char* name, const std::optional<uint64_t>& value) {
    if (value.has_value()) Add(name, *value);
  }
  void Add(const char* name, const std::string& value) {
    Key(name);
    text_ += Quoted(value);
  }
  void AddRaw(const char* name, const std::string& json) {
    Key(name);
    text_ += json;
  }
  std::string Take() { return "{" + text_ + "}"; }

 private:
  static std::string Quoted(const std::string& value) {
    std::string out = "\"";
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (byte < 0x20 || byte >= 0x7f) {
        out += "\\u00" + Slice(&c, 1).ToString(true);
      } else {
        out += c;
      }
    }
    return out + "\"";
  }
  void Key(const char* name) {
    if (!text_.empty()) text_ += ", ";
    text_ += "\"" + std::string(name) + "\": ";
  }

  std::string text_;
};

std::string Array(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += item;
  }
  return out + "]";
}

std::string FilesJson(const std::vector<NewFile>& files, bool hex) {
  std::vector<std::string> items;
  for (const NewFile& added : files) {
    const FileMetaData& f = *added.file;
    Json item;
    item.Add("Level", static_cast<uint64_t>(added.level));
    item.Add("FileNumber", f.number);
    item.Add("FileSize", f.size);
    item.Add("SmallestIKey", f.smallest.DebugString(hex));
    item.Add("LargestIKey", f.largest.DebugString(hex));
    item.Add("OldestAncesterTime", f.oldest_ancestor_time_secs);
    item.Add("FileCreationTime", f.creation_time_secs);
    item.Add("EpochNumber", f.epoch);
    item.Add("FileChecksum", Slice(f.checksum).ToString(true));
    item.Add("FileChecksumFuncName", f.checksum_function);
    items.push_back(item.Take());
  }
  return Array(items);
}

}  // namespace

std::string VersionEdit::DebugString(bool hex) const {
  std::string out = "VersionEdit {";
  if (db_id.has_value()) Line(&out, "DB ID", *db_id);
  if (comparator_name.has_value()) Line(&out, "Comparator", *comparator_name);
  if (persist_timestamps.has_value()) {
    Line(&out, "PersistUserDefinedTimestamps",
         *persist_timestamps ? "true" : "false");
  }
  LineIf(&out, "LogNumber", log_number);
  LineIf(&out, "PrevLogNumber", prev_log_number);
  LineIf(&out, "NextFileNumber", next_file_number);
  if (max_column_family.has_value()) {
    Line(&out, "MaxColumnFamily", std::to_string(*max_column_family));
  }
  LineIf(&out, "MinLogNumberToKeep", min_log_number_to_keep);
  LineIf(&out, "LastSeq", last_sequence);
  FilesText(*this, hex, &out);
  for (const WalAddition& wal : wal_additions) {
    Line(&out, "WalAddition",
         "log_number: " + std::to_string(wal.number) +
             " synced_size_in_bytes: " +
             (wal.synced_bytes.has_value() ? std::to_string(*wal.synced_bytes)
                                           : std::string("unknown")));
  }
  if (wals_deleted_below.has_value()) {
    Line(&out, "WalDeletion",
         "log_number: " + std::to_string(*wals_deleted_below));
  }
  Line(&out, "ColumnFamily", std::to_string(column_family));
  if (added_family.has_value()) Line(&out, "ColumnFamilyAdd", *added_family);
  if (drops_family) out += "\n  ColumnFamilyDrop";
  if (atomic_group_remaining.has_value()) {
    Line(&out, "AtomicGroup",
         std::to_string(*atomic_group_remaining) + " entries remains");
  }
  if (full_history_ts_low.has_value()) {
    Line(&out, "FullHistoryTsLow", Slice(*full_history_ts_low).ToString(true));
  }
  LineIf(&out, "LastCompactedManifestFileSize", manifest_rewritten_bytes);
  return out + "\n}\n";
}

std::string VersionEdit::DebugJson(int edit_number, bool hex) const {
  Json json;
  json.Add("EditNumber", static_cast<uint64_t>(edit_number));
  if (db_id.has_value()) json.Add("DB ID", *db_id);
  if (comparator_name.has_value()) json.Add("Comparator", *comparator_name);
  json.AddIf("LogNumber", log_number);
  json.AddIf("PrevLogNumber", prev_log_number);
  json.AddIf("NextFileNumber", next_file_number);
  if (max_column_family.has_value()) {
    json.Add("MaxColumnFamily", *max_column_family);
  }
  json.AddIf("MinLogNumberToKeep", min_log_number_to_keep);
  json.AddIf("LastSeq", last_sequence);
  if (!deleted_files.empty()) {
    std::vector<std::string> items;
    for (const DeletedFile& f : deleted_files) {
      Json item;
      item.Add("Level", static_cast<uint64_t>(f.level));
      item.Add("FileNumber", f.number);
      items.push_back(item.Take());
    }
    json.AddRaw("DeletedFiles", Array(items));
  }
  if (!new_files.empty()) {
    json.AddRaw("AddedFiles", FilesJson(new_files, hex));
  }
  json.Add("ColumnFamily", column_family);
  if (added_family.has_value()) json.Add("ColumnFamilyAdd", *added_family);
  if (drops_family) json.Add("ColumnFamilyDrop", std::string());
  if (atomic_group_remaining.has_value()) {
    json.Add("AtomicGroup", *atomic_group_remaining);
  }
  return json.Take();
}

}  // namespace ROCKSDB_NAMESPACE::engine
