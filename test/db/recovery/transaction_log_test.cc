// Databases whose logs hold transactions: what is committed is there, what is
// not stays in its log.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "db/manifest/version_edit.h"
#include "db/wal/log_writer.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "test/db/recovery/logged_batch.h"
#include "test/support/crash_fs.h"
#include "test/support/golden.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::Batch;
using test::kPersisted;

using Rows = std::map<std::string, std::string>;

const std::string kDb = "/db";

Options Plain(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  return options;
}

uint64_t NewestFile(Env* env, const std::string& db) {
  std::vector<std::string> names;
  EXPECT_TRUE(env->GetChildren(db, &names).ok());
  uint64_t newest = 0;
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (ParseFileName(name, &parsed)) newest = std::max(newest, parsed.number);
  }
  return newest;
}

// A log such as RocksDB's transactions leave it, behind what is there.
uint64_t AddLog(Env* env, const std::vector<Batch>& batches,
                const std::string& db = kDb) {
  const uint64_t number = NewestFile(env, db) + 1;
  auto file = WritableFileWriter::Create(
      env->GetFileSystem().get(), LogFileName(db, number), FileOptions());
  EXPECT_TRUE(file.ok());
  wal::Writer log(std::move(*file), number, /*recycle=*/false);
  for (const Batch& batch : batches) {
    EXPECT_TRUE(log.AddRecord(batch.Text()).ok());
  }
  EXPECT_TRUE(log.Sync(false).ok());
  EXPECT_TRUE(log.Close().ok());
  EXPECT_TRUE(SyncDirectory(env->GetFileSystem().get(), db).ok());
  return number;
}

// Behind what the MANIFEST says, which must be less than a block of records.
void AddToManifest(Env* env, const VersionEdit& edit) {
  FileSystem* const fs = env->GetFileSystem().get();
  const std::string scratch = kDb + "/scratch";
  auto file = WritableFileWriter::Create(fs, scratch, FileOptions());
  ASSERT_TRUE(file.ok());
  wal::Writer log(std::move(*file), 1, /*recycle=*/false);
  std::string record;
  edit.EncodeTo(&record);
  ASSERT_TRUE(log.AddRecord(record).ok());
  ASSERT_TRUE(log.Close().ok());
  std::string added;
  ASSERT_TRUE(ReadFileToString(env, scratch, &added).ok());
  ASSERT_TRUE(env->DeleteFile(scratch).ok());

  const Result<uint64_t> number = ReadCurrentFile(fs, kDb);
  ASSERT_TRUE(number.ok());
  const std::string manifest = DescriptorFileName(kDb, *number);
  std::string said;
  ASSERT_TRUE(ReadFileToString(env, manifest, &said).ok());
  ASSERT_LT(said.size() + added.size(), 32u << 10);
  ASSERT_TRUE(WriteStringToFile(env, said + added, manifest).ok());
}

Rows RowsOf(DB* db) {
  Rows rows;
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows[it->key().ToString()] = it->value().ToString();
  }
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

std::unique_ptr<DB> Open(const Options& options, const std::string& path) {
  std::unique_ptr<DB> db;
  const Status status = DB::Open(options, path, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return db;
}

Rows Reopened(const Options& options) {
  std::unique_ptr<DB> db;
  Status status = DB::OpenForReadOnly(options, kDb, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  const Rows read_only = db == nullptr ? Rows() : RowsOf(db.get());
  status = DB::Open(options, kDb, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  if (db == nullptr) return {};
  const Rows rows = RowsOf(db.get());
  EXPECT_EQ(rows, read_only);
  EXPECT_TRUE(db->Close().ok());
  return rows;
}

// Damage that recovery cannot take for an end.
void Damage(Env* env, uint64_t log, size_t offset) {
  std::string bytes;
  EXPECT_TRUE(ReadFileToString(env, LogFileName(kDb, log), &bytes).ok());
  if (offset < bytes.size()) bytes[offset] ^= 1;
  EXPECT_TRUE(
      WriteStringToFile(env, bytes, LogFileName(kDb, log), /*should_sync=*/true)
          .ok());
}

// "a" is prepared in the first log; the second one is damaged behind its first
// record; the third one holds the commit. All three numbers.
std::vector<uint64_t> AddLogsWithAGap(Env* env) {
  const uint64_t first = AddLog(
      env, {Batch(2).Begin().Put("a", "1").End("t"), Batch(2).Put("b", "1")});
  const uint64_t second =
      AddLog(env, {Batch(3).Put("c", "1"), Batch(4).Put("lost", "1")});
  std::string bytes;
  EXPECT_TRUE(ReadFileToString(env, LogFileName(kDb, second), &bytes).ok());
  Damage(env, second, bytes.size() - 1);
  const uint64_t third =
      AddLog(env, {Batch(5).Commit("t"), Batch(6).Put("lost too", "1")});
  return {first, second, third};
}

class TransactionLogTest : public ::testing::Test {
 protected:
  void Create(Rows rows = {{"old", "0"}}) {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    for (const auto& [key, value] : rows) {
      ASSERT_TRUE(db->Put(WriteOptions(), key, value).ok());
    }
    ASSERT_TRUE(db->Close().ok());
  }

  std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  Options options_ = Plain(env_.get());
};

TEST_F(TransactionLogTest, OnlyWhatIsCommittedIsShown) {
  Create();
  AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").Delete("old").End("yes"),
                      Batch(2).Begin().Put("b", "1").End("no"),
                      Batch(2).Begin().Put("c", "1").End("later"),
                      Batch(2).Put("d", "1"), Batch(3).Commit("yes"),
                      Batch(5).Rollback("no"), Batch(5).Put("a", "2")});
  const Rows expected = {{"a", "2"}, {"d", "1"}};
  EXPECT_EQ(expected, Reopened(options_));
  EXPECT_EQ(expected, Reopened(options_));
}

TEST_F(TransactionLogTest, APreparedTransactionOutlivesFlushesAndOpens) {
  Create();
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").End("t")});
  for (int round = 0; round < 3; ++round) {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(
          db->Put(WriteOptions(), "k", std::to_string(round * 3 + i)).ok());
      ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    }
    ASSERT_TRUE(db->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    uint64_t min = 0;
    ASSERT_TRUE(db->GetIntProperty(DB::Properties::kMinLogNumberToKeep, &min));
    EXPECT_EQ(kept, min);
    VectorWalPtr logs;
    ASSERT_TRUE(db->GetSortedWalFiles(logs).ok());
    EXPECT_EQ(kept, logs.empty() ? 0 : logs.front()->LogNumber());
    EXPECT_EQ((Rows{{"k", std::to_string(round * 3 + 2)}, {"old", "0"}}),
              RowsOf(db.get()));
    ASSERT_TRUE(db->Close().ok());
  }
  AddLog(env_.get(), {Batch(100).Commit("t")});
  EXPECT_EQ((Rows{{"a", "1"}, {"k", "8"}, {"old", "0"}}), Reopened(options_));
  // Nothing is kept any more.
  EXPECT_FALSE(env_->FileExists(LogFileName(kDb, kept)).ok());
}

// RocksDB raises the number of an empty family in memory only.
TEST_F(TransactionLogTest, AFamilyThatIsBehindNeedsNoLogThatMayBeDeleted) {
  options_.avoid_flush_during_recovery = true;
  Create();
  {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    ColumnFamilyHandle* idle = nullptr;
    ASSERT_TRUE(db->CreateColumnFamily(options_, "idle", &idle).ok());
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(idle).ok());
    ASSERT_TRUE(db->Close().ok());
  }
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").End("t")});
  VersionEdit edit;
  edit.min_log_number_to_keep = kept;
  AddToManifest(env_.get(), edit);
  for (int round = 0; round < 3; ++round) {
    std::unique_ptr<DB> db;
    std::vector<ColumnFamilyHandle*> handles;
    ASSERT_TRUE(
        DB::Open(options_, kDb,
                 {{kDefaultColumnFamilyName, options_}, {"idle", options_}},
                 &handles, &db)
            .ok());
    ASSERT_TRUE(db->Put(WriteOptions(), handles[1], "k", "1").ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "k", std::to_string(round)).ok());
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    EXPECT_TRUE(env_->FileExists(LogFileName(kDb, kept)).ok());
    for (ColumnFamilyHandle* handle : handles) {
      ASSERT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    ASSERT_TRUE(db->Close().ok());
  }
}

// Whatever a MANIFEST says of old logs, new ones are replayed.
TEST_F(TransactionLogTest, ALogThatIsBegunIsKept) {
  Create();
  VersionEdit edit;
  edit.min_log_number_to_keep = 1000;
  AddToManifest(env_.get(), edit);
  for (const char* key : {"b", "c"}) {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    ASSERT_TRUE(db->Put(WriteOptions(), key, "1").ok());
    ASSERT_TRUE(db->Close().ok());
  }
  // The log of "old" was to be deleted.
  EXPECT_EQ((Rows{{"b", "1"}, {"c", "1"}}), Reopened(options_));
}

TEST_F(TransactionLogTest, ASecondaryShowsTheCommitOnceItIsThere) {
  Create();
  AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").End("t")});
  std::unique_ptr<DB> secondary;
  Status status = DB::OpenAsSecondary(options_, kDb, "/secondary", &secondary);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ((Rows{{"old", "0"}}), RowsOf(secondary.get()));
  AddLog(env_.get(), {Batch(2).Commit("t")});
  status = secondary->TryCatchUpWithPrimary();
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ((Rows{{"a", "1"}, {"old", "0"}}), RowsOf(secondary.get()));
}

TEST_F(TransactionLogTest, DamageInAKeptLogMattersToItsTransactionsOnly) {
  Create();
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").End("first"),
                          Batch(2).Begin().Put("b", "1").End("second")});
  {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    ASSERT_TRUE(db->Put(WriteOptions(), "k", "1").ok());
    ASSERT_TRUE(db->Close().ok());
  }
  std::string log;
  ASSERT_TRUE(ReadFileToString(env_.get(), LogFileName(kDb, kept), &log).ok());
  log.back() ^= 1;
  ASSERT_TRUE(WriteStringToFile(env_.get(), log, LogFileName(kDb, kept)).ok());
  EXPECT_EQ((Rows{{"k", "1"}, {"old", "0"}}), Reopened(options_));
  AddLog(env_.get(), {Batch(100).Commit("first")});
  EXPECT_EQ("1", Reopened(options_)["a"]);
  // It stays: it may hold what is prepared.
  EXPECT_TRUE(env_->FileExists(LogFileName(kDb, kept)).ok());
  const uint64_t commit = AddLog(env_.get(), {Batch(200).Commit("second")});
  std::unique_ptr<DB> db;
  const Status refused = DB::Open(options_, kDb, &db);
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_NE(std::string::npos,
            refused.ToString().find(LogFileName(kDb, kept) + ": at offset"))
      << refused.ToString();
  EXPECT_TRUE(env_->FileExists(LogFileName(kDb, commit)).ok());
  // Only who asks for it lets it go.
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  EXPECT_EQ("1", Reopened(options_)["a"]);
  EXPECT_FALSE(env_->FileExists(LogFileName(kDb, kept)).ok());
}

TEST_F(TransactionLogTest, ASecondaryShowsNoCommitWhoseSectionIsDamaged) {
  Create();
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("a", "1").End("t")});
  {
    const std::unique_ptr<DB> db = Open(options_, kDb);
    ASSERT_TRUE(db->Put(WriteOptions(), "k", "1").ok());
    ASSERT_TRUE(db->Close().ok());
  }
  std::string bytes;
  ASSERT_TRUE(
      ReadFileToString(env_.get(), LogFileName(kDb, kept), &bytes).ok());
  Damage(env_.get(), kept, bytes.size() - 1);
  std::unique_ptr<DB> secondary;
  Status status = DB::OpenAsSecondary(options_, kDb, "/secondary", &secondary);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const Rows rows = {{"k", "1"}, {"old", "0"}};
  EXPECT_EQ(rows, RowsOf(secondary.get()));
  AddLog(env_.get(), {Batch(100).Put("b", "1").Commit("t")});
  for (int round = 0; round < 2; ++round) {
    status = secondary->TryCatchUpWithPrimary();
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_EQ(rows, RowsOf(secondary.get()));
  }
}

TEST_F(TransactionLogTest, AKeptLogMayEndInATornRecordAndHoldAnyCommit) {
  Create();
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("b", "1").End("later"),
                          Batch(2).Commit("gone with its log"),
                          Batch(4).Put("c", "1"), Batch(5).Put("torn", "1")});
  const std::string path = LogFileName(kDb, kept);
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env_.get(), path, &bytes).ok());
  bytes.pop_back();
  ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, path).ok());
  Rows rows = {{"c", "1"}, {"old", "0"}};
  EXPECT_EQ(rows, Reopened(options_));
  EXPECT_EQ(rows, Reopened(options_));
  // Nor does damage in another flushed log make the old commit a loss.
  const uint64_t damaged = AddLog(
      env_.get(), {Batch(100).Put("d", "1"), Batch(101).Put("lost", "1")});
  ASSERT_TRUE(
      ReadFileToString(env_.get(), LogFileName(kDb, damaged), &bytes).ok());
  Damage(env_.get(), damaged, bytes.size() - 1);
  rows["d"] = "1";
  EXPECT_EQ(rows, Reopened(options_));
  EXPECT_EQ(rows, Reopened(options_));
  AddLog(env_.get(), {Batch(200).Commit("later")});
  rows["b"] = "1";
  EXPECT_EQ(rows, Reopened(options_));
}

TEST_F(TransactionLogTest, WhatIsBehindAStopDecidesNothingLater) {
  Create();
  const std::vector<uint64_t> logs = AddLogsWithAGap(env_.get());
  Rows rows = {{"b", "1"}, {"c", "1"}, {"old", "0"}};
  EXPECT_EQ(rows, Reopened(options_));
  EXPECT_TRUE(env_->FileExists(LogFileName(kDb, logs[0])).ok());
  EXPECT_FALSE(env_->FileExists(LogFileName(kDb, logs[2])).ok());
  EXPECT_EQ(rows, Reopened(options_));
  AddLog(env_.get(), {Batch(100).Commit("t")});
  rows["a"] = "1";
  EXPECT_EQ(rows, Reopened(options_));
}

TEST_F(TransactionLogTest, WhatIsNumberedByBatchOpensOnceAllIsDecided) {
  Create();
  // Counted by record, the second batch would come before the first.
  AddLog(env_.get(), {Batch(2).Put("a", "1").Put("b", "1").Put("c", "1").Noop(),
                      Batch(3).Put("c", "2").Noop(),
                      Batch(4).Begin(kPersisted).Put("d", "1").End("t")});
  std::unique_ptr<DB> db;
  const Status refused = DB::Open(options_, kDb, &db);
  EXPECT_TRUE(refused.IsNotSupported()) << refused.ToString();
  EXPECT_NE(std::string::npos, refused.ToString().find("'t'"));
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kDb, &db).ok());
  EXPECT_EQ((Rows{{"a", "1"}, {"b", "1"}, {"c", "2"}, {"old", "0"}}),
            RowsOf(db.get()));
  db.reset();
  EXPECT_TRUE(
      DB::OpenAsSecondary(options_, kDb, "/secondary", &db).IsNotSupported());
  AddLog(env_.get(), {Batch(5).Commit("t")});
  EXPECT_EQ(
      (Rows{{"a", "1"}, {"b", "1"}, {"c", "2"}, {"d", "1"}, {"old", "0"}}),
      Reopened(options_));
}

// What an undecided transaction wrote to tables is there, with the sequence of
// its record in the kept log; readers see what was there before.
TEST_F(TransactionLogTest, WhatIsUndecidedInTablesIsHidden) {
  Create();
  // A table of its own, whose rows no flush drops.
  ASSERT_TRUE(Open(options_, kDb)->Flush(FlushOptions()).ok());
  const uint64_t kept =
      AddLog(env_.get(), {Batch(2).Begin().Put("b", "1").End("later"),
                          Batch(4).Put("c", "1").Delete("old")});
  EXPECT_EQ((Rows{{"c", "1"}}), Reopened(options_));
  const auto reopen_with = [&](SequenceNumber first, std::unique_ptr<DB>* db) {
    auto file = WritableFileWriter::Create(
        env_->GetFileSystem().get(), LogFileName(kDb, kept), FileOptions());
    EXPECT_TRUE(file.ok());
    wal::Writer log(std::move(*file), kept, /*recycle=*/false);
    const Batch put = Batch(first).Begin(kPersisted).Put("c", "1").End("t");
    const Batch gone = Batch(5).Begin(kPersisted).Delete("old").End("u");
    EXPECT_TRUE(log.AddRecord(put.Text()).ok());
    EXPECT_TRUE(log.AddRecord(gone.Text()).ok());
    EXPECT_TRUE(log.Sync(false).ok());
    EXPECT_TRUE(log.Close().ok());
    return DB::OpenForReadOnly(options_, kDb, db);
  };
  std::unique_ptr<DB> db;
  Status status = reopen_with(4, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ((Rows{{"old", "0"}}), RowsOf(db.get()));
  db.reset();
  status = reopen_with(0, &db);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos,
            status.ToString().find("expected a sequence above 0, found 0"));
}

// Counted by record, the old "x" would have a newer sequence than the new one,
// and "b" the same one twice.
TEST_F(TransactionLogTest, WhatIsNumberedByBatchIsKnownWithoutASection) {
  Create();
  AddLog(env_.get(),
         {Batch(2).Put("a", "1").Put("b", "1").Put("x", "OLD").Noop(),
          Batch(3).Put("x", "NEW").Noop(), Batch(4).Put("b", "2").Noop()});
  AddLog(env_.get(), {Batch(5).Put("y", "1").Noop()});
  std::unique_ptr<DB> db;
  EXPECT_TRUE(
      DB::OpenAsSecondary(options_, kDb, "/secondary", &db).IsNotSupported());
  EXPECT_EQ(
      (Rows{{"a", "1"}, {"b", "2"}, {"old", "0"}, {"x", "NEW"}, {"y", "1"}}),
      Reopened(options_));
}

// A crash between any two calls: prepared stays prepared.
TEST(TransactionCrash, APreparedTransactionSurvivesEveryCrash) {
  test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* progress) {
        const Options options = Plain(env);
        ASSERT_TRUE(Open(options, kDb)->Close().ok());
        AddLog(env, {Batch(1).Begin().Put("a", "1").End("t"),
                     Batch(1).Put("b", "1")});
        progress->Reached(1);
        const std::unique_ptr<DB> db = Open(options, kDb);
        WriteOptions sync;
        sync.sync = true;
        ASSERT_TRUE(db->Put(sync, "c", "1").ok());
        progress->Reached(2);
        ASSERT_TRUE(db->Flush(FlushOptions()).ok());
        ASSERT_TRUE(db->Put(sync, "d", "1").ok());
        progress->Reached(3);
        ASSERT_TRUE(db->Close().ok());
      },
      [](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0 || ::testing::Test::HasFailure()) return;
        SCOPED_TRACE(point.ToString());
        const Options options = Plain(env);
        std::unique_ptr<DB> db = Open(options, kDb);
        if (db == nullptr) return;
        Rows rows = RowsOf(db.get());
        EXPECT_FALSE(rows.contains("a"));
        EXPECT_TRUE(rows.contains("b"));
        EXPECT_TRUE(point.reached < 2 || rows.contains("c"));
        EXPECT_TRUE(point.reached < 3 || rows.contains("d"));
        ASSERT_TRUE(db->Close().ok());
        db.reset();
        AddLog(env, {Batch(100).Commit("t")});
        db = Open(options, kDb);
        if (db == nullptr) return;
        rows["a"] = "1";
        EXPECT_EQ(rows, RowsOf(db.get()));
      });
}

// A crash while what is behind a stop is removed.
TEST(TransactionCrash, WhatIsBehindAStopDecidesNothingAfterAnyCrash) {
  test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* progress) {
        const Options options = Plain(env);
        {
          const std::unique_ptr<DB> db = Open(options, kDb);
          WriteOptions sync;
          sync.sync = true;
          ASSERT_TRUE(db->Put(sync, "old", "0").ok());
          ASSERT_TRUE(db->Close().ok());
        }
        AddLogsWithAGap(env);
        progress->Reached(1);
        ASSERT_TRUE(Open(options, kDb)->Close().ok());
      },
      [](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0 || ::testing::Test::HasFailure()) return;
        SCOPED_TRACE(point.ToString());
        const Options options = Plain(env);
        Rows rows = {{"b", "1"}, {"c", "1"}, {"old", "0"}};
        for (int round = 0; round < 2; ++round) {
          const std::unique_ptr<DB> db = Open(options, kDb);
          if (db == nullptr) return;
          EXPECT_EQ(rows, RowsOf(db.get()));
          ASSERT_TRUE(db->Close().ok());
        }
        AddLog(env, {Batch(100).Commit("t")});
        const std::unique_ptr<DB> db = Open(options, kDb);
        if (db == nullptr) return;
        rows["a"] = "1";
        EXPECT_EQ(rows, RowsOf(db.get()));
      });
}

// ------------------------------------------------------------------ the peer

// Asks Debian's RocksDB, through its C interface, which transactions of a
// database are prepared; `commit` commits them.
const char kPeerScript[] = R"(
import ctypes, sys
lib = ctypes.CDLL("librocksdb.so.7.8")
for name in ("rocksdb_options_create", "rocksdb_transactiondb_options_create",
             "rocksdb_transactiondb_open_column_families",
             "rocksdb_transactiondb_get_prepared_transactions",
             "rocksdb_transaction_get_name"):
    getattr(lib, name).restype = ctypes.c_void_p
P = ctypes.c_void_p
path = sys.argv[1].encode()
names = [b"default", b"cf1"]
o = P(lib.rocksdb_options_create())
t = P(lib.rocksdb_transactiondb_options_create())
err = ctypes.c_char_p()
handles = (P * 2)()
db = lib.rocksdb_transactiondb_open_column_families(
    o, t, path, 2, (ctypes.c_char_p * 2)(*names), (P * 2)(o, o), handles,
    ctypes.byref(err))
if err.value:
    sys.exit("open: " + err.value.decode())
n = ctypes.c_size_t()
found = lib.rocksdb_transactiondb_get_prepared_transactions(
    P(db), ctypes.byref(n))
list = ctypes.cast(found, ctypes.POINTER(P))
for i in range(n.value):
    size = ctypes.c_size_t()
    name = lib.rocksdb_transaction_get_name(P(list[i]), ctypes.byref(size))
    print("prepared", ctypes.string_at(name, size.value).decode())
    if len(sys.argv) > 2:
        lib.rocksdb_transaction_commit(P(list[i]), ctypes.byref(err))
        if err.value:
            sys.exit("commit: " + err.value.decode())
    lib.rocksdb_transaction_destroy(P(list[i]))
for h in handles:
    lib.rocksdb_column_family_handle_destroy(P(h))
lib.rocksdb_transactiondb_close(P(db))
)";

test::Ran AskPeer(const std::string& db, const std::string& arguments) {
  const std::filesystem::path script =
      std::filesystem::path(db).parent_path() / "ask.py";
  EXPECT_TRUE(WriteStringToFile(Env::Default(), kPeerScript, script).ok());
  return test::RunCommand("/usr/bin/python3 " + script.string() + " " + db +
                          arguments);
}

// With and without a repair in between.
class TransactionPeer : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(, TransactionPeer, ::testing::Bool(),
                         [](const auto& test) {
                           return test.param ? "Repaired" : "Reopened";
                         });

TEST_P(TransactionPeer, RocksDBFindsPreparedWhatItHadPrepared) {
  const std::filesystem::path source =
      test::GoldenFolder() / "v7.8.3/txn_write_committed/db";
  if (!std::filesystem::exists(source)) {
    RIVERSTONE_SKIP_WITHOUT(std::vector<int>());
  }
  RIVERSTONE_SKIP_WITHOUT_PEER();
  if (!std::filesystem::exists("/usr/bin/python3")) {
    GTEST_SKIP() << "NO PEER: install python3";
  }
  const test::TempDir dir;
  const std::string path = dir.File("db");
  std::filesystem::copy(source, path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  Options options = Plain(Env::Default());
  const std::vector<ColumnFamilyDescriptor> families = {
      {kDefaultColumnFamilyName, options}, {"cf1", options}};
  const auto open = [&](std::unique_ptr<DB>* db,
                        std::vector<ColumnFamilyHandle*>* handles) {
    const Status status = DB::Open(options, path, families, handles, db);
    ASSERT_TRUE(status.ok()) << status.ToString();
  };
  const auto close = [](std::unique_ptr<DB> db,
                        const std::vector<ColumnFamilyHandle*>& handles) {
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    EXPECT_TRUE(db->Close().ok());
  };
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
  open(&db, &handles);
  ASSERT_TRUE(db->Put(WriteOptions(), "ours", "1").ok());
  ASSERT_TRUE(db->Flush(FlushOptions(), handles).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), handles[1], "ours too", "1").ok());
  ASSERT_TRUE(db->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  close(std::move(db), handles);
  if (GetParam()) {
    ASSERT_TRUE(RepairDB(path, options, families).ok());
  }
  const test::Ran asked = AskPeer(path, " commit");
  EXPECT_EQ(0, asked.code);
  EXPECT_EQ("prepared prepared-before-flush\nprepared prepared-not-committed\n",
            asked.output);
  open(&db, &handles);
  std::string value;
  EXPECT_TRUE(db->Get(ReadOptions(), "pbf", &value).ok());
  EXPECT_EQ("pending", value);
  EXPECT_TRUE(db->Get(ReadOptions(), "k000-00005ccc", &value).IsNotFound());
  EXPECT_TRUE(db->Get(ReadOptions(), "ours", &value).ok());
  EXPECT_TRUE(db->Get(ReadOptions(), handles[1], "ours too", &value).ok());
  close(std::move(db), handles);
  EXPECT_EQ("", AskPeer(path, "").output);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
