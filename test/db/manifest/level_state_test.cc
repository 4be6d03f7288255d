// The shape of the tree and what it asks for: one picture per case.

#include "db/manifest/level_state.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "db/manifest/version_builder.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kMiB = 1 << 20;

// Bytes as MiB, "-" for no limit.
std::string MiB(uint64_t bytes) {
  if (bytes == UINT64_MAX) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "%g",
                static_cast<double>(bytes) / static_cast<double>(kMiB));
  return text;
}

// One input line per level: "L<n> <files>x<MiB> [busy=<files>]".
class Tree {
 public:
  explicit Tree(int num_levels) : levels_(static_cast<size_t>(num_levels)) {}

  void AddLine(const std::string& line) {
    int level = 0;
    int files = 0;
    double mib = 0;
    int busy = 0;
    std::sscanf(line.c_str(), "L%d %dx%lf busy=%d", &level, &files, &mib,
                &busy);
    for (int i = 0; i < files; ++i) {
      FileFacts f;
      f.number = ++number_;
      f.size = static_cast<uint64_t>(mib * static_cast<double>(kMiB));
      char key[16];
      std::snprintf(key, sizeof(key), "%06d", i);
      f.smallest = InternalKey(std::string(key) + "a", 5, ValueType::kValue);
      f.largest = InternalKey(std::string(key) + "z", 5, ValueType::kValue);
      auto file = std::make_shared<FileMetaData>(std::move(f));
      file->being_compacted = i < busy;
      levels_[static_cast<size_t>(level)].push_back(std::move(file));
    }
  }
  Version Build() {
    std::vector<LevelFilesPtr> levels;
    for (std::vector<FilePtr>& files : levels_) {
      levels.push_back(std::make_shared<LevelFiles>(std::move(files)));
    }
    return Version(&icmp_, std::move(levels), 1);
  }

 private:
  const InternalKeyComparator icmp_{BytewiseComparator()};
  uint64_t number_ = 0;
  std::vector<std::vector<FilePtr>> levels_;
};

LevelStateInputs Inputs(const test::Case& c) {
  LevelStateInputs inputs;
  LevelOptions& o = inputs.options;
  o.num_levels = static_cast<int>(c.Uint("levels", 7));
  o.level0_file_num_compaction_trigger = static_cast<int>(c.Uint("trigger", 4));
  o.dynamic_level_bytes = c.Uint("dynamic", 1) != 0;
  o.max_bytes_for_level_base = c.Uint("base", 100) * kMiB;
  o.max_bytes_for_level_multiplier =
      static_cast<double>(c.Uint("multiplier", 10));
  if (c.Uint("universal", 0) != 0) o.style = kCompactionStyleUniversal;
  return inputs;
}

std::string State(const test::Case& c) {
  const LevelStateInputs inputs = Inputs(c);
  Tree tree(inputs.options.num_levels);
  for (const std::string& line : c.input) tree.AddLine(line);
  const Version version = tree.Build();
  const LevelState s = ComputeLevelState(version, inputs);
  std::ostringstream out;
  out << "base " << s.base_level << " unnecessary "
      << s.lowest_unnecessary_level << " targets";
  for (const uint64_t target : s.target_bytes) out << " " << MiB(target);
  out << "\nscores";
  for (const LevelScore& score : s.scores) {
    if (score.score == 0) continue;
    char text[64];
    std::snprintf(text, sizeof(text), " L%d=%.3f", score.level, score.score);
    out << text;
  }
  out << "\npending " << MiB(s.pending_compaction_bytes) << " foreseen "
      << MiB(s.foreseen_compaction_bytes) << " runs " << s.sorted_runs
      << " stall " << s.l0_stall_count << "\n";
  return out.str();
}

TEST(LevelState, DataDriven) {
  for (const std::string& failure :
       test::RunDataDriven("test/db/manifest/testdata/level_state",
                           [](const test::Case& c) { return State(c); })) {
    ADD_FAILURE() << failure;
  }
}

// Upwards from 2^62 bytes, in steps of 1000, nothing small comes of wrapping.
TEST(LevelTargets, OfAMultiplierBelowOneStayLarge) {
  LevelOptions options;
  options.max_bytes_for_level_multiplier = 0.001;
  const LevelTargets targets =
      ComputeLevelTargets({0, 1, 0, 0, 0, 0, uint64_t{1} << 62}, options);
  EXPECT_EQ(-1, targets.lowest_unnecessary_level);
  EXPECT_EQ(1, targets.base_level);
}

FilePtr File(uint64_t number, const std::string& smallest,
             const std::string& largest, SequenceNumber low,
             SequenceNumber high) {
  FileFacts f;
  f.number = number;
  f.size = 1000 * number;
  f.smallest = InternalKey(smallest, high, ValueType::kValue);
  f.largest = InternalKey(largest, low, ValueType::kValue);
  f.smallest_sequence = low;
  f.largest_sequence = high;
  return std::make_shared<FileMetaData>(std::move(f));
}

class VersionTest : public testing::Test {
 protected:
  VersionTest() : empty_(&icmp_, std::vector<LevelFilesPtr>(4), 1) {}

  std::shared_ptr<Version> Build(const VersionEdit& edit) {
    VersionBuilder builder(&empty_, 4, true);
    EXPECT_TRUE(builder.Apply(edit).ok());
    auto built = builder.Build(2);
    EXPECT_TRUE(built.ok()) << built.status().ToString();
    return built->version;
  }
  static std::string Numbers(const std::vector<FilePtr>& files) {
    std::string text;
    for (const FilePtr& f : files) {
      text += (text.empty() ? "" : " ") + std::to_string(f->number);
    }
    return text;
  }

  const InternalKeyComparator icmp_{BytewiseComparator()};
  const Version empty_;
};

TEST_F(VersionTest, LevelZeroIsNewestFirstAndOverlapsGrow) {
  VersionEdit edit;
  edit.AddFile(0, File(1, "a", "c", 1, 3));
  edit.AddFile(0, File(2, "b", "f", 4, 6));
  edit.AddFile(0, File(3, "x", "z", 7, 9));
  edit.AddFile(0, File(4, "e", "h", 10, 11));
  const auto v = Build(edit);
  EXPECT_EQ(Numbers(v->files(0)), "4 3 2 1");
  const Slice begin = "a";
  const Slice end = "b";
  // File 2 pulls file 4 in; file 3 overlaps no other file.
  EXPECT_EQ(Numbers(v->OverlappingFiles(0, &begin, &end)), "4 2 1");
  EXPECT_EQ(Numbers(v->FilesTouching(0, &begin, &end)), "2 1");
  EXPECT_EQ(Numbers(v->OverlappingFiles(0, nullptr, nullptr)), "4 3 2 1");
}

TEST_F(VersionTest, SortedLevelsFindByKeyAlsoWithEqualPrefixes) {
  VersionEdit edit;
  // All prefixes of 8 bytes are equal for the files 11 to 13.
  edit.AddFile(1, File(10, "a", "b", 1, 2));
  edit.AddFile(1, File(11, "prefix--1", "prefix--2", 3, 4));
  edit.AddFile(1, File(12, "prefix--3", "prefix--4", 5, 6));
  edit.AddFile(1, File(13, "prefix--5", "prefix--6", 7, 8));
  edit.AddFile(1, File(14, "q", "r", 9, 10));
  const auto v = Build(edit);
  const LevelFiles& level = v->level(1);
  const std::pair<const char*, size_t> kCases[] = {
      {"", 0},          {"a", 0},          {"b", 0},          {"c", 1},
      {"prefix--", 1},  {"prefix--2", 1},  {"prefix--20", 2}, {"prefix--4", 2},
      {"prefix--5", 3}, {"prefix--61", 4}, {"q", 4},          {"r", 4},
      {"s", 5}};
  for (const auto& [key, expected] : kCases) {
    EXPECT_EQ(level.FindUserKey(icmp_, key), expected) << key;
    const InternalKey seek(key, kSequenceMax, kTypeForSeek);
    EXPECT_EQ(level.Find(icmp_, seek.Encode()), expected) << key;
  }
  const Slice begin = "prefix--4";
  const Slice end = "q";
  EXPECT_EQ(Numbers(v->OverlappingFiles(1, &begin, &end)), "12 13 14");
  const Slice gap = "prefix--45";
  EXPECT_FALSE(v->KeyRangeOverlapsLevel(1, &gap, &gap));
  EXPECT_TRUE(v->RangeOverlapsBelow(0, "prefix--45", "prefix--5"));
  EXPECT_FALSE(v->RangeOverlapsBelow(1, "a", "z"));
}

TEST_F(VersionTest, ACleanCutNeverSplitsAUserKey) {
  VersionEdit edit;
  edit.AddFile(1, File(1, "a", "c", 90, 99));
  edit.AddFile(1, File(2, "c", "c", 50, 60));
  edit.AddFile(1, File(3, "c", "f", 10, 20));
  // A sentinel boundary is exclusive.
  FilePtr sentinel = File(4, "g", "k", 30, 40);
  sentinel->largest = InternalKey("k", kSequenceMax, ValueType::kRangeDeletion);
  edit.AddFile(1, sentinel);
  edit.AddFile(1, File(5, "k", "m", 1, 2));
  const auto v = Build(edit);
  std::vector<FilePtr> inputs = {v->files(1)[1]};
  v->ExpandToCleanCut(1, &inputs);
  EXPECT_EQ(Numbers(inputs), "1 2 3");
  inputs = {v->files(1)[3]};
  v->ExpandToCleanCut(1, &inputs);
  EXPECT_EQ(Numbers(inputs), "4");
}

TEST_F(VersionTest, UntouchedLevelsAreShared) {
  VersionEdit first;
  first.AddFile(1, File(1, "a", "c", 1, 2));
  first.AddFile(2, File(2, "a", "c", 1, 2));
  const auto v1 = Build(first);
  VersionBuilder builder(v1.get(), 4, true);
  VersionEdit second;
  second.AddFile(1, File(3, "d", "e", 3, 4));
  ASSERT_TRUE(builder.Apply(second).ok());
  const auto v2 = builder.Build(3);
  ASSERT_TRUE(v2.ok());
  EXPECT_EQ(v2->version->shared_level(2), v1->shared_level(2));
  EXPECT_NE(v2->version->shared_level(1), v1->shared_level(1));
  EXPECT_EQ(v2->added.size(), 1u);
}

TEST_F(VersionTest, LiveDataIsNotCountedTwice) {
  VersionEdit edit;
  edit.AddFile(0, File(1, "a", "m", 9, 10));  // 1000 bytes, over file 3.
  edit.AddFile(1, File(2, "x", "z", 5, 6));   // 2000, alone.
  edit.AddFile(2, File(3, "b", "k", 1, 2));   // 3000.
  EXPECT_EQ(Build(edit)->EstimateLiveDataSize(), 5000u);
}

TEST_F(VersionTest, FilesOfOneEpochMustNotOverlap) {
  for (const bool overlap : {false, true}) {
    VersionBuilder builder(&empty_, 4, true);
    VersionEdit edit;
    FilePtr a = File(1, "a", "m", 1, 2);
    FilePtr b = File(2, overlap ? "m" : "n", "z", 3, 4);
    a->epoch = 7;
    b->epoch = 7;
    edit.AddFile(0, a);
    edit.AddFile(0, b);
    ASSERT_TRUE(builder.Apply(edit).ok());
    EXPECT_EQ(builder.Build(2).ok(), !overlap);
  }
}

TEST_F(VersionTest, DeletionsCountForTheBytesTheyFree) {
  FilePtr f = File(1, "a", "b", 1, 2);
  EXPECT_EQ(f->CompensatedSize(), 1000u);
  f->num_entries = 10;
  f->num_deletions = 4;
  f->SetCompensatedSize(100);
  EXPECT_EQ(f->CompensatedSize(), 1000u);
  f->num_deletions = 8;
  f->SetCompensatedSize(100);
  EXPECT_EQ(f->CompensatedSize(), 1000u + (16 - 10) * 100 * 2);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
