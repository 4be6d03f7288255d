// Which files go and which stay: the table of the format documents.

#include "db/file_deletion/file_deletion.h"

#include <gtest/gtest.h>

#include "env/mem/mem_file_system.h"
#include "test/db/store_fixture.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

const char* const kDb = "/db";
const char* const kOther = "/other";

class FileDeletionTest : public testing::Test {
 protected:
  FileDeletionTest() : mem_(std::make_shared<MemFileSystem>()), errors_(mem_) {
    EXPECT_TRUE(mem_->CreateDir(kDb, IOOptions(), nullptr).ok());
    EXPECT_TRUE(mem_->CreateDir(kOther, IOOptions(), nullptr).ok());
    EXPECT_TRUE(
        VersionSet::CreateManifest(mem_.get(), kDb, "", FileOptions()).ok());
    VersionSet::Deps deps;
    deps.db = kDb;
    deps.fs = mem_.get();
    deps.obsolete = &obsolete_;
    versions_ = std::make_unique<VersionSet>(deps);
    FamilyConfig config;
    config.name = "default";
    config.comparator = BytewiseComparator();
    config.dirs = {kDb, kOther};
    EXPECT_TRUE(versions_->Recover({config}, false).ok());

    FileDeletion::Deps d;
    d.fs = &errors_;
    d.db = kDb;
    d.wal_dir = kDb;
    d.keep_log_files = 2;
    d.versions = versions_.get();
    d.obsolete = &obsolete_;
    d.evict_reader = [this](uint64_t number) { evicted_.insert(number); };
    d.on_deleted = [this](const FileToDelete& file, const Status& status) {
      told_ += (status.ok() ? "" : "FAILED ") + file.path + "\n";
    };
    deletion_ = std::make_unique<FileDeletion>(
        std::move(d), std::vector<std::string>{kDb, kOther});
  }

  // A file of this name with a byte in it.
  void Put(const std::string& path) { test::WriteFile(mem_.get(), path, "x"); }
  // Adds a live table and returns its number.
  uint64_t AddTable(int level, const std::string& from, const std::string& to,
                    uint32_t path_id = 0) {
    FileFacts f;
    f.number = versions_->NewFileNumber();
    f.path_id = path_id;
    f.smallest = InternalKey(from, 1, ValueType::kValue);
    f.largest = InternalKey(to, 1, ValueType::kValue);
    VersionEdit edit;
    Put(TableFileName(path_id == 0 ? kDb : kOther, f.number));
    const uint64_t number = f.number;
    edit.AddFile(level, std::make_shared<FileMetaData>(std::move(f)));
    Apply(&edit);
    return number;
  }
  void Apply(VersionEdit* edit) {
    MutexLock lock(&mu_);
    const Status status =
        versions_->LogAndApply(versions_->family(0), edit, &mu_, nullptr);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  void Run(bool scan) {
    DeletionWork work;
    {
      MutexLock lock(&mu_);
      work = deletion_->Collect(scan);
    }
    deletion_->Delete(std::move(work));
    EXPECT_EQ(deletion_->running(), 0);
  }
  bool Has(const std::string& path) { return test::Exists(mem_.get(), path); }

  std::shared_ptr<MemFileSystem> mem_;
  test::ErrorFileSystem errors_;
  StateMutex mu_;
  ObsoleteFiles obsolete_;
  std::unique_ptr<VersionSet> versions_;
  std::unique_ptr<FileDeletion> deletion_;
  std::set<uint64_t> evicted_;
  std::string told_;
};

TEST_F(FileDeletionTest, AScanFollowsTheTableOfKinds) {
  versions_->StepOverFileNumber(99);
  const uint64_t live = AddTable(1, "a", "b");
  VersionEdit edit;
  edit.log_number = 50;
  Apply(&edit);
  for (const char* name : {"000049.log",
                           "000050.log",
                           "000007.sst",
                           "000008.ldb",
                           "000009.blob",
                           "000010.dbtmp",
                           "OPTIONS-000011",
                           "OPTIONS-000012",
                           "OPTIONS-000013",
                           "OPTIONS-000014.dbtmp",
                           "MANIFEST-000003",
                           "IDENTITY",
                           "LOCK",
                           "LOG",
                           "LOG.old.1",
                           "LOG.old.2",
                           "METADB-1",
                           "000007.sst.trash",
                           "notes.txt",
                           "000007.sst.bak"}) {
    Put(std::string(kDb) + "/" + name);
  }
  Put(std::string(kOther) + "/000015.sst");
  Put(std::string(kDb) + "/900000.sst");  // Not handed out yet.
  Run(/*scan=*/true);

  EXPECT_EQ(mem_->Describe().find("trash"), std::string::npos);
  for (const char* gone :
       {"/db/000049.log", "/db/000007.sst", "/db/000008.ldb", "/db/000009.blob",
        "/db/000010.dbtmp", "/db/OPTIONS-000011", "/db/MANIFEST-000003",
        "/db/MANIFEST-000001", "/db/LOG.old.1", "/other/000015.sst"}) {
    EXPECT_FALSE(Has(gone)) << gone;
  }
  for (const char* kept :
       {"/db/000050.log", "/db/OPTIONS-000012", "/db/OPTIONS-000013",
        "/db/OPTIONS-000014.dbtmp", "/db/IDENTITY", "/db/LOCK", "/db/LOG",
        "/db/LOG.old.2", "/db/METADB-1", "/db/notes.txt", "/db/000007.sst.bak",
        "/db/900000.sst", "/db/CURRENT"}) {
    EXPECT_TRUE(Has(kept)) << kept;
  }
  EXPECT_TRUE(Has(TableFileName(kDb, live)));
  EXPECT_TRUE(Has(DescriptorFileName(kDb, versions_->manifest_number())));
}

// wal_dir and db_paths may be the directories of other databases.
TEST_F(FileDeletionTest, AScanTakesOnlyWhatADirectoryIsFor) {
  const char* const kLogs = "/logs";
  ASSERT_TRUE(mem_->CreateDir(kLogs, IOOptions(), nullptr).ok());
  versions_->StepOverFileNumber(99);
  FileDeletion::Deps d;
  d.fs = mem_.get();
  d.db = kDb;
  d.wal_dir = kLogs;
  d.versions = versions_.get();
  d.obsolete = &obsolete_;
  deletion_ = std::make_unique<FileDeletion>(
      std::move(d), std::vector<std::string>{kDb, kOther});
  VersionEdit edit;
  edit.log_number = 50;
  Apply(&edit);
  const char* const names[] = {
      "000007.log",   "000008.sst",       "000009.blob",
      "000010.dbtmp", "MANIFEST-000001",  "OPTIONS-000011",
      "CURRENT",      "IDENTITY",         "000008.sst.trash",
      "notes.trash",  "000007.log.trash", "000008.sst1.trash"};
  for (const char* name : names) {
    Put(std::string(kLogs) + "/" + name);
    Put(std::string(kOther) + "/" + name);
  }
  Run(/*scan=*/true);

  for (const std::string name : names) {
    const bool of_logs = name.starts_with("000007.");
    EXPECT_EQ(!of_logs, Has(kLogs + ("/" + name))) << name;
    const bool of_tables = name.starts_with("000008.") || name == "000009.blob";
    EXPECT_EQ(!of_tables, Has(kOther + ("/" + name))) << name;
  }
}

TEST_F(FileDeletionTest, ProtectedOutputsSurviveAScan) {
  const uint64_t before = versions_->NewFileNumber();
  FileDeletion::Protection protection;
  {
    MutexLock lock(&mu_);
    EXPECT_EQ(UINT64_MAX, deletion_->MinKeptOutput());
    protection = deletion_->ProtectOutputs();
    EXPECT_EQ(before + 1, deletion_->MinKeptOutput());
  }
  const uint64_t output = versions_->NewFileNumber();
  versions_->NewFileNumber();
  Put(TableFileName(kDb, before));
  Put(TableFileName(kDb, output));
  Run(/*scan=*/true);
  EXPECT_FALSE(Has(TableFileName(kDb, before)));
  EXPECT_TRUE(Has(TableFileName(kDb, output)));
  {
    MutexLock lock(&mu_);
    deletion_->Release(protection);
    EXPECT_EQ(UINT64_MAX, deletion_->MinKeptOutput());
  }
  Run(/*scan=*/true);
  EXPECT_FALSE(Has(TableFileName(kDb, output)));
}

TEST_F(FileDeletionTest, AScanBesideAManifestSwitchLeavesItsFilesAlone) {
  // Every call of a LogAndApply that starts a new MANIFEST is followed by a
  // scan; the switch must not lose a file to it.
  auto scanning = std::make_shared<test::HookedFileSystem>(
      mem_, [this](const test::FileOp& op) {
        if (op.IsWrite() && op.path.find("MANIFEST-000001") == op.path.npos) {
          DeletionWork work;
          {
            MutexLock lock(&mu_);
            work = deletion_->Collect(/*scan=*/true);
          }
          deletion_->Delete(std::move(work));
        }
        return IOStatus::OK();
      });
  VersionSet::Deps deps;
  deps.db = kDb;
  deps.fs = scanning.get();
  deps.obsolete = &obsolete_;
  VersionSet other(deps);
  FamilyConfig config;
  config.name = "default";
  config.comparator = BytewiseComparator();
  config.dirs = {kDb};
  ASSERT_TRUE(other.Recover({config}, false).ok());
  FileDeletion::Deps d;
  d.fs = mem_.get();
  d.db = kDb;
  d.wal_dir = kDb;
  d.versions = &other;
  d.obsolete = &obsolete_;
  deletion_ = std::make_unique<FileDeletion>(std::move(d),
                                             std::vector<std::string>{kDb});
  VersionEdit edit;
  {
    MutexLock lock(&mu_);
    const Status status =
        other.LogAndApply(other.family(0), &edit, &mu_, nullptr);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  EXPECT_TRUE(ReadManifest(mem_.get(), kDb).ok());
  EXPECT_TRUE(other.Close().ok());
}

TEST_F(FileDeletionTest, TheQueueDeletesFilesThatNoVersionHolds) {
  const uint64_t table = AddTable(1, "a", "b", /*path_id=*/1);
  const VersionPtr held = versions_->family(0)->current();
  VersionEdit edit;
  edit.DeleteFile(1, table);
  Apply(&edit);
  Run(/*scan=*/true);  // Held by a reader: neither queued nor scanned away.
  EXPECT_TRUE(Has(TableFileName(kOther, table)));
  const_cast<VersionPtr&>(held).reset();
  EXPECT_TRUE(deletion_->HasQueuedWork());
  Run(/*scan=*/false);
  EXPECT_FALSE(Has(TableFileName(kOther, table)));
  EXPECT_EQ(evicted_, std::set<uint64_t>{table});
  EXPECT_NE(told_.find(TableFileName(kOther, table)), std::string::npos);
  EXPECT_FALSE(deletion_->HasQueuedWork());
}

TEST_F(FileDeletionTest, NothingGoesWhileDisabled) {
  {
    MutexLock lock(&mu_);
    EXPECT_EQ(deletion_->Disable(), 1);
    EXPECT_EQ(deletion_->Disable(), 2);
    deletion_->AddObsoleteLog(5, 100);
  }
  Put("/db/000005.log");
  Run(/*scan=*/true);
  EXPECT_TRUE(Has("/db/000005.log"));
  {
    MutexLock lock(&mu_);
    EXPECT_EQ(deletion_->Enable(/*force=*/false), 1);
    EXPECT_FALSE(deletion_->HasQueuedWork());
    EXPECT_EQ(deletion_->Enable(/*force=*/false), 0);
    EXPECT_TRUE(deletion_->HasQueuedWork());
  }
  Run(/*scan=*/false);
  EXPECT_FALSE(Has("/db/000005.log"));
}

TEST_F(FileDeletionTest, AFailedDeletionIsToldAndTriedAgain) {
  versions_->StepOverFileNumber(99);
  Put("/db/000007.sst");
  ASSERT_TRUE(
      errors_.SetRule("(ErrInjected (And delete (PathMatch \"*.sst\")))").ok());
  Run(/*scan=*/true);
  EXPECT_NE(told_.find("FAILED /db/000007.sst"), std::string::npos) << told_;
  EXPECT_TRUE(Has("/db/000007.sst"));
  errors_.ClearRule();
  Run(/*scan=*/true);
  EXPECT_FALSE(Has("/db/000007.sst"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
