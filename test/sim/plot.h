// Plots a series as text, so that a golden file shows a curve and a diff shows
// how a curve changed.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::sim {

struct PlotSize {
  int width = 70;
  int height = 6;
};

// One column per bucket of `series` (its largest value), y from 0 to the
// maximum of both series. Where it is given, `behind` is drawn with dots.
std::string Plot(const std::string& title, const std::vector<double>& series,
                 const PlotSize& size, const std::vector<double>& behind = {});

}  // namespace ROCKSDB_NAMESPACE::sim
