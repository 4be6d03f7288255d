// Keeps a database from deleting files while they are copied.
//
// Place. Checkpoints and backups.
//
// Threads. One.
#pragma once

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

class DeletionsOff {
 public:
  explicit DeletionsOff(DB* db) : db_(db), status_(db->DisableFileDeletions()) {
    // A read-only database deletes nothing anyway.
    off_ = status_.ok();
    if (status_.IsNotSupported()) status_ = Status::OK();
  }
  ~DeletionsOff() {
    if (off_) (void)db_->EnableFileDeletions();
  }
  DeletionsOff(const DeletionsOff&) = delete;
  DeletionsOff& operator=(const DeletionsOff&) = delete;
  const Status& status() const { return status_; }

 private:
  DB* const db_;
  Status status_;
  bool off_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
