// Several threads compress the blocks of one file: it is the same file, and
// nothing hangs when it is given up or cannot be written.

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "random_options.h"
#include "table/block/parallel_compressor.h"
#include "table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(ParallelCompression, GivesTheBytesThatOneThreadGives) {
  Random64 random(77);
  int compressed = 0;
  for (int round = 0; round < 150; ++round) {
    TableBuildOptions options = RandomOptions(&random);
    const Entries entries = RandomEntries(&random, 1 + random.Uniform(1500));
    options.compression_opts.parallel_threads = 1;
    const std::string one = BuildTable(options, entries);
    if (options.compression != kNoCompression) ++compressed;
    const uint32_t threads = 2 + static_cast<uint32_t>(random.Uniform(4));
    options.compression_opts.parallel_threads = threads;
    ASSERT_EQ(one, BuildTable(options, entries))
        << "round " << round << ", " << threads << " threads";
  }
  EXPECT_GT(compressed, 30);
}

TableBuildOptions Lz4OrSnappy() {
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 512;
  for (const CompressionType type : {kLZ4Compression, kSnappyCompression}) {
    if (CompressionTypeSupported(type)) options.compression = type;
  }
  options.compression_opts.parallel_threads = 3;
  return options;
}

TEST(ParallelCompression, AFileGivenUpHalfwayLeavesNoThread) {
  for (size_t count : {size_t{0}, size_t{1}, size_t{50}, size_t{3000}}) {
    std::string bytes;
    WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes),
                              "memory.sst", FileOptions());
    TableBuilder builder(Lz4OrSnappy(), &writer);
    for (const auto& [key, value] : SomeEntries(count)) builder.Add(key, value);
    builder.Abandon();
    EXPECT_FALSE(builder.status().ok());
  }
}

// Takes so many appends and fails then.
class FailingFile final : public FSWritableFile {
 public:
  explicit FailingFile(int appends) : left_(appends) {}
  using FSWritableFile::Append;
  IOStatus Append(const Slice&, const IOOptions&, IODebugContext*) override {
    if (left_-- > 0) return IOStatus::OK();
    return IOStatus::NoSpace("full");
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return {}; }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return {}; }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return {}; }

 private:
  int left_;
};

TEST(ParallelCompression, AFailedAppendIsHeardAndEndsTheFile) {
  const Entries entries = SomeEntries(3000);
  for (const int appends : {0, 1, 7, 100}) {
    FileOptions unbuffered;
    unbuffered.writable_file_max_buffer_size = 0;
    WritableFileWriter writer(std::make_unique<FailingFile>(appends),
                              "memory.sst", unbuffered);
    TableBuilder builder(Lz4OrSnappy(), &writer);
    for (const auto& [key, value] : entries) builder.Add(key, value);
    EXPECT_TRUE(builder.Finish().IsNoSpace());
  }
}

TEST(ParallelCompressor, ReturnsBlocksInOrderWhicheverThreadDoesThem) {
  for (size_t threads = 2; threads < 6; ++threads) {
    std::atomic<int> done{0};
    ParallelCompressor compressor(
        threads, [&done](ParallelCompressor::Block* block) {
          block->prepared.bytes = block->payload + "!";
          block->prepared.compressed = true;
          ++done;
        });
    int out = 0;
    const auto take = [&] {
      EXPECT_EQ(std::to_string(out) + "!", compressor.Front().prepared.bytes);
      compressor.Pop();
      ++out;
    };
    for (int i = 0; i < 500; ++i) {
      if (compressor.full()) take();
      ParallelCompressor::Block block;
      block.payload = std::to_string(i);
      compressor.Push(std::move(block));
      EXPECT_GT(compressor.pending_bytes_max(), 0u);
    }
    while (!compressor.empty()) take();
    EXPECT_EQ(500, done.load());
    EXPECT_EQ(0u, compressor.pending_bytes_max());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
