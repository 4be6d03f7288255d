// SstFileWriter and SstFileReader: tables outside any database.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "table/internal_key.h"
#include "test/db/store_fixture.h"
#include "test/support/error_fs.h"
#include "test/support/golden.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

class SstFileTest : public ::testing::Test {
 protected:
  SstFileTest() {
    options_.env = env_.get();
    options_.compression = kNoCompression;
    options_.merge_operator = engine::NewStringAppendOperator(",");
  }

  std::unique_ptr<SstFileWriter> Begin(const std::string& path = "/x.sst") {
    auto writer = std::make_unique<SstFileWriter>(EnvOptions(), options_);
    const Status status = writer->Open(path);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return writer;
  }

  Rows Read(const std::string& path = "/x.sst",
            const ReadOptions& read = ReadOptions()) {
    SstFileReader reader(options_);
    const Status status = reader.Open(path);
    EXPECT_TRUE(status.ok()) << status.ToString();
    Rows rows;
    std::unique_ptr<Iterator> iter(reader.NewIterator(read));
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      rows.emplace_back(iter->key().ToString(), iter->value().ToString());
    }
    EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
    return rows;
  }

  std::shared_ptr<test::ErrorFileSystem> fs_ =
      std::make_shared<test::ErrorFileSystem>(
          std::make_shared<engine::MemFileSystem>());
  std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
  Options options_;
};

TEST_F(SstFileTest, ReadsBackWhatItWrote) {
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("a", "1").ok());
  ASSERT_TRUE(writer->Delete("b").ok());
  ASSERT_TRUE(writer->Merge("c", "x").ok());
  ASSERT_TRUE(writer->Put("d", "").ok());
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer->Finish(&info).ok());
  EXPECT_EQ(Read(), (Rows{{"a", "1"}, {"c", "x"}, {"d", ""}}));

  EXPECT_EQ(info.file_path, "/x.sst");
  EXPECT_EQ(info.smallest_key, "a");
  EXPECT_EQ(info.largest_key, "d");
  EXPECT_EQ(info.sequence_number, 0u);
  EXPECT_EQ(info.num_entries, 4u);
  EXPECT_EQ(info.version, 2);
  EXPECT_EQ(info.file_checksum_func_name, "Unknown");
  uint64_t size = 0;
  ASSERT_TRUE(env_->GetFileSize("/x.sst", &size).ok());
  EXPECT_EQ(info.file_size, size);
  EXPECT_EQ(writer->FileSize(), size);
}

TEST_F(SstFileTest, SaysInItsPropertiesThatItIsExternal) {
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("a", "1").ok());
  ASSERT_TRUE(writer->Finish().ok());
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/x.sst").ok());
  const auto properties = reader.GetTableProperties();
  const auto& more = properties->user_collected_properties;
  EXPECT_EQ(more.at("rocksdb.external_sst_file.version"),
            std::string("\x02\0\0\0", 4));
  EXPECT_EQ(more.at("rocksdb.external_sst_file.global_seqno"),
            std::string(8, '\0'));
  const uint64_t at = properties->external_sst_file_global_seqno_offset;
  const std::string bytes = test::ReadFile(fs_.get(), "/x.sst");
  ASSERT_GT(at, 0u);
  EXPECT_EQ(bytes.substr(at, 8), std::string(8, '\0'));
  EXPECT_EQ(properties->comparator_name, "leveldb.BytewiseComparator");
  EXPECT_EQ(properties->column_family_id, INT32_MAX);
  EXPECT_EQ(properties->column_family_name, "");
  EXPECT_EQ(properties->db_id, "SST Writer");
  EXPECT_EQ(properties->db_session_id.size(), 20u);
  EXPECT_EQ(properties->orig_file_number, 1u);
}

TEST_F(SstFileTest, RefusesKeysOutOfOrderAndGoesOn) {
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("b", "1").ok());
  EXPECT_TRUE(writer->Put("b", "2").IsInvalidArgument());
  EXPECT_TRUE(writer->Delete("a").IsInvalidArgument());
  ASSERT_TRUE(writer->Put("c", "3").ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(Read(), (Rows{{"b", "1"}, {"c", "3"}}));
}

TEST_F(SstFileTest, OrdersKeysByTheGivenComparator) {
  options_.comparator = ReverseBytewiseComparator();
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("b", "1").ok());
  EXPECT_TRUE(writer->Put("c", "2").IsInvalidArgument());
  ASSERT_TRUE(writer->Put("a", "3").ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(Read(), (Rows{{"b", "1"}, {"a", "3"}}));
}

TEST_F(SstFileTest, LeavesNoFileWithoutEntries) {
  auto writer = Begin();
  EXPECT_TRUE(writer->Finish().IsInvalidArgument());
  EXPECT_TRUE(env_->FileExists("/x.sst").IsNotFound());
  EXPECT_TRUE(writer->Finish().IsInvalidArgument());
  EXPECT_TRUE(writer->Put("a", "1").IsInvalidArgument());
}

TEST_F(SstFileTest, DeletesAFileThatWasNotFinished) {
  {
    auto writer = Begin();
    ASSERT_TRUE(writer->Put("a", "1").ok());
  }
  EXPECT_TRUE(env_->FileExists("/x.sst").IsNotFound());
}

TEST_F(SstFileTest, MakesSeveralFilesWithIdentitiesOfTheirOwn) {
  auto writer = Begin("/1.sst");
  ASSERT_TRUE(writer->Put("b", "1").ok());
  ASSERT_TRUE(writer->Finish().ok());
  ASSERT_TRUE(writer->Open("/2.sst").ok());
  ASSERT_TRUE(writer->Put("a", "2").ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(Read("/1.sst"), (Rows{{"b", "1"}}));
  EXPECT_EQ(Read("/2.sst"), (Rows{{"a", "2"}}));
  SstFileReader first(options_);
  SstFileReader second(options_);
  ASSERT_TRUE(first.Open("/1.sst").ok());
  ASSERT_TRUE(second.Open("/2.sst").ok());
  EXPECT_NE(first.GetTableProperties()->orig_file_number,
            second.GetTableProperties()->orig_file_number);
}

TEST_F(SstFileTest, RefusesToAlignBlocksOfNoSize) {
  BlockBasedTableOptions table;
  table.block_align = true;
  table.block_size = 0;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  SstFileWriter writer(EnvOptions(), options_);
  const Status status = writer.Open("/x.sst");
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_TRUE(writer.Put("a", "1").IsInvalidArgument());
  EXPECT_TRUE(writer.Finish().IsInvalidArgument());
  EXPECT_TRUE(env_->FileExists("/x.sst").IsNotFound());
}

TEST_F(SstFileTest, ChoosesTheCompressionOfTheLastLevel) {
  const auto compression_of = [this] {
    auto writer = Begin();
    EXPECT_TRUE(writer->Put("a", std::string(5000, 'x')).ok());
    EXPECT_TRUE(writer->Finish().ok());
    SstFileReader reader(options_);
    EXPECT_TRUE(reader.Open("/x.sst").ok());
    return reader.GetTableProperties()->compression_name;
  };
  options_.compression = kSnappyCompression;
  EXPECT_EQ(compression_of(), "Snappy");
  options_.compression_per_level = {kNoCompression, kLZ4Compression};
  EXPECT_EQ(compression_of(), "LZ4");
  options_.bottommost_compression = kZSTD;
  EXPECT_EQ(compression_of(), "ZSTD");
}

TEST_F(SstFileTest, LeavesAlignedBlocksUncompressed) {
  BlockBasedTableOptions table;
  table.block_align = true;
  options_.compression = kSnappyCompression;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("key", std::string(9000, 'v')).ok());
  const Status status = writer->Finish();
  ASSERT_TRUE(status.ok()) << status.ToString();
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/x.sst").ok());
  EXPECT_EQ("NoCompression", reader.GetTableProperties()->compression_name);
  EXPECT_LE(9000u, reader.GetTableProperties()->data_size);
}

TEST_F(SstFileTest, TellsTheChecksumOfTheWholeFile) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  BlockBasedTableOptions table;
  table.block_align = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  auto writer = Begin();
  for (int i = 1000; i < 2000; ++i) {
    ASSERT_TRUE(writer->Put(std::to_string(i), std::string(40, 'v')).ok());
  }
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer->Finish(&info).ok());
  const std::string bytes = test::ReadFile(fs_.get(), "/x.sst");
  const uint32_t crc = engine::crc32c::Value(bytes.data(), bytes.size());
  std::string expected;
  for (int shift = 24; shift >= 0; shift -= 8) {
    expected += static_cast<char>(crc >> shift);
  }
  EXPECT_EQ(info.file_checksum, expected);
  EXPECT_EQ(info.file_checksum_func_name, kStandardDbFileChecksumFuncName);
}

TEST_F(SstFileTest, FindsSingleKeys) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  auto writer = Begin();
  ASSERT_TRUE(writer->Put("a", "1").ok());
  ASSERT_TRUE(writer->Delete("b").ok());
  ASSERT_TRUE(writer->Put("c", "3").ok());
  ASSERT_TRUE(writer->Finish().ok());
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/x.sst").ok());
  std::vector<std::string> values;
  const auto statuses =
      reader.MultiGet(ReadOptions(), {"a", "b", "bb", "c"}, &values);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_TRUE(statuses[2].IsNotFound());
  EXPECT_TRUE(statuses[3].ok());
  EXPECT_EQ(values, (std::vector<std::string>{"1", "", "", "3"}));
}

TEST_F(SstFileTest, ShowsEntriesAsTheyAreStored) {
  auto writer = Begin();
  ASSERT_TRUE(writer->Delete("a").ok());
  ASSERT_TRUE(writer->Put("b", "2").ok());
  ASSERT_TRUE(writer->Finish().ok());
  SstFileReader reader(options_);
  EXPECT_EQ(reader.NewTableIterator(), nullptr);
  ASSERT_TRUE(reader.Open("/x.sst").ok());
  const std::unique_ptr<Iterator> iter = reader.NewTableIterator();
  iter->SeekToFirst();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->key().ToString(), std::string("a\0\0\0\0\0\0\0\0", 9));
  iter->Next();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->key().ToString(), std::string("b\1\0\0\0\0\0\0\0", 9));
  EXPECT_TRUE(reader.VerifyNumEntries(ReadOptions()).ok());
}

TEST_F(SstFileTest, FindsDamage) {
  auto writer = Begin();
  for (int i = 1000; i < 2000; ++i) {
    ASSERT_TRUE(writer->Put(std::to_string(i), std::string(40, 'v')).ok());
  }
  ASSERT_TRUE(writer->Finish().ok());
  SstFileReader sound(options_);
  ASSERT_TRUE(sound.Open("/x.sst").ok());
  EXPECT_TRUE(sound.VerifyChecksum().ok());
  std::string bytes = test::ReadFile(fs_.get(), "/x.sst");
  bytes[6000] ^= 1;
  test::WriteFile(fs_.get(), "/y.sst", bytes);
  SstFileReader damaged(options_);
  ASSERT_TRUE(damaged.Open("/y.sst").ok());
  const Status status = damaged.VerifyChecksum();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find("/y.sst"), std::string::npos);
  EXPECT_TRUE(damaged.VerifyNumEntries(ReadOptions()).IsCorruption());
}

TEST_F(SstFileTest, AnswersBeforeItIsOpened) {
  SstFileReader reader(options_);
  EXPECT_TRUE(reader.VerifyChecksum().IsInvalidArgument());
  EXPECT_EQ(reader.GetTableProperties(), nullptr);
  std::unique_ptr<Iterator> iter(reader.NewIterator(ReadOptions()));
  EXPECT_TRUE(iter->status().IsInvalidArgument());
  EXPECT_FALSE(reader.Open("/none.sst").ok());
}

// Whatever call fails: an error, and no file.
TEST_F(SstFileTest, LeavesNothingWhenACallFails) {
  int failures = 0;
  for (int call = 0;; ++call) {
    ASSERT_LT(call, 100);
    ASSERT_TRUE(fs_->SetRule("(ErrInjected (And Writes (OnIndex " +
                             std::to_string(call) + ")))")
                    .ok());
    SstFileWriter writer(EnvOptions(), options_);
    Status status = writer.Open("/x.sst");
    if (status.ok()) status = writer.Put("a", std::string(100000, 'x'));
    if (status.ok()) status = writer.Put("b", std::string(100000, 'x'));
    if (status.ok()) status = writer.Finish();
    const bool failed = fs_->injected() > 0;
    fs_->ClearRule();
    if (!failed) {
      EXPECT_TRUE(status.ok());
      break;
    }
    ++failures;
    EXPECT_FALSE(status.ok()) << call;
    if (call > 0) {
      EXPECT_TRUE(env_->FileExists("/x.sst").IsNotFound());
    }
  }
  EXPECT_GE(failures, 4);  // Create, append, sync, close.
}

// Debian's tools take our file for one of theirs.
TEST(SstFilePeer, IngestsAndDumpsOurFile) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  test::TempDir dir;
  Options options;
  SstFileWriter writer(EnvOptions(), options);
  ASSERT_TRUE(writer.Open(dir.File("x.sst")).ok());
  for (int i = 1000; i < 3000; ++i) {
    ASSERT_TRUE(writer.Put("k" + std::to_string(i), std::to_string(i)).ok());
  }
  ASSERT_TRUE(writer.Finish().ok());
  const test::Ran verified = test::RunCommand(
      test::Peer("sst_dump") + " --command=verify --file=" + dir.File("x.sst"));
  EXPECT_NE(verified.output.find("The file is ok"), std::string::npos)
      << verified.output;
  const std::string ldb = test::Peer("ldb") + " --db=" + dir.File("db");
  const test::Ran ingested = test::RunCommand(
      ldb + " --create_if_missing ingest_extern_sst " + dir.File("x.sst"));
  EXPECT_EQ(0, ingested.code) << ingested.output;
  const test::Ran got = test::RunCommand(ldb + " get k2000");
  EXPECT_EQ(got.output, "2000\n");
}

// Tables of RocksDB's own writer, never ingested.
TEST(SstFileGolden, ReadsExternalTablesOfRocksDb) {
  const auto files = test::GoldenFiles([](const std::filesystem::path& path) {
    return path.filename() == "plain.sst" &&
           path.parent_path().filename() == "external";
  });
  RIVERSTONE_SKIP_WITHOUT(files);
  for (const auto& file : files) {
    Options options;
    options.merge_operator = engine::NewStringAppendOperator(",");
    SstFileReader reader(options);
    const Status status = reader.Open(file.string());
    ASSERT_TRUE(status.ok()) << status.ToString();
    const auto properties = reader.GetTableProperties();
    std::unique_ptr<Iterator> iter(reader.NewIterator(ReadOptions()));
    uint64_t count = 0;
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) ++count;
    EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
    EXPECT_GT(count, 0u);
    EXPECT_EQ(count, properties->num_entries - properties->num_deletions);
    EXPECT_TRUE(reader.VerifyChecksum().ok());
    EXPECT_TRUE(reader.VerifyNumEntries(ReadOptions()).ok());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
