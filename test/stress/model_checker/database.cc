#include "test/stress/model_checker/database.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "test/support/encrypted.h"
#include "test/support/lone_sync_fs.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

constexpr const char* kAccountFamily = "accounts";

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Database::Database(const Plan& plan, ExpectedState* expected,
                   const std::string& dir)
    : plan_(plan),
      expected_(expected),
      dir_(plan.in_memory ? "" : dir),
      path_(dir_ + "/db") {
  if (plan.in_memory) {
    // No crash: what is not synced need not be known, and takes longer and
    // longer to look through.
    engine::MemFileSystem::Options options;
    options.remember_unsynced = false;
    base_ = std::make_shared<engine::MemFileSystem>(std::move(options));
  } else {
    base_ = FileSystem::Default();
  }
  if (plan.faults) {
    faults_ = std::make_shared<test::ErrorFileSystem>(base_);
    base_ = faults_;
  }
  if (plan.encrypted) base_ = test::Encrypted(base_);
  if (plan.lone_syncs) {
    base_ = std::make_shared<test::LoneSyncFileSystem>(base_);
  }
  own_env_ = NewCompositeEnv(base_);
  env_ = own_env_.get();
}

Database::~Database() { Close(false).PermitUncheckedError(); }

std::vector<ColumnFamilyDescriptor> Database::Descriptors(
    std::vector<int>* slots) const {
  std::vector<ColumnFamilyDescriptor> families;
  for (int slot = 0; slot < plan_.shape.slots; ++slot) {
    if (slot != 0 && expected_->slot_state(slot) != SlotState::kPresent) {
      continue;
    }
    families.emplace_back(SlotName(slot), options_.families[slot]);
    slots->push_back(slot);
  }
  return families;
}

// As those of slot 0, but nothing changes values.
ColumnFamilyOptions Database::AccountOptions() const {
  ColumnFamilyOptions options = options_.families[0];
  options.comparator = BytewiseComparator();
  options.merge_operator.reset();
  options.compaction_filter = nullptr;
  options.compaction_filter_factory.reset();
  options.cf_paths.clear();
  return options;
}

// None, if there is no database.
Status Database::ListFamilies(const std::string& path,
                              std::vector<std::string>* names) const {
  names->clear();
  const Status exists = env_->FileExists(path + "/CURRENT");
  if (exists.IsNotFound()) return Status::OK();
  if (!exists.ok()) return exists;
  DBOptions options;
  options.env = env_;
  return DB::ListColumnFamilies(options, path, names);
}

Status Database::OpenAny(const std::vector<ColumnFamilyDescriptor>& families,
                         std::vector<ColumnFamilyHandle*>* handles) {
  switch (options_.transactions) {
    case Transactions::kNone:
      return DB::Open(options_.db, path_, families, handles, &db_);
    case Transactions::kLocking: {
      const Status status = TransactionDB::Open(
          options_.db, options_.locking, path_, families, handles, &locking_);
      db_.reset(locking_);
      return status;
    }
    case Transactions::kOptimistic: {
      const Status status =
          OptimisticTransactionDB::Open(options_.db, options_.optimistic, path_,
                                        families, handles, &optimistic_);
      db_.reset(optimistic_);
      return status;
    }
  }
  return Status::OK();
}

std::unique_ptr<Transaction> Database::BeginTransaction(
    const WriteOptions& write_options, const TransactionOptions& options) {
  if (locking_ != nullptr) {
    return std::unique_ptr<Transaction>(
        locking_->BeginTransaction(write_options, options));
  }
  OptimisticTransactionOptions optimistic;
  optimistic.set_snapshot = options.set_snapshot;
  return std::unique_ptr<Transaction>(
      optimistic_->BeginTransaction(write_options, optimistic));
}

Status Database::Open(uint64_t opening) {
  const Status drawn =
      DrawRunOptions(plan_, opening, env_, path_, &caches_, &options_);
  if (!drawn.ok()) return drawn;
  for (int slot = 0; slot < kMirrorSlots; ++slot) {
    expected_->slot_state(slot) = SlotState::kPresent;
  }
  std::vector<int> slots;
  std::vector<ColumnFamilyDescriptor> families = Descriptors(&slots);
  std::vector<std::string> names;
  Status status = ListFamilies(path_, &names);
  if (!status.ok()) return status;
  const bool has_accounts = Has(names, kAccountFamily);
  if (has_accounts) families.emplace_back(kAccountFamily, AccountOptions());
  std::vector<ColumnFamilyHandle*> handles;
  status = OpenAny(families, &handles);
  for (size_t i = 0; i < handles.size(); ++i) {
    (i < slots.size() ? handles_[slots[i]] : accounts_) = handles[i];
  }
  if (!status.ok() || has_accounts ||
      plan_.transactions == Transactions::kNone) {
    return status;
  }
  return db_->CreateColumnFamily(AccountOptions(), kAccountFamily, &accounts_);
}

Status Database::Close(bool explicitly) {
  if (db_ == nullptr) return Status::OK();
  Status status;
  const auto destroy = [&](ColumnFamilyHandle*& handle) {
    if (handle == nullptr) return;
    const Status s =
        db_->DestroyColumnFamilyHandle(std::exchange(handle, nullptr));
    if (status.ok()) status = s;
  };
  for (ColumnFamilyHandle*& handle : handles_) destroy(handle);
  destroy(accounts_);
  if (explicitly) {
    const Status s = db_->Close();
    if (status.ok()) status = s;
  }
  db_.reset();
  locking_ = nullptr;
  optimistic_ = nullptr;
  return status;
}

Status Database::SettleSlots() {
  std::vector<std::string> names;
  const Status status = ListFamilies(path_, &names);
  if (!status.ok()) return status;
  for (int slot = kMirrorSlots; slot < plan_.shape.slots; ++slot) {
    std::atomic<SlotState>& state = expected_->slot_state(slot);
    const bool there = Has(names, SlotName(slot));
    if (state == SlotState::kPresent || state == SlotState::kAbsent) {
      if (there == (state == SlotState::kPresent)) continue;
      return Status::Corruption(SlotName(slot) +
                                (there ? " came back" : " is lost"));
    }
    if (state == SlotState::kCreating || !there) expected_->ClearSlot(slot);
    state = there ? SlotState::kPresent : SlotState::kAbsent;
  }
  return Status::OK();
}

Status Database::CreateSlot(int slot) {
  expected_->ClearSlot(slot);
  expected_->slot_state(slot) = SlotState::kCreating;
  const Status status = db_->CreateColumnFamily(
      options_.families[slot], SlotName(slot), &handles_[slot]);
  if (status.ok()) expected_->slot_state(slot) = SlotState::kPresent;
  return status;
}

Status Database::DropSlot(int slot) {
  expected_->slot_state(slot) = SlotState::kDropping;
  Status status = db_->DropColumnFamily(handles_[slot]);
  if (!status.ok()) return status;
  status =
      db_->DestroyColumnFamilyHandle(std::exchange(handles_[slot], nullptr));
  expected_->ClearSlot(slot);
  expected_->slot_state(slot) = SlotState::kAbsent;
  return status;
}

Status Database::Orphans(std::set<std::string>* names) const {
  std::set<std::string> dirs = {path_};
  for (const DbPath& path : options_.db.db_paths) dirs.insert(path.path);
  for (const ColumnFamilyOptions& family : options_.families) {
    for (const DbPath& path : family.cf_paths) dirs.insert(path.path);
  }
  names->clear();
  for (const std::string& dir : dirs) {
    std::vector<std::string> children;
    const Status status = env_->GetChildren(dir, &children);
    if (status.IsNotFound()) continue;  // Of a family that is not there.
    if (!status.ok()) return status;
    for (const std::string& name : children) {
      if (name.ends_with(".sst") || name.ends_with(".blob")) {
        names->insert(name);
      }
    }
  }
  // Behind the directories: what was listed may have become live meanwhile.
  std::vector<std::string> live;
  uint64_t manifest_bytes = 0;
  const Status status =
      db_->GetLiveFiles(live, &manifest_bytes, /*flush_memtable=*/false);
  for (const std::string& file : live) {
    names->erase(file.substr(file.rfind('/') + 1));
  }
  return status;
}

Status Database::OpenCopy(const std::string& path, bool read_only,
                          std::unique_ptr<Database>* copy) const {
  auto opened = std::make_unique<Database>(plan_, expected_, dir_);
  opened->path_ = path;
  opened->env_ = env_;
  opened->options_ = options_;
  opened->options_.db.env = env_;
  opened->options_.db.row_cache = nullptr;
  opened->options_.db.compaction_service = nullptr;  // Of one database.
  // A reader of a database that is written keeps every file open: the writer
  // deletes them.
  opened->options_.db.max_open_files = -1;
  if (path != path_) {  // All files are in one directory.
    // Both have every file of a run with ten thousands of small ones.
    opened->options_.db.max_open_files = 1000;
    opened->options_.db.db_paths.clear();
    opened->options_.db.wal_dir.clear();
    for (ColumnFamilyOptions& family : opened->options_.families) {
      family.cf_paths.clear();
    }
  }
  // An error may have left it open whether a family is there.
  DBOptions listing;
  listing.env = env_;
  std::vector<std::string> names;
  const Status listed = DB::ListColumnFamilies(listing, path, &names);
  if (!listed.ok()) return listed;
  std::vector<int> slots;
  std::vector<ColumnFamilyDescriptor> families;
  for (int slot = 0; slot < plan_.shape.slots; ++slot) {
    const std::string name = SlotName(slot);
    if (!Has(names, name)) {
      if (expected_->slot_state(slot) != SlotState::kPresent) continue;
      return Status::Corruption(path, "has no family " + name);
    }
    families.emplace_back(name, opened->options_.families[slot]);
    slots.push_back(slot);
  }
  if (Has(names, kAccountFamily)) {
    families.emplace_back(kAccountFamily, opened->AccountOptions());
  }
  std::vector<ColumnFamilyHandle*> handles;
  const DBOptions& options = opened->options_.db;
  const Status status =
      read_only
          ? DB::OpenForReadOnly(options, path, families, &handles, &opened->db_)
          : DB::Open(options, path, families, &handles, &opened->db_);
  for (size_t i = 0; i < handles.size(); ++i) {
    (i < slots.size() ? opened->handles_[slots[i]] : opened->accounts_) =
        handles[i];
  }
  if (status.ok()) *copy = std::move(opened);
  return status;
}

std::string Database::NewPath(const std::string& what) {
  return dir_ + "/" + what + "-" + std::to_string(::getpid()) + "-" +
         std::to_string(next_path_++);
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
