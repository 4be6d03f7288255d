// ldb and sst_dump as functions: LDBTool and SSTDumpTool in a program that
// has a comparator and a merge operator of its own.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_writer.h"
#include "env/file_writer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/sst_dump_tool.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"
#include "test/support/temp_dir.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::TempDir;

// Backwards, under a name that no OPTIONS file can make.
class Backwards final : public Comparator {
 public:
  const char* Name() const override { return "program.Backwards"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}
};

class Joining final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "program.Joining"; }
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* merged, Logger* /*logger*/) const override {
    *merged = (existing != nullptr ? existing->ToString() + "+" : "") +
              value.ToString();
    return true;
  }
};

class InBrackets final : public SliceFormatter {
 public:
  std::string Format(const Slice& s) const override {
    return "<" + s.ToString() + ">";
  }
};

Options ProgramOptions() {
  static const Backwards backwards;
  Options options;
  options.create_if_missing = true;
  options.comparator = &backwards;
  options.merge_operator = std::make_shared<Joining>();
  return options;
}

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

// argv as main() gets it.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    words_.insert(words_.begin(), "program");
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  int argc() const { return static_cast<int>(words_.size()); }
  char** argv() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

template <typename Function>
Said Capture(const Function& run) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  said.code = run();
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

Said Ldb(const std::vector<std::string>& words,
         const Options& options = Options(),
         const LDBOptions& tool = LDBOptions(),
         const std::vector<ColumnFamilyDescriptor>* families = nullptr) {
  Words argv(words);
  return Capture([&] {
    return LDBTool().RunAndReturn(argv.argc(), argv.argv(), options, tool,
                                  families);
  });
}

Said SstDump(const std::vector<std::string>& words,
             const Options& options = Options()) {
  Words argv(words);
  return Capture(
      [&] { return SSTDumpTool().Run(argv.argc(), argv.argv(), options); });
}

// a=1 merged with 2, b=3, flushed.
void MakeDatabase(const Options& options, const std::string& name) {
  std::unique_ptr<DB> db;
  Status status = DB::Open(options, name, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db->Merge(WriteOptions(), "a", "2").ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "b", "3").ok());
  status = db->Flush(FlushOptions());
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(db->Close().ok());
}

// The first file of the folder whose name ends so.
std::string FileOf(const std::string& folder, const std::string& ending) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(ending)) return path;
  }
  return "";
}

TEST(EmbeddedLdb, TakesComparatorAndMergeOperatorFromTheProgram) {
  const TempDir dir;
  const std::string db = dir.File("db");
  MakeDatabase(ProgramOptions(), db);
  const Said said = Ldb({"--db=" + db, "scan"}, ProgramOptions());
  EXPECT_EQ("b ==> 3\na ==> 1+2\n", said.out) << said.err;
  EXPECT_EQ(0, said.code);
  const Said plain = Ldb({"--db=" + db, "scan"});
  EXPECT_EQ(1, plain.code);
  EXPECT_NE(std::string::npos, plain.err.find("comparator")) << plain.err;
}

TEST(EmbeddedLdb, OpensFamiliesAsTheProgramDescribesThem) {
  const TempDir dir;
  const std::string name = dir.File("db");
  const std::vector<ColumnFamilyDescriptor> families = {
      {kDefaultColumnFamilyName, ColumnFamilyOptions()},
      {"own", ProgramOptions()}};
  {
    Options options;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    std::unique_ptr<DB> db;
    std::vector<ColumnFamilyHandle*> handles;
    ASSERT_TRUE(DB::Open(options, name, families, &handles, &db).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), handles[1], "a", "1").ok());
    ASSERT_TRUE(db->Merge(WriteOptions(), handles[1], "b", "2").ok());
    for (ColumnFamilyHandle* handle : handles) {
      ASSERT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }
  const Said said = Ldb({"--db=" + name, "scan", "--column_family=own"},
                        Options(), LDBOptions(), &families);
  EXPECT_EQ("b ==> 2\na ==> 1\n", said.out) << said.err;
}

TEST(EmbeddedLdb, FormatsKeysAndBeginsItsHelpAsTheProgramWants) {
  const TempDir dir;
  const std::string db = dir.File("db");
  LDBOptions tool;
  tool.key_formatter = std::make_shared<InBrackets>();
  tool.print_help_header = "program's own ldb";
  EXPECT_EQ("OK\n",
            Ldb({"put", "k", "v", "--create_if_missing", "--db=" + db}).out);
  EXPECT_EQ("<k> ==> v\n", Ldb({"scan", "--db=" + db}, Options(), tool).out);
  EXPECT_EQ("0x6B ==> 0x76\n",
            Ldb({"scan", "--hex", "--db=" + db}, Options(), tool).out);
  const Said help = Ldb({"--help"}, Options(), tool);
  EXPECT_TRUE(help.out.starts_with("program's own ldb\n")) << help.out;
}

TEST(EmbeddedLdbDeathTest, RunEndsTheProcessWithTheExitCode) {
  const auto run = [](const std::vector<std::string>& words) {
    Words argv(words);
    LDBTool().Run(argv.argc(), argv.argv());
  };
  EXPECT_EXIT(run({"--version"}), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(run({"no_command"}), testing::ExitedWithCode(1), "Unknown");
}

TEST(EmbeddedLdb, WarnsOfEveryNameInOptionsThatIsUnknown) {
  const TempDir dir;
  const std::string db = dir.File("db");
  ASSERT_EQ(0,
            Ldb({"put", "k", "v", "--create_if_missing", "--db=" + db}).code);
  std::string options;
  for (const auto& entry : std::filesystem::directory_iterator(db)) {
    const std::string path = entry.path().string();
    if (path.find("OPTIONS-") != std::string::npos) {
      options = std::max(options, path);
    }
  }
  std::ifstream in(options);
  const std::string text((std::istreambuf_iterator<char>(in)),
                         std::istreambuf_iterator<char>());
  const std::string section = "[DBOptions]\n";
  const size_t at = text.find(section) + section.size();
  std::ofstream(options) << text.substr(0, at) << "  of_the_future=1\n"
                         << text.substr(at) << "\n  colour=red\n";
  const Said said = Ldb({"get", "k", "--db=" + db});
  EXPECT_EQ("v\n", said.out) << said.err;
  EXPECT_NE(std::string::npos, said.err.find("of_the_future")) << said.err;
  EXPECT_NE(std::string::npos, said.err.find("colour")) << said.err;
  EXPECT_EQ("",
            Ldb({"get", "k", "--ignore_unknown_options", "--db=" + db}).err);
}

TEST(EmbeddedLdb, DumpShowsABlobFile) {
  const TempDir dir;
  const std::string name = dir.File("db");
  Options options;
  options.create_if_missing = true;
  options.enable_blob_files = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, name, &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "key", "in a blob").ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db->Close().ok());
  const std::string path = FileOf(name, ".blob");
  const Said said = Ldb({"dump", "--path=" + path});
  EXPECT_EQ(0, said.code) << said.err;
  EXPECT_NE(std::string::npos, said.out.find("  blob       : in a blob\n"));
  const Said hex = Ldb({"dump", "--hex", "--path=" + path});
  EXPECT_NE(std::string::npos, hex.out.find("  key        : 6B6579\n"));
  const Said scan = SstDump({"--command=scan", "--decode_blob_index",
                             "--file=" + FileOf(name, ".sst")});
  EXPECT_NE(std::string::npos,
            scan.out.find("'key' seq:1, type:17 => [blob ref] file:"))
      << scan.out;
  EXPECT_NE(std::string::npos,
            scan.out.find(" size:9 compression: NoCompression\n"));
}

// A log of one batch, and `tail` behind it.
std::string MakeLog(const std::string& path, bool recycle,
                    const std::string& tail) {
  std::unique_ptr<FSWritableFile> file;
  Status status = FileSystem::Default()->NewWritableFile(path, FileOptions(),
                                                         &file, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  {
    engine::wal::Writer writer(std::make_unique<engine::WritableFileWriter>(
                                   std::move(file), path, FileOptions()),
                               14, recycle);
    WriteBatch batch;
    EXPECT_TRUE(batch.Put("k", "v").ok());
    EXPECT_TRUE(writer.AddRecord(batch.Data()).ok());
    EXPECT_TRUE(writer.Close().ok());
  }
  std::ofstream(path, std::ios::app | std::ios::binary) << tail;
  return path;
}

TEST(EmbeddedLdb, TheFormerLifeOfARecycledLogIsItsEnd) {
  const TempDir dir;
  const std::string tail(100, 'x');
  for (const bool recycle : {true, false}) {
    const std::string path = MakeLog(dir.File("000014.log"), recycle, tail);
    const Said said = Ldb({"dump_wal", "--walfile=" + path});
    EXPECT_EQ("0,1,17,0,PUT(0) : 0x6B \n", said.out) << said.err;
    EXPECT_EQ(recycle ? 0 : 1, said.code);
    EXPECT_EQ(recycle, said.err.empty()) << said.err;
  }
}

TEST(EmbeddedSstDump, TakesTheComparatorFromTheProgram) {
  const TempDir dir;
  const std::string db = dir.File("db");
  MakeDatabase(ProgramOptions(), db);
  const std::string file = "--file=" + FileOf(db, ".sst");
  const Said said = SstDump({file, "--command=scan"}, ProgramOptions());
  EXPECT_EQ(0, said.code) << said.err;
  const size_t b = said.out.find("'b' seq:3");
  ASSERT_NE(std::string::npos, b) << said.out;
  EXPECT_LT(b, said.out.find("'a' seq:"));
  EXPECT_EQ(1, SstDump({file, "--command=scan"}).code);
}

TEST(EmbeddedSstDump, RawShowsTheFirstKeysOfTheIndex) {
  const TempDir dir;
  const std::string db = dir.File("db");
  Options options;
  options.create_if_missing = true;
  BlockBasedTableOptions table;
  table.index_type =
      BlockBasedTableOptions::IndexType::kBinarySearchWithFirstKey;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  options.merge_operator = std::make_shared<Joining>();
  MakeDatabase(options, db);
  const std::string file = FileOf(db, ".sst");
  ASSERT_EQ(0, SstDump({"--file=" + file, "--command=raw"}).code);
  std::ifstream in(FileOf(db, "_dump.txt"));
  const std::string text((std::istreambuf_iterator<char>(in)),
                         std::istreambuf_iterator<char>());
  const size_t index = text.find("Block key ascii");
  ASSERT_NE(std::string::npos, index);
  // 9 bytes: "a", and sequence 1 with the type of what the flush made of it.
  EXPECT_NE(std::string::npos, text.substr(index, 200).find("0961"))
      << text.substr(index, 200);
}

TEST(EmbeddedSstDump, PropertiesTellWhenSequenceNumbersWereReached) {
  TableProperties properties;
  std::string& map = properties.seqno_to_time_mapping;
  engine::PutVarint64(&map, 2);
  engine::PutVarint64(&map, 50);
  engine::PutVarint64(&map, 1000);
  engine::PutVarint64(&map, 7);
  engine::PutVarint64(&map, 100);
  const std::string name = "Sequence number to time mapping: ";
  const auto shown = [&] {
    const std::string text = properties.ToString("\n", ": ");
    const size_t at = text.find(name) + name.size();
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ("50->1000,57->1100,", shown());
  map.pop_back();
  EXPECT_EQ("5 damaged bytes", shown());
  map = std::string(9, '\xff');
  EXPECT_EQ("9 damaged bytes", shown());
}

TEST(EmbeddedLdb, WritesNoKeyThatAPreparedTransactionHasLocked) {
  const TempDir dir;
  Options options;
  options.create_if_missing = true;
  const auto open = [&]() -> std::unique_ptr<TransactionDB> {
    TransactionDB* db = nullptr;
    EXPECT_TRUE(TransactionDB::Open(options, TransactionDBOptions(),
                                    dir.File("db"), &db)
                    .ok());
    return std::unique_ptr<TransactionDB>(db);
  };
  {
    const auto db = open();
    ASSERT_NE(nullptr, db);
    const std::unique_ptr<Transaction> txn(
        db->BeginTransaction(WriteOptions()));
    ASSERT_TRUE(txn->SetName("one").ok());
    ASSERT_TRUE(txn->Put("locked", "1").ok());
    ASSERT_TRUE(txn->Prepare().ok());
  }
  const std::string at = "--db=" + dir.File("db");
  const Said refused = Ldb({"put", "locked", "2", "--use_txn", at});
  EXPECT_EQ(1, refused.code);
  EXPECT_NE(std::string::npos, (refused.out + refused.err).find("timed out"))
      << refused.out << refused.err;
  const Said other = Ldb({"put", "free", "2", "--use_txn", at});
  EXPECT_EQ("OK\n", other.out) << other.err;
  const auto db = open();
  ASSERT_NE(nullptr, db);
  const std::unique_ptr<Transaction> found(db->GetTransactionByName("one"));
  ASSERT_NE(nullptr, found);
  ASSERT_TRUE(found->Commit().ok());
  std::string value;
  EXPECT_TRUE(db->Get(ReadOptions(), "locked", &value).ok());
  EXPECT_EQ("1", value);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
