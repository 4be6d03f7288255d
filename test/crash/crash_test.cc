// A crash before each call that changes the disk, with every kind of damage:
// the database opens again, holds what was promised, and stands as it was
// after one of the writes, never between two.

#include <gtest/gtest.h>

#include <string>

#include "test/crash/script.h"
#include "test/support/crash_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

template <Tuning kTuning>
void Script(Env* env, CrashScript* progress) {
  ScriptDb db(kTuning);
  Ok(db.Open(env));
  Ok(db.Write(1, true));
  progress->Reached(1);
  Ok(db.Write(2, false));
  Ok(db.Write(3, false));
  Ok(db->Flush(FlushOptions()));
  progress->Reached(3);
  Ok(db.Write(4, false));
  Ok(db.Write(5, true));
  progress->Reached(5);
  Ok(db.Write(kWritesBeforeOther, false));
  Ok(db.CreateOther(env));
  Ok(db.Write(7, false));
  Ok(db.Write(8, true));
  progress->Reached(8);
  // One family's table must not be ahead of the other's log.
  Ok(db.Write(9, false));
  Ok(db->Flush(FlushOptions(), db.handle(kOtherFamily)));
  progress->Reached(9);
  Ok(db.Write(10, false));
  Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  Ok(db->SetOptions({{"level0_file_num_compaction_trigger", "2"}}));
  Ok(db.Write(11, true));
  progress->Reached(11);
  Ok(db->SyncWAL());
  Ok(db.Write(12, false));
  Ok(db.Close());

  Ok(db.Open(env));
  Ok(db.Write(13, true));
  progress->Reached(13);
  Ok(db->Flush(FlushOptions()));
  Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  Ok(db->WaitForCompact(WaitForCompactOptions()));
  Ok(db.Close());
}

void CheckHolds(ScriptDb* db, int m) {
  EXPECT_EQ(ScriptDb::Expected(kDefaultColumnFamilyName, m),
            db->Rows(kDefaultColumnFamilyName));
  if (db->has_other()) {
    EXPECT_EQ(ScriptDb::Expected(kOtherFamily, m), db->Rows(kOtherFamily));
  }
}

template <Tuning kTuning = Tuning::kOff>
void Check(const CrashPoint& point, Env* env) {
  if (::testing::Test::HasFailure()) return;
  SCOPED_TRACE(point.ToString());
  const int reached = static_cast<int>(point.reached);
  int m = 0;
  {
    ScriptDb db(kTuning);
    Ok(db.Open(env));
    if (db.get() == nullptr) return;
    const auto rows = db.Rows(kDefaultColumnFamilyName);
    m = rows.contains("last") ? std::stoi(rows.at("last")) : 0;
    EXPECT_GE(m, reached);
    EXPECT_TRUE(db.has_other() || m <= kWritesBeforeOther);
    CheckHolds(&db, m);
    // It can be gone on with.
    Ok(db.Write(m + 1, true));
    Ok(db->Flush(FlushOptions()));
    Ok(db.Close());
  }
  ScriptDb db(kTuning);
  Ok(db.Open(env));
  if (db.get() == nullptr) return;
  const auto rows = db.Rows(kDefaultColumnFamilyName);
  EXPECT_EQ(std::to_string(m + 1), rows.at("last"));
  if (db.has_other() == (m >= kWritesBeforeOther)) CheckHolds(&db, m + 1);
}

// Shorter: flushes and compactions while the tuner shapes and pauses them.
void TunedScript(Env* env, CrashScript* progress) {
  ScriptDb db(Tuning::kTuned);
  Ok(db.Open(env));
  for (int i = 1; i <= kWritesBeforeOther; ++i) {
    Ok(db.Write(i, i % 2 == 0));
    if (i % 2 == 0) progress->Reached(static_cast<uint64_t>(i));
    Ok(db->Flush(FlushOptions()));
    db.Tick();
  }
  Ok(db.CreateOther(env));
  Ok(db.Write(7, true));
  progress->Reached(7);
  Ok(db->SetOptions({{"compaction_tuning", "kAdvise"}}));
  Ok(db->Flush(FlushOptions(), db.handle(kOtherFamily)));
  Ok(db.Write(8, true));
  progress->Reached(8);
  Ok(db->SetOptions({{"compaction_tuning", "kAdaptive"}}));
  Ok(db.Write(9, false));
  Ok(db->WaitForCompact(WaitForCompactOptions()));
  Ok(db.Close());
}

// Logs that get shorter, over the files of longer ones: behind the end of each
// lie records that were good once.
template <Tuning kTuning>
void RecyclingScript(Env* env, CrashScript* progress) {
  ScriptDb db(kTuning);
  Ok(db.Open(env));
  int written = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 4 - round; ++i) Ok(db.Write(++written, false));
    Ok(db.Write(++written, true));
    progress->Reached(static_cast<uint64_t>(written));
    Ok(db.Write(++written, false));
    if (db.has_other() && round == 3) {
      // The log stays alive for the other family.
      Ok(db->Flush(FlushOptions(), db.handle(kOtherFamily)));
      continue;
    }
    Ok(db->Flush(FlushOptions()));
    progress->Reached(static_cast<uint64_t>(written));
    if (db.has_other()) {
      Ok(db->Flush(FlushOptions(), db.handle(kOtherFamily)));
    }
    if (written == kWritesBeforeOther) Ok(db.CreateOther(env));
  }
  Ok(db.Write(++written, false));
  Ok(db->SyncWAL());
  progress->Reached(static_cast<uint64_t>(written));
  Ok(db.Write(++written, false));
  Ok(db.Close());
}

TEST(Crash, WithRecycledLogsLosesNothingThatWasSynced) {
  const uint64_t states = ForEachCrashPoint(RecyclingScript<Tuning::kRecycled>,
                                            Check<Tuning::kRecycled>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 100u);
}

TEST(Crash, WithChainedCompressedLogsLosesNothingThatWasSynced) {
  const uint64_t states = ForEachCrashPoint(RecyclingScript<Tuning::kChained>,
                                            Check<Tuning::kChained>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 100u);
}

// Without a log: what the families hold must have been written together.
void AtomicScript(Env* env, CrashScript* progress) {
  ScriptDb db(Tuning::kAtomic);
  db.StopLogging();
  Ok(db.Open(env));
  for (int i = 1; i <= kWritesBeforeOther; ++i) Ok(db.Write(i, false));
  Ok(db->Flush(FlushOptions()));
  progress->Reached(kWritesBeforeOther);
  Ok(db.CreateOther(env));
  Ok(db.Write(7, false));
  Ok(db.Write(8, false));
  Ok(db->Flush(FlushOptions()));
  progress->Reached(8);
  Ok(db.Write(9, false));
  Ok(db->Flush(FlushOptions(), db.handle(kOtherFamily)));
  progress->Reached(9);
  Ok(db.Write(10, false));
  Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  progress->Reached(10);
  Ok(db.Write(11, false));
  Ok(db.Close());
  progress->Reached(11);

  Ok(db.Open(env));
  Ok(db.Write(12, false));
  Ok(db->Flush(FlushOptions()));
  progress->Reached(12);
  Ok(db.Write(13, false));
  Ok(db.Close());
}

TEST(Crash, WithAtomicFlushesFamiliesAgreeWithoutALog) {
  const uint64_t states =
      ForEachCrashPoint(AtomicScript, Check<Tuning::kAtomic>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 50u);
}

TEST(Crash, WithTheTunerOnLosesNothingThatWasSynced) {
  const uint64_t states = ForEachCrashPoint(TunedScript, Check<>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 50u);
}

TEST(Crash, AtEachCallLosesNothingThatWasSynced) {
  const uint64_t states = ForEachCrashPoint(Script<Tuning::kOff>, Check<>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 100u);
}

TEST(Crash, WithBlobFilesLosesNothingThatWasSynced) {
  const uint64_t states =
      ForEachCrashPoint(Script<Tuning::kBlobs>, Check<Tuning::kBlobs>);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 100u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
