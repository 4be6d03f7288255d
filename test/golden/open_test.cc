// Databases written by genuine RocksDB, opened whole: what this release
// supports reads exactly as its writer read it, what it does not support is
// refused in words and left as it was.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/options_util.h"
#include "test/support/golden.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using test::GoldenFolder;
using test::ReadWholeFile;

// Cases of which this release cannot show everything, and a word its Status
// has to say. "at open": refused before anything is written.
struct Refusal {
  const char* word;
  bool at_open;
};
const std::map<std::string, Refusal>& Refusals() {
  static constexpr Refusal kEntryType = {"cannot be read by this release",
                                         false};
  static constexpr Refusal kPrepared = {"prepared transactions", true};
  static const std::map<std::string, Refusal> kRefusals = {
      {"prefix_hash_cuckoo_plain", {"plain table", false}},
      {"txn_write_committed", kPrepared},
      {"txn_write_prepared", kPrepared},
      {"txn_write_unprepared", kPrepared},
      {"v11_blob_direct_write", {"columns in blob files", false}},
      {"v11_embedded_blobs", kEntryType},
      {"v11_entity_blobs", {"columns in blob files", false}},
  };
  return kRefusals;
}

// One row as the expected texts write it, and its key.
struct Row {
  std::string key;
  std::string text;
  bool operator==(const Row&) const = default;
};
struct ExpectedFamily {
  std::string name;
  std::string comparator;
  std::vector<Row> rows;
};

std::string FromHex(const std::string& hex) {
  std::string bytes;
  EXPECT_TRUE(Slice(hex).DecodeHex(&bytes));
  return bytes;
}

// Hex, or "BB*N".
std::string ValueText(const Slice& value) {
  const std::string first(1, value.empty() ? '\0' : value[0]);
  const bool same =
      value.size() > 64 && value == Slice(std::string(value.size(), first[0]));
  if (!same) return value.ToString(/*hex=*/true);
  return Slice(first).ToString(true) + "*" + std::to_string(value.size());
}

std::string RowText(const Slice& key, const Slice& timestamp,
                    const WideColumns& columns) {
  std::string text = "k=" + key.ToString(true);
  if (!timestamp.empty()) text += " ts=" + timestamp.ToString(true);
  if (columns.empty()) return text + " v=";
  if (columns.size() == 1 && columns[0].name().empty()) {
    return text + " v=" + ValueText(columns[0].value());
  }
  const char* before = " e=";
  for (const WideColumn& column : columns) {
    text +=
        before + column.name().ToString(true) + ":" + ValueText(column.value());
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

std::vector<ExpectedFamily> ReadExpected(const fs::path& file) {
  std::vector<ExpectedFamily> families;
  std::map<std::string, size_t> by_id;
  std::istringstream lines(ReadWholeFile(file));
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

// The bytes of every file that may not change while a database is refused.
std::map<std::string, std::string> Contents(const fs::path& dir) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.starts_with("LOG")) continue;
    if (name == "LOCK" || name == "IDENTITY") continue;
    contents[fs::relative(entry.path(), dir).string()] =
        ReadWholeFile(entry.path());
  }
  return contents;
}

struct Opened {
  std::unique_ptr<DB> db;
  std::map<std::string, ColumnFamilyHandle*> handles;
  ~Opened() {
    for (auto& [name, handle] : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }
};

// What reading depends on, from the OPTIONS file; how to write is our own
// affair. Paths in it are relative to the folder above the case.
Status LoadOptions(const fs::path& copy, const std::string& case_name,
                   DBOptions* options,
                   std::vector<ColumnFamilyDescriptor>* families) {
  const std::string db = (copy / "db").string();
  ConfigOptions config;
  config.ignore_unknown_options = true;
  config.ignore_unsupported_options = true;
  DBOptions written;
  std::vector<ColumnFamilyDescriptor> loaded;
  Status status = LoadLatestOptions(config, db, &written, &loaded);
  if (!status.ok()) return status;
  const auto moved = [&](const std::string& path) {
    const std::string prefix = case_name + "/";
    return path.starts_with(prefix)
               ? (copy / path.substr(prefix.size())).string()
               : path;
  };
  if (case_name == "paths") {  // OPTIONS files do not say these.
    options->db_paths = {{(copy / "path0").string(), 3000},
                         {(copy / "path1").string(), 1000000}};
  }
  if (written.wal_dir.starts_with(case_name)) {
    options->wal_dir = moved(written.wal_dir);
  }
  std::vector<std::string> names;
  status = DB::ListColumnFamilies(*options, db, &names);
  if (!status.ok()) return status;
  for (const std::string& name : names) {
    ColumnFamilyOptions family;
    for (const ColumnFamilyDescriptor& given : loaded) {
      if (given.name != name) continue;
      family.comparator = given.options.comparator;
      family.merge_operator = given.options.merge_operator;
      family.prefix_extractor = given.options.prefix_extractor;
      family.num_levels = given.options.num_levels;
      if (case_name == "paths" && name == "own") {
        family.cf_paths = {{(copy / "cfpath").string(), 1000000}};
      }
    }
    family.disable_auto_compactions = true;
    families->emplace_back(name, family);
  }
  return Status::OK();
}

Status Open(const fs::path& copy, const std::string& case_name, bool read_only,
            Opened* opened) {
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  Status status = LoadOptions(copy, case_name, &options, &families);
  if (!status.ok()) return status;
  const std::string path = (copy / "db").string();
  std::vector<ColumnFamilyHandle*> handles;
  status = read_only ? DB::OpenForReadOnly(options, path, families, &handles,
                                           &opened->db)
                     : DB::Open(options, path, families, &handles, &opened->db);
  for (size_t i = 0; i < handles.size(); ++i) {
    opened->handles[families[i].name] = handles[i];
  }
  return status;
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

// The expiry wrapper's values end with a time, which it does not show.
WideColumns Shown(const WideColumns& columns, const std::string& case_name) {
  WideColumns shown = columns;
  if (case_name == "ttl") {
    for (WideColumn& column : shown) column.value().remove_suffix(4);
  }
  return shown;
}

// What an iterator shows of a family, against the expected rows.
Status CompareScan(DB* db, ColumnFamilyHandle* handle,
                   const std::string& case_name, const ExpectedFamily& family,
                   std::string* difference) {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOf(handle), handle));
  std::vector<Row> rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    EXPECT_TRUE(it->columns().empty() || !it->columns()[0].name().empty() ||
                it->columns()[0].value() == it->value());
    rows.push_back(
        {it->key().ToString(),
         RowText(it->key(), it->timestamp(), Shown(it->columns(), case_name))});
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
Status CompareOtherReads(DB* db, ColumnFamilyHandle* handle,
                         const std::string& case_name,
                         const ExpectedFamily& family,
                         std::string* difference) {
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOf(handle), handle));
  it->SeekToLast();
  for (size_t i = family.rows.size(); i-- > 0 && it->Valid(); it->Prev()) {
    if (RowText(it->key(), it->timestamp(), Shown(it->columns(), case_name)) !=
        family.rows[i].text) {
      *difference += "backwards differs: " + family.rows[i].text + "\n";
    }
  }
  if (!it->status().ok()) return it->status();
  for (const Row& row : family.rows) {
    PinnableWideColumns columns;
    Status found = db->GetEntity(ReadOf(handle), handle, row.key, &columns);
    if (!found.ok()) return found;
    std::string value;
    std::string timestamp;
    found = db->Get(ReadOf(handle), handle, row.key, &value, &timestamp);
    if (!found.ok()) return found;
    if (RowText(row.key, timestamp, Shown(columns.columns(), case_name)) !=
        row.text) {
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

// What the database shows, or the first error.
Status Compare(const fs::path& copy, const std::string& case_name,
               bool read_only, const std::vector<ExpectedFamily>& expected,
               std::string* difference) {
  Opened opened;
  Status status = Open(copy, case_name, read_only, &opened);
  if (!status.ok()) return status;
  for (const ExpectedFamily& family : expected) {
    ColumnFamilyHandle* const handle = opened.handles.at(family.name);
    status =
        CompareScan(opened.db.get(), handle, case_name, family, difference);
    if (!status.ok()) return status;
    status = CompareOtherReads(opened.db.get(), handle, case_name, family,
                               difference);
    if (!status.ok()) return status;
  }
  return read_only ? Status::OK() : opened.db->Close();
}

std::vector<std::string> Cases() {
  std::vector<std::string> cases;
  for (const fs::path& file : test::GoldenFiles([](const fs::path& path) {
         return path.filename() == "expected.txt";
       })) {
    cases.push_back(
        fs::relative(file.parent_path(), GoldenFolder()).generic_string());
  }
  if (cases.empty()) cases.emplace_back("none");
  return cases;
}

class GoldenDatabase : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenDatabase, OpensOrIsRefused) {
  if (GetParam() == "none") {
    RIVERSTONE_SKIP_WITHOUT(std::vector<int>());
  }
  const fs::path source = GoldenFolder() / GetParam();
  const std::vector<ExpectedFamily> expected =
      ReadExpected(source / "expected.txt");
  const std::string name = source.filename().string();
  const auto refused = Refusals().find(name);
  for (const bool read_only : {true, false}) {
    const test::TempDir dir;
    const fs::path copy = dir.File("case");
    fs::copy(source, copy, fs::copy_options::recursive);
    const auto before = Contents(copy);
    std::string difference;
    const Status status = Compare(copy, name, read_only, expected, &difference);
    const auto after = Contents(copy);
    if (read_only) {
      EXPECT_EQ(before, after);
    }
    if (refused == Refusals().end()) {
      EXPECT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ("", difference);
      continue;
    }
    EXPECT_FALSE(status.ok());
    EXPECT_NE(std::string::npos, status.ToString().find(refused->second.word))
        << status.ToString();
    for (const auto& [file, bytes] : before) {
      // An opened database may go on to a new log and MANIFEST; what it cannot
      // read it must not touch.
      const bool table = file.ends_with(".sst") || file.ends_with(".blob");
      if (!table && !refused->second.at_open) continue;
      EXPECT_TRUE(after.contains(file) && after.at(file) == bytes) << file;
    }
  }
}

std::string TestName(const ::testing::TestParamInfo<std::string>& tested) {
  std::string name;
  for (const char c : tested.param) {
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenDatabase, ::testing::ValuesIn(Cases()),
                         TestName);

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
