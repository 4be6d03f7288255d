// What was built: the commit and its date. Defined in a file that every build
// writes anew when the commit changed (tools/cmake/write_identity.cmake), so
// that only that file is compiled again.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct BuildIdentity {
  // The whole hash, with "-modified" behind it if files differed from it.
  const char* commit;
  // When it was committed, "2026-11-22 21:50:00" in UTC.
  const char* date;
};

// "unknown" where the source tree does not say.
extern const BuildIdentity kBuildIdentity;

}  // namespace ROCKSDB_NAMESPACE::engine
