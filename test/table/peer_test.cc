// Our tables, judged by others: Debian's sst_dump and the format checker.
//
// Needs the package rocksdb-tools; the checker is found by RIVERSTONE_VERIFY
// or beside the source tree. Skipped, saying so, where they are absent.

#include "test/support/peer.h"

#include <filesystem>
#include <fstream>
#include <iostream>

#include "random_options.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table_fixture.h"
#include "test/support/temp_dir.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

namespace fs = std::filesystem;
using Shortening = BlockBasedTableOptions::IndexShorteningMode;

constexpr char kSstDump[] = "/usr/bin/sst_dump";

class PeerTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.File(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  const test::TempDir folder_;
};

struct Variant {
  std::string name;
  TableBuildOptions options;

  // Debian has 7.8.3, which knows no later formats.
  bool DebianReadsIt() const {
    return options.table.format_version <= 5 &&
           !options.table.separate_key_value_in_data_block;
  }
};

std::vector<Variant> Variants() {
  std::vector<Variant> all;
  const auto add = [&](const std::string& name) -> TableBuildOptions& {
    all.push_back({name, BuildOptions()});
    return all.back().options;
  };
  for (const CompressionType type : SupportedCompressionTypes()) {
    add(CompressionTypeName(type)).compression = type;
  }
  for (uint32_t version = 2; version <= 7; ++version) {
    TableBuildOptions& o = add("version" + std::to_string(version));
    o.table.format_version = version;
    o.table.filter_policy.reset(NewBloomFilterPolicy(9.9));
    o.compression = kSnappyCompression;
  }
  for (int checksum = 0; checksum <= 4; ++checksum) {
    add("checksum" + std::to_string(checksum)).table.checksum =
        static_cast<ChecksumType>(checksum);
  }
  TableBuildOptions& shapes = add("shapes");
  shapes.table.data_block_index_type =
      BlockBasedTableOptions::kDataBlockBinaryAndHash;
  shapes.table.index_block_restart_interval = 4;
  shapes.table.block_restart_interval = 3;
  shapes.table.block_size = 700;
  for (uint32_t version = 2; version <= 7; ++version) {
    for (const bool decoupled : {false, true}) {
      TableBuildOptions& o =
          add((decoupled ? "decoupled" : "coupled") + std::to_string(version));
      o.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      o.table.partition_filters = true;
      o.table.decouple_partitioned_filters = decoupled;
      o.table.format_version = version;
      o.table.metadata_block_size = 200;
      o.table.block_size = 300;
      o.table.index_block_restart_interval = version % 2 == 0 ? 1 : 3;
      o.table.filter_policy.reset(NewBloomFilterPolicy(10));
      o.compression = kSnappyCompression;
      if (version == 4) o.prefix_extractor.reset(NewFixedPrefixTransform(7));
    }
    TableBuildOptions& first = add("first_key" + std::to_string(version));
    first.table.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
    first.table.format_version = version;
    first.table.index_block_restart_interval = version % 2 == 0 ? 1 : 3;
    first.table.block_size = 300;
    TableBuildOptions& hash = add("hash" + std::to_string(version));
    hash.table.index_type = BlockBasedTableOptions::kHashSearch;
    hash.table.format_version = version;
    hash.table.block_size = 300;
    hash.prefix_extractor.reset(NewFixedPrefixTransform(6));
  }
  TableBuildOptions& partitioned_aligned = add("partitioned_aligned");
  partitioned_aligned.table.index_type =
      BlockBasedTableOptions::kTwoLevelIndexSearch;
  partitioned_aligned.table.metadata_block_size = 100;
  partitioned_aligned.table.block_size = 512;
  partitioned_aligned.table.block_align = true;
  TableBuildOptions& aligned = add("aligned");
  aligned.table.block_align = true;
  aligned.table.use_delta_encoding = false;
  for (const CompressionType type :
       {kLZ4Compression, kLZ4HCCompression, kZlibCompression, kZSTD}) {
    if (!CompressionTypeSupported(type)) continue;
    TableBuildOptions& o =
        add(std::string("dictionary of ") + CompressionTypeName(type));
    o.compression = type;
    o.compression_opts.max_dict_bytes = 2000;
    o.table.block_size = 600;
    if (type != kZSTD) continue;
    all.push_back(all.back());
    all.back().name += ", trained";
    all.back().options.compression_opts.zstd_max_train_bytes = 20000;
    all.push_back(all.back());
    all.back().name += ", finalized";
    all.back().options.compression_opts.use_zstd_dict_trainer = false;
  }
  TableBuildOptions& separated = add("separated");
  separated.table.separate_key_value_in_data_block = true;
  separated.table.format_version = 7;
  separated.compression = kLZ4Compression;
  all.push_back(all.back());
  all.back().name = "separated and hashed";
  all.back().options.table.data_block_index_type =
      BlockBasedTableOptions::kDataBlockBinaryAndHash;
  TableBuildOptions& padded = add("padded to super blocks");
  padded.table.super_block_alignment_size = 2048;
  padded.table.super_block_alignment_space_overhead_ratio = 2;
  padded.table.index_block_restart_interval = 8;
  padded.table.block_size = 400;
  for (const Shortening mode : {Shortening::kNoShortening,
                                Shortening::kShortenSeparatorsAndSuccessor}) {
    add("shortening " + std::to_string(static_cast<int>(mode)))
        .table.index_shortening = mode;
  }
  TableBuildOptions& ribbon = add("ribbon");
  ribbon.table.filter_policy.reset(NewRibbonFilterPolicy(9.9));
  TableBuildOptions& coarse = add("coarse ribbon with prefixes");
  coarse.table.filter_policy.reset(NewRibbonFilterPolicy(2.5));
  coarse.table.format_version = 4;
  coarse.prefix_extractor.reset(NewFixedPrefixTransform(8));
  TableBuildOptions& prefixed = add("prefixed");
  prefixed.table.filter_policy.reset(NewBloomFilterPolicy(14.5));
  prefixed.prefix_extractor.reset(NewFixedPrefixTransform(5));
  return all;
}

TEST_F(PeerTest, DebiansSstDumpAcceptsEveryKindOfTable) {
  if (!fs::exists(kSstDump)) {
    std::cerr << "SKIPPED: " << kSstDump << " is absent (rocksdb-tools)\n";
    GTEST_SKIP();
  }
  const Entries entries = SomeEntries(300);
  for (const Variant& variant : Variants()) {
    SCOPED_TRACE(variant.name);
    if (!variant.DebianReadsIt()) continue;
    const std::string path =
        Write("000017.sst", BuildTable(variant.options, entries));
    for (const char* command : {"verify", "check", "scan"}) {
      const test::Ran run =
          test::RunCommand(std::string(kSstDump) + " --file=" + path +
                           " --verify_checksum --command=" + command);
      EXPECT_EQ(0, run.code) << command << ": " << run.output;
      EXPECT_EQ(std::string::npos, run.output.find("orruption")) << run.output;
      if (std::string(command) != "scan") continue;
      const std::string last = ExtractUserKey(entries.back().first).ToString();
      EXPECT_NE(std::string::npos, run.output.find("'" + last + "' seq:101"))
          << run.output;
    }
  }
}

// With the random mixtures of all options.
std::vector<std::pair<Variant, Entries>> Mixtures(int count) {
  std::vector<std::pair<Variant, Entries>> all;
  Random64 random(30);
  for (int i = 0; i < count; ++i) {
    Variant variant{"mixture " + std::to_string(i), RandomOptions(&random)};
    all.emplace_back(variant, RandomEntries(&random, random.Uniform(200)));
  }
  return all;
}

TEST_F(PeerTest, DebiansSstDumpAcceptsMixturesOfOptions) {
  if (!fs::exists(kSstDump)) {
    std::cerr << "SKIPPED: " << kSstDump << " is absent (rocksdb-tools)\n";
    GTEST_SKIP();
  }
  int asked = 0;
  for (const auto& [variant, entries] : Mixtures(60)) {
    SCOPED_TRACE(variant.name);
    if (!variant.DebianReadsIt()) continue;
    const std::string path =
        Write("000017.sst", BuildTable(variant.options, entries));
    const test::Ran run =
        test::RunCommand(std::string(kSstDump) + " --file=" + path +
                         " --verify_checksum --command=check");
    EXPECT_EQ(0, run.code) << run.output;
    EXPECT_EQ(std::string::npos, run.output.find("orruption")) << run.output;
    ++asked;
  }
  EXPECT_GT(asked, 10);
}

TEST_F(PeerTest, TheFormatCheckerFindsNothing) {
  const std::string checker = test::FormatChecker();
  if (checker.empty()) GTEST_SKIP() << "NO CHECKER of the formats";
  const Entries entries = SomeEntries(300);
  std::string files;
  int number = 100;
  for (const Variant& variant : Variants()) {
    TableBuildOptions options = variant.options;
    options.file_number = static_cast<uint64_t>(++number);
    files += " " + Write("000" + std::to_string(number) + ".sst",
                         BuildTable(options, entries));
  }
  for (const auto& [variant, entries_of_it] : Mixtures(40)) {
    TableBuildOptions options = variant.options;
    options.file_number = static_cast<uint64_t>(++number);
    files += " " + Write("000" + std::to_string(number) + ".sst",
                         BuildTable(options, entries_of_it));
  }
  const test::Ran run = test::RunCommand(checker + files);
  EXPECT_EQ(0, run.code) << run.output;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
