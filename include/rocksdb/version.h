// The version this library presents itself as.
//
// Programs written for RocksDB test these macros. ROCKSDB_API_LEVEL (default
// 11) chooses the numbers an older program expects; nothing else in the C++
// headers depends on it, so objects compiled at different levels link.
#pragma once

#include <string>
#include <unordered_map>

#include "rocksdb/rocksdb_namespace.h"

#ifndef ROCKSDB_API_LEVEL
#define ROCKSDB_API_LEVEL 11
#endif

#if ROCKSDB_API_LEVEL >= 11
#define ROCKSDB_MAJOR 11
#define ROCKSDB_MINOR 8
#define ROCKSDB_PATCH 1
#elif ROCKSDB_API_LEVEL == 10
#define ROCKSDB_MAJOR 10
#define ROCKSDB_MINOR 10
#define ROCKSDB_PATCH 1
#elif ROCKSDB_API_LEVEL == 9
#define ROCKSDB_MAJOR 9
#define ROCKSDB_MINOR 10
#define ROCKSDB_PATCH 0
#elif ROCKSDB_API_LEVEL == 8
#define ROCKSDB_MAJOR 8
#define ROCKSDB_MINOR 10
#define ROCKSDB_PATCH 0
#elif ROCKSDB_API_LEVEL == 7
#define ROCKSDB_MAJOR 7
#define ROCKSDB_MINOR 8
#define ROCKSDB_PATCH 3
#else
#error "ROCKSDB_API_LEVEL must be 7 or larger"
#endif

#define ROCKSDB_MAKE_VERSION_INT(a, b, c) ((a) * 1000000 + (b) * 1000 + (c))
#define ROCKSDB_VERSION_INT \
  ROCKSDB_MAKE_VERSION_INT(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)
#define ROCKSDB_VERSION_GE(a, b, c) \
  (ROCKSDB_VERSION_INT >= ROCKSDB_MAKE_VERSION_INT(a, b, c))

// Riverstone's own release, which is compatible with the RocksDB above.
#define RIVERSTONE_MAJOR 0
#define RIVERSTONE_MINOR 12
#define RIVERSTONE_PATCH 0

// Spellings of long ago.
#define __ROCKSDB_MAJOR__ ROCKSDB_MAJOR
#define __ROCKSDB_MINOR__ ROCKSDB_MINOR
#define __ROCKSDB_PATCH__ ROCKSDB_PATCH

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// What was built: rocksdb_build_git_sha (Riverstone's commit) and
// rocksdb_build_date (when the library was compiled, or SOURCE_DATE_EPOCH of
// that build) by RocksDB's key names; riverstone_version and
// riverstone_commit_date. Dates are in UTC.
const std::unordered_map<std::string, std::string>& GetRocksBuildProperties();

// "11.8.1", or "11.8" without the patch.
std::string GetRocksVersionAsString(bool with_patch = true);

// "<program> (RocksDB) 11.8.1", then, if verbose, one property a line.
std::string GetRocksBuildInfoAsString(const std::string& program,
                                      bool verbose = false);

// "0.12.0".
std::string GetRiverstoneVersionAsString();

// "Riverstone 0.12.0 (commit 28a31a4..., 2026-11-22 21:50:00), compatible with
// RocksDB 11.8.1"; also the property "rocksdb.riverstone-version". The date is
// that of the commit.
std::string GetRiverstoneBuildInfoAsString();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
