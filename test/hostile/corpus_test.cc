// Inputs that found bugs once, and the good inputs of every target.

#include <gtest/gtest.h>

#include <filesystem>

#include "test/stress/hostile/worker.h"
#include "test/support/golden.h"

namespace ROCKSDB_NAMESPACE::hostile {
namespace {

const std::filesystem::path kCorpus = "test/stress/hostile/corpus";

void Fail(const char* what) { ADD_FAILURE() << what; }

TEST(HostileCorpus, EveryInputIsAnsweredInOrder) {
  SetRequireHandler(&Fail);
  size_t replayed = 0;
  for (const Target& target : AllTargets()) {
    std::error_code error;
    for (const auto& file :
         std::filesystem::directory_iterator(kCorpus / target.name, error)) {
      SCOPED_TRACE(file.path().string());
      RunInput(target, test::ReadWholeFile(file.path()));
      ++replayed;
    }
  }
  size_t files = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(kCorpus)) {
    files += file.is_regular_file() && file.path().extension() != ".md";
  }
  EXPECT_EQ(files, replayed) << "a folder of no target's name";
}

TEST(HostileCorpus, EveryTargetHasGoodInputs) {
  SetRequireHandler(&Fail);
  for (const Target& target : AllTargets()) {
    SCOPED_TRACE(target.name);
    const auto seeds = target.seeds();
    EXPECT_FALSE(seeds.empty());
    for (const std::string& seed : seeds) RunInput(target, seed);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::hostile
