#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/iotune/report.h"
#include "tools/iotune/words.h"

namespace ROCKSDB_NAMESPACE::iotune {

using namespace engine;  // NOLINT

namespace {

constexpr const char* kStyle = R"(:root{color-scheme:light dark;--bg:#fbfbf9;
--card:#fff;--ink:#1c2024;--soft:#646b73;--rule:#e4e4df;--good:#0b7a75;
--line:#1f6feb}
@media(prefers-color-scheme:dark){:root{--bg:#111417;--card:#191d21;
--ink:#e8eaed;--soft:#9aa3ab;--rule:#2b3137;--good:#4fd1c5;--line:#6ea8ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:28px 24px 48px;max-width:960px;background:var(--bg);
color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:26px;line-height:1.2;margin:0 0 6px}
h2{font-size:16px;margin:28px 0 6px}p{margin:0 0 8px}
.soft{color:var(--soft);font-size:13px}
.card{background:var(--card);border:1px solid var(--rule);border-radius:8px;
padding:14px}
svg{display:block;width:100%;height:auto}
svg text{font:12px system-ui,sans-serif;fill:var(--soft);
font-variant-numeric:tabular-nums}
svg .in{font-size:11px;fill:#1c2024}svg .in.dark{fill:#fff}
.safe{fill:none;stroke:var(--good);stroke-width:3}
.k{stroke:var(--line);stroke-width:2.5;stroke-dasharray:7 4}
svg .k-name{fill:var(--line);font-weight:600;stroke:var(--card);stroke-width:4;
paint-order:stroke}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;
font-variant-numeric:tabular-nums;background:var(--card);
border:1px solid var(--rule)}
th,td{padding:6px 10px;text-align:right;border-top:1px solid var(--rule);
white-space:nowrap}
th:first-child,td:first-child{text-align:left}
thead th{border-top:0;color:var(--soft);font-weight:500}
td.best{color:var(--good);font-weight:650})";

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

// Light blue is fast and dark red is slow; steps of a ramp that is also
// readable without colours, because it only gets darker.
struct LatencyColour {
  int red, green, blue;
};
constexpr LatencyColour kRamp[] = {{212, 236, 245}, {158, 208, 228},
                                   {250, 214, 140}, {240, 160, 92},
                                   {205, 84, 74},   {110, 26, 44}};
constexpr double kRampSteps = std::size(kRamp) - 1;
// From this share of the ramp on, its text is white.
constexpr double kDarkShare = 0.7;

// The range of latencies that the colours show.
struct Scale {
  double low = 1;
  double high = 10;
  double Share(uint64_t micros) const {
    const double value = std::clamp(static_cast<double>(micros), low, high);
    return std::log(value / low) / std::log(high / low);
  }
};

std::string Colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * kRampSteps;
  const auto step = static_cast<size_t>(std::min(place, kRampSteps - 1));
  const double part = place - static_cast<double>(step);
  const auto mix = [part](int from, int to) {
    return std::to_string(std::lround(from + part * (to - from)));
  };
  const LatencyColour& a = kRamp[step];
  const LatencyColour& b = kRamp[step + 1];
  return "rgb(" + mix(a.red, b.red) + "," + mix(a.green, b.green) + "," +
         mix(a.blue, b.blue) + ")";
}

std::string Number(double value) { return Formatted("%.1f", value); }

// The plot: shares of reads from left to right, of writes upwards.
class Picture {
 public:
  explicit Picture(const DiskMeasurement& measured) : measured_(measured) {
    for (const DiskCell& cell : measured.cells) {
      Add(cell.read_share, &columns_);
      Add(cell.write_share, &rows_);
      const double micros =
          std::max(static_cast<double>(cell.reads.p95_micros), 1.0);
      if (&cell == measured.cells.data()) scale_ = {micros, micros};
      scale_.low = std::min(scale_.low, micros);
      scale_.high = std::max(scale_.high, micros);
    }
    // Much slower than safe is all the same.
    constexpr double kShownFactor = 100;
    scale_.high = std::min(scale_.high, kShownFactor * scale_.low);
    scale_.high = std::max(scale_.high, 2 * scale_.low);
  }

  std::string Svg() const {
    std::string out =
        "<svg viewBox=\"0 0 860 560\" role=\"img\" aria-label=\"Read latency "
        "over reads per second and write bandwidth\">";
    for (const DiskCell& cell : measured_.cells) out += CellBox(cell);
    for (const DiskCell& cell : measured_.cells) {
      if (cell.safe) out += Box(cell, "class=\"safe\"", 1.5) + "/>";
    }
    return out + Line() + Axes() + Legend() + "</svg>";
  }

 private:
  static constexpr double kLeft = 100, kRight = 740, kTop = 16, kBottom = 500;

  static void Add(double value, std::vector<double>* to) {
    if (std::find(to->begin(), to->end(), value) == to->end()) {
      to->push_back(value);
    }
  }
  // Half way to the neighbours; the outermost end at the borders.
  static double EdgeBelow(const std::vector<double>& all, double value) {
    const auto at = std::find(all.begin(), all.end(), value);
    return at == all.begin() ? 0 : (*(at - 1) + value) / 2;
  }
  static double EdgeAbove(const std::vector<double>& all, double value) {
    const auto at = std::find(all.begin(), all.end(), value);
    return at + 1 == all.end() ? kShown : (*(at + 1) + value) / 2;
  }
  // What is shown of each axis: a little more than what was measured.
  static constexpr double kShown = 1.05;

  static double X(double share) {
    return kLeft + share / kShown * (kRight - kLeft);
  }
  static double Y(double share) {
    return kBottom - share / kShown * (kBottom - kTop);
  }

  std::string Box(const DiskCell& cell, const std::string& more,
                  double inset) const {
    const double left = X(EdgeBelow(columns_, cell.read_share)) + inset;
    const double right = X(EdgeAbove(columns_, cell.read_share)) - inset;
    const double top = Y(EdgeAbove(rows_, cell.write_share)) + inset;
    const double bottom = Y(EdgeBelow(rows_, cell.write_share)) - inset;
    return "<rect x=\"" + Number(left) + "\" y=\"" + Number(top) +
           "\" width=\"" + Number(right - left) + "\" height=\"" +
           Number(bottom - top) + "\" " + more;
  }

  std::string CellBox(const DiskCell& cell) const {
    const double share = scale_.Share(cell.reads.p95_micros);
    const std::string fill = "fill=\"" + Colour(share) + "\"";
    const std::string tip =
        Operations(cell.reads.ops_per_second) + " reads and " +
        Bandwidth(cell.writes.bytes_per_second) + " of writes were served; " +
        "half of the reads took at most " + Duration(cell.reads.p50_micros) +
        ", 95 % at most " + Duration(cell.reads.p95_micros) +
        "; by the model " + Formatted("%.2f", cell.cost) +
        (cell.served ? "" : "; the disk did not keep up");
    const double x = (X(EdgeBelow(columns_, cell.read_share)) +
                      X(EdgeAbove(columns_, cell.read_share))) /
                     2;
    const double y = (Y(EdgeBelow(rows_, cell.write_share)) +
                      Y(EdgeAbove(rows_, cell.write_share))) /
                     2;
    return Box(cell, fill, 0) + "><title>" + Escaped(tip) +
           "</title></rect><text class=\"in" +
           (share > kDarkShare ? " dark" : "") + "\" x=\"" + Number(x) +
           "\" y=\"" + Number(y + 4) + "\" text-anchor=\"middle\">" +
           Duration(cell.reads.p95_micros) + (cell.served ? "" : " !") +
           "</text>";
  }

  // Where the cost by the model is K: from no reads to no writes, cut off
  // where the plot ends.
  std::string Line() const {
    const IoProfile& profile = measured_.profile;
    const double per_read =
        DiskCost(profile,
                 {1, measured_.read_bytes, true,
                  static_cast<double>(profile.read_ops_per_second)},
                 {});
    const double per_write =
        DiskCost(profile, {},
                 {1, measured_.write_bytes, false,
                  static_cast<double>(profile.write_bytes_per_second) /
                      measured_.write_bytes});
    const auto writes_at = [&](double reads) {
      return (profile.k - reads * per_read) / per_write;
    };
    const auto reads_at = [&](double writes) {
      return (profile.k - writes * per_write) / per_read;
    };
    const double left = std::max(reads_at(kShown), 0.0);
    const double right = std::min(reads_at(0), kShown);
    if (left >= right) return "";  // All of the plot is below K.
    const double middle = (left + right) / 2;
    return "<line class=\"k\" x1=\"" + Number(X(left)) + "\" y1=\"" +
           Number(Y(writes_at(left))) + "\" x2=\"" + Number(X(right)) +
           "\" y2=\"" + Number(Y(writes_at(right))) +
           "\"/><text class=\"k-name\" x=\"" + Number(X(middle) + 8) +
           "\" y=\"" + Number(Y(writes_at(middle)) - 8) +
           "\">K = " + Formatted("%.2f", profile.k) + "</text>";
  }

  std::string Axes() const {
    const IoProfile& profile = measured_.profile;
    std::string out;
    for (const double share : columns_) {
      out +=
          "<text x=\"" + Number(X(share)) + "\" y=\"518\" text-anchor=\"" +
          "middle\">" +
          Operations(share * static_cast<double>(profile.read_ops_per_second)) +
          "</text>";
    }
    for (const double share : rows_) {
      out += "<text x=\"94\" y=\"" + Number(Y(share) + 4) +
             "\" text-anchor=\"end\">" +
             Bandwidth(share *
                       static_cast<double>(profile.write_bytes_per_second)) +
             "</text>";
    }
    out += "<text x=\"420\" y=\"544\" text-anchor=\"middle\">point reads of " +
           Length(measured_.read_bytes) + " per second</text>";
    out += "<text x=\"14\" y=\"258\" text-anchor=\"middle\" transform=\"" +
           std::string("rotate(-90 14 258)\">writes of ") +
           Length(measured_.write_bytes) + "</text>";
    return out;
  }

  std::string Legend() const {
    constexpr int kSteps = 40;
    constexpr double kX = 770, kWidth = 18;
    constexpr double kHeight = (kBottom - kTop) / kSteps;
    std::string out;
    for (int i = 0; i < kSteps; ++i) {
      const double share = (i + 0.5) / kSteps;
      out += "<rect x=\"" + Number(kX) + "\" y=\"" +
             Number(kBottom - (i + 1) * kHeight) + "\" width=\"" +
             Number(kWidth) + "\" height=\"" + Number(kHeight + 0.5) +
             "\" fill=\"" + Colour(share) + "\"/>";
    }
    const double middle = std::sqrt(scale_.low * scale_.high);
    const auto label = [&](double micros, const char* before) {
      const auto rounded = static_cast<uint64_t>(micros);
      const double y = kBottom - scale_.Share(rounded) * (kBottom - kTop);
      out += "<text x=\"" + Number(kX + kWidth + 5) + "\" y=\"" +
             Number(y + 4) + "\">" + before + Duration(rounded) + "</text>";
    };
    label(scale_.low, "");
    label(middle, "");
    label(scale_.high, "");
    return out;
  }

  const DiskMeasurement& measured_;
  std::vector<double> columns_;
  std::vector<double> rows_;
  Scale scale_;
};

std::string ProfileRows(const IoProfile& profile) {
  const auto row = [](const char* name, const std::string& reads,
                      const std::string& writes) {
    return "<tr><td>" + std::string(name) + "</td><td>" + reads + "</td><td>" +
           writes + "</td></tr>\n";
  };
  return row("bandwidth, requests of 1 MiB",
             Bandwidth(static_cast<double>(profile.read_bytes_per_second)),
             Bandwidth(static_cast<double>(profile.write_bytes_per_second))) +
         row("operations, requests of 4 KiB at random places",
             Operations(static_cast<double>(profile.read_ops_per_second)),
             Operations(static_cast<double>(profile.write_ops_per_second))) +
         row("smallest request that saturates",
             Length(profile.read_saturation_bytes),
             Length(profile.write_saturation_bytes));
}

}  // namespace

std::string Page(const DiskMeasurement& measured,
                 const std::string& directory) {
  const IoProfile& profile = measured.profile;
  const std::string title = "The disk of " + Escaped(directory);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
         title + "</title>\n<style>" + kStyle + "</style></head><body>\n<h1>" +
         title + "</h1>\n<p>" +
         Bandwidth(static_cast<double>(profile.read_bytes_per_second)) +
         " of reads or " +
         Bandwidth(static_cast<double>(profile.write_bytes_per_second)) +
         " of writes; " +
         Operations(static_cast<double>(profile.read_ops_per_second)) +
         " small reads or " +
         Operations(static_cast<double>(profile.write_ops_per_second)) +
         " small writes. Together they are served in time while the sum "
         "b<sub>r</sub>/B<sub>r</sub> + b<sub>w</sub>/B<sub>w</sub> + "
         "o<sub>r</sub>/O<sub>r</sub> + o<sub>w</sub>/O<sub>w</sub> is at most "
         "K = " +
         Formatted("%.2f", profile.k) +
         ".</p>\n<h2>Read latency while the disk also writes</h2>\n"
         "<div class=\"card\">" +
         Picture(measured).Svg() +
         "</div>\n<p class=\"soft\">Each field is one measurement: reads at a "
         "fixed rate concurrently with writes at a fixed rate. Its number and "
         "colour are the latency that 95 % of the reads keep to. A green frame "
         "marks the safe area: the disk served what was asked of it, and 95 % "
         "of the reads took at most " +
         Duration(measured.fast_micros) +
         ". An exclamation mark: it did not serve that. The dashed line is "
         "where the sum is K; the I/O scheduler stays below it.</p>\n"
         "<h2>Profile</h2>\n<div class=\"scroll\"><table><thead><tr>"
         "<th></th><th>reads</th><th>writes</th></tr></thead><tbody>\n" +
         ProfileRows(profile) + "</tbody></table></div>\n<p class=\"soft\">" +
         "Mounted at " + Escaped(profile.mountpoint) + "; measured in " +
         Formatted("%.0f", measured.seconds) +
         " s by iotune, with direct I/O.</p>\n</body></html>\n";
}

}  // namespace ROCKSDB_NAMESPACE::iotune
