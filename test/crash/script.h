// The script that crash and error tests run: numbered writes with everything
// else between them, so that what is found later says how far it came.
//
// Model. Write i puts k<i> and "last" into every family there is; it also
// deletes the range of all r keys before r<i-2>, puts r<i>, and an entity
// "wide" whose default column is i and whose column n is Value(i). The state
// after write m is therefore known from m alone:
//
//   default:  k1 .. km, last = m, r(m-2) .. rm, wide
//   other:    k(c+1) .. km, last = m, r   c: writes before its creation
//
// Threads. One.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::test {

inline constexpr const char* kScriptDb = "/db";
inline constexpr const char* kOtherFamily = "other";
// The writes before "other" is created.
inline constexpr int kWritesBeforeOther = 6;

// kTuned: by the adaptive tuner, which decides between all steps, with limits
// so near that it always has something to decide. Its tables are partitioned,
// compressed with a dictionary and of the newest format, so that both kinds
// are written here; its larger values go to blob files.
// kRecycled: logs are written over old ones. kChained: also compressed, and
// each names the one before it.
// kAtomic: families are flushed together.
// kBlobs: every value goes to a blob file, and each compaction moves them to
// new ones.
enum class Tuning { kOff, kTuned, kRecycled, kChained, kAtomic, kBlobs };

inline Options ScriptOptions(Env* env, Tuning tuning = Tuning::kOff) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.compression = kNoCompression;
  options.max_bgerror_resume_count = 0;  // Errors stay until Resume().
  if (tuning == Tuning::kRecycled || tuning == Tuning::kChained) {
    options.recycle_log_file_num = 2;
  }
  options.atomic_flush = tuning == Tuning::kAtomic;
  if (tuning == Tuning::kChained) {
    options.track_and_verify_wals = true;
    if (engine::CompressionTypeSupported(kZSTD)) {
      options.wal_compression = kZSTD;
    }
  }
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  if (tuning == Tuning::kTuned) {
    table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 64;
    table.block_size = 64;
    table.filter_policy.reset(NewRibbonFilterPolicy(10, 1));
    table.format_version = 7;
    table.separate_key_value_in_data_block = true;
    table.super_block_alignment_size = 128;
    table.super_block_alignment_space_overhead_ratio = 4;
    if (engine::CompressionTypeSupported(kLZ4Compression)) {
      options.compression = kLZ4Compression;
      options.compression_opts.max_dict_bytes = 64;
      options.compression_opts.parallel_threads = 2;
    }
  }
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  if (tuning == Tuning::kTuned || tuning == Tuning::kBlobs) {
    options.enable_blob_files = true;
    options.blob_file_size = 400;
    options.enable_blob_garbage_collection = true;
  }
  if (tuning == Tuning::kBlobs) {
    options.blob_garbage_collection_age_cutoff = 1;
  }
  if (tuning == Tuning::kTuned) {
    options.min_blob_size = 100;
    options.blob_garbage_collection_force_threshold = 0.2;
    options.auto_tuned_compaction = true;
    options.level0_file_num_compaction_trigger = 2;
    options.level0_slowdown_writes_trigger = 2;
    options.level0_stop_writes_trigger = 6;
    options.max_bytes_for_level_base = 1;
    options.level_compaction_dynamic_level_bytes = false;
  }
  return options;
}

// A database with all its families.
class ScriptDb {
 public:
  explicit ScriptDb(Tuning tuning = Tuning::kOff) : tuning_(tuning) {}
  ~ScriptDb() { Close().PermitUncheckedError(); }

  Status Open(Env* env) {
    const Options options = ScriptOptions(env, tuning_);
    std::vector<std::string> names;
    if (!DB::ListColumnFamilies(options, kScriptDb, &names).ok()) {
      names = {kDefaultColumnFamilyName};
    }
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    std::vector<ColumnFamilyHandle*> handles;
    const Status status =
        DB::Open(options, kScriptDb, families, &handles, &db_);
    for (size_t i = 0; i < handles.size(); ++i) handles_[names[i]] = handles[i];
    return status;
  }
  Status Close() {
    if (db_ == nullptr) return Status::OK();
    for (auto& [name, handle] : handles_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
    handles_.clear();
    const Status status = db_->Close();
    db_.reset();
    return status;
  }

  Status Write(int i, bool sync) {
    WriteBatch batch;
    Status status;
    for (auto& [name, handle] : handles_) {
      status = batch.Put(handle, Key(i), Value(i));
      if (status.ok()) status = batch.Put(handle, "last", std::to_string(i));
      if (status.ok()) {
        status = batch.DeleteRange(handle, "r", RangeKey(i - kRangeKeys + 1));
      }
      if (status.ok()) status = batch.Put(handle, RangeKey(i), Value(i));
      if (status.ok()) {
        status = batch.PutEntity(handle, "wide",
                                 {{"", std::to_string(i)}, {"n", Value(i)}});
      }
      if (!status.ok()) return status;
    }
    WriteOptions options;
    options.sync = sync && !unlogged_;
    options.disableWAL = unlogged_;
    status = db_->Write(options, &batch);
    Tick();
    return status;
  }
  // Writes from now on go to no log.
  void StopLogging() { unlogged_ = true; }
  // A decision of the tuner now; the timer's come too late for a short script.
  void Tick() {
    auto* const impl = dynamic_cast<engine::DBImpl*>(db_.get());
    if (tuning_ == Tuning::kTuned && impl != nullptr) impl->tuning()->Tick();
  }
  Status CreateOther(Env* env) {
    return db_->CreateColumnFamily(ScriptOptions(env, tuning_), kOtherFamily,
                                   &handles_[kOtherFamily]);
  }

  // Everything a family holds; an error becomes a row.
  std::map<std::string, std::string> Rows(const std::string& family) {
    std::map<std::string, std::string> rows;
    std::unique_ptr<Iterator> it(
        db_->NewIterator(ReadOptions(), handles_.at(family)));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      std::string& row = rows[it->key().ToString()] = it->value().ToString();
      for (const WideColumn& column : it->columns()) {
        if (!column.name().empty()) row += "," + column.value().ToString();
      }
    }
    if (!it->status().ok()) rows["!"] = it->status().ToString();
    return rows;
  }

  // What a family holds after write m.
  static std::map<std::string, std::string> Expected(const std::string& family,
                                                     int m) {
    std::map<std::string, std::string> rows;
    const int from = family == kOtherFamily ? kWritesBeforeOther : 0;
    for (int i = from + 1; i <= m; ++i) rows[Key(i)] = Value(i);
    if (m > from) {
      rows["last"] = std::to_string(m);
      rows["wide"] = std::to_string(m) + "," + Value(m);
    }
    for (int i = std::max(from, m - kRangeKeys) + 1; i <= m; ++i) {
      rows[RangeKey(i)] = Value(i);
    }
    return rows;
  }
  static constexpr int kRangeKeys = 3;
  static std::string RangeKey(int i) { return "r" + std::to_string(100 + i); }
  static std::string Key(int i) { return "k" + std::to_string(i); }
  static std::string Value(int i) {
    return std::string(static_cast<size_t>(100 + i),
                       static_cast<char>('a' + i % 26));
  }

  DB* operator->() const { return db_.get(); }
  DB* get() const { return db_.get(); }
  bool has_other() const {
    const auto it = handles_.find(kOtherFamily);
    return it != handles_.end() && it->second != nullptr;
  }
  ColumnFamilyHandle* handle(const std::string& family) const {
    return handles_.at(family);
  }

 private:
  const Tuning tuning_;
  bool unlogged_ = false;
  std::unique_ptr<DB> db_;
  std::map<std::string, ColumnFamilyHandle*> handles_;
};

}  // namespace ROCKSDB_NAMESPACE::test
