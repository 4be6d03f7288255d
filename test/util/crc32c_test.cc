#include "util/crc32c.h"

#include <gtest/gtest.h>

#include <string>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine::crc32c {
namespace {

std::string RandomBytes(size_t size, uint64_t seed) {
  Random64 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.Next32());
  return bytes;
}

TEST(Crc32c, AgreesWithTheVectorsOfRfc3720) {
  EXPECT_EQ(0xe3069283u, Value("123456789", 9));

  std::string bytes(32, '\0');
  EXPECT_EQ(0x8a9136aau, Value(bytes.data(), bytes.size()));
  bytes.assign(32, '\xff');
  EXPECT_EQ(0x62a8ab43u, Value(bytes.data(), bytes.size()));
  for (size_t i = 0; i < 32; i++) bytes[i] = static_cast<char>(i);
  EXPECT_EQ(0x46dd794eu, Value(bytes.data(), bytes.size()));
  for (size_t i = 0; i < 32; i++) bytes[i] = static_cast<char>(31 - i);
  EXPECT_EQ(0x113fdb5cu, Value(bytes.data(), bytes.size()));

  const unsigned char iscsi_read[48] = {
      0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
      0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  };
  EXPECT_EQ(0xd9963a56u, Value(reinterpret_cast<const char*>(iscsi_read),
                               sizeof(iscsi_read)));
}

TEST(Crc32c, ThePortableKernelKnowsTheCheckValueToo) {
  EXPECT_EQ(0xe3069283u, ExtendPortable(0, "123456789", 9));
}

// Every length up to several stripes and every alignment.
TEST(Crc32c, TheChosenKernelAgreesWithThePortableOne) {
  SCOPED_TRACE(KernelName());
  const std::string bytes = RandomBytes(20000, 17);
  for (size_t size = 0; size < 700; size++) {
    const size_t offset = size % 9;
    ASSERT_EQ(ExtendPortable(7, bytes.data() + offset, size),
              Extend(7, bytes.data() + offset, size))
        << size;
  }
  for (size_t size = 700; size < bytes.size(); size += 311) {
    ASSERT_EQ(ExtendPortable(0, bytes.data(), size), Value(bytes.data(), size))
        << size;
  }
}

TEST(Crc32c, ExtendingContinuesWhereTheFirstPartEnded) {
  const std::string bytes = RandomBytes(5000, 3);
  const uint32_t whole = Value(bytes.data(), bytes.size());
  for (size_t cut = 0; cut <= bytes.size(); cut += 97) {
    const uint32_t first = Value(bytes.data(), cut);
    const char* const rest = bytes.data() + cut;
    EXPECT_EQ(whole, Extend(first, rest, bytes.size() - cut));
    EXPECT_EQ(whole, Combine(first, Value(rest, bytes.size() - cut),
                             bytes.size() - cut));
  }
}

TEST(Crc32c, MaskIsInvertedByUnmaskOnly) {
  const uint32_t crc = Value("foo", 3);
  EXPECT_NE(crc, Mask(crc));
  EXPECT_NE(crc, Mask(Mask(crc)));
  EXPECT_EQ(crc, Unmask(Mask(crc)));
  EXPECT_EQ(crc, Unmask(Unmask(Mask(Mask(crc)))));
  EXPECT_EQ(0xa282ead8u, Mask(0));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine::crc32c
