// fillrandom: `db_bench --benchmarks=fillrandom,stats --duration=S` for a
// library that has no db_bench. `tools/dev saturate` and `tools/dev sine
// --library` run it with RocksDB 11.8.1.
//
// Place. A program over the C interface of a library that it loads.
//
// Model. Each thread puts random keys, one after the other, each into a
// database and a column family at random, as db_bench does, or not faster than
// a sine asks for. Flags that db_bench has mean the same here and print the
// same; options have the defaults of db_bench and are changed by name with
// --options.
//
// Threads. The writers, and one that reports once a second.

#include <gflags/gflags.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/db_bench/sine_law.h"
#include "tools/peer_bench/api.h"
#include "tools/peer_bench/data.h"
#include "util/histogram.h"

DEFINE_string(library, "", "the librocksdb that is loaded");
DEFINE_string(db, "", "directory of the database");
DEFINE_string(options, "", "name=value;... for the database and its families");
DEFINE_int32(duration, 10, "seconds");
DEFINE_uint64(num, 1000000, "keys are below this");
DEFINE_uint32(value_size, 100, "bytes of a value");
DEFINE_uint32(threads, 1, "writers");
DEFINE_uint32(num_column_families, 1, "puts go to one at random");
DEFINE_uint32(num_multi_db, 1,
              "databases in numbered directories of --db; 1: --db itself");
DEFINE_bool(sine_write_rate, false, "writes follow a sin(bx + c) + d");
DEFINE_uint64(sine_write_rate_interval_milliseconds, 10000,
              "a rate holds for so long");
DEFINE_double(sine_a, 1, "amplitude, bytes per second");
DEFINE_double(sine_b, 1, "radians per second");
DEFINE_double(sine_c, 0, "phase, radians");
DEFINE_double(sine_d, 1, "mean, bytes per second");
DEFINE_string(report_file, "report.csv", "operations per second, as CSV");

namespace {

using Clock = std::chrono::steady_clock;
using rocksdb::bench::SineLaw;
using rocksdb::engine::Histogram;

// Where db_bench (7.8.3's and ours) sets another value than a library has by
// default (7.8.3 and 11.8.1). Neither uses compression or filters here: the
// first is asked for, and the second is the default of both.
constexpr char kDbBenchDefaults[] =
    "create_if_missing=true;create_missing_column_families=true;"
    // 16 MiB per second in a library.
    "delayed_write_rate=8388608;"
    "enable_pipelined_write=true;"
    "table_cache_numshardbits=4;"
    // 11.8.1 has true.
    "level_compaction_dynamic_level_bytes=false;"
    // 256 GiB in a library.
    "hard_pending_compaction_bytes_limit=137438953472;"
    // 32 MiB in a library, since 8.2.
    "block_based_table_factory={block_cache=8388608;"
    "index_shortening=kShortenSeparatorsAndSuccessor;};"
    // The next are flags that db_bench gets from saturate.py.
    "compression=kNoCompression;"
    "max_background_flushes=4;max_background_compactions=2;"
    "use_direct_io_for_flush_and_compaction=true";

void Check(char* error) {
  if (error == nullptr) return;
  std::fprintf(stderr, "fillrandom: %s\n", error);
  std::exit(1);
}

class Database {
 public:
  Database(const peer_bench::Api& api, const std::string& path) : api_(api) {
    rocksdb_options_t* const none = api_.options_create();
    rocksdb_options_t* const defaults = With(none, kDbBenchDefaults);
    options_ = With(defaults, FLAGS_options);
    api_.options_destroy(defaults);
    api_.options_destroy(none);
    api_.options_enable_statistics(options_);
    write_ = api_.writeoptions_create();
    std::vector<std::string> names = {"default"};
    for (uint32_t i = 1; i < FLAGS_num_column_families; ++i) {
      names.push_back("family_" + std::to_string(i));
    }
    std::vector<const char*> name_pointers;
    name_pointers.reserve(names.size());
    for (const std::string& name : names) name_pointers.push_back(name.c_str());
    const std::vector<const rocksdb_options_t*> all(names.size(), options_);
    families_.resize(names.size());
    char* error = nullptr;
    db_ = api_.open_column_families(
        options_, path.c_str(), static_cast<int>(names.size()),
        name_pointers.data(), all.data(), families_.data(), &error);
    Check(error);
  }
  ~Database() {
    for (rocksdb_column_family_handle_t* family : families_) {
      api_.column_family_handle_destroy(family);
    }
    api_.close(db_);
    api_.writeoptions_destroy(write_);
    api_.options_destroy(options_);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::string Stats() const {
    char* const text = api_.property_value(db_, "rocksdb.stats");
    if (text == nullptr) return "";
    std::string result = text;
    api_.free(text);
    return result;
  }

  void Put(uint64_t family, const char* key, const char* value) {
    char* error = nullptr;
    api_.put_cf(db_, write_, families_[family], key, peer_bench::Key::kSize,
                value, FLAGS_value_size, &error);
    Check(error);
  }

 private:
  rocksdb_options_t* With(const rocksdb_options_t* base,
                          const std::string& text) {
    rocksdb_options_t* const result = api_.options_create();
    char* error = nullptr;
    api_.get_options_from_string(base, text.c_str(), result, &error);
    Check(error);
    return result;
  }

  const peer_bench::Api& api_;
  rocksdb_options_t* options_ = nullptr;
  rocksdb_writeoptions_t* write_ = nullptr;
  rocksdb_t* db_ = nullptr;
  std::vector<rocksdb_column_family_handle_t*> families_;
};

using Databases = std::vector<std::unique_ptr<Database>>;

Databases Open(const peer_bench::Api& api) {
  std::filesystem::create_directories(FLAGS_db);
  Databases result;
  for (uint32_t i = 0; i < FLAGS_num_multi_db; ++i) {
    const std::string path =
        FLAGS_num_multi_db == 1 ? FLAGS_db : FLAGS_db + "/" + std::to_string(i);
    result.push_back(std::make_unique<Database>(api, path));
  }
  return result;
}

// When may the next write start? The model is that of db_bench
// (tools/db_bench/generator.h): every 100 ms there are new tokens, and those
// that were not taken are lost. Thread-safe.
class Pace {
 public:
  explicit Pace(Clock::time_point start) : start_(start) {}

  // Returns when a write of `bytes` may start.
  void Await(uint64_t bytes) {
    if (!FLAGS_sine_write_rate) return;
    const std::lock_guard<std::mutex> lock(mu_);
    for (;;) {
      Refill();
      if (tokens_ > 0) break;
      std::this_thread::sleep_until(start_ + (slot_ + 1) * kSlot);
    }
    tokens_ -= static_cast<double>(bytes);
  }

 private:
  static constexpr std::chrono::milliseconds kSlot{100};

  void Refill() {
    const int64_t slot = (Clock::now() - start_) / kSlot;
    if (slot == slot_) return;
    slot_ = slot;
    const double step =
        static_cast<double>(FLAGS_sine_write_rate_interval_milliseconds) / 1000;
    const double seconds =
        step * std::floor(static_cast<double>(slot) / 10 / step + 1e-9);
    const SineLaw law{FLAGS_sine_a, FLAGS_sine_b, FLAGS_sine_c, FLAGS_sine_d};
    tokens_ =
        std::min(tokens_, 0.0) + static_cast<double>(law.At(seconds)) / 10;
  }

  const Clock::time_point start_;
  std::mutex mu_;
  int64_t slot_ = -1;
  double tokens_ = 0;  // Bytes.
};

void Write(const Databases& databases, uint64_t seed, Clock::time_point end,
           Pace* pace, std::atomic<uint64_t>* done, Histogram* micros) {
  peer_bench::Random random(seed);
  const peer_bench::Values values(FLAGS_value_size);
  peer_bench::Key key;
  for (;;) {
    pace->Await(peer_bench::Key::kSize + FLAGS_value_size);
    const Clock::time_point begin = Clock::now();
    if (begin >= end) return;
    const uint64_t number = random.Below(FLAGS_num);
    key.Set(number);
    Database& database = *databases[random.Below(databases.size())];
    database.Put(random.Below(FLAGS_num_column_families), key.data(),
                 values.Of(number + done->load(std::memory_order_relaxed)));
    done->fetch_add(1, std::memory_order_relaxed);
    micros->Add(static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() -
                                                              begin)
            .count()));
  }
}

// One line per second, as db_bench's --report_file.
void Report(FILE* out, const std::atomic<uint64_t>& done,
            Clock::time_point start) {
  std::fputs("secs_elapsed,interval_qps\n", out);
  uint64_t before = 0;
  for (int second = 1; second <= FLAGS_duration; ++second) {
    std::this_thread::sleep_until(start + std::chrono::seconds(second));
    const uint64_t now = done.load(std::memory_order_relaxed);
    std::fprintf(out, "%d,%" PRIu64 "\n", second, now - before);
    std::fflush(out);
    before = now;
  }
}

bool FlagsAreGood(int argc) {
  return argc == 1 && !FLAGS_library.empty() && !FLAGS_db.empty() &&
         FLAGS_num > 0 && FLAGS_threads > 0 && FLAGS_num_column_families > 0 &&
         FLAGS_num_multi_db > 0 &&
         FLAGS_sine_write_rate_interval_milliseconds > 0;
}

}  // namespace

int main(int argc, char** argv) {
  gflags::SetUsageMessage(
      "\nUSAGE:\nfillrandom --library=FILE --db=DIR [--name=value]...");
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  if (!FlagsAreGood(argc)) {
    std::fputs(
        "fillrandom: needs --library=FILE, --db=DIR and counts from 1 on; "
        "see --help\n",
        stderr);
    return 1;
  }
  const peer_bench::Api api = peer_bench::LoadApi(FLAGS_library);
  FILE* const report = std::fopen(FLAGS_report_file.c_str(), "w");
  if (report == nullptr) {
    std::perror(FLAGS_report_file.c_str());
    return 1;
  }
  Databases databases = Open(api);
  const Clock::time_point start = Clock::now();
  const auto end = start + std::chrono::seconds(FLAGS_duration);
  Pace pace(start);
  std::atomic<uint64_t> done{0};
  std::vector<Histogram> micros(FLAGS_threads);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < FLAGS_threads; ++i) {
    threads.emplace_back(
        [&, i] { Write(databases, i + 1, end, &pace, &done, &micros[i]); });
  }
  Report(report, done, start);
  for (std::thread& thread : threads) thread.join();
  std::fclose(report);
  for (uint32_t i = 1; i < FLAGS_threads; ++i) micros[0].Merge(micros[i]);
  std::printf("Microseconds per write:\n%s\n", micros[0].ToString().c_str());
  for (const auto& database : databases) {
    std::printf("%s\n", database->Stats().c_str());
  }
  databases.clear();
  return 0;
}
