// replay: executes --trace_file in the database, with the pauses of the trace
// or faster.

#include <atomic>
#include <cstdio>
#include <memory>
#include <utility>

#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void Replay(const Bench& bench, ThreadState* thread) {
  std::unique_ptr<TraceReader> file;
  std::unique_ptr<Replayer> replayer;
  Status status = NewFileTraceReader(bench.options().env, EnvOptions(),
                                     FLAGS_trace_file, &file);
  if (status.ok()) {
    status = bench.db()->NewDefaultReplayer(bench.targets().front().families,
                                            std::move(file), &replayer);
  }
  if (status.ok()) status = replayer->Prepare();
  if (!status.ok()) Die("replay", status);
  std::atomic<uint64_t> executed{0};
  const ReplayOptions how(static_cast<uint32_t>(FLAGS_trace_replay_threads),
                          FLAGS_trace_replay_fast_forward);
  thread->stats.StartOp();
  status = replayer->Replay(
      how, [&executed](const Status&, std::unique_ptr<TraceRecordResult>&&) {
        executed.fetch_add(1, std::memory_order_relaxed);
      });
  if (!status.ok()) Die("replay", status);
  thread->stats.FinishedOps(bench.db(), executed.load(), OpType::kOther);
  std::printf("Replay completed from trace_file: [%s]\n",
              FLAGS_trace_file.c_str());
}

}  // namespace ROCKSDB_NAMESPACE::bench
