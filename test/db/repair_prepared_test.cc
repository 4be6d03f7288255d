// RepairDB of databases whose logs hold prepared transactions, and the tally
// of logs that it rests on: what is committed is there, what is not stays
// prepared.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "db/repair/log_tally.h"
#include "db/wal/log_writer.h"
#include "env/file_writer.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/write_batch.h"
#include "table/internal_key.h"
#include "test/db/store_fixture.h"
#include "test/support/crash_fs.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Rows = std::map<std::string, std::string>;

const std::string kDb = "/db";
constexpr size_t kHeaderBytes = 12;

// ------------------------------------------------------- bytes of batches

std::string Header(SequenceNumber sequence, uint32_t count) {
  std::string bytes;
  PutFixed64(&bytes, sequence);
  PutFixed32(&bytes, count);
  return bytes;
}

std::string Mark(ValueType type, const std::string& name) {
  std::string bytes(1, static_cast<char>(type));
  PutLengthPrefixedSlice(&bytes, name);
  return bytes;
}

std::string Prepared(SequenceNumber sequence, const WriteBatch& records,
                     const std::string& name,
                     ValueType begin = ValueType::kBeginPrepare) {
  return Header(sequence, static_cast<uint32_t>(records.Count())) +
         std::string(1, static_cast<char>(begin)) +
         records.Data().substr(kHeaderBytes) +
         Mark(ValueType::kEndPrepare, name);
}

std::string Committed(SequenceNumber sequence, const std::string& name) {
  return Header(sequence, 0) + Mark(ValueType::kCommit, name);
}

WriteBatch Put(const std::string& key, const std::string& value) {
  WriteBatch batch;
  EXPECT_TRUE(batch.Put(key, value).ok());
  return batch;
}

// ---------------------------------------------------------------- the tally

TEST(LogTally, APreparedRecordGetsItsSequenceWhereItIsCommitted) {
  LogTally tally;
  LogSummary first;
  WriteBatch records = Put("a", "1");
  ASSERT_TRUE(records.Put("b", "1").ok());
  ASSERT_TRUE(tally.Take(Prepared(7, records, "yes"), &first));
  ASSERT_TRUE(tally.Take(Prepared(7, records, "no"), &first));
  EXPECT_TRUE(first.has_sections);
  EXPECT_EQ(first.families, std::set<uint32_t>{0});
  EXPECT_TRUE(first.last_sequences.empty());

  LogSummary second;
  std::string rolled_back = Header(9, 0) + Mark(ValueType::kRollback, "no");
  ASSERT_TRUE(tally.Take(rolled_back, &second));
  EXPECT_TRUE(second.last_sequences.empty());
  ASSERT_TRUE(tally.Take(Committed(9, "yes"), &second));
  EXPECT_FALSE(second.has_sections);
  EXPECT_EQ(second.last_sequences[0], 10u);
  // Both are decided.
  ASSERT_TRUE(tally.Take(Committed(20, "yes"), &second));
  ASSERT_TRUE(tally.Take(Committed(20, "no"), &second));
  EXPECT_EQ(second.last_sequences[0], 10u);
}

TEST(LogTally, WhatIsNumberedByBatchCountsWhereItWasPrepared) {
  LogTally tally;
  LogSummary log;
  ASSERT_TRUE(tally.Take(
      Prepared(7, Put("a", "1"), "t", ValueType::kBeginPersistedPrepare),
      &log));
  EXPECT_TRUE(log.has_sections);
  EXPECT_EQ(log.last_sequences[0], 7u);
  ASSERT_TRUE(tally.Take(Committed(8, "t"), &log));
  EXPECT_EQ(log.last_sequences[0], 7u);
}

TEST(LogTally, MisplacedMarksMakeNoBatch) {
  const std::string begin(1, static_cast<char>(ValueType::kBeginPrepare));
  const std::string end = Mark(ValueType::kEndPrepare, "t");
  const std::string commit = Mark(ValueType::kCommit, "t");
  LogTally tally;
  LogSummary log;
  for (const std::string& marks : {begin, end, begin + begin + end,
                                   begin + commit + end, begin + end + end}) {
    EXPECT_FALSE(tally.Take(Header(7, 0) + marks, &log));
  }
  EXPECT_FALSE(log.has_sections);
  EXPECT_FALSE(tally.Take(Header(kSequenceMax, 1), &log));
  EXPECT_FALSE(tally.Take(Header(7, 1), &log));
  EXPECT_FALSE(tally.Take("short", &log));
  EXPECT_TRUE(tally.Take(Header(7, 0) + begin + end + commit, &log));
}

// ---------------------------------------------------------------- databases

Options OptionsFor(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.compression = kNoCompression;
  const Status status = MergeOperator::CreateFromString(
      ConfigOptions(), "stringappend", &options.merge_operator);
  EXPECT_TRUE(status.ok());
  return options;
}

std::unique_ptr<DB> Open(Env* env) {
  std::unique_ptr<DB> db;
  const Status status = DB::Open(OptionsFor(env), kDb, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return db;
}

Status Repair(Env* env) { return RepairDB(kDb, OptionsFor(env)); }

Rows RowsOf(Env* env) {
  Rows rows;
  const std::unique_ptr<DB> db = Open(env);
  if (db == nullptr) return rows;
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows[it->key().ToString()] = it->value().ToString();
  }
  EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  return rows;
}

std::vector<std::string> NamesIn(Env* env, const std::string& dir) {
  std::vector<std::string> names;
  env->GetChildren(dir, &names).PermitUncheckedError();
  return names;
}

// A log such as RocksDB's transactions leave it, behind what is there.
uint64_t AddLog(Env* env, const std::vector<std::string>& batches) {
  uint64_t number = 0;
  for (const std::string& name : NamesIn(env, kDb)) {
    ParsedFileName parsed;
    if (ParseFileName(name, &parsed)) number = std::max(number, parsed.number);
  }
  ++number;
  FileSystem* const fs = env->GetFileSystem().get();
  auto file =
      WritableFileWriter::Create(fs, LogFileName(kDb, number), FileOptions());
  EXPECT_TRUE(file.ok());
  wal::Writer log(std::move(*file), number, /*recycle=*/false);
  for (const std::string& batch : batches) {
    EXPECT_TRUE(log.AddRecord(batch).ok());
  }
  EXPECT_TRUE(log.Sync(false).ok());
  EXPECT_TRUE(log.Close().ok());
  EXPECT_TRUE(SyncDirectory(fs, kDb).ok());
  return number;
}

void LoseManifest(Env* env) {
  for (const std::string& name : NamesIn(env, kDb)) {
    if (name.starts_with("MANIFEST") || name == "CURRENT") {
      ASSERT_TRUE(env->DeleteFile(kDb + "/" + name).ok());
    }
  }
}

// A and B are prepared in a log behind which everything was flushed; A is
// committed by a log that holds nothing else. Returns the log of both.
uint64_t Fill(Env* env, const WriteBatch& a = Put("a", "1")) {
  std::unique_ptr<DB> db = Open(env);
  EXPECT_TRUE(db->Put(WriteOptions(), "k0", "0").ok());
  EXPECT_TRUE(db->Close().ok());
  const uint64_t log =
      AddLog(env, {Prepared(2, a, "A"), Prepared(2, Put("b", "1"), "B")});
  db = Open(env);
  for (const char* key : {"k1", "k2", "k3"}) {
    EXPECT_TRUE(db->Put(WriteOptions(), key, "1").ok());
  }
  EXPECT_TRUE(db->Flush(FlushOptions()).ok());
  EXPECT_TRUE(db->Close().ok());
  AddLog(env, {Committed(5, "A")});
  return log;
}

const Rows kFilled = {
    {"a", "1"}, {"k0", "0"}, {"k1", "1"}, {"k2", "1"}, {"k3", "1"}};

void ExpectFilledAndBPrepared(Env* env, Rows rows = kFilled) {
  EXPECT_EQ(RowsOf(env), rows);
  AddLog(env, {Committed(1000, "B")});
  rows["b"] = "1";
  EXPECT_EQ(RowsOf(env), rows);
}

class RepairingPrepared : public ::testing::Test {
 protected:
  void RepairIt() {
    const Status status = Repair(env_.get());
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
};

TEST_F(RepairingPrepared, ASoundDatabaseKeepsWhatIsCommittedAndPrepared) {
  const uint64_t log = Fill(env_.get());
  RepairIt();
  EXPECT_TRUE(env_->FileExists(LogFileName(kDb, log)).ok());
  ExpectFilledAndBPrepared(env_.get());
}

TEST_F(RepairingPrepared, WithoutAManifestTheLogsTell) {
  const uint64_t log = Fill(env_.get());
  LoseManifest(env_.get());
  RepairIt();
  EXPECT_TRUE(env_->FileExists(LogFileName(kDb, log)).ok());
  ExpectFilledAndBPrepared(env_.get());
}

TEST_F(RepairingPrepared, ACommittedOperandThatIsInATableIsNotReplayed) {
  WriteBatch a;
  ASSERT_TRUE(a.Merge("a", "1").ok());
  Fill(env_.get(), a);
  EXPECT_EQ(RowsOf(env_.get()), kFilled);
  LoseManifest(env_.get());
  RepairIt();
  ExpectFilledAndBPrepared(env_.get());
}

// What shares no block with it, that is.
TEST_F(RepairingPrepared, DamageTakesNoOtherTransaction) {
  ASSERT_TRUE(Open(env_.get())->Close().ok());
  const std::string large(size_t{40} << 10, 'v');
  const uint64_t log = AddLog(
      env_.get(), {Prepared(1, Put("a", large), "A"),
                   Prepared(1, Put("b", "1"), "B"), Put("k", "1").Data()});
  FileSystem* const fs = env_->GetFileSystem().get();
  std::string bytes = test::ReadFile(fs, LogFileName(kDb, log));
  bytes[100] ^= 1;
  test::WriteFile(fs, LogFileName(kDb, log), bytes);
  RepairIt();
  EXPECT_EQ(RowsOf(env_.get()), (Rows{{"k", "1"}}));
  EXPECT_TRUE(env_->FileExists(kDb + "/lost/" + LogBaseName(log)).ok());
  AddLog(env_.get(), {Committed(1000, "A"), Committed(1000, "B")});
  EXPECT_EQ(RowsOf(env_.get()), (Rows{{"b", "1"}, {"k", "1"}}));
}

// Only a reader can open it, and the transaction can still be decided.
TEST_F(RepairingPrepared, WhatIsNumberedByBatchStaysAndIsNotSupported) {
  for (const bool lost : {false, true}) {
    env_.reset(NewMemEnv(Env::Default()));
    std::unique_ptr<DB> db = Open(env_.get());
    ASSERT_TRUE(db->Put(WriteOptions(), "k0", "0").ok());
    ASSERT_TRUE(db->Close().ok());
    const uint64_t log = AddLog(
        env_.get(),
        {Prepared(2, Put("a", "1"), "A", ValueType::kBeginPersistedPrepare)});
    if (lost) LoseManifest(env_.get());
    const Status status = Repair(env_.get());
    EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
    EXPECT_TRUE(env_->FileExists(LogFileName(kDb, log)).ok());
    ASSERT_TRUE(DB::OpenForReadOnly(OptionsFor(env_.get()), kDb, &db).ok());
    std::string value;
    EXPECT_TRUE(db->Get(ReadOptions(), "k0", &value).ok());
    EXPECT_TRUE(db->Get(ReadOptions(), "a", &value).IsNotFound());
    db.reset();
    AddLog(env_.get(), {Committed(3, "A")});
    EXPECT_EQ(RowsOf(env_.get()), (Rows{{"a", "1"}, {"k0", "0"}}));
  }
}

TEST_F(RepairingPrepared, CanBeRunAgainAfterACrashAtAnyMoment) {
  const uint64_t states = test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        Fill(env);
        script->Reached(1);
        EXPECT_TRUE(Repair(env).ok());
      },
      [](const test::CrashPoint& point, Env* env) {
        if (point.reached < 1) return;
        const Status status = Repair(env);
        ASSERT_TRUE(status.ok()) << point.ToString() << status.ToString();
        SCOPED_TRACE(point.ToString());
        ExpectFilledAndBPrepared(env);
      });
  EXPECT_GT(states, 20u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
