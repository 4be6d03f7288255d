#include "util/compression/compression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr CompressionType kCodecs[] = {kSnappyCompression, kZlibCompression,
                                       kBZip2Compression,  kLZ4Compression,
                                       kLZ4HCCompression,  kZSTD};

// Bytes that compress to about half.
std::string Text(size_t size, uint64_t seed) {
  Random64 random(seed);
  std::string text;
  while (text.size() < size) {
    text.append(1 + random.Uniform(12),
                static_cast<char>('a' + random.Uniform(20)));
  }
  text.resize(size);
  return text;
}

class CompressionTest : public testing::TestWithParam<CompressionType> {
 protected:
  void SetUp() override {
    if (!CompressionTypeSupported(GetParam())) GTEST_SKIP() << "not linked";
  }

  std::string CompressOk(
      const Slice& in, uint32_t format, const CompressionDict* dict = nullptr,
      int level = CompressionOptions::kDefaultCompressionLevel) {
    CompressionOptions options;
    options.level = level;
    CompressRequest request;
    request.type = GetParam();
    request.options = &options;
    request.format = format;
    request.dict = dict;
    std::string out;
    const Status status = Compress(request, in, &out);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return out;
  }

  Result<UncompressedBlock> Inflate(const Slice& in, uint32_t format,
                                    const UncompressionDict* dict = nullptr,
                                    size_t size_max = 1 << 20) {
    UncompressRequest request;
    request.type = GetParam();
    request.format = format;
    request.dict = dict;
    request.size_max = size_max;
    return Uncompress(request, in);
  }
};

TEST_P(CompressionTest, EveryPayloadComesBackInBothFramings) {
  for (const uint32_t format : {1u, 2u}) {
    for (const size_t size : {0, 1, 15, 100, 4096, 100000}) {
      const std::string text = Text(size, size + 1);
      const std::string packed = CompressOk(text, format);
      if (size >= 4096) {
        EXPECT_LT(packed.size(), size);
      }
      const Result<UncompressedBlock> block = Inflate(packed, format);
      ASSERT_TRUE(block.ok()) << block.status().ToString() << " size " << size;
      EXPECT_EQ(text, std::string(block->data.get(), block->size));
    }
  }
}

TEST_P(CompressionTest, FormatTwoAnnouncesTheSize) {
  const std::string text = Text(5000, 3);
  const std::string packed = CompressOk(text, 2);
  UncompressRequest request;
  request.type = GetParam();
  const Result<UncompressedSize> size = ReadUncompressedSize(request, packed);
  ASSERT_TRUE(size.ok());
  EXPECT_TRUE(size->known);
  EXPECT_EQ(5000u, size->size);
  std::string out(5000, '\0');
  EXPECT_TRUE(UncompressInto(request, packed, out.data(), out.size()).ok());
  EXPECT_EQ(text, out);
  EXPECT_TRUE(UncompressInto(request, packed, out.data(), out.size() - 1)
                  .IsCorruption());
}

TEST_P(CompressionTest, MoreThanTheMaximumIsRefusedBeforeItIsInflated) {
  const std::string bomb(1 << 20, 'x');
  for (const uint32_t format : {1u, 2u}) {
    const Result<UncompressedBlock> block =
        Inflate(CompressOk(bomb, format), format, nullptr, 10000);
    ASSERT_FALSE(block.ok());
    EXPECT_TRUE(block.status().IsCorruption()) << block.status().ToString();
  }
}

TEST_P(CompressionTest, DamagedPayloadsNeverCrashOrOverrun) {
  const std::string text = Text(3000, 9);
  Random64 random(7);
  for (const uint32_t format : {1u, 2u}) {
    const std::string packed = CompressOk(text, format);
    for (size_t size = 0; size < packed.size(); size += 7) {
      const Result<UncompressedBlock> block =
          Inflate(Slice(packed.data(), size), format);
      EXPECT_FALSE(block.ok()) << "cut at " << size;
    }
    for (int i = 0; i < 300; i++) {
      std::string damaged = packed;
      damaged[random.Uniform(damaged.size())] ^=
          static_cast<char>(1 << random.Uniform(8));
      const Result<UncompressedBlock> block = Inflate(damaged, format);
      if (block.ok()) {
        EXPECT_LE(block->size, size_t{1} << 20);
      }
    }
  }
}

TEST_P(CompressionTest, ADictionaryHelpsWhereItIsUsed) {
  const std::string raw = Text(8000, 21);
  const std::string text = raw.substr(1000, 3000);
  const CompressionDict dict(GetParam(), CompressionOptions(), raw);
  const UncompressionDict undict(GetParam(), raw);
  const std::string plain = CompressOk(text, 2);
  const std::string packed = CompressOk(text, 2, &dict);
  const Result<UncompressedBlock> block = Inflate(packed, 2, &undict);
  ASSERT_TRUE(block.ok()) << block.status().ToString();
  EXPECT_EQ(text, std::string(block->data.get(), block->size));
  if (CompressionUsesDictionary(GetParam())) {
    EXPECT_LT(packed.size(), plain.size() / 4);
  } else {
    EXPECT_EQ(plain, packed);
  }
}

TEST_P(CompressionTest, LevelsAreAccepted) {
  const std::string text = Text(20000, 5);
  for (const int level : {-3, 1, 3, 9}) {
    const std::string packed = CompressOk(text, 2, nullptr, level);
    EXPECT_TRUE(Inflate(packed, 2).ok()) << level;
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, CompressionTest, testing::ValuesIn(kCodecs),
                         [](const auto& codec) {
                           return std::string(CompressionTypeName(codec.param));
                         });

TEST(Compression, FramingHasTheBytesOfTheFormat) {
  const std::string text(300, 'a');
  CompressionOptions options;
  CompressRequest request;
  request.options = &options;
  std::string out;
  for (const CompressionType type :
       {kZlibCompression, kBZip2Compression, kLZ4Compression, kZSTD}) {
    if (!CompressionTypeSupported(type)) continue;
    request.type = type;
    ASSERT_TRUE(Compress(request, text, &out).ok());
    EXPECT_EQ("AC02", Slice(out.data(), 2).ToString(true));
  }
  request.format = 1;
  if (CompressionTypeSupported(kLZ4Compression)) {
    request.type = kLZ4Compression;
    ASSERT_TRUE(Compress(request, text, &out).ok());
    EXPECT_EQ(300u, DecodeFixed64(out.data()));
  }
  if (CompressionTypeSupported(kBZip2Compression)) {
    request.type = kBZip2Compression;
    ASSERT_TRUE(Compress(request, text, &out).ok());
    EXPECT_TRUE(Slice(out).starts_with("BZh"));
  }
}

TEST(Compression, TypesThatAreNotLinkedSaySo) {
  CompressionOptions options;
  CompressRequest request;
  request.type = kXpressCompression;
  request.options = &options;
  std::string out;
  EXPECT_TRUE(Compress(request, "x", &out).IsNotSupported());
  UncompressRequest back;
  back.type = static_cast<CompressionType>(0x55);
  EXPECT_TRUE(Uncompress(back, "x").status().IsNotSupported());
  EXPECT_FALSE(CompressionTypeSupported(kXpressCompression));
}

TEST(Compression, SamplesBecomeADictionaryWithinTheLimit) {
  CompressionOptions options;
  options.max_dict_bytes = 2000;
  const std::string samples = Text(50000, 4);
  const std::vector<size_t> sizes(50, 1000);
  EXPECT_EQ(samples.substr(0, 2000),
            MakeDictionary(kLZ4Compression, options, samples, sizes));
  EXPECT_EQ("", MakeDictionary(kSnappyCompression, options, samples, sizes));
  options.zstd_max_train_bytes = 50000;
  const std::string trained = MakeDictionary(kZSTD, options, samples, sizes);
  EXPECT_GT(trained.size(), 0u);
  EXPECT_LE(trained.size(), 2000u);
}

TEST(Compression, NamesLeadBackToTheirTypes) {
  for (const CompressionType type : GetSupportedCompressions()) {
    CompressionType parsed = kDisableCompressionOption;
    ASSERT_TRUE(ParseCompressionTypeName(CompressionTypeName(type), &parsed));
    EXPECT_EQ(type, parsed);
    parsed = kDisableCompressionOption;
    ASSERT_TRUE(
        ParseCompressionOptionName(CompressionOptionName(type), &parsed));
    EXPECT_EQ(type, parsed);
  }
  CompressionType parsed = kNoCompression;
  EXPECT_FALSE(ParseCompressionTypeName("Brotli", &parsed));
}

TEST(Compression, ItPaysFromOneEighthOn) {
  const CompressionOptions options;
  EXPECT_TRUE(CompressionPays(options, 4096, 3584));
  EXPECT_FALSE(CompressionPays(options, 4096, 3585));
  EXPECT_FALSE(CompressionPays(options, 4, 4));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
