// What listeners hear of memtables, tables and slices, and in which order.

#include "rocksdb/listener.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "test/db/files/files_fixture.h"
#include "test/support/text_log.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::TextLog;

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

class Recorder final : public EventListener {
 public:
  void OnMemTableSealed(const MemTableInfo& info) override {
    Add("sealed " + info.cf_name);
    std::lock_guard lock(mu_);
    sealed = info;
    // Needs the DB mutex, which therefore must not be held here.
    if (db != nullptr) {
      EXPECT_TRUE(db->GetIntProperty("rocksdb.num-immutable-mem-table",
                                     &immutable_at_seal));
    }
  }
  void OnFlushBegin(DB*, const FlushJobInfo&) override { Add("flush begin"); }
  void OnFlushCompleted(DB*, const FlushJobInfo&) override { Add("flush end"); }
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    Add("table begin");
    std::lock_guard lock(mu_);
    begun.push_back(info);
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    Add(info.status.ok() ? "table end" : "table failed");
    std::lock_guard lock(mu_);
    ended.push_back(info);
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    Add("compaction begin");
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    Add("compaction end");
    std::lock_guard lock(mu_);
    compaction = info;
  }
  void OnSubcompactionBegin(const SubcompactionJobInfo& info) override {
    Add("slice begin");
    std::lock_guard lock(mu_);
    slices_begun.insert(info.subcompaction_job_id);
  }
  void OnSubcompactionCompleted(const SubcompactionJobInfo& info) override {
    Add("slice end");
    std::lock_guard lock(mu_);
    slices.push_back(info);
  }

  void OnColumnFamilyHandleDeletionStarted(ColumnFamilyHandle* h) override {
    Add("handle " + h->GetName());
  }

  std::vector<std::string> Take() {
    std::lock_guard lock(mu_);
    return std::move(calls_);
  }

  DB* db = nullptr;
  MemTableInfo sealed;
  uint64_t immutable_at_seal = 0;
  std::vector<TableFileCreationBriefInfo> begun;
  std::vector<TableFileCreationInfo> ended;
  CompactionJobInfo compaction;
  std::set<int> slices_begun;
  std::vector<SubcompactionJobInfo> slices;

 private:
  void Add(const std::string& call) {
    std::lock_guard lock(mu_);
    calls_.push_back(call);
  }

  std::mutex mu_;
  std::vector<std::string> calls_;
};

using Calls = std::vector<std::string>;

class ListenerTest : public test::FilesTest {
 protected:
  ListenerTest() {
    options_.info_log = log_;
    options_.listeners = {heard_};
  }
  ~ListenerTest() override {
    heard_->db = nullptr;
    db_.reset();
  }

  void Open() {
    heard_->db = nullptr;
    FilesTest::Open();
    heard_->db = db_.get();
  }
  void Put(const std::string& key, size_t bytes = 10) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, std::string(bytes, 'v')).ok());
  }

  const std::shared_ptr<TextLog> log_ = std::make_shared<TextLog>();
  const std::shared_ptr<Recorder> heard_ = std::make_shared<Recorder>();
};

TEST_F(ListenerTest, AFlushIsToldFromSealToTable) {
  Open();
  Put("a");
  Put("b");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "c").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(heard_->Take(), (Calls{"sealed default", "flush begin",
                                   "table begin", "table end", "flush end"}));
  EXPECT_EQ(heard_->sealed.num_entries, 3u);
  EXPECT_EQ(heard_->sealed.num_deletes, 1u);
  EXPECT_EQ(heard_->sealed.first_seqno, 1u);
  EXPECT_EQ(heard_->sealed.earliest_seqno, 0u);
  EXPECT_EQ(heard_->immutable_at_seal, 1u);
  ASSERT_EQ(heard_->begun.size(), 1u);
  EXPECT_EQ(heard_->begun[0].reason, TableFileCreationReason::kFlush);
  EXPECT_EQ(heard_->begun[0].file_path, heard_->ended[0].file_path);
  EXPECT_EQ(heard_->begun[0].job_id, heard_->ended[0].job_id);
}

// As 7.8.3 does: however the handle goes, and last the database's own.
TEST_F(ListenerTest, TheEndOfEveryHandleIsTold) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  const ColumnFamilyOptions family(options_);
  ASSERT_TRUE(db_->CreateColumnFamily(family, "a", &handle).ok());
  heard_->Take();
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  EXPECT_EQ(heard_->Take(), (Calls{"handle a"}));
  ASSERT_TRUE(db_->CreateColumnFamily(family, "b", &handle).ok());
  ASSERT_TRUE(db_->DropColumnFamily(handle).ok());
  heard_->Take();
  delete handle;
  EXPECT_EQ(heard_->Take(), (Calls{"handle b"}));
  ASSERT_TRUE(db_->CreateColumnFamily(family, "c", &handle).ok());
  EXPECT_FALSE(db_->DestroyColumnFamilyHandle(db_->DefaultColumnFamily()).ok());
  heard_->Take();
  heard_->db = nullptr;
  db_.reset();
  EXPECT_EQ(heard_->Take(), (Calls{"handle default"}));
  delete handle;  // It may outlive its database.
  EXPECT_EQ(heard_->Take(), (Calls{"handle c"}));
}

TEST_F(ListenerTest, AFullMemtableIsToldAsSealed) {
  options_.write_buffer_size = 64 << 10;
  Open();
  for (int i = 0; i < 200; ++i) Put("key" + std::to_string(i), 1000);
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  const Calls calls = heard_->Take();
  const auto sealed = std::count(calls.begin(), calls.end(), "sealed default");
  EXPECT_GE(sealed, 2);
  EXPECT_LE(std::count(calls.begin(), calls.end(), "table end"), sealed);
}

TEST_F(ListenerTest, TablesOfARecoveryAreToldAndLogged) {
  Open();
  Put("a");
  Put("b");
  Open();
  EXPECT_EQ(heard_->Take(),
            (Calls{"handle default", "table begin", "table end"}));
  ASSERT_EQ(heard_->ended.size(), 1u);
  const TableFileCreationInfo& table = heard_->ended[0];
  EXPECT_EQ(table.reason, TableFileCreationReason::kRecovery);
  EXPECT_EQ(table.cf_name, "default");
  EXPECT_EQ(table.table_properties.num_entries, 2u);
  EXPECT_EQ(heard_->begun[0].reason, TableFileCreationReason::kRecovery);
  EXPECT_TRUE(env_->FileExists(table.file_path).ok()) << table.file_path;
  EXPECT_EQ(log_->Count("\"event\": \"table_file_creation\""), 1);
}

TEST_F(ListenerTest, AFileThatFailsIsToldButNotLogged) {
  Open();
  Put("a");
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And append (PathMatch \"*.sst\")))").ok());
  EXPECT_FALSE(db_->Flush(FlushOptions()).ok());
  fs_->ClearRule();
  const Calls calls = heard_->Take();
  ASSERT_GE(calls.size(), 4u);
  EXPECT_EQ(
      Calls(calls.begin(), calls.begin() + 4),
      (Calls{"sealed default", "flush begin", "table begin", "table failed"}));
  EXPECT_TRUE(heard_->ended[0].status.IsIOError());
  EXPECT_EQ(heard_->ended[0].file_path, heard_->begun[0].file_path);
  EXPECT_EQ(log_->Count("\"event\": \"table_file_creation\""), 0);
}

TEST_F(ListenerTest, EverySliceOfACompactionIsTold) {
  options_.target_file_size_base = 16 << 10;
  options_.max_subcompactions = 4;
  Open();
  for (int file = 0; file < 3; ++file) {
    for (int i = 0; i < 100; ++i) Put("key" + std::to_string(1000 + i), 1000);
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  heard_->Take();
  heard_->ended.clear();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  const Calls calls = heard_->Take();
  ASSERT_GE(calls.size(), 6u);
  EXPECT_EQ(calls.front(), "compaction begin");
  EXPECT_EQ(calls.back(), "compaction end");

  ASSERT_GE(heard_->slices.size(), 2u);
  EXPECT_EQ(heard_->slices_begun.size(), heard_->slices.size());
  std::set<int> ids;
  size_t files = 0;
  uint64_t records = 0;
  for (const SubcompactionJobInfo& slice : heard_->slices) {
    EXPECT_TRUE(slice.status.ok());
    EXPECT_EQ(slice.job_id, heard_->compaction.job_id);
    EXPECT_EQ(slice.output_level, heard_->compaction.output_level);
    EXPECT_TRUE(slice.stats.is_manual_compaction);
    ids.insert(slice.subcompaction_job_id);
    files += slice.stats.num_output_files;
    records += slice.stats.num_output_records;
  }
  EXPECT_EQ(ids, heard_->slices_begun);
  EXPECT_EQ(records, 100u);
  EXPECT_EQ(files, heard_->compaction.output_files.size());
  EXPECT_EQ(files, heard_->ended.size());
  std::set<std::string> written;
  for (const TableFileCreationInfo& table : heard_->ended) {
    EXPECT_EQ(table.reason, TableFileCreationReason::kCompaction);
    written.insert(BaseName(table.file_path));
  }
  for (const std::string& path : heard_->compaction.output_files) {
    EXPECT_EQ(written.count(BaseName(path)), 1u) << path;
  }
}

TEST_F(ListenerTest, ASliceThatFailsTellsOfItsTableAndItsStatus) {
  Open();
  for (int file = 0; file < 2; ++file) {
    Put("a");
    Put("z");
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  heard_->Take();
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And sync (PathMatch \"*.sst\")))").ok());
  EXPECT_FALSE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  fs_->ClearRule();
  EXPECT_EQ(heard_->Take(),
            (Calls{"compaction begin", "slice begin", "table begin",
                   "table failed", "slice end", "compaction end"}));
  ASSERT_EQ(heard_->slices.size(), 1u);
  EXPECT_TRUE(heard_->slices[0].status.IsIOError());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
