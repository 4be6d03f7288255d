#include "util/fixed_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

struct Counted {
  explicit Counted(int* count) : alive(count) { ++*alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive; }
  int* const alive;
};

TEST(FixedVector, MakesAndEndsOnlyWhatIsUsed) {
  int alive = 0;
  {
    FixedVector<Counted, 8> three;
    for (size_t n = 1; n <= 3; ++n) {
      EXPECT_EQ(&alive, three.emplace_back(&alive).alive);
      EXPECT_EQ(n, three.size());
      EXPECT_EQ(static_cast<int>(n), alive);
    }
  }
  EXPECT_EQ(0, alive);
}

TEST(FixedVector, GrowsByDefaultsAndKeepsWhatItHas) {
  FixedVector<std::string, 4> texts;
  const std::string first(100, 'x');
  texts.emplace_back(first);
  texts.grow_to(4);
  EXPECT_EQ(4u, texts.size());
  EXPECT_EQ(first, texts[0]);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ("", texts[i]);
  FixedVector<uint64_t, 64> numbers;
  numbers.grow_to(64);
  for (const uint64_t number : numbers) EXPECT_EQ(0u, number);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
