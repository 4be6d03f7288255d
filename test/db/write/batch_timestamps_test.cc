// Batches whose keys get their timestamps after they were added.

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/write_batch.h"
#include "test/db/files/files_fixture.h"
#include "test/support/u64_ts.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class BatchTimestamps : public FilesTest {
 protected:
  BatchTimestamps() {
    Open();
    plain_ = db_->DefaultColumnFamily();
    ColumnFamilyOptions timed;
    timed.comparator = BytewiseComparatorWithU64Ts();
    timed.merge_operator = engine::NewStringAppendOperator(",");
    EXPECT_TRUE(db_->CreateColumnFamily(timed, "timed", &timed_).ok());
  }
  ~BatchTimestamps() override {
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(timed_).ok());
  }
  Status Update(WriteBatch* batch, const Slice& ts) {
    return batch->UpdateTimestamps(ts, [this](uint32_t family) -> size_t {
      return family == timed_->GetID() ? sizeof(uint64_t) : 0;
    });
  }
  Status Write(WriteBatch* batch) { return db_->Write(WriteOptions(), batch); }
  std::string RowsAt(uint64_t time) {
    const std::string bytes = Ts(time);
    const Slice timestamp(bytes);
    ReadOptions read;
    read.timestamp = &timestamp;
    std::string text;
    for (const auto& [key, value] : RowsOf(db_.get(), timed_, read)) {
      text += key + "=" + value + " ";
    }
    return text;
  }

  ColumnFamilyHandle* timed_ = nullptr;
  ColumnFamilyHandle* plain_ = nullptr;
};

constexpr char kLacks[] =
    "Invalid argument: write batch must have timestamp(s) set";

TEST_F(BatchTimestamps, AreGivenToEachKindOfRecord) {
  WriteBatch old;
  for (const char* const key : {"a", "b", "d", "e", "f"}) {
    ASSERT_TRUE(old.Put(timed_, key, Ts(1), "old").ok());
  }
  ASSERT_TRUE(Write(&old).ok());
  WriteBatch batch;
  EXPECT_TRUE(batch.Put(timed_, "a", "new").ok());
  EXPECT_TRUE(batch.Delete(timed_, "b").ok());
  EXPECT_TRUE(batch.SingleDelete(timed_, "d").ok());
  EXPECT_TRUE(batch.DeleteRange(timed_, "e", "f").ok());
  EXPECT_TRUE(batch.Merge(timed_, "f", "new").ok());
  EXPECT_TRUE(batch.Put(plain_, "p", "new").ok());
  EXPECT_EQ(kLacks, Write(&batch).ToString());
  EXPECT_EQ("a=old b=old d=old e=old f=old ", RowsAt(100));
  ASSERT_TRUE(Update(&batch, Ts(5)).ok());
  ASSERT_TRUE(Write(&batch).ok());
  EXPECT_EQ("a=old b=old d=old e=old f=old ", RowsAt(4));
  EXPECT_EQ("a=new f=old,new ", RowsAt(5));
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), plain_, "p", &value).ok());
}

TEST_F(BatchTimestamps, ThePlacesAreThoseOfRocksDb) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(timed_, "a", "v").ok());
  ASSERT_TRUE(batch.DeleteRange(timed_, "d", "e").ok());
  const auto hex = [&batch] { return Slice(batch.Data()).ToString(true); };
  EXPECT_EQ(
      "000000000000000002000000"
      "0501096100000000000000000176"
      "0E010964000000000000000009650000000000000000",
      hex());
  ASSERT_TRUE(Update(&batch, Ts(5)).ok());
  EXPECT_EQ(
      "000000000000000002000000"
      "0501096105000000000000000176"
      "0E010964050000000000000009650500000000000000",
      hex());
}

TEST_F(BatchTimestamps, OtherFormsRefuseSuchFamilies) {
  WriteBatch batch;
  const Slice key("a");
  const SliceParts parts(&key, 1);
  EXPECT_TRUE(batch.Put(timed_, parts, parts).IsInvalidArgument());
  EXPECT_TRUE(batch.Delete(timed_, parts).IsInvalidArgument());
  EXPECT_TRUE(batch.SingleDelete(timed_, parts).IsInvalidArgument());
  EXPECT_TRUE(batch.DeleteRange(timed_, parts, parts).IsInvalidArgument());
  EXPECT_TRUE(batch.Merge(timed_, parts, parts).IsInvalidArgument());
  EXPECT_TRUE(batch.PutEntity(timed_, "a", {{"x", "y"}}).IsInvalidArgument());
  EXPECT_EQ(0u, batch.Count());
}

TEST_F(BatchTimestamps, OtherFormsAskForTheDefaultFamilysSize) {
  WriteBatch batch(0, 0, 0, /*default_cf_ts_sz=*/8);
  const Slice key("a");
  const SliceParts parts(&key, 1);
  for (const Status& status :
       {batch.Put(plain_, parts, parts), batch.Delete(plain_, parts),
        batch.SingleDelete(plain_, parts),
        batch.DeleteRange(plain_, parts, parts),
        batch.Merge(plain_, parts, parts),
        batch.PutEntity(plain_, "a", {{"x", "y"}})}) {
    EXPECT_EQ("Invalid argument: Default cf timestamp size mismatch",
              status.ToString());
  }
  EXPECT_EQ(0u, batch.Count());
}

// A batch has to know the size: keys may come without a handle.
TEST_F(BatchTimestamps, TheDefaultFamilysSizeIsGivenAtTheBeginning) {
  WriteBatch wrong(0, 0, 0, /*default_cf_ts_sz=*/8);
  EXPECT_EQ("Invalid argument: Default cf timestamp size mismatch",
            wrong.Put(plain_, "a", "v").ToString());
  options_.comparator = BytewiseComparatorWithU64Ts();
  std::unique_ptr<DB> other;
  ASSERT_TRUE(DB::Open(options_, "/other", &other).ok());
  ColumnFamilyHandle* const family = other->DefaultColumnFamily();
  WriteBatch unaware;
  EXPECT_EQ("Invalid argument: Default cf timestamp size mismatch",
            unaware.Put(family, "a", "v").ToString());
  WriteBatch batch(0, 0, 0, 8);
  ASSERT_TRUE(batch.Put(family, "a", "v").ok());
  ASSERT_TRUE(batch.Put("b", "v").ok());
  EXPECT_EQ(kLacks, other->Write(WriteOptions(), &batch).ToString());
  ASSERT_TRUE(
      batch.UpdateTimestamps(Ts(5), [](uint32_t) { return sizeof(uint64_t); })
          .ok());
  ASSERT_TRUE(other->Write(WriteOptions(), &batch).ok());
  const std::string at = Ts(5);
  const Slice timestamp(at);
  ReadOptions read;
  read.timestamp = &timestamp;
  EXPECT_EQ(2u, RowsOf(other.get(), other->DefaultColumnFamily(), read).size());
}

// A batch may be written again at another time.
TEST_F(BatchTimestamps, MayBeSetAgain) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(timed_, "a", Ts(3), "v").ok());
  for (const uint64_t time : {7, 9}) {
    ASSERT_TRUE(Update(&batch, Ts(time)).ok());
    ASSERT_TRUE(Write(&batch).ok());
    EXPECT_EQ("", RowsAt(6));
    const Slice newest = MaxU64Ts();
    ReadOptions read;
    read.timestamp = &newest;
    std::string value, of;
    ASSERT_TRUE(db_->Get(read, timed_, "a", &value, &of).ok());
    EXPECT_EQ(Ts(time), of);
  }
}

TEST_F(BatchTimestamps, ACallThatFailsChangesNothing) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(timed_, "a", "v").ok());
  ASSERT_TRUE(batch.Put(plain_, "a", "v").ok());
  const std::string before = batch.Data();
  EXPECT_TRUE(Update(&batch, "short").IsInvalidArgument());
  EXPECT_TRUE(Update(&batch, "").IsInvalidArgument());
  EXPECT_TRUE(batch.UpdateTimestamps(Ts(5), nullptr).IsInvalidArgument());
  const auto unknown = [](uint32_t family) {
    return family == 0 ? std::numeric_limits<size_t>::max() : sizeof(uint64_t);
  };
  EXPECT_TRUE(batch.UpdateTimestamps(Ts(5), unknown).IsNotFound());
  EXPECT_EQ(before, batch.Data());
  EXPECT_EQ(kLacks, Write(&batch).ToString());
}

TEST_F(BatchTimestamps, AKeyThatIsTooShortIsCorruption) {
  WriteBatch batch;  // It does not know that the family has timestamps.
  ASSERT_TRUE(batch.Put("a", "v").ok());
  const std::string before = batch.Data();
  const auto eight = [](uint32_t) { return sizeof(uint64_t); };
  EXPECT_TRUE(batch.UpdateTimestamps(Ts(5), eight).IsCorruption());
  EXPECT_EQ(before, batch.Data());
}

TEST_F(BatchTimestamps, SavePointsAndCopiesKnowWhetherTheyLackThem) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(plain_, "a", "v").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put(timed_, "a", "v").ok());
  WriteBatch copy(batch);
  EXPECT_EQ(kLacks, Write(&copy).ToString());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_TRUE(Write(&batch).ok());
  // Back to a key that has got its timestamp since.
  copy.SetSavePoint();
  ASSERT_TRUE(copy.Put(timed_, "b", "v").ok());
  ASSERT_TRUE(Update(&copy, Ts(5)).ok());
  ASSERT_TRUE(copy.RollbackToSavePoint().ok());
  EXPECT_TRUE(Write(&copy).ok());
  EXPECT_EQ("a=v ", RowsAt(5));
  copy.Clear();
  ASSERT_TRUE(copy.Put(plain_, "a", "v").ok());
  EXPECT_TRUE(Write(&copy).ok());
}

TEST_F(BatchTimestamps, ABatchWithAnIndexFindsItsKeysBeforeAndAfter) {
  ASSERT_TRUE(db_->Put(WriteOptions(), timed_, "b", Ts(1), "old").ok());
  WriteBatchWithIndex batch;
  ASSERT_TRUE(batch.Put(timed_, "a", "v").ok());
  ASSERT_TRUE(batch.Put(timed_, "c", Ts(9), "v").ok());
  ASSERT_TRUE(batch.Delete(timed_, "b").ok());
  const Slice newest = MaxU64Ts();
  ReadOptions read;
  read.timestamp = &newest;
  const auto rows = [&] {
    const std::unique_ptr<Iterator> iter(batch.NewIteratorWithBase(
        timed_, db_->NewIterator(read, timed_), &read));
    std::string text;
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      text += iter->key().ToString() + "=" + iter->value().ToString() + " ";
    }
    return text;
  };
  EXPECT_EQ("a=v c=v ", rows());
  EXPECT_EQ(kLacks, Write(batch.GetWriteBatch()).ToString());
  ASSERT_TRUE(Update(batch.GetWriteBatch(), Ts(5)).ok());
  EXPECT_EQ("a=v c=v ", rows());
  std::string value;
  EXPECT_TRUE(batch.GetFromBatch(timed_, DBOptions(), "a", &value).ok());
  ASSERT_TRUE(Write(batch.GetWriteBatch()).ok());
  EXPECT_EQ("b=old ", RowsAt(4));
  EXPECT_EQ("a=v c=v ", RowsAt(5));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
