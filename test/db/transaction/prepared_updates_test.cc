// GetUpdatesSince where transactions are prepared: a section takes no sequence,
// its commit takes those of all its records.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/db_impl/update_iterator.h"
#include "db/format/file_names.h"
#include "db/wal/log_writer.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"
#include "test/db/recovery/logged_batch.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::Batch;

// "begin put b end(x) " of a batch.
class MarkReader final : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t, const Slice& key, const Slice&) override {
    return Note("put " + key.ToString());
  }
  Status MarkBeginPrepare(bool) override { return Note("begin"); }
  Status MarkEndPrepare(const Slice& name) override {
    return Note("end(" + name.ToString() + ")");
  }
  Status MarkCommit(const Slice& name) override {
    return Note("commit(" + name.ToString() + ")");
  }
  Status MarkRollback(const Slice& name) override {
    return Note("rollback(" + name.ToString() + ")");
  }
  Status MarkNoop(bool) override { return Status::OK(); }

  std::string text;

 private:
  Status Note(const std::string& mark) {
    text += " " + mark;
    return Status::OK();
  }
};

std::string Shown(TransactionLogIterator* updates) {
  const BatchResult batch = updates->GetBatch();
  MarkReader reader;
  test::Ok(batch.writeBatchPtr->Iterate(&reader));
  return std::to_string(batch.sequence) + ":" + reader.text + ", ";
}

// What is left; the status must be OK at the end.
std::string Rest(TransactionLogIterator* updates) {
  std::string text;
  for (; updates->Valid(); updates->Next()) text += Shown(updates);
  EXPECT_TRUE(updates->status().ok()) << updates->status().ToString();
  return text;
}

class PreparedUpdates : public testing::Test {
 protected:
  PreparedUpdates() {
    Options options;
    options.create_if_missing = true;
    TransactionDB* db = nullptr;
    test::Ok(
        TransactionDB::Open(options, TransactionDBOptions(), dir_.path(), &db));
    db_.reset(db);
    test::Ok(db_->DisableFileDeletions());
  }
  void Put(const std::string& key) {
    test::Ok(db_->Put(WriteOptions(), key, "v"));
  }
  std::unique_ptr<Transaction> Prepared(const std::string& name,
                                        const std::vector<std::string>& keys) {
    std::unique_ptr<Transaction> txn(db_->BeginTransaction(WriteOptions()));
    test::Ok(txn->SetName(name));
    for (const std::string& key : keys) test::Ok(txn->Put(key, "v"));
    test::Ok(txn->Prepare());
    return txn;
  }
  std::unique_ptr<TransactionLogIterator> Since(SequenceNumber sequence) {
    std::unique_ptr<TransactionLogIterator> updates;
    test::Ok(db_->GetUpdatesSince(sequence, &updates));
    return updates;
  }

  test::TempDir dir_;
  std::unique_ptr<TransactionDB> db_;
};

TEST_F(PreparedUpdates, AreShownAsTheyWereLogged) {
  Put("a");
  const auto commits = Prepared("x", {"b", "c"});
  Put("d");
  const auto rolls_back = Prepared("y", {"q"});
  test::Ok(commits->Commit());
  Put("e");
  test::Ok(rolls_back->Rollback());
  Put("f");
  const std::string behind_d = "3: begin put q end(y), 3: commit(x), ";
  const std::string behind_x = "5: put e, 6: rollback(y), 6: put f, ";
  const std::string from_x = "2: begin put b put c end(x), 2: put d, ";
  EXPECT_EQ("1: put a, " + from_x + behind_d + behind_x, Rest(Since(1).get()));
  EXPECT_EQ(from_x + behind_d + behind_x, Rest(Since(2).get()));
  EXPECT_EQ(behind_d + behind_x, Rest(Since(3).get()));
  EXPECT_EQ("3: commit(x), " + behind_x, Rest(Since(4).get()));
  EXPECT_EQ(behind_x, Rest(Since(5).get()));
  EXPECT_EQ("6: rollback(y), 6: put f, ", Rest(Since(6).get()));
}

TEST_F(PreparedUpdates, AreFollowedThroughLogs) {
  Put("a");
  const auto updates = Since(1);
  EXPECT_EQ("1: put a, ", Rest(updates.get()));
  const auto txn = Prepared("x", {"b", "c"});
  test::Ok(db_->Flush(FlushOptions()));
  Put("d");
  updates->Next();
  EXPECT_EQ("2: begin put b put c end(x), 2: put d, ", Rest(updates.get()));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(txn->Commit());
  Put("e");
  updates->Next();
  EXPECT_EQ("3: commit(x), 5: put e, ", Rest(updates.get()));
  // The section is at the end of a log, the next sequence in another.
  EXPECT_EQ("2: begin put b put c end(x), 2: put d, 3: commit(x), 5: put e, ",
            Rest(Since(2).get()));
}

// Logs without a database.
class LoggedUpdates : public testing::Test {
 protected:
  LoggedUpdates() {
    test::Ok(fs_->CreateDir("/db", IOOptions(), nullptr));
    deps_.fs = fs_.get();
    deps_.wal_dir = "/db";
    deps_.logs = [] { return std::vector<uint64_t>{1}; };
    deps_.last_published = [this] { return last_published_; };
  }
  void WriteLog(const std::vector<Batch>& batches) {
    auto file = engine::WritableFileWriter::Create(
        fs_.get(), engine::LogFileName("/db", 1), FileOptions());
    test::Ok(file.status());
    engine::wal::Writer writer(std::move(*file), 1, /*recycle=*/false);
    for (const Batch& batch : batches) test::Ok(writer.AddRecord(batch.Text()));
    test::Ok(writer.Close());
  }

  const std::shared_ptr<engine::MemFileSystem> fs_ =
      std::make_shared<engine::MemFileSystem>();
  engine::UpdateIterator::Deps deps_;
  SequenceNumber last_published_ = 0;
};

TEST_F(LoggedUpdates, ACommitWithoutItsSectionMayTakeAnyNumber) {
  WriteLog({Batch(9).Put("a", ""), Batch(10).Commit("x"),
            Batch(15).Begin().Put("q", "").End("y"), Batch(15).Put("b", ""),
            Batch(17).Put("c", "")});
  last_published_ = 14;
  engine::UpdateIterator updates(deps_);
  test::Ok(updates.SeekTo(9));
  EXPECT_EQ("9: put a, 10: commit(x), ", Rest(&updates));
  updates.Next();
  EXPECT_FALSE(updates.Valid());
  last_published_ = 17;
  updates.Next();
  EXPECT_EQ("15: begin put q end(y), ", Shown(&updates));
  updates.Next();
  EXPECT_EQ("15: put b, ", Shown(&updates));
  updates.Next();
  EXPECT_TRUE(updates.status().IsNotFound()) << "16 is missing";
}

TEST_F(LoggedUpdates, SequencesOfBatchesAreKnownByTheFirstSection) {
  using test::kPersisted;
  WriteLog({Batch(5).Put("a", ""),
            Batch(6).Begin(kPersisted).Put("b", "").Put("c", "").End("x"),
            Batch(7).Commit("x"), Batch(8).Put("d", "").Put("e", ""),
            Batch(9).Put("f", "")});
  last_published_ = 9;
  engine::UpdateIterator updates(deps_);
  test::Ok(updates.SeekTo(5));
  EXPECT_EQ(
      "5: put a, 6: begin put b put c end(x), 7: commit(x), 8: put d put e, "
      "9: put f, ",
      Rest(&updates));
}

TEST_F(LoggedUpdates, ABatchThatIsNoneIsCorruption) {
  WriteLog({Batch(5).Put("a", ""), Batch(6).Begin().Put("b", "")});
  last_published_ = 6;
  engine::UpdateIterator updates(deps_);
  test::Ok(updates.SeekTo(5));
  updates.Next();
  EXPECT_TRUE(updates.status().IsCorruption()) << updates.status().ToString();
  EXPECT_NE(std::string::npos,
            updates.status().ToString().find("a section without an end"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
