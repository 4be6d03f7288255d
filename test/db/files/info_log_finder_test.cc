// GetInfoLogList: LOG and its predecessors, and nothing else.

#include "rocksdb/utilities/info_log_finder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class InfoLogFinder : public test::FilesTest {
 protected:
  std::vector<std::string> Logs() {
    std::vector<std::string> logs = {"is replaced"};
    const Status status = GetInfoLogList(db_.get(), &logs);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return logs;
  }
};

TEST_F(InfoLogFinder, FindsTheLogAndItsPredecessors) {
  Open();
  EXPECT_EQ(Logs(), std::vector<std::string>{"LOG"});
  Open();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[0], "LOG");
  EXPECT_TRUE(logs[1].starts_with("LOG.old.")) << logs[1];
}

TEST_F(InfoLogFinder, ADirectoryOfLogsMayHaveThoseOfOtherDatabases) {
  options_.db_log_dir = "/logs";
  Open();
  test::WriteFile(fs_.get(), "/logs/other_LOG", "not of this database");
  test::WriteFile(fs_.get(), "/db/LOG", "of a time without the directory");
  EXPECT_EQ(Logs(), std::vector<std::string>{"db_LOG"});
}

TEST_F(InfoLogFinder, NullIsAnError) {
  Open();
  std::vector<std::string> logs;
  EXPECT_TRUE(GetInfoLogList(nullptr, &logs).IsInvalidArgument());
  EXPECT_TRUE(GetInfoLogList(db_.get(), nullptr).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
