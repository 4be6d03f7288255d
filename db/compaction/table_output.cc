#include "db/compaction/table_output.h"

#include <algorithm>
#include <cassert>

#include "db/blob/blob_references.h"
#include "db/format/file_names.h"
#include "db/read/table_cache.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/system_clock.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

FileOptions OutputFileOptions(const DBOptions& options) {
  FileOptions file_options(options);
  file_options.use_direct_writes =
      options.use_direct_io_for_flush_and_compaction;
  return file_options;
}

Result<std::unique_ptr<TableOutput>> TableOutput::Create(
    TableOutputOptions options) {
  std::unique_ptr<TableOutput> output(new TableOutput(std::move(options)));
  output->path_ =
      TableFileName(output->options_.home->Dir(output->options_.path_id),
                    output->options_.build.file_number);
  const StoreContext& store = *output->options_.store;
  Result<std::unique_ptr<WritableFileWriter>> file = WritableFileWriter::Create(
      store.fs, output->path_, output->options_.file_options,
      {store.statistics, SST_WRITE_MICROS, store.clock,
       output->options_.written_ticker});
  if (!file.ok()) return file.status();
  output->file_ = std::move(*file);
  output->file_->SetIOPriority(output->options_.io_priority);
  output->file_->SetIoPass(output->options_.io_pass);
  output->file_->file()->SetWriteLifeTimeHint(output->options_.lifetime_hint);
  if (output->options_.preallocation_bytes > 0) {
    output->file_->file()->SetPreallocationBlockSize(
        output->options_.preallocation_bytes);
  }
  output->builder_ = std::make_unique<TableBuilder>(output->options_.build,
                                                    output->file_.get());
  return output;
}

TableOutput::~TableOutput() {
  if (finished_ || file_ == nullptr) return;
  if (builder_ != nullptr) builder_->Abandon();
  file_->Abandon();
  (void)options_.store->fs->DeleteFile(path_, IOOptions(), nullptr);
}

void TableOutput::AddRangeDeletion(const RangeTombstone& tombstone) {
  assert(!finished_);
  facts_.AddBoundary(*options_.build.icmp, tombstone);
  if (!tombstone.timestamp.empty()) {
    const InternalKey begin(WithTimestamp(tombstone.begin, tombstone.timestamp),
                            tombstone.sequence, ValueType::kRangeDeletion);
    builder_->Add(begin.Encode(),
                  WithTimestamp(tombstone.end, tombstone.timestamp));
    return;
  }
  const InternalKey begin(tombstone.begin, tombstone.sequence,
                          ValueType::kRangeDeletion);
  builder_->Add(begin.Encode(), tombstone.end);
}

// The same answers as if every block was written as soon as it was complete.
uint64_t TableOutput::SizeForCut(uint64_t max) {
  const uint64_t least = builder_->EstimatedFileSize();
  const uint64_t pending = builder_->PendingBytesMax();
  for (const uint64_t limit : {max / 2, max}) {
    if (least >= limit || limit - least > pending) continue;
    builder_->WriteBegunBlocks();
    return builder_->EstimatedFileSize();
  }
  return least;
}

// To what the entry points at.
void TableOutput::LinkTo(ValueType type, const Slice& value) {
  const Status status = ForEachBlob(type, value, [&](const BlobIndex& index) {
    uint64_t& oldest = facts_.oldest_blob_file;
    if (index.file_number == kBlobInSameTable) {
      // It would point into this table from now on.
      link_status_ = Status::Corruption(
          index.DebugString(), "expected a blob file, found no number");
    } else if (oldest == kNoBlobFile || index.file_number < oldest) {
      oldest = index.file_number;
    }
  });
  if (link_status_.ok()) link_status_ = status;
}

Status TableOutput::FinishFile() {
  RETURN_IF_ERROR(link_status_);
  RETURN_IF_ERROR(builder_->Finish());
  {
    const bool compacts =
        options_.build.reason == TableFileCreationReason::kCompaction;
    const StopWatch watch(
        options_.store->clock, options_.store->statistics,
        compacts ? COMPACTION_OUTFILE_SYNC_MICROS : TABLE_SYNC_MICROS);
    RETURN_IF_ERROR(file_->Sync(options_.store->options.use_fsync));
  }
  return file_->Close();
}

Result<FinishedTable> TableOutput::Finish() {
  assert(!finished_);
  RETURN_IF_ERROR(FinishFile());
  finished_ = true;
  FinishedTable table;
  table.properties = builder_->properties();
  facts_.number = options_.build.file_number;
  facts_.path_id = options_.path_id;
  facts_.size = builder_->FileSize();
  facts_.tail_bytes = builder_->TailSize();
  facts_.marked_for_compaction = builder_->NeedCompact();
  facts_.creation_time_secs = options_.build.file_creation_time_secs;
  facts_.oldest_ancestor_time_secs = options_.build.creation_time_secs;
  assert(facts_.smallest.Valid() && facts_.largest.Valid());    // (2)
  assert(facts_.smallest_sequence <= facts_.largest_sequence);  // (2)
  assert(facts_.tail_bytes <= facts_.size);
  const std::string id =
      TableUniqueId(options_.build.db_id, options_.build.db_session_id,
                    options_.build.file_number);
  if (id.size() == 2 * sizeof(uint64_t)) {
    facts_.unique_id[0] = DecodeFixed64(id.data());
    facts_.unique_id[1] = DecodeFixed64(id.data() + sizeof(uint64_t));
  }
  if (const FileChecksumGenerator* checksum = builder_->file_checksum()) {
    facts_.checksum = checksum->GetChecksum();
    facts_.checksum_function = checksum->Name();
  }
  table.file = std::make_shared<FileMetaData>(std::move(facts_));
  table.file->home = options_.home;
  table.file->holds_old_versions = holds_old_versions_;
  return table;
}

CompressionType CompressionFor(const ColumnFamilyOptions& options, int level,
                               int base_level, bool bottommost) {
  if (bottommost &&
      options.bottommost_compression != kDisableCompressionOption) {
    return options.bottommost_compression;
  }
  if (options.compression_per_level.empty()) return options.compression;
  const int index = level == 0 ? 0 : level - base_level + 1;
  const int last = static_cast<int>(options.compression_per_level.size()) - 1;
  return options
      .compression_per_level[static_cast<size_t>(std::clamp(index, 0, last))];
}

TableBuildOptions BuildOptionsFor(const StoreContext& store,
                                  const TableOwner& owner, int level,
                                  int base_level, bool bottommost) {
  const ColumnFamilyOptions& options = *owner.options;
  TableBuildOptions build;
  build.icmp = owner.icmp;
  if (auto table = TableOptionsOf(options.table_factory.get()); table.ok()) {
    build.table = *table;
  }
  build.compression = CompressionFor(options, level, base_level, bottommost);
  build.compression_opts =
      bottommost && options.bottommost_compression_opts.enabled
          ? options.bottommost_compression_opts
          : options.compression_opts;
  build.sample_for_compression = options.sample_for_compression;
  build.column_family_name = owner.family_name;
  build.column_family_id = owner.family_id;
  build.level = level;
  build.is_bottommost = bottommost;
  build.optimize_filters_for_hits = options.optimize_filters_for_hits;
  if (options.merge_operator != nullptr) {
    build.merge_operator_name = options.merge_operator->Name();
  }
  build.prefix_extractor = options.prefix_extractor;
  build.collector_factories = options.table_properties_collector_factories;
  build.file_checksum_factory = store.options.file_checksum_gen_factory;
  build.db_id = store.db_id;
  build.db_session_id = store.db_session_id;
  build.db_host_id = store.db_host_id;
  int64_t now_secs = 0;
  (void)store.clock->GetCurrentTime(&now_secs);
  build.creation_time_secs = static_cast<uint64_t>(now_secs);
  build.file_creation_time_secs = static_cast<uint64_t>(now_secs);
  build.statistics = store.statistics;
  build.info_log = store.info_log;
  build.uses_secondary_cache =
      store.options.lowest_used_cache_tier != CacheTier::kVolatileTier;
  build.protection_bytes = options.block_protection_bytes_per_key;
  return build;
}

}  // namespace ROCKSDB_NAMESPACE::engine
