// The OPTIONS file: ours, and those that genuine releases wrote.

#include "db/options/options_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "db/options/objects.h"
#include "db/options/options_doc.h"
#include "rocksdb/utilities/options_util.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

namespace fs = std::filesystem;

std::string Read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Databases written by genuine releases, if they are at hand.
fs::path GoldenRoot() {
  const char* given = std::getenv("RIVERSTONE_GOLDEN");
  return given != nullptr ? given : "../shared/golden";
}

std::vector<fs::path> GoldenOptionsFiles(const std::string& release) {
  std::vector<fs::path> files;
  if (!fs::exists(GoldenRoot() / release)) return files;
  for (const auto& entry :
       fs::recursive_directory_iterator(GoldenRoot() / release)) {
    if (entry.path().filename().string().starts_with("OPTIONS-")) {
      files.push_back(entry.path());
    }
  }
  return files;
}

std::vector<ColumnFamilyDescriptor> OneFamily(
    const ColumnFamilyOptions& options) {
  return {ColumnFamilyDescriptor(kDefaultColumnFamilyName, options)};
}

// Compares one setting of a genuine file with what was read from it. Structs
// member by member: releases write them in different order.
void ExpectSame(FieldTable fields, const void* object, const std::string& name,
                const std::string& value, const std::string& where) {
  const OptionField* field = FindField(fields, name);
  ASSERT_NE(field, nullptr) << where << ": " << name;
  const FieldTable members = field->kind->fields();
  if (!members.empty()) {
    const Result<std::vector<Setting>> settings = SplitSettings(value);
    ASSERT_TRUE(settings.ok());
    for (const auto& [member, text] : *settings) {
      ExpectSame(members, field->Of(object), member, text, where + " " + name);
    }
    return;
  }
  const std::string text =
      PrintField(*field, TextMode{.shallow = true}, object);
  // An object this library does not have is left out.
  const bool missing =
      std::string_view(field->kind->type) == "object" &&
      (text == "nullptr" || name == "comparator" || field->Has(kNotStored));
  if (missing) return;
  EXPECT_EQ(text, value) << where << ": " << name;
}

// Walks the settings of a genuine file beside what was read from it.
void ExpectNothingLost(const std::string& text, const DBOptions& db,
                       const std::vector<ColumnFamilyDescriptor>& families,
                       const std::string& where) {
  std::istringstream lines(text);
  size_t family = 0;
  FieldTable fields;
  const void* object = nullptr;
  for (std::string line; std::getline(lines, line);) {
    const std::string setting(TrimText(line));
    if (setting.starts_with("[DBOptions")) {
      fields = DbOptionFields();
      object = &db;
    } else if (setting.starts_with("[CFOptions")) {
      fields = CfOptionFields();
      object = &families.at(family++).options;
    } else if (setting.starts_with("[TableOptions/BlockBasedTable")) {
      fields = BlockBasedTableOptionFields();
      object = families.at(family - 1)
                   .options.table_factory->GetOptions<BlockBasedTableOptions>();
    } else if (setting.starts_with("[")) {
      object = nullptr;
    } else if (object != nullptr && !setting.empty() && setting[0] != '#') {
      const size_t equals = setting.find('=');
      ExpectSame(fields, object, setting.substr(0, equals),
                 setting.substr(equals + 1), where);
    }
  }
}

TEST(OptionsFile, WhatIsWrittenIsReadBack) {
  DBOptions db;
  db.wal_dir = "/w#a:l\\";
  db.max_background_jobs = 5;
  db.metadata_write_temperature = Temperature::kWarm;
  ColumnFamilyOptions cf;
  cf.compaction_tuning = CompactionTuning::kAdvise;
  cf.auto_tuned_compaction = true;
  cf.last_level_temperature = Temperature::kIce;
  cf.block_protection_bytes_per_key = 4;
  cf.compression_opts.checksum = true;
  cf.compression_opts.level = 7;
  BlockBasedTableOptions table;
  table.block_size = 12345;
  table.decouple_partitioned_filters = false;
  cf.table_factory.reset(NewBlockBasedTableFactory(table));
  std::vector<ColumnFamilyDescriptor> families = OneFamily(cf);
  families.emplace_back("two \"quoted\" #; {x}", ColumnFamilyOptions());

  const std::string text = OptionsFileText(db, families);
  DBOptions db_read;
  std::vector<ColumnFamilyDescriptor> read;
  const Status status =
      ParseOptionsFile(text, "OPTIONS", TextMode(), &db_read, &read);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(OptionsFileText(db_read, read), text);
  EXPECT_EQ(db_read.wal_dir, db.wal_dir);
  EXPECT_EQ(db_read.metadata_write_temperature, Temperature::kWarm);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].name, "two \"quoted\" #; {x}");
  EXPECT_TRUE(read[0].options.auto_tuned_compaction);
  EXPECT_EQ(read[0].options.compaction_tuning, CompactionTuning::kAdvise);
  EXPECT_TRUE(read[0].options.compression_opts.checksum);
  EXPECT_EQ(read[0].options.compression_opts.level, 7);
  EXPECT_NE(text.find("# riverstone: auto_tuned_compaction=true\n"),
            std::string::npos);
}

// RocksDB 7.8.3 reads them, too.
TEST(OptionsFile, WhatOnlyOldReleasesWroteIsDropped) {
  const auto parse = [](const std::string& fifo, DBOptions* db,
                        std::vector<ColumnFamilyDescriptor>* families) {
    const std::string text =
        "[Version]\n  rocksdb_version=5.8.0\n  options_file_version=1.1\n"
        "[DBOptions]\n  seq_per_batch=false\n  disable_data_sync=false\n"
        "  max_open_files=77\n"
        "[CFOptions \"default\"]\n  compaction_measure_io_stats=false\n"
        "  table_properties_collectors=\n"
        "  memtable_prefix_bloom_huge_page_tlb_size=0\n"
        "  compaction_options_fifo=" +
        fifo + "\n  ttl=5\n";
    return ParseOptionsFile(text, "OPTIONS", TextMode(), db, families);
  };
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  Status status =
      parse("{allow_compaction=true;ttl=9;max_table_files_size=1073741825;}",
            &db, &families);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(db.max_open_files, 77);
  const ColumnFamilyOptions& options = families.at(0).options;
  EXPECT_EQ(options.ttl, 5u);
  EXPECT_TRUE(options.compaction_options_fifo.allow_compaction);
  EXPECT_EQ(options.compaction_options_fifo.max_table_files_size, 1073741825u);
  const std::string written = OptionsFileText(db, families);
  for (const char* name : {"seq_per_batch", "compaction_measure_io_stats",
                           "ttl=9", "bloom_huge_page_tlb_size"}) {
    EXPECT_EQ(written.find(name), std::string::npos) << name;
  }
  status = parse("100", &db, &families);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(families.at(0).options.compaction_options_fifo.max_table_files_size,
            100u);
  EXPECT_FALSE(parse("many", &db, &families).ok());
}

TEST(OptionsFile, DamageIsReportedWithItsLine) {
  const std::string good =
      OptionsFileText(DBOptions(), OneFamily(ColumnFamilyOptions()));
  const auto parse = [](const std::string& text) {
    DBOptions db;
    std::vector<ColumnFamilyDescriptor> families;
    return ParseOptionsFile(text, "OPTIONS-7", TextMode(), &db, &families)
        .ToString();
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  EXPECT_EQ(parse(good), "OK");
  EXPECT_EQ(parse(""), "Corruption: OPTIONS-7: has no section Version");
  EXPECT_EQ(parse(good.substr(0, good.find("[CFOptions"))),
            "Corruption: OPTIONS-7: has no section CFOptions default");
  EXPECT_EQ(parse(replaced("  rocksdb_version=", "  garbage\n  x=")),
            "Corruption: OPTIONS-7, line 4: 'name=value' or '[section]' "
            "expected");
  EXPECT_EQ(
      parse(replaced("options_file_version=1.1", "options_file_version=0")),
      "Invalid argument: OPTIONS-7, line 5: Invalid argument: "
      "options_file_version: 0");
  EXPECT_EQ(parse(replaced("[CFOptions \"default\"]", "[CFOptions \"x\"]")),
            "Corruption: OPTIONS-7, line " +
                std::to_string(
                    1 + std::count(good.begin(),
                                   good.begin() + static_cast<ptrdiff_t>(
                                                      good.find("[CFOptions")),
                                   '\n')) +
                ": the first column family must be the default one");
  EXPECT_NE(parse(good + "\n[DBOptions]\n").find("second section DBOptions"),
            std::string::npos);
  // Every truncation is read or refused, never accepted with less.
  for (size_t size = 0; size < good.find("[CFOptions"); size += 7) {
    EXPECT_NE(parse(good.substr(0, size)), "OK") << size;
  }
}

TEST(OptionsFile, OnlyNamesThatOldReleasesKnowAreSettings) {
  const std::vector<fs::path> files = GoldenOptionsFiles("v7.8.3");
  if (files.empty()) GTEST_SKIP() << "no golden databases";
  std::set<std::string> known;
  for (const fs::path& file : files) {
    std::istringstream lines(Read(file));
    for (std::string line; std::getline(lines, line);) {
      known.insert(std::string(TrimText(line.substr(0, line.find('=')))));
    }
  }
  // Left out there because their text is empty by default.
  known.insert({"wal_dir", "db_log_dir", "compression_per_level"});
  DBOptions db;
  db.wal_dir = db.db_log_dir = "/x";
  std::istringstream lines(
      OptionsFileText(db, OneFamily(ColumnFamilyOptions())));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const std::string name(TrimText(line.substr(0, line.find('='))));
    EXPECT_EQ(known.count(name), 1u) << name;
  }
}

TEST(OptionsFile, FilesOfGenuineReleasesLoseNothing) {
  size_t files = 0;
  for (const char* release : {"v7.8.3", "v11.9"}) {
    for (const fs::path& path : GoldenOptionsFiles(release)) {
      ++files;
      const std::string text = Read(path);
      DBOptions db;
      std::vector<ColumnFamilyDescriptor> families;
      const Status status =
          ParseOptionsFile(text, path.string(), TextMode(), &db, &families);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ExpectNothingLost(text, db, families, path.string());
    }
  }
  if (files == 0) GTEST_SKIP() << "no golden databases";
}

TEST(OptionsFile, TheDebianToolReadsOurs) {
  const fs::path original = GoldenRoot() / "v7.8.3/compression/db";
  if (!fs::exists(original) || !fs::exists("/usr/bin/ldb")) {
    GTEST_SKIP() << "no golden database or no ldb (package rocksdb-tools)";
  }
  const test::TempDir dir;
  const fs::path db_dir = dir.File("db");
  fs::copy(original, db_dir, fs::copy_options::recursive);
  std::string name;
  Env* const env = Env::Default();
  ASSERT_TRUE(GetLatestOptionsFileName(db_dir.string(), env, &name).ok());
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_TRUE(LoadLatestOptions(db_dir.string(), env, &db, &families).ok());
  // Ours, with something in it that only this library understands.
  families[0].options.auto_tuned_compaction = true;
  families[0].options.block_protection_bytes_per_key = 1;
  fs::remove(db_dir / name);
  const Status written = WriteOptionsFile(env->GetFileSystem().get(),
                                          db_dir.string(), 99, db, families);
  ASSERT_TRUE(written.ok()) << written.ToString();
  EXPECT_TRUE(
      CheckOptionsCompatibility(db_dir.string(), env, db, families).ok());
  const fs::path out = dir.File("out");
  const std::string command = "/usr/bin/ldb --db=" + db_dir.string() +
                              " --try_load_options list_column_families >" +
                              out.string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << Read(out);
  const std::string scan = "/usr/bin/ldb --db=" + db_dir.string() +
                           " --try_load_options --hex scan --max_keys=3 >" +
                           out.string() + " 2>&1";
  EXPECT_EQ(std::system(scan.c_str()), 0) << Read(out);
  EXPECT_NE(Read(out).find("0x"), std::string::npos) << Read(out);
}

constexpr char kRewriteHint[] =
    "run the db tests with REWRITE=1 and read the diff";

TEST(OptionsPage, IsCurrent) {
  const fs::path page = "docs/options.md";
  if (std::getenv("REWRITE") != nullptr) {
    std::ofstream(page) << OptionsReference();
  }
  EXPECT_EQ(Read(page), OptionsReference()) << kRewriteHint;
}

// The paragraph of docs/compat.md that begins with `first` is `expected`.
void ExpectParagraph(const std::string& first, const std::string& expected) {
  const fs::path page = "docs/compat.md";
  std::string text = Read(page);
  const size_t begin = text.find(first);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = text.find("\n\n", begin);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("REWRITE") != nullptr) {
    text.replace(begin, end + 1 - begin, expected);
    std::ofstream(page) << text;
  }
  EXPECT_NE(text.find(expected + "\n"), std::string::npos) << kRewriteHint;
}

TEST(OptionsPage, TheCompatibilityPageNamesWhatIsRefused) {
  ExpectParagraph("| option | refused |", RefusedOptionsTable());
}

TEST(OptionsPage, TheCompatibilityPageNamesWhatHasNoEffect) {
  const std::string list = AcceptedOptionsList();
  ExpectParagraph(list.substr(0, list.find(',')) + ",", list);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
