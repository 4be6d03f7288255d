// UpdateIterator: the batches of the write-ahead log, for GetUpdatesSince.
//
// Place. Made by the façade, owned by the program. Reads the log files; knows
// nothing of memtables.
//
// Model. It reads one log after the other; each record is a batch. A batch is
// returned once its write has been published. At the end of the written data
// the iterator is not valid and its status is OK; Next() then looks for newer
// batches. As in RocksDB, the first batch returned is the first one still in
// the logs that ends behind the requested sequence: older logs may already have
// been deleted. A batch whose write has failed may be in a log, too; it is
// passed over, because its sequences are used again.
//
// Prepared transactions are shown as they are logged: the section, and later
// the mark that decides it. Recovery's BatchReplay, here without memtables,
// counts the sequences that each batch takes. A section takes none; the mark of
// its commit takes as many as the section has records. If the log of the
// section was deleted, their number is not known.
//
// Invariants:
//   (1) From the first batch on, sequence numbers have no gaps. If one is
//       missing (written without a log, ingested, or its log was deleted), the
//       status reports it and the iterator cannot continue. Behind a commit
//       with an unknown number of records this cannot be checked.
//   (2) No batch is shown before it is published. One that takes no sequence is
//       shown when a later one is published.
//
// Threads. One at a time; writers go on meanwhile.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/transaction_log.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class UpdateIterator final : public TransactionLogIterator {
 public:
  struct Deps {
    FileSystem* fs = nullptr;
    std::string wal_dir;
    FileOptions file_options;
    bool verify_checksums = true;
    // Numbers of the logs there are, ascending.
    std::function<Result<std::vector<uint64_t>>()> logs;
    std::function<SequenceNumber()> last_published;
    // The write of the record at `offset` of that log has failed. May be empty.
    std::function<bool(uint64_t log_number, uint64_t offset)> failed;
  };

  explicit UpdateIterator(Deps deps);
  ~UpdateIterator() override;

  // Stands on the first batch with `sequence` or a later one; not valid when no
  // log has any. Errors: NotFound when `sequence` is not written yet.
  Status SeekTo(SequenceNumber sequence);

  bool Valid() override { return valid_; }
  void Next() override;
  Status status() override { return status_; }
  BatchResult GetBatch() override;

 private:
  // Makes `reader_` read on, or, with another number, begin with that log.
  Status OpenLog(uint64_t number);
  // Finds the first batch to show, and shows it if it is published.
  Status ShowFirst();
  bool EndsBefore(SequenceNumber wanted) const;  // The batch just read.
  // The log where the search for `first_wanted_` begins; false: all are empty.
  Result<bool> OpenFirstLog();
  // The next record of the current log that is of no failed write.
  wal::ReadResult ReadWritten(Slice* record);
  // The same into `record_`; false at the log's end.
  Result<bool> ReadFromLog();
  // The same for any log; false at the end of all.
  Result<bool> ReadRecord();
  Result<bool> GoToNextLog();
  Status Malformed(const std::string& found) const;
  Status TakeRecord(const Slice& record);
  // Which sequences the record takes, and does it continue those before?
  Status CountRecord();
  // The next batch is the first that is counted.
  void CountAnew(bool by_batch);

  class Counter;

  const Deps deps_;
  std::unique_ptr<wal::Reader> reader_;
  uint64_t log_number_ = 0;

  SequenceNumber first_wanted_ = 0;  // What is searched for; 0: nothing is.
  bool shown_any_ = false;
  std::string record_;  // The last batch read.
  SequenceNumber sequence_ = 0;
  SequenceNumber next_sequence_ = 0;  // Behind it, or less: see the model.
  bool continues_ = false;            // Its sequence is the expected one.
  std::unique_ptr<Counter> counter_;
  bool at_end_ = false;  // The last look found nothing more.
  bool valid_ = false;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
