// What iotune shows of a disk: tables for a terminal, and a page.
//
// Place. Between env/measure_disk.h and the program.
// Threads. Pure functions.
#pragma once

#include <string>

#include "env/measure_disk.h"

namespace ROCKSDB_NAMESPACE::iotune {

// Bandwidth, operations, saturation and K, line by line.
std::string ProfileTable(const engine::IoProfile& profile);

// The read latency (95 %) of each cell, safe ones marked.
std::string CellTable(const engine::DiskMeasurement& measured);

// A page of its own, without scripts: read latency as colour over reads and
// write bandwidth, the cells that are safe, and the line for K.
std::string Page(const engine::DiskMeasurement& measured,
                 const std::string& directory);

}  // namespace ROCKSDB_NAMESPACE::iotune
