// Session: an open database with all its column families, and the one that
// --column_family names.
//
// Place. What most commands begin with. Options come from the database's own
// OPTIONS file when there is one, changed by flags.
//
// Threads. One.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "tools/ldb/arguments.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::ldb {

enum class OpenMode { kReadOnly, kWritable };

class Session {
 public:
  // Errors: those of DB::Open; InvalidArgument for a column family that does
  // not exist.
  static engine::Result<std::unique_ptr<Session>> Open(
      const Arguments& arguments, OpenMode mode);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  DB* db() const { return db_.get(); }
  ColumnFamilyHandle* family() const { return family_; }
  ColumnFamilyHandle* FindFamily(const std::string& name) const;
  // For new column families: the options of the default one.
  const ColumnFamilyOptions& family_options() const { return family_options_; }
  // Closes and tells of errors.
  Status Close();

 private:
  Session() = default;

  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
  ColumnFamilyHandle* family_ = nullptr;
  ColumnFamilyOptions family_options_;
};

}  // namespace ROCKSDB_NAMESPACE::ldb
