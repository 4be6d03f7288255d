// OpenAndTrimHistory: what is later than a time goes, wherever it lies, and
// what is read at that time or before stays.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "test/support/error_fs.h"
#include "test/support/u64_ts.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

constexpr uint64_t kTimes = 40;

std::string KeyOf(uint64_t n) { return "k" + std::to_string(10 + n); }

using Rows = std::map<std::string, std::string>;

class TrimHistory : public ::testing::Test {
 protected:
  TrimHistory()
      : fs_(std::make_shared<ErrorFileSystem>(
            std::make_shared<engine::MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    plain_.env = env_.get();
    plain_.create_if_missing = true;
    plain_.create_missing_column_families = true;
    plain_.disable_auto_compactions = true;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &plain_.merge_operator)
                    .ok());
    stamped_ = plain_;
    stamped_.level0_file_num_compaction_trigger = 2;
    stamped_.comparator = BytewiseComparatorWithU64Ts();
  }
  ~TrimHistory() override { Close(); }

  std::vector<ColumnFamilyDescriptor> Families() const {
    return {{kDefaultColumnFamilyName, plain_}, {"stamped", stamped_}};
  }
  void Open() {
    Close();
    const Status status = DB::Open(plain_, "/db", Families(), &handles_, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status OpenTrimmed(const std::string& after) {
    Close();
    return DB::OpenAndTrimHistory(plain_, "/db", Families(), &handles_, &db_,
                                  after);
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) delete handle;
    handles_.clear();
    db_.reset();
  }
  ColumnFamilyHandle* stamped() const { return handles_[1]; }

  void Write(engine::Random64* random, uint64_t time) {
    const std::string key = KeyOf(random->Uniform(12));
    const std::string value = "v" + std::to_string(time);
    const WriteOptions options;
    Status status;
    switch (random->Uniform(6)) {
      case 0:
        status = db_->Delete(options, stamped(), key, Ts(time));
        break;
      case 1:
        status = db_->DeleteRange(options, stamped(), key,
                                  KeyOf(12 + random->Uniform(4)), Ts(time));
        break;
      case 2:
        status = db_->Merge(options, stamped(), key, Ts(time), value);
        break;
      default:
        status = db_->Put(options, stamped(), key, Ts(time), value);
    }
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  // Tables in several levels, and a log.
  void Fill(uint64_t seed) {
    engine::Random64 random(seed);
    CompactRangeOptions down;
    down.change_level = true;
    const uint64_t often = seed % 3 == 0 ? 100 : 12;  // Or all in level 0.
    for (uint64_t i = 1; i < kTimes; ++i) {
      // Not in order: the sequence numbers say nothing about the times.
      Write(&random, i % 3 == 0 ? i : 1 + random.Uniform(kTimes - 1));
      if (random.OneIn(7)) {
        ASSERT_TRUE(db_->Flush(FlushOptions(), stamped()).ok());
      }
      if (random.OneIn(often)) {
        down.target_level = 6;
        if (i > kTimes / 2) down.change_level = false;
        ASSERT_TRUE(db_->CompactRange(down, stamped(), nullptr, nullptr).ok());
      }
    }
  }
  Rows At(uint64_t time) {
    const std::string timestamp = Ts(time);
    const Slice read = timestamp;
    ReadOptions options;
    options.timestamp = &read;
    const std::unique_ptr<Iterator> it(db_->NewIterator(options, stamped()));
    Rows rows;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows[it->key().ToString()] = it->value().ToString();
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    return rows;
  }
  std::vector<Rows> AtAllTimes() {
    std::vector<Rows> all;
    for (uint64_t time = 0; time <= kTimes; ++time) all.push_back(At(time));
    return all;
  }

  const std::shared_ptr<ErrorFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options plain_;
  Options stamped_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

TEST_F(TrimHistory, LaterReadsSeeWhatTheTimeOfTheTrimSaw) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Open();
    Fill(seed);
    const std::vector<Rows> before = AtAllTimes();
    const uint64_t trim = 1 + seed % kTimes;
    // Beside compactions that keep everything.
    stamped_.disable_auto_compactions = seed % 2 == 0;
    const Status status = OpenTrimmed(Ts(trim));
    ASSERT_TRUE(status.ok()) << status.ToString();
    stamped_.disable_auto_compactions = true;
    for (int opening = 0; opening < 2; ++opening) {
      const std::vector<Rows> after = AtAllTimes();
      for (uint64_t time = 0; time <= kTimes; ++time) {
        ASSERT_EQ(before[std::min(time, trim)], after[time]) << "time " << time;
      }
      Open();
    }
    Close();
    ASSERT_TRUE(DestroyDB("/db", plain_, Families()).ok());
  }
}

// Holds up compactions that the database begins itself.
class SlowBegin final : public EventListener {
 public:
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    if (info.compaction_reason == CompactionReason::kManualCompaction) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
};

// What one of them writes meanwhile is trimmed, too.
TEST_F(TrimHistory, WaitsForCompactionsThatKeepEverything) {
  Open();
  for (uint64_t time = 1; time <= 6; ++time) {
    ASSERT_TRUE(db_->Put(WriteOptions(), stamped(), "k", Ts(time), "v").ok());
    ASSERT_TRUE(db_->Flush(FlushOptions(), stamped()).ok());
  }
  plain_.listeners = {std::make_shared<SlowBegin>()};
  stamped_.disable_auto_compactions = false;
  ASSERT_TRUE(OpenTrimmed(Ts(3)).ok());
  std::string value;
  std::string found;
  const std::string latest = Ts(kTimes);
  const Slice read = latest;
  ReadOptions options;
  options.timestamp = &read;
  ASSERT_TRUE(db_->Get(options, stamped(), "k", &value, &found).ok());
  EXPECT_EQ(Ts(3), found);
}

// They are not compacted either.
TEST_F(TrimHistory, FamiliesWithoutTimesStayAsTheyAre) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "b", "2").ok());
  ASSERT_TRUE(OpenTrimmed(Ts(5)).ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).ok());
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).ok());
  ColumnFamilyMetaData meta;
  db_->GetColumnFamilyMetaData(&meta);
  EXPECT_EQ(2u, meta.levels[0].files.size());
}

TEST_F(TrimHistory, IsRefusedBeforeAnythingIsOpened) {
  EXPECT_TRUE(OpenTrimmed("short").IsInvalidArgument());
  plain_.avoid_flush_during_recovery = true;
  EXPECT_TRUE(OpenTrimmed(Ts(5)).IsInvalidArgument());
  EXPECT_TRUE(env_->FileExists("/db").IsNotFound());
  plain_.avoid_flush_during_recovery = false;
  plain_.create_if_missing = false;
  EXPECT_FALSE(OpenTrimmed(Ts(5)).ok());
  EXPECT_EQ(nullptr, db_);
  EXPECT_TRUE(handles_.empty());
}

// Whichever call of the file system fails: what was wanted is still there, and
// the next call does the rest.
TEST_F(TrimHistory, LosesNothingToAnErrorOfTheFileSystem) {
  constexpr uint64_t kTrim = 20;
  for (uint64_t call = 0; call < 10000; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    Open();
    Fill(3);
    const std::vector<Rows> before = AtAllTimes();
    Close();
    const std::string rule =
        R"((ErrInjected (And Writes (Not (PathMatch "LOG*")) (Not unlock) )"
        "(OnIndex " +
        std::to_string(call) + ")))";
    ASSERT_TRUE(fs_->SetRule(rule).ok());
    OpenTrimmed(Ts(kTrim)).PermitUncheckedError();
    const bool met = fs_->injected() > 0;
    fs_->ClearRule();
    Open();
    for (uint64_t time = 0; time <= kTrim; ++time) {
      ASSERT_EQ(before[time], At(time)) << "time " << time;
    }
    ASSERT_TRUE(OpenTrimmed(Ts(kTrim)).ok());
    for (uint64_t time = kTrim; time <= kTimes; ++time) {
      ASSERT_EQ(before[kTrim], At(time)) << "time " << time;
    }
    Close();
    ASSERT_TRUE(DestroyDB("/db", plain_, Families()).ok());
    if (met) continue;
    EXPECT_GT(call, 15u);
    return;
  }
  FAIL() << "every call fails";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
