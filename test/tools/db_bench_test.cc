// db_bench as a program: what it refuses, it refuses before it touches a
// database; and the list of RocksDB's flags.
//
// Place. The program is built into the folder of this test.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include "rocksdb/db.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class DbBench : public testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.create_if_missing = true;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, dir_.path(), &db).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "precious", "value").ok());
  }

  static std::string Program() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() /
            "db_bench")
        .string();
  }

  Ran Run(const std::string& flags) const {
    Ran ran =
        RunCommand(Program() + " --num=10 --db=" + dir_.path() + " " + flags);
    ran.code = WIFEXITED(ran.code) ? WEXITSTATUS(ran.code) : -1;
    return ran;
  }

  bool PreciousIsThere() const {
    std::unique_ptr<DB> db;
    std::string value;
    return DB::OpenForReadOnly(Options(), dir_.path(), &db).ok() &&
           db->Get(ReadOptions(), "precious", &value).ok();
  }

  void ExpectRefused(const std::string& flags, const std::string& message) {
    const Ran ran = Run(flags);
    EXPECT_EQ(1, ran.code) << flags << "\n" << ran.output;
    EXPECT_NE(std::string::npos, ran.output.find(message))
        << flags << ": expected '" << message << "', found\n"
        << ran.output;
    EXPECT_EQ(std::string::npos, ran.output.find("ops/sec")) << ran.output;
    EXPECT_TRUE(PreciousIsThere()) << flags;
  }

  TempDir dir_;
};

TEST_F(DbBench, AMisspeltFlagIsRefusedWithTheNearestNameAndNothingIsDestroyed) {
  ExpectRefused("--benchmarks=readrandom --use_existing_bd",
                "unknown flag --use_existing_bd; did you mean "
                "--use_existing_db?");
  ExpectRefused("--benchmarks=readrandom -use-existing-dbs=1",
                "did you mean --use_existing_db?");
  ExpectRefused("--benchmarks=readrandom use_existing_db",
                "'use_existing_db' is not a flag");
  ExpectRefused("--benchmark=readrandom", "did you mean --benchmarks?");
}

TEST_F(DbBench, AFlagOfRocksDBsThatWouldChangeTheResultIsRefused) {
  ExpectRefused("--benchmarks=fillrandom --num_column_families=4",
                "--num_column_families=4: RocksDB's db_bench has this flag");
  ExpectRefused("--benchmarks=fillrandom --use_existing_keys",
                "--use_existing_keys=true: RocksDB's db_bench has this flag");
}

TEST_F(DbBench, AFlagOfRocksDBsThatChangesNothingIsNotedAndTheBenchmarkRuns) {
  const Ran ran =
      Run("--benchmarks=fillseq --num_column_families=1 --mix_get_ratio 0.5 "
          "--nouse_blob_db");
  EXPECT_EQ(0, ran.code);
  for (const char* note :
       {"note: --num_column_families=1 is ignored", "--mix_get_ratio=0.5 is",
        "--use_blob_db=false is ignored", "ops/sec"}) {
    EXPECT_NE(std::string::npos, ran.output.find(note)) << note << "\n"
                                                        << ran.output;
  }
}

TEST_F(DbBench, AnUnknownBenchmarkPrintsTheListAndNothingIsDestroyed) {
  ExpectRefused("--benchmarks=fillseq,fillrandon",
                "unknown benchmark 'fillrandon'; db_bench has:\n  fillseq\n");
  ExpectRefused("--benchmarks=fillseq[Y3]", "benchmark 'fillseq[Y3]'");
  ExpectRefused("--benchmarks=fillseq --write_shape=snake", "snake");
}

struct Row {
  std::string type;
  std::string value;
};

// RocksDB's --help: "-name (text) type: T default: V", over several lines.
std::map<std::string, Row> FlagsOfThePackagedOne() {
  std::istringstream in(RunCommand(Peer("db_bench") + " --help").output);
  std::string text;
  bool gflags_own = false;
  for (std::string line; std::getline(in, line);) {
    if (line.find("Flags from") != std::string::npos) {
      gflags_own = line.find("gflags") != std::string::npos;
    } else if (!gflags_own) {
      const size_t begin = line.find_first_not_of(' ');
      if (begin == 4) text += '\n';
      if (begin != std::string::npos) text += line.substr(begin) + " ";
    }
  }
  std::map<std::string, Row> flags;
  const std::regex flag(
      "\n-(\\w+) \\([^\n]*\\) type: (\\w+) +default: ([^\n]*)");
  for (std::sregex_iterator it(text.begin(), text.end(), flag), end; it != end;
       ++it) {
    std::string value = (*it)[3];
    value.erase(value.find_last_not_of(' ') + 1);
    std::erase(value, '"');
    flags[(*it)[1]] = {(*it)[2], value};
  }
  return flags;
}

TEST(DbBenchFlags, EveryFlagOfThePackagedOneIsOursOrInTheList) {
  if (!std::filesystem::exists(Peer("db_bench"))) {
    GTEST_SKIP() << "NO PEER: there is no packaged db_bench";
  }
  std::map<std::string, Row> known;
#define FLAG(type, name, value, help) known[#name] = {};
#include "tools/db_bench/flags.def"  // NOLINT: expanded here on purpose.
#undef FLAG
#define FLAG(type, name, value, effect)                                \
  EXPECT_FALSE(known.contains(#name)) << #name << " is in both lists"; \
  known[#name] = {#type, value};
#include "tools/db_bench/rocksdb_flags.def"  // NOLINT: expanded on purpose.
#undef FLAG
  known["build_info"] = {};
  const std::map<std::string, Row> theirs = FlagsOfThePackagedOne();
  EXPECT_GT(theirs.size(), 400u);
  for (const auto& [name, row] : theirs) {
    ASSERT_TRUE(known.contains(name)) << name;
    const Row& ours = known[name];
    if (ours.type.empty()) continue;
    EXPECT_EQ(row.type, ours.type) << name;
    if (row.type == "double") {
      EXPECT_DOUBLE_EQ(std::stod(row.value), std::stod(ours.value)) << name;
    } else {
      EXPECT_EQ(row.value, ours.value) << name;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
