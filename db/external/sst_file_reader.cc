#include "rocksdb/sst_file_reader.h"

#include <utility>

#include "db/read/db_iterator.h"
#include "db/read/table_cache.h"
#include "db/read/timestamp_iterator.h"
#include "env/file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/snapshot.h"
#include "table/merging_iterator.h"
#include "table/table_reader.h"
#include "table/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Shows an internal iterator as it is.
class TableIteratorView final : public Iterator {
 public:
  explicit TableIteratorView(std::unique_ptr<engine::InternalIterator> iter)
      : iter_(std::move(iter)) {}

  bool Valid() const override { return iter_->Valid(); }
  void SeekToFirst() override { iter_->SeekToFirst(); }
  void SeekToLast() override { iter_->SeekToLast(); }
  void Seek(const Slice& target) override { iter_->Seek(target); }
  void SeekForPrev(const Slice& target) override { iter_->SeekForPrev(target); }
  void Next() override { iter_->Next(); }
  void Prev() override { iter_->Prev(); }
  Slice key() const override { return iter_->key(); }
  Slice value() const override { return iter_->value(); }
  Status status() const override { return iter_->status(); }

 private:
  const std::unique_ptr<engine::InternalIterator> iter_;
};

}  // namespace

struct SstFileReader::Rep {
  explicit Rep(const Options& given) : options(given), icmp(given.comparator) {}

  std::unique_ptr<engine::InternalIterator> NewEntryIterator(
      const ReadOptions& read, SequenceNumber sequence) const;

  const Options options;
  const engine::InternalKeyComparator icmp;
  std::string path;
  std::unique_ptr<engine::TableReader> table;
};

SstFileReader::SstFileReader(const Options& options)
    : rep_(std::make_unique<Rep>(options)) {}

SstFileReader::~SstFileReader() = default;

Status SstFileReader::Open(const std::string& file_path) {
  Rep& r = *rep_;
  auto table_options = engine::TableOptionsOf(r.options.table_factory.get());
  if (!table_options.ok()) return table_options.status();
  FileSystem* const fs = r.options.env->GetFileSystem().get();
  uint64_t size = 0;
  RETURN_IF_ERROR(fs->GetFileSize(file_path, IOOptions(), &size, nullptr));
  auto file = engine::RandomAccessFileReader::Open(
      fs, file_path, FileOptions(r.options),
      {r.options.statistics.get(), SST_READ_MICROS,
       r.options.env->GetSystemClock().get(), r.options.rate_limiter.get()});
  if (!file.ok()) return file.status();
  engine::TableReadOptions read;
  read.icmp = &r.icmp;
  read.table = *table_options;
  read.prefix_extractor = r.options.prefix_extractor;
  read.statistics = r.options.statistics.get();
  read.info_log = r.options.info_log.get();
  read.protection_bytes = r.options.block_protection_bytes_per_key;
  auto table = engine::TableReader::Open(read, std::move(*file), size);
  if (!table.ok()) return table.status();
  r.path = file_path;
  r.table = std::move(*table);
  return Status::OK();
}

// The entries without those that the file's own range deletions hide.
std::unique_ptr<engine::InternalIterator> SstFileReader::Rep::NewEntryIterator(
    const ReadOptions& read, SequenceNumber sequence) const {
  std::unique_ptr<engine::RangeCover> cover;
  if (table->tombstones() != nullptr && !read.ignore_range_deletions) {
    cover = std::make_unique<engine::RangeCover>(
        &icmp, sequence, read.timestamp == nullptr ? Slice() : *read.timestamp);
    cover->Add(0, table->tombstones());
  }
  return std::unique_ptr<engine::InternalIterator>(engine::NewMergingIterator(
      &icmp, {table->NewIterator(read, engine::TableReadPurpose::kUser)},
      std::move(cover)));
}

Iterator* SstFileReader::NewIterator(const ReadOptions& options) {
  const Rep& r = *rep_;
  if (r.table == nullptr) {
    return NewErrorIterator(Status::InvalidArgument("File is not opened"));
  }
  if (const Status status = engine::CheckReadTimestampSize(
          options, r.icmp.timestamp_size(), r.path);
      !status.ok()) {
    return NewErrorIterator(status);
  }
  const SequenceNumber sequence = options.snapshot != nullptr
                                      ? options.snapshot->GetSequenceNumber()
                                      : engine::kSequenceMax;
  const engine::MergeContext merge = {r.options.merge_operator.get(),
                                      r.options.info_log.get(),
                                      r.options.statistics.get()};
  if (r.icmp.timestamp_size() > 0) {
    engine::TimestampIteratorDeps deps;
    deps.icmp = &r.icmp;
    deps.sequence = sequence;
    deps.merge = merge;
    deps.prefix_extractor = r.options.prefix_extractor;
    return new engine::TimestampIterator(
        std::move(deps), options,
        r.NewEntryIterator(engine::OptionsBelowTimestamps(options), sequence));
  }
  engine::DbIteratorDeps deps;
  deps.icmp = &r.icmp;
  deps.merge = merge;
  deps.clock = r.options.env->GetSystemClock().get();
  deps.max_sequential_skips = r.options.max_sequential_skip_in_iterations;
  engine::IteratorState state;
  state.extractor = r.options.prefix_extractor;
  state.sequence = sequence;
  state.iter = r.NewEntryIterator(options, sequence);
  return new engine::DbIterator(std::move(deps), options, std::move(state));
}

std::unique_ptr<Iterator> SstFileReader::NewTableIterator() {
  const Rep& r = *rep_;
  if (r.table == nullptr) return nullptr;
  std::unique_ptr<engine::InternalIterator> entries(
      r.table->NewIterator(ReadOptions(), engine::TableReadPurpose::kUser));
  return std::make_unique<TableIteratorView>(std::move(entries));
}

Status SstFileReader::Get(const ReadOptions& options, const Slice& key,
                          std::string* value) {
  const Rep& r = *rep_;
  const Comparator& order = *r.icmp.user_comparator();
  std::string user_key = key.ToString();
  user_key += engine::MaxTimestampOf(order);
  if (r.table != nullptr && r.table->KeyCannotMatch(user_key)) {
    return Status::NotFound();
  }
  ReadOptions newest = options;
  newest.iter_start_ts = nullptr;
  const std::unique_ptr<Iterator> iter(NewIterator(newest));
  iter->Seek(key);
  RETURN_IF_ERROR(iter->status());
  if (!iter->Valid() ||
      order.CompareWithoutTimestamp(iter->key(), false, key, false) != 0) {
    return Status::NotFound();
  }
  value->assign(iter->value().data(), iter->value().size());
  return Status::OK();
}

std::vector<Status> SstFileReader::MultiGet(const ReadOptions& options,
                                            const std::vector<Slice>& keys,
                                            std::vector<std::string>* values) {
  std::vector<Status> statuses;
  statuses.reserve(keys.size());
  values->assign(keys.size(), std::string());
  for (size_t i = 0; i < keys.size(); ++i) {
    statuses.push_back(Get(options, keys[i], &(*values)[i]));
  }
  return statuses;
}

std::shared_ptr<const TableProperties> SstFileReader::GetTableProperties()
    const {
  return rep_->table == nullptr ? nullptr : rep_->table->properties();
}

Status SstFileReader::VerifyChecksum(const ReadOptions& options) {
  if (rep_->table == nullptr) {
    return Status::InvalidArgument("File is not opened");
  }
  return rep_->table->VerifyChecksums(options);
}

Status SstFileReader::VerifyNumEntries(const ReadOptions& options) {
  const Rep& r = *rep_;
  if (r.table == nullptr) {
    return Status::InvalidArgument("File is not opened");
  }
  const std::unique_ptr<engine::InternalIterator> entries(
      r.table->NewIterator(options, engine::TableReadPurpose::kVerify));
  uint64_t found = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) ++found;
  RETURN_IF_ERROR(entries->status());
  const TableProperties& properties = *r.table->properties();
  const uint64_t expected =
      properties.num_entries - properties.num_range_deletions;
  if (found == expected) return Status::OK();
  return Status::Corruption("table file " + r.path + ": expected " +
                            std::to_string(expected) + " entries, found " +
                            std::to_string(found));
}

}  // namespace ROCKSDB_NAMESPACE
