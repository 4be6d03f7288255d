// The defaults of WriteBatchBase and WriteBatch::Handler.

#include "rocksdb/write_batch_base.h"

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

Status WriteBatchBase::Put(ColumnFamilyHandle* column_family,
                           const SliceParts& key, const SliceParts& value) {
  std::string key_buf, value_buf;
  return Put(column_family, Slice(key, &key_buf), Slice(value, &value_buf));
}

Status WriteBatchBase::Put(const SliceParts& key, const SliceParts& value) {
  std::string key_buf, value_buf;
  return Put(Slice(key, &key_buf), Slice(value, &value_buf));
}

Status WriteBatchBase::Merge(ColumnFamilyHandle* column_family,
                             const SliceParts& key, const SliceParts& value) {
  std::string key_buf, value_buf;
  return Merge(column_family, Slice(key, &key_buf), Slice(value, &value_buf));
}

Status WriteBatchBase::Merge(const SliceParts& key, const SliceParts& value) {
  std::string key_buf, value_buf;
  return Merge(Slice(key, &key_buf), Slice(value, &value_buf));
}

Status WriteBatchBase::Delete(ColumnFamilyHandle* column_family,
                              const SliceParts& key) {
  std::string key_buf;
  return Delete(column_family, Slice(key, &key_buf));
}

Status WriteBatchBase::Delete(const SliceParts& key) {
  std::string key_buf;
  return Delete(Slice(key, &key_buf));
}

Status WriteBatchBase::SingleDelete(ColumnFamilyHandle* column_family,
                                    const SliceParts& key) {
  std::string key_buf;
  return SingleDelete(column_family, Slice(key, &key_buf));
}

Status WriteBatchBase::SingleDelete(const SliceParts& key) {
  std::string key_buf;
  return SingleDelete(Slice(key, &key_buf));
}

Status WriteBatchBase::DeleteRange(ColumnFamilyHandle* column_family,
                                   const SliceParts& begin_key,
                                   const SliceParts& end_key) {
  std::string begin_buf, end_buf;
  return DeleteRange(column_family, Slice(begin_key, &begin_buf),
                     Slice(end_key, &end_buf));
}

Status WriteBatchBase::DeleteRange(const SliceParts& begin_key,
                                   const SliceParts& end_key) {
  std::string begin_buf, end_buf;
  return DeleteRange(Slice(begin_key, &begin_buf), Slice(end_key, &end_buf));
}

// ---- Handler.

namespace {

Status OnlyDefaultFamily(const char* method) {
  return Status::InvalidArgument(std::string("non-default column family and ") +
                                 method + " not implemented");
}

Status Undefined(const char* method) {
  return Status::InvalidArgument(std::string(method) + " handler not defined.");
}

}  // namespace

using Handler = WriteBatch::Handler;

Handler::~Handler() = default;

Status Handler::PutCF(uint32_t column_family_id, const Slice& key,
                      const Slice& value) {
  if (column_family_id != 0) return OnlyDefaultFamily("PutCF");
  Put(key, value);
  return {};
}

Status Handler::TimedPutCF(uint32_t column_family_id, const Slice& key,
                           const Slice& value, uint64_t write_time) {
  if (column_family_id != 0) return OnlyDefaultFamily("TimedPutCF");
  TimedPut(key, value, write_time);
  return {};
}

Status Handler::PutEntityCF(uint32_t, const Slice&, const Slice&) {
  return Status::NotSupported("PutEntityCF not implemented");
}

Status Handler::DeleteCF(uint32_t column_family_id, const Slice& key) {
  if (column_family_id != 0) return OnlyDefaultFamily("DeleteCF");
  Delete(key);
  return {};
}

Status Handler::SingleDeleteCF(uint32_t column_family_id, const Slice& key) {
  if (column_family_id != 0) return OnlyDefaultFamily("SingleDeleteCF");
  SingleDelete(key);
  return {};
}

Status Handler::DeleteRangeCF(uint32_t, const Slice&, const Slice&) {
  return Status::InvalidArgument("DeleteRangeCF not implemented");
}

Status Handler::MergeCF(uint32_t column_family_id, const Slice& key,
                        const Slice& value) {
  if (column_family_id != 0) return OnlyDefaultFamily("MergeCF");
  Merge(key, value);
  return {};
}

Status Handler::PutBlobIndexCF(uint32_t, const Slice&, const Slice&) {
  return Status::InvalidArgument("PutBlobIndexCF not implemented");
}

// A program that does not look at log data need not know of it.
void Handler::LogData(const Slice&) {}

Status Handler::MarkBeginPrepare(bool) {
  return Undefined("MarkBeginPrepare()");
}

Status Handler::MarkEndPrepare(const Slice&) {
  return Undefined("MarkEndPrepare()");
}

Status Handler::MarkNoop(bool) { return Undefined("MarkNoop()"); }

Status Handler::MarkRollback(const Slice&) {
  return Undefined("MarkRollbackPrepare()");
}

Status Handler::MarkCommit(const Slice&) { return Undefined("MarkCommit()"); }

Status Handler::MarkCommitWithTimestamp(const Slice&, const Slice&) {
  return Undefined("MarkCommitWithTimestamp()");
}

bool Handler::Continue() { return true; }

}  // namespace ROCKSDB_NAMESPACE
