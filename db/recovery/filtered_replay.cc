#include "db/recovery/filtered_replay.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "db/format/file_names.h"
#include "db/write_batch/write_batch_internal.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Calls the program's filter. Errors: InvalidArgument: it threw.
template <typename Call>
Status Ask(const WalFilter& filter, Call&& call) {
  std::string what = "no std::exception";
  try {
    call();
    return Status::OK();
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {  // NOLINT(bugprone-empty-catch): reported below.
  }
  return Status::InvalidArgument(
      std::string("wal_filter ") + filter.Name() + " threw", what);
}

}  // namespace

FilteredReplay::FilteredReplay(WalFilter* filter, std::string wal_dir,
                               const FamilySet& families, ReplaySink* sink)
    : filter_(filter), wal_dir_(std::move(wal_dir)), sink_(sink) {
  std::map<uint32_t, uint64_t> log_numbers;
  std::map<std::string, uint32_t> ids;
  kStateLock.AssertHeld();  // No other thread knows the families yet.
  for (const FamilyPtr& family : families.all()) {
    log_numbers[family->id()] = family->versions()->log_number();
    ids[family->name()] = family->id();
  }
  families_status_ = Ask(
      *filter_, [&] { filter_->ColumnFamilyLogNumberMap(log_numbers, ids); });
}

Status FilteredReplay::OnBatch(const ReplayedBatch& batch,
                               SequenceNumber* next_sequence) {
  using Option = WalFilter::WalProcessingOption;
  RETURN_IF_ERROR(families_status_);
  if (stopped_) return Status::OK();
  const WriteBatch found(batch.contents.ToString());
  WriteBatch changed;
  bool is_changed = false;
  Option option = Option::kContinueProcessing;
  RETURN_IF_ERROR(Ask(*filter_, [&] {
    option = filter_->LogRecordFound(batch.log_number,
                                     LogFileName(wal_dir_, batch.log_number),
                                     found, &changed, &is_changed);
  }));
  switch (option) {
    case Option::kContinueProcessing:
      return is_changed ? PassChanged(batch, changed, next_sequence)
                        : sink_->OnBatch(batch, next_sequence);
    case Option::kIgnoreCurrentRecord:
      return Status::OK();
    case Option::kStopReplay:
      stopped_ = true;
      return Status::OK();
    case Option::kCorruptedRecord:
      return Status::Corruption("Corruption reported by Wal Filter",
                                filter_->Name());
    default:
      return Status::NotSupported(
          std::string("wal_filter ") + filter_->Name() + ": unknown decision",
          std::to_string(static_cast<int>(option)));
  }
}

Status FilteredReplay::PassChanged(const ReplayedBatch& batch,
                                   const WriteBatch& changed,
                                   SequenceNumber* next_sequence) {
  if (WriteBatchInternal::LacksTimestamp(&changed)) {
    return Status::InvalidArgument(
        std::string("wal_filter ") + filter_->Name() +
            ": a batch was replaced by one whose keys lack timestamps",
        "call WriteBatch::UpdateTimestamps()");
  }
  ReplayedBatch passed = batch;
  passed.contents = WriteBatchInternal::Contents(&changed);
  passed.count = WriteBatchInternal::Count(&changed);
  if (passed.count > batch.count) {
    return Status::NotSupported(
        std::string("wal_filter ") + filter_->Name() + ": a batch of " +
            std::to_string(batch.count) + " entries got more",
        std::to_string(passed.count));
  }
  const SequenceNumber behind = *next_sequence;
  *next_sequence = passed.sequence + passed.count;
  RETURN_IF_ERROR(sink_->OnBatch(passed, next_sequence));
  *next_sequence = std::max(*next_sequence, behind);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
