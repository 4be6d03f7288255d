// scheduler_bench: synced writes, point reads and compactions that compete for
// one disk. `tools/dev scheduler` runs it and draws what it prints.
//
// Place. A program over the C interface, of what is linked into it or of
// another library.

#include <gflags/gflags.h>

#include <cstdio>
#include <string>

#include "tools/scheduler_bench/engine.h"
#include "tools/scheduler_bench/load.h"

DEFINE_string(db, "", "directory of the database");
DEFINE_bool(prepare, false, "creates the database and ends");
DEFINE_string(library, "", "another librocksdb, loaded; empty: what is linked");
DEFINE_string(profile, "", "of the disk, for an I/O scheduler; empty: without");
DEFINE_uint64(device_write_mbps, 0, "of a modelled device; 0: the real one");
DEFINE_uint64(device_read_mbps, 0, "of a modelled device; 0: the real one");
DEFINE_double(seconds, 30, "how long");
DEFINE_double(warm_up, 3, "seconds that do not count");
DEFINE_double(log_rate, 100, "synced writes per second");
DEFINE_double(query_rate, 500, "point reads per second");
DEFINE_uint32(query_threads, 16, "threads for them");
DEFINE_uint64(query_keys, 300000, "keys that they read");
DEFINE_uint64(bulk_mb, 1024, "MiB of files that wait for compaction");
DEFINE_bool(compactions, true, "starts them");

int main(int argc, char** argv) {
  gflags::SetUsageMessage(
      "\nUSAGE:\nscheduler_bench --db=DIR [--name=value]...");
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  if (argc > 1 || FLAGS_db.empty()) {
    std::fputs("scheduler_bench: needs --db=DIRECTORY and flags; see --help\n",
               stderr);
    return 1;
  }
  if (!FLAGS_profile.empty() && !FLAGS_library.empty()) {
    std::fputs("scheduler_bench: --profile is only for what is linked\n",
               stderr);
    return 1;
  }
  scheduler_bench::EngineOptions engine_options;
  engine_options.path = FLAGS_db;
  engine_options.profile = FLAGS_profile;
  engine_options.device_write_mbps = FLAGS_device_write_mbps;
  engine_options.device_read_mbps = FLAGS_device_read_mbps;
  engine_options.create = FLAGS_prepare;
  scheduler_bench::LoadOptions load;
  load.seconds = FLAGS_seconds;
  load.warm_up_seconds = FLAGS_warm_up;
  load.writes_per_second = FLAGS_log_rate;
  load.queries_per_second = FLAGS_query_rate;
  load.query_threads = FLAGS_query_threads;
  load.query_keys = FLAGS_query_keys;
  load.bulk_bytes = FLAGS_bulk_mb << 20;
  load.compactions = FLAGS_compactions;
  const auto engine =
      FLAGS_library.empty()
          ? scheduler_bench::OpenLinkedEngine(engine_options)
          : scheduler_bench::OpenLoadedEngine(engine_options, FLAGS_library);
  if (FLAGS_prepare) {
    scheduler_bench::Prepare(engine.get(), load);
  } else {
    scheduler_bench::RunLoad(engine.get(), load, stdout);
  }
  return 0;
}
