// Compactions cut into slices: at every level, of similar size, and none that
// is too small to be worth it.

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "test/db/pause_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// What slices of compactions out of one level wrote.
class Slices final : public EventListener {
 public:
  void OnSubcompactionCompleted(const SubcompactionJobInfo& info) override {
    std::lock_guard lock(mu_);
    EXPECT_TRUE(info.status.ok());
    all_.push_back(info);
  }
  std::vector<uint64_t> BytesFrom(int level) const {
    std::lock_guard lock(mu_);
    std::vector<uint64_t> bytes;
    for (const SubcompactionJobInfo& info : all_) {
      if (info.base_input_level == level) {
        bytes.push_back(info.stats.total_output_bytes);
      }
    }
    return bytes;
  }
  void Clear() {
    std::lock_guard lock(mu_);
    all_.clear();
  }

 private:
  mutable std::mutex mu_;
  std::vector<SubcompactionJobInfo> all_;
};

class DbSlicesTest : public ::testing::Test {
 protected:
  DbSlicesTest() : env_(NewMemEnv(Env::Default())) {
    Options& options = db_.options();
    options.compression = kNoCompression;
    options.disable_auto_compactions = true;
    options.level_compaction_dynamic_level_bytes = false;
    options.target_file_size_base = 128 << 10;
    options.listeners = {slices_};
  }
  void Compact(uint32_t slices, int target_level = -1) {
    CompactRangeOptions options;
    options.max_subcompactions = slices;
    options.change_level = target_level >= 0;
    options.target_level = target_level;
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  static void ExpectSimilar(const std::vector<uint64_t>& bytes) {
    ASSERT_FALSE(bytes.empty());
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    EXPECT_GT(*least, 0u);
    EXPECT_LT(*most, *least * 2);
  }

  std::unique_ptr<Env> env_;
  const std::shared_ptr<Slices> slices_ = std::make_shared<Slices>();
  PausableDb db_;
};

TEST_F(DbSlicesTest, AreMadeAtEveryLevelAndOfSimilarSize) {
  ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
  db_.AddFile(0, 10000, 2, 100);
  Compact(1, /*target_level=*/2);
  db_.AddFile(1, 10000, 2, 100);
  db_.AddFile(1, 10000, 2, 100);
  slices_->Clear();
  Compact(4);
  const std::vector<uint64_t> upper = slices_->BytesFrom(0);
  EXPECT_EQ(4u, upper.size());
  ExpectSimilar(upper);
  const std::vector<uint64_t> lower = slices_->BytesFrom(1);
  EXPECT_EQ(4u, lower.size());
  ExpectSimilar(lower);
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level1"));
  EXPECT_EQ(20000u, db_.Rows().size());
}

TEST_F(DbSlicesTest, AreNotSmallerThanAnOutput) {
  db_.options().target_file_size_base = 1 << 20;
  ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
  db_.AddFile(0, 10000, 2, 100);
  db_.AddFile(1, 10000, 2, 100);
  Compact(16);
  EXPECT_EQ(2u, slices_->BytesFrom(0).size());
  EXPECT_EQ(20000u, db_.Rows().size());
}

// Each user key gets a table then.
TEST_F(DbSlicesTest, AreMadeOfTablesWithoutASize) {
  db_.options().target_file_size_base = 0;
  ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
  db_.AddFile(0, 10, 2, 100);
  db_.AddFile(1, 10, 2, 100);
  Compact(2);
  EXPECT_EQ("20", db_.Property("rocksdb.num-files-at-level1"));
  EXPECT_EQ(20u, db_.Rows().size());
}

TEST_F(DbSlicesTest, AreMadeAfterSetOptionsTakesTheSizeAway) {
  ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
  db_.AddFile(0, 10, 2, 100);
  db_.AddFile(1, 10, 2, 100);
  ASSERT_TRUE(db_->SetOptions({{"target_file_size_base", "0"}}).ok());
  Compact(2);
  EXPECT_EQ(20u, db_.Rows().size());
}

// 2^26 bytes times 256 for each of five levels are 0 in 64 bits.
TEST_F(DbSlicesTest, OutputsOfTheLastLevelAreNotTiny) {
  db_.options().target_file_size_base = 1 << 26;
  db_.options().target_file_size_multiplier = 256;
  ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
  db_.AddFile(0, 100, 2, 100);
  db_.AddFile(1, 100, 2, 100);
  Compact(1, /*target_level=*/6);
  for (const uint32_t slices : {1u, 2u}) {
    CompactRangeOptions force;
    force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    force.max_subcompactions = slices;
    const Status status = db_->CompactRange(force, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ("1", db_.Property("rocksdb.num-files-at-level6"));
  }
  EXPECT_EQ(200u, db_.Rows().size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
