// wal::Reader: takes a log file apart into logical records, and says exactly
// where and why it cannot go on.
//
// Place. Below WAL replay and MANIFEST reading. It knows framing only; what a
// damaged log means for the database (the recovery mode) is the caller's law.
//
// Model. A file ends in one of three ways, and damage is a fourth answer:
//
//   clean      at a record boundary, in preallocated zeros, or at the first
//              record of the recycled file's former life
//   torn tail  in the middle of a record that nothing follows; zeros with
//              more records behind them are damage, not an end
//   damaged    a record that cannot be right; reading may go on behind it
//
// Invariants:
//   (1) Whatever the bytes are, every call returns, and no byte outside the
//       file's blocks is looked at.
//   (2) A record is returned only if the checksum of each of its fragments is
//       right, unless the reader was told not to verify checksums.
//
// Threads. One at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "db/wal/log_format.h"
#include "env/file_reader.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine::wal {

enum class ReadResult : uint8_t {
  kRecord,   // A logical record.
  kEnd,      // No more; problem() tells a torn tail from a clean end.
  kDamaged,  // problem() tells what; the next call goes on behind it.
};

// Why the last call did not return a record.
struct Problem {
  enum class Kind : uint8_t {
    kNone,       // Clean end.
    kTornTail,   // The file ends inside a record.
    kOldRecord,  // Clean end: the rest is a recycled file's former life.
    kBadChecksum,
    kBadLength,
    kBadType,
    kOutOfOrder,  // A fragment that does not fit the one before it.
    kBadContent,  // A special or compressed record that does not decode.
    kUnreadable,  // The file system failed; nothing can follow.
  };

  Kind kind = Kind::kNone;
  uint64_t offset = 0;  // Of the physical record (its header).
  uint64_t dropped_bytes = 0;
  std::string expected;
  std::string found;
  Status io_status;  // kUnreadable only.

  bool clean() const { return kind == Kind::kNone || kind == Kind::kOldRecord; }
  // Corruption("<file>: at offset N expected X, found Y"), or the I/O error.
  Status ToStatus(const std::string& file) const;
};

class Reader {
 public:
  // `log_number` is compared with that of recyclable records.
  Reader(std::unique_ptr<SequentialFileReader> file, uint64_t log_number,
         bool verify_checksums = true);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // On kRecord, `*record` is valid until the next call.
  ReadResult ReadRecord(Slice* record);

  // The file may have grown since the end was reached: goes on behind the last
  // complete record. `file` is the same one, opened again.
  // Errors: of the file; Corruption when it has become shorter.
  Status ReadOn(std::unique_ptr<SequentialFileReader> file);

  const Problem& problem() const { return problem_; }
  // Where the last returned record begins and where the byte after it is.
  uint64_t last_record_offset() const { return last_record_offset_; }
  uint64_t last_record_end() const { return last_record_end_; }
  // Where the last good physical record ends, special ones included.
  uint64_t end_of_good() const { return end_of_good_; }

  const std::string& file_name() const { return file_->file_name(); }
  uint64_t log_number() const { return log_number_; }

  // Column family id -> timestamp size recorded so far (types 10 and 11).
  const std::map<uint32_t, uint16_t>& timestamp_sizes() const {
    return timestamp_sizes_;
  }
  const std::optional<Predecessor>& predecessor() const { return predecessor_; }
  bool compressed() const { return compressed_; }
  // The log holds recyclable records, so what ends it may be garbage.
  bool recyclable() const { return recyclable_.value_or(special_recyclable_); }

 private:
  struct Fragment {
    RecordType type = RecordType::kZero;
    uint64_t offset = 0;  // Of its header.
    Slice payload;
  };
  enum class Step : uint8_t { kFragment, kNothing, kEnd, kDamaged };

  // Each returns kFragment when the fragment stands, kNothing when there was
  // only something to pass over.
  Step NextFragment(Fragment* fragment);
  Step ReadBlock();
  Step PassZeros(size_t header_size);
  Step CheckFamily(uint8_t type, bool recyclable);
  Step CheckBytes(size_t header_size, size_t length);
  Step CheckZeros(size_t record_size);
  Step ApplySpecial(const Fragment& fragment);
  Step SetCompression(const Fragment& fragment);
  Step AddTimestampSizes(const Fragment& fragment);
  Step SetPredecessor(const Fragment& fragment);
  // kFragment: the logical record is complete.
  Step Join(const Fragment& fragment, Slice* record);
  Step Finish(const Slice& payload, Slice* record);

  Step Damage(Problem::Kind kind, uint64_t offset, std::string expected,
              std::string found);
  Step Torn(uint64_t offset, std::string expected, std::string found);
  uint64_t BufferOffset() const { return buffer_end_ - buffer_.size(); }
  void DropBlock();

  std::unique_ptr<SequentialFileReader> file_;
  const uint64_t log_number_;
  const bool verify_checksums_;

  const std::unique_ptr<char[]> block_;
  Slice buffer_;                     // What is left of the block.
  uint64_t buffer_end_ = 0;          // File offset behind `buffer_`.
  bool at_eof_ = false;              // The block in `buffer_` is the last one.
  bool ended_ = false;               // kEnd was returned and stays.
  bool any_record_ = false;          // A physical record was accepted.
  std::optional<bool> recyclable_;   // Known from the first data record.
  bool special_recyclable_ = false;  // A special record before it is.
  std::optional<uint64_t> zeros_from_;  // Preallocated space begins here.

  bool open_ = false;  // A first fragment waits for its last.
  uint64_t open_offset_ = 0;
  std::string joined_;  // Fragments of the open record.
  std::string inflated_;
  bool compressed_ = false;

  Problem problem_;
  uint64_t last_record_offset_ = 0;
  uint64_t last_record_end_ = 0;
  uint64_t end_of_good_ = 0;
  uint64_t resume_offset_ = 0;  // Behind the last record of any kind.
  std::map<uint32_t, uint16_t> timestamp_sizes_;
  std::optional<Predecessor> predecessor_;
};

}  // namespace ROCKSDB_NAMESPACE::engine::wal
