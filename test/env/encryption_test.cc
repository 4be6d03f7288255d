// Encrypted files: the bytes of the CTR provider, streams over any piece of a
// file, and the file system over the one in memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "env/aligned_buffer.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr size_t kPrefix = 4096;

std::shared_ptr<EncryptionProvider> TestProvider(size_t block_size = 32) {
  return EncryptionProvider::NewCTRProvider(
      BlockCipher::NewROT13Cipher(block_size));
}

// Made without the code under test: the bytes of the key stream that belong to
// [offset, offset + n) of a file with this prefix.
std::string KeyStream(const std::string& prefix, size_t block_size,
                      uint64_t offset, size_t n) {
  std::string bytes;
  for (uint64_t at = offset; at < offset + n; ++at) {
    std::string block = prefix.substr(block_size, block_size);
    EncodeFixed64(block.data(), DecodeFixed64(prefix.data()) + at / block_size);
    bytes.push_back(static_cast<char>(block[at % block_size] + 13));
  }
  return bytes;
}

std::string Xor(std::string a, const std::string& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<char>(a[i] ^ b[i]);
  }
  return a;
}

std::string SomeText(size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) {
    text.push_back(static_cast<char>('a' + i * i % 26));
  }
  return text;
}

class EncryptedFiles : public ::testing::Test {
 protected:
  EncryptedFiles() { Wrap(TestProvider()); }

  void Wrap(const std::shared_ptr<EncryptionProvider>& provider) {
    fs_ = NewEncryptedFS(base_, provider);
  }
  void Write(const std::string& path, const std::string& content) {
    const IOStatus s = WriteStringToFile(fs_.get(), content, path);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  std::string Read(const std::string& path) {
    std::string content;
    const IOStatus s = ReadFileToString(fs_.get(), path, &content);
    return s.ok() ? content : s.ToString();
  }
  // What lies below.
  std::string Raw(const std::string& path) {
    std::string content;
    EXPECT_TRUE(ReadFileToString(base_.get(), path, &content).ok());
    return content;
  }
  uint64_t Size(const std::string& path) {
    uint64_t size = 0;
    const IOStatus s = fs_->GetFileSize(path, io_, &size, nullptr);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return size;
  }

  const std::shared_ptr<MemFileSystem> base_ =
      std::make_shared<MemFileSystem>();
  std::shared_ptr<FileSystem> fs_;
  const IOOptions io_;
};

TEST_F(EncryptedFiles, HoldAPrefixAndThenTheTextUnderTheKeyStream) {
  for (const size_t block_size : {8, 32, 100, 2048}) {
    Wrap(TestProvider(block_size));
    const std::string text = SomeText(5000);
    Write("/f", text);
    const std::string raw = Raw("/f");
    ASSERT_EQ(raw.size(), kPrefix + text.size());
    EXPECT_EQ(raw.substr(kPrefix),
              Xor(text, KeyStream(raw, block_size, kPrefix, text.size())));
    EXPECT_EQ(Read("/f"), text);
    EXPECT_EQ(Size("/f"), text.size());
  }
}

TEST_F(EncryptedFiles, HaveAPrefixOfTheirOwn) {
  Write("/a", "the same");
  Write("/b", "the same");
  EXPECT_NE(Raw("/a").substr(0, 64), Raw("/b").substr(0, 64));
  EXPECT_NE(Raw("/a").substr(kPrefix), Raw("/b").substr(kPrefix));
}

TEST_F(EncryptedFiles, AStreamDecryptsAnyPieceOfWhatItEncrypted) {
  const auto provider = TestProvider(16);
  std::string prefix(kPrefix, '\0');
  ASSERT_TRUE(provider->CreateNewPrefix("f", prefix.data(), kPrefix).ok());
  Slice bytes(prefix);
  std::unique_ptr<BlockAccessCipherStream> stream;
  ASSERT_TRUE(
      provider->CreateCipherStream("f", EnvOptions(), bytes, &stream).ok());
  ASSERT_EQ(stream->BlockSize(), 16u);
  const std::string text = SomeText(100);
  for (const uint64_t base : {uint64_t{0}, kPrefix + uint64_t{7},
                              uint64_t{1} << 40, UINT64_MAX - 200}) {
    std::string whole = text;
    ASSERT_TRUE(stream->Encrypt(base, whole.data(), whole.size()).ok());
    ASSERT_NE(whole, text);
    for (size_t begin = 0; begin <= 48; ++begin) {
      for (size_t n = 0; n <= 50; ++n) {
        std::string piece = whole.substr(begin, n);
        ASSERT_TRUE(stream->Decrypt(base + begin, piece.data(), n).ok());
        ASSERT_EQ(piece, text.substr(begin, n)) << begin << " " << n;
      }
    }
  }
}

TEST_F(EncryptedFiles, AreReadAtAnyOffsetAndPastTheEnd) {
  const std::string text = SomeText(300);
  Write("/f", text);
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_->NewRandomAccessFile("/f", FileOptions(), &file, nullptr).ok());
  char scratch[400];
  Slice got;
  for (const uint64_t offset : {0, 1, 31, 32, 33, 250, 299}) {
    for (const size_t n : {0, 1, 32, 70, 400}) {
      ASSERT_TRUE(file->Read(offset, n, io_, &got, scratch, nullptr).ok());
      EXPECT_EQ(got.ToString(), text.substr(offset, n));
    }
  }
  // The last one would lie in front of the text after an overflow.
  for (const uint64_t offset : {uint64_t{300}, uint64_t{100000},
                                UINT64_MAX - kPrefix, UINT64_MAX - 10}) {
    ASSERT_TRUE(file->Read(offset, 10, io_, &got, scratch, nullptr).ok());
    EXPECT_TRUE(got.empty()) << offset;
  }
  uint64_t size = 0;
  ASSERT_TRUE(file->GetFileSize(&size).ok());
  EXPECT_EQ(size, 300u);
}

TEST_F(EncryptedFiles, ReadManyPiecesAtOnce) {
  const std::string text = SomeText(1000);
  Write("/f", text);
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_->NewRandomAccessFile("/f", FileOptions(), &file, nullptr).ok());
  std::vector<std::string> memory(3, std::string(100, '\0'));
  std::vector<FSReadRequest> requests(3);
  const uint64_t offsets[] = {5, 500, 950};
  for (size_t i = 0; i < 3; ++i) {
    requests[i].offset = offsets[i];
    requests[i].len = 100;
    requests[i].scratch = memory[i].data();
  }
  ASSERT_TRUE(file->MultiRead(requests.data(), 3, io_, nullptr).ok());
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(requests[i].status.ok());
    EXPECT_EQ(requests[i].offset, offsets[i]);
    EXPECT_EQ(requests[i].result.ToString(), text.substr(offsets[i], 100));
  }
  requests[1].scratch = nullptr;
  EXPECT_TRUE(
      file->MultiRead(requests.data(), 3, io_, nullptr).IsNotSupported());
}

TEST_F(EncryptedFiles, AreReadInOrderWithSkips) {
  const std::string text = SomeText(200);
  Write("/f", text);
  std::unique_ptr<FSSequentialFile> file;
  ASSERT_TRUE(fs_->NewSequentialFile("/f", FileOptions(), &file, nullptr).ok());
  char scratch[200];
  Slice got;
  ASSERT_TRUE(file->Read(5, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(0, 5));
  ASSERT_TRUE(file->Skip(40).ok());
  ASSERT_TRUE(file->Read(50, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(45, 50));
  ASSERT_TRUE(file->PositionedRead(7, 60, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(7, 60));
  ASSERT_TRUE(file->Read(200, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(95));
  ASSERT_TRUE(file->Read(200, io_, &got, scratch, nullptr).ok());
  EXPECT_TRUE(got.empty());
  EXPECT_FALSE(file->Skip(UINT64_MAX).ok());
}

TEST_F(EncryptedFiles, AreAppendedToInPiecesCutAndContinued) {
  const std::string text = SomeText(120);
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_->NewWritableFile("/f", FileOptions(), &file, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), 0u);
  for (size_t i = 0; i < 60; i += 7) {
    const std::string piece = text.substr(i, std::min<size_t>(7, 60 - i));
    ASSERT_TRUE(file->Append(piece, io_, nullptr).ok());
  }
  ASSERT_TRUE(file->Append("", io_, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), 60u);
  ASSERT_TRUE(file->Truncate(50, io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), text.substr(0, 50));

  const std::string prefix = Raw("/f").substr(0, kPrefix);
  ASSERT_TRUE(
      fs_->ReopenWritableFile("/f", FileOptions(), &file, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), 50u);
  ASSERT_TRUE(file->Append(text.substr(50), io_, nullptr).ok());
  ASSERT_TRUE(file->PositionedAppend("XY", 10, io_, nullptr).ok());
  EXPECT_FALSE(file->PositionedAppend("XY", UINT64_MAX, io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), text.substr(0, 10) + "XY" + text.substr(12));
  EXPECT_EQ(Raw("/f").substr(0, kPrefix), prefix);

  ASSERT_TRUE(fs_->Truncate("/f", 4, io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), text.substr(0, 4));
}

TEST_F(EncryptedFiles, AFileThatIsReopenedAndMissingIsMade) {
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->ReopenWritableFile("/f", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("new", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), "new");
}

TEST_F(EncryptedFiles, AFileThatIsReusedStartsEmptyUnderANewPrefix) {
  Write("/old", SomeText(500));
  const std::string prefix = Raw("/old").substr(0, kPrefix);
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->ReuseWritableFile("/f", "/old", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("new", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), "new");
  EXPECT_NE(Raw("/f").substr(0, kPrefix), prefix);
  EXPECT_TRUE(fs_->FileExists("/old", io_, nullptr).IsNotFound());
}

TEST_F(EncryptedFiles, AreReadAndWrittenAtRandom) {
  const std::string text = SomeText(100);
  Write("/f", text);
  std::unique_ptr<FSRandomRWFile> file;
  ASSERT_TRUE(fs_->NewRandomRWFile("/f", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Write(30, "12345", io_, nullptr).ok());
  char scratch[100];
  Slice got;
  ASSERT_TRUE(file->Read(28, 10, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(28, 2) + "12345" + text.substr(35, 3));
  EXPECT_FALSE(file->Write(UINT64_MAX, "1", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), text.substr(0, 30) + "12345" + text.substr(35));
  EXPECT_TRUE(fs_->NewRandomRWFile("/none", FileOptions(), &file, nullptr)
                  .IsPathNotFound());
}

TEST_F(EncryptedFiles, DirectIoIsAlignedBelowTheEncryption) {
  constexpr size_t kBlock = 4096;
  const std::string text = SomeText(2 * kBlock);
  FileOptions direct;
  direct.use_direct_writes = true;
  direct.use_direct_reads = true;
  AlignedBuffer memory(kBlock, 2 * kBlock);
  memory.Append(text.data(), text.size());
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_->NewWritableFile("/f", direct, &file, nullptr).ok());
  ASSERT_TRUE(file->use_direct_io());
  ASSERT_TRUE(
      file->PositionedAppend(Slice(memory.data(), 2 * kBlock), 0, io_, nullptr)
          .ok());
  ASSERT_TRUE(file->Truncate(kBlock + 100, io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), text.substr(0, kBlock + 100));

  Slice got;
  std::unique_ptr<FSRandomAccessFile> random;
  ASSERT_TRUE(fs_->NewRandomAccessFile("/f", direct, &random, nullptr).ok());
  ASSERT_TRUE(
      random->Read(kBlock, kBlock, io_, &got, memory.data(), nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(kBlock, 100));
  std::unique_ptr<FSSequentialFile> sequential;
  ASSERT_TRUE(fs_->NewSequentialFile("/f", direct, &sequential, nullptr).ok());
  ASSERT_TRUE(
      sequential->PositionedRead(0, kBlock, io_, &got, memory.data(), nullptr)
          .ok());
  EXPECT_EQ(got.ToString(), text.substr(0, kBlock));
  ASSERT_TRUE(sequential->Read(kBlock, io_, &got, memory.data(), nullptr).ok());
  EXPECT_EQ(got.ToString(), text.substr(0, kBlock));
}

TEST_F(EncryptedFiles, SizesAreThoseOfTheText) {
  Write("/a", "123");
  Write("/b", "");
  // A file that a crash has cut.
  ASSERT_TRUE(WriteStringToFile(base_.get(), "torn", "/c").ok());
  std::vector<FileAttributes> files;
  ASSERT_TRUE(fs_->GetChildrenFileAttributes("/", io_, &files, nullptr).ok());
  std::map<std::string, uint64_t> sizes;
  for (const FileAttributes& file : files) sizes[file.name] = file.size_bytes;
  EXPECT_EQ(sizes["a"], 3u);
  EXPECT_EQ(sizes["b"], 0u);
  EXPECT_EQ(sizes["c"], 0u);
  EXPECT_EQ(Size("/c"), 0u);
}

TEST_F(EncryptedFiles, LinksAndNewNamesKeepTheContent) {
  Write("/a", "content");
  ASSERT_TRUE(fs_->LinkFile("/a", "/b", io_, nullptr).ok());
  ASSERT_TRUE(fs_->RenameFile("/a", "/c", io_, nullptr).ok());
  EXPECT_EQ(Read("/b"), "content");
  EXPECT_EQ(Read("/c"), "content");
}

TEST_F(EncryptedFiles, ThatEndInTheirPrefixAreEmptyOrCorrupt) {
  for (const size_t n : {0, 1, 4095}) {
    ASSERT_TRUE(WriteStringToFile(base_.get(), std::string(n, 'x'), "/f").ok());
    EXPECT_EQ(Read("/f"), "");
    std::unique_ptr<FSRandomAccessFile> random;
    const IOStatus s =
        fs_->NewRandomAccessFile("/f", FileOptions(), &random, nullptr);
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find("/f"), std::string::npos) << s.ToString();
    EXPECT_NE(s.ToString().find("found " + std::to_string(n)),
              std::string::npos)
        << s.ToString();
    EXPECT_TRUE(fs_->Truncate("/f", 10, io_, nullptr).IsCorruption());
  }
  std::unique_ptr<FSRandomRWFile> both;
  EXPECT_TRUE(
      fs_->NewRandomRWFile("/f", FileOptions(), &both, nullptr).IsCorruption());
  // Continued, it starts again.
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->ReopenWritableFile("/f", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("new", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("/f"), "new");
}

TEST_F(EncryptedFiles, AnyPrefixIsReadWithoutHarm) {
  for (const char fill : {'\0', '\xff', 'x'}) {
    const std::string raw(kPrefix + 100, fill);
    ASSERT_TRUE(WriteStringToFile(base_.get(), raw, "/f").ok());
    EXPECT_EQ(Read("/f"),
              Xor(raw.substr(kPrefix), KeyStream(raw, 32, kPrefix, 100)));
  }
}

TEST_F(EncryptedFiles, CannotBeMapped) {
  Write("/f", "text");
  FileOptions mapped;
  mapped.use_mmap_reads = true;
  std::unique_ptr<FSSequentialFile> sequential;
  std::unique_ptr<FSRandomAccessFile> random;
  std::unique_ptr<FSRandomRWFile> both;
  for (const IOStatus& s :
       {fs_->NewSequentialFile("/f", mapped, &sequential, nullptr),
        fs_->NewRandomAccessFile("/f", mapped, &random, nullptr),
        fs_->NewRandomRWFile("/f", mapped, &both, nullptr)}) {
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("allow_mmap_reads"), std::string::npos);
  }
  std::unique_ptr<MemoryMappedFileBuffer> buffer;
  EXPECT_TRUE(fs_->NewMemoryMappedFileBuffer("/f", &buffer).IsNotSupported());
  int64_t ops = 0;
  fs_->SupportedOps(ops);
  EXPECT_EQ(ops & (int64_t{1} << FSSupportedOps::kAsyncIO), 0);
  EXPECT_EQ(ops & (int64_t{1} << FSSupportedOps::kFSBuffer), 0);
}

// Inverts bytes behind a prefix of any length, and may make no stream.
class PlainProvider final : public EncryptionProvider {
 public:
  PlainProvider(size_t prefix, bool makes_stream)
      : prefix_(prefix), makes_stream_(makes_stream) {}

  const char* Name() const override { return "PlainProvider"; }
  size_t GetPrefixLength() const override { return prefix_; }
  Status CreateNewPrefix(const std::string&, char* prefix,
                         size_t length) const override {
    std::fill_n(prefix, length, 'P');
    return Status::OK();
  }
  Status AddCipher(const std::string&, const char*, size_t, bool) override {
    return Status::NotSupported("PlainProvider");
  }
  Status CreateCipherStream(
      const std::string&, const EnvOptions&, Slice& prefix,
      std::unique_ptr<BlockAccessCipherStream>* result) override {
    if (prefix != std::string(prefix_, 'P')) {
      return Status::Corruption("no prefix of PlainProvider");
    }
    if (makes_stream_) *result = std::make_unique<Stream>();
    return Status::OK();
  }

 private:
  class Stream final : public BlockAccessCipherStream {
   public:
    size_t BlockSize() override { return 3; }

   protected:
    void AllocateScratch(std::string&) override {}
    Status EncryptBlock(uint64_t, char* data, char*) override {
      for (int i = 0; i < 3; ++i) data[i] = static_cast<char>(~data[i]);
      return Status::OK();
    }
    Status DecryptBlock(uint64_t index, char* data, char* scratch) override {
      return EncryptBlock(index, data, scratch);
    }
  };

  const size_t prefix_;
  const bool makes_stream_;
};

TEST_F(EncryptedFiles, WorkWithAProviderOfTheProgram) {
  for (const size_t prefix : {0, 5}) {
    Wrap(std::make_shared<PlainProvider>(prefix, true));
    Write("/f", "abcdefgh");
    EXPECT_EQ(Raw("/f").size(), prefix + 8);
    EXPECT_EQ(Read("/f"), "abcdefgh");
    std::unique_ptr<FSWritableFile> file;
    ASSERT_TRUE(
        fs_->ReopenWritableFile("/f", FileOptions(), &file, nullptr).ok());
    ASSERT_TRUE(file->Append("ij", io_, nullptr).ok());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    EXPECT_EQ(Read("/f"), "abcdefghij");
  }
  FileOptions direct;
  direct.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> random;
  EXPECT_TRUE(fs_->NewRandomAccessFile("/f", direct, &random, nullptr)
                  .IsInvalidArgument());
  direct.use_direct_writes = true;
  std::unique_ptr<FSWritableFile> continued;
  EXPECT_TRUE(fs_->ReopenWritableFile("/f", direct, &continued, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(Read("/f"), "abcdefghij");
  ASSERT_TRUE(WriteStringToFile(base_.get(), "damaged", "/f").ok());
  EXPECT_TRUE(fs_->NewRandomAccessFile("/f", FileOptions(), &random, nullptr)
                  .IsCorruption());
}

TEST_F(EncryptedFiles, AFileWithoutAStreamIsNotLeftBehind) {
  for (const std::shared_ptr<EncryptionProvider>& provider :
       {std::shared_ptr<EncryptionProvider>(),
        EncryptionProvider::NewCTRProvider(nullptr), TestProvider(0),
        TestProvider(7), TestProvider(2049),
        std::shared_ptr<EncryptionProvider>(
            std::make_shared<PlainProvider>(5, false))}) {
    Wrap(provider);
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s =
        fs_->NewWritableFile("/f", FileOptions(), &file, nullptr);
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("/f"), std::string::npos) << s.ToString();
    EXPECT_EQ(file, nullptr);
    EXPECT_TRUE(base_->FileExists("/f", io_, nullptr).IsNotFound());
  }
}

// Never has memory.
class StarvedStream final : public BlockAccessCipherStream {
 public:
  size_t BlockSize() override { return 1; }

 protected:
  void AllocateScratch(std::string&) override { throw std::bad_alloc(); }
  Status EncryptBlock(uint64_t, char*, char*) override { return {}; }
  Status DecryptBlock(uint64_t, char*, char*) override { return {}; }
};

TEST_F(EncryptedFiles, AreNotWrittenOrReadWithoutMemory) {
  FileSystem* const base = base_.get();
  std::unique_ptr<FSWritableFile> below;
  ASSERT_TRUE(base->NewWritableFile("/f", FileOptions(), &below, nullptr).ok());
  ASSERT_TRUE(below->Append("text", io_, nullptr).ok());
  EncryptedWritableFile file(std::move(below),
                             std::make_unique<StarvedStream>(), 0);
  EXPECT_TRUE(file.Append("more", io_, nullptr).IsMemoryLimit());
  EXPECT_TRUE(file.PositionedAppend("more", 0, io_, nullptr).IsMemoryLimit());
  ASSERT_TRUE(file.Close(io_, nullptr).ok());
  EXPECT_EQ(Raw("/f"), "text");

  std::unique_ptr<FSRandomAccessFile> random_below;
  ASSERT_TRUE(
      base->NewRandomAccessFile("/f", FileOptions(), &random_below, nullptr)
          .ok());
  const EncryptedRandomAccessFile random(std::move(random_below),
                                         std::make_unique<StarvedStream>(), 0);
  char scratch[4];
  Slice got;
  EXPECT_TRUE(random.Read(0, 4, io_, &got, scratch, nullptr).IsMemoryLimit());
  EXPECT_TRUE(got.empty());
}

TEST_F(EncryptedFiles, TimeIsCounted) {
  SetPerfLevel(PerfLevel::kEnableTime);
  get_perf_context()->Reset();
  const std::string text = SomeText(1 << 20);
  Write("/f", text);
  EXPECT_GT(get_perf_context()->encrypt_data_nanos, 0u);
  EXPECT_EQ(get_perf_context()->decrypt_data_nanos, 0u);
  EXPECT_EQ(Read("/f"), text);
  EXPECT_GT(get_perf_context()->decrypt_data_nanos, 0u);
  SetPerfLevel(PerfLevel::kEnableCount);
}

TEST(EncryptionNames, CiphersAreMadeFromText) {
  const ConfigOptions options;
  std::shared_ptr<BlockCipher> cipher;
  ASSERT_TRUE(BlockCipher::CreateFromString(options, "ROT13", &cipher).ok());
  EXPECT_STREQ(cipher->Name(), "ROT13");
  EXPECT_EQ(cipher->BlockSize(), 32u);
  ASSERT_TRUE(BlockCipher::CreateFromString(options, "ROT13:8", &cipher).ok());
  EXPECT_EQ(cipher->BlockSize(), 8u);
  std::string block = "abcdefg\xff";
  ASSERT_TRUE(cipher->Encrypt(block.data()).ok());
  EXPECT_EQ(block, "nopqrst\x0c");
  ASSERT_TRUE(cipher->Decrypt(block.data()).ok());
  EXPECT_EQ(block, "abcdefg\xff");
  for (const char* bad :
       {"ROT13:", "ROT13:0", "ROT13:x", "ROT13:99999999999"}) {
    EXPECT_TRUE(BlockCipher::CreateFromString(options, bad, &cipher)
                    .IsInvalidArgument())
        << bad;
  }
  EXPECT_TRUE(
      BlockCipher::CreateFromString(options, "AES", &cipher).IsNotFound());
}

TEST(EncryptionNames, ProvidersAreMadeFromText) {
  const ConfigOptions options;
  std::shared_ptr<EncryptionProvider> provider;
  std::string prefix(kPrefix, '\0');
  for (const char* name : {"CTR://test", "id=CTR;cipher=ROT13:64"}) {
    ASSERT_TRUE(
        EncryptionProvider::CreateFromString(options, name, &provider).ok());
    EXPECT_STREQ(provider->Name(), "CTR");
    EXPECT_EQ(provider->GetPrefixLength(), kPrefix);
    EXPECT_TRUE(provider->CreateNewPrefix("f", prefix.data(), kPrefix).ok());
    EXPECT_TRUE(provider->AddCipher("", "ROT13", 32, true).IsNotSupported());
  }
  ASSERT_TRUE(
      EncryptionProvider::CreateFromString(options, "CTR", &provider).ok());
  EXPECT_FALSE(provider->CreateNewPrefix("f", prefix.data(), kPrefix).ok());
  EXPECT_FALSE(provider->AddCipher("", nullptr, 0, true).ok());
  EXPECT_TRUE(provider->AddCipher("", "AES", 32, true).IsNotFound());
  const auto fs = NewEncryptedFS(std::make_shared<MemFileSystem>(), provider);
  auto* const encrypted = fs->CheckedCast<EncryptedFileSystem>();
  ASSERT_NE(encrypted, nullptr);
  ASSERT_TRUE(encrypted->AddCipher("", "ROT13", 16, true).ok());
  EXPECT_TRUE(provider->CreateNewPrefix("f", prefix.data(), kPrefix).ok());
  for (const char* bad : {"XTS", "CTR://prod", "id=XTS"}) {
    EXPECT_TRUE(EncryptionProvider::CreateFromString(options, bad, &provider)
                    .IsNotFound())
        << bad;
  }
  EXPECT_TRUE(
      EncryptionProvider::CreateFromString(options, "id=CTR;a=b", &provider)
          .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
