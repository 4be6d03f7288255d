// env/io_profile: the layouts that are read, and the sentence for each that is
// not. The cases are in testdata/io_profile.

#include "env/io_profile.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

const std::string kGood =
    "disks:\n"
    "  - mountpoint: /data\n"
    "    read_iops: 95000\n"
    "    read_bandwidth: 545M\n"
    "    write_iops: 85000\n"
    "    write_bandwidth: 510M\n";

// "\x00" is a byte, "\e" an empty line, "\s" a space at an end.
std::string BytesOf(const std::string& line) {
  std::string bytes;
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string two = line.substr(i, 2);
    if (two == "\\x" && i + 3 < line.size()) {
      bytes.push_back(
          static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16)));
      i += 3;
    } else if (two == "\\e") {
      ++i;
    } else if (two == "\\s") {
      bytes.push_back(' ');
      ++i;
    } else {
      bytes.push_back(line[i]);
    }
  }
  return bytes;
}

std::string Interpret(const test::Case& c) {
  std::string text;
  if (c.command == "disk") {
    // A good disk but for what the case says.
    text = kGood;
  }
  for (const std::string& line : c.input) text += BytesOf(line) + "\n";
  const auto directory = c.args.find("directory");
  const auto profile = ParseIoProfile(
      text, "io.yaml", directory == c.args.end() ? "" : directory->second);
  if (!profile.ok()) return profile.status().ToString() + "\n";
  return FormatIoProfile(*profile);
}

TEST(IoProfileTest, ReadsSeastarsLayoutAndExplainsWhatItCannotRead) {
  for (const char* file : {"good", "bad"}) {
    for (const std::string& failure : test::RunDataDriven(
             std::string("test/env/testdata/io_profile/") + file, Interpret)) {
      ADD_FAILURE() << failure;
    }
  }
}

TEST(IoProfileTest, EveryFieldIsReadAndWritten) {
  IoProfile profile;
  profile.mountpoint = "/a \"b\" \\ # c: d";
  profile.read_bytes_per_second = 545000001;
  profile.write_bytes_per_second = 510000002;
  profile.read_ops_per_second = 95003;
  profile.write_ops_per_second = 85004;
  profile.read_saturation_bytes = 65536;
  profile.write_saturation_bytes = 131072;
  profile.k = 0.8725;
  const auto again = ParseIoProfile(FormatIoProfile(profile), "io.yaml");
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(profile.mountpoint, again->mountpoint);
  EXPECT_EQ(profile.read_bytes_per_second, again->read_bytes_per_second);
  EXPECT_EQ(profile.write_bytes_per_second, again->write_bytes_per_second);
  EXPECT_EQ(profile.read_ops_per_second, again->read_ops_per_second);
  EXPECT_EQ(profile.write_ops_per_second, again->write_ops_per_second);
  EXPECT_EQ(profile.read_saturation_bytes, again->read_saturation_bytes);
  EXPECT_EQ(profile.write_saturation_bytes, again->write_saturation_bytes);
  EXPECT_EQ(profile.k, again->k);
}

TEST(IoProfileTest, EveryBeginningOfAFileIsReadOrRefusedInOneSentence) {
  for (size_t size = 0; size < kGood.size(); ++size) {
    const auto profile = ParseIoProfile(kGood.substr(0, size), "io.yaml");
    if (profile.ok()) continue;
    const std::string error = profile.status().ToString();
    EXPECT_EQ(0, error.find("Invalid argument: io.yaml: line ")) << error;
    EXPECT_NE(std::string::npos, error.find(": expected ")) << error;
    EXPECT_NE(std::string::npos, error.find(", found ")) << error;
    EXPECT_EQ(std::string::npos, error.find('\n')) << error;
  }
}

TEST(IoProfileTest, AFileThatCannotBeReadIsNamed) {
  MemFileSystem fs{MemFileSystem::Options()};
  const auto absent = ReadIoProfile(&fs, "/none.yaml");
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(0, absent.status().ToString().find(
                   "IO error: /none.yaml: cannot read this I/O profile: "))
      << absent.status().ToString();

  const std::string directory = ::testing::TempDir();
  const auto folder = ReadIoProfile(FileSystem::Default().get(), directory);
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(std::string::npos, folder.status().ToString().find(directory))
      << folder.status().ToString();
}

TEST(IoProfileTest, AFileIsReadUpToALimit) {
  MemFileSystem fs{MemFileSystem::Options()};
  ASSERT_TRUE(WriteStringToFile(&fs, kGood, "/io.yaml", false).ok());
  const auto good = ReadIoProfile(&fs, "/io.yaml", "/data/db");
  ASSERT_TRUE(good.ok()) << good.status().ToString();
  EXPECT_EQ(545u << 20, good->read_bytes_per_second);

  const std::string large = kGood + std::string(100 * 1000, '#');
  ASSERT_TRUE(WriteStringToFile(&fs, large, "/large.yaml", false).ok());
  EXPECT_EQ(
      "Invalid argument: /large.yaml: line 1: expected an I/O profile of at "
      "most 64 KiB, found a longer file",
      ReadIoProfile(&fs, "/large.yaml").status().ToString());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
