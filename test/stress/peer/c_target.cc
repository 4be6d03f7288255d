#include "test/stress/peer/c_target.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "test/stress/peer/c_calls.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

Operation InTotalOrder(const std::string& family) {
  Operation how;
  how.family = family;
  how.settings.emplace_back("mode", "total");
  return how;
}

// Not with timestamps: blob files; and a hash index, in which 11.8.1 does not
// find the empty key, even in its own tables.
void AdaptToTimestamps(std::string* options) {
  *options += ";enable_blob_files=false";
  constexpr std::string_view kHash = "index_type=kHashSearch";
  const size_t at = options->find(kHash);
  if (at == std::string::npos) return;
  options->replace(at, kHash.size(), "index_type=kBinarySearch");
}

}  // namespace

std::string CTarget::MakeOptions(const std::string& family,
                                 const std::string& text,
                                 rocksdb_options_t** options) {
  std::string all = text.empty() || text.back() == ';' ? text : text + ";";
  all += "merge_operator=";
  all += AddsNumbers(family) ? "uint64add" : "stringappend";
  if (IsReversed(family))
    all += ";comparator=rocksdb.ReverseBytewiseComparator";
  if (HasTimestamps(family)) AdaptToTimestamps(&all);
  rocksdb_options_t* const base = api_.options_create();
  *options = api_.options_create();
  Error error;
  api_.get_options_from_string(base, all.c_str(), *options, error.out());
  api_.options_destroy(base);
  if (HasTimestamps(family)) api_.options_set_comparator(*options, times_);
  api_.options_set_create_if_missing(*options, 1);
  api_.options_set_create_missing_column_families(*options, 1);
  return error.is_set() ? "options " + all + ": " + error.Text() : kOk;
}

std::string CTarget::Open(const Operation& opening) {
  std::vector<const char*> names;
  std::vector<const rocksdb_options_t*> options;
  for (const auto& [name, text] : opening.settings) {
    Family& family = families_[name];
    const std::string made = MakeOptions(name, text, &family.options);
    if (made != kOk) return made;
    names.push_back(name.c_str());
    options.push_back(family.options);
  }
  std::vector<rocksdb_column_family_handle_t*> handles(names.size());
  Error error;
  const Names opened{names, options};
  if (opening.value == "locking") {
    OpenLocking(opening, opened, handles.data(), error.out());
  } else if (opening.value == "optimistic") {
    OpenOptimistic(opened, handles.data(), error.out());
  } else {
    db_ =
        api_.open_column_families(families_["default"].options, path_.c_str(),
                                  static_cast<int>(names.size()), names.data(),
                                  options.data(), handles.data(), error.out());
  }
  if (error.is_set()) return error.Text();
  for (size_t i = 0; i < names.size(); ++i) {
    families_[names[i]].handle = handles[i];
  }
  writes_ = api_.writeoptions_create();
  opening_ = opening;
  return kOk;
}

std::string CTarget::Close() {
  if (db_ != nullptr) held_.ReleaseAll();
  for (auto& [name, family] : families_) {
    if (family.handle != nullptr) {
      api_.column_family_handle_destroy(family.handle);
    }
  }
  if (db_ != nullptr) {
    CloseDb();
    api_.writeoptions_destroy(writes_);
  }
  db_ = nullptr;
  for (auto& [name, family] : families_) {
    if (family.options != nullptr) api_.options_destroy(family.options);
  }
  families_.clear();
  return kOk;
}

CTarget::Family* CTarget::Find(const std::string& name) {
  const auto it = families_.find(name);
  return it == families_.end() ? nullptr : &it->second;
}

std::string CTarget::Execute(const Operation& operation) {
  if (db_ == nullptr) return "no database";
  if (!operation.family.empty() && operation.kind != Kind::kCreateFamily &&
      Find(operation.family) == nullptr) {
    return kAny;
  }
  if (operation.kind <= Kind::kIngest) return Write(operation);
  if (operation.kind == Kind::kTransaction) return Transact(operation);
  if (operation.kind == Kind::kDecide) return Decide(operation);
  if (operation.kind <= Kind::kKeyMayExist) return Read(operation);
  if (operation.kind <= Kind::kDump) return held_.Execute(operation);
  return Work(operation);
}

std::string CTarget::Write(const Operation& operation) {
  if (operation.kind == Kind::kBatch) return WriteBatch(operation);
  if (operation.kind == Kind::kIngest) return Ingest(operation);
  if (HasTimestamps(operation.family)) return WriteStamped(operation);
  auto* const handle = Find(operation.family)->handle;
  const std::string& key = operation.key;
  const std::string value = ExpandValue(operation.value);
  Error error;
  switch (operation.kind) {
    case Kind::kPut:
      api_.put_cf(db_, writes_, handle, key.data(), key.size(), value.data(),
                  value.size(), error.out());
      break;
    case Kind::kMerge:
      api_.merge_cf(db_, writes_, handle, key.data(), key.size(), value.data(),
                    value.size(), error.out());
      break;
    case Kind::kDelete:
      api_.delete_cf(db_, writes_, handle, key.data(), key.size(), error.out());
      break;
    case Kind::kSingleDelete:
      api_.singledelete_cf(db_, writes_, handle, key.data(), key.size(),
                           error.out());
      break;
    case Kind::kDeleteRange:
      api_.delete_range_cf(db_, writes_, handle, key.data(), key.size(),
                           operation.end.data(), operation.end.size(),
                           error.out());
      break;
    default:
      return kAny;
  }
  return error.Text();
}

std::string CTarget::WriteStamped(const Operation& operation) {
  auto* const handle = Find(operation.family)->handle;
  const std::string& key = operation.key;
  const std::string time = BytesOfTime(operation.number);
  const std::string value = ExpandValue(operation.value);
  Error error;
  switch (operation.kind) {
    case Kind::kPut:
      api_.put_cf_with_ts(db_, writes_, handle, key.data(), key.size(),
                          time.data(), time.size(), value.data(), value.size(),
                          error.out());
      break;
    case Kind::kDelete:
      api_.delete_cf_with_ts(db_, writes_, handle, key.data(), key.size(),
                             time.data(), time.size(), error.out());
      break;
    case Kind::kSingleDelete:
      api_.singledelete_cf_with_ts(db_, writes_, handle, key.data(), key.size(),
                                   time.data(), time.size(), error.out());
      break;
    default:
      return kAny;
  }
  return error.Text();
}

std::string CTarget::AddStamped(rocksdb_writebatch_t* batch,
                                const Operation& write) {
  auto* const handle = Find(write.family)->handle;
  const std::string& key = write.key;
  const std::string time = BytesOfTime(write.number);
  const std::string value = ExpandValue(write.value);
  switch (write.kind) {
    case Kind::kPut:
      api_.writebatch_put_cf_with_ts(batch, handle, key.data(), key.size(),
                                     time.data(), time.size(), value.data(),
                                     value.size());
      break;
    case Kind::kDelete:
      api_.writebatch_delete_cf_with_ts(batch, handle, key.data(), key.size(),
                                        time.data(), time.size());
      break;
    case Kind::kSingleDelete:
      api_.writebatch_singledelete_cf_with_ts(
          batch, handle, key.data(), key.size(), time.data(), time.size());
      break;
    default:
      return kAny;
  }
  return kOk;
}

std::string CTarget::AddTo(rocksdb_writebatch_t* batch,
                           const Operation& write) {
  const std::string& key = write.key;
  const std::string value = ExpandValue(write.value);
  Error error;
  Family* const family = Find(write.family);
  if (family == nullptr && !write.family.empty()) return kOk;
  if (HasTimestamps(write.family)) return AddStamped(batch, write);
  switch (write.kind) {
    case Kind::kSavePoint:
      api_.writebatch_set_save_point(batch);
      break;
    case Kind::kRollback:
      api_.writebatch_rollback_to_save_point(batch, error.out());
      return kOk;  // An error: there was none.
    case Kind::kPopSavePoint:
      api_.writebatch_pop_save_point(batch, error.out());
      return kOk;
    case Kind::kPut:
      api_.writebatch_put_cf(batch, family->handle, key.data(), key.size(),
                             value.data(), value.size());
      break;
    case Kind::kMerge:
      api_.writebatch_merge_cf(batch, family->handle, key.data(), key.size(),
                               value.data(), value.size());
      break;
    case Kind::kDelete:
      api_.writebatch_delete_cf(batch, family->handle, key.data(), key.size());
      break;
    case Kind::kSingleDelete:
      api_.writebatch_singledelete_cf(batch, family->handle, key.data(),
                                      key.size());
      break;
    case Kind::kDeleteRange:
      api_.writebatch_delete_range_cf(batch, family->handle, key.data(),
                                      key.size(), write.end.data(),
                                      write.end.size());
      break;
    default:
      return kAny;
  }
  return kOk;
}

std::string CTarget::WriteBatch(const Operation& operation) {
  rocksdb_writebatch_t* const batch = api_.writebatch_create();
  std::string answer = kOk;
  for (const Operation& write : operation.inner) {
    if (answer == kOk) answer = AddTo(batch, write);
  }
  if (answer == kOk) {
    Error error;
    api_.write(db_, writes_, batch, error.out());
    answer = error.Text();
  }
  api_.writebatch_destroy(batch);
  return answer;
}

std::string CTarget::WriteFile(const Operation& ingest, uint64_t file,
                               const std::string& path) {
  const Family* family = nullptr;
  for (const Operation& entry : ingest.inner) {
    if (entry.id == file) family = Find(entry.family);
  }
  if (family == nullptr) return kAny;
  rocksdb_envoptions_t* const env = api_.envoptions_create();
  rocksdb_sstfilewriter_t* const writer =
      api_.sstfilewriter_create(env, family->options);
  Error error;
  api_.sstfilewriter_open(writer, path.c_str(), error.out());
  for (const Operation& entry : ingest.inner) {
    if (entry.id != file || error.is_set()) continue;
    const std::string& key = entry.key;
    const std::string value = ExpandValue(entry.value);
    const std::string time = BytesOfTime(entry.number);
    const bool stamped = HasTimestamps(entry.family);
    if (stamped && entry.kind == Kind::kPut) {
      api_.sstfilewriter_put_with_ts(writer, key.data(), key.size(),
                                     time.data(), time.size(), value.data(),
                                     value.size(), error.out());
    } else if (stamped) {
      api_.sstfilewriter_delete_with_ts(writer, key.data(), key.size(),
                                        time.data(), time.size(), error.out());
    } else if (entry.kind == Kind::kPut) {
      api_.sstfilewriter_put(writer, key.data(), key.size(), value.data(),
                             value.size(), error.out());
    } else if (entry.kind == Kind::kMerge) {
      api_.sstfilewriter_merge(writer, key.data(), key.size(), value.data(),
                               value.size(), error.out());
    } else if (entry.kind == Kind::kDeleteRange) {
      api_.sstfilewriter_delete_range(writer, key.data(), key.size(),
                                      entry.end.data(), entry.end.size(),
                                      error.out());
    } else {
      api_.sstfilewriter_delete(writer, key.data(), key.size(), error.out());
    }
  }
  if (!error.is_set()) api_.sstfilewriter_finish(writer, error.out());
  api_.sstfilewriter_destroy(writer);
  api_.envoptions_destroy(env);
  return error.Text();
}

std::string CTarget::Ingest(const Operation& operation) {
  std::map<uint64_t, std::string> paths;
  Family* family = nullptr;
  for (const Operation& entry : operation.inner) {
    if (Family* const found = Find(entry.family)) {
      family = found;
      paths[entry.id];
    }
  }
  if (family == nullptr) return kAny;
  std::vector<const char*> list;
  for (auto& [file, path] : paths) {
    path = path_ + "_external" + std::to_string(++files_made_);
    const std::string written = WriteFile(operation, file, path);
    if (written != kOk) return written;
    list.push_back(path.c_str());
  }
  auto* const options = api_.ingestexternalfileoptions_create();
  const bool move = operation.Setting("move_files") == "true";
  api_.ingestexternalfileoptions_set_move_files(options, move ? 1 : 0);
  std::string answer;
  // RocksDB 11.8.1 flushes what the files overlap and may then refuse once.
  for (int attempts = 2; attempts > 0; --attempts) {
    Error error;
    api_.ingest_external_file_cf(db_, family->handle, list.data(), list.size(),
                                 options, error.out());
    answer = error.Text();
    if (answer.find("Inconsistent memtable state") == std::string::npos) break;
  }
  api_.ingestexternalfileoptions_destroy(options);
  for (const auto& [file, path] : paths) std::filesystem::remove(path);
  return answer;
}

std::string CTarget::Read(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kGet:
      return Get(operation);
    case Kind::kMultiGet:
      return MultiGet(operation);
    case Kind::kKeyMayExist:
      return KeyMayExist(operation);
    default:
      return kAny;
  }
}

rocksdb_readoptions_t* CTarget::ReadOptionsFor(
    uint64_t snapshot, const std::string& family) const {
  rocksdb_readoptions_t* const options = api_.readoptions_create();
  if (const auto* const held = held_.Find(snapshot)) {
    api_.readoptions_set_snapshot(options, held);
  }
  if (HasTimestamps(family)) ReadNewest(api_, options);
  return options;
}

std::string CTarget::Get(const Operation& operation) {
  rocksdb_readoptions_t* const options =
      ReadOptionsFor(operation.id, operation.family);
  auto* const handle = Find(operation.family)->handle;
  const std::string& key = operation.key;
  Error error;
  size_t size = 0;
  char* value = nullptr;
  if (HasTimestamps(operation.family)) {
    char* time = nullptr;
    size_t time_size = 0;
    value = api_.get_cf_with_ts(db_, options, handle, key.data(), key.size(),
                                &size, &time, &time_size, error.out());
    std::free(time);
  } else {
    value = api_.get_cf(db_, options, handle, key.data(), key.size(), &size,
                        error.out());
  }
  api_.readoptions_destroy(options);
  if (error.is_set()) return error.Text();
  return value == nullptr ? kNotFound : Show(Take(value, size));
}

std::string CTarget::MultiGet(const Operation& operation) {
  std::vector<const rocksdb_column_family_handle_t*> families;
  std::vector<const char*> keys;
  std::vector<size_t> sizes;
  for (const Operation& one : operation.inner) {
    const Family* const family = Find(one.family);
    if (family == nullptr) return kAny;
    families.push_back(family->handle);
    keys.push_back(one.key.data());
    sizes.push_back(one.key.size());
  }
  std::vector<char*> values(keys.size());
  std::vector<size_t> value_sizes(keys.size());
  std::vector<char*> errors(keys.size());
  const std::string& first = operation.inner.front().family;
  rocksdb_readoptions_t* const options = ReadOptionsFor(operation.id, first);
  if (HasTimestamps(first)) {
    std::vector<char*> times(keys.size());
    std::vector<size_t> time_sizes(keys.size());
    api_.multi_get_cf_with_ts(db_, options, families.data(), keys.size(),
                              keys.data(), sizes.data(), values.data(),
                              value_sizes.data(), times.data(),
                              time_sizes.data(), errors.data());
    for (char* time : times) std::free(time);
  } else {
    api_.multi_get_cf(db_, options, families.data(), keys.size(), keys.data(),
                      sizes.data(), values.data(), value_sizes.data(),
                      errors.data());
  }
  api_.readoptions_destroy(options);
  std::string answer;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) answer += ' ';
    if (errors[i] != nullptr) {
      answer += "ERROR " + std::string(errors[i]);
      std::free(errors[i]);
    } else {
      answer += values[i] == nullptr ? kNotFound
                                     : Show(Take(values[i], value_sizes[i]));
    }
  }
  return answer;
}

std::string CTarget::KeyMayExist(const Operation& operation) {
  auto* const options = ReadOptionsFor(0, operation.family);
  char* value = nullptr;
  size_t size = 0;
  unsigned char found = 0;
  const bool may =
      api_.key_may_exist_cf(db_, options, Find(operation.family)->handle,
                            operation.key.data(), operation.key.size(), &value,
                            &size, nullptr, 0, &found) != 0;
  api_.readoptions_destroy(options);
  if (found != 0) std::free(value);
  return may ? "true" : "false";
}

CCursor::NewIterator CTarget::IteratorsOf(const std::string& family) {
  return [this,
          handle = Find(family)->handle](const rocksdb_readoptions_t* options) {
    return api_.create_iterator_cf(db_, options, handle);
  };
}

std::unique_ptr<Cursor> CTarget::NewCursor(const Operation& operation) {
  return std::make_unique<CCursor>(api_, IteratorsOf(operation.family),
                                   operation, held_.Find(operation.number));
}

std::string CTarget::Dump() {
  DumpAnswer answer;
  for (const auto& [name, family] : families_) {
    CCursor cursor(api_, IteratorsOf(name), InTotalOrder(name), nullptr);
    DumpFamily(name, &cursor, &answer);
  }
  return answer.Finish();
}

std::string CTarget::Work(const Operation& operation) {
  Error error;
  switch (operation.kind) {
    case Kind::kFlush:
      return Flush(operation);
    case Kind::kCompactRange:
      return CompactRange(operation);
    case Kind::kSetOptions:
      return SetOptions(operation);
    case Kind::kFlushWal:
      api_.flush_wal(db_, 1, error.out());
      return error.Text();
    case Kind::kProperties: {
      uint64_t snapshots = 0;
      api_.property_int_cf(db_, Find(operation.family)->handle,
                           "rocksdb.num-snapshots", &snapshots);
      return "OK " + std::to_string(snapshots) + " snapshots";
    }
    case Kind::kCheckpoint:
      return Checkpoint();
    case Kind::kCreateFamily:
      return CreateFamily(operation);
    case Kind::kDropFamily:
      return DropFamily(operation);
    default:
      return kAny;
  }
}

std::string CTarget::Flush(const Operation& operation) {
  auto* const options = api_.flushoptions_create();
  std::string answer = kOk;
  for (const auto& [name, family] : families_) {
    if (!operation.family.empty() && name != operation.family) continue;
    Error error;
    api_.flush_cf(db_, options, family.handle, error.out());
    if (error.is_set()) answer = error.Text();
  }
  api_.flushoptions_destroy(options);
  return answer;
}

std::string CTarget::CompactRange(const Operation& operation) {
  auto* const options = api_.compactoptions_create();
  const auto on = [&](const char* name) {
    return static_cast<unsigned char>(operation.Setting(name) == "true" ? 1
                                                                        : 0);
  };
  api_.compactoptions_set_change_level(options, on("change_level"));
  api_.compactoptions_set_target_level(
      options,
      static_cast<int>(NumberOf(operation.Setting("target_level"), -1)));
  api_.compactoptions_set_exclusive_manual_compaction(options, on("exclusive"));
  api_.compactoptions_set_bottommost_level_compaction(
      options,
      static_cast<unsigned char>(NumberOf(operation.Setting("bottommost"), 1)));
  std::string time = BytesOfTime(operation.number);
  if (operation.Setting("forget") == "true") {
    api_.compactoptions_set_full_history_ts_low(options, time.data(),
                                                time.size());
  }
  api_.compact_range_cf_opt(
      db_, Find(operation.family)->handle, options,
      operation.key.empty() ? nullptr : operation.key.data(),
      operation.key.size(),
      operation.end.empty() ? nullptr : operation.end.data(),
      operation.end.size());
  api_.compactoptions_destroy(options);
  return kAny;  // The C interface does not tell.
}

std::string CTarget::SetOptions(const Operation& operation) {
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : operation.settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  Error error;
  api_.set_options_cf(db_, Find(operation.family)->handle,
                      static_cast<int>(names.size()), names.data(),
                      values.data(), error.out());
  const std::string text = error.Text();
  const bool refused = text.starts_with("ERROR Invalid argument") ||
                       text.starts_with("ERROR Not implemented");
  return refused ? kOk : text;
}

std::string CTarget::Checkpoint() {
  const std::string path =
      path_ + "_checkpoint" + std::to_string(++files_made_);
  Error error;
  rocksdb_checkpoint_t* const maker =
      api_.checkpoint_object_create(db_, error.out());
  if (error.is_set()) return error.Text();
  api_.flush_wal(db_, 0, error.out());
  api_.checkpoint_create(maker, path.c_str(), 0, error.out());
  api_.checkpoint_object_destroy(maker);
  if (error.is_set()) return error.Text();
  Operation plain;
  for (const auto& [name, family] : families_) {
    // A copy with what is prepared in its log needs an owner who knows that.
    plain.settings.emplace_back(name,
                                locking_ == nullptr ? "" : "allow_2pc=true");
  }
  std::string answer;
  {
    CTarget copy(api_, path);
    answer = copy.Open(plain);
    if (answer == kOk) answer = copy.Dump();
  }
  std::filesystem::remove_all(path);
  return answer;
}

std::string CTarget::CreateFamily(const Operation& operation) {
  const std::string& name = operation.family;
  if (Find(name) != nullptr) return kAny;
  Family made;
  const std::string options = MakeOptions(name, operation.value, &made.options);
  if (options != kOk) return options;
  Error error;
  made.handle = locking_ != nullptr
                    ? api_.transactiondb_create_column_family(
                          locking_, made.options, name.c_str(), error.out())
                    : api_.create_column_family(db_, made.options, name.c_str(),
                                                error.out());
  if (error.is_set()) return error.Text();
  families_[name] = made;
  return kOk;
}

std::string CTarget::DropFamily(const Operation& operation) {
  const Family family = *Find(operation.family);
  Error error;
  api_.drop_column_family(db_, family.handle, error.out());
  if (error.is_set()) return error.Text();
  api_.column_family_handle_destroy(family.handle);
  api_.options_destroy(family.options);
  families_.erase(operation.family);
  return kOk;
}

}  // namespace ROCKSDB_NAMESPACE::stress
