// What transactions hang into a commit: when hooks are called, and what follows
// from what they answer.

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "test/db/write/commit_owner.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

struct Hooks : CommitHooks {
  Status CommitCheck(SequenceNumber last) override {
    seen_last = last;
    if (check_without_memory) throw std::bad_alloc();
    return check;
  }
  bool ChecksCommits() const override { return true; }
  Status PrePublish(SequenceNumber last) override {
    seen_to_publish = last;
    if (publish_without_memory) throw std::bad_alloc();
    return {};
  }
  bool check_without_memory = false;
  bool publish_without_memory = false;
  Status check;
  std::atomic<SequenceNumber> seen_last{0};
  SequenceNumber seen_to_publish = 0;
};

TEST(CommitHooks, AreCalledAroundTheCommit) {
  TestHost host;
  Pipeline pipeline(&host);
  ASSERT_TRUE(pipeline.Put("a", "v").ok());
  Hooks passes;
  ASSERT_TRUE(pipeline.Put("b", "v", {}, &passes).ok());
  EXPECT_EQ(passes.seen_last, 1u);
  EXPECT_EQ(passes.seen_to_publish, 2u);
  Hooks fails;
  fails.check = Status::Busy("conflict");
  EXPECT_TRUE(pipeline.Put("c", "v", {}, &fails).IsBusy());
  EXPECT_EQ(fails.seen_to_publish, 0u);
  EXPECT_EQ(host.Newest("c"), "none");
  EXPECT_EQ(host.log.size(), 2u);
  ASSERT_TRUE(pipeline.Put("d", "v").ok());
  EXPECT_EQ(host.Newest("d"), "v@3");
}

struct Heard : CommitHooks {
  void Queued() override { queued = true; }
  void Logged() override { logged = true; }
  std::atomic<bool> queued{false};
  std::atomic<bool> logged{false};
};

TEST(CommitHooks, HearOfTheirPlaceWhileAnotherWriterLeads) {
  TestHost host;
  Gate gate;
  host.append_to_wal = [&gate](const TestHost::Record&) {
    gate.Hold();
    return Status();
  };
  Pipeline pipeline(&host);
  std::thread first([&] { EXPECT_TRUE(pipeline.Put("a", "v").ok()); });
  gate.AwaitHeld();
  Heard heard;
  std::thread second(
      [&] { EXPECT_TRUE(pipeline.Put("b", "v", {}, &heard).ok()); });
  while (!heard.queued) std::this_thread::yield();
  EXPECT_FALSE(heard.logged);
  gate.Open();
  first.join();
  second.join();
  EXPECT_TRUE(heard.logged);
  EXPECT_EQ(host.Newest("b"), "v@2");
}

TEST(CommitHooks, FailTheirWriterAloneWithoutMemory) {
  TestHost host;
  Pipeline pipeline(&host);
  Hooks checks;
  checks.check_without_memory = true;
  EXPECT_TRUE(pipeline.Put("a", "v", {}, &checks).IsMemoryLimit());
  EXPECT_EQ(host.log.size(), 0u);
  Hooks publishes;
  publishes.publish_without_memory = true;
  EXPECT_TRUE(pipeline.Put("b", "v", {}, &publishes).IsMemoryLimit());
  EXPECT_EQ(host.log.size(), 1u);
  ASSERT_TRUE(pipeline.Put("c", "v").ok());
  EXPECT_EQ(host.Newest("c"), "v@2");
}

TEST(CommitHooks, ACheckSeesAllThatWasCommittedBeforeItsGroup) {
  TestHost host;
  Pipeline pipeline(&host);
  Gate gate;  // The first batch is inserted, but not visible yet.
  host.publish = [&gate](SequenceNumber) { gate.Hold(); };
  std::thread first([&] { ASSERT_TRUE(pipeline.Put("a", "v").ok()); });
  Hooks hooks;
  gate.AwaitHeld();
  std::thread second([&] { (void)pipeline.Put("b", "v", {}, &hooks); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(hooks.seen_last, 0u);
  gate.Open();
  second.join();
  first.join();
  EXPECT_EQ(hooks.seen_last, 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
