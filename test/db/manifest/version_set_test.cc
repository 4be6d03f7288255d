// LogAndApply: what is promised survives a crash at any call, and a failing
// call is reported and costs nothing that was promised before.

#include "db/manifest/version_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "db/format/file_names.h"
#include "db/wal/log_reader.h"
#include "env/file_reader.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "test/db/manifest/manifest_store.h"
#include "test/db/store_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/error_fs.h"
#include "test/support/golden.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(VersionSet, AStateSurvivesReopening) {
  MemFileSystem fs;
  uint64_t first = 0;
  uint64_t second = 0;
  {
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    EXPECT_EQ(store.set.db_id(), "the-id");
    FamilyVersions* const family = store.set.family(0);
    ASSERT_TRUE(store.AddFile(family, &first).ok());
    ASSERT_TRUE(store.AddFile(family, &second).ok());
    VersionEdit cursor;
    cursor.log_number = 33;
    cursor.min_log_number_to_keep = 30;
    cursor.compact_cursors.push_back(
        {1, InternalKey("m", 3, ValueType::kValue)});
    ASSERT_TRUE(store.Apply(family, &cursor).ok());
    EXPECT_EQ(family->log_number(), 33u);
    ASSERT_TRUE(store.set.Close().ok());
  }
  for (int round = 0; round < 3; ++round) {
    Store store(&fs);
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    FamilyVersions* const family = store.set.family("default");
    EXPECT_EQ(store.Files(), (Numbers{first, second}));
    EXPECT_EQ(family->log_number(), 33u);
    EXPECT_EQ(store.set.MinLogNumberToKeep(), 33u);
    EXPECT_EQ(family->compact_cursors().at(1).user_key(), Slice("m"));
    EXPECT_EQ(store.set.last_sequence(), second);
    EXPECT_GT(store.set.next_file_number(), second);
    // Epochs: newest first.
    const Version& v = *family->current();
    EXPECT_GT(v.files(0)[0]->epoch, v.files(0)[1]->epoch);
    EXPECT_EQ(family->next_epoch(), v.files(0)[0]->epoch + 1);
    VersionEdit nothing;
    ASSERT_TRUE(store.Apply(family, &nothing).ok());
    EXPECT_EQ(*ReadCurrentFile(&fs, kDb), store.set.manifest_number());
    EXPECT_EQ(store.set.TakeObsoleteManifests().size(), 1u);
  }
}

// Earlier releases of ours gave all disjoint files of one ingestion the same
// sequence.
TEST(VersionSet, FilesOfOneSequenceInLevel0StayReadable) {
  MemFileSystem fs;
  {
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    VersionEdit edit;
    store.set.SetLastAllocatedSequence(7);
    edit.AddFile(0, MakeFile(store.set.NewFileNumber(), "e", "f", 7));
    edit.AddFile(0, MakeFile(store.set.NewFileNumber(), "a", "b", 7));
    ASSERT_TRUE(store.Apply(store.set.family(0), &edit).ok());
    ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  }
  Store store(&fs);
  const Status status = store.Recover({"default"}, false);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(3u, store.Files().size());
}

// A compaction may end one output, and begin the next, inside a range deletion.
// Where such files came to level 0 they have one epoch.
TEST(VersionSet, FilesOfOneEpochMayMeetAtTheEndOfARangeDeletion) {
  for (const bool meets_itself : {false, true}) {
    MemFileSystem fs;
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    FilePtr first = MakeFile(store.set.NewFileNumber(), "a", "m", 3);
    const FilePtr second = MakeFile(store.set.NewFileNumber(), "m", "z", 3);
    if (!meets_itself) {
      first->largest =
          InternalKey("m", kSequenceMax, ValueType::kRangeDeletion);
    }
    first->epoch = second->epoch = 1;
    VersionEdit edit;
    edit.AddFile(0, first);
    edit.AddFile(0, second);
    store.set.SetLastAllocatedSequence(3);
    const Status status = store.Apply(store.set.family(0), &edit);
    EXPECT_EQ(meets_itself, status.IsCorruption()) << status.ToString();
    EXPECT_EQ(meets_itself, !status.ok()) << status.ToString();
  }
}

// manifest_state.h (1).
TEST(VersionSet, ReadingWritesNothing) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  const std::string before = fs.Describe();
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  EXPECT_EQ(fs.Describe(), before);
}

TEST(VersionSet, FamiliesAreCreatedDroppedAndNeverRenumbered) {
  MemFileSystem fs;
  {
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    MutexLock lock(&store.mu);
    auto one = store.set.CreateFamily(Family("one"), 5, &store.mu, nullptr);
    ASSERT_TRUE(one.ok()) << one.status().ToString();
    EXPECT_EQ((*one)->id(), 1u);
    EXPECT_EQ((*one)->log_number(), 5u);
    EXPECT_TRUE(store.set.CreateFamily(Family("one"), 5, &store.mu, nullptr)
                    .status()
                    .IsInvalidArgument());
    ASSERT_TRUE(store.set.DropFamily(*one, &store.mu, nullptr).ok());
    store.set.ForgetFamily(*one);
    EXPECT_EQ(store.set.family("one"), nullptr);
    auto again = store.set.CreateFamily(Family("one"), 6, &store.mu, nullptr);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ((*again)->id(), 2u);
  }
  EXPECT_EQ(*ListFamilies(&fs, kDb),
            (std::vector<std::string>{"default", "one"}));
  Store store(&fs);
  EXPECT_EQ(store.Recover({"default"}, false).ToString(),
            "Invalid argument: Column families not opened: one");
  Store read_only(&fs);
  EXPECT_TRUE(read_only.Recover({"default"}, true).ok());
  Store without_default(&fs);
  EXPECT_TRUE(without_default.Recover({"one"}, true).IsInvalidArgument());
  Store all(&fs);
  ASSERT_TRUE(all.Recover({"one", "default"}, false).ok());
  EXPECT_EQ(all.set.family("one")->id(), 2u);
  EXPECT_EQ(all.set.max_column_family(), 2u);
}

TEST(VersionSet, ANewDatabaseTakesAnyComparatorAndAnotherIsRefusedThen) {
  MemFileSystem fs;
  FamilyConfig config = Family("default");
  {
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    config.comparator = ReverseBytewiseComparator();
    ASSERT_TRUE(store.set.Recover({config}, false).status().ok());
  }
  {
    Store store(&fs);
    config.comparator = BytewiseComparator();
    ASSERT_TRUE(store.set.Recover({config}, false).status().ok());
    VersionEdit edit;
    ASSERT_TRUE(store.Apply(store.set.family("default"), &edit).ok());
  }
  Store store(&fs);
  config.comparator = ReverseBytewiseComparator();
  const Status status = store.set.Recover({config}, false).status();
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_NE(status.ToString().find("does not match existing comparator "
                                   "leveldb.BytewiseComparator"),
            std::string::npos)
      << status.ToString();
}

TEST(VersionSet, EditsThatDoNotFitChangeNothing) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  FamilyVersions* const family = store.set.family(0);
  uint64_t number = 0;
  ASSERT_TRUE(store.AddFile(family, &number).ok());
  const VersionPtr before = family->current();

  VersionEdit missing;
  missing.DeleteFile(1, number);
  const Status status = store.Apply(family, &missing);
  EXPECT_EQ(status.ToString(), "Corruption: cannot delete table file " +
                                   std::to_string(number) +
                                   ": expected it at level 1, found it at "
                                   "level 0");
  VersionEdit twice;
  twice.AddFile(0, MakeFile(number, "b", "c", 1));
  EXPECT_TRUE(store.Apply(family, &twice).IsCorruption());
  VersionEdit overlap;
  overlap.AddFile(1, MakeFile(50, "a", "m", 1));
  overlap.AddFile(1, MakeFile(51, "k", "z", 1));
  const Status overlapping = store.Apply(family, &overlap);
  EXPECT_TRUE(overlapping.IsCorruption());
  EXPECT_NE(overlapping.ToString().find("table file 50"), std::string::npos);
  EXPECT_NE(overlapping.ToString().find("table file 51"), std::string::npos);
  EXPECT_EQ(family->current(), before);
  // And the MANIFEST goes on working.
  EXPECT_TRUE(store.AddFile(family).ok());
}

// file_metadata.h (2).
TEST(VersionSet, AFileDiesWithTheLastVersionThatHoldsIt) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  FamilyVersions* const family = store.set.family(0);
  uint64_t number = 0;
  ASSERT_TRUE(store.AddFile(family, &number).ok());
  VersionPtr held = family->current();

  // A move keeps the object.
  VersionEdit move;
  move.DeleteFile(0, number);
  move.AddFile(1, std::make_shared<FileMetaData>(
                      static_cast<const FileFacts&>(*held->files(0)[0])));
  ASSERT_TRUE(store.Apply(family, &move).ok());
  EXPECT_EQ(family->current()->files(1)[0], held->files(0)[0]);
  EXPECT_TRUE(store.obsolete.empty());

  VersionEdit gone;
  gone.DeleteFile(1, number);
  ASSERT_TRUE(store.Apply(family, &gone).ok());
  EXPECT_TRUE(store.obsolete.empty()) << "a reader still holds it";
  EXPECT_EQ(family->NumLiveVersions(), 2u);
  Numbers live;
  store.set.AddLiveFiles(&live);
  EXPECT_EQ(live, Numbers{number});
  held.reset();
  const std::vector<ObsoleteFile> dead = store.obsolete.Take();
  ASSERT_EQ(dead.size(), 1u);
  EXPECT_EQ(dead[0].number, number);
  EXPECT_EQ(dead[0].path, TableFileName(kDb, number));
}

TEST(VersionSet, ADroppedFamilysFilesDie) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  store.mu.Lock();
  FamilyVersions* const one =
      *store.set.CreateFamily(Family("one"), 5, &store.mu, nullptr);
  store.mu.Unlock();
  ASSERT_TRUE(store.AddFile(one).ok());
  store.mu.Lock();
  ASSERT_TRUE(store.set.DropFamily(one, &store.mu, nullptr).ok());
  EXPECT_TRUE(store.obsolete.empty());
  store.set.ForgetFamily(one);
  store.mu.Unlock();
  EXPECT_EQ(store.obsolete.size(), 1u);
}

TEST(VersionSet, AFullManifestIsReplaced) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  store.set.SetMaxManifestFileSize(500);
  Numbers manifests;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
    manifests.insert(store.set.manifest_number());
  }
  EXPECT_GT(manifests.size(), 2u);
  EXPECT_LT(manifests.size(), 20u) << "a snapshot for nearly every edit";
  Store again(&fs);
  ASSERT_TRUE(again.Recover({"default"}, true).ok());
  EXPECT_EQ(again.Files(), store.Files());
}

std::vector<SequenceNumber> SequencesIn(FileSystem* fs, uint64_t manifest) {
  std::vector<SequenceNumber> sequences;
  const std::string name = DescriptorFileName(kDb, manifest);
  std::unique_ptr<FSSequentialFile> file;
  EXPECT_TRUE(fs->NewSequentialFile(name, FileOptions(), &file, nullptr).ok());
  if (file == nullptr) return sequences;
  wal::Reader reader(
      std::make_unique<SequentialFileReader>(std::move(file), name), manifest);
  Slice record;
  while (reader.ReadRecord(&record) == wal::ReadResult::kRecord) {
    VersionEdit edit;
    EXPECT_TRUE(edit.DecodeFrom(record).ok());
    if (edit.last_sequence) sequences.push_back(*edit.last_sequence);
  }
  return sequences;
}

TEST(VersionSet, SequencesInAManifestNeverGoBack) {
  auto files = std::make_shared<MemFileSystem>();
  VersionSet* set = nullptr;
  // Writers go on while a MANIFEST is made.
  test::HookedFileSystem fs(files, [&set](const test::FileOp& op) {
    const bool manifest = op.path.find("MANIFEST") != std::string::npos;
    if (set != nullptr && manifest && op.kind == test::OpKind::kCreate) {
      set->SetLastSequence(set->last_sequence() + 10);
    }
    return IOStatus::OK();
  });
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  set = &store.set;
  ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  const auto sequences = SequencesIn(&fs, store.set.manifest_number());
  EXPECT_EQ(3u, sequences.size());
  EXPECT_TRUE(std::is_sorted(sequences.begin(), sequences.end()))
      << ::testing::PrintToString(sequences);
  set = nullptr;
}

TEST(VersionSet, WritersThatWaitAreAllServed) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  std::vector<std::thread> threads;
  std::atomic<int> refused{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&store, &refused, t] {
      for (int i = 0; i < 25; ++i) {
        const uint64_t n = store.set.NewFileNumber();
        VersionEdit edit;
        if (t == 3 && i % 5 == 0) {
          edit.DeleteFile(0, 999999);  // Only its owner may hear of it.
        } else {
          edit.AddFile(0, MakeFile(n, "a", "z", n));
        }
        const Status status = store.Apply(store.set.family(0), &edit);
        if (!status.ok()) refused.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused.load(), 5);
  EXPECT_EQ(store.Files().size(), 95u);
  Store again(&fs);
  ASSERT_TRUE(again.Recover({"default"}, true).ok());
  EXPECT_EQ(again.Files(), store.Files());
}

TEST(VersionSet, SeveralFamiliesChangeTogetherOrNotAtAll) {
  const uint64_t states = test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        FileSystem* const fs = env->GetFileSystem().get();
        Store store(fs);
        ASSERT_TRUE(store.Create().ok());
        ASSERT_TRUE(store.Recover({"default"}, false).ok());
        MutexLock lock(&store.mu);
        FamilyVersions* const one =
            *store.set.CreateFamily(Family("one"), 5, &store.mu, nullptr);
        script->Reached(1);
        VersionEdit a;
        VersionEdit b;
        a.AddFile(0, MakeFile(20, "a", "b", 20));
        b.AddFile(0, MakeFile(21, "a", "b", 21));
        FamilyEdits changes[2];
        changes[0].family = store.set.family(0);
        changes[0].edits = {&a};
        changes[1].family = one;
        changes[1].edits = {&b};
        ASSERT_TRUE(store.set.LogAndApply(changes, &store.mu, nullptr).ok());
        script->Reached(2);
      },
      [](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0) return;
        Store store(env->GetFileSystem().get());
        const Status status = store.Recover({"default", "one"}, false);
        ASSERT_TRUE(status.ok()) << point.ToString() << status.ToString();
        EXPECT_EQ(store.Files("default").size(), store.Files("one").size())
            << point.ToString();
        EXPECT_TRUE(point.reached < 2 || store.Files().size() == 1u);
      });
  EXPECT_GT(states, 10u);
}

TEST(VersionSet, EveryCrashPointKeepsWhatWasPromised) {
  constexpr uint64_t kEdits = 6;
  const uint64_t states = test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        Store store(env->GetFileSystem().get());
        ASSERT_TRUE(store.Create().ok());
        script->Reached(1);
        ASSERT_TRUE(store.Recover({"default"}, false).ok());
        store.set.SetMaxManifestFileSize(200);
        for (uint64_t i = 0; i < kEdits; ++i) {
          ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
          script->Reached(2 + i);
        }
      },
      [](const test::CrashPoint& point, Env* env) {
        Store store(env->GetFileSystem().get());
        const Status status = store.Recover({"default"}, false);
        if (point.reached == 0) {
          // Not promised yet: there, or not there; never half.
          EXPECT_TRUE(status.ok() || status.IsNotFound())
              << point.ToString() << ": " << status.ToString();
          return;
        }
        ASSERT_TRUE(status.ok()) << point.ToString() << status.ToString();
        const uint64_t promised = point.reached - 1;
        const size_t files = store.Files().size();
        EXPECT_GE(files, promised) << point.ToString();
        EXPECT_LE(files, promised + 1) << point.ToString();
        // And life goes on.
        EXPECT_TRUE(store.AddFile(store.set.family(0)).ok());
      });
  EXPECT_GT(states, 50u);
}

// version_set.h (2), (5).
TEST(VersionSet, AFailedWriteIsReportedAndTheNextStartsANewManifest) {
  const uint64_t runs = test::ForEachFailingCall(
      {}, [](Env* env, test::ErrorFileSystem* errors, uint64_t call) {
        FileSystem* const fs = env->GetFileSystem().get();
        Store store(fs);
        if (!store.Create().ok()) return;
        if (!store.Recover({"default"}, false).ok()) return;
        FamilyVersions* const family = store.set.family(0);
        Numbers promised;
        Numbers doubtful;
        for (int i = 0; i < 4; ++i) {
          uint64_t number = 0;
          const Status status = store.AddFile(family, &number);
          if (status.ok()) {
            promised.insert(number);
            EXPECT_TRUE(store.set.quarantined_files().empty());
          } else {
            EXPECT_TRUE(status.IsIOError()) << status.ToString();
            doubtful.insert(number);
            EXPECT_TRUE(store.set.quarantined_files().contains(number));
            // What is on the disk now opens, with or without the edit.
            Store other(fs);
            const Status opened = other.Recover({"default"}, true);
            ASSERT_TRUE(opened.ok()) << call << ": " << opened.ToString();
            Numbers files = other.Files();
            files.erase(number);
            EXPECT_EQ(files, promised) << call;
          }
          EXPECT_EQ(store.Files(), promised) << call;
        }
        errors->ClearRule();
        Store again(fs);
        ASSERT_TRUE(again.Recover({"default"}, true).ok());
        Numbers files = again.Files();
        // If the last edit was the doubtful one, either fate is right.
        if (!store.set.quarantined_files().empty()) {
          files.erase(*doubtful.begin());
        }
        EXPECT_EQ(files, promised) << call;
        EXPECT_LE(doubtful.size(), 1u);
      });
  EXPECT_GT(runs, 15u);
}

TEST(VersionSet, EveryDatabaseOfRocksDBIsRecovered) {
  const auto currents = test::GoldenFiles(
      [](const std::filesystem::path& p) { return p.filename() == "CURRENT"; });
  RIVERSTONE_SKIP_WITHOUT(currents);
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  for (const auto& path : currents) {
    const std::string db = path.parent_path().string();
    const Result<ManifestState> state = ReadManifest(fs.get(), db);
    ASSERT_TRUE(state.ok()) << db << ": " << state.status().ToString();
    // Orders we do not have (timestamps) are stood in for by none.
    std::vector<FamilyConfig> configs;
    bool known = true;
    for (const auto& [id, family] : state->families) {
      FamilyConfig config = Family(family.name);
      config.level_options.num_levels =
          std::max(config.level_options.num_levels, family.max_level() + 1);
      if (family.comparator_name == ReverseBytewiseComparator()->Name()) {
        config.comparator = ReverseBytewiseComparator();
      } else {
        known &= family.comparator_name.empty() ||
                 family.comparator_name == BytewiseComparator()->Name();
      }
      configs.push_back(config);
    }
    if (!known) continue;
    VersionSet::Deps deps;
    deps.db = db;
    deps.fs = fs.get();
    VersionSet set(deps);
    const auto recovered = set.Recover(configs, true);
    EXPECT_TRUE(recovered.ok()) << db << ": " << recovered.status().ToString();
    for (const auto& [id, family] : state->families) {
      ASSERT_NE(set.family(id), nullptr) << db;
      EXPECT_EQ(set.family(id)->current()->TotalFiles(), family.files.size());
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
