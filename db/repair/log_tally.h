// LogTally: finds out from their batches alone what the logs of a database
// hold.
//
// Place. Used by repair, if the MANIFEST is lost, to find which logs are in
// tables and which must be replayed.
//
// Model. A record has the sequence that replay gives it. Prepared data of a
// write-committed transaction gets its sequences at the commit, perhaps in a
// later log, so batches must be given in the order in which they were written.
// Logs that are numbered by batch (write-prepared, write-unprepared) have fewer
// sequences than records, so the sequences found here may be too large. Then a
// log may be replayed again, but never left out. Behind a commit whose section
// is gone, which may stand amid the record of a group, they may be too small,
// yet not smaller than what families had before the group.
//
// Threads. One.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LogSummary {
  uint64_t number = 0;
  uint64_t damaged = 0;         // Left out.
  bool has_sections = false;    // Something was prepared in it.
  std::set<uint32_t> families;  // All that are named.
  // By family, what was only prepared not counted.
  std::map<uint32_t, SequenceNumber> last_sequences;
  std::map<uint32_t, uint16_t> timestamp_sizes;  // By family.
};

class LogTally {
 public:
  // `batch`: header included. False: it is none that replay would take, and
  // nothing was added.
  bool Take(const Slice& batch, LogSummary* log);

 private:
  class Walk;
  // What a transaction has prepared.
  struct Section {
    uint64_t records = 0;
    std::map<uint32_t, uint64_t> last;  // Of a family's records; from 1 on.
  };
  std::map<std::string, Section> undecided_;  // By name.
};

}  // namespace ROCKSDB_NAMESPACE::engine
