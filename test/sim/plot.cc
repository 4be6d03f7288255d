#include "test/sim/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::sim {

namespace {

// The largest value of bucket `x` of `width`.
double Bucket(const std::vector<double>& series, size_t x, size_t width) {
  const size_t from = x * series.size() / width;
  const size_t to = std::max(from + 1, (x + 1) * series.size() / width);
  double top = 0;
  for (size_t i = from; i < std::min(to, series.size()); ++i) {
    top = std::max(top, series[i]);
  }
  return top;
}

double Top(const std::vector<double>& series) {
  return series.empty() ? 0 : *std::max_element(series.begin(), series.end());
}

}  // namespace

std::string Plot(const std::string& title, const std::vector<double>& series,
                 const PlotSize& size, const std::vector<double>& behind) {
  const auto width = static_cast<size_t>(size.width);
  const auto height = static_cast<size_t>(size.height);
  const double top =
      std::max(1.0, std::ceil(std::max(Top(series), Top(behind))));
  std::vector<std::string> rows(height, std::string(width, ' '));
  const auto draw = [&](const std::vector<double>& what, char with) {
    if (what.empty()) return;
    for (size_t x = 0; x < width; ++x) {
      const double y = Bucket(what, x, width) / top;
      const auto level =
          static_cast<size_t>(y * static_cast<double>(height - 1) + 0.5);
      rows[height - 1 - level][x] = with;
    }
  };
  draw(behind, '.');
  draw(series, '*');
  std::string text = title + "\n";
  for (size_t r = 0; r < height; ++r) {
    char label[16];
    const bool edge = r == 0 || r + 1 == height;
    std::snprintf(label, sizeof(label), edge ? "%6.0f" : "      ",
                  r == 0 ? top : 0.0);
    rows[r].erase(rows[r].find_last_not_of(' ') + 1);
    text += std::string(label) + " |" + rows[r] + "\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::sim
