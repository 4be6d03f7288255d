// Snapshot: a state of the database that can still be read after later writes.
#pragma once

#include <cstdint>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class DB;

// Made by DB::GetSnapshot(), ended by DB::ReleaseSnapshot(). Immutable, so
// any thread may use it.
class Snapshot {
 public:
  virtual SequenceNumber GetSequenceNumber() const = 0;
  // Seconds since 1970-01-01 UTC when it was taken.
  virtual int64_t GetUnixTime() const = 0;
  // Of TransactionDB::CreateTimestampedSnapshot(); others: the largest number.
  virtual uint64_t GetTimestamp() const = 0;

 protected:
  // Only ReleaseSnapshot() ends a snapshot.
  virtual ~Snapshot();
};

// Releases the snapshot at the end of a scope.
class ManagedSnapshot {
 public:
  explicit ManagedSnapshot(DB* db);
  // Takes ownership of an existing snapshot.
  ManagedSnapshot(DB* db, const Snapshot* _snapshot);
  ManagedSnapshot(const ManagedSnapshot&) = delete;
  void operator=(const ManagedSnapshot&) = delete;
  ~ManagedSnapshot();

  const Snapshot* snapshot();

 private:
  DB* db_;
  const Snapshot* snapshot_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
