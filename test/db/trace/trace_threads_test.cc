// Traces that start and end while other threads run queries.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "test/db/trace/trace_fixture.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TraceThreads : public ::testing::Test {
 protected:
  TraceThreads() : env_(NewMemEnv(Env::Default())) {
    Options options;
    options.env = env_.get();
    options.create_if_missing = true;
    test::Ok(DB::Open(options, "/db", &db_));
  }
  ~TraceThreads() override { JoinAll(); }

  template <typename Work>
  void StartThread(const Work& work) {
    threads_.emplace_back([this, work] {
      for (int i = 0; !done_; ++i) work(std::to_string(i % 50));
    });
  }
  void JoinAll() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

TEST_F(TraceThreads, EachTraceIsWholeWhateverRunsBesides) {
  StartThread([this](const std::string& key) {
    test::Ok(db_->Put(WriteOptions(), key, key));
  });
  StartThread([this](const std::string& key) {
    std::string value;
    (void)db_->Get(ReadOptions(), key, &value);
  });
  StartThread([this](const std::string& key) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(key);
    it->SeekForPrev(key);
  });
  StartThread([this](const std::string& key) {
    std::vector<std::string> values;
    (void)db_->MultiGet(ReadOptions(), {key, "x"}, &values);
  });
  for (int round = 0; round < 40; ++round) {
    const auto trace = std::make_shared<test::MemoryTrace>();
    TraceOptions options;
    options.preserve_write_order = round % 2 == 1;
    test::Ok(db_->StartTrace(options,
                             std::make_unique<test::MemoryTraceWriter>(trace)));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    test::Ok(db_->EndTrace());
    const std::vector<std::string> texts = test::RecordTexts(trace->records);
    ASSERT_GE(texts.size(), 2u);
    EXPECT_EQ(texts.front(), "begin");
    EXPECT_EQ(texts.back(), "end");
    for (size_t i = 1; i + 1 < texts.size(); ++i) {
      const std::string kind = texts[i].substr(0, texts[i].find(' '));
      EXPECT_TRUE(kind == "write" || kind == "get" || kind == "multi" ||
                  kind == "seek" || kind == "prev")
          << texts[i];
    }
  }
}

TEST_F(TraceThreads, AnOrderedTraceHasWritesInTheOrderOfTheirSequences) {
  TraceOptions options;
  options.preserve_write_order = true;
  const auto trace = std::make_shared<test::MemoryTrace>();
  test::Ok(db_->StartTrace(options,
                           std::make_unique<test::MemoryTraceWriter>(trace)));
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([this, t] {
      for (int i = 0; i < 250; ++i) {
        WriteOptions write;
        write.disableWAL = t == 0;
        test::Ok(db_->Put(write, std::to_string(t), std::to_string(i)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  test::Ok(db_->EndTrace());
  ASSERT_EQ(trace->records.size(), 1002u);
  SequenceNumber expected = 0;
  for (size_t i = 1; i <= 1000; ++i) {
    std::unique_ptr<TraceRecord> query;
    test::Ok(test::ParseQuery(trace->records[i], &query));
    const WriteBatch batch(static_cast<WriteQueryTraceRecord&>(*query)
                               .GetWriteBatchRep()
                               .ToString());
    const SequenceNumber sequence =
        engine::WriteBatchInternal::Sequence(&batch);
    if (i > 1) {
      EXPECT_EQ(sequence, expected);
    }
    expected = sequence + batch.Count();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
