#include "db/blob/blob_source.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "db/blob/blob_references.h"
#include "env/io_gate.h"
#include "rocksdb/file_system.h"
#include "table/table_unique_id.h"
#include "util/cache/release_handle.h"
#include "util/coding.h"
#include "util/held_locks.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

void DeleteReader(Cache::ObjectPtr object, MemoryAllocator* /*allocator*/) {
  delete static_cast<BlobFileReader*>(object);
}
constexpr Cache::CacheItemHelper kReaderHelper(CacheEntryRole::kMisc,
                                               &DeleteReader);

void DeleteBlob(Cache::ObjectPtr object, MemoryAllocator* /*allocator*/) {
  delete static_cast<BlobValue*>(object);
}
constexpr Cache::CacheItemHelper kBlobHelper(CacheEntryRole::kBlobValue,
                                             &DeleteBlob);

void DeleteBytes(void* data, void* /*unused*/) {
  delete[] static_cast<char*>(data);
}

size_t ChargeOf(const BlobValue& blob) {
  return sizeof(BlobValue) + blob.MemoryBytes();
}

// Where a value stands in a cache that several databases may share.
struct BlobCacheKey {
  BlobCacheKey(const StoreContext& store, const BlobIndex& index) {
    // Far from the ids of the same database's tables, whose blocks may be in
    // the same cache.
    constexpr uint64_t kForm = 0xd6e8feb86659fd93u;
    uint64_t id[2] = {0, 0};
    // Read-only databases may have no id; the session always has one.
    const std::string& db =
        store.db_id.empty() ? store.db_session_id : store.db_id;
    (void)InternalUniqueId(db, store.db_session_id, index.file_number, id);
    // Offsets go into the low bits, so the number has to leave them.
    const uint64_t number = index.file_number;
    id[1] ^= number ^ __builtin_bswap64(number);
    EncodeFixed64(bytes, id[0] ^ kForm);
    EncodeFixed64(bytes + 8, id[1] ^ index.offset);
  }
  Slice slice() const { return {bytes, sizeof(bytes)}; }
  char bytes[16];
};

struct ReaderKey {
  explicit ReaderKey(uint64_t number) { EncodeFixed64(bytes, number); }
  Slice slice() const { return {bytes, sizeof(bytes)}; }
  char bytes[8];
};

Status CannotRead() {
  return Status::Incomplete("Cannot read blob(s): no disk I/O allowed");
}

}  // namespace

// An open file, kept open while this lives.
class BlobSource::Handle {
 public:
  explicit Handle(const BlobFileReader* reader) : reader_(reader) {
    assert(reader_ != nullptr);
  }
  Handle(Cache* cache, Cache::Handle* handle)
      : reader_(static_cast<BlobFileReader*>(cache->Value(handle))),
        cache_(cache),
        handle_(handle) {}
  Handle(Handle&& other) noexcept
      : reader_(other.reader_),
        cache_(other.cache_),
        handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (handle_ != nullptr) cache_->Release(handle_);
  }
  const BlobFileReader* operator->() const { return reader_; }

 private:
  const BlobFileReader* reader_;
  Cache* cache_ = nullptr;
  Cache::Handle* handle_ = nullptr;
};

BlobSource::BlobSource(const StoreContext& store, uint32_t family_id,
                       std::shared_ptr<Cache> blob_cache,
                       const std::shared_ptr<Cache>& charge_to,
                       std::shared_ptr<ReaderCache> readers)
    : store_(store),
      family_id_(family_id),
      cache_(std::move(blob_cache)),
      charge_(UsageCharge::Of(cache_, charge_to, CacheEntryRole::kBlobCache)),
      readers_(std::move(readers)) {}

Result<std::unique_ptr<BlobFileReader>> BlobSource::Open(
    const BlobFile& file) const {
  assert(!HoldsLock(LockRank::kState));
  const std::string path = file.Path();
  RecordTick(store_.statistics, NO_FILE_OPENS);
  uint64_t size = 0;
  const Status sized =
      store_.fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (!sized.ok()) {
    RecordTick(store_.statistics, NO_FILE_ERRORS);
    return sized;
  }
  auto opened = RandomAccessFileReader::Open(
      store_.fs, path, FileOptions(store_.options),
      {store_.statistics, BLOB_DB_BLOB_FILE_READ_MICROS, store_.clock,
       store_.options.rate_limiter.get()});
  if (!opened.ok()) {
    RecordTick(store_.statistics, NO_FILE_ERRORS);
    return opened.status();
  }
  if (store_.options.advise_random_on_open) {
    (*opened)->file()->Hint(FSRandomAccessFile::kRandom);
  }
  return BlobFileReader::Open(std::move(*opened), size, family_id_);
}

Result<BlobSource::Handle> BlobSource::Find(const BlobFile& file) const {
  if (const BlobFileReader* pinned = file.pinned_reader()) {
    return Handle(pinned);
  }
  const ReaderKey key(file.number());
  Cache* const cache = readers_ == nullptr ? nullptr : readers_->current();
  if (cache != nullptr) {
    if (Cache::Handle* handle = cache->Lookup(key.slice())) {
      return Handle(cache, handle);
    }
  }
  Result<std::unique_ptr<BlobFileReader>> opened = Open(file);
  if (!opened.ok()) return opened.status();
  if (cache == nullptr) return Handle(file.PinReader(std::move(*opened)));
  BlobFileReader* const reader = opened->release();
  Cache::Handle* handle = nullptr;
  const Status status =
      cache->Insert(key.slice(), reader, &kReaderHelper, 1, &handle);
  if (!status.ok()) {
    delete reader;
    return status;
  }
  return Handle(cache, handle);
}

Result<BlobSource::Handle> BlobSource::FindIn(const Version& version,
                                              const Slice& user_key,
                                              const BlobIndex& index) const {
  if (index.file_number == kBlobInSameTable) {
    return Status::Corruption(
        index.DebugString(),
        "expected a blob file, found a reference into the entry's table; key " +
            user_key.ToString(/*hex=*/true));
  }
  const LiveBlobFile* const live = version.blobs().Find(index.file_number);
  if (live == nullptr) {
    return Status::Corruption(
        index.DebugString(),
        "expected a file of the version, found none; key " +
            user_key.ToString(/*hex=*/true));
  }
  assert(live->number() == index.file_number);  // (1)
  return Find(*live->file);
}

Status BlobSource::KeepOpen(const BlobFile& file) const {
  return Find(file).status();
}

Status BlobSource::CheckReadable(const BlobFile& file) const {
  return Open(file).status();
}

Status BlobSource::CheckRecords(const BlobFile& file) const {
  const Result<std::unique_ptr<BlobFileReader>> opened = Open(file);
  if (!opened.ok()) return opened.status();
  return (*opened)->VerifyRecords(BlobReadRequest());
}

bool BlobSource::FromCache(const Slice& key, PinnableSlice* value) const {
  if (cache_ == nullptr) return false;
  Cache::Handle* const handle = cache_->Lookup(key);
  if (handle == nullptr) {
    RecordTick(store_.statistics, BLOB_DB_CACHE_MISS);
    return false;
  }
  const auto* blob = static_cast<const BlobValue*>(cache_->Value(handle));
  RecordTick(store_.statistics, BLOB_DB_CACHE_HIT);
  RecordTick(store_.statistics, BLOB_DB_CACHE_BYTES_READ, blob->size);
  PerfAdd<&PerfContext::blob_cache_hit_count>();
  value->PinSlice(blob->slice(), &ReleaseCacheHandle, cache_.get(), handle);
  return true;
}

// Hands the value over, by way of the cache where it is to be kept.
void BlobSource::Give(const Slice& key, BlobValue blob, bool fill_cache,
                      PinnableSlice* value) const {
  assert(blob.data != nullptr);
  if (cache_ != nullptr && fill_cache) {
    auto kept = std::make_unique<BlobValue>(std::move(blob));
    Cache::Handle* handle = nullptr;
    const Status status =
        cache_->Insert(key, kept.get(), &kBlobHelper, ChargeOf(*kept), &handle,
                       Cache::Priority::BOTTOM);
    // Also when it failed: others may have been evicted for it.
    if (charge_ != nullptr) charge_->Follow();
    if (status.ok()) {
      RecordTick(store_.statistics, BLOB_DB_CACHE_ADD);
      RecordTick(store_.statistics, BLOB_DB_CACHE_BYTES_WRITE, kept->size);
      value->PinSlice(kept.release()->slice(), &ReleaseCacheHandle,
                      cache_.get(), handle);
      return;
    }
    RecordTick(store_.statistics, BLOB_DB_CACHE_ADD_FAILURES);
    blob = std::move(*kept);
  }
  const Slice slice = blob.slice();
  value->PinSlice(slice, &DeleteBytes, blob.data.release(), nullptr);
}

Status BlobSource::Read(const ReadOptions& options, const Version& version,
                        const Slice& user_key, const Slice& blob_index,
                        PinnableSlice* value) const {
  BlobIndex index;
  RETURN_IF_ERROR(index.DecodeFrom(blob_index));
  const BlobCacheKey key(store_, index);
  // `blob_index` may point into it: nothing of it is needed any more.
  value->Reset();
  if (FromCache(key.slice(), value)) return Status::OK();
  if (options.read_tier == kBlockCacheTier) return CannotRead();
  BlobReadRequest request;
  RETURN_IF_ERROR(ApplyReadOptions(options, store_.clock, &request));
  if (store_.io_gate != nullptr) {
    request.io_pass = store_.io_gate->PassOf(IoClass::kUserReads);
  }
  const Result<Handle> file = FindIn(version, user_key, index);
  if (!file.ok()) return file.status();
  uint64_t bytes = 0;
  PerfTimer timer(store_.clock, &PerfContext::blob_read_time);
  Result<BlobValue> blob = (*file)->Read(request, user_key, index, &bytes);
  timer.Stop();
  if (!blob.ok()) return blob.status();
  PerfAdd<&PerfContext::blob_read_count>();
  PerfAdd<&PerfContext::blob_read_byte>(bytes);
  RecordTick(store_.statistics, BLOB_DB_BLOB_FILE_BYTES_READ, bytes);
  Give(key.slice(), std::move(*blob), options.fill_cache, value);
  return Status::OK();
}

Result<BlobValue> BlobSource::ReadUncached(const Version& version,
                                           const Slice& user_key,
                                           const BlobIndex& index,
                                           const IoPass* io_pass,
                                           uint64_t* bytes_read) const {
  const Result<Handle> file = FindIn(version, user_key, index);
  if (!file.ok()) return file.status();
  BlobReadRequest request;
  request.io_pass = io_pass;
  Result<BlobValue> blob = (*file)->Read(request, user_key, index, bytes_read);
  if (blob.ok()) {
    RecordTick(store_.statistics, BLOB_DB_BLOB_FILE_BYTES_READ, *bytes_read);
  }
  return blob;
}

void BlobSource::Warm(const BlobIndex& index, const Slice& value) const {
  if (cache_ == nullptr) return;
  auto blob = std::make_unique<BlobValue>();
  blob->data = std::make_unique_for_overwrite<char[]>(value.size() + 1);
  blob->size = value.size();
  std::memcpy(blob->data.get(), value.data(), value.size());
  const BlobCacheKey key(store_, index);
  const size_t charge = ChargeOf(*blob);
  // Without a handle the cache deletes what it has no room for.
  const Status status =
      cache_->Insert(key.slice(), blob.release(), &kBlobHelper, charge, nullptr,
                     Cache::Priority::BOTTOM);
  if (status.ok()) {
    if (charge_ != nullptr) charge_->Follow();
    RecordTick(store_.statistics, BLOB_DB_CACHE_ADD);
    RecordTick(store_.statistics, BLOB_DB_CACHE_BYTES_WRITE, value.size());
  } else {
    RecordTick(store_.statistics, BLOB_DB_CACHE_ADD_FAILURES);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
