// Each call that changes the disk fails once, or from then on: the operation
// under way says so, and nothing that was acknowledged is lost.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "test/crash/script.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// What the script heard.
struct Heard {
  std::set<int> acknowledged;
  int tried = 0;
  int errors = 0;

  bool Ok(const Status& status) {
    if (!status.ok()) ++errors;
    return status.ok();
  }
};

void Write(ScriptDb* db, Heard* heard, int i, bool sync) {
  if (heard->Ok(db->Write(i, sync))) heard->acknowledged.insert(i);
  heard->tried = i;
}

// Goes on after errors, as a stubborn program would.
void Script(Env* env, ScriptDb* db, Heard* heard) {
  if (!heard->Ok(db->Open(env))) return;
  Write(db, heard, 1, true);
  Write(db, heard, 2, false);
  heard->Ok((*db)->Flush(FlushOptions()));
  Write(db, heard, 3, true);
  Write(db, heard, 4, false);
  heard->Ok((*db)->Flush(FlushOptions()));
  heard->Ok((*db)->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  Write(db, heard, 5, false);
  heard->Ok((*db)->SyncWAL());
  Write(db, heard, 6, true);
  // A job that failed in the background may not have said so yet.
  heard->Ok((*db)->WaitForCompact(WaitForCompactOptions()));
}

void CheckHolds(ScriptDb* db, const Heard& heard) {
  const auto rows = db->Rows(kDefaultColumnFamilyName);
  for (const int i : heard.acknowledged) {
    EXPECT_TRUE(rows.contains(ScriptDb::Key(i))) << "write " << i;
  }
  int newest = 0;
  for (const auto& [key, value] : rows) {
    if (key[0] != 'k') continue;
    // What failed may be there, but only whole.
    const int i = std::stoi(key.substr(1));
    EXPECT_EQ(ScriptDb::Value(i), value) << key;
    newest = std::max(newest, i);
  }
  if (newest > 0) {
    EXPECT_EQ(std::to_string(newest), rows.at("last"));
  }
  for (int i = 1; i <= newest; ++i) {
    const bool expected =
        rows.contains(ScriptDb::Key(i)) && i > newest - ScriptDb::kRangeKeys;
    EXPECT_EQ(expected, rows.contains(ScriptDb::RangeKey(i))) << "range " << i;
  }
}

// Failures of these must not stay unheard; the others concern files that can
// be written or removed later.
bool MustBeHeard(const std::string& record) {
  const size_t end = record.find(" !\n");
  if (end == std::string::npos) return false;
  const size_t line = record.rfind('\n', end);
  const size_t begin = line == std::string::npos ? 0 : line + 1;
  const std::string call = record.substr(begin, end - begin);
  const bool writes = call.starts_with("append") || call.starts_with("sync");
  const bool file = call.find(".log") != std::string::npos ||
                    call.find(".sst") != std::string::npos ||
                    call.find(".blob") != std::string::npos ||
                    call.find("MANIFEST") != std::string::npos;
  return writes && file;
}

void RunWith(const FailurePlan& plan, Tuning tuning = Tuning::kOff) {
  const uint64_t runs = ForEachFailingCall(
      plan, [tuning](Env* env, ErrorFileSystem* fs, uint64_t call) {
        if (::testing::Test::HasFailure()) return;
        SCOPED_TRACE("failing call " + std::to_string(call));
        Heard heard;
        fs->Record(true);
        ScriptDb db(tuning);
        Script(env, &db, &heard);
        const std::string record = fs->TakeRecord();
        if (MustBeHeard(record)) {
          EXPECT_GT(heard.errors, 0) << record;
        }
        fs->ClearRule();

        if (db.get() != nullptr) {
          CheckHolds(&db, heard);
          if (db->Resume().ok()) {
            // Resumed means usable.
            const Status status = db.Write(7, true);
            EXPECT_TRUE(status.ok()) << status.ToString() << record;
            if (status.ok()) heard.acknowledged.insert(7);
          }
          CheckHolds(&db, heard);
          db.Close().PermitUncheckedError();
        }
        const Status reopened = db.Open(env);
        EXPECT_TRUE(reopened.ok()) << reopened.ToString() << "\n" << record;
        if (!reopened.ok()) return;
        CheckHolds(&db, heard);
        const Status written = db.Write(8, true);
        EXPECT_TRUE(written.ok()) << written.ToString();
        const Status closed = db.Close();
        EXPECT_TRUE(closed.ok()) << closed.ToString();
      });
  std::printf("%llu failing calls\n", static_cast<unsigned long long>(runs));
  EXPECT_GT(runs, 30u);
}

TEST(Errors, AFailingCallIsReportedAndLosesNothing) { RunWith({}); }

TEST(Errors, WithTheTunerOnAreReportedAndLoseNothing) {
  RunWith({}, Tuning::kTuned);
}

TEST(Errors, WithRecycledLogsAreReportedAndLoseNothing) {
  RunWith({}, Tuning::kRecycled);
}

TEST(Errors, WithAtomicFlushesAreReportedAndLoseNothing) {
  RunWith({}, Tuning::kAtomic);
}

TEST(Errors, WithChainedLogsThatLastAreReportedAndLoseNothing) {
  FailurePlan plan;
  plan.forever = true;
  RunWith(plan, Tuning::kChained);
}

TEST(Errors, WithBlobFilesAreReportedAndLoseNothing) {
  RunWith({}, Tuning::kBlobs);
}

TEST(Errors, ThatLastAreReportedAndLoseNothing) {
  FailurePlan plan;
  plan.forever = true;
  RunWith(plan);
}

TEST(Errors, AFullDiskIsReportedAndLosesNothing) {
  FailurePlan plan;
  plan.error = "ErrNoSpace";
  RunWith(plan);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
