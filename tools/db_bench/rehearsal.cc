#include "tools/db_bench/rehearsal.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "tools/db_bench/target.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRehearsalPrefix = "db_bench_rehearsal.";

// No two processes that run have the same.
std::string NameOf(pid_t pid) {
  return std::string(kRehearsalPrefix) + std::to_string(pid);
}
std::string DirectoryIn(const std::string& parent, pid_t pid) {
  return parent.empty() ? "" : parent + "/" + NameOf(pid);
}

// The process that gave a directory its name, if it runs no longer; else 0.
pid_t EndedOwner(const std::string& name) {
  if (!name.starts_with(kRehearsalPrefix)) return 0;
  pid_t pid = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] =
      std::from_chars(name.data() + kRehearsalPrefix.size(), end, pid);
  if (error != std::errc() || pid <= 0 || name != NameOf(pid)) return 0;
  return ::kill(pid, 0) != 0 && errno == ESRCH ? pid : 0;
}

// Deletes what killed processes left, as they would have. If the process runs
// in another container, DestroyDB() fails, because it holds the LOCK.
void DestroyLeftovers(const std::string& parent, const Options& own) {
  std::vector<std::string> names;
  if (!own.env->GetChildren(parent, &names).ok()) return;
  for (const std::string& name : names) {
    const pid_t owner = EndedOwner(name);
    if (owner == 0) continue;
    const std::string path = DirectoryIn(parent, owner);
    // What a link of that name leads to is not a rehearsal's.
    if (std::error_code error; fs::is_symlink(path, error)) continue;
    Options options;
    options.env = own.env;
    options.wal_dir = DirectoryIn(own.wal_dir, owner);
    options.db_log_dir = DirectoryIn(own.db_log_dir, owner);
    (void)DestroyDB(path, options);
  }
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
  Target target;
  RETURN_IF_ERROR(OpenFamilies(options, path, rehearsal.families, &target));
  Status used;
  for (ColumnFamilyHandle* family : target.families) {
    if (used.ok()) used = Use(target.db.get(), family, rehearsal);
  }
  const Status closed = CloseTarget(&target);
  return used.ok() ? closed : used;
}

}  // namespace

Status Rehearse(const Rehearsal& rehearsal) {
  Options options = rehearsal.options;
  // The benchmark must not count the rehearsal.
  options.statistics = nullptr;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  const pid_t pid = ::getpid();
  const std::string path = DirectoryIn(rehearsal.path, pid);
  std::vector<std::unique_ptr<BorrowedDirectory>> parents;
  const auto borrow = [&](const std::string& directory) {
    parents.push_back(
        std::make_unique<BorrowedDirectory>(options.env, directory));
    return parents.back()->status();
  };
  RETURN_IF_ERROR(borrow(rehearsal.path));
  DestroyLeftovers(rehearsal.path, options);
  RETURN_IF_ERROR(MustBeFree(options.env, path));
  for (std::string* directory : {&options.wal_dir, &options.db_log_dir}) {
    if (directory->empty()) continue;
    RETURN_IF_ERROR(borrow(*directory));
    *directory = DirectoryIn(*directory, pid);
    if (*directory != path) {
      RETURN_IF_ERROR(MustBeFree(options.env, *directory));
    }
  }
  const Status status = OpenAndUse(path, options, rehearsal);
  const Status destroyed = DestroyDB(path, options);
  return status.ok() ? destroyed : status;
}

}  // namespace ROCKSDB_NAMESPACE::bench
