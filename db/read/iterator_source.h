// IteratorSource: where a DB iterator gets what it reads, the first time and
// when it is renewed.
//
// Place. Implemented by the database for one family and one set of read
// options; owned by the DbIterator, which asks again in Refresh() and, when it
// is a tailing one, whenever the state has changed.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>

#include "db/read/scan_watch.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/types.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/prefix_seek.h"

namespace ROCKSDB_NAMESPACE {
class Snapshot;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class MemTable;
class Version;

// One state of the family, held by the internal iterator.
struct IteratorState {
  std::shared_ptr<const SliceTransform> extractor;
  std::unique_ptr<PrefixSeek> prefix;  // Null: total order.
  std::unique_ptr<ScanWatch> scan;     // Null: not watched.
  std::unique_ptr<InternalIterator> iter;
  SequenceNumber sequence = 0;
  SequenceNumber sequence_max = kSequenceMax;  // What the view can show.
  uint64_t view_number = 0;
  const MemTable* mem = nullptr;  // The one that is being written.
  const Version* version = nullptr;
};

class IteratorSource {
 public:
  virtual ~IteratorSource() = default;

  // The state of `snapshot`, or, if it is null, of this moment.
  virtual IteratorState Open(const Snapshot* snapshot) = 0;

  // The newest sequence that may be seen. Of everything up to it, the newest
  // view whose number is asked for afterwards holds the newest.
  virtual SequenceNumber LastSequence() const = 0;
  virtual uint64_t ViewNumber() const = 0;
  // False when range deletions have come since `state` was opened that it does
  // not know, or may have.
  virtual bool KnowsRangeDeletions(const IteratorState& state) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
