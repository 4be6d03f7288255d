#include "tools/db_bench/rehearsal.h"

#include <unistd.h>

#include <memory>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// A name of this process: what is found there is not its own.
std::string DirectoryIn(const std::string& parent) {
  return parent + "/db_bench_rehearsal." + std::to_string(::getpid());
}

// Makes a directory, and deletes it when it is destroyed if it was not there
// before.
class BorrowedDirectory {
 public:
  BorrowedDirectory(Env* env, const std::string& path)
      : env_(env),
        path_(path),
        existed_(env->FileExists(path).ok()),
        status_(env->CreateDirIfMissing(path)) {}
  ~BorrowedDirectory() {
    if (!existed_) (void)env_->DeleteDir(path_);
  }
  BorrowedDirectory(const BorrowedDirectory&) = delete;
  BorrowedDirectory& operator=(const BorrowedDirectory&) = delete;

  const Status& status() const { return status_; }

 private:
  Env* const env_;
  const std::string path_;
  const bool existed_;
  const Status status_;
};

Status MustBeFree(Env* env, const std::string& path) {
  Status exists = env->FileExists(path);
  if (exists.IsNotFound()) return Status::OK();
  if (!exists.ok()) return exists;
  return Status::InvalidArgument(
      path, "exists, and is where the options would be tried; move it away");
}

Status Use(DB* db, ColumnFamilyHandle* family, const Rehearsal& rehearsal) {
  for (const WriteOptions& write : rehearsal.writes) {
    RETURN_IF_ERROR(db->Put(write, family, "key", "value"));
  }
  RETURN_IF_ERROR(db->Flush(FlushOptions(), family));
  std::string value;
  Status read = db->Get(rehearsal.reads, family, "key", &value);
  if (!read.ok() && !read.IsNotFound()) return read;
  const std::unique_ptr<Iterator> it(db->NewIterator(rehearsal.reads, family));
  it->Seek("key");
  return it->status();
}

Status OpenAndUse(const std::string& path, const Options& options,
                  const Rehearsal& rehearsal) {
  std::vector<ColumnFamilyDescriptor> descriptors;
  descriptors.reserve(rehearsal.families.size());
  for (const std::string& name : rehearsal.families) {
    descriptors.emplace_back(name, options);
  }
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> families;
  RETURN_IF_ERROR(DB::Open(options, path, descriptors, &families, &db));
  Status used;
  for (ColumnFamilyHandle* family : families) {
    if (used.ok()) used = Use(db.get(), family, rehearsal);
    (void)db->DestroyColumnFamilyHandle(family);
  }
  const Status closed = db->Close();
  return used.ok() ? closed : used;
}

}  // namespace

Status Rehearse(const Rehearsal& rehearsal) {
  Options options = rehearsal.options;
  // The benchmark must not count the rehearsal.
  options.statistics = nullptr;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  const std::string path = DirectoryIn(rehearsal.path);
  std::vector<std::unique_ptr<BorrowedDirectory>> parents;
  const auto borrow = [&](const std::string& directory) {
    parents.push_back(
        std::make_unique<BorrowedDirectory>(options.env, directory));
    return parents.back()->status();
  };
  RETURN_IF_ERROR(borrow(rehearsal.path));
  RETURN_IF_ERROR(MustBeFree(options.env, path));
  for (std::string* directory : {&options.wal_dir, &options.db_log_dir}) {
    if (directory->empty()) continue;
    RETURN_IF_ERROR(borrow(*directory));
    *directory = DirectoryIn(*directory);
    if (*directory != path) {
      RETURN_IF_ERROR(MustBeFree(options.env, *directory));
    }
  }
  const Status status = OpenAndUse(path, options, rehearsal);
  const Status destroyed = DestroyDB(path, options);
  return status.ok() ? destroyed : status;
}

}  // namespace ROCKSDB_NAMESPACE::bench
