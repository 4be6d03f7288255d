#include "test/support/golden_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/wide_columns.h"
#include "test/support/golden.h"

namespace ROCKSDB_NAMESPACE::test {

namespace fs = std::filesystem;

namespace {

std::string FromHex(const std::string& hex) {
  std::string bytes;
  EXPECT_TRUE(Slice(hex).DecodeHex(&bytes));
  return bytes;
}

std::string RowText(const Slice& key, const Slice& timestamp,
                    const WideColumns& columns) {
  std::string text = "k=" + key.ToString(true);
  if (!timestamp.empty()) text += " ts=" + timestamp.ToString(true);
  if (columns.empty()) return text + " v=";
  if (columns.size() == 1 && columns[0].name().empty()) {
    return text + " v=" + GoldenValueText(columns[0].value());
  }
  const char* before = " e=";
  for (const WideColumn& column : columns) {
    text += before + column.name().ToString(true) + ":" +
            GoldenValueText(column.value());
    before = ",";
  }
  return text;
}

std::string Field(const std::string& line, const std::string& name) {
  const size_t at = line.find(name + "=");
  if (at == std::string::npos) return "";
  const size_t from = at + name.size() + 1;
  return line.substr(from, line.find(' ', from) - from);
}

// Later than everything the cases hold.
const Slice kReadTime("\xe8\x03\0\0\0\0\0\0", 8);

ReadOptions ReadOf(ColumnFamilyHandle* handle) {
  ReadOptions read;
  if (handle->GetComparator()->timestamp_size() > 0) {
    read.timestamp = &kReadTime;
  }
  return read;
}

// What has to be as it was written for anything to be readable.
void TakeWhatReadingNeeds(const ColumnFamilyOptions& written,
                          ColumnFamilyOptions* family) {
  family->comparator = written.comparator;
  family->merge_operator = written.merge_operator;
  family->prefix_extractor = written.prefix_extractor;
  family->num_levels = written.num_levels;
}

// All of it, as far as it can be written here.
void TakeAll(const ColumnFamilyOptions& written, ColumnFamilyOptions* family) {
  *family = written;
  family->compaction_style = kCompactionStyleLevel;
  const auto* table =
      written.table_factory->GetOptions<BlockBasedTableOptions>();
  BlockBasedTableOptions written_here;
  if (table != nullptr) written_here = *table;
  written_here.format_version = std::max(written_here.format_version, 2u);
  family->table_factory.reset(NewBlockBasedTableFactory(written_here));
}

}  // namespace

std::string GoldenValueText(const Slice& value) {
  const std::string first(1, value.empty() ? '\0' : value[0]);
  const bool same =
      value.size() > 64 && value == Slice(std::string(value.size(), first[0]));
  if (!same) return value.ToString(/*hex=*/true);
  return Slice(first).ToString(true) + "*" + std::to_string(value.size());
}

std::vector<GoldenFamily> ReadGoldenText(const std::string& text) {
  std::vector<GoldenFamily> families;
  std::map<std::string, size_t> by_id;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("cf ")) {
      by_id[Field(line, "id")] = families.size();
      families.push_back(
          {FromHex(Field(line, "name")), Field(line, "comparator"), {}});
    } else if (line.starts_with("k=")) {
      families.back().rows.push_back({FromHex(Field(line, "k")), line});
    } else if (line.starts_with("same-as ")) {
      families.back().rows = families[by_id.at(Field(line, "id"))].rows;
    }
  }
  return families;
}

std::vector<std::string> GoldenCases() {
  std::vector<std::string> cases;
  for (const fs::path& file : GoldenFiles([](const fs::path& path) {
         return path.filename() == "expected.txt";
       })) {
    cases.push_back(
        fs::relative(file.parent_path(), GoldenFolder()).generic_string());
  }
  if (cases.empty()) cases.emplace_back("none");
  return cases;
}

std::string GoldenTestName(const std::string& path) {
  std::string name;
  for (const char c : path) {
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  }
  return name;
}

OpenedFamilies::~OpenedFamilies() {
  for (auto& [name, handle] : handles) {
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
}

GoldenCopy::GoldenCopy(const fs::path& source, const fs::path& folder)
    : folder_(folder),
      name_(source.filename().string()),
      expected_(ReadGoldenText(ReadWholeFile(source / "expected.txt"))) {
  fs::copy(source, folder, fs::copy_options::recursive);
}

// Paths in an OPTIONS file are relative to the folder above the case.
Status GoldenCopy::LoadOptions(
    GoldenOpening opening, DBOptions* options,
    std::vector<ColumnFamilyDescriptor>* families) const {
  ConfigOptions config;
  config.ignore_unknown_options = true;
  config.ignore_unsupported_options = true;
  DBOptions written;
  std::vector<ColumnFamilyDescriptor> loaded;
  Status status = LoadLatestOptions(config, db(), &written, &loaded);
  if (!status.ok()) return status;
  if (opening == GoldenOpening::kAsWriter) *options = written;
  options->stats_dump_period_sec = 0;
  if (name_ == "paths") {  // OPTIONS files do not say these.
    options->db_paths = {{(folder_ / "path0").string(), 3000},
                         {(folder_ / "path1").string(), 1000000}};
  }
  const std::string prefix = name_ + "/";
  options->wal_dir.clear();
  if (written.wal_dir.starts_with(prefix)) {
    options->wal_dir = (folder_ / written.wal_dir.substr(prefix.size()));
  }
  std::vector<std::string> names;
  status = DB::ListColumnFamilies(*options, db(), &names);
  if (!status.ok()) return status;
  for (const std::string& name : names) {
    ColumnFamilyOptions family;
    for (const ColumnFamilyDescriptor& given : loaded) {
      if (given.name != name) continue;
      if (opening == GoldenOpening::kAsWriter) {
        TakeAll(given.options, &family);
      } else {
        TakeWhatReadingNeeds(given.options, &family);
      }
    }
    if (name_ == "paths" && name == "own") {
      family.cf_paths = {{(folder_ / "cfpath").string(), 1000000}};
    }
    family.disable_auto_compactions = true;
    families->emplace_back(name, family);
  }
  return Status::OK();
}

Status GoldenCopy::Open(GoldenOpening opening, OpenedFamilies* opened) const {
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  Status status = LoadOptions(opening, &options, &families);
  if (!status.ok()) return status;
  std::vector<ColumnFamilyHandle*> handles;
  status =
      opening == GoldenOpening::kReadOnly
          ? DB::OpenForReadOnly(options, db(), families, &handles, &opened->db)
          : DB::Open(options, db(), families, &handles, &opened->db);
  for (size_t i = 0; i < handles.size(); ++i) {
    opened->handles[families[i].name] = handles[i];
  }
  return status;
}

// The expiry wrapper's values end with a time, which it does not show.
WideColumns GoldenCopy::Shown(const WideColumns& columns) const {
  WideColumns shown = columns;
  for (WideColumn& column : shown) {
    column.value().remove_suffix(hidden_suffix());
  }
  return shown;
}

Status GoldenCopy::CompareScan(DB* db, ColumnFamilyHandle* handle,
                               const GoldenFamily& family,
                               std::string* difference) const {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOf(handle), handle));
  std::vector<GoldenRow> rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    EXPECT_TRUE(it->columns().empty() || !it->columns()[0].name().empty() ||
                it->columns()[0].value() == it->value());
    rows.push_back({it->key().ToString(),
                    RowText(it->key(), it->timestamp(), Shown(it->columns()))});
  }
  if (!it->status().ok()) return it->status();
  if (rows == family.rows) return Status::OK();
  *difference += "family " + family.name + ": " + std::to_string(rows.size()) +
                 " rows, expected " + std::to_string(family.rows.size()) + "\n";
  for (size_t i = 0; i < std::max(rows.size(), family.rows.size()); ++i) {
    const std::string found = i < rows.size() ? rows[i].text : "nothing";
    const std::string wanted =
        i < family.rows.size() ? family.rows[i].text : "nothing";
    if (found == wanted) continue;
    *difference += "found " + found + "\nexpected " + wanted + "\n";
    break;
  }
  return Status::OK();
}

// The same rows backwards and one by one.
Status GoldenCopy::CompareOtherReads(DB* db, ColumnFamilyHandle* handle,
                                     const GoldenFamily& family,
                                     std::string* difference) const {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOf(handle), handle));
  it->SeekToLast();
  for (size_t i = family.rows.size(); i-- > 0 && it->Valid(); it->Prev()) {
    if (RowText(it->key(), it->timestamp(), Shown(it->columns())) !=
        family.rows[i].text) {
      *difference += "backwards differs: " + family.rows[i].text + "\n";
    }
  }
  if (!it->status().ok()) return it->status();
  for (const GoldenRow& row : family.rows) {
    PinnableWideColumns columns;
    Status found = db->GetEntity(ReadOf(handle), handle, row.key, &columns);
    if (!found.ok()) return found;
    std::string value;
    std::string timestamp;
    found = db->Get(ReadOf(handle), handle, row.key, &value, &timestamp);
    if (!found.ok()) return found;
    if (RowText(row.key, timestamp, Shown(columns.columns())) != row.text) {
      *difference += "GetEntity differs: " + row.text + "\n";
    }
    const bool has_default =
        !columns.columns().empty() && columns.columns()[0].name().empty();
    if (value != (has_default ? columns.columns()[0].value() : Slice())) {
      *difference += "Get differs: " + row.text + "\n";
    }
  }
  return Status::OK();
}

Status GoldenCopy::Compare(const OpenedFamilies& opened,
                           std::string* difference) const {
  for (const GoldenFamily& family : expected_) {
    ColumnFamilyHandle* const handle = opened.handles.at(family.name);
    DB* const db = opened.db.get();
    Status status = CompareScan(db, handle, family, difference);
    if (!status.ok()) return status;
    status = CompareOtherReads(db, handle, family, difference);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::test
