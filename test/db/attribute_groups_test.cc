// Attribute groups: written to several families at once or to none, and read
// from one state; in a database, in batches, in what lies on top of a database.

#include "rocksdb/attribute_groups.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/support/model_db.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string GroupText(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += (text.empty() ? "" : ",") + column.name().ToString() + ":" +
            column.value().ToString();
  }
  return "{" + text + "}";
}

class AttributeGroupsTest : public ::testing::Test {
 protected:
  AttributeGroupsTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    families_ = {{kDefaultColumnFamilyName, options_}, {"one", options_}};
  }
  ~AttributeGroupsTest() override {
    for (ColumnFamilyHandle* handle : handles_) {
      test::Ok(db_->DestroyColumnFamilyHandle(handle));
    }
    db_.reset();
  }

  void Open() {
    test::Ok(DB::Open(DBOptions(options_), "/db", families_, &handles_, &db_));
  }
  TransactionDB* OpenLocking() {
    TransactionDBOptions locks;
    locks.transaction_lock_timeout = 0;
    locks.default_lock_timeout = 0;
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(DBOptions(options_), locks, "/db", families_,
                                 &handles_, &db));
    db_.reset(db);
    return db;
  }
  OptimisticTransactionDB* OpenOptimistic() {
    OptimisticTransactionDB* db = nullptr;
    test::Ok(OptimisticTransactionDB::Open(DBOptions(options_), "/db",
                                           families_, &handles_, &db));
    db_.reset(db);
    return db;
  }

  AttributeGroups Groups(const WideColumns& first,
                         const WideColumns& second) const {
    return {AttributeGroup(handles_[0], first),
            AttributeGroup(handles_[1], second)};
  }
  // "{columns}" or the status, of each family.
  std::string Read(const std::string& key,
                   const ReadOptions& read = ReadOptions()) {
    PinnableAttributeGroups groups;
    for (ColumnFamilyHandle* handle : handles_) groups.emplace_back(handle);
    test::Ok(db_->GetEntity(read, key, &groups));
    return TextOfGroups(groups);
  }
  static std::string TextOfGroups(const PinnableAttributeGroups& groups) {
    std::string text;
    for (const PinnableAttributeGroup& group : groups) {
      text += group.status().ok() ? GroupText(group.columns())
                                  : "(" + group.status().ToString() + ")";
    }
    return text;
  }
  static std::string Rows(const std::unique_ptr<Iterator>& it) {
    return test::RowsBothWays(it.get(), [](const Iterator& at) {
      return at.key().ToString() + "=" + at.value().ToString() +
             GroupText(at.columns());
    });
  }
  // Everything that can be done with a database, on top of others or not.
  void WriteAndRead() {
    test::Ok(db_->PutEntity(WriteOptions(), "k",
                            Groups({{"b", "2"}, {"a", "1"}}, {{"", "d"}})));
    EXPECT_EQ("{a:1,b:2}{:d}", Read("k"));
    EXPECT_EQ("k=d{:d,a:1,b:2}",
              Rows(db_->NewCoalescingIterator(ReadOptions(), handles_)));
    const auto it = db_->NewAttributeGroupIterator(ReadOptions(), handles_);
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    const IteratorAttributeGroups& groups = it->attribute_groups();
    ASSERT_EQ(2u, groups.size());
    EXPECT_EQ(handles_[0], groups[0].column_family());
    EXPECT_EQ("{a:1,b:2}", GroupText(groups[0].columns()));
    EXPECT_EQ("{:d}", GroupText(groups[1].columns()));
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::vector<ColumnFamilyDescriptor> families_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<DB> db_;
};

TEST_F(AttributeGroupsTest, AreReadAsTheyWereWritten) {
  Open();
  WriteAndRead();
  EXPECT_EQ("(NotFound: )(NotFound: )", Read("none"));
  test::Ok(db_->Delete(WriteOptions(), handles_[0], "k"));
  EXPECT_EQ("(NotFound: ){:d}", Read("k"));
  const Snapshot* const before = db_->GetSnapshot();
  test::Ok(db_->PutEntity(WriteOptions(), "k", Groups({}, {{"c", "3"}})));
  EXPECT_EQ("{}{c:3}", Read("k"));
  ReadOptions old;
  old.snapshot = before;
  EXPECT_EQ("(NotFound: ){:d}", Read("k", old));
  db_->ReleaseSnapshot(before);
}

TEST_F(AttributeGroupsTest, AreWrittenAllOrNone) {
  Open();
  const WriteOptions write;
  const WideColumns good = {{"a", "1"}};
  const WideColumns twice = {{"a", "1"}, {"a", "2"}};
  EXPECT_TRUE(db_->PutEntity(write, "k", Groups(good, twice)).IsCorruption());
  EXPECT_TRUE(
      db_->PutEntity(write, "k", AttributeGroups()).IsInvalidArgument());
  EXPECT_TRUE(db_->PutEntity(write, "k",
                             {AttributeGroup(handles_[0], good),
                              AttributeGroup(nullptr, good)})
                  .IsInvalidArgument());
  EXPECT_EQ("(NotFound: )(NotFound: )", Read("k"));
  WriteBatch batch;
  test::Ok(batch.Put("other", "1"));
  const std::string bytes = batch.Data();
  EXPECT_TRUE(batch.PutEntity("k", Groups(good, twice)).IsCorruption());
  EXPECT_EQ(bytes, batch.Data());
  EXPECT_FALSE(batch.HasPutEntity());
  batch.SetMaxBytes(bytes.size() + 15);
  EXPECT_TRUE(batch.PutEntity("k", Groups(good, good)).IsMemoryLimit());
  EXPECT_EQ(bytes, batch.Data());
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  batch.SetMaxBytes(0);
  test::Ok(batch.PutEntity("k", Groups(good, good)));
  EXPECT_EQ(3u, batch.Count());
}

TEST_F(AttributeGroupsTest, AreReadOfManyKeysFromOneState) {
  Open();
  test::Ok(db_->PutEntity(WriteOptions(), "a", Groups({{"x", "1"}}, {})));
  test::Ok(db_->Put(WriteOptions(), handles_[1], "b", "plain"));
  const Slice keys[] = {"a", "b", "none", "a"};
  std::vector<PinnableAttributeGroups> results(4);
  results[0].emplace_back(handles_[1]);
  results[0].emplace_back(handles_[0]);
  results[1].emplace_back(handles_[1]);
  results[2].emplace_back(handles_[0]);
  results[3].emplace_back(handles_[0]);
  results[3].emplace_back(nullptr);
  db_->MultiGetEntity(ReadOptions(), 4, keys, results.data());
  EXPECT_EQ("{}{x:1}", TextOfGroups(results[0]));
  EXPECT_EQ("{:plain}", TextOfGroups(results[1]));
  EXPECT_EQ("(NotFound: )", TextOfGroups(results[2]));
  for (const PinnableAttributeGroup& group : results[3]) {
    EXPECT_TRUE(group.status().IsInvalidArgument());
  }
  // The second time, too.
  db_->MultiGetEntity(ReadOptions(), 1, keys, results.data());
  EXPECT_EQ("{}{x:1}", TextOfGroups(results[0]));
  EXPECT_TRUE(db_->GetEntity(ReadOptions(), "a", nullptr).IsInvalidArgument());
  EXPECT_TRUE(
      db_->GetEntity(ReadOptions(), "a", &results[3]).IsInvalidArgument());
  PinnableAttributeGroups none;
  test::Ok(db_->GetEntity(ReadOptions(), "a", &none));
}

TEST_F(AttributeGroupsTest, AnIndexedBatchShowsEachGroup) {
  Open();
  WriteBatchWithIndex batch(BytewiseComparator(), 0, /*overwrite_key=*/true);
  test::Ok(batch.PutEntity("k", Groups({{"a", "1"}}, {{"b", "2"}})));
  const WideColumns twice = {{"a", "1"}, {"a", "2"}};
  EXPECT_TRUE(batch.PutEntity("j", Groups({}, twice)).IsCorruption());
  PinnableWideColumns columns;
  test::Ok(batch.GetEntityFromBatch(handles_[0], "k", &columns));
  EXPECT_EQ("{a:1}", GroupText(columns.columns()));
  test::Ok(batch.GetEntityFromBatch(handles_[1], "k", &columns));
  EXPECT_EQ("{b:2}", GroupText(columns.columns()));
  EXPECT_TRUE(
      batch.GetEntityFromBatch(handles_[0], "j", &columns).IsNotFound());
  test::Ok(db_->Write(WriteOptions(), batch.GetWriteBatch()));
  EXPECT_EQ("{a:1}{b:2}", Read("k"));
}

TEST_F(AttributeGroupsTest, ReachTheDatabaseBelow) {
  Open();
  db_ = std::make_unique<StackableDB>(db_.release());
  WriteAndRead();
}

TEST_F(AttributeGroupsTest, OfATransactionDbTakeTheLocks) {
  TransactionDB* const db = OpenLocking();
  WriteAndRead();
  const std::unique_ptr<Transaction> txn(
      db->BeginTransaction(WriteOptions(), TransactionOptions()));
  test::Ok(txn->Put(handles_[1], "k", "locked"));
  EXPECT_TRUE(db->PutEntity(WriteOptions(), "k", Groups({}, {})).IsTimedOut());
  EXPECT_EQ("{a:1,b:2}{:d}", Read("k"));
  EXPECT_EQ("k=locked{:locked,a:1,b:2}",
            Rows(txn->GetCoalescingIterator(ReadOptions(), handles_)));
  test::Ok(txn->Rollback());
}

TEST_F(AttributeGroupsTest, IteratorsOfATransactionShowItsOwnWrites) {
  OptimisticTransactionDB* const db = OpenOptimistic();
  WriteAndRead();
  const std::unique_ptr<Transaction> txn(
      db->BeginTransaction(WriteOptions(), OptimisticTransactionOptions()));
  test::Ok(txn->Delete(handles_[0], "k"));
  test::Ok(txn->PutEntity(handles_[0], "n", {{"x", "9"}}));
  test::Ok(txn->Put(handles_[1], "n", "new"));
  EXPECT_EQ("k=d{:d} n=new{:new,x:9}",
            Rows(txn->GetCoalescingIterator(ReadOptions(), handles_)));
  EXPECT_EQ("k=d{:d,a:1,b:2}",
            Rows(db->NewCoalescingIterator(ReadOptions(), handles_)));
  const auto it = txn->GetAttributeGroupIterator(ReadOptions(), handles_);
  it->Seek("l");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("n", it->key().ToString());
  // The batch grows in front of it: it is met on the way back.
  test::Ok(txn->Put(handles_[0], "m", "later"));
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("m", it->key().ToString());
  EXPECT_EQ(1u, it->attribute_groups().size());
  EXPECT_TRUE(txn->GetCoalescingIterator(ReadOptions(), {})
                  ->status()
                  .IsInvalidArgument());
}

TEST_F(AttributeGroupsTest, ATtlDatabaseHasNoEntitiesAndShowsNoTimes) {
  DBWithTTL* ttl_db = nullptr;
  test::Ok(DBWithTTL::Open(DBOptions(options_), "/db", families_, &handles_,
                           &ttl_db, {0, 0}));
  db_.reset(ttl_db);
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), "k", Groups({{"a", "1"}}, {}))
                  .IsNotSupported());
  test::Ok(db_->Put(WriteOptions(), handles_[0], "k", "1"));
  test::Ok(db_->Put(WriteOptions(), handles_[1], "k", "2"));
  EXPECT_EQ("{:1}{:2}", Read("k"));
  EXPECT_EQ("k=2{:2}",
            Rows(db_->NewCoalescingIterator(ReadOptions(), handles_)));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
