#include "test/sim/report.h"

#include <cstdio>

#include "test/sim/plot.h"

namespace ROCKSDB_NAMESPACE::sim {

std::string ScoreHeading() {
  return "scenario     mode         error%  accept%  worst  <0.9  stop s delay "
         "s"
         "  pace s  L0max  runs med/max  unfl%   debt max/end MB  repaid s"
         "  w-amp  pause/s  change/s  gap s  dev%"
         "  p99.9 ms  max ms\n";
}

std::string ScoreLine(const std::string& label, Mode mode, const Score& s) {
  char text[300];
  std::snprintf(
      text, sizeof(text),
      "%-12s %-12s %6.1f %8.1f %6.2f %5d %7.1f %7.1f %7.1f %6d %8d/%-4d %6.0f "
      "%9.0f/%-8.0f %6.0f %6.1f %8.2f %8.2f %6d %6.1f %8.2f %7.0f\n",
      label.c_str(), ModeName(mode), 100 * s.tracking_error,
      100 * s.accepted_share, s.worst_second, s.seconds_below, s.stop_seconds,
      s.delay_seconds, s.pace_seconds, s.level0_max, s.runs_median, s.runs_max,
      100 * s.unflushed_max, static_cast<double>(s.debt_max) / 1e6,
      static_cast<double>(s.debt_end) / 1e6, s.repaid_seconds, s.write_amp,
      s.pauses_per_second, s.changes_per_second, s.longest_gap,
      100 * s.rate_deviation, s.put_p999_micros / 1e3, s.put_max_micros / 1e3);
  return text;
}

std::string EvenHeading() {
  return "scenario     mode         MB/s   dev%  worst  <half  p99.9 ms  max ms"
         "  L0max  unfl%  stop s  pace s\n";
}

std::string EvenLine(const std::string& label, Mode mode, const Score& s) {
  char text[200];
  std::snprintf(text, sizeof(text),
                "%-12s %-12s %4.1f %6.1f %6.2f %6d %9.2f %7.0f %6d %6.0f %7.1f "
                "%7.1f\n",
                label.c_str(), ModeName(mode), s.even_mean / 1e6,
                100 * s.even_deviation, s.even_worst, s.even_below_half,
                s.even_put_p999_micros / 1e3, s.even_put_max_micros / 1e3,
                s.level0_max, 100 * s.unflushed_max, s.stop_seconds,
                s.pace_seconds);
  return text;
}

std::string PlotsOf(const std::vector<Second>& seconds) {
  std::vector<double> asked;
  std::vector<double> accepted;
  std::vector<double> runs;
  std::vector<double> unflushed;
  std::vector<double> debt;
  for (const Second& s : seconds) {
    asked.push_back(s.asked / 1e6);
    accepted.push_back(s.accepted / 1e6);
    runs.push_back(s.sorted_runs);
    unflushed.push_back(static_cast<double>(s.unflushed_bytes) / 1e6);
    debt.push_back(static_cast<double>(s.debt_bytes) / 1e6);
  }
  const PlotSize size{70, 8};
  return Plot("asked (.) and accepted (*), MB/s", accepted, size, asked) +
         Plot("sorted runs", runs, size) +
         Plot("unflushed, MB", unflushed, {70, 4}) +
         Plot("debt, MB", debt, {70, 6});
}

std::string CsvLines(const std::vector<Second>& seconds) {
  std::string text =
      "second,asked_bytes,accepted_bytes,flush_bytes,compaction_bytes,l0_files,"
      "sorted_runs,unflushed_bytes,pending_bytes,stalled_s,paced_s\n";
  int second = 0;
  for (const Second& s : seconds) {
    char line[200];
    std::snprintf(line, sizeof(line),
                  "%d,%.0f,%.0f,%.0f,%.0f,%d,%d,%llu,%llu,%.3f,%.3f\n",
                  ++second, s.asked, s.accepted, s.flushed, s.compacted,
                  s.level0_files, s.sorted_runs,
                  static_cast<unsigned long long>(s.unflushed_bytes),
                  static_cast<unsigned long long>(s.debt_bytes),
                  s.stalled_seconds, s.paced_seconds);
    text += line;
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::sim
