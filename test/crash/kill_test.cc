// A process that writes is killed, again and again: what it has said is
// written, with sync or handed to the kernel, is there for the next one.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "test/support/temp_dir.h"

extern char** environ;

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr const char* kPathVariable = "RIVERSTONE_KILL_TEST_DB";
constexpr int kReportFd = 117;  // Not what pipe() gives.

Options WriterOptions() {
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.level0_file_num_compaction_trigger = 2;
  options.compression = kNoCompression;
  return options;
}

std::string KeyOf(uint64_t n) { return "key" + std::to_string(n); }
std::string ValueOf(uint64_t n) {
  return std::string(50 + n % 500, static_cast<char>('a' + n % 26));
}

// Runs in a process of its own, until it is killed: goes on where the last
// one stopped and reports each number after its write has returned.
TEST(KillNine, DISABLED_Writer) {
  const char* const path = std::getenv(kPathVariable);
  ASSERT_NE(nullptr, path);
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(WriterOptions(), path, &db).ok());
  std::string last;
  uint64_t n = 0;
  if (db->Get(ReadOptions(), "last", &last).ok()) n = std::stoull(last);
  for (;;) {
    ++n;
    WriteBatch batch;
    ASSERT_TRUE(batch.Put(KeyOf(n), ValueOf(n)).ok());
    ASSERT_TRUE(batch.Put("last", std::to_string(n)).ok());
    WriteOptions options;
    options.sync = n % 5 == 0;
    ASSERT_TRUE(db->Write(options, &batch).ok());
    ASSERT_EQ(static_cast<ssize_t>(sizeof(n)),
              ::write(kReportFd, &n, sizeof(n)));
  }
}

// Starts the writer; its reports come out of *reports.
pid_t StartWriter(const std::string& path, int* reports) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kReportFd);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  ::setenv(kPathVariable, path.c_str(), 1);
  // The writer is in every part; gtest refuses one variable without the other.
  ::unsetenv("GTEST_TOTAL_SHARDS");
  ::unsetenv("GTEST_SHARD_INDEX");
  std::string program = "/proc/self/exe";
  std::string filter = "--gtest_filter=KillNine.DISABLED_Writer";
  std::string disabled = "--gtest_also_run_disabled_tests";
  char* const arguments[] = {program.data(), filter.data(), disabled.data(),
                             nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr,
                                  arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  *reports = ends[0];
  return error == 0 ? pid : -1;
}

// Everything up to `reported` is there, and what is there is whole.
void Check(const std::string& path, uint64_t reported) {
  std::unique_ptr<DB> db;
  const Status status = DB::Open(WriterOptions(), path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::string text;
  uint64_t last = 0;
  if (db->Get(ReadOptions(), "last", &text).ok()) last = std::stoull(text);
  ASSERT_GE(last, reported);
  uint64_t count = 0;
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->Seek("key"); it->Valid() && it->key().starts_with("key");
       it->Next()) {
    ++count;
    const uint64_t n = std::stoull(it->key().ToString().substr(3));
    ASSERT_EQ(ValueOf(n), it->value().ToString());
    ASSERT_LE(n, last);
  }
  ASSERT_TRUE(it->status().ok());
  ASSERT_EQ(last, count);
}

TEST(KillNine, LosesNothingThatWasReported) {
  constexpr int kRounds = 6;
  const test::TempDir dir;
  const std::string path = dir.File("db");
  uint64_t reported = 0;
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const uint64_t before = reported;
    int reports = -1;
    const pid_t pid = StartWriter(path, &reports);
    ASSERT_GT(pid, 0);
    // Long enough to have written, then at an arbitrary moment.
    uint64_t n = 0;
    while (n < before + 20 && ::read(reports, &n, sizeof(n)) == sizeof(n)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(40 * round));
    ASSERT_EQ(0, ::kill(pid, SIGKILL));
    int how = 0;
    ASSERT_EQ(pid, ::waitpid(pid, &how, 0));
    ASSERT_TRUE(WIFSIGNALED(how)) << "the writer ended by itself";
    while (::read(reports, &n, sizeof(n)) == sizeof(n)) {
    }
    ::close(reports);
    reported = n;
    EXPECT_GT(reported, before);
    Check(path, reported);
  }
  std::printf("%llu writes\n", static_cast<unsigned long long>(reported));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
