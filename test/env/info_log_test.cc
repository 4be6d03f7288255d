// env/info_log: format, levels, rotation.

#include "env/info_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "test/support/error_fs.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class InfoLog : public ::testing::Test {
 protected:
  std::shared_ptr<Logger> Open(const InfoLogOptions& options) {
    std::shared_ptr<Logger> logger;
    EXPECT_TRUE(NewRollingLogger(fs_, clock_, "/db", options, &logger).ok());
    return logger;
  }
  std::string Read(const std::string& path) {
    std::string content;
    EXPECT_TRUE(ReadFileToString(fs_.get(), path, &content).ok()) << path;
    return content;
  }
  // What the lines say, without their stamps.
  std::string Messages(const std::string& path) {
    std::istringstream lines(Read(path));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      const size_t thread = line.find(' ');
      text += line.substr(line.find(' ', thread + 1) + 1) + "\n";
    }
    return text;
  }
  std::vector<std::string> List(const std::string& dir) {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren(dir, IOOptions(), &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::shared_ptr<MemFileSystem> fs_ = std::make_shared<MemFileSystem>();
  const std::shared_ptr<test::ManualClock> clock_ =
      std::make_shared<test::ManualClock>(1700000000123456);
};

TEST_F(InfoLog, LinesHaveTimeThreadAndMark) {
  const auto logger = Open(InfoLogOptions());
  Info(logger, "[%s] number %d", "db/file", 7);
  Warn(logger, "careful\n");
  EXPECT_THAT(Read("/db/LOG"),
              ::testing::MatchesRegex(
                  "[0-9]{4}/[0-9]{2}/[0-9]{2}-[0-9:]{8}\\.123456 [0-9]+ "
                  "\\[db/file\\] number 7\n"
                  "[^\n]* [0-9]+ \\[WARN\\] careful\n"));
}

TEST_F(InfoLog, LevelsBelowTheChosenOneAreDropped) {
  InfoLogOptions options;
  options.level = WARN_LEVEL;
  const auto logger = Open(options);
  Debug(logger, "debug");
  Info(logger, "info");
  Warn(logger, "warn");
  Error(logger, "error");
  Fatal(logger, "fatal");
  Header(logger, "header");
  EXPECT_EQ(Messages("/db/LOG"),
            "[WARN] warn\n[ERROR] error\n[FATAL] fatal\nheader\n");
  logger->SetInfoLogLevel(DEBUG_LEVEL);
  Debug(logger, "now seen");
  EXPECT_NE(Messages("/db/LOG").find("[DEBUG] now seen\n"), std::string::npos);
  Log(static_cast<Logger*>(nullptr), "no logger is no error");
}

TEST_F(InfoLog, LongLinesAreWhole) {
  const auto logger = Open(InfoLogOptions());
  const std::string text(100000, 'x');
  Info(logger, "%s", text.c_str());
  EXPECT_EQ(Messages("/db/LOG"), text + "\n");
}

TEST_F(InfoLog, OpeningMovesTheOldLogAsideAndKeepsTheNewest) {
  InfoLogOptions options;
  options.keep_log_file_num = 3;
  for (int i = 0; i < 5; ++i) {
    const auto logger = Open(options);
    Info(logger, "run %d", i);
    clock_->Advance(1000000);
  }
  EXPECT_EQ(List("/db"),
            (std::vector<std::string>{"LOG", "LOG.old.1700000003123456",
                                      "LOG.old.1700000004123456"}));
  EXPECT_EQ(Messages("/db/LOG"), "run 4\n");
  EXPECT_EQ(Messages("/db/LOG.old.1700000003123456"), "run 2\n");
}

TEST_F(InfoLog, RollsBySizeAndRepeatsTheHeader) {
  InfoLogOptions options;
  options.max_log_file_size = 200;
  const auto logger = Open(options);
  Header(logger, "version 1");
  for (int i = 0; i < 24; ++i) Info(logger, "line %d", i);
  const std::vector<std::string> names = List("/db");
  EXPECT_GE(names.size(), 3u);
  std::string all;
  for (const std::string& name : names) {
    const std::string messages = Messages("/db/" + name);
    EXPECT_EQ(messages.substr(0, 10), "version 1\n") << name;
    EXPECT_LE(Read("/db/" + name).size(), 350u);
    if (name != "LOG") all += messages.substr(10);
  }
  all += Messages("/db/LOG").substr(10);
  std::string expected;
  for (int i = 0; i < 24; ++i) {
    expected += "line " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(all, expected);
}

// Else each line would have a file, a header and a listed directory of its own.
TEST_F(InfoLog, TheHeaderDoesNotCountTowardsTheLimit) {
  InfoLogOptions options;
  options.max_log_file_size = 200;
  const auto logger = Open(options);
  Header(logger, "%s", std::string(1000, 'h').c_str());
  for (int i = 0; i < 40; ++i) Info(logger, "%s", std::string(9, 'l').c_str());
  for (const std::string& name : List("/db")) {
    if (name == "LOG") continue;
    EXPECT_GE(Read("/db/" + name).size(), 1000u + 200u) << name;
  }
  EXPECT_GE(List("/db").size(), 3u);
}

TEST_F(InfoLog, RollsByTime) {
  InfoLogOptions options;
  options.log_file_time_to_roll = 10;
  const auto logger = Open(options);
  Info(logger, "a");
  clock_->Advance(9 * 1000000);
  Info(logger, "b");
  EXPECT_EQ(List("/db").size(), 1u);
  clock_->Advance(1 * 1000000);
  Info(logger, "c");
  EXPECT_EQ(List("/db").size(), 2u);
  EXPECT_EQ(Messages("/db/LOG"), "c\n");
}

TEST_F(InfoLog, ADirectoryForLogsGetsFlattenedNames) {
  EXPECT_EQ(InfoLogFileName("/db", "/data/my db:1/x-y.z", "/logs"),
            "/logs/data_my_db_1_x-y.z_LOG");
  InfoLogOptions options;
  options.db_log_dir = "/logs";
  for (int i = 0; i < 2; ++i) Info(Open(options), "run %d", i);
  EXPECT_EQ(List("/logs"), (std::vector<std::string>{
                               "db_LOG", "db_LOG.old.1700000000123456"}));
  EXPECT_EQ(Messages("/logs/db_LOG"), "run 1\n");
}

TEST_F(InfoLog, AFullDiskDoesNotFailTheCaller) {
  const auto errors = std::make_shared<test::ErrorFileSystem>(fs_);
  std::shared_ptr<Logger> logger;
  ASSERT_TRUE(
      NewRollingLogger(errors, clock_, "/db", InfoLogOptions(), &logger).ok());
  ASSERT_TRUE(errors->SetRule("(ErrNoSpace append)").ok());
  Info(logger, "lost");
  errors->ClearRule();
  Info(logger, "kept");
  EXPECT_EQ(Messages("/db/LOG"), "kept\n");
}

TEST_F(InfoLog, ARollThatFailsIsTriedAgainOnceASecond) {
  const auto errors = std::make_shared<test::ErrorFileSystem>(fs_);
  InfoLogOptions options;
  options.max_log_file_size = 100;
  std::shared_ptr<Logger> logger;
  ASSERT_TRUE(NewRollingLogger(errors, clock_, "/db", options, &logger).ok());
  Header(logger, "version 1");
  Info(logger, "%s", std::string(100, 'l').c_str());
  ASSERT_TRUE(errors->SetRule("(ErrNoSpace create)").ok());
  for (int i = 0; i < 10; ++i) Info(logger, "lost");
  EXPECT_EQ(1u, errors->injected());
  clock_->Advance(1000000);
  for (int i = 0; i < 10; ++i) Info(logger, "lost");
  EXPECT_EQ(2u, errors->injected());
  errors->ClearRule();
  Info(logger, "lost");
  clock_->Advance(1000000);
  Info(logger, "kept");
  EXPECT_EQ(Messages("/db/LOG"), "version 1\nkept\n");
}

TEST_F(InfoLog, ThreadsWriteWholeLinesWhileItRolls) {
  InfoLogOptions options;
  options.max_log_file_size = 2000;
  const auto logger = Open(options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&logger] {
      for (int i = 0; i < 100; ++i) Info(logger, "0123456789");
    });
  }
  for (std::thread& thread : threads) thread.join();
  size_t lines = 0;
  for (const std::string& name : List("/db")) {
    std::istringstream messages(Messages("/db/" + name));
    for (std::string line; std::getline(messages, line); ++lines) {
      ASSERT_EQ(line, "0123456789");
    }
  }
  EXPECT_EQ(lines, 400u);
}

TEST_F(InfoLog, CloseEndsTheLogAndLaterLinesAreDropped) {
  const auto logger = Open(InfoLogOptions());
  Info(logger, "before");
  EXPECT_TRUE(logger->Close().ok());
  EXPECT_TRUE(logger->Close().ok());
  Info(logger, "after");
  EXPECT_EQ(Messages("/db/LOG"), "before\n");
}

TEST_F(InfoLog, ALogBufferWritesWhenItIsFlushed) {
  const auto logger = Open(InfoLogOptions());
  {
    LogBuffer buffer(WARN_LEVEL, logger.get());
    buffer.Add("%d%%", 50);
    buffer.Add("two");
    EXPECT_EQ(Messages("/db/LOG"), "");
    buffer.Flush();
    EXPECT_EQ(Messages("/db/LOG"), "[WARN] 50%\n[WARN] two\n");
    buffer.Add("three");
  }
  EXPECT_NE(Messages("/db/LOG").find("three"), std::string::npos);
  LogBuffer nowhere(INFO_LEVEL, nullptr);
  nowhere.Add("dropped");
  EXPECT_TRUE(nowhere.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
