// What is wrong is said, with the file, what was expected and what was found;
// nothing is deleted on the way.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void WriteAll(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class BadInput : public ::testing::Test {
 protected:
  BadInput() : path_(dir_.File("db")) {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }

  // Two tables and a log, closed as after a crash: the log stays.
  void Make() {
    Options options = options_;
    options.avoid_flush_during_shutdown = true;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, path_, &db).ok());
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(db->Put(WriteOptions(), Key(i), std::string(100, 'v')).ok());
      if (i == 50 || i == 100) {
        ASSERT_TRUE(db->Flush(FlushOptions()).ok());
      }
    }
    ASSERT_TRUE(db->Close().ok());
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }

  // The newest file of a kind.
  fs::path File(const std::string& part) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      if (name.find(part) != std::string::npos && entry.path() > found) {
        found = entry.path();
      }
    }
    EXPECT_FALSE(found.empty()) << part;
    return found;
  }
  std::set<std::string> Listing() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("LOG")) names.insert(name);
    }
    return names;
  }

  Status Open() { return DB::Open(options_, path_, &db_); }
  // Opens and reads everything.
  Status Read(uint64_t* rows) {
    *rows = 0;
    const Status status = Open();
    if (!status.ok()) return status;
    std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++*rows;
    return it->status();
  }
  // Damages a file; nothing but a Status naming it may come of it.
  void Refused(const fs::path& file, const std::string& bytes) {
    WriteAll(file, bytes);
    const auto before = Listing();
    uint64_t rows = 0;
    const Status status = Read(&rows);
    EXPECT_FALSE(status.ok()) << file;
    EXPECT_TRUE(status.IsCorruption() || status.IsIOError() ||
                status.IsNotSupported())
        << status.ToString();
    EXPECT_NE(std::string::npos,
              status.ToString().find(file.filename().string()))
        << status.ToString();
    db_.reset();
    // An open that got as far as reading may have gone on to a new log and a
    // new MANIFEST; tables it cannot read stay.
    const auto after = Listing();
    for (const std::string& name : before) {
      if (name.ends_with(".sst")) {
        EXPECT_TRUE(after.contains(name)) << name;
      }
    }
  }
  void RefusedAtOpen(const fs::path& file, const std::string& bytes) {
    const auto before = Listing();
    Refused(file, bytes);
    EXPECT_EQ(before, Listing());
  }

  const test::TempDir dir_;
  const std::string path_;
  Options options_;
  std::unique_ptr<DB> db_;
};

// The codes of RocksDB 11.8.1.
TEST_F(BadInput, AMissingDatabaseIsNotMadeToBeRead) {
  std::unique_ptr<DB> db;
  Status status = DB::OpenForReadOnly(options_, path_, &db);
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_TRUE(status.IsPathNotFound()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(path_ + "/CURRENT"));
  EXPECT_FALSE(fs::exists(path_));
  options_.create_if_missing = false;
  status = DB::Open(options_, path_, &db);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

TEST_F(BadInput, ABatchThatIsNullIsRefused) {
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options_, path_, &db).ok());
  const Status status = db->Write(WriteOptions(), nullptr);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

TEST_F(BadInput, MissingDatabaseIsNotMade) {
  options_.create_if_missing = false;
  const Status status = Open();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(path_));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_FALSE(DB::OpenForReadOnly(options_, path_, &db_).ok());
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(BadInput, MissingParentDirectoryIsNamed) {
  const std::string path = dir_.File("no/such/db");
  const Status status = DB::Open(options_, path, &db_);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string::npos, status.ToString().find("no/such"))
      << status.ToString();
}

TEST_F(BadInput, ExistingDatabaseIsNotOpenedWhenThatIsAnError) {
  Make();
  options_.error_if_exists = true;
  const Status status = Open();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

TEST_F(BadInput, WrongOptionsAreRefusedBeforeAnythingIsWritten) {
  using Change = std::function<void(Options*)>;
  const std::vector<Change> changes = {
      [](Options* o) { o->allow_mmap_reads = o->use_direct_reads = true; },
      [](Options* o) { o->keep_log_file_num = 0; },
      [](Options* o) {
        BlockBasedTableOptions table;
        table.format_version = 9;
        o->table_factory.reset(NewBlockBasedTableFactory(table));
      },
      [](Options* o) {
        BlockBasedTableOptions table;
        table.block_align = true;
        o->compression = kSnappyCompression;
        o->table_factory.reset(NewBlockBasedTableFactory(table));
      },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    Options options = options_;
    changes[i](&options);
    const Status status = DB::Open(options, path_, &db_);
    EXPECT_TRUE(status.IsInvalidArgument() || status.IsNotSupported())
        << i << " " << status.ToString();
    EXPECT_FALSE(fs::exists(path_ + "/CURRENT")) << i;
    db_.reset();
  }
}

TEST_F(BadInput, SizesOfBlocksAreRefusedWithTheMessagesOfRocksDB) {
  struct Case {
    size_t block_size;
    bool align;
    size_t super_block;
    size_t ratio;
    const char* message;  // Null: accepted.
  };
  constexpr size_t k4GiB = size_t{1} << 32;
  const char* const too_big =
      "block size exceeds maximum number (4GiB) allowed";
  const char* const block_power =
      "Block alignment requested but block size is not a power of 2";
  const char* const super_power =
      "Super Block alignment requested but super block alignment size is not "
      "a power of 2";
  const char* const super_too_big =
      "Super block alignment size exceeds maximum number (4GiB) allowed";
  const char* const overhead =
      "Super block alignment space overhead is too high";
  const Case cases[] = {
      {k4GiB, false, 1000, 1, too_big},
      {k4GiB - 1, false, 0, 128, nullptr},
      {1000, true, 1000, 1, block_power},
      {1024, true, 0, 128, nullptr},
      {1024, false, 1000, 1, super_power},
      {1024, true, 1000, 128, super_power},
      {1024, false, k4GiB - 1, 128, super_power},
      {1024, false, k4GiB, 1, super_too_big},
      {1024, false, k4GiB / 2, 128, nullptr},
      {1024, false, 4096, 1, overhead},
      {1024, false, 4096, 3, overhead},
      {1024, false, 0, 3, overhead},
      {1024, false, 4096, 4, nullptr},
      {1024, false, 4096, 0, nullptr},
  };
  options_.compression = kNoCompression;
  options_.create_if_missing = true;
  for (const Case& c : cases) {
    BlockBasedTableOptions table;
    table.block_size = c.block_size;
    table.block_align = c.align;
    table.super_block_alignment_size = c.super_block;
    table.super_block_alignment_space_overhead_ratio = c.ratio;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    const std::string expected =
        c.message == nullptr ? "OK"
                             : std::string("Invalid argument: ") + c.message;
    EXPECT_EQ(expected, DB::Open(options_, path_, &db_).ToString());
    db_.reset();
  }
}

TEST_F(BadInput, ACompressionSetLaterDoesNotStopFamiliesWithAlignedBlocks) {
  BlockBasedTableOptions table;
  table.block_align = true;
  options_.compression = kNoCompression;
  options_.create_if_missing = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_TRUE(DB::Open(options_, path_, &db_).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "key", std::string(9000, 'v')).ok());
  ASSERT_TRUE(db_->SetOptions({{"bottommost_compression", "kZSTD"}}).ok());
  CompactRangeOptions all;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  const Status status = db_->CompactRange(all, nullptr, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "key", &value).ok());
  EXPECT_EQ(9000u, value.size());
}

TEST_F(BadInput, LockOfAnotherProcessIsRespected) {
  Make();
  int ready[2];
  int done[2];
  ASSERT_EQ(0, ::pipe(ready));
  ASSERT_EQ(0, ::pipe(done));
  const std::string lock = path_ + "/LOCK";
  const pid_t child = ::fork();
  if (child == 0) {  // Only system calls: the parent has threads.
    const int fd = ::open(lock.c_str(), O_RDWR);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const char ok = ::fcntl(fd, F_SETLK, &whole) == 0 ? '1' : '0';
    if (::write(ready[1], &ok, 1) != 1) ::_exit(1);
    char end;
    ::close(done[1]);
    (void)!::read(done[0], &end, 1);
    ::_exit(0);
  }
  char ok = '0';
  ASSERT_EQ(1, ::read(ready[0], &ok, 1));
  ASSERT_EQ('1', ok);
  const auto before = Listing();
  const Status status = Open();
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("LOCK"));
  EXPECT_EQ(before, Listing());
  ::close(done[1]);
  ASSERT_EQ(child, ::waitpid(child, nullptr, 0));
  EXPECT_TRUE(Open().ok());
  for (const int fd : {ready[0], ready[1], done[0]}) ::close(fd);
}

TEST_F(BadInput, CurrentThatNamesNothingIsRefused) {
  Make();
  const fs::path current = path_ + "/CURRENT";
  for (const char* bytes :
       {"", "MANIFEST-999999\n", "rubbish\n", "MANIFEST-000005"}) {
    SCOPED_TRACE(bytes);
    RefusedAtOpen(current, bytes);
  }
}

TEST_F(BadInput, DamagedManifestIsRefused) {
  Make();
  const fs::path manifest = File("MANIFEST-");
  const std::string good = ReadAll(manifest);
  for (const size_t at : {size_t{0}, size_t{7}, good.size() / 2}) {
    SCOPED_TRACE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    RefusedAtOpen(manifest, bad);
  }
  RefusedAtOpen(manifest, "");
  RefusedAtOpen(manifest, std::string(100, 'x'));
  WriteAll(manifest, good);
  uint64_t rows = 0;
  EXPECT_TRUE(Read(&rows).ok());
  EXPECT_EQ(200u, rows);
}

TEST_F(BadInput, MissingManifestIsRefused) {
  Make();
  fs::remove(File("MANIFEST-"));
  const auto before = Listing();
  const Status status = Open();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string::npos, status.ToString().find("MANIFEST"))
      << status.ToString();
  EXPECT_EQ(before, Listing());
}

TEST_F(BadInput, TruncatedLogGivesWhatIsWhole) {
  Make();
  const fs::path log = File(".log");
  const std::string good = ReadAll(log);
  ASSERT_GT(good.size(), 5000u);
  WriteAll(log, good.substr(0, good.size() / 2));
  uint64_t rows = 0;
  const Status status = Read(&rows);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_GT(rows, 101u);
  EXPECT_LT(rows, 200u);
}

TEST_F(BadInput, DamagedLogStopsAtTheDamage) {
  Make();
  const fs::path log = File(".log");
  std::string bad = ReadAll(log);
  bad[bad.size() / 2] ^= 0x55;
  WriteAll(log, bad);
  options_.wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  const auto before = Listing();
  uint64_t rows = 0;
  const Status status = Read(&rows);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(log.filename().string()))
      << status.ToString();
  EXPECT_EQ(before, Listing());
  options_.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  EXPECT_TRUE(Read(&rows).ok());
  EXPECT_GT(rows, 101u);
  EXPECT_LT(rows, 200u);
}

TEST_F(BadInput, DamagedTablesAreRefused) {
  Make();
  const fs::path table = File(".sst");
  const std::string good = ReadAll(table);
  std::string bad = good;
  bad[10] ^= 0x55;  // A data block.
  Refused(table, bad);
  bad = good;
  bad[good.size() - 1] ^= 0x55;  // The magic number.
  Refused(table, bad);
  bad = good;
  bad[good.size() - 12] = 99;  // The format version.
  Refused(table, bad);
  Refused(table, good.substr(0, good.size() / 2));
  Refused(table, "");
  WriteAll(table, good);
  uint64_t rows = 0;
  EXPECT_TRUE(Read(&rows).ok());
  EXPECT_EQ(200u, rows);
}

TEST_F(BadInput, MissingTableIsNamed) {
  Make();
  const fs::path table = File(".sst");
  fs::remove(table);
  const auto before = Listing();
  uint64_t rows = 0;
  const Status status = Read(&rows);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string::npos,
            status.ToString().find(table.filename().string()))
      << status.ToString();
  EXPECT_EQ(before, Listing());
}

TEST_F(BadInput, AnotherComparatorIsRefusedByName) {
  Make();
  options_.comparator = ReverseBytewiseComparator();
  const auto before = Listing();
  const Status status = Open();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  const std::string text = status.ToString();
  EXPECT_NE(std::string::npos, text.find("leveldb.BytewiseComparator")) << text;
  EXPECT_NE(std::string::npos, text.find("rocksdb.ReverseBytewiseComparator"))
      << text;
  EXPECT_EQ(before, Listing());
}

TEST_F(BadInput, OperandsWithoutTheirOperatorAreAnError) {
  ASSERT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator)
                  .ok());
  ASSERT_TRUE(Open().ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), "a", "2").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "b", "fine").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  db_.reset();
  options_.merge_operator = nullptr;
  const Status opened = Open();
  ASSERT_TRUE(opened.ok()) << opened.ToString();
  std::string value;
  const Status status = db_->Get(ReadOptions(), "a", &value);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string::npos, status.ToString().find("merge_operator"))
      << status.ToString();
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).ok());
  // Nothing is lost by compacting without it.
  db_->CompactRange(CompactRangeOptions(), nullptr, nullptr)
      .PermitUncheckedError();
  db_.reset();
  ASSERT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator)
                  .ok());
  ASSERT_TRUE(Open().ok());
  ASSERT_TRUE(db_->Get(ReadOptions(), "a", &value).ok());
  EXPECT_EQ("1,2", value);
}

TEST_F(BadInput, FamiliesThatAreNotNamedAreNamedInTheError) {
  ASSERT_TRUE(Open().ok());
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(), "more", &handle).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  db_.reset();
  const Status status = Open();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("more"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
