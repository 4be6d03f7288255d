#include "db/format/file_names.h"

#include <gtest/gtest.h>

#include "env/mem/mem_file_system.h"
#include "test/db/store_fixture.h"
#include "test/support/error_fs.h"
#include "test/support/golden.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

struct Named {
  const char* name;
  FileType type;
  uint64_t number;
};

// file_names.h (1).
TEST(FileNames, WhatIsMadeIsParsed) {
  const Named kNames[] = {
      {"000012.log", kWalFile, 12},
      {"1234567890123.sst", kTableFile, 1234567890123},
      {"7.ldb", kTableFile, 7},
      {"000009.blob", kBlobFile, 9},
      {"MANIFEST-000005", kDescriptorFile, 5},
      {"OPTIONS-000007", kOptionsFile, 7},
      {"OPTIONS-000007.dbtmp", kTempFile, 7},
      {"000005.dbtmp", kTempFile, 5},
      {"CURRENT", kCurrentFile, 0},
      {"LOCK", kDBLockFile, 0},
      {"IDENTITY", kIdentityFile, 0},
      {"LOG", kInfoLogFile, 0},
      {"LOG.old.1795170432000001", kInfoLogFile, 1795170432000001},
      {"METADB-3", kMetaDatabase, 3},
      {"COMPACTION_PROGRESS-17", kCompactionProgressFile, 17},
      {"archive/000003.log", kWalFile, 3},
  };
  for (const Named& expected : kNames) {
    ParsedFileName parsed;
    ASSERT_TRUE(ParseFileName(expected.name, &parsed)) << expected.name;
    EXPECT_EQ(parsed.type, expected.type) << expected.name;
    EXPECT_EQ(parsed.number, expected.number) << expected.name;
    EXPECT_EQ(parsed.archived, std::string(expected.name)[0] == 'a');
  }
  ParsedFileName parsed;
  EXPECT_TRUE(ParseFileName(TableBaseName(3), &parsed));
  EXPECT_EQ(TableFileName("/db", 3), "/db/000003.sst");
  EXPECT_EQ(LogFileName("/db", 1234567), "/db/1234567.log");
  EXPECT_EQ(TempOptionsFileName("/db", 3), "/db/OPTIONS-000003.dbtmp");
}

// file_names.h (1).
TEST(FileNames, ForeignNamesAreNotOurs) {
  for (const char* name : {"",
                           "foo",
                           "12",
                           "12.",
                           "12.foo",
                           "a12.sst",
                           "12.sst.bak",
                           "MANIFEST",
                           "MANIFEST-",
                           "MANIFEST-x",
                           "MANIFEST-3x",
                           "CURRENT2",
                           "LOGGER",
                           "LOG.old.x",
                           "OPTIONS-3.tmp",
                           "99999999999999999999.sst",
                           "18446744073709551615.sst",
                           "MANIFEST-4611686018427387904",
                           "archive/3.sst",
                           "archive/MANIFEST-3",
                           "-1.sst",
                           "0x3.log"}) {
    ParsedFileName parsed;
    EXPECT_FALSE(ParseFileName(name, &parsed)) << name;
  }
}

TEST(FileNames, ALogDirectoryChangesTheInfoLogsName) {
  EXPECT_EQ(InfoLogFileName("/data/my db", ""), "/data/my db/LOG");
  EXPECT_EQ(InfoLogFileName("/data/my db", "/logs"), "/logs/data_my_db_LOG");
  ParsedFileName parsed;
  EXPECT_TRUE(ParseFileName("data_my_db_LOG.old.77",
                            InfoLogPrefix("/data/my db", "/logs"), &parsed));
  EXPECT_EQ(parsed.number, 77u);
}

TEST(FileNames, PathsHaveParentsAndNoSlashAtTheEnd) {
  EXPECT_EQ(WithoutTrailingSlashes("/a/b//"), "/a/b");
  EXPECT_EQ(WithoutTrailingSlashes("//"), "/");
  EXPECT_EQ(WithoutTrailingSlashes(""), "");
  EXPECT_EQ(ParentDirectory("/a/b"), "/a");
  EXPECT_EQ(ParentDirectory("a/b"), "a");
  EXPECT_EQ(ParentDirectory("/a"), "/");
}

TEST(FileNames, ADirectoryThatIsMissingHoldsNothing) {
  MemFileSystem fs;
  std::vector<std::string> names;
  EXPECT_TRUE(ListIfThere(&fs, "/nothing", &names).ok());
  EXPECT_TRUE(names.empty());
  ASSERT_TRUE(fs.CreateDir("/some", IOOptions(), nullptr).ok());
  ASSERT_TRUE(WriteFileSynced(&fs, "/some/CURRENT", "x").ok());
  EXPECT_TRUE(ListIfThere(&fs, "/some", &names).ok());
  EXPECT_EQ(names, std::vector<std::string>{"CURRENT"});
}

TEST(FileNames, APathBeyondTheListIsTheLast) {
  const std::vector<std::string> dirs = {"/a", "/b"};
  EXPECT_EQ(TableFileName(dirs, 1, 0), "/a/000001.sst");
  EXPECT_EQ(TableFileName(dirs, 1, 1), "/b/000001.sst");
  EXPECT_EQ(TableFileName(dirs, 1, 3), "/b/000001.sst");
}

class CurrentFileTest : public testing::Test {
 protected:
  CurrentFileTest() {
    EXPECT_TRUE(fs_.CreateDir("/db", IOOptions(), nullptr).ok());
  }
  MemFileSystem fs_;
};

TEST_F(CurrentFileTest, CurrentIsReplacedAndReadBack) {
  ASSERT_TRUE(SetCurrentFile(&fs_, "/db", 5, nullptr).ok());
  EXPECT_EQ(test::ReadFile(&fs_, "/db/CURRENT"), "MANIFEST-000005\n");
  ASSERT_TRUE(SetCurrentFile(&fs_, "/db", 1234567, nullptr).ok());
  EXPECT_EQ(*ReadCurrentFile(&fs_, "/db"), 1234567u);
  EXPECT_FALSE(test::Exists(&fs_, "/db/000005.dbtmp"));
}

TEST_F(CurrentFileTest, AMissingCurrentIsNotFound) {
  EXPECT_TRUE(ReadCurrentFile(&fs_, "/db").status().IsNotFound());
}

TEST_F(CurrentFileTest, AMalformedCurrentIsCorruption) {
  for (const char* text :
       {"", "MANIFEST-000005", "\n", "MANIFEST-\n", "manifest-5\n",
        "000005.log\n", "MANIFEST-000005\n\n", "MANIFEST-5 \n"}) {
    test::WriteFile(&fs_, "/db/CURRENT", text);
    const Status status = ReadCurrentFile(&fs_, "/db").status();
    EXPECT_TRUE(status.IsCorruption()) << "'" << text << "'";
  }
  test::WriteFile(&fs_, "/db/CURRENT", std::string(100000, 'x'));
  EXPECT_TRUE(ReadCurrentFile(&fs_, "/db").status().IsCorruption());
}

TEST_F(CurrentFileTest, TheIdentityLosesItsTrailingNewlines) {
  EXPECT_TRUE(ReadIdentityFile(&fs_, "/db").status().IsNotFound());
  ASSERT_TRUE(WriteIdentityFile(&fs_, "/db", "abc").ok());
  EXPECT_EQ(*ReadIdentityFile(&fs_, "/db"), "abc");
  test::WriteFile(&fs_, "/db/IDENTITY", "def\n\n");
  EXPECT_EQ(*ReadIdentityFile(&fs_, "/db"), "def");
  EXPECT_FALSE(test::Exists(&fs_, "/db/000000.dbtmp"));
}

// file_names.h (2).
TEST(CurrentFile, AfterAnyFailingCallCurrentNamesTheOldOrTheNewManifest) {
  const uint64_t runs = test::ForEachFailingCall(
      {}, [](Env* env, test::ErrorFileSystem*, uint64_t call) {
        FileSystem* const fs = env->GetFileSystem().get();
        Status status = fs->CreateDirIfMissing("/db", IOOptions(), nullptr);
        if (status.ok()) status = SetCurrentFile(fs, "/db", 1, nullptr);
        const bool first = status.ok();
        if (first) status = SetCurrentFile(fs, "/db", 2, nullptr);
        const Result<uint64_t> current = ReadCurrentFile(fs, "/db");
        if (status.ok()) {
          ASSERT_TRUE(current.ok()) << call;
          EXPECT_EQ(*current, 2u) << call;
        } else if (first) {
          ASSERT_TRUE(current.ok()) << call;
          EXPECT_TRUE(*current == 1 || *current == 2) << call;
          EXPECT_NE(status.ToString().find("injected"), std::string::npos);
        }
      });
  EXPECT_GT(runs, 8u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
