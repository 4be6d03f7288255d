// Memtables of other kinds than the skiplist: they answer as the skiplist does,
// also within one prefix and next to a writer; and what a program's own class
// does wrong becomes one Corruption.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/memtable/memtable.h"
#include "db/options/memtable_factories.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/slice_transform.h"
#include "test/support/map_rep.h"
#include "test/support/text_log.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::MapRepFactory;
using test::MapRepFaults;

constexpr const char* kKinds[] = {
    "vector", "vector:100", "prefix_hash:7", "hash_linkedlist:7",
    "{id=HashLinkListRepFactory;bucket_count=3;threshold=2;}"};

std::shared_ptr<MemTableRepFactory> Kind(const std::string& text) {
  std::shared_ptr<MemTableRepFactory> factory;
  const Status status =
      MemTableRepFactory::CreateFromString(ConfigOptions(), text, &factory);
  EXPECT_TRUE(status.ok()) << text << status.ToString();
  return factory;
}

MemTableOptions OfKind(const std::string& text) {
  MemTableOptions options;
  options.factory = Kind(text);
  options.prefix_extractor.reset(NewFixedPrefixTransform(4));
  return options;
}

std::string ValueAt(const MemTable& memtable, const std::string& key,
                    SequenceNumber sequence) {
  PinnableSlice value;
  GetContext context(key, sequence, &value);
  memtable.Get(LookupKey(key, sequence), &context);
  if (context.state() == GetContext::State::kFound) return value.ToString();
  return context.state() == GetContext::State::kNotFound ? "none" : "other";
}

TEST(MemTableKinds, AnswerAsTheSkipListDoes) {
  const InternalKeyComparator icmp(BytewiseComparator());
  for (const char* kind : kKinds) {
    SCOPED_TRACE(kind);
    MemTable memtable(&icmp, OfKind(kind), 0);
    MemTable skiplist(&icmp, {}, 0);
    Random64 random(11);
    for (SequenceNumber sequence = 1; sequence <= 600; ++sequence) {
      const std::string key = "key" + std::to_string(random.Uniform(300));
      const std::string value = std::to_string(sequence);
      ASSERT_TRUE(memtable.Add(sequence, ValueType::kValue, key, value));
      ASSERT_TRUE(skiplist.Add(sequence, ValueType::kValue, key, value));
      if (sequence % 50 != 0) continue;
      std::unique_ptr<InternalIterator> a(memtable.NewIterator());
      std::unique_ptr<InternalIterator> b(skiplist.NewIterator());
      b->SeekToFirst();
      for (a->SeekToFirst(); a->Valid(); a->Next(), b->Next()) {
        ASSERT_TRUE(b->Valid());
        ASSERT_EQ(a->key(), b->key());
        ASSERT_EQ(a->value(), b->value());
      }
      ASSERT_FALSE(b->Valid());
      b->SeekToLast();
      for (a->SeekToLast(); a->Valid(); a->Prev(), b->Prev()) {
        ASSERT_EQ(a->key(), b->key());
      }
      ASSERT_FALSE(b->Valid());
      ASSERT_TRUE(a->status().ok());
      for (int i = 0; i < 100; ++i) {
        const std::string wanted = "key" + std::to_string(random.Uniform(320));
        const SequenceNumber at = random.Uniform(sequence + 1);
        ASSERT_EQ(ValueAt(memtable, wanted, at), ValueAt(skiplist, wanted, at));
        std::string target;
        AppendInternalKey(&target, wanted, at, ValueType::kValue);
        a->Seek(target);
        b->Seek(target);
        ASSERT_EQ(a->Valid(), b->Valid());
        ASSERT_EQ(a->key(), a->Valid() ? b->key() : a->key());
        a->SeekForPrev(target);
        b->SeekForPrev(target);
        ASSERT_EQ(a->Valid(), b->Valid());
        ASSERT_EQ(a->key(), a->Valid() ? b->key() : a->key());
      }
    }
    EXPECT_EQ(memtable.num_entries(), skiplist.num_entries());
    std::string from;
    std::string to;
    AppendInternalKey(&from, "key1", 1000, ValueType::kValue);
    AppendInternalKey(&to, "key3", 1000, ValueType::kValue);
    EXPECT_GT(memtable.ApproximateRangeStats(from, to).entries, 300u);
  }
}

TEST(MemTableKinds, TheHashTablesFindASequenceThatWasUsed) {
  const InternalKeyComparator icmp(BytewiseComparator());
  for (const char* kind : {"prefix_hash:7", "hash_linkedlist:7"}) {
    MemTable memtable(&icmp, OfKind(kind), 0);
    EXPECT_TRUE(memtable.Add(7, ValueType::kValue, "key1", "first"));
    EXPECT_FALSE(memtable.Add(7, ValueType::kValue, "key1", "second"));
    EXPECT_EQ(ValueAt(memtable, "key1", 9), "first");
  }
}

TEST(MemTableKinds, HashTablesWithoutPrefixesAreSkipLists) {
  const InternalKeyComparator icmp(BytewiseComparator());
  Arena arena;
  const auto extractor = NewFixedPrefixTransform(1);
  const std::unique_ptr<const SliceTransform> owner(extractor);
  for (const char* kind : {"prefix_hash:7", "hash_linkedlist:7"}) {
    const auto factory = Kind(kind);
    RepTable::Setup setup{&icmp, factory, &arena, nullptr, nullptr, 0};
    EXPECT_EQ(RepTable::Create(setup), nullptr);
    setup.prefix_extractor = extractor;
    EXPECT_NE(RepTable::Create(setup), nullptr);
  }
  const auto vector = Kind("vector");
  EXPECT_NE(RepTable::Create({&icmp, vector, &arena, nullptr, nullptr, 0}),
            nullptr);
  const auto skiplist = Kind("skip_list:3");
  EXPECT_EQ(RepTable::Create({&icmp, skiplist, &arena, nullptr, nullptr, 0}),
            nullptr);
}

TEST(MemTableKinds, HaveTextsThatMakeThemAgain) {
  for (const char* text :
       {"{id=VectorRepFactory;count=9;}",
        "{id=HashSkipListRepFactory;bucket_count=5;skiplist_height=7;"
        "branching_factor=3;}",
        "{id=HashLinkListRepFactory;bucket_count=5;huge_page_size=4096;"
        "logging_threshold=8;log_when_flash=false;threshold=6;}"}) {
    EXPECT_EQ(Kind(text)->GetId(), text);
    EXPECT_TRUE(IsBuiltinMemTableFactory(*Kind(text)));
  }
  EXPECT_EQ(Kind("prefix_hash:5")->GetId(),
            "{id=HashSkipListRepFactory;bucket_count=5;skiplist_height=4;"
            "branching_factor=4;}");
}

TEST(MemTableKinds, ReadersNextToAWriterSeeWhatWasThereBefore) {
  const InternalKeyComparator icmp(BytewiseComparator());
  for (const char* kind : kKinds) {
    SCOPED_TRACE(kind);
    MemTable memtable(&icmp, OfKind(kind), 0);
    std::atomic<SequenceNumber> done{0};
    std::thread writer([&] {
      for (SequenceNumber sequence = 1; sequence <= 2000; ++sequence) {
        memtable.Add(sequence, ValueType::kValue,
                     "key" + std::to_string(sequence * 7919 % 2003), "v");
        done.store(sequence, std::memory_order_release);
      }
    });
    for (SequenceNumber seen = 0; seen < 2000;) {
      seen = done.load(std::memory_order_acquire);
      const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
      SequenceNumber shown = 0;
      for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
        shown += ExtractSequence(iter->key()) <= seen ? 1 : 0;
      }
      ASSERT_TRUE(iter->status().ok()) << iter->status().ToString();
      ASSERT_EQ(shown, seen);
      if (seen == 0) continue;
      const std::string key = "key" + std::to_string(seen * 7919 % 2003);
      ASSERT_EQ(ValueAt(memtable, key, seen), "v");
    }
    writer.join();
  }
}

TEST(MemTableKinds, LargeBucketsAndHowEntriesAreSpreadAreLogged) {
  const InternalKeyComparator icmp(BytewiseComparator());
  test::TextLog log;
  MemTableOptions options = OfKind(
      "{id=HashLinkListRepFactory;bucket_count=64;logging_threshold=3;}");
  options.info_log = &log;
  MemTable memtable(&icmp, options, 0);
  memtable.Add(1, ValueType::kValue, "aaaa1", "");
  memtable.Add(2, ValueType::kValue, "aaaa2", "");
  EXPECT_EQ(log.text(), "");
  memtable.Add(3, ValueType::kValue, "aaaa3", "");
  EXPECT_NE(log.text().find("has 3 entries, the last of them: 6161616133"),
            std::string::npos)
      << log.text();
  memtable.MarkImmutable();
  EXPECT_NE(log.text().find("Memtable sealed: 3 entries in 1 of 64 buckets, at "
                            "most 3 in one; entries: buckets 2+: 1"),
            std::string::npos)
      << log.text();
}

// -- A program's own class: a map, with faults that can be switched on.

class MemTableKindsDbTest : public ::testing::Test {
 protected:
  MemTableKindsDbTest() {
    options_.env = env_.get();
    options_.create_if_missing = true;
  }
  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key, const std::string& value) {
    const Status status = db_->Put(WriteOptions(), key, value);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  // All keys from `start` on, then the status if it is an error.
  std::string Keys(const ReadOptions& options, const std::string& start) {
    const std::unique_ptr<Iterator> iter(db_->NewIterator(options));
    std::string keys;
    for (iter->Seek(start); iter->Valid(); iter->Next()) {
      keys += iter->key().ToString() + " ";
    }
    return iter->status().ok() ? keys : keys + iter->status().ToString();
  }

  MapRepFaults faults_;
  std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(MemTableKindsDbTest, KeepWhatIsWrittenOverFlushesAndRestarts) {
  for (const char* kind : kKinds) {
    SCOPED_TRACE(kind);
    db_.reset();
    ASSERT_TRUE(DestroyDB("/db", options_).ok());
    options_.allow_concurrent_memtable_write = false;
    options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
    options_.memtable_factory = Kind(kind);
    Open();
    Put("aa1", "1");
    Put("ab1", "2");
    Put("b", "without a prefix");
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    Put("aa2", "3");
    Put("aa1", "4");
    ASSERT_TRUE(db_->Delete(WriteOptions(), "ab1").ok());
    Put("ab2", "5");
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(Get("aa1"), "4");
      EXPECT_EQ(Get("aa2"), "3");
      EXPECT_EQ(Get("ab1"), "NotFound: ");
      EXPECT_EQ(Get("b"), "without a prefix");
      ReadOptions total;
      total.total_order_seek = true;
      EXPECT_EQ(Keys(total, ""), "aa1 aa2 ab2 b ");
      ReadOptions same;
      same.prefix_same_as_start = true;
      EXPECT_EQ(Keys(same, "aa"), "aa1 aa2 ");
      EXPECT_EQ(Keys(same, "aa2"), "aa2 ");
      EXPECT_EQ(Keys(same, "ab"), "ab2 ");
      EXPECT_EQ(Keys(same, "ac"), "");
      ReadOptions automatic;
      const Slice bound("ab");
      automatic.auto_prefix_mode = true;
      automatic.iterate_upper_bound = &bound;
      EXPECT_EQ(Keys(automatic, "aa"), "aa1 aa2 ");
      Open();  // What is in the log goes into such a memtable again.
    }
  }
}

TEST_F(MemTableKindsDbTest, TakeEmptyKeysAndKeysOf8MiB) {
  const std::string large(8 << 20, 'k');
  options_.allow_concurrent_memtable_write = false;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  std::vector<std::shared_ptr<MemTableRepFactory>> factories = {
      Kind("skip_list"), std::make_shared<MapRepFactory>(&faults_)};
  for (const char* kind : kKinds) factories.push_back(Kind(kind));
  for (const auto& factory : factories) {
    SCOPED_TRACE(factory->Name());
    db_.reset();
    ASSERT_TRUE(DestroyDB("/db", options_).ok());
    options_.memtable_factory = factory;
    Open();
    Put("", "empty");
    Put(large, "large");
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(Get(""), "empty");
      EXPECT_EQ(Get(large), "large");
      EXPECT_EQ(Get(large.substr(1)), "NotFound: ");
      ReadOptions total;
      total.total_order_seek = true;
      EXPECT_EQ(Keys(total, "").size(), 1 + large.size() + 1);
      if (i == 0) {
        ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
      } else {
        Open();
      }
    }
  }
}

TEST_F(MemTableKindsDbTest, AutomaticPrefixesCanTurnAround) {
  options_.allow_concurrent_memtable_write = false;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  options_.memtable_factory = Kind("prefix_hash:1000");
  Open();
  Put("aa1", "1");
  Put("ab1", "2");
  Put("ab2", "3");
  ReadOptions automatic;
  const Slice bound("ac");
  automatic.auto_prefix_mode = true;
  automatic.iterate_upper_bound = &bound;
  const std::unique_ptr<Iterator> iter(db_->NewIterator(automatic));
  iter->Seek("ab");
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->key(), "ab1");
  iter->Prev();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->key(), "aa1");
  iter->Next();
  iter->Next();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->key(), "ab2");
}

// Of the keys with other prefixes, too, the deletions are seen.
TEST_F(MemTableKindsDbTest, IteratorsThatTurnBackLeaveThePrefix) {
  options_.allow_concurrent_memtable_write = false;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  for (const char* kind : {"prefix_hash:1000", "hash_linkedlist:1000"}) {
    SCOPED_TRACE(kind);
    db_.reset();
    ASSERT_TRUE(DestroyDB("/db", options_).ok());
    options_.memtable_factory = Kind(kind);
    Open();
    Put("a1", "1");
    Put("b1", "2");
    Put("c1", "3");
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    ASSERT_TRUE(db_->Delete(WriteOptions(), "a1").ok());
    Put("b2", "4");
    ASSERT_TRUE(db_->Delete(WriteOptions(), "c1").ok());
    const auto expect = [](Iterator* iter, const std::string& key) {
      EXPECT_EQ(iter->Valid() ? iter->key() : Slice("none"), key);
      EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
    };
    ReadOptions read;
    std::unique_ptr<Iterator> iter(db_->NewIterator(read));
    iter->Seek("b2");
    expect(iter.get(), "b2");
    iter->Prev();
    expect(iter.get(), "b1");
    iter->Prev();
    expect(iter.get(), "none");
    iter->SeekForPrev("b2");
    expect(iter.get(), "b2");
    iter->Next();
    expect(iter.get(), "none");

    // To a bound, which is not sought by its prefix.
    const Slice lower("b1");
    const Slice upper("b9");
    read.iterate_lower_bound = &lower;
    iter.reset(db_->NewIterator(read));
    iter->Seek("b2");
    iter->SeekToFirst();
    expect(iter.get(), "b1");
    iter->Next();
    expect(iter.get(), "b2");
    iter->Next();
    expect(iter.get(), "none");
    read.iterate_lower_bound = nullptr;
    read.iterate_upper_bound = &upper;
    iter.reset(db_->NewIterator(read));
    iter->Seek("b2");
    iter->SeekToLast();
    expect(iter.get(), "b2");
    iter->Prev();
    expect(iter.get(), "b1");
    iter->Prev();
    expect(iter.get(), "none");
  }
}

TEST_F(MemTableKindsDbTest, AProgramsClassGetsTheEntries) {
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults_);
  Open();
  Put("b", "2");
  Put("a", "1");
  EXPECT_EQ(faults_.inserted, 2);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("c"), "NotFound: ");
  EXPECT_EQ(Keys(ReadOptions(), ""), "a b ");
  EXPECT_EQ(faults_.sealed, 0);
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(faults_.sealed, 1);
  EXPECT_EQ(faults_.flushed, 1);
  EXPECT_EQ(Keys(ReadOptions(), ""), "a b ");
  // The options file names the class, and can be read without it.
  Options loaded;
  std::string text;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(&text, db_->GetOptions()).ok());
  EXPECT_NE(text.find("memtable_factory=MapRepFactory"), std::string::npos);
}

TEST_F(MemTableKindsDbTest, WhatComesOutOfOrderIsCorruption) {
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults_);
  Open();
  Put("a", "1");
  Put("b", "2");
  faults_.reversed = true;
  EXPECT_EQ(Keys(ReadOptions(), ""),
            "b Corruption: memtable of kind MapRepFactory: returned its "
            "entries out of order");
  const Status flushed = db_->Flush(FlushOptions());
  EXPECT_EQ(flushed.ToString(),
            "Corruption: memtable of kind MapRepFactory: returned its entries "
            "out of order");
  EXPECT_TRUE(db_->Put(WriteOptions(), "c", "3").IsCorruption());
  faults_.reversed = false;
  Open();
  EXPECT_EQ(Keys(ReadOptions(), ""), "a b ");
}

TEST_F(MemTableKindsDbTest, ANullEntryIsCorruption) {
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults_);
  Open();
  Put("a", "1");
  faults_.null = true;
  const std::string bad =
      "Corruption: memtable of kind MapRepFactory: returned a null pointer as "
      "an entry";
  EXPECT_EQ(Get("a"), bad);
  EXPECT_EQ(Keys(ReadOptions(), ""), bad);
  faults_.null = false;
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(MemTableKindsDbTest, LostEntriesFailTheFlush) {
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults_);
  Open();
  Put("a", "1");
  faults_.loses = true;
  Put("b", "2");
  EXPECT_TRUE(db_->Flush(FlushOptions()).IsCorruption());
}

TEST_F(MemTableKindsDbTest, AFactoryThatMakesNothingGetsASkipList) {
  faults_.makes_none = true;
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults_);
  Open();
  Put("a", "1");
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(faults_.inserted, 0);
}

TEST(MemTableKinds, ConcurrentInsertionsReachTheConcurrentCall) {
  const InternalKeyComparator icmp(BytewiseComparator());
  MapRepFaults faults;
  MemTableOptions options;
  options.factory = std::make_shared<MapRepFactory>(&faults);
  MemTable memtable(&icmp, options, 0);
  std::vector<std::thread> threads;
  for (SequenceNumber t = 0; t < 4; ++t) {
    threads.emplace_back([&memtable, t] {
      MemTable::AddCursor cursor(/*concurrent=*/true);
      for (SequenceNumber i = 0; i < 100; ++i) {
        const std::string key = "key" + std::to_string(t * 100 + i);
        memtable.Add(ParsedInternalKey(key, 1 + t * 100 + i, ValueType::kValue),
                     "v", &cursor);
      }
      memtable.FinishAdds(&cursor);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults.inserted_concurrently, 400);
  EXPECT_EQ(memtable.num_entries(), 400u);
  EXPECT_EQ(ValueAt(memtable, "key399", 400), "v");
}

// A factory of the program's that wraps the skiplist's.
class Wrapper final : public SkipListFactory {
 public:
  using SkipListFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 ROCKSDB_NAMESPACE::Allocator* allocator,
                                 const SliceTransform* prefixes,
                                 Logger* log) override {
    ++made;
    return SkipListFactory::CreateMemTableRep(order, allocator, prefixes, log);
  }
  int made = 0;
};

TEST_F(MemTableKindsDbTest, AFactoryMayWrapTheSkipListsOwn) {
  const auto factory = std::make_shared<Wrapper>();
  options_.memtable_factory = factory;
  Open();
  EXPECT_GT(factory->made, 0);
  Put("b", "1");
  Put("a", "2");
  Put("a", "3");
  EXPECT_EQ(Keys(ReadOptions(), ""), "a b ");
  EXPECT_EQ(Get("a"), "3");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(Get("a"), "3");
}

TEST_F(MemTableKindsDbTest, OneWithoutSnapshotsAndMergesSaysSo) {
  MapRepFaults faults;
  options_.memtable_factory = std::make_shared<MapRepFactory>(&faults);
  options_.merge_operator = NewStringAppendOperator(",");
  Open();
  const Snapshot* const snapshot = db_->GetSnapshot();
  EXPECT_NE(nullptr, snapshot);
  db_->ReleaseSnapshot(snapshot);
  EXPECT_TRUE(db_->Merge(WriteOptions(), "k", "1").ok());
  faults.plain = true;
  EXPECT_EQ(nullptr, db_->GetSnapshot());
  const Status status = db_->Merge(WriteOptions(), "k", "2");
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  Put("a", "1");
  EXPECT_EQ(Get("k"), "1");
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
