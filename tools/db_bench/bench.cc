#include "tools/db_bench/bench.h"

#include <malloc.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <latch>
#include <map>
#include <sstream>
#include <thread>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/sim_cache.h"
#include "rocksdb/version.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/rehearsal.h"
#include "tools/db_bench/traces.h"
#include "tools/db_bench/units.h"
#include "tools/db_bench/work_checks.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

uint64_t CountFlag(int64_t value) {
  return static_cast<uint64_t>(value < 0 ? FLAGS_num : value);
}

// The value of the first line of `path` that begins with `key`, and how often.
std::string FromProc(const char* path, const std::string& key, int* count) {
  std::ifstream in(path);
  std::string found;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    ++*count;
    const size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 < line.size()) {
      found = line.substr(colon + 2);
    }
  }
  return found;
}

SineLaw SineFromFlags() {
  return {FLAGS_sine_a, FLAGS_sine_b, FLAGS_sine_c, FLAGS_sine_d};
}

engine::Result<LoadShape> ShapeFromFlags() {
  LoadShape::Settings s;
  auto kind = LoadShape::KindOf(FLAGS_write_shape);
  RETURN_IF_ERROR(kind.status());
  s.kind = *kind;
  s.sine = SineFromFlags();
  s.low = FLAGS_write_shape_low;
  s.high = FLAGS_write_shape_high;
  s.period_seconds = FLAGS_write_shape_period_seconds;
  s.high_seconds = FLAGS_write_shape_high_seconds;
  s.steps = FLAGS_write_shape_steps;
  s.batch_bytes = FLAGS_write_shape_batch_bytes;
  s.interval_seconds =
      static_cast<double>(FLAGS_write_shape_interval_milliseconds) / 1000;
  s.seed = static_cast<uint64_t>(FLAGS_seed);
  if (s.kind == LoadShape::Kind::kRecorded) {
    std::ifstream in(FLAGS_write_shape_file);
    if (!in) return Status::IOError("cannot read", FLAGS_write_shape_file);
    auto recorded = ReadRecorded(&in);
    RETURN_IF_ERROR(recorded.status());
    s.recorded = *std::move(recorded);
  }
  return LoadShape::Make(std::move(s));
}

WritePause PauseFromFlags() {
  return {FLAGS_write_pause_from_seconds, FLAGS_write_pause_seconds};
}

Status CheckPause() {
  if (FLAGS_write_pause_from_seconds < 0 || FLAGS_write_pause_seconds < 0) {
    return Status::InvalidArgument(
        "--write_pause_from_seconds and --write_pause_seconds must be at "
        "least 0");
  }
  if (FLAGS_write_pause_seconds > 0 && !FLAGS_sine_write_rate &&
      FLAGS_write_shape.empty()) {
    return Status::InvalidArgument(
        "--write_pause_seconds needs --sine_write_rate or --write_shape: "
        "without a rate, nothing is missed in a pause");
  }
  return Status::OK();
}

const Workload* FindWorkload(const std::string& name) {
  for (const Workload& w : AllWorkloads()) {
    if (name == w.name) return &w;
  }
  return nullptr;
}

Status UnknownBenchmark(const std::string& text) {
  std::string message = "unknown benchmark '" + text + "'; db_bench has:";
  for (const Workload& w : AllWorkloads()) {
    message += std::string("\n  ") + w.name;
  }
  return Status::InvalidArgument(message);
}

// As RocksDB's db_bench calls them.
std::string FamilyName(int number) {
  if (number == 0) return kDefaultColumnFamilyName;
  char name[40];
  std::snprintf(name, sizeof(name), "column_family_name_%06d", number);
  return name;
}

std::string SecondaryPath(const std::string& path) {
  return FLAGS_secondary_path.empty() ? path + ".secondary"
                                      : FLAGS_secondary_path;
}

int Databases() { return std::max(1, FLAGS_num_multi_db); }

// The directory of database `number` in `directory`.
std::string Numbered(const std::string& directory, int number) {
  return Databases() == 1 ? directory
                          : directory + "/" + std::to_string(number);
}

ValueSizes SizesOf(const WorkloadSettings& settings) {
  ValueSizes sizes;
  sizes.fixed = settings.value_size;
  const std::string& kind = FLAGS_value_size_distribution_type;
  if (settings.fixed_value_size || kind == "fixed") return sizes;
  sizes.kind = kind == "uniform" ? ValueSizes::kUniform : ValueSizes::kNormal;
  sizes.min = static_cast<size_t>(FLAGS_value_size_min);
  sizes.max = static_cast<size_t>(FLAGS_value_size_max);
  return sizes;
}

// --simcache_size
void PrintSimulatedCache(const Options& options) {
  const auto* const table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  if (FLAGS_simcache_size < 0 || table == nullptr) return;
  const auto* const cache =
      dynamic_cast<const SimCache*>(table->block_cache.get());
  if (cache == nullptr) return;
  std::printf("SIMULATOR CACHE STATISTICS:\n%s\n", cache->ToString().c_str());
}

// Returns how long they are on average.
double PrintValues() {
  if (FLAGS_value_size_distribution_type != "fixed") {
    std::printf("Values:     %d to %d bytes each, %s distribution\n",
                FLAGS_value_size_min, FLAGS_value_size_max,
                FLAGS_value_size_distribution_type.c_str());
    return (FLAGS_value_size_min + FLAGS_value_size_max) / 2.0;
  }
  std::printf("Values:     %d bytes each (%d bytes after compression)\n",
              FLAGS_value_size,
              static_cast<int>(
                  std::lround(FLAGS_value_size * FLAGS_compression_ratio)));
  return FLAGS_value_size;
}

}  // namespace

void Die(const std::string& what, const Status& status) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), status.ToString().c_str());
  std::exit(1);
}

Duration::Duration(uint64_t seconds, uint64_t max_ops, SystemClock* clock)
    : seconds_(seconds),
      max_ops_(max_ops),
      check_every_(static_cast<uint64_t>(
          std::max(FLAGS_ops_between_duration_checks, 1))),
      clock_(clock),
      start_micros_(clock->NowMicros()) {}

bool Duration::Done(uint64_t increment) {
  increment = std::max<uint64_t>(increment, 1);
  const uint64_t before = ops_;
  ops_ += increment;
  if (seconds_ == 0) return ops_ > max_ops_;
  if (before / check_every_ == ops_ / check_every_) return false;
  return clock_->NowMicros() - start_micros_ >= seconds_ * 1000000;
}

Bench::~Bench() {
  if (timeline_file_ != nullptr) std::fclose(timeline_file_);
}

KeyShape Bench::key_shape() const {
  return {settings_.key_size, static_cast<size_t>(FLAGS_prefix_size),
          static_cast<uint64_t>(FLAGS_keys_per_prefix), settings_.num,
          existing_keys_.empty() ? nullptr : &existing_keys_};
}

ValueMaker Bench::NewValueMaker(const ThreadState& thread) const {
  ValueShape shape;
  shape.sizes = SizesOf(settings_);
  shape.compression_ratio = FLAGS_compression_ratio;
  shape.same_percent = static_cast<uint64_t>(FLAGS_same_value_percentage);
  return {shape, seed_ + 1000 * static_cast<uint64_t>(thread.tid)};
}

ReadOptions Bench::read_options() const {
  ReadOptions o;
  o.verify_checksums = FLAGS_verify_checksum;
  o.total_order_seek = FLAGS_total_order_seek;
  o.prefix_same_as_start = FLAGS_prefix_same_as_start;
  o.auto_prefix_mode = FLAGS_auto_prefix_mode;
  o.tailing = FLAGS_use_tailing_iterator;
  o.pin_data = FLAGS_pin_data;
  o.readahead_size = static_cast<size_t>(FLAGS_readahead_size);
  o.async_io = FLAGS_async_io;
  o.adaptive_readahead = FLAGS_adaptive_readahead;
  o.auto_readahead_size = FLAGS_auto_readahead_size;
  o.optimize_multiget_for_io = FLAGS_optimize_multiget_for_io;
  o.auto_refresh_iterator_with_snapshot =
      FLAGS_auto_refresh_iterator_with_snapshot;
  if (FLAGS_rate_limit_user_ops) o.rate_limiter_priority = Env::IO_USER;
  return o;
}

WriteOptions Bench::write_options() const {
  WriteOptions o;
  o.sync = settings_.sync;
  o.disableWAL = FLAGS_disable_wal;
  if (FLAGS_rate_limit_auto_wal_flush) o.rate_limiter_priority = Env::IO_USER;
  return o;
}

int Bench::Run() {
  const Status prepared = Prepare();
  if (!prepared.ok()) {
    std::fprintf(stderr,
                 "db_bench: %s\n"
                 "db_bench: nothing was run and nothing was destroyed\n",
                 prepared.ToString().c_str());
    return 1;
  }
  PrintHeader();
  FileOperations* const operations = bench_options_.file_operations.get();
  if (operations != nullptr) operations->Reset();  // The rehearsal's.
  if (FLAGS_use_existing_db) {
    const Status opened = OpenDb();
    if (!opened.ok()) Die("open", opened);
    const Status loaded = LoadKeys();
    if (!loaded.ok()) Die("--use_existing_keys", loaded);
  } else {
    const Status fresh = FreshDb();
    if (!fresh.ok()) Die("open", fresh);
  }
  for (const Request& request : requests_) RunOne(request);
  const bool shows = FLAGS_statistics || !FLAGS_statistics_string.empty();
  if (shows && options().statistics != nullptr) {
    std::printf("STATISTICS:\n%s\n", options().statistics->ToString().c_str());
  }
  PrintSimulatedCache(options());
  CloseDb();
  if (operations != nullptr) operations->Print();
  if (FLAGS_print_malloc_stats) (void)malloc_info(0, stdout);
  return 0;
}

Status Bench::CheckFlags() {
  if (FLAGS_key_size <= 0 || FLAGS_num <= 0 || FLAGS_threads <= 0) {
    return Status::InvalidArgument(
        "--num, --key_size and --threads must be positive");
  }
  if (FLAGS_value_size < 0) {
    return Status::InvalidArgument("--value_size must be at least 0");
  }
  if (FLAGS_report_interval_seconds > 0) {
    std::FILE* const report = std::fopen(FLAGS_report_file.c_str(), "a");
    if (report == nullptr) {
      return Status::IOError("cannot write", FLAGS_report_file);
    }
    std::fclose(report);
  }
  if (!FLAGS_write_shape.empty()) {
    RETURN_IF_ERROR(ShapeFromFlags().status());
  }
  RETURN_IF_ERROR(CheckPause());
  const bool several = FLAGS_num_multi_db > 1 || FLAGS_num_column_families > 1;
  if (several && (FLAGS_readonly || FLAGS_use_secondary_db)) {
    return Status::InvalidArgument(
        "--num_column_families and --num_multi_db exclude --readonly and "
        "--use_secondary_db");
  }
  if ((FLAGS_readonly || FLAGS_use_secondary_db) && !FLAGS_use_existing_db) {
    // A program that only reads must not destroy what others write.
    return Status::InvalidArgument(
        "--readonly and --use_secondary_db need --use_existing_db");
  }
  if (FLAGS_num_column_families < 1 || FLAGS_num_multi_db < 0) {
    return Status::InvalidArgument(
        "--num_column_families must be at least 1, --num_multi_db at least 0");
  }
  RETURN_IF_ERROR(family_choice_.SetFromFlags());
  RETURN_IF_ERROR(CheckWorkFlags());
  std::istringstream names(FLAGS_benchmarks);
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty()) continue;
    engine::Result<Request> request = ParseRequest(name);
    if (!request.ok()) return request.status();
    RETURN_IF_ERROR(CheckWorkload(request->workload->name, several));
    requests_.push_back(*request);
  }
  return Status::OK();
}

Status Bench::Prepare() {
  RETURN_IF_ERROR(CheckFlags());
  engine::Result<BenchOptions> made = OptionsFromFlags();
  if (!made.ok()) return made.status();
  bench_options_ = *std::move(made);
  if (FLAGS_stats_interval_seconds > 0 && FLAGS_stats_interval == 0) {
    FLAGS_stats_interval = 1000;
  }
  seed_ = static_cast<uint64_t>(FLAGS_seed);
  if (seed_ == 0) {
    seed_ = clock_->NowMicros();
    std::printf("Set seed to %" PRIu64 " because --seed was 0\n", seed_);
  }
  db_path_ = FLAGS_db;
  if (db_path_.empty()) {
    RETURN_IF_ERROR(options().env->GetTestDirectory(&db_path_));
    db_path_ += "/dbbench";
  }
  if (!FLAGS_timeline_file.empty()) {
    timeline_file_ = std::fopen(FLAGS_timeline_file.c_str(), "w");
    if (timeline_file_ == nullptr) {
      return Status::IOError("cannot write", FLAGS_timeline_file);
    }
  }
  SetPerfLevel(static_cast<PerfLevel>(FLAGS_perf_level));
  settings_ = DefaultSettings();
  return RehearseRequests();
}

Status Bench::RehearseRequests() {
  if (FLAGS_use_existing_db) return Status::OK();  // Nothing is destroyed.
  // One database per set of families.
  std::map<const Workload*, std::vector<WriteOptions>> writes;
  writes[nullptr] = {write_options()};
  for (const auto& [workload, repeats, warmups] : requests_) {
    if (workload->adjust != nullptr) workload->adjust(&settings_);
    writes[workload->families != nullptr ? workload : nullptr].push_back(
        write_options());
    settings_ = DefaultSettings();
  }
  for (const auto& [workload, options] : writes) {
    families_of_ = workload;
    RETURN_IF_ERROR(Rehearse({db_path_, bench_options_.options, FamilyNames(),
                              options, read_options()}));
  }
  families_of_ = nullptr;
  return Status::OK();
}

WorkloadSettings Bench::DefaultSettings() const {
  WorkloadSettings s;
  s.num = static_cast<uint64_t>(FLAGS_num);
  s.reads = CountFlag(FLAGS_reads);
  s.writes = CountFlag(FLAGS_writes);
  s.deletes = CountFlag(FLAGS_deletes);
  s.value_size = static_cast<size_t>(FLAGS_value_size);
  s.key_size = static_cast<size_t>(FLAGS_key_size);
  s.entries_per_batch =
      static_cast<uint64_t>(std::max<int64_t>(FLAGS_batch_size, 1));
  s.sync = FLAGS_sync;
  s.threads = FLAGS_threads;
  return s;
}

void Bench::PrintEnvironment() const {
  std::fprintf(stderr, "RocksDB:    version %s\n",
               GetRocksVersionAsString().c_str());
  std::fprintf(stderr, "Build:      %s\n",
               GetRiverstoneBuildInfoAsString().c_str());
  const std::time_t now = std::time(nullptr);
  char date[64];
  std::fprintf(stderr, "Date:       %s", ctime_r(&now, date));
  int cores = 0;
  int caches = 0;
  const std::string model = FromProc("/proc/cpuinfo", "model name", &cores);
  const std::string cache = FromProc("/proc/cpuinfo", "cache size", &caches);
  std::fprintf(stderr, "CPU:        %d * %s\n", cores, model.c_str());
  std::fprintf(stderr, "CPUCache:   %s\n", cache.c_str());
}

void Bench::PrintHeader() const {
  PrintEnvironment();
  const auto num = static_cast<double>(FLAGS_num);
  std::printf("Keys:       %d bytes each (+ 0 bytes user-defined timestamp)\n",
              FLAGS_key_size);
  const double value = PrintValues();
  const double entry = FLAGS_key_size + value;
  const double stored = FLAGS_key_size + value * FLAGS_compression_ratio;
  std::printf("Entries:    %" PRId64 "\n", FLAGS_num);
  std::printf("Prefix:    %d bytes\n", FLAGS_prefix_size);
  std::printf("Keys per prefix:    %" PRId64 "\n", FLAGS_keys_per_prefix);
  std::printf("RawSize:    %.1f MB (estimated)\n", entry * num / kMegabyte);
  std::printf("FileSize:   %.1f MB (estimated)\n", stored * num / kMegabyte);
  std::printf("Write rate: %" PRIu64 " bytes/second\n",
              FLAGS_benchmark_write_rate_limit);
  std::printf("Read rate: %" PRIu64 " ops/second\n",
              FLAGS_benchmark_read_rate_limit);
  std::printf("Compression: %s\n",
              CompressionName(options().compression).c_str());
  std::printf("Compression sampling rate: %" PRIu64 "\n",
              FLAGS_sample_for_compression);
  std::printf("Memtablerep: %s\n", options().memtable_factory->Name());
  std::printf("Perf Level: %d\n", FLAGS_perf_level);
#ifndef NDEBUG
  std::printf(
      "WARNING: Assertions are enabled; benchmarks unnecessarily slow\n");
#endif
  std::printf("------------------------------------------------\n");
  std::fflush(stdout);
}

Status Bench::OpenDb() {
  const uint64_t start = clock_->NowMicros();
  for (int i = 0; i < Databases(); ++i) {
    targets_.emplace_back();
    targets_.back().choice = &family_choice_;
    RETURN_IF_ERROR(
        OpenTarget(Numbered(db_path_, i), OptionsOf(i), &targets_.back()));
  }
  if (FLAGS_report_open_timing) {
    std::printf("OpenDb:     %.3f milliseconds\n",
                static_cast<double>(clock_->NowMicros() - start) / 1000);
  }
  StartCatchUps();
  return Status::OK();
}

// Databases must not share a directory of logs: one would delete the logs of
// the other.
Options Bench::OptionsOf(int number) const {
  Options own = options();
  if (!own.wal_dir.empty()) own.wal_dir = Numbered(own.wal_dir, number);
  return own;
}

std::vector<std::string> Bench::FamilyNames() const {
  if (families_of_ != nullptr) return families_of_->families();
  std::vector<std::string> names;
  names.reserve(static_cast<size_t>(FLAGS_num_column_families));
  for (int i = 0; i < FLAGS_num_column_families; ++i) {
    names.push_back(FamilyName(i));
  }
  return names;
}

Status Bench::OpenTarget(const std::string& path, const Options& own,
                         Target* target) const {
  if (FLAGS_num_multi_db > 1) {
    RETURN_IF_ERROR(own.env->CreateDirIfMissing(db_path_));
    if (!own.wal_dir.empty()) {
      RETURN_IF_ERROR(own.env->CreateDirIfMissing(options().wal_dir));
    }
  }
  const bool transactions =
      FLAGS_transaction_db || FLAGS_optimistic_transaction_db;
  if (const auto names = FamilyNames(); names.size() > 1 || transactions) {
    return OpenFamilies(own, path, names, target);
  }
  if (FLAGS_readonly) {
    RETURN_IF_ERROR(DB::OpenForReadOnly(own, path, &target->db));
  } else if (FLAGS_use_secondary_db) {
    RETURN_IF_ERROR(
        DB::OpenAsSecondary(own, path, SecondaryPath(path), &target->db));
  } else {
    RETURN_IF_ERROR(DB::Open(own, path, &target->db));
  }
  target->families = {target->db->DefaultColumnFamily()};
  return Status::OK();
}

Status Bench::LoadKeys() {
  if (!FLAGS_use_existing_keys) return Status::OK();
  ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> it(db()->NewIterator(options));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    existing_keys_.push_back(it->key().ToString());
  }
  RETURN_IF_ERROR(it->status());
  if (existing_keys_.empty()) return Status::NotFound("--db has no keys");
  FLAGS_num = static_cast<int64_t>(existing_keys_.size());
  return Status::OK();
}

void Bench::StartCatchUps() {
  if (!FLAGS_use_secondary_db || FLAGS_secondary_update_interval <= 0) return;
  const uint64_t period_micros =
      static_cast<uint64_t>(FLAGS_secondary_update_interval) * 1000000;
  catch_ups_ = std::make_unique<engine::Timer>(clock_);
  catch_ups_->Add(clock_->NowMicros() + period_micros, period_micros, [this] {
    const Status status = db()->TryCatchUpWithPrimary();
    if (!status.ok()) {
      std::fprintf(stderr, "catch up: %s\n", status.ToString().c_str());
    }
  });
}

void Bench::CloseDb() {
  catch_ups_.reset();  // They use the database.
  for (Target& target : targets_) {
    const Status closed = CloseTarget(&target);
    if (!closed.ok()) Die("close", closed);
  }
  targets_.clear();
}

Status Bench::FreshDb() {
  CloseDb();
  family_choice_.Restart();
  for (int i = 0; i < Databases(); ++i) {
    RETURN_IF_ERROR(DestroyDB(Numbered(db_path_, i), OptionsOf(i)));
  }
  return OpenDb();
}

engine::Result<Bench::Request> Bench::ParseRequest(const std::string& text) {
  const size_t open = text.find('[');
  Request request;
  request.workload = FindWorkload(text.substr(0, open));
  if (request.workload == nullptr) return UnknownBenchmark(text);
  if (open == std::string::npos) return request;
  const Status malformed = Status::InvalidArgument(
      "benchmark '" + text + "': expected name[X<repeats>-W<warmups>]");
  if (text.back() != ']') return malformed;
  std::string body = text.substr(open + 1, text.size() - open - 2);
  std::replace(body.begin(), body.end(), '-', ' ');
  std::istringstream parts(body);
  for (std::string part; parts >> part;) {
    if (part == "AVG") continue;
    const int count = std::atoi(part.c_str() + 1);
    if (part[0] == 'X' && count > 0) {
      request.repeats = count;
    } else if (part[0] == 'W' && count >= 0) {
      request.warmups = count;
    } else {
      return malformed;
    }
  }
  return request;
}

void Bench::RunOne(const Request& request) {
  const Workload* const workload = request.workload;
  settings_ = DefaultSettings();
  if (workload->adjust != nullptr) workload->adjust(&settings_);
  if (workload->fresh_db && FLAGS_use_existing_db) {
    std::printf("%-12s : skipped (--use_existing_db is true)\n",
                workload->name);
    return;
  }
  if (workload->fresh_db) {
    families_of_ = workload->families != nullptr ? workload : nullptr;
    const Status fresh = FreshDb();
    if (!fresh.ok()) Die("open", fresh);
  }
  if (workload->command != nullptr) {
    workload->command(*this);
    return;
  }
  std::printf("DB path: [%s]\n", db_path_.c_str());
  // What is read must not be written.
  const bool traced = std::string(workload->name) != "replay";
  if (const Status s = traced ? StartTraces(db()) : Status::OK(); !s.ok()) {
    Die("trace", s);
  }
  RunRepeats(request);
  if (const Status s = traced ? EndTraces(db()) : Status::OK(); !s.ok()) {
    Die("trace", s);
  }
}

void Bench::RunRepeats(const Request& request) {
  const Workload* const workload = request.workload;
  if (request.warmups > 0) {
    std::printf("Warming up benchmark by running %d times\n", request.warmups);
  }
  for (int i = 0; i < request.warmups; ++i) RunThreads(*workload);
  if (request.repeats > 1) {
    std::printf("Running benchmark for %d times\n", request.repeats);
  }
  RepeatedStats repeated;
  for (int i = 0; i < request.repeats; ++i) {
    const Stats stats = RunThreads(*workload);
    stats.Report(workload->name);
    if (workload->verify != nullptr) workload->verify(*this);
    repeated.Add(stats);
    repeated.ReportSoFar(workload->name);
  }
  repeated.Report(workload->name);
}

Status Bench::MakePacing() {
  write_generator_.reset();
  read_limiter_.reset();
  if (settings_.searches_rate) {
    write_generator_ =
        std::make_unique<WriteGenerator>(1, clock_, NewGeneratorLimiter(1));
  } else if (FLAGS_sine_write_rate) {
    const SineLaw law = SineFromFlags();
    write_generator_ = std::make_unique<WriteGenerator>(
        LoadShape::Sine(law),
        FLAGS_sine_write_rate_interval_milliseconds * 1000, clock_,
        NewGeneratorLimiter(law.At(0)), PauseFromFlags());
  } else if (!FLAGS_write_shape.empty()) {
    engine::Result<LoadShape> shape = ShapeFromFlags();
    RETURN_IF_ERROR(shape.status());
    write_generator_ = std::make_unique<WriteGenerator>(
        *shape, FLAGS_write_shape_interval_milliseconds * 1000, clock_,
        NewGeneratorLimiter(shape->At(0)), PauseFromFlags());
  } else if (FLAGS_benchmark_write_rate_limit > 0) {
    write_generator_ = std::make_unique<WriteGenerator>(
        FLAGS_benchmark_write_rate_limit, clock_,
        NewGeneratorLimiter(FLAGS_benchmark_write_rate_limit));
  }
  if (FLAGS_benchmark_read_rate_limit > 0) {
    read_limiter_.reset(NewGenericRateLimiter(
        static_cast<int64_t>(FLAGS_benchmark_read_rate_limit),
        int64_t{100} * 1000, 10, RateLimiter::Mode::kReadsOnly));
  }
  return Status::OK();
}

std::unique_ptr<Timeline> Bench::NewTimeline() {
  if (timeline_file_ == nullptr) return nullptr;
  Timeline::Sources sources;
  sources.db = db();
  sources.statistics = options().statistics.get();
  sources.limiter = options().rate_limiter.get();
  if (write_generator_ != nullptr) {
    sources.requested_bps = [this] {
      return write_generator_->BytesPerSecond();
    };
  }
  sources.clock = clock_;
  return std::make_unique<Timeline>(timeline_file_, std::move(sources));
}

Stats Bench::RunThreads(const Workload& workload) {
  const int count = settings_.threads;
  rendezvous_.readers_left = count - 1;
  rendezvous_.writer_done = false;
  rendezvous_.written_bytes = 0;
  std::vector<std::unique_ptr<ThreadState>> states;
  states.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    // A workload must not repeat the numbers of the one before: reads would
    // follow the very order of the writes.
    states.push_back(std::make_unique<ThreadState>(i, seed_ + ++threads_made_));
  }
  const Status paced = MakePacing();
  if (!paced.ok()) Die("--write_shape", paced);
  std::unique_ptr<ReportAgent> report;
  if (FLAGS_report_interval_seconds > 0) {
    report = std::make_unique<ReportAgent>(
        FLAGS_report_file, static_cast<uint64_t>(FLAGS_report_interval_seconds),
        clock_);
    if (!report->ok()) std::exit(1);
  }
  const std::unique_ptr<Timeline> timeline = NewTimeline();
  const LiveReports live{report.get(), timeline.get()};

  std::latch start(count + 1);
  std::vector<std::thread> threads;
  threads.reserve(states.size());
  for (auto& state : states) {
    threads.emplace_back([&, thread = state.get()] {
      SetPerfLevel(static_cast<PerfLevel>(FLAGS_perf_level));
      start.arrive_and_wait();
      thread->stats.Start(thread->tid, clock_, live);
      workload.run(*this, thread);
      thread->stats.Stop();
    });
  }
  start.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();

  Stats merged;
  for (const auto& state : states) merged.Merge(state->stats);
  return merged;
}

}  // namespace ROCKSDB_NAMESPACE::bench
