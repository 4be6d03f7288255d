// What a key may hold, with and without a compaction filter.

#include "test/stress/model_checker/content.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "test/stress/model_checker/run_filter.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Base = KeyState::Base;
using Found = std::optional<std::string>;

constexpr uint64_t kPlain = kIdsPerSlot + 2;
constexpr uint64_t kFiltered = kIdsPerSlot + kFilteredIds + 3;
constexpr uint64_t kSkipped = kIdsPerSlot + kSkippedIds + 5;

KeyState Put(uint32_t generation) {
  return {.generation = generation, .merges = 0, .base = Base::kPut};
}

bool Allows(uint64_t id, const KeyState& state, const Found& found) {
  return Judge(id, state.Pack(), state.Pack(), found).empty();
}

TEST(Content, OfOneStateIsThatStateAlone) {
  for (uint32_t generation = 1; generation <= 10; ++generation) {
    const KeyState state = Put(generation);
    EXPECT_TRUE(Allows(kPlain, state, BaseValue(kPlain, generation)));
    EXPECT_FALSE(Allows(kPlain, state, std::nullopt));
    EXPECT_FALSE(Allows(kPlain, state, ChangedValue(kPlain, generation)));
    EXPECT_FALSE(Allows(kPlain, state, BaseValue(kPlain, generation + 1)));
  }
}

TEST(Content, MayBeFilteredWhereTheFilterFilters) {
  for (uint32_t generation = 1; generation <= 10; ++generation) {
    const KeyState state = Put(generation);
    const Fate fate = FateOf(kFiltered, state);
    EXPECT_TRUE(Allows(kFiltered, state, BaseValue(kFiltered, generation)));
    EXPECT_EQ(fate == Fate::kIsRemoved, Allows(kFiltered, state, std::nullopt));
    EXPECT_EQ(fate == Fate::kIsChanged,
              Allows(kFiltered, state, ChangedValue(kFiltered, generation)));
    EXPECT_FALSE(
        Allows(kFiltered, state, BaseValue(kFiltered, generation - 1)));
  }
}

TEST(Content, MayBeOlderWhereTheFilterSkips) {
  const KeyState state = Put(6);
  EXPECT_TRUE(Allows(kSkipped, state, std::nullopt));
  EXPECT_TRUE(Allows(kSkipped, state, BaseValue(kSkipped, 6)));
  EXPECT_TRUE(Allows(kSkipped, state, BaseValue(kSkipped, 2)));
  EXPECT_FALSE(Allows(kSkipped, state, BaseValue(kSkipped, 7)));
  EXPECT_FALSE(Allows(kSkipped, state, BaseValue(kFiltered, 6)));
}

TEST(Content, StaysFilteredUntilItIsWritten) {
  const Found removed = BaseValue(kFiltered, 5);
  const Found before = BaseValue(kFiltered, 6);
  const Found changed = ChangedValue(kFiltered, 6);
  EXPECT_TRUE(MayBecome(kFiltered, removed, std::nullopt));
  EXPECT_FALSE(MayBecome(kFiltered, std::nullopt, removed));
  EXPECT_TRUE(MayBecome(kFiltered, before, changed));
  EXPECT_FALSE(MayBecome(kFiltered, changed, before));
  EXPECT_FALSE(MayBecome(kFiltered, before, std::nullopt));
  EXPECT_FALSE(MayBecome(kPlain, BaseValue(kPlain, 5), std::nullopt));
}

TEST(Content, TakesMergesOnlyWhereTheFilterLeavesThem) {
  EXPECT_TRUE(TakesMerges(kPlain, Put(5)));
  EXPECT_FALSE(TakesMerges(kFiltered, Put(5)));
  EXPECT_FALSE(TakesMerges(kFiltered, Put(6)));
  EXPECT_TRUE(TakesMerges(kFiltered, Put(7)));
  EXPECT_TRUE(TakesMerges(kFiltered, {.generation = 5}));
  EXPECT_FALSE(TakesMerges(kSkipped, Put(7)));
}

// What the filter makes of a value is what the model allows, and it lets that
// be.
TEST(RunFilter, DoesWhatTheModelAllows) {
  using Decision = CompactionFilter::Decision;
  const RunFilter filter(/*stamped=*/false);
  for (const uint64_t id : {kPlain, kFiltered, uint64_t{3}}) {
    for (uint32_t generation = 1; generation <= 20; ++generation) {
      Found left = BaseValue(id, generation);
      for (int times = 0; times < 2 && left; ++times) {
        const Slice value(*left);
        std::string new_value;
        std::string skip_until;
        std::vector<std::pair<std::string, std::string>> columns;
        const Decision decision =
            filter.FilterV3(0, "key", CompactionFilter::ValueType::kValue,
                            &value, nullptr, &new_value, &columns, &skip_until);
        if (decision == Decision::kChangeValue) left = new_value;
        if (decision == Decision::kChangeWideColumnEntity) {
          ASSERT_EQ(2u, columns.size());
          left = columns[1].second;
        }
        if (decision == Decision::kRemove || decision == Decision::kPurge) {
          left.reset();
        }
        EXPECT_TRUE(times == 0 || decision == Decision::kKeep);
        EXPECT_TRUE(Allows(id, Put(generation), left)) << id;
      }
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress::checker
