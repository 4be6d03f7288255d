// Blob files alone: what is written is read, and whatever the bytes or the
// index say, nothing is read from outside the file.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "table/blob/blob_file_reader.h"
#include "table/blob/blob_file_writer.h"
#include "util/coding.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr const char* kFile = "/000007.blob";

class BlobFileTest : public ::testing::Test {
 protected:
  BlobFileTest()
      : env_(NewMemEnv(Env::Default())), fs_(env_->GetFileSystem().get()) {}

  // A file with k0, k1, ..., each pointed at by an index of indexes_.
  void Write(CompressionType compression,
             const std::vector<std::string>& values) {
    auto file = WritableFileWriter::Create(fs_, kFile, FileOptions());
    ASSERT_TRUE(file.ok());
    BlobWriteOptions options;
    options.file_number = 7;
    options.family_id = 3;
    options.compression = compression;
    BlobFileWriter writer(options, std::move(*file));
    ASSERT_TRUE(writer.WriteHeader().ok());
    indexes_.clear();
    for (size_t i = 0; i < values.size(); ++i) {
      auto index = writer.Add("k" + std::to_string(i), values[i]);
      ASSERT_TRUE(index.ok()) << index.status().ToString();
      indexes_.push_back(*index);
    }
    ASSERT_TRUE(writer.Finish(false).ok());
    EXPECT_EQ(writer.file_size(),
              kBlobHeaderSize + writer.blob_bytes() + kBlobFooterSize);
    EXPECT_EQ(values.size(), writer.blob_count());
  }

  Result<std::unique_ptr<BlobFileReader>> Open(uint32_t family_id = 3) {
    auto file = RandomAccessFileReader::Open(fs_, kFile, FileOptions());
    if (!file.ok()) return file.status();
    uint64_t size = 0;
    EXPECT_TRUE(fs_->GetFileSize(kFile, IOOptions(), &size, nullptr).ok());
    return BlobFileReader::Open(std::move(*file), size, family_id);
  }

  // The value, or the error.
  std::string Read(const std::string& key, const BlobIndex& index,
                   bool verify = true) {
    auto reader = Open();
    if (!reader.ok()) return reader.status().ToString();
    BlobReadRequest request;
    request.verify_checksums = verify;
    auto value = (*reader)->Read(request, key, index, nullptr);
    return value.ok() ? value->slice().ToString() : value.status().ToString();
  }

  std::string Bytes() {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(env_.get(), kFile, &bytes).ok());
    return bytes;
  }
  void SetBytes(const std::string& bytes) {
    EXPECT_TRUE(WriteStringToFile(env_.get(), bytes, kFile).ok());
  }

  const std::unique_ptr<Env> env_;
  FileSystem* const fs_;
  std::vector<BlobIndex> indexes_;
};

TEST_F(BlobFileTest, ReadsBackWhatWasWrittenInEveryCompression) {
  const std::vector<std::string> values = {"v", std::string(5000, 'x'),
                                           "incompressible \x01\xfe\x7f"};
  for (const CompressionType type : SupportedCompressionTypes()) {
    SCOPED_TRACE(CompressionTypeName(type));
    Write(type, values);
    for (size_t i = 0; i < values.size(); ++i) {
      for (const bool verify : {true, false}) {
        EXPECT_EQ(values[i],
                  Read("k" + std::to_string(i), indexes_[i], verify));
      }
    }
  }
}

TEST_F(BlobFileTest, RefusesAnotherKeyOrFamily) {
  Write(kNoCompression, {"value"});
  EXPECT_NE(std::string::npos, Read("q0", indexes_[0]).find("blob record key"));
  const auto other = Open(4);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(std::string::npos,
            other.status().ToString().find("expected 4, found 3"));
}

TEST_F(BlobFileTest, RefusesIndexesThatPointOutside) {
  Write(kNoCompression, {std::string(100, 'v'), "w"});
  const BlobIndex good = indexes_[0];
  const auto refused = [&](BlobIndex index) {
    for (const bool verify : {true, false}) {
      const std::string answer = Read("k0", index, verify);
      EXPECT_NE(std::string::npos, answer.find("000007.blob offset")) << answer;
      EXPECT_TRUE(answer.starts_with("Corruption")) << answer;
    }
  };
  for (const uint64_t offset :
       {uint64_t{0}, uint64_t{31}, good.offset - 3, uint64_t{1} << 40,
        UINT64_MAX, UINT64_MAX - 20}) {
    BlobIndex index = good;
    index.offset = offset;
    refused(index);
  }
  for (const uint64_t size :
       {UINT64_MAX, uint64_t{1} << 62, uint64_t{1} << 33, uint64_t{10000}}) {
    BlobIndex index = good;
    index.size = size;
    refused(index);
  }
  BlobIndex index = good;
  index.compression = kLZ4Compression;
  refused(index);
}

TEST_F(BlobFileTest, AFlippedByteIsFoundOrChangesNothing) {
  Write(kNoCompression, {"first", "second"});
  const std::string good = Bytes();
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    SetBytes(bad);
    const std::string answer = Read("k0", indexes_[0]);
    if (answer == "first") continue;
    EXPECT_NE(std::string::npos, answer.find(kFile)) << at << ": " << answer;
    EXPECT_TRUE(answer.starts_with("Corruption") ||
                answer.starts_with("Not implemented"))
        << at << ": " << answer;
  }
}

TEST_F(BlobFileTest, ACutFileIsRefused) {
  Write(kNoCompression, {"first", "second"});
  const std::string good = Bytes();
  for (size_t size = 0; size < good.size(); ++size) {
    SetBytes(good.substr(0, size));
    const auto reader = Open();
    ASSERT_FALSE(reader.ok()) << size;
    EXPECT_TRUE(reader.status().IsCorruption()) << size;
  }
}

TEST(BlobIndexText, DecodesWhatItEncodedAndNothingShorterOrLonger) {
  BlobIndex index;
  index.file_number = 300;
  index.offset = 70000;
  index.size = 5;
  index.compression = kZSTD;
  std::string bytes;
  index.EncodeTo(&bytes);
  BlobIndex read;
  ASSERT_TRUE(read.DecodeFrom(bytes).ok());
  EXPECT_EQ(index.file_number, read.file_number);
  EXPECT_EQ(index.offset, read.offset);
  EXPECT_EQ(index.size, read.size);
  EXPECT_EQ(index.compression, read.compression);
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_TRUE(read.DecodeFrom(Slice(bytes.data(), n)).IsCorruption()) << n;
  }
  EXPECT_TRUE(read.DecodeFrom(bytes + "x").IsCorruption());
  EXPECT_TRUE(read.DecodeFrom(Slice("\0abc", 4)).IsNotSupported());
  EXPECT_TRUE(read.DecodeFrom(Slice("\2abc", 4)).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
