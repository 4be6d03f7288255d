// Databases in encrypted files: they work as others do, nothing readable lies
// below, and a wrong key is an error.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// A cipher with a key; weak, but not the same for two keys.
class KeyedCipher final : public BlockCipher {
 public:
  explicit KeyedCipher(char key) : key_(key) {}

  const char* Name() const override { return "KeyedCipher"; }
  size_t BlockSize() override { return 16; }
  Status Encrypt(char* data) override {
    for (int i = 0; i < 16; ++i) {
      data[i] = static_cast<char>(data[i] * 5 + key_ * (i + 1));
    }
    return Status::OK();
  }
  Status Decrypt(char*) override { return Status::NotSupported("KeyedCipher"); }

 private:
  const char key_;
};

class EncryptedDb : public ::testing::Test {
 protected:
  EncryptedDb() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.write_buffer_size = 64 << 10;
    UseKey(1);
  }
  ~EncryptedDb() override { db_.reset(); }

  void UseKey(char key) {
    db_.reset();
    env_.reset(NewEncryptedEnv(base_env_.get(),
                               EncryptionProvider::NewCTRProvider(
                                   std::make_shared<KeyedCipher>(key))));
    options_.env = env_.get();
  }
  // Goes on with what a crash leaves of the files.
  void Crash(const engine::CrashOptions& crash) {
    const auto left = base_->CrashClone(crash);
    db_.reset();
    env_.reset();
    base_ = left;
    base_env_ = NewCompositeEnv(base_);
    UseKey(1);
  }
  void Open() {
    db_.reset();
    Ok(DB::Open(options_, "/db", &db_));
  }
  static std::string Key(int i) { return "READABLE" + std::to_string(i); }
  static std::string Value(int i) { return Key(i) + std::string(100, 'v'); }
  void Put(int from, int to, bool sync = false) {
    WriteOptions write;
    write.sync = sync;
    for (int i = from; i < to; ++i) Ok(db_->Put(write, Key(i), Value(i)));
  }
  static void Check(DB* db, int rows) {
    std::string value;
    for (int i = 0; i < rows; ++i) {
      Ok(db->Get(ReadOptions(), Key(i), &value));
      ASSERT_EQ(value, Value(i));
    }
    int found = 0;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++found;
    Ok(it->status());
    EXPECT_EQ(found, rows);
  }
  void CheckNothingIsReadable() const {
    size_t files = 0;
    base_->ForEachFile([&](const std::string& path, const std::string& bytes) {
      for (const char* word : {"READABLE", "vvvvvvvv", "MANIFEST", "rocksdb",
                               "leveldb", "write_buffer_size"}) {
        EXPECT_EQ(bytes.find(word), std::string::npos)
            << path << " holds " << word;
      }
      if (!bytes.empty()) ++files;
    });
    EXPECT_GE(files, 5u);
  }

  std::shared_ptr<engine::MemFileSystem> base_ =
      std::make_shared<engine::MemFileSystem>();
  std::unique_ptr<Env> base_env_ = NewCompositeEnv(base_);
  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(EncryptedDb, WritesFlushesCompactsAndOpensAgain) {
  Open();
  Put(0, 2000);
  Ok(db_->Flush(FlushOptions()));
  Put(2000, 2500);
  Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  Put(2500, 2600);
  Check(db_.get(), 2600);
  CheckNothingIsReadable();
  Open();
  Check(db_.get(), 2600);
  CheckNothingIsReadable();
  Ok(db_->VerifyChecksum());
}

TEST_F(EncryptedDb, DirectIoAndRecycledLogsWork) {
  options_.use_direct_reads = true;
  options_.use_direct_io_for_flush_and_compaction = true;
  options_.recycle_log_file_num = 2;
  Open();
  for (int round = 0; round < 6; ++round) {
    Put(round * 100, round * 100 + 100);
    Ok(db_->Flush(FlushOptions()));
  }
  Put(600, 650, true);
  Check(db_.get(), 650);
  engine::CrashOptions killed;
  killed.data = engine::CrashOptions::Data::kAll;
  killed.names = engine::CrashOptions::Names::kAll;
  Crash(killed);
  Open();
  Check(db_.get(), 650);
  CheckNothingIsReadable();
}

TEST_F(EncryptedDb, LosesNothingSyncedInACrash) {
  Open();
  Put(0, 300);
  Ok(db_->Flush(FlushOptions()));
  Put(300, 400, true);
  Crash(engine::CrashOptions());
  Open();
  Check(db_.get(), 400);
}

TEST_F(EncryptedDb, BlobsCheckpointsAndBackupsAreEncryptedToo) {
  options_.enable_blob_files = true;
  Open();
  Put(0, 200);
  Ok(db_->Flush(FlushOptions()));
  Put(200, 250);
  Checkpoint* checkpoint = nullptr;
  Ok(Checkpoint::Create(db_.get(), &checkpoint));
  const std::unique_ptr<Checkpoint> made(checkpoint);
  Ok(made->CreateCheckpoint("/copy"));
  {
    BackupEngine* raw = nullptr;
    Ok(BackupEngine::Open(env_.get(),
                          BackupEngineOptions("/backup", env_.get()), &raw));
    const std::unique_ptr<BackupEngine> backups(raw);
    Ok(backups->CreateNewBackup(db_.get(), /*flush_before_backup=*/true));
    Ok(backups->RestoreDBFromLatestBackup("/restored", "/restored"));
  }
  for (const char* name : {"/copy", "/restored"}) {
    std::unique_ptr<DB> other;
    Ok(DB::Open(options_, name, &other));
    Check(other.get(), 250);
  }
  CheckNothingIsReadable();
}

TEST_F(EncryptedDb, AWrongKeyIsCorruptionAndHarmsNothing) {
  Open();
  Put(0, 100);
  Ok(db_->Flush(FlushOptions()));
  Put(100, 120);
  UseKey(2);
  for (const bool paranoid : {true, false}) {
    options_.paranoid_checks = paranoid;
    const Status status = DB::Open(options_, "/db", &db_);
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_EQ(db_, nullptr);
  }
  UseKey(1);
  Open();
  Check(db_.get(), 120);
}

TEST_F(EncryptedDb, PlainFilesAreNoEncryptedDatabase) {
  options_.env = base_env_.get();
  Open();
  Put(0, 100);
  db_.reset();
  options_.env = env_.get();
  const Status status = DB::Open(options_, "/db", &db_);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

TEST_F(EncryptedDb, MappedReadsAreRefused) {
  Open();
  Put(0, 10);
  Ok(db_->Flush(FlushOptions()));
  db_.reset();
  options_.allow_mmap_reads = true;
  const Status status = DB::Open(options_, "/db", &db_);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(status.ToString().find("allow_mmap_reads"), std::string::npos)
      << status.ToString();
}

// Each file in turn with a damaged prefix: an error or rows, and never worse.
TEST_F(EncryptedDb, AStrangersPrefixDoesNoHarm) {
  Open();
  Put(0, 100);
  Ok(db_->Flush(FlushOptions()));
  Put(100, 120);
  db_.reset();
  std::map<std::string, std::string> files;
  base_->ForEachFile([&](const std::string& path, const std::string& bytes) {
    files[path] = bytes;
  });
  int refused = 0;
  for (const auto& file : files) {
    const std::string& path = file.first;
    for (const size_t damaged : {size_t{1}, size_t{8}, size_t{4096}}) {
      for (const auto& [other, content] : files) {
        std::string text = content;
        if (other == path) {
          const size_t n = std::min(damaged, text.size());
          for (size_t i = 0; i < n; ++i) text[i] = static_cast<char>(~text[i]);
        }
        Ok(WriteStringToFile(base_.get(), text, other));
      }
      Status status = DB::Open(options_, "/db", &db_);
      if (status.ok()) {
        const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
        for (it->SeekToFirst(); it->Valid(); it->Next()) {
        }
        status = it->status();
      }
      if (!status.ok()) ++refused;
      db_.reset();
    }
  }
  EXPECT_GE(refused, 6);
}

TEST(EncryptedOnDisk, ADatabaseOpensAgain) {
  const TempDir dir;
  const auto provider =
      EncryptionProvider::NewCTRProvider(BlockCipher::NewROT13Cipher(32));
  const std::unique_ptr<Env> env(NewEncryptedEnv(Env::Default(), provider));
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  for (int round = 0; round < 3; ++round) {
    std::unique_ptr<DB> db;
    Ok(DB::Open(options, dir.File("db"), &db));
    std::string value;
    for (int i = 0; i < round; ++i) {
      Ok(db->Get(ReadOptions(), std::to_string(i), &value));
      EXPECT_EQ(value, "value");
    }
    Ok(db->Put(WriteOptions(), std::to_string(round), "value"));
    if (round == 1) Ok(db->Flush(FlushOptions()));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
