// A database of which one file is damaged: every byte flipped, every length.
//
// Model. Every kind of file, through the public interface: opened read-only,
// which reads CURRENT, the MANIFEST, the logs and the tables and writes
// nothing, so that thousands of openings are cheap; then everything is read
// forwards, backwards and by Get. The answer is what was written, or a Status
// naming the file; damage to the tail of a log or MANIFEST may also give an
// earlier state. Never anything else, and never an absurd request for memory.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"
#include "test/hostile/allocations.h"
#include "test/support/effort.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::MemFileSystem;
using Rows = std::map<std::string, std::string>;

const std::string kPath = "/db";
// What a reader may ask for beside the size of what it reads: the caches and
// buffers it is configured with, and a log block.
constexpr size_t kFixedBytes = 3 << 20;

std::string ReadFile(FileSystem* fs, const std::string& path) {
  std::string bytes;
  EXPECT_TRUE(ReadFileToString(fs, path, &bytes).ok()) << path;
  return bytes;
}
void WriteFile(FileSystem* fs, const std::string& path,
               const std::string& bytes) {
  EXPECT_TRUE(WriteStringToFile(fs, bytes, path, false).ok()) << path;
}

struct Answer {
  Status status;
  Rows rows;
  bool agree = true;  // Of the three ways of reading.
};

class DatabaseFiles : public testing::Test {
 protected:
  DatabaseFiles()
      : fs_(std::make_shared<MemFileSystem>(FileSystemOptions())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.avoid_flush_during_shutdown = true;
    options_.write_buffer_size = 64 << 10;
    options_.arena_block_size = 4096;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
    BlockBasedTableOptions table;
    table.block_size = 128;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    history_.emplace_back();
  }

  static MemFileSystem::Options FileSystemOptions() {
    MemFileSystem::Options options;
    options.remember_unsynced = false;
    return options;
  }

  void Note(const std::function<void(Rows*)>& change) {
    Rows rows = history_.back();
    change(&rows);
    history_.push_back(std::move(rows));
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
    Note([&](Rows* rows) { (*rows)[key] = value; });
  }
  void Delete(const std::string& key) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), key).ok());
    Note([&](Rows* rows) { rows->erase(key); });
  }
  void DeleteRange(const std::string& begin, const std::string& end) {
    ASSERT_TRUE(db_->DeleteRange(WriteOptions(), begin, end).ok());
    Note([&](Rows* rows) {
      rows->erase(rows->lower_bound(begin), rows->lower_bound(end));
    });
  }
  void Merge(const std::string& key, const std::string& operand) {
    ASSERT_TRUE(db_->Merge(WriteOptions(), key, operand).ok());
    Note([&](Rows* rows) {
      std::string& value = (*rows)[key];
      value += value.empty() ? operand : "," + operand;
    });
  }
  // One of each kind of entry.
  void WriteSome(int round) {
    const std::string r = std::to_string(round);
    for (int i = 0; i < 8; ++i) {
      Put("key" + std::to_string(i + 4 * round), std::string(20, 'v') + r);
    }
    Delete("key" + std::to_string(4 * round + 1));
    Merge("key" + std::to_string(4 * round + 2), "m" + r);
    DeleteRange("key" + std::to_string(4 * round + 3),
                "key" + std::to_string(4 * round + 5));
  }
  void Open() { ASSERT_TRUE(DB::Open(options_, kPath, &db_).ok()); }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Close() {
    ASSERT_TRUE(db_->Close().ok());
    db_.reset();
  }

  std::string File(const std::string& part) {
    std::vector<std::string> names;
    EXPECT_TRUE(env_->GetChildren(kPath, &names).ok());
    std::string found;
    for (const std::string& name : names) {
      if (name.find(part) != std::string::npos) found = std::max(found, name);
    }
    EXPECT_FALSE(found.empty()) << part;
    return kPath + "/" + found;
  }

  Answer Read() {
    Answer answer;
    std::unique_ptr<DB> db;
    answer.status = DB::OpenForReadOnly(options_, kPath, &db);
    if (!answer.status.ok()) return answer;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      answer.rows[it->key().ToString()] = it->value().ToString();
    }
    answer.status = it->status();
    Rows backwards;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      backwards[it->key().ToString()] = it->value().ToString();
    }
    if (answer.status.ok()) answer.status = it->status();
    for (const auto& [key, unused] : history_.back()) {
      std::string value;
      const Status got = db->Get(ReadOptions(), key, &value);
      if (!got.ok() && !got.IsNotFound()) {
        if (answer.status.ok()) answer.status = got;
        continue;
      }
      const auto row = answer.rows.find(key);
      const bool same = got.ok() == (row != answer.rows.end()) &&
                        (!got.ok() || row->second == value);
      if (answer.status.ok() && !same) answer.agree = false;
    }
    if (answer.status.ok() && backwards != answer.rows) answer.agree = false;
    return answer;
  }

  bool IsEarlierState(const Rows& rows) const {
    for (const Rows& state : history_) {
      if (state == rows) return true;
    }
    return false;
  }

  enum class Allowed { kSameOnly, kEarlier };

  // Reads the database with `bytes` in place of `path`.
  void Check(const std::string& path, const std::string& bytes,
             Allowed allowed) {
    WriteFile(fs_.get(), path, bytes);
    const test::AllocationWatch watch;
    const Answer answer = Read();
    EXPECT_LE(watch.LargestBytes(), bytes.size() + kFixedBytes);
    if (!answer.status.ok()) {
      ++refused_;
      const std::string text = answer.status.ToString();
      EXPECT_TRUE(answer.status.IsCorruption() ||
                  answer.status.IsNotSupported())
          << text;
      const std::string name = path.substr(kPath.size() + 1);
      EXPECT_NE(std::string::npos, text.find(name)) << text;
      return;
    }
    EXPECT_TRUE(answer.agree);
    if (allowed == Allowed::kSameOnly) {
      EXPECT_EQ(history_.back(), answer.rows);
    } else {
      EXPECT_TRUE(IsEarlierState(answer.rows));
    }
  }
  void CheckAll(const std::string& part, Allowed allowed,
                size_t stride = test::kSingleThreadStride) {
    const std::string path = File(part);
    const std::string good = ReadFile(fs_.get(), path);
    for (size_t i = 0; i < good.size(); i += stride) {
      SCOPED_TRACE(path + ", flipped byte " + std::to_string(i));
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
      Check(path, bytes, allowed);
      if (HasFailure()) break;
    }
    for (size_t n = 0; n < good.size(); n += stride) {
      SCOPED_TRACE(path + ", cut to " + std::to_string(n));
      Check(path, good.substr(0, n), allowed);
      if (HasFailure()) break;
    }
    WriteFile(fs_.get(), path, good);
    const Answer answer = Read();
    ASSERT_TRUE(answer.status.ok()) << answer.status.ToString();
    EXPECT_EQ(history_.back(), answer.rows);
  }

  const std::shared_ptr<MemFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<Rows> history_;  // The state after each write.
  int refused_ = 0;
};

TEST_F(DatabaseFiles, TablesGiveWhatWasWrittenOrSayWhatIsWrong) {
  Open();
  WriteSome(0);
  Flush();
  WriteSome(1);
  Flush();
  Close();
  CheckAll(".sst", Allowed::kSameOnly);
  EXPECT_GT(refused_, 500 / test::kSingleThreadStride);
}

TEST_F(DatabaseFiles, AManifestGivesAnEarlierStateOrSaysWhatIsWrong) {
  Open();
  for (int round = 0; round < 3; ++round) {
    WriteSome(round);
    Flush();
  }
  Close();  // The log is empty: what the MANIFEST says is all there is.
  CheckAll("MANIFEST-", Allowed::kEarlier);
  EXPECT_GT(refused_, 200 / test::kSingleThreadStride);
}

TEST_F(DatabaseFiles, ALogGivesAPrefixOfHistory) {
  Open();
  WriteSome(0);
  Flush();
  for (int round = 1; round < 3; ++round) WriteSome(round);
  Close();
  CheckAll(".log", Allowed::kEarlier);
  EXPECT_EQ(0, refused_);  // Point in time: the default mode.
}

TEST_F(DatabaseFiles, ALogOfATolerantModeGivesAPrefixOrIsRefused) {
  options_.wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  Open();
  for (int round = 0; round < 3; ++round) WriteSome(round);
  Close();
  CheckAll(".log", Allowed::kEarlier);
  EXPECT_GT(refused_, 200 / test::kSingleThreadStride);
}

TEST_F(DatabaseFiles, CurrentNamesTheManifestOrIsRefused) {
  Open();
  WriteSome(0);
  Flush();
  Close();
  CheckAll("CURRENT", Allowed::kSameOnly);
  EXPECT_GT(refused_, 10 / test::kSingleThreadStride);
}

TEST_F(DatabaseFiles, OptionsAndIdentityDoNotMatterForReading) {
  Open();
  WriteSome(0);
  Flush();
  Close();
  CheckAll("IDENTITY", Allowed::kSameOnly);
  CheckAll("OPTIONS-", Allowed::kSameOnly, 11 * test::kSingleThreadStride);
  EXPECT_EQ(0, refused_);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
