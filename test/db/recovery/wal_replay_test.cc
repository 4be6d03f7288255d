// WAL replay: the recovery modes, the order of batches, what stops a replay.

#include "db/recovery/wal_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "db/wal/log_writer.h"
#include "env/mem/mem_file_system.h"
#include "test/db/store_fixture.h"
#include "test/support/golden.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

const char* const kDir = "/wal";
constexpr auto kPointInTime = WALRecoveryMode::kPointInTimeRecovery;
constexpr auto kTolerate = WALRecoveryMode::kTolerateCorruptedTailRecords;
constexpr auto kAbsolute = WALRecoveryMode::kAbsoluteConsistency;
constexpr auto kSkip = WALRecoveryMode::kSkipAnyCorruptedRecords;

std::string BatchHeader(SequenceNumber sequence, uint32_t count,
                        const std::string& body = "x") {
  std::string batch;
  PutFixed64(&batch, sequence);
  PutFixed32(&batch, count);
  return batch + body;
}

// Writes down what it is given: "5:1+2 5:3+1 5;" (log:sequence+count).
class Recorder final : public ReplaySink {
 public:
  Status OnBatch(const ReplayedBatch& batch, SequenceNumber* next) override {
    if (batch.sequence == refuse) return refusal;
    if (batch.sequence == number_otherwise) *next = batch.sequence;
    text += std::to_string(batch.log_number) + ":" +
            std::to_string(batch.sequence) + "+" + std::to_string(batch.count) +
            " ";
    return Status::OK();
  }
  Status OnBatchEnd() override { return end_of_batch; }
  bool NextIsExact() const override { return next_is_exact; }
  Status OnLogEnd(uint64_t log_number) override {
    text += std::to_string(log_number) + "; ";
    return Status::OK();
  }

  std::string text;
  SequenceNumber refuse = UINT64_MAX;
  Status refusal;
  Status end_of_batch;
  SequenceNumber number_otherwise = UINT64_MAX;
  bool next_is_exact = true;
};

class WalReplayTest : public testing::Test {
 protected:
  WalReplayTest() {
    EXPECT_TRUE(fs_.CreateDir(kDir, IOOptions(), nullptr).ok());
  }

  void WriteLog(uint64_t number, const std::vector<std::string>& batches) {
    auto file = WritableFileWriter::Create(&fs_, LogFileName(kDir, number),
                                           FileOptions());
    ASSERT_TRUE(file.ok());
    wal::Writer writer(std::move(*file), number, recycle_);
    if (follows_.has_value()) {
      ASSERT_TRUE(writer.AddPredecessor(*follows_).ok());
    }
    for (const std::string& batch : batches) {
      ASSERT_TRUE(writer.AddRecord(batch).ok());
    }
    ASSERT_TRUE(writer.Close().ok());
    logs_.push_back(number);
  }
  void Cut(uint64_t number, size_t bytes) {
    const std::string path = LogFileName(kDir, number);
    std::string content = test::ReadFile(&fs_, path);
    content.resize(content.size() - bytes);
    test::WriteFile(&fs_, path, content);
  }
  void Flip(uint64_t number, size_t offset) {
    const std::string path = LogFileName(kDir, number);
    std::string content = test::ReadFile(&fs_, path);
    content[offset] = static_cast<char>(content[offset] ^ 1);
    test::WriteFile(&fs_, path, content);
  }
  Status Replay(WALRecoveryMode mode = kPointInTime) {
    ReplayOptions options;
    options.mode = mode;
    options.verify_chain = verify_chain_;
    options.needed_from = needed_from_;
    sink_.text.clear();
    Result<ReplayResult> result =
        ReplayLogs(&fs_, kDir, logs_, options, &sink_);
    if (!result.ok()) return result.status();
    result_ = *result;
    return Status::OK();
  }

  MemFileSystem fs_;
  std::vector<uint64_t> logs_;
  Recorder sink_;
  ReplayResult result_;
  bool recycle_ = false;
  std::optional<wal::Predecessor> follows_;
  bool verify_chain_ = false;
  uint64_t needed_from_ = 0;
};

// wal_replay.h (1).
TEST_F(WalReplayTest, BatchesComeInOrder) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  WriteLog(6, {});
  WriteLog(9, {BatchHeader(10, 5)});  // A gap: writes without log.
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+2 4:3+1 4; 6; 9:10+5 9; ");
  EXPECT_EQ(result_.next_sequence, 15u);
  EXPECT_EQ(result_.batches, 3u);
  EXPECT_FALSE(result_.stopped());
}

TEST_F(WalReplayTest, TheSinkMayNumberOtherwise) {
  WriteLog(4, {BatchHeader(1, 2)});
  sink_.number_otherwise = 1;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(result_.next_sequence, 1u);
}

TEST_F(WalReplayTest, PointInTimeStopsAtTheFirstProblem) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  WriteLog(5, {BatchHeader(9, 1)});
  Cut(4, 1);
  // Damage is a gap whatever the sink knows.
  sink_.next_is_exact = false;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+2 4; 5; ");
  EXPECT_TRUE(result_.stopped());
  EXPECT_EQ(result_.stopped_log, 4u);
  EXPECT_EQ(result_.next_sequence, 3u);
  EXPECT_EQ(result_.stop_reason.ToString(),
            "Corruption: /wal/000004.log: at offset 20: expected a record of "
            "20 bytes, found 19 bytes left in the file");
}

TEST_F(WalReplayTest, ADamagedTableIsNoDamageOfTheLog) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  sink_.end_of_batch = Status::Corruption("a table");
  for (const auto mode : {kPointInTime, kTolerate, kAbsolute, kSkip}) {
    EXPECT_EQ(Replay(mode).ToString(), "Corruption: a table");
  }
}

TEST_F(WalReplayTest, PointInTimeGoesOnWhereALaterLogContinuesExactly) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  Cut(4, 1);
  WriteLog(5, {});
  WriteLog(6, {BatchHeader(3, 0, ""), BatchHeader(3, 4)});
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+2 4; 5; 6:3+0 6:3+4 6; ");
  EXPECT_FALSE(result_.stopped());
}

TEST_F(WalReplayTest, TolerateIgnoresTornTailsOnly) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  WriteLog(5, {BatchHeader(9, 1)});
  Cut(4, 1);
  ASSERT_TRUE(Replay(kTolerate).ok());
  EXPECT_EQ(sink_.text, "4:1+2 4; 5:9+1 5; ");
  Flip(5, 15);
  const Status status = Replay(kTolerate);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(status.ToString().find("/wal/000005.log: at offset 0: expected "
                                   "checksum"),
            std::string::npos)
      << status.ToString();
}

// What a log looks like whose file was log 2, and longer.
std::string Recycled(const std::string& now, const std::string& before) {
  return now + before.substr(std::min(now.size(), before.size()));
}

// Another mode, at the next opening, would.
TEST_F(WalReplayTest, SaysWhereItReadPastWhatStopsPointInTime) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  WriteLog(5, {BatchHeader(9, 1)});
  for (const auto mode : {kPointInTime, kTolerate, kAbsolute, kSkip}) {
    ASSERT_TRUE(Replay(mode).ok());
    EXPECT_FALSE(result_.passed_stop);
  }
  Cut(4, 1);
  for (const auto mode : {kTolerate, kSkip}) {
    ASSERT_TRUE(Replay(mode).ok());
    EXPECT_TRUE(result_.passed_stop);
    EXPECT_EQ(result_.skipped, 1u);
  }
}

// The first batch of a recycled log is there in part: what follows it is of
// the former life, and looks like any damage.
TEST_F(WalReplayTest, ATornFirstBatchOfAChainedRecycledLogIsATornTail) {
  recycle_ = true;
  WriteLog(2, {BatchHeader(1, 1, std::string(300, 'y'))});
  const std::string before = test::ReadFile(&fs_, LogFileName(kDir, 2));
  follows_ = wal::Predecessor{2, before.size(), 1};
  WriteLog(4, {BatchHeader(11, 1, std::string(200, 'z'))});
  const std::string now = test::ReadFile(&fs_, LogFileName(kDir, 4));
  logs_ = {4};
  for (size_t size = now.size() - 212; size < now.size(); ++size) {
    test::WriteFile(&fs_, LogFileName(kDir, 4),
                    Recycled(now.substr(0, size), before));
    const Status status = Replay(kTolerate);
    ASSERT_TRUE(status.ok()) << size << status.ToString();
    EXPECT_EQ(result_.batches, 0u);
  }
}

TEST_F(WalReplayTest, EveryTruncationKeepsAPrefix) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 1), BatchHeader(3, 1)});
  const std::string path = LogFileName(kDir, 4);
  const std::string bytes = test::ReadFile(&fs_, path);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    test::WriteFile(&fs_, path, bytes.substr(0, size));
    for (const WALRecoveryMode mode : {kPointInTime, kTolerate}) {
      ASSERT_TRUE(Replay(mode).ok());
      EXPECT_EQ(result_.batches, size / 20) << size;
    }
  }
}

TEST_F(WalReplayTest, EveryBitFlipStopsBeforeTheDamage) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 1), BatchHeader(3, 1)});
  for (size_t i = 0; i < 60; ++i) {
    Flip(4, i);
    ASSERT_TRUE(Replay().ok());
    EXPECT_EQ(result_.batches, i / 20) << i;
    EXPECT_TRUE(result_.stopped()) << i;
    Flip(4, i);
  }
}

// wal_replay.h (2).
TEST_F(WalReplayTest, WhatIsNoBatchIsDamage) {
  WriteLog(4, {BatchHeader(1, 1), "short"});
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(result_.batches, 1u);
  EXPECT_EQ(result_.stop_reason.ToString(),
            "Corruption: /wal/000004.log: at offset 20: expected a batch of "
            "at least 12 bytes, found 5");
  EXPECT_TRUE(Replay(kTolerate).IsCorruption());
}

TEST_F(WalReplayTest, ASinksCorruptionIsDamageAndOtherErrorsFail) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 1)});
  sink_.refuse = 2;
  sink_.refusal = Status::Corruption("wrong count");
  ASSERT_TRUE(Replay().ok());
  EXPECT_TRUE(result_.stopped());
  EXPECT_TRUE(Replay(kTolerate).IsCorruption());
  sink_.refusal = Status::IOError("disk");
  EXPECT_TRUE(Replay().IsIOError());
}

TEST_F(WalReplayTest, AbsoluteConsistencyTakesNothingButACleanEnd) {
  WriteLog(4, {BatchHeader(1, 2), BatchHeader(3, 1)});
  ASSERT_TRUE(Replay(kAbsolute).ok());
  EXPECT_EQ(result_.batches, 2u);
  Cut(4, 1);
  const Status torn = Replay(kAbsolute);
  EXPECT_EQ(torn.ToString(),
            "Corruption: /wal/000004.log: at offset 20: expected a record of "
            "20 bytes, found 19 bytes left in the file");
  Flip(4, 15);
  EXPECT_TRUE(Replay(kAbsolute).IsCorruption());
}

TEST_F(WalReplayTest, SkippingLeavesOutWhatIsDamaged) {
  const std::string large(2 * wal::kBlockSize, 'l');
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 1, large), BatchHeader(3, 1)});
  WriteLog(5, {BatchHeader(4, 1), "short", BatchHeader(5, 1)});
  // A wrong checksum costs the rest of its block, here the start of `large`.
  Flip(4, 15);
  ASSERT_TRUE(Replay(kSkip).ok());
  EXPECT_EQ(sink_.text, "4:3+1 4; 5:4+1 5:5+1 5; ");
  EXPECT_GT(result_.skipped, 1u);
  EXPECT_FALSE(result_.stopped());
  Cut(5, 1);
  ASSERT_TRUE(Replay(kSkip).ok());
  EXPECT_EQ(sink_.text, "4:3+1 4; 5:4+1 5; ");
  EXPECT_EQ(result_.next_sequence, 5u);
}

TEST_F(WalReplayTest, ARecycledLogEndsWhereItsFormerLifeBegins) {
  recycle_ = true;
  WriteLog(2, {BatchHeader(1, 1), BatchHeader(2, 1), BatchHeader(3, 1)});
  const std::string before = test::ReadFile(&fs_, LogFileName(kDir, 2));
  WriteLog(4, {BatchHeader(11, 1)});
  const std::string now = test::ReadFile(&fs_, LogFileName(kDir, 4));
  logs_ = {4};
  test::WriteFile(&fs_, LogFileName(kDir, 4), Recycled(now, before));
  for (const auto mode : {kPointInTime, kTolerate, kAbsolute, kSkip}) {
    ASSERT_TRUE(Replay(mode).ok());
    EXPECT_EQ(sink_.text, "4:11+1 4; ");
  }
  // The new log may have lost a part that a later one goes on from.
  WriteLog(5, {BatchHeader(13, 1)});
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:11+1 4; 5; ");
  EXPECT_TRUE(result_.stopped());
  sink_.next_is_exact = false;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:11+1 4; 5:13+1 5; ");
  EXPECT_FALSE(result_.stopped());
  sink_.next_is_exact = true;
  WriteLog(6, {BatchHeader(12, 1)});
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:11+1 4; 5; 6:12+1 6; ");
  EXPECT_FALSE(result_.stopped());
}

TEST_F(WalReplayTest, EveryPlaceARecycledLogCanEndAtKeepsAPrefix) {
  recycle_ = true;
  WriteLog(2, {BatchHeader(1, 1, "y"), BatchHeader(2, 1, "other sizes"),
               BatchHeader(3, 1)});
  const std::string before = test::ReadFile(&fs_, LogFileName(kDir, 2));
  WriteLog(4, {BatchHeader(11, 1), BatchHeader(12, 1), BatchHeader(13, 1)});
  const std::string now = test::ReadFile(&fs_, LogFileName(kDir, 4));
  logs_ = {4};
  for (size_t size = 0; size <= now.size(); ++size) {
    test::WriteFile(&fs_, LogFileName(kDir, 4),
                    Recycled(now.substr(0, size), before));
    // Recycled logs are written in these modes only.
    for (const auto mode : {kPointInTime, kSkip}) {
      const Status status = Replay(mode);
      ASSERT_TRUE(status.ok()) << size << status.ToString();
      EXPECT_EQ(result_.batches, size / 24) << size;
    }
  }
}

TEST_F(WalReplayTest, AChainedLogFollowsItsPredecessorOrNothing) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 3)});
  const uint64_t size = test::ReadFile(&fs_, LogFileName(kDir, 4)).size();
  follows_ = wal::Predecessor{4, size, 2};
  WriteLog(5, {BatchHeader(5, 1)});
  verify_chain_ = true;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+1 4:2+3 4; 5:5+1 5; ");
  EXPECT_FALSE(result_.stopped());
  // The whole last record of the older log is missing: no damage to be seen.
  Cut(4, 20);
  EXPECT_TRUE(Replay(kAbsolute).IsCorruption());
  EXPECT_TRUE(Replay(kTolerate).IsCorruption());
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+1 4; 5; ");
  EXPECT_EQ(result_.stop_reason.ToString(),
            "Corruption: /wal/000005.log: at offset 0: expected to follow log "
            "4 of 40 bytes up to sequence 2, found log 4 of 20 bytes up to "
            "sequence 1");
  // One between others is missing.
  follows_.reset();
  WriteLog(3, {BatchHeader(1, 0, "")});
  logs_ = {3, 5};
  ASSERT_TRUE(Replay().ok());
  EXPECT_TRUE(result_.stopped());
  // The oldest may be gone if the MANIFEST says so.
  logs_ = {5};
  needed_from_ = 5;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(result_.batches, 1u);
  needed_from_ = 4;
  ASSERT_TRUE(Replay().ok());
  EXPECT_TRUE(result_.stopped());
  EXPECT_EQ(result_.batches, 0u);
  verify_chain_ = false;
  needed_from_ = 0;
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(result_.batches, 1u);
}

TEST_F(WalReplayTest, AChainBeginsAtTheFirstLogThatIsNeeded) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 3)});
  const uint64_t size = test::ReadFile(&fs_, LogFileName(kDir, 4)).size();
  follows_ = wal::Predecessor{4, size, 2};
  WriteLog(5, {BatchHeader(5, 1)});
  verify_chain_ = true;
  needed_from_ = 5;
  Flip(4, 30);
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(sink_.text, "4:1+1 4; 5:5+1 5; ");
  EXPECT_FALSE(result_.stopped());
  logs_ = {5};
  ASSERT_TRUE(Replay().ok());
  EXPECT_EQ(result_.batches, 1u);
}

TEST_F(WalReplayTest, ATornTailOfAFlushedLogIsNoDamage) {
  WriteLog(4, {BatchHeader(1, 1), BatchHeader(2, 1)});
  WriteLog(5, {BatchHeader(3, 1), BatchHeader(4, 1)});
  WriteLog(6, {BatchHeader(9, 1)});
  needed_from_ = 6;
  Cut(4, 1);
  ASSERT_TRUE(Replay().ok());
  EXPECT_TRUE(result_.kept_damage.ok());
  EXPECT_EQ(sink_.text, "4:1+1 4; 5:3+1 5:4+1 5; 6:9+1 6; ");
  Flip(5, 15);
  ASSERT_TRUE(Replay().ok());
  EXPECT_TRUE(result_.kept_damage.IsCorruption());
  EXPECT_EQ(result_.kept_damage_log, 5u);
  EXPECT_EQ(sink_.text, "4:1+1 4; 5; 6:9+1 6; ");
}

TEST_F(WalReplayTest, EveryLogOfRocksDBIsReplayed) {
  const auto files = test::GoldenFiles(
      [](const std::filesystem::path& p) { return p.extension() == ".log"; });
  RIVERSTONE_SKIP_WITHOUT(files);
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  for (const auto& path : files) {
    Recorder recorder;
    const uint64_t number = std::stoull(path.stem().string());
    ReplayOptions options;
    options.verify_chain = true;
    options.needed_from = number;
    const Result<ReplayResult> result = ReplayLogs(
        fs.get(), path.parent_path().string(), {number}, options, &recorder);
    ASSERT_TRUE(result.ok()) << path << result.status().ToString();
    // A recycled file may run into bytes of its former life.
    const bool recycled = path.string().find("recycled") != std::string::npos;
    EXPECT_TRUE(recycled || !result->stopped())
        << path << ": " << result->stop_reason.ToString();
  }
}

TEST_F(WalReplayTest, TheChainsOfRocksDBHold) {
  const auto files = test::GoldenFiles([](const std::filesystem::path& p) {
    return p.extension() == ".log" &&
           p.string().find("wal_predecessor") != std::string::npos;
  });
  RIVERSTONE_SKIP_WITHOUT(files);
  std::map<std::string, std::vector<uint64_t>> logs;
  for (const auto& path : files) {
    logs[path.parent_path().string()].push_back(
        std::stoull(path.stem().string()));
  }
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  for (auto& [directory, numbers] : logs) {
    std::sort(numbers.begin(), numbers.end());
    ReplayOptions options;
    options.verify_chain = true;
    options.needed_from = numbers.front();
    Recorder recorder;
    const Result<ReplayResult> result =
        ReplayLogs(fs.get(), directory, numbers, options, &recorder);
    ASSERT_TRUE(result.ok()) << directory << result.status().ToString();
    EXPECT_FALSE(result->stopped())
        << directory << ": " << result->stop_reason.ToString();
    EXPECT_GT(result->batches, 50u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
