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

  Status Add(const Slice& user_key, const Slice& value, engine::ValueType type);
  Status AddRange(const Slice& begin, const Slice& end);
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
  std::vector<std::pair<std::string, std::string>> ranges;  // To be deleted.
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
  if (user_comparator->timestamp_size() > 0) {
    r.setup = Status::NotSupported(
        "User-defined timestamps are not supported by SstFileWriter");
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

Status SstFileWriter::Rep::Add(const Slice& user_key, const Slice& value,
                               engine::ValueType type) {
  if (builder == nullptr) {
    return setup.ok() ? Status::InvalidArgument("File is not opened") : setup;
  }
  if (info.num_entries == 0) {
    info.smallest_key.assign(user_key.data(), user_key.size());
  } else if (icmp.CompareUserKey(user_key, info.largest_key) <= 0) {
    return Status::InvalidArgument(
        "Keys must be added in strict ascending order.");
  }
  assert(file != nullptr && setup.ok());
  last_internal_key.assign(user_key.data(), user_key.size());
  engine::PutFixed64(&last_internal_key, engine::PackSequenceAndType(0, type));
  builder->Add(last_internal_key, value);
  RETURN_IF_ERROR(builder->status());
  ++info.num_entries;
  info.largest_key.assign(user_key.data(), user_key.size());
  info.file_size = builder->FileSize();
  return Status::OK();
}

Status SstFileWriter::Put(const Slice& user_key, const Slice& value) {
  return rep_->Add(user_key, value, engine::ValueType::kValue);
}

Status SstFileWriter::Merge(const Slice& user_key, const Slice& value) {
  return rep_->Add(user_key, value, engine::ValueType::kMerge);
}

Status SstFileWriter::PutEntity(const Slice& user_key,
                                const WideColumns& columns) {
  std::string entity;
  RETURN_IF_ERROR(engine::EncodeUnsortedEntity(columns, &entity));
  return rep_->Add(user_key, entity, engine::ValueType::kWideColumnEntity);
}

Status SstFileWriter::Delete(const Slice& user_key) {
  return rep_->Add(user_key, Slice(), engine::ValueType::kDeletion);
}

Status SstFileWriter::Put(const Slice&, const Slice&, const Slice&) {
  return Status::NotSupported("User-defined timestamps are not supported");
}

Status SstFileWriter::Delete(const Slice&, const Slice&) {
  return Status::NotSupported("User-defined timestamps are not supported");
}

// They come in any order and are written when the entries are.
Status SstFileWriter::Rep::AddRange(const Slice& begin, const Slice& end) {
  if (builder == nullptr) {
    return setup.ok() ? Status::InvalidArgument("File is not opened") : setup;
  }
  const int order = icmp.CompareUserKey(begin, end);
  if (order > 0) {
    return Status::InvalidArgument("end key comes before start key");
  }
  if (order == 0) return Status::OK();
  if (ranges.empty() ||
      icmp.CompareUserKey(begin, info.smallest_range_del_key) < 0) {
    info.smallest_range_del_key = begin.ToString();
  }
  if (ranges.empty() ||
      icmp.CompareUserKey(end, info.largest_range_del_key) > 0) {
    info.largest_range_del_key = end.ToString();
  }
  ranges.emplace_back(begin.ToString(), end.ToString());
  ++info.num_range_del_entries;
  return Status::OK();
}

// All have the same sequence, so ranges that overlap become one.
void SstFileWriter::Rep::WriteRanges() {
  std::sort(ranges.begin(), ranges.end(), [this](const auto& a, const auto& b) {
    return icmp.CompareUserKey(a.first, b.first) < 0;
  });
  for (size_t i = 0; i < ranges.size();) {
    const std::string& begin = ranges[i].first;
    std::string end = ranges[i].second;
    for (++i; i < ranges.size(); ++i) {
      if (icmp.CompareUserKey(ranges[i].first, end) > 0) break;
      if (icmp.CompareUserKey(ranges[i].second, end) > 0) {
        end = ranges[i].second;
      }
    }
    assert(icmp.CompareUserKey(begin, end) < 0);
    const engine::InternalKey key(begin, 0, engine::ValueType::kRangeDeletion);
    builder->Add(key.Encode(), end);
  }
  ranges.clear();
}

Status SstFileWriter::DeleteRange(const Slice& begin_key,
                                  const Slice& end_key) {
  return rep_->AddRange(begin_key, end_key);
}

Status SstFileWriter::DeleteRange(const Slice&, const Slice&, const Slice&) {
  return Status::NotSupported("User-defined timestamps are not supported");
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
