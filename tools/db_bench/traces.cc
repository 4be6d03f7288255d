#include "tools/db_bench/traces.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/trace_reader_writer.h"
#include "tools/db_bench/flags.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

engine::Result<std::unique_ptr<TraceWriter>> NewFile(DB* db,
                                                     const std::string& path) {
  std::unique_ptr<TraceWriter> file;
  RETURN_IF_ERROR(NewFileTraceWriter(db->GetEnv(), EnvOptions(), path, &file));
  return file;
}

Status TraceOperations(DB* db) {
  auto file = NewFile(db, FLAGS_trace_file);
  RETURN_IF_ERROR(file.status());
  std::printf("Tracing the workload to: [%s]\n", FLAGS_trace_file.c_str());
  return db->StartTrace(TraceOptions(), *std::move(file));
}

Status TraceBlockCache(DB* db) {
  auto file = NewFile(db, FLAGS_block_cache_trace_file);
  RETURN_IF_ERROR(file.status());
  BlockCacheTraceWriterOptions bounds;
  bounds.max_trace_file_size = static_cast<uint64_t>(
      FLAGS_block_cache_trace_max_trace_file_size_in_bytes);
  BlockCacheTraceOptions sampling;
  sampling.sampling_frequency =
      static_cast<uint64_t>(FLAGS_block_cache_trace_sampling_frequency);
  std::printf("Tracing block cache accesses to: [%s]\n",
              FLAGS_block_cache_trace_file.c_str());
  return db->StartBlockCacheTrace(
      sampling, NewBlockCacheTraceWriter(db->GetEnv()->GetSystemClock().get(),
                                         bounds, *std::move(file)));
}

}  // namespace

Status StartTraces(DB* db) {
  if (!FLAGS_trace_file.empty()) RETURN_IF_ERROR(TraceOperations(db));
  if (FLAGS_block_cache_trace_file.empty()) return Status::OK();
  return TraceBlockCache(db);
}

Status EndTraces(DB* db) {
  if (!FLAGS_trace_file.empty()) RETURN_IF_ERROR(db->EndTrace());
  if (FLAGS_block_cache_trace_file.empty()) return Status::OK();
  return db->EndBlockCacheTrace();
}

}  // namespace ROCKSDB_NAMESPACE::bench
