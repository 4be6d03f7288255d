// RepairDB: what is left of a database is a database.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/format/file_names.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "test/db/store_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using Rows = std::map<std::string, std::string>;

constexpr char kDb[] = "/db";

Options OptionsFor(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.compression = kNoCompression;
  options.level_compaction_dynamic_level_bytes = false;
  const Status status = MergeOperator::CreateFromString(
      ConfigOptions(), "stringappend", &options.merge_operator);
  EXPECT_TRUE(status.ok());
  return options;
}

// An open database with all its families.
class Opened {
 public:
  explicit Opened(Env* env) {
    const Options options = OptionsFor(env);
    std::vector<std::string> names;
    if (!DB::ListColumnFamilies(options, kDb, &names).ok()) {
      names = {kDefaultColumnFamilyName};
    }
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    status_ = DB::Open(options, kDb, families, &handles_, &db_);
  }
  ~Opened() {
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  const Status& status() const { return status_; }
  DB* db() const { return db_.get(); }
  ColumnFamilyHandle* Family(const std::string& name) {
    for (ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() == name) return handle;
    }
    ColumnFamilyHandle* made = nullptr;
    EXPECT_TRUE(db_->CreateColumnFamily(db_->GetOptions(), name, &made).ok());
    handles_.push_back(made);
    return made;
  }
  void Put(const std::string& family, const std::string& key,
           const std::string& value) {
    WriteOptions synced;
    synced.sync = true;
    EXPECT_TRUE(db_->Put(synced, Family(family), key, value).ok());
  }
  void Merge(const std::string& key, const std::string& value) {
    EXPECT_TRUE(db_->Merge(WriteOptions(), Family("default"), key, value).ok());
  }
  void Flush(const std::string& family) {
    EXPECT_TRUE(db_->Flush(FlushOptions(), Family(family)).ok());
  }
  std::vector<std::string> FamilyNames() const {
    std::vector<std::string> names;
    for (ColumnFamilyHandle* handle : handles_) {
      names.push_back(handle->GetName());
    }
    return names;
  }

 private:
  Status status_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<DB> db_;
};

// "family/key" -> value, by an iterator and, the same, by Get.
Rows RowsOf(Env* env) {
  Rows rows;
  Opened opened(env);
  EXPECT_TRUE(opened.status().ok()) << opened.status().ToString();
  if (!opened.status().ok()) return rows;
  for (const std::string& name : opened.FamilyNames()) {
    ColumnFamilyHandle* const family = opened.Family(name);
    const std::unique_ptr<Iterator> it(
        opened.db()->NewIterator(ReadOptions(), family));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows[name + "/" + it->key().ToString()] = it->value().ToString();
      std::string value;
      EXPECT_TRUE(
          opened.db()->Get(ReadOptions(), family, it->key(), &value).ok());
      EXPECT_EQ(value, it->value().ToString()) << it->key().ToString();
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
  }
  return rows;
}

std::vector<std::string> FilesLike(Env* env, const std::string& part,
                                   const std::string& dir = kDb) {
  std::vector<std::string> names;
  std::vector<std::string> found;
  env->GetChildren(dir, &names).PermitUncheckedError();
  for (const std::string& name : names) {
    if (name.find(part) != std::string::npos) {
      found.push_back(dir + "/" + name);
    }
  }
  return found;
}

void Delete(Env* env, const std::string& part) {
  for (const std::string& path : FilesLike(env, part)) {
    EXPECT_TRUE(env->DeleteFile(path).ok());
  }
}

// The byte in the middle of the file is another one.
void Damage(Env* env, const std::string& path, size_t from_end) {
  FileSystem* const fs = env->GetFileSystem().get();
  std::string bytes = ReadFile(fs, path);
  ASSERT_GT(bytes.size(), from_end);
  bytes[bytes.size() - from_end] ^= 0x55;
  WriteFile(fs, path, bytes);
}

Status Repair(Env* env) { return RepairDB(kDb, OptionsFor(env)); }

// Two families, levels, tables, logs with what is in no table.
void Fill(Env* env) {
  Opened opened(env);
  ASSERT_TRUE(opened.status().ok());
  opened.Put("default", "a", "1");
  opened.Put("default", "m", "2");
  opened.Flush("default");
  ASSERT_TRUE(opened.db()
                  ->CompactRange(CompactRangeOptions(),
                                 opened.Family("default"), nullptr, nullptr)
                  .ok());
  opened.Put("default", "a", "3");
  opened.Put("other", "o", "4");
  opened.Flush("default");
  opened.Put("default", "z", "5");
  ASSERT_TRUE(
      opened.db()
          ->DeleteRange(WriteOptions(), opened.Family("default"), "l", "n")
          .ok());
  opened.Put("other", "p", "6");
}

const Rows& Filled() {
  static const Rows rows = {{"default/a", "3"},
                            {"default/z", "5"},
                            {"other/o", "4"},
                            {"other/p", "6"}};
  return rows;
}

class Repairing : public ::testing::Test {
 protected:
  Repairing() : env_(NewMemEnv(Env::Default())) {}

  std::unique_ptr<Env> env_;
};

TEST_F(Repairing, AnIntactDatabaseStaysWhatItIs) {
  Fill(env_.get());
  ASSERT_TRUE(Repair(env_.get()).ok());
  EXPECT_EQ(RowsOf(env_.get()), Filled());
}

TEST_F(Repairing, TablesAndLogsMakeANewManifest) {
  Fill(env_.get());
  // In a table, so that its name is known.
  {
    Opened opened(env_.get());
    opened.Flush("other");
  }
  Delete(env_.get(), "MANIFEST");
  Delete(env_.get(), "CURRENT");
  const Status status = Repair(env_.get());
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(RowsOf(env_.get()), Filled());
}

TEST_F(Repairing, AFamilyThatIsOnlyInTheLogIsKept) {
  Fill(env_.get());
  Delete(env_.get(), "MANIFEST");
  Delete(env_.get(), "CURRENT");
  ASSERT_TRUE(Repair(env_.get()).ok());
  const Rows rows = {{"default/a", "3"},
                     {"default/z", "5"},
                     {"lost_column_family_1/o", "4"},
                     {"lost_column_family_1/p", "6"}};
  EXPECT_EQ(RowsOf(env_.get()), rows);
}

TEST_F(Repairing, AFamilyThatWasDroppedStaysDropped) {
  Fill(env_.get());
  {
    Opened opened(env_.get());
    ASSERT_TRUE(opened.db()->DropColumnFamily(opened.Family("other")).ok());
  }
  ASSERT_TRUE(Repair(env_.get()).ok());
  const Rows rows = {{"default/a", "3"}, {"default/z", "5"}};
  EXPECT_EQ(RowsOf(env_.get()), rows);
}

TEST_F(Repairing, ATableThatCannotBeReadGoesToLost) {
  {
    Opened opened(env_.get());
    opened.Put("default", "a", "1");
    opened.Flush("default");
    opened.Put("default", "b", "2");
    opened.Flush("default");
  }
  const std::vector<std::string> tables = FilesLike(env_.get(), ".sst");
  ASSERT_EQ(tables.size(), 2u);
  FileSystem* const fs = env_->GetFileSystem().get();
  const std::string bytes = ReadFile(fs, tables[0]);
  WriteFile(fs, tables[0], bytes.substr(0, bytes.size() / 2));
  ASSERT_TRUE(Repair(env_.get()).ok());
  EXPECT_EQ(FilesLike(env_.get(), ".sst", "/db/lost").size(), 1u);
  EXPECT_EQ(RowsOf(env_.get()).size(), 1u);
}

TEST_F(Repairing, DamageInALogIsLeftOutAndTheLogIsKept) {
  constexpr int kRecords = 20;
  {
    Opened opened(env_.get());
    for (int i = 0; i < kRecords; ++i) {
      opened.Put("default", "k" + std::to_string(i), std::string(10000, 'v'));
    }
  }
  std::string log;
  uint64_t largest = 0;
  for (const std::string& path : FilesLike(env_.get(), ".log")) {
    uint64_t size = 0;
    ASSERT_TRUE(env_->GetFileSize(path, &size).ok());
    if (size >= largest) {
      largest = size;
      log = path;
    }
  }
  Damage(env_.get(), log, static_cast<size_t>(largest) / 2);
  ASSERT_TRUE(Repair(env_.get()).ok());
  const Rows rows = RowsOf(env_.get());
  // At most what lies in one block of the log, and around it.
  EXPECT_LT(rows.size(), size_t{kRecords});
  EXPECT_GE(rows.size(), size_t{kRecords - 5});
  EXPECT_TRUE(rows.contains("default/k0"));
  EXPECT_TRUE(rows.contains("default/k19"));
  EXPECT_EQ(FilesLike(env_.get(), ".log", "/db/lost").size(), 1u);
}

TEST_F(Repairing, OperandsThatAreInATableAreNotReplayed) {
  {
    Opened opened(env_.get());
    opened.Put("other", "keeps", "the log");
    opened.Merge("m", "1");
    opened.Merge("m", "2");
    opened.Flush("default");
    opened.Merge("m", "3");
  }
  Delete(env_.get(), "CURRENT");
  ASSERT_TRUE(Repair(env_.get()).ok());
  EXPECT_EQ(RowsOf(env_.get())["default/m"], "1,2,3");
}

// What other families have in the same log must not matter.
TEST_F(Repairing, OperandsThatWereCompactedAreNotReplayed) {
  {
    Opened opened(env_.get());
    opened.Put("other", "keeps", "the log");
    opened.Merge("m", "1");
    opened.Merge("m", "2");
    opened.Put("other", "later", "in the log");
    opened.Flush("default");
    CompactRangeOptions force;
    force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_TRUE(
        opened.db()
            ->CompactRange(force, opened.Family("default"), nullptr, nullptr)
            .ok());
  }
  ASSERT_TRUE(Repair(env_.get()).ok());
  const Rows rows = {{"default/m", "1,2"},
                     {"other/keeps", "the log"},
                     {"other/later", "in the log"}};
  EXPECT_EQ(RowsOf(env_.get()), rows);
}

// The newer version of k is in a table whose largest sequence is smaller.
TEST_F(Repairing, VersionsOfDifferentLevelsKeepTheirOrder) {
  {
    Opened opened(env_.get());
    DB* const db = opened.db();
    ColumnFamilyHandle* const family = opened.Family("default");
    // Held, so that sequences stay.
    const Snapshot* const snapshot = db->GetSnapshot();
    opened.Put("default", "k", "older");
    opened.Put("default", "b", "first");
    opened.Flush("default");
    CompactRangeOptions down;
    down.change_level = true;
    down.target_level = 2;
    ASSERT_TRUE(db->CompactRange(down, family, nullptr, nullptr).ok());
    opened.Put("default", "k", "newer");
    opened.Flush("default");
    opened.Put("default", "b", "last");
    opened.Flush("default");
    const Slice b("b");
    ASSERT_TRUE(db->CompactRange(CompactRangeOptions(), family, &b, &b).ok());
    db->ReleaseSnapshot(snapshot);
  }
  Delete(env_.get(), "MANIFEST");
  ASSERT_TRUE(Repair(env_.get()).ok());
  const Rows rows = {{"default/b", "last"}, {"default/k", "newer"}};
  EXPECT_EQ(RowsOf(env_.get()), rows);
}

TEST_F(Repairing, FamiliesThatWereNotGivenAreRefused) {
  Fill(env_.get());
  const Options options = OptionsFor(env_.get());
  const std::vector<ColumnFamilyDescriptor> only_default = {
      {kDefaultColumnFamilyName, options}};
  EXPECT_TRUE(RepairDB(kDb, options, only_default).IsInvalidArgument());
  EXPECT_TRUE(RepairDB(kDb, options, only_default, options).ok());
  EXPECT_EQ(RowsOf(env_.get()), Filled());
}

TEST_F(Repairing, ADatabaseInUseIsRefused) {
  Fill(env_.get());
  Opened opened(env_.get());
  EXPECT_TRUE(Repair(env_.get()).IsIOError());
}

TEST_F(Repairing, CanBeRunAgainAfterACrashAtAnyMoment) {
  const uint64_t states = ForEachCrashPoint(
      [](Env* env, CrashScript* script) {
        Fill(env);
        script->Reached(1);
        EXPECT_TRUE(Repair(env).ok());
      },
      [](const CrashPoint& point, Env* env) {
        if (point.reached < 1) return;
        const Status status = Repair(env);
        ASSERT_TRUE(status.ok()) << point.ToString() << status.ToString();
        EXPECT_EQ(RowsOf(env), Filled()) << point.ToString();
      });
  EXPECT_GT(states, 20u);
}

TEST_F(Repairing, AnErrorOfTheFileSystemIsToldAndLosesNothing) {
  for (const char* kind : {"Reads", "Writes"}) {
    uint64_t told = 0;
    for (int call = 0;; call += 1 + call / 8) {
      const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
      const auto fs =
          std::make_shared<ErrorFileSystem>(memory->GetFileSystem());
      const std::unique_ptr<Env> env = NewCompositeEnv(fs);
      Fill(env.get());
      const std::string rule = "(ErrInjected (And " + std::string(kind) +
                               " (OnIndex " + std::to_string(call) + ")))";
      ASSERT_TRUE(fs->SetRule(rule).ok());
      const Status status = Repair(env.get());
      const bool reached = fs->injected() > 0;
      fs->ClearRule();
      if (!status.ok()) {
        ++told;
        const Status again = Repair(env.get());
        ASSERT_TRUE(again.ok()) << rule << again.ToString();
      }
      ASSERT_EQ(RowsOf(env.get()), Filled()) << rule << status.ToString();
      if (!reached) break;
    }
    EXPECT_GT(told, 5u) << kind;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
