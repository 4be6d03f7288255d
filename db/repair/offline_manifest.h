// OfflineManifest: the MANIFEST of a database that is not open, to be
// changed by hand.
//
// Place. What tools do to a database without opening it: taking out a table
// that is lost. Its logs are neither read nor touched.
//
// Model. Locks the database, reads the MANIFEST, writes each edit to a new
// MANIFEST that CURRENT then names. No file of data is deleted; tables that an
// edit takes out are deleted by the next open.
//
// Threads. One.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/format/database_lock.h"
#include "db/manifest/version_set.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class OfflineManifest {
 public:
  // `families`: all there are. Errors: IOError when the database is in use;
  // those of reading the MANIFEST.
  static Result<std::unique_ptr<OfflineManifest>> Open(
      const DBOptions& options, const std::string& db,
      const std::vector<ColumnFamilyDescriptor>& families);
  ~OfflineManifest();
  OfflineManifest(const OfflineManifest&) = delete;
  OfflineManifest& operator=(const OfflineManifest&) = delete;

  std::vector<FamilyVersions*> families() const {
    return versions_->families();
  }
  // Durable when it returns OK.
  Status Apply(FamilyVersions* family, VersionEdit* edit);

 private:
  OfflineManifest(FileSystem* fs, std::string db)
      : fs_(fs), db_(std::move(db)) {}

  FileSystem* const fs_;
  const std::string db_;
  DatabaseLock lock_;
  std::unique_ptr<FSDirectory> directory_;
  std::unique_ptr<VersionSet> versions_;
  StateMutex mu_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
