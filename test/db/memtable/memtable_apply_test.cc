#include "db/memtable/memtable_apply.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/write_batch/write_batch_internal.h"
#include "gtest/gtest.h"
#include "rocksdb/write_batch.h"
#include "table/entity.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Verdict = FamilyResolver::Found::Verdict;

// Families 0 and 1 take writes, 2 already has the data, others are missing.
class Families : public FamilyResolver {
 public:
  Found Find(uint32_t id) override {
    ++finds;
    if (id < 2) return {Verdict::kWrite, memtables[id].get()};
    return {id == 2 ? Verdict::kSkip : Verdict::kMissing, nullptr};
  }
  void OnMemTableFull(uint32_t id, MemTable*) override { full.push_back(id); }

  // "key@sequence:type=value" per entry.
  std::vector<std::string> Entries(size_t family) const {
    std::vector<std::string> result;
    std::unique_ptr<InternalIterator> iter(memtables[family]->NewIterator());
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      ParsedInternalKey key;
      EXPECT_TRUE(ParseInternalKey(iter->key(), &key));
      result.push_back(key.user_key.ToString() + "@" +
                       std::to_string(key.sequence) + ":" +
                       std::to_string(static_cast<int>(key.type)) + "=" +
                       iter->value().ToString());
    }
    return result;
  }

  InternalKeyComparator icmp{BytewiseComparator()};
  std::unique_ptr<MemTable> memtables[2] = {
      std::make_unique<MemTable>(&icmp, MemTableOptions(), 0),
      std::make_unique<MemTable>(&icmp, MemTableOptions(), 0)};
  std::vector<uint32_t> full;
  int finds = 0;
};

using Strings = std::vector<std::string>;

// What the check lets pass is in the log before it is applied.
TEST(MemTableApply, RefusesATimedPutWithoutItsTimeBeforeItIsLogged) {
  for (const char family : {'\0', '\2', '\t'}) {
    std::string rep(kBatchHeaderSize, '\0');
    EncodeFixed32(rep.data() + kBatchCountOffset, 1);
    rep += static_cast<char>(ValueType::kColumnFamilyValuePreferredSeqno);
    rep += family;
    PutLengthPrefixedSlice(&rep, "key");
    PutLengthPrefixedSlice(&rep, "1234567");  // A byte less than a time has.
    Families families;
    BatchShape shape;
    EXPECT_TRUE(CheckBatch(rep, &families, true, &shape).IsCorruption())
        << int{family};
  }
}

TEST(MemTableApply, TurnsRecordsIntoEntriesWithConsecutiveSequences) {
  Families families;
  WriteBatch batch;
  ASSERT_TRUE(WriteBatchInternal::Put(&batch, 0, "a", "1").ok());
  ASSERT_TRUE(WriteBatchInternal::Delete(&batch, 1, "b").ok());
  ASSERT_TRUE(batch.PutLogData("takes no sequence").ok());
  ASSERT_TRUE(WriteBatchInternal::Merge(&batch, 0, "a", "+2").ok());
  ASSERT_TRUE(WriteBatchInternal::Put(&batch, 2, "skipped", "").ok());
  ASSERT_TRUE(WriteBatchInternal::SingleDelete(&batch, 0, "c").ok());
  BatchShape shape;
  ASSERT_TRUE(CheckBatch(batch.Data(), &families, false, &shape).ok());
  EXPECT_EQ(shape.num_counted, 5u);
  ASSERT_TRUE(ApplyBatch(batch.Data(), 10, &families, {}).ok());
  EXPECT_EQ(families.Entries(0), (Strings{"a@12:2=+2", "a@10:1=1", "c@14:7="}));
  EXPECT_EQ(families.Entries(1), (Strings{"b@11:0="}));
  EXPECT_EQ(families.memtables[0]->num_entries(), 3u);
  EXPECT_EQ(families.memtables[1]->num_deletes(), 1u);
}

TEST(MemTableApply, AsksForAFamilyOncePerRunOfRecords) {
  Families families;
  WriteBatch batch;
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(batch.Put(std::to_string(i), "v").ok());
  ASSERT_TRUE(ApplyBatch(batch.Data(), 1, &families, {}).ok());
  EXPECT_EQ(families.finds, 1);
}

// Large enough that paths are prefetched.
TEST(MemTableApply, ABatchOfManyRecordsIsThatOfItsRecords) {
  Families families;
  std::map<std::string, std::string> expected[2];
  SequenceNumber sequence = 1;
  Random64 random(3);
  for (int round = 0; round < 600; ++round) {
    WriteBatch batch;
    const int records = 1 + static_cast<int>(random.Uniform(100));
    for (int i = 0; i < records; ++i) {
      const std::string key = std::to_string(random.Uniform(1000000));
      const std::string value = std::to_string(random.Next());
      const uint32_t family = random.OneIn(3) ? 1 : 0;
      ASSERT_TRUE(WriteBatchInternal::Put(&batch, family, key, value).ok());
      expected[family][key] = value;
    }
    ASSERT_TRUE(ApplyBatch(batch.Data(), sequence, &families, {}).ok());
    sequence += static_cast<SequenceNumber>(records);
  }
  for (const size_t family : {0, 1}) {
    std::map<std::string, std::string> found;
    const std::unique_ptr<InternalIterator> iter(
        families.memtables[family]->NewIterator());
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      found.emplace(ExtractUserKey(iter->key()).ToString(),
                    iter->value().ToString());
    }
    EXPECT_EQ(expected[family], found);
  }
  EXPECT_EQ(sequence - 1, families.memtables[0]->num_entries() +
                              families.memtables[1]->num_entries());
  EXPECT_LT(10000u, families.memtables[1]->num_entries());
}

TEST(MemTableApply, ChecksBeforeAnythingIsDone) {
  struct Case {
    const char* what;
    std::function<void(WriteBatch*)> fill;
    Status::Code code;
  };
  const std::vector<Case> cases = {
      {"missing family",
       [](WriteBatch* b) {
         ASSERT_TRUE(WriteBatchInternal::Put(b, 3, "k", "v").ok());
       },
       Status::kInvalidArgument},
      {"truncated",
       [](WriteBatch* b) {
         ASSERT_TRUE(b->Put("key", "value").ok());
         std::string rep = b->Data();
         rep.pop_back();
         ASSERT_TRUE(WriteBatchInternal::SetContents(b, rep).ok());
       },
       Status::kCorruption},
      {"wrong count",
       [](WriteBatch* b) {
         ASSERT_TRUE(b->Put("key", "value").ok());
         WriteBatchInternal::SetCount(b, 2);
       },
       Status::kCorruption},
      {"prepared section",
       [](WriteBatch* b) {
         std::string rep = b->Data();
         rep.push_back(static_cast<char>(ValueType::kBeginPrepare));
         ASSERT_TRUE(WriteBatchInternal::SetContents(b, rep).ok());
       },
       Status::kNotSupported},
      {"entity with a column in a blob file",
       [](WriteBatch* b) {
         // The bytes are told in table/entity.h; the index is of file 9.
         const std::string entity("\2\1\1\1\1\x11\1\5a\1\x9\x20\3\0", 14);
         WideColumns columns;
         ASSERT_TRUE(DecodeEntity(entity, &columns).IsNotSupported());
         std::string rep = b->Data();
         rep.push_back(static_cast<char>(ValueType::kWideColumnEntity));
         PutLengthPrefixedSlice(&rep, "k");
         PutLengthPrefixedSlice(&rep, entity);
         ASSERT_TRUE(WriteBatchInternal::SetContents(b, rep).ok());
         WriteBatchInternal::SetCount(b, 1);
       },
       Status::kNotSupported},
  };
  for (const Case& c : cases) {
    Families families;
    WriteBatch batch;
    c.fill(&batch);
    BatchShape shape;
    EXPECT_EQ(CheckBatch(batch.Data(), &families, false, &shape).code(), c.code)
        << c.what;
    // Replay applies without a check and must not be fooled either.
    EXPECT_EQ(ApplyBatch(batch.Data(), 1, &families, {}).code(), c.code)
        << c.what;
  }
}

TEST(MemTableApply, KeepsRangeDeletionsBesideTheEntries) {
  Families families;
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("b", "d").ok());
  ASSERT_TRUE(batch.DeleteRange("x", "x").ok());  // Nothing, but counted.
  ASSERT_TRUE(batch.Put("c", "v").ok());
  BatchShape shape;
  ASSERT_TRUE(CheckBatch(batch.Data(), &families, false, &shape).ok());
  EXPECT_EQ(shape.num_counted, 3u);
  ASSERT_TRUE(ApplyBatch(batch.Data(), 5, &families, {}).ok());
  EXPECT_EQ(families.Entries(0), (Strings{"c@7:1=v"}));
  const MemTable& memtable = *families.memtables[0];
  EXPECT_EQ(memtable.num_entries(), 2u);
  EXPECT_EQ(memtable.num_range_deletes(), 1u);
  EXPECT_EQ(memtable.first_sequence(), 5u);
  EXPECT_EQ(memtable.range_deletions().NewestOver("c", 100), 5u);
  EXPECT_EQ(memtable.range_deletions().NewestOver("c", 4), 0u);
  EXPECT_EQ(memtable.range_deletions().NewestOver("d", 100), 0u);
}

TEST(MemTableApply, RefusesARangeThatEndsBeforeItBegins) {
  Families families;
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("b", "a").ok());
  BatchShape shape;
  const Status status = CheckBatch(batch.Data(), &families, false, &shape);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  // In a log it deletes nothing.
  ASSERT_TRUE(ApplyBatch(batch.Data(), 1, &families, {}).ok());
  EXPECT_TRUE(families.memtables[0]->empty());
}

TEST(MemTableApply, IgnoresMissingFamiliesWhenAskedTo) {
  Families families;
  WriteBatch batch;
  ASSERT_TRUE(WriteBatchInternal::Put(&batch, 3, "k", "v").ok());
  ASSERT_TRUE(batch.Put("a", "v").ok());
  BatchShape shape;
  ASSERT_TRUE(CheckBatch(batch.Data(), &families, true, &shape).ok());
  EXPECT_EQ(shape.num_counted, 2u);
  ApplyOptions options;
  options.ignore_missing = true;
  ASSERT_TRUE(ApplyBatch(batch.Data(), 5, &families, options).ok());
  EXPECT_EQ(families.Entries(0), (Strings{"a@6:1=v"}));
}

TEST(MemTableApply, ReportsEachFullMemTableOnce) {
  Families families;
  families.memtables[0]->RequestFlush();
  families.memtables[1]->RequestFlush();
  for (SequenceNumber sequence = 1; sequence < 10; sequence += 4) {
    WriteBatch batch;
    for (uint32_t family : {0u, 1u, 0u, 1u})
      ASSERT_TRUE(WriteBatchInternal::Put(&batch, family, "k", "v").ok());
    ASSERT_TRUE(ApplyBatch(batch.Data(), sequence, &families, {}).ok());
  }
  EXPECT_EQ(families.full, (std::vector<uint32_t>{0, 1}));
}

TEST(MemTableApply, CallsAReusedSequenceCorruption) {
  Families families;
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("k", "v").ok());
  ASSERT_TRUE(ApplyBatch(batch.Data(), 1, &families, {}).ok());
  EXPECT_TRUE(ApplyBatch(batch.Data(), 1, &families, {}).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
