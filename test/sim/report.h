// How a simulated run is shown: a line of figures, plots, or values by second.

#pragma once

#include <string>
#include <vector>

#include "test/sim/world.h"

namespace ROCKSDB_NAMESPACE::sim {

std::string ScoreHeading();
std::string ScoreLine(const std::string& label, Mode mode, const Score& score);

// How even the seconds of writers are that never rest.
std::string EvenHeading();
std::string EvenLine(const std::string& label, Mode mode, const Score& score);

// Asked (dots) and accepted, sorted runs, unflushed bytes, debt.
std::string PlotsOf(const std::vector<Second>& seconds);

// With a heading.
std::string CsvLines(const std::vector<Second>& seconds);

}  // namespace ROCKSDB_NAMESPACE::sim
