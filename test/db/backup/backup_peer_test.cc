// Backups carried between this library and Debian's RocksDB, in both
// directions, and those that genuine releases made.

#include <filesystem>
#include <sstream>

#include "test/db/backup/backup_fixture.h"
#include "test/support/golden.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

// The rows as the expected texts write them: "k=HEX v=HEX", or "v=BB*N".
std::string ValueText(const std::string& value) {
  const bool same =
      value.size() > 64 && value == std::string(value.size(), value[0]);
  if (!same) return Slice(value).ToString(/*hex=*/true);
  return Slice(value.substr(0, 1)).ToString(true) + "*" +
         std::to_string(value.size());
}

std::vector<std::string> ExpectedRows(const fs::path& file) {
  std::vector<std::string> rows;
  std::istringstream lines(test::ReadWholeFile(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("k=")) rows.push_back(line);
  }
  return rows;
}

void ExpectRestores(BackupID id, const std::string& backup_dir,
                    const fs::path& expected) {
  BackupEngineReadOnly* raw = nullptr;
  const Status opened = BackupEngineReadOnly::Open(
      BackupEngineOptions(backup_dir), Env::Default(), &raw);
  ASSERT_TRUE(opened.ok()) << opened.ToString();
  const std::unique_ptr<BackupEngineReadOnly> engine(raw);
  std::vector<BackupID> damaged;
  engine->GetCorruptedBackups(&damaged);
  EXPECT_TRUE(damaged.empty()) << backup_dir;
  const Status verified = engine->VerifyBackup(id, true);
  EXPECT_TRUE(verified.ok()) << verified.ToString();
  const test::TempDir dir;
  const Status status =
      engine->RestoreDBFromBackup(id, dir.File("db"), dir.File("db"));
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::vector<std::string> rows;
  const auto restored = test::RowsIn(Options(), dir.File("db"));
  for (const auto& [key, value] : restored.at("default")) {
    rows.push_back("k=" + Slice(key).ToString(true) + " v=" + ValueText(value));
  }
  EXPECT_EQ(rows, ExpectedRows(expected)) << backup_dir << " " << id;
  // Where it is, too.
  BackupInfo info;
  ASSERT_TRUE(engine->GetBackupInfo(id, &info, true).ok());
  Options in_place;
  in_place.env = info.env_for_open.get();
  std::unique_ptr<DB> db;
  const Status opened_there =
      DB::OpenForReadOnly(in_place, info.name_for_open, &db);
  ASSERT_TRUE(opened_there.ok()) << opened_there.ToString();
  EXPECT_EQ(test::RowsOf(db.get(), db->DefaultColumnFamily()),
            restored.at("default"));
}

TEST(BackupGolden, WhatGenuineReleasesMadeIsRestored) {
  const auto metas = test::GoldenFiles([](const fs::path& path) {
    return path.parent_path().filename() == "meta";
  });
  RIVERSTONE_SKIP_WITHOUT(metas);
  EXPECT_EQ(metas.size(), 8u);
  for (const fs::path& meta : metas) {
    const fs::path dir = meta.parent_path().parent_path();
    const std::string id = meta.filename().string();
    // The directories with one backup hold the second state.
    const std::string state = dir.filename() == "backup" ? id : "2";
    ExpectRestores(static_cast<BackupID>(std::stoul(id)), dir.string(),
                   dir.parent_path() / ("expected_backup_" + state + ".txt"));
  }
}

// A database on disk with blob files and two families.
class BackupPeer : public ::testing::Test {
 protected:
  void SetUp() override {
    RIVERSTONE_SKIP_WITHOUT_PEER();
    options_.create_if_missing = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 20;
    options_.compression = kNoCompression;
    ASSERT_TRUE(DB::Open(options_, dir_.File("db"), &db_).ok());
    ASSERT_TRUE(db_->CreateColumnFamily(options_, "two", &two_).ok());
    for (int i = 0; i < 50; ++i) {
      const std::string key = "k" + std::to_string(i);
      const std::string value(static_cast<size_t>(i), 'v');
      ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
      ASSERT_TRUE(db_->Put(WriteOptions(), two_, key, "2" + value).ok());
      if (i % 20 != 19) continue;
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    }
  }
  void TearDown() override {
    if (db_ == nullptr) return;
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(two_).ok());
  }
  std::map<std::string, test::FileRows> Rows() {
    return {{"default", test::RowsOf(db_.get(), db_->DefaultColumnFamily())},
            {"two", test::RowsOf(db_.get(), two_)}};
  }
  std::string Ldb(const std::string& arguments) {
    const test::Ran ran =
        test::RunCommand(test::Peer("ldb") + " " + arguments, false);
    EXPECT_EQ(ran.code, 0) << arguments;
    return ran.output;
  }
  static std::string DumpOf(const test::FileRows& rows) {
    std::string dump;
    for (const auto& [key, value] : rows) dump += key + " ==> " + value + "\n";
    return dump;
  }

  const test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
  ColumnFamilyHandle* two_ = nullptr;
};

TEST_F(BackupPeer, OthersRestoreWhatIsMadeHere) {
  for (const int version : {1, 2}) {
    const std::string name = dir_.File("backup" + std::to_string(version));
    BackupEngineOptions how(name);
    how.schema_version = version;
    how.max_background_operations = 2;
    BackupEngine* raw = nullptr;
    ASSERT_TRUE(BackupEngine::Open(how, Env::Default(), &raw).ok());
    const std::unique_ptr<BackupEngine> engine(raw);
    ASSERT_TRUE(engine->CreateNewBackupWithMetadata(db_.get(), "of mine").ok());
    const std::string restored = dir_.File("r" + std::to_string(version));
    EXPECT_EQ(Ldb("restore --db=" + restored + " --backup_dir=" + name),
              "open restore engine OK\nrestore from backup OK\n");
    for (const auto& [family, rows] : Rows()) {
      const std::string dump =
          Ldb("dump --db=" + restored + " --column_family=" + family);
      EXPECT_EQ(dump.substr(0, dump.find("Keys in range")), DumpOf(rows));
    }
  }
}

TEST_F(BackupPeer, WhatOthersMakeIsRestoredAndGoneOnWith) {
  const auto rows = Rows();
  TearDown();
  db_.reset();
  const std::string backup = dir_.File("backup");
  EXPECT_EQ(Ldb("backup --db=" + dir_.File("db") + " --backup_dir=" + backup),
            "open db OK\nopen backup engine OK\ncreate new backup OK\n");
  BackupEngine* raw = nullptr;
  ASSERT_TRUE(
      BackupEngine::Open(BackupEngineOptions(backup), Env::Default(), &raw)
          .ok());
  const std::unique_ptr<BackupEngine> engine(raw);
  const Status status =
      engine->RestoreDBFromBackup(1, dir_.File("r"), dir_.File("r"));
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(test::RowsIn(options_, dir_.File("r")), rows);
  // Our second backup next to theirs shares its tables, and theirs continues.
  ASSERT_TRUE(DB::Open(options_, dir_.File("other"), &db_).ok());
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(DB::Open(options_, dir_.File("db"),
                       {{"default", options_}, {"two", options_}}, &handles,
                       &db_)
                  .ok());
  two_ = handles[1];
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handles[0]).ok());
  const auto count = [&] {
    const fs::directory_iterator all(backup + "/shared_checksum");
    return std::distance(fs::begin(all), fs::end(all));
  };
  const auto before = count();
  ASSERT_TRUE(engine->CreateNewBackup(db_.get()).ok());
  EXPECT_EQ(count(), before);
  EXPECT_EQ(Ldb("restore --db=" + dir_.File("r2") + " --backup_dir=" + backup),
            "open restore engine OK\nrestore from backup OK\n");
  EXPECT_EQ(test::RowsIn(options_, dir_.File("r2")), rows);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
