// What happens when the machine refuses memory: see "No memory" in
// docs/limits.md. One large request after another fails.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "db/transaction/locks/point_locks.h"
#include "env/io_gate.h"
#include "env/io_scheduler.h"
#include "rocksdb/c.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

// Inlined, the pairs below look to the compiler like new with free.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace {

// Which requests count, and which of them fails.
enum class Whose : uint8_t { kNone, kThisThread, kAllThreads };
std::atomic<Whose> g_whose{Whose::kNone};
std::atomic<std::thread::id> g_armed_by;
std::atomic<size_t> g_bytes_min{0};
std::atomic<int> g_left{0};  // Requests before the one that fails.
std::atomic<bool> g_failed{false};

bool Refused(size_t size) {
  const Whose whose = g_whose.load();
  if (whose == Whose::kNone || size < g_bytes_min.load()) return false;
  const bool own = std::this_thread::get_id() == g_armed_by.load();
  if (whose == Whose::kThisThread && !own) return false;
  if (g_left.fetch_sub(1) != 0) return false;
  g_failed = true;
  return true;
}

void* TakeMemory(size_t size, size_t alignment) {
  if (Refused(size)) return nullptr;
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}
void* TakeMemoryOrThrow(size_t size, size_t alignment) {
  void* const taken = TakeMemory(size, alignment);
  if (taken == nullptr) throw std::bad_alloc();
  return taken;
}

}  // namespace

void* operator new(size_t size) { return TakeMemoryOrThrow(size, 0); }
void* operator new[](size_t size) { return TakeMemoryOrThrow(size, 0); }
void* operator new(size_t size, std::align_val_t alignment) {
  return TakeMemoryOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return TakeMemoryOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return TakeMemory(size, 0);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return TakeMemory(size, 0);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace ROCKSDB_NAMESPACE::test {
namespace {

// Blocks, buffers, parts of a memtable; not the texts of a LOG.
constexpr size_t kLargeBytes = 2048;
constexpr int kRunsMax = 500;

// From here to its end the n-th request of at least `bytes_min` bytes fails.
class Refusal {
 public:
  Refusal(Whose whose, size_t bytes_min, int n) {
    g_armed_by = std::this_thread::get_id();
    g_bytes_min = bytes_min;
    g_left = n;
    g_failed = false;
    g_whose = whose;
  }
  ~Refusal() { g_whose = Whose::kNone; }
  Refusal(const Refusal&) = delete;
  void operator=(const Refusal&) = delete;

  // Was there an n-th request?
  bool End() {
    g_whose = Whose::kNone;
    return g_failed;
  }
};

std::string Key(int i) { return "key" + std::to_string(1000 + i); }
std::string Value(int i) {
  return std::to_string(i) + std::string(700, static_cast<char>('a' + i % 26));
}

Options SmallOptions() {
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 1 << 20;
  options.arena_block_size = 4096;
  options.max_bgerror_resume_count = 0;  // The test says when.
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  return options;
}

class NoMemory : public testing::Test {
 protected:
  void Open() {
    db_.reset();
    Ok(DB::Open(SmallOptions(), dir_.path() + "/db", &db_));
  }
  void Begin() {
    db_.reset();
    Ok(DestroyDB(dir_.path() + "/db", SmallOptions()));
    expected_.clear();
    Open();
  }
  void Write(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Ok(db_->Put(WriteOptions(), Key(i), Value(i)));
      expected_[Key(i)] = Value(i);
    }
  }
  void CheckContent() {
    std::map<std::string, std::string> found;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      found[it->key().ToString()] = it->value().ToString();
    }
    Ok(it->status());
    ASSERT_EQ(expected_, found);
  }

  TempDir dir_;
  std::unique_ptr<DB> db_;
  std::map<std::string, std::string> expected_;
};

TEST_F(NoMemory, AFlushThatIsRefusedMemoryLosesNothingAndIsDoneLater) {
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    Begin();
    Write(0, 100);
    Refusal refusal(Whose::kAllThreads, kLargeBytes, n);
    const Status status = db_->Flush(FlushOptions());
    if (!refusal.End()) break;
    if (!status.ok()) {
      ++failures;
      ASSERT_TRUE(status.IsMemoryLimit()) << status.ToString();
    }
    Write(100, 110);
    Ok(db_->Resume());
    Ok(db_->Flush(FlushOptions()));
    CheckContent();
    Open();
    CheckContent();
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(failures, 5);
}

TEST_F(NoMemory, ACompactionThatIsRefusedMemoryLosesNothingAndIsDoneLater) {
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    Begin();
    Write(0, 60);
    Ok(db_->Flush(FlushOptions()));
    Write(30, 90);
    Ok(db_->Flush(FlushOptions()));
    Refusal refusal(Whose::kAllThreads, kLargeBytes, n);
    const Status status =
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
    if (!refusal.End()) break;
    if (!status.ok()) {
      ++failures;
      ASSERT_TRUE(status.IsMemoryLimit()) << status.ToString();
    }
    Ok(db_->Resume());
    Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
    CheckContent();
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(failures, 5);
}

// Whole or not at all, also when it is only known after the next opening.
TEST_F(NoMemory, AWriteThatIsRefusedMemorySaysSo) {
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    Begin();
    Write(0, 20);
    WriteBatch batch;
    for (int i = 20; i < 40; ++i) Ok(batch.Put(Key(i), Value(i)));
    Refusal refusal(Whose::kThisThread, kLargeBytes, n);
    const Status status = db_->Write(WriteOptions(), &batch);
    if (!refusal.End()) break;
    if (!status.ok()) {
      ++failures;
      ASSERT_TRUE(status.IsMemoryLimit()) << status.ToString();
      const Status next = db_->Put(WriteOptions(), Key(0), Value(0));
      EXPECT_FALSE(next.ok());
    }
    const Status resumed = db_->Resume();
    if (resumed.ok()) Write(50, 60);
    Open();
    std::string value;
    const bool there = db_->Get(ReadOptions(), Key(20), &value).ok();
    EXPECT_TRUE(there || !status.ok());
    for (int i = 20; i < 40 && there; ++i) expected_[Key(i)] = Value(i);
    CheckContent();
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(failures, 2);
}

TEST_F(NoMemory, ABatchTakesAllAttributeGroupsOrNone) {
  Begin();
  const std::string large(10000, 'v');
  WideColumns columns;
  columns.emplace_back("c", large);
  const AttributeGroups groups(
      3, AttributeGroup(db_->DefaultColumnFamily(), columns));
  const std::string key = Key(1);
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    WriteBatch batch;
    Ok(batch.Put(Key(0), Value(0)));
    const std::string before = batch.Data();
    Status status;
    bool threw = false;
    Refusal refusal(Whose::kThisThread, /*bytes_min=*/1, n);
    try {
      status = batch.PutEntity(key, groups);
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    if (!refusal.End()) break;
    if (!threw && status.ok()) continue;  // It could do without.
    ++failures;
    EXPECT_EQ(before, batch.Data());
    EXPECT_EQ(1u, batch.Count());
    EXPECT_FALSE(batch.HasPutEntity());
    EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  }
  EXPECT_GE(failures, 3);
}

TEST_F(NoMemory, AReadThatIsRefusedMemorySaysSoAndTheNextOneSucceeds) {
  Begin();
  Write(0, 100);
  Ok(db_->Flush(FlushOptions()));
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    Open();  // Tables are opened again, too.
    Refusal refusal(Whose::kThisThread, kLargeBytes, n);
    std::string value;
    const Status got = db_->Get(ReadOptions(), Key(30), &value);
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    std::map<std::string, std::string> found;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      found[it->key().ToString()] = it->value().ToString();
    }
    if (!refusal.End()) break;
    ++failures;
    EXPECT_TRUE(got.ok() || got.IsMemoryLimit()) << got.ToString();
    EXPECT_EQ(got.ok(), value == Value(30));
    EXPECT_TRUE(it->status().ok() || it->status().IsMemoryLimit());
    EXPECT_TRUE(!it->status().ok() || found == expected_);
    EXPECT_FALSE(got.ok() && it->status().ok());
    it->Seek(Key(40));
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    EXPECT_EQ(Value(40), it->value().ToString());
    CheckContent();
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(failures, 10);
}

// A lock that is refused memory is not taken, and not counted.
TEST(NoMemoryForLocks, AKeyThatWasNotLockedIsFree) {
  TransactionDBOptions options;
  options.max_num_locks = 2;
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    engine::PointLocks locks(options, {SystemClock::Default().get(),
                                       [](TransactionID) { return false; }});
    locks.AddFamily(0);
    engine::LockOwner first;
    first.id = 1;
    engine::LockOwner second;
    second.id = 2;
    second.timeout_micros = 1;
    second.detects_deadlocks = true;
    second.detection_depth = 10;
    const std::string shared = "a key that needs memory of its own";
    const std::string other = shared + "!";
    Ok(locks.Lock(&first, 0, shared, /*exclusive=*/false));
    Refusal refusal(Whose::kThisThread, 1, n);
    try {
      (void)locks.Lock(&second, 0, shared, /*exclusive=*/true);  // Waits.
      (void)locks.Lock(&second, 0, shared, /*exclusive=*/false);
      (void)locks.Lock(&second, 0, other, /*exclusive=*/true);
    } catch (const std::bad_alloc&) {
      ++failures;
    }
    const bool failed = refusal.End();
    locks.Unlock(1, 0, shared);
    locks.Unlock(2, 0, shared);
    locks.Unlock(2, 0, other);
    EXPECT_TRUE(locks.All().empty());
    EXPECT_TRUE(second.waiting.Get(nullptr, nullptr).empty());
    Ok(locks.Lock(&first, 0, "1", /*exclusive=*/true));
    Ok(locks.Lock(&second, 0, "2", /*exclusive=*/true));
    if (!failed || HasFatalFailure()) break;
  }
  EXPECT_GE(failures, 5);
}

// What is prepared is found again; what is not, may be.
TEST_F(NoMemory, APreparationThatIsRefusedMemorySaysSo) {
  const auto open = [this](TransactionDB** db) {
    Ok(TransactionDB::Open(SmallOptions(), TransactionDBOptions(),
                           dir_.path() + "/db", db));
  };
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    SCOPED_TRACE(n);
    Ok(DestroyDB(dir_.path() + "/db", SmallOptions()));
    TransactionDB* db = nullptr;
    open(&db);
    std::unique_ptr<Transaction> txn(db->BeginTransaction(WriteOptions()));
    Ok(txn->SetName("name"));
    Ok(txn->Put(Key(1), Value(1)));
    Status status;
    Refusal refusal(Whose::kThisThread, 1, n);
    try {
      status = txn->Prepare();
    } catch (const std::bad_alloc&) {
      status = Status::MemoryLimit();
    }
    const bool failed = refusal.End();
    failures += failed && !status.ok() ? 1 : 0;
    txn.reset();
    delete db;
    open(&db);
    txn.reset(db->GetTransactionByName("name"));
    EXPECT_TRUE(txn != nullptr || !status.ok());
    if (txn != nullptr) Ok(txn->Commit());
    std::string value;
    const Status found = db->Get(ReadOptions(), Key(1), &value);
    EXPECT_EQ(txn != nullptr, found.ok());
    txn.reset();
    delete db;
    if (!failed || HasFatalFailure()) break;
  }
  EXPECT_GE(failures, 5);
}

// Nothing is left of a request to the disk for whose place in the queue there
// is no memory, and the next one gets its turn.
TEST(NoMemoryForTheDisk, ARequestThatIsRefusedMemoryDoesNotWait) {
  IOSchedulerOptions options;
  options.profile =
      "disks:\n  - mountpoint: /\n    read_iops: 5000\n"
      "    read_bandwidth: 50MB\n    write_iops: 5000\n"
      "    write_bandwidth: 50MB\n    rate_factor: 1\n";
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    const auto scheduler = std::make_shared<engine::IoScheduler>(options);
    Ok(scheduler->Open(FileSystem::Default().get(), "/", nullptr));
    engine::IoGate gate(SystemClock::Default().get(), nullptr, scheduler);
    const engine::IoPass debt(&gate, engine::IoClass::kDebt);
    const auto write = [&] {
      const engine::IoGate::Turn turn(&debt, engine::IoKind::kWrite, 100'000,
                                      /*direct=*/true);
    };
    Refusal refusal(Whose::kThisThread, 1, n);
    bool thrown = false;
    try {
      for (int i = 0; i < 3; ++i) write();
    } catch (const std::bad_alloc&) {
      thrown = true;
      ++failures;
    }
    const bool refused = refusal.End();
    EXPECT_EQ(refused, thrown);
    EXPECT_EQ(gate.Snapshot().Total(engine::IoKind::kWrite).waiting, 0u);
    EXPECT_EQ(scheduler->view().waiting, 0u);
    write();
    if (!refused) break;
  }
  EXPECT_GE(failures, 1);
}

// rate_limiter.h (3).
TEST(NoMemoryForTheRateLimiter, ARequestThatIsRefusedMemoryIsNotWaitedFor) {
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    // 1,000 bytes per millisecond: each of the requests waits.
    const std::unique_ptr<RateLimiter> limiter(
        NewGenericRateLimiter(1'000'000, /*refill_period_us=*/1000));
    Refusal refusal(Whose::kThisThread, 1, n);
    bool thrown = false;
    try {
      for (int i = 0; i < 3; ++i) limiter->Request(1500, Env::IO_LOW, nullptr);
    } catch (const std::bad_alloc&) {
      thrown = true;
      ++failures;
    }
    const bool refused = refusal.End();
    EXPECT_EQ(refused, thrown);
    int64_t pending = 1;
    Ok(limiter->GetTotalPendingRequests(&pending, Env::IO_TOTAL));
    EXPECT_EQ(pending, 0);
    limiter->Request(1500, Env::IO_LOW, nullptr);
    if (!refused) break;
  }
  EXPECT_GE(failures, 2);
}

// Any request, however small.
TEST(NoMemoryInC, IsAnErrorTextAndNoException) {
  TempDir dir;
  const std::string path = dir.path() + "/db";
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  char* error = nullptr;
  rocksdb_t* db = rocksdb_open(options, path.c_str(), &error);
  ASSERT_EQ(nullptr, error);
  rocksdb_writeoptions_t* const writes = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* const reads = rocksdb_readoptions_create();
  int failures = 0;
  for (int n = 0; n < kRunsMax; ++n) {
    const std::string value(4000, 'v');
    Refusal refusal(Whose::kThisThread, 1, n);
    size_t size = 0;
    rocksdb_put(db, writes, "k", 1, value.data(), value.size(), &error);
    bool failed = error != nullptr;
    rocksdb_free(error);
    error = nullptr;
    rocksdb_free(rocksdb_get(db, reads, "k", 1, &size, &error));
    const bool refused = refusal.End();
    EXPECT_TRUE(failed || error != nullptr || size == value.size());
    failed |= error != nullptr;
    rocksdb_free(error);
    error = nullptr;
    failures += failed ? 1 : 0;
    if (failed) {
      rocksdb_close(db);
      db = rocksdb_open(options, path.c_str(), &error);
      ASSERT_EQ(nullptr, error);
    }
    if (!refused) break;
  }
  rocksdb_close(db);
  rocksdb_readoptions_destroy(reads);
  rocksdb_writeoptions_destroy(writes);
  rocksdb_options_destroy(options);
  EXPECT_GE(failures, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
