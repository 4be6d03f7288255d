#include "db/compaction/table_output.h"

#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Result<std::unique_ptr<TableOutput>> TableOutput::Create(
    TableOutputOptions options) {
  std::unique_ptr<TableOutput> output(new TableOutput(std::move(options)));
  const StoreContext& store = *output->options_.store;
  FileOptions file_options(store.options);
  file_options.use_direct_writes =
      store.options.use_direct_io_for_flush_and_compaction;
  Result<std::unique_ptr<WritableFileWriter>> file =
      WritableFileWriter::Create(
          store.fs, output->options_.path, file_options,
          {store.statistics, SST_WRITE_MICROS, store.clock});
  if (!file.ok()) return file.status();
  output->file_ = std::move(*file);
  output->file_->SetIOPriority(output->options_.io_priority);
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
  builder_->Abandon();
  (void)file_->Close();
  (void)options_.store->fs->DeleteFile(options_.path, IOOptions(), nullptr);
}

Status TableOutput::FinishFile() {
  RETURN_IF_ERROR(builder_->Finish());
  RETURN_IF_ERROR(file_->Sync(options_.store->options.use_fsync));
  return file_->Close();
}

Result<TableFacts> TableOutput::Finish() {
  RETURN_IF_ERROR(FinishFile());
  finished_ = true;
  facts_.number = options_.build.file_number;
  facts_.file_size = builder_->FileSize();
  facts_.tail_size = builder_->TailSize();
  facts_.largest.DecodeFrom(last_key_);
  facts_.need_compaction = builder_->NeedCompact();
  facts_.unique_id = TableUniqueId(options_.build.db_id,
                                   options_.build.db_session_id,
                                   options_.build.file_number);
  facts_.properties = builder_->properties();
  facts_.path = options_.path;
  return std::move(facts_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
