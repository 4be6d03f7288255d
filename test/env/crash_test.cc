// What a crash leaves of the in-memory files, and the test doubles on them.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "test/support/crash_fs.h"
#include "test/support/datadriven.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::Case;

CrashOptions::Data DataNamed(const std::string& name) {
  if (name == "all") return CrashOptions::Data::kAll;
  if (name == "prefix") return CrashOptions::Data::kPrefix;
  if (name == "blocks") return CrashOptions::Data::kBlocks;
  if (name == "garbage") return CrashOptions::Data::kGarbage;
  return CrashOptions::Data::kNone;
}

CrashOptions::Names NamesNamed(const std::string& name) {
  if (name == "all") return CrashOptions::Names::kAll;
  if (name == "random") return CrashOptions::Names::kRandom;
  if (name == "prefix") return CrashOptions::Names::kPrefix;
  if (name == "split") return CrashOptions::Names::kSplit;
  return CrashOptions::Names::kNone;
}

std::string Content(const MemFileSystem& fs) {
  std::string text;
  fs.ForEachFile([&](const std::string& path, const std::string& content) {
    text += path + ": " + (content.empty() ? "(empty)" : content) + "\n";
  });
  return text.empty() ? "(nothing)\n" : text;
}

// A file system driven by lines such as "append /d/f abc"; open files are
// found again by their name.
class Script {
 public:
  std::string Run(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    std::string path;
    std::string argument;
    words >> command >> path >> argument;
    const IOStatus s = Do(command, path, argument);
    return s.ok() ? "" : s.ToString() + "\n";
  }
  MemFileSystem* fs() { return &fs_; }

 private:
  IOStatus Do(const std::string& command, const std::string& path,
              const std::string& argument) {
    if (command == "mkdir") return fs_.CreateDir(path, io_, nullptr);
    if (command == "create") {
      return fs_.NewWritableFile(path, FileOptions(), &files_[path], nullptr);
    }
    if (command == "append") {
      return files_[path]->Append(argument, io_, nullptr);
    }
    if (command == "truncate") {
      return fs_.Truncate(path, std::stoull(argument), io_, nullptr);
    }
    if (command == "sync") return files_[path]->Sync(io_, nullptr);
    if (command == "rename") {
      return fs_.RenameFile(path, argument, io_, nullptr);
    }
    if (command == "link") return fs_.LinkFile(path, argument, io_, nullptr);
    if (command == "delete") return fs_.DeleteFile(path, io_, nullptr);
    if (command == "sync_dir") {
      std::unique_ptr<FSDirectory> directory;
      IOStatus s = fs_.NewDirectory(path, io_, &directory, nullptr);
      return s.ok() ? directory->Fsync(io_, nullptr) : s;
    }
    return IOStatus::InvalidArgument("unknown command", command);
  }

  MemFileSystem fs_;
  std::map<std::string, std::unique_ptr<FSWritableFile>> files_;
  const IOOptions io_;
};

// crash [data=none|all|prefix|blocks|garbage]
// [names=none|all|random|prefix|split]
//       [torn=1] [seed=n]: runs the lines, prints what a crash leaves.
// crashes seeds=n ...: the different outcomes over n seeds.
std::string Interpret(const Case& c) {
  Script script;
  std::string errors;
  for (const std::string& line : c.input) errors += script.Run(line);
  if (!errors.empty()) return errors;
  const auto word = [&c](const char* name) {
    const auto it = c.args.find(name);
    return it == c.args.end() ? std::string() : it->second;
  };
  CrashOptions options;
  options.data = DataNamed(word("data"));
  options.names = NamesNamed(word("names"));
  options.tear_last_write = c.Uint("torn", 0) != 0;
  std::set<std::string> outcomes;
  for (uint64_t seed = 0; seed < c.Uint("seeds", 1); ++seed) {
    options.seed = seed;
    const auto clone = script.fs()->CrashClone(options);
    outcomes.insert(Content(*clone));
    // The same seed gives the same, and a clone has nothing left to lose.
    if (Content(*script.fs()->CrashClone(options)) != Content(*clone) ||
        Content(*clone->CrashClone(CrashOptions())) != Content(*clone)) {
      return "not stable\n";
    }
  }
  std::string text;
  for (const std::string& outcome : outcomes) {
    text += outcome + (c.command == "crashes" ? "--\n" : "");
  }
  return text;
}

TEST(MemFileSystem, ACrashLeavesWhatTheRulesSay) {
  for (const std::string& failure :
       test::RunDataDriven("test/env/testdata/crash", Interpret)) {
    ADD_FAILURE() << failure;
  }
}

TEST(MemFileSystem, LostBlocksAreZerosOrGarbageAndKeptOnesAreWhole) {
  MemFileSystem fs;
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs.NewWritableFile("/f", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(
      file->Append(std::string(64 << 10, 'x'), IOOptions(), nullptr).ok());
  for (const auto data :
       {CrashOptions::Data::kBlocks, CrashOptions::Data::kGarbage}) {
    CrashOptions options;
    options.data = data;
    options.names = CrashOptions::Names::kAll;
    options.seed = 3;
    int kept = 0;
    int lost = 0;
    fs.CrashClone(options)->ForEachFile(
        [&](const std::string&, const std::string& content) {
          for (size_t at = 0; at + 4096 <= content.size(); at += 4096) {
            const std::string block = content.substr(at, 4096);
            const bool whole = block == std::string(4096, 'x');
            kept += whole ? 1 : 0;
            lost += whole ? 0 : 1;
            if (!whole && data == CrashOptions::Data::kBlocks) {
              EXPECT_EQ(block, std::string(4096, '\0'));
            }
            if (data == CrashOptions::Data::kGarbage) {
              EXPECT_NE(block, std::string(4096, '\0'));
            }
          }
        });
    EXPECT_GT(kept, 0);
    EXPECT_GT(lost, 0);
  }
}

TEST(MemFileSystem, AKilledProcessLeavesWhatTheNextCrashCanTake) {
  Script script;
  for (const char* line :
       {"mkdir /d", "create /d/f", "append /d/f abc", "sync /d/f",
        "sync_dir /d", "append /d/f def", "create /d/g", "append /d/g ghi"}) {
    EXPECT_EQ("", script.Run(line));
  }
  CrashOptions killed;
  killed.stays_unsynced = true;
  const auto left = script.fs()->CrashClone(killed);
  EXPECT_EQ(Content(*script.fs()), Content(*left));
  EXPECT_EQ("/d/f: abc\n", Content(*left->CrashClone(CrashOptions())));
}

TEST(MemFileSystem, GarbageMayBeTheBytesOfAnUnlinkedFile) {
  Script script;
  const std::string old(600, 'o');
  for (const std::string& line :
       {std::string("create /old"), "append /old " + old,
        std::string("delete /old"), std::string("create /new"),
        "append /new " + std::string(600, 'n')}) {
    EXPECT_EQ("", script.Run(line));
  }
  CrashOptions options;
  options.data = CrashOptions::Data::kGarbage;
  options.stale_bytes = true;
  options.names = CrashOptions::Names::kAll;
  options.block_bytes = 512;
  std::set<std::string> first_blocks;
  for (options.seed = 0; options.seed < 50; ++options.seed) {
    script.fs()->CrashClone(options)->ForEachFile(
        [&](const std::string&, const std::string& content) {
          first_blocks.insert(content.substr(0, 512));
        });
  }
  EXPECT_TRUE(first_blocks.contains(std::string(512, 'n')));
  EXPECT_TRUE(first_blocks.contains(std::string(512, 'o')));
  EXPECT_GT(first_blocks.size(), 3u);  // Random bytes, halves.
}

TEST(MemFileSystem, MisalignedDirectRequestsAreRefused) {
  MemFileSystem fs;
  FileOptions options;
  options.use_direct_writes = true;
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs.NewWritableFile("/f", options, &file, nullptr).ok());
  alignas(4096) static char memory[8192];
  EXPECT_TRUE(
      file->PositionedAppend(Slice(memory, 4096), 0, IOOptions(), nullptr)
          .ok());
  EXPECT_FALSE(
      file->PositionedAppend(Slice(memory, 4095), 4096, IOOptions(), nullptr)
          .ok());
  EXPECT_FALSE(
      file->PositionedAppend(Slice(memory, 4096), 1, IOOptions(), nullptr)
          .ok());
  EXPECT_FALSE(file->PositionedAppend(Slice(memory + 1, 4096), 4096,
                                      IOOptions(), nullptr)
                   .ok());
}

TEST(MemFileSystem, ManyThreadsMayUseIt) {
  MemFileSystem fs;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&fs, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string path =
            "/" + std::to_string(t) + "." + std::to_string(i);
        EXPECT_TRUE(WriteStringToFile(&fs, path, path, true).ok());
        EXPECT_TRUE(fs.RenameFile(path, path + "x", IOOptions(), nullptr).ok());
        if (i % 10 == 0) fs.CrashClone(CrashOptions());
        std::string content;
        EXPECT_TRUE(ReadFileToString(&fs, path + "x", &content).ok());
        EXPECT_EQ(content, path);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The error-injecting file system

TEST(ErrorFileSystem, RulesChooseCallsAndErrors) {
  const auto run = [](const std::string& rule) {
    test::ErrorFileSystem fs(std::make_shared<MemFileSystem>());
    EXPECT_TRUE(fs.SetRule(rule).ok()) << rule;
    fs.Record(true);
    for (const char* path : {"/a.log", "/b.sst", "/c.sst"}) {
      (void)WriteStringToFile(&fs, "x", path, true);
    }
    return fs.TakeRecord();
  };
  EXPECT_EQ(run("(ErrInjected (And sync (PathMatch \"*.sst\")))"),
            "create a.log\nappend a.log 1\nsync a.log\nclose a.log\n"
            "create b.sst\nappend b.sst 1\nsync b.sst !\nclose b.sst\n"
            "delete b.sst\n"
            "create c.sst\nappend c.sst 1\nsync c.sst !\nclose c.sst\n"
            "delete c.sst\n");
  EXPECT_EQ(run("(ErrNoSpace (And Writes (OnIndex 4)))"),
            "create a.log\nappend a.log 1\nsync a.log\nclose a.log\n"
            "create b.sst !\n"
            "create c.sst\nappend c.sst 1\nsync c.sst\nclose c.sst\n");
  EXPECT_EQ(run("(ErrInjected (And create (Not (PathMatch \"b*\")) "
                "(FromIndex 1)))"),
            "create a.log\nappend a.log 1\nsync a.log\nclose a.log\n"
            "create b.sst\nappend b.sst 1\nsync b.sst\nclose b.sst\n"
            "create c.sst !\n");
}

TEST(ErrorFileSystem, ErrorsCarryTheirMarks) {
  test::ErrorFileSystem fs(std::make_shared<MemFileSystem>());
  const auto fail = [&fs](const std::string& error) {
    EXPECT_TRUE(fs.SetRule("(" + error + " Always)").ok());
    return fs.CreateDir("/d", IOOptions(), nullptr);
  };
  EXPECT_EQ(fail("ErrInjected").ToString(), "IO error: injected: mkdir d");
  EXPECT_FALSE(fail("ErrInjected").GetRetryable());
  EXPECT_TRUE(fail("ErrRetryable").GetRetryable());
  EXPECT_TRUE(fail("ErrNoSpace").IsNoSpace());
  EXPECT_EQ(fs.injected(), 1u);
  fs.ClearRule();
  EXPECT_TRUE(fs.CreateDir("/d", IOOptions(), nullptr).ok());
}

TEST(ErrorFileSystem, AMisspeltRuleIsRefusedWithItsPlace) {
  test::ErrorFileSystem fs(std::make_shared<MemFileSystem>());
  for (const char* rule :
       {"", "ErrInjected", "(ErrWrong Always)", "(ErrInjected Sometimes)",
        "(ErrInjected (And Writes)", "(ErrInjected (OnIndex x))",
        "(ErrInjected (PathMatch a))", "(ErrInjected Always) more"}) {
    const Status s = fs.SetRule(rule);
    EXPECT_TRUE(s.IsInvalidArgument()) << rule;
    EXPECT_NE(s.ToString().find("character"), std::string::npos) << rule;
  }
}

TEST(ErrorFileSystem, EachCallOfAScriptFailsOnce) {
  std::vector<std::string> outcomes;
  const uint64_t failures = test::ForEachFailingCall(
      test::FailurePlan(), [&](Env* env, test::ErrorFileSystem*, uint64_t) {
        const Status s = WriteStringToFile(env, "x", "/f", true);
        outcomes.push_back(s.ok() ? "ok" : "failed");
      });
  // create, append, sync, close; then one run without an error.
  EXPECT_EQ(failures, 4u);
  EXPECT_EQ(outcomes, (std::vector<std::string>{"failed", "failed", "failed",
                                                "failed", "ok"}));
}

// Crash exploration

// Replaces /d/CURRENT by a new content; with `careful` as one must.
void Replace(Env* env, const std::string& content, bool careful) {
  ASSERT_TRUE(WriteStringToFile(env, content, "/d/tmp", careful).ok());
  ASSERT_TRUE(env->RenameFile("/d/tmp", "/d/CURRENT").ok());
  std::unique_ptr<Directory> directory;
  ASSERT_TRUE(env->NewDirectory("/d", &directory).ok());
  ASSERT_TRUE(directory->Fsync().ok());
}

// The crash points at which a reader finds neither of the contents, or an
// older one than was promised.
std::vector<std::string> BrokenPoints(bool careful, uint64_t* states) {
  std::vector<std::string> broken;
  *states = test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        ASSERT_TRUE(env->CreateDir("/d").ok());
        Replace(env, "old content", careful);
        script->Reached(1);
        Replace(env, "new content", careful);
        script->Reached(2);
      },
      [&](const test::CrashPoint& point, Env* env) {
        std::string content;
        const Status s = ReadFileToString(env, "/d/CURRENT", &content);
        const bool is_old = content == "old content";
        const bool is_new = content == "new content";
        const bool good = point.reached == 0   ? !s.ok() || is_old
                          : point.reached == 1 ? is_old || is_new
                                               : is_new;
        if (!good) broken.push_back(point.ToString());
      });
  return broken;
}

TEST(CrashExploration, ReplacingByRenameIsSafeOnlyWithASyncBefore) {
  uint64_t states = 0;
  EXPECT_EQ(BrokenPoints(/*careful=*/true, &states),
            std::vector<std::string>());
  EXPECT_GT(states, 10u);
  const std::vector<std::string> broken =
      BrokenPoints(/*careful=*/false, &states);
  ASSERT_FALSE(broken.empty());
  EXPECT_NE(broken.back().find("milestone 2"), std::string::npos)
      << broken.back();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
