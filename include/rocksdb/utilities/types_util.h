// Internal keys for programs that walk tables entry by entry.
//
// Place. With SstFileReader::NewTableIterator(), whose keys are internal keys:
// user key, with timestamps the timestamp, and the sequence number and type of
// the entry.
//
// `comparator` is the one that the table was written with. A comparator with
// timestamps says how long these are.
//
// Threads. Any.
#pragma once

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Puts into *buf what to Seek() for: the iterator then stands at the newest
// entry of `user_key`, or behind it if there is none. `user_key` has no
// timestamp. Errors: InvalidArgument without a comparator or a buffer.
Status GetInternalKeyForSeek(const Slice& user_key,
                             const Comparator* comparator, std::string* buf);

// The same for SeekForPrev(): at the oldest entry of `user_key`, or before it.
Status GetInternalKeyForSeekForPrev(const Slice& user_key,
                                    const Comparator* comparator,
                                    std::string* buf);

// The parts of a key of such an iterator. They refer to the bytes of
// `internal_key`. Errors: InvalidArgument without a comparator or a result;
// Corruption for a key that is too short, or that has an unknown type.
Status ParseEntry(const Slice& internal_key, const Comparator* comparator,
                  ParsedEntryInfo* parsed_entry);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
