// Sanitizing, validating and the presets.

#include "db/options/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/options/objects.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kMiB = 1 << 20;

std::string TextOf(const ColumnFamilyOptions& options) {
  std::string text;
  PrintFields(CfOptionFields(), TextMode(), &options, "\n", &text);
  return text;
}

TEST(SanitizeOptions, ValuesAreMovedIntoRange) {
  ColumnFamilyOptions options;
  options.write_buffer_size = 1;
  options.max_write_buffer_number = 1;
  options.min_write_buffer_number_to_merge = 9;
  options.level0_file_num_compaction_trigger = 30;
  options.level0_slowdown_writes_trigger = 20;
  options.level0_stop_writes_trigger = 10;
  options.num_levels = 1;
  options.soft_pending_compaction_bytes_limit = 0;
  options.max_bytes_for_level_multiplier = 0;
  options.memtable_prefix_bloom_size_ratio = 3;
  const DBOptions db = SanitizeOptions("/db", DBOptions());
  const ColumnFamilyOptions sane = SanitizeOptions(db, options);
  EXPECT_EQ(sane.write_buffer_size, 64u << 10);
  EXPECT_EQ(sane.arena_block_size, 8u << 10);
  EXPECT_EQ(sane.max_write_buffer_number, 2);
  EXPECT_EQ(sane.min_write_buffer_number_to_merge, 1);
  EXPECT_EQ(sane.level0_slowdown_writes_trigger, 30);
  EXPECT_EQ(sane.level0_stop_writes_trigger, 30);
  EXPECT_EQ(sane.num_levels, 2);
  EXPECT_EQ(sane.soft_pending_compaction_bytes_limit, 256u * 1024 * kMiB);
  EXPECT_EQ(sane.max_bytes_for_level_multiplier, 1);
  EXPECT_EQ(sane.memtable_prefix_bloom_size_ratio, 0.25);
  EXPECT_EQ(sane.max_compaction_bytes, 25 * 64 * kMiB);
  EXPECT_EQ(sane.ttl, 30u * 24 * 3600);
  EXPECT_EQ(sane.periodic_compaction_seconds, 0u);
  ASSERT_EQ(sane.cf_paths.size(), 1u);
  EXPECT_EQ(sane.cf_paths[0].path, "/db");
  EXPECT_EQ(TextOf(SanitizeOptions(db, sane)), TextOf(sane));
}

TEST(SanitizeOptions, LargeFilesDoNotMakeSmallCompactions) {
  ColumnFamilyOptions options;
  options.target_file_size_base = uint64_t{1} << 62;
  const DBOptions db = SanitizeOptions("/db", DBOptions());
  EXPECT_GT(SanitizeOptions(db, options).max_compaction_bytes, UINT64_MAX - 25);
  options.max_bytes_for_level_multiplier = std::nan("");
  EXPECT_EQ(SanitizeOptions(db, options).max_bytes_for_level_multiplier, 1);
}

TEST(SanitizeOptions, TheDelayedRateFollowsTheLimiter) {
  DBOptions options;
  EXPECT_EQ(SanitizeOptions("/db", options).delayed_write_rate, 16 * kMiB);
  options.rate_limiter.reset(NewGenericRateLimiter(5 << 20));
  EXPECT_EQ(SanitizeOptions("/db", options).delayed_write_rate, 5 * kMiB);
  options.delayed_write_rate = 77;
  EXPECT_EQ(SanitizeOptions("/db", options).delayed_write_rate, 77u);
  options.max_open_files = 3;
  EXPECT_EQ(SanitizeOptions("/db", options).max_open_files, 20);
  options.wal_dir = "/wal//";
  EXPECT_EQ(SanitizeOptions("/db", options).wal_dir, "/wal");
}

TEST(BackgroundLimits, OneQuarterOfTheJobsFlushes) {
  DBOptions options;
  const auto limits = [&](bool speed_up) {
    const BackgroundLimits made = ResolveBackgroundLimits(options, speed_up);
    return std::to_string(made.flushes) + "+" +
           std::to_string(made.compactions);
  };
  EXPECT_EQ(limits(true), "1+1");
  options.max_background_jobs = 8;
  EXPECT_EQ(limits(true), "2+6");
  EXPECT_EQ(limits(false), "2+1");
  options.max_background_compactions = 3;
  EXPECT_EQ(limits(true), "1+3");
  options.max_background_flushes = 4;
  EXPECT_EQ(limits(true), "4+3");
}

TEST(ValidateOptions, DefaultsAreFine) {
  EXPECT_TRUE(ValidateOptions(DBOptions()).ok());
  EXPECT_TRUE(ValidateOptions(DBOptions(), ColumnFamilyOptions()).ok());
}

TEST(ValidateOptions, ContradictionsAreRefused) {
  const auto check = [](const char* text) {
    Options options;
    Status status = GetOptionsFromString(Options(), text, &options);
    EXPECT_TRUE(status.ok()) << status.ToString();
    status = ValidateOptions(options);
    return status.ok() ? ValidateOptions(options, options).ToString()
                       : status.ToString();
  };
  EXPECT_EQ(check("keep_log_file_num=0"),
            "Invalid argument: keep_log_file_num must be greater than 0");
  EXPECT_EQ(check("unordered_write=1;allow_concurrent_memtable_write=0"),
            "Invalid argument: unordered_write is incompatible with "
            "!allow_concurrent_memtable_write");
  EXPECT_EQ(check("compression=kXpressCompression"),
            "Invalid argument: Compression type Xpress is not linked with the "
            "binary.");
  EXPECT_EQ(check("block_based_table_factory={format_version=1}"),
            "Invalid argument: Unsupported BlockBasedTable format_version 1: "
            "expected 2 to 7");
  EXPECT_EQ(check("inplace_update_support=true"),
            "Invalid argument: In-place memtable updates "
            "(inplace_update_support) is not compatible with concurrent writes "
            "(allow_concurrent_memtable_write)");
  EXPECT_EQ(check("max_successive_merges=1;unordered_write=true"),
            "Invalid argument: max_successive_merges larger than 0 is "
            "currently inconsistent with unordered_write");
  EXPECT_EQ(check("memtable_factory=vector"),
            "Invalid argument: Memtable doesn't allow concurrent writes "
            "(allow_concurrent_memtable_write)");
  EXPECT_EQ(check("plain_table_factory={user_key_len=8}"),
            "Not implemented: table format: PlainTable");
  EXPECT_EQ(check("compaction_style=kCompactionStyleFIFO"),
            "Not implemented: Options.compaction_style: "
            "kCompactionStyleFIFO");
}

// -- What the option tables call refused is what validation refuses.

struct AllOptions {
  DBOptions db;
  ColumnFamilyOptions cf;
  BlockBasedTableOptions table;

  Status Validate() const {
    ColumnFamilyOptions options = cf;
    if (options.table_factory == nullptr) {
      options.table_factory.reset(NewBlockBasedTableFactory(table));
    }
    RETURN_IF_ERROR(ValidateOptions(db));
    return ValidateOptions(db, options);
  }
};

AllOptions Defaults() {
  AllOptions options;
  options.cf.table_factory = nullptr;  // Made of `table`.
  return options;
}

struct TableOf {
  FieldTable fields;
  void* (*part)(AllOptions* options);
};

std::vector<TableOf> AllTables() {
  return {{DbOptionFields(), [](AllOptions* o) -> void* { return &o->db; }},
          {CfOptionFields(), [](AllOptions* o) -> void* { return &o->cf; }},
          {BlockBasedTableOptionFields(),
           [](AllOptions* o) -> void* { return &o->table; }}};
}

// docs/compat.md lists these: a change here is a change of what works.
const std::set<std::string> kRefusedValues = {
    "compaction_style=kCompactionStyleFIFO",
    "compaction_style=kCompactionStyleUniversal",
};

TEST(RefusedOptions, EveryValueOfSwitchesAndEnumsIsRefusedWhereTheTableSaysSo) {
  std::set<std::string> refused;
  for (const TableOf& table : AllTables()) {
    for (const OptionField& field : table.fields) {
      for (const std::string& value : field.kind->values()) {
        AllOptions options = Defaults();
        void* const part = table.part(&options);
        ASSERT_TRUE(
            SetField(table.fields, TextMode(), field.name, value, part).ok())
            << field.name;
        const Status status = options.Validate();
        EXPECT_EQ(status.IsNotSupported(), IsRefused(field, part))
            << field.name << "=" << value << ": " << status.ToString();
        const std::string pair = std::string(field.name) + "=" + value;
        if (!status.IsNotSupported()) continue;
        refused.insert(pair);
        EXPECT_NE(status.ToString().find(field.name), std::string::npos)
            << pair << ": " << status.ToString();
      }
    }
  }
  EXPECT_EQ(refused, kRefusedValues);
}

class OldSnapshotsFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "OldSnapshotsFilter"; }
  bool IgnoreSnapshots() const override { return false; }
};

const OldSnapshotsFilter compaction_filter;

// One way into each refusal that takes more than a value's name.
struct Example {
  const char* name;
  void (*set)(AllOptions* options);
};
const Example kExamples[] = {
    {"db_paths",
     [](AllOptions* o) { o->db.db_paths.resize(5, DbPath("/p", 1)); }},
    {"cf_paths",
     [](AllOptions* o) { o->cf.cf_paths.resize(5, DbPath("/p", 1)); }},
    {"allow_mmap_reads",
     [](AllOptions* o) {
       o->db.allow_mmap_reads = true;
       o->db.use_direct_reads = true;
     }},
    {"allow_mmap_writes",
     [](AllOptions* o) {
       o->db.allow_mmap_writes = true;
       o->db.use_direct_io_for_flush_and_compaction = true;
     }},
    {"wal_compression",
     [](AllOptions* o) { o->db.wal_compression = kLZ4Compression; }},
    {"compaction_filter",
     [](AllOptions* o) { o->cf.compaction_filter = &compaction_filter; }},
    {"compression",
     [](AllOptions* o) { o->cf.compression = kXpressCompression; }},
    {"bottommost_compression",
     [](AllOptions* o) { o->cf.bottommost_compression = kXpressCompression; }},
    {"compression_per_level",
     [](AllOptions* o) { o->cf.compression_per_level = {kXpressCompression}; }},
    {"table_factory",
     [](AllOptions* o) { o->cf.table_factory.reset(NewPlainTableFactory()); }},
    {"format_version", [](AllOptions* o) { o->table.format_version = 1; }},
};

TEST(RefusedOptions, TheConditionsInWordsAreChecked) {
  std::set<std::string> named;
  for (const TableOf& table : AllTables()) {
    for (const OptionField& field : table.fields) {
      const bool object = field.refused != nullptr &&
                          std::string_view(field.refused) == kAnyObject;
      if (object || field.refused_when != nullptr) named.insert(field.name);
    }
  }
  for (const Example& example : kExamples) {
    AllOptions options = Defaults();
    example.set(&options);
    const Status status = options.Validate();
    EXPECT_TRUE(status.IsNotSupported() || status.IsInvalidArgument())
        << example.name << ": " << status.ToString();
    // The same options without it are fine: nothing else was refused.
    EXPECT_TRUE(Defaults().Validate().ok());
    EXPECT_EQ(named.erase(example.name), 1u)
        << example.name << " is refused and its table does not say so";
  }
  EXPECT_TRUE(named.empty()) << *named.begin() << " has no example";
}

// A program in C may give any number.
TEST(Validation, NumbersThatAreNoEnumeratorsAreRefused) {
  AllOptions options = Defaults();
  options.table.index_type = static_cast<BlockBasedTableOptions::IndexType>(4);
  EXPECT_EQ(options.Validate().ToString(),
            "Invalid argument: unknown index type");
  options = Defaults();
  options.table.checksum = static_cast<ChecksumType>(99);
  EXPECT_EQ(options.Validate().ToString(),
            "Invalid argument: unknown checksum type");
}

class LastLine final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[4096];
    vsnprintf(line, sizeof(line), format, arguments);
    text = line;
  }
  std::string text;
};

// Level 0 and L1 should be of similar size: see the tunings for Ceph.
TEST(SanitizeOptions, LevelsOfUnlikeSizeAreNamed) {
  const auto warned = [](const std::string& changes) {
    const auto log = std::make_shared<LastLine>();
    DBOptions db;
    db.info_log = log;
    Options options;
    EXPECT_TRUE(GetOptionsFromString(Options(), changes, &options).ok());
    SanitizeOptions(db, options);
    return log->text;
  };
  EXPECT_EQ("", warned(""));  // 4 x 64 MiB and 256 MiB.
  EXPECT_EQ(
      "[WARN] Level 0 holds 1074 MB before it is merged (write_buffer_size x "
      "min_write_buffer_number_to_merge x level0_file_num_compaction_trigger) "
      "and L1 268 MB (max_bytes_for_level_base): sizes that are not similar "
      "raise the write amplification",
      warned("write_buffer_size=256M"));
  EXPECT_NE("", warned("max_bytes_for_level_base=1G"));
  EXPECT_EQ("", warned("write_buffer_size=8M;max_bytes_for_level_base=1G;"
                       "min_write_buffer_number_to_merge=16;"
                       "max_write_buffer_number=128;"
                       "level0_file_num_compaction_trigger=8"));
  EXPECT_EQ("", warned("write_buffer_size=256M;auto_tuned_compaction=true"));
  EXPECT_EQ("", warned("write_buffer_size=256M;disable_auto_compactions=true"));
}

TEST(RefusedOptions, TheErrorNamesTheOption) {
  AllOptions options = Defaults();
  options.cf.compaction_style = kCompactionStyleFIFO;
  EXPECT_EQ(options.Validate().ToString(),
            "Not implemented: Options.compaction_style: kCompactionStyleFIFO");
}

TEST(Presets, PassValidation) {
  Options options;
  EXPECT_TRUE(
      ValidateOptions(options, *options.OptimizeForPointLookup(8)).ok());
  EXPECT_TRUE(
      ValidateOptions(options, *Options().OptimizeLevelStyleCompaction()).ok());
  EXPECT_TRUE(ValidateOptions(options, *Options().OptimizeForSmallDb()).ok());
  EXPECT_TRUE(ValidateOptions(options, *Options().PrepareForBulkLoad()).ok());
  EXPECT_TRUE(ValidateOptions(options, *Options().OldDefaults(4, 6)).ok());
  EXPECT_EQ(Options().OldDefaults(4, 6)->write_buffer_size, 4 * kMiB);
  EXPECT_FALSE(
      Options().OldDefaults(7, 8)->level_compaction_dynamic_level_bytes);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
