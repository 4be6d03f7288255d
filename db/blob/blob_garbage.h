// BlobGarbageMeter: how much garbage a compaction makes in which blob files.
//
// Place. One per slice of a compaction: the input side counts what comes in
// (BlobInflowIterator), the output side what goes on into the new tables
// (BlobStage).
//
// Model. A blob that went in and does not come out is no longer referenced:
// garbage(file) = inflow(file) - outflow(file). Snapshots, filters, merges,
// range deletions and relocation need no special cases.
//
// Invariant. The count never exceeds the real garbage: an entry counts as
// inflow only if the compaction consumes it, so the input ends where the slice
// ends.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/manifest/blob_files.h"
#include "rocksdb/slice.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlobGarbageMeter {
 public:
  // `oldest`: what the inputs are linked to; an index to an older file is
  // Corruption.
  explicit BlobGarbageMeter(uint64_t oldest = 0) : oldest_(oldest) {}

  // An entry of the inputs, one of the outputs.
  Status CountIn(const Slice& internal_key, const Slice& value);
  Status CountOut(const Slice& internal_key, const Slice& value);

  void Add(const BlobGarbageMeter& other);
  // By file number; files without garbage are left out.
  std::vector<BlobFileGarbage> Garbage() const;

 private:
  struct Flow {
    uint64_t count = 0;
    uint64_t bytes = 0;
  };
  struct Flows {
    Flow in;
    Flow out;
  };

  uint64_t oldest_;
  std::map<uint64_t, Flows> files_;
};

// Shows `input` up to `end` (a user key, exclusive) and counts what it shows.
// Forwards only.
class BlobInflowIterator final : public InternalIterator {
 public:
  // `meter` and `icmp` must outlive the iterator.
  BlobInflowIterator(std::unique_ptr<InternalIterator> input,
                     const InternalKeyComparator* icmp,
                     std::optional<std::string> end, BlobGarbageMeter* meter);

  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Status status() const override;

 private:
  void Arrive();
  void Backwards();

  const std::unique_ptr<InternalIterator> input_;
  const InternalKeyComparator* const icmp_;
  const std::optional<std::string> end_;
  BlobGarbageMeter* const meter_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
