// Replay of batches with transactions: what is committed goes into memtables,
// what is not is remembered with its log.

#include "db/recovery/batch_replay.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "test/db/recovery/logged_batch.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::Batch;
using test::kPersisted;
using test::kUnprepare;

// One family, whose memtable is read as "key@sequence=value".
class Target final : public ReplayTarget {
 public:
  explicit Target(const Comparator* comparator = BytewiseComparator())
      : icmp_(comparator) {}
  void AtLog(uint64_t log_number) override { log_number_ = log_number; }
  Found Find(uint32_t /*family*/) override {
    if (log_number_ < flushed_below) return {Found::Verdict::kSkip, nullptr};
    return {Found::Verdict::kWrite, mem_.get()};
  }
  void OnMemTableFull(uint32_t, MemTable*) override {}

  std::string Text() const {
    std::string text;
    const std::unique_ptr<InternalIterator> it(mem_->NewIterator());
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ParsedInternalKey key;
      EXPECT_TRUE(ParseInternalKey(it->key(), &key));
      text += key.user_key.ToString() + "@" + std::to_string(key.sequence) +
              "=" + it->value().ToString() + " ";
    }
    return text;
  }

  uint64_t num_range_deletes() const { return mem_->num_range_deletes(); }

  uint64_t flushed_below = 0;

 private:
  const InternalKeyComparator icmp_;
  const std::unique_ptr<MemTable> mem_ =
      std::make_unique<MemTable>(&icmp_, MemTableOptions(), 0);
  uint64_t log_number_ = 0;
};

class BatchReplayTest : public ::testing::Test {
 protected:
  // The sequence behind the batch.
  SequenceNumber Take(const Batch& batch, uint64_t log = 5) {
    const std::string text = batch.Text();
    SequenceNumber next = 0;
    const Status status =
        replay_.Take(text, log, DecodeFixed64(text.data()), &next);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return next;
  }
  Status Refused(const Batch& batch) {
    const std::string text = batch.Text();
    SequenceNumber next = 0;
    return replay_.Take(text, 5, DecodeFixed64(text.data()), &next);
  }

  Target target_;
  BatchReplay replay_{&target_, std::make_shared<LogHolds>()};
};

TEST_F(BatchReplayTest, AWriteCommittedSectionTakesItsSequencesAtTheCommit) {
  EXPECT_EQ(7u, Take(Batch(7).Begin().Put("a", "1").Put("b", "2").End("t")));
  EXPECT_EQ(8u, Take(Batch(7).Put("a", "0")));
  EXPECT_EQ("a@7=0 ", target_.Text());
  EXPECT_EQ(11u, Take(Batch(8).Put("c", "3").Commit("t")));
  EXPECT_EQ("a@9=1 a@7=0 b@10=2 c@8=3 ", target_.Text());
  EXPECT_TRUE(replay_.undecided().empty());
}

TEST_F(BatchReplayTest, AGroupMayHoldASectionAndItsCommit) {
  EXPECT_EQ(
      9u,
      Take(
          Batch(6).Put("x", "0").Begin().Put("a", "1").End("t").Commit("t").Put(
              "y", "2")));
  EXPECT_EQ("a@7=1 x@6=0 y@8=2 ", target_.Text());
}

// Keys of a section end with room for the timestamp that the commit brings.
TEST(BatchReplayTimestamps, ACommitGivesTheKeysOfItsSectionItsTimestamp) {
  Target target(BytewiseComparatorWithU64Ts());
  BatchReplay replay(&target, std::make_shared<LogHolds>());
  const auto take = [&replay](const Batch& batch) {
    const std::string text = batch.Text();
    SequenceNumber next = 0;
    return replay.Take(text, 5, DecodeFixed64(text.data()), &next);
  };
  const std::string room(8, '\0');
  const std::string ts = "12345678";
  ASSERT_TRUE(take(Batch(7)
                       .Begin()
                       .Put("a" + room, "1")
                       .DeleteRange("b" + room, "c" + room)
                       .End("t"))
                  .ok());
  EXPECT_EQ("", target.Text());
  ASSERT_TRUE(take(Batch(8).CommitAt(ts, "t")).ok());
  EXPECT_EQ("a" + ts + "@8=1 ", target.Text());
  EXPECT_EQ(1u, target.num_range_deletes());
  // Neither end of a range may lack the room.
  ASSERT_TRUE(take(Batch(10).Begin().Put("short", "1").End("t")).ok());
  EXPECT_TRUE(take(Batch(10).CommitAt(ts, "t")).IsCorruption());
  ASSERT_TRUE(
      take(Batch(10).Begin().DeleteRange("b" + room, "c").End("u")).ok());
  EXPECT_TRUE(take(Batch(10).CommitAt(ts, "u")).IsCorruption());
  EXPECT_EQ(1u, target.num_range_deletes());
}

TEST_F(BatchReplayTest, ARolledBackSectionIsForgotten) {
  Take(Batch(1).Begin().Put("a", "1").End("t"));
  EXPECT_EQ(1u, Take(Batch(1).Rollback("t")));
  EXPECT_EQ("", target_.Text());
  EXPECT_EQ(0u, replay_.oldest_undecided_log());
}

// batch_replay.h (2).
TEST_F(BatchReplayTest, TheOldestLogOfWhatIsUndecidedIsKnown) {
  Take(Batch(1).Begin().Put("a", "1").End("first"), 4);
  Take(Batch(1).Begin().Put("b", "1").End("second"), 9);
  EXPECT_EQ(4u, replay_.oldest_undecided_log());
  Take(Batch(1).Commit("first"), 9);
  EXPECT_EQ(9u, replay_.oldest_undecided_log());
}

TEST_F(BatchReplayTest, ACommitGoesWhereItsOwnLogGoes) {
  target_.flushed_below = 8;
  Take(Batch(1).Begin().Put("a", "1").End("t"), 5);
  Take(Batch(1).Begin().Put("b", "1").End("u"), 5);
  Take(Batch(1).Commit("t"), 7);
  EXPECT_EQ("", target_.Text());
  Take(Batch(2).Commit("u"), 8);
  EXPECT_EQ("b@2=1 ", target_.Text());
}

TEST_F(BatchReplayTest, ACommitWithoutItsSectionIsNoted) {
  EXPECT_EQ(0u, replay_.last_missed_log());
  EXPECT_EQ(3u, Take(Batch(3).Commit("t"), 5));
  EXPECT_EQ(5u, replay_.last_missed_log());
  EXPECT_FALSE(replay_.next_is_exact());
  EXPECT_EQ(8u, Take(Batch(7).Put("a", "1"), 6));
  EXPECT_TRUE(replay_.next_is_exact());
}

// As the record of a group has it.
TEST_F(BatchReplayTest, ACommitWithoutItsSectionMayStandAmidARecord) {
  EXPECT_EQ(2u, Take(Batch(1).Put("b", "0")));
  EXPECT_EQ(4u, Take(Batch(2).Put("a", "1").Commit("gone").Put("b", "2")));
  EXPECT_EQ("a@2=1 b@3=2 b@1=0 ", target_.Text());
  EXPECT_EQ(5u, replay_.last_missed_log());
  EXPECT_FALSE(replay_.next_is_exact());
  EXPECT_TRUE(replay_.undecided().empty());
  // The next record says itself where it begins.
  EXPECT_EQ(10u, Take(Batch(9).Put("b", "3"), 6));
  EXPECT_TRUE(replay_.next_is_exact());
  EXPECT_EQ("a@2=1 b@9=3 b@3=2 b@1=0 ", target_.Text());
}

// CommitPipeline.LogsHalvesOfTwoPhaseCommitsInAGroup has written it.
TEST_F(BatchReplayTest, AGroupMayHoldHalvesOfSeveralTransactions) {
  EXPECT_EQ(1u, Take(Batch(1).Begin().Put("q", "v").End("second"), 4));
  EXPECT_EQ(2u, Take(Batch(1).Put("leader", "l")));
  EXPECT_EQ(5u, Take(Batch(2)
                         .Put("a", "v")
                         .Begin()
                         .Put("p", "v")
                         .End("first")
                         .Commit("second")
                         .Put("z", "v")));
  EXPECT_EQ("a@2=v leader@1=l q@3=v z@4=v ", target_.Text());
  EXPECT_TRUE(replay_.next_is_exact());
  EXPECT_EQ(0u, replay_.last_missed_log());
  ASSERT_EQ(1u, replay_.undecided().size());
  EXPECT_EQ("first", replay_.undecided().begin()->first);
  EXPECT_EQ(5u, replay_.oldest_undecided_log());
}

TEST_F(BatchReplayTest, CountedByBatchTheRecordsOfASectionShareASequence) {
  EXPECT_EQ(
      12u,
      Take(Batch(11).Begin(kPersisted).Put("a", "1").Put("b", "2").End("t")));
  EXPECT_EQ(13u, Take(Batch(12).Put("c", "3").Noop()));
  EXPECT_EQ("c@12=3 ", target_.Text());
  EXPECT_EQ(14u, Take(Batch(13).Commit("t")));
  EXPECT_EQ("a@11=1 b@11=2 c@12=3 ", target_.Text());
}

TEST_F(BatchReplayTest, CountedByBatchAKeyMayComeTwice) {
  EXPECT_EQ(5u, Take(Batch(3)
                         .Begin(kPersisted)
                         .Put("a", "1")
                         .Put("b", "1")
                         .Put("a", "2")
                         .End("t")));
  Take(Batch(5).Commit("t"));
  EXPECT_EQ("a@4=2 a@3=1 b@3=1 ", target_.Text());
}

TEST_F(BatchReplayTest, UnpreparedSectionsOfOneTransactionAddUp) {
  Take(Batch(1).Begin(kUnprepare).Put("a", "1").End("t"), 4);
  Take(Batch(2).Begin(kUnprepare).Put("b", "2").End("t"), 5);
  Take(Batch(3).Begin(kPersisted).Put("c", "3").End("t"), 5);
  EXPECT_EQ(4u, replay_.oldest_undecided_log());
  Take(Batch(4).Commit("t"), 5);
  EXPECT_EQ("a@1=1 b@2=2 c@3=3 ", target_.Text());
}

TEST_F(BatchReplayTest, APreparedSectionAfterCountingByRecordAborts) {
  Take(Batch(1).Put("a", "1"));
  const Batch section = Batch(2).Begin(kPersisted).Put("b", "1").End("t");
  EXPECT_TRUE(Refused(section).IsAborted());
  BatchReplay again(&target_, std::make_shared<LogHolds>());
  again.NumberByBatch();
  SequenceNumber next = 0;
  EXPECT_TRUE(again.Take(section.Text(), 5, 2, &next).ok());
}

TEST_F(BatchReplayTest, ABatchThatGoesBackShowsThatBatchesAreCounted) {
  EXPECT_EQ(5u, Take(Batch(3).Put("a", "1").Put("b", "1"), 4));
  EXPECT_TRUE(Refused(Batch(4).Put("b", "2")).IsAborted());
  EXPECT_TRUE(Refused(Batch(4).Put("c", "2")).IsAborted());
  EXPECT_EQ("a@3=1 b@4=1 ", target_.Text());
}

TEST_F(BatchReplayTest, ASectionThatTakesNoSequenceShowsThatRecordsAreCounted) {
  EXPECT_EQ(3u, Take(Batch(3).Begin().Put("a", "1").End("t"), 4));
  EXPECT_EQ(5u, Take(Batch(3).Put("a", "1").Put("b", "1"), 4));
  EXPECT_EQ(5u, Take(Batch(4).Put("c", "2")));
}

TEST_F(BatchReplayTest, SectionsOfTwoWritePoliciesAreRefused) {
  Take(Batch(1).Begin(kPersisted).Put("a", "1").End("t"));
  const Status refused = Refused(Batch(2).Begin().Put("b", "1").End("u"));
  EXPECT_TRUE(refused.IsNotSupported()) << refused.ToString();
}

TEST_F(BatchReplayTest, MisplacedMarksAreDamage) {
  EXPECT_TRUE(Refused(Batch(1).End("t")).IsCorruption());
  EXPECT_TRUE(Refused(Batch(1).Begin().Put("a", "1")).IsCorruption());
  EXPECT_TRUE(Refused(Batch(1).Begin().Begin().End("t")).IsCorruption());
  EXPECT_TRUE(Refused(Batch(1).Begin().Commit("t")).IsCorruption());
  EXPECT_EQ("", target_.Text());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
