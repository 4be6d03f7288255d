// Databases written by genuine RocksDB, opened whole: what this release
// supports reads exactly as its writer read it, what it does not support is
// refused in words and left as it was.

#include <gtest/gtest.h>

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
  static constexpr Refusal kBlobFiles = {"blob files", true};
  static constexpr Refusal kEntryType = {"cannot be read by this release",
                                         false};
  static constexpr Refusal kPrepared = {"prepared transactions", true};
  static constexpr Refusal kWideColumns = {"wide column", true};
  static constexpr Refusal kComparator = {"comparator", true};
  static const std::map<std::string, Refusal> kRefusals = {
      {"backup", kBlobFiles},
      {"blob_files", kBlobFiles},
      {"checkpoint", kBlobFiles},
      {"dbbench_universal_blob", kBlobFiles},
      {"prefix_hash_cuckoo_plain", {"plain table", false}},
      {"txn_write_committed", kPrepared},
      {"txn_write_prepared", kPrepared},
      {"txn_write_unprepared", kPrepared},
      {"user_timestamps", kComparator},
      {"v11_blob_direct_write", kBlobFiles},
      {"v11_embedded_blobs", kEntryType},
      {"v11_entity_blobs", kBlobFiles},
      {"v11_timed_put", {"timed puts", true}},
      {"v11_timestamps_stripped", kComparator},
      {"v11_wal_predecessor", kComparator},
      {"v11_wal_predecessor_recycled", kComparator},
      {"wal_compressed", kWideColumns},
      {"wal_only", kWideColumns},
      {"wal_tracked", kBlobFiles},
      {"wide_columns", kWideColumns},
  };
  return kRefusals;
}

using Rows = std::vector<std::pair<std::string, std::string>>;
struct ExpectedFamily {
  std::string name;
  std::string comparator;
  Rows rows;
};

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// Hex, or "BB*N".
std::string ExpectedValue(const std::string& text) {
  const size_t star = text.find('*');
  if (star == std::string::npos) return FromHex(text);
  return std::string(std::stoul(text.substr(star + 1)),
                     FromHex(text.substr(0, star))[0]);
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
      families.back().rows.emplace_back(FromHex(Field(line, "k")),
                                        ExpectedValue(Field(line, "v")));
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

// What the database shows, or the first error.
Status Compare(const fs::path& copy, const std::string& case_name,
               bool read_only, const std::vector<ExpectedFamily>& expected,
               std::string* difference) {
  Opened opened;
  const Status status = Open(copy, case_name, read_only, &opened);
  if (!status.ok()) return status;
  // The expiry wrapper's values end with a time, which it does not show.
  const size_t suffix = case_name == "ttl" ? 4 : 0;
  for (const ExpectedFamily& family : expected) {
    ColumnFamilyHandle* const handle = opened.handles.at(family.name);
    std::unique_ptr<Iterator> it(opened.db->NewIterator(ReadOptions(), handle));
    Rows rows;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      Slice value = it->value();
      value.remove_suffix(suffix);
      rows.emplace_back(it->key().ToString(), value.ToString());
    }
    if (!it->status().ok()) return it->status();
    if (rows != family.rows) {
      *difference += "family " + family.name + ": " +
                     std::to_string(rows.size()) + " rows, expected " +
                     std::to_string(family.rows.size()) + "\n";
    }
    for (const auto& [key, value] : family.rows) {
      std::string got;
      const Status found = opened.db->Get(ReadOptions(), handle, key, &got);
      if (!found.ok()) return found;
      if (got.substr(0, got.size() - suffix) != value) {
        *difference += "Get differs: " + family.name + "\n";
      }
    }
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
