// What can be wrong with the flags that say what a benchmark does. Those of the
// options are checked where they are set.
//
// Place. Bench asks before it opens or destroys anything.
#pragma once

#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

// InvalidArgument, one sentence that names the flags.
Status CheckWorkFlags();

// The same, of a benchmark by its name. `several`: column families or
// databases.
Status CheckWorkload(const std::string& name, bool several);

}  // namespace ROCKSDB_NAMESPACE::bench
