// The OPTIONS file: text of all options of a database.
//
// Place. A new one is written after every writable open, after a column
// family is made or dropped and after options change; the two newest are
// kept. Opening does not read it; LoadLatestOptions() and the tools do.
//
// Model. Sections [Version], [DBOptions], and per column family (default
// first) [CFOptions "name"] and [TableOptions/BlockBasedTable "name"] with
// lines "  name=value".
//
// Bytes. Only names that every release since 7.8.3 knows are written as
// settings, because a reader refuses unknown ones. What those cannot express
// (our own options, and values or options of newer releases that differ from
// the default) follows as "# riverstone: name=value" in the same section: a
// comment to RocksDB, a setting to this library.
//
// Invariants: parsing what OptionsFileText() wrote gives equal text options.
//
// Threads. Pure functions, apart from the file.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "util/options_text/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

// REQUIRES: cfs[0] is the default column family.
std::string OptionsFileText(const DBOptions& db_options,
                            const std::vector<ColumnFamilyDescriptor>& cfs);

// Fills defaults first: what the text does not name is default. `name` is for
// messages. Corruption or InvalidArgument names the line. Unless null,
// `unknown` gets a sentence for each line that mode.ignore_unknown let pass.
Status ParseOptionsFile(Slice text, const std::string& name,
                        const TextMode& mode, DBOptions* db_options,
                        std::vector<ColumnFamilyDescriptor>* cfs,
                        std::vector<std::string>* unknown = nullptr);

// Writes OPTIONS-<file_number> in `dir`: a temporary file, synced, renamed,
// and the directory synced.
Status WriteOptionsFile(FileSystem* fs, const std::string& dir,
                        uint64_t file_number, const DBOptions& db_options,
                        const std::vector<ColumnFamilyDescriptor>& cfs);

// Base name of the newest OPTIONS file, NotFound if there is none.
Status NewestOptionsFile(FileSystem* fs, const std::string& dir,
                         std::string* name);

}  // namespace ROCKSDB_NAMESPACE::engine
