// What RocksDB wants to be told by the files of a database, though nothing here
// needs it: the same identity everywhere, the times in a table, options without
// which it refuses a family.

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table_properties.h"
#include "test/db/files/files_fixture.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ToldToRocksDb : public test::FilesTest {
 protected:
  std::string Identity() {
    std::string id;
    EXPECT_TRUE(db_->GetDbIdentity(id).ok());
    return id;
  }
  std::string IdentityFile() {
    std::string text;
    EXPECT_TRUE(ReadFileToString(env_.get(), "/db/IDENTITY", &text).ok());
    return text;
  }
  static std::string Time(uint64_t time) {
    std::string bytes;
    engine::PutFixed64(&bytes, time);
    return bytes;
  }
};

TEST_F(ToldToRocksDb, TheManifestKnowsTheIdentityThatACopyLacks) {
  Open();
  const std::string id = Identity();
  EXPECT_EQ(36u, id.size());
  db_.reset();
  ASSERT_TRUE(env_->DeleteFile("/db/IDENTITY").ok());
  Open();
  EXPECT_EQ(id, Identity());
  EXPECT_EQ(id, IdentityFile());
  db_.reset();
  const std::string other = "00000000-0000-0000-0000-000000000000";
  ASSERT_TRUE(WriteStringToFile(env_.get(), other, "/db/IDENTITY", true).ok());
  Open();
  EXPECT_EQ(id, Identity());
  EXPECT_EQ(id, IdentityFile());
}

TEST_F(ToldToRocksDb, WithoutTheManifestTheIdentityIsThatOfTheFile) {
  options_.write_dbid_to_manifest = false;
  Open();
  const std::string id = Identity();
  EXPECT_EQ(id, IdentityFile());
  Open();
  EXPECT_EQ(id, Identity());
  db_.reset();
  ASSERT_TRUE(env_->DeleteFile("/db/IDENTITY").ok());
  Open();
  EXPECT_NE(id, Identity());
  EXPECT_EQ(Identity(), IdentityFile());
}

TEST_F(ToldToRocksDb, TablesKnowTheirFirstAndLastTimestamp) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  for (const uint64_t time : {7, 300, 2}) {
    ASSERT_TRUE(
        db_->Put(WriteOptions(), std::to_string(time), Time(time), "v").ok());
  }
  ASSERT_TRUE(db_->Delete(WriteOptions(), "7", Time(1000)).ok());
  Flush();
  TablePropertiesCollection tables;
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&tables).ok());
  ASSERT_EQ(1u, tables.size());
  const UserCollectedProperties& properties =
      tables.begin()->second->user_collected_properties;
  EXPECT_EQ(Time(2), properties.at("rocksdb.timestamp_min"));
  EXPECT_EQ(Time(1000), properties.at("rocksdb.timestamp_max"));
}

// The option is what the family was made with: with anything else RocksDB
// refuses to open it.
TEST_F(ToldToRocksDb, FamiliesMadeHerePersistTheirTimestamps) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.persist_user_defined_timestamps = false;
  Open();
  EXPECT_TRUE(db_->GetOptions().persist_user_defined_timestamps);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
