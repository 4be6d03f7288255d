// Writes that look at what the memtable holds: inplace_update_support with and
// without its callback, and max_successive_merges.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"
#include "test/support/ok.h"
#include "util/coding.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RewritingWrites : public ::testing::Test {
 protected:
  RewritingWrites()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
  }

  void Open() {
    db_.reset();
    test::Ok(DB::Open(options_, "/db", &db_));
  }
  void Put(const std::string& key, const std::string& value) {
    test::Ok(db_->Put(WriteOptions(), key, value));
  }
  void Merge(const std::string& key, const std::string& operand) {
    test::Ok(db_->Merge(WriteOptions(), key, operand));
  }
  void Flush() { test::Ok(db_->Flush(FlushOptions())); }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  uint64_t Entries() {
    uint64_t entries = 0;
    EXPECT_TRUE(
        db_->GetIntProperty("rocksdb.num-entries-active-mem-table", &entries));
    return entries;
  }
  // How many a reader would have to merge.
  int Operands(const std::string& key) {
    std::vector<PinnableSlice> operands(100);
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = 100;
    int count = 0;
    test::Ok(db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(),
                                   key, operands.data(), &options, &count));
    return count;
  }

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
};

// ------------------------------------------------------------ in-place updates

class InPlaceUpdates : public RewritingWrites {
 protected:
  InPlaceUpdates() {
    options_.inplace_update_support = true;
    options_.allow_concurrent_memtable_write = false;
    options_.inplace_update_num_locks = 7;
  }
};

TEST_F(InPlaceUpdates, AValueThatIsNotLongerTakesTheOldOnesPlace) {
  for (const uint32_t protection : {0u, 8u}) {
    options_.memtable_protection_bytes_per_key = protection;
    options_.memtable_verify_per_key_checksum_on_seek = protection > 0;
    Open();
    const std::string key = "k" + std::to_string(protection);
    const uint64_t before = Entries();
    Put(key, std::string(300, 'a'));  // Its length takes two bytes.
    Put(key, std::string(300, 'b'));
    EXPECT_EQ(std::string(300, 'b'), Get(key));
    Put(key, "short");
    EXPECT_EQ("short", Get(key));
    Put(key, "");
    EXPECT_EQ("", Get(key));
    EXPECT_EQ(before + 1, Entries());
    Put(key, "longer");
    EXPECT_EQ(before + 2, Entries());
    EXPECT_EQ("longer", Get(key));
    Put(key, "small");
    EXPECT_EQ(before + 2, Entries());
    const std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
    iter->Seek(key);
    ASSERT_TRUE(iter->Valid());
    EXPECT_EQ("small", iter->value());
    Flush();
    EXPECT_EQ("small", Get(key));
  }
  Open();
  EXPECT_EQ("small", Get("k8"));
}

TEST_F(InPlaceUpdates, WhatIsNotAPlainValueStays) {
  options_.merge_operator = engine::NewStringAppendOperator(",");
  Open();
  Put("k", "value");
  test::Ok(db_->Delete(WriteOptions(), "k"));
  Put("k", "v");
  EXPECT_EQ(3u, Entries());
  Put("m", "base");
  Merge("m", "x");
  Put("m", "new");
  EXPECT_EQ(6u, Entries());
  EXPECT_EQ("new", Get("m"));
  Put("r", "covered");
  test::Ok(db_->DeleteRange(WriteOptions(), "r", "s"));
  Put("r", "again");  // Not in the place of what the range deletion covers.
  EXPECT_EQ("again", Get("r"));
  Open();
  EXPECT_EQ("again", Get("r"));
  EXPECT_EQ("v", Get("k"));
}

TEST_F(InPlaceUpdates, ThereAreNoSnapshots) {
  Open();
  EXPECT_EQ(nullptr, db_->GetSnapshot());
  Put("k", "1");
  std::vector<Iterator*> iterators;
  test::Ok(db_->NewIterators(ReadOptions(), {db_->DefaultColumnFamily()},
                             &iterators));
  iterators[0]->SeekToFirst();
  EXPECT_TRUE(iterators[0]->Valid());
  delete iterators[0];
  std::vector<std::string> values;
  EXPECT_TRUE(db_->MultiGet(ReadOptions(), {"k"}, &values)[0].ok());
}

// Another representation keeps its entries as they are; answers are the same.
TEST_F(InPlaceUpdates, WithAnotherMemtable) {
  options_.memtable_factory = std::make_shared<VectorRepFactory>();
  Open();
  Put("k", "1");
  Put("k", "2");
  EXPECT_EQ("2", Get("k"));
  EXPECT_EQ(2u, Entries());
}

// Values are of one letter, so that a torn one shows.
TEST_F(InPlaceUpdates, ReadersNeverSeeHalfAValue) {
  Open();
  constexpr int kKeys = 8;
  const auto key = [](int i) { return "key" + std::to_string(i % kKeys); };
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0};
  const auto check = [&](const Slice& value) {
    for (size_t i = 1; i < value.size(); ++i) torn += value[i] != value[0];
  };
  std::thread getter([&] {
    std::string value;
    for (int i = 0; !stop; ++i) {
      if (db_->Get(ReadOptions(), key(i), &value).ok()) check(value);
    }
  });
  std::thread walker([&] {
    while (!stop) {
      const std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
      for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
        check(iter->value());
      }
      for (iter->SeekToLast(); iter->Valid(); iter->Prev()) {
        check(iter->value());
      }
    }
  });
  for (int i = 0; i < 20000; ++i) {
    Put(key(i), std::string(1 + static_cast<size_t>(i % 400),
                            static_cast<char>('a' + i % 26)));
  }
  stop = true;
  getter.join();
  walker.join();
  EXPECT_EQ(0, torn);
}

// -------------------------------------------------------------- the callback

// Deltas: "=x" becomes the value; "+x" appends; "c" makes every letter of the
// value an x, where it is; "s" halves it; "!" fails; "#" breaks the rules.
UpdateStatus Edit(char* existing, uint32_t* size, Slice delta,
                  std::string* merged) {
  const std::string rest(delta.data() + 1, delta.size() - 1);
  switch (delta[0]) {
    case '=':
      *merged = rest;
      return UPDATED;
    case '+':
      *merged =
          (existing == nullptr ? "" : std::string(existing, *size)) + rest;
      return UPDATED;
    case 'c':
      if (existing == nullptr) return UPDATE_FAILED;
      for (uint32_t i = 0; i < *size; ++i) existing[i] = 'x';
      return UPDATED_INPLACE;
    case 's':
      if (existing == nullptr) return UPDATE_FAILED;
      *size /= 2;
      return UPDATED_INPLACE;
    case '#':
      ++*size;
      return UPDATED_INPLACE;
    default:
      return UPDATE_FAILED;
  }
}

class InPlaceCallbacks : public InPlaceUpdates {
 protected:
  InPlaceCallbacks() { options_.inplace_callback = &Edit; }

  static void EditModel(std::map<std::string, std::string>* model,
                        const std::string& key, const std::string& delta) {
    const auto it = model->find(key);
    std::string value = it == model->end() ? "" : it->second;
    auto size = static_cast<uint32_t>(value.size());
    std::string merged;
    switch (Edit(it == model->end() ? nullptr : value.data(), &size, delta,
                 &merged)) {
      case UPDATED:
        (*model)[key] = merged;
        break;
      case UPDATED_INPLACE:
        value.resize(size);
        (*model)[key] = value;
        break;
      default:
        break;
    }
  }
};

TEST_F(InPlaceCallbacks, GetTheValueWhereverItIs) {
  Open();
  Put("k", "=abcd");
  Put("k", "c");
  EXPECT_EQ("xxxx", Get("k"));
  EXPECT_EQ(1u, Entries());
  Put("k", "s");
  EXPECT_EQ("xx", Get("k"));
  EXPECT_EQ(1u, Entries());
  Put("k", "!");
  EXPECT_EQ("xx", Get("k"));
  Put("k", "+yz");
  EXPECT_EQ("xxyz", Get("k"));
  EXPECT_EQ(2u, Entries());
  Flush();
  Put("k", "+1");  // From the file.
  EXPECT_EQ("xxyz1", Get("k"));
  Flush();
  Put("k", "s");
  EXPECT_EQ("xx", Get("k"));
  Put("none", "c");
  EXPECT_EQ("NotFound: ", Get("none"));
  Open();  // The log holds what was asked for.
  EXPECT_EQ("xx", Get("k"));
}

TEST_F(InPlaceCallbacks, AValueMadeLongerInPlaceStopsWrites) {
  Open();
  Put("k", "=abcd");
  const Status status = db_->Put(WriteOptions(), "k", "#");
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("inplace_callback"));
  EXPECT_FALSE(db_->Put(WriteOptions(), "k", "=x").ok());
  EXPECT_EQ("abcd", Get("k"));
}

// Random deltas, flushes and reopenings, against a model.
TEST_F(InPlaceCallbacks, AgreeWithAModel) {
  options_.write_buffer_size = 64 << 10;
  for (const bool keep : {false, true}) {
    options_.avoid_flush_during_recovery = keep;
    std::map<std::string, std::string> model;
    db_.reset();
    test::Ok(DestroyDB("/db", options_));
    Open();
    engine::Random64 random(keep ? 17 : 4);
    for (int i = 0; i < 6000; ++i) {
      const std::string key = "k" + std::to_string(random.Uniform(50));
      const uint64_t what = random.Uniform(1000);
      if (what < 4) {
        Flush();
      } else if (what < 8) {
        Open();
      } else if (what < 100) {
        test::Ok(db_->Delete(WriteOptions(), key));
        model.erase(key);
      } else {
        static constexpr const char* kDeltas[] = {"=0123456789", "+abc", "c",
                                                  "s", "!"};
        const std::string delta = kDeltas[random.Uniform(5)];
        Put(key, delta);
        EditModel(&model, key, delta);
      }
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < 50; ++i) {
        const std::string key = "k" + std::to_string(i);
        const auto it = model.find(key);
        EXPECT_EQ(it == model.end() ? "NotFound: " : it->second, Get(key));
      }
      db_.reset();
      Open();
    }
  }
}

// ----------------------------------------------------------- successive merges

class SuccessiveMerges : public RewritingWrites {
 protected:
  SuccessiveMerges() {
    options_.merge_operator = engine::NewStringAppendOperator(",");
    options_.max_successive_merges = 3;
  }
};

TEST_F(SuccessiveMerges, NoMoreThanTheOptionAllowsAreLeftToReaders) {
  for (const bool vector : {false, true}) {
    if (vector) {
      options_.memtable_factory = std::make_shared<VectorRepFactory>();
      options_.allow_concurrent_memtable_write = false;
    }
    Open();
    const std::string key = vector ? "v" : "k";
    std::string expected;
    for (int i = 0; i < 20; ++i) {
      Merge(key, std::to_string(i));
      expected += (i == 0 ? "" : ",") + std::to_string(i);
      EXPECT_EQ(expected, Get(key));
      EXPECT_GE(4, Operands(key)) << i;
    }
    test::Ok(db_->SetOptions({{"max_successive_merges", "0"}}));
    for (int i = 0; i < 20; ++i) Merge(key + "2", "x");
    EXPECT_EQ(20, Operands(key + "2"));
    test::Ok(db_->SetOptions({{"max_successive_merges", "3"}}));
    Merge(key + "2", "x");
    EXPECT_EQ(1, Operands(key + "2"));
  }
  Open();
  EXPECT_EQ("0,1", Get("k").substr(0, 3));
}

TEST_F(SuccessiveMerges, OnlyStrictOnesReadFiles) {
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  for (const bool strict : {false, true}) {
    options_.strict_max_successive_merges = strict;
    Open();
    Put("k", "base");
    Flush();
    for (int i = 0; i < 8; ++i) Merge("k", "x");
    EXPECT_EQ(strict ? 1 : 1 + 8, Operands("k"));
    EXPECT_EQ("base,x,x,x,x,x,x,x,x", Get("k"));
  }
}

TEST_F(SuccessiveMerges, SnapshotsAndColumnsStay) {
  Open();
  const WideColumns columns = {{"", "a"}, {"other", "o"}};
  test::Ok(
      db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "k", columns));
  Merge("k", "1");
  const Snapshot* const snapshot = db_->GetSnapshot();
  for (int i = 2; i < 8; ++i) Merge("k", std::to_string(i));
  EXPECT_EQ("a,1,2,3,4,5,6,7", Get("k"));
  PinnableWideColumns found;
  test::Ok(
      db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "k", &found));
  ASSERT_EQ(2u, found.columns().size());
  EXPECT_EQ("o", found.columns()[1].value());
  ReadOptions old;
  old.snapshot = snapshot;
  std::string value;
  test::Ok(db_->Get(old, "k", &value));
  EXPECT_EQ("a,1", value);
  db_->ReleaseSnapshot(snapshot);
}

// What cannot be merged stays as it is.
TEST_F(SuccessiveMerges, WithoutAnOperatorOperandsAreKept) {
  Open();
  Merge("k", "a");
  options_.merge_operator = nullptr;
  Open();
  WriteBatch batch;
  for (int i = 0; i < 8; ++i) test::Ok(batch.Merge("k", "x"));
  (void)db_->Write(WriteOptions(), &batch);
  options_.merge_operator = engine::NewStringAppendOperator(",");
  Open();
  EXPECT_EQ('a', Get("k")[0]);
}

// Each sum depends on the one before it, so writers must not run together.
TEST_F(SuccessiveMerges, CountRightWithManyThreads) {
  options_.merge_operator = engine::NewUInt64AddOperator();
  options_.max_successive_merges = 2;
  Open();
  const std::string key = "k";
  constexpr int kThreads = 8;
  constexpr int kRounds = 2000;
  std::string one;
  engine::PutFixed64(&one, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) Merge(key, one);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string value = Get(key);
  ASSERT_EQ(8u, value.size());
  EXPECT_EQ(uint64_t{kThreads} * kRounds, engine::DecodeFixed64(value.data()));
  EXPECT_GE(3, Operands(key));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
