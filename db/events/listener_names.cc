// The names of reasons, as they stand in LOG.

#include <array>
#include <cstddef>

#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::array kCompactionReasons = {
    "Unknown",
    "LevelL0FilesNum",
    "LevelMaxLevelSize",
    "UniversalSizeAmplification",
    "UniversalSizeRatio",
    "UniversalSortedRunNum",
    "FIFOMaxSize",
    "FIFOReduceNumFiles",
    "FIFOTtl",
    "ManualCompaction",
    "FilesMarkedForCompaction",
    "BottommostFiles",
    "Ttl",
    "Flush",
    "ExternalSstIngestion",
    "PeriodicCompaction",
    "ChangeTemperature",
    "ForcedBlobGC",
    "RoundRobinTtl",
    "RefitLevel",
};
static_assert(kCompactionReasons.size() ==
              static_cast<size_t>(CompactionReason::kNumOfReasons));

constexpr std::array kFlushReasons = {
    "Others",
    "Get Live Files",
    "Shut down",
    "External File Ingestion",
    "Manual Compaction",
    "Write Buffer Manager",
    "Write Buffer Full",
    "Test",
    "Delete Files",
    "Auto Compaction",
    "Manual Flush",
    "Error Recovery",
    "Error Recovery Retry Flush",
    "WAL Full",
    "Catch Up After Error Recovery",
};
static_assert(kFlushReasons.size() ==
              static_cast<size_t>(FlushReason::kCatchUpAfterErrorRecovery) + 1);

template <size_t kSize>
const char* NameAt(const std::array<const char*, kSize>& names, int index) {
  const auto i = static_cast<size_t>(index);
  return i < kSize ? names[i] : "Invalid";
}

}  // namespace

const char* GetCompactionReasonString(CompactionReason compaction_reason) {
  return NameAt(kCompactionReasons, static_cast<int>(compaction_reason));
}

const char* GetFlushReasonString(FlushReason flush_reason) {
  return NameAt(kFlushReasons, static_cast<int>(flush_reason));
}

}  // namespace ROCKSDB_NAMESPACE
