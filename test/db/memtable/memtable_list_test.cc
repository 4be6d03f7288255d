#include "db/memtable/memtable_list.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/version_edit.h"
#include "gtest/gtest.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// list [merge=N]: one input line per step; jobs and installations are named
// by the script.
//
//   add LOG           a memtable became immutable, LOG took over
//   request           a flush was requested
//   pick JOB [MAX]    JOB takes what waits, up to id MAX
//   rollback JOB      JOB failed
//   keep JOB          what survives of JOB's memtables stays in memory
//   built JOB         JOB's file is written
//   take NAME         what can be installed now
//   installed NAME    it is in the MANIFEST
//   failed NAME       the MANIFEST write failed
//   drop              the family was dropped
class Script {
 public:
  explicit Script(const test::Case& c)
      : list_({static_cast<int>(c.Uint("merge", 1))}) {}

  std::string Step(const std::string& line) {
    std::istringstream in(line);
    std::string verb, name;
    in >> verb >> name;
    std::string out;
    if (verb == "add") {
      auto memtable = std::make_shared<MemTable>(&icmp_, MemTableOptions(), 0);
      memtable->set_next_log_number(std::stoull(name));
      list_.Add(memtable);
    } else if (verb == "request") {
      list_.RequestFlush();
    } else if (verb == "pick") {
      uint64_t id_max = UINT64_MAX;
      in >> id_max;
      jobs_[name] = list_.PickToFlush(in ? id_max : UINT64_MAX);
      out = "picked" + Ids(jobs_[name]) + " ";
    } else if (verb == "rollback") {
      list_.RollbackFlush(jobs_[name]);
    } else if (verb == "keep") {
      list_.ReplacePicked(jobs_[name], std::make_shared<MemTable>(
                                           &icmp_, MemTableOptions(), 0));
    } else if (verb == "built") {
      auto edit = std::make_shared<VersionEdit>();
      edits_[edit.get()] = name;
      list_.MarkBuilt(jobs_[name], edit);
    } else if (verb == "take") {
      installs_[name] = list_.TakeInstallable();
      const auto& install = installs_[name];
      out = "take" + Ids(install.memtables);
      for (const auto& edit : install.edits) out += " " + edits_[edit.get()];
      out += " log=" + std::to_string(install.log_number) + " ";
    } else if (verb == "installed" || verb == "failed") {
      list_.FinishInstall(installs_[name], verb == "installed");
    } else if (verb == "drop") {
      out = "left";
      for (const auto& edit : list_.TakeBuilt())
        out += " " + edits_[edit.get()];
      out += " ";
    } else {
      return "what is " + verb + "?";
    }
    return line + ": " + out + State();
  }

 private:
  static std::string Ids(const std::vector<MemTablePtr>& memtables) {
    std::string ids = "[";
    for (const MemTablePtr& memtable : memtables)
      ids += (ids.size() > 1 ? " " : "") + std::to_string(memtable->id());
    return ids + "]";
  }

  std::string State() const {
    EXPECT_EQ(list_.IsFlushPending(), list_.flush_pending());
    EXPECT_EQ(list_.snapshot()->size(), list_.num_unflushed());
    return "| newest first " + Ids(*list_.snapshot()) + " waiting " +
           std::to_string(list_.num_not_started()) +
           (list_.IsFlushPending() ? " pending" : "");
  }

  const InternalKeyComparator icmp_{BytewiseComparator()};
  MemTableList list_;
  std::map<std::string, std::vector<MemTablePtr>> jobs_;
  std::map<std::string, MemTableList::Installable> installs_;
  std::map<const VersionEdit*, std::string> edits_;
};

TEST(MemTableList, DataDriven) {
  for (const std::string& failure : test::RunDataDriven(
           "test/db/memtable/testdata/memtable_list", [](const test::Case& c) {
             Script script(c);
             std::string output;
             for (const std::string& line : c.input)
               output += script.Step(line) + "\n";
             return output;
           })) {
    ADD_FAILURE() << failure;
  }
}

// memtable_list.h (3).
TEST(MemTableList, SnapshotsStayAsTheyWere) {
  const InternalKeyComparator icmp(BytewiseComparator());
  MemTableList list({});
  list.Add(std::make_shared<MemTable>(&icmp, MemTableOptions(), 0));
  const auto before = list.snapshot();
  list.Add(std::make_shared<MemTable>(&icmp, MemTableOptions(), 0));
  EXPECT_EQ(before->size(), 1u);
  list.Clear();
  EXPECT_EQ(before->size(), 1u);
  EXPECT_EQ(before->front()->id(), 1u);
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(list.IsFlushPending());
}

TEST(MemTableList, SumsWhatItsMemtablesHold) {
  const InternalKeyComparator icmp(BytewiseComparator());
  MemTableList list({});
  for (SequenceNumber sequence : {SequenceNumber{5}, SequenceNumber{9}}) {
    auto memtable = std::make_shared<MemTable>(&icmp, MemTableOptions(), 0);
    memtable->Add(sequence, ValueType::kValue, "k", "value");
    memtable->Add(sequence + 1, ValueType::kDeletion, "k", "");
    list.Add(memtable);
  }
  EXPECT_EQ(list.num_entries(), 4u);
  EXPECT_EQ(list.num_deletes(), 2u);
  EXPECT_EQ(list.data_size(), 2 * (9u + 5 + 9));
  EXPECT_GT(list.memory_bytes(), 0u);
  EXPECT_EQ(list.first_sequence(), 5u);
  EXPECT_EQ(list.oldest_id(), 1u);
  EXPECT_EQ(list.newest_id(), 2u);
}

// As much as the option says is left without the oldest: that one may go.
TEST(MemTableList, KeepsFlushedMemtablesUpToALimit) {
  const InternalKeyComparator icmp(BytewiseComparator());
  for (const bool keeps : {false, true}) {
    const auto one = std::make_shared<MemTable>(&icmp, MemTableOptions(), 0);
    one->Add(1, ValueType::kValue, "k", "value");
    const size_t bytes = one->AllocatedBytes();
    MemTableListOptions options;
    options.maintain_bytes = keeps ? 2 * bytes : 0;
    MemTableList list(options);
    for (SequenceNumber sequence = 1; sequence <= 4; ++sequence) {
      auto memtable = std::make_shared<MemTable>(&icmp, MemTableOptions(), 0);
      memtable->Add(sequence, ValueType::kValue, "k", "value");
      list.Add(memtable);
      list.RequestFlush();
      list.MarkBuilt(list.PickToFlush(), std::make_shared<VersionEdit>());
      list.FinishInstall(list.TakeInstallable(), /*success=*/true);
      const size_t dropped = list.TrimHistory(/*active_bytes=*/0).size();
      EXPECT_EQ(keeps && sequence > 2 ? 1u : 0u, dropped) << sequence;
    }
    EXPECT_TRUE(list.snapshot()->empty());
    EXPECT_EQ(keeps ? 2u : 0u, list.history().size());
    EXPECT_EQ(keeps ? 2 * bytes : 0u,
              list.TrimHistory(2 * bytes).size() * bytes);
  }
}

// The history has memtables as they were written, in their order: an older one
// may be flushed after survivors have replaced a newer one.
TEST(MemTableListHistory, IsInOrderAndWithoutSurvivors) {
  const InternalKeyComparator icmp(BytewiseComparator());
  const auto make = [&icmp](SequenceNumber sequence) {
    auto memtable = std::make_shared<MemTable>(&icmp, MemTableOptions(), 0);
    memtable->Add(sequence, ValueType::kValue, "k", "value");
    return memtable;
  };
  MemTableListOptions options;
  options.maintain_bytes = size_t{64} << 20;
  MemTableList list(options);
  list.Add(make(1));
  const std::vector<MemTablePtr> older = list.PickToFlush();
  list.Add(make(2));
  const std::vector<MemTablePtr> newer = list.PickToFlush();
  ASSERT_EQ(1u, older.size());
  ASSERT_EQ(1u, newer.size());
  const MemTablePtr survivors = make(2);
  list.ReplacePicked(newer, survivors);
  EXPECT_TRUE(survivors->survivors());
  list.MarkBuilt(older, std::make_shared<VersionEdit>());
  list.FinishInstall(list.TakeInstallable(), /*success=*/true);
  list.RequestFlush();
  list.MarkBuilt(list.PickToFlush(), std::make_shared<VersionEdit>());
  list.FinishInstall(list.TakeInstallable(), /*success=*/true);
  ASSERT_EQ(2u, list.history().size());
  EXPECT_EQ(older.front(), list.history().front());
  EXPECT_EQ(newer.front(), list.history().back());
}

TEST(MemTableList, WhatIsBuiltMayBeFlushedAgain) {
  const InternalKeyComparator icmp(BytewiseComparator());
  MemTableList list{MemTableListOptions()};
  for (int i = 0; i < 2; ++i) {
    list.Add(std::make_shared<MemTable>(&icmp, MemTableOptions(), 0));
    const std::vector<MemTablePtr> picked = list.PickToFlush();
    list.MarkBuilt(picked, std::make_shared<VersionEdit>());
  }
  // What is being installed is not touched, and what is built is not lost.
  const auto installing = list.TakeInstallable();
  EXPECT_EQ(2u, installing.memtables.size());
  list.Add(std::make_shared<MemTable>(&icmp, MemTableOptions(), 0));
  const std::vector<MemTablePtr> newest = list.PickToFlush();
  list.MarkBuilt(newest, std::make_shared<VersionEdit>());
  list.FlushBuiltAgain();
  EXPECT_TRUE(list.IsFlushPending());
  EXPECT_EQ(newest, list.PickToFlush());
  list.FinishInstall(installing, /*success=*/true);
  EXPECT_EQ(newest.front()->id(), list.oldest_id());
  EXPECT_FALSE(list.IsFlushPending());
  list.MarkBuilt(newest, std::make_shared<VersionEdit>());
  list.FinishInstall(list.TakeInstallable(), /*success=*/true);
  EXPECT_TRUE(list.empty());
  // Nothing is built: nothing changes.
  list.FlushBuiltAgain();
  EXPECT_FALSE(list.flush_requested());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
