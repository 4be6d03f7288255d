// A trace that is replayed does the same again; a damaged one has a Status.

#include "rocksdb/utilities/replayer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "db/trace/trace_format.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/db_ttl.h"
#include "test/db/trace/trace_fixture.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Records = std::vector<std::string>;

// What a result says: "OK", "OK=v", "NotFound: ", "k=v", "invalid".
class ResultText final : public TraceRecordResult::Handler {
 public:
  Status Handle(const StatusOnlyTraceExecutionResult& result) override {
    text = result.GetStatus().ToString();
    return Status::OK();
  }
  Status Handle(const SingleValueTraceExecutionResult& result) override {
    text = result.GetStatus().ToString() + "=" + result.GetValue();
    return Status::OK();
  }
  Status Handle(const MultiValuesTraceExecutionResult& result) override {
    for (size_t i = 0; i < result.GetValues().size(); ++i) {
      text += result.GetMultiStatus()[i].ToString() + "=" +
              result.GetValues()[i] + ";";
    }
    return Status::OK();
  }
  Status Handle(const IteratorTraceExecutionResult& result) override {
    text = result.GetStatus().ToString() + " ";
    text += result.GetValid() ? result.GetKey().ToString() + "=" +
                                    result.GetValue().ToString()
                              : "invalid";
    return Status::OK();
  }

  std::string text;
};

std::string TextOfResult(const std::unique_ptr<TraceRecordResult>& result) {
  if (result == nullptr) return "none";
  ResultText handler;
  EXPECT_TRUE(result->Accept(&handler).ok());
  EXPECT_TRUE(result->Accept(nullptr).IsInvalidArgument());
  return handler.text;
}

// All entries of a family as text.
std::string ContentOf(DB* db, ColumnFamilyHandle* family) {
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions(), family));
  std::string text;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  EXPECT_TRUE(it->status().ok());
  return text;
}

// Two families that merge by ",".
struct TwoFamilies {
  TwoFamilies(Env* env, const std::string& name) {
    Options options;
    options.env = env;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options.merge_operator)
                    .ok());
    const ColumnFamilyOptions of_family(options);
    EXPECT_TRUE(
        DB::Open(DBOptions(options), name,
                 {{kDefaultColumnFamilyName, of_family}, {"one", of_family}},
                 &handles, &db)
            .ok());
  }
  ~TwoFamilies() {
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }
  TwoFamilies(const TwoFamilies&) = delete;
  TwoFamilies& operator=(const TwoFamilies&) = delete;

  std::unique_ptr<Replayer> NewReplayer(Records records) {
    std::unique_ptr<Replayer> replayer;
    EXPECT_TRUE(
        db->NewDefaultReplayer(
              handles,
              std::make_unique<test::MemoryTraceReader>(std::move(records)),
              &replayer)
            .ok());
    return replayer;
  }

  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
};

// Writes of every kind into two families.
void WriteAll(TwoFamilies* of) {
  DB* const db = of->db.get();
  ColumnFamilyHandle* const one = of->handles[1];
  for (int i = 0; i < 50; ++i) {
    const std::string key = "k" + std::to_string(i);
    test::Ok(db->Put(WriteOptions(), key, std::string(10, 'a')));
    test::Ok(db->Merge(WriteOptions(), one, "m" + std::to_string(i % 7), key));
  }
  WriteBatch batch;
  test::Ok(batch.Put(one, "k1", "batch"));
  test::Ok(batch.Delete("k2"));
  test::Ok(batch.Merge("k3", "more"));
  test::Ok(batch.PutEntity(one, "e", {{"", "default"}, {"c", "column"}}));
  test::Ok(db->Write(WriteOptions(), &batch));
  test::Ok(db->SingleDelete(WriteOptions(), "k4"));
  test::Ok(
      db->DeleteRange(WriteOptions(), db->DefaultColumnFamily(), "k20", "k30"));
}

void ReadSome(TwoFamilies* of) {
  DB* const db = of->db.get();
  std::string value;
  (void)db->Get(ReadOptions(), "k1", &value);
  (void)db->Get(ReadOptions(), of->handles[1], "missing", &value);
  const Slice lower = "k1";
  const Slice upper = "k3";
  ReadOptions bounded;
  bounded.iterate_lower_bound = &lower;
  bounded.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> it(db->NewIterator(bounded));
  it->Seek("k9");
  it->SeekForPrev("k9");
  std::vector<std::string> values;
  (void)db->MultiGet(ReadOptions(), {of->handles[1], of->handles[0]},
                     {"k1", "nothing"}, &values);
}

class TraceReplay : public ::testing::Test {
 protected:
  TraceReplay() : env_(NewMemEnv(Env::Default())) {}

  // The records of a trace of `work`, done in a database of its own.
  template <typename Work>
  Records TraceOf(Work work) {
    TwoFamilies traced(env_.get(), "/traced" + std::to_string(++traced_));
    auto trace = std::make_shared<test::MemoryTrace>();
    test::Ok(traced.db->StartTrace(
        TraceOptions(), std::make_unique<test::MemoryTraceWriter>(trace)));
    work(&traced);
    test::Ok(traced.db->EndTrace());
    for (int i : {0, 1}) {
      content_[i] = ContentOf(traced.db.get(), traced.handles[i]);
    }
    return trace->records;
  }
  void ExpectContent(TwoFamilies* of) {
    for (int i : {0, 1}) {
      EXPECT_EQ(ContentOf(of->db.get(), of->handles[i]), content_[i]);
    }
  }
  // Without the delays of the trace.
  static ReplayOptions AtOnce(uint32_t num_threads = 1) {
    return ReplayOptions(num_threads, 1e18);
  }

  std::unique_ptr<Env> env_;
  int traced_ = 0;
  std::string content_[2];
};

TEST_F(TraceReplay, AReplayedTraceMakesAnEqualDatabase) {
  const Records records = TraceOf(WriteAll);
  EXPECT_NE(content_[0], "");
  EXPECT_NE(content_[1], "");
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  int executed = 0;
  test::Ok(replayer->Replay(
      AtOnce(),
      [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
        EXPECT_TRUE(status.ok());
        EXPECT_EQ(TextOfResult(result), "OK");
        EXPECT_EQ(result->GetTraceType(), kTraceWrite);
        ++executed;
      }));
  EXPECT_EQ(executed, static_cast<int>(records.size()) - 2);
  ExpectContent(&target);
}

TEST_F(TraceReplay, ResultsAreWhatTheQueriesAnswer) {
  const Records records = TraceOf(ReadSome);
  TwoFamilies target(env_.get(), "/target");
  WriteAll(&target);
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  std::vector<std::string> texts;
  std::unique_ptr<TraceRecord> record;
  Status status;
  while ((status = replayer->Next(&record)).ok()) {
    std::unique_ptr<TraceRecordResult> result;
    test::Ok(replayer->Execute(record, &result));
    texts.push_back(TextOfResult(result));
    test::Ok(replayer->Execute(record, nullptr));
  }
  EXPECT_TRUE(status.IsIncomplete());
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "OK=aaaaaaaaaa", "NotFound: =", "OK invalid",
                       "OK k19=aaaaaaaaaa", "OK=batch;NotFound: =;"}));
}

// A trace does not say at which time a read was.
TEST_F(TraceReplay, ReadsWithTimestampsAreOfTheNewest) {
  Options options;
  options.env = env_.get();
  options.create_if_missing = true;
  options.comparator = BytewiseComparatorWithU64Ts();
  std::unique_ptr<DB> db;
  test::Ok(DB::Open(options, "/timed", &db));
  auto trace = std::make_shared<test::MemoryTrace>();
  test::Ok(db->StartTrace(TraceOptions(),
                          std::make_unique<test::MemoryTraceWriter>(trace)));
  test::Ok(db->Put(WriteOptions(), "a", test::Ts(1), "old"));
  const std::string time = test::Ts(1);
  const Slice time_slice(time);
  ReadOptions read;
  read.timestamp = &time_slice;
  std::string value;
  test::Ok(db->Get(read, "a", &value));
  std::vector<std::string> values;
  (void)db->MultiGet(read, {"a"}, &values);
  std::unique_ptr<Iterator>(db->NewIterator(read))->Seek("a");
  test::Ok(db->EndTrace());
  test::Ok(db->Put(WriteOptions(), "a", test::Ts(2), "new"));

  std::unique_ptr<Replayer> replayer;
  test::Ok(db->NewDefaultReplayer(
      {}, std::make_unique<test::MemoryTraceReader>(trace->records),
      &replayer));
  test::Ok(replayer->Prepare());
  std::vector<std::string> texts;
  test::Ok(replayer->Replay(
      AtOnce(), [&](Status status, std::unique_ptr<TraceRecordResult>&& of) {
        texts.push_back(status.ok() ? TextOfResult(of) : status.ToString());
      }));
  EXPECT_EQ(texts,
            (std::vector<std::string>{"OK", "OK=new", "OK=new;", "OK a=new"}));
}

TEST_F(TraceReplay, AReplayerIsPreparedFirstAndAgain) {
  const Records records = TraceOf(ReadSome);
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  std::unique_ptr<TraceRecord> record;
  EXPECT_EQ(replayer->GetHeaderTimestamp(), 0u);
  EXPECT_TRUE(replayer->Next(&record).IsIncomplete());
  EXPECT_TRUE(replayer->Execute(record, nullptr).IsIncomplete());
  EXPECT_TRUE(replayer->Replay(AtOnce(), nullptr).IsIncomplete());
  for (int round = 0; round < 2; ++round) {
    test::Ok(replayer->Prepare());
    EXPECT_GT(replayer->GetHeaderTimestamp(), 0u);
    test::Ok(replayer->Next(&record));
    EXPECT_GE(record->GetTimestamp(), replayer->GetHeaderTimestamp());
    test::Ok(replayer->Replay(AtOnce(), nullptr));
    EXPECT_TRUE(replayer->Next(&record).IsIncomplete());
    EXPECT_TRUE(replayer->Replay(AtOnce(), nullptr).IsIncomplete());
  }
  record.reset();
  EXPECT_TRUE(replayer->Execute(record, nullptr).IsInvalidArgument());
}

TEST_F(TraceReplay, MistakesAreRefused) {
  TwoFamilies target(env_.get(), "/target");
  std::unique_ptr<Replayer> replayer;
  EXPECT_TRUE(target.db->NewDefaultReplayer(target.handles, nullptr, &replayer)
                  .IsInvalidArgument());
  EXPECT_EQ(replayer, nullptr);
  replayer = target.NewReplayer(TraceOf(ReadSome));
  test::Ok(replayer->Prepare());
  for (const double factor :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(replayer->Replay(ReplayOptions(1, factor), nullptr)
                    .IsInvalidArgument());
  }
  replayer = target.NewReplayer({});
  EXPECT_TRUE(replayer->Prepare().IsCorruption());
  replayer = target.NewReplayer({"no trace"});
  EXPECT_TRUE(replayer->Prepare().IsCorruption());
}

// Puts into different keys may change places.
TEST_F(TraceReplay, SeveralThreadsExecuteEachRecordOnce) {
  const Records records = TraceOf([](TwoFamilies* of) {
    for (int i = 0; i < 500; ++i) {
      test::Ok(of->db->Merge(WriteOptions(), of->handles[i % 2],
                             "k" + std::to_string(i), std::to_string(i)));
    }
  });
  for (const uint32_t threads : {0u, 2u, 8u}) {
    TwoFamilies target(env_.get(), "/target" + std::to_string(threads));
    const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
    test::Ok(replayer->Prepare());
    std::atomic<int> executed{0};
    test::Ok(replayer->Replay(
        AtOnce(threads),
        [&](Status, std::unique_ptr<TraceRecordResult>&&) { ++executed; }));
    EXPECT_EQ(executed.load(), 500);
    ExpectContent(&target);
  }
}

TEST_F(TraceReplay, AnExceptionOfTheCallbackEndsTheReplay) {
  const Records records = TraceOf(WriteAll);
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  for (const uint32_t threads : {1u, 4u}) {
    test::Ok(replayer->Prepare());
    EXPECT_TRUE(replayer
                    ->Replay(AtOnce(threads),
                             [](Status, std::unique_ptr<TraceRecordResult>&&) {
                               throw std::runtime_error("thrown");
                             })
                    .IsAborted());
  }
}

TEST_F(TraceReplay, AWriteThatPassedOverAFamilyIsReplayed) {
  const Records records = TraceOf([](TwoFamilies* of) {
    WriteBatch batch;
    test::Ok(batch.Put("a", "1"));
    ColumnFamilyHandle* gone = nullptr;
    test::Ok(of->db->CreateColumnFamily(ColumnFamilyOptions(), "gone", &gone));
    test::Ok(batch.Put(gone, "b", "2"));
    test::Ok(batch.Put(of->handles[1], "c", "3"));
    test::Ok(of->db->DropColumnFamily(gone));
    test::Ok(of->db->DestroyColumnFamilyHandle(gone));
    WriteOptions ignoring;
    ignoring.ignore_missing_column_families = true;
    test::Ok(of->db->Write(ignoring, &batch));
    test::Ok(of->db->Put(WriteOptions(), "d", "4"));
  });
  EXPECT_EQ(content_[0], "a=1 d=4 ");
  EXPECT_EQ(content_[1], "c=3 ");
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  test::Ok(replayer->Replay(AtOnce(), nullptr));
  ExpectContent(&target);
}

// A wrapper sees what is replayed: here it adds the times of a TTL.
TEST_F(TraceReplay, AReplayGoesThroughTheWrapper) {
  const Records records = TraceOf(
      [](TwoFamilies* of) { test::Ok(of->db->Put(WriteOptions(), "k", "v")); });
  Options options;
  options.env = env_.get();
  options.create_if_missing = true;
  DBWithTTL* opened = nullptr;
  test::Ok(DBWithTTL::Open(options, "/ttl", &opened, 1000));
  const std::unique_ptr<DBWithTTL> db(opened);
  std::unique_ptr<Replayer> replayer;
  test::Ok(db->NewDefaultReplayer(
      {}, std::make_unique<test::MemoryTraceReader>(records), &replayer));
  test::Ok(replayer->Prepare());
  test::Ok(replayer->Replay(AtOnce(), nullptr));
  std::string value;
  test::Ok(db->Get(ReadOptions(), "k", &value));
  EXPECT_EQ(value, "v");
}

// ---- Time.

Records TimedTrace(const std::vector<uint64_t>& times) {
  Records records(1);
  EXPECT_TRUE(engine::EncodeTraceHeader(1000, &records[0]).ok());
  for (const uint64_t time_micros : times) {
    records.emplace_back();
    EXPECT_TRUE(
        engine::EncodeTracedGet(time_micros, 0, "k", &records.back()).ok());
  }
  return records;
}

TEST_F(TraceReplay, DelaysAreThoseOfTheTraceDividedByTheFactor) {
  const auto clock = std::make_shared<test::ManualClock>();
  test::ClockedEnv env(env_.get(), env_->GetFileSystem(), clock);
  TwoFamilies target(&env, "/target");
  // The last comes from before the header, as after a step of the clock.
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(
      TimedTrace({1000, 1000 + 400'000, 1000 + 1'000'000, 500}));
  for (const double factor : {1.0, 2.0, 0.5}) {
    test::Ok(replayer->Prepare());
    std::vector<uint64_t> begins;
    const uint64_t start = clock->NowMicros();
    test::Ok(replayer->Replay(
        ReplayOptions(1, factor),
        [&](Status, std::unique_ptr<TraceRecordResult>&& result) {
          const auto& times = static_cast<TraceExecutionResult&>(*result);
          EXPECT_GE(times.GetEndTimestamp(), times.GetStartTimestamp());
          EXPECT_EQ(times.GetLatency(),
                    times.GetEndTimestamp() - times.GetStartTimestamp());
          begins.push_back(times.GetStartTimestamp() - start);
        }));
    const auto at = [&](double micros) {
      return static_cast<uint64_t>(micros / factor);
    };
    EXPECT_EQ(begins, (std::vector<uint64_t>{0, at(400'000), at(1'000'000),
                                             at(1'000'000)}));
  }
}

// Its delay would be some hundred thousand years.
TEST_F(TraceReplay, ADamagedTimestampIsCorruption) {
  Records records = TimedTrace({1000, 1000});
  records[2][7] = 0x7f;
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  const Status status = replayer->Replay(ReplayOptions(), nullptr);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(status.ToString().find(
                "at byte " +
                std::to_string(records[0].size() + records[1].size()) + ":"),
            std::string::npos)
      << status.ToString();
}

// ---- Traces in files.

class TraceFile : public TraceReplay {
 protected:
  Status OpenReader(std::unique_ptr<TraceReader>* reader) {
    return NewFileTraceReader(env_.get(), EnvOptions(), "/trace", reader);
  }
  // Prepares and executes what it can; the status that ended it.
  static Status ReplayFile(TwoFamilies* target,
                           std::unique_ptr<TraceReader> reader, int* executed) {
    *executed = 0;
    std::unique_ptr<Replayer> replayer;
    RETURN_IF_ERROR(target->db->NewDefaultReplayer(
        target->handles, std::move(reader), &replayer));
    RETURN_IF_ERROR(replayer->Prepare());
    return replayer->Replay(
        AtOnce(), [&](Status, std::unique_ptr<TraceRecordResult>&& result) {
          if (result != nullptr) ++*executed;
        });
  }
};

TEST_F(TraceFile, AFileIsWrittenReadAndRewound) {
  std::string whole;
  {
    TwoFamilies traced(env_.get(), "/traced");
    std::unique_ptr<TraceWriter> writer;
    test::Ok(NewFileTraceWriter(env_.get(), EnvOptions(), "/trace", &writer));
    test::Ok(traced.db->StartTrace(TraceOptions(), std::move(writer)));
    WriteAll(&traced);
    test::Ok(traced.db->EndTrace());
    content_[0] = ContentOf(traced.db.get(), traced.handles[0]);
    content_[1] = ContentOf(traced.db.get(), traced.handles[1]);
    test::Ok(ReadFileToString(env_.get(), "/trace", &whole));
  }
  std::unique_ptr<TraceReader> reader;
  test::Ok(OpenReader(&reader));
  for (int round = 0; round < 2; ++round) {
    std::string all;
    std::string record;
    Status status;
    while ((status = reader->Read(&record)).ok()) all += record;
    EXPECT_TRUE(status.IsIncomplete());
    EXPECT_EQ(all, whole);
    test::Ok(reader->Reset());
  }
  TwoFamilies target(env_.get(), "/target");
  int executed = 0;
  test::Ok(ReplayFile(&target, std::move(reader), &executed));
  ExpectContent(&target);
}

TEST_F(TraceFile, AClosedReaderAnswersIOError) {
  test::Ok(WriteStringToFile(env_.get(), "", "/trace"));
  std::unique_ptr<TraceReader> reader;
  test::Ok(OpenReader(&reader));
  test::Ok(reader->Close());
  std::string record;
  EXPECT_TRUE(reader->Read(&record).IsIOError());
  EXPECT_TRUE(reader->Reset().IsIOError());
  test::Ok(env_->DeleteFile("/trace"));
  EXPECT_FALSE(OpenReader(&reader).ok());
  EXPECT_EQ(reader, nullptr);
}

TEST_F(TraceFile, ATraceIsReadToTheEndOfItsWholeRecords) {
  const Records records = TraceOf(ReadSome);
  std::string whole;
  std::vector<size_t> ends;
  for (const std::string& record : records) {
    whole += record;
    ends.push_back(whole.size());
  }
  TwoFamilies target(env_.get(), "/target");
  for (size_t size = 0; size <= whole.size(); ++size) {
    test::Ok(WriteStringToFile(env_.get(), whole.substr(0, size), "/trace"));
    std::unique_ptr<TraceReader> reader;
    test::Ok(OpenReader(&reader));
    size_t complete = 0;
    while (complete < ends.size() && ends[complete] <= size) ++complete;
    const bool between =
        size == 0 || (complete > 0 && ends[complete - 1] == size);
    int executed = 0;
    const Status status = ReplayFile(&target, std::move(reader), &executed);
    if (between && size > 0) {
      EXPECT_TRUE(status.ok()) << size << ": " << status.ToString();
    } else {
      EXPECT_TRUE(status.IsCorruption()) << size << ": " << status.ToString();
    }
    // Without the begin and the end.
    const size_t queries = std::min(complete, records.size() - 1);
    EXPECT_EQ(static_cast<size_t>(executed) + 1, std::max<size_t>(1, queries));
  }
}

TEST_F(TraceFile, EachChangedByteHasAStatus) {
  std::string whole;
  for (const std::string& record : TraceOf(ReadSome)) whole += record;
  TwoFamilies target(env_.get(), "/target");
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {1, 128, 255}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      test::Ok(WriteStringToFile(env_.get(), changed, "/trace"));
      std::unique_ptr<TraceReader> reader;
      test::Ok(OpenReader(&reader));
      int executed = 0;
      const Status status = ReplayFile(&target, std::move(reader), &executed);
      EXPECT_TRUE(status.ok() || status.IsCorruption() ||
                  status.IsNotSupported())
          << i << ": " << status.ToString();
      EXPECT_LE(executed, 5);
    }
  }
}

TEST_F(TraceFile, ErrorsNameThePlace) {
  Records records = TimedTrace({1000});
  records[1][8] = 99;  // The type.
  test::Ok(WriteStringToFile(env_.get(), records[0] + records[1], "/trace"));
  std::unique_ptr<TraceReader> reader;
  test::Ok(OpenReader(&reader));
  std::string record;
  test::Ok(reader->Read(&record));
  EXPECT_EQ(reader->Read(&record).ToString(),
            "Corruption: /trace: expected the type of a trace record at byte " +
                std::to_string(records[0].size() + 8) + ": found 99");
}

// The payload of the damaged record looks like a record.
TEST_F(TraceFile, AFailedReadIsRepeatedUntilReset) {
  Records records = TimedTrace({1000});
  std::string outer;
  ASSERT_TRUE(engine::EncodeTracedGet(1000, 0, records[1], &outer).ok());
  for (const bool wrong_type : {true, false}) {
    std::string damaged = outer;
    if (wrong_type) {
      damaged[8] = 99;
    } else {
      damaged[12] = 1;  // The length: far more than there is.
    }
    const std::string whole = records[0] + damaged + records[1];
    test::Ok(WriteStringToFile(env_.get(), whole, "/trace"));
    std::unique_ptr<TraceReader> reader;
    test::Ok(OpenReader(&reader));
    for (int round = 0; round < 2; ++round) {
      std::string record;
      test::Ok(reader->Read(&record));
      EXPECT_EQ(record, records[0]);
      const Status first = reader->Read(&record);
      EXPECT_TRUE(first.IsCorruption());
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(reader->Read(&record).ToString(), first.ToString());
      }
      test::Ok(reader->Reset());
    }
  }
}

// ---- Records that cannot be executed.

TEST_F(TraceReplay, AnUnknownFamilyEndsTheReplay) {
  Records records = TimedTrace({1000});
  std::string unknown;
  ASSERT_TRUE(engine::EncodeTracedGet(1000, 9, "k", &unknown).ok());
  records.push_back(unknown);
  records.push_back(records[1]);
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  std::vector<std::string> texts;
  const Status status = replayer->Replay(
      AtOnce(), [&](Status, std::unique_ptr<TraceRecordResult>&& result) {
        texts.push_back(TextOfResult(result));
      });
  EXPECT_EQ(status.ToString(),
            "Corruption: a trace record is of column family 9: the replayer "
            "has no handle of it");
  EXPECT_EQ(texts, (std::vector<std::string>{"NotFound: =", "none"}));
}

TEST_F(TraceReplay, RecordsOfOtherTracesAreLeftOut) {
  Records records = TimedTrace({1000, 1000});
  records[1][8] = kIOTracer;
  TwoFamilies target(env_.get(), "/target");
  const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
  test::Ok(replayer->Prepare());
  std::vector<std::string> texts;
  test::Ok(replayer->Replay(
      AtOnce(),
      [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
        EXPECT_EQ(status.IsNotSupported(), result == nullptr);
        texts.push_back(TextOfResult(result));
      }));
  EXPECT_EQ(texts, (std::vector<std::string>{"none", "NotFound: ="}));
}

// Behind the header it answers that it cannot read.
class UnableReader final : public TraceReader {
 public:
  explicit UnableReader(std::string header) : header_(std::move(header)) {}

  Status Read(std::string* data) override {
    if (begun_) return Status::NotSupported("unable");
    begun_ = true;
    *data = header_;
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Reset() override {
    begun_ = false;
    return Status::OK();
  }

 private:
  const std::string header_;
  bool begun_ = false;
};

TEST_F(TraceReplay, AReaderThatIsUnableEndsTheReplay) {
  TwoFamilies target(env_.get(), "/target");
  std::unique_ptr<Replayer> replayer;
  test::Ok(target.db->NewDefaultReplayer(
      target.handles, std::make_unique<UnableReader>(TimedTrace({})[0]),
      &replayer));
  test::Ok(replayer->Prepare());
  EXPECT_TRUE(replayer->Replay(AtOnce(), nullptr).IsNotSupported());
}

TEST_F(TraceReplay, ADamagedBatchIsCorruption) {
  for (const std::string& batch :
       {std::string(), std::string(11, '\0'), std::string(12, '\0') + "\x7f",
        std::string("\0\0\0\0\0\0\0\0\1\0\0\0\1\x09k", 15)}) {
    Records records = TimedTrace({});
    records.emplace_back();
    ASSERT_TRUE(engine::EncodeTracedWrite(1000, batch, &records.back()).ok());
    TwoFamilies target(env_.get(), "/target");
    const std::unique_ptr<Replayer> replayer = target.NewReplayer(records);
    test::Ok(replayer->Prepare());
    EXPECT_TRUE(replayer->Replay(AtOnce(), nullptr).IsCorruption())
        << batch.size();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
