#include "db/properties/stats_text.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <iterator>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr double kMB = 1 << 20;
constexpr double kGB = 1 << 30;
constexpr double kMicrosPerSec = 1e6;

__attribute__((format(printf, 2, 3))) void AppendF(std::string* out,
                                                   const char* format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  const int size = std::vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  if (size > 0) out->append(line);
}

double Seconds(uint64_t micros) {
  return static_cast<double>(micros) / kMicrosPerSec;
}

// A rate over no time is shown as over a microsecond.
double PerSec(double amount, double secs) {
  return amount / (secs > 0 ? secs : 1 / kMicrosPerSec);
}

double Ratio(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

uint64_t Minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

// The columns of one row of the compaction table. One place computes them for
// text and map.
struct Columns {
  double read_gb, rn_gb, rnp1_gb, write_gb, wnew_gb, moved_gb;
  double write_amp, read_mbps, write_mbps;
  double secs, cpu_secs, avg_secs;
  double read_blob_gb, write_blob_gb;
};

// `source_bytes`: what write amplification is measured against.
Columns ColumnsOf(const CompactionStats& s, uint64_t source_bytes) {
  const auto gb = [](uint64_t bytes) {
    return static_cast<double>(bytes) / kGB;
  };
  // One microsecond more keeps the division harmless.
  const double secs = Seconds(s.micros + 1);
  Columns c{};
  c.read_gb = gb(s.bytes_read());
  c.rn_gb = gb(s.bytes_read_upper);
  c.rnp1_gb = gb(s.bytes_read_output);
  c.write_gb = gb(s.bytes_written);
  c.wnew_gb = c.write_gb - c.rnp1_gb;
  c.moved_gb = gb(s.bytes_moved);
  c.write_amp = Ratio(s.bytes_written + s.bytes_written_blob, source_bytes);
  c.read_mbps = static_cast<double>(s.bytes_read()) / kMB / secs;
  c.write_mbps =
      static_cast<double>(s.bytes_written + s.bytes_written_blob) / kMB / secs;
  c.secs = Seconds(s.micros);
  c.cpu_secs = Seconds(s.cpu_micros);
  c.avg_secs = s.count == 0 ? 0 : c.secs / static_cast<double>(s.count);
  c.read_blob_gb = gb(s.bytes_read_blob);
  c.write_blob_gb = gb(s.bytes_written_blob);
  return c;
}

// Flushes write level 0: there, what is new is what was written.
uint64_t SourceBytes(const LevelStatsRow& row) {
  return row.level == 0 && row.stats.bytes_read_upper == 0
             ? row.stats.bytes_written + row.stats.bytes_written_blob
             : row.stats.bytes_read_upper + row.stats.bytes_read_blob;
}

struct RowHead {
  std::string name;
  int num_files = 0;
  int num_files_compacting = 0;
  uint64_t bytes = 0;
  double score = 0;
};

void AppendTableHead(std::string* out, const std::string& family_name,
                     const char* first_column) {
  AppendF(out, "\n** Compaction Stats [%s] **\n", family_name.c_str());
  std::string head = first_column;
  head +=
      "    Files   Size     Score Read(GB)  Rn(GB) Rnp1(GB) Write(GB) Wnew(GB)"
      " Moved(GB) W-Amp Rd(MB/s) Wr(MB/s) Comp(sec) CompMergeCPU(sec) Comp(cnt)"
      " Avg(sec) KeyIn KeyDrop Rblob(GB) Wblob(GB)";
  *out += head + "\n" + std::string(head.size(), '-') + "\n";
}

void AppendRow(std::string* out, const RowHead& head, const CompactionStats& s,
               uint64_t source_bytes) {
  const Columns c = ColumnsOf(s, source_bytes);
  AppendF(
      out,
      "%4s %6d/%-3d %8s %5.1f %8.1f %7.1f %8.1f %9.1f %8.1f %9.1f %5.1f "
      "%8.1f %8.1f %9.2f %17.2f %9" PRIu64 " %8.3f %7s %6s %9.1f %9.1f\n",
      head.name.c_str(), head.num_files, head.num_files_compacting,
      HumanBytes(head.bytes).c_str(), head.score, c.read_gb, c.rn_gb, c.rnp1_gb,
      c.write_gb, c.wnew_gb, c.moved_gb, c.write_amp, c.read_mbps, c.write_mbps,
      c.secs, c.cpu_secs, s.count, c.avg_secs, HumanCount(s.records_in).c_str(),
      HumanCount(s.records_dropped).c_str(), c.read_blob_gb, c.write_blob_gb);
}

bool WorthARow(const LevelStatsRow& row) {
  return row.num_files > 0 || row.stats.count > 0 || row.stats.bytes_moved > 0;
}

RowHead SumHead(const CfStats& stats) {
  RowHead head{"Sum"};
  for (const LevelStatsRow& row : stats.levels) {
    head.num_files += row.num_files;
    head.num_files_compacting += row.num_files_compacting;
    head.bytes += row.bytes;
  }
  return head;
}

// Bytes that came into the column family: the base of write amplification.
uint64_t IngressBytes(uint64_t flushed, const IngestStats& ingested) {
  return flushed + ingested.bytes;
}

void AppendLevelTable(std::string* out, const CfStats& now,
                      const CfStatsMark& before) {
  AppendTableHead(out, now.name, "Level");
  for (const LevelStatsRow& row : now.levels) {
    if (!WorthARow(row)) continue;
    const RowHead head{"L" + std::to_string(row.level), row.num_files,
                       row.num_files_compacting, row.bytes, row.score};
    AppendRow(out, head, row.stats, SourceBytes(row));
  }
  const CfStatsMark mark = CfStatsMark::Of(now);
  const uint64_t ingress = IngressBytes(now.bytes_flushed, now.ingested);
  AppendRow(out, SumHead(now), mark.total, ingress);
  CompactionStats interval = mark.total;
  interval -= before.total;
  AppendRow(
      out, RowHead{"Int"}, interval,
      Minus(ingress, IngressBytes(before.bytes_flushed, before.ingested)));
}

void AppendPriorityTable(std::string* out, const CfStats& now) {
  AppendTableHead(out, now.name, "Priority");
  for (const PriorityStatsRow& row : now.priorities) {
    if (row.stats.count == 0) continue;
    AppendRow(out, RowHead{row.name}, row.stats, 0);
  }
}

void AppendIngress(std::string* out, const CfStats& now,
                   const CfStatsMark& before) {
  const IngestStats& files = now.ingested;
  const IngestStats& old = before.ingested;
  const auto gb = [](uint64_t bytes) {
    return static_cast<double>(bytes) / kGB;
  };
  AppendF(out, "Flush(GB): cumulative %.3f, interval %.3f\n",
          gb(now.bytes_flushed),
          gb(Minus(now.bytes_flushed, before.bytes_flushed)));
  AppendF(out, "AddFile(GB): cumulative %.3f, interval %.3f\n", gb(files.bytes),
          gb(Minus(files.bytes, old.bytes)));
  AppendF(out,
          "AddFile(Total Files): cumulative %" PRIu64 ", interval %" PRIu64
          "\n",
          files.files, Minus(files.files, old.files));
  AppendF(out,
          "AddFile(L0 Files): cumulative %" PRIu64 ", interval %" PRIu64 "\n",
          files.level0_files, Minus(files.level0_files, old.level0_files));
  AppendF(out, "AddFile(Keys): cumulative %" PRIu64 ", interval %" PRIu64 "\n",
          files.keys, Minus(files.keys, old.keys));
}

void AppendCompactionRate(std::string* out, const char* what,
                          const CompactionStats& s, double secs) {
  const auto written =
      static_cast<double>(s.bytes_written + s.bytes_written_blob);
  const auto read = static_cast<double>(s.bytes_read());
  AppendF(out,
          "%s compaction: %.2f GB write, %.2f MB/s write, %.2f GB read, "
          "%.2f MB/s read, %.1f seconds\n",
          what, written / kGB, PerSec(written / kMB, secs), read / kGB,
          PerSec(read / kMB, secs), Seconds(s.micros));
}

void AppendStallCounts(std::string* out, const StallCounts& s,
                       uint64_t before) {
  AppendF(
      out,
      "Stalls(count): %" PRIu64 " level0_slowdown, %" PRIu64
      " level0_slowdown_with_compaction, %" PRIu64 " level0_numfiles, %" PRIu64
      " level0_numfiles_with_compaction, %" PRIu64
      " stop for pending_compaction_bytes, %" PRIu64
      " slowdown for pending_compaction_bytes, %" PRIu64
      " memtable_compaction, %" PRIu64 " memtable_slowdown, interval %" PRIu64
      " total count\n",
      s.level0_slowdown, s.level0_slowdown_with_compaction, s.level0_numfiles,
      s.level0_numfiles_with_compaction, s.stop_for_pending_compaction_bytes,
      s.slowdown_for_pending_compaction_bytes, s.memtable_compaction,
      s.memtable_slowdown, Minus(s.total(), before));
}

void AppendUptime(std::string* out, double secs, double interval_secs) {
  AppendF(out, "Uptime(secs): %.1f total, %.1f interval\n", secs,
          interval_secs);
}

// 01:02:3.400
std::string HoursMinutesSeconds(uint64_t micros) {
  const uint64_t hours = micros / 3600000000;
  const uint64_t minutes = micros / 60000000 % 60;
  char text[64];
  std::snprintf(text, sizeof(text), "%02" PRIu64 ":%02" PRIu64 ":%.3f", hours,
                minutes, Seconds(micros % 60000000));
  return text;
}

// One block of DB stats: cumulative, or the interval.
void AppendDbBlock(std::string* out, const char* what, const DbStats& s,
                   bool ingest_in_gb) {
  const double secs = Seconds(s.uptime_micros);
  const auto bytes = static_cast<double>(s.bytes);
  AppendF(out,
          "%s writes: %s writes, %s keys, %s commit groups, %.1f writes per "
          "commit group, ingest: %.2f %s, %.2f MB/s\n",
          what, HumanCount(s.writes).c_str(), HumanCount(s.keys).c_str(),
          HumanCount(s.commit_groups).c_str(), Ratio(s.writes, s.commit_groups),
          bytes / (ingest_in_gb ? kGB : kMB), ingest_in_gb ? "GB" : "MB",
          PerSec(bytes / kMB, secs));
  const auto wal_bytes = static_cast<double>(s.wal_bytes);
  AppendF(out,
          "%s WAL: %s writes, %s syncs, %.2f writes per sync, written: %.2f "
          "GB, %.2f MB/s\n",
          what, HumanCount(s.wal_writes).c_str(),
          HumanCount(s.wal_syncs).c_str(),
          Ratio(s.wal_writes, s.wal_syncs == 0 ? 1 : s.wal_syncs),
          wal_bytes / kGB, PerSec(wal_bytes / kMB, secs));
  if (!s.stalls_known) {
    AppendF(out, "%s stall: %s\n", what, kStallsUnknown);
    return;
  }
  AppendF(out, "%s stall: %s H:M:S, %.1f percent\n", what,
          HoursMinutesSeconds(s.stall_micros).c_str(),
          100 * Ratio(s.stall_micros, s.uptime_micros));
}

DbStats Difference(const DbStats& a, const DbStats& b) {
  DbStats d;
  d.uptime_micros = Minus(a.uptime_micros, b.uptime_micros);
  d.writes = Minus(a.writes, b.writes);
  d.keys = Minus(a.keys, b.keys);
  d.commit_groups = Minus(a.commit_groups, b.commit_groups);
  d.bytes = Minus(a.bytes, b.bytes);
  d.wal_writes = Minus(a.wal_writes, b.wal_writes);
  d.wal_syncs = Minus(a.wal_syncs, b.wal_syncs);
  d.wal_bytes = Minus(a.wal_bytes, b.wal_bytes);
  d.stall_micros = Minus(a.stall_micros, b.stall_micros);
  d.stalls_known = a.stalls_known;
  return d;
}

void AddRowToMap(const RowHead& head, const CompactionStats& s,
                 uint64_t source_bytes,
                 std::map<std::string, std::string>* map) {
  const Columns c = ColumnsOf(s, source_bytes);
  const std::string prefix = "compaction." + head.name + ".";
  const auto put = [&](const char* name, double value) {
    (*map)[prefix + name] = std::to_string(value);
  };
  put("NumFiles", head.num_files);
  put("CompactedFiles", head.num_files_compacting);
  put("SizeBytes", static_cast<double>(head.bytes));
  put("Score", head.score);
  put("ReadGB", c.read_gb);
  put("RnGB", c.rn_gb);
  put("Rnp1GB", c.rnp1_gb);
  put("WriteGB", c.write_gb);
  put("WnewGB", c.wnew_gb);
  put("MovedGB", c.moved_gb);
  put("WriteAmp", c.write_amp);
  put("ReadMBps", c.read_mbps);
  put("WriteMBps", c.write_mbps);
  put("CompSec", c.secs);
  put("CompMergeCPU", c.cpu_secs);
  put("CompCount", static_cast<double>(s.count));
  put("AvgSec", c.avg_secs);
  put("KeyIn", static_cast<double>(s.records_in));
  put("KeyDrop", static_cast<double>(s.records_dropped));
  put("RblobGB", c.read_blob_gb);
  put("WblobGB", c.write_blob_gb);
}

}  // namespace

CompactionStats& CompactionStats::operator+=(const CompactionStats& other) {
  count += other.count;
  micros += other.micros;
  cpu_micros += other.cpu_micros;
  bytes_read_upper += other.bytes_read_upper;
  bytes_read_output += other.bytes_read_output;
  bytes_read_blob += other.bytes_read_blob;
  bytes_written += other.bytes_written;
  bytes_written_blob += other.bytes_written_blob;
  bytes_moved += other.bytes_moved;
  records_in += other.records_in;
  records_dropped += other.records_dropped;
  return *this;
}

CompactionStats& CompactionStats::operator-=(const CompactionStats& other) {
  count = Minus(count, other.count);
  micros = Minus(micros, other.micros);
  cpu_micros = Minus(cpu_micros, other.cpu_micros);
  bytes_read_upper = Minus(bytes_read_upper, other.bytes_read_upper);
  bytes_read_output = Minus(bytes_read_output, other.bytes_read_output);
  bytes_read_blob = Minus(bytes_read_blob, other.bytes_read_blob);
  bytes_written = Minus(bytes_written, other.bytes_written);
  bytes_written_blob = Minus(bytes_written_blob, other.bytes_written_blob);
  bytes_moved = Minus(bytes_moved, other.bytes_moved);
  records_in = Minus(records_in, other.records_in);
  records_dropped = Minus(records_dropped, other.records_dropped);
  return *this;
}

CfStatsMark CfStatsMark::Of(const CfStats& stats) {
  CfStatsMark mark;
  mark.uptime_micros = stats.uptime_micros;
  mark.bytes_flushed = stats.bytes_flushed;
  mark.ingested = stats.ingested;
  mark.stalls = stats.stalls.total();
  for (const LevelStatsRow& row : stats.levels) mark.total += row.stats;
  return mark;
}

double BlobFileStats::space_amp() const {
  return total_bytes > garbage_bytes
             ? static_cast<double>(total_bytes) /
                   static_cast<double>(total_bytes - garbage_bytes)
             : 0;
}

std::string BlobStatsText(const BlobFileStats& blobs) {
  std::string out;
  AppendF(
      &out,
      "Number of blob files: %" PRIu64 "\nTotal size of blob files: %" PRIu64
      "\nTotal size of garbage in blob files: %" PRIu64
      "\nBlob file space amplification: %g\n",
      blobs.files, blobs.file_bytes, blobs.garbage_bytes, blobs.space_amp());
  return out;
}

std::string LevelStatsText(const std::vector<LevelStatsRow>& levels) {
  std::string out = "Level Files Size(MB)\n--------------------\n";
  for (const LevelStatsRow& row : levels) {
    AppendF(&out, "%3d %8d %8.0f\n", row.level, row.num_files,
            static_cast<double>(row.bytes) / kMB);
  }
  return out;
}

std::string CfStatsTextNoHistogram(const CfStats& now,
                                   const CfStatsMark& before) {
  std::string out;
  AppendLevelTable(&out, now, before);
  AppendPriorityTable(&out, now);
  AppendF(&out,
          "\nBlob file count: %" PRIu64
          ", total size: %.1f GB, garbage size: %.1f GB, space amp: %.1f\n\n",
          now.blobs.files, static_cast<double>(now.blobs.file_bytes) / kGB,
          static_cast<double>(now.blobs.garbage_bytes) / kGB,
          now.blobs.space_amp());
  const double secs = Seconds(now.uptime_micros);
  const double interval_secs =
      Seconds(Minus(now.uptime_micros, before.uptime_micros));
  AppendUptime(&out, secs, interval_secs);
  AppendIngress(&out, now, before);
  CompactionStats total = CfStatsMark::Of(now).total;
  AppendCompactionRate(&out, "Cumulative", total, secs);
  total -= before.total;
  AppendCompactionRate(&out, "Interval", total, interval_secs);
  AppendF(&out, "Estimated pending compaction bytes: %" PRIu64 "\n",
          now.pending_compaction_bytes);
  if (now.stalls_known) {
    AppendStallCounts(&out, now.stalls, before.stalls);
  } else {
    AppendF(&out, "Stalls(count): %s\n", kStallsUnknown);
  }
  return out + now.write_stall_line + now.cache_lines;
}

std::string CfFileHistogramText(const std::string& family_name) {
  return "\n** File Read Latency Histogram By Level [" + family_name + "] **\n";
}

std::string DbStatsText(const DbStats& now, const DbStats& before) {
  const DbStats interval = Difference(now, before);
  std::string out = "\n** DB Stats **\n";
  AppendUptime(&out, Seconds(now.uptime_micros),
               Seconds(interval.uptime_micros));
  AppendDbBlock(&out, "Cumulative", now, /*ingest_in_gb=*/true);
  AppendDbBlock(&out, "Interval", interval, /*ingest_in_gb=*/false);
  const std::string stops = now.stalls_known
                                ? std::to_string(now.write_buffer_manager_stops)
                                : kStallsUnknown;
  return out +
         "Write Stall (count): write-buffer-manager-limit-stops: " + stops +
         "\n";
}

std::map<std::string, std::string> CfStatsMap(const CfStats& now) {
  std::map<std::string, std::string> map;
  for (const LevelStatsRow& row : now.levels) {
    if (!WorthARow(row)) continue;
    AddRowToMap(RowHead{"L" + std::to_string(row.level), row.num_files,
                        row.num_files_compacting, row.bytes, row.score},
                row.stats, SourceBytes(row), &map);
  }
  AddRowToMap(SumHead(now), CfStatsMark::Of(now).total,
              IngressBytes(now.bytes_flushed, now.ingested), &map);
  const StallCounts& s = now.stalls;
  const auto put = [&](const char* name, uint64_t count) {
    map[std::string("io_stalls.") + name] =
        now.stalls_known ? std::to_string(count) : kStallsUnknown;
  };
  put("level0_slowdown", s.level0_slowdown);
  put("level0_slowdown_with_compaction", s.level0_slowdown_with_compaction);
  put("level0_numfiles", s.level0_numfiles);
  put("level0_numfiles_with_compaction", s.level0_numfiles_with_compaction);
  put("stop_for_pending_compaction_bytes", s.stop_for_pending_compaction_bytes);
  put("slowdown_for_pending_compaction_bytes",
      s.slowdown_for_pending_compaction_bytes);
  put("memtable_compaction", s.memtable_compaction);
  put("memtable_slowdown", s.memtable_slowdown);
  put("total_slowdown", s.level0_slowdown + s.memtable_slowdown +
                            s.slowdown_for_pending_compaction_bytes);
  put("total_stop", s.level0_numfiles + s.memtable_compaction +
                        s.stop_for_pending_compaction_bytes);
  return map;
}

std::map<std::string, std::string> DbStatsMap(const DbStats& now) {
  std::map<std::string, std::string> map;
  const auto put = [&map](const char* name, uint64_t value) {
    map[std::string("db.") + name] = std::to_string(value);
  };
  map["db.uptime"] = std::to_string(Seconds(now.uptime_micros));
  put("user_bytes_written", now.bytes);
  put("user_keys_written", now.keys);
  put("user_write_stall_micros", now.stall_micros);
  if (!now.stalls_known) map["db.user_write_stall_micros"] = kStallsUnknown;
  // The leader of each group writes for itself, and for the others in it.
  put("user_writes_by_self", now.commit_groups);
  put("user_writes_by_other", Minus(now.writes, now.commit_groups));
  put("user_writes_with_wal", now.wal_writes);
  put("wal_bytes_written", now.wal_bytes);
  put("wal_syncs", now.wal_syncs);
  return map;
}

// Four digits are shown at most; more go to the next unit.
std::string HumanCount(uint64_t count) {
  if (count < 10'000) return std::to_string(count);
  if (count < 10'000'000) return std::to_string(count / 1'000) + "K";
  if (count < 10'000'000'000) return std::to_string(count / 1'000'000) + "M";
  return std::to_string(count / 1'000'000'000) + "G";
}

std::string HumanBytes(uint64_t bytes) {
  const char* const units[] = {"KB", "MB", "GB", "TB"};
  size_t unit = 0;
  double value = static_cast<double>(bytes) / 1024;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f %s", value, units[unit]);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
