// What was built, and when. Defined in a file that every build writes anew when
// the commit or a source changed (tools/cmake/write_identity.cmake), so that a
// new commit compiles only that file.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct BuildIdentity {
  // The whole hash, with "-modified" behind it if files differed from it.
  const char* commit;
  // When it was committed, "2026-11-22 21:50:00" in UTC.
  const char* commit_date;
  // When it was built: SOURCE_DATE_EPOCH, or the clock of the build.
  const char* build_date;
};

// The commit and its date are "unknown" where the source tree does not say.
extern const BuildIdentity kBuildIdentity;

}  // namespace ROCKSDB_NAMESPACE::engine
