#include "db/db_impl/log_header.h"

#include <string>

#include "db/options/options_table.h"
#include "env/info_log.h"
#include "rocksdb/version.h"
#include "util/build_identity.h"
#include "util/compression/compression.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

void LogIdentity(Logger* log) {
  Header(log, "RocksDB version: %s\n", GetRocksVersionAsString().c_str());
  Header(log, "Riverstone version: %s\n",
         GetRiverstoneVersionAsString().c_str());
  Header(log, "Git sha %s", kBuildIdentity.commit);
  Header(log, "Compile date %s", kBuildIdentity.build_date);
  Header(log, "Commit date %s", kBuildIdentity.commit_date);
}

void LogCapabilities(Logger* log) {
  Header(log, "Compression algorithms supported:");
  for (const CompressionType type :
       {kZSTD, kXpressCompression, kBZip2Compression, kZSTDNotFinalCompression,
        kLZ4Compression, kZlibCompression, kLZ4HCCompression,
        kSnappyCompression}) {
    Header(log, "\t%s supported: %d", CompressionOptionName(type),
           CompressionTypeSupported(type) ? 1 : 0);
  }
  const bool fast = std::string(crc32c::KernelName()) != "table";
#if defined(__aarch64__)
  constexpr const char* kProcessor = "Arm64";
#else
  constexpr const char* kProcessor = "x86";
#endif
  Header(log, "Fast CRC32 supported: %s on %s",
         fast ? "Supported" : "Not supported", kProcessor);
  Header(log, "DMutex implementation: pthread_mutex_t");
  Header(log, "Jemalloc supported: 0");
}

}  // namespace

void LogHeader(const StoreContext& store, const DBOptions& options,
               const std::vector<ColumnFamilyDescriptor>& families) {
  Logger* const log = store.info_log;
  LogIdentity(log);
  Header(log, "DB SUMMARY\n");
  Header(log, "Host name (Env):  %s\n", store.db_host_id.c_str());
  Header(log, "DB Session ID:  %s\n", store.db_session_id.c_str());
  DumpOptions(log, options);
  LogCapabilities(log);
  for (const ColumnFamilyDescriptor& family : families) {
    Header(log, "--------------- Options for column family [%s]:\n",
           family.name.c_str());
    DumpOptions(log, family.options);
    LogUnhonouredOptions(log, options, family.options);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
