// DBWithTTL: writes get the time, reads lose it. What removes old entries is in
// ttl_operators.

#include <algorithm>
#include <map>
#include <utility>

#include "db/ttl/stamped_value.h"
#include "db/ttl/ttl_iterator.h"
#include "db/ttl/ttl_operators.h"
#include "db/write_batch/batch_format.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/db_ttl.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What a TTL adds to a family. The filter has to stay until the database is
// closed.
struct TtlFamily {
  TtlSeconds ttl;
  std::unique_ptr<const CompactionFilter> filter;

  TtlFamily(int32_t seconds, const std::shared_ptr<SystemClock>& clock,
            ColumnFamilyOptions* options)
      : ttl(std::make_shared<std::atomic<int32_t>>(seconds)),
        filter(AddTtl(ttl, clock, options)) {}
};

std::shared_ptr<SystemClock> ClockOf(const DBOptions& options) {
  Env* const env = options.env == nullptr ? Env::Default() : options.env;
  return env->GetSystemClock();
}

Status NoEntities() {
  return Status::NotSupported("TTL database: an entity has no place for a time",
                              "use Put");
}

// Checks and cuts off the time; the value is untouched on an error.
Status CutStamp(PinnableSlice* value) {
  RETURN_IF_ERROR(CheckStamp(*value));
  value->remove_suffix(kStampSize);
  return Status::OK();
}

Status CutStamp(PinnableWideColumns* columns) {
  const WideColumns& found = columns->columns();
  if (found.size() != 1 || found.front().name() != kDefaultWideColumnName) {
    return NoEntities();
  }
  RETURN_IF_ERROR(CheckStamp(found.front().value()));
  columns->SetPlainValue(WithoutStamp(found.front().value()).ToString());
  return Status::OK();
}

class TtlDB final : public DBWithTTL {
 public:
  TtlDB(DB* db, std::shared_ptr<SystemClock> clock)
      : DBWithTTL(db), clock_(std::move(clock)) {}
  // The database below uses the families' filters.
  ~TtlDB() override {
    delete db_;
    db_ = nullptr;
  }

  void AddFamily(uint32_t id, std::unique_ptr<TtlFamily> family) {
    MutexLock lock(&mu_);
    families_[id] = std::move(family);
  }

  Status CreateColumnFamilyWithTtl(const ColumnFamilyOptions& options,
                                   const std::string& column_family_name,
                                   ColumnFamilyHandle** handle,
                                   int ttl) override {
    *handle = nullptr;
    ColumnFamilyOptions own = options;
    auto family = std::make_unique<TtlFamily>(ttl, clock_, &own);
    const Status status =
        db_->CreateColumnFamily(own, column_family_name, handle);
    if (*handle == nullptr) return status;
    // Made, even where its options could not be written.
    AddFamily((*handle)->GetID(), std::move(family));
    return status;
  }
  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& column_family_name,
                            ColumnFamilyHandle** handle) override {
    return CreateColumnFamilyWithTtl(options, column_family_name, handle, 0);
  }
  using StackableDB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override {
    ColumnFamilyOptions own = options;
    auto family = std::make_unique<TtlFamily>(/*seconds=*/0, clock_, &own);
    RETURN_IF_ERROR(db_->CreateColumnFamilyWithImport(
        own, column_family_name, import_options, metadatas, handle));
    AddFamily((*handle)->GetID(), std::move(family));
    return Status::OK();
  }

  void SetTtl(int32_t ttl) override { SetTtl(DefaultColumnFamily(), ttl); }
  void SetTtl(ColumnFamilyHandle* h, int32_t ttl) override {
    if (const TtlSeconds seconds = Find(h)) {
      seconds->store(ttl, std::memory_order_relaxed);
    }
  }
  Status GetTtl(ColumnFamilyHandle* h, int32_t* ttl) override {
    const TtlSeconds seconds = Find(h);
    if (seconds == nullptr || ttl == nullptr) {
      return Status::InvalidArgument("GetTtl needs a family of this database");
    }
    *ttl = seconds->load(std::memory_order_relaxed);
    return Status::OK();
  }

  using StackableDB::Put;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& value) override {
    std::string stamped;
    RETURN_IF_ERROR(Stamp(value, &stamped));
    return db_->Put(options, column_family, key, stamped);
  }
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& ts, const Slice& value) override {
    std::string stamped;
    RETURN_IF_ERROR(Stamp(value, &stamped));
    return db_->Put(options, column_family, key, ts, stamped);
  }
  using StackableDB::PutEntity;
  Status PutEntity(const WriteOptions& /*options*/,
                   ColumnFamilyHandle* /*column_family*/, const Slice& /*key*/,
                   const WideColumns& /*columns*/) override {
    return NoEntities();
  }
  using StackableDB::Merge;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& value) override {
    std::string stamped;
    RETURN_IF_ERROR(Stamp(value, &stamped));
    return db_->Merge(options, column_family, key, stamped);
  }
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& ts, const Slice& value) override {
    std::string stamped;
    RETURN_IF_ERROR(Stamp(value, &stamped));
    return db_->Merge(options, column_family, key, ts, stamped);
  }
  Status Write(const WriteOptions& options, WriteBatch* updates) override;

  using StackableDB::Get;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override {
    RETURN_IF_ERROR(db_->Get(options, column_family, key, value, timestamp));
    return CutStamp(value);
  }
  using StackableDB::GetEntity;
  Status GetEntity(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   PinnableWideColumns* columns) override {
    RETURN_IF_ERROR(db_->GetEntity(options, column_family, key, columns));
    return CutStamp(columns);
  }
  using StackableDB::MultiGet;
  // NOLINTNEXTLINE(readability-function-size): the signature is public.
  void MultiGet(const ReadOptions& options, const size_t num_keys,
                ColumnFamilyHandle** column_families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, const bool sorted_input) override {
    db_->MultiGet(options, num_keys, column_families, keys, values, timestamps,
                  statuses, sorted_input);
    for (size_t i = 0; i < num_keys; ++i) {
      if (statuses[i].ok()) statuses[i] = CutStamp(&values[i]);
    }
  }
  using StackableDB::MultiGetEntity;
  // NOLINTNEXTLINE(readability-function-size): the signature is public.
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** column_families, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override {
    db_->MultiGetEntity(options, num_keys, column_families, keys, results,
                        statuses, sorted_input);
    for (size_t i = 0; i < num_keys; ++i) {
      if (statuses[i].ok()) statuses[i] = CutStamp(&results[i]);
    }
  }
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* column_family, const Slice& key,
                          PinnableSlice* merge_operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands) override {
    RETURN_IF_ERROR(db_->GetMergeOperands(options, column_family, key,
                                          merge_operands, operands_options,
                                          number_of_operands));
    for (int i = 0; i < *number_of_operands; ++i) {
      RETURN_IF_ERROR(CutStamp(&merge_operands[i]));
    }
    return Status::OK();
  }
  using StackableDB::KeyMayExist;
  bool KeyMayExist(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   std::string* value, std::string* timestamp,
                   bool* value_found) override {
    bool found = false;
    const bool exists =
        db_->KeyMayExist(options, column_family, key, value, timestamp, &found);
    if (found && value != nullptr) {
      found = CheckStamp(*value).ok();
      if (found) value->resize(value->size() - kStampSize);
    }
    if (value_found != nullptr) *value_found = found;
    return exists;
  }

  using StackableDB::NewIterator;
  Iterator* NewIterator(const ReadOptions& options,
                        ColumnFamilyHandle* column_family) override {
    return Wrap(options, db_->NewIterator(options, column_family));
  }
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& column_families,
                      std::vector<Iterator*>* iterators) override {
    RETURN_IF_ERROR(db_->NewIterators(options, column_families, iterators));
    for (Iterator*& iterator : *iterators) iterator = Wrap(options, iterator);
    return Status::OK();
  }

 private:
  Status Stamp(const Slice& value, std::string* stamped) const {
    int32_t now = 0;
    RETURN_IF_ERROR(CurrentStamp(clock_.get(), &now));
    stamped->reserve(value.size() + kStampSize);
    stamped->assign(value.data(), value.size());
    AppendStamp(now, stamped);
    return Status::OK();
  }
  static Iterator* Wrap(const ReadOptions& options, Iterator* base) {
    auto wrapped =
        std::make_unique<TtlIterator>(std::unique_ptr<Iterator>(base));
    if (options.allow_unprepared_value) wrapped->set_unprepared();
    return wrapped.release();
  }
  TtlSeconds Find(ColumnFamilyHandle* handle) {
    MutexLock lock(&mu_);
    const auto found = families_.find(
        (handle == nullptr ? DefaultColumnFamily() : handle)->GetID());
    return found == families_.end() ? nullptr : found->second->ttl;
  }

  const std::shared_ptr<SystemClock> clock_;
  Mutex mu_;
  std::map<uint32_t, std::unique_ptr<TtlFamily>> families_ GUARDED_BY(mu_);
};

// One time for the whole batch.
Status TtlDB::Write(const WriteOptions& options, WriteBatch* updates) {
  if (updates == nullptr) return db_->Write(options, updates);
  int32_t now = 0;
  RETURN_IF_ERROR(CurrentStamp(clock_.get(), &now));
  WriteBatch stamped(updates->GetDataSize() + 64, /*max_bytes=*/0);
  Status added;
  std::string value;
  const Status read =
      ForEachRecord(updates->Data(), [&](const BatchRecord& record) {
        value.assign(record.value.data(), record.value.size());
        switch (record.type) {
          case ValueType::kValue:
            AppendStamp(now, &value);
            added = WriteBatchInternal::Put(&stamped, record.family, record.key,
                                            value);
            break;
          case ValueType::kMerge:
            AppendStamp(now, &value);
            added = WriteBatchInternal::Merge(&stamped, record.family,
                                              record.key, value);
            break;
          case ValueType::kDeletion:
            added =
                WriteBatchInternal::Delete(&stamped, record.family, record.key);
            break;
          case ValueType::kSingleDeletion:
            added = WriteBatchInternal::SingleDelete(&stamped, record.family,
                                                     record.key);
            break;
          case ValueType::kRangeDeletion:
            added = WriteBatchInternal::DeleteRange(&stamped, record.family,
                                                    record.key, record.value);
            break;
          case ValueType::kLogData:
            added = stamped.PutLogData(record.key);
            break;
          case ValueType::kNoop:
            break;
          default:
            added = NoEntities();
        }
        return added.ok();
      });
  RETURN_IF_ERROR(read);
  RETURN_IF_ERROR(added);
  if (WriteBatchInternal::LacksTimestamp(updates)) {
    WriteBatchInternal::MarkLacksTimestamp(&stamped);
  }
  return db_->Write(options, &stamped);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

using engine::TtlDB;
using engine::TtlFamily;

Status DBWithTTL::Open(const Options& options, const std::string& dbname,
                       DBWithTTL** dbptr, int32_t ttl, bool read_only) {
  std::vector<ColumnFamilyHandle*> handles;
  RETURN_IF_ERROR(
      Open(DBOptions(options), dbname,
           {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}}, &handles,
           dbptr, {ttl}, read_only));
  // The database keeps one of its own.
  return (*dbptr)->DestroyColumnFamilyHandle(handles.front());
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
Status DBWithTTL::Open(const DBOptions& db_options, const std::string& dbname,
                       const std::vector<ColumnFamilyDescriptor>& families,
                       std::vector<ColumnFamilyHandle*>* handles,
                       DBWithTTL** dbptr, const std::vector<int32_t>& ttls,
                       bool read_only) {
  *dbptr = nullptr;
  if (ttls.size() != families.size()) {
    return Status::InvalidArgument(
        "DBWithTTL::Open: " + std::to_string(families.size()) +
            " column families",
        std::to_string(ttls.size()) + " TTLs; give one for each family");
  }
  const std::shared_ptr<SystemClock> clock = engine::ClockOf(db_options);
  std::vector<ColumnFamilyDescriptor> wrapped = families;
  std::vector<std::unique_ptr<TtlFamily>> added;
  for (size_t i = 0; i < wrapped.size(); ++i) {
    added.push_back(
        std::make_unique<TtlFamily>(ttls[i], clock, &wrapped[i].options));
  }
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(
      read_only ? DB::OpenForReadOnly(db_options, dbname, wrapped, handles, &db)
                : DB::Open(db_options, dbname, wrapped, handles, &db));
  auto ttl_db = std::make_unique<TtlDB>(db.release(), clock);
  for (size_t i = 0; i < added.size(); ++i) {
    ttl_db->AddFamily((*handles)[i]->GetID(), std::move(added[i]));
  }
  *dbptr = ttl_db.release();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
