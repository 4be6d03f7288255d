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
// Invariants:
//   (1) From the first batch on, sequence numbers have no gaps. If one is
//       missing (written without a log, ingested, or its log was deleted), the
//       status reports it and the iterator cannot continue.
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

  const Deps deps_;
  std::unique_ptr<wal::Reader> reader_;
  uint64_t log_number_ = 0;

  SequenceNumber first_wanted_ = 0;  // As long as no batch has been shown.
  std::string record_;               // The last batch read.
  SequenceNumber sequence_ = 0;
  SequenceNumber next_sequence_ = 0;  // Behind it.
  bool at_end_ = false;               // The last look found nothing more.
  bool valid_ = false;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
