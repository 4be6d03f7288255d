// Traces of queries and of the block cache, as files.

#include <memory>
#include <string>
#include <vector>

#include "db/trace/trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "test/stress/hostile/target.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

const std::string kTracePath = "/trace";

// All that a reader of traces does with one record.
void ReadTraceRecord(const std::string& record, uint64_t offset) {
  TraceEntry entry;
  Require(ParseTraceRecord(record, offset, &entry).ok(),
          "a reader returns what is not one record");
  (void)ParseTraceHeader(entry);
  (void)ParseBlockTraceHeader(entry);
  BlockCacheTraceRecord access;
  (void)ParseBlockAccess(entry, &access);
  std::unique_ptr<TraceRecord> query;
  if (!ParseTracedQuery(entry, &query).ok()) return;
  Require(query != nullptr && query->GetTraceType() == entry.type,
          "a query has another type than its record");
  if (const auto* many = dynamic_cast<MultiGetQueryTraceRecord*>(query.get())) {
    Require(many->GetKeys().size() == many->GetColumnFamilyIDs().size(),
            "a key without a family");
  }
}

void RunTrace(const std::string& input) {
  static Env* const env = NewMemEnv(Env::Default());
  Require(WriteStringToFile(env, input, kTracePath).ok(), "no file");
  std::unique_ptr<TraceReader> reader;
  Require(NewFileTraceReader(env, EnvOptions(), kTracePath, &reader).ok(),
          "no reader");
  std::string record;
  uint64_t offset = 0;
  while (reader->Read(&record).ok()) {
    Require(input.compare(offset, record.size(), record) == 0,
            "a record is not what the file has there");
    ReadTraceRecord(record, offset);
    offset += record.size();
  }
  (void)reader->Reset();
  (void)reader->Read(&record);
}

std::string QueryTraceSeed() {
  std::string trace;
  std::string record;
  const auto add = [&](const Status& status) {
    Require(status.ok(), "a record cannot be encoded");
    trace += record;
  };
  const uint32_t families[] = {0, 1};
  const Slice keys[] = {"key", ""};
  TracedSeek seek;
  seek.key = "key";
  add(EncodeTraceHeader(1, &record));
  add(EncodeTracedWrite(2, std::string(12, '\0'), &record));
  add(EncodeTracedGet(3, 1, "key", &record));
  add(EncodeTracedSeek(4, seek, &record));
  seek.for_prev = true;
  seek.lower = "a";
  seek.upper = "z";
  add(EncodeTracedSeek(5, seek, &record));
  add(EncodeTracedMultiGet(6, {families, keys, 2}, &record));
  add(EncodeTraceEnd(7, &record));
  return trace;
}

std::string BlockTraceSeed() {
  std::string trace;
  std::string record;
  Require(EncodeBlockTraceHeader(1, &record).ok(), "no header");
  trace += record;
  for (const TraceType type : {kBlockTraceIndexBlock, kBlockTraceDataBlock}) {
    for (const TableReaderCaller caller : {kUserGet, kUserIterator}) {
      BlockCacheTraceRecord access;
      access.block_type = type;
      access.caller = caller;
      Require(
          EncodeBlockAccess(access, {"block", "family", "key"}, &record).ok(),
          "an access cannot be encoded");
      trace += record;
    }
  }
  return trace;
}

std::vector<std::string> TraceSeeds() {
  return {QueryTraceSeed(), BlockTraceSeed()};
}

}  // namespace

void AddTraceTargets(std::vector<Target>* targets) {
  targets->push_back(
      {.name = "trace", .weight = 60, .run = RunTrace, .seeds = TraceSeeds});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
