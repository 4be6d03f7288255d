// IngestExternalFile(s): where files go, who sees them, what stays behind.

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_file_reader.h"
#include "test/db/files/ingest_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;
using test::IngestTest;
using test::MakeTable;

using Levels = std::vector<std::string>;

TEST_F(IngestTest, AFileThatOverlapsNothingGoesToTheLastLevel) {
  Open();
  Put("x", "1");
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  MakeTable(options_, "/a.sst", {{"a", "1"}, {"b", "2"}});
  MustIngest({"/a.sst"});
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}, {"x", "1"}}));
  EXPECT_EQ(Placed(), (Levels{"6:0"}));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
  EXPECT_TRUE(env_->FileExists("/a.sst").ok());
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}, {"x", "1"}}));
  EXPECT_TRUE(db_->VerifyChecksum().ok());
}

TEST_F(IngestTest, AFileLiesAboveWhatItOverlapsAndIsNewer) {
  Open();
  Put("b", "old");
  Put("c", "old");
  Flush();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Shape(), "0,1");
  MakeTable(options_, "/a.sst", {{"a", "1"}, {"b", "new"}, {"c", "-"}});
  MustIngest({"/a.sst"});
  EXPECT_EQ(Placed(), (Levels{"1:2", "0:3"}));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
  const FileRows expected = {{"a", "1"}, {"b", "new"}};
  EXPECT_EQ(Rows(), expected);
  Open();
  EXPECT_EQ(Rows(), expected);
  Put("d", "after");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 4u);
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "new"}, {"d", "after"}}));
}

TEST_F(IngestTest, OperandsAreAddedToWhatIsThere) {
  options_.merge_operator = engine::NewStringAppendOperator(",");
  Open();
  Put("a", "1");
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/a.sst").ok());
  ASSERT_TRUE(writer.Merge("a", "2").ok());
  ASSERT_TRUE(writer.Finish().ok());
  MustIngest({"/a.sst"});
  EXPECT_EQ(Rows(), (FileRows{{"a", "1,2"}}));
}

TEST_F(IngestTest, RangeDeletionsDeleteWhatIsThereAndNotTheirOwnFilesKeys) {
  Open();
  for (const char* key : {"a", "c", "e", "g"}) Put(key, "old");
  Flush();
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/a.sst").ok());
  ASSERT_TRUE(writer.DeleteRange("e", "g").ok());
  ASSERT_TRUE(writer.DeleteRange("b", "f").ok());
  ASSERT_TRUE(writer.DeleteRange("x", "x").ok());
  EXPECT_TRUE(writer.DeleteRange("f", "b").IsInvalidArgument());
  ASSERT_TRUE(writer.Put("d", "new").ok());
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer.Finish(&info).ok());
  EXPECT_EQ("b", info.smallest_range_del_key);
  EXPECT_EQ("g", info.largest_range_del_key);
  EXPECT_EQ(2u, info.num_range_del_entries);
  MustIngest({"/a.sst"});
  const FileRows expected = {{"a", "old"}, {"d", "new"}, {"g", "old"}};
  EXPECT_EQ(Rows(), expected);
  Open();
  EXPECT_EQ(Rows(), expected);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "c", &value).IsNotFound());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Rows(), expected);
}

TEST_F(IngestTest, AFileMayHoldNothingButRangeDeletions) {
  Open();
  for (const char* key : {"a", "c", "g"}) Put(key, "old");
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/a.sst").ok());
  ASSERT_TRUE(writer.DeleteRange("b", "g").ok());
  ASSERT_TRUE(writer.Finish().ok());
  MustIngest({"/a.sst"});
  EXPECT_EQ(Rows(), (FileRows{{"a", "old"}, {"g", "old"}}));
}

TEST_F(IngestTest, RangeDeletionsInMemoryAreOlderThanTheFile) {
  Open();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "a", "m").ok());
  MakeTable(options_, "/a.sst", {{"c", "new"}});
  MustIngest({"/a.sst"});
  EXPECT_EQ(Rows(), (FileRows{{"c", "new"}}));
  EXPECT_EQ(Placed().size(), 2u);
}

TEST_F(IngestTest, KeysInMemoryAreFlushedFirst) {
  Open();
  Put("b", "old");
  MakeTable(options_, "/a.sst", {{"a", "1"}, {"c", "3"}});
  IngestExternalFileOptions options;
  options.allow_blocking_flush = false;
  EXPECT_TRUE(Ingest({"/a.sst"}, options).IsInvalidArgument());
  ExpectNothingLeftBehind();
  EXPECT_EQ(Rows(), (FileRows{{"b", "old"}}));
  MustIngest({"/a.sst"});
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "old"}, {"c", "3"}}));
  EXPECT_EQ(Placed(), (Levels{"0:2", "0:1"}));  // By number.
}

TEST_F(IngestTest, KeysInMemoryElsewhereStayThere) {
  Open();
  Put("x", "1");
  MakeTable(options_, "/a.sst", {{"a", "1"}, {"c", "3"}});
  IngestExternalFileOptions options;
  options.allow_blocking_flush = false;
  MustIngest({"/a.sst"}, options);
  EXPECT_EQ(Shape(), "0,0,0,0,0,0,1");
}

TEST_F(IngestTest, SnapshotsDoNotSeeIt) {
  Open();
  Put("x", "1");
  const Snapshot* const snapshot = db_->GetSnapshot();
  MakeTable(options_, "/a.sst", {{"a", "1"}});
  MustIngest({"/a.sst"});
  EXPECT_EQ(Placed(), (Levels{"6:2"}));
  ReadOptions read;
  read.snapshot = snapshot;
  EXPECT_EQ(Rows(read), (FileRows{{"x", "1"}}));
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"x", "1"}}));
  IngestExternalFileOptions options;
  options.snapshot_consistency = false;
  MakeTable(options_, "/b.sst", {{"b", "1"}});
  MustIngest({"/b.sst"}, options);
  EXPECT_EQ(Placed(), (Levels{"6:2", "6:0"}));
  EXPECT_EQ(Rows(read), (FileRows{{"b", "1"}, {"x", "1"}}));
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(IngestTest, WithoutGlobalSequencesNothingMayOverlap) {
  Open();
  Put("a", "old");
  Flush();
  IngestExternalFileOptions options;
  options.allow_global_seqno = false;
  MakeTable(options_, "/a.sst", {{"a", "new"}});
  EXPECT_TRUE(Ingest({"/a.sst"}, options).IsInvalidArgument());
  EXPECT_EQ(Rows(), (FileRows{{"a", "old"}}));
  ExpectNothingLeftBehind();
  MakeTable(options_, "/b.sst", {{"b", "1"}});
  MustIngest({"/b.sst"}, options);
}

TEST_F(IngestTest, TheLastOfOverlappingFilesIsNewest) {
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}, {"b", "1"}});
  MakeTable(options_, "/2.sst", {{"b", "2"}, {"c", "2"}});
  MakeTable(options_, "/3.sst", {{"a", "3"}, {"c", "-"}, {"d", "3"}});
  MustIngest({"/1.sst", "/2.sst", "/3.sst"});
  EXPECT_EQ(Placed(), (Levels{"0:1", "0:2", "0:3"}));
  const FileRows expected = {{"a", "3"}, {"b", "2"}, {"d", "3"}};
  EXPECT_EQ(Rows(), expected);
  Open();
  EXPECT_EQ(Rows(), expected);
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Rows(), expected);
}

TEST_F(IngestTest, FilesBesideEachOtherShareALevel) {
  Open();
  MakeTable(options_, "/1.sst", {{"m", "1"}});
  MakeTable(options_, "/2.sst", {{"a", "2"}});
  MustIngest({"/1.sst", "/2.sst"});
  EXPECT_EQ(Placed(), (Levels{"6:0", "6:0"}));
  IngestExternalFileOptions options;
  options.fail_if_not_bottommost_level = true;
  MakeTable(options_, "/3.sst", {{"a", "3"}});
  EXPECT_TRUE(Ingest({"/3.sst"}, options).IsTryAgain());
  ExpectNothingLeftBehind();
  EXPECT_EQ(Rows(), (FileRows{{"a", "2"}, {"m", "1"}}));
}

TEST_F(IngestTest, MovedFilesLeaveTheirPlaceAndLinkedOnesStay) {
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  IngestExternalFileOptions options;
  options.move_files = true;
  MustIngest({"/1.sst"}, options);
  EXPECT_TRUE(env_->FileExists("/1.sst").IsNotFound());
  MakeTable(options_, "/2.sst", {{"b", "2"}});
  options.link_files = true;
  EXPECT_TRUE(Ingest({"/2.sst"}, options).IsInvalidArgument());
  options.move_files = false;
  MustIngest({"/2.sst"}, options);
  EXPECT_TRUE(env_->FileExists("/2.sst").ok());
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}, {"b", "2"}}));
}

// The given file stays, and may be ingested elsewhere: a sequence written into
// what it shares with the database would show there, too.
TEST_F(IngestTest, ALinkedFileKeepsItsBytesWhenTheSequenceIsWritten) {
  Open();
  Put("a", "old");
  Flush();
  MakeTable(options_, "/1.sst", {{"a", "new"}});
  const std::string before = test::ReadFile(fs_.get(), "/1.sst");
  IngestExternalFileOptions options;
  options.link_files = true;
  options.write_global_seqno = true;
  MustIngest({"/1.sst"}, options);
  EXPECT_EQ(test::ReadFile(fs_.get(), "/1.sst"), before);
  MustIngest({"/1.sst"}, options);
  EXPECT_EQ(Placed(), (Levels{"0:1", "0:2", "0:3"}));
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Rows(), (FileRows{{"a", "new"}}));
  EXPECT_TRUE(db_->VerifyChecksum(ReadOptions()).ok());
}

// A file system that cannot link.
class NoLinks : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "NoLinks"; }
  IOStatus LinkFile(const std::string&, const std::string&, const IOOptions&,
                    IODebugContext*) override {
    return IOStatus::NotSupported("no links");
  }
};

TEST_F(IngestTest, WhereNothingCanBeLinkedFilesAreCopied) {
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<NoLinks>(fs_));
  options_.env = env.get();
  Open();
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  IngestExternalFileOptions options;
  options.move_files = true;
  options.failed_move_fall_back_to_copy = false;
  EXPECT_TRUE(Ingest({"/1.sst"}, options).IsNotSupported());
  ExpectNothingLeftBehind();
  EXPECT_TRUE(env_->FileExists("/1.sst").ok());
  options.failed_move_fall_back_to_copy = true;
  MustIngest({"/1.sst"}, options);
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
  db_.reset();
}

TEST_F(IngestTest, TheOldWayWritesTheSequenceIntoTheFile) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  Put("a", "old");
  MakeTable(options_, "/1.sst", {{"a", "new"}});
  IngestExternalFileOptions options;
  options.write_global_seqno = true;
  MustIngest({"/1.sst"}, options);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  const auto ingested =
      std::find_if(files.begin(), files.end(),
                   [](const auto& f) { return f.largest_seqno == 2; });
  ASSERT_NE(ingested, files.end());
  const std::string path = ingested->directory + ingested->name;
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open(path).ok());
  EXPECT_EQ(reader.GetTableProperties()->user_collected_properties.at(
                "rocksdb.external_sst_file.global_seqno"),
            std::string("\x02\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(Rows(), (FileRows{{"a", "new"}}));
  Open();
  EXPECT_EQ(Rows(), (FileRows{{"a", "new"}}));
  EXPECT_TRUE(db_->VerifyChecksum().ok());
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).ok());

  // Such a file can be taken in again, but not keep its number.
  test::WriteFile(fs_.get(), "/2.sst", test::ReadFile(fs_.get(), path));
  Put("a", "over");
  options = {};
  EXPECT_TRUE(Ingest({"/2.sst"}, options).IsInvalidArgument());
  options.write_global_seqno = true;
  MustIngest({"/2.sst"}, options);
  EXPECT_EQ(Rows(), (FileRows{{"a", "new"}}));
}

TEST_F(IngestTest, SeveralFamiliesTakeTheirFilesTogether) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
  Put("a", "old");
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  MakeTable(options_, "/2.sst", {{"a", "2"}});
  std::vector<IngestExternalFileArg> args(2);
  args[0].column_family = db_->DefaultColumnFamily();
  args[0].external_files = {"/1.sst"};
  args[1].column_family = other;
  args[1].external_files = {"/2.sst", "/none.sst"};
  EXPECT_FALSE(db_->IngestExternalFiles(args).ok());
  EXPECT_EQ(Rows(), (FileRows{{"a", "old"}}));
  ExpectNothingLeftBehind();
  args[1].external_files.pop_back();
  const Status status = db_->IngestExternalFiles(args);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Rows(), (FileRows{{"a", "1"}}));
  EXPECT_EQ(test::RowsOf(db_.get(), other), (FileRows{{"a", "2"}}));
  args[1].column_family = args[0].column_family;
  EXPECT_TRUE(db_->IngestExternalFiles(args).IsInvalidArgument());
  EXPECT_TRUE(db_->IngestExternalFiles({}).IsInvalidArgument());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

class IngestListener : public EventListener {
 public:
  void OnExternalFileIngested(DB* db,
                              const ExternalFileIngestionInfo& info) override {
    last = info;
    std::string value;
    seen = db->Get(ReadOptions(), "a", &value).ok();
  }
  ExternalFileIngestionInfo last;
  bool seen = false;
};

TEST_F(IngestTest, ListenersAreToldWhenItIsVisible) {
  auto listener = std::make_shared<IngestListener>();
  options_.listeners = {listener};
  Open();
  Put("a", "0");
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  MustIngest({"/1.sst"});
  EXPECT_TRUE(listener->seen);
  EXPECT_EQ(listener->last.cf_name, "default");
  EXPECT_EQ(listener->last.external_file_path, "/1.sst");
  EXPECT_TRUE(env_->FileExists(listener->last.internal_file_path).ok());
  EXPECT_EQ(listener->last.global_seqno, 2u);
  EXPECT_EQ(listener->last.table_properties.num_entries, 1u);
}

TEST_F(IngestTest, ReadOnlyDatabasesTakeNothing) {
  Open();
  db_.reset();
  ASSERT_TRUE(DB::OpenForReadOnly(options_, kName, &db_).ok());
  MakeTable(options_, "/1.sst", {{"a", "1"}});
  EXPECT_TRUE(Ingest({"/1.sst"}).IsNotSupported());
}

// Concurrently with writers, flushes and compactions: at the end every key has
// the value written last.
TEST_F(IngestTest, StaysRightBesideWritersAndCompactions) {
  options_.disable_auto_compactions = false;
  options_.write_buffer_size = 16 << 10;
  options_.target_file_size_base = 8 << 10;
  options_.max_bytes_for_level_base = 32 << 10;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  std::atomic<bool> stop{false};
  std::map<std::string, std::string> written;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string key = "w" + std::to_string(i * 7919 % 500);
      written[key] = std::to_string(i) + std::string(100, 'x');
      EXPECT_TRUE(db_->Put(WriteOptions(), key, written[key]).ok());
    }
  });
  std::map<std::string, std::string> ingested;
  for (int round = 0; round < 60; ++round) {
    FileRows rows;
    // Every file spans some keys of the writer, without writing any of them.
    for (int i = 0; i < 20; ++i) {
      char key[32];
      std::snprintf(key, sizeof(key), "w%d~%03d", 10 + (round * 13) % 80,
                    i * 40 + round % 7);
      rows.emplace_back(key, "r" + std::to_string(round));
    }
    std::sort(rows.begin(), rows.end());
    for (const auto& [key, value] : rows) ingested[key] = value;
    MakeTable(options_, "/i.sst", rows);
    IngestExternalFileOptions options;
    options.move_files = round % 2 == 0;
    MustIngest({"/i.sst"}, options);
    for (const auto& [key, value] : rows) {
      std::string got;
      ASSERT_TRUE(db_->Get(ReadOptions(), key, &got).ok()) << key;
      ASSERT_EQ(got, value) << key;
    }
  }
  stop = true;
  writer.join();
  std::map<std::string, std::string> expected = written;
  expected.insert(ingested.begin(), ingested.end());
  const auto check = [&] {
    const FileRows rows = Rows();
    EXPECT_EQ(rows, FileRows(expected.begin(), expected.end()));
  };
  check();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  check();
  Open();
  check();
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  check();
}

// ------------------------------------------------------------------- failures

Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.compression = kNoCompression;
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  return options;
}

// Two families, something old in both; opened again and again.
struct TwoFamilies {
  explicit TwoFamilies(Env* env) : options(SmallOptions(env)) {
    const std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, options}, {"other", options}};
    status = DB::Open(options, "/db", families, &handles, &db);
  }
  ~TwoFamilies() {
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }
  Status PutOld() {
    Status s = db->Put(WriteOptions(), handles[0], "a", "old");
    if (s.ok()) s = db->Put(WriteOptions(), handles[1], "b", "old");
    return s.ok() ? db->FlushWAL(true) : s;
  }
  Status Ingest(bool old_way) {
    std::vector<IngestExternalFileArg> args(2);
    for (size_t i = 0; i < 2; ++i) {
      args[i].column_family = handles[i];
      args[i].external_files = {"/" + std::to_string(i) + ".sst"};
      args[i].options.write_global_seqno = old_way;
      args[i].options.move_files = i == 1;
    }
    return db->IngestExternalFiles(args);
  }
  // 0: nothing was ingested, 1: all, -1: anything else.
  int State() {
    const FileRows first = test::RowsOf(db.get(), handles[0]);
    const FileRows second = test::RowsOf(db.get(), handles[1]);
    if (first == FileRows{{"a", "old"}} && second == FileRows{{"b", "old"}}) {
      return 0;
    }
    const bool all = first == FileRows{{"a", "new"}, {"c", "1"}} &&
                     second == FileRows{{"b", "new"}};
    return all ? 1 : -1;
  }
  static void MakeFiles(Env* env) {
    MakeTable(SmallOptions(env), "/0.sst", {{"a", "new"}, {"c", "1"}});
    MakeTable(SmallOptions(env), "/1.sst", {{"b", "new"}});
  }

  Options options;
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  Status status;
};

size_t TablesIn(Env* env) {
  std::vector<std::string> names;
  EXPECT_TRUE(env->GetChildren("/db", &names).ok());
  return static_cast<size_t>(std::count_if(
      names.begin(), names.end(),
      [](const std::string& name) { return name.ends_with(".sst"); }));
}

// Fails the n-th call of one ingestion; false when it has fewer.
bool FailCall(int n, bool old_way, int* refused) {
  const auto fs = std::make_shared<test::ErrorFileSystem>(
      std::make_shared<engine::MemFileSystem>());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Status status;
  uint64_t injected = 0;
  {
    TwoFamilies db(env.get());
    EXPECT_TRUE(db.status.ok()) << db.status.ToString();
    EXPECT_TRUE(db.PutOld().ok());
    TwoFamilies::MakeFiles(env.get());
    EXPECT_TRUE(fs->SetRule("(ErrInjected (And Writes (Not (PathMatch "
                            "\"LOG*\")) (OnIndex " +
                            std::to_string(n) + ")))")
                    .ok());
    status = db.Ingest(old_way);
    injected = fs->injected();
    fs->ClearRule();
    EXPECT_TRUE(status.ok() || injected > 0) << status.ToString();
    EXPECT_EQ(db.State(), status.ok() ? 1 : 0) << n;
  }
  *refused += status.ok() ? 0 : 1;
  TwoFamilies again(env.get());
  EXPECT_TRUE(again.status.ok()) << again.status.ToString();
  const int state = again.State();
  EXPECT_TRUE(state == 1 || (state == 0 && !status.ok())) << n << " " << state;
  std::vector<LiveFileMetaData> files;
  again.db->GetLiveFilesMetaData(&files);
  EXPECT_EQ(TablesIn(env.get()), files.size()) << n;
  return injected > 0;
}

// file_ingester.h (1).
TEST(IngestFailures, AFailedCallLeavesNothingOrEverything) {
  for (const bool old_way : {false, true}) {
    int refused = 0;
    for (int n = 0; FailCall(n, old_way, &refused); ++n) ASSERT_LT(n, 200);
    EXPECT_GT(refused, 10);
  }
}

TEST(IngestCrash, AllFamiliesHaveTheirFilesOrNone) {
  uint64_t whole = 0;
  const uint64_t states = test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        TwoFamilies db(env);
        ASSERT_TRUE(db.status.ok()) << db.status.ToString();
        ASSERT_TRUE(db.PutOld().ok());
        TwoFamilies::MakeFiles(env);
        script->Reached(1);
        const Status status = db.Ingest(/*old_way=*/true);
        ASSERT_TRUE(status.ok()) << status.ToString();
        script->Reached(2);
        ASSERT_TRUE(db.db->Put(WriteOptions(), db.handles[1], "z", "1").ok());
        ASSERT_TRUE(db.db->Delete(WriteOptions(), db.handles[1], "z").ok());
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0) return;
        SCOPED_TRACE(point.ToString());
        TwoFamilies db(env);
        ASSERT_TRUE(db.status.ok())
            << db.status.ToString() << " " << point.ToString();
        const FileRows second = test::RowsOf(db.db.get(), db.handles[1]);
        // The last writes were not synced.
        if (second.size() == 2 && second[1].first == "z") return;
        const int state = db.State();
        if (point.reached == 2) {
          EXPECT_EQ(state, 1) << point.ToString();
        } else {
          EXPECT_NE(state, -1) << point.ToString();
        }
        whole += state == 1 ? 1 : 0;
        EXPECT_TRUE(db.db->VerifyChecksum().ok()) << point.ToString();
      });
  EXPECT_GT(states, 20u);
  EXPECT_GT(whole, 0u);
}

// Debian's tools read what was ingested, both ways.
TEST(IngestPeer, OthersReadTheResult) {
  RIVERSTONE_SKIP_WITHOUT_PEER();
  for (const bool old_way : {false, true}) {
    test::TempDir dir;
    Options options = SmallOptions(Env::Default());
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "a", "old").ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "b", "old").ok());
    MakeTable(options, dir.File("1.sst"), {{"a", "new"}, {"b", "-"}});
    MakeTable(options, dir.File("2.sst"), {{"x", "below"}});
    IngestExternalFileOptions ingest;
    ingest.write_global_seqno = old_way;
    ASSERT_TRUE(
        db->IngestExternalFile({dir.File("1.sst"), dir.File("2.sst")}, ingest)
            .ok());
    db.reset();
    const std::string ldb = test::Peer("ldb") + " --db=" + dir.File("db");
    const test::Ran scan = test::RunCommand(ldb + " scan", false);
    EXPECT_EQ(scan.output, "a : new\nx : below\n");
    const test::Ran verify = test::RunCommand(
        test::Peer("sst_dump") + " --command=verify --file=" + dir.File("db"));
    EXPECT_EQ(verify.output.find("orrupt"), std::string::npos) << verify.output;
    const test::Ran compact = test::RunCommand(ldb + " compact");
    EXPECT_EQ(0, compact.code) << compact.output;
    ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
    EXPECT_EQ(test::RowsOf(db.get(), db->DefaultColumnFamily()),
              (FileRows{{"a", "new"}, {"x", "below"}}));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
