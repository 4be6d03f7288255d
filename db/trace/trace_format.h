// Trace format: the bytes of query and block cache traces.
//
// Place. The only code that knows these bytes. QueryTracer and the writers of
// block cache traces encode with it; the replayer and the file reader decode.
//
// Bytes.
//   record   fixed64   timestamp, microseconds
//            byte      type: TraceType
//            fixed32   length of the payload
//            payload
//   trace    header, records of queries, end (none after a crash)
//   header   kTraceBegin; the payload is text:
//            feedcafedeadbeef <tab> Trace Version: 0.2 <tab>
//            RocksDB Version: 11.8 <tab>
//            Format: Timestamp OpType Payload <newline>
//   end      kTraceEnd; the payload is empty
//   query    fixed64   fields: bit n says that field n follows
//            fields, in the order of their numbers:
//
//   type                  n   field      bytes
//   kTraceWrite           1   batch      lpstring
//   kTraceGet             2   family     fixed32
//                         3   key        lpstring
//   kTraceIteratorSeek,   4   family     fixed32
//   ...SeekForPrev        5   key        lpstring
//                         6   lower      lpstring, if the iterator has a bound
//                         7   upper      the same
//   kTraceMultiGet        8   count      fixed32
//                         9   families   lpstring of so many fixed32
//                        10   keys       lpstring of so many lpstrings
//
// A block cache trace has another header, no end, and these records:
//
//   header   kTraceBegin; lpstring feedcafedeadbeef, fixed32 major and minor
//            number of the RocksDB version
//   access   type of the block (kBlockTrace...); its fields follow each other:
//            lpstring  key of the block in the cache
//            fixed64   bytes of the block
//            fixed64   id of the column family, lpstring its name
//            fixed32   level
//            fixed64   number of the table
//            byte      caller: TableReaderCaller
//            byte      1: found in the cache; byte 1: not inserted
//            if the caller is a Get or a MultiGet:
//            fixed64   number of the call
//            byte      1: it has a snapshot
//            lpstring  internal key; in a data block the one found, if any
//            and if the block is one of data:
//            fixed64   bytes of the entry
//            fixed64   entries of the block, at most
//            byte      1: the key is in the block
//
// Errors. Corruption names the offset in the trace, what was expected and what
// was found. There are no checksums: a changed key is not noticed.
//
// Threads. Pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE {
struct BlockCacheTraceRecord;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// In front of each payload.
inline constexpr size_t kTraceRecordHeaderSize = 13;

// ---- Encoding. Each makes `*record` one whole record.
// Errors: InvalidArgument when the payload would need 4 GiB or more.

Status EncodeTraceHeader(uint64_t now, std::string* record);
Status EncodeTraceEnd(uint64_t now, std::string* record);
Status EncodeTracedWrite(uint64_t now, const Slice& batch, std::string* record);
// One batch of the records of both, behind the header of the first; its count
// is that of both. REQUIRES: both are whole batches.
Status EncodeTracedCommit(uint64_t now, const Slice& batch,
                          const Slice& prepared, std::string* record);
Status EncodeTracedGet(uint64_t now, uint32_t family, const Slice& key,
                       std::string* record);

struct TracedSeek {
  bool for_prev = false;
  uint32_t family = 0;
  Slice key;
  Slice lower;  // Empty: none.
  Slice upper;
};
Status EncodeTracedSeek(uint64_t now, const TracedSeek& seek,
                        std::string* record);

struct TracedMultiGet {
  const uint32_t* families = nullptr;
  const Slice* keys = nullptr;
  size_t count = 0;
};
Status EncodeTracedMultiGet(uint64_t now, const TracedMultiGet& lookups,
                            std::string* record);

Status EncodeBlockTraceHeader(uint64_t now, std::string* record);
// The slices stand for the strings of `access`.
struct BlockAccessNames {
  Slice block_key;
  Slice family;
  Slice lookup_key;
};
Status EncodeBlockAccess(const BlockCacheTraceRecord& access,
                         const BlockAccessNames& names, std::string* record);

// ---- Decoding.

// Of the first kTraceRecordHeaderSize bytes of a record.
uint32_t TracePayloadSize(const char* record);
bool IsTraceType(char type);

struct TraceEntry {
  uint64_t offset = 0;  // Of the record in the trace.
  uint64_t timestamp = 0;
  TraceType type = kTraceNone;
  Slice payload;  // Points into the record.
};

// `offset` is for messages. Corruption: `record` is not one whole record.
Status ParseTraceRecord(const Slice& record, uint64_t offset,
                        TraceEntry* entry);

// Corruption: not the header of a trace; NotSupported: of another version.
Status ParseTraceHeader(const TraceEntry& entry);

// The object for a record of a query. NotSupported: it is of another kind.
Status ParseTracedQuery(const TraceEntry& entry,
                        std::unique_ptr<TraceRecord>* record);

// Corruption: `entry` is of more than 100 years after the header.
Status CheckTraceTime(const TraceEntry& entry, uint64_t header_micros);

// The same as the first two for block cache traces.
Status ParseBlockTraceHeader(const TraceEntry& entry);
Status ParseBlockAccess(const TraceEntry& entry, BlockCacheTraceRecord* access);

}  // namespace ROCKSDB_NAMESPACE::engine
