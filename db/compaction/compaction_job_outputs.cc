// What CompactionJob does with outputs, whichever process has written them:
// taking, verifying and deleting them, and telling how far it is.

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/compaction/compaction_job.h"
#include "db/format/file_names.h"
#include "env/file_checksum.h"
#include "env/file_copy.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "table/table_unique_id.h"

namespace ROCKSDB_NAMESPACE::engine {

// In bytes of the input files, which are smaller than their entries where
// blocks are compressed.
uint64_t CompactionJob::progress_bytes() const {
  const uint64_t consumed = consumed_bytes_.load(std::memory_order_relaxed);
  if (entry_bytes_ == 0) return std::min(consumed, input_bytes_);
  const double share =
      static_cast<double>(consumed) / static_cast<double>(entry_bytes_);
  return static_cast<uint64_t>(static_cast<double>(input_bytes_) *
                               std::min(share, 1.0));
}

// The job goes on as it began; before it has begun, nothing is dropped.
uint64_t CompactionJob::predicted_output_bytes() const {
  const uint64_t progress = progress_bytes();
  const uint64_t written = written_bytes();
  constexpr uint64_t kBegunBytes = 1 << 20;
  if (progress < std::min(kBegunBytes, input_bytes_)) return input_bytes_;
  return static_cast<uint64_t>(static_cast<double>(written) *
                               static_cast<double>(input_bytes_) /
                               static_cast<double>(progress));
}

// ------------------------------------------------------------------- adopting

namespace {

Status Unlike(const FileMetaData& file, const char* expected,
              const std::string& found) {
  return Status::Corruption("table " + std::to_string(file.number) +
                                " of another process: expected " + expected,
                            "found " + found);
}

SequenceNumber LargestSequence(const CompactionPlan& plan) {
  SequenceNumber largest = 0;
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    for (const FilePtr& file : inputs.files) {
      largest = std::max(largest, file->largest_sequence);
    }
  }
  return largest;
}

}  // namespace

// What the tables are said to hold could come from the inputs, and may stand in
// one level.
Status CompactionJob::CheckOutcome(const CompactionOutcome& outcome) const {
  const InternalKeyComparator& icmp = *deps_.owner.icmp;
  const SequenceNumber largest_sequence = LargestSequence(plan_);
  const FileMetaData* last = nullptr;
  for (const FilePtr& file : outcome.tables) {
    const auto has_key = [&](const InternalKey& key) {
      return key.Valid() && key.user_key().size() >= icmp.timestamp_size();
    };
    if (!has_key(file->smallest) || !has_key(file->largest) ||
        icmp.Compare(file->smallest, file->largest) > 0) {
      return Unlike(
          *file, "two bounds, the smallest first",
          file->smallest.DebugString() + " and " + file->largest.DebugString());
    }
    const bool inside =
        icmp.CompareKeys(file->smallest.user_key(), plan_.smallest_user_key) >=
            0 &&
        icmp.CompareKeys(file->largest.user_key(), plan_.largest_user_key) <= 0;
    if (!inside) {
      return Unlike(
          *file, "keys within those of the inputs",
          file->smallest.DebugString() + " to " + file->largest.DebugString());
    }
    if (file->smallest_sequence > file->largest_sequence ||
        file->largest_sequence > largest_sequence) {
      return Unlike(*file, "sequences of the inputs",
                    std::to_string(file->smallest_sequence) + " to " +
                        std::to_string(file->largest_sequence));
    }
    if (!file->timestamps_persisted || file->tail_bytes > file->size) {
      return Unlike(*file, "facts that a compaction writes", "others");
    }
    if (last != nullptr && plan_.output_level > 0 &&
        icmp.Compare(last->largest, file->smallest) >= 0) {
      return Unlike(*file, "keys behind those of the table before it",
                    file->smallest.DebugString());
    }
    last = file.get();
  }
  return CheckGarbage(outcome);
}

// The inputs point only at files that their version has.
Status CompactionJob::CheckGarbage(const CompactionOutcome& outcome) const {
  for (const BlobFileGarbage& garbage : outcome.blob_garbage) {
    const LiveBlobFile* const blob =
        plan_.version->blobs().Find(garbage.number);
    const bool possible = blob != nullptr &&
                          garbage.blob_count <= blob->file->facts.blob_count &&
                          garbage.blob_bytes <= blob->file->facts.blob_bytes;
    if (possible) continue;
    return Status::Corruption(
        "compaction result: expected garbage in blob files of the inputs",
        "found " + std::to_string(garbage.blob_count) + " blobs in file " +
            std::to_string(garbage.number));
  }
  return Status::OK();
}

Status CompactionJob::Adopt(const CompactionOutcome& outcome,
                            const PauseToken& token) {
  assert(slices_.empty() && !adopted() && !finished_);
  RETURN_IF_ERROR(CheckOutcome(outcome));
  adopted_ = std::make_unique<CompactionOutcome>();
  adopted_->blob_garbage = outcome.blob_garbage;
  if (deps_.observer != nullptr) deps_.observer->SliceBegun(0);
  const Status status = AdoptFiles(outcome, token);
  CompactionJobStats& stats = adopted_->stats;
  stats = outcome.stats;
  stats.output_files = adopted_->tables.size();
  stats.output_bytes = 0;
  for (const FilePtr& file : adopted_->tables) stats.output_bytes += file->size;
  consumed_bytes_ = entry_bytes_ != 0 ? entry_bytes_ : input_bytes_;
  written_bytes_ = stats.output_bytes;
  if (deps_.observer != nullptr) deps_.observer->SliceEnded(0, stats, status);
  return status;
}

Status CompactionJob::AdoptFiles(const CompactionOutcome& outcome,
                                 const PauseToken& token) {
  const auto go_on = [&token] {
    return token.wish() == PauseToken::Wish::kCancel
               ? Status::ShutdownInProgress("The compaction was cancelled")
               : Status::OK();
  };
  for (const BlobFileAddition& file : outcome.blob_files) {
    RETURN_IF_ERROR(go_on());
    RETURN_IF_ERROR(
        AdoptBlobFile(BlobFileName(outcome.directory, file.number), file));
  }
  for (const FilePtr& file : outcome.tables) {
    RETURN_IF_ERROR(go_on());
    RETURN_IF_ERROR(
        AdoptTable(TableFileName(outcome.directory, file->number), file));
  }
  return Status::OK();
}

// What a job knows of its own outputs, it says of these, too.
Status CompactionJob::AdoptTable(const std::string& from, const FilePtr& file) {
  assert(file != nullptr && file->home == nullptr);
  file->number = deps_.new_file_number();
  file->path_id = plan_.output_path_id;
  file->home = deps_.owner.home;
  file->epoch = epoch_;
  file->oldest_ancestor_time_secs = oldest_ancestor_time_secs_;
  if (plan_.bottommost) {
    file->settled_sequence =
        deps_.snapshots.empty() ? kSequenceMax : deps_.snapshots.front();
  }
  if (deps_.observer != nullptr) {
    deps_.observer->TableBegun(file->number, file->path_id);
  }
  FinishedTable table;
  table.file = file;
  Status status = MoveFile(from, file->Path(), file->size);
  if (status.ok()) {
    adopted_->tables.push_back(file);
    status = OpenAdopted(*file, &table);
  }
  if (deps_.observer != nullptr) {
    deps_.observer->TableEnded(file->number, file->path_id, table, status);
  }
  return status;
}

Status CompactionJob::OpenAdopted(const FileMetaData& file,
                                  FinishedTable* table) const {
  auto reader = deps_.tables->Find(file, plan_.output_level,
                                   Env::IOActivity::kCompaction);
  if (!reader.ok()) return reader.status();
  table->properties = *(*reader)->properties();
  uint64_t id[2] = {0, 0};
  const bool has_id = InternalUniqueId(table->properties, id);
  if (file.has_unique_id() &&
      (!has_id || id[0] != file.unique_id[0] || id[1] != file.unique_id[1])) {
    return Unlike(file, "the table with the unique id that was said",
                  "another one");
  }
  RETURN_IF_ERROR((*reader)->VerifyChecksums(ReadOptions()));
  return CheckFileChecksum(file.Path(), file.size, file.checksum_function,
                           file.checksum);
}

// Where the other process has computed one, with a function that is known here.
Status CompactionJob::CheckFileChecksum(const std::string& path, uint64_t bytes,
                                        const std::string& function,
                                        const std::string& expected) const {
  FileChecksumGenFactory* const factory =
      deps_.store->options.file_checksum_gen_factory.get();
  if (factory == nullptr || expected.empty() || function.empty()) {
    return Status::OK();
  }
  const auto found =
      ChecksumOfFile(deps_.store->fs, path, bytes, factory, function,
                     ReadOptions().rate_limiter_priority);
  if (!found.ok()) {
    return found.status().IsInvalidArgument() ? Status::OK() : found.status();
  }
  if (found->value == expected) return Status::OK();
  return Status::Corruption(
      path + ": file checksum mismatch: expected " +
          Slice(expected).ToString(/*hex=*/true),
      "found " + Slice(found->value).ToString(/*hex=*/true));
}

Status CompactionJob::AdoptBlobFile(const std::string& from,
                                    const BlobFileAddition& file) {
  if (deps_.observer != nullptr) deps_.observer->BlobFileBegun(file.number);
  BlobFile written(file);
  written.home = deps_.owner.home;
  Status status = MoveFile(from, written.Path(), written.size());
  if (status.ok()) {
    adopted_->blob_files.push_back(file);
    status = deps_.blobs->CheckRecords(written);
  }
  if (status.ok()) {
    status = CheckFileChecksum(written.Path(), written.size(),
                               file.checksum_method, file.checksum_value);
  }
  if (deps_.observer != nullptr) deps_.observer->BlobFileEnded(file, status);
  return status;
}

// Between file systems a rename fails, and the file is copied.
Status CompactionJob::MoveFile(const std::string& from, const std::string& to,
                               uint64_t bytes) const {
  const StoreContext& store = *deps_.store;
  uint64_t found = 0;
  RETURN_IF_ERROR(store.fs->GetFileSize(from, IOOptions(), &found, nullptr));
  if (found != bytes) {
    return Status::Corruption(
        from + ": expected " + std::to_string(bytes) + " bytes",
        "found " + std::to_string(found));
  }
  if (store.fs->RenameFile(from, to, IOOptions(), nullptr).ok()) {
    return Status::OK();
  }
  FileCopyOptions copy;
  copy.use_fsync = store.options.use_fsync;
  copy.rate_limiter = store.options.rate_limiter.get();
  copy.io_pass = deps_.io_pass;
  RETURN_IF_ERROR(CopyFileSynced(store.fs, from, to, bytes, copy));
  (void)store.fs->DeleteFile(from, IOOptions(), nullptr);
  return Status::OK();
}

// -------------------------------------------------------------------- checking

// Every entry of the input files was read once: an error that ended one of the
// inputs early, and was lost on its way, would drop what lies behind it.
Status CompactionJob::VerifyInputCount() const {
  if (!deps_.store->options.compaction_verify_record_count) return {};
  const CompactionIteratorStats read = stats().iterator;
  if (read.skipped_input) return {};
  uint64_t expected = 0;
  for (const CompactionPlan::Inputs& inputs : plan_.inputs) {
    for (const FilePtr& file : inputs.files) {
      // Tables of other programs may have no counts.
      if (!file->stats_loaded.load(std::memory_order_acquire)) return {};
      const uint64_t entries = file->num_entries.load();
      const uint64_t ranges = file->num_range_deletions.load();
      if (entries == 0 || entries < ranges) return {};
      expected += entries - ranges;
    }
  }
  if (read.input_records == expected) return {};  // (2)
  return Status::Corruption("compaction of " + deps_.owner.family_name + ", " +
                                plan_.Summary() + ": read " +
                                std::to_string(read.input_records) + " entries",
                            "expected " + std::to_string(expected));
}

// Opening an output proves that footer, index and properties can be read
// back, and leaves the table ready for the reads that follow.
Status CompactionJob::VerifyOutputs() const {
  for (const FilePtr& file : outputs()) {
    auto table = deps_.tables->Find(*file, plan_.output_level,
                                    Env::IOActivity::kCompaction);
    if (!table.ok()) return table.status();
    if (!deps_.owner.options->paranoid_file_checks) continue;
    RETURN_IF_ERROR((*table)->VerifyChecksums(ReadOptions()));
  }
  return Status::OK();
}

// Blob files of slices are deleted by BlobOutput.
void CompactionJob::DeleteOutputs() {
  for (const FilePtr& file : outputs()) {
    deps_.tables->Evict(file->number);
    (void)deps_.store->fs->DeleteFile(file->Path(), IOOptions(), nullptr);
  }
  if (!adopted()) return;
  for (const BlobFileAddition& file : adopted_->blob_files) {
    deps_.tables->Evict(file.number);
    (void)deps_.store->fs->DeleteFile(
        BlobFileName(deps_.owner.home->Dir(0), file.number), IOOptions(),
        nullptr);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
