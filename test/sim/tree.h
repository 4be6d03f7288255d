// Tree: the table files of one simulated column family.
//
// Place. Real: Version, VersionBuilder, LevelState, the picker, the output
// cutter. Made up: what is in the files. A file says which keys it may hold
// and how many entries and deletions it has; its entries lie evenly in its
// range.
//
// Model. Keys are the numbers 0 to `keys` - 1, drawn with equal chances. Of n
// writes the share that hits distinct keys is
//
//   distinct = keys * (1 - (1 - 1/keys)^n)
//
// and a merge keeps of each key the entry of its newest input. Input i holds
// a share p_i of puts and q_i of deletions of every stretch of keys; the newest
// first:
//
//   free = 1;  puts += free p_i;  deletions += free q_i;
//   free *= 1 - p_i - q_i
//
// At the bottom deletions vanish.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "db/compaction/picker_leveled.h"
#include "db/compaction/picker_manual.h"
#include "db/compaction/plan.h"
#include "db/manifest/level_state.h"
#include "db/manifest/version.h"
#include "db/manifest/version_edit.h"
#include "rocksdb/options.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::sim {

struct TreeOptions {
  ColumnFamilyOptions family;
  uint64_t keys = 1000 * 1000;
  // Of a put in a table; of a deletion.
  uint64_t put_bytes = 8192;
  uint64_t deletion_bytes = 32;
  uint32_t max_subcompactions = 1;
  uint64_t seed = 301;
};

// Writes of a memtable, or several.
struct Writes {
  uint64_t puts = 0;
  uint64_t deletions = 0;
  uint64_t smallest_sequence = 0;
  uint64_t largest_sequence = 0;
  uint64_t count() const { return puts + deletions; }
};

class Tree {
 public:
  explicit Tree(const TreeOptions& options);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // The table of a flush; its place in level 0 is given when it is installed.
  engine::FilePtr FlushedFile(const Writes& writes);
  // What a plan's inputs come to.
  std::vector<engine::FilePtr> MergedFiles(const engine::CompactionPlan& plan);

  void InstallFlush(engine::FilePtr file);
  void InstallMerge(const engine::CompactionPlan& plan,
                    const std::vector<engine::FilePtr>& outputs);
  void InstallMove(const engine::CompactionPlan& plan);
  // Data that was there before: `bytes` at `level`, evenly over all keys.
  void Prefill(int level, uint64_t bytes);

  void Register(const engine::CompactionPlan* plan);
  void Unregister(const engine::CompactionPlan* plan);
  const std::vector<const engine::CompactionPlan*>& running() const {
    return running_;
  }

  // What the switch in the Env or the options make of automatic compaction.
  void SetLevel0Trigger(int files);

  engine::PickInput InputFor() const;
  const engine::LevelState& state() const { return state_; }
  const engine::VersionPtr& version() const { return version_; }
  const TreeOptions& options() const { return options_; }
  void Recompute();

 private:
  // Entries per key over a stretch of keys, both ends included.
  struct Stretch {
    uint64_t first = 0;
    uint64_t last = 0;
    double puts = 0;
    double deletions = 0;
  };
  class OutputMaker;

  engine::FilePtr MakeFile(const Stretch& range, double puts, double deletions);
  std::vector<Stretch> Merge(const engine::CompactionPlan& plan) const;
  void Apply(const engine::VersionEdit& edit);

  TreeOptions options_;
  const engine::InternalKeyComparator icmp_;
  engine::VersionPtr version_;
  engine::LevelState state_;
  std::vector<const engine::CompactionPlan*> running_;
  int level0_trigger_;
  uint64_t next_file_ = 1;
  uint64_t next_epoch_ = engine::kFirstEpoch;
  uint64_t next_version_ = 1;
  engine::Random64 random_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
