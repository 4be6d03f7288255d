// What a program's WalFilter decides when a database is opened.

#include "db/recovery/filtered_replay.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using Option = WalFilter::WalProcessingOption;

class Filter final : public WalFilter {
 public:
  const char* Name() const override { return "Filter"; }
  void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& logs,
      const std::map<std::string, uint32_t>& ids) override {
    if (throws_at_families) throw 1;
    log_numbers = logs;
    family_ids = ids;
  }
  Option LogRecordFound(unsigned long long log, const std::string& name,
                        const WriteBatch& batch, WriteBatch* new_batch,
                        bool* changed) override {
    EXPECT_EQ(name, std::string("/db/") + engine::LogBaseName(log));
    EXPECT_EQ(1u, batch.Count());
    return decide(++seen, new_batch, changed);
  }

  std::function<Option(int, WriteBatch*, bool*)> decide;
  int seen = 0;
  bool throws_at_families = false;
  std::map<uint32_t, uint64_t> log_numbers;
  std::map<std::string, uint32_t> family_ids;
};

class WalFilterTest : public FilesTest {
 protected:
  // A database with k1 to k4 in its log.
  WalFilterTest() {
    options_.avoid_flush_during_shutdown = true;
    Open();
    for (int i = 1; i <= 4; ++i) Put("k" + std::to_string(i), "v");
    db_.reset();
    options_.wal_filter = &filter_;
  }
  // The keys there are after an open in which record `at` gets `option`.
  std::string KeysWith(int at, Option option) {
    filter_.decide = [=](int record, WriteBatch*, bool*) {
      return record == at ? option : Option::kContinueProcessing;
    };
    return Keys();
  }
  std::string Keys() {
    const Status status = DB::Open(options_, kName, &db_);
    if (!status.ok()) return status.ToString();
    std::string keys;
    for (const auto& [key, value] : Rows()) keys += key + "=" + value + " ";
    return keys;
  }

  Filter filter_;
};

TEST_F(WalFilterTest, SeesEveryRecordAndTheFamilies) {
  EXPECT_EQ("k1=v k2=v k3=v k4=v ", KeysWith(0, Option::kIgnoreCurrentRecord));
  EXPECT_EQ(4, filter_.seen);
  EXPECT_EQ((std::map<std::string, uint32_t>{{"default", 0}}),
            filter_.family_ids);
  EXPECT_EQ(1u, filter_.log_numbers.count(0));
}

TEST_F(WalFilterTest, AnIgnoredRecordIsLeftOut) {
  EXPECT_EQ("k1=v k3=v k4=v ", KeysWith(2, Option::kIgnoreCurrentRecord));
  EXPECT_EQ(4u, db_->GetLatestSequenceNumber());
}

TEST_F(WalFilterTest, AStopLeavesOutAllBehind) {
  EXPECT_EQ("k1=v k2=v ", KeysWith(3, Option::kStopReplay));
  EXPECT_EQ(3, filter_.seen);
}

TEST_F(WalFilterTest, ACorruptedRecordIsWhatTheRecoveryModeMakesOfIt) {
  EXPECT_EQ("k1=v k2=v ", KeysWith(3, Option::kCorruptedRecord));
}

TEST_F(WalFilterTest, ACorruptedRecordIsSkippedWhereDamageIs) {
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  EXPECT_EQ("k1=v k2=v k4=v ", KeysWith(3, Option::kCorruptedRecord));
}

TEST_F(WalFilterTest, ACorruptedRecordFailsTheOpenWhereDamageDoes) {
  options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  EXPECT_NE(
      std::string::npos,
      KeysWith(3, Option::kCorruptedRecord).find("reported by Wal Filter"));
}

TEST_F(WalFilterTest, ARecordMayBeReplacedByOneThatIsNotLonger) {
  filter_.decide = [](int record, WriteBatch* batch, bool* changed) {
    if (record == 2) {
      EXPECT_TRUE(batch->Put("other", "w").ok());
      *changed = true;
    } else if (record == 4) {
      *changed = true;  // By nothing.
    }
    return Option::kContinueProcessing;
  };
  EXPECT_EQ("k1=v k3=v other=w ", Keys());
  EXPECT_EQ(4u, db_->GetLatestSequenceNumber());
}

TEST_F(WalFilterTest, ALongerBatchFailsTheOpen) {
  filter_.decide = [](int, WriteBatch* batch, bool* changed) {
    EXPECT_TRUE(batch->Put("a", "w").ok());
    EXPECT_TRUE(batch->Put("b", "w").ok());
    *changed = true;
    return Option::kContinueProcessing;
  };
  EXPECT_EQ(0u, Keys().find("Not implemented"));
}

TEST_F(WalFilterTest, ABatchThatLacksTimestampsFailsTheOpen) {
  filter_.decide = [](int, WriteBatch* batch, bool* changed) {
    *batch = WriteBatch(0, 0, 0, /*default_cf_ts_sz=*/8);
    EXPECT_TRUE(batch->Put("k", "v").ok());
    *changed = true;
    return Option::kContinueProcessing;
  };
  const std::string refused = Keys();
  EXPECT_NE(std::string::npos, refused.find("lack timestamps")) << refused;
}

TEST_F(WalFilterTest, AFilterThatThrowsFailsTheOpenAndChangesNothing) {
  filter_.decide = [](int, WriteBatch*, bool*) -> Option {
    throw std::runtime_error("oh");
  };
  EXPECT_NE(std::string::npos, Keys().find("threw: oh"));
  options_.wal_filter = nullptr;
  EXPECT_EQ("k1=v k2=v k3=v k4=v ", Keys());
}

TEST_F(WalFilterTest, AFilterThatThrowsNoStdExceptionFailsTheOpen) {
  filter_.decide = [](int, WriteBatch*, bool*) -> Option { throw 1; };
  EXPECT_NE(std::string::npos, Keys().find("threw"));
}

TEST_F(WalFilterTest, AFilterThatThrowsForTheFamiliesFailsTheOpen) {
  filter_.throws_at_families = true;
  EXPECT_NE(std::string::npos, Keys().find("threw"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
