#include "tools/peer_bench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace peer_bench {

namespace {

template <typename Of>
double Median(const std::vector<Run>& runs, const Of& of) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const Run& run : runs) values.push_back(of(run));
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

double Speed(const std::vector<Run>& runs) {
  return Median(runs, [](const Run& run) { return run.ops_per_second(); });
}

double Cpu(const std::vector<Run>& runs) {
  return Median(runs, [](const Run& run) { return run.cpu_seconds; });
}

double Written(const std::vector<Run>& runs) {
  return Median(runs, [](const Run& run) {
    return static_cast<double>(run.written_bytes);
  });
}

uint64_t PeakKib(const std::vector<Run>& runs) {
  uint64_t peak = 0;
  for (const Run& run : runs) peak = std::max(peak, run.peak_kib);
  return peak;
}

std::string Format(const char* format, const Comparison& c) {
  char line[256];
  std::snprintf(line, sizeof(line), format, c.workload.c_str(), Speed(c.ours),
                Speed(c.peer), c.SpeedRatio(),
                static_cast<double>(PeakKib(c.ours)) / 1024,
                static_cast<double>(PeakKib(c.peer)) / 1024, c.MemoryRatio(),
                Cpu(c.ours), Cpu(c.peer), c.WrittenRatio(),
                c.Agrees() ? "" : "DIFFERENT DATA");
  return line;
}

void AppendRuns(const std::vector<Run>& runs, std::ostringstream* out) {
  *out << "[";
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    *out << (i == 0 ? "" : ", ") << "{\"seconds\": " << run.seconds
         << ", \"ops\": " << run.ops << ", \"cpu_seconds\": " << run.cpu_seconds
         << ", \"peak_kib\": " << run.peak_kib
         << ", \"written_bytes\": " << run.written_bytes << "}";
  }
  *out << "]";
}

}  // namespace

Run ParseRun(const std::string& line) {
  Run run;
  std::istringstream words(line);
  words >> run.seconds >> run.ops >> run.hash >> run.cpu_seconds >>
      run.peak_kib >> run.written_bytes;
  return run;
}

bool Comparison::Agrees() const {
  return ours.size() == peer.size() &&
         std::equal(ours.begin(), ours.end(), peer.begin(),
                    [](const Run& a, const Run& b) {
                      return a.hash == b.hash && a.ops == b.ops;
                    });
}

double Comparison::SpeedRatio() const { return Speed(ours) / Speed(peer); }

double Comparison::MemoryRatio() const {
  return static_cast<double>(PeakKib(ours)) /
         static_cast<double>(PeakKib(peer));
}

double Comparison::WrittenRatio() const {
  return Written(peer) > 0 ? Written(ours) / Written(peer) : 0;
}

std::string Heading() {
  return "| workload | ours, ops/s | peer, ops/s | ratio | ours, MiB | "
         "peer, MiB | ratio | ours, CPU s | peer, CPU s | written, ratio |\n"
         "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
}

std::string Line(const Comparison& comparison) {
  return Format(
      "| %s | %.0f | %.0f | **%.2f** | %.0f | %.0f | %.2f | %.2f | %.2f | "
      "%.2f |%s\n",
      comparison);
}

std::string Summary(const std::vector<Comparison>& comparisons) {
  std::string text;
  double memory = 0;
  for (const bool reads : {false, true}) {
    double logs = 0, lowest = 0;
    int count = 0;
    for (const Comparison& c : comparisons) {
      memory = std::max(memory, c.MemoryRatio());
      if (c.reads != reads) continue;
      lowest = count == 0 ? c.SpeedRatio() : std::min(lowest, c.SpeedRatio());
      logs += std::log(c.SpeedRatio());
      ++count;
    }
    if (count == 0) continue;
    char line[100];
    std::snprintf(line, sizeof(line), "%s: geometric mean %.2f, lowest %.2f\n",
                  reads ? "reads" : "writes", std::exp(logs / count), lowest);
    text += line;
  }
  char line[100];
  std::snprintf(line, sizeof(line), "largest memory ratio %.2f\n", memory);
  return text + line;
}

std::string Json(const std::vector<Comparison>& comparisons) {
  std::ostringstream out;
  out << "[\n";
  for (size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& c = comparisons[i];
    out << (i == 0 ? "" : ",\n") << "{\"workload\": \"" << c.workload
        << "\", \"ratio\": " << c.SpeedRatio()
        << ", \"memory_ratio\": " << c.MemoryRatio()
        << ", \"agrees\": " << (c.Agrees() ? "true" : "false")
        << ",\n \"ours\": ";
    AppendRuns(c.ours, &out);
    out << ",\n \"peer\": ";
    AppendRuns(c.peer, &out);
    out << "}";
  }
  out << "\n]\n";
  return out.str();
}

}  // namespace peer_bench
