// The functions of rocksdb/experimental.h. What those do that call a method of
// DB is tested with the method (test/db/compaction/chosen_files_test.cc).

#include "rocksdb/experimental.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A file system with tables that are warm, or of a temperature that it does
// not know.
class WarmTables : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "WarmTables"; }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override {
    class Warm : public FSRandomAccessFileOwnerWrapper {
     public:
      using FSRandomAccessFileOwnerWrapper::FSRandomAccessFileOwnerWrapper;
      Temperature GetTemperature() const override { return Temperature::kWarm; }
    };
    IOStatus status = target()->NewRandomAccessFile(path, options, r, dbg);
    if (status.ok() && knows) *r = std::make_unique<Warm>(std::move(*r));
    return status;
  }
  bool knows = true;
};

class ExperimentalTest : public test::FilesTest {
 protected:
  ColumnFamilyHandle* Default() { return db_->DefaultColumnFamily(); }
  // Of all tables, in the MANIFEST.
  std::vector<Temperature> Temperatures() {
    Open();
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    db_.reset();
    std::vector<Temperature> found;
    found.reserve(files.size());
    for (const LiveFileMetaData& file : files) {
      found.push_back(file.temperature);
    }
    return found;
  }
  Status Update(
      Env* env,
      const experimental::UpdateManifestForFilesStateOptions& what = {}) {
    Options options = options_;
    options.env = env;
    return experimental::UpdateManifestForFilesState(
        options, kName, {{kDefaultColumnFamilyName, options}}, what);
  }
  // Two tables, and the database closed.
  void MakeTwo() {
    Open();
    Put("a", "1");
    Flush();
    Put("b", "2");
    Flush();
    db_.reset();
  }
};

TEST_F(ExperimentalTest, SuggestedRangesAreCompacted) {
  Open();
  Put("m", "1");
  Flush();
  CompactRangeOptions deep;
  deep.change_level = true;
  deep.target_level = 3;
  ASSERT_TRUE(db_->CompactRange(deep, nullptr, nullptr).ok());
  Put("a", "1");
  Flush();
  ASSERT_TRUE(experimental::PromoteL0(db_.get(), Default()).ok());
  ASSERT_EQ("0,1,0,1", Shape());
  const Slice begin("b");
  const Slice end("c");
  ASSERT_TRUE(experimental::SuggestCompactRange(db_.get(), &begin, &end).ok());
  ASSERT_TRUE(db_->EnableAutoCompaction({Default()}).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("0,1,0,1", Shape());  // No file has keys from b to c.
  ASSERT_TRUE(
      experimental::SuggestCompactRange(db_.get(), Default(), nullptr, nullptr)
          .ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("0,0,1,1", Shape());
}

TEST_F(ExperimentalTest, Level0IsPromotedToALevelThatIsEmpty) {
  Open();
  Put("a", "1");
  Flush();
  ASSERT_TRUE(experimental::PromoteL0(db_.get(), Default(), 2).ok());
  EXPECT_EQ("0,0,1", Shape());
  Put("b", "1");
  Flush();
  EXPECT_TRUE(
      experimental::PromoteL0(db_.get(), Default(), 2).IsInvalidArgument());
  EXPECT_EQ("1,0,1", Shape());
}

TEST_F(ExperimentalTest, NullIsAnError) {
  EXPECT_TRUE(experimental::SuggestCompactRange(nullptr, nullptr, nullptr)
                  .IsInvalidArgument());
  EXPECT_TRUE(experimental::PromoteL0(nullptr, nullptr).IsInvalidArgument());
  Open();
  EXPECT_TRUE(
      experimental::SuggestCompactRange(db_.get(), nullptr, nullptr, nullptr)
          .IsInvalidArgument());
  EXPECT_TRUE(experimental::PromoteL0(db_.get(), nullptr).IsInvalidArgument());
}

TEST_F(ExperimentalTest, TheManifestGetsTheTemperaturesOfTables) {
  const auto warm = std::make_shared<WarmTables>(fs_);
  const std::unique_ptr<Env> env = NewCompositeEnv(warm);
  ASSERT_NO_FATAL_FAILURE(MakeTwo());
  const std::vector<Temperature> unknown(2, Temperature::kUnknown);
  ASSERT_EQ(unknown, Temperatures());
  experimental::UpdateManifestForFilesStateOptions nothing;
  nothing.update_temperatures = false;
  ASSERT_TRUE(Update(env.get(), nothing).ok());
  EXPECT_EQ(unknown, Temperatures());
  const Status status = Update(env.get());
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(std::vector<Temperature>(2, Temperature::kWarm), Temperatures());
  Open();
  EXPECT_EQ((test::FileRows{{"a", "1"}, {"b", "2"}}), Rows());
  db_.reset();
  // What is not known any more stays as it was.
  warm->knows = false;
  ASSERT_TRUE(Update(env.get()).ok());
  EXPECT_EQ(std::vector<Temperature>(2, Temperature::kWarm), Temperatures());
}

TEST_F(ExperimentalTest, TheManifestOfADatabaseThatIsOpenIsLeftAlone) {
  ASSERT_NO_FATAL_FAILURE(MakeTwo());
  Open();
  const Status status = Update(env_.get());
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_EQ((test::FileRows{{"a", "1"}, {"b", "2"}}), Rows());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
