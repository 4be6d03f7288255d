// Secondary instances: what they show of a database that another instance
// writes, and when.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "test/support/effort.h"
#include "test/support/error_fs.h"
#include "test/support/hooked_fs.h"
#include "test/support/model_db.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using Rows = test::ModelDb::Rows;

Rows RowsOf(DB* db, ColumnFamilyHandle* family = nullptr) {
  std::unique_ptr<Iterator> it(db->NewIterator(
      ReadOptions(), family != nullptr ? family : db->DefaultColumnFamily()));
  Rows rows = test::ReadForward(it.get());
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

std::string ValueOf(DB* db, const std::string& key) {
  std::string value;
  const Status status = db->Get(ReadOptions(), key, &value);
  return status.ok() ? value : status.ToString();
}

// A primary and its secondary in one process.
class SecondaryTest : public testing::Test {
 protected:
  SecondaryTest() {
    options_.create_if_missing = true;
    options_.merge_operator = engine::NewStringAppendOperator(",");
  }

  std::string name() const { return dir_.File("db"); }
  std::string own() const { return dir_.File("secondary"); }

  void OpenPrimary() {
    const Status status = DB::Open(options_, name(), &primary_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void OpenSecondary() {
    const Status status =
        DB::OpenAsSecondary(options_, name(), own(), &secondary_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Open() {
    OpenPrimary();
    OpenSecondary();
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(primary_->Put(WriteOptions(), key, value).ok());
  }
  void Flush() { ASSERT_TRUE(primary_->Flush(FlushOptions()).ok()); }
  void CompactAll() {
    ASSERT_TRUE(
        primary_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  }
  void CatchUp() {
    const Status status = secondary_->TryCatchUpWithPrimary();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string NewestLog() const {
    std::string newest;
    for (const auto& entry : fs::directory_iterator(name())) {
      if (entry.path().extension() != ".log") continue;
      newest = std::max(newest, entry.path().string());
    }
    return newest;
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> primary_;
  std::unique_ptr<DB> secondary_;
};

TEST_F(SecondaryTest, ShowsWhatWasWrittenBeforeEachCatchUp) {
  OpenPrimary();
  Put("a", "1");
  OpenSecondary();
  EXPECT_EQ("1", ValueOf(secondary_.get(), "a"));
  Put("a", "2");
  Put("b", "1");
  EXPECT_EQ("1", ValueOf(secondary_.get(), "a"));
  CatchUp();
  EXPECT_EQ((Rows{{"a", "2"}, {"b", "1"}}), RowsOf(secondary_.get()));
  Flush();
  Put("c", "1");
  CatchUp();
  EXPECT_EQ((Rows{{"a", "2"}, {"b", "1"}, {"c", "1"}}),
            RowsOf(secondary_.get()));
  ASSERT_TRUE(primary_
                  ->DeleteRange(WriteOptions(), primary_->DefaultColumnFamily(),
                                "a", "c")
                  .ok());
  CatchUp();
  EXPECT_EQ((Rows{{"c", "1"}}), RowsOf(secondary_.get()));
  EXPECT_EQ(primary_->GetLatestSequenceNumber(),
            secondary_->GetLatestSequenceNumber());
}

TEST_F(SecondaryTest, WritesNothingAndSaysSo) {
  Open();
  DB* const db = secondary_.get();
  EXPECT_TRUE(db->Put(WriteOptions(), "a", "b").IsNotSupported());
  EXPECT_TRUE(db->Delete(WriteOptions(), "a").IsNotSupported());
  EXPECT_TRUE(db->Merge(WriteOptions(), "a", "b").IsNotSupported());
  EXPECT_TRUE(db->Flush(FlushOptions()).IsNotSupported());
  EXPECT_TRUE(db->SyncWAL().IsNotSupported());
  EXPECT_TRUE(db->CompactRange(CompactRangeOptions(), nullptr, nullptr)
                  .IsNotSupported());
  EXPECT_TRUE(db->SetOptions({{"write_buffer_size", "1"}}).IsNotSupported());
  ColumnFamilyHandle* handle = nullptr;
  EXPECT_TRUE(db->CreateColumnFamily(ColumnFamilyOptions(), "x", &handle)
                  .IsNotSupported());
  EXPECT_EQ(nullptr, db->GetSnapshot());
  EXPECT_TRUE(fs::exists(own() + "/LOG"));
  EXPECT_TRUE(primary_->TryCatchUpWithPrimary().IsNotSupported());
}

TEST_F(SecondaryTest, NeedsADirectoryAndADatabase) {
  OpenPrimary();
  EXPECT_TRUE(DB::OpenAsSecondary(options_, name(), "", &secondary_)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      DB::OpenAsSecondary(options_, dir_.File("none"), own(), &secondary_)
          .IsPathNotFound());
  std::vector<ColumnFamilyHandle*> handles;
  EXPECT_TRUE(DB::OpenAsSecondary(options_, name(), own(),
                                  {{"default", options_}, {"none", options_}},
                                  &handles, &secondary_)
                  .IsInvalidArgument());
  EXPECT_TRUE(handles.empty());
}

TEST_F(SecondaryTest, AppliesMergeOperandsOnceWhenTheyMoveIntoTables) {
  Open();
  std::string expected;
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(primary_->Merge(WriteOptions(), "m", std::to_string(i)).ok());
    expected += (i == 0 ? "" : ",") + std::to_string(i);
    CatchUp();
    EXPECT_EQ(expected, ValueOf(secondary_.get(), "m"));
    if (i % 3 == 2) Flush();
    if (i % 5 == 4) CompactAll();
    CatchUp();
    EXPECT_EQ(expected, ValueOf(secondary_.get(), "m"));
  }
}

TEST_F(SecondaryTest, ForgetsMemtablesThatWereFlushed) {
  Open();
  Put("a", "1");
  CatchUp();
  uint64_t entries = 0;
  const std::string property = "rocksdb.num-entries-active-mem-table";
  ASSERT_TRUE(secondary_->GetIntProperty(property, &entries));
  EXPECT_EQ(1u, entries);
  Flush();
  Put("b", "1");
  CatchUp();
  ASSERT_TRUE(secondary_->GetIntProperty(property, &entries));
  EXPECT_EQ(1u, entries);
  ASSERT_TRUE(secondary_->GetIntProperty("rocksdb.num-entries-imm-mem-tables",
                                         &entries));
  EXPECT_EQ(0u, entries);
}

TEST_F(SecondaryTest, FollowsToANewManifest) {
  options_.max_manifest_file_size = 1;
  Open();
  Rows expected;
  for (int i = 0; i < 5; ++i) {
    const std::string key = "k" + std::to_string(i);
    Put(key, "v");
    expected[key] = "v";
    Flush();
    Put(key + "x", "v");
    expected[key + "x"] = "v";
    CatchUp();
    EXPECT_EQ(expected, RowsOf(secondary_.get()));
  }
  // And of a primary that was opened again.
  primary_.reset();
  OpenPrimary();
  Put("z", "v");
  expected["z"] = "v";
  CatchUp();
  EXPECT_EQ(expected, RowsOf(secondary_.get()));
}

TEST_F(SecondaryTest, AnIteratorKeepsItsStateAndItsFiles) {
  Open();
  Put("a", "1");
  Put("b", "1");
  Flush();
  CatchUp();
  std::unique_ptr<Iterator> it(secondary_->NewIterator(ReadOptions()));
  Put("a", "2");
  ASSERT_TRUE(primary_->Delete(WriteOptions(), "b").ok());
  Flush();
  CompactAll();  // Deletes the file that the iterator reads.
  CatchUp();
  EXPECT_EQ((Rows{{"a", "1"}, {"b", "1"}}), test::ReadForward(it.get()));
  ASSERT_TRUE(it->Refresh().ok());
  EXPECT_EQ((Rows{{"a", "2"}}), test::ReadForward(it.get()));
}

TEST_F(SecondaryTest, WithFewOpenFilesADeletedTableIsAnErrorUntilCatchUp) {
  options_.max_open_files = 20;
  Open();
  Put("a", "1");
  Flush();
  CatchUp();
  Put("a", "2");
  Flush();
  CompactAll();
  std::string value;
  const Status status = secondary_->Get(ReadOptions(), "a", &value);
  EXPECT_TRUE(status.IsIOError() || status.IsNotFound() ||
              status.IsPathNotFound())
      << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(".sst"))
      << status.ToString();
  CatchUp();
  EXPECT_EQ("2", ValueOf(secondary_.get(), "a"));
}

TEST_F(SecondaryTest, AFamilyThatIsDroppedStaysReadable) {
  OpenPrimary();
  ColumnFamilyHandle* more = nullptr;
  ASSERT_TRUE(primary_->CreateColumnFamily(options_, "more", &more).ok());
  ASSERT_TRUE(primary_->Put(WriteOptions(), more, "a", "1").ok());
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(DB::OpenAsSecondary(options_, name(), own(),
                                  {{"default", options_}, {"more", options_}},
                                  &handles, &secondary_)
                  .ok());
  ASSERT_EQ(2u, handles.size());
  EXPECT_EQ((Rows{{"a", "1"}}), RowsOf(secondary_.get(), handles[1]));
  ASSERT_TRUE(primary_->DropColumnFamily(more).ok());
  ASSERT_TRUE(primary_->DestroyColumnFamilyHandle(more).ok());
  // One that comes is not seen, also under the same name.
  ASSERT_TRUE(primary_->CreateColumnFamily(options_, "more", &more).ok());
  ASSERT_TRUE(primary_->Put(WriteOptions(), more, "a", "2").ok());
  ASSERT_TRUE(primary_->Put(WriteOptions(), "d", "1").ok());
  CatchUp();
  EXPECT_EQ((Rows{{"a", "1"}}), RowsOf(secondary_.get(), handles[1]));
  EXPECT_EQ((Rows{{"d", "1"}}), RowsOf(secondary_.get()));
  ASSERT_TRUE(primary_->DestroyColumnFamilyHandle(more).ok());
  for (ColumnFamilyHandle* handle : handles) delete handle;
}

// follower.h (2).
TEST_F(SecondaryTest, AnIncompleteRecordAtTheEndIsReadWhenItIsWhole) {
  OpenPrimary();
  Put("a", "1");
  Flush();
  primary_.reset();
  OpenPrimary();
  Put("b", "1");
  const auto size_before = fs::file_size(NewestLog());
  Put("c", std::string(70000, 'x'));  // Three blocks of the log.
  const std::string log = NewestLog();
  primary_.reset();  // The log stays: nothing flushes it.
  std::string bytes;
  {
    std::ifstream in(log, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_GT(bytes.size(), size_before);
  const auto write = [&](size_t n) {
    std::ofstream out(log, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(n));
  };
  write(size_before);
  OpenSecondary();
  for (size_t n = size_before; n < bytes.size(); n += 997) {
    write(n);
    CatchUp();
    EXPECT_EQ((Rows{{"a", "1"}, {"b", "1"}}), RowsOf(secondary_.get())) << n;
  }
  write(bytes.size());
  CatchUp();
  EXPECT_EQ(3u, RowsOf(secondary_.get()).size());
}

TEST_F(SecondaryTest, DamageInALogThatHasASuccessorIsReported) {
  Open();
  Put("a", "1");
  Put("b", "1");
  primary_.reset();
  options_.avoid_flush_during_recovery = true;  // The log stays.
  const std::string log = NewestLog();
  OpenPrimary();
  Put("c", "1");
  ASSERT_NE(log, NewestLog());
  {
    std::fstream file(log, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(fs::file_size(log)) - 1);
    file.put('\x7f');
  }
  const Status status = secondary_->TryCatchUpWithPrimary();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(".log"));
  // What came before is shown; and all of it once the primary has flushed.
  EXPECT_EQ((Rows{{"a", "1"}}), RowsOf(secondary_.get()));
  Flush();
  CatchUp();
  EXPECT_EQ(3u, RowsOf(secondary_.get()).size());
}

// follower.h (1).
TEST_F(SecondaryTest, SeveralFamiliesMoveTogether) {
  OpenPrimary();
  ColumnFamilyHandle* more = nullptr;
  ASSERT_TRUE(primary_->CreateColumnFamily(options_, "more", &more).ok());
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(DB::OpenAsSecondary(options_, name(), own(),
                                  {{"default", options_}, {"more", options_}},
                                  &handles, &secondary_)
                  .ok());
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("k", "1").ok());
  ASSERT_TRUE(batch.Put(more, "k", "1").ok());
  ASSERT_TRUE(primary_->Write(WriteOptions(), &batch).ok());
  // One is in a table, the other in the log.
  ASSERT_TRUE(primary_->Flush(FlushOptions(), more).ok());
  CatchUp();
  std::vector<std::string> values;
  for (const Status& status :
       secondary_->MultiGet(ReadOptions(), handles, {"k", "k"}, &values)) {
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  EXPECT_EQ((std::vector<std::string>{"1", "1"}), values);
  for (ColumnFamilyHandle* handle : handles) delete handle;
  ASSERT_TRUE(primary_->DestroyColumnFamilyHandle(more).ok());
}

TEST_F(SecondaryTest, OpensLogsInTheirOwnDirectory) {
  options_.wal_dir = dir_.File("wal");
  Open();
  Put("a", "1");
  CatchUp();
  EXPECT_EQ("1", ValueOf(secondary_.get(), "a"));
}

// ---------------------------------------------------------- histories

// Write number i sets "counter" to i in both families, counts by a merge, and
// puts or deletes one of a few keys: what a reader sees tells after how many
// writes it is, and whether it is all of them and nothing else.
class History {
 public:
  static constexpr int kKeys = 40;

  static std::string Key(int i) { return "key" + std::to_string(i % kKeys); }
  static bool Deletes(int i) { return i % 7 == 0; }

  static void Fill(WriteBatch* batch, ColumnFamilyHandle* more, int i) {
    const std::string value = std::to_string(i);
    (void)batch->Put("counter", value);
    (void)batch->Put(more, "counter", value);
    (void)batch->Merge("sum", test::ModelDb::Number(1));
    ColumnFamilyHandle* const family = i % 2 == 0 ? more : nullptr;
    if (Deletes(i)) {
      (void)(family != nullptr ? batch->Delete(family, Key(i))
                               : batch->Delete(Key(i)));
    } else {
      const std::string padded = value + std::string(100, '.');
      (void)(family != nullptr ? batch->Put(family, Key(i), padded)
                               : batch->Put(Key(i), padded));
    }
  }

  // Checks the rows of both families; returns how many writes they hold.
  static int Check(const Rows& rows, const Rows& more) {
    const int n = Number(rows);
    EXPECT_EQ(n, Number(more));
    Rows expected;
    Rows expected_more;
    for (int i = 1; i <= n; ++i) {
      Rows& side = i % 2 == 0 ? expected_more : expected;
      if (Deletes(i)) {
        side.erase(Key(i));
      } else {
        side[Key(i)] = std::to_string(i) + std::string(100, '.');
      }
    }
    if (n > 0) {
      expected["counter"] = expected_more["counter"] = std::to_string(n);
      expected["sum"] = test::ModelDb::Number(static_cast<uint64_t>(n));
    }
    EXPECT_EQ(expected, rows);
    EXPECT_EQ(expected_more, more);
    return n;
  }

 private:
  static int Number(const Rows& rows) {
    const auto it = rows.find("counter");
    return it == rows.end() ? 0 : std::stoi(it->second);
  }
};

class LivePrimary {
 public:
  explicit LivePrimary(const std::string& name) : name_(name) {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.merge_operator = engine::NewUInt64AddOperator();
    options_.write_buffer_size = 64 << 10;
    options_.max_manifest_file_size = 2000;
    options_.target_file_size_base = 16 << 10;
    options_.level0_file_num_compaction_trigger = 2;
    families_ = {{"default", options_}, {"more", options_}};
    const Status status = DB::Open(options_, name, families_, &handles_, &db_);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  ~LivePrimary() {
    for (ColumnFamilyHandle* handle : handles_) delete handle;
  }

  const Options& options() const { return options_; }
  const std::vector<ColumnFamilyDescriptor>& families() const {
    return families_;
  }
  int written() const { return written_.load(); }

  void Run(uint64_t seed, int writes) {
    engine::Random64 random(seed);
    for (int i = 1; i <= writes; ++i) {
      WriteBatch batch;
      History::Fill(&batch, handles_[1], i);
      ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
      written_.store(i);
      const uint64_t what = random.Uniform(200);
      if (what < 4) {
        ASSERT_TRUE(db_->Flush(FlushOptions(), handles_[what % 2]).ok());
      } else if (what == 4) {
        ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), handles_[0],
                                      nullptr, nullptr)
                        .ok());
      }
    }
  }

 private:
  const std::string name_;
  Options options_;
  std::vector<ColumnFamilyDescriptor> families_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<DB> db_;
  std::atomic<int> written_{0};
};

int CheckBoth(DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
  std::vector<Iterator*> iterators;
  EXPECT_TRUE(db->NewIterators(ReadOptions(), handles, &iterators).ok());
  Rows rows[2];
  for (size_t i = 0; i < 2; ++i) {
    rows[i] = test::ReadForward(iterators[i]);
    EXPECT_TRUE(iterators[i]->status().ok())
        << iterators[i]->status().ToString();
    delete iterators[i];
  }
  return History::Check(rows[0], rows[1]);
}

// follower.h (1).
TEST(SecondaryHistoryTest, EveryCatchUpShowsAPrefixOfALivePrimarysHistory) {
  test::TempDir dir;
  LivePrimary primary(dir.File("db"));
  std::unique_ptr<DB> secondary;
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(DB::OpenAsSecondary(primary.options(), dir.File("db"),
                                  dir.File("own"), primary.families(), &handles,
                                  &secondary)
                  .ok());
  const int writes = test::Effort(3000);
  std::thread writer([&] { primary.Run(301, writes); });
  std::atomic<bool> done{false};
  // Reads while others catch up.
  std::thread reader([&] {
    int seen = 0;
    while (!done) {
      std::vector<std::string> values;
      const std::vector<Status> statuses = secondary->MultiGet(
          ReadOptions(), handles, {"counter", "counter"}, &values);
      // Nothing was written yet.
      if (statuses[0].IsNotFound() && statuses[1].IsNotFound()) continue;
      EXPECT_TRUE(statuses[0].ok()) << statuses[0].ToString();
      EXPECT_TRUE(statuses[1].ok()) << statuses[1].ToString();
      if (!statuses[0].ok() || !statuses[1].ok()) break;
      EXPECT_EQ(values[0], values[1]);
      EXPECT_LE(seen, std::stoi(values[0]));
      seen = std::stoi(values[0]);
    }
  });
  int shown = 0;
  int catch_ups = 0;
  while (shown < writes && !testing::Test::HasFailure()) {
    const int written = primary.written();
    const Status status = secondary->TryCatchUpWithPrimary();
    if (status.IsTryAgain()) continue;
    EXPECT_TRUE(status.ok()) << status.ToString();
    if (!status.ok()) break;
    const int now = CheckBoth(secondary.get(), handles);
    EXPECT_LE(written, now);
    EXPECT_LE(shown, now);
    shown = now;
    ++catch_ups;
  }
  done = true;
  writer.join();
  reader.join();
  EXPECT_GE(catch_ups, 1);
  for (ColumnFamilyHandle* handle : handles) delete handle;
}

TEST(SecondaryHistoryTest, AReadOnlyOpenShowsAPrefixOfALivePrimarysHistory) {
  test::TempDir dir;
  LivePrimary primary(dir.File("db"));
  const int writes = test::Effort(3000);
  std::thread writer([&] { primary.Run(17, writes); });
  int opened = 0;
  for (int shown = 0; shown < writes && !testing::Test::HasFailure();) {
    const int written = primary.written();
    std::unique_ptr<DB> db;
    std::vector<ColumnFamilyHandle*> handles;
    const Status status = DB::OpenForReadOnly(
        primary.options(), dir.File("db"), primary.families(), &handles, &db);
    if (status.IsTryAgain()) continue;
    EXPECT_TRUE(status.ok()) << status.ToString();
    if (!status.ok()) break;
    shown = CheckBoth(db.get(), handles);
    EXPECT_LE(written, shown);
    ++opened;
    for (ColumnFamilyHandle* handle : handles) delete handle;
  }
  writer.join();
  EXPECT_GE(opened, 1);
}

// With paranoid_checks = false a table that cannot be opened does not end the
// open; one that the writer has just replaced must not be missing later.
TEST(ReadOnlyTest, ATableThatIsReplacedMeanwhileBeginsTheOpenAnew) {
  const auto memory = std::make_shared<engine::MemFileSystem>();
  const std::unique_ptr<Env> env = NewCompositeEnv(memory);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  std::unique_ptr<DB> primary;
  ASSERT_TRUE(DB::Open(options, "/db", &primary).ok());
  ASSERT_TRUE(primary->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(primary->Flush(FlushOptions()).ok());

  bool replaced = false;
  const auto replace = [&](const test::FileOp& op) {
    if (op.kind == test::OpKind::kOpenRead && op.path.ends_with(".sst") &&
        !std::exchange(replaced, true)) {
      CompactRangeOptions compact;
      compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      EXPECT_TRUE(primary->CompactRange(compact, nullptr, nullptr).ok());
      WaitForCompactOptions wait;
      wait.wait_for_purge = true;
      EXPECT_TRUE(primary->WaitForCompact(wait).ok());
    }
    return IOStatus::OK();
  };
  const std::unique_ptr<Env> hooked = NewCompositeEnv(
      std::make_shared<test::HookedFileSystem>(memory, replace));
  options.env = hooked.get();
  options.paranoid_checks = false;
  std::unique_ptr<DB> reader;
  const Status opened = DB::OpenForReadOnly(options, "/db", &reader);
  ASSERT_TRUE(opened.ok()) << opened.ToString();
  EXPECT_TRUE(replaced);
  std::string value;
  const Status read = reader->Get(ReadOptions(), "k", &value);
  EXPECT_TRUE(read.ok()) << read.ToString();
}

// Between a look at the MANIFEST and a read of a log, the primary may write
// over the log.
TEST(SecondaryRecycleTest, ALogThatIsWrittenOverMeanwhileIsNoDamage) {
  const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
  Options options;
  options.env = memory.get();
  options.create_if_missing = true;
  options.recycle_log_file_num = 2;
  std::unique_ptr<DB> primary;
  ASSERT_TRUE(DB::Open(options, "/db", &primary).ok());
  // It writes nothing: what it needs shows in no edit of its own.
  ColumnFamilyHandle* idle = nullptr;
  ASSERT_TRUE(primary->CreateColumnFamily(options, "idle", &idle).ok());
  int written = 0;
  const auto write_over = [&] {
    for (int i = 0; i < 2; ++i) {
      ++written;
      ASSERT_TRUE(primary
                      ->Put(WriteOptions(), "k" + std::to_string(written),
                            std::string(static_cast<size_t>(written % 7), 'v'))
                      .ok());
      ASSERT_TRUE(primary->Flush(FlushOptions()).ok());
    }
  };
  write_over();
  int changes_left = 0;
  bool busy = false;
  const auto fs = std::make_shared<test::HookedFileSystem>(
      memory->GetFileSystem(), [&](const test::FileOp& op) {
        const bool log =
            op.path.ends_with(".log") && op.kind == test::OpKind::kRead;
        if (log && changes_left > 0 && !busy) {
          busy = true;
          --changes_left;
          write_over();
          busy = false;
        }
        return IOStatus::OK();
      });
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options follows = options;
  follows.env = env.get();
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> secondary;
  ASSERT_TRUE(DB::OpenAsSecondary(
                  follows, "/db", "/own",
                  {{kDefaultColumnFamilyName, follows}, {"idle", follows}},
                  &handles, &secondary)
                  .ok());
  for (int round = 0; round < 30; ++round) {
    ASSERT_TRUE(primary->Put(WriteOptions(), "last", "v").ok());
    changes_left = 3;
    const Status status = secondary->TryCatchUpWithPrimary();
    EXPECT_TRUE(status.ok()) << status.ToString();
    std::string value;
    EXPECT_TRUE(secondary->Get(ReadOptions(), handles[0], "last", &value).ok());
    EXPECT_TRUE(secondary
                    ->Get(ReadOptions(), handles[0],
                          "k" + std::to_string(written), &value)
                    .ok());
  }
  EXPECT_EQ(0, changes_left);
  for (ColumnFamilyHandle* handle : handles) delete handle;
  EXPECT_TRUE(primary->DestroyColumnFamilyHandle(idle).ok());
}

// -------------------------------------------------------------------- errors

// follower.h (3).
TEST(SecondaryErrorTest, AFailedReadLeavesWhatWasShownAndTheNextCallWorks) {
  for (uint64_t call = 0; call < 1000; ++call) {
    const auto files = std::make_shared<test::ErrorFileSystem>(
        std::make_shared<engine::MemFileSystem>());
    const std::unique_ptr<Env> env = NewCompositeEnv(files);
    Options options;
    options.env = env.get();
    options.create_if_missing = true;
    std::unique_ptr<DB> primary;
    std::unique_ptr<DB> secondary;
    ASSERT_TRUE(DB::Open(options, "/db", &primary).ok());
    ASSERT_TRUE(primary->Put(WriteOptions(), "a", "1").ok());
    ASSERT_TRUE(DB::OpenAsSecondary(options, "/db", "/own", &secondary).ok());
    ASSERT_TRUE(primary->Put(WriteOptions(), "b", "1").ok());
    ASSERT_TRUE(primary->Flush(FlushOptions()).ok());
    ASSERT_TRUE(primary->Put(WriteOptions(), "c", "1").ok());
    ASSERT_TRUE(primary->WaitForCompact(WaitForCompactOptions()).ok());
    ASSERT_TRUE(files
                    ->SetRule("(ErrInjected (And Reads (OnIndex " +
                              std::to_string(call) + ")))")
                    .ok());
    const Status status = secondary->TryCatchUpWithPrimary();
    const bool met = files->injected() > 0;
    files->ClearRule();
    const Rows before{{"a", "1"}};
    const Rows after{{"a", "1"}, {"b", "1"}, {"c", "1"}};
    EXPECT_EQ(status.ok() ? after : before, RowsOf(secondary.get()))
        << call << ": " << status.ToString();
    const Status again = secondary->TryCatchUpWithPrimary();
    EXPECT_TRUE(again.ok()) << call << ": " << again.ToString();
    EXPECT_EQ(after, RowsOf(secondary.get())) << call;
    if (!met) {
      EXPECT_GT(call, 5u);
      return;
    }
  }
  FAIL() << "every call meets an error";
}

// --------------------------------------------------------------------- peers

TEST(SecondaryPeerTest, FollowsRocksDbWhileItWrites) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  if (!fs::exists(test::Peer("db_bench"))) GTEST_SKIP() << "NO PEER: db_bench";
  test::TempDir dir;
  const std::string name = dir.File("db");
  const std::string bench = test::Peer("db_bench") + " --db=" + name +
                            " --num=20000 --value_size=100 --threads=1" +
                            " --write_buffer_size=200000" +
                            " --compression_type=none --benchmarks=";
  const test::Ran filled = test::RunCommand(bench + "fillseq");
  ASSERT_EQ(0, filled.code) << filled.output;
  // Until it has been followed while it wrote, on however slow a machine.
  std::atomic<int> catch_ups{0};
  std::atomic<bool> done{false};
  uint64_t runs = 0;
  std::thread writer([&] {
    while (runs == 0 || (catch_ups < 2 && runs < 10)) {
      const test::Ran ran = test::RunCommand(
          bench + "overwrite,compact,overwrite --use_existing_db=1");
      EXPECT_EQ(0, ran.code) << ran.output;
      ++runs;
    }
    done = true;
  });
  Options options;
  std::unique_ptr<DB> db;
  SequenceNumber shown = 0;
  Status status;
  while (!done && (status.ok() || status.IsTryAgain())) {
    status = db != nullptr
                 ? db->TryCatchUpWithPrimary()
                 : DB::OpenAsSecondary(options, name, dir.File("own"), &db);
    if (!status.ok()) continue;
    EXPECT_LE(shown, db->GetLatestSequenceNumber());
    shown = db->GetLatestSequenceNumber();
    EXPECT_EQ(20000u, RowsOf(db.get()).size());
    ++catch_ups;
  }
  writer.join();
  EXPECT_TRUE(status.ok() || status.IsTryAgain()) << status.ToString();
  ASSERT_NE(nullptr, db);
  EXPECT_GT(catch_ups, 1);
  ASSERT_TRUE(db->TryCatchUpWithPrimary().ok());
  EXPECT_EQ(20000 + 40000 * runs, db->GetLatestSequenceNumber());
  std::unique_ptr<DB> opened;
  ASSERT_TRUE(DB::OpenForReadOnly(options, name, &opened).ok());
  EXPECT_EQ(RowsOf(opened.get()), RowsOf(db.get()));
}

TEST(SecondaryPeerTest, RocksDbFollowsUs) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  test::TempDir dir;
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "b", "2").ok());
  const test::Ran ran =
      test::RunCommand(test::Peer("ldb") + " --db=" + dir.File("db") +
                           " --secondary_path=" + dir.File("own") + " scan",
                       false);
  EXPECT_EQ(0, ran.code) << ran.output;
  EXPECT_EQ("a : 1\nb : 2\n", ran.output);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
