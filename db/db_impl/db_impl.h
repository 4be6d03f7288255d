// DBImpl: the façade behind the public DB.
//
// Place. Checks parameters and delegates; each feature is implemented in a part
// of its own. Only the opener and transactions include this header.
//
// Model.  writes    CommitPipeline -> MemTableSwitcher -> WalSet, memtables
//         reads     ViewPublisher -> LookUp / DbIterator
//         jobs      JobScheduler -> Flusher, Compactor
//         errors    ErrorState -> BackgroundErrors (resume)
//
// Threads. Any; no other call may run during Close and the destructor.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/db_impl/background_errors.h"
#include "db/db_impl/column_family_handle.h"
#include "db/db_impl/compactor.h"
#include "db/db_impl/db_timers.h"
#include "db/db_impl/file_ingester.h"
#include "db/db_impl/flusher.h"
#include "db/db_impl/live_files.h"
#include "db/db_impl/memtable_switcher.h"
#include "db/db_impl/property_reader.h"
#include "db/db_impl/range_files.h"
#include "db/db_impl/stall_watchdog.h"
#include "db/db_impl/traced_db.h"
#include "db/db_impl/tuning_link.h"
#include "db/file_deletion/purge_task.h"
#include "db/jobs/scheduler.h"
#include "db/read/iterator_source.h"
#include "db/secondary/follower.h"
#include "db/write/commit_pipeline.h"
#include "db/write/write_admission.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class DBImpl final : public TracedDB {
 public:
  // `state` is recovered completely; Start() begins background work.
  DBImpl(std::unique_ptr<DbState> state, FileLock* lock, bool read_only);
  ~DBImpl() override;

  // --- Opening (opener.cc) ---
  DbState* state() override { return state_.get(); }
  CommitPipeline* pipeline() { return &pipeline_; }
  Status Start();
  void set_info_log(std::shared_ptr<Logger> log) { info_log_ = std::move(log); }
  void set_follower(std::unique_ptr<Follower> follower);
  ColumnFamilyHandle* NewHandle(const FamilyPtr& family);

  // --- For the tuner; under the mutex ---
  JobScheduler* scheduler() { return &scheduler_; }
  Compactor* compactor() { return &compactor_; }
  TuningLink* tuning() { return &tuning_; }
  Status CancelBackgroundWork(bool wait);  // See convenience.h.
  Status Resume() override;
  Status Close() override;
  using DB::CreateColumnFamily;
  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& column_family_name,
                            ColumnFamilyHandle** handle) override;
  Status DropColumnFamily(ColumnFamilyHandle* column_family) override;
  Status DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family) override;
  using DB::Put;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& value) override;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, const Slice& ts, const Slice& value) override;
  using DB::PutEntity;
  Status PutEntity(const WriteOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  using DB::Delete;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* column_family,
                const Slice& key) override;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* column_family,
                const Slice& key, const Slice& ts) override;
  using DB::SingleDelete;
  Status SingleDelete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  Status SingleDelete(const WriteOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;
  using DB::DeleteRange;
  Status DeleteRange(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key) override;
  Status DeleteRange(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;
  using DB::Merge;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& value) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& ts, const Slice& value) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status WriteWithCallback(const WriteOptions& options, WriteBatch* updates,
                           UserWriteCallback* callback) override;
  Status Commit(CommitRequest* request);  // Also of transactions.
  using DB::Get;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override;
  using DB::MultiGet;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** column_families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, bool sorted_input) override;
  using DB::GetEntity;
  Status GetEntity(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   PinnableWideColumns* columns) override;
  using DB::MultiGetEntity;
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** column_families, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override;
  void MultiGet(const ReadOptions& options, ColumnFamilyHandle* column_family,
                size_t num_keys, const Slice* keys, PinnableSlice* values,
                std::string* timestamps, Status* statuses,
                bool sorted_input) override;
  using DB::KeyMayExist;
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* column_family, const Slice& key,
                          PinnableSlice* merge_operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands) override;
  bool KeyMayExist(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   std::string* value, std::string* timestamp,
                   bool* value_found) override;
  using DB::NewIterator;
  Iterator* NewIterator(const ReadOptions& options,
                        ColumnFamilyHandle* column_family) override;
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& column_families,
                      std::vector<Iterator*>* iterators) override;
  const Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const Snapshot* snapshot) override;
  using DB::GetProperty;
  bool GetProperty(ColumnFamilyHandle* column_family, const Slice& property,
                   std::string* value) override;
  using DB::GetMapProperty;
  bool GetMapProperty(ColumnFamilyHandle* column_family, const Slice& property,
                      std::map<std::string, std::string>* value) override;
  using DB::GetIntProperty;
  bool GetIntProperty(ColumnFamilyHandle* column_family, const Slice& property,
                      uint64_t* value) override;
  bool GetAggregatedIntProperty(const Slice& property,
                                uint64_t* value) override;
  Status ResetStats() override;
  using DB::GetApproximateSizes;
  Status GetApproximateSizes(const SizeApproximationOptions& options,
                             ColumnFamilyHandle* column_family,
                             const Range* ranges, int n,
                             uint64_t* sizes) override;
  using DB::GetApproximateMemTableStats;
  void GetApproximateMemTableStats(ColumnFamilyHandle* column_family,
                                   const Range& range, uint64_t* count,
                                   uint64_t* size) override;
  using DB::CompactRange;
  Status CompactRange(const CompactRangeOptions& options,
                      ColumnFamilyHandle* column_family, const Slice* begin,
                      const Slice* end) override;
  using DB::CompactFiles;
  Status CompactFiles(const CompactionOptions& options,
                      ColumnFamilyHandle* column_family,
                      const std::vector<std::string>& input_file_names,
                      int output_level, int output_path_id,
                      std::vector<std::string>* output_file_names,
                      CompactionJobInfo* compaction_job_info) override;
  Status SuggestCompactRange(ColumnFamilyHandle* column_family,
                             const Slice* begin, const Slice* end) override;
  Status PromoteL0(ColumnFamilyHandle* column_family, int level) override;
  Status DeleteFilesInRanges(ColumnFamilyHandle* of, const KeyRanges& wanted);
  Status DeleteFile(std::string name) override;
  Status TrimHistory(ColumnFamilyHandle* family, const std::string& after);
  Status ClipColumnFamily(ColumnFamilyHandle* column_family,
                          const Slice& begin_key,
                          const Slice& end_key) override;
  using DB::SetOptions;
  Status SetOptions(
      ColumnFamilyHandle* column_family,
      const std::unordered_map<std::string, std::string>& new_options) override;
  Status SetDBOptions(
      const std::unordered_map<std::string, std::string>& new_options) override;
  Status PauseBackgroundWork() override;
  Status ContinueBackgroundWork() override;
  Status EnableAutoCompaction(
      const std::vector<ColumnFamilyHandle*>& column_family_handles) override;
  void DisableManualCompaction() override;
  void EnableManualCompaction() override;
  void AbortAllCompactions() override;
  void ResumeAllCompactions() override;
  Status WaitForCompact(
      const WaitForCompactOptions& wait_for_compact_options) override;
  using DB::NumberLevels;
  int NumberLevels(ColumnFamilyHandle* column_family) override;
  using DB::Level0StopWriteTrigger;
  int Level0StopWriteTrigger(ColumnFamilyHandle* column_family) override;
  const std::string& GetName() const override { return state_->store.dbname; }
  Env* GetEnv() const override { return state_->env; }
  FileSystem* GetFileSystem() const override { return state_->store.fs; }
  using DB::GetOptions;
  Options GetOptions(ColumnFamilyHandle* column_family) const override;
  DBOptions GetDBOptions() const override;
  using DB::Flush;
  Status Flush(const FlushOptions& options,
               ColumnFamilyHandle* column_family) override;
  Status Flush(
      const FlushOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families) override;
  using DB::FlushWAL;
  Status FlushWAL(const FlushWALOptions& options) override;
  Status SyncWAL() override;
  Status LockWAL() override;
  Status UnlockWAL() override;
  SequenceNumber GetLatestSequenceNumber() const override {
    return state_->versions->last_sequence();
  }
  Status TryCatchUpWithPrimary() override;
  Status DisableFileDeletions() override;
  using DB::EnableFileDeletions;
  Status EnableFileDeletions() override;
  Status GetDbIdentity(std::string& identity) const override;
  Status GetDbSessionId(std::string& session_id) const override;
  void GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) override;
  using DB::GetColumnFamilyMetaData;
  void GetColumnFamilyMetaData(ColumnFamilyHandle* column_family,
                               ColumnFamilyMetaData* metadata) override;
  void GetColumnFamilyMetaData(ColumnFamilyHandle* column_family,
                               const GetColumnFamilyMetaDataOptions& options,
                               ColumnFamilyMetaData* metadata) override;
  void GetAllColumnFamilyMetaData(
      std::vector<ColumnFamilyMetaData>* metadata) override;

  // --- User timestamps (db_timestamps.cc) ---
  Status IncreaseFullHistoryTsLow(ColumnFamilyHandle* column_family,
                                  std::string ts_low) override;
  Status GetFullHistoryTsLow(ColumnFamilyHandle* column_family,
                             std::string* ts_low) override;
  Status GetNewestUserDefinedTimestamp(ColumnFamilyHandle* column_family,
                                       std::string* newest_timestamp) override;

  // --- Files as such (db_files.cc) ---
  using DB::GetPropertiesOfAllTables;
  Status GetPropertiesOfAllTables(ColumnFamilyHandle* column_family,
                                  TablePropertiesCollection* props) override;
  Status GetPropertiesOfTablesInRange(
      ColumnFamilyHandle* column_family, const Range* range, std::size_t n,
      TablePropertiesCollection* props) override;
  Status GetPropertiesOfTablesByLevel(
      ColumnFamilyHandle* column_family,
      std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level)
      override;
  using DB::VerifyChecksum;
  Status VerifyChecksum(const ReadOptions& read_options) override;
  Status VerifyFileChecksums(const ReadOptions& read_options) override;
  Status GetLiveFiles(std::vector<std::string>& ret,
                      uint64_t* manifest_file_size,
                      bool flush_memtable) override;
  Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& opts,
      std::vector<LiveFileStorageInfo>* files) override;
  Status GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) override;
  Status GetCreationTimeOfOldestFile(uint64_t* creation_time) override;
  Status GetSortedWalFiles(VectorWalPtr& files) override;
  Status GetCurrentWalFile(std::unique_ptr<WalFile>* current_wal_file) override;
  Status GetUpdatesSince(
      SequenceNumber seq_number, std::unique_ptr<TransactionLogIterator>* iter,
      const TransactionLogIterator::ReadOptions& read_options) override;
  using DB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;
  using DB::IngestExternalFile;
  Status IngestExternalFile(ColumnFamilyHandle* column_family,
                            const std::vector<std::string>& external_files,
                            const IngestExternalFileOptions& options) override;
  Status IngestExternalFiles(
      const std::vector<IngestExternalFileArg>& args) override;
  // All versions, as stored, of what no range deletion covers.
  std::unique_ptr<InternalIterator> NewVersionIterator(
      ColumnFamilyHandle* column_family) const;
  ColumnFamilyHandle* DefaultColumnFamily() const override {
    return default_handle_.get();
  }

 private:
  const Snapshot* NewSnapshot();  // Whatever the memtables are.
  Status CheckWritable() const;
  LogWriters Writers();
  struct MultiGetCall;
  void RunMultiGet(MultiGetCall* call);
  void MultiGetFamilies(MultiGetCall* call);
  void MultiGetFamily(const ColumnFamily& family, const ReadView& view,
                      SequenceNumber sequence, MultiGetCall* call) const;
  // What a read with this view may see; the view has to be taken first.
  SequenceNumber SequenceFor(const ReadOptions& options,
                             const ReadView& view) const;
  // All views of one state, also of one that follows another process.
  using PinnedViews = std::map<ColumnFamily*, ViewRef>;
  void PinViews(PinnedViews* views) const;
  LookupDeps LookupDepsOf(const ColumnFamily& family,
                          const ReadOptions& options) const;
  class FamilySource;  // Of iterators.
  // Over all of `view`, which it keeps pinned.
  std::unique_ptr<InternalIterator> NewInternalIterator(
      const ReadOptions& options, const FamilyPtr& family, const ReadView& view,
      const IteratorState& state) const;
  Iterator* NewIteratorAt(const ReadOptions& options, const FamilyPtr& family,
                          const ViewRef& first, const SequenceNumber* at);
  PropertyReader Properties();

  // User timestamps. One of `value` and `columns` is null; `timestamp` may be.
  Status LookUpAt(const ReadOptions& options, const FamilyPtr& family,
                  const Slice& key, PinnableSlice* value,
                  PinnableWideColumns* columns, std::string* timestamp);
  Status GetAt(const ReadOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, PinnableSlice* value, std::string* timestamp);
  void MultiGetAt(const ReadOptions& options, size_t num_keys,
                  ColumnFamilyHandle** column_families, const Slice* keys,
                  PinnableSlice* values, std::string* timestamps,
                  Status* statuses);
  Iterator* NewTimestampIterator(const ReadOptions& options,
                                 const FamilyPtr& family, const ViewRef& first,
                                 const SequenceNumber* at);
  static Status CheckNoTimestamp(ColumnFamilyHandle* column_family);
  // Background work; all under the mutex.
  JobScheduler::Deps SchedulerDeps();
  void ScheduleIfDue() REQUIRES_LOCK(kStateLock) { scheduler_.ScheduleIfDue(); }
  void DeleteObsolete(bool scan = false) REQUIRES_LOCK(kStateLock);
  void MarkBottommost() REQUIRES_LOCK(kStateLock);
  void MarkDelayedBottommost();
  // No job waits, runs or is paused.
  bool IsIdle() const REQUIRES_LOCK(kStateLock);
  bool IsPurging() const REQUIRES_LOCK(kStateLock);
  Status AwaitIdle(const WaitForCompactOptions& options);
  void NotifyStallListeners() REQUIRES_LOCK(kStateLock);
  // Seals memtables; `goals`: what must become tables then.
  Status SealFamilies(const std::vector<FamilyPtr>& families,
                      FlushReason reason, std::vector<FlushGoal>* goals);
  Status SealExclusively(const std::vector<FamilyPtr>& families,
                         FlushReason reason, std::vector<FlushGoal>* goals);
  Status AwaitFlush(const std::vector<FlushGoal>& goals);
  Status FlushFamilies(const std::vector<FamilyPtr>& families,
                       FlushReason reason, bool wait);
  Status FlushEverything(FlushReason reason, bool together = false);
  Status FlushForResume();
  Status AfterLogCall(const Status& status);
  void AwaitRoomForFlush(const ColumnFamily& family);
  void ChangeOptions(ColumnFamily* family, const ColumnFamilyOptions& options,
                     std::vector<ViewRef>* dropped) REQUIRES_LOCK(kStateLock);
  Status PersistOptions();
  Status CloseParts();
  void ForgetDroppedFamilies() REQUIRES_LOCK(kStateLock);
  void StartTimers();
  void DumpStats();

  const std::unique_ptr<DbState> state_;
  FileLock* lock_;
  const bool read_only_;
  std::shared_ptr<Logger> info_log_;
  std::unique_ptr<Follower> follower_;  // Of secondary instances.
  StallMonitor stalls_;
  JobScheduler scheduler_;
  BufferStall buffer_;
  PurgeTask purge_;
  BackgroundErrors errors_;
  Flusher flusher_;
  Compactor compactor_;
  MemTableSwitcher switcher_;
  const std::unique_ptr<RateLimiter> low_pri_limiter_;
  WriteAdmission admission_;
  CommitPipeline pipeline_;
  const FileIngester ingester_;
  std::unique_ptr<ColumnFamilyHandleImpl> default_handle_;
  StatsBaseline stats_;
  std::shared_ptr<Timer> timer_;
  DbTimers timers_;
  std::vector<DroppedFamily> dropped_;
  TuningLink tuning_;
  StallWatchdog watchdog_;
  Mutex history_mu_{LockRank::kTimestampHistory};
  bool closed_ = false;
  Status close_status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
