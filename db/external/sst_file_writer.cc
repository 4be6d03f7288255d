#include "rocksdb/sst_file_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/read/table_cache.h"
#include "env/file_writer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/system_clock.h"
#include "table/entity.h"
#include "table/table_builder.h"
#include "table/table_unique_id.h"
#include "table/timestamps.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::TableBuildOptions;

// Version 2: all entries take the sequence that ingestion gives to the file.
constexpr uint32_t kExternalVersion = 2;
// What stands for the database in the identity of these files.
constexpr char kDbId[] = "SST Writer";

std::string NewSessionId(Env* env) {
  const std::string unique = env->GenerateUniqueId();
  return engine::EncodeSessionId(
      engine::Hash64(unique.data(), unique.size(), 1),
      engine::Hash64(unique.data(), unique.size(), 2));
}

// The file is likely to end up in the last level.
void ChooseCompression(const Options& options, TableBuildOptions* build) {
  build->compression_opts = options.compression_opts;
  if (options.bottommost_compression != kDisableCompressionOption) {
    build->compression = options.bottommost_compression;
    if (options.bottommost_compression_opts.enabled) {
      build->compression_opts = options.bottommost_compression_opts;
    }
  } else if (!options.compression_per_level.empty()) {
    build->compression = options.compression_per_level.back();
  } else {
    build->compression = options.compression;
  }
}

}  // namespace

struct SstFileWriter::Rep {
  Rep(const EnvOptions& env_options, const Options& given,
      const Comparator* comparator)
      : options(given), icmp(comparator), file_options(env_options) {}

  // Keys are given without their timestamps.
  Status Add(const Slice& key, const Slice& timestamp, const Slice& value,
             engine::ValueType type);
  Status AddRange(const Slice& begin, const Slice& end, const Slice& timestamp);
  Status CheckEntry(const Slice& timestamp) const;
  void MergeRanges();
  void WriteRanges();
  void Discard();
  Status FinishFile();
  void FillInfo();
  void DropFromPageCache();
  FileSystem* fs() const { return options.env->GetFileSystem().get(); }

  const Options options;
  const engine::InternalKeyComparator icmp;
  const FileOptions file_options;
  bool invalidate_page_cache = true;
  Env::IOPriority io_priority = Env::IO_TOTAL;

  Status setup;             // Of the options.
  TableBuildOptions build;  // All but number and times.
  uint64_t files_begun = 0;

  std::unique_ptr<engine::WritableFileWriter> file;
  std::unique_ptr<engine::TableBuilder> builder;
  std::string last_internal_key;
  // To be deleted: user keys, both of the same timestamp.
  std::vector<std::pair<std::string, std::string>> ranges;
  ExternalSstFileInfo info;
};

// NOLINTNEXTLINE(readability-function-size): the signature is public.
SstFileWriter::SstFileWriter(const EnvOptions& env_options,
                             const Options& options,
                             const Comparator* user_comparator,
                             ColumnFamilyHandle* column_family,
                             bool invalidate_page_cache,
                             Env::IOPriority io_priority, bool skip_filters)
    : rep_(std::make_unique<Rep>(env_options, options, user_comparator)) {
  Rep& r = *rep_;
  r.invalidate_page_cache = invalidate_page_cache;
  r.io_priority = io_priority;
  TableBuildOptions& build = r.build;
  build.icmp = &r.icmp;
  auto table = engine::TableOptionsOf(options.table_factory.get());
  if (table.ok()) {
    build.table = *table;
  } else {
    r.setup = table.status();
  }
  if (skip_filters) build.table.filter_policy = nullptr;
  ChooseCompression(options, &build);
  build.level = -1;
  build.column_family_name.clear();
  build.column_family_id =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  if (column_family != nullptr) {
    build.column_family_id = column_family->GetID();
    build.column_family_name = column_family->GetName();
  }
  if (options.merge_operator != nullptr) {
    build.merge_operator_name = options.merge_operator->Name();
  }
  build.prefix_extractor = options.prefix_extractor;
  build.collector_factories = options.table_properties_collector_factories;
  // As compactions would: without it all of a file would wait in memory for
  // its dictionary.
  build.target_file_size = options.target_file_size_base;
  build.external_version = kExternalVersion;
  build.file_checksum_factory = options.file_checksum_gen_factory;
  build.db_id = kDbId;
  build.db_session_id = NewSessionId(options.env);
  (void)options.env->GetHostNameString(&build.db_host_id);
  build.statistics = options.statistics.get();
  build.info_log = options.info_log.get();
}

SstFileWriter::~SstFileWriter() { rep_->Discard(); }

// Deletes what was begun.
void SstFileWriter::Rep::Discard() {
  if (builder == nullptr) return;
  assert(file != nullptr);
  builder->Abandon();
  ranges.clear();
  file->Abandon();
  (void)fs()->DeleteFile(info.file_path, IOOptions(), nullptr);
  builder.reset();
  file.reset();
}

Status SstFileWriter::Open(const std::string& file_path) {
  Rep& r = *rep_;
  RETURN_IF_ERROR(r.setup);
  r.Discard();
  auto file = engine::WritableFileWriter::Create(
      r.fs(), file_path, r.file_options,
      {r.build.statistics, SST_WRITE_MICROS,
       r.options.env->GetSystemClock().get()});
  if (!file.ok()) return file.status();
  r.file = std::move(*file);
  r.file->SetIOPriority(r.io_priority);
  r.build.file_number = ++r.files_begun;
  int64_t now_secs = 0;
  (void)r.options.env->GetCurrentTime(&now_secs);
  r.build.file_creation_time_secs = static_cast<uint64_t>(now_secs);
  r.builder = std::make_unique<engine::TableBuilder>(r.build, r.file.get());
  r.last_internal_key.clear();
  r.info = ExternalSstFileInfo();
  r.info.file_path = file_path;
  r.info.version = static_cast<int32_t>(kExternalVersion);
  // Of a builder whose options do not go together.
  const Status status = r.builder->status();
  if (!status.ok()) r.Discard();
  return status;
}

Status SstFileWriter::Rep::CheckEntry(const Slice& timestamp) const {
  if (builder == nullptr) {
    return setup.ok() ? Status::InvalidArgument("File is not opened") : setup;
  }
  assert(file != nullptr && setup.ok());
  if (timestamp.size() != icmp.timestamp_size()) {
    return Status::InvalidArgument("Timestamp size mismatch");
  }
  return Status::OK();
}

Status SstFileWriter::Rep::Add(const Slice& key, const Slice& timestamp,
                               const Slice& value, engine::ValueType type) {
  RETURN_IF_ERROR(CheckEntry(timestamp));
  std::string& internal_key = last_internal_key;
  internal_key.assign(key.data(), key.size());
  internal_key.append(timestamp.data(), timestamp.size());
  const Slice user_key(internal_key);
  if (info.num_entries > 0 &&
      icmp.CompareUserKey(user_key, info.largest_key) <= 0) {
    return Status::InvalidArgument(
        "Keys must be added in strict ascending order.");
  }
  if (info.num_entries == 0) info.smallest_key = internal_key;
  info.largest_key = internal_key;
  engine::PutFixed64(&internal_key, engine::PackSequenceAndType(0, type));
  builder->Add(internal_key, value);
  RETURN_IF_ERROR(builder->status());
  ++info.num_entries;
  info.file_size = builder->FileSize();
  return Status::OK();
}

Status SstFileWriter::Put(const Slice& user_key, const Slice& value) {
  return rep_->Add(user_key, Slice(), value, engine::ValueType::kValue);
}

Status SstFileWriter::Merge(const Slice& user_key, const Slice& value) {
  return rep_->Add(user_key, Slice(), value, engine::ValueType::kMerge);
}

Status SstFileWriter::PutEntity(const Slice& user_key,
                                const WideColumns& columns) {
  std::string entity;
  RETURN_IF_ERROR(engine::EncodeUnsortedEntity(columns, &entity));
  return rep_->Add(user_key, Slice(), entity,
                   engine::ValueType::kWideColumnEntity);
}

Status SstFileWriter::Delete(const Slice& user_key) {
  return rep_->Add(user_key, Slice(), Slice(), engine::ValueType::kDeletion);
}

Status SstFileWriter::Put(const Slice& user_key, const Slice& timestamp,
                          const Slice& value) {
  return rep_->Add(user_key, timestamp, value, engine::ValueType::kValue);
}

Status SstFileWriter::Delete(const Slice& user_key, const Slice& timestamp) {
  const bool timed = rep_->icmp.timestamp_size() > 0;
  return rep_->Add(user_key, timestamp, Slice(),
                   timed ? engine::ValueType::kDeletionWithTimestamp
                         : engine::ValueType::kDeletion);
}

// They come in any order and are written when the entries are.
Status SstFileWriter::Rep::AddRange(const Slice& begin_key,
                                    const Slice& end_key,
                                    const Slice& timestamp) {
  RETURN_IF_ERROR(CheckEntry(timestamp));
  const std::string begin = begin_key.ToString() + timestamp.ToString();
  const std::string end = end_key.ToString() + timestamp.ToString();
  const int order = icmp.CompareKeys(begin, end);
  if (order > 0) {
    return Status::InvalidArgument("end key comes before start key");
  }
  if (order == 0) return Status::OK();
  if (ranges.empty() ||
      icmp.CompareUserKey(begin, info.smallest_range_del_key) < 0) {
    info.smallest_range_del_key = begin;
  }
  if (ranges.empty() ||
      icmp.CompareUserKey(end, info.largest_range_del_key) > 0) {
    info.largest_range_del_key = end;
  }
  ranges.emplace_back(begin, end);
  ++info.num_range_del_entries;
  return Status::OK();
}

// All have the same sequence, so those of one timestamp that overlap become
// one.
void SstFileWriter::Rep::MergeRanges() {
  const size_t size = icmp.timestamp_size();
  const auto by_time = [&](const std::string& a, const std::string& b) {
    return size == 0 ? 0
                     : icmp.user_comparator()->CompareTimestamp(
                           engine::TimestampOf(a, size),
                           engine::TimestampOf(b, size));
  };
  std::sort(ranges.begin(), ranges.end(), [&](const auto& a, const auto& b) {
    const int order = by_time(a.first, b.first);
    return order != 0 ? order < 0 : icmp.CompareUserKey(a.first, b.first) < 0;
  });
  size_t merged = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    auto& [begin, end] = ranges[merged];
    if (by_time(begin, ranges[i].first) != 0 ||
        icmp.CompareUserKey(ranges[i].first, end) > 0) {
      std::swap(ranges[++merged], ranges[i]);
    } else if (icmp.CompareUserKey(ranges[i].second, end) > 0) {
      end = ranges[i].second;
    }
  }
  if (!ranges.empty()) ranges.resize(merged + 1);
}

void SstFileWriter::Rep::WriteRanges() {
  MergeRanges();
  std::sort(ranges.begin(), ranges.end(), [this](const auto& a, const auto& b) {
    return icmp.CompareUserKey(a.first, b.first) < 0;
  });
  for (const auto& [begin, end] : ranges) {
    assert(icmp.CompareKeys(begin, end) < 0);
    const engine::InternalKey key(begin, 0, engine::ValueType::kRangeDeletion);
    builder->Add(key.Encode(), end);
  }
  ranges.clear();
}

Status SstFileWriter::DeleteRange(const Slice& begin_key,
                                  const Slice& end_key) {
  return rep_->AddRange(begin_key, end_key, Slice());
}

Status SstFileWriter::DeleteRange(const Slice& begin_key, const Slice& end_key,
                                  const Slice& timestamp) {
  return rep_->AddRange(begin_key, end_key, timestamp);
}

Status SstFileWriter::Rep::FinishFile() {
  assert(builder != nullptr && file != nullptr);
  WriteRanges();
  RETURN_IF_ERROR(builder->Finish());
  RETURN_IF_ERROR(file->Sync(options.use_fsync));
  if (invalidate_page_cache) DropFromPageCache();
  return file->Close();
}

// A file system without such a call keeps it there.
void SstFileWriter::Rep::DropFromPageCache() {
  (void)file->file()->InvalidateCache(0, 0);
}

void SstFileWriter::Rep::FillInfo() {
  info.file_size = builder->FileSize();
  info.file_checksum = kUnknownFileChecksum;
  info.file_checksum_func_name = kUnknownFileChecksumFuncName;
  if (const FileChecksumGenerator* checksum = builder->file_checksum()) {
    info.file_checksum = checksum->GetChecksum();
    info.file_checksum_func_name = checksum->Name();
  }
}

Status SstFileWriter::Finish(ExternalSstFileInfo* file_info) {
  Rep& r = *rep_;
  if (r.builder == nullptr) {
    return Status::InvalidArgument("File is not opened");
  }
  if (r.info.num_entries == 0 && r.ranges.empty()) {
    r.Discard();
    return Status::InvalidArgument("Cannot create sst file with no entries");
  }
  Status status = r.FinishFile();
  if (!status.ok()) {
    r.Discard();
    return status;
  }
  r.FillInfo();
  if (file_info != nullptr) *file_info = r.info;
  r.builder.reset();
  r.file.reset();
  return Status::OK();
}

uint64_t SstFileWriter::FileSize() { return rep_->info.file_size; }

}  // namespace ROCKSDB_NAMESPACE
