// Lookups of many keys at once: the state of each, and the reads they share.
//
// Place. Between db/read/multi_get, which owns the keys and says when to read,
// and TableReader::MultiGet, which answers from memory if it can and leaves the
// other keys here.
//
// Model. Each waiting key needs one missing block, which keys near it may need,
// too:
//
//   TableReader::MultiGet  -->  answered        (filter, cache)
//                          `->  waits: Add()  --Finish()-->  answered
//
// Blocks of one file that are adjacent, or nearly so, are read together. All
// reads of a file go into one MultiRead; with `across_files` the reads of all
// files are started before any is waited for. An I/O scheduler divides them: a
// few at a time take their turn. A block that the batch could not
// read in full is read again by itself, which produces the error message.
//
// Threads. One owner.

#pragma once

#include <cstddef>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "table/get_context.h"
#include "table/table_rep.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kBatchKeysMax = 64;

struct BatchKey {
  Slice internal_key;
  GetContext* context = nullptr;
  Status status;       // Of the last table asked.
  bool waits = false;  // For a block of it.
};

class BatchReads {
 public:
  // `file_system` for reads across files.
  BatchReads(const ReadOptions& options, FileSystem* file_system)
      : options_(options), file_system_(file_system) {}
  BatchReads(const BatchReads&) = delete;
  BatchReads& operator=(const BatchReads&) = delete;

  // Keys that wait for a block, adjacent ones. Blocks of a file come in the
  // order of the file, and files one after the other.
  void Add(const TableReader::Rep* table, const BlockHandle& handle,
           BatchKey* const* keys, size_t count);

  bool empty() const { return blocks_.empty(); }
  // Reads everything and ends the wait of every key.
  void Finish(bool across_files);

 private:
  struct Wanted {
    const TableReader::Rep* table;
    BlockHandle handle;
    size_t first_key;  // In keys_.
    size_t key_count;
  };
  class Io;

  void Answer(const Wanted& wanted, const Status& limits, Io* io, size_t index);
  Status TakeBlock(const Wanted& wanted, Io* io, size_t index,
                   Cached<const Block>* block) const;

  const ReadOptions& options_;
  FileSystem* const file_system_;
  std::vector<Wanted> blocks_;
  std::vector<BatchKey*> keys_;
};

// The fetch that all of one table's keys share.
struct BatchFetch {
  explicit BatchFetch(const ReadOptions& options)
      : fetch(FetchOptionsFor(options)) {
    fetch.activity = io.io_activity = Env::IOActivity::kMultiGet;
    if (options.rate_limiter_priority == Env::IO_TOTAL) return;
    io.rate_limiter_priority = options.rate_limiter_priority;
    fetch.io = &io;
  }
  BatchFetch(const BatchFetch&) = delete;
  BatchFetch& operator=(const BatchFetch&) = delete;

  FetchOptions fetch;
  IOOptions io;
};

// Looks a key up in a block that was found or read for it, and where its
// entries go on in the next block, there too.
void AnswerFromBlock(const TableReader::Rep& table, const FetchOptions& fetch,
                     Cached<const Block>* block, bool shared, BatchKey* key,
                     const BlockHandle& handle);

}  // namespace ROCKSDB_NAMESPACE::engine
