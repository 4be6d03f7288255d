// Which files IngestExternalFile refuses: what does not fit, and damage.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/table_properties.h"
#include "test/db/files/ingest_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

TEST_F(IngestTest, RefusesFilesThatDoNotFit) {
  Open();
  Put("a", "1");
  Flush();
  const std::string own = std::string(kName) + "/" + Files(".sst").front();
  EXPECT_TRUE(Ingest({own}).IsInvalidArgument());
  EXPECT_TRUE(Ingest({}).IsInvalidArgument());
  EXPECT_FALSE(Ingest({"/none.sst"}).ok());

  Options reversed = options_;
  reversed.comparator = ReverseBytewiseComparator();
  MakeTable(reversed, "/r.sst", {{"b", "1"}, {"a", "1"}});
  EXPECT_TRUE(Ingest({"/r.sst"}).IsInvalidArgument());

  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  SstFileWriter writer(EnvOptions(), options_, other);
  ASSERT_TRUE(writer.Open("/o.sst").ok());
  ASSERT_TRUE(writer.Put("k", "1").ok());
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_TRUE(Ingest({"/o.sst"}).IsInvalidArgument());
  EXPECT_TRUE(db_->IngestExternalFile(other, {"/o.sst"}, {}).ok());

  IngestExternalFileOptions options;
  options.ingest_behind = true;
  MakeTable(options_, "/a.sst", {{"a", "2"}});
  EXPECT_TRUE(Ingest({"/a.sst"}, options).IsNotSupported());
  options = {};
  options.allow_db_generated_files = true;
  EXPECT_TRUE(Ingest({"/a.sst"}, options).IsNotSupported());
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
  ExpectNothingLeftBehind();
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(IngestTest, DamageIsFoundBeforeWhenAskedFor) {
  Open();
  FileRows rows;
  for (int i = 1000; i < 2000; ++i) {
    rows.emplace_back(std::to_string(i), std::string(40, 'v'));
  }
  MakeTable(options_, "/1.sst", rows);
  std::string bytes = ReadFile(fs_.get(), "/1.sst");
  bytes[12000] ^= 1;
  WriteFile(fs_.get(), "/1.sst", bytes);
  IngestExternalFileOptions options;
  options.verify_checksums_before_ingest = true;
  EXPECT_TRUE(Ingest({"/1.sst"}, options).IsCorruption());
  ExpectNothingLeftBehind();
}

// Cut at every length, and with every byte changed: refused, leaving nothing,
// or taken with the data it had.
TEST_F(IngestTest, ADamagedFileIsRefusedOrTellsTheTruth) {
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}, {"b", "2"}});
  const std::string good = ReadFile(fs_.get(), "/1.sst");
  IngestExternalFileOptions options;
  options.verify_checksums_before_ingest = true;
  for (size_t size = 0; size < good.size(); ++size) {
    WriteFile(fs_.get(), "/cut.sst", good.substr(0, size));
    EXPECT_FALSE(Ingest({"/cut.sst"}, options).ok()) << size;
  }
  int taken = 0;
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 0x55;
    WriteFile(fs_.get(), "/bad.sst", bad);
    if (!Ingest({"/bad.sst"}, options).ok()) continue;
    ++taken;
    EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}})) << at;
  }
  // Bytes that mean nothing, as the footer's padding.
  EXPECT_LT(taken, 60);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_EQ(files.size(), static_cast<size_t>(taken));
  ExpectNothingLeftBehind();
}

TEST_F(IngestTest, ChecksumsOfWholeFilesAreComparedAndKept) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/1.sst").ok());
  ASSERT_TRUE(writer.Put("a", "1").ok());
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer.Finish(&info).ok());
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {"/1.sst"};
  arg.files_checksums = {"oops"};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.files_checksum_func_names = {info.file_checksum_func_name};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsCorruption());
  ExpectNothingLeftBehind();
  arg.files_checksums = {info.file_checksum};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].file_checksum, info.file_checksum);
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());
}

// As in RocksDB: what is given is not checked then, and must not be kept.
TEST_F(IngestTest, WithoutAFactoryChecksumsOfWholeFilesAreIgnored) {
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {"/1.sst"};
  arg.files_checksums = {"oops"};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).ok());
  arg.files_checksum_func_names = {"FileChecksumCrc32c"};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  for (const LiveFileMetaData& file : files) EXPECT_EQ(file.file_checksum, "");
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());
}

TEST_F(IngestTest, ChecksumsOfOtherFunctionsAreRefused) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {"/1.sst"};
  for (const bool verify : {false, true}) {
    arg.options.verify_file_checksum = verify;
    arg.files_checksums = {"oops"};
    for (const char* name : {"foo", ""}) {
      arg.files_checksum_func_names = {name};
      const Status status = db_->IngestExternalFiles({arg});
      EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    }
    arg.files_checksums = {""};
    EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  }
  // One that is empty is none of the file's.
  arg.files_checksum_func_names = {kStandardDbFileChecksumFuncName};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsCorruption());
  ExpectNothingLeftBehind();
  // What is not to be verified is believed.
  arg.options.verify_file_checksum = false;
  arg.files_checksums = {"oops"};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].file_checksum, "oops");
}

// What the names of comparators cannot show.
TEST_F(IngestTest, KeysInAnotherOrderAreCorruption) {
  const NamedAs pretends(BytewiseComparator(), false);
  Options options = options_;
  options.comparator = &pretends;
  MakeTable(options, "/1.sst", {{"b", "2"}, {"a", "1"}});
  Open();
  EXPECT_EQ(
      "Corruption: /1.sst: expected keys in ascending order: found 62 first "
      "and 61 last",
      Ingest({"/1.sst"}).ToString());
  EXPECT_TRUE(Rows().empty());
}

// Gives its table a version of external files that has three bytes.
class OddVersion final : public TablePropertiesCollector {
 public:
  Status Finish(UserCollectedProperties* properties) override {
    (*properties)["rocksdb.external_sst_file.version"] =
        std::string("\2\0\0", 3);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "OddVersion"; }
};

class OddVersions final : public TablePropertiesCollectorFactory {
 public:
  TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new OddVersion;
  }
  const char* Name() const override { return "OddVersions"; }
};

// SstFileWriter writes its own; so a database makes the table, and does not
// take it either.
TEST_F(IngestTest, AVersionOfAnotherLengthIsCorruption) {
  Open();
  Options options = options_;
  options.table_properties_collector_factories = {
      std::make_shared<OddVersions>()};
  std::unique_ptr<DB> other;
  ASSERT_TRUE(DB::Open(options, "/other", &other).ok());
  ASSERT_TRUE(other->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And delete (PathMatch \"*.sst\")))").ok());
  const Status flushed = other->Flush(FlushOptions());
  EXPECT_TRUE(flushed.IsCorruption()) << flushed.ToString();
  fs_->ClearRule();
  std::vector<std::string> names;
  ASSERT_TRUE(env_->GetChildren("/other", &names).ok());
  std::erase_if(names,
                [](const auto& name) { return !name.ends_with(".sst"); });
  ASSERT_EQ(1u, names.size());
  const Status refused = Ingest({"/other/" + names.front()});
  EXPECT_EQ("Corruption: bad external file version in /other/" + names.front(),
            refused.ToString());
  EXPECT_TRUE(Rows().empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
