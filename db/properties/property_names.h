// Property names: taking apart the names a program passes to GetProperty.

#pragma once

#include <string>
#include <utility>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

// "rocksdb.num-files-at-level12" -> ("rocksdb.num-files-at-level", "12");
// a name without digits at its end has an empty argument.
std::pair<Slice, Slice> SplitPropertyName(const Slice& property);

}  // namespace ROCKSDB_NAMESPACE::engine
