// A write buffer manager with allow_stall: writers of all databases that share
// it wait while a flush can free memory, and never longer.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/write_buffer_manager.h"
#include "test/support/bounded.h"
#include "test/support/hooked_fs.h"
#include "test/support/text_log.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::Bounded;

constexpr size_t kLimit = 1 << 20;
constexpr int kValueBytes = 4000;

class Conditions final : public EventListener {
 public:
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    std::lock_guard lock(mu_);
    if (info.condition.cur == WriteStallCondition::kStopped) ++stops_;
    if (info.condition.prev == WriteStallCondition::kStopped) --stops_;
    if (info.condition.cur == WriteStallCondition::kStopped) ++begun_;
  }
  int open() const {
    std::lock_guard lock(mu_);
    return stops_;
  }
  int begun() const {
    std::lock_guard lock(mu_);
    return begun_;
  }

 private:
  mutable std::mutex mu_;
  int stops_ = 0;
  int begun_ = 0;
};

class BufferStallTest : public ::testing::Test {
 protected:
  struct Database {
    std::unique_ptr<DB> db;
    std::shared_ptr<test::TextLog> log = std::make_shared<test::TextLog>();
    std::shared_ptr<Conditions> conditions = std::make_shared<Conditions>();
  };

  BufferStallTest()
      : mem_(NewMemEnv(Env::Default())),
        fs_(std::make_shared<test::HookedFileSystem>(
            mem_->GetFileSystem(),
            [this](const test::FileOp& op) { return OnCall(op); })),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    // A flush that is held keeps its thread.
    env_->SetBackgroundThreads(4, Env::HIGH);
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.write_buffer_size = 64 << 20;
    options_.arena_block_size = 16 << 10;
    options_.max_write_buffer_number = 100;
    options_.disable_auto_compactions = true;  // Files of level 0 are counted.
    options_.write_buffer_manager =
        std::make_shared<WriteBufferManager>(kLimit, nullptr, true);
  }
  ~BufferStallTest() override {
    HoldTables("");
    FailTables("");
  }

  WriteBufferManager& manager() { return *options_.write_buffer_manager; }
  void Open(const std::string& path, Database* database) {
    Options options = options_;
    options.info_log = database->log;
    options.listeners = {database->conditions};
    const Status status = DB::Open(options, path, &database->db);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  // Table files of the database at `path` are not made, until another call.
  void HoldTables(const std::string& path) {
    std::lock_guard lock(mu_);
    held_ = path;
    changed_.notify_all();
  }
  void FailTables(const std::string& path) {
    std::lock_guard lock(mu_);
    failing_ = path;
  }
  IOStatus OnCall(const test::FileOp& op) {
    if (op.kind != test::OpKind::kCreate) return IOStatus::OK();
    if (op.path.find(".sst") == std::string::npos) return IOStatus::OK();
    std::unique_lock lock(mu_);
    const auto is_in = [&op](const std::string& path) {
      return !path.empty() && op.path.rfind(path + "/", 0) == 0;
    };
    changed_.wait(lock, [&] { return !is_in(held_); });
    return is_in(failing_) ? IOStatus::IOError("injected") : IOStatus::OK();
  }

  static Status Write(DB* db, size_t bytes, int from = 0) {
    const int count = static_cast<int>(bytes) / kValueBytes;
    for (int i = from; i < from + count; ++i) {
      const Status status = db->Put(WriteOptions(), std::to_string(i),
                                    std::string(kValueBytes, 'v'));
      if (!status.ok()) return status;
    }
    return Status::OK();
  }
  static Status WriteBounded(DB* db, size_t bytes, int from = 0) {
    return Bounded("Put", [&] { return Write(db, bytes, from); });
  }
  static uint64_t Number(DB* db, const std::string& property) {
    std::string text;
    EXPECT_TRUE(db->GetProperty(property, &text)) << property;
    return std::stoull(text);
  }
  static uint64_t Files(DB* db) {
    return Number(db, "rocksdb.num-files-at-level0");
  }
  static uint64_t Stops(DB* db) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db->GetMapProperty("rocksdb.db-write-stall-stats", &map));
    return std::stoull(map["write-buffer-manager-limit-stops"]);
  }
  static bool Await(const std::function<bool()>& done) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }

  // A writer that is stopped because the flush of its database is held.
  void StopAWriter(Database* database, std::thread* writer, Status* status,
                   std::atomic<bool>* ended) {
    Open("/a", database);
    HoldTables("/a");
    DB* const db = database->db.get();
    *writer = std::thread([=] {
      *status = Write(db, 2 * kLimit);
      *ended = true;
    });
    ASSERT_TRUE(
        Await([&] { return Number(db, "rocksdb.is-write-stopped") == 1; }));
  }

  std::mutex mu_;
  std::condition_variable changed_;
  std::string held_;
  std::string failing_;
  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::HookedFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
};

TEST_F(BufferStallTest, WritersWaitUntilAFlushFreesMemory) {
  Database a;
  std::thread writer;
  Status status;
  std::atomic<bool> ended{false};
  StopAWriter(&a, &writer, &status, &ended);
  std::string text;
  EXPECT_TRUE(a.db->GetProperty("rocksdb.write-limit", &text));
  EXPECT_NE(std::string::npos, text.find("write buffer manager")) << text;
  EXPECT_TRUE(a.db->GetProperty("rocksdb.write-stall-cause", &text));
  EXPECT_EQ("write-buffer-manager-limit", text);
  WriteOptions hasty;
  hasty.no_slowdown = true;
  EXPECT_TRUE(a.db->Put(hasty, "key", "value").IsIncomplete());
  EXPECT_FALSE(ended);
  EXPECT_GE(manager().memory_usage(), kLimit);
  EXPECT_LT(manager().memory_usage(), kLimit + kLimit / 4);
  HoldTables("");
  Bounded("a stopped writer", [&] {
    writer.join();
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_GE(Stops(a.db.get()), 1u);
  ASSERT_TRUE(Await([&] { return a.conditions->open() == 0; }));
  EXPECT_EQ(a.conditions->begun(), static_cast<int>(Stops(a.db.get())));
  EXPECT_EQ(a.log->Count("Stopping writes because memtables of all"),
            a.conditions->begun());
  EXPECT_EQ(a.log->Count("Writes no longer wait for the write buffer manager"),
            a.conditions->begun());
  for (const char* event : {"stall_begin", "stall_end"}) {
    EXPECT_EQ(a.log->Count("\"event\": \"" + std::string(event) + "\""),
              a.conditions->begun())
        << event;
  }
  EXPECT_EQ(a.log->Count(R"("cause": "write-buffer-manager-limit")"),
            2 * a.conditions->begun());
  EXPECT_GT(Files(a.db.get()), 0u);
}

TEST_F(BufferStallTest, WithoutAllowStallNoWriterWaits) {
  manager().SetAllowStall(false);
  Database a;
  Open("/a", &a);
  HoldTables("/a");
  EXPECT_TRUE(WriteBounded(a.db.get(), kLimit + kLimit / 2).ok());
  EXPECT_EQ(Stops(a.db.get()), 0u);
  HoldTables("");
}

TEST_F(BufferStallTest, AnIdleDatabaseThatHoldsTheMemoryIsFlushed) {
  Database idle;
  Database busy;
  Open("/idle", &idle);
  Open("/busy", &busy);
  ASSERT_TRUE(Write(idle.db.get(), kLimit / 4 * 3).ok());
  EXPECT_EQ(Files(idle.db.get()), 0u);
  EXPECT_TRUE(WriteBounded(busy.db.get(), kLimit / 5).ok());
  EXPECT_TRUE(Await([&] { return Files(idle.db.get()) == 1; }));
  EXPECT_EQ(Files(busy.db.get()), 0u);
}

// Also where the idle one's sealed memtables wait for a better merge.
TEST_F(BufferStallTest, MemTablesThatWaitForOthersAreFlushed) {
  options_.min_write_buffer_number_to_merge = 3;
  options_.write_buffer_size = kLimit / 3;
  Database idle;
  Database busy;
  Open("/idle", &idle);
  Open("/busy", &busy);
  ASSERT_TRUE(Write(idle.db.get(), kLimit / 5 * 4).ok());
  ASSERT_EQ(Files(idle.db.get()), 0u);
  EXPECT_TRUE(WriteBounded(busy.db.get(), kLimit).ok());
  EXPECT_TRUE(Await([&] { return Files(idle.db.get()) >= 1; }));
}

TEST_F(BufferStallTest, TwoStoppedDatabasesWaitForEachOther) {
  Database a;
  Database b;
  Open("/a", &a);
  Open("/b", &b);
  std::vector<std::thread> writers;
  std::atomic<int> failures{0};
  for (DB* db : {a.db.get(), b.db.get()}) {
    for (int i = 0; i < 2; ++i) {
      writers.emplace_back([db, i, &failures] {
        if (!Write(db, 4 * kLimit, i * 10000).ok()) ++failures;
      });
    }
  }
  Bounded("Put", [&] {
    for (std::thread& writer : writers) writer.join();
    return true;
  });
  EXPECT_EQ(failures, 0);
  EXPECT_GE(Files(a.db.get()), 1u);
  EXPECT_GE(Files(b.db.get()), 1u);
}

// Its memory comes back only when its error has gone.
// buffer_stall.h (1).
TEST_F(BufferStallTest, ADatabaseThatCannotFlushStopsNoOther) {
  Database failing;
  Database other;
  Open("/failing", &failing);
  Open("/other", &other);
  FailTables("/failing");
  ASSERT_TRUE(Write(failing.db.get(), kLimit / 4 * 3).ok());
  FlushOptions flush;
  EXPECT_FALSE(failing.db->Flush(flush).ok());
  EXPECT_TRUE(WriteBounded(other.db.get(), 4 * kLimit).ok());
  EXPECT_GE(Files(other.db.get()), 1u);
  // Its own writers get the error.
  WriteOptions hasty;
  hasty.no_slowdown = true;
  EXPECT_FALSE(
      Bounded("Put", [&] { return failing.db->Put(hasty, "k", "v"); }).ok());
}

// buffer_stall.h (1).
TEST_F(BufferStallTest, MemoryThatAReaderPinsStopsNoWriter) {
  Database a;
  Open("/a", &a);
  ASSERT_TRUE(Write(a.db.get(), kLimit / 5 * 4).ok());
  std::unique_ptr<Iterator> reader(a.db->NewIterator(ReadOptions()));
  ASSERT_TRUE(a.db->Flush(FlushOptions()).ok());
  EXPECT_TRUE(WriteBounded(a.db.get(), 4 * kLimit, 10000).ok());
  // What is written meanwhile is still flushed, in tables worth having.
  EXPECT_GE(Files(a.db.get()) + 1, 2u);
  EXPECT_LE(Files(a.db.get()), 40u);
}

TEST_F(BufferStallTest, CloseEndsTheWait) {
  Database a;
  std::thread writer;
  Status status;
  std::atomic<bool> ended{false};
  StopAWriter(&a, &writer, &status, &ended);
  std::thread closer([&a] { (void)a.db->Close(); });
  // Before the flush can free anything.
  EXPECT_TRUE(Await([&] { return ended.load(); }));
  HoldTables("");
  closer.join();
  writer.join();
  EXPECT_TRUE(status.IsShutdownInProgress()) << status.ToString();
  a.db.reset();
  EXPECT_EQ(manager().memory_usage(), 0u);
}

TEST_F(BufferStallTest, ClosingTheDatabaseThatHoldsTheMemoryFreesTheOthers) {
  Database holder;
  Database other;
  std::thread writer;
  Status status;
  std::atomic<bool> ended{false};
  Open("/other", &other);
  StopAWriter(&holder, &writer, &status, &ended);
  std::thread closer([&holder] { (void)holder.db->Close(); });
  EXPECT_TRUE(Await([&] { return ended.load(); }));
  EXPECT_TRUE(WriteBounded(other.db.get(), kLimit).ok());
  HoldTables("");
  closer.join();
  writer.join();
}

TEST_F(BufferStallTest, ALimitThatIsLiftedEndsTheWait) {
  for (const bool lift : {false, true}) {
    manager().SetBufferSize(kLimit);
    manager().SetAllowStall(true);
    Database a;
    std::thread writer;
    Status status;
    std::atomic<bool> ended{false};
    StopAWriter(&a, &writer, &status, &ended);
    if (lift) {
      manager().SetAllowStall(false);
    } else {
      manager().SetBufferSize(8 * kLimit);
    }
    EXPECT_TRUE(Await([&] { return ended.load(); }));
    HoldTables("");
    writer.join();
    EXPECT_TRUE(status.ok()) << status.ToString();
    a.db.reset();
    ASSERT_TRUE(DestroyDB("/a", options_).ok());
  }
}

TEST_F(BufferStallTest, AnEndWithoutAWriterIsNoticed) {
  Database a;
  Open("/a", &a);
  HoldTables("/a");
  WriteOptions hasty;
  hasty.no_slowdown = true;
  Status status;
  for (int i = 0; status.ok() && i < 1000; ++i) {
    status = a.db->Put(hasty, std::to_string(i), std::string(kValueBytes, 'v'));
  }
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(Number(a.db.get(), "rocksdb.is-write-stopped"), 1u);
  HoldTables("");
  EXPECT_TRUE(Await(
      [&] { return Number(a.db.get(), "rocksdb.is-write-stopped") == 0; }));
  EXPECT_TRUE(Await([&] { return a.conditions->open() == 0; }));
}

TEST_F(BufferStallTest, RecoveryObeysTheLimitIfAsked) {
  manager().SetBufferSize(64 * kLimit);
  for (const bool enforce : {false, true}) {
    Database a;
    Open("/a", &a);
    ASSERT_TRUE(Write(a.db.get(), 2 * kLimit).ok());
    a.db.reset();
    options_.write_buffer_manager =
        std::make_shared<WriteBufferManager>(kLimit / 2);
    options_.enforce_write_buffer_manager_during_recovery = enforce;
    Open("/a", &a);
    if (enforce) {
      EXPECT_GE(Files(a.db.get()), 4u);
    } else {
      EXPECT_EQ(Files(a.db.get()), 1u);
    }
    a.db.reset();
    ASSERT_TRUE(DestroyDB("/a", options_).ok());
    options_.write_buffer_manager =
        std::make_shared<WriteBufferManager>(64 * kLimit);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
