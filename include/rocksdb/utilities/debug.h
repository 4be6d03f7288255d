// Lists what a database stores, version by version: for tools and tests.
//
// Place. Above DB; needs a database opened by DB itself.
// Threads. Any.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

/// One stored version of a key. A key has several while snapshots or a missing
/// compaction keep them.
struct KeyVersion {
  KeyVersion() : user_key(""), value(""), sequence(0), type(0) {}
  KeyVersion(const std::string& _user_key, const std::string& _value,
             SequenceNumber _sequence, int _type)
      : user_key(_user_key), value(_value), sequence(_sequence), type(_type) {}

  std::string user_key;
  std::string value;  // As stored; its meaning depends on the type.
  SequenceNumber sequence;
  int type;
  /// "TypeValue", "TypeDeletion", ...; "Invalid" for unknown types.
  std::string GetTypeName() const;
};

/// The versions of the keys from `begin_key` to `end_key`, both included, in
/// the order of keys, newest version first; an empty bound is no bound. What
/// a range deletion covers is left out. Stops after `max_num_ikeys`: all of
/// them are held in memory.
///
/// Errors: those of reading; NotSupported for a `db` that is no database of
/// this library.
Status GetAllKeyVersions(DB* db, ColumnFamilyHandle* cfh, Slice begin_key,
                         Slice end_key, size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions);
/// Of the default column family.
Status GetAllKeyVersions(DB* db, Slice begin_key, Slice end_key,
                         size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
