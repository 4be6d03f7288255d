#include "db/read/table_cache.h"

#include <cassert>
#include <utility>

#include "db/read/read_sample.h"
#include "db/trace/block_cache_tracer.h"
#include "env/file_reader.h"
#include "env/io_gate.h"
#include "rocksdb/file_system.h"
#include "table/cache_usage.h"
#include "util/cache/cache_reservation.h"
#include "util/cache/release_handle.h"
#include "util/coding.h"
#include "util/held_locks.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

void DeleteReader(Cache::ObjectPtr object, MemoryAllocator*) {
  delete static_cast<TableReader*>(object);
}

constexpr Cache::CacheItemHelper kReaderHelper(
    CacheEntryRole::kBlockBasedTableReader, &DeleteReader);

struct ReaderKey {
  explicit ReaderKey(uint64_t file_number) {
    EncodeFixed64(bytes, file_number);
    EncodeFixed64(bytes + 8, 0);  // Caches may want 16 bytes.
  }
  Slice slice() const { return {bytes, sizeof(bytes)}; }
  char bytes[16];
};

}  // namespace

Result<BlockBasedTableOptions> TableOptionsOf(const TableFactory* factory) {
  const auto* options = factory == nullptr
                            ? nullptr
                            : const_cast<TableFactory*>(factory)
                                  ->GetOptions<BlockBasedTableOptions>();
  if (options == nullptr) {
    return Status::NotSupported(
        "Only the block-based table factory is supported; found ",
        factory == nullptr ? "none" : factory->Name());
  }
  return *options;
}

TableCache::TableCache(const StoreContext& store,
                       const InternalKeyComparator* icmp,
                       const ColumnFamilyOptions& options,
                       std::shared_ptr<ReaderCache> readers)
    : store_(store),
      icmp_(icmp),
      prefix_extractor_(options.prefix_extractor),
      readers_(std::move(readers)),
      write_buffer_size_(options.write_buffer_size),
      protection_bytes_(options.block_protection_bytes_per_key),
      last_level_(options.num_levels - 1) {
  // Checked when the family was opened.
  if (auto table = TableOptionsOf(options.table_factory.get()); table.ok()) {
    table_options_ = *table;
  }
  constexpr CacheEntryRole kRole = CacheEntryRole::kBlockBasedTableReader;
  if (auto charged = CacheToCharge(table_options_, kRole)) {
    reader_charge_ =
        std::make_shared<SharedReservation>(std::move(charged), kRole);
  }
  // With timestamps what a key's row is depends on the reader's.
  if (store.options.row_cache != nullptr &&
      icmp->user_comparator()->timestamp_size() == 0) {
    rows_ = std::make_unique<const RowCache>(store.options.row_cache,
                                             store.statistics);
  }
}

void TableCache::Handle::AttachTo(Cleanable* user) {
  if (handle_ == nullptr) return;
  user->RegisterCleanup(&ReleaseCacheHandle, cache_, handle_);
  handle_ = nullptr;
}

Result<std::unique_ptr<TableReader>> TableCache::OpenTable(
    const FileMetaData& file, int level, Env::IOActivity activity) const {
  const StopWatch watch(store_.clock, store_.statistics, TABLE_OPEN_IO_MICROS);
  const bool last = level == last_level_;
  FileOptions file_options(store_.options);
  assert(level >= 0);
  assert(!HoldsLock(LockRank::kState));
  const std::string path = file.Path();
  RecordTick(store_.statistics, NO_FILE_OPENS);
  auto reader = RandomAccessFileReader::Open(
      store_.fs, path, file_options,
      {store_.statistics, SST_READ_MICROS, store_.clock,
       store_.options.rate_limiter.get(),
       last ? LAST_LEVEL_READ_COUNT : NON_LAST_LEVEL_READ_COUNT,
       last ? LAST_LEVEL_READ_BYTES : NON_LAST_LEVEL_READ_BYTES});
  if (!reader.ok()) {
    RecordTick(store_.statistics, NO_FILE_ERRORS);
    return reader.status();
  }
  (*reader)->set_activity(activity);
  if (store_.options.advise_random_on_open) {
    (*reader)->file()->Hint(FSRandomAccessFile::kRandom);
  }
  TableReadOptions options;
  options.icmp = icmp_;
  options.table = table_options_;
  {
    MutexLock lock(&mu_);
    options.prefix_extractor = prefix_extractor_;
  }
  options.statistics = store_.statistics;
  options.user_read_bytes = store_.user_read_bytes.get();
  options.block_tracer = store_.block_tracer.get();
  if (store_.io_gate != nullptr) {
    options.user_pass = store_.io_gate->PassOf(IoClass::kUserReads);
  }
  options.info_log = store_.info_log;
  options.charge_to = reader_charge_;
  options.level = level;
  const uint64_t buffer = write_buffer_size_.load(std::memory_order_relaxed);
  options.similar_to_flushed_bytes_max = buffer + buffer / 2;
  options.file_number = file.number;
  options.uses_secondary_cache =
      store_.options.lowest_used_cache_tier != CacheTier::kVolatileTier;
  // Only tables made for ingestion look at it: the MANIFEST may be the only
  // place that knows the sequence they were given.
  options.global_sequence = file.largest_sequence;
  options.max_auto_readahead_size = table_options_.max_auto_readahead_size;
  options.protection_bytes = protection_bytes_.load(std::memory_order_relaxed);
  if (store_.options.verify_sst_unique_id_in_manifest) {
    options.expected_unique_id = file.UniqueIdBytes();
  }
  return TableReader::Open(options, std::move(*reader), file.size);
}

Result<TableCache::Handle> TableCache::FindSlow(
    const FileMetaData& file, int level, Env::IOActivity activity) const {
  const ReaderKey key(file.number);
  Cache* const cache = readers_ == nullptr ? nullptr : readers_->current();
  if (cache != nullptr) {
    if (Cache::Handle* handle = cache->Lookup(key.slice())) {
      return Handle(static_cast<TableReader*>(cache->Value(handle)), cache,
                    handle);
    }
  }
  Result<std::unique_ptr<TableReader>> opened =
      OpenTable(file, level, activity);
  if (!opened.ok()) return opened.status();
  file.RememberStats(*(*opened)->properties());
  if (cache == nullptr) {
    return Handle(file.PinReader(std::move(*opened)));
  }
  TableReader* reader = opened->release();
  Cache::Handle* handle = nullptr;
  const Status status =
      cache->Insert(key.slice(), reader, &kReaderHelper, 1, &handle);
  if (!status.ok()) {
    delete reader;
    return status;
  }
  return Handle(reader, cache, handle);
}

Status TableCache::Get(const ReadOptions& options, const FileMetaData& file,
                       int level, const Slice& internal_key,
                       GetContext* context) const {
  assert(!context->Decided());
  CountRead(file);
  if (rows_ != nullptr && RowCache::Serves(file, *context)) [[unlikely]] {
    return GetRow(options, file, level, internal_key, context);
  }
  PerfTimer find(store_.clock, &PerfContext::find_table_nanos);
  Result<Handle> found = Find(file, level, Env::IOActivity::kGet);
  find.Stop();
  if (!found.ok()) return found.status();
  const PerfLevelTimer timer(&PerfContextByLevel::get_from_table_nanos, level);
  return (*found)->Get(options, internal_key, context);
}

Status TableCache::GetRow(const ReadOptions& options, const FileMetaData& file,
                          int level, const Slice& internal_key,
                          GetContext* context) const {
  // row_cache.h (1), (2)
  assert(rows_ != nullptr && RowCache::Serves(file, *context));
  // Only a file that has been opened is known to have no range deletions.
  const bool known = file.KnownWithoutRangeDeletions();
  if (known && rows_->Find(file.number, context)) return Status::OK();
  Result<Handle> table = Find(file, level);
  if (!table.ok()) return table.status();
  if (!known && !file.KnownWithoutRangeDeletions()) {
    return (*table)->Get(options, internal_key, context);
  }
  if (!known && rows_->Find(file.number, context)) return Status::OK();
  PinnableSlice value;
  GetContext alone(context->user_key(), context->sequence(), &value);
  alone.WantEntities();
  // For a trace both are the same lookup.
  alone.set_trace_id(context->trace_id());
  const Status status = (*table)->Get(options, internal_key, &alone);
  context->set_trace_id(alone.trace_id());
  RETURN_IF_ERROR(status);
  if (rows_->Take(file.number, &alone, value, options.fill_cache, context)) {
    return Status::OK();
  }
  return (*table)->Get(options, internal_key, context);
}

InternalIterator* TableCache::NewIterator(const ReadOptions& options,
                                          const FileMetaData& file, int level,
                                          const TableScan& scan) const {
  const bool user = scan.purpose == TableReadPurpose::kUser;
  if (user) CountRead(file);
  Result<Handle> found =
      Find(file, level,
           user ? Env::IOActivity::kDBIterator : Env::IOActivity::kCompaction);
  if (!found.ok()) return NewEmptyInternalIterator(found.status());
  if (options.table_filter && user &&
      !options.table_filter(*(*found)->properties())) {
    return NewEmptyInternalIterator(Status::OK());
  }
  const PerfTimer timer(store_.clock, &PerfContext::new_table_iterator_nanos);
  InternalIterator* iter = (*found)->NewIterator(options, scan);
  found->AttachTo(iter);
  return iter;
}

Result<std::shared_ptr<const TombstoneSet>> TableCache::Tombstones(
    const FileMetaData& file, int level) const {
  if (file.KnownWithoutRangeDeletions()) {
    return std::shared_ptr<const TombstoneSet>();
  }
  Result<Handle> found = Find(file, level);
  if (!found.ok()) return found.status();
  return (*found)->tombstones();
}

void TableCache::SetPrefixExtractor(
    std::shared_ptr<const SliceTransform> extractor) {
  MutexLock lock(&mu_);
  prefix_extractor_ = std::move(extractor);
}

void TableCache::Evict(uint64_t file_number) const {
  if (readers_ == nullptr) return;
  const ReaderKey key(file_number);
  readers_->Erase(key.slice());
  readers_->Erase(Slice(key.bytes, sizeof(uint64_t)));  // BlobSource's.
}

}  // namespace ROCKSDB_NAMESPACE::engine
