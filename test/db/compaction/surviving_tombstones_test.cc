// What a flush or compaction writes of its inputs' range deletions: file by
// file and snapshot by snapshot no visible entry is lost, and nothing is
// written twice.

#include "db/compaction/surviving_tombstones.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Options = SurvivingTombstones::Options;

const InternalKeyComparator& Icmp() {
  static const InternalKeyComparator icmp(BytewiseComparator());
  return icmp;
}

// "a-c@5 a-c@2 c-f@5"
std::string Text(const std::vector<RangeTombstone>& tombstones) {
  std::string text;
  for (const RangeTombstone& t : tombstones) {
    if (!text.empty()) text += ' ';
    text += t.begin.ToString() + "-" + t.end.ToString() + "@" +
            std::to_string(t.sequence);
  }
  return text;
}

std::string Between(const TombstoneSet& set, Options options,
                    const char* low = nullptr, const char* high = nullptr) {
  const Slice from = low == nullptr ? Slice() : Slice(low);
  const Slice to = high == nullptr ? Slice() : Slice(high);
  const SurvivingTombstones surviving(&set, std::move(options));
  return Text(surviving.Between(low == nullptr ? nullptr : &from,
                                high == nullptr ? nullptr : &to));
}

TEST(SurvivingTombstones, WithoutSnapshotsOnlyTheNewestOfEachFragmentIsKept) {
  const TombstoneSet set(&Icmp(),
                         {{"a", "f", 5}, {"c", "h", 3}, {"d", "e", 9}});
  EXPECT_EQ("a-d@5 d-e@9 e-f@5 f-h@3", Between(set, {}));
}

TEST(SurvivingTombstones, SnapshotsKeepWhatTheySee) {
  const TombstoneSet set(&Icmp(),
                         {{"a", "f", 5}, {"c", "h", 3}, {"d", "e", 9}});
  Options options;
  options.snapshots = {4, 7};
  EXPECT_EQ("a-c@5 c-d@5 c-d@3 d-e@9 d-e@5 d-e@3 e-f@5 e-f@3 f-h@3",
            Between(set, options));
  options.snapshots = {5};
  EXPECT_EQ("a-d@5 d-e@9 d-e@5 e-f@5 f-h@3", Between(set, options));
}

TEST(SurvivingTombstones, EachFileGetsThePartWithinItsBounds) {
  const TombstoneSet set(&Icmp(), {{"b", "y", 7}, {"k", "m", 4}});
  Options options;
  options.snapshots = {5};
  EXPECT_EQ("b-c@7", Between(set, options, nullptr, "c"));
  EXPECT_EQ("c-k@7 k-l@7 k-l@4", Between(set, options, "c", "l"));
  EXPECT_EQ("l-m@7 l-m@4 m-y@7", Between(set, options, "l"));
  EXPECT_EQ("", Between(set, options, "y"));
  EXPECT_EQ("", Between(set, options, nullptr, "b"));
  EXPECT_EQ("", Between(set, options, "z", "zz"));
}

TEST(SurvivingTombstones, GoWhereNothingBelowIsLeftToDelete) {
  const TombstoneSet set(&Icmp(),
                         {{"a", "f", 5}, {"f", "k", 3}, {"f", "k", 8}});
  Options options;
  options.may_exist_below = [](const Slice& begin, const Slice&) {
    return begin.compare("f") < 0;
  };
  EXPECT_EQ("a-f@5", Between(set, options));
  // A snapshot that does not see them yet still sees what they cover.
  options.snapshots = {6};
  EXPECT_EQ("a-f@5 f-k@8", Between(set, options));
  options.snapshots = {2};
  EXPECT_EQ("a-f@5 f-k@8", Between(set, options));
  options.snapshots = {9};
  EXPECT_EQ("a-f@5", Between(set, options));
}

// Those of an ingested file have one sequence. What is there twice is written
// once.
TEST(SurvivingTombstones, TimestampsOfOneSequenceAreKeptApart) {
  const Comparator* const order = BytewiseComparatorWithU64Ts();
  const InternalKeyComparator icmp(order);
  const std::string most = order->GetMaxTimestamp().ToString();
  const std::string d = "d" + most, e = "e" + most, g = "g" + most;
  const std::string early(8, '\0');
  const std::string late = std::string(1, '\x05') + std::string(7, '\0');
  const TombstoneSet set(
      &icmp,
      {{d, e, 7, late}, {d, g, 7, early}, {d, e, 7, early}, {d, e, 3, early}});
  const SurvivingTombstones surviving(&set, {});
  std::string text;
  for (const RangeTombstone& t : surviving.Between(nullptr, nullptr)) {
    text += t.begin[0] + std::string("-") + t.end[0] + "@" +
            std::to_string(t.sequence) + (t.timestamp == early ? "e " : "l ");
  }
  EXPECT_EQ("d-e@7e d-e@7l d-e@3e e-g@7e ", text);
}

TEST(SurvivingTombstones, NeighboursWithTheSameSequencesBecomeOne) {
  const TombstoneSet set(&Icmp(),
                         {{"a", "m", 9}, {"c", "d", 2}, {"f", "g", 1}});
  EXPECT_EQ("a-m@9", Between(set, {}));
}

TEST(StripeOf, IsTheOldestSnapshotThatSees) {
  EXPECT_EQ(kSequenceMax, StripeOf({}, 5));
  EXPECT_EQ(4u, StripeOf({4, 7}, 4));
  EXPECT_EQ(7u, StripeOf({4, 7}, 5));
  EXPECT_EQ(kSequenceMax, StripeOf({4, 7}, 8));
}

TEST(SurvivingTombstones, ObsoleteOnesAreCountedByFragment) {
  const TombstoneSet set(&Icmp(), {{"a", "f", 5}, {"c", "h", 3}});
  Options options;
  EXPECT_EQ(0u, SurvivingTombstones(&set, options).CountObsolete());
  options.may_exist_below = [](const Slice& begin, const Slice&) {
    return begin == "a";
  };
  // a-c stays; c-f and f-h go.
  EXPECT_EQ(2u, SurvivingTombstones(&set, options).CountObsolete());
  options.snapshots = {2};
  EXPECT_EQ(0u, SurvivingTombstones(&set, options).CountObsolete());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
