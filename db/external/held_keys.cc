#include "db/external/held_keys.h"

#include <cassert>
#include <memory>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The iterator is of point entries.
Result<bool> FindsKey(InternalIterator* iter, const InternalKeyComparator& icmp,
                      const Slice& first, const Slice& last) {
  assert(icmp.CompareUserKey(first, last) <= 0);
  iter->Seek(InternalKey(first, kSequenceMax, kTypeForSeek).Encode());
  RETURN_IF_ERROR(iter->status());
  return iter->Valid() &&
         icmp.CompareUserKey(ExtractUserKey(iter->key()), last) <= 0;
}

Result<bool> HoldsKeys(const FileMetaData& file, int level,
                       const TableCache& tables,
                       const InternalKeyComparator& icmp, const Slice& first,
                       const Slice& last) {
  auto reader = tables.Find(file, level);
  if (!reader.ok()) return reader.status();
  const TombstoneSet* const deletions = (*reader)->tombstones().get();
  for (size_t i = 0; deletions != nullptr && i < deletions->num_tombstones();
       ++i) {
    const RangeTombstone deletion = deletions->tombstone(i);
    if (icmp.CompareUserKey(deletion.begin, last) <= 0 &&
        icmp.CompareUserKey(first, deletion.end) < 0) {
      return true;
    }
  }
  const std::unique_ptr<InternalIterator> iter(
      (*reader)->NewIterator(ReadOptions(), TableReadPurpose::kVerify));
  return FindsKey(iter.get(), icmp, first, last);
}

}  // namespace

bool HoldsKeys(const MemTable& memtable, const InternalKeyComparator& icmp,
               const Slice& first, const Slice& last) {
  assert(icmp.CompareUserKey(first, last) <= 0);
  if (memtable.range_deletions().Touches(first, last)) return true;
  const std::unique_ptr<InternalIterator> iter(memtable.NewIterator());
  const auto found = FindsKey(iter.get(), icmp, first, last);
  return !found.ok() || *found;
}

Result<bool> HoldsKeys(const Version& version, const TableCache& tables,
                       const Slice& first, const Slice& last) {
  assert(version.icmp().CompareUserKey(first, last) <= 0);
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.FilesTouching(level, &first, &last)) {
      auto held = HoldsKeys(*file, level, tables, version.icmp(), first, last);
      if (!held.ok() || *held) return held;
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::engine
