#include "db/flush/flush_job.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "gtest/gtest.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "test/db/store_fixture.h"
#include "test/support/error_fs.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Removes values that begin with "bad", and everything from "skip" to "u".
class BadValues final : public CompactionFilter {
 public:
  explicit BadValues(bool ignore_snapshots)
      : ignore_snapshots_(ignore_snapshots) {}
  const char* Name() const override { return "BadValues"; }
  Decision FilterV2(int level, const Slice& key, ValueType, const Slice& value,
                    std::string*, std::string* skip_until) const override {
    EXPECT_EQ(0, level);
    if (key == "skip") {
      *skip_until = "u";
      return Decision::kRemoveAndSkipUntil;
    }
    return value.starts_with("bad") ? Decision::kRemove : Decision::kKeep;
  }
  bool IgnoreSnapshots() const override { return ignore_snapshots_; }

 private:
  const bool ignore_snapshots_;
};

class BadValuesFactory final : public CompactionFilterFactory {
 public:
  explicit BadValuesFactory(TableFileCreationReason wanted) : wanted_(wanted) {}
  const char* Name() const override { return "BadValuesFactory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return reason == wanted_;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    EXPECT_EQ(context.reason, wanted_);
    EXPECT_EQ(context.column_family_id, 0u);
    EXPECT_FALSE(context.is_full_compaction || context.is_manual_compaction);
    EXPECT_EQ(context.input_start_level,
              CompactionFilter::Context::kUnknownStartLevel);
    EXPECT_TRUE(context.input_table_properties.empty());
    ++filters;
    return std::make_unique<BadValues>(ignore_snapshots);
  }

  int filters = 0;
  bool ignore_snapshots = true;

 private:
  const TableFileCreationReason wanted_;
};

// A database reduced to what a flush touches: memtables, one family's
// versions and a file system that can fail.
class FlushJobTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_.dbname = store_.wal_dir = "/db";
    store_.fs = &fs_;
    store_.clock = SystemClock::Default().get();
    store_.db_id = "id";
    store_.db_session_id = "ABCDEFGHIJ0123456789";
    ASSERT_TRUE(fs_.CreateDirIfMissing("/db", IOOptions(), nullptr).ok());
    ASSERT_TRUE(VersionSet::CreateManifest(&fs_, "/db", "id", {}).ok());
    VersionSet::Deps deps;
    deps.db = "/db";
    deps.fs = &fs_;
    deps.obsolete = &obsolete_;
    versions_ = std::make_unique<VersionSet>(std::move(deps));
    FamilyConfig config;
    config.name = "default";
    config.comparator = BytewiseComparator();
    config.dirs = {"/db"};
    const auto recovered = versions_->Recover({config}, false);
    ASSERT_TRUE(recovered.ok()) << recovered.status().ToString();
    family_ = versions_->family(0u);
    options_ = std::make_shared<ColumnFamilyOptions>();
    options_->compression = kNoCompression;
    options_->table_factory.reset(NewBlockBasedTableFactory());
    tables_ = std::make_unique<TableCache>(store_, &family_->icmp(), *options_,
                                           nullptr);
  }

  using Entries = std::vector<std::string>;

  // Adds an immutable memtable; entries are "key@sequence=value",
  // "key@sequence-" (deletion) or "key@sequence+operand".
  void AddMemTable(const Entries& entries, uint64_t next_log_number) {
    auto memtable =
        std::make_shared<MemTable>(&family_->icmp(), MemTableOptions(), 0);
    for (const std::string& entry : entries) {
      const size_t at = entry.find('@');
      const size_t op = entry.find_first_of("=-+", at);
      const ValueType type = entry[op] == '='   ? ValueType::kValue
                             : entry[op] == '-' ? ValueType::kDeletion
                                                : ValueType::kMerge;
      ASSERT_TRUE(memtable->Add(std::stoull(entry.substr(at + 1, op - at - 1)),
                                type, entry.substr(0, at),
                                entry.substr(op + 1)));
    }
    memtable->set_next_log_number(next_log_number);
    memtables_.Add(memtable);
  }

  std::unique_ptr<FlushJob> NewJob(std::vector<SequenceNumber> snapshots = {},
                                   uint64_t id_max = UINT64_MAX) {
    FlushJob::Deps deps;
    deps.store = &store_;
    deps.owner = {0, "default", &family_->icmp(), options_, family_->home()};
    deps.version_set = versions_.get();
    deps.memtables = &memtables_;
    if (knows_files_) deps.version = family_->current();
    deps.tables = tables_.get();
    deps.cancelled = &cancelled_;
    deps.reason = reason_;
    auto job = std::make_unique<FlushJob>(std::move(deps));
    EXPECT_TRUE(job->Pick(std::move(snapshots), id_max));
    return job;
  }

  Status Install() {
    FlushInstall install;
    install.memtables = &memtables_;
    install.versions = family_;
    install.version_set = versions_.get();
    install.on_installed = [this] { ++installations_; };
    mu_.Lock();
    Result<bool> installed = true;
    while (installed.ok() && *installed) {
      installed = InstallBuiltFlushes(install, &mu_);
    }
    mu_.Unlock();
    return installed.status();
  }

  Status Run(FlushJob* job) {
    const Status status = job->Build();
    if (!status.ok()) {
      job->Rollback();
      return status;
    }
    job->MarkBuilt();
    return Install();
  }

  static std::string Text(const InternalIterator& iter) {
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(iter.key(), &key));
    const char op = key.type == ValueType::kValue      ? '='
                    : key.type == ValueType::kDeletion ? '-'
                                                       : '+';
    return key.user_key.ToString() + "@" + std::to_string(key.sequence) + op +
           iter.value().ToString();
  }

  // What the tables of L0 hold, newest file first.
  std::vector<Entries> Level0() {
    std::vector<Entries> files;
    for (const FilePtr& file : family_->current()->files(0)) {
      Entries entries;
      std::unique_ptr<InternalIterator> iter(tables_->NewIterator(
          ReadOptions(), *file, 0, TableReadPurpose::kCompaction));
      for (iter->SeekToFirst(); iter->Valid(); iter->Next())
        entries.push_back(Text(*iter));
      EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
      files.push_back(entries);
    }
    return files;
  }

  size_t TableFilesOnDisk() {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_.GetChildren("/db", IOOptions(), &names, nullptr).ok());
    return static_cast<size_t>(std::count_if(
        names.begin(), names.end(),
        [](const std::string& name) { return name.ends_with(".sst"); }));
  }

  test::ErrorFileSystem fs_{std::make_shared<MemFileSystem>()};
  StoreContext store_;
  ObsoleteFiles obsolete_;
  std::unique_ptr<VersionSet> versions_;
  FamilyVersions* family_ = nullptr;
  std::shared_ptr<ColumnFamilyOptions> options_;
  std::unique_ptr<TableCache> tables_;
  MemTableList memtables_{{}};
  StateMutex mu_;
  std::atomic<bool> cancelled_{false};
  bool knows_files_ = false;
  TableFileCreationReason reason_ = TableFileCreationReason::kFlush;
  int installations_ = 0;
};

TEST_F(FlushJobTest, MergesItsMemTablesIntoOneFileAndFreesTheirLogs) {
  AddMemTable({"a@1=old", "c@2=x"}, 21);
  AddMemTable({"a@3=new", "b@4-"}, 22);
  auto job = NewJob();
  ASSERT_TRUE(Run(job.get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@3=new", "b@4-", "c@2=x"}}));
  EXPECT_TRUE(memtables_.empty());
  EXPECT_EQ(family_->log_number(), 22u);
  EXPECT_EQ(installations_, 1);

  const FileMetaData& file = *family_->current()->files(0).front();
  EXPECT_EQ(file.number, job->file_number());
  EXPECT_EQ(file.smallest_sequence, 2u);
  EXPECT_EQ(file.largest_sequence, 4u);
  EXPECT_EQ(file.smallest.user_key().ToString(), "a");
  EXPECT_EQ(file.largest.user_key().ToString(), "c");
  EXPECT_TRUE(file.has_unique_id());
  EXPECT_EQ(job->stats().num_memtables, 2u);
  EXPECT_EQ(job->stats().num_entries, 4u);
  EXPECT_EQ(job->stats().entries.dropped_hidden, 1u);
  EXPECT_EQ(job->properties().num_entries, 3u);
}

// compaction_iterator.h (2).
TEST_F(FlushJobTest, KeepsWhatSnapshotsSee) {
  AddMemTable({"a@1=1", "a@3=3", "a@5=5", "a@7=7"}, 21);
  auto job = NewJob({4});
  ASSERT_TRUE(Run(job.get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@7=7", "a@3=3"}}));
}

TEST_F(FlushJobTest, CombinesOperandsWithTheirBase) {
  options_->merge_operator = NewStringAppendOperator(",");
  AddMemTable({"a@1=x", "a@2+y"}, 21);
  AddMemTable({"a@3+z", "b@4+alone"}, 22);
  auto job = NewJob();
  ASSERT_TRUE(Run(job.get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@3=x,y,z", "b@4+alone"}}));
}

TEST_F(FlushJobTest, DropsDeletionsOfKeysThatNoFileHolds) {
  knows_files_ = true;
  AddMemTable({"b@1=1", "d@2=2"}, 21);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  // The file has no filter: it may hold what is within its range.
  AddMemTable({"a@3=x", "b@4=x", "c@5=x", "e@6=x"}, 22);
  AddMemTable({"a@7-", "b@8-", "c@9-", "e@10-"}, 23);
  auto job = NewJob();
  ASSERT_TRUE(Run(job.get()).ok());
  EXPECT_EQ(Level0(),
            (std::vector<Entries>{{"b@8-", "c@9-"}, {"b@1=1", "d@2=2"}}));
  EXPECT_EQ(job->stats().entries.dropped_obsolete, 2u);
}

// compaction_iterator.h (3).
TEST_F(FlushJobTest, KeepsDeletionsThatSnapshotsOrOlderMemTablesNeed) {
  knows_files_ = true;
  AddMemTable({"a@1=1", "b@2=2"}, 21);
  auto older = NewJob();
  AddMemTable({"a@3-", "b@4-"}, 22);
  auto younger = NewJob();
  ASSERT_TRUE(Run(younger.get()).ok());
  ASSERT_TRUE(Run(older.get()).ok());
  EXPECT_EQ(Level0(),
            (std::vector<Entries>{{"a@3-", "b@4-"}, {"a@1=1", "b@2=2"}}));

  AddMemTable({"x@5=5", "x@7-", "y@5=5", "y@6-"}, 23);
  ASSERT_TRUE(Run(NewJob({6}).get()).ok());
  EXPECT_EQ(Level0().front(), (Entries{"x@7-", "x@5=5"}));
}

TEST_F(FlushJobTest, KeepsDeletionsWhereFilesMayComeBelow) {
  knows_files_ = true;
  options_->cf_allow_ingest_behind = true;
  AddMemTable({"a@1-"}, 21);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@1-"}}));
}

TEST_F(FlushJobTest, UsesTheFilterOfAFactoryThatWantsFlushes) {
  const auto factory =
      std::make_shared<BadValuesFactory>(TableFileCreationReason::kFlush);
  options_->compaction_filter_factory = factory;
  options_->merge_operator = NewStringAppendOperator(",");
  const Entries entries = {"a@1=bad", "b@2=good", "c@3=x",
                           "c@4=bad", "d@5+bad",  "d@6+good"};
  AddMemTable(entries, 21);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  // Older versions may be in other files.
  EXPECT_EQ(Level0().front(),
            (Entries{"a@1-", "b@2=good", "c@4-", "d@6+good"}));
  EXPECT_EQ(factory->filters, 1);

  // The tables of a recovery are not those of a flush.
  reason_ = TableFileCreationReason::kRecovery;
  AddMemTable({"a@7=bad"}, 22);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  EXPECT_EQ(Level0().front(), (Entries{"a@7=bad"}));
  EXPECT_EQ(factory->filters, 1);
}

TEST_F(FlushJobTest, UsesTheFilterOfAFactoryThatWantsRecoveries) {
  const auto factory =
      std::make_shared<BadValuesFactory>(TableFileCreationReason::kRecovery);
  options_->compaction_filter_factory = factory;
  AddMemTable({"a@1=bad"}, 21);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  EXPECT_EQ(Level0().front(), (Entries{"a@1=bad"}));
  reason_ = TableFileCreationReason::kRecovery;
  AddMemTable({"a@2=bad"}, 22);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  EXPECT_EQ(Level0().front(), (Entries{"a@2-"}));
}

TEST_F(FlushJobTest, UsesNoFilterThatIsForCompactions) {
  const BadValues filter(/*ignore_snapshots=*/true);
  options_->compaction_filter = &filter;
  options_->compaction_filter_factory =
      std::make_shared<BadValuesFactory>(TableFileCreationReason::kCompaction);
  AddMemTable({"a@1=bad"}, 21);
  ASSERT_TRUE(Run(NewJob().get()).ok());
  EXPECT_EQ(Level0().front(), (Entries{"a@1=bad"}));
}

TEST_F(FlushJobTest, RefusesAFilterThatRespectsSnapshots) {
  const auto factory =
      std::make_shared<BadValuesFactory>(TableFileCreationReason::kFlush);
  factory->ignore_snapshots = false;
  options_->compaction_filter_factory = factory;
  AddMemTable({"a@1=bad"}, 21);
  const Status status = Run(NewJob().get());
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_EQ(TableFilesOnDisk(), 0u);
  EXPECT_TRUE(memtables_.IsFlushPending());
}

TEST_F(FlushJobTest, CountsNotWhatAFilterSkips) {
  options_->compaction_filter_factory =
      std::make_shared<BadValuesFactory>(TableFileCreationReason::kFlush);
  AddMemTable({"a@1=x", "skip@2=x", "t@3=x", "u@4=x"}, 21);
  const Status status = Run(NewJob().get());
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Level0().front(), (Entries{"a@1=x", "u@4=x"}));
}

TEST_F(FlushJobTest, WritesNoFileForNothingButMovesTheLogNumber) {
  AddMemTable({}, 30);
  auto job = NewJob();
  ASSERT_TRUE(Run(job.get()).ok());
  EXPECT_EQ(job->file(), nullptr);
  EXPECT_EQ(Level0().size(), 0u);
  EXPECT_EQ(TableFilesOnDisk(), 0u);
  EXPECT_TRUE(memtables_.empty());
  EXPECT_EQ(family_->log_number(), 30u);
}

// flush_job.h (3).
TEST_F(FlushJobTest, InstallsInTheOrderOfTheDataWhicheverJobIsFirst) {
  AddMemTable({"a@1=old"}, 21);
  auto older = NewJob();
  AddMemTable({"a@2=new"}, 22);
  auto younger = NewJob();

  ASSERT_TRUE(Run(younger.get()).ok());
  EXPECT_EQ(Level0().size(), 0u);
  EXPECT_EQ(family_->log_number(), 0u);  // The older log is still needed.
  ASSERT_TRUE(Run(older.get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@2=new"}, {"a@1=old"}}));
  EXPECT_EQ(family_->log_number(), 22u);
}

TEST_F(FlushJobTest, AJobThatStartsAgainStaysBelowYoungerData) {
  AddMemTable({"a@1=old"}, 21);
  auto older = NewJob();
  AddMemTable({"a@2=new"}, 22);
  auto younger = NewJob();
  younger->Build();
  younger->MarkBuilt();
  older->Rollback();
  auto again = NewJob();
  ASSERT_TRUE(Run(again.get()).ok());
  EXPECT_EQ(Level0(), (std::vector<Entries>{{"a@2=new"}, {"a@1=old"}}));
}

TEST_F(FlushJobTest, GivesUpWhenCancelled) {
  Entries entries;
  for (int i = 0; i < 3000; ++i)
    entries.push_back("k" + std::to_string(i) + "@" + std::to_string(i + 1) +
                      "=v");
  AddMemTable(entries, 21);
  auto job = NewJob();
  cancelled_ = true;
  EXPECT_TRUE(Run(job.get()).IsShutdownInProgress());
  EXPECT_EQ(TableFilesOnDisk(), 0u);
  EXPECT_TRUE(memtables_.IsFlushPending());
}

TEST_F(FlushJobTest, NoticesAMissingEntry) {
  AddMemTable({"a@1=x"}, 21);
  auto job = NewJob();
  // Behind the job's back, after it has counted.
  job->memtables().front()->Add(2, ValueType::kValue, "b", "y");
  const Status status = Run(job.get());
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find("read 2 entries, expected 1"),
            std::string::npos)
      << status.ToString();
  EXPECT_EQ(TableFilesOnDisk(), 0u);
}

// flush_job.h (2).
TEST_F(FlushJobTest, SyncsFileAndDirectoryBeforeTheManifestNamesTheFile) {
  AddMemTable({"a@1=x"}, 21);
  auto job = NewJob();
  fs_.Record(true);
  ASSERT_TRUE(Run(job.get()).ok());
  const std::string record = fs_.TakeRecord();
  const size_t synced = record.find("sync 000002.sst");
  const size_t directory = record.find("sync_dir", synced);
  const size_t manifest = record.find("append MANIFEST", synced);
  ASSERT_NE(synced, std::string::npos) << record;
  ASSERT_NE(directory, std::string::npos) << record;
  ASSERT_NE(manifest, std::string::npos) << record;
  EXPECT_LT(directory, manifest) << record;
}

// Whatever call fails, the data stays in the memtables until a later try
// succeeds, and then nothing is missing.
TEST_F(FlushJobTest, SurvivesTheFailureOfEveryCall) {
  const Entries data = {"a@1=x", "b@2=y"};
  int failures = 0;
  for (int call = 0;; ++call) {
    ASSERT_LT(call, 100);
    AddMemTable(data, 21 + static_cast<uint64_t>(call));
    ASSERT_TRUE(fs_.SetRule("(ErrInjected (And Writes (OnIndex " +
                            std::to_string(call) + ")))")
                    .ok());
    auto job = NewJob();
    const size_t files = Level0().size();
    const Status status = Run(job.get());
    const bool failed = fs_.injected() > 0;
    fs_.ClearRule();
    if (failed && !status.ok()) {
      ++failures;
      EXPECT_NE(status.ToString().find("injected"), std::string::npos);
      EXPECT_EQ(memtables_.num_not_started(), 1u);
      EXPECT_EQ(Level0().size(), files);
      auto again = NewJob();
      ASSERT_TRUE(Run(again.get()).ok()) << call;
    }
    EXPECT_TRUE(memtables_.empty());
    EXPECT_EQ(Level0().size(), files + 1);
    EXPECT_EQ(Level0().front(), data);
    if (!failed) break;
  }
  EXPECT_GE(failures, 4);  // Create, write, sync, directory, MANIFEST...
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
