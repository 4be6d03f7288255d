// What the field tables are used for at run time.
//
// Place. The engine and convenience.h call these; only these functions walk the
// tables.
//
// Model. Text changes a copy; the copy is only returned when every setting
// was understood, so a wrong call changes nothing.
//
// Threads. Pure functions.

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/options.h"
#include "util/options_text/field.h"

namespace ROCKSDB_NAMESPACE::engine {

using OptionsMap = std::unordered_map<std::string, std::string>;

// DB::SetOptions() and DB::SetDBOptions(). InvalidArgument: unknown name,
// unreadable value, or an option that is fixed while the database is open.
// The result is sanitized and validated by the caller (validate.h).
Status ApplyMutableCfOptions(const ColumnFamilyOptions& base,
                             const OptionsMap& changes,
                             ColumnFamilyOptions* out);
Status ApplyMutableDbOptions(const DBOptions& base, const OptionsMap& changes,
                             DBOptions* out);

// The same with any mode: what convenience.h and the OPTIONS file use. The
// special names ("block_based_table_factory", "rate_limiter_bytes_per_sec",
// old aliases) are understood here.
Status SetCfOption(const TextMode& mode, const std::string& name,
                   const std::string& value, ColumnFamilyOptions* options);
Status SetDbOption(const TextMode& mode, const std::string& name,
                   const std::string& value, DBOptions* options);
// Is the name one of a DB option?
bool IsDbOption(const std::string& name);

// Lines "Options.<name>: <value>" as RocksDB's LOG has them.
void DumpOptions(Logger* log, const DBOptions& options);
void DumpOptions(Logger* log, const ColumnFamilyOptions& options);

// Names of options, table options among them, that differ from their default
// and have no effect here. The options may be sanitized or not.
std::vector<std::string> UnhonouredOptionsSet(
    const DBOptions& db_options, const ColumnFamilyOptions& cf_options);

// Writes one LOG line per such option ("Options.x is set and has no effect").
void LogUnhonouredOptions(Logger* log, const DBOptions& db_options,
                          const ColumnFamilyOptions& cf_options);

}  // namespace ROCKSDB_NAMESPACE::engine
