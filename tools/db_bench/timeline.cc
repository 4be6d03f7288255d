#include "tools/db_bench/timeline.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "tools/db_bench/units.h"
#include "util/clock_wait.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// A call of this many missed writes is late enough for any percentile.
constexpr uint64_t kMissedWritesMax = uint64_t{100} * 1000;

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

std::string Latencies(const LatencyCounts& counts) {
  std::ostringstream out;
  out << "{\"p50\":" << counts.Percentile(50)
      << ",\"p99\":" << counts.Percentile(99)
      << ",\"p999\":" << counts.Percentile(99.9) << ",\"max\":" << counts.max()
      << "}";
  return out.str();
}

std::string OrNull(const std::optional<uint64_t>& value) {
  return value ? std::to_string(*value) : "null";
}

std::string NumberOrNull(const std::string& text) {
  const bool number = !text.empty() &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  return number ? text : "null";
}

std::string EngineFields(const EngineState& s) {
  const char* stall =
      s.stopped ? "stopped" : (s.delayed ? "delayed" : "normal");
  return ",\"l0_files\":" + OrNull(s.l0_files) +
         ",\"sorted_runs\":" + OrNull(s.sorted_runs) +
         ",\"pending_bytes\":" + OrNull(s.pending_bytes) +
         ",\"immutable_memtables\":" + OrNull(s.immutable_memtables) +
         ",\"unflushed_bytes\":" + OrNull(s.unflushed_bytes) +
         ",\"stall\":" + Quoted(stall) +
         ",\"stall_cause\":" + Quoted(s.stall_cause) +
         ",\"pacing_bps\":" + OrNull(s.pacing_bps);
}

}  // namespace

size_t LatencyCounts::Slot(uint64_t micros) {
  if (micros < 16) return static_cast<size_t>(micros);
  const int shift = static_cast<int>(std::bit_width(micros)) - 5;
  return static_cast<size_t>(shift) * 16 + static_cast<size_t>(micros >> shift);
}

uint64_t LatencyCounts::UpperEnd(size_t slot) {
  if (slot < 32) return slot;
  const size_t shift = slot / 16 - 1;
  return ((slot - shift * 16 + 1) << shift) - 1;
}

void LatencyCounts::Merge(const LatencyCounts& other) {
  for (size_t i = 0; i < kSlots; ++i) counts_[i] += other.counts_[i];
  total_ += other.total_;
  max_ = std::max(max_, other.max_);
}

uint64_t LatencyCounts::Percentile(double percent) const {
  const auto rank = static_cast<uint64_t>(
      std::ceil(static_cast<double>(total_) * percent / 100));
  uint64_t seen = 0;
  for (size_t i = 0; i < kSlots; ++i) {
    seen += counts_[i];
    if (seen > 0 && seen >= rank) return std::min(UpperEnd(i), max_);
  }
  return max_;
}

Timeline::Recorder::~Recorder() {
  engine::MutexLock lock(&timeline_->mu_);
  std::erase(timeline_->recorders_, this);
  engine::SpinLock own(&mu_);
  timeline_->ended_.stock.Merge(second_.stock);
  timeline_->ended_.intended.Merge(second_.intended);
  timeline_->ended_.ops += second_.ops;
  timeline_->ended_.bytes += second_.bytes;
}

void Timeline::Recorder::Record(uint64_t micros, uint64_t ops, uint64_t bytes) {
  const uint64_t rate = timeline_->sources_.requested_bps
                            ? timeline_->sources_.requested_bps()
                            : 0;
  const uint64_t interval =
      rate == 0 ? 0 : std::max<uint64_t>(bytes * kMicrosPerSecond / rate, 1);
  engine::SpinLock lock(&mu_);
  second_.ops += ops;
  second_.bytes += bytes;
  second_.stock.Add(micros);
  second_.intended.Add(micros);
  if (interval == 0 || micros <= interval) return;
  const uint64_t missed = std::min((micros - 1) / interval, kMissedWritesMax);
  for (uint64_t i = 1; i <= missed; ++i) {
    second_.intended.Add(micros - i * interval);
  }
}

Timeline::Timeline(std::FILE* file, Sources sources)
    : file_(file),
      sources_(std::move(sources)),
      start_micros_(sources_.clock->NowMicros()),
      last_(ReadTickers()) {
  thread_ = std::thread([this] { Loop(); });
}

Timeline::~Timeline() {
  {
    engine::MutexLock lock(&mu_);
    stop_ = true;
    stop_changed_.SignalAll();
  }
  thread_.join();
}

std::unique_ptr<Timeline::Recorder> Timeline::NewRecorder() {
  auto recorder = std::make_unique<Recorder>(this);
  engine::MutexLock lock(&mu_);
  recorders_.push_back(recorder.get());
  return recorder;
}

void Timeline::Loop() {
  uint64_t due = start_micros_ + kMicrosPerSecond;
  while (true) {
    {
      engine::MutexLock lock(&mu_);
      while (!stop_ && sources_.clock->NowMicros() < due) {
        engine::WaitOnClock(sources_.clock, &stop_changed_, &mu_, due);
      }
      if (stop_) break;
    }
    WriteLine(sources_.clock->NowMicros());
    due += kMicrosPerSecond;
  }
}

Timeline::Recorder::Second Timeline::Collect() {
  engine::MutexLock lock(&mu_);
  Recorder::Second all = std::exchange(ended_, {});
  for (Recorder* recorder : recorders_) {
    engine::SpinLock own(&recorder->mu_);
    all.stock.Merge(recorder->second_.stock);
    all.intended.Merge(recorder->second_.intended);
    all.ops += recorder->second_.ops;
    all.bytes += recorder->second_.bytes;
    recorder->second_ = {};
  }
  return all;
}

Timeline::Tickers Timeline::ReadTickers() const {
  if (sources_.statistics == nullptr) return {};
  const Statistics& s = *sources_.statistics;
  return {s.getTickerCount(FLUSH_WRITE_BYTES),
          s.getTickerCount(COMPACT_WRITE_BYTES),
          s.getTickerCount(COMPACT_READ_BYTES), s.getTickerCount(STALL_MICROS)};
}

std::string Timeline::TunerField(const EngineState& state) {
  std::string decision = state.Tuner("decision");
  std::string reason = state.Tuner("reason");
  if (reason.empty() && !state.Tuner("drained_pct").empty()) {
    reason = "D=" + state.Tuner("drained_pct") +
             " H=" + state.Tuner("drained_high_pct");
  }
  if (decision.empty()) decision = reason;
  if (decision.empty()) return "null";
  const std::string at = state.Tuner("time_micros");
  const std::string id = at + decision + (at.empty() ? reason : "");
  const bool is_new = id != last_decision_;
  last_decision_ = id;
  return "{\"mode\":" + Quoted(state.Tuner("mode")) +
         ",\"decision\":" + Quoted(decision) + ",\"reason\":" + Quoted(reason) +
         ",\"limit\":" + Quoted(state.Tuner("limit")) +
         ",\"why\":" + Quoted(state.Tuner("why")) +
         ",\"compaction\":" + Quoted(state.Tuner("compaction")) +
         ",\"at_us\":" + NumberOrNull(at) +
         ",\"new\":" + (is_new ? "true" : "false") + ",\"capacity_bps\":" +
         NumberOrNull(state.Tuner("capacity_bytes_per_second")) +
         ",\"debt_bytes\":" + NumberOrNull(state.Tuner("debt_bytes")) + "}";
}

std::string Timeline::IoField(const EngineState& state) {
  if (state.io.empty()) return "null";
  static constexpr const char* kClasses[] = {
      "log", "reads", "flush", "runs", "debt", "maintenance", "backups"};
  static constexpr std::pair<const char*, const char*> kFigures[] = {
      {"bytes", ".bytes"},
      {"ops", ".ops"},
      {"wait_us", ".wait_micros"},
      {"disk_us", ".disk_micros"}};
  std::string text = "{";
  for (const char* io_class : kClasses) {
    if (text.size() > 1) text += ",";
    text += Quoted(io_class) + ":{";
    for (const auto& [field, key] : kFigures) {
      const std::string name = io_class + std::string(key);
      const auto now = state.io.find(name);
      const uint64_t value = now == state.io.end() ? 0 : now->second;
      if (text.back() != '{') text += ",";
      text += Quoted(field) + ":" + std::to_string(value - last_io_[name]);
      last_io_[name] = value;
    }
    text += "}";
  }
  return text + "}";
}

void Timeline::WriteLine(uint64_t now) {
  const Recorder::Second second = Collect();
  const Tickers tickers = ReadTickers();
  const EngineState state = ReadEngineState(sources_.db);
  const uint64_t requested =
      sources_.requested_bps ? sources_.requested_bps() : 0;
  std::ostringstream out;
  out << "{\"t\":" << static_cast<double>(now - start_micros_) / 1e6
      << ",\"requested_bps\":"
      << (requested > 0 ? std::to_string(requested) : "null")
      << ",\"accepted_bytes\":" << second.bytes << ",\"ops\":" << second.ops
      << ",\"flush_write_bytes\":" << tickers.flush_write - last_.flush_write
      << ",\"compaction_write_bytes\":"
      << tickers.compaction_write - last_.compaction_write
      << ",\"compaction_read_bytes\":"
      << tickers.compaction_read - last_.compaction_read << EngineFields(state)
      << ",\"stall_us\":" << tickers.stall_micros - last_.stall_micros
      << ",\"limiter_bps\":"
      << (sources_.limiter != nullptr
              ? std::to_string(sources_.limiter->GetBytesPerSecond())
              : "null")
      << ",\"tuner\":" << TunerField(state) << ",\"io\":" << IoField(state)
      << ",\"put_us\":" << Latencies(second.stock)
      << ",\"put_intended_us\":" << Latencies(second.intended) << "}\n";
  last_ = tickers;
  std::fputs(out.str().c_str(), file_);
  std::fflush(file_);
}

}  // namespace ROCKSDB_NAMESPACE::bench
