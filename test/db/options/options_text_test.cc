// Options as text: convenience.h, SetOptions(), the LOG dump.

#include <gtest/gtest.h>

#include <cstdarg>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/options/options_table.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_string.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class CollectingLogger final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[4096];
    vsnprintf(line, sizeof(line), format, arguments);
    text += line;
    text += '\n';
  }
  std::string text;
};

const BlockBasedTableOptions& TableOptionsOf(
    const ColumnFamilyOptions& options) {
  return *options.table_factory->GetOptions<BlockBasedTableOptions>();
}

TEST(OptionsFromCommas, AreReadAsCephWritesThem) {
  const std::unique_ptr<Env> env = NewCompositeEnv(FileSystem::Default());
  Options base;
  base.env = env.get();
  Options options;
  const Status status = GetOptionsFromCommaString(
      base,
      "compression=kNoCompression,max_write_buffer_number=128,"
      "min_write_buffer_number_to_merge=16,compaction_style="
      "kCompactionStyleLevel,write_buffer_size=8388608,max_background_jobs=4,"
      "level0_file_num_compaction_trigger=8,max_bytes_for_level_base=1GiB,"
      "max_bytes_for_level_multiplier=8, compaction_readahead_size=2MB,"
      "max_total_wal_size=1073741824,writable_file_max_buffer_size=0\n"
      "compression_opts={level=3;strategy=1};compaction_threads=5,"
      "flusher_threads=3,",
      &options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(options.compression, kNoCompression);
  EXPECT_EQ(options.max_write_buffer_number, 128);
  EXPECT_EQ(options.min_write_buffer_number_to_merge, 16);
  EXPECT_EQ(options.write_buffer_size, 8u << 20);
  EXPECT_EQ(options.max_bytes_for_level_base, 1u << 30);
  EXPECT_EQ(options.max_bytes_for_level_multiplier, 8);
  EXPECT_EQ(options.compaction_readahead_size, 2u << 20);
  EXPECT_EQ(options.writable_file_max_buffer_size, 0u);
  EXPECT_EQ(options.compression_opts.strategy, 1);
  EXPECT_EQ(env->GetBackgroundThreads(Env::Priority::LOW), 5);
  EXPECT_EQ(env->GetBackgroundThreads(Env::Priority::HIGH), 3);
  ASSERT_TRUE(GetOptionsFromCommaString(base, "", &options).ok());
}

TEST(OptionsFromCommas, WhatCannotBeReadIsNamedAndChangesNothing) {
  const auto error = [](const std::string& text) {
    Options options;
    options.max_open_files = 77;
    const Status status = GetOptionsFromCommaString(Options(), text, &options);
    EXPECT_TRUE(status.IsInvalidArgument());
    EXPECT_EQ(options.max_open_files, 77);
    return status.ToString();
  };
  EXPECT_EQ("Invalid argument: options string: nonsense: has no '='",
            error("max_open_files=5,nonsense"));
  EXPECT_NE(std::string::npos,
            error("max_open_filez=5").find("max_open_filez"));
  EXPECT_NE(std::string::npos,
            error("write_buffer_size=2XB").find("write_buffer_size=2XB"));
  for (const char* threads : {"0", "1025", "many", "3x", "", "-1"}) {
    const std::string pair = std::string("flusher_threads=") + threads;
    EXPECT_EQ("Invalid argument: options string: " + pair +
                  ": expected a number from 1 to 1024",
              error(pair));
  }
}

TEST(OptionsFromText, EveryKindOfValueIsRead) {
  Options options;
  const Status status = GetOptionsFromString(
      Options(),
      "create_if_missing=true;max_open_files=-1;write_buffer_size=8M;"
      "compression=kZSTD;compression_per_level=kNoCompression:"
      "kSnappyCompression;"
      "max_bytes_for_level_multiplier=8.5;comparator="
      "rocksdb.ReverseBytewiseComparator;prefix_extractor=fixed:4;"
      "merge_operator=uint64add;wal_dir=/x;compression_opts={level=3;"
      "max_dict_bytes=1k};bottommost_compression_opts=4:5:6:7:8:9:true;"
      "block_based_table_factory={block_size=16k;filter_policy="
      "bloomfilter:10:false;block_cache=1M};memtable_factory=skip_list:5;"
      "compaction_options_universal={size_ratio=3};auto_tuned_compaction=1;"
      "compaction_tuning=kAdaptive",
      &options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(options.create_if_missing);
  EXPECT_EQ(options.max_open_files, -1);
  EXPECT_EQ(options.write_buffer_size, 8u << 20);
  EXPECT_EQ(options.compression, kZSTD);
  EXPECT_EQ(options.compression_per_level,
            (std::vector<CompressionType>{kNoCompression, kSnappyCompression}));
  EXPECT_EQ(options.max_bytes_for_level_multiplier, 8.5);
  EXPECT_EQ(options.comparator, ReverseBytewiseComparator());
  EXPECT_STREQ(options.prefix_extractor->Name(), "rocksdb.FixedPrefix");
  EXPECT_STREQ(options.merge_operator->Name(), "UInt64AddOperator");
  EXPECT_EQ(options.wal_dir, "/x");
  EXPECT_EQ(options.compression_opts.level, 3);
  EXPECT_EQ(options.compression_opts.max_dict_bytes, 1024u);
  EXPECT_EQ(options.bottommost_compression_opts.zstd_max_train_bytes, 8u);
  EXPECT_TRUE(options.bottommost_compression_opts.enabled);
  EXPECT_EQ(TableOptionsOf(options).block_size, 16u << 10);
  EXPECT_EQ(TableOptionsOf(options).filter_policy->GetId(),
            "bloomfilter:10:false");
  EXPECT_EQ(TableOptionsOf(options).block_cache->GetCapacity(), 1u << 20);
  EXPECT_EQ(options.compaction_options_universal.size_ratio, 3u);
  EXPECT_TRUE(options.auto_tuned_compaction);
}

TEST(OptionsFromText, UnknownNamesFailUnlessTheyAreToBeIgnored) {
  Options options;
  options.max_open_files = 77;
  Status status =
      GetOptionsFromString(Options(), "compaction_threads=32", &options);
  EXPECT_EQ(status.ToString(),
            "Invalid argument: Could not find option: compaction_threads");
  EXPECT_EQ(options.max_open_files, -1) << "the base comes back on an error";

  ConfigOptions config;
  config.ignore_unknown_options = true;
  status = GetOptionsFromString(
      config, Options(), "compaction_threads=32;max_open_files=9", &options);
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(options.max_open_files, 9);
}

TEST(OptionsFromText, WrongValuesNameTheOption) {
  Options options;
  EXPECT_EQ(GetOptionsFromString(Options(), "max_open_files=many", &options)
                .ToString(),
            "Invalid argument: Error parsing max_open_files: not a number in "
            "range: many");
  EXPECT_EQ(
      GetOptionsFromString(Options(), "compression=zip", &options).ToString(),
      "Invalid argument: Error parsing compression: not a known value: zip");
}

// The four strings of the tuning article every Ceph operator knows.
TEST(OptionsFromText, CephsCommaFormIsRead) {
  Options options;
  const Status status = GetOptionsFromString(
      Options(),
      "compression=kLZ4Compression,max_write_buffer_number=128,"
      "min_write_buffer_number_to_merge=16,compaction_style="
      "kCompactionStyleLevel,write_buffer_size=8388608,max_background_jobs=4,"
      "level0_file_num_compaction_trigger=8,max_bytes_for_level_base="
      "1073741824,max_bytes_for_level_multiplier=8,compaction_readahead_size="
      "2MB,max_total_wal_size=1073741824,writable_file_max_buffer_size=0",
      &options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(options.compression, kLZ4Compression);
  EXPECT_EQ(options.max_write_buffer_number, 128);
  EXPECT_EQ(options.compaction_readahead_size, 2u << 20);
  EXPECT_EQ(options.writable_file_max_buffer_size, 0u);

  EXPECT_TRUE(GetOptionsFromString(Options(),
                                   "recycle_log_file_num=32,"
                                   "compaction_threads=32,flusher_threads=8",
                                   &options)
                  .IsInvalidArgument())
      << "Ceph's own keys must fail, so that it tries them itself";
}

TEST(OptionsFromText, TheCallsBeforeConfigOptionsWork) {
  BlockBasedTableOptions table;
  EXPECT_TRUE(GetBlockBasedTableOptionsFromMap(
                  BlockBasedTableOptions(),
                  {{"block_size", "8k"}, {"index_type", "kHashSearch"}}, &table)
                  .ok());
  EXPECT_EQ(table.block_size, 8u << 10);
  EXPECT_EQ(table.index_type, BlockBasedTableOptions::kHashSearch);
  DBOptions db;
  EXPECT_TRUE(GetDBOptionsFromMap(DBOptions(),
                                  {{"rate_limiter_bytes_per_sec", "1048576"},
                                   {"db_log_dir", "a\\#b"}},
                                  &db, /*input_strings_escaped=*/true)
                  .ok());
  EXPECT_NE(db.rate_limiter, nullptr);
  EXPECT_EQ(db.db_log_dir, "a#b");
  std::unordered_map<std::string, std::string> map;
  EXPECT_TRUE(StringToMap("a=1;b={c=2}", &map).ok());
  EXPECT_EQ(map.at("b"), "c=2");
}

TEST(OptionsFromText, PrintingAndReadingBackChangesNothing) {
  ColumnFamilyOptions options;
  Status status = GetColumnFamilyOptionsFromString(
      ColumnFamilyOptions(),
      "write_buffer_size=1M;ttl=77;compression_per_level="
      "kZSTD:kNoCompression;merge_operator={id="
      "StringAppendOperator;delimiter={;}};table_factory={id="
      "BlockBasedTable;block_size=7k;filter_policy=bloomfilter:9};"
      "compaction_options_fifo={file_temperature_age_thresholds="
      "{temperature=kWarm;age=10}:{temperature=kCold;age=20}}",
      &options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::string text;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(&text, options, ";").ok());
  ColumnFamilyOptions again;
  status =
      GetColumnFamilyOptionsFromString(ConfigOptions(), again, text, &again);
  ASSERT_TRUE(status.ok()) << status.ToString() << "\n" << text;
  std::string text_again;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(&text_again, again, ";").ok());
  EXPECT_EQ(text, text_again);
  ASSERT_EQ(
      again.compaction_options_fifo.file_temperature_age_thresholds.size(), 2u);
  EXPECT_EQ(TableOptionsOf(again).block_size, 7u << 10);

  DBOptions db;
  ASSERT_TRUE(GetStringFromDBOptions(&text, db, ";").ok());
  ASSERT_TRUE(GetDBOptionsFromString(ConfigOptions(), db, text, &db).ok());
  ASSERT_TRUE(GetStringFromDBOptions(&text_again, db, ";").ok());
  EXPECT_EQ(text, text_again);
}

class OwnBlocksFactory final : public FlushBlockPolicyFactory {
 public:
  const char* Name() const override { return "OwnBlocksFactory"; }
  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& /*table_options*/,
      const ROCKSDB_NAMESPACE::BlockBuilder& /*block*/) const override {
    return nullptr;
  }
};

TEST(OptionsFromText, PoliciesOfBlocksAreKnownByTheirNames) {
  const auto read = [](const std::string& name) {
    ColumnFamilyOptions options;
    const Status status = GetColumnFamilyOptionsFromString(
        ConfigOptions(), ColumnFamilyOptions(),
        "table_factory={id=BlockBasedTable;flush_block_policy_factory=" + name +
            "}",
        &options);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return TableOptionsOf(options).flush_block_policy_factory;
  };
  const auto text = [](std::shared_ptr<FlushBlockPolicyFactory> factory) {
    BlockBasedTableOptions table;
    table.flush_block_policy_factory = std::move(factory);
    ColumnFamilyOptions options;
    options.table_factory.reset(NewBlockBasedTableFactory(table));
    std::string all;
    EXPECT_TRUE(GetStringFromColumnFamilyOptions(&all, options, ";").ok());
    const std::string name = "flush_block_policy_factory=";
    const size_t begin = all.find(name) + name.size();
    return all.substr(begin, all.find(';', begin) - begin);
  };
  EXPECT_EQ(nullptr, read("FlushBlockBySizePolicyFactory"));
  EXPECT_EQ("FlushBlockBySizePolicyFactory", text(nullptr));
  const auto every_key = read("FlushBlockEveryKeyPolicyFactory");
  ASSERT_NE(nullptr, every_key);
  EXPECT_EQ("FlushBlockEveryKeyPolicyFactory", text(every_key));
  // An object of the program's cannot be made.
  EXPECT_EQ("OwnBlocksFactory", text(std::make_shared<OwnBlocksFactory>()));
  EXPECT_EQ(nullptr, read("OwnBlocksFactory"));
}

TEST(SetOptions, OnlyMutableOptionsChange) {
  const ColumnFamilyOptions base;
  ColumnFamilyOptions changed;
  EXPECT_TRUE(
      ApplyMutableCfOptions(base,
                            {{"level0_file_num_compaction_trigger", "9"},
                             {"auto_tuned_compaction", "true"},
                             {"block_based_table_factory", "{block_size=8k}"},
                             {"compaction_options_universal.size_ratio", "5"}},
                            &changed)
          .ok());
  EXPECT_EQ(changed.level0_file_num_compaction_trigger, 9);
  EXPECT_TRUE(changed.auto_tuned_compaction);
  EXPECT_EQ(TableOptionsOf(changed).block_size, 8u << 10);
  EXPECT_EQ(TableOptionsOf(changed).block_cache,
            TableOptionsOf(base).block_cache);
  EXPECT_EQ(TableOptionsOf(base).block_size, 4u << 10)
      << "factories are not shared";
  EXPECT_EQ(changed.compaction_options_universal.size_ratio, 5u);

  const std::pair<std::string, std::string> refused[] = {
      {"num_levels", "3"},
      {"comparator", "leveldb.BytewiseComparator"},
      {"block_based_table_factory", "{index_type=kHashSearch}"},
      {"nonsense", "1"},
      {"write_buffer_size", "big"},
  };
  for (const auto& [name, value] : refused) {
    ColumnFamilyOptions untouched;
    untouched.write_buffer_size = 4711;
    EXPECT_TRUE(
        ApplyMutableCfOptions(
            base, {{"max_write_buffer_number", "5"}, {name, value}}, &untouched)
            .IsInvalidArgument())
        << name;
    EXPECT_EQ(untouched.write_buffer_size, 4711u);
    EXPECT_EQ(untouched.max_write_buffer_number, 2);
  }
}

// As RocksDB's does.
TEST(SetOptions, TheTableFactoryThereIsChangedByEitherOfItsNames) {
  const ColumnFamilyOptions base;
  ColumnFamilyOptions changed;
  const std::pair<std::string, std::string> texts[] = {
      {"table_factory", "{block_size=8k}"},
      {"table_factory", "block_size=8k;"},
      {"table_factory", "{id=BlockBasedTable;block_size=8k}"},
      {"table_factory.block_size", "8k"},
      {"block_based_table_factory.block_size", "8k"}};
  for (const auto& [name, value] : texts) {
    changed = ColumnFamilyOptions();
    const Status status =
        ApplyMutableCfOptions(base, {{name, value}}, &changed);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(TableOptionsOf(changed).block_size, 8u << 10) << name << value;
    EXPECT_EQ(TableOptionsOf(changed).block_cache,
              TableOptionsOf(base).block_cache);
  }
  EXPECT_EQ(TableOptionsOf(base).block_size, 4u << 10);
  EXPECT_TRUE(ApplyMutableCfOptions(
                  base, {{"table_factory", "BlockBasedTable"}}, &changed)
                  .ok());
  for (const char* other :
       {"PlainTable", "{id=PlainTable}", "{index_type=kHashSearch}", "{x=1}",
        "{block_size=many}"}) {
    EXPECT_TRUE(
        ApplyMutableCfOptions(base, {{"table_factory", other}}, &changed)
            .IsInvalidArgument())
        << other;
  }
  EXPECT_TRUE(ApplyMutableCfOptions(
                  base, {{"table_factory.index_type", "kHashSearch"}}, &changed)
                  .IsInvalidArgument());
  ColumnFamilyOptions read;
  EXPECT_TRUE(GetColumnFamilyOptionsFromString(
                  base, "table_factory.index_type=kHashSearch", &read)
                  .ok());
  EXPECT_EQ(TableOptionsOf(read).index_type,
            BlockBasedTableOptions::kHashSearch);
}

// One such name must not make a program's whole call fail.
TEST(SetOptions, NamesThatMeanNothingAnyMoreAreTaken) {
  ColumnFamilyOptions changed;
  const Status status =
      ApplyMutableCfOptions(ColumnFamilyOptions(),
                            {{"filter_deletes", "true"},
                             {"soft_rate_limit", "1.5"},
                             {"hard_rate_limit", "1.5"},
                             {"verify_checksums_in_compaction", "false"},
                             {"max_grandparent_overlap_factor", "3"},
                             {"source_compaction_factor", "3"},
                             {"expanded_compaction_factor", "3"},
                             {"check_flush_compaction_key_order", "false"},
                             {"ignore_max_compaction_bytes_for_input", "false"},
                             {"bottommost_temperature", "kCold"},
                             {"min_partial_merge_operands", "3"},
                             {"memtable_prefix_bloom_bits", "3"},
                             {"memtable_prefix_bloom_probes", "3"},
                             {"snap_refresh_nanos", "3"},
                             {"max_write_buffer_number", "5"}},
                            &changed);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(changed.max_write_buffer_number, 5);
  ConfigOptions config;
  config.mutable_options_only = true;
  std::string text;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(config, changed, &text).ok());
  EXPECT_EQ(std::string::npos, text.find("filter_deletes")) << text;
}

TEST(SetOptions, DatabaseOptionsFollowTheSameRule) {
  DBOptions changed;
  EXPECT_TRUE(ApplyMutableDbOptions(
                  DBOptions(),
                  {{"max_background_jobs", "7"}, {"bytes_per_sync", "1M"}},
                  &changed)
                  .ok());
  EXPECT_EQ(changed.max_background_jobs, 7);
  EXPECT_EQ(
      ApplyMutableDbOptions(DBOptions(), {{"use_fsync", "true"}}, &changed)
          .ToString(),
      "Invalid argument: Option not changeable: use_fsync");
}

TEST(OptionsLog, LinesPeopleGrepAreThere) {
  CollectingLogger log;
  Options options;
  options.compression = kLZ4Compression;
  DumpOptions(&log, static_cast<const DBOptions&>(options));
  DumpOptions(&log, static_cast<const ColumnFamilyOptions&>(options));
  for (const char* line :
       {"Options.write_buffer_size: 67108864\n", "Options.error_if_exists: 0\n",
        "Options.compression: LZ4\n", "Options.wal_recovery_mode: 2\n",
        "Options.compaction_style: kCompactionStyleLevel\n",
        "Options.compression_opts.level: 32767\n",
        "Options.merge_operator: None\n",
        "Options.comparator: leveldb.BytewiseComparator\n",
        "Options.auto_tuned_compaction: 0\n", "format_version: 5\n",
        "Options.level0_slowdown_writes_trigger: 20\n"}) {
    EXPECT_NE(log.text.find(line), std::string::npos) << line << log.text;
  }
}

TEST(OptionsLog, OptionsWithoutEffectAreNamedOnce) {
  DBOptions db;
  ColumnFamilyOptions cf;
  EXPECT_EQ(UnhonouredOptionsSet(db, cf), std::vector<std::string>());
  db.fail_if_options_file_error = false;
  cf.enable_blob_direct_write = true;
  EXPECT_EQ(UnhonouredOptionsSet(db, cf),
            (std::vector<std::string>{"fail_if_options_file_error",
                                      "enable_blob_direct_write"}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
