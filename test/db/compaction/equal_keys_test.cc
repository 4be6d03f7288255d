// A comparator for which keys of different bytes are equal.

#include <gtest/gtest.h>

#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Upper and lower case are the same.
class FoldedComparator final : public Comparator {
 public:
  const char* Name() const override { return "test.Folded"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return Folded(a).compare(Folded(b));
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  static std::string Folded(const Slice& key) {
    std::string text = key.ToString();
    for (char& c : text) {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
  }
};

class EqualKeys : public test::FilesTest {
 protected:
  static constexpr int kKeys = 100;

  EqualKeys() { options_.comparator = &order_; }
  static std::string Key(const std::string& letter, int i) {
    return letter + std::to_string(1000 + i);
  }
  void PutAll(const std::string& letter) {
    for (int i = 0; i < kKeys; ++i) {
      Put(Key(letter, i), letter + std::string(100, 'v'));
    }
  }
  Status Compact() {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    return db_->CompactRange(compact, nullptr, nullptr);
  }

  const FoldedComparator order_;
};

// An output began between two versions of a key. With a range deletion over
// both the files overlapped, and the level could never be compacted again.
TEST_F(EqualKeys, VersionsOfOneKeyStayInOneFile) {
  options_.target_file_size_base = 1000;
  Open();
  PutAll("K");
  const Snapshot* const old = db_->GetSnapshot();
  PutAll("k");
  const Snapshot* const newer = db_->GetSnapshot();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "k", "l").ok());
  Flush();
  for (int round = 0; round < 3; ++round) {
    const Status status = Compact();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_GT(files.size(), 5u);

  ReadOptions read;
  EXPECT_EQ(0u, Rows(read).size());
  for (const auto& [snapshot, letter] : {std::pair(old, "K"), {newer, "k"}}) {
    read.snapshot = snapshot;
    EXPECT_EQ(size_t{kKeys}, Rows(read).size());
    std::string value;
    ASSERT_TRUE(db_->Get(read, Key("k", 7), &value).ok());
    EXPECT_EQ(letter[0], value[0]);
    db_->ReleaseSnapshot(snapshot);
  }
}

// The bytes of the version that is shown, in both directions.
TEST_F(EqualKeys, ShowTheBytesOfTheNewestVersion) {
  options_.enable_blob_files = true;
  Open();
  PutAll("K");
  Flush();
  PutAll("k");
  Flush();
  const std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
  int rows = 0;
  for (iter->SeekToFirst(); iter->Valid(); iter->Next(), ++rows) {
    EXPECT_EQ('k', iter->key()[0]);
    EXPECT_EQ('k', iter->value()[0]);
  }
  EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
  EXPECT_EQ(kKeys, rows);
  for (iter->SeekToLast(); iter->Valid(); iter->Prev(), --rows) {
    EXPECT_EQ('k', iter->key()[0]);
    EXPECT_EQ('k', iter->value()[0]);
  }
  EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
  EXPECT_EQ(0, rows);
}

// The filter of the table with "a" does not know "A". The flush believed it and
// dropped the deletion.
TEST_F(EqualKeys, StayDeletedWhereTablesHaveFilters) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  PutAll("k");
  Flush();
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key("K", i)).ok());
  }
  EXPECT_EQ(0u, Rows().size());
  Flush();
  EXPECT_EQ(0u, Rows().size());
  EXPECT_EQ("2", Shape());
  const Status status = Compact();
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("", Shape());
}

// A blob is stored with the bytes of its key, and checked by them.
class EqualKeysWithBlobs : public EqualKeys {
 protected:
  void Check() {
    for (const char* const letter : {"k", "K"}) {
      const std::string first = Key(letter, 1);
      const std::string second = Key(letter, 2);
      std::string value;
      const Status status = db_->Get(ReadOptions(), first, &value);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(kBlob, value);
      std::vector<std::string> values;
      for (const Status& each :
           db_->MultiGet(ReadOptions(), {first, second}, &values)) {
        ASSERT_TRUE(each.ok()) << each.ToString();
      }
      EXPECT_EQ((std::vector<std::string>{kBlob, kBlob + ",more"}), values);
    }
    const std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
    const std::string last = Key("k", kKeys - 1);
    for (iter->SeekToFirst(); iter->Valid() && iter->key() != last;) {
      iter->Next();
    }
    for (int i = kKeys - 1; i >= 0; --i, iter->Prev()) {
      ASSERT_TRUE(iter->Valid()) << i << " " << iter->status().ToString();
      EXPECT_EQ(Key(i == 2 ? "K" : "k", i), iter->key());
      EXPECT_EQ(i == 2 ? kBlob + ",more" : kBlob, iter->value());
    }
  }

  const std::string kBlob = "k" + std::string(100, 'v');
};

TEST_F(EqualKeysWithBlobs, FindThemByOtherBytes) {
  options_.enable_blob_files = true;
  options_.row_cache = NewLRUCache(1 << 20);
  ASSERT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator)
                  .ok());
  Open();
  PutAll("k");
  Flush();
  ASSERT_TRUE(db_->Merge(WriteOptions(), Key("K", 2), "more").ok());
  for (int cached = 0; cached < 2; ++cached) Check();
  Flush();
  Check();
  const Status status = Compact();
  ASSERT_TRUE(status.ok()) << status.ToString();
  Check();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
