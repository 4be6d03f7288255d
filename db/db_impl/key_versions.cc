#include "db/db_impl/key_versions.h"

#include <memory>

namespace ROCKSDB_NAMESPACE {

namespace engine {

std::unique_ptr<InternalIterator> DBImpl::NewVersionIterator(
    ColumnFamilyHandle* column_family) const {
  const FamilyPtr& family = FamilyOf(column_family);
  ReadOptions options;
  options.total_order_seek = true;
  const ViewRef pinned = family->views().Pin();
  IteratorState all;
  all.sequence = kSequenceMax;
  return NewInternalIterator(options, family, *pinned.get(), all);
}

Status ForEachKeyVersion(DB* db, ColumnFamilyHandle* family, const Slice& begin,
                         const std::function<bool(const KeyVersion&)>& use) {
  const auto* const impl = dynamic_cast<const DBImpl*>(db->GetRootDB());
  if (impl == nullptr) {
    return Status::NotSupported("versions of keys of this kind of DB");
  }
  const std::unique_ptr<InternalIterator> it = impl->NewVersionIterator(family);
  if (begin.empty()) {
    it->SeekToFirst();
  } else {
    it->Seek(InternalKey(begin, kSequenceMax, kTypeForSeek).Encode());
  }
  for (; it->Valid(); it->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(it->key(), &key)) {
      return Status::Corruption("internal key too short",
                                it->key().ToString(/*hex=*/true));
    }
    if (!use(KeyVersion(key.user_key.ToString(), it->value().ToString(),
                        key.sequence, static_cast<int>(key.type)))) {
      break;
    }
  }
  return it->status();
}

}  // namespace engine

std::string KeyVersion::GetTypeName() const {
  static constexpr const char* kNames[] = {
      "TypeDeletion",
      "TypeValue",
      "TypeMerge",
      "TypeLogData",
      "TypeColumnFamilyDeletion",
      "TypeColumnFamilyValue",
      "TypeColumnFamilyMerge",
      "TypeSingleDeletion",
      "TypeColumnFamilySingleDeletion",
      "TypeBeginPrepareXID",
      "TypeEndPrepareXID",
      "TypeCommitXID",
      "TypeRollbackXID",
      "TypeNoop",
      "TypeColumnFamilyRangeDeletion",
      "TypeRangeDeletion",
      "TypeColumnFamilyBlobIndex",
      "TypeBlobIndex",
      "TypeBeginPersistedPrepareXID",
      "TypeBeginUnprepareXID",
      "TypeDeletionWithTimestamp",
      "TypeCommitXIDAndTimestamp",
      "TypeWideColumnEntity",
      "TypeColumnFamilyWideColumnEntity",
      "TypeValuePreferredSeqno",
      "TypeColumnFamilyValuePreferredSeqno",
  };
  const auto index = static_cast<size_t>(type);
  return type < 0 || index >= std::size(kNames) ? "Invalid" : kNames[index];
}

Status GetAllKeyVersions(DB* db, ColumnFamilyHandle* cfh, Slice begin_key,
                         Slice end_key, size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions) {
  if (key_versions == nullptr) {
    return Status::InvalidArgument("key_versions cannot be null.");
  }
  key_versions->clear();
  if (cfh == nullptr) return Status::InvalidArgument("Column family is null.");
  const Comparator* const order = cfh->GetComparator();
  return engine::ForEachKeyVersion(
      db, cfh, begin_key, [&](const KeyVersion& version) {
        if (key_versions->size() >= max_num_ikeys) return false;
        if (!end_key.empty() && order->Compare(version.user_key, end_key) > 0) {
          return false;
        }
        key_versions->push_back(version);
        return true;
      });
}

Status GetAllKeyVersions(DB* db, Slice begin_key, Slice end_key,
                         size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions) {
  if (db == nullptr) return Status::InvalidArgument("db cannot be null.");
  return GetAllKeyVersions(db, db->DefaultColumnFamily(), begin_key, end_key,
                           max_num_ikeys, key_versions);
}

}  // namespace ROCKSDB_NAMESPACE
