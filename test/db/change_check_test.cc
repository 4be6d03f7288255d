// What ChangeCheck answers: Busy, OK or TryAgain, wherever the change is.

#include "db/column_family/change_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "rocksdb/comparator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "test/db/files/files_fixture.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ChangeCheckTest : public test::FilesTest {
 protected:
  ChangeCheckTest() { options_.max_write_buffer_size_to_maintain = 64 << 20; }

  SequenceNumber Now() const { return db_->GetLatestSequenceNumber(); }
  std::string Ask(const Slice& key, SequenceNumber since) {
    engine::DbState* const state =
        dynamic_cast<engine::DBImpl*>(db_.get())->state();
    engine::FamilyPtr family;
    {
      engine::MutexLock lock(&state->mu);
      family = state->families->Get(0);
    }
    engine::ChangeCheck check(state, family.get(),
                              engine::ChangeCheck::Asks::kMemTables);
    const Status status = check.Unchanged(key, since);
    if (status.ok()) return "ok";
    return status.IsBusy()       ? "busy"
           : status.IsTryAgain() ? "try again"
                                 : status.ToString();
  }
  // Until what is sealed is flushed or has been tried in memory.
  void AwaitFlushes() { test::Ok(db_->WaitForCompact({})); }
  void Delete(const std::string& key) {
    test::Ok(db_->Delete(WriteOptions(), key));
  }
};

TEST_F(ChangeCheckTest, FindsChangesInTheMutableMemtable) {
  Open();
  const SequenceNumber start = Now();
  EXPECT_EQ("ok", Ask("a", start));
  Put("a", "1");
  const SequenceNumber put = Now();
  Delete("b");
  EXPECT_EQ("busy", Ask("a", start));
  EXPECT_EQ("ok", Ask("a", put));
  EXPECT_EQ("busy", Ask("b", put));
  EXPECT_EQ("ok", Ask("c", start));
  test::Ok(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "c"));
  EXPECT_EQ("busy", Ask("a", put));
  EXPECT_EQ("busy", Ask("bb", put));
  EXPECT_EQ("ok", Ask("c", put));
}

TEST_F(ChangeCheckTest, FindsChangesThatFlushesAndCompactionsHaveMoved) {
  Open();
  Put("a", "1");
  Put("b", "1");
  Flush();
  const SequenceNumber before = Now();
  Delete("a");  // No trace of it is left in the tables.
  Flush();
  CompactRangeOptions compact;
  compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  test::Ok(db_->CompactRange(compact, nullptr, nullptr));
  ASSERT_EQ(1u, Rows().size());
  EXPECT_EQ("busy", Ask("a", before));
  EXPECT_EQ("ok", Ask("b", before));
  EXPECT_EQ("ok", Ask("a", Now()));
}

TEST_F(ChangeCheckTest, CannotTellWhatNoMemtableHolds) {
  options_.max_write_buffer_size_to_maintain = 0;
  Open();
  const SequenceNumber start = Now();
  Put("a", "1");
  Flush();
  EXPECT_EQ("try again", Ask("a", start));
  EXPECT_EQ("try again", Ask("b", start));
  EXPECT_EQ("ok", Ask("a", Now()));
  Put("b", "1");
  EXPECT_EQ("busy", Ask("b", start));  // Known, however old the start is.
}

TEST_F(ChangeCheckTest, HistoryEndsAtItsLimit) {
  options_.write_buffer_size = 64 << 10;
  options_.max_write_buffer_size_to_maintain = 256 << 10;
  Open();
  const SequenceNumber start = Now();
  std::vector<SequenceNumber> after;
  for (int i = 0; i < 20; ++i) {
    Put("a" + std::to_string(i), std::string(30 << 10, 'v'));
    Flush();
    after.push_back(Now());
  }
  EXPECT_EQ("try again", Ask("x", start));
  EXPECT_EQ("ok", Ask("x", after[18]));
  EXPECT_EQ("busy", Ask("a19", after[17]));
  bool told = false;
  for (const SequenceNumber since : after) {
    const std::string answer = Ask("x", since);
    told |= answer == "ok";
    EXPECT_EQ(told ? "ok" : "try again", answer) << since;
  }
}

TEST_F(ChangeCheckTest, AfterAnOpeningOnlyWhatFollowsIsKnown) {
  Open();
  const SequenceNumber start = Now();
  Put("a", "1");
  Open();
  EXPECT_EQ("try again", Ask("b", start));
  EXPECT_EQ("ok", Ask("a", Now()));
  const SequenceNumber opened = Now();
  Put("a", "2");
  EXPECT_EQ("busy", Ask("a", opened));
}

// A SingleDelete and the value that it deletes leave no trace in what survives
// of a memtable.
TEST_F(ChangeCheckTest, SurvivorsAreNoWitnesses) {
  for (const int64_t maintain : {int64_t{0}, int64_t{64} << 20}) {
    options_.max_write_buffer_size_to_maintain = maintain;
    options_.write_buffer_size = 64 << 10;
    options_.experimental_mempurge_threshold = 1.0;
    Open();
    Put("a", "1");
    const SequenceNumber before = Now();
    test::Ok(db_->SingleDelete(WriteOptions(), "a"));
    for (int i = 0; i < 60; ++i) {
      Put("k" + std::to_string(i % 10), std::string(2 << 10, 'v'));
    }
    for (int i = 0; i < 20'000; ++i) {
      uint64_t running = 1;
      uint64_t pending = 1;
      db_->GetIntProperty("rocksdb.num-running-flushes", &running);
      db_->GetIntProperty("rocksdb.mem-table-flush-pending", &pending);
      if (running + pending == 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::string files;
    ASSERT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &files));
    ASSERT_EQ("0", files);
    EXPECT_EQ(maintain > 0 ? "busy" : "try again", Ask("a", before));
    EXPECT_EQ(maintain > 0 ? "ok" : "try again", Ask("x", before));
    EXPECT_EQ("ok", Ask("a", Now()));
    db_.reset();
    test::Ok(DestroyDB(kName, options_));
  }
}

TEST_F(ChangeCheckTest, IngestedTablesAreNoMemtables) {
  Open();
  Put("a", "1");
  Put("z", "1");
  const SequenceNumber before = Now();
  test::MakeTable(options_, "/table", {{"a", "2"}});
  test::Ok(db_->IngestExternalFile({"/table"}, IngestExternalFileOptions()));
  ASSERT_GT(Now(), before);
  EXPECT_EQ("try again", Ask("a", before));
  EXPECT_EQ("ok", Ask("a", Now()));
}

TEST_F(ChangeCheckTest, TimestampsDoNotHideTheNewestSequence) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  const auto put = [this](const std::string& key, uint64_t time) {
    std::string timestamp;
    EncodeU64Ts(time, &timestamp);
    test::Ok(db_->Put(WriteOptions(), db_->DefaultColumnFamily(), key,
                      timestamp, "v"));
  };
  put("a", 20);
  put("ab", 20);
  const SequenceNumber before = Now();
  put("a", 10);
  EXPECT_EQ("busy", Ask("a", before));
  EXPECT_EQ("ok", Ask("ab", before));
  EXPECT_EQ("ok", Ask("a", Now()));
}

TEST_F(ChangeCheckTest, ValuesThatChangeInPlaceAreRefused) {
  options_.inplace_update_support = true;
  options_.allow_concurrent_memtable_write = false;
  Open();
  EXPECT_NE(std::string::npos, Ask("a", Now()).find("inplace_update_support"));
}

struct Kind {
  const char* name = "";
  std::shared_ptr<MemTableRepFactory> factory;
  bool bloom = false;
};

class ChangeCheckOfKind : public ChangeCheckTest,
                          public ::testing::WithParamInterface<Kind> {};

// Random writes, flushes and compactions, against the newest change of each
// key as written down.
TEST_P(ChangeCheckOfKind, AgreesWithWhatWasWritten) {
  constexpr int kKeys = 20;
  options_.memtable_factory = GetParam().factory;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  options_.allow_concurrent_memtable_write = GetParam().factory == nullptr;
  if (GetParam().bloom) {
    options_.memtable_prefix_bloom_size_ratio = 0.1;
    options_.memtable_whole_key_filtering = true;
  }
  if (GetParam().factory == nullptr) {
    options_.memtable_factory = std::make_shared<SkipListFactory>();
  }
  Open();
  engine::Random64 random(7);
  std::vector<SequenceNumber> changed(kKeys, 0);
  const auto key = [](uint64_t i) { return "k" + std::to_string(100 + i); };
  int answers[2] = {0, 0};
  for (int step = 0; step < 2000; ++step) {
    const uint64_t i = random.Uniform(kKeys);
    switch (random.Uniform(40)) {
      case 0:
        Flush();
        break;
      case 1:
        test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
        break;
      case 2: {
        const uint64_t end = i + random.Uniform(kKeys - i);
        test::Ok(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                  key(i), key(end)));
        if (i < end) {
          for (uint64_t k = i; k < end; ++k) changed[k] = Now();
        }
        break;
      }
      case 3:
        Delete(key(i));
        changed[i] = Now();
        break;
      default:
        Put(key(i), "v");
        changed[i] = Now();
    }
    const uint64_t asked = random.Uniform(kKeys);
    const SequenceNumber since =
        Now() - random.Uniform(std::min<uint64_t>(Now() + 1, 3 * kKeys));
    const bool is_busy = changed[asked] > since;
    ++answers[is_busy ? 1 : 0];
    ASSERT_EQ(is_busy ? "busy" : "ok", Ask(key(asked), since))
        << "step " << step << ", " << key(asked) << " since " << since;
  }
  EXPECT_LT(100, answers[0]);
  EXPECT_LT(100, answers[1]);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ChangeCheckOfKind,
    ::testing::Values(
        Kind{"SkipList", nullptr, false}, Kind{"Bloom", nullptr, true},
        Kind{"Vector", std::make_shared<VectorRepFactory>(), false},
        Kind{"HashSkipList",
             std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(16)),
             false},
        Kind{"HashLinkList",
             std::shared_ptr<MemTableRepFactory>(NewHashLinkListRepFactory(16)),
             false}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
