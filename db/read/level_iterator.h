// LevelIterator: one iterator over all files of a sorted level.
//
// Place. Under the merging iterator of reads (levels >= 1) and compactions.
//
// Model. At most one table of the level is open at a time; the next one is
// opened when the cursor leaves it. For users' reads each table's range
// deletions are added to the merge's RangeCover as it is opened, also those of
// tables without a point entry.
//
// A file whose prefix filter rules it out ends a seek, unless keys with the
// prefix may lie in the files beyond.

#pragma once

#include <memory>
#include <vector>

#include "db/manifest/version.h"
#include "db/read/table_cache.h"
#include "rocksdb/options.h"
#include "table/internal_iterator.h"
#include "table/range_del/range_cover.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LevelIteratorOptions {
  const TableCache* tables = nullptr;
  const InternalKeyComparator* icmp = nullptr;
  int level = 1;
  TableScan scan = TableReadPurpose::kUser;
  // Null: range deletions are not asked for.
  RangeCover* cover = nullptr;
  size_t child = 0;  // The level's place in the merge.
};

class LevelIterator final : public InternalIterator {
 public:
  // `files` in key order, disjoint; kept while the iterator lives.
  LevelIterator(const LevelIteratorOptions& options,
                const ReadOptions& read_options, LevelFilesPtr files);

  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Status status() const override;
  bool ReadValue() override;
  bool IsKeyPinned() const override;
  bool IsValuePinned() const override;

 private:
  void Open(size_t index);
  void AddToCover();
  void SkipEmptyForward();
  void SkipEmptyBackward();
  bool BeyondUpper(size_t index) const;
  void AwaitRuling();
  bool PrefixEndsBefore(const Slice& bound, const Slice& target);

  LevelIteratorOptions options_;
  const ReadOptions read_options_;
  const LevelFilesPtr files_;
  size_t index_ = SIZE_MAX;
  size_t readahead_carried_ = 0;  // Used by the tables to their end.
  std::unique_ptr<InternalIterator> table_;
  // Tables left behind whose keys and values have to stay.
  std::vector<std::unique_ptr<InternalIterator>> pinned_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
