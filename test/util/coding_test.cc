#include "util/coding.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Around every place where the encoded length changes, and random ones.
std::vector<uint64_t> InterestingNumbers() {
  std::vector<uint64_t> numbers = {0, 1, std::numeric_limits<uint64_t>::max()};
  for (int shift = 1; shift < 64; shift++) {
    for (int delta = -1; delta <= 1; delta++) {
      numbers.push_back((uint64_t{1} << shift) + static_cast<uint64_t>(delta));
    }
  }
  Random64 random(301);
  for (int i = 0; i < 1000; i++) {
    numbers.push_back(random.Next() >> random.Uniform(64));
  }
  return numbers;
}

TEST(Coding, FixedIntegersAreLittleEndian) {
  std::string bytes;
  PutFixed16(&bytes, 0x0201);
  PutFixed32(&bytes, 0x06050403);
  PutFixed64(&bytes, 0x0e0d0c0b0a090807ull);
  for (size_t i = 0; i < bytes.size(); i++) {
    EXPECT_EQ(static_cast<char>(i + 1), bytes[i]);
  }

  Slice input(bytes);
  uint16_t a = 0;
  uint32_t b = 0;
  uint64_t c = 0;
  ASSERT_TRUE(GetFixed16(&input, &a));
  ASSERT_TRUE(GetFixed32(&input, &b));
  ASSERT_TRUE(GetFixed64(&input, &c));
  EXPECT_EQ(0x0201, a);
  EXPECT_EQ(0x06050403u, b);
  EXPECT_EQ(0x0e0d0c0b0a090807ull, c);
  EXPECT_FALSE(GetFixed16(&input, &a));
}

TEST(Coding, VarintsHaveTheBytesOfTheFormat) {
  const auto encode = [](uint64_t v) {
    std::string bytes;
    PutVarint64(&bytes, v);
    return Slice(bytes).ToString(/*hex=*/true);
  };
  EXPECT_EQ("00", encode(0));
  EXPECT_EQ("7F", encode(127));
  EXPECT_EQ("8001", encode(128));
  EXPECT_EQ("AC02", encode(300));
  EXPECT_EQ("FFFFFFFF0F", encode(0xffffffffu));
  EXPECT_EQ("FFFFFFFFFFFFFFFFFF01", encode(~uint64_t{0}));
}

TEST(Coding, VarintsComeBackAndHaveTheirLength) {
  for (const uint64_t number : InterestingNumbers()) {
    std::string bytes;
    PutVarint64(&bytes, number);
    EXPECT_EQ(bytes.size(), static_cast<size_t>(VarintLength(number)));
    Slice input(bytes);
    uint64_t decoded = ~number;
    ASSERT_TRUE(GetVarint64(&input, &decoded));
    EXPECT_EQ(number, decoded);
    EXPECT_TRUE(input.empty());

    const uint32_t number32 = static_cast<uint32_t>(number);
    std::string bytes32;
    PutVarint32(&bytes32, number32);
    std::string as64;
    PutVarint64(&as64, number32);
    EXPECT_EQ(as64, bytes32);
    Slice input32(bytes32);
    uint32_t decoded32 = ~number32;
    ASSERT_TRUE(GetVarint32(&input32, &decoded32));
    EXPECT_EQ(number32, decoded32);
  }
}

TEST(Coding, EveryTruncatedVarintIsRefusedAndLeavesItsInput) {
  for (const uint64_t number : InterestingNumbers()) {
    std::string bytes;
    PutVarint64(&bytes, number);
    for (size_t size = 0; size < bytes.size(); size++) {
      Slice input(bytes.data(), size);
      uint64_t v = 0;
      EXPECT_FALSE(GetVarint64(&input, &v));
      EXPECT_EQ(size, input.size());
    }
  }
}

TEST(Coding, VarintsTooWideForTheirTypeAreRefused) {
  uint32_t v32 = 0;
  uint64_t v64 = 0;
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff\x1f"),
        std::string("\x80\x80\x80\x80\x10"),
        std::string("\x80\x80\x80\x80\x80\x00", 6)}) {
    Slice input(bytes);
    EXPECT_FALSE(GetVarint32(&input, &v32)) << input.ToString(true);
  }
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
        std::string("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")}) {
    Slice input(bytes);
    EXPECT_FALSE(GetVarint64(&input, &v64)) << input.ToString(true);
  }
}

TEST(Coding, ZigzagKeepsSmallMagnitudesShort) {
  EXPECT_EQ(0u, ZigzagEncode(0));
  EXPECT_EQ(1u, ZigzagEncode(-1));
  EXPECT_EQ(2u, ZigzagEncode(1));
  for (const uint64_t number : InterestingNumbers()) {
    const int64_t v = static_cast<int64_t>(number);
    EXPECT_EQ(v, ZigzagDecode(ZigzagEncode(v)));
    std::string bytes;
    PutVarsignedint64(&bytes, v);
    Slice input(bytes);
    int64_t decoded = 0;
    ASSERT_TRUE(GetVarsignedint64(&input, &decoded));
    EXPECT_EQ(v, decoded);
  }
}

TEST(Coding, LengthPrefixedStringsComeBack) {
  std::string bytes;
  const std::vector<std::string> strings = {"", "foo", std::string(300, 'x'),
                                            std::string("\0\0", 2)};
  for (const std::string& s : strings) PutLengthPrefixedSlice(&bytes, s);
  Slice input(bytes);
  for (const std::string& s : strings) {
    Slice decoded;
    ASSERT_TRUE(GetLengthPrefixedSlice(&input, &decoded));
    EXPECT_EQ(s, decoded.ToString());
  }
  EXPECT_TRUE(input.empty());
  EXPECT_EQ("foo", GetLengthPrefixedSlice(bytes.data() + 1).ToString());
}

TEST(Coding, AStringLongerThanItsInputIsRefused) {
  std::string bytes;
  PutLengthPrefixedSlice(&bytes, "hello");
  for (size_t size = 0; size < bytes.size(); size++) {
    Slice input(bytes.data(), size);
    Slice decoded;
    EXPECT_FALSE(GetLengthPrefixedSlice(&input, &decoded));
    EXPECT_EQ(size, input.size());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
