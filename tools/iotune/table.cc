#include <cstdio>

#include "tools/iotune/report.h"
#include "tools/iotune/words.h"

namespace ROCKSDB_NAMESPACE::iotune {

using namespace engine;  // NOLINT

std::string ProfileTable(const IoProfile& profile) {
  char text[600];
  std::snprintf(
      text, sizeof(text),
      "mount point  %s\n"
      "             %14s %14s\n"
      "             %14s %14s\n"
      "bandwidth    %14s %14s\n"
      "operations   %14s %14s\n"
      "saturated by %14s %14s\n"
      "K            %14.2f\n",
      profile.mountpoint.c_str(), "reads", "writes", "-----", "------",
      Bandwidth(static_cast<double>(profile.read_bytes_per_second)).c_str(),
      Bandwidth(static_cast<double>(profile.write_bytes_per_second)).c_str(),
      Operations(static_cast<double>(profile.read_ops_per_second)).c_str(),
      Operations(static_cast<double>(profile.write_ops_per_second)).c_str(),
      Length(profile.read_saturation_bytes).c_str(),
      Length(profile.write_saturation_bytes).c_str(), profile.k);
  return text;
}

std::string CellTable(const DiskMeasurement& measured) {
  std::string text =
      "Read latency (95 %) by load. * safe: the disk serves the load, and 95 % "
      "of the\nreads take at most " +
      Duration(measured.fast_micros) + ". ! the disk does not serve it.\n";
  std::string head = "writes \\ reads ";
  std::string rows;
  double row_share = -1;
  // One row per write bandwidth: by it first, not as they were measured.
  for (const DiskCell& first : measured.cells) {
    if (first.write_share <= row_share) break;
    row_share = first.write_share;
    char cell[64];
    std::snprintf(
        cell, sizeof(cell), "%14s ",
        Bandwidth(row_share *
                  static_cast<double>(measured.profile.write_bytes_per_second))
            .c_str());
    rows += cell;
    for (const DiskCell& other : measured.cells) {
      if (other.write_share != row_share) continue;
      std::snprintf(cell, sizeof(cell), "%9s%c ",
                    Duration(other.reads.p95_micros).c_str(),
                    other.safe ? '*' : (other.served ? ' ' : '!'));
      rows += cell;
      if (row_share != measured.cells.front().write_share) continue;
      std::snprintf(
          cell, sizeof(cell), "%9s  ",
          Operations(other.read_share *
                     static_cast<double>(measured.profile.read_ops_per_second))
              .c_str());
      head += cell;
    }
    rows += "\n";
  }
  return text + head + "\n" + rows;
}

}  // namespace ROCKSDB_NAMESPACE::iotune
