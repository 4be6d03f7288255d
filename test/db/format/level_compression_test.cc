// Which compression, dictionary and filter a table gets for its level.

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/table.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Tables final : public EventListener {
 public:
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    properties_[info.file_path.substr(info.file_path.rfind('/') + 1)] =
        info.table_properties;
  }
  TableProperties Of(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return properties_[name.substr(name.rfind('/') + 1)];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, TableProperties> properties_;
};

// Writes keys, flushes, and moves what there is down to `level`, rewriting it
// there; returns the properties of the only table.
class LevelCompressionTest : public ::testing::Test {
 protected:
  LevelCompressionTest() {
    options_.create_if_missing = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.disable_auto_compactions = true;
    options_.compression = kNoCompression;
    options_.listeners = {tables_};
  }

  TableProperties TableAt(int level) {
    const test::TempDir dir;
    std::unique_ptr<DB> db;
    EXPECT_TRUE(DB::Open(options_, dir.path(), &db).ok());
    for (int i = 0; i < 2000; ++i) {
      EXPECT_TRUE(db->Put(WriteOptions(), "key" + std::to_string(i),
                          std::string(30, 'v') + std::to_string(i * 7919))
                      .ok());
    }
    EXPECT_TRUE(db->Flush(FlushOptions()).ok());
    if (level > 0) {
      CompactRangeOptions compact;
      compact.change_level = true;
      compact.target_level = level;
      compact.bottommost_level_compaction = rewrite_;
      EXPECT_TRUE(db->CompactRange(compact, nullptr, nullptr).ok());
    }
    std::vector<LiveFileMetaData> files;
    db->GetLiveFilesMetaData(&files);
    EXPECT_EQ(1u, files.size());
    if (files.empty()) return {};
    EXPECT_EQ(level, files[0].level);
    std::string value;
    EXPECT_TRUE(db->Get(ReadOptions(), "key1999", &value).ok());
    EXPECT_TRUE(db->Close().ok());
    return tables_->Of(files[0].name);
  }

  Options options_;
  // By default a table that may stay as it is only changes its level.
  BottommostLevelCompaction rewrite_ = BottommostLevelCompaction::kSkip;
  std::shared_ptr<Tables> tables_ = std::make_shared<Tables>();
};

TEST_F(LevelCompressionTest, EveryLevelHasItsMethod) {
  options_.compression_per_level = {kNoCompression, kSnappyCompression};
  EXPECT_EQ("NoCompression", TableAt(0).compression_name);
  // Compaction to the first level writes there; what lies deeper than the
  // list says has the last of it.
  EXPECT_EQ("Snappy", TableAt(1).compression_name);
}

TEST_F(LevelCompressionTest, TheBottomHasItsOwnMethodAndDictionary) {
  options_.compression = kLZ4Compression;
  options_.bottommost_compression = kZSTD;
  options_.bottommost_compression_opts.enabled = true;
  options_.bottommost_compression_opts.level = 5;
  options_.bottommost_compression_opts.max_dict_bytes = 8192;
  const TableProperties top = TableAt(0);
  EXPECT_EQ("LZ4", top.compression_name);
  EXPECT_NE(std::string::npos,
            top.compression_options.find("max_dict_bytes=0;"));
  const TableProperties bottom = TableAt(1);
  EXPECT_EQ("ZSTD", bottom.compression_name);
  EXPECT_NE(std::string::npos, bottom.compression_options.find(
                                   "level=5; strategy=0; max_dict_bytes=8192"));
  EXPECT_LT(bottom.data_size, top.data_size);
}

TEST_F(LevelCompressionTest, OptionsOfTheBottomThatAreNotEnabledDoNothing) {
  rewrite_ = BottommostLevelCompaction::kForce;
  options_.compression_opts.max_dict_bytes = 1024;
  options_.compression = kLZ4Compression;
  options_.bottommost_compression_opts.max_dict_bytes = 8192;
  EXPECT_NE(std::string::npos,
            TableAt(1).compression_options.find("max_dict_bytes=1024;"));
}

TEST_F(LevelCompressionTest, RibbonFiltersBeginAtTheirLevel) {
  rewrite_ = BottommostLevelCompaction::kForce;
  const auto filter_bytes = [&](int bloom_before_level, int level) {
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewRibbonFilterPolicy(10, bloom_before_level));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    return TableAt(level).filter_size;
  };
  const uint64_t bloom = filter_bytes(2, 1);
  EXPECT_EQ(bloom, filter_bytes(0, 0));  // A flush is above level 0.
  EXPECT_LT(filter_bytes(-1, 0), bloom);
  EXPECT_LT(filter_bytes(1, 1), bloom);
}

TEST_F(LevelCompressionTest, WithoutFiltersForHitsTheLastLevelHasNone) {
  rewrite_ = BottommostLevelCompaction::kForce;
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.optimize_filters_for_hits = true;
  EXPECT_GT(TableAt(0).filter_size, 0u);
  EXPECT_EQ(0u, TableAt(1).filter_size);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
