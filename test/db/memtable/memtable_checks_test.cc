// What a family may ask of its memtables besides their kind: checksums of
// entries, checks of the order, hints for insertions, and no writes at all.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "db/memtable/memtable.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/write_batch.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

const InternalKeyComparator& ByBytes() {
  static const InternalKeyComparator icmp(BytewiseComparator());
  return icmp;
}

std::string NumberedKey(int i) { return "key" + std::to_string(1000 + i); }

// Memory that changes by itself.
void FlipBit(const Slice& bytes) { *const_cast<char*>(bytes.data()) ^= 4; }

void Fill(MemTable* memtable, int count) {
  for (int i = 0; i < count; ++i) {
    const auto sequence = static_cast<SequenceNumber>(i + 1);
    ASSERT_TRUE(
        memtable->Add(sequence, ValueType::kValue, NumberedKey(i), "value"));
  }
}

Status Lookup(const MemTable& memtable, const std::string& key) {
  PinnableSlice value;
  GetContext context(key, kSequenceMax, &value);
  memtable.Get(LookupKey(key, kSequenceMax), &context);
  if (context.state() == GetContext::State::kBadValue) {
    return context.value_status();
  }
  return context.state() == GetContext::State::kFound ? Status::OK()
                                                      : Status::NotFound();
}

Status Walk(const MemTable& memtable, bool forward, int* shown) {
  const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
  *shown = 0;
  if (forward) {
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) ++*shown;
  } else {
    for (iter->SeekToLast(); iter->Valid(); iter->Prev()) ++*shown;
  }
  return iter->status();
}

TEST(MemTableChecks, AnEntryThatChangedDoesNotMatchItsChecksum) {
  for (const uint32_t bytes : {0u, 1u, 2u, 4u, 8u}) {
    for (const bool vector : {false, true}) {
      SCOPED_TRACE(std::to_string(bytes) + (vector ? " vector" : ""));
      MemTableOptions options;
      options.protection_bytes = bytes;
      if (vector) options.factory = std::make_shared<VectorRepFactory>();
      MemTable memtable(&ByBytes(), options, 0);
      Fill(&memtable, 10);
      int shown = 0;
      EXPECT_TRUE(Walk(memtable, true, &shown).ok());
      EXPECT_EQ(shown, 10);
      {
        const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
        std::string target;
        AppendInternalKey(&target, NumberedKey(4), kSequenceMax,
                          ValueType::kValue);
        iter->Seek(target);
        ASSERT_TRUE(iter->Valid());
        FlipBit(iter->value());
      }
      const Status status = Lookup(memtable, NumberedKey(4));
      EXPECT_TRUE(Lookup(memtable, NumberedKey(5)).ok());
      if (bytes == 0) {
        EXPECT_TRUE(status.ok());
        EXPECT_TRUE(Walk(memtable, true, &shown).ok());
        EXPECT_EQ(shown, 10);
        continue;
      }
      EXPECT_EQ(status.ToString().substr(0, 58),
                "Corruption: memtable entry does not match its checksum: in");
      EXPECT_EQ(Walk(memtable, true, &shown), status);
      EXPECT_EQ(shown, 4);
      EXPECT_EQ(Walk(memtable, false, &shown), status);
      EXPECT_EQ(shown, 5);
    }
  }
}

TEST(MemTableChecks, ASearchVerifiesWhatItPassesWhenAsked) {
  MemTableOptions options;
  options.protection_bytes = 8;
  MemTable memtable(&ByBytes(), options, 0);
  Fill(&memtable, 100);
  const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
  std::vector<Slice> values;
  for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    values.push_back(iter->value());
  }
  for (int i = 0; i < 99; ++i) FlipBit(values[static_cast<size_t>(i)]);
  EXPECT_TRUE(Lookup(memtable, NumberedKey(99)).ok());
  memtable.SetReadChecks(/*paranoid=*/false, /*verify_on_seek=*/true);
  EXPECT_TRUE(Lookup(memtable, NumberedKey(99)).IsCorruption());
  std::string target;
  AppendInternalKey(&target, NumberedKey(99), kSequenceMax, ValueType::kValue);
  const std::unique_ptr<InternalIterator> seeker(memtable.NewIterator());
  seeker->Seek(target);
  EXPECT_FALSE(seeker->Valid());
  EXPECT_TRUE(seeker->status().IsCorruption());
}

TEST(MemTableChecks, ASearchOfSoundMemoryFindsTheSame) {
  for (const bool bytewise : {true, false}) {
    const InternalKeyComparator icmp(bytewise ? BytewiseComparator()
                                              : ReverseBytewiseComparator());
    MemTableOptions options;
    options.protection_bytes = 2;
    options.paranoid_checks = true;
    options.verify_on_seek = true;
    MemTable memtable(&icmp, options, 0);
    Fill(&memtable, 200);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(Lookup(memtable, NumberedKey(i)).ok()) << i;
      ASSERT_TRUE(Lookup(memtable, NumberedKey(i) + "x").IsNotFound()) << i;
    }
    ASSERT_TRUE(Lookup(memtable, "a").IsNotFound());
    ASSERT_TRUE(Lookup(memtable, "z").IsNotFound());
    int shown = 0;
    EXPECT_TRUE(Walk(memtable, true, &shown).ok());
    EXPECT_EQ(shown, 200);
    EXPECT_TRUE(Walk(memtable, false, &shown).ok());
    EXPECT_EQ(shown, 200);
  }
}

TEST(MemTableChecks, ParanoidReadersFindKeysThatAreOutOfOrder) {
  MemTable memtable(&ByBytes(), {}, 0);
  Fill(&memtable, 10);
  const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
  std::vector<Slice> keys;
  for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    keys.push_back(iter->key());
  }
  FlipBit(keys[4]);  // "oey1004": behind all others.
  int shown = 0;
  EXPECT_TRUE(Walk(memtable, true, &shown).ok());
  EXPECT_EQ(shown, 10);
  memtable.SetReadChecks(/*paranoid=*/true, /*verify_on_seek=*/false);
  const Status forward = Walk(memtable, true, &shown);
  EXPECT_EQ(forward.ToString().substr(0, 45),
            "Corruption: memtable entries are out of order");
  EXPECT_EQ(shown, 5);
  EXPECT_TRUE(Walk(memtable, false, &shown).IsCorruption());
}

// Counts what insertions cost.
class CountingOrder final : public Comparator {
 public:
  const char* Name() const override { return "CountingOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++count;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
  mutable uint64_t count = 0;
};

// Two rising runs, each in a place of its own.
std::string KeyOfTwoRuns(int i) {
  return (i % 2 == 0 ? "a" : "b") + NumberedKey(i);
}

uint64_t CompareToInsert(const MemTableOptions& options) {
  CountingOrder order;
  const InternalKeyComparator icmp(&order);
  MemTable memtable(&icmp, options, 0);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(memtable.Add(static_cast<SequenceNumber>(i + 1),
                             ValueType::kValue, KeyOfTwoRuns(i), ""));
  }
  const uint64_t count = order.count;
  int shown = 0;
  EXPECT_TRUE(Walk(memtable, true, &shown).ok());
  EXPECT_EQ(shown, 1000);
  return count;
}

TEST(MemTableChecks, HintsMakeInsertionsNextToEachOtherCheap) {
  MemTableOptions options;
  const uint64_t without = CompareToInsert(options);
  options.hint_prefixes.reset(NewFixedPrefixTransform(1));
  const uint64_t with = CompareToInsert(options);
  EXPECT_LT(with * 2, without) << with << " of " << without;
}

class MemTableChecksDbTest : public ::testing::Test {
 protected:
  MemTableChecksDbTest() {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
  }
  ~MemTableChecksDbTest() override { Close(); }
  Status Open(const ColumnFamilyOptions& other) {
    Close();
    std::vector<ColumnFamilyHandle*> handles;
    RETURN_IF_ERROR(
        DB::Open(options_, "/db",
                 {{kDefaultColumnFamilyName, options_}, {"other", other}},
                 &handles, &db_));
    default_.reset(handles[0]);
    other_.reset(handles[1]);
    return Status::OK();
  }
  void Close() {
    default_.reset();
    other_.reset();
    db_.reset();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), other_.get(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options_;
  std::unique_ptr<DB> db_;
  std::unique_ptr<ColumnFamilyHandle> default_;
  std::unique_ptr<ColumnFamilyHandle> other_;
};

TEST_F(MemTableChecksDbTest, ASearchVerifiesWhatItPassesWhenAsked) {
  for (const bool asked : {false, true}) {
    ColumnFamilyOptions other(options_);
    other.memtable_protection_bytes_per_key = 8;
    other.memtable_verify_per_key_checksum_on_seek = asked;
    ASSERT_TRUE(DestroyDB("/db", options_).ok());
    ASSERT_TRUE(Open(other).ok());
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(
          db_->Put(WriteOptions(), other_.get(), NumberedKey(i), "1").ok());
    }
    {
      const std::unique_ptr<Iterator> iter(
          db_->NewIterator(ReadOptions(), other_.get()));
      iter->SeekToFirst();
      for (int i = 0; i < 99; ++i, iter->Next()) {
        ASSERT_TRUE(iter->Valid()) << iter->status().ToString();
        FlipBit(iter->value());
      }
    }
    const std::string got = Get(NumberedKey(99));
    EXPECT_EQ(asked ? "Corruption" : "1", got.substr(0, got.find(':')));
    Close();
  }
}

TEST_F(MemTableChecksDbTest, HintsMakeInsertionsNextToEachOtherCheap) {
  CountingOrder order;
  uint64_t without = 0;
  for (const bool hints : {false, true}) {
    ColumnFamilyOptions other(options_);
    other.comparator = &order;
    if (hints) {
      other.memtable_insert_with_hint_prefix_extractor.reset(
          NewFixedPrefixTransform(1));
    }
    ASSERT_TRUE(DestroyDB("/db", options_).ok());
    ASSERT_TRUE(Open(other).ok());
    order.count = 0;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(
          db_->Put(WriteOptions(), other_.get(), KeyOfTwoRuns(i), "").ok());
    }
    if (hints) {
      EXPECT_LT(order.count * 2, without);
    }
    without = order.count;
    EXPECT_EQ("", Get(KeyOfTwoRuns(999)));
    Close();
  }
}

TEST_F(MemTableChecksDbTest, DamagedMemoryNeverReachesATable) {
  ColumnFamilyOptions other(options_);
  other.memtable_protection_bytes_per_key = 4;
  ASSERT_TRUE(Open(other).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), other_.get(), "a", "1").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), other_.get(), "b", "2").ok());
  {
    const std::unique_ptr<Iterator> iter(
        db_->NewIterator(ReadOptions(), other_.get()));
    iter->SeekToLast();
    iter->SeekToFirst();
    ASSERT_TRUE(iter->Valid());
    FlipBit(iter->value());
  }
  EXPECT_NE(Get("a").find("does not match its checksum"), std::string::npos);
  EXPECT_EQ(Get("b"), "2");
  EXPECT_TRUE(db_->Flush(FlushOptions(), other_.get()).IsCorruption());
  ASSERT_TRUE(Open(other).ok());  // The log is sound.
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(MemTableChecksDbTest, OtherNumbersOfBytesAreRefused) {
  for (const uint32_t bytes : {3u, 5u, 16u}) {
    ColumnFamilyOptions other(options_);
    other.memtable_protection_bytes_per_key = bytes;
    EXPECT_EQ(Open(other).ToString(),
              "Not implemented: Memtable per key-value checksum protection "
              "only supports 0, 1, 2, 4 or 8 bytes per key.");
  }
}

TEST_F(MemTableChecksDbTest, ReadChecksChangeWhileTheDatabaseIsOpen) {
  ASSERT_TRUE(Open(options_).ok());
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), other_.get(), key, "1").ok());
  }
  ASSERT_TRUE(
      db_->SetOptions(other_.get(), {{"paranoid_memory_checks", "true"}}).ok());
  const std::unique_ptr<Iterator> iter(
      db_->NewIterator(ReadOptions(), other_.get()));
  iter->SeekToFirst();
  ASSERT_TRUE(iter->Valid());
  FlipBit(iter->key());  // "a" becomes "e".
  iter->SeekToFirst();
  while (iter->Valid()) iter->Next();
  EXPECT_TRUE(iter->status().IsCorruption()) << iter->status().ToString();
}

TEST_F(MemTableChecksDbTest, AFamilyWithoutWritesTakesTablesOnly) {
  ColumnFamilyOptions other(options_);
  other.disallow_memtable_writes = true;
  ASSERT_TRUE(Open(other).ok());
  const std::string refused =
      "Invalid argument: This column family has disallow_memtable_writes=true";
  const WriteOptions write;
  EXPECT_EQ(db_->Put(write, other_.get(), "a", "1").ToString(), refused);
  EXPECT_EQ(db_->Delete(write, other_.get(), "a").ToString(), refused);
  EXPECT_EQ(db_->DeleteRange(write, other_.get(), "a", "b").ToString(),
            refused);
  WriteBatch both;
  ASSERT_TRUE(both.Put("k", "v").ok());
  ASSERT_TRUE(both.Put(other_.get(), "a", "1").ok());
  EXPECT_EQ(db_->Write(write, &both).ToString(), refused);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "k", &value).IsNotFound());
  EXPECT_TRUE(db_->Put(write, "k", "v").ok());

  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/x.sst").ok());
  ASSERT_TRUE(writer.Put("a", "ingested").ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_TRUE(db_->IngestExternalFile(other_.get(), {"/x.sst"},
                                      IngestExternalFileOptions())
                  .ok());
  EXPECT_EQ(Get("a"), "ingested");
  Close();
  options_.disallow_memtable_writes = true;
  EXPECT_EQ(Open(other).ToString(),
            "Invalid argument: Default column family cannot use "
            "disallow_memtable_writes=true");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
