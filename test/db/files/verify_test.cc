// Properties of tables, their collectors, and checks of all files.

#include <algorithm>

#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/table_properties.h"
#include "test/db/files/files_fixture.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts entries.
class CountingCollector : public TablePropertiesCollector {
 public:
  Status AddUserKey(const Slice&, const Slice&, EntryType type, SequenceNumber,
                    uint64_t) override {
    ++count_;
    deletions_ += type == kEntryDelete ? 1 : 0;
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    (*properties)["test.count"] = std::to_string(count_);
    (*properties)["test.deletions"] = std::to_string(deletions_);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override {
    return {{"count", std::to_string(count_)}};
  }
  const char* Name() const override { return "CountingCollector"; }

 private:
  int count_ = 0;
  int deletions_ = 0;
};

class CountingFactory : public TablePropertiesCollectorFactory {
 public:
  TablePropertiesCollector* CreateTablePropertiesCollector(
      Context context) override {
    levels.push_back(context.level_at_creation);
    return new CountingCollector;
  }
  const char* Name() const override { return "CountingFactory"; }
  std::vector<int> levels;
};

class VerifyTest : public test::FilesTest {
 protected:
  std::vector<std::string> Counts(const TablePropertiesCollection& all) {
    std::vector<std::string> counts;
    for (const auto& [path, properties] : all) {
      EXPECT_TRUE(env_->FileExists(path).ok()) << path;
      counts.push_back(properties->user_collected_properties.at("test.count"));
    }
    std::sort(counts.begin(), counts.end());
    return counts;
  }

  void Damage(const std::string& name, size_t at) {
    const std::string path = std::string(kName) + "/" + name;
    std::string bytes = test::ReadFile(fs_.get(), path);
    ASSERT_LT(at, bytes.size());
    bytes[at] ^= 1;
    test::WriteFile(fs_.get(), path, bytes);
  }
};

using Counted = std::vector<std::string>;

TEST_F(VerifyTest, CollectorsSeeEveryNewTable) {
  auto factory = std::make_shared<CountingFactory>();
  options_.table_properties_collector_factories = {factory};
  Open();
  Put("a", "1");
  Put("b", "1");
  Flush();
  for (const char* key : {"a", "b", "c"}) Put(key, "2");
  Flush();
  TablePropertiesCollection all;
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&all).ok());
  EXPECT_EQ(Counts(all), (Counted{"2", "3"}));
  EXPECT_EQ(all.begin()->second->property_collectors_names,
            "[CountingFactory]");
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&all).ok());
  EXPECT_EQ(Counts(all), (Counted{"3"}));
  EXPECT_EQ(factory->levels, (std::vector<int>{0, 0, 1}));

  test::MakeTable(options_, "/x.sst", {{"a", "1"}, {"b", "-"}, {"c", "3"}});
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/x.sst").ok());
  const auto properties = reader.GetTableProperties();
  EXPECT_EQ(properties->user_collected_properties.at("test.count"), "3");
  EXPECT_EQ(properties->user_collected_properties.at("test.deletions"), "1");
}

TEST_F(VerifyTest, PropertiesAreGivenByRangeAndByLevel) {
  options_.table_properties_collector_factories = {
      std::make_shared<CountingFactory>()};
  Open();
  Put("a", "1");
  Flush();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  Put("k", "1");
  Put("m", "1");
  Flush();
  TablePropertiesCollection found;
  const Range ranges[] = {{"l", "n"}, {"k", "kk"}};
  ASSERT_TRUE(db_->GetPropertiesOfTablesInRange(db_->DefaultColumnFamily(),
                                                ranges, 2, &found)
                  .ok());
  EXPECT_EQ(Counts(found), (Counted{"2"}));
  const Range none("x", "z");
  ASSERT_TRUE(db_->GetPropertiesOfTablesInRange(db_->DefaultColumnFamily(),
                                                &none, 1, &found)
                  .ok());
  EXPECT_TRUE(found.empty());

  std::vector<std::unique_ptr<TablePropertiesCollection>> levels;
  ASSERT_TRUE(
      db_->GetPropertiesOfTablesByLevel(db_->DefaultColumnFamily(), &levels)
          .ok());
  ASSERT_EQ(levels.size(), 7u);
  EXPECT_EQ(Counts(*levels[0]), (Counted{"2"}));
  EXPECT_EQ(Counts(*levels[1]), (Counted{"1"}));
  EXPECT_TRUE(levels[2]->empty());
}

TEST_F(VerifyTest, VerifyChecksumFindsADamagedBlock) {
  Open();
  for (int i = 1000; i < 2000; ++i) {
    Put(std::to_string(i), std::string(40, 'v'));
  }
  Flush();
  EXPECT_TRUE(db_->VerifyChecksum().ok());
  Damage(Files(".sst").front(), 6000);
  const Status status = db_->VerifyChecksum();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find(Files(".sst").front()), std::string::npos);
}

TEST_F(VerifyTest, ChecksumsOfWholeFilesAreKeptAndCompared) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  Put("a", "1");
  Flush();
  Put("a", "2");
  Flush();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  Put("b", "2");
  Flush();
  Open();  // From the MANIFEST.
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  for (const LiveFileMetaData& file : files) {
    const std::string bytes =
        test::ReadFile(fs_.get(), file.directory + file.name);
    const uint32_t crc = engine::crc32c::Value(bytes.data(), bytes.size());
    std::string expected;
    for (int shift = 24; shift >= 0; shift -= 8) {
      expected += static_cast<char>(crc >> shift);
    }
    EXPECT_EQ(file.file_checksum, expected);
    EXPECT_EQ(file.file_checksum_func_name, "FileChecksumCrc32c");
  }
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());
  // A byte that no reader looks at: the footer's padding.
  Damage(files.back().relative_filename, files.back().size - 20);
  const Status status = db_->VerifyFileChecksums(ReadOptions());
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find(files.back().relative_filename),
            std::string::npos);
  EXPECT_TRUE(db_->VerifyChecksum().ok());
}

TEST_F(VerifyTest, FilesWithoutAChecksumAreNotCompared) {
  Open();
  Put("a", "1");
  Flush();
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).IsInvalidArgument());
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());
}

TEST(FileChecksumTest, AListKeepsOneChecksumOfEachFile) {
  std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  ASSERT_TRUE(list->InsertOneFileChecksum(7, "x", "f").ok());
  ASSERT_TRUE(list->InsertOneFileChecksum(3, "y", "f").ok());
  ASSERT_TRUE(list->InsertOneFileChecksum(7, "z", "g").ok());
  std::string checksum;
  std::string function;
  ASSERT_TRUE(list->SearchOneFileChecksum(7, &checksum, &function).ok());
  EXPECT_EQ(checksum + function, "zg");
  EXPECT_TRUE(
      list->SearchOneFileChecksum(8, &checksum, &function).IsNotFound());
  std::vector<uint64_t> numbers;
  std::vector<std::string> checksums;
  std::vector<std::string> functions;
  ASSERT_TRUE(list->GetAllFileChecksums(&numbers, &checksums, &functions).ok());
  EXPECT_EQ(numbers, (std::vector<uint64_t>{3, 7}));
  EXPECT_EQ(checksums, (Counted{"y", "z"}));
  ASSERT_TRUE(list->RemoveOneFileChecksum(3).ok());
  EXPECT_TRUE(list->RemoveOneFileChecksum(3).IsNotFound());
  EXPECT_EQ(list->size(), 1u);
  list->reset();
  EXPECT_EQ(list->size(), 0u);
}

TEST(FileChecksumTest, FactoriesAreMadeFromTheirNames) {
  std::shared_ptr<FileChecksumGenFactory> factory;
  ASSERT_TRUE(FileChecksumGenFactory::CreateFromString(
                  ConfigOptions(), "FileChecksumGenCrc32cFactory", &factory)
                  .ok());
  EXPECT_EQ(factory, GetFileChecksumGenCrc32cFactory());
  EXPECT_TRUE(FileChecksumGenFactory::CreateFromString(ConfigOptions(), "other",
                                                       &factory)
                  .IsNotSupported());
  EXPECT_EQ(factory->CreateFileChecksumGenerator({"f", "other"}), nullptr);
  auto generator = factory->CreateFileChecksumGenerator({"f", ""});
  generator->Update("1234", 4);
  generator->Update("56789", 5);
  generator->Finalize();
  EXPECT_EQ(generator->GetChecksum(), "\xE3\x06\x92\x83");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
