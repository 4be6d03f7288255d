// FilteredReplay: asks a program's WalFilter about every batch of the logs.
//
// Place. Between log replay and its sink, if DBOptions::wal_filter is set.
//
// Model. What the filter leaves out keeps its sequence numbers: the batch
// behind it is where it was.
//
// Threads. One.

#pragma once

#include <string>

#include "db/column_family/family_set.h"
#include "db/recovery/wal_replay.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE::engine {

class FilteredReplay final : public ReplaySink {
 public:
  // Tells the filter of the families.
  FilteredReplay(WalFilter* filter, std::string wal_dir,
                 const FamilySet& families, ReplaySink* sink);

  // Also NotSupported: the filter made a batch longer; InvalidArgument: it
  // threw.
  Status OnBatch(const ReplayedBatch& batch,
                 SequenceNumber* next_sequence) override;
  bool NextIsExact() const override { return sink_->NextIsExact(); }
  Status OnBatchEnd() override { return sink_->OnBatchEnd(); }
  Status OnLogEnd(uint64_t log_number) override {
    return sink_->OnLogEnd(log_number);
  }

 private:
  Status PassChanged(const ReplayedBatch& batch, const WriteBatch& changed,
                     SequenceNumber* next_sequence);

  WalFilter* const filter_;
  const std::string wal_dir_;
  ReplaySink* const sink_;
  Status families_status_;  // Not OK: the filter threw when called with them.
  bool stopped_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
