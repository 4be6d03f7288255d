// DBWithTTL: a database whose entries are removed some time after they were
// written.
//
// Model. Every value and merge operand gets the time of its write, four bytes
// at its end, and loses them when it is read. Compactions remove values that
// are older than their family's TTL; until one does, reads return them. A merge
// gives its result the time of the merge.
//
// A TTL is in seconds; 0 or less: entries stay for ever. Another opening may
// give another one, and it holds for all entries. Bytes: value | fixed32
// seconds since 1970.
//
// Such a database has to be opened with this class always: DB::Open shows the
// times at the ends of the values. Entities and ingested tables are refused or
// have no time: see the calls.
//
// Threads. As DB.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class DBWithTTL : public StackableDB {
 public:
  // Opens the default family, with this TTL.
  static Status Open(const Options& options, const std::string& dbname,
                     DBWithTTL** dbptr, int32_t ttl = 0,
                     bool read_only = false);
  // `ttls`: one for each family. InvalidArgument: their number differs.
  static Status Open(const DBOptions& db_options, const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     DBWithTTL** dbptr, const std::vector<int32_t>& ttls,
                     bool read_only = false);

  // CreateColumnFamily() makes one whose entries stay for ever.
  virtual Status CreateColumnFamilyWithTtl(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      ColumnFamilyHandle** handle, int ttl) = 0;

  // From the next compaction on. The first one is for the default family.
  virtual void SetTtl(int32_t ttl) = 0;
  virtual void SetTtl(ColumnFamilyHandle* h, int32_t ttl) = 0;
  // InvalidArgument: the family is not one of this database.
  virtual Status GetTtl(ColumnFamilyHandle* h, int32_t* ttl) = 0;

 protected:
  explicit DBWithTTL(DB* db) : StackableDB(db) {}
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
