// Entities through the whole database: written in every way there is, read in
// every way, on every place of the tree.

#include "rocksdb/wide_columns.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/write_batch.h"
#include "test/support/model_db.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Text(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += (text.empty() ? "" : ",") + column.name().ToString() + ":" +
            column.value().ToString();
  }
  return "{" + text + "}";
}

class WideColumnsTest : public ::testing::Test {
 protected:
  WideColumnsTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    const Status status = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(status.ok());
    Open();
  }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Entity(const std::string& key, const WideColumns& columns) {
    const Status status = db_->PutEntity(
        WriteOptions(), db_->DefaultColumnFamily(), key, columns);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }
  void Merge(const std::string& key, const std::string& operand) {
    ASSERT_TRUE(db_->Merge(WriteOptions(), key, operand).ok());
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Compact() {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  std::string GetEntity(const std::string& key,
                        const ReadOptions& read = ReadOptions()) {
    PinnableWideColumns columns;
    const Status status =
        db_->GetEntity(read, db_->DefaultColumnFamily(), key, &columns);
    return status.ok() ? Text(columns.columns()) : status.ToString();
  }
  static std::string Row(const Iterator& it) {
    return it.key().ToString() + "=" + it.value().ToString() +
           Text(it.columns());
  }
  // "k=default{columns}", both ways; a difference becomes part of the answer.
  std::string Rows() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    return test::RowsBothWays(it.get(), Row);
  }
  // Wherever the entries are, the answer must be the same.
  void EverywhereEqual(const std::string& expected) {
    EXPECT_EQ(expected, Rows());
    Open();
    EXPECT_EQ(expected, Rows());
    Flush();
    EXPECT_EQ(expected, Rows());
    Compact();
    EXPECT_EQ(expected, Rows());
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(WideColumnsTest, AreReadBackFromEveryPlaceTheyCanBe) {
  Entity("a", {{"y", "2"}, {"", "d"}, {"x", "1"}});
  Entity("b", {{"x", "1"}});
  Entity("c", {});
  Put("d", "plain");
  EverywhereEqual("a=d{:d,x:1,y:2} b={x:1} c={} d=plain{:plain}");
  EXPECT_EQ("d", Get("a"));
  EXPECT_EQ("", Get("b"));
  EXPECT_EQ("", Get("c"));
  EXPECT_EQ("{:d,x:1,y:2}", GetEntity("a"));
  EXPECT_EQ("{:plain}", GetEntity("d"));
  EXPECT_EQ("NotFound: ", GetEntity("e"));
}

TEST_F(WideColumnsTest, AreReadManyAtATime) {
  Entity("a", {{"x", "1"}});
  Put("b", "plain");
  const Slice keys[] = {"a", "none", "b"};
  PinnableWideColumns results[3];
  Status statuses[3];
  db_->MultiGetEntity(ReadOptions(), db_->DefaultColumnFamily(), 3, keys,
                      results, statuses);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_EQ("{x:1}", Text(results[0].columns()));
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_TRUE(results[1].columns().empty());
  EXPECT_EQ("{:plain}", Text(results[2].columns()));
  ReadOptions limited;
  limited.value_size_soft_limit = 1;
  db_->MultiGetEntity(limited, db_->DefaultColumnFamily(), 3, keys, results,
                      statuses);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_TRUE(statuses[2].IsAborted());
}

TEST_F(WideColumnsTest, AreSeenAsOldAsTheSnapshot) {
  Entity("a", {{"x", "1"}});
  ManagedSnapshot before(db_.get());
  Entity("a", {{"x", "2"}, {"", "d"}});
  Flush();
  Put("a", "plain");
  ReadOptions at;
  at.snapshot = before.snapshot();
  Compact();
  EXPECT_EQ("{x:1}", GetEntity("a", at));
  EXPECT_EQ("{:plain}", GetEntity("a"));
}

TEST_F(WideColumnsTest, GetMergesIntoTheirDefaultColumn) {
  Entity("a", {{"", "d"}, {"x", "1"}});
  Entity("b", {{"x", "1"}});
  Flush();
  for (const char* key : {"a", "b", "c"}) {
    Merge(key, "m1");
    Merge(key, "m2");
  }
  const std::string merged =
      "a=d,m1,m2{:d,m1,m2,x:1} b=,m1,m2{:,m1,m2,x:1} c=m1,m2{:m1,m2}";
  EXPECT_EQ("d,m1,m2", Get("a"));
  EXPECT_EQ("{:,m1,m2,x:1}", GetEntity("b"));
  EverywhereEqual(merged);
  // Compaction has made entities of them.
  EXPECT_EQ("{:d,m1,m2,x:1}", GetEntity("a"));
}

TEST_F(WideColumnsTest, AreDeletedLikeValues) {
  for (const char* key : {"a", "b", "c", "d"}) Entity(key, {{"x", key}});
  Flush();
  ASSERT_TRUE(db_->Delete(WriteOptions(), "a").ok());
  ASSERT_TRUE(db_->SingleDelete(WriteOptions(), "b").ok());
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "c", "d").ok());
  EverywhereEqual("d={x:d}");
  TablePropertiesCollection properties;
  ASSERT_TRUE(db_->GetPropertiesOfAllTables(&properties).ok());
  uint64_t entries = 0;
  for (const auto& [file, p] : properties) entries += p->num_entries;
  EXPECT_EQ(1u, entries);
}

TEST_F(WideColumnsTest, TheSameNameTwiceIsRefused) {
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "a",
                             {{"x", "1"}, {"x", "2"}})
                  .IsCorruption());
  WriteBatch batch;
  EXPECT_TRUE(
      batch.PutEntity(nullptr, "a", {{"x", ""}, {"x", ""}}).IsCorruption());
  EXPECT_EQ(0u, batch.Count());
}

TEST_F(WideColumnsTest, GoThroughBatchesAndTheirHandlers) {
  struct Handler final : WriteBatch::Handler {
    Status PutEntityCF(uint32_t family, const Slice& key,
                       const Slice& entity) override {
      PinnableWideColumns columns;
      const Status status = columns.SetWideColumnValue(entity);
      seen += std::to_string(family) + key.ToString() + Text(columns.columns());
      return status;
    }
    std::string seen;
  };
  WriteBatch batch;
  ASSERT_TRUE(batch.PutEntity(nullptr, "k", {{"b", "2"}, {"a", "1"}}).ok());
  EXPECT_TRUE(batch.HasPutEntity());
  Handler handler;
  ASSERT_TRUE(batch.Iterate(&handler).ok());
  EXPECT_EQ("0k{a:1,b:2}", handler.seen);
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  EXPECT_EQ("{a:1,b:2}", GetEntity("k"));
}

TEST_F(WideColumnsTest, ThatAreDamagedAreCorruptionWhereTheyAreRead) {
  WriteBatch batch;
  ASSERT_TRUE(engine::WriteBatchInternal::Add(&batch, engine::kPutEntityRecord,
                                              0, "k", "garbage")
                  .ok());
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "k", &value).IsCorruption());
  EXPECT_NE(std::string::npos, GetEntity("k").find("Corruption"));
  EXPECT_NE(std::string::npos, Rows().find("Corruption"));
  Merge("k", "m");
  EXPECT_NE(std::string::npos, Get("k").find("Corruption"));
  EXPECT_NE(std::string::npos, GetEntity("k").find("Corruption"));
  EXPECT_NE(std::string::npos, Rows().find("Corruption"));
}

TEST_F(WideColumnsTest, GoThroughFilesMadeOutside) {
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/outside.sst").ok());
  ASSERT_TRUE(writer.PutEntity("k", {{"b", "2"}, {"", "1"}}).ok());
  EXPECT_TRUE(writer.PutEntity("l", {{"b", "2"}, {"b", "1"}}).IsCorruption());
  ASSERT_TRUE(writer.Finish().ok());
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/outside.sst").ok());
  const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("k=1{:1,b:2}", Row(*it));
  ASSERT_TRUE(
      db_->IngestExternalFile({"/outside.sst"}, IngestExternalFileOptions())
          .ok());
  EXPECT_EQ("{:1,b:2}", GetEntity("k"));
}

// A timed put in a log is a put.
TEST_F(WideColumnsTest, BesideTimedPutsWhichReadAsPuts) {
  std::string rep(12, '\0');
  engine::EncodeFixed32(rep.data() + 8, 1);
  rep.push_back('\x18');
  engine::PutLengthPrefixedSlice(&rep, "k");
  engine::PutLengthPrefixedSlice(&rep, "value" + std::string(8, '\1'));
  WriteBatch batch(rep);
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  EverywhereEqual("k=value{:value}");
}

// ---- Compaction filters.

using FilterDecision = CompactionFilter::Decision;
using NewColumns = std::vector<std::pair<std::string, std::string>>;

class EntityFilter final : public CompactionFilter {
 public:
  using Body = std::function<FilterDecision(const WideColumns*, std::string*,
                                            NewColumns*, std::string*)>;
  explicit EntityFilter(Body body) : body_(std::move(body)) {}
  // NOLINTNEXTLINE(readability-function-size): the interface's parameters.
  FilterDecision FilterV3(int, const Slice&, ValueType type, const Slice* value,
                          const WideColumns* columns, std::string* new_value,
                          NewColumns* new_columns,
                          std::string* skip_until) const override {
    EXPECT_EQ(type == kWideColumnEntity, columns != nullptr);
    EXPECT_EQ(type != kWideColumnEntity, value != nullptr);
    if (columns == nullptr) return FilterDecision::kKeep;
    return body_(columns, new_value, new_columns, skip_until);
  }
  const char* Name() const override { return "EntityFilter"; }

 private:
  const Body body_;
};

class WideColumnsFilterTest : public WideColumnsTest {
 protected:
  std::string Filtered(EntityFilter::Body body) {
    const EntityFilter filter(std::move(body));
    options_.compaction_filter = &filter;
    Open();
    Entity("a", {{"", "d"}, {"x", "1"}});
    Entity("b", {{"x", "1"}});
    Put("c", "plain");
    Flush();
    Compact();
    std::string rows = Rows();
    db_.reset();
    options_.compaction_filter = nullptr;
    return rows;
  }
};

TEST_F(WideColumnsFilterTest, KeepsRemovesAndChanges) {
  EXPECT_EQ("a=d{:d,x:1} b={x:1} c=plain{:plain}",
            Filtered([](auto...) { return FilterDecision::kKeep; }));
  EXPECT_EQ("a=new{:new} b=new{:new} c=plain{:plain}",
            Filtered([](auto, std::string* value, auto...) {
              *value = "new";
              return FilterDecision::kChangeValue;
            }));
  EXPECT_EQ("a=y{:y,m:q,z:2} b=y{:y,m:q,z:2} c=plain{:plain}",
            Filtered([](auto, auto, NewColumns* columns, auto) {
              *columns = {{"z", "2"}, {"", "y"}, {"m", "q"}};
              return FilterDecision::kChangeWideColumnEntity;
            }));
  EXPECT_EQ("a=d{:d,x:1} c=plain{:plain}",
            Filtered([](const WideColumns* columns, auto...) {
              return columns->size() == 1 ? FilterDecision::kRemove
                                          : FilterDecision::kKeep;
            }));
  EXPECT_EQ("c=plain{:plain}", Filtered([](auto, auto, auto, std::string* to) {
              *to = "c";
              return FilterDecision::kRemoveAndSkipUntil;
            }));
}

TEST_F(WideColumnsFilterTest, WithoutV3IsNotAskedAboutEntities) {
  struct Old final : CompactionFilter {
    bool Filter(int, const Slice&, const Slice&, std::string*,
                bool*) const override {
      return true;
    }
    const char* Name() const override { return "Old"; }
  };
  const Old old;
  options_.compaction_filter = &old;
  Open();
  Entity("a", {{"x", "1"}});
  Put("b", "plain");
  Flush();
  Compact();
  EXPECT_EQ("a={x:1}", Rows());
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
