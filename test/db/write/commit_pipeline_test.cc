#include "db/write/commit_pipeline.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/write/write_controller.h"
#include "db/write/write_pacer.h"
#include "db/write_batch/write_batch_internal.h"
#include "gtest/gtest.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/write_batch.h"
#include "test/db/write/commit_owner.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Starts a writer that holds the pipeline, queues `writers` behind it in
// order, and lets go. `later`: what the log answers to their groups.
void RunBehindALeader(TestHost* host, Pipeline* pipeline,
                      const std::vector<std::function<void()>>& writers,
                      const Status& later = Status()) {
  Gate gate;
  int appends = 0;  // One at a time.
  host->append_to_wal = [&gate, &appends, &later](const TestHost::Record&) {
    gate.Hold();
    Status status;
    if (appends++ > 0) status = later;
    return status;
  };
  std::vector<std::thread> threads;
  threads.emplace_back(
      [pipeline] { ASSERT_TRUE(pipeline->Put("leader", "l").ok()); });
  gate.AwaitHeld();
  for (const auto& writer : writers) {
    const size_t queued = pipeline->pipeline.NumQueuedForTest();
    threads.emplace_back(writer);
    while (pipeline->pipeline.NumQueuedForTest() == queued)
      std::this_thread::yield();
  }
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  host->append_to_wal = nullptr;
}

TEST(CommitPipeline, GivesEachRecordTheNextSequence) {
  TestHost host(2);
  Pipeline pipeline(&host);
  pipeline.pipeline.SetLastAssigned(100);
  ASSERT_TRUE(pipeline.Put("a", "1").ok());
  EXPECT_EQ(pipeline.last_sequence.load(), 101u);
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("b", "2").ok());
  ASSERT_TRUE(batch.PutLogData("not counted").ok());
  ASSERT_TRUE(WriteBatchInternal::Put(&batch, 1, "c", "3").ok());
  ASSERT_TRUE(pipeline.Write(&batch).ok());
  EXPECT_EQ(WriteBatchInternal::Sequence(&batch), 102u);
  ASSERT_TRUE(pipeline.Put("d", "4").ok());

  EXPECT_EQ(host.Newest("a"), "1@101");
  EXPECT_EQ(host.Newest("b"), "2@102");
  EXPECT_EQ(host.Newest("c", 1), "3@103");
  EXPECT_EQ(host.Newest("d"), "4@104");
  EXPECT_EQ(host.published.load(), 104u);
  ASSERT_EQ(host.log.size(), 3u);
  EXPECT_EQ(host.log[1].contents, batch.Data());
}

TEST(CommitPipeline, LogsAWaitingGroupAsOneBatch) {
  TestHost host;
  Pipeline pipeline(&host);
  std::vector<std::function<void()>> writers;
  for (const char* key : {"a", "b", "c"}) {
    writers.push_back([&pipeline, key] {
      WriteBatch batch;
      ASSERT_TRUE(batch.Put(key, "v").ok());
      ASSERT_TRUE(batch.Delete("gone").ok());
      ASSERT_TRUE(pipeline.Write(&batch).ok());
    });
  }
  RunBehindALeader(&host, &pipeline, writers);
  ASSERT_EQ(host.log.size(), 2u);
  EXPECT_EQ(host.log[1].sequence, 2u);
  EXPECT_EQ(host.log[1].count, 6u);
  EXPECT_EQ(host.log[1].parts, 4u);
  std::vector<std::string> keys;
  ASSERT_TRUE(ForEachRecord(host.log[1].contents, [&](const BatchRecord& r) {
                keys.push_back(r.key.ToString());
                return true;
              }).ok());
  EXPECT_EQ(keys,
            (std::vector<std::string>{"a", "gone", "b", "gone", "c", "gone"}));
  EXPECT_EQ(host.Newest("a"), "v@2");
  EXPECT_EQ(host.Newest("b"), "v@4");
  EXPECT_EQ(host.Newest("c"), "v@6");
  EXPECT_EQ(pipeline.pipeline.counters().groups.load(), 2u);
  EXPECT_EQ(pipeline.pipeline.counters().writes.load(), 4u);
  EXPECT_EQ(pipeline.pipeline.counters().keys.load(), 7u);
}

// A section takes no sequence; the commit of one takes its own.
TEST(CommitPipeline, LogsHalvesOfTwoPhaseCommitsInAGroup) {
  TestHost host;
  Pipeline pipeline(&host);
  WriteBatch first;
  WriteBatch second;
  ASSERT_TRUE(first.Put("p", "v").ok());
  ASSERT_TRUE(second.Put("q", "v").ok());
  const auto half = [&pipeline](WriteBatch* batch, const TwoPhase& two_phase) {
    const WriteOptions options;
    CommitRequest request;
    request.batch = batch;
    request.options = &options;
    request.two_phase = &two_phase;
    ASSERT_TRUE(pipeline.pipeline.Commit(&request).ok());
  };
  const auto prepare = [&] {
    WriteBatch logged;
    WriteBatchInternal::AddMark(&logged, ValueType::kBeginPrepare);
    ASSERT_TRUE(WriteBatchInternal::Append(&logged, &first).ok());
    WriteBatchInternal::AddMark(&logged, ValueType::kEndPrepare, "first");
    TwoPhase two_phase;
    two_phase.logged = &logged;
    two_phase.only_logged = true;
    half(&first, two_phase);
  };
  const auto commit = [&] {
    WriteBatch nothing;
    WriteBatch logged;
    WriteBatchInternal::AddMark(&logged, ValueType::kCommit, "second");
    TwoPhase two_phase;
    two_phase.logged = &logged;
    two_phase.prepared = &second;
    half(&nothing, two_phase);
  };
  const auto put = [&pipeline](const char* key) {
    return [&pipeline, key] { ASSERT_TRUE(pipeline.Put(key, "v").ok()); };
  };
  RunBehindALeader(&host, &pipeline, {put("a"), prepare, commit, put("z")});
  ASSERT_EQ(host.log.size(), 2u);
  EXPECT_EQ(host.log[1].sequence, 2u);
  EXPECT_EQ(host.log[1].count, 3u);  // With "p", which is only prepared.
  std::string keys;
  ASSERT_TRUE(ForEachRecord(host.log[1].contents, [&](const BatchRecord& r) {
                if (r.type != ValueType::kBeginPrepare) {
                  keys += r.key.ToString() + " ";
                }
                return true;
              }).ok());
  EXPECT_EQ(keys, "a p first second z ");
  EXPECT_EQ(host.Newest("a"), "v@2");
  EXPECT_EQ(host.Newest("p"), "none");
  EXPECT_EQ(host.Newest("q"), "v@3");
  EXPECT_EQ(host.Newest("z"), "v@4");
}

class LoggedCount final : public CommitHooks {
 public:
  void Logged() override { ++count; }
  std::atomic<int> count{0};
};

// The log may have them: they keep their sequence, by which a transaction knows
// that it was not refused. But no hook, and so no transaction, holds a log.
TEST(CommitPipeline, FailsHalvesOfTwoPhaseCommitsWithTheirGroup) {
  TestHost host;
  Pipeline pipeline(&host);
  LoggedCount hooks;
  const auto half = [&pipeline, &hooks](bool prepares) {
    return [&pipeline, &hooks, prepares] {
      WriteBatch section;
      WriteBatch nothing;
      WriteBatch logged;
      ASSERT_TRUE(section.Put("p", "v").ok());
      TwoPhase two_phase;
      two_phase.logged = &logged;
      two_phase.only_logged = prepares;
      if (prepares) {
        WriteBatchInternal::AddMark(&logged, ValueType::kBeginPrepare);
        ASSERT_TRUE(WriteBatchInternal::Append(&logged, &section).ok());
        WriteBatchInternal::AddMark(&logged, ValueType::kEndPrepare, "first");
      } else {
        WriteBatchInternal::AddMark(&logged, ValueType::kCommit, "second");
        two_phase.prepared = &section;
      }
      const WriteOptions options;
      CommitRequest request;
      request.batch = prepares ? &section : &nothing;
      request.options = &options;
      request.hooks = &hooks;
      request.two_phase = &two_phase;
      EXPECT_TRUE(pipeline.pipeline.Commit(&request).IsIOError());
      EXPECT_NE(request.sequence, 0u);
    };
  };
  const auto put = [&pipeline] {
    EXPECT_TRUE(pipeline.Put("a", "v").IsIOError());
  };
  RunBehindALeader(&host, &pipeline, {put, half(true), half(false), put},
                   Status::IOError("no space"));
  ASSERT_EQ(host.log.size(), 1u);
  EXPECT_EQ(host.errors, (std::vector<std::string>{"IO error: no space"}));
  EXPECT_EQ(hooks.count.load(), 0);
  EXPECT_EQ(host.Newest("p"), "none");
  EXPECT_EQ(host.published.load(), 1u);
  ASSERT_TRUE(pipeline.Put("b", "v").ok());
  EXPECT_EQ(host.Newest("b"), "v@2");
}

TEST(CommitPipeline, GroupsOnlyWritesThatWantTheSame) {
  TestHost host;
  Pipeline pipeline(&host);
  const auto write = [&pipeline](const char* key, bool sync, bool unlogged) {
    return [&pipeline, key, sync, unlogged] {
      WriteOptions options;
      options.sync = sync;
      options.disableWAL = unlogged;
      ASSERT_TRUE(pipeline.Put(key, "v", options).ok());
    };
  };
  RunBehindALeader(&host, &pipeline,
                   {write("a", false, false), write("b", false, false),
                    // A plain group does not wait for a sync.
                    write("c", true, false),
                    // A sync group takes plain writes along.
                    write("d", false, false), write("e", false, true),
                    write("f", false, true), write("g", false, false)});
  std::vector<std::string> groups;
  for (const TestHost::Record& record : host.log)
    groups.push_back(std::to_string(record.count) +
                     (record.sync ? " sync" : ""));
  EXPECT_EQ(groups, (std::vector<std::string>{"1", "2", "2 sync", "1"}));
  EXPECT_EQ(host.unlogged_groups.load(), 1);
  EXPECT_EQ(host.Newest("f"), "v@7");
  EXPECT_EQ(host.Newest("g"), "v@8");
  EXPECT_EQ(pipeline.pipeline.counters().wal_syncs.load(), 1u);
}

TEST(CommitPipeline, BoundsAGroupAndKeepsSmallLeadersQuick) {
  TestHost host;
  CommitPipelineOptions options;
  options.max_write_batch_group_size_bytes = 8000;
  Pipeline pipeline(&host, options);
  const auto write = [&pipeline](const char* key, size_t bytes) {
    return [&pipeline, key, bytes] {
      ASSERT_TRUE(pipeline.Put(key, std::string(bytes, 'v')).ok());
    };
  };
  // A small leader takes an eighth of the limit more; a large one all of it.
  RunBehindALeader(&host, &pipeline,
                   {write("a", 10), write("b", 500), write("c", 900),
                    write("d", 4000), write("e", 3000), write("f", 4000)});
  std::vector<uint32_t> counts;
  for (const TestHost::Record& record : host.log)
    counts.push_back(record.count);
  EXPECT_EQ(counts, (std::vector<uint32_t>{1, 2, 1, 2, 1}));
}

// What a commit inserts counts, although its own batch and mark are small.
TEST(CommitPipeline, BoundsWhatTheCommitsOfAGroupInsert) {
  TestHost host;
  CommitPipelineOptions options;
  options.max_write_batch_group_size_bytes = 8000;
  Pipeline pipeline(&host, options);
  const auto commit = [&pipeline](const char* key, size_t bytes) {
    return [&pipeline, key, bytes] {
      WriteBatch nothing;
      WriteBatch logged;
      WriteBatch prepared;
      ASSERT_TRUE(prepared.Put(key, std::string(bytes, 'v')).ok());
      WriteBatchInternal::AddMark(&logged, ValueType::kCommit, key);
      TwoPhase two_phase;
      two_phase.logged = &logged;
      two_phase.prepared = &prepared;
      const WriteOptions write;
      CommitRequest request;
      request.batch = &nothing;
      request.options = &write;
      request.two_phase = &two_phase;
      ASSERT_TRUE(pipeline.pipeline.Commit(&request).ok());
    };
  };
  const auto put = [&pipeline] { ASSERT_TRUE(pipeline.Put("p", "v").ok()); };
  // A small leader takes no large commit along; a large one leads others up to
  // the limit.
  RunBehindALeader(
      &host, &pipeline,
      {put, commit("a", 4000), commit("b", 3000), commit("c", 4000)});
  std::vector<SequenceNumber> first;
  for (const TestHost::Record& record : host.log) {
    first.push_back(record.sequence);
  }
  EXPECT_EQ(first, (std::vector<SequenceNumber>{1, 2, 3, 5}));
  EXPECT_EQ(host.Newest("c"), std::string(4000, 'v') + "@5");
}

TEST(CommitPipeline, FailsAllMembersWhenTheLogFails) {
  TestHost host;
  Pipeline pipeline(&host);
  ASSERT_TRUE(pipeline.Put("before", "v").ok());
  host.append_to_wal = [](const TestHost::Record&) {
    return Status::IOError("no space");
  };
  EXPECT_TRUE(pipeline.Put("a", "v").IsIOError());
  EXPECT_EQ(host.Newest("a"), "none");
  EXPECT_EQ(host.published.load(), 1u);
  EXPECT_EQ(host.errors, (std::vector<std::string>{"IO error: no space"}));

  // Sequences that no reader saw are reused, so recovery finds no gap.
  host.append_to_wal = nullptr;
  ASSERT_TRUE(pipeline.Put("b", "v").ok());
  EXPECT_EQ(host.Newest("b"), "v@2");
}

TEST(CommitPipeline, FailsABadBatchAloneAndBeforeTheLog) {
  TestHost host(1);
  Pipeline pipeline(&host);
  std::atomic<int> failures{0};
  RunBehindALeader(
      &host, &pipeline,
      {[&] { ASSERT_TRUE(pipeline.Put("a", "v").ok()); },
       [&] {
         WriteBatch batch;
         ASSERT_TRUE(batch.Put("half", "v").ok());
         ASSERT_TRUE(WriteBatchInternal::Put(&batch, 9, "x", "v").ok());
         if (pipeline.Write(&batch).IsInvalidArgument()) ++failures;
       },
       [&] {
         WriteBatch batch;
         ASSERT_TRUE(batch.DeleteRange("z", "a").ok());
         if (pipeline.Write(&batch).IsInvalidArgument()) ++failures;
       },
       [&] { ASSERT_TRUE(pipeline.Put("b", "v").ok()); }});
  EXPECT_EQ(failures.load(), 2);
  EXPECT_EQ(host.log.back().count, 2u);
  EXPECT_EQ(host.Newest("half"), "none");
  EXPECT_EQ(host.Newest("a"), "v@2");
  EXPECT_EQ(host.Newest("b"), "v@3");
  EXPECT_TRUE(host.errors.empty());
}

TEST(CommitPipeline, SkipsMissingFamiliesWhenAskedTo) {
  TestHost host(1);
  Pipeline pipeline(&host);
  WriteBatch batch;
  ASSERT_TRUE(WriteBatchInternal::Put(&batch, 9, "x", "v").ok());
  ASSERT_TRUE(batch.Put("a", "v").ok());
  WriteOptions options;
  options.ignore_missing_column_families = true;
  ASSERT_TRUE(pipeline.Write(&batch, options).ok());
  // The skipped record has its sequence all the same.
  EXPECT_EQ(host.Newest("a"), "v@2");
}

TEST(CommitPipeline, RefusesSyncWithoutALog) {
  TestHost host;
  Pipeline pipeline(&host);
  WriteOptions options;
  options.sync = options.disableWAL = true;
  EXPECT_TRUE(pipeline.Put("a", "v", options).IsInvalidArgument());
}

TEST(CommitPipeline, AsksForRoomOnlyWhenTold) {
  TestHost host;
  Pipeline pipeline(&host);
  ASSERT_TRUE(pipeline.Put("a", "v").ok());
  EXPECT_EQ(host.rooms.load(), 0);
  pipeline.pipeline.RequestAttention();
  ASSERT_TRUE(pipeline.Put("b", "v").ok());
  ASSERT_TRUE(pipeline.Put("c", "v").ok());
  EXPECT_EQ(host.rooms.load(), 1);

  host.ensure_room = [&](const WriteOptions&, uint64_t) {
    pipeline.pipeline.RequestAttention();
    return Status::ShutdownInProgress();
  };
  pipeline.pipeline.RequestAttention();
  EXPECT_TRUE(pipeline.Put("d", "v").IsShutdownInProgress());
  EXPECT_TRUE(pipeline.Put("e", "v").IsShutdownInProgress());
  EXPECT_EQ(host.log.size(), 3u);
}

TEST(CommitPipeline, ReportsAFullMemTable) {
  TestHost host;
  Pipeline pipeline(&host);
  MemTableOptions options;
  options.write_buffer_size = 1 << 16;
  const InternalKeyComparator icmp(BytewiseComparator());
  MemTable small(&icmp, options, 0);
  host.find = [&small](uint32_t) {
    return FamilyResolver::Found{FamilyResolver::Found::Verdict::kWrite,
                                 &small};
  };
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(
        pipeline.Put("k" + std::to_string(i), std::string(1000, 'v')).ok());
  }
  EXPECT_EQ(host.full.load(), 1);
}

TEST(CommitPipeline, KeepsWritersOutWhileExclusive) {  // commit_pipeline.h (5)
  TestHost host;
  Pipeline pipeline(&host);
  std::atomic<bool> exclusive{false};
  std::atomic<bool> stop{false};
  host.append_to_wal = [&](const TestHost::Record&) {
    EXPECT_FALSE(exclusive.load());
    return Status();
  };
  host.publish = [&](SequenceNumber) { EXPECT_FALSE(exclusive.load()); };
  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; !stop.load(); ++i) {
        ASSERT_TRUE(
            pipeline.Put(std::to_string(t) + "-" + std::to_string(i), "v")
                .ok());
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    CommitPipeline::ExclusiveGuard guard(&pipeline.pipeline);
    exclusive.store(true);
    const SequenceNumber last = pipeline.pipeline.last_assigned();
    // Nothing is under way: all that was assigned is published and applied.
    EXPECT_EQ(host.published.load(), last);
    EXPECT_EQ(host.memtable().num_entries(), last);
    exclusive.store(false);
  }
  stop.store(true);
  for (std::thread& thread : writers) thread.join();
}

TEST(CommitPipeline, LogsTheNextGroupsWhileOneInserts) {
  TestHost host;
  Pipeline pipeline(&host);
  Gate gate;
  std::atomic<size_t> logged{0};
  host.append_to_wal = [&logged](const TestHost::Record&) {
    ++logged;
    return Status();
  };
  std::vector<SequenceNumber> published;
  host.publish = [&](SequenceNumber last) {
    published.push_back(last);
    gate.Hold();
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&pipeline, i] {
      ASSERT_TRUE(pipeline.Put("k" + std::to_string(i), "v").ok());
    });
    while (logged.load() <= i) std::this_thread::yield();
    if (i == 0) gate.AwaitHeld();
  }
  EXPECT_EQ(host.published.load(), 0u);
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(published, (std::vector<SequenceNumber>{1, 2, 3, 4}));
  EXPECT_EQ(host.Newest("k3"), "v@4");
}

// The law of the whole: whatever the options and the number of threads, every
// write is in the log and in the memtable under one sequence, sequences have
// no gaps, groups are published in order, and a returned write is visible.
void StressPipeline(const CommitPipelineOptions& options, int threads,
                    int writes_per_thread, bool large_batches) {
  TestHost host;
  Pipeline pipeline(&host, options);
  std::vector<std::thread> writers;
  for (int t = 0; t < threads; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < writes_per_thread; ++i) {
        WriteBatch batch;
        const int records = large_batches && i % 7 == 0 ? 100 : 1 + i % 2;
        for (int r = 0; r < records; ++r) {
          ASSERT_TRUE(batch
                          .Put("k" + std::to_string(t) + "." +
                                   std::to_string(i) + "." + std::to_string(r),
                               "v")
                          .ok());
        }
        WriteOptions write_options;
        write_options.disableWAL = i % 5 == 4;
        write_options.sync = !write_options.disableWAL && i % 3 == 0;
        CommitRequest request;
        request.batch = &batch;
        request.options = &write_options;
        ASSERT_TRUE(pipeline.pipeline.Commit(&request).ok());
        const SequenceNumber last =
            request.sequence + static_cast<uint64_t>(records) - 1;
        ASSERT_GE(host.published.load(), last);
        ASSERT_EQ(
            host.Newest("k" + std::to_string(t) + "." + std::to_string(i) +
                        "." + std::to_string(records - 1)),
            "v@" + std::to_string(last));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();

  const SequenceNumber last = pipeline.pipeline.last_assigned();
  EXPECT_EQ(host.published.load(), last);
  EXPECT_EQ(host.memtable().num_entries(), last);
  EXPECT_EQ(pipeline.pipeline.counters().keys.load(), last);
  EXPECT_EQ(pipeline.pipeline.counters().writes.load(),
            static_cast<uint64_t>(threads * writes_per_thread));
  SequenceNumber next = 1;
  for (const TestHost::Record& record : host.log) {
    ASSERT_GE(record.sequence, next);
    SequenceNumber sequence = record.sequence;
    ASSERT_TRUE(ForEachRecord(record.contents, [&](const BatchRecord& r) {
                  EXPECT_EQ(host.Newest(r.key.ToString()),
                            "v@" + std::to_string(sequence));
                  ++sequence;
                  return true;
                }).ok());
    next = sequence;
  }
  // Every sequence is used exactly once.
  std::vector<SequenceNumber> sequences;
  std::unique_ptr<InternalIterator> iter(host.memtable().NewIterator());
  for (iter->SeekToFirst(); iter->Valid(); iter->Next())
    sequences.push_back(ExtractSequence(iter->key()));
  std::sort(sequences.begin(), sequences.end());
  for (size_t i = 0; i < sequences.size(); ++i) ASSERT_EQ(sequences[i], i + 1);
}

TEST(CommitPipeline, KeepsItsLawsUnderManyThreads) {
  for (const bool concurrent : {false, true}) {
    for (const bool yields : {false, true}) {
      CommitPipelineOptions options;
      options.allow_concurrent_memtable_write = concurrent;
      options.enable_write_thread_adaptive_yield = yields;
      StressPipeline(options, 8, 250, /*large_batches=*/concurrent);
    }
  }
}

// A clock on which a stall takes no time, and a switch that ends it.
class StallTest : public ::testing::Test {
 protected:
  class Clock : public SystemClockWrapper {
   public:
    explicit Clock(std::function<void()> on_sleep)
        : SystemClockWrapper(SystemClock::Default()),
          on_sleep_(std::move(on_sleep)) {}
    const char* Name() const override { return "StallClock"; }
    uint64_t NowMicros() override { return now_.load(); }
    void SleepForMicroseconds(int micros) override {
      now_ += static_cast<uint64_t>(micros);
      on_sleep_();
    }

   private:
    std::atomic<uint64_t> now_{1000000};
    const std::function<void()> on_sleep_;
  };

  StallTest()
      : clock_([this] {
          if (on_sleep_) on_sleep_();
        }),
        admission_(&controller_, &clock_, nullptr, &pacer_),
        pipeline_(&host_, {}, &admission_) {}

  std::function<void()> on_sleep_;
  Clock clock_;
  WriteController controller_{1 << 20};
  WritePacer pacer_;
  WriteAdmission admission_;
  TestHost host_;
  Pipeline pipeline_;
};

TEST_F(StallTest, AStoppedWriterWaitsUntilItIsOver) {
  auto token = controller_.Stop();
  int steps = 0;
  on_sleep_ = [&] {
    EXPECT_EQ(host_.published.load(), 0u);
    if (++steps == 5) token.Reset();
  };
  ASSERT_TRUE(pipeline_.Put("a", "v").ok());
  EXPECT_EQ(steps, 5);
  EXPECT_EQ(pipeline_.pipeline.counters().stall_micros.load(),
            5 * WriteAdmission::kStepMicros);
}

TEST_F(StallTest, ADelayedWriterPaysForTheGroupBefore) {
  auto token = controller_.Delay(1 << 20);  // 1 MiB/s
  int steps = 0;
  on_sleep_ = [&steps] { ++steps; };
  ASSERT_TRUE(pipeline_.Put("a", std::string(100 << 10, 'v')).ok());
  steps = 0;
  ASSERT_TRUE(pipeline_.Put("b", "v").ok());
  // 100 KiB at 1 MiB/s: some 98 ms, in steps of one.
  EXPECT_GE(steps, 90);
  EXPECT_LE(steps, 110);
}

TEST_F(StallTest, NoSlowdownFailsInsteadOfWaiting) {
  auto token = controller_.Stop();
  WriteOptions options;
  options.no_slowdown = true;
  const Status status = pipeline_.Put("a", "v", options);
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(host_.log.size(), 0u);
}

TEST_F(StallTest, AnInterruptedWaitFailsTheWriter) {
  auto token = controller_.Stop();
  host_.interrupt = [] { return Status::ShutdownInProgress(); };
  EXPECT_TRUE(pipeline_.Put("a", "v").IsShutdownInProgress());
}

TEST_F(StallTest, WritersBehindAStalledLeaderThatRefuseToWaitLeaveAtOnce) {
  auto token = controller_.Stop();
  std::atomic<bool> stalled{false};
  on_sleep_ = [&] {
    stalled.store(true);
    std::this_thread::yield();
  };
  std::atomic<int> patient{0};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    ASSERT_TRUE(pipeline_.Put("leader", "v").ok());
    ++patient;
  });
  while (!stalled.load()) std::this_thread::yield();
  threads.emplace_back([&] {
    ASSERT_TRUE(pipeline_.Put("patient", "v").ok());
    ++patient;
  });
  WriteOptions options;
  options.no_slowdown = true;
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(pipeline_.Put("hasty", "v", options).IsIncomplete());
  EXPECT_EQ(patient.load(), 0);
  token.Reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(host_.Newest("hasty"), "none");
  EXPECT_NE(host_.Newest("patient"), "none");
}

TEST_F(StallTest, TheQueueBehindAStallIsCombedOut) {
  // The leader stalls only after the others have queued behind it.
  std::atomic<int> incomplete{0};
  std::atomic<int> written{0};
  Gate gate;
  host_.append_to_wal = [&gate](const TestHost::Record&) {
    gate.Hold();
    return Status();
  };
  WriteController::Token token;
  std::vector<std::thread> threads;
  threads.emplace_back([&] { ASSERT_TRUE(pipeline_.Put("first", "v").ok()); });
  gate.AwaitHeld();
  const auto queue = [&](bool no_slowdown) {
    const size_t queued = pipeline_.pipeline.NumQueuedForTest();
    threads.emplace_back([&, no_slowdown] {
      WriteOptions options;
      options.no_slowdown = no_slowdown;
      const Status status = pipeline_.Put("x", "v", options);
      if (status.ok()) ++written;
      if (status.IsIncomplete()) ++incomplete;
    });
    while (pipeline_.pipeline.NumQueuedForTest() == queued)
      std::this_thread::yield();
  };
  for (const bool hasty : {false, true, false, true, true}) queue(hasty);
  token = controller_.Stop();
  on_sleep_ = [&] {
    if (incomplete.load() == 3) token.Reset();
  };
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(incomplete.load(), 3);
  EXPECT_EQ(written.load(), 2);
}

// --------------------------------------------------------------------- pacing

TEST_F(StallTest, APacedWriterWaitsBeforeItQueuesAndIsCounted) {
  pacer_.SetRate(1000 * 1000, clock_.NowMicros());
  uint64_t steps = 0;
  on_sleep_ = [&] {
    EXPECT_EQ(pipeline_.pipeline.NumQueuedForTest(), 0u);
    EXPECT_GT(pacer_.waiting_bytes(), 0u);
    ++steps;
  };
  ASSERT_TRUE(pipeline_.Put("a", std::string(100000, 'v')).ok());
  EXPECT_EQ(steps, 0u);  // Nothing was owed.
  const uint64_t start_micros = clock_.NowMicros();
  ASSERT_TRUE(pipeline_.Put("b", "v").ok());
  // 100 kB at 1 MB/s, less the tolerance.
  const uint64_t waited = clock_.NowMicros() - start_micros;
  EXPECT_NEAR(static_cast<double>(waited), 99500, 100);
  EXPECT_EQ(pipeline_.pipeline.counters().stall_micros.load(), waited);
}

TEST_F(StallTest, APacedWriterFollowsTheRateWithinAStep) {
  pacer_.SetRate(1000, clock_.NowMicros());
  ASSERT_TRUE(pipeline_.Put("a", std::string(100000, 'v')).ok());
  for (const uint64_t new_rate : {100 * 1000 * 1000, 0}) {
    uint64_t steps = 0, risen_micros = 0;
    on_sleep_ = [&] {
      if (++steps != 5) return;
      risen_micros = clock_.NowMicros();
      pacer_.SetRate(new_rate, risen_micros);
    };
    ASSERT_TRUE(pipeline_.Put("b", "v").ok());
    EXPECT_GE(steps, 5u);
    EXPECT_LE(clock_.NowMicros() - risen_micros, 2000u);
    on_sleep_ = nullptr;
    pacer_.SetRate(1000, clock_.NowMicros());
    ASSERT_TRUE(pipeline_.Put("c", std::string(100000, 'v')).ok());
  }
}

TEST_F(StallTest, PacingRefusesTheHastyAndLetsShutdownThrough) {
  pacer_.SetRate(1000, clock_.NowMicros());
  WriteOptions hasty;
  hasty.no_slowdown = true;
  ASSERT_TRUE(pipeline_.Put("a", std::string(100000, 'v'), hasty).ok());
  EXPECT_EQ(pipeline_.Put("b", "v", hasty).ToString(),
            Status::Incomplete("Write stall").ToString());
  EXPECT_EQ(pipeline_.pipeline.counters().stall_micros.load(), 0u);
  host_.interrupt = [asked = 0]() mutable {
    return ++asked < 4 ? Status() : Status::ShutdownInProgress();
  };
  EXPECT_TRUE(pipeline_.Put("c", "v").IsShutdownInProgress());
  EXPECT_EQ(pipeline_.pipeline.counters().stall_micros.load(),
            3 * WritePacer::kStepMicros);
  EXPECT_EQ(host_.Newest("b") + host_.Newest("c"), "nonenone");
}

TEST_F(StallTest, WhatWaitsBehindAStoppedLeaderIsKnown) {
  auto token = controller_.Stop();
  std::atomic<uint64_t> most{0};
  on_sleep_ = [&] {
    most = std::max(most.load(), pacer_.waiting_bytes());
    if (most.load() >= 3000) token.Reset();
    std::this_thread::yield();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back(
        [&] { ASSERT_TRUE(pipeline_.Put("k", std::string(1000, 'v')).ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NEAR(static_cast<double>(most.load()), 3050, 50);
  EXPECT_EQ(pacer_.waiting_bytes(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
