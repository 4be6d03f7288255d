// iotune: its tables, its page, and the program with its answers to arguments
// that it cannot use.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "env/io_profile.h"
#include "test/support/temp_dir.h"
#include "tools/iotune/report.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

std::string Iotune() {
  return std::filesystem::read_symlink("/proc/self/exe")
             .parent_path()
             .string() +
         "/iotune";
}

// What it prints, and its exit code behind that unless it is 0.
std::string IotuneSays(const std::string& arguments) {
  FILE* const pipe = popen((Iotune() + " " + arguments + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return output;
  return output + "exit " + std::to_string(WEXITSTATUS(status)) + "\n";
}

std::string TextOf(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

engine::DiskMeasurement Measured() {
  engine::DiskMeasurement measured;
  measured.profile = {"/data", 500'000'000, 400'000'000, 80'000,
                      60'000,  65536,       131072,      0.9};
  measured.read_bytes = 4096;
  measured.write_bytes = 131072;
  measured.fast_micros = 1000;
  measured.seconds = 60;
  for (const double reads : {0.1, 0.5, 1.0}) {
    for (const double writes : {0.0, 0.6}) {
      engine::DiskCell cell;
      cell.read_share = reads;
      cell.write_share = writes;
      cell.reads.ops = 100;
      cell.reads.p50_micros = 100;
      cell.reads.p95_micros = reads + writes > 1 ? 250'000 : 400;
      cell.served = reads + writes < 1.5;
      cell.safe = reads + writes <= 0.9;
      measured.cells.push_back(cell);
    }
  }
  return measured;
}

TEST(IotuneTest, TheTablesTellWhatWasMeasured) {
  const engine::DiskMeasurement measured = Measured();
  EXPECT_EQ(
      "mount point  /data\n"
      "                      reads         writes\n"
      "                      -----         ------\n"
      "bandwidth          500 MB/s       400 MB/s\n"
      "operations          80000/s        60000/s\n"
      "saturated by         64 KiB        128 KiB\n"
      "K                      0.90\n",
      iotune::ProfileTable(measured.profile));
  EXPECT_EQ(
      "Read latency (95 %) by load. * safe: the disk serves the load, and 95 % "
      "of the\nreads take at most 1.00 ms. ! the disk does not serve it.\n"
      "writes \\ reads    8000/s    40000/s    80000/s  \n"
      "        0 MB/s   0.40 ms*   0.40 ms*   0.40 ms  \n"
      "      240 MB/s   0.40 ms*    250 ms     250 ms! \n",
      iotune::CellTable(measured));
}

TEST(IotuneTest, ThePageShowsEveryCellTheSafeAreaAndK) {
  const std::string page = iotune::Page(Measured(), "/data/<db>");
  EXPECT_EQ(6u, CountOf(page, "<title>") - 1);
  EXPECT_EQ(3u, CountOf(page, "class=\"safe\""));
  EXPECT_EQ(1u, CountOf(page, "<line class=\"k\""));
  EXPECT_EQ(1u, CountOf(page, ">K = 0.90<"));
  EXPECT_EQ(2u, CountOf(page, "The disk of /data/&lt;db&gt;"));
  // Nothing of it comes from elsewhere.
  EXPECT_EQ(0u, CountOf(page, "<script"));
  EXPECT_EQ(0u, CountOf(page, "http"));
  EXPECT_EQ(0u, CountOf(page, "nan"));
  EXPECT_EQ(0u, CountOf(page, "inf"));
}

TEST(IotuneTest, MeasuresADirectoryAndWritesBothFiles) {
  const TempDir dir;
  const std::string output =
      IotuneSays("--dir=" + dir.path() + " --seconds=1 --file_mb=64 --out=" +
                 dir.File("io.yaml") + " --page=" + dir.File("io.html"));
  if (output.find("not on a disk") != std::string::npos) {
    GTEST_SKIP() << "SKIPPED: " << output;
  }
  EXPECT_NE(std::string::npos, output.find("\nbandwidth ")) << output;
  EXPECT_NE(std::string::npos, output.find("reads and writes together"));
  EXPECT_EQ(36u + 1, CountOf(TextOf(dir.File("io.html")), "<title>"));
  const auto profile =
      engine::ParseIoProfile(TextOf(dir.File("io.yaml")), "io");
  ASSERT_TRUE(profile.ok()) << profile.status().ToString();
  EXPECT_EQ(iotune::ProfileTable(*profile),
            IotuneSays("--show=" + dir.File("io.yaml")));
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(dir.path())) {
    (void)file;
    ++files;
  }
  EXPECT_EQ(2u, files);
}

TEST(IotuneTest, RefusesWhatItCannotUseWithOneSentence) {
  const TempDir dir;
  const std::string start = "iotune: Invalid argument: ";
  const std::string end = "\nexit 1\n";
  EXPECT_EQ(start + "--dir=DIRECTORY says what to measure" + end,
            IotuneSays(""));
  EXPECT_EQ(start + "every argument begins with --; see --help" + end,
            IotuneSays(dir.path()));
  EXPECT_EQ(start + "--seconds: expected from 1 to 3600" + end,
            IotuneSays("--dir=/var --seconds=0"));
  EXPECT_EQ(start + "--seconds: expected from 1 to 3600" + end,
            IotuneSays("--dir=/var --seconds=nan"));
  EXPECT_EQ(start + "--file_mb: expected from 64 to 1048576" + end,
            IotuneSays("--dir=/var --file_mb=1"));
  EXPECT_EQ(start + "cannot measure the disk of /none: it does not exist" + end,
            IotuneSays("--dir=/none --out=" + dir.File("io.yaml")));
  struct statfs kind {};
  if (::statfs("/dev/shm", &kind) == 0 && kind.f_type == 0x01021994) {
    EXPECT_EQ(start +
                  "cannot measure the disk of /dev/shm: its files are kept in "
                  "memory (tmpfs), not on a disk" +
                  end,
              IotuneSays("--dir=/dev/shm --out=" + dir.File("io.yaml")));
  }
  EXPECT_FALSE(std::filesystem::exists(dir.File("io.yaml")));
  // Before it measures anything.
  const std::string output =
      IotuneSays("--dir=" + dir.path() + " --out=/none/io.yaml");
  EXPECT_NE(std::string::npos, output.find("/none/io.yaml.tmp")) << output;
  EXPECT_EQ(std::string::npos, output.find("left:")) << output;
  const std::string absent = IotuneSays("--show=/none/io.yaml");
  EXPECT_NE(std::string::npos,
            absent.find("/none/io.yaml: cannot read this I/O profile"))
      << absent;
}

TEST(IotuneTest, AnInterruptEndsItAndLeavesNothing) {
  const TempDir dir;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::string program = Iotune();
    const std::string where = "--dir=" + dir.path();
    const std::string out = "--out=" + dir.File("io.yaml");
    std::freopen("/dev/null", "w", stderr);
    execl(program.c_str(), program.c_str(), where.c_str(), out.c_str(),
          "--seconds=600", "--file_mb=64", nullptr);
    _exit(127);
  }
  // Early enough or not, it must end.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
