// A table whose keys are out of order would hide entries from its readers:
// the builder refuses them, in release builds, too.

#include "table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Adds the keys in this order and finishes the table.
Status BuildInOrder(const std::vector<std::string>& keys,
                    const TableBuildOptions& options) {
  std::string bytes;
  WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes), "t.sst",
                            FileOptions());
  TableBuilder builder(options, &writer);
  for (const std::string& key : keys) builder.Add(key, "v");
  return builder.Finish();
}

TableBuildOptions SmallBlocks() {
  TableBuildOptions options;
  options.icmp = BytewiseInternal();
  options.table.block_size = 64;
  return options;
}

TEST(KeyOrder, KeysInOrderAreTaken) {
  EXPECT_TRUE(
      BuildInOrder({IKey("a", 2), IKey("a", 1), IKey("b", 1)}, SmallBlocks())
          .ok());
}

TEST(KeyOrder, AKeyBelowTheOneBeforeIsCorruption) {
  const Status status =
      BuildInOrder({IKey("b", 1), IKey("a", 1)}, SmallBlocks());
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("out of order"));
}

TEST(KeyOrder, TheSameInternalKeyTwiceIsCorruption) {
  EXPECT_TRUE(
      BuildInOrder({IKey("a", 1), IKey("a", 1)}, SmallBlocks()).IsCorruption());
}

TEST(KeyOrder, AnOlderVersionBeforeANewerOneIsCorruption) {
  EXPECT_TRUE(
      BuildInOrder({IKey("a", 1), IKey("a", 2)}, SmallBlocks()).IsCorruption());
}

TEST(KeyOrder, TheFirstKeyOfABlockIsComparedWithTheBlockBefore) {
  std::vector<std::string> keys;
  for (int i = 100; i < 200; ++i) keys.push_back(IKey(std::to_string(i), 1));
  for (size_t at = 1; at < keys.size(); ++at) {
    std::vector<std::string> wrong = keys;
    wrong[at] = IKey("0", 1);
    EXPECT_TRUE(BuildInOrder(wrong, SmallBlocks()).IsCorruption()) << at;
  }
}

TEST(KeyOrder, IsCheckedWhenBlocksWaitForADictionaryOrForThreads) {
  for (const bool threads : {false, true}) {
    TableBuildOptions options = SmallBlocks();
    options.compression = kZSTD;
    if (threads) {
      options.compression_opts.parallel_threads = 3;
    } else {
      options.compression_opts.max_dict_bytes = 1024;
    }
    std::vector<std::string> keys;
    for (int i = 100; i < 200; ++i) keys.push_back(IKey(std::to_string(i), 1));
    EXPECT_TRUE(BuildInOrder(keys, options).ok());
    keys.push_back(IKey("150", 1));
    EXPECT_TRUE(BuildInOrder(keys, options).IsCorruption());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
