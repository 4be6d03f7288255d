// Session: an open database with all its column families, and the one that
// --column_family names.
//
// Place. What most commands begin with. Options come from the database's own
// OPTIONS file when there is one, changed by flags.
//
// Threads. One.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/utilities/debug.h"
#include "tools/ldb/arguments.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::ldb {

// kForRepair: writable, and without a MANIFEST the OPTIONS file tells the
// families.
enum class OpenMode { kReadOnly, kWritable, kForRepair };

// What a command changes in the options of every family.
using OptionsChange = std::function<void(ColumnFamilyOptions*)>;

// The options a database is opened with: those of its OPTIONS file, changed by
// flags; defaults for families that it does not mention.
struct OpenOptions {
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;  // All there are.
};
engine::Result<OpenOptions> OptionsOf(const Arguments& arguments, OpenMode mode,
                                      const OptionsChange& change = {});

class Session {
 public:
  // Errors: those of DB::Open; InvalidArgument for a column family that does
  // not exist.
  static engine::Result<std::unique_ptr<Session>> Open(
      const Arguments& arguments, OpenMode mode,
      const OptionsChange& change = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  DB* db() const { return db_.get(); }
  ColumnFamilyHandle* family() const { return family_; }
  const std::vector<ColumnFamilyHandle*>& handles() const { return handles_; }
  ColumnFamilyHandle* FindFamily(const std::string& name) const;
  // For new column families: the options of the default one.
  const ColumnFamilyOptions& family_options() const { return family_options_; }

  // Stored versions of keys from `from` up to, without, `to`, until `use`
  // answers false.
  Status ForEachVersion(
      const std::optional<std::string>& from,
      const std::optional<std::string>& to,
      const std::function<bool(const KeyVersion&)>& use) const;
  // The property rocksdb.stats, as `dump --stats` begins.
  Status PrintStats() const;

  // "0,1,0": how many tables each level of the family has.
  std::string FilesPerLevel() const;

  // Closes and tells of errors.
  Status Close();

 private:
  Session() = default;
  Status OpenDb(const Arguments& arguments, OpenMode mode,
                const OpenOptions& options);
  Status OpenWithTtl(const Arguments& arguments, OpenMode mode,
                     const OpenOptions& options);
  Status OpenWithTransactions(const Arguments& arguments,
                              const OpenOptions& options);

  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
  ColumnFamilyHandle* family_ = nullptr;
  ColumnFamilyOptions family_options_;
};

}  // namespace ROCKSDB_NAMESPACE::ldb
