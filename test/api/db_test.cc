// What a program that knows only the public headers can do.

#include "rocksdb/db.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Counter : public EventListener {
 public:
  void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
    ++flushes;
    last_family = info.cf_name;
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    if (info.status.ok()) ++tables;
  }
  std::atomic<int> flushes{0};
  std::atomic<int> tables{0};
  std::string last_family;
};

// Never combines operands without a value, so that each reaches a compaction.
class Joins : public MergeOperator {
 public:
  const char* Name() const override { return "Joins"; }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    out->new_value = in.existing_value ? in.existing_value->ToString() : "";
    for (const Slice& operand : in.operand_list) {
      if (!out->new_value.empty()) out->new_value += ",";
      out->new_value += operand.ToString();
    }
    return true;
  }
};

// Makes filters that remove the value "bad", for tables that are written for
// one of these reasons.
class FilterMaker : public CompactionFilterFactory {
 public:
  explicit FilterMaker(std::set<TableFileCreationReason> reasons)
      : reasons_(std::move(reasons)) {}
  const char* Name() const override { return "FilterMaker"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return reasons_.count(reason) > 0;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    last = context;
    ++made;
    return std::make_unique<NoBad>();
  }

  CompactionFilter::Context last;
  int made = 0;

 private:
  class NoBad : public CompactionFilter {
   public:
    const char* Name() const override { return "NoBad"; }
    bool Filter(int, const Slice&, const Slice& value, std::string*,
                bool*) const override {
      return value == "bad";
    }
  };
  const std::set<TableFileCreationReason> reasons_;
};

class DbTest : public ::testing::Test {
 protected:
  DbTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }
  ~DbTest() override { db_.reset(); }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, kName, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void ForceCompaction() {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    const Status status = db_->CompactRange(compact, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key, const Snapshot* snapshot = nullptr) {
    ReadOptions read;
    read.snapshot = snapshot;
    std::string value;
    const Status status = db_->Get(read, key, &value);
    return status.ok() ? value : status.ToString();
  }
  std::string Scan(const ReadOptions& read) {
    std::unique_ptr<Iterator> it(db_->NewIterator(read));
    std::string out;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      out += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    return out;
  }

  static constexpr const char* kName = "/db";
  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(DbTest, BothWaysOfOpeningGiveADatabase) {
  DB* raw = nullptr;
  ASSERT_TRUE(DB::Open(options_, kName, &raw).ok());
  ASSERT_TRUE(raw->Put(WriteOptions(), "a", "1").ok());
  DB* second = nullptr;
  const Status locked = DB::Open(options_, kName, &second);
  EXPECT_TRUE(locked.IsIOError()) << locked.ToString();
  EXPECT_EQ(nullptr, second);
  delete raw;
  Open();
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
}

TEST_F(DbTest, DataSurvivesFlushCompactionAndReopening) {
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  for (int i = 0; i < 3; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_TRUE(db_->Put(WriteOptions(), "k" + text, "v" + text).ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), "same", text).ok());
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k1").ok());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ("k0=v0 k2=v2 same=2 ", Scan(ReadOptions()));
  Open();
  EXPECT_EQ("k0=v0 k2=v2 same=2 ", Scan(ReadOptions()));
  ASSERT_TRUE(db_->Close().ok());
}

TEST_F(DbTest, ABatchIsAppliedInOrderAndSnapshotsStay) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "old").ok());
  ManagedSnapshot snapshot(db_.get());
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "new").ok());
  ASSERT_TRUE(batch.Put("b", "1").ok());
  ASSERT_TRUE(batch.Delete("b").ok());
  WriteOptions synced;
  synced.sync = true;
  ASSERT_TRUE(db_->Write(synced, &batch).ok());
  EXPECT_EQ("new", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ("old", Get("a", snapshot.snapshot()));
}

TEST_F(DbTest, IteratorsRespectBoundsInBothDirections) {
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, key).ok());
  }
  const Slice lower("b");
  const Slice upper("e");
  ReadOptions read;
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  EXPECT_EQ("b=b c=c d=d ", Scan(read));
  std::unique_ptr<Iterator> it(db_->NewIterator(read));
  it->SeekForPrev("cc");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("c", it->key().ToString());
  it->Prev();
  it->Prev();
  EXPECT_FALSE(it->Valid());
  it->SeekToLast();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("d", it->key().ToString());
}

TEST_F(DbTest, ColumnFamiliesAreSeparateAndListed) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(), "more", &handle).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), handle, "k", "in more").ok());
  EXPECT_EQ("NotFound: ", Get("k"));
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  db_.reset();

  std::vector<std::string> names;
  ASSERT_TRUE(DB::ListColumnFamilies(options_, kName, &names).ok());
  EXPECT_EQ((std::vector<std::string>{"default", "more"}), names);
  EXPECT_TRUE(DB::Open(options_, kName, &db_).IsInvalidArgument());

  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(DB::Open(options_, kName,
                       {{kDefaultColumnFamilyName, options_},
                        {"more", ColumnFamilyOptions()}},
                       &handles, &db_)
                  .ok());
  std::string value;
  ASSERT_TRUE(db_->Get(ReadOptions(), handles[1], "k", &value).ok());
  EXPECT_EQ("in more", value);
  ASSERT_TRUE(db_->DropColumnFamily(handles[1]).ok());
  for (ColumnFamilyHandle* h : handles) {
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(h).ok());
  }
}

TEST_F(DbTest, MergeOperatorsAreMadeFromOptionText) {
  ColumnFamilyOptions made;
  ASSERT_TRUE(GetColumnFamilyOptionsFromString(
                  ConfigOptions(), ColumnFamilyOptions(options_),
                  "merge_operator=stringappend", &made)
                  .ok());
  std::shared_ptr<MergeOperator> direct;
  ASSERT_TRUE(
      MergeOperator::CreateFromString(ConfigOptions(), "uint64add", &direct)
          .ok());
  ASSERT_NE(nullptr, direct);
  options_.merge_operator = made.merge_operator;
  ASSERT_NE(nullptr, options_.merge_operator);
  Open();
  ASSERT_TRUE(db_->Merge(WriteOptions(), "k", "a").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), "k", "b").ok());
  EXPECT_EQ("a,b", Get("k"));
}

TEST_F(DbTest, ACompactionFilterSeesEveryOperandAndMayRemoveIt) {
  class DropsBad : public CompactionFilter {
   public:
    const char* Name() const override { return "DropsBad"; }
    bool Filter(int, const Slice&, const Slice&, std::string*,
                bool*) const override {
      ++values;
      return false;
    }
    bool FilterMergeOperand(int, const Slice&,
                            const Slice& operand) const override {
      ++operands;
      return operand == "bad";
    }
    mutable std::atomic<int> values{0};
    mutable std::atomic<int> operands{0};
  } filter;
  options_.merge_operator = std::make_shared<Joins>();
  options_.compaction_filter = &filter;
  Open();
  const WriteOptions write;
  ASSERT_TRUE(db_->Merge(write, "0", "bad").ok());
  ASSERT_TRUE(db_->Merge(write, "1", "data1").ok());
  ASSERT_TRUE(db_->Merge(write, "1", "bad").ok());
  ASSERT_TRUE(db_->Merge(write, "1", "data2").ok());
  ASSERT_TRUE(db_->Merge(write, "1", "bad").ok());
  ASSERT_TRUE(db_->Merge(write, "3", "data3").ok());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(0, filter.values);
  EXPECT_EQ(6, filter.operands);
  EXPECT_EQ("1=data1,data2 3=data3 ", Scan(ReadOptions()));
  // Without its operands a key is what they stood on.
  ASSERT_TRUE(db_->Put(write, "5", "base").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->Merge(write, "5", "bad").ok());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ("base", Get("5"));
}

// Removes the values "base" and keeps operands.
class DropsBase final : public CompactionFilter {
 public:
  const char* Name() const override { return "DropsBase"; }
  Decision FilterV2(int, const Slice& key, ValueType type, const Slice& value,
                    std::string*, std::string*) const override {
    if (type != ValueType::kValue) return Decision::kKeep;
    asked.insert(key.ToString() + "=" + value.ToString());
    return value == "base" ? Decision::kRemove : Decision::kKeep;
  }
  mutable std::set<std::string> asked;
};

TEST_F(DbTest, ACompactionFilterIsNotAskedAboutWhatOperandsStandOn) {
  const DropsBase filter;
  options_.merge_operator = std::make_shared<Joins>();
  options_.compaction_filter = &filter;
  Open();
  const WriteOptions write;
  ASSERT_TRUE(db_->Put(write, "k", "base").ok());
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_TRUE(db_->Merge(write, "k", "x").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ForceCompaction();
  EXPECT_EQ(std::set<std::string>(), filter.asked);
  EXPECT_EQ("base,x", Get("k"));
  EXPECT_EQ("base", Get("k", snapshot));
  db_->ReleaseSnapshot(snapshot);
  db_.reset();  // Before the filter.
}

TEST_F(DbTest, ACompactionFilterIsAskedAboutTheNewestVersionAlone) {
  const DropsBase filter;
  options_.compaction_filter = &filter;
  Open();
  const WriteOptions write;
  for (const char* const key : {"1", "2", "3", "4", "6"}) {
    ASSERT_TRUE(db_->Put(write, key, "base").ok());
  }
  ASSERT_TRUE(db_->Put(write, "5", "other").ok());
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_TRUE(db_->Put(write, "1", "new").ok());
  ASSERT_TRUE(db_->Delete(write, "2").ok());
  ASSERT_TRUE(db_->SingleDelete(write, "3").ok());
  ASSERT_TRUE(db_->DeleteRange(write, "4", "5").ok());
  ASSERT_TRUE(db_->Put(write, "5", "base").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ForceCompaction();
  // The snapshot does not protect what is the newest.
  EXPECT_EQ((std::set<std::string>{"1=new", "5=base", "6=base"}), filter.asked);
  EXPECT_EQ("1=new ", Scan(ReadOptions()));
  ReadOptions old;
  old.snapshot = snapshot;
  EXPECT_EQ("1=base 2=base 3=base 4=base 5=other ", Scan(old));
  db_->ReleaseSnapshot(snapshot);
  db_.reset();  // Before the filter.
}

TEST_F(DbTest, AFactorysFilterThatRespectsSnapshotsFailsTheCompaction) {
  class DropsAll : public CompactionFilter {
   public:
    const char* Name() const override { return "DropsAll"; }
    bool Filter(int, const Slice&, const Slice&, std::string*,
                bool*) const override {
      return true;
    }
    bool IgnoreSnapshots() const override { return false; }
  };
  class Factory : public CompactionFilterFactory {
   public:
    const char* Name() const override { return "Factory"; }
    std::unique_ptr<CompactionFilter> CreateCompactionFilter(
        const CompactionFilter::Context&) override {
      return std::make_unique<DropsAll>();
    }
  };
  options_.compaction_filter_factory = std::make_shared<Factory>();
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  const Status status =
      db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_EQ("1", Get("a"));
}

TEST_F(DbTest, AFactorySaysWhichTablesItFilters) {
  using Reason = TableFileCreationReason;
  for (const Reason reason :
       {Reason::kFlush, Reason::kRecovery, Reason::kCompaction}) {
    SCOPED_TRACE(static_cast<int>(reason));
    const auto maker = std::make_shared<FilterMaker>(std::set<Reason>{reason});
    options_.compaction_filter_factory = maker;
    Open();
    ASSERT_TRUE(db_->Put(WriteOptions(), "k", "bad").ok());
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    EXPECT_EQ(reason == Reason::kFlush ? "NotFound: " : "bad", Get("k"));
    ASSERT_TRUE(db_->Put(WriteOptions(), "k", "bad").ok());
    EXPECT_EQ("bad", Get("k"));
    Open();
    EXPECT_EQ(reason == Reason::kRecovery ? "NotFound: " : "bad", Get("k"));
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    const bool gone = reason != Reason::kFlush;
    EXPECT_EQ(gone ? "NotFound: " : "bad", Get("k"));
    EXPECT_EQ(1, maker->made);
    EXPECT_EQ(reason, maker->last.reason);
  }
}

TEST_F(DbTest, AFlushWhoseFilterRespectsSnapshotsFails) {
  class KeepsAll : public CompactionFilter {
   public:
    const char* Name() const override { return "KeepsAll"; }
    bool IgnoreSnapshots() const override { return false; }
  };
  class Factory : public CompactionFilterFactory {
   public:
    const char* Name() const override { return "Factory"; }
    bool ShouldFilterTableFileCreation(TableFileCreationReason) const override {
      return true;
    }
    std::unique_ptr<CompactionFilter> CreateCompactionFilter(
        const CompactionFilter::Context&) override {
      return std::make_unique<KeepsAll>();
    }
  };
  options_.compaction_filter_factory = std::make_shared<Factory>();
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  const Status status = db_->Flush(FlushOptions());
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_EQ("1", Get("a"));
  // It is still in the log.
  db_.reset();
  EXPECT_TRUE(DB::Open(options_, kName, &db_).IsNotSupported());
  options_.compaction_filter_factory = nullptr;
  Open();
  EXPECT_EQ("1", Get("a"));
}

TEST_F(DbTest, AFactoryIsToldWhatIsCompacted) {
  const auto maker = std::make_shared<FilterMaker>(
      std::set{TableFileCreationReason::kCompaction});
  options_.compaction_filter_factory = maker;
  Open();
  const CompactionFilter::Context& context = maker->last;
  CompactRangeOptions compact;
  compact.bottommost_level_compaction = BottommostLevelCompaction::kSkip;
  ASSERT_TRUE(db_->Put(WriteOptions(), "z", "1").ok());
  ASSERT_TRUE(db_->CompactRange(compact, nullptr, nullptr).ok());
  EXPECT_EQ(1, maker->made);
  EXPECT_TRUE(context.is_full_compaction);
  EXPECT_TRUE(context.is_manual_compaction);
  EXPECT_EQ(0, context.input_start_level);
  EXPECT_EQ(0u, context.column_family_id);
  EXPECT_EQ(TableFileCreationReason::kCompaction, context.reason);
  ASSERT_EQ(1u, context.input_table_properties.size());

  // Nothing lies below it, but there is another file.
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->CompactRange(compact, nullptr, nullptr).ok());
  EXPECT_EQ(2, maker->made);
  EXPECT_FALSE(context.is_full_compaction);
  EXPECT_EQ(1u, context.input_table_properties.size());

  compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(compact, nullptr, nullptr).ok());
  EXPECT_EQ(3, maker->made);
  EXPECT_TRUE(context.is_full_compaction);
  EXPECT_EQ(options_.num_levels - 1, context.input_start_level);
  ASSERT_EQ(2u, context.input_table_properties.size());
  for (const auto& [path, properties] : context.input_table_properties) {
    EXPECT_EQ(0u, path.find(std::string(kName) + "/")) << path;
    EXPECT_EQ(1u, properties->num_entries);
  }
}

TEST_F(DbTest, ListenersAndStatisticsSeeAFlush) {
  const auto counter = std::make_shared<Counter>();
  options_.listeners.push_back(counter);
  options_.statistics = CreateDBStatistics();
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  db_.reset();
  EXPECT_EQ(1, counter->flushes);
  EXPECT_GE(counter->tables, 1);
  EXPECT_EQ("default", counter->last_family);
  EXPECT_EQ(1U, options_.statistics->getTickerCount(NUMBER_KEYS_WRITTEN));
}

TEST_F(DbTest, PropertiesAnswerByName) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::string text;
  ASSERT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &text));
  EXPECT_EQ("1", text);
  ASSERT_TRUE(db_->GetProperty(DB::Properties::kStats, &text));
  for (const char* part :
       {"** Compaction Stats [default] **", " Sum ", "Cumulative stall:",
        "Uptime(secs):", "Cumulative compaction:", "Stalls(count):"}) {
    EXPECT_NE(std::string::npos, text.find(part)) << part;
  }
  uint64_t number = 0;
  ASSERT_TRUE(db_->GetIntProperty(DB::Properties::kEstimateNumKeys, &number));
  EXPECT_EQ(1U, number);
  EXPECT_FALSE(db_->GetProperty("rocksdb.no-such-property", &text));
}

TEST_F(DbTest, ANewDatabaseMayHaveItsOwnOrder) {
  options_.comparator = ReverseBytewiseComparator();
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "b", "2").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Open();
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
}

TEST_F(DbTest, AReadOnlyDatabaseRefusesWrites) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  db_.reset();
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_).ok());
  EXPECT_EQ("v", Get("k"));
  EXPECT_TRUE(db_->Put(WriteOptions(), "k", "w").IsNotSupported());
}

// Each way of opening says the same about options that are refused.
TEST_F(DbTest, RefusedOptionsAreRefusedByEveryOpen) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  db_.reset();
  std::vector<Options> refused(5, options_);
  refused[0].compaction_style = kCompactionStyleUniversal;
  refused[1].table_factory.reset(NewPlainTableFactory());
  refused[2].allow_mmap_reads = refused[2].use_direct_reads = true;
  refused[3].wal_compression = kSnappyCompression;
  refused[4].compression = static_cast<CompressionType>(0x7e);
  for (const Options& options : refused) {
    const Status written = DB::Open(options, kName, &db_);
    const Status read = DB::OpenForReadOnly(options, kName, &db_);
    const Status followed =
        DB::OpenAsSecondary(options, kName, "/secondary", &db_);
    EXPECT_FALSE(written.ok());
    EXPECT_EQ(written.ToString(), read.ToString());
    EXPECT_EQ(written.ToString(), followed.ToString());
  }
  EXPECT_EQ(nullptr, db_);
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_).ok());
  EXPECT_EQ("v", Get("k"));
  EXPECT_FALSE(DB::OpenForReadOnly(options_, "/absent", &db_).ok());
}

// As in RocksDB: programs that make what is missing ask so.
TEST_F(DbTest, ListingTheFamiliesOfNoDatabaseIsAnIOError) {
  std::vector<std::string> names{"former"};
  ASSERT_TRUE(env_->CreateDirIfMissing("/empty").ok());
  for (const std::string dir : {"/absent", "/empty"}) {
    const Status status = DB::ListColumnFamilies(options_, dir, &names);
    EXPECT_TRUE(status.IsIOError() && status.IsPathNotFound());
    EXPECT_EQ("IO error: No such file or directory: " + dir + "/CURRENT",
              status.ToString());
    EXPECT_TRUE(names.empty());
  }
}

// As in RocksDB, which looks for logs only when it is told the families.
TEST_F(DbTest, AReadOnlyOpenWithFamiliesMayRefuseLogs) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  db_.reset();
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_,
                                  /*error_if_wal_file_exists=*/true)
                  .ok());
  EXPECT_EQ("v", Get("k"));
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = DB::OpenForReadOnly(
      options_, kName, {{kDefaultColumnFamilyName, options_}}, &handles, &db_,
      /*error_if_wal_file_exists=*/true);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

TEST_F(DbTest, AnOlderEnvSubclassStillWorks) {
  // Overrides one of Env's own file methods, as programs of years ago do.
  class Counting : public EnvWrapper {
   public:
    using EnvWrapper::EnvWrapper;
    Status NewWritableFile(const std::string& name,
                           std::unique_ptr<WritableFile>* result,
                           const EnvOptions& options) override {
      ++files;
      return EnvWrapper::NewWritableFile(name, result, options);
    }
    std::atomic<int> files{0};
  } counting(env_.get());
  EXPECT_EQ(env_->compaction_switch(), counting.compaction_switch());
  options_.env = &counting;
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  EXPECT_EQ("v", Get("k"));
  EXPECT_GT(counting.files, 0);
  db_.reset();
}

TEST_F(DbTest, DestroyLeavesNothingToOpen) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  options_.create_if_missing = false;
  const Status status = DB::Open(options_, kName, &db_);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

// As in RocksDB: a directory may be another database's, and only the kinds of
// files that it was given for are this one's.
TEST_F(DbTest, DestroyLeavesWhatADirectoryIsNotFor) {
  const std::vector<std::string> foreign = {
      "CURRENT",    "MANIFEST-000004", "OPTIONS-000005", "LOG",
      "LOG.old.12", "IDENTITY",        "LOCK",           "900001.sst",
      "900002.log", "900003.blob",     "900004.dbtmp",   "other_LOG"};
  const auto left = [&](const std::string& dir) {
    for (const std::string& name : foreign) {
      EXPECT_TRUE(WriteStringToFile(env_.get(), "x", dir + "/" + name).ok());
    }
    EXPECT_TRUE(DestroyDB(kName, options_).ok());
    std::string gone;
    for (const std::string& name : foreign) {
      if (env_->DeleteFile(dir + "/" + name).ok()) continue;
      gone += (gone.empty() ? "" : " ") + name;
    }
    return gone;
  };
  const Options plain = options_;
  options_.db_log_dir = "/shared";
  Open();
  ASSERT_TRUE(env_->CreateDirIfMissing("/shared").ok());
  db_.reset();
  EXPECT_EQ("", left("/shared"));
  EXPECT_TRUE(env_->FileExists("/shared").ok());
  EXPECT_FALSE(env_->FileExists("/shared/db_LOG").ok());

  options_ = plain;
  options_.wal_dir = "/shared";
  Open();
  ASSERT_TRUE(env_->CreateDirIfMissing("/shared/archive").ok());
  ASSERT_TRUE(
      WriteStringToFile(env_.get(), "x", "/shared/archive/000001.log").ok());
  db_.reset();
  EXPECT_EQ("900002.log", left("/shared"));
  EXPECT_FALSE(env_->FileExists("/shared/archive").ok());

  options_ = plain;
  options_.db_paths = {{"/shared", 1 << 20}};
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  db_.reset();
  EXPECT_EQ("900001.sst 900003.blob", left("/shared"));

  // One that is empty afterwards goes.
  Open();
  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  EXPECT_FALSE(env_->FileExists("/shared").ok());
}

TEST_F(DbTest, ADatabaseAroundASecondOneOutlivesIt) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  db_.reset();
  Options inner = options_;
  inner.db_log_dir = kName;
  const std::string inner_name = std::string(kName) + "/inner";
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(inner, inner_name, &db).ok());
  db.reset();
  ASSERT_TRUE(DestroyDB(inner_name, inner).ok());
  EXPECT_FALSE(env_->FileExists(inner_name).ok());
  options_.create_if_missing = false;
  Open();
  EXPECT_EQ("v", Get("k"));
}

TEST_F(DbTest, WhatIsNotBuiltSaysSo) {
  Open();
  IngestExternalFileOptions behind;
  behind.ingest_behind = true;
  EXPECT_TRUE(db_->IngestExternalFile({"x.sst"}, behind).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
