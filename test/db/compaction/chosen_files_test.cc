// Files that a program chooses: CompactFiles, SuggestCompactRange, PromoteL0,
// DeleteFile and DeleteFilesInRange.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/stackable_db.h"
#include "test/db/files/files_fixture.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class ChosenFilesTest : public FilesTest {
 protected:
  // A table of its own in level 0, with these keys.
  void Table(const std::vector<std::string>& keys, const std::string& value) {
    for (const std::string& key : keys) Put(key, value);
    Flush();
  }
  // Their names, by smallest key, newest first where they are equal.
  std::vector<std::string> NamesAt(int level) {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(&meta);
    std::vector<std::string> names;
    for (const SstFileMetaData& file :
         meta.levels[static_cast<size_t>(level)].files) {
      names.push_back(file.name);
    }
    return names;
  }
  Status Compact(const std::vector<std::string>& names, int level,
                 std::vector<std::string>* outputs = nullptr,
                 CompactionJobInfo* info = nullptr) {
    return db_->CompactFiles(how_, names, level, -1, outputs, info);
  }
  void ExpectCompacted(const std::vector<std::string>& names, int level) {
    const FileRows before = Rows();
    const Status status = Compact(names, level);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(before, Rows());
    Open();
    EXPECT_EQ(before, Rows());
  }

  CompactionOptions how_;
};

// ---- CompactFiles.

TEST_F(ChosenFilesTest, GoToTheOutputLevelAndNoOthers) {
  Open();
  Table({"a", "b"}, "1");
  Table({"k", "l"}, "2");
  Table({"x", "y"}, "3");
  const std::vector<std::string> names = NamesAt(0);
  ASSERT_EQ(3u, names.size());
  std::vector<std::string> outputs;
  CompactionJobInfo info;
  const Status status = Compact({names[1]}, 3, &outputs, &info);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("2,0,0,1", Shape());
  ASSERT_EQ(1u, outputs.size());
  EXPECT_EQ(std::string(kName) + NamesAt(3)[0], outputs[0]);
  EXPECT_EQ(CompactionReason::kManualCompaction, info.compaction_reason);
  EXPECT_EQ(std::vector<std::string>{kName + names[1]}, info.input_files);
  EXPECT_EQ(outputs, info.output_files);
  EXPECT_EQ(3, info.output_level);
  // The properties of both.
  ASSERT_EQ(2u, info.table_properties.size());
  EXPECT_EQ(2u, info.table_properties.at(outputs[0])->num_entries);
  EXPECT_EQ(2u, info.table_properties.at(kName + names[1])->num_entries);
  EXPECT_EQ(2u, Files(".sst").size() - 1);  // The input is deleted.
}

// Otherwise an old value would come to lie above a newer one.
TEST_F(ChosenFilesTest, TakeTheOlderOnesThatOverlapThemInLevel0) {
  Open();
  Table({"a", "f"}, "1");
  Table({"x"}, "2");
  Table({"e", "k"}, "3");
  Table({"j", "q"}, "4");
  ExpectCompacted({NamesAt(0)[3]}, 1);  // The oldest one.
  EXPECT_EQ("3,1", Shape());
  Table({"a", "f"}, "5");
  Table({"e", "k"}, "6");
  Table({"j", "q"}, "7");
  ASSERT_EQ("6,1", Shape());
  ExpectCompacted({NamesAt(0)[1]}, 1);  // e to k: not x.
  EXPECT_EQ("2,1", Shape());
}

TEST_F(ChosenFilesTest, TakeWhatLiesBetweenThemInLevel0) {
  Open();
  for (const char* key : {"a", "k", "z", "x"}) Table({key}, key);
  const std::vector<std::string> names = NamesAt(0);
  ExpectCompacted({names[0], names[2]}, 0);
  EXPECT_EQ("2", Shape());
  EXPECT_EQ(names[3], NamesAt(0)[1]);
}

// Levels 1 and 2 hold older values of what goes from level 0 to level 3.
TEST_F(ChosenFilesTest, TakeTheirRangeInTheLevelsThatTheyPass) {
  Open();
  Table({"c", "m"}, "3");
  ASSERT_TRUE(Compact({NamesAt(0)[0]}, 3).ok());
  Table({"b", "e"}, "2");
  ASSERT_TRUE(Compact({NamesAt(0)[0]}, 2).ok());
  Table({"a", "c"}, "1");
  ASSERT_TRUE(Compact({NamesAt(0)[0]}, 1).ok());
  Table({"x", "z"}, "1");
  ASSERT_TRUE(Compact({NamesAt(0)[0]}, 1).ok());
  Table({"c", "d"}, "0");
  ASSERT_EQ("1,2,1,1", Shape());
  ExpectCompacted({NamesAt(0)[0]}, 3);
  EXPECT_EQ("0,1,0,1", Shape());
}

// What lies between two files of a level would overlap their outputs.
TEST_F(ChosenFilesTest, TakeWhatLiesBetweenThemBelow) {
  Open();
  for (const char* key : {"a", "k", "z"}) {
    Table({key}, key);
    ASSERT_TRUE(Compact({NamesAt(0)[0]}, 2).ok());
  }
  const std::vector<std::string> names = NamesAt(2);
  ASSERT_EQ(3u, names.size());
  ExpectCompacted({names[0], names[2]}, 2);
  EXPECT_EQ("0,0,1", Shape());
}

TEST_F(ChosenFilesTest, HaveTheSizeAndCompressionThatWasAskedFor) {
  if (!engine::CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  Open();
  for (int i = 0; i < 100; ++i) {
    Put("key" + std::to_string(100 + i), std::string(1000, 'v'));
  }
  Flush();
  how_.compression = kZSTD;
  how_.output_file_size_limit = 20000;
  CompactionJobInfo info;
  std::vector<std::string> outputs;
  ASSERT_TRUE(Compact({NamesAt(0)[0]}, 2, &outputs, &info).ok());
  EXPECT_EQ(kZSTD, info.compression);
  for (const std::string& output : outputs) {
    EXPECT_EQ("ZSTD", info.table_properties.at(output)->compression_name);
  }
  how_.compression = kNoCompression;
  outputs.clear();
  ASSERT_TRUE(Compact(NamesAt(2), 2, &outputs).ok());
  EXPECT_GE(outputs.size(), 5u);
}

TEST_F(ChosenFilesTest, MoveUnreadOnlyIfThatIsAllowed) {
  Open();
  Table({"a", "b"}, "1");
  const std::vector<std::string> names = NamesAt(0);
  ASSERT_TRUE(Compact(names, 1).ok());
  EXPECT_NE(names, NamesAt(1));
  const std::vector<std::string> rewritten = NamesAt(1);
  how_.allow_trivial_move = true;
  ASSERT_TRUE(Compact(rewritten, 2).ok());
  EXPECT_EQ(rewritten, NamesAt(2));
}

TEST_F(ChosenFilesTest, AreRefusedWhereTheyCannotGo) {
  Open();
  Table({"a", "b"}, "1");
  ASSERT_TRUE(Compact(NamesAt(0), 2).ok());
  const std::vector<std::string> names = NamesAt(2);
  EXPECT_TRUE(Compact({}, 2).IsInvalidArgument());
  EXPECT_TRUE(Compact({"999999.sst"}, 2).IsInvalidArgument());
  EXPECT_TRUE(Compact({"CURRENT"}, 2).IsInvalidArgument());
  EXPECT_TRUE(Compact(names, 1).IsInvalidArgument());  // Up.
  EXPECT_TRUE(Compact(names, -1).IsInvalidArgument());
  EXPECT_TRUE(Compact(names, 7).IsInvalidArgument());
  EXPECT_TRUE(db_->CompactFiles(how_, names, 2, /*output_path_id=*/1)
                  .IsInvalidArgument());
  std::atomic<bool> canceled{true};
  how_.canceled = &canceled;
  EXPECT_TRUE(Compact(names, 2).IsIncomplete());
  how_.canceled = nullptr;
  db_->DisableManualCompaction();
  EXPECT_TRUE(Compact(names, 2).IsIncomplete());
  db_->EnableManualCompaction();
  // Any form of its name will do.
  EXPECT_TRUE(Compact({kName + names[0]}, 3).ok());
  EXPECT_EQ("0,0,0,1", Shape());
}

// Calls CompactFiles from within a compaction of the same files.
class Intruder final : public EventListener {
 public:
  void OnCompactionBegin(DB* db, const CompactionJobInfo& info) override {
    if (inside_) return;
    inside_ = true;
    std::vector<std::string> names;
    for (const std::string& path : info.input_files) {
      names.push_back(path.substr(path.rfind('/') + 1));
    }
    status = db->CompactFiles(CompactionOptions(), names, 1);
  }
  Status status;

 private:
  bool inside_ = false;
};

TEST_F(ChosenFilesTest, ThatARunningJobUsesAreAborted) {
  const auto intruder = std::make_shared<Intruder>();
  options_.listeners.push_back(intruder);
  Open();
  Table({"a", "b"}, "1");
  Table({"a", "c"}, "2");
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_TRUE(intruder->status.IsAborted()) << intruder->status.ToString();
}

// Whichever call of the file system fails, and is told: what is read
// afterwards, and after another opening, is as before or as after `change`.
// There are a table in level 0 and one in level 1.
void ExpectAllOrNothing(const Options& options, const FileRows& after,
                        const std::function<Status(DB*)>& change) {
  const FileRows before = {{"a", "2"}, {"z1", "1"}, {"z2", "2"}};
  const uint64_t runs =
      ForEachFailingCall({}, [&](Env* env, ErrorFileSystem* fs, uint64_t call) {
        Options own = options;
        own.env = env;
        std::unique_ptr<DB> db;
        if (!DB::Open(own, "/db", &db).ok()) return;
        for (const char* value : {"1", "2"}) {
          if (!db->Put(WriteOptions(), "a", value).ok()) return;
          if (!db->Put(WriteOptions(), std::string("z") + value, value).ok()) {
            return;
          }
          if (!db->Flush(FlushOptions()).ok()) return;
          if (*value == '1' &&
              !db->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok()) {
            return;
          }
        }
        const Status changed = change(db.get());
        fs->ClearRule();
        for (int opening = 0; opening < 2; ++opening) {
          const FileRows rows = RowsOf(db.get(), db->DefaultColumnFamily());
          EXPECT_TRUE(rows == after || (!changed.ok() && rows == before))
              << "call " << call << ", opening " << opening << ": "
              << rows.size() << " rows, " << changed.ToString();
          db.reset();
          const Status status = DB::Open(own, "/db", &db);
          ASSERT_TRUE(status.ok()) << call << ": " << status.ToString();
        }
      });
  EXPECT_GT(runs, 20u);
}

std::vector<std::string> AllTables(DB* db) {
  std::vector<LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const LiveFileMetaData& file : files) names.push_back(file.name);
  return names;
}

TEST_F(ChosenFilesTest, LoseNothingToAnErrorOfTheFileSystem) {
  ExpectAllOrNothing(
      options_, {{"a", "2"}, {"z1", "1"}, {"z2", "2"}}, [](DB* db) {
        return db->CompactFiles(CompactionOptions(), AllTables(db), 2);
      });
  ExpectAllOrNothing(options_, {{"a", "2"}, {"z2", "2"}}, [](DB* db) {
    ColumnFamilyMetaData meta;
    db->GetColumnFamilyMetaData(&meta);
    return db->DeleteFile(meta.levels.at(1).files.at(0).name);
  });
  ExpectAllOrNothing(options_, {}, [](DB* db) {
    const Status status =
        db->CompactFiles(CompactionOptions(), {AllTables(db)[0]}, 3);
    if (!status.ok()) return status;
    return DeleteFilesInRange(db, db->DefaultColumnFamily(), nullptr, nullptr);
  });
}

// ---- SuggestCompactRange.

TEST_F(ChosenFilesTest, ThatAreSuggestedAreCompactedWhenTheyMay) {
  Open();
  Table({"m"}, "3");
  ASSERT_TRUE(Compact(NamesAt(0), 3).ok());
  Table({"a", "c"}, "1");
  ASSERT_TRUE(Compact(NamesAt(0), 1).ok());
  Table({"x", "z"}, "1");
  ASSERT_TRUE(Compact(NamesAt(0), 1).ok());
  ASSERT_EQ("0,2,0,1", Shape());
  const Slice begin("b");
  const Slice end("d");
  ASSERT_TRUE(
      db_->SuggestCompactRange(db_->DefaultColumnFamily(), &begin, &end).ok());
  EXPECT_EQ("0,2,0,1", Shape());  // Automatic compactions are disabled.
  ASSERT_TRUE(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("0,1,1,1", Shape());
}

TEST_F(ChosenFilesTest, StaySuggestedIfTheirMoveIsNotInstalled) {
  options_.max_bgerror_resume_count = 0;
  how_.allow_trivial_move = true;
  Open();
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  Table({"m"}, "3");
  ASSERT_TRUE(Compact(NamesAt(0), 3).ok());
  Table({"a"}, "1");
  ASSERT_TRUE(Compact(NamesAt(0), 1).ok());
  ASSERT_TRUE(db_->SuggestCompactRange(family, nullptr, nullptr).ok());
  const std::string fails =
      R"((ErrRetryable (And append (PathMatch "MANIFEST*"))))";
  ASSERT_TRUE(fs_->SetRule(fails).ok());
  EXPECT_FALSE(Compact(NamesAt(1), 2).ok());
  fs_->ClearRule();
  ASSERT_TRUE(db_->Resume().ok());
  Table({"z"}, "1");  // Another version.
  EXPECT_EQ("1,1,0,1", Shape());
  ASSERT_TRUE(db_->EnableAutoCompaction({family}).ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("1,0,1,1", Shape());
}

// ---- PromoteL0.

TEST_F(ChosenFilesTest, OfLevel0MoveToAnyLevelAboveTheOthers) {
  Open();
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  EXPECT_TRUE(db_->PromoteL0(family, 1).ok());  // None.
  Table({"a", "b"}, "1");
  Table({"x", "y"}, "2");
  Table({"k", "l"}, "3");
  EXPECT_TRUE(db_->PromoteL0(family, 0).IsInvalidArgument());
  EXPECT_TRUE(db_->PromoteL0(family, 7).IsInvalidArgument());
  const FileRows before = Rows();
  ASSERT_TRUE(db_->PromoteL0(family, 2).ok());
  EXPECT_EQ("0,0,3", Shape());
  EXPECT_EQ(before, Rows());
  Table({"a", "c"}, "4");
  EXPECT_TRUE(db_->PromoteL0(family, 3).IsInvalidArgument());  // Level 2.
  Table({"b", "d"}, "5");
  EXPECT_TRUE(db_->PromoteL0(family, 1).IsInvalidArgument());  // They overlap.
  EXPECT_EQ("2,0,3", Shape());
}

// ---- DeleteFile.

TEST_F(ChosenFilesTest, AreDeletedByNameIfNothingLiesBelowThem) {
  Open();
  Table({"a"}, "1");
  Table({"a"}, "2");
  std::vector<std::string> names = NamesAt(0);
  ASSERT_EQ(2u, names.size());
  const std::string newest = std::max(names[0], names[1]);
  const std::string oldest = std::min(names[0], names[1]);
  EXPECT_TRUE(db_->DeleteFile(newest).IsInvalidArgument());
  ASSERT_TRUE(db_->DeleteFile(oldest).ok());
  EXPECT_EQ("1", Shape());
  EXPECT_TRUE(db_->DeleteFile(oldest).IsInvalidArgument());  // It is gone.
  ASSERT_TRUE(Compact({newest}, 3).ok());
  Table({"z"}, "3");
  EXPECT_TRUE(db_->DeleteFile(NamesAt(0)[0]).IsInvalidArgument());
  ASSERT_EQ(1u, NamesAt(3).size());
  // Without the slash, too.
  ASSERT_TRUE(db_->DeleteFile(NamesAt(3)[0].substr(1)).ok());
  EXPECT_EQ("1", Shape());
  EXPECT_EQ((FileRows{{"z", "3"}}), Rows());
  Open();
  EXPECT_EQ((FileRows{{"z", "3"}}), Rows());
  EXPECT_EQ(1u, Files(".sst").size());
}

TEST_F(ChosenFilesTest, NothingElseIsDeletedByName) {
  Open();
  Table({"a"}, "1");
  Put("b", "2");
  const FileRows before = Rows();
  EXPECT_TRUE(db_->DeleteFile("CURRENT").IsInvalidArgument());
  EXPECT_TRUE(db_->DeleteFile("../x").IsInvalidArgument());
  EXPECT_TRUE(db_->DeleteFile("").IsInvalidArgument());
  EXPECT_TRUE(db_->DeleteFile("999999.sst").IsInvalidArgument());
  std::vector<std::unique_ptr<LogFile>> logs;
  ASSERT_TRUE(db_->GetSortedWalFiles(logs).ok());
  ASSERT_FALSE(logs.empty());
  EXPECT_TRUE(db_->DeleteFile(logs[0]->PathName()).IsNotSupported());
  EXPECT_TRUE(db_->DeleteFile("archive/000099.log").IsIOError() ||
              db_->DeleteFile("archive/000099.log").IsNotFound());
  Open();
  EXPECT_EQ(before, Rows());
}

// ---- DeleteFilesInRange.

class FilesInRangeTest : public ChosenFilesTest {
 protected:
  // Files of level 2: a-b, c-d, e-f. One of level 0: a.
  void Fill() {
    Open();
    for (const auto& keys : {std::vector<std::string>{"a", "b"},
                             std::vector<std::string>{"c", "d"},
                             std::vector<std::string>{"e", "f"}}) {
      Table(keys, "v");
      ASSERT_TRUE(Compact(NamesAt(0), 2).ok());
    }
    Table({"a"}, "new");
    ASSERT_EQ("1,0,3", Shape());
  }
  std::string Left() {
    std::string left;
    for (const auto& [key, value] : Rows()) left += key;
    return left;
  }
  Status Delete(const char* begin, const char* end, bool include_end = true) {
    const Slice from(begin == nullptr ? "" : begin);
    const Slice to(end == nullptr ? "" : end);
    return DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(),
                              begin == nullptr ? nullptr : &from,
                              end == nullptr ? nullptr : &to, include_end);
  }
};

// As RocksDB 11.8.1 does: levels without files are left out.
TEST_F(FilesInRangeTest, AreDescribedByThemselves) {
  Fill();
  const auto described = [&](const GetColumnFamilyMetaDataOptions& wanted) {
    ColumnFamilyMetaData meta;
    db_->GetColumnFamilyMetaData(wanted, &meta);
    std::string text;
    size_t count = 0;
    for (const LevelMetaData& level : meta.levels) {
      text += std::to_string(level.level) + ":";
      for (const SstFileMetaData& file : level.files) text += file.smallestkey;
      text += " ";
      count += level.files.size();
    }
    EXPECT_EQ(count, meta.file_count);
    return text;
  };
  EXPECT_EQ("0:a 2:ace ", described({}));
  EXPECT_EQ("2:ac ", described({"b", "c"}));
  EXPECT_EQ("0:a 2:a ", described({OptSlice(), "b"}));
  EXPECT_EQ("2:e ", described({"e", OptSlice()}));
  EXPECT_EQ("", described({"g", OptSlice()}));
  EXPECT_EQ("0:a ", described({OptSlice(), OptSlice(), 0}));
  EXPECT_EQ("", described({OptSlice(), OptSlice(), 1}));
  EXPECT_EQ("2:c ", described({"c", "d", 2}));
}

TEST_F(FilesInRangeTest, GoAsAWhole) {
  Fill();
  ASSERT_TRUE(Delete("b", "e").ok());
  EXPECT_EQ("abef", Left());
  EXPECT_EQ("1,0,2", Shape());
  EXPECT_EQ(3u, Files(".sst").size());
  Open();
  EXPECT_EQ("abef", Left());
  ASSERT_TRUE(Delete("b", "e").ok());  // Nothing is left to be done.
  EXPECT_EQ("abef", Left());
}

TEST_F(FilesInRangeTest, OfLevel0Stay) {
  Fill();
  ASSERT_TRUE(Delete(nullptr, nullptr).ok());
  EXPECT_EQ("a", Left());
  EXPECT_EQ("1", Shape());
}

TEST_F(FilesInRangeTest, MayEndWithTheLimit) {
  Fill();
  ASSERT_TRUE(Delete("c", "d", /*include_end=*/false).ok());
  EXPECT_EQ("abcdef", Left());
  ASSERT_TRUE(Delete("c", "d").ok());
  EXPECT_EQ("abef", Left());
  ASSERT_TRUE(Delete("e", nullptr).ok());
  EXPECT_EQ("ab", Left());
}

TEST_F(FilesInRangeTest, OfSeveralRangesGoTogether) {
  Fill();
  const RangeOpt ranges[] = {{OptSlice(), "b"}, {"e", OptSlice()}};
  StackableDB outer(db_.get());  // Not only of the database itself.
  const Status status =
      DeleteFilesInRanges(&outer, db_->DefaultColumnFamily(), ranges, 2);
  (void)db_.release();  // The outer one owns it.
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("acd", [&] {
    std::string left;
    for (const auto& [key, value] :
         RowsOf(&outer, outer.DefaultColumnFamily())) {
      left += key;
    }
    return left;
  }());
}

TEST_F(FilesInRangeTest, StayWhereSnapshotsAndIteratorsReadThem) {
  Fill();
  std::unique_ptr<Iterator> iter(db_->NewIterator(ReadOptions()));
  ASSERT_TRUE(Delete("c", nullptr).ok());
  EXPECT_EQ("ab", Left());
  std::string seen;
  for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    seen += iter->key().ToString();
  }
  EXPECT_EQ("abcdef", seen);
  EXPECT_EQ(4u, Files(".sst").size());
  iter.reset();
  WaitForCompactOptions wait;
  wait.wait_for_purge = true;
  ASSERT_TRUE(db_->WaitForCompact(wait).ok());
  EXPECT_EQ(2u, Files(".sst").size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
