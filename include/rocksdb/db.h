// DB: an ordered map of byte strings, stored in a directory.
//
// Model. A database is a set of column families: key spaces of their own that
// share one write-ahead log, so that a write may change several at once.
// Calls without a column family mean DefaultColumnFamily().
//
// Lifetime. Open returns a handle per column family; destroy the handles with
// DestroyColumnFamilyHandle before the database. Destroy iterators and release
// snapshots before it, too. Close() reports errors, which the destructor
// cannot.
//
// Threads. Every method may be called concurrently from any thread.
//
// Methods that the engine does not implement yet return NotSupported.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/iterator.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/thread_status.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/types.h"
#include "rocksdb/version.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"

#if defined(__GNUC__) || defined(__clang__)
#define ROCKSDB_DEPRECATED_FUNC __attribute__((__deprecated__))
#else
#define ROCKSDB_DEPRECATED_FUNC
#endif

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Comparator;
class Env;
class FileChecksumList;
class FileSystem;
class Replayer;
class StatsHistoryIterator;
class UserWriteCallback;

extern const std::string kDefaultColumnFamilyName;
extern const std::string kPersistentStatsColumnFamilyName;

static const int kMajorVersion = ROCKSDB_MAJOR;
static const int kMinorVersion = ROCKSDB_MINOR;

struct ColumnFamilyDescriptor {
  std::string name;
  ColumnFamilyOptions options;

  ColumnFamilyDescriptor() : name(kDefaultColumnFamilyName) {}
  ColumnFamilyDescriptor(const std::string& _name,
                         const ColumnFamilyOptions& _options)
      : name(_name), options(_options) {}
};

class ColumnFamilyHandle {
 public:
  virtual ~ColumnFamilyHandle() = default;

  virtual const std::string& GetName() const = 0;
  virtual uint32_t GetID() const = 0;
  // The name and the options in force.
  virtual Status GetDescriptor(ColumnFamilyDescriptor* desc) = 0;
  virtual const Comparator* GetComparator() const = 0;
};

// [start, limit)
struct Range {
  Slice start;
  Slice limit;

  Range() = default;
  Range(const Slice& s, const Slice& l) : start(s), limit(l) {}
};

// A null end is unbounded.
struct RangePtr {
  const Slice* start;
  const Slice* limit;

  RangePtr() : start(nullptr), limit(nullptr) {}
  RangePtr(const Slice* s, const Slice* l) : start(s), limit(l) {}
};

struct IngestExternalFileArg {
  ColumnFamilyHandle* column_family = nullptr;
  std::vector<std::string> external_files;
  IngestExternalFileOptions options;
  std::vector<std::string> files_checksums;
  std::vector<std::string> files_checksum_func_names;
  Temperature file_temperature = Temperature::kUnknown;
};

struct GetMergeOperandsOptions {
  using ContinueCallback = std::function<bool(Slice)>;

  int expected_max_number_of_operands = 0;
  ContinueCallback continue_cb;
};

class DB {
 public:
  // ---- Opening. On failure *dbptr is null and no new files are left behind.
  // With column families every existing one must be listed; `handles` are in
  // the same order.

  static Status Open(const Options& options, const std::string& name,
                     std::unique_ptr<DB>* dbptr);
  static Status Open(const DBOptions& db_options, const std::string& name,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     std::unique_ptr<DB>* dbptr);
  static Status Open(const Options& options, const std::string& name,
                     DB** dbptr);
  static Status Open(const DBOptions& db_options, const std::string& name,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles, DB** dbptr);

  // As Open, and takes from every family with user timestamps all that has a
  // later timestamp than `trim_ts`, by a compaction of the whole family. After
  // an error some may be gone; the next call goes on. Families without
  // timestamps stay as they are. What was forgotten below full_history_ts_low
  // does not come back.
  // Errors: those of Open and CompactRange; InvalidArgument with
  // avoid_flush_during_recovery, and if trim_ts has another size than the
  // timestamps of a family, before anything is changed.
  static Status OpenAndTrimHistory(
      const DBOptions& db_options, const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
      std::string trim_ts);
  static Status OpenAndTrimHistory(
      const DBOptions& db_options, const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
      std::string trim_ts);

  // Reads the state at opening; writes nothing, and takes no lock. Another
  // process may have the database open and write to it: TryAgain if it changes
  // its files faster than they can be read. Later it may delete files that this
  // instance has not opened yet; reads of those fail.
  //
  // `error_if_wal_file_exists`: Corruption if there is a log, even an empty
  // one. Honoured only with a list of families; without one logs are always
  // replayed, as in RocksDB. Default false.
  static Status OpenForReadOnly(const Options& options, const std::string& name,
                                std::unique_ptr<DB>* dbptr,
                                bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
      bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(const Options& options, const std::string& name,
                                DB** dbptr,
                                bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
      bool error_if_wal_file_exists = false);

  // Opens `name`, which another process (the primary) may have open for
  // writing, in its current state; TryCatchUpWithPrimary() moves to a newer
  // one. Takes no lock and writes only a LOG, in `secondary_path`; there may be
  // any number of secondaries.
  //
  // All calls that would change data return NotSupported. There are no
  // snapshots: GetSnapshot() returns null. An iterator keeps the state at its
  // creation. With max_open_files = -1 every table is opened as soon as it
  // becomes visible, and stays readable after the primary deletes it; with
  // another value a read of a deleted table fails with an IO error, until the
  // next catch-up.
  //
  // `column_families` may name a subset of the families, which must include
  // "default". Families created later are not visible. A family that the
  // primary drops can still be read while its handle and its files exist. Data
  // written without a log becomes visible when it is flushed.
  // Errors: InvalidArgument, also for a missing database or family; TryAgain.
  static Status OpenAsSecondary(const Options& options, const std::string& name,
                                const std::string& secondary_path,
                                std::unique_ptr<DB>* dbptr);
  static Status OpenAsSecondary(
      const DBOptions& db_options, const std::string& name,
      const std::string& secondary_path,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr);
  static Status OpenAsSecondary(const Options& options, const std::string& name,
                                const std::string& secondary_path, DB** dbptr);
  static Status OpenAsSecondary(
      const DBOptions& db_options, const std::string& name,
      const std::string& secondary_path,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr);

  // The other side of a CompactionService: runs one compaction for the database
  // `name`, which another process has open for writing, and writes nothing
  // there. `input` is what Schedule() was given; `*output` is for Wait() to
  // return. The new files are in `output_directory`, which is created if it is
  // missing. It must be none of the database's, and no two calls may use one at
  // the same time. Options come from the newest OPTIONS file of the database;
  // `override_options` has what is not in it.
  //
  // On failure there are no new files, and `*output`, unless it is empty, tells
  // the other process why.
  // Errors: Corruption and NotSupported for another string; Aborted if the
  // files to be compacted are not those of the database; TryAgain if the
  // MANIFEST is older than the one that the compaction was made for; Incomplete
  // (kManualCompactionPaused) if it was cancelled.
  static Status OpenAndCompact(
      const std::string& name, const std::string& output_directory,
      const std::string& input, std::string* output,
      const CompactionServiceOptionsOverride& override_options);
  static Status OpenAndCompact(
      const OpenAndCompactOptions& options, const std::string& name,
      const std::string& output_directory, const std::string& input,
      std::string* output,
      const CompactionServiceOptionsOverride& override_options);

  // Names of the column families of a database, open or not.
  static Status ListColumnFamilies(const DBOptions& db_options,
                                   const std::string& name,
                                   std::vector<std::string>* column_families);

  DB() = default;
  DB(const DB&) = delete;
  void operator=(const DB&) = delete;
  virtual ~DB();

  // Clears a background error whose cause has been removed.
  virtual Status Resume() { return Status::NotSupported("Resume"); }

  // Aborted while snapshots are held. Otherwise the database is closed,
  // whatever the status, and only the destructor may be called afterwards.
  virtual Status Close() { return Status::NotSupported("Close"); }

  // ---- Column families.

  virtual Status CreateColumnFamily(const ColumnFamilyOptions& options,
                                    const std::string& column_family_name,
                                    ColumnFamilyHandle** handle);
  // Stops at the first failure; `handles` then has those created so far.
  virtual Status CreateColumnFamilies(
      const ColumnFamilyOptions& options,
      const std::vector<std::string>& column_family_names,
      std::vector<ColumnFamilyHandle*>* handles);
  virtual Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles);

  // The data is deleted with the last handle.
  virtual Status DropColumnFamily(ColumnFamilyHandle* column_family);
  virtual Status DropColumnFamilies(
      const std::vector<ColumnFamilyHandle*>& column_families);
  virtual Status DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family);

  // ---- Writing.

  virtual Status Put(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value) = 0;
  virtual Status Put(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& ts, const Slice& value) = 0;
  virtual Status Put(const WriteOptions& options, const Slice& key,
                     const Slice& value) {
    return Put(options, DefaultColumnFamily(), key, value);
  }
  virtual Status Put(const WriteOptions& options, const Slice& key,
                     const Slice& ts, const Slice& value) {
    return Put(options, DefaultColumnFamily(), key, ts, value);
  }

  // Puts an entity: a value of named columns, given in any order. Corruption: a
  // name occurs twice. InvalidArgument: the family's keys have timestamps.
  virtual Status PutEntity(const WriteOptions& /*options*/,
                           ColumnFamilyHandle* /*column_family*/,
                           const Slice& /*key*/,
                           const WideColumns& /*columns*/) {
    return Status::NotSupported("PutEntity");
  }
  // One entity per group, with one Write(): all of them or none.
  // InvalidArgument: no groups, or one without a column family.
  virtual Status PutEntity(const WriteOptions& options, const Slice& key,
                           const AttributeGroups& attribute_groups);

  // OK even if the key does not exist.
  virtual Status Delete(const WriteOptions& options,
                        ColumnFamilyHandle* column_family,
                        const Slice& key) = 0;
  virtual Status Delete(const WriteOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& ts) = 0;
  virtual Status Delete(const WriteOptions& options, const Slice& key) {
    return Delete(options, DefaultColumnFamily(), key);
  }
  virtual Status Delete(const WriteOptions& options, const Slice& key,
                        const Slice& ts) {
    return Delete(options, DefaultColumnFamily(), key, ts);
  }

  // Cheaper than Delete for a key that was put at most once since its last
  // deletion; undefined for others.
  virtual Status SingleDelete(const WriteOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key) = 0;
  virtual Status SingleDelete(const WriteOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& ts) = 0;
  virtual Status SingleDelete(const WriteOptions& options, const Slice& key) {
    return SingleDelete(options, DefaultColumnFamily(), key);
  }
  virtual Status SingleDelete(const WriteOptions& options, const Slice& key,
                              const Slice& ts) {
    return SingleDelete(options, DefaultColumnFamily(), key, ts);
  }

  // Deletes every key in [begin_key, end_key), in the order of the family's
  // comparator, with a single record. No effect if both are equal.
  // InvalidArgument: end_key comes before begin_key. Reads cost a little more
  // in ranges that range deletions cover; memtable_max_range_deletions limits
  // their number per memtable.
  virtual Status DeleteRange(const WriteOptions& /*options*/,
                             ColumnFamilyHandle* /*column_family*/,
                             const Slice& /*begin_key*/,
                             const Slice& /*end_key*/) {
    return Status::NotSupported("DeleteRange");
  }
  virtual Status DeleteRange(const WriteOptions& /*options*/,
                             ColumnFamilyHandle* /*column_family*/,
                             const Slice& /*begin_key*/,
                             const Slice& /*end_key*/, const Slice& /*ts*/) {
    return Status::NotSupported("DeleteRange with a timestamp");
  }
  virtual Status DeleteRange(const WriteOptions& options,
                             const Slice& begin_key, const Slice& end_key) {
    return DeleteRange(options, DefaultColumnFamily(), begin_key, end_key);
  }
  virtual Status DeleteRange(const WriteOptions& options,
                             const Slice& begin_key, const Slice& end_key,
                             const Slice& ts) {
    return DeleteRange(options, DefaultColumnFamily(), begin_key, end_key, ts);
  }

  virtual Status Merge(const WriteOptions& options,
                       ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) = 0;
  virtual Status Merge(const WriteOptions& options, const Slice& key,
                       const Slice& value) {
    return Merge(options, DefaultColumnFamily(), key, value);
  }
  virtual Status Merge(const WriteOptions& /*options*/,
                       ColumnFamilyHandle* /*column_family*/,
                       const Slice& /*key*/, const Slice& /*ts*/,
                       const Slice& /*value*/) {
    return Status::NotSupported("Merge with a timestamp");
  }

  // Applies the batch atomically.
  virtual Status Write(const WriteOptions& options, WriteBatch* updates) = 0;

  // As Write, and calls `user_write_cb` (user_write_callback.h) on the way; for
  // null it is Write. Databases on top of another, such as those of
  // transactions, answer NotSupported.
  virtual Status WriteWithCallback(const WriteOptions& /*options*/,
                                   WriteBatch* /*updates*/,
                                   UserWriteCallback* /*user_write_cb*/) {
    return Status::NotSupported(
        "WriteWithCallback not implemented for this interface.");
  }

  // ---- Reading. NotFound when the key does not exist.

  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* value, std::string* timestamp) = 0;
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* value) {
    return Get(options, column_family, key, value, nullptr);
  }
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value, std::string* timestamp) {
    PinnableSlice pinned(value);
    Status s = Get(options, column_family, key, &pinned, timestamp);
    if (s.ok() && pinned.IsPinned()) {
      value->assign(pinned.data(), pinned.size());
    }
    return s;
  }
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value) {
    return Get(options, column_family, key, value, nullptr);
  }
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value) {
    return Get(options, DefaultColumnFamily(), key, value);
  }
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     PinnableSlice* value) {
    return Get(options, DefaultColumnFamily(), key, value);
  }
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value, std::string* timestamp) {
    return Get(options, DefaultColumnFamily(), key, value, timestamp);
  }

  // All columns of an entity; a plain value is one default column. Get returns
  // the default column of an entity, or an empty value if it has none.
  virtual Status GetEntity(const ReadOptions& /*options*/,
                           ColumnFamilyHandle* /*column_family*/,
                           const Slice& /*key*/,
                           PinnableWideColumns* /*columns*/) {
    return Status::NotSupported("GetEntity");
  }
  // The columns of the key in the family of each group, all of one state. OK
  // even if the status of a group is another, such as NotFound.
  // InvalidArgument: a group has no column family; then none is read.
  virtual Status GetEntity(const ReadOptions& options, const Slice& key,
                           PinnableAttributeGroups* result);

  // The operands of a key, not merged, oldest first.
  virtual Status GetMergeOperands(
      const ReadOptions& /*options*/, ColumnFamilyHandle* /*column_family*/,
      const Slice& /*key*/, PinnableSlice* /*merge_operands*/,
      GetMergeOperandsOptions* /*get_merge_operands_options*/,
      int* /*number_of_operands*/) {
    return Status::NotSupported("GetMergeOperands");
  }

  // Reads many keys; statuses and values are in the order of the keys. Even
  // without a snapshot in the options all keys are read from one state.
  virtual void MultiGet(const ReadOptions& options, const size_t num_keys,
                        ColumnFamilyHandle** column_families, const Slice* keys,
                        PinnableSlice* values, std::string* timestamps,
                        Status* statuses, const bool sorted_input = false) = 0;
  virtual void MultiGet(const ReadOptions& options, const size_t num_keys,
                        ColumnFamilyHandle** column_families, const Slice* keys,
                        PinnableSlice* values, Status* statuses,
                        const bool sorted_input = false) {
    MultiGet(options, num_keys, column_families, keys, values, nullptr,
             statuses, sorted_input);
  }
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family,
                        const size_t num_keys, const Slice* keys,
                        PinnableSlice* values, std::string* timestamps,
                        Status* statuses, const bool sorted_input = false) {
    std::vector<ColumnFamilyHandle*> families(num_keys, column_family);
    MultiGet(options, num_keys, families.data(), keys, values, timestamps,
             statuses, sorted_input);
  }
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family,
                        const size_t num_keys, const Slice* keys,
                        PinnableSlice* values, Status* statuses,
                        const bool sorted_input = false) {
    MultiGet(options, column_family, num_keys, keys, values, nullptr, statuses,
             sorted_input);
  }
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      const std::vector<Slice>& keys, std::vector<std::string>* values,
      std::vector<std::string>* timestamps);
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      const std::vector<Slice>& keys, std::vector<std::string>* values) {
    return MultiGet(options, column_families, keys, values, nullptr);
  }
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values,
                                       std::vector<std::string>* timestamps) {
    return MultiGet(
        options,
        std::vector<ColumnFamilyHandle*>(keys.size(), DefaultColumnFamily()),
        keys, values, timestamps);
  }
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values) {
    return MultiGet(options, keys, values, nullptr);
  }

  // The same for entities. With timestamps keys are read one by one.
  virtual void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                              ColumnFamilyHandle** column_families,
                              const Slice* keys, PinnableWideColumns* results,
                              Status* statuses, bool sorted_input = false);
  virtual void MultiGetEntity(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableWideColumns* results, Status* statuses,
                              bool sorted_input = false) {
    std::vector<ColumnFamilyHandle*> families(num_keys, column_family);
    MultiGetEntity(options, num_keys, families.data(), keys, results, statuses,
                   sorted_input);
  }
  // results[i]: the groups to fill for keys[i], as by GetEntity(). All are read
  // from one state. Where a key has a group without a column family, each of
  // its groups gets the status InvalidArgument.
  virtual void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                              const Slice* keys,
                              PinnableAttributeGroups* results);

  // False: the key certainly does not exist. Does no I/O. If it returns true
  // and sets *value_found, *value is the value.
  virtual bool KeyMayExist(const ReadOptions& /*options*/,
                           ColumnFamilyHandle* /*column_family*/,
                           const Slice& /*key*/, std::string* /*value*/,
                           std::string* /*timestamp*/,
                           bool* value_found = nullptr) {
    if (value_found != nullptr) *value_found = false;
    return true;
  }
  virtual bool KeyMayExist(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           std::string* value, bool* value_found = nullptr) {
    return KeyMayExist(options, column_family, key, value,
                       /*timestamp=*/nullptr, value_found);
  }
  virtual bool KeyMayExist(const ReadOptions& options, const Slice& key,
                           std::string* value, bool* value_found = nullptr) {
    return KeyMayExist(options, DefaultColumnFamily(), key, value, value_found);
  }
  virtual bool KeyMayExist(const ReadOptions& options, const Slice& key,
                           std::string* value, std::string* timestamp,
                           bool* value_found = nullptr) {
    return KeyMayExist(options, DefaultColumnFamily(), key, value, timestamp,
                       value_found);
  }

  // The caller deletes the iterator, before the database.
  virtual Iterator* NewIterator(const ReadOptions& options,
                                ColumnFamilyHandle* column_family) = 0;
  virtual Iterator* NewIterator(const ReadOptions& options) {
    return NewIterator(options, DefaultColumnFamily());
  }
  // One per column family, all of the same state.
  virtual Status NewIterators(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      std::vector<Iterator*>* iterators) = 0;

  // Over the keys of several families, each key once, all of one state. The
  // families need the same comparator; a null one, or none at all, is
  // InvalidArgument, and iter_start_ts is NotSupported. An error is the status
  // of the result. With allow_unprepared_value there are no values, columns
  // and groups before PrepareValue(). timestamp(): the newest of those that the
  // key has. The order is total, unless auto_prefix_mode or
  // prefix_same_as_start is set.
  //
  // Coalescing: columns() has the columns of all families; of those with the
  // same name that of the family given last. value() is the default column.
  // Refresh(), as that of the other one, takes the newest state for all
  // families; NotSupported where GetSnapshot() gives none, or where
  // auto_refresh_iterator_with_snapshot holds one.
  virtual std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families);
  virtual std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families);

  virtual const Snapshot* GetSnapshot() = 0;
  virtual void ReleaseSnapshot(const Snapshot* snapshot) = 0;

  // ---- Properties. False if the name is unknown or the property does not have
  // the requested form.

  struct Properties {
    static const std::string kNumFilesAtLevelPrefix;          // + level
    static const std::string kCompressionRatioAtLevelPrefix;  // + level
    static const std::string kStats;
    static const std::string kSSTables;
    static const std::string kCFStats;
    static const std::string kCFStatsNoFileHistogram;
    static const std::string kCFFileHistogram;
    static const std::string kCFWriteStallStats;
    static const std::string kDBWriteStallStats;
    static const std::string kDBStats;
    static const std::string kLevelStats;
    static const std::string kBlockCacheEntryStats;
    static const std::string kFastBlockCacheEntryStats;
    static const std::string kNumImmutableMemTable;
    static const std::string kNumImmutableMemTableFlushed;
    static const std::string kMemTableFlushPending;
    static const std::string kNumRunningFlushes;
    static const std::string kCompactionPending;
    static const std::string kNumRunningCompactions;
    static const std::string kNumRunningCompactionSortedRuns;
    static const std::string kNumUnscheduledCompactions;
    static const std::string kCompactionAbortCount;
    static const std::string kBackgroundErrors;
    static const std::string kCurSizeActiveMemTable;
    static const std::string kCurSizeAllMemTables;
    static const std::string kSizeAllMemTables;
    static const std::string kNumEntriesActiveMemTable;
    static const std::string kNumEntriesImmMemTables;
    static const std::string kNumDeletesActiveMemTable;
    static const std::string kNumDeletesImmMemTables;
    static const std::string kEstimateNumKeys;
    static const std::string kEstimateTableReadersMem;
    static const std::string kIsFileDeletionsEnabled;
    static const std::string kNumSnapshots;
    static const std::string kOldestSnapshotTime;
    static const std::string kOldestSnapshotSequence;
    static const std::string kNumLiveVersions;
    static const std::string kCurrentSuperVersionNumber;
    static const std::string kEstimateLiveDataSize;
    static const std::string kMinLogNumberToKeep;
    static const std::string kMinObsoleteSstNumberToKeep;
    static const std::string kTotalSstFilesSize;
    static const std::string kLiveSstFilesSize;
    static const std::string kObsoleteSstFilesSize;
    static const std::string kLiveSstFilesSizeAtTemperature;  // + number
    static const std::string kBaseLevel;
    static const std::string kEstimatePendingCompactionBytes;
    static const std::string kAggregatedTableProperties;
    static const std::string kAggregatedTablePropertiesAtLevel;  // + level
    static const std::string kActualDelayedWriteRate;
    static const std::string kIsWriteStopped;
    static const std::string kEstimateOldestKeyTime;
    static const std::string kBlockCacheCapacity;
    static const std::string kBlockCacheUsage;
    static const std::string kBlockCachePinnedUsage;
    static const std::string kOptionsStatistics;
    static const std::string kNumBlobFiles;
    static const std::string kBlobStats;
    static const std::string kTotalBlobFileSize;
    static const std::string kLiveBlobFileSize;
    static const std::string kLiveBlobFileGarbageSize;
    static const std::string kBlobCacheCapacity;
    static const std::string kBlobCacheUsage;
    static const std::string kBlobCachePinnedUsage;
    // Ours: bytes of memory by role, of the whole database and the caches it
    // uses; text and map.
    static const std::string kMemoryByRole;
  };

  virtual bool GetProperty(ColumnFamilyHandle* column_family,
                           const Slice& property, std::string* value) = 0;
  virtual bool GetProperty(const Slice& property, std::string* value) {
    return GetProperty(DefaultColumnFamily(), property, value);
  }
  virtual bool GetMapProperty(ColumnFamilyHandle* column_family,
                              const Slice& property,
                              std::map<std::string, std::string>* value) = 0;
  virtual bool GetMapProperty(const Slice& property,
                              std::map<std::string, std::string>* value) {
    return GetMapProperty(DefaultColumnFamily(), property, value);
  }
  virtual bool GetIntProperty(ColumnFamilyHandle* column_family,
                              const Slice& property, uint64_t* value) = 0;
  virtual bool GetIntProperty(const Slice& property, uint64_t* value) {
    return GetIntProperty(DefaultColumnFamily(), property, value);
  }
  // The sum over all column families.
  virtual bool GetAggregatedIntProperty(const Slice& property,
                                        uint64_t* value) = 0;
  virtual Status ResetStats() { return Status::NotSupported("ResetStats"); }

  enum class SizeApproximationFlags : uint8_t {
    NONE = 0,
    INCLUDE_MEMTABLES = 1 << 0,
    INCLUDE_FILES = 1 << 1,
    INCLUDE_BLOB_FILES = 1 << 2
  };

  // Bytes on disk (and in memory, by the options) of each range.
  virtual Status GetApproximateSizes(const SizeApproximationOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Range* ranges, int n,
                                     uint64_t* sizes) = 0;
  virtual Status GetApproximateSizes(ColumnFamilyHandle* column_family,
                                     const Range* ranges, int n,
                                     uint64_t* sizes,
                                     SizeApproximationFlags include_flags =
                                         SizeApproximationFlags::INCLUDE_FILES);
  virtual Status GetApproximateSizes(
      const Range* ranges, int n, uint64_t* sizes,
      SizeApproximationFlags include_flags =
          SizeApproximationFlags::INCLUDE_FILES) {
    return GetApproximateSizes(DefaultColumnFamily(), ranges, n, sizes,
                               include_flags);
  }
  virtual void GetApproximateMemTableStats(ColumnFamilyHandle* column_family,
                                           const Range& range,
                                           uint64_t* const count,
                                           uint64_t* const size) = 0;
  virtual void GetApproximateMemTableStats(const Range& range,
                                           uint64_t* const count,
                                           uint64_t* const size) {
    GetApproximateMemTableStats(DefaultColumnFamily(), range, count, size);
  }

  // ---- Compaction.

  // Compacts the range; null means unbounded.
  virtual Status CompactRange(const CompactRangeOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice* begin, const Slice* end) = 0;
  virtual Status CompactRange(const CompactRangeOptions& options,
                              const Slice* begin, const Slice* end) {
    return CompactRange(options, DefaultColumnFamily(), begin, end);
  }

  // Changes options by name while the database is open.
  virtual Status SetOptions(
      ColumnFamilyHandle* /*column_family*/,
      const std::unordered_map<std::string, std::string>& /*new_options*/) {
    return Status::NotSupported("SetOptions");
  }
  virtual Status SetOptions(
      const std::unordered_map<std::string, std::string>& new_options) {
    return SetOptions(DefaultColumnFamily(), new_options);
  }
  virtual Status SetDBOptions(
      const std::unordered_map<std::string, std::string>& new_options) = 0;

  virtual Status CompactFiles(
      const CompactionOptions& /*compact_options*/,
      ColumnFamilyHandle* /*column_family*/,
      const std::vector<std::string>& /*input_file_names*/,
      const int /*output_level*/, const int /*output_path_id*/ = -1,
      std::vector<std::string>* const /*output_file_names*/ = nullptr,
      CompactionJobInfo* /*compaction_job_info*/ = nullptr) {
    return Status::NotSupported("CompactFiles");
  }
  virtual Status CompactFiles(
      const CompactionOptions& compact_options,
      const std::vector<std::string>& input_file_names, const int output_level,
      const int output_path_id = -1,
      std::vector<std::string>* const output_file_names = nullptr,
      CompactionJobInfo* compaction_job_info = nullptr) {
    return CompactFiles(compact_options, DefaultColumnFamily(),
                        input_file_names, output_level, output_path_id,
                        output_file_names, compaction_job_info);
  }

  // Waits for running flushes and compactions; no new ones start.
  virtual Status PauseBackgroundWork() {
    return Status::NotSupported("PauseBackgroundWork");
  }
  virtual Status ContinueBackgroundWork() {
    return Status::NotSupported("ContinueBackgroundWork");
  }

  // Sets disable_auto_compactions to false.
  virtual Status EnableAutoCompaction(
      const std::vector<ColumnFamilyHandle*>& column_family_handles) = 0;

  // Manual compactions get Incomplete until enabled; waits for running ones.
  // Counted, and below zero, too: after one call more of the latter, the next
  // of the former does nothing.
  virtual void DisableManualCompaction() = 0;
  virtual void EnableManualCompaction() = 0;

  // Ends every compaction, automatic and manual, and lets none start until
  // ResumeAllCompactions(): they fail with Incomplete (IsCompactionAborted()),
  // what they wrote is deleted, their inputs stay. Returns when those that ran
  // have ended, one that a CompactionService has taken only with its answer. A
  // callback of a compaction may call it, and does not wait then. Meanwhile
  // flushes and writes go on, until writes stop at level0_stop_writes_trigger
  // or hard_pending_compaction_bytes_limit; a callback of a compaction that
  // writes while they are stopped is waited for as long. WaitForCompact() fails
  // likewise if a compaction is due. Calls are counted.
  virtual void AbortAllCompactions() {}
  virtual void ResumeAllCompactions() {}

  // Waits until no flush or compaction is needed.
  virtual Status WaitForCompact(
      const WaitForCompactOptions& /*wait_for_compact_options*/) {
    return Status::NotSupported("WaitForCompact");
  }

  virtual int NumberLevels(ColumnFamilyHandle* column_family) = 0;
  virtual int NumberLevels() { return NumberLevels(DefaultColumnFamily()); }

  // Kept for older programs: always 0.
  virtual int MaxMemCompactionLevel(ColumnFamilyHandle* /*column_family*/) {
    return 0;
  }
  virtual int MaxMemCompactionLevel() {
    return MaxMemCompactionLevel(DefaultColumnFamily());
  }

  virtual int Level0StopWriteTrigger(ColumnFamilyHandle* column_family) = 0;
  virtual int Level0StopWriteTrigger() {
    return Level0StopWriteTrigger(DefaultColumnFamily());
  }

  // ---- About the database.

  virtual const std::string& GetName() const = 0;
  virtual Env* GetEnv() const = 0;
  virtual FileSystem* GetFileSystem() const;
  virtual Options GetOptions(ColumnFamilyHandle* column_family) const = 0;
  virtual Options GetOptions() const {
    return GetOptions(DefaultColumnFamily());
  }
  virtual DBOptions GetDBOptions() const = 0;

  // ---- Flush and log.

  virtual Status Flush(const FlushOptions& options,
                       ColumnFamilyHandle* column_family) = 0;
  virtual Status Flush(const FlushOptions& options) {
    return Flush(options, DefaultColumnFamily());
  }
  virtual Status Flush(
      const FlushOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;

  // Hands buffered log bytes to the operating system, and syncs if asked.
  virtual Status FlushWAL(const FlushWALOptions& /*options*/) {
    return Status::NotSupported("FlushWAL");
  }
  virtual Status FlushWAL(bool sync) {
    FlushWALOptions options;
    options.sync = sync;
    return FlushWAL(options);
  }
  virtual Status SyncWAL() = 0;
  // Stops writes until UnlockWAL() and hands the log to the operating system.
  // The data does not change meanwhile and can be copied. A lock belongs to its
  // thread; locks nest. Flushes and compactions continue; ingestions wait (the
  // locking thread gets TryAgain). Errors: those of writing; Aborted for an
  // UnlockWAL() of a thread without a LockWAL().
  virtual Status LockWAL() { return Status::NotSupported("LockWAL"); }
  virtual Status UnlockWAL() { return Status::NotSupported("UnlockWAL"); }

  virtual SequenceNumber GetLatestSequenceNumber() const = 0;

  // User timestamps: from now on reads before `ts_low` return InvalidArgument,
  // and compaction may drop versions that only such reads would see. The value
  // can only grow, and is stored in the MANIFEST.
  virtual Status IncreaseFullHistoryTsLow(ColumnFamilyHandle* /*column_family*/,
                                          std::string /*ts_low*/) {
    return Status::NotSupported("IncreaseFullHistoryTsLow");
  }
  virtual Status GetFullHistoryTsLow(ColumnFamilyHandle* /*column_family*/,
                                     std::string* /*ts_low*/) {
    return Status::NotSupported("GetFullHistoryTsLow");
  }
  // The newest timestamp of the family's entries in memtables and tables; empty
  // if it has none. Looks at every entry of the memtables. Of a table without
  // its timestamps the MANIFEST says the newest, or at least the limit above.
  // InvalidArgument: the family has no timestamps.
  virtual Status GetNewestUserDefinedTimestamp(
      ColumnFamilyHandle* /*column_family*/,
      std::string* /*newest_timestamp*/) {
    return Status::NotSupported("GetNewestUserDefinedTimestamp");
  }

  // ---- Files. Obsolete files are kept while deletions are disabled; disabling
  // waits for a running deletion. Calls nest: enable as often as you disable.

  virtual Status DisableFileDeletions() = 0;
  virtual Status EnableFileDeletions() = 0;
  // `force`: enable at once, however often deletions were disabled.
  virtual Status EnableFileDeletions(bool /*force*/) {
    return EnableFileDeletions();
  }

  virtual Status GetCreationTimeOfOldestFile(uint64_t* /*creation_time*/) {
    return Status::NotSupported("GetCreationTimeOfOldestFile");
  }
  // The batches in the log, in order. The first is the oldest one still in a
  // log that ends at `seq_number` or later. Logs of flushed data may have been
  // deleted, so check its sequence, or disable file deletions. At the end the
  // iterator is not valid and its status is OK; Next() then looks for newer
  // batches. A gap between two batches (disableWAL, ingestion, deleted log) is
  // NotFound, and so is a `seq_number` that is not written yet. Batches that
  // were written as a group are returned as one.
  virtual Status GetUpdatesSince(
      SequenceNumber /*seq_number*/,
      std::unique_ptr<TransactionLogIterator>* /*iter*/,
      const TransactionLogIterator::ReadOptions& /*read_options*/ =
          TransactionLogIterator::ReadOptions()) {
    return Status::NotSupported("GetUpdatesSince");
  }
  // Takes the table or the archived log of this name, as GetLiveFilesMetaData()
  // and GetSortedWalFiles() spell it, out of the database. Reads may then see
  // older values, or deleted keys, again.
  // OK, and the table stays, while a job uses it.
  // Errors: InvalidArgument for another name, and for a table unless nothing
  // lies below it: it is in the deepest level that has any, and if that is
  // level 0 it is the oldest; NotSupported for a log that is not archived.
  virtual Status DeleteFile(std::string /*name*/) {
    return Status::NotSupported("DeleteFile");
  }
  virtual void GetLiveFilesMetaData(
      std::vector<LiveFileMetaData>* /*metadata*/) {}
  virtual Status GetLiveFilesChecksumInfo(FileChecksumList* /*checksum_list*/) {
    return Status::NotSupported("GetLiveFilesChecksumInfo");
  }
  virtual Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& /*opts*/,
      std::vector<LiveFileStorageInfo>* /*files*/) {
    return Status::NotSupported("GetLiveFilesStorageInfo");
  }
  virtual void GetColumnFamilyMetaData(ColumnFamilyHandle* /*column_family*/,
                                       ColumnFamilyMetaData* /*metadata*/) {}
  void GetColumnFamilyMetaData(ColumnFamilyMetaData* metadata) {
    GetColumnFamilyMetaData(DefaultColumnFamily(), metadata);
  }
  // Of a part of the family.
  virtual void GetColumnFamilyMetaData(
      ColumnFamilyHandle* /*column_family*/,
      const GetColumnFamilyMetaDataOptions& /*options*/,
      ColumnFamilyMetaData* /*metadata*/) {}
  void GetColumnFamilyMetaData(const GetColumnFamilyMetaDataOptions& options,
                               ColumnFamilyMetaData* metadata) {
    GetColumnFamilyMetaData(DefaultColumnFamily(), options, metadata);
  }
  virtual void GetAllColumnFamilyMetaData(
      std::vector<ColumnFamilyMetaData>* /*metadata*/) {}
  virtual Status GetLiveFiles(std::vector<std::string>& /*ret*/,
                              uint64_t* /*manifest_file_size*/,
                              bool /*flush_memtable*/ = true) {
    return Status::NotSupported("GetLiveFiles");
  }
  virtual Status GetSortedWalFiles(VectorWalPtr& /*files*/) {
    return Status::NotSupported("GetSortedWalFiles");
  }
  virtual Status GetCurrentWalFile(
      std::unique_ptr<WalFile>* /*current_wal_file*/) {
    return Status::NotSupported("GetCurrentWalFile");
  }

  virtual Status IngestExternalFile(
      ColumnFamilyHandle* /*column_family*/,
      const std::vector<std::string>& /*external_files*/,
      const IngestExternalFileOptions& /*options*/) {
    return Status::NotSupported("IngestExternalFile");
  }
  virtual Status IngestExternalFile(
      const std::vector<std::string>& external_files,
      const IngestExternalFileOptions& options) {
    return IngestExternalFile(DefaultColumnFamily(), external_files, options);
  }
  virtual Status IngestExternalFiles(
      const std::vector<IngestExternalFileArg>& /*args*/) {
    return Status::NotSupported("IngestExternalFiles");
  }
  virtual Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& /*options*/,
      const std::string& /*column_family_name*/,
      const ImportColumnFamilyOptions& /*import_options*/,
      const std::vector<const ExportImportFilesMetaData*>& /*metadatas*/,
      ColumnFamilyHandle** /*handle*/) {
    return Status::NotSupported("CreateColumnFamilyWithImport");
  }
  virtual Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const ExportImportFilesMetaData& metadata, ColumnFamilyHandle** handle) {
    const std::vector<const ExportImportFilesMetaData*> one{&metadata};
    return CreateColumnFamilyWithImport(options, column_family_name,
                                        import_options, one, handle);
  }
  // Removes all keys outside of [begin_key, end_key), their deletions and old
  // versions as well, by range deletions and a compaction of the whole family.
  // After an error, or a crash, some or all of these keys are still there, and
  // none in the range is gone; the call may be repeated. Do not write to the
  // family meanwhile. Older snapshots still see what was removed, so that it
  // stays in the tables.
  // Errors: InvalidArgument: end_key comes before begin_key; NotSupported: user
  // timestamps; those of Write and CompactRange.
  virtual Status ClipColumnFamily(ColumnFamilyHandle* /*column_family*/,
                                  const Slice& /*begin_key*/,
                                  const Slice& /*end_key*/) {
    return Status::NotSupported("ClipColumnFamily");
  }

  virtual Status VerifyFileChecksums(const ReadOptions& /*read_options*/) {
    return Status::NotSupported("VerifyFileChecksums");
  }
  virtual Status VerifyChecksum(const ReadOptions& /*read_options*/) {
    return Status::NotSupported("VerifyChecksum");
  }
  virtual Status VerifyChecksum() { return VerifyChecksum(ReadOptions()); }

  // The content of IDENTITY, which never changes.
  virtual Status GetDbIdentity(std::string& identity) const = 0;
  // Differs each time the database is opened.
  virtual Status GetDbSessionId(std::string& session_id) const = 0;

  // Owned by the database; do not destroy it.
  virtual ColumnFamilyHandle* DefaultColumnFamily() const = 0;

  virtual Status GetPropertiesOfAllTables(
      ColumnFamilyHandle* /*column_family*/,
      TablePropertiesCollection* /*props*/) {
    return Status::NotSupported("GetPropertiesOfAllTables");
  }
  virtual Status GetPropertiesOfAllTables(TablePropertiesCollection* props) {
    return GetPropertiesOfAllTables(DefaultColumnFamily(), props);
  }
  virtual Status GetPropertiesOfTablesInRange(
      ColumnFamilyHandle* /*column_family*/, const Range* /*range*/,
      std::size_t /*n*/, TablePropertiesCollection* /*props*/) {
    return Status::NotSupported("GetPropertiesOfTablesInRange");
  }
  virtual Status GetPropertiesOfTablesByLevel(
      ColumnFamilyHandle* /*column_family*/,
      std::vector<std::unique_ptr<TablePropertiesCollection>>*
      /*props_by_level*/) {
    return Status::NotSupported("GetPropertiesOfTablesByLevel");
  }

  // Marks the files of the range for compaction at some later time.
  virtual Status SuggestCompactRange(ColumnFamilyHandle* /*column_family*/,
                                     const Slice* /*begin*/,
                                     const Slice* /*end*/) {
    return Status::NotSupported("SuggestCompactRange");
  }
  virtual Status PromoteL0(ColumnFamilyHandle* /*column_family*/,
                           int /*target_level*/) {
    return Status::NotSupported("PromoteL0");
  }

  // ---- Traces.

  // Starts a query trace: `trace_writer`, which the trace owns, gets a record
  // of each write, Get(), MultiGet(), Iterator::Seek() and SeekForPrev() until
  // EndTrace(). A record has keys, values of writes and bounds of iterators,
  // and no other options, snapshots or timestamps of reads. A MultiGet is one
  // record. KeyMayExist() is recorded as a Get; GetEntity(), MultiGetEntity()
  // and GetMergeOperands() are not recorded. A two-phase commit is recorded as
  // a write when it commits. A wrapper records what reaches the database at its
  // bottom.
  //
  // Operations wait for each other while they are recorded. A record that
  // cannot be written ends the trace; the operation goes on, and EndTrace()
  // returns the error.
  // Errors: InvalidArgument without a writer; Busy while there is a trace of
  // this kind, also one that has ended by an error or at its maximal size;
  // those of the writer.
  virtual Status StartTrace(const TraceOptions& /*options*/,
                            std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartTrace");
  }
  // Writes the end of the trace, closes the writer and destroys it. Waits for
  // the record that is being written; operations may run meanwhile. Close()
  // and the destructor do the same.
  // Errors: IOError when there is no trace; the error that ended it before;
  // those of the writer.
  virtual Status EndTrace() { return Status::NotSupported("EndTrace"); }
  // The same for the block cache: each lookup of a data, index or filter block,
  // and whether it was found. The first form is the second with a
  // NewBlockCacheTraceWriter() and the size and the sampling of the options;
  // their other members have no effect. EndBlockCacheTrace() without a trace is
  // OK, as in RocksDB; otherwise it answers the error that ended the trace
  // before, or that of closing the writer of NewBlockCacheTraceWriter().
  virtual Status StartBlockCacheTrace(
      const TraceOptions& /*options*/,
      std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartBlockCacheTrace");
  }
  virtual Status StartBlockCacheTrace(
      const BlockCacheTraceOptions& /*options*/,
      std::unique_ptr<BlockCacheTraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartBlockCacheTrace");
  }
  virtual Status EndBlockCacheTrace() {
    return Status::NotSupported("EndBlockCacheTrace");
  }
  // Traces of the calls of the file system are not made yet: NotSupported.
  virtual Status StartIOTrace(const TraceOptions& /*options*/,
                              std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartIOTrace");
  }
  virtual Status EndIOTrace() { return Status::NotSupported("EndIOTrace"); }
  // Makes an object that executes the records of a query trace in this
  // database. `handles`: see TraceRecord::NewExecutionHandler(). The replayer
  // must be destroyed before the handles and the database. Replay the trace of
  // a wrapper that changes values, such as DBWithTTL, in the GetRootDB() of
  // another one: this database gets the values as they were stored.
  // Errors: InvalidArgument without a reader.
  virtual Status NewDefaultReplayer(
      const std::vector<ColumnFamilyHandle*>& handles,
      std::unique_ptr<TraceReader>&& reader,
      std::unique_ptr<Replayer>* replayer);

  // The database below any wrappers.
  virtual DB* GetRootDB() { return this; }

  // How much the tickers grew in each stats_persist_period_sec, oldest first
  // (stats_history.h): the slices made at second `start_time` or later, and
  // before `end_time`. There are none without statistics, nor in a read-only or
  // secondary instance. Errors: InvalidArgument if `stats_iterator` is null.
  virtual Status GetStatsHistory(
      uint64_t /*start_time*/, uint64_t /*end_time*/,
      std::unique_ptr<StatsHistoryIterator>* /*stats_iterator*/) {
    return Status::NotSupported("GetStatsHistory");
  }

  // Secondary instances: makes visible what the primary has written so far, up
  // to the last complete record of its logs, for all families at once. After an
  // error the previous state stays visible, and the call may be repeated:
  // TryAgain, Corruption, IO errors; NotSupported for other instances.
  virtual Status TryCatchUpWithPrimary() {
    return Status::NotSupported("Supported only by secondary instance");
  }
};

inline DB::SizeApproximationFlags operator&(DB::SizeApproximationFlags lhs,
                                            DB::SizeApproximationFlags rhs) {
  return static_cast<DB::SizeApproximationFlags>(static_cast<uint8_t>(lhs) &
                                                 static_cast<uint8_t>(rhs));
}
inline DB::SizeApproximationFlags operator|(DB::SizeApproximationFlags lhs,
                                            DB::SizeApproximationFlags rhs) {
  return static_cast<DB::SizeApproximationFlags>(static_cast<uint8_t>(lhs) |
                                                 static_cast<uint8_t>(rhs));
}

inline Status DB::GetApproximateSizes(ColumnFamilyHandle* column_family,
                                      const Range* ranges, int n,
                                      uint64_t* sizes,
                                      SizeApproximationFlags include_flags) {
  SizeApproximationOptions options;
  options.include_memtables =
      (include_flags & SizeApproximationFlags::INCLUDE_MEMTABLES) !=
      SizeApproximationFlags::NONE;
  options.include_files =
      (include_flags & SizeApproximationFlags::INCLUDE_FILES) !=
      SizeApproximationFlags::NONE;
  options.include_blob_files =
      (include_flags & SizeApproximationFlags::INCLUDE_BLOB_FILES) !=
      SizeApproximationFlags::NONE;
  return GetApproximateSizes(options, column_family, ranges, n, sizes);
}

// Deletes the files of a database, which must not be open. Other files, and
// directories that contain some, are kept.
Status DestroyDB(const std::string& name, const Options& options,
                 const std::vector<ColumnFamilyDescriptor>& column_families =
                     std::vector<ColumnFamilyDescriptor>());

// Makes a usable database from one that cannot be opened, or lacks its
// MANIFEST. It must not be open. The result contains every readable table and
// every log record that can be found (after damage the search continues in the
// next block of 32 KiB). Unreadable files go into the folder lost/. Tables are
// read from end to end. Families keep their numbers; a family whose name is
// unknown becomes lost_column_family_<number>.
//
// The names of families come from their tables, or from an undamaged MANIFEST;
// only the one that CURRENT names tells which families were dropped. Without it
// their data reappears, and so does the data of obsolete tables that had not
// been deleted yet; tables ingested without write_global_seqno count as the
// oldest; merge operands may be applied twice if their table has been compacted
// and their log still exists. A repair that failed may be run again.
//
// Errors: InvalidArgument for a family that is not listed;
// IOError when the database is in use, and those of the file system.
Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families);
// Families that are not listed get `unknown_cf_opts`.
Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                const ColumnFamilyOptions& unknown_cf_opts);
// All families get the same options.
Status RepairDB(const std::string& dbname, const Options& options);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
