// Iterators over several families: the coalescing one and that of attribute
// groups beside a model, at random; what they refuse; errors of their children.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "db/read/family_merge.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/table.h"
#include "test/support/effort.h"
#include "test/support/error_fs.h"
#include "test/support/model_db.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::Random64;
using test::ModelDb;
using Rows = ModelDb::Rows;
using FamilyHandles = std::vector<ColumnFamilyHandle*>;

constexpr size_t kFamilies = 3;
const char* const kFamilyNames[kFamilies] = {"default", "one", "two"};

std::string ColumnsText(const ModelDb::Columns& columns) {
  std::string text;
  for (const auto& [name, value] : columns) {
    text += (text.empty() ? "" : ",") + name + ":" + value;
  }
  return "{" + text + "}";
}

std::string ColumnsText(const WideColumns& columns) {
  ModelDb::Columns copy;
  std::string last;
  for (const WideColumn& column : columns) {
    const std::string name = column.name().ToString();
    if (!copy.empty()) {
      EXPECT_LT(last, name);
    }
    last = name;
    copy[name] = column.value().ToString();
  }
  return ColumnsText(copy);
}

std::string RowText(const Iterator& it) {
  return it.value().ToString() + ColumnsText(it.columns());
}

std::string RowText(const AttributeGroupIterator& it) {
  std::string text;
  for (const IteratorAttributeGroup& group : it.attribute_groups()) {
    text += group.column_family()->GetName() + ColumnsText(group.columns());
  }
  return text;
}

// What the two kinds show of these families, in this order.
Rows CoalescedRows(const ModelDb::State& state,
                   const std::vector<std::string>& families) {
  std::map<std::string, ModelDb::Columns> merged;
  for (const std::string& family : families) {
    for (const auto& [key, row] : state.at(family)) {
      ModelDb::Columns& columns = merged[key];
      for (const auto& [name, value] : ModelDb::ColumnsOf(row)) {
        columns[name] = value;
      }
    }
  }
  Rows rows;
  for (const auto& [key, columns] : merged) {
    const auto found = columns.find("");
    rows[key] =
        (found == columns.end() ? "" : found->second) + ColumnsText(columns);
  }
  return rows;
}

Rows GroupedRows(const ModelDb::State& state,
                 const std::vector<std::string>& families) {
  Rows rows;
  for (const std::string& family : families) {
    for (const auto& [key, row] : state.at(family)) {
      rows[key] += family + ColumnsText(ModelDb::ColumnsOf(row));
    }
  }
  return rows;
}

class FamilyIterators : public ::testing::Test {
 protected:
  FamilyIterators()
      : fs_(std::make_shared<test::ErrorFileSystem>(
            std::make_shared<engine::MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.compression = kNoCompression;
    options_.write_buffer_size = 16 << 10;
    options_.arena_block_size = 4096;
    options_.target_file_size_base = 4 << 10;
    options_.max_bytes_for_level_base = 16 << 10;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    for (size_t i = 0; i < kFamilies; ++i) {
      family_options_.emplace_back(options_);
      model_.CreateFamily(kFamilyNames[i], ModelDb::Merging::kAppend);
    }
    family_options_.back().enable_blob_files = true;
    family_options_.back().min_blob_size = 16;
  }
  ~FamilyIterators() override { Close(); }

  // Prefixes of so many bytes, and filters of them.
  void UsePrefixes(size_t bytes) {
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.no_block_cache = true;
    table.filter_policy.reset(NewBloomFilterPolicy(20));
    for (ColumnFamilyOptions& options : family_options_) {
      options.prefix_extractor.reset(NewFixedPrefixTransform(bytes));
      options.memtable_prefix_bloom_size_ratio = 0.1;
      options.table_factory.reset(NewBlockBasedTableFactory(table));
    }
  }
  void FlushAll() {
    for (ColumnFamilyHandle* handle : handles_) {
      test::Ok(db_->Flush(FlushOptions(), handle));
    }
  }
  void Open() {
    std::vector<ColumnFamilyDescriptor> families;
    for (size_t i = 0; i < kFamilies; ++i) {
      families.emplace_back(kFamilyNames[i], family_options_[i]);
    }
    test::Ok(DB::Open(DBOptions(options_), "/db", families, &handles_, &db_));
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      test::Ok(db_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
    db_.reset();
  }
  void Put(size_t family, const std::string& key, const std::string& value) {
    test::Ok(db_->Put(WriteOptions(), handles_[family], key, value));
  }
  void PutEntity(size_t family, const std::string& key,
                 const WideColumns& columns) {
    test::Ok(db_->PutEntity(WriteOptions(), handles_[family], key, columns));
  }
  // "k=value{columns} ..."
  std::string Coalesced(const FamilyHandles& families,
                        const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it =
        db_->NewCoalescingIterator(read, families);
    return test::RowsBothWays(it.get(), [](const Iterator& at) {
      return at.key().ToString() + "=" + RowText(at);
    });
  }
  std::string Grouped(const FamilyHandles& families) {
    const std::unique_ptr<AttributeGroupIterator> it =
        db_->NewAttributeGroupIterator(ReadOptions(), families);
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text +=
          (text.empty() ? "" : " ") + it->key().ToString() + "=" + RowText(*it);
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  const std::shared_ptr<test::ErrorFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
  std::vector<ColumnFamilyOptions> family_options_;
  std::unique_ptr<DB> db_;
  FamilyHandles handles_;
  ModelDb model_;
};

TEST_F(FamilyIterators, TheLastFamilyWinsColumnByColumn) {
  Open();
  PutEntity(0, "k", {{"col_1", "a1"}, {"col_2", "a2"}});
  PutEntity(1, "k", {{"col_1", "b1"}, {"col_3", "b3"}});
  PutEntity(2, "k", {{"col_1", "c1"}, {"col_4", "c4"}});
  EXPECT_EQ("k={col_1:c1,col_2:a2,col_3:b3,col_4:c4}", Coalesced(handles_));
  EXPECT_EQ("k={col_1:a1,col_2:a2,col_3:b3,col_4:c4}",
            Coalesced({handles_[2], handles_[1], handles_[0]}));
  EXPECT_EQ(
      "k=default{col_1:a1,col_2:a2}one{col_1:b1,col_3:b3}two{col_1:c1,col_4:"
      "c4}",
      Grouped(handles_));
  Put(0, "k", "plain");
  EXPECT_EQ("k=plain{:plain,col_1:c1,col_3:b3,col_4:c4}", Coalesced(handles_));
  Put(2, "k", "last");
  EXPECT_EQ("k=last{:last,col_1:b1,col_3:b3}", Coalesced(handles_));
  Put(1, "a", "1");
  PutEntity(2, "z", {});
  EXPECT_EQ("a=1{:1} k=last{:last,col_1:b1,col_3:b3} z={}",
            Coalesced(handles_));
  EXPECT_EQ(
      "a=one{:1} k=default{:plain}one{col_1:b1,col_3:b3}two{:last} "
      "z=two{}",
      Grouped(handles_));
  EXPECT_EQ("a=1{:1} k={col_1:b1,col_3:b3}", Coalesced({handles_[1]}));
}

TEST_F(FamilyIterators, RefuseWhatHasNoOneOrder) {
  family_options_[1].comparator = ReverseBytewiseComparator();
  Open();
  const auto answer = [&](const FamilyHandles& families,
                          const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it =
        db_->NewCoalescingIterator(read, families);
    const std::unique_ptr<AttributeGroupIterator> groups =
        db_->NewAttributeGroupIterator(read, families);
    it->SeekToFirst();
    groups->SeekToLast();
    EXPECT_FALSE(it->Valid());
    EXPECT_FALSE(groups->Valid());
    EXPECT_EQ(it->status(), groups->status());
    return it->status();
  };
  EXPECT_TRUE(answer({}).IsInvalidArgument());
  EXPECT_TRUE(answer({handles_[0], nullptr}).IsInvalidArgument());
  EXPECT_TRUE(answer({handles_[0], handles_[1]}).IsInvalidArgument());
  EXPECT_TRUE(answer({handles_[0], handles_[2]}).ok());
  EXPECT_TRUE(answer({handles_[1]}).ok());
  const std::string time = test::Ts(1);
  const Slice timestamp(time);
  ReadOptions read;
  read.timestamp = &timestamp;
  EXPECT_TRUE(answer({handles_[0]}, read).IsInvalidArgument());
  read.iter_start_ts = &timestamp;
  EXPECT_TRUE(answer({handles_[0]}, read).IsNotSupported());
  ReadOptions managed;
  managed.managed = true;
  EXPECT_TRUE(answer({handles_[0]}, managed).IsNotSupported());
}

TEST_F(FamilyIterators, ReverseOrderIsAnOrder) {
  for (ColumnFamilyOptions& options : family_options_) {
    options.comparator = ReverseBytewiseComparator();
  }
  Open();
  Put(0, "a", "0");
  Put(1, "b", "1");
  Put(2, "a", "2");
  EXPECT_EQ("b=1{:1} a=2{:2}", Coalesced(handles_));
}

TEST_F(FamilyIterators, RefreshTakesOneStateOfAllFamilies) {
  Open();
  Put(0, "a", "0");
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(ReadOptions(), handles_);
  const auto rows = [&it] {
    return test::RowsBothWays(it.get(), [](const Iterator& at) {
      return at.key().ToString() + "=" + at.value().ToString();
    });
  };
  Put(1, "b", "1");
  Put(2, "c", std::string(20, 'c'));
  EXPECT_EQ("a=0", rows());
  test::Ok(it->Refresh());
  EXPECT_FALSE(it->Valid());
  EXPECT_EQ("a=0 b=1 c=" + std::string(20, 'c'), rows());
  ManagedSnapshot old(db_.get(), db_->GetSnapshot());
  Put(0, "a", "changed");
  EXPECT_EQ("a=0 b=1 c=" + std::string(20, 'c'), rows());
  test::Ok(it->Refresh(old.snapshot()));
  EXPECT_EQ("a=0 b=1 c=" + std::string(20, 'c'), rows());
  test::Ok(it->Refresh());
  EXPECT_EQ("a=changed b=1 c=" + std::string(20, 'c'), rows());
  const std::unique_ptr<AttributeGroupIterator> groups =
      db_->NewAttributeGroupIterator(ReadOptions(), handles_);
  Put(1, "a", "also");
  test::Ok(groups->Refresh());
  groups->Seek("a");
  ASSERT_TRUE(groups->Valid());
  EXPECT_EQ("default{:changed}one{:also}", RowText(*groups));
}

TEST_F(FamilyIterators, AnErrorOfOneFamilyEndsTheWalkUntilTheNextSeek) {
  Open();
  for (int i = 0; i < 200; ++i) {
    const std::string key = "k" + std::to_string(1000 + i);
    Put(static_cast<size_t>(i % 2), key, std::string(50, 'v'));
  }
  test::Ok(db_->Flush(FlushOptions(), handles_[1]));
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(ReadOptions(), handles_);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  for (const bool forward : {true, false}) {
    forward ? it->SeekToFirst() : it->SeekToLast();
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    test::Ok(fs_->SetRule("(ErrInjected (And read (PathMatch \"*.sst\")))"));
    int steps = 0;
    for (; it->Valid(); ++steps) forward ? it->Next() : it->Prev();
    EXPECT_LT(steps, 200);
    EXPECT_TRUE(it->status().IsIOError()) << it->status().ToString();
    it->Seek("k1100");
    EXPECT_FALSE(it->Valid());
    EXPECT_TRUE(it->status().IsIOError());
    fs_->ClearRule();
    it->Seek("k1100");
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    EXPECT_EQ("k1100", it->key().ToString());
    test::Ok(it->status());
  }
}

TEST_F(FamilyIterators, TellTheNewestTimestampOfTheKey) {
  for (ColumnFamilyOptions& options : family_options_) {
    options.comparator = BytewiseComparatorWithU64Ts();
    options.enable_blob_files = false;
  }
  Open();
  const auto put = [&](size_t family, const char* key, uint64_t time) {
    test::Ok(db_->Put(WriteOptions(), handles_[family], key, test::Ts(time),
                      std::to_string(time)));
  };
  put(0, "a", 5);
  put(1, "a", 7);
  put(2, "a", 6);
  put(2, "a", 9);
  put(1, "b", 3);
  const std::string time = test::Ts(8);
  const Slice timestamp(time);
  ReadOptions read;
  read.timestamp = &timestamp;
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(read, handles_);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid()) << it->status().ToString();
  EXPECT_EQ("a", it->key().ToString());
  EXPECT_EQ("6", it->value().ToString());
  EXPECT_EQ(test::Ts(7), it->timestamp().ToString());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("b", it->key().ToString());
  EXPECT_EQ(test::Ts(3), it->timestamp().ToString());
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("a", it->key().ToString());
  EXPECT_EQ("6", it->value().ToString());
}

TEST_F(FamilyIterators, TailingOnesSeeWhatIsNewAtEachSeek) {
  Open();
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(read, handles_);
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  Put(1, "b", "1");
  Put(2, "a", "2");
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("a", it->key().ToString());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("b", it->key().ToString());
  it->Prev();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsNotSupported()) << it->status().ToString();
}

std::string FamilyPlace(const Iterator& it) {
  return it.Valid() ? it.key().ToString() : it.status().ToString();
}

TEST_F(FamilyIterators, TurnsMissNothingThatAPrefixFilterRulesOut) {
  UsePrefixes(1);
  Open();
  Put(0, "a1", "0");
  Put(0, "b1", "0");
  Put(1, "a2", "1");
  Put(1, "c2", "1");
  FlushAll();
  const Slice upper("d");
  for (const bool automatic : {false, true}) {
    ReadOptions read;
    read.auto_prefix_mode = automatic;
    read.iterate_upper_bound = &upper;
    const std::unique_ptr<Iterator> it =
        db_->NewCoalescingIterator(read, handles_);
    it->SeekToFirst();
    EXPECT_EQ("a1", FamilyPlace(*it));
    it->Next();
    EXPECT_EQ("a2", FamilyPlace(*it));
    it->Next();
    ASSERT_EQ("b1", FamilyPlace(*it));
    it->Prev();  // The second family has nothing with "b".
    EXPECT_EQ("a2", FamilyPlace(*it));
    it->SeekToLast();
    EXPECT_EQ("c2", FamilyPlace(*it));
    it->Prev();
    ASSERT_EQ("b1", FamilyPlace(*it));
    it->Next();
    EXPECT_EQ("c2", FamilyPlace(*it));
    it->Seek("b");
    ASSERT_EQ("b1", FamilyPlace(*it));
    it->Prev();
    EXPECT_EQ("a2", FamilyPlace(*it));
  }
}

TEST_F(FamilyIterators, KeepToOnePrefixInAllFamilies) {
  UsePrefixes(1);
  Open();
  Put(0, "a1", "0");
  Put(0, "b1", "0");
  Put(1, "b2", "1");
  Put(1, "c2", "1");
  Put(2, "a3", "2");
  Put(2, "b3", "2");
  FlushAll();
  ReadOptions read;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(read, handles_);
  const auto rest = [&it](bool forward) {
    std::string keys;
    while (it->Valid()) {
      keys += it->key().ToString() + " ";
      forward ? it->Next() : it->Prev();
    }
    test::Ok(it->status());
    return keys;
  };
  it->SeekToFirst();
  EXPECT_EQ("a1 a3 ", rest(/*forward=*/true));
  it->SeekToLast();
  EXPECT_EQ("c2 ", rest(/*forward=*/false));
  it->Seek("b");
  EXPECT_EQ("b1 b2 b3 ", rest(/*forward=*/true));
  it->SeekForPrev("b9");
  EXPECT_EQ("b3 b2 b1 ", rest(/*forward=*/false));
  it->Seek("b2");
  ASSERT_EQ("b2", FamilyPlace(*it));
  it->Prev();
  ASSERT_EQ("b1", FamilyPlace(*it));
  it->Next();
  ASSERT_EQ("b2", FamilyPlace(*it));
  EXPECT_EQ("b2 b1 ", rest(/*forward=*/false));
}

// Not a prefix: then each family shows all that it has.
TEST_F(FamilyIterators, TurnsKeepToNoPrefixWhereTheKeySoughtHasNone) {
  UsePrefixes(2);
  Open();
  Put(0, "a1", "0");
  Put(0, "c1", "0");
  Put(1, "b2", "1");
  Put(1, "d2", "1");
  FlushAll();
  ReadOptions read;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(read, {handles_[0], handles_[1]});
  it->Seek("a");
  EXPECT_EQ("a1", FamilyPlace(*it));
  it->Next();
  EXPECT_EQ("b2", FamilyPlace(*it));
  it->Next();
  ASSERT_EQ("c1", FamilyPlace(*it));
  it->Prev();
  EXPECT_EQ("b2", FamilyPlace(*it));
  it->Next();
  EXPECT_EQ("c1", FamilyPlace(*it));
}

// Empty; answers Refresh() as it is set to, and has no memory for MemoryLimit.
class RefreshedChild final : public Iterator {
 public:
  explicit RefreshedChild(const Status* answer) : answer_(*answer) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice&) override {}
  void SeekForPrev(const Slice&) override {}
  void Next() override {}
  void Prev() override {}
  Slice key() const override { return {}; }
  Slice value() const override { return {}; }
  Status status() const override { return Status::OK(); }
  using Iterator::Refresh;
  Status Refresh(const Snapshot*) override {
    if (answer_.IsMemoryLimit()) throw std::bad_alloc();
    return answer_;
  }

 private:
  const Status& answer_;
};

TEST_F(FamilyIterators, AHalfDoneRefreshIsNotForgotten) {
  Open();
  ManagedSnapshot held(db_.get());
  Status answers[2];
  engine::FamilyMergeDeps deps;
  deps.db = db_.get();
  deps.order = BytewiseComparator();
  for (size_t i = 0; i < 2; ++i) {
    deps.children.push_back(
        {handles_[i], std::make_unique<RefreshedChild>(&answers[i])});
  }
  engine::FamilyMerge merge(std::move(deps), ReadOptions());
  const auto refresh = [&](const Status& first, const Status& second) {
    answers[0] = first;
    answers[1] = second;
    return merge.Refresh(held.snapshot());
  };
  const auto after_seek = [&merge] {
    merge.SeekToFirst();
    return merge.status();
  };
  const Status ok;
  EXPECT_TRUE(refresh(Status::Busy(), ok).IsBusy());
  test::Ok(after_seek());  // Nothing has changed.
  EXPECT_TRUE(refresh(ok, Status::IOError("second")).IsIOError());
  EXPECT_TRUE(after_seek().IsIOError());
  EXPECT_TRUE(refresh(Status::Busy(), ok).IsBusy());
  EXPECT_TRUE(after_seek().IsIOError());
  test::Ok(refresh(ok, ok));
  test::Ok(after_seek());
  EXPECT_THROW((void)refresh(ok, Status::MemoryLimit()), std::bad_alloc);
  EXPECT_TRUE(after_seek().IsIncomplete());
  test::Ok(refresh(ok, ok));
  test::Ok(after_seek());
}

// ---------------------------------------------------------------- at random

class FamilyIteratorsModel : public FamilyIterators {
 protected:
  FamilyIteratorsModel() : random_(Seed()) {
    UsePrefixes(2);
    Open();
  }
  ~FamilyIteratorsModel() override {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
  }

  static uint64_t Seed() {
    const char* const given = std::getenv("RIVERSTONE_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 11;
  }
  bool Chance(uint64_t of_thousand) {
    return random_.Uniform(1000) < of_thousand;
  }
  std::string AnyKey() {
    return "k" + std::to_string(10 + random_.Uniform(60));
  }
  // Some are long enough for a blob file.
  std::string AnyValue() {
    std::string value = "v" + std::to_string(++count_);
    if (Chance(400)) value.append(20, '.');
    return value;
  }
  ModelDb::Columns AnyColumns() {
    const char* const names[] = {"", "a", "b", "c"};
    ModelDb::Columns columns;
    for (const char* name : names) {
      if (Chance(400)) columns[name] = AnyValue();
    }
    return columns;
  }
  static WideColumns Wide(const ModelDb::Columns& columns) {
    WideColumns wide;
    for (const auto& [name, value] : columns) wide.emplace_back(name, value);
    return wide;
  }

  void Write() {
    const size_t family = random_.Uniform(kFamilies);
    const std::string name = kFamilyNames[family];
    ColumnFamilyHandle* const handle = handles_[family];
    const std::string key = AnyKey();
    const WriteOptions write;
    const uint64_t what = random_.Uniform(100);
    if (what < 30) {
      const std::string value = AnyValue();
      test::Ok(db_->Put(write, handle, key, value));
      model_.Put(name, key, value);
    } else if (what < 50) {
      const ModelDb::Columns columns = AnyColumns();
      test::Ok(db_->PutEntity(write, handle, key, Wide(columns)));
      model_.PutEntity(name, key, columns);
    } else if (what < 60) {
      WriteGroups(key);
    } else if (what < 75) {
      test::Ok(db_->Delete(write, handle, key));
      model_.Delete(name, key);
    } else if (what < 87) {
      const std::string operand = AnyValue();
      test::Ok(db_->Merge(write, handle, key, operand));
      model_.Merge(name, key, operand);
    } else if (what < 90) {
      const auto [begin, end] = std::minmax({key, AnyKey()});
      test::Ok(db_->DeleteRange(write, handle, begin, end));
      model_.DeleteRange(name, begin, end);
    } else if (what < 96) {
      test::Ok(db_->Flush(FlushOptions(), handle));
    } else if (what < 98) {
      test::Ok(db_->CompactRange({}, handle, nullptr, nullptr));
    } else {
      if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
      snapshot_ = db_->GetSnapshot();
      at_snapshot_ = model_.state();
    }
  }
  void WriteGroups(const std::string& key) {
    AttributeGroups groups;
    for (size_t family = 0; family < kFamilies; ++family) {
      if (family > 0 && Chance(500)) continue;
      const ModelDb::Columns columns = AnyColumns();
      model_.PutEntity(kFamilyNames[family], key, columns);
      columns_.push_back(columns);  // The group points into them.
      groups.emplace_back(handles_[family], Wide(columns_.back()));
    }
    test::Ok(db_->PutEntity(WriteOptions(), key, groups));
    columns_.clear();
  }

  // Moves both kinds at random over some of the families.
  void Check() {
    std::vector<size_t> chosen = {0, 1, 2};
    for (size_t i = 2; i > 0; --i) {
      std::swap(chosen[i], chosen[random_.Uniform(i + 1)]);
    }
    chosen.resize(1 + random_.Uniform(kFamilies));
    FamilyHandles families;
    std::vector<std::string> names;
    for (const size_t family : chosen) {
      families.push_back(handles_[family]);
      names.emplace_back(kFamilyNames[family]);
    }
    ReadOptions read;
    const bool old = snapshot_ != nullptr && Chance(300);
    if (old) read.snapshot = snapshot_;
    read.allow_unprepared_value = Chance(300);
    read.pin_data = Chance(200);
    read.auto_prefix_mode = Chance(300);
    const std::string lower = AnyKey();
    const std::string upper = AnyKey();
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    const bool low = Chance(200);
    const bool high = Chance(200) && (!low || lower <= upper);
    if (low) read.iterate_lower_bound = &lower_slice;
    if (high) read.iterate_upper_bound = &upper_slice;
    const auto cut = [&](Rows rows) {
      if (low) rows.erase(rows.begin(), rows.lower_bound(lower));
      if (high) rows.erase(rows.lower_bound(upper), rows.end());
      return rows;
    };
    const ModelDb::State& state = old ? at_snapshot_ : model_.state();
    Walk(db_->NewCoalescingIterator(read, families).get(),
         cut(CoalescedRows(state, names)), read.allow_unprepared_value);
    Walk(db_->NewAttributeGroupIterator(read, families).get(),
         cut(GroupedRows(state, names)), read.allow_unprepared_value);
  }

  template <typename AnyIterator>
  void Walk(AnyIterator* it, Rows rows, bool unprepared) {
    auto at = rows.end();
    for (int i = 0; i < 30 && !HasFailure(); ++i) {
      const std::string how =
          test::MoveBoth(AnyMove(at != rows.end()), AnyKey(), it, rows, &at);
      test::Ok(it->status());
      ASSERT_EQ(at != rows.end(), it->Valid()) << how;
      if (!it->Valid()) continue;
      ASSERT_EQ(at->first, it->key().ToString()) << how;
      // Sometimes no value is wanted.
      if (unprepared && Chance(300)) continue;
      if (unprepared) {
        ASSERT_TRUE(it->PrepareValue()) << how;
      }
      ASSERT_EQ(at->second, RowText(*it)) << how << " " << at->first;
    }
  }
  test::Moving AnyMove(bool on_row) {
    const uint64_t what = random_.Uniform(10);
    if (on_row && what < 4) return test::Moving::kNext;
    if (on_row && what < 7) return test::Moving::kPrev;
    switch (random_.Uniform(6)) {
      case 0:
        return test::Moving::kSeekToFirst;
      case 1:
        return test::Moving::kSeekToLast;
      case 2:
      case 3:
        return test::Moving::kSeekForPrev;
      default:
        return test::Moving::kSeek;
    }
  }

  Random64 random_;
  uint64_t count_ = 0;
  const Snapshot* snapshot_ = nullptr;
  ModelDb::State at_snapshot_;
  std::vector<ModelDb::Columns> columns_;
};

TEST_F(FamilyIteratorsModel, ShowWhatTheModelHas) {
  columns_.reserve(kFamilies);
  const int operations = test::Effort(6000);
  for (int i = 0; i < operations && !HasFailure(); ++i) {
    Write();
    if (i % 4 == 0) Check();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
