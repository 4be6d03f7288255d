#include "test/hostile/allocations.h"

#include <gtest/gtest.h>

#include <memory>

namespace ROCKSDB_NAMESPACE::test {

TEST(AllocationWatch, SeesTheLargestRequest) {
  const AllocationWatch watch;
  const auto small = std::make_unique<char[]>(1000);
  const auto large = std::make_unique<char[]>(200000);
  const auto last = std::make_unique<char[]>(10);
  EXPECT_NE(nullptr, small);
  EXPECT_NE(nullptr, last);
  EXPECT_EQ(200000u, watch.LargestBytes());
}

}  // namespace ROCKSDB_NAMESPACE::test
