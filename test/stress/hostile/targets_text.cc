// Readers of text: the OPTIONS file, option strings, names of objects, backup
// descriptions, profiles of disks, CURRENT, IDENTITY, file names.

#include <unordered_map>

#include "db/backup/backup_meta.h"
#include "db/format/file_names.h"
#include "db/options/options_file.h"
#include "env/io_profile.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "test/stress/hostile/target.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

void RunOptionsFile(const std::string& input) {
  Slice rest = input;
  TextMode mode;
  mode.ignore_unknown = TakeByte(&rest) % 2 == 1;
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  std::vector<std::string> unknown;
  const Status status =
      ParseOptionsFile(rest, "OPTIONS-000007", mode, &db, &families, &unknown);
  if (!status.ok() || families.empty()) return;
  const std::string text = OptionsFileText(db, families);
  DBOptions db_again;
  std::vector<ColumnFamilyDescriptor> again;
  Require(
      ParseOptionsFile(text, "OPTIONS-000007", TextMode(), &db_again, &again)
          .ok(),
      "options that were read are not written");
}

std::vector<std::string> OptionsFileSeeds() {
  std::vector<std::string> seeds;
  Options options;
  seeds.push_back(std::string(1, '\0') +
                  OptionsFileText(options, {{kDefaultColumnFamilyName, options},
                                            {"another \"family\"", options}}));
  options.merge_operator = nullptr;
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewRibbonFilterPolicy(9.5));
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  options.prefix_extractor.reset(NewCappedPrefixTransform(7));
  options.compression_per_level = {kNoCompression, kZSTD};
  options.db_paths = {{"/a", 100}, {"/b", 1000}};
  seeds.push_back(
      std::string(1, '\1') +
      OptionsFileText(options, {{kDefaultColumnFamilyName, options}}));
  for (const std::string& text : GoldenSeeds("OPTIONS-", 4, 20000)) {
    seeds.push_back(std::string(1, '\1') + text);
  }
  return seeds;
}

void RunOptionString(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  const std::string text = rest.ToString();
  ConfigOptions config;
  config.ignore_unknown_options = how >= 128;
  config.ignore_unsupported_options = how % 2 == 0;
  DBOptions db;
  ColumnFamilyOptions family;
  Options options;
  BlockBasedTableOptions table;
  PlainTableOptions plain;
  std::unordered_map<std::string, std::string> map;
  switch (how % 6) {
    case 0:
      (void)GetDBOptionsFromString(config, DBOptions(), text, &db);
      return;
    case 1:
      (void)GetColumnFamilyOptionsFromString(config, ColumnFamilyOptions(),
                                             text, &family);
      return;
    case 2:
      (void)GetBlockBasedTableOptionsFromString(
          config, BlockBasedTableOptions(), text, &table);
      return;
    case 3:
      (void)GetPlainTableOptionsFromString(config, PlainTableOptions(), text,
                                           &plain);
      return;
    case 4:
      (void)StringToMap(text, &map);
      return;
    default:
      (void)GetOptionsFromString(config, Options(), text, &options);
  }
}

std::vector<std::string> OptionStringSeeds() {
  const char* const kTexts[] = {
      "max_open_files=100;create_if_missing=true;wal_recovery_mode="
      "kPointInTimeRecovery;db_paths={/a:100;/b:200};rate_limiter=1048576",
      "write_buffer_size=1048576;compression=kZSTD;compression_opts={level=3;"
      "max_dict_bytes=100;enabled=true};compression_per_level=kNoCompression:"
      "kZSTD;prefix_extractor=rocksdb.FixedPrefix.7;merge_operator="
      "{id=StringAppendOperator;delimiter=,};memtable=skip_list:16;"
      "compaction_options_universal={size_ratio=7;allow_trivial_move=true}",
      "block_size=4096;block_cache=1M;filter_policy=bloomfilter:10:false;"
      "index_type=kTwoLevelIndexSearch;checksum=kXXH3;format_version=6;"
      "cache_usage_options={options_overrides={{kFilterConstruction="
      "{charged=kEnabled}}}};block_cache={capacity=1M;num_shard_bits=4}",
      "user_key_len=8;bloom_bits_per_key=10;hash_table_ratio=0.75",
      "a=b;nested={c=d;e={f=g}};last={}",
      "create_if_missing=true;write_buffer_size=64M;block_based_table_factory="
      "{block_size=8192;filter_policy=ribbonfilter:9.5:2}"};
  std::vector<std::string> seeds;
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    for (const size_t how : {i, i + 6 * 22}) {
      seeds.push_back(std::string(1, static_cast<char>(how)) + kTexts[i]);
    }
  }
  return seeds;
}

void RunObjectName(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  const std::string text = rest.ToString();
  ConfigOptions config;
  config.ignore_unsupported_options = how % 2 == 0;
  std::shared_ptr<const FilterPolicy> filter;
  std::shared_ptr<const SliceTransform> transform;
  std::shared_ptr<MergeOperator> merge;
  const Comparator* comparator = nullptr;
  std::unique_ptr<MemTableRepFactory> memtable;
  std::shared_ptr<TableFactory> table;
  switch (how % 6) {
    case 0:
      (void)FilterPolicy::CreateFromString(config, text, &filter);
      return;
    case 1:
      (void)SliceTransform::CreateFromString(config, text, &transform);
      if (transform != nullptr && transform->InDomain("some key")) {
        (void)transform->Transform("some key");
      }
      return;
    case 2:
      (void)MergeOperator::CreateFromString(config, text, &merge);
      return;
    case 3:
      (void)Comparator::CreateFromString(config, text, &comparator);
      return;
    case 4:
      (void)MemTableRepFactory::CreateFromString(config, text, &memtable);
      return;
    default:
      (void)TableFactory::CreateFromString(config, text, &table);
  }
}

std::vector<std::string> ObjectNameSeeds() {
  const char* const kTexts[6][3] = {
      {"bloomfilter:10:false", "ribbonfilter:9.5:-1",
       "rocksdb.BuiltinBloomFilter"},
      {"rocksdb.FixedPrefix.7", "capped:12", "rocksdb.Noop"},
      {"stringappend", "{id=StringAppendOperator;delimiter=,}", "uint64add"},
      {"leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator",
       "leveldb.BytewiseComparator.u64ts"},
      {"skip_list:16", "prefix_hash:1000", "{id=vector;count=100}"},
      {"BlockBasedTable", "{id=BlockBasedTable;block_size=100}", "PlainTable"}};
  std::vector<std::string> seeds;
  for (int i = 0; i < 6; ++i) {
    for (const char* text : kTexts[i]) {
      seeds.push_back(std::string(1, static_cast<char>(i)) + text);
    }
  }
  return seeds;
}

void RunBackupMeta(const std::string& input) {
  const auto meta = DecodeBackupMeta(input, 3, "meta/3");
  if (!meta.ok()) return;
  (void)meta->TotalBytes();
  for (const BackupFile& file : meta->files) {
    const std::string path = "/" + file.path + "/";
    Require(path.find("/../") == std::string::npos && path.rfind("//", 0) != 0,
            "a path that leaves the backup");
  }
  const std::string text = EncodeBackupMeta(*meta, 2);
  Require(DecodeBackupMeta(text, 3, "meta/3").ok(),
          "a description that was read is not written");
}

std::vector<std::string> BackupMetaSeeds() {
  std::vector<std::string> seeds = {
      "1795170432\n90\nmetadata 6170700102\n2\nprivate/3/CURRENT crc32 "
      "2659179228\nshared_checksum/000009_sX_5.sst crc32 77\n",
      "schema_version 2.0\n1795170432\n90\nmetadata 6170700102\n2\nprivate/3/"
      "CURRENT crc32 2659179228 size 16\nshared_checksum/000009_sX_5.sst "
      "crc32 77 size 5 temp kCold\n// FOOTER\nname value\n",
      "schema_version 2.1\n1795170432\n90\n1\nshared/000009.sst crc32 77 "
      "ni::excluded true\n"};
  return seeds;
}

void RunIoProfile(const std::string& input) {
  const auto profile = ParseIoProfile(input, "io.yaml", "/var/lib/db");
  if (!profile.ok()) {
    Require(profile.status().ToString().find("io.yaml: ") != std::string::npos,
            "an error without the file's name");
    return;
  }
  const std::string text = FormatIoProfile(*profile);
  const auto again = ParseIoProfile(text, "io.yaml");
  Require(again.ok(), "a profile that was read is not written");
  Require(FormatIoProfile(*again) == text, "a profile changes when copied");
}

std::vector<std::string> IoProfileSeeds() {
  return {
      "disks:\n  - mountpoint: /var/lib\n    read_iops: 95000\n"
      "    read_bandwidth: 545M\n    write_iops: 85k\n"
      "    write_bandwidth: 510MB\n    write_saturation_length: 64k\n"
      "    read_saturation_length: 128KiB\n    rate_factor: 0.85\n",
      "# measured\n---\ndisks:\n- mountpoints:\n  - '/it''s'\n  - \"/a\\\"b\"\n"
      "  read_iops: 1\n  read_bandwidth: 1k # slow\n  write_iops: 1\n"
      "  write_bandwidth: 1000\n  physical_block_size: 4096\n"
      "-\n  mountpoint: /\n  read_iops: 5\n  read_bandwidth: 1G\n"
      "  write_iops: 5\n  write_bandwidth: 1T\n",
      "{\"fio version\": \"fio-3.33\", \"jobs\": []}\n"};
}

void RunSmallFile(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  static MemFileSystem* const fs = [] {
    MemFileSystem::Options options;
    options.remember_unsynced = false;
    return new MemFileSystem(options);
  }();
  ParsedFileName parsed;
  (void)ParseFileName(rest.ToStringView(), &parsed);
  if (how % 2 == 0) {
    (void)WriteStringToFile(fs, rest, "/CURRENT", false);
    (void)ReadCurrentFile(fs, "/");
  } else {
    (void)WriteStringToFile(fs, rest, "/IDENTITY", false);
    (void)ReadIdentityFile(fs, "/");
  }
}

std::vector<std::string> SmallFileSeeds() {
  return {std::string(1, '\0') + "MANIFEST-000005\n",
          "\1" + std::string("a1b2c3d4-0000-4000-8000-123456789abc\n"),
          std::string(1, '\0') + "000012.sst",
          "\1archive/000012.log",
          "\1LOG.old.1700000000000000",
          "\1OPTIONS-000007.dbtmp"};
}

}  // namespace

void AddTextTargets(std::vector<Target>* targets) {
  targets->push_back({.name = "options_file",
                      .weight = 8,
                      .memory_base = size_t{16} << 20,
                      .run = RunOptionsFile,
                      .seeds = OptionsFileSeeds});
  targets->push_back({.name = "option_string",
                      .weight = 40,
                      .memory_base = size_t{16} << 20,
                      .run = RunOptionString,
                      .seeds = OptionStringSeeds});
  targets->push_back({.name = "object_name",
                      .weight = 40,
                      .memory_base = size_t{16} << 20,
                      .run = RunObjectName,
                      .seeds = ObjectNameSeeds});
  targets->push_back({.name = "backup_meta",
                      .weight = 60,
                      .run = RunBackupMeta,
                      .seeds = BackupMetaSeeds});
  targets->push_back({.name = "io_profile",
                      .weight = 60,
                      .run = RunIoProfile,
                      .seeds = IoProfileSeeds});
  targets->push_back({.name = "small_file",
                      .weight = 40,
                      .run = RunSmallFile,
                      .seeds = SmallFileSeeds});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
