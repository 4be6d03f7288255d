// Files with user timestamps: written, read and taken into a database.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "table/internal_key.h"
#include "test/db/files/ingest_fixture.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// Key, time and value; "-": a deletion.
using Versions = std::vector<std::tuple<std::string, uint64_t, std::string>>;
using Deletions = std::vector<std::tuple<std::string, std::string, uint64_t>>;

class TimestampedFiles : public FilesTest {
 protected:
  TimestampedFiles() { options_.comparator = BytewiseComparatorWithU64Ts(); }

  ExternalSstFileInfo Make(const std::string& path, const Versions& versions,
                           const Deletions& deletions = {}) {
    SstFileWriter writer(EnvOptions(), options_);
    EXPECT_TRUE(writer.Open(path).ok());
    for (const auto& [key, time, value] : versions) {
      const Status status = value == "-" ? writer.Delete(key, Ts(time))
                                         : writer.Put(key, Ts(time), value);
      EXPECT_TRUE(status.ok()) << status.ToString();
    }
    for (const auto& [begin, end, time] : deletions) {
      EXPECT_TRUE(writer.DeleteRange(begin, end, Ts(time)).ok());
    }
    ExternalSstFileInfo info;
    const Status status = writer.Finish(&info);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return info;
  }
  Status Ingest(const std::vector<std::string>& paths) {
    return db_->IngestExternalFile(paths, IngestExternalFileOptions());
  }
  static std::string Text(Iterator* iter) {
    std::string text;
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      text += iter->key().ToString() + "=" + iter->value().ToString() + " ";
    }
    EXPECT_TRUE(iter->status().ok()) << iter->status().ToString();
    return text;
  }
  std::string RowsAt(uint64_t time) {
    const std::string bytes = Ts(time);
    const Slice timestamp(bytes);
    ReadOptions read;
    read.timestamp = &timestamp;
    const std::unique_ptr<Iterator> iter(db_->NewIterator(read));
    // Lookups see the same.
    for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
      std::string value;
      EXPECT_TRUE(db_->Get(read, iter->key(), &value).ok());
      EXPECT_EQ(iter->value(), value);
    }
    return Text(iter.get());
  }
};

TEST_F(TimestampedFiles, TheWriterWantsATimestampOfTheRightSize) {
  SstFileWriter writer(EnvOptions(), options_);
  EXPECT_TRUE(writer.Put("a", Ts(1), "v").IsInvalidArgument());  // Not open.
  ASSERT_TRUE(writer.Open("/1.sst").ok());
  for (const Status& status :
       {writer.Put("a", "v"), writer.Delete("a"), writer.Merge("a", "v"),
        writer.PutEntity("a", {{"x", "y"}}), writer.DeleteRange("a", "b"),
        writer.Put("a", "12", "v"), writer.Delete("a", ""),
        writer.DeleteRange("a", "b", "12")}) {
    EXPECT_EQ("Invalid argument: Timestamp size mismatch", status.ToString());
  }
  EXPECT_TRUE(writer.DeleteRange("b", "a", Ts(1)).IsInvalidArgument());
  EXPECT_TRUE(writer.Put("a", Ts(10), "v").ok());
  EXPECT_TRUE(writer.Put("a", Ts(20), "v").IsInvalidArgument());
  EXPECT_TRUE(writer.Put("a", Ts(10), "v").IsInvalidArgument());
  EXPECT_TRUE(writer.Put("a", Ts(5), "v").ok());
  EXPECT_TRUE(writer.Finish().ok());
  options_.comparator = BytewiseComparator();
  SstFileWriter plain(EnvOptions(), options_);
  ASSERT_TRUE(plain.Open("/2.sst").ok());
  EXPECT_TRUE(plain.Put("a", Ts(1), "v").IsInvalidArgument());
  EXPECT_TRUE(plain.DeleteRange("a", "b", Ts(1)).IsInvalidArgument());
}

// As 7.8.3 describes the same file.
TEST_F(TimestampedFiles, TheInfoHasKeysWithTimestamps) {
  const ExternalSstFileInfo info =
      Make("/1.sst", {{"a", 10, "a10"}, {"a", 5, "a5"}, {"b", 7, "-"}},
           {{"d", "e", 3}, {"d", "f", 2}, {"d", "e", 5}, {"x", "x", 3}});
  EXPECT_EQ("a" + Ts(10), info.smallest_key);
  EXPECT_EQ("b" + Ts(7), info.largest_key);
  EXPECT_EQ("d" + Ts(5), info.smallest_range_del_key);
  EXPECT_EQ("f" + Ts(2), info.largest_range_del_key);
  EXPECT_EQ(3u, info.num_entries);
  EXPECT_EQ(3u, info.num_range_del_entries);
}

TEST_F(TimestampedFiles, TheReaderReadsAtATime) {
  Make("/1.sst",
       {{"a", 10, "a10"}, {"a", 5, "a5"}, {"b", 7, "-"}, {"c", 8, "c8"}},
       {{"a", "z", 9}});
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/1.sst").ok());
  EXPECT_TRUE(reader.VerifyChecksum().ok());
  EXPECT_TRUE(reader.VerifyNumEntries(ReadOptions()).ok());
  const auto& properties =
      reader.GetTableProperties()->user_collected_properties;
  EXPECT_EQ(Ts(5), properties.at("rocksdb.timestamp_min"));
  EXPECT_EQ(Ts(10), properties.at("rocksdb.timestamp_max"));
  const std::unique_ptr<Iterator> timeless(reader.NewIterator(ReadOptions()));
  EXPECT_TRUE(timeless->status().IsInvalidArgument());
  std::string time;
  Slice timestamp;
  ReadOptions read;
  read.timestamp = &timestamp;
  const auto rows_at = [&](uint64_t at) {
    time = Ts(at);
    timestamp = time;
    return Text(std::unique_ptr<Iterator>(reader.NewIterator(read)).get());
  };
  EXPECT_EQ("", rows_at(4));
  EXPECT_EQ("a=a5 ", rows_at(6));
  EXPECT_EQ("a=a5 c=c8 ", rows_at(9));
  EXPECT_EQ("a=a10 c=c8 ", rows_at(30));
  std::string value;
  EXPECT_TRUE(reader.Get(read, "a", &value).ok());
  EXPECT_EQ("a10", value);
  EXPECT_TRUE(reader.Get(read, "b", &value).IsNotFound());
  EXPECT_TRUE(reader.Get(read, "", &value).IsNotFound());
  const std::string first = Ts(0);
  const Slice start(first);
  read.iter_start_ts = &start;
  const std::unique_ptr<Iterator> history(reader.NewIterator(read));
  int versions = 0;
  for (history->SeekToFirst(); history->Valid(); history->Next()) ++versions;
  EXPECT_TRUE(history->status().ok());
  EXPECT_EQ(4, versions);
}

TEST_F(TimestampedFiles, ADatabaseTakesNewKeys) {
  Make("/1.sst", {{"a", 10, "a10"}, {"a", 5, "a5"}, {"c", 7, "-"}});
  Make("/2.sst", {{"e", 3, "e3"}});
  Make("/3.sst", {{"b", 4, "b4"}});  // Between keys of the first.
  Open();
  ASSERT_TRUE(Ingest({"/2.sst", "/1.sst"}).ok());
  EXPECT_EQ("0,0,0,0,0,0,2", Shape());
  ASSERT_TRUE(Ingest({"/3.sst"}).ok());
  EXPECT_EQ("a=a5 b=b4 e=e3 ", RowsAt(6));
  EXPECT_EQ("a=a10 b=b4 e=e3 ", RowsAt(30));
  ASSERT_TRUE(db_->Put(WriteOptions(), "b", Ts(20), "b20").ok());
  EXPECT_EQ("a=a10 b=b4 e=e3 ", RowsAt(19));
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  Open();
  EXPECT_EQ("a=a10 b=b4 e=e3 ", RowsAt(19));
  EXPECT_EQ("a=a10 b=b20 e=e3 ", RowsAt(30));
}

// As 11.8.1 does; 7.8.3 takes them, and then finds the wrong version.
TEST_F(TimestampedFiles, ADatabaseRefusesKeysThatItHolds) {
  Make("/a.sst", {{"a", 10, "a10"}, {"c", 7, "-"}});
  Open();
  ASSERT_TRUE(Ingest({"/a.sst"}).ok());
  Make("/older.sst", {{"a", 4, "a4"}});
  EXPECT_TRUE(Ingest({"/older.sst"}).IsInvalidArgument());
  Make("/newer.sst", {{"a", 40, "a40"}});
  EXPECT_TRUE(Ingest({"/newer.sst"}).IsInvalidArgument());
  Make("/deleted.sst", {{"c", 40, "c40"}});
  EXPECT_TRUE(Ingest({"/deleted.sst"}).IsInvalidArgument());
  Make("/around.sst", {{"0", 40, "x"}, {"z", 40, "x"}});
  EXPECT_TRUE(Ingest({"/around.sst"}).IsInvalidArgument());
  // In memory.
  ASSERT_TRUE(db_->Put(WriteOptions(), "q", Ts(50), "q50").ok());
  Make("/q.sst", {{"q", 60, "q60"}});
  EXPECT_TRUE(Ingest({"/q.sst"}).IsInvalidArgument());
  EXPECT_EQ("0,0,0,0,0,0,1", Shape());  // Nothing was flushed for it.
  // Range deletions are held, too.
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "t", "v", Ts(9)).ok());
  Make("/u.sst", {{"u", 60, "u60"}});
  EXPECT_TRUE(Ingest({"/u.sst"}).IsInvalidArgument());
  Flush();
  EXPECT_TRUE(Ingest({"/u.sst"}).IsInvalidArgument());
  Make("/v.sst", {{"v", 60, "v60"}});
  EXPECT_TRUE(Ingest({"/v.sst"}).ok());
  EXPECT_EQ("a=a10 q=q50 v=v60 ", RowsAt(100));
}

TEST_F(TimestampedFiles, FilesOfOneCallMustNotOverlap) {
  Make("/1.sst", {{"i", 30, "i30"}});
  Make("/2.sst", {{"i", 31, "i31"}});
  Make("/3.sst", {{"h", 1, "h"}, {"j", 1, "j"}});
  Open();
  EXPECT_TRUE(Ingest({"/1.sst", "/2.sst"}).IsNotSupported());
  EXPECT_TRUE(Ingest({"/1.sst", "/3.sst"}).IsNotSupported());
  EXPECT_EQ("", RowsAt(100));
  EXPECT_TRUE(Files(".sst").empty());
}

TEST_F(TimestampedFiles, AFileOfAnotherComparatorIsRefused) {
  Make("/timed.sst", {{"a", 1, "a"}});
  Open();
  Options plain = options_;
  plain.comparator = BytewiseComparator();
  MakeTable(plain, "/plain.sst", {{"a", "1"}});
  EXPECT_TRUE(Ingest({"/plain.sst"}).IsInvalidArgument());
  db_.reset();
  ASSERT_TRUE(DestroyDB(kName, options_).ok());
  options_ = plain;
  Open();
  EXPECT_TRUE(Ingest({"/timed.sst"}).IsInvalidArgument());
}

// The file is in the database whole or not at all, wherever a call fails.
TEST_F(TimestampedFiles, AFailedCallLeavesNothing) {
  Make("/1.sst", {{"a", 10, "a10"}, {"b", 5, "b5"}}, {{"c", "d", 4}});
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "z", Ts(1), "z1").ok());
  Flush();
  bool failed = true;
  int calls = 0;
  for (int call = 0; failed; ++call) {
    ASSERT_LT(call, 200);
    calls = call;
    ASSERT_TRUE(fs_->SetRule("(ErrInjected (And Always (OnIndex " +
                             std::to_string(call) + ")))")
                    .ok());
    failed = !Ingest({"/1.sst"}).ok();
    fs_->ClearRule();
    if (failed) {
      (void)db_->Resume();
      EXPECT_EQ("z=z1 ", RowsAt(100)) << call;
    }
  }
  EXPECT_GE(calls, 10);
  EXPECT_EQ("a=a10 b=b5 z=z1 ", RowsAt(100));
  Open();
  EXPECT_EQ("a=a10 b=b5 z=z1 ", RowsAt(100));
}

// What the names of comparators cannot show.
TEST_F(TimestampedFiles, KeysWithoutTimestampsAreCorruption) {
  const NamedAs pretends(BytewiseComparatorWithU64Ts(), true);
  Options options = options_;
  options.comparator = &pretends;
  MakeTable(options, "/1.sst", {{"a", "1"}, {"b", "2"}});
  MakeTable(options, "/2.sst", {{"a" + Ts(1), "1"}, {"b", "2"}});
  Open();
  for (const char* const path : {"/1.sst", "/2.sst"}) {
    const Status status = Ingest({path});
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_EQ("Corruption: " + std::string(path) +
                  ": expected keys with timestamps of 8 bytes: found a key of "
                  "1 bytes",
              status.ToString());
  }
  EXPECT_EQ("", RowsAt(100));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
