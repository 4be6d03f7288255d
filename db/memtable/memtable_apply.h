// Memtable apply: the records of a write batch become memtable entries.
//
// Place. Called by the commit pipeline (after the log) and by log replay. The
// only place that turns batch tags into entry types.
//
// Model. A batch is walked twice: CheckBatch before anything is logged, so
// that a bad call changes nothing; ApplyBatch afterwards, which then fails
// only if the two disagree about the families. The i-th counted record gets
// sequence + i, also when its family is skipped.
//
// Log replay, which has to look at what lies between records (transactions),
// walks the batch itself and adds record by record: RecordInserter.
//
// Threads. Thread-safe as far as the resolver is; several batches may be
// applied at once when all of them say `concurrent`.

#pragma once

#include <cstdint>
#include <string>

#include "db/memtable/memtable.h"
#include "db/wal/log_holds.h"
#include "db/write_batch/batch_format.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

// A key's newest value at `sequence`, with all operands merged.
struct NewestQuery {
  uint32_t family = 0;
  Slice user_key;
  SequenceNumber sequence = 0;
  bool from_files = false;         // It may have to be read from a file.
  const Slice* operand = nullptr;  // One more, on top; may be null.
};
struct NewestValue {
  bool exists = false;
  bool is_entity = false;
  std::string bytes;  // Of the value, or of the entity as it is stored.
};

// How a batch's column family ids become memtables.
class FamilyResolver {
 public:
  struct Found {
    enum class Verdict : uint8_t {
      kWrite,
      kSkip,     // Known, and already has this data in its files (replay).
      kMissing,  // Dropped or never existed.
    };
    Verdict verdict = Verdict::kMissing;
    MemTable* memtable = nullptr;  // Set for kWrite.
  };

  virtual ~FamilyResolver() = default;
  // Called by several threads at once during a concurrent apply. The answer
  // must not change between a batch's check and its application.
  virtual Found Find(uint32_t family_id) = 0;
  // For a write that depends on what is there.
  virtual Status ReadNewest(const NewestQuery& query, NewestValue* newest);
  // `memtable` has reached its size. Once per memtable, from any writer.
  virtual void OnMemTableFull(uint32_t family_id, MemTable* memtable) = 0;
};

// What a check learns about a batch.
struct BatchShape {
  uint64_t num_counted = 0;  // Records that take a sequence number.
  bool alone = false;        // No other batch may be applied meanwhile.
};

struct ApplyOptions {
  bool concurrent = false;      // Other batches are applied at the same time.
  bool ignore_missing = false;  // Missing families: skip, do not fail.
  // From a log: operands stay as they are; there may be no files to read yet.
  bool replay = false;
  // The records are in this log, which is older than that of the commit.
  const LogHold* prepared_in = nullptr;
};

// Most batches stay in one family: its answer is kept.
class FamilyCache {
 public:
  explicit FamilyCache(FamilyResolver* families) : families_(families) {}

  const FamilyResolver::Found& Find(uint32_t id) {
    if (!known_ || id != id_) {
      found_ = families_->Find(id);
      id_ = id;
      known_ = true;
    }
    return found_;
  }
  void Forget() { known_ = false; }

 private:
  FamilyResolver* const families_;
  FamilyResolver::Found found_;
  uint32_t id_ = 0;
  bool known_ = false;
};

// Adds records to the memtables of their families.
class RecordInserter {
 public:
  RecordInserter(FamilyResolver* families, const ApplyOptions& options)
      : families_(families),
        options_(options),
        cache_(families),
        cursor_(options.concurrent) {}
  ~RecordInserter() { Finish(); }
  RecordInserter(const RecordInserter&) = delete;
  RecordInserter& operator=(const RecordInserter&) = delete;

  // Errors: as ApplyBatch.
  Status Add(const BatchRecord& record, SequenceNumber sequence);
  // Forgets what it knows of the families, which may answer otherwise now.
  void Finish();
  FamilyCache* families() { return &cache_; }

 private:
  Status AddTimedPut(const BatchRecord& record, SequenceNumber sequence);
  Status AddEntry(const Slice& user_key, SequenceNumber sequence,
                  ValueType type, const Slice& value);
  // rewriting_writes.cc.
  Status AddRewriting(const BatchRecord& record, SequenceNumber sequence);
  Status UpdateInPlace(const BatchRecord& record, SequenceNumber sequence);
  Status UpdateElsewhere(const BatchRecord& record, SequenceNumber sequence);
  Status AddMerged(const BatchRecord& record, SequenceNumber sequence);
  void FinishRun();

  FamilyResolver* const families_;
  const ApplyOptions options_;
  FamilyCache cache_;
  MemTable::AddCursor cursor_;
  MemTable* memtable_ = nullptr;  // Of the run of records that is being added.
  uint32_t family_ = 0;
};

// `rep` is the batch's bytes, header included.
// Errors: Corruption for malformed bytes or a wrong count; InvalidArgument for
// a missing family or a range that ends before it begins; NotSupported for
// records this release cannot store.
Status CheckBatch(const Slice& rep, FamilyResolver* families,
                  bool ignore_missing, BatchShape* shape);

// Adds the records of `rep`, the first counted one with `sequence`. Errors as
// CheckBatch; what was added before the error stays.
Status ApplyBatch(const Slice& rep, SequenceNumber sequence,
                  FamilyResolver* families, const ApplyOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
