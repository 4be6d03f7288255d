// CTarget: kinds of databases with transactions, and what these do.

#include <cstdlib>

#include "test/stress/peer/c_target.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string NameOfTransaction(uint64_t id) { return "t" + std::to_string(id); }

}  // namespace

void CTarget::OpenLocking(const Operation& opening, const Names& opened,
                          rocksdb_column_family_handle_t** handles,
                          char** error) {
  auto* const how = api_.transactiondb_options_create();
  if (opening.number > 0) {
    api_.transactiondb_options_set_num_stripes(how, opening.number);
  }
  locking_ = api_.transactiondb_open_column_families(
      families_["default"].options, how, path_.c_str(),
      static_cast<int>(opened.names.size()), opened.names.data(),
      opened.options.data(), handles, error);
  api_.transactiondb_options_destroy(how);
  if (locking_ == nullptr) return;
  // 7.8.3 has no function for it. In all releases both types are a pointer to
  // the object, and the one's class is derived from the other's.
  db_ = api_.transactiondb_get_base_db != nullptr
            ? api_.transactiondb_get_base_db(locking_)
            : reinterpret_cast<rocksdb_t*>(locking_);
}

void CTarget::OpenOptimistic(const Names& opened,
                             rocksdb_column_family_handle_t** handles,
                             char** error) {
  optimistic_ = api_.optimistictransactiondb_open_column_families(
      families_["default"].options, path_.c_str(),
      static_cast<int>(opened.names.size()), opened.names.data(),
      opened.options.data(), handles, error);
  if (optimistic_ == nullptr) return;
  db_ = api_.optimistictransactiondb_get_base_db(optimistic_);
}

// Prepared transactions stay in the log.
void CTarget::CloseDb() {
  for (const auto& [name, transaction] : open_) {
    api_.transaction_destroy(transaction);
  }
  open_.clear();
  if (locking_ != nullptr) {
    if (api_.transactiondb_get_base_db != nullptr) {
      api_.transactiondb_close_base_db(db_);
    }
    api_.transactiondb_close(locking_);
  } else if (optimistic_ != nullptr) {
    api_.optimistictransactiondb_close_base_db(db_);
    api_.optimistictransactiondb_close(optimistic_);
  } else {
    api_.close(db_);
  }
  locking_ = nullptr;
  optimistic_ = nullptr;
}

rocksdb_transaction_t* CTarget::Begin(const Operation& operation) {
  const uint64_t way = Fingerprint(ToText(operation));
  // One that stays open would hold its snapshot, which others count.
  const auto snapshot = static_cast<unsigned char>(
      way % 2 == 0 && operation.Setting("end") != "prepared" ? 1 : 0);
  rocksdb_transaction_t* transaction = nullptr;
  if (locking_ != nullptr) {
    auto* const how = api_.transaction_options_create();
    api_.transaction_options_set_set_snapshot(how, snapshot);
    api_.transaction_options_set_deadlock_detect(
        how, static_cast<unsigned char>(way / 2 % 2));
    transaction = api_.transaction_begin(locking_, writes_, how, nullptr);
    api_.transaction_options_destroy(how);
  } else {
    auto* const how = api_.optimistictransaction_options_create();
    api_.optimistictransaction_options_set_set_snapshot(how, snapshot);
    transaction =
        api_.optimistictransaction_begin(optimistic_, writes_, how, nullptr);
    api_.optimistictransaction_options_destroy(how);
  }
  return transaction;
}

std::string CTarget::Transact(const Operation& operation) {
  if (locking_ == nullptr && optimistic_ == nullptr) {
    return WriteKept(operation);
  }
  rocksdb_transaction_t* const transaction = Begin(operation);
  std::string answer;
  for (const Operation& step : operation.inner) {
    const std::string shown = Step(transaction, step);
    if (step.kind == Kind::kGet || step.kind == Kind::kIterate) {
      answer += shown + " ; ";
    } else if (shown != kOk) {
      api_.transaction_destroy(transaction);
      return answer + shown;
    }
  }
  const std::string ended = EndOf(transaction, operation);
  const bool stays = operation.Setting("end") == "prepared";
  if (stays && locking_ != nullptr) {
    open_[NameOfTransaction(operation.id)] = transaction;
  } else {
    api_.transaction_destroy(transaction);
  }
  return answer + (ended == kOk ? CheckPrepared(operation) : ended);
}

std::string CTarget::EndOf(rocksdb_transaction_t* transaction,
                           const Operation& operation) {
  const std::string end = operation.Setting("end");
  const bool stays = end == "prepared";
  Error error;
  if (locking_ != nullptr &&
      (stays || operation.Setting("prepare") == "true")) {
    const std::string name = NameOfTransaction(operation.id);
    api_.transaction_set_name(transaction, name.data(), name.size(),
                              error.out());
    if (!error.is_set()) api_.transaction_prepare(transaction, error.out());
  }
  if (error.is_set() || stays) return error.Text();
  if (end == "commit") {
    api_.transaction_commit(transaction, error.out());
  } else {
    api_.transaction_rollback(transaction, error.out());
  }
  return error.Text();
}

std::string CTarget::Step(rocksdb_transaction_t* transaction,
                          const Operation& step) {
  const std::string& key = step.key;
  const std::string value = ExpandValue(step.value);
  Error error;
  if (step.kind == Kind::kSavePoint) {
    api_.transaction_set_savepoint(transaction);
    return kOk;
  }
  if (step.kind == Kind::kRollback) {
    api_.transaction_rollback_to_savepoint(transaction, error.out());
    return kOk;  // An error: there was none.
  }
  const Family* const family = Find(step.family);
  if (family == nullptr) return kAny;
  if (step.kind == Kind::kGet) return GetThrough(transaction, step);
  if (step.kind == Kind::kIterate) return IterateThrough(transaction, step);
  if (step.kind == Kind::kPut) {
    api_.transaction_put_cf(transaction, family->handle, key.data(), key.size(),
                            value.data(), value.size(), error.out());
  } else if (step.kind == Kind::kMerge) {
    api_.transaction_merge_cf(transaction, family->handle, key.data(),
                              key.size(), value.data(), value.size(),
                              error.out());
  } else if (step.kind == Kind::kDelete) {
    api_.transaction_delete_cf(transaction, family->handle, key.data(),
                               key.size(), error.out());
  } else {
    return kAny;
  }
  return error.Text();
}

std::string CTarget::GetThrough(rocksdb_transaction_t* transaction,
                                const Operation& read) {
  auto* const handle = Find(read.family)->handle;
  auto* const options = ReadOptionsFor(0, read.family);
  const std::string& key = read.key;
  Error error;
  size_t size = 0;
  char* const value =
      read.Setting("update") == "true"
          ? api_.transaction_get_for_update_cf(transaction, options, handle,
                                               key.data(), key.size(), &size,
                                               /*exclusive=*/1, error.out())
          : api_.transaction_get_cf(transaction, options, handle, key.data(),
                                    key.size(), &size, error.out());
  api_.readoptions_destroy(options);
  if (error.is_set()) return error.Text();
  return value == nullptr ? kNotFound : Show(Take(value, size));
}

std::string CTarget::IterateThrough(rocksdb_transaction_t* transaction,
                                    const Operation& read) {
  Operation how;
  how.settings.emplace_back("mode", "total");
  auto* const handle = Find(read.family)->handle;
  const auto make = [&](const rocksdb_readoptions_t* options) {
    return api_.transaction_create_iterator_cf(transaction, options, handle);
  };
  return Walk(std::make_unique<CCursor>(api_, make, how, nullptr), "total")
      .Iterate(read);
}

// By name. Those of this opening are the library's objects of open_, so only
// the places for the others belong to the caller.
std::map<std::string, rocksdb_transaction_t*> CTarget::Prepared() {
  std::map<std::string, rocksdb_transaction_t*> prepared;
  size_t count = 0;
  rocksdb_transaction_t** const all =
      api_.transactiondb_get_prepared_transactions(locking_, &count);
  for (size_t i = 0; i < count; ++i) {
    size_t size = 0;
    char* const name = api_.transaction_get_name(all[i], &size);
    prepared[Take(name, size)] = all[i];
  }
  std::free(all);
  return prepared;
}

// `n` says how many are left open.
std::string CTarget::CheckPrepared(const Operation& operation) {
  if (locking_ == nullptr) return kOk;
  const auto prepared = Prepared();
  for (const auto& [name, place] : prepared) std::free(place);
  return prepared.size() == operation.number
             ? kOk
             : "ERROR " + std::to_string(prepared.size()) + " are prepared";
}

std::string CTarget::Decide(const Operation& operation) {
  const bool commits = operation.Setting("end") == "commit";
  if (locking_ == nullptr) {
    Operation whole(operation);
    whole.kind = Kind::kTransaction;
    return commits ? Transact(whole) : kOk;
  }
  const std::string name = NameOfTransaction(operation.id);
  auto prepared = Prepared();
  rocksdb_transaction_t* const found = prepared[name];
  prepared.erase(name);
  for (const auto& [other, place] : prepared) std::free(place);
  if (found == nullptr) return "ERROR no transaction " + name;
  Error error;
  if (commits) {
    api_.transaction_commit(found, error.out());
  } else {
    api_.transaction_rollback(found, error.out());
  }
  const auto own = open_.find(name);
  if (own != open_.end()) {
    api_.transaction_destroy(own->second);
    open_.erase(own);
    std::free(found);
  } else {
    api_.transaction_destroy(found);
  }
  return error.is_set() ? error.Text() : CheckPrepared(operation);
}

// On a plain database. Its transactions' reads are not asked.
std::string CTarget::WriteKept(const Operation& operation) {
  if (operation.Setting("end") != "commit") return kAny;
  Operation batch;
  batch.kind = Kind::kBatch;
  for (const Operation& step : operation.inner) {
    if (step.kind <= Kind::kPopSavePoint) batch.inner.push_back(step);
  }
  const std::string written = WriteBatch(batch);
  return written == kOk ? kAny : written;
}

}  // namespace ROCKSDB_NAMESPACE::stress
