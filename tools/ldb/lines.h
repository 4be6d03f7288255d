// Lines "key ==> value" of standard input, as `dump` prints them.
//
// Place. The commands that take many entries.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "rocksdb/status.h"
#include "tools/ldb/arguments.h"

namespace ROCKSDB_NAMESPACE::ldb {

// Calls `use` for each until one fails. Lines in another form are counted and
// reported to `warnings`.
Status ForEachEntryLine(
    const Arguments& arguments, FILE* warnings,
    const std::function<Status(const std::string& key,
                               const std::string& value)>& use);

}  // namespace ROCKSDB_NAMESPACE::ldb
