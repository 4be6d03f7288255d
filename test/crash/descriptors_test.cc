// A process without file descriptors: calls say so, nothing is lost, and the
// database goes on when there are some again.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// No more than `left` files can be opened while this exists.
class NoDescriptors {
 public:
  explicit NoDescriptors(int left = 0) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    // Below every free number: what is open stays open.
    const int lowest_free = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(lowest_free);
    none.rlim_cur = static_cast<rlim_t>(lowest_free + left);
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
};

class Descriptors : public ::testing::Test {
 protected:
  Descriptors() {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.max_bgerror_resume_count = 0;
    options_.max_open_files = 10;
  }

  static std::string Key(int i) { return "k" + std::to_string(1000 + i); }
  void Open() { test::Ok(DB::Open(options_, dir_.File("db"), &db_)); }
  // The first `n` keys are there; later ones may be.
  void Check(int n) {
    for (int i = 0; i < n; ++i) {
      std::string value;
      test::Ok(db_->Get(ReadOptions(), Key(i), &value));
      EXPECT_EQ(value_, value) << i;
    }
  }
  // Returns how many writes in a row were acknowledged.
  int Write(int from, int to) {
    for (int i = from; i < to; ++i) {
      if (!db_->Put(WriteOptions(), Key(i), value_).ok()) return i;
    }
    return to;
  }
  // Whatever needs a descriptor; only that nothing ends the process.
  void TryEverything() {
    EXPECT_FALSE(db_->Flush(FlushOptions()).ok());
    db_->CompactRange(CompactRangeOptions(), nullptr, nullptr)
        .PermitUncheckedError();
    Checkpoint* checkpoint = nullptr;
    test::Ok(Checkpoint::Create(db_.get(), &checkpoint));
    EXPECT_FALSE(checkpoint->CreateCheckpoint(dir_.File("copy")).ok());
    delete checkpoint;
    std::unique_ptr<DB> second;
    EXPECT_FALSE(DB::Open(options_, dir_.File("second"), &second).ok());
    EXPECT_FALSE(DB::OpenForReadOnly(options_, dir_.File("db"), &second).ok());
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    std::string value;
    db_->Get(ReadOptions(), Key(0), &value).PermitUncheckedError();
  }

  const test::TempDir dir_;
  const std::string value_ = std::string(1000, 'v');
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(Descriptors, ThatAreBackLetTheDatabaseGoOn) {
  Open();
  int written = Write(0, 200);
  ASSERT_EQ(200, written);
  test::Ok(db_->Flush(FlushOptions()));
  {
    const NoDescriptors none;
    written = Write(200, 400);
    TryEverything();
    EXPECT_FALSE(db_->Put(WriteOptions(), "refused", "").ok());
  }
  Check(written);
  test::Ok(db_->Resume());
  ASSERT_EQ(500, Write(400, 500));
  test::Ok(db_->Flush(FlushOptions()));
  Check(written);
  test::Ok(db_->Close());
  Open();
  Check(written);
  test::Ok(db_->Close());
}

TEST_F(Descriptors, ThatAreBackLetTheDatabaseGoOnByItself) {
  options_.max_bgerror_resume_count = 1000000;
  options_.bgerror_resume_retry_interval = 1000;
  Open();
  int written = 0;
  {
    const NoDescriptors none;
    written = Write(0, 400);
    EXPECT_FALSE(db_->Flush(FlushOptions()).ok());
  }
  Status status;
  for (int tries = 0; tries < 6000; ++tries) {
    status = db_->Put(WriteOptions(), Key(400), value_);
    if (status.ok()) break;
    ::usleep(10000);
  }
  test::Ok(status);
  test::Ok(db_->Flush(FlushOptions()));
  Check(written);
  test::Ok(db_->Close());
}

TEST_F(Descriptors, ThatLackAtOpenAreAStatus) {
  Open();
  ASSERT_EQ(100, Write(0, 100));
  test::Ok(db_->Close());
  db_.reset();
  {
    const NoDescriptors none;
    EXPECT_FALSE(DB::Open(options_, dir_.File("db"), &db_).ok());
  }
  Open();
  Check(100);
  test::Ok(db_->Close());
}

// The descriptors end while tables are opened: no sign of a process that
// writes.
TEST_F(Descriptors, ThatEndWhileReadOnlyOpensAreTheStatus) {
  options_.max_open_files = -1;
  Open();
  ASSERT_EQ(400, Write(0, 400));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->Close());
  db_.reset();
  {
    const NoDescriptors few(/*left=*/3);
    const Status status = DB::OpenForReadOnly(options_, dir_.File("db"), &db_);
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
  }
  test::Ok(DB::OpenForReadOnly(options_, dir_.File("db"), &db_));
  Check(400);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
