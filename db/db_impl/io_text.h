// What the gate has counted, as the properties show it.
#pragma once

#include <map>
#include <string>

#include "env/io_gate.h"

namespace ROCKSDB_NAMESPACE::engine {

// "log.bytes", "log.ops", "log.wait_micros", "log.disk_micros" and so on for
// every class, since the database was opened; with a scheduler also what is
// known of the disk. Logs, users' reads and backups are counted only then.
std::map<std::string, std::string> IoSchedulerMap(const IoGate& gate);

// One line per class that did anything.
std::string IoSchedulerText(const IoGate& gate);

}  // namespace ROCKSDB_NAMESPACE::engine
