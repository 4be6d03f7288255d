// CompactionJob: carries out one CompactionPlan.
//
// Place. Made by the scheduler under the DB mutex; runs without it; the
// scheduler installs the resulting edit.
//
// Model. The key range is cut into slices, each an independent task:
//
//   Prepare -> slices | RunSlice: merge -> CompactionIterator -> OutputCutter
//                     |           -> TableOutput, ...
//   all slices done -> Finish: sync directory, verify, fill the edit
//
// Or another process has done it, and Adopt() takes its files before Finish().
//
// A slice is an object, not a loop on a stack: when told to pause, RunSlice
// returns but keeps its iterators, view and open output. The next call, from
// any thread, continues where it stopped.
//
// Invariants:
//   (1) The database does not change until the edit is installed: a job that
//       fails or is cancelled deletes its outputs and leaves no other trace.
//       From Finish() on they are the caller's.
//   (2) Slices are disjoint in user keys and cover the inputs.
//   (3) The edit that drops a table also records the blob garbage this creates.
//   (4) An output's range deletions cover the span from the end of the previous
//       output to its own end, so a file may consist of range deletions alone.
//
// Threads. Prepare and Finish: one. RunSlice: one thread per slice at a time,
// different slices in parallel.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/blob/blob_stage.h"
#include "db/compaction/compaction_iterator.h"
#include "db/compaction/output_cutter.h"
#include "db/compaction/pause_token.h"
#include "db/compaction/plan.h"
#include "db/compaction/surviving_tombstones.h"
#include "db/compaction/table_output.h"
#include "db/format/store_context.h"
#include "db/manifest/version_edit.h"
#include "db/read/table_cache.h"

namespace ROCKSDB_NAMESPACE::engine {

struct CompactionJobStats {
  CompactionIteratorStats iterator;
  uint64_t input_bytes = 0;
  uint64_t output_bytes = 0;
  uint64_t output_records = 0;
  uint64_t output_files = 0;
  uint64_t range_deletions_dropped = 0;  // Nothing is left below them.
  uint64_t cpu_micros = 0;               // Of all slices.
  // Not among the bytes above.
  uint64_t blobs_read = 0;
  uint64_t blob_bytes_read = 0;
  uint64_t blob_files_written = 0;
  uint64_t blob_bytes_written = 0;
};

// Is also notified of slices, by the threads that run them.
class CompactionObserver : public TableObserver {
 public:
  virtual void SliceBegun(size_t index) = 0;
  virtual void SliceEnded(size_t index, const CompactionJobStats& stats,
                          const Status& status) = 0;
};

// What another process has made of a plan. The files lie in `directory`, under
// the numbers that are here.
struct CompactionOutcome {
  std::string directory;
  std::vector<FilePtr> tables;  // By key.
  std::vector<BlobFileAddition> blob_files;
  std::vector<BlobFileGarbage> blob_garbage;
  CompactionJobStats stats;
};

struct CompactionJobDeps {
  const StoreContext* store = nullptr;
  FileOptions file_options;  // OutputFileOptions().
  const TableCache* tables = nullptr;
  const BlobSource* blobs = nullptr;
  TableOwner owner;
  std::function<uint64_t()> new_file_number;
  std::function<uint64_t()> new_blob_number;  // Empty: the same.
  std::vector<SequenceNumber> snapshots;      // Ascending.
  std::string full_history_ts_low;            // Empty: keep all times.
  std::string trim_after;                     // See CompactionIteratorOptions.
  int job_id = 0;
  int base_level = 1;
  // Asked when an output file is made: IO_USER while writers wait for it.
  std::function<Env::IOPriority()> io_priority;
  uint64_t compaction_readahead_bytes = 0;
  // Shown at the gate for every read and write; null: not gated. Outlives the
  // job.
  const IoPass* io_pass = nullptr;
  CompactionObserver* observer = nullptr;  // May be null.
};

class CompactionJob {
 public:
  CompactionJob(CompactionJobDeps deps, CompactionPlan plan);
  ~CompactionJob();
  CompactionJob(const CompactionJob&) = delete;
  CompactionJob& operator=(const CompactionJob&) = delete;

  // Cuts the range; may open tables. Returns the number of slices.
  size_t Prepare();
  size_t slices() const;

  JobProgress RunSlice(size_t index, const PauseToken& token);

  // Instead of Prepare() and RunSlice(): takes what another process has made of
  // the plan. The tables get new numbers, also in their objects; the blob files
  // keep theirs; all move into the family's directories. Counts as one slice.
  // All their bytes are read and compared with their checksums. Errors:
  // Corruption when a file is not as `outcome` says; ShutdownInProgress when
  // `token` was cancelled, which is looked at between files; those of the file
  // system. The files taken until then are the job's to delete.
  Status Adopt(const CompactionOutcome& outcome, const PauseToken& token);
  bool adopted() const { return adopted_ != nullptr; }

  // REQUIRES: every slice returned kDone or kFailed, or Adopt() returned OK.
  // Fills `edit` with what the compaction changes. Errors: the first slice's,
  // or of verifying.
  Status Finish(VersionEdit* edit);

  const CompactionPlan& plan() const { return plan_; }
  CompactionJobStats stats() const;
  std::vector<FilePtr> outputs() const;
  std::vector<BlobFileAddition> blob_outputs() const;
  // Known once all slices are done.
  std::vector<BlobFileGarbage> blob_garbage() const;

  // How far all slices are; any thread.
  uint64_t input_bytes() const { return input_bytes_; }
  uint64_t progress_bytes() const;  // Of these, used up.
  uint64_t written_bytes() const {
    return written_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t predicted_output_bytes() const;  // In the end.

 private:
  class KeySlice;

  std::vector<std::string> CutPoints();
  Status LoadRangeDeletions();
  std::unique_ptr<InternalIterator> NewInput() const;
  std::vector<OutputCutter::Grandparent> Grandparents() const;
  std::function<bool(const Slice&)> MayExistBelow() const;
  Result<std::unique_ptr<TableOutput>> NewOutput(uint64_t number) const;
  std::unique_ptr<BlobOutput> NewBlobOutput() const;
  Status CheckOutcome(const CompactionOutcome& outcome) const;
  Status CheckGarbage(const CompactionOutcome& outcome) const;
  Status AdoptFiles(const CompactionOutcome& outcome, const PauseToken& token);
  Status AdoptTable(const std::string& from, const FilePtr& file);
  Status OpenAdopted(const FileMetaData& file, FinishedTable* table) const;
  Status AdoptBlobFile(const std::string& from, const BlobFileAddition& file);
  Status MoveFile(const std::string& from, const std::string& to,
                  uint64_t bytes) const;
  Status CheckFileChecksum(const std::string& path, uint64_t bytes,
                           const std::string& function,
                           const std::string& expected) const;
  Status VerifyInputCount() const;
  Status VerifyOutputs() const;
  void DeleteOutputs();

  const CompactionJobDeps deps_;
  CompactionPlan plan_;
  uint64_t oldest_ancestor_time_secs_ = 0;
  uint64_t epoch_ = 0;
  Status load_status_;  // Of what Prepare reads; the slices report it.
  // The inputs' range deletions, null when there are none, and which of them
  // are written.
  std::unique_ptr<const TombstoneSet> tombstones_;
  std::unique_ptr<const SurvivingTombstones> surviving_;
  std::vector<std::unique_ptr<KeySlice>> slices_;
  // What has been taken of another process's work; null: nothing.
  std::unique_ptr<CompactionOutcome> adopted_;
  uint64_t oldest_blob_file_ = kNoBlobFile;  // That the inputs point at.
  uint64_t input_bytes_ = 0;
  uint64_t entry_bytes_ = 0;                 // Uncompressed; 0: not known.
  std::atomic<uint64_t> consumed_bytes_{0};  // Uncompressed, of all slices.
  std::atomic<uint64_t> written_bytes_{0};
  bool finished_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
